"""``trainer beside``: one record under two houses, or two sessions on one seed, side by side."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import click

from trainer.cli import Settings
from trainer.commands.records import opened, store_option
from trainer.files import read_text

if TYPE_CHECKING:
    from trainer.rounds.play import Session


@click.command()
@click.argument("records", nargs=-1, required=True)
@click.option("--houses", nargs=2, metavar="HOUSE HOUSE", help="Judge the one record in both.")
@click.option("--all", "everything", is_flag=True, help="Every finding, not only where the houses differ.")
@click.option("--width", type=click.IntRange(60, 400), help="Columns; else the terminal's.")
@store_option
@click.pass_obj
def beside(settings: Settings, records: tuple[str, ...], houses: tuple[str, str] | None, everything: bool,
           width: int | None, where: str) -> None:  # fmt: skip
    """Show one record under two houses, or two RECORDS on one seed (files, or ids of sessions in the store)."""
    from trainer.records import compare

    columns = width or min(shutil.get_terminal_size((110, 24)).columns, 160)
    if len(records) == 1 and houses:
        text, name = _text(records[0], where)
        left, right = compare.under_two_houses(text, name, settings.procedures, *houses)
        lines = compare.spell_houses(left, right, columns, everything=everything)
    elif len(records) == 2 and not houses:
        (left, one), (right, other) = (_judged(settings, record, where) for record in records)
        if why := compare.same_cards(left, right):
            raise click.UsageError(f"these two cannot be set side by side: {why}")
        lines = compare.spell_trainees(left, right, (one, other), columns)
    else:
        raise click.UsageError("name one record and --houses HOUSE HOUSE, or two records")
    for line in lines:
        click.echo(line)


def _text(record: str, where: str) -> tuple[str, str]:
    path = Path(record)
    if path.is_file():
        return read_text(path), record
    with opened(where) as store:
        stored = store.session(record)
        return stored.text, f"session {stored.id}"


def _judged(settings: Settings, record: str, where: str) -> tuple[Session, str]:
    from trainer.records.imports import read_record
    from trainer.records.people import by_id
    from trainer.rounds.play import machine_of, replay

    path = Path(record)
    if path.is_file():
        script = read_record(path, settings.procedures)
        return replay(script, machine_of(settings.procedures, script.house)), script.trainee or path.stem
    with opened(where) as store:
        stored = store.session(record)
        person = by_id(store).get(stored.person_id)
        return store.replayed(stored), f"{person or 'nobody'}, session {stored.id}"
