"""``trainer import``: bring records from elsewhere into the one format, or print a record as JSON Lines."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from trainer.cli import Settings
from trainer.durable import atomic_write
from trainer.files import BadFile
from trainer.records.gaps import as_far_as_it_goes
from trainer.records.imports import print_json_lines, read_record
from trainer.rounds.play import machine_of
from trainer.rounds.script import print_script


@click.command(name="import")
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--mapping", type=click.Path(path_type=Path, exists=True), help="What the columns of a CSV log mean.")
@click.option("--house", default="", help="Read as dealt in another house than the record's own.")
@click.option("--to", "form", type=click.Choice(["yaml", "jsonl"]), default="yaml", show_default=True)
@click.option(
    "--output", "-o", type=click.Path(path_type=Path, dir_okay=False), help="Write there instead of printing."
)
@click.option("--judgeable", is_flag=True, help="Keep only what can be judged: see the gaps that are told.")
@click.pass_obj
def import_record(
    settings: Settings, file: Path, mapping: Path | None, house: str, form: str, output: Path | None, judgeable: bool
) -> None:
    """Read the record FILE (YAML, JSON Lines, or CSV with a mapping) and print it.

    Where a hole card or players' acts are missing, it is told from which line on nothing can be judged.
    Exit code 0: read; 2: something in it is wrong, told by row.
    """
    try:
        script = read_record(file, settings.procedures, mapping=mapping, house=house)
    except BadFile as bad:
        click.echo(str(bad), err=True)
        sys.exit(2)
    result = as_far_as_it_goes(script, machine_of(settings.procedures, script.house))
    for gap in result.gaps:
        click.echo(str(gap), err=True)
    kept = result.script if judgeable else script
    text = print_json_lines(kept) if form == "jsonl" else print_script(kept)
    if output is None:
        click.echo(text, nl=False)
    else:
        atomic_write(output, text)
        click.echo(f"{file}: {len(kept.lines)} lines written to {output}")
