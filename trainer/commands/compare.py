"""``trainer compare``: two houses side by side, with the rounds a dealer has to unlearn."""

from __future__ import annotations

from pathlib import Path

import click

from trainer.cli import Settings
from trainer.commands.papers import out_option, put, unknown
from trainer.compliance.compare import compare as side_by_side
from trainer.compliance.compare import write_rounds
from trainer.compliance.separate import Search
from trainer.reports.comparisons import to_html, to_markdown
from trainer.rounds.play import machine_of


@click.command()
@click.argument("first")
@click.argument("second")
@click.option("--format", "form", type=click.Choice(["md", "html", "pdf"]), default="md", show_default=True)
@click.option("--search", type=click.IntRange(1, 100000), metavar="ROUNDS",
              help="First look for shorter separating rounds and keep them as scenarios.")  # fmt: skip
@click.option("--seed", default="compare", show_default=True, help="Seed of the rounds searched.")
@out_option
@click.pass_obj
def compare(
    settings: Settings, first: str, second: str, form: str, search: int | None, seed: str, out: Path | None
) -> None:
    """Show what a dealer who moves from house FIRST to house SECOND has to unlearn.

    Each difference stands with both citations and with the shortest round known that is right in the first house and
    wrong in the second, or with the reason why there is none.
    """
    procedures = settings.procedures
    if first == second:
        raise unknown("name two different houses")
    procedures.house(first), procedures.house(second)
    if search:
        looking = Search(machine_of(procedures, first), [machine_of(procedures, second)])
        looking.look(search, seed)
        looking.vary()
        for path in write_rounds(procedures, settings.scenarios, first, [second], looking):
            click.echo(f"written: {path}", err=True)
    found = side_by_side(procedures, settings.scenarios, first, second)
    if form == "md":
        put(to_markdown(found), out)
    else:
        put(to_html(found), out, pdf=form == "pdf")
