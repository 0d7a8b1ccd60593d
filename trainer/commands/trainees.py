"""``trainer trainees``: the class list, and the erasure of a person's data."""

from __future__ import annotations

from pathlib import Path

import click

from trainer.commands.records import opened, store_option


@click.group()
def trainees() -> None:
    """Keep the list of trainees and supervisors."""


@trainees.command("list")
@click.option("--class", "class_name", default="", help="Only this class.")
@store_option
def list_people(class_name: str, where: str) -> None:
    """List everybody by class."""
    from trainer.records.people import everybody

    with opened(where) as store:
        for one in everybody(store, class_name=class_name):
            click.echo(f"{one.name:<28}  {one.role:<10}  {one.class_name:<16}  {one.id}".rstrip())


@trainees.command()
@click.argument("name")
@click.option("--class", "class_name", default="", help="The class of a trainee.")
@click.option("--supervisor", is_flag=True, help="Somebody who assigns and signs.")
@store_option
def add(name: str, class_name: str, supervisor: bool, where: str) -> None:
    """Add somebody by NAME."""
    from trainer.records import people

    with opened(where, makes=True) as store:
        role = people.SUPERVISOR if supervisor else people.TRAINEE
        one = people.add(store, name, role=role, class_name=class_name)
        click.echo(f"{one.name} added as {one.role} {one.id}")


@trainees.command("import")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False, exists=True))
@store_option
def import_list(file: Path, where: str) -> None:
    """Add everybody of a class list: a CSV FILE with the columns name, class and role."""
    from trainer.records.people import import_class_list

    with opened(where, makes=True) as store:
        new, known = import_class_list(store, str(file), file.read_text(encoding="utf-8", errors="replace"))
        for one in new:
            click.echo(f"{one.name}: {one.role}{f' in {one.class_name}' if one.class_name else ''}")
        click.echo(f"{len(new)} added, {known} known already")


@trainees.command()
@click.argument("name")
@click.option("--yes", is_flag=True, help="Do not ask.")
@store_option
def erase(name: str, yes: bool, where: str) -> None:
    """Erase the personal data of NAME; the records stay under a random id, and still verify."""
    from trainer.records import people

    with opened(where) as store:
        one = people.named(store, name)
        if not yes:
            click.confirm(f"Erase the name and class of {one.name}? This cannot be undone", abort=True)
        people.erase(store, one)
        click.echo(f"erased; the records are kept under {one.id}")
