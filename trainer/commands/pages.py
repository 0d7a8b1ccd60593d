"""``trainer pages``: write the generated pages of the documentation, or tell which are not up to date."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from trainer.cli import Settings
from trainer.durable import atomic_write


@click.command()
@click.option("--docs", type=click.Path(path_type=Path, file_okay=False), default=Path("docs"), show_default=True,
              help="Folder of the documentation.")  # fmt: skip
@click.option("--check", is_flag=True, help="Write nothing; name the pages that differ and end with code 1.")
@click.pass_obj
def pages(settings: Settings, docs: Path, check: bool) -> None:
    """Write the pages that are made from code and procedures: notation, commands, machine, houses, rules."""
    from trainer.reports.site import pages as generated

    stale = 0
    for name, text in generated(settings.procedures, settings.scenarios):
        path = docs / name
        if path.is_file() and path.read_text(encoding="utf-8") == text:
            continue
        stale += 1
        if not check:
            path.parent.mkdir(parents=True, exist_ok=True)
            atomic_write(path, text)
        click.echo(f"{'differs' if check else 'written'}: {path}")
    if check and stale:
        sys.exit(1)
