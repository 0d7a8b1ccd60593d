"""``trainer progress``: faults per hundred rounds of a trainee or a class over time, as bars in the terminal."""

from __future__ import annotations

import shutil
import sys
from typing import TYPE_CHECKING

import click

from trainer.commands.records import opened, people_of, store_option

if TYPE_CHECKING:
    from trainer.records.progress import Period


@click.command()
@click.argument("trainee", required=False)
@click.option("--class", "class_name", default="", help="Everybody of a class, each and together.")
@click.option(
    "--by", "period", type=click.Choice(["session", "day", "week", "month"]), default="week", show_default=True
)
@click.option("--house", default="", help="Only sessions in this house.")
@click.option("--record", type=click.Choice(["practice", "assessed"]), default="practice", show_default=True,
              help="Practice and assessed sessions are never mixed.")  # fmt: skip
@click.option("--width", type=click.IntRange(40, 400), help="Columns; else the terminal's.")
@store_option
def progress(trainee: str | None, class_name: str, period: str, house: str, record: str, width: int | None,
             where: str) -> None:  # fmt: skip
    """Show the progress of TRAINEE, of a class, or of everybody.

    An interval says how far chance alone may have moved a rate: two rates whose intervals overlap widely tell
    nothing yet. Rates are compared with one another, never with a norm.
    """
    from trainer.records.progress import by_period
    from trainer.records.sat import sat_of

    columns = width or min(shutil.get_terminal_size((100, 24)).columns, 140)
    with opened(where) as store:
        people = people_of(store, trainee or "", class_name)
        everything = []
        for person in people:
            sat = sat_of(store, person, kind=record, house=house)
            everything += sat
            if sat or len(people) == 1:
                _show(person.name, by_period(sat, period), columns)
        if len(people) > 1:
            _show(f"together ({len(people)} trainees)", by_period(everything, period), columns)


def _show(title: str, periods: list[Period], width: int) -> None:
    from trainer.records.progress import chart, rule_table

    plain = "utf" not in (sys.stdout.encoding or "").lower()
    click.echo(title)
    for line in [*chart(periods, width, plain=plain), *rule_table(periods)]:
        click.echo(f"  {line}".rstrip())
    click.echo("")
