"""``trainer store``: where the records lie, the sessions in them, and session files taken in."""

from __future__ import annotations

from pathlib import Path

import click

from trainer.cli import Settings
from trainer.commands.records import minute, opened, store_option


@click.group()
def store() -> None:
    """Show the store of records, or take session files into it."""


@store.command()
@store_option
def where(where: str) -> None:
    """Say where the records lie and how many there are."""
    from trainer.records.people import everybody

    with opened(where) as records:
        sessions = records.sessions()
        click.echo(f"records  {records.where}")
        click.echo(f"sessions {len(sessions)}, entries {sum(one.count for one in sessions)}")
        click.echo(f"people   {len(everybody(records))}")


@store.command("list")
@click.option("--trainee", default="", help="Only this trainee's.")
@click.option("--house", default="", help="Only those of a house.")
@click.option("--kind", type=click.Choice(["practice", "assessed"]), help="Only practice, or only assessed sessions.")
@store_option
def list_sessions(trainee: str, house: str, kind: str | None, where: str) -> None:
    """List the sessions, oldest first."""
    from trainer.records.people import by_id, named

    with opened(where) as records:
        person = named(records, trainee).id if trainee else ""
        people = by_id(records)
        for one in records.sessions(person=person, house=house, kind=kind or ""):
            full = records.session(one.id)
            state = "signed" if full.is_signed else "closed" if full.is_closed else "open"
            who = str(people.get(one.person_id, "nobody"))
            click.echo(
                f"{one.id}  {minute(one.started)} UTC{one.zone}  {one.kind:<8}  {one.house:<12}  "
                f"{len(full.acts):>4} acts  {state:<6}  {who}"
            )


@store.command()
@click.argument("session")
@store_option
def show(session: str, where: str) -> None:
    """Print a SESSION as the file it would be (its id, or the beginning of it)."""
    with opened(where) as records:
        click.echo(records.session(session).text, nl=False)


@store.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, dir_okay=False, exists=True))
@click.option("--trainee", default="", help="Whose sessions these are; else nobody's.")
@store_option
@click.pass_obj
def add(settings: Settings, files: tuple[Path, ...], trainee: str, where: str) -> None:
    """Take session FILES into the store as practice, line by line."""
    from trainer.records.imports import read_record
    from trainer.records.people import named
    from trainer.records.recorder import take_in

    with opened(where, makes=True) as records:
        person = named(records, trainee).id if trainee else ""
        for path in files:
            script = read_record(path, settings.procedures)
            stored = take_in(records, script, settings.procedures, person=person)
            click.echo(f"{path}: session {stored.id}, {stored.count} entries, head {stored.head}")
