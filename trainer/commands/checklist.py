"""``trainer checklist``: the questions a compliance officer asks at the table, from the machine itself."""

from __future__ import annotations

from pathlib import Path

import click

from trainer.cli import Settings
from trainer.commands.papers import out_option, put, unknown
from trainer.commands.replay import records_in
from trainer.compliance.checklist import NoSuchScope
from trainer.compliance.checklist import checklist as rows_of
from trainer.compliance.tally import Tally, tally
from trainer.procedure.load import Procedures
from trainer.records.imports import read_record
from trainer.reports.checklists import to_csv, to_html, to_markdown
from trainer.rounds.play import machine_of
from trainer.rounds.script import Script


@click.command()
@click.argument("house")
@click.option("--game", default="", help="Only the rows of one game: blackjack, or a side game of the house.")
@click.option("--scope", "scopes", multiple=True, help="Only a part of the round, such as insurance; may be repeated.")
@click.option("--format", "form", type=click.Choice(["md", "html", "pdf", "csv"]), default="md", show_default=True)
@click.option("--records", multiple=True, type=click.Path(path_type=Path, exists=True),
              help="Fill in from a record, or a folder of records, of this house.")  # fmt: skip
@out_option
@click.pass_obj
def checklist(settings: Settings, house: str, game: str, scopes: tuple[str, ...], form: str, records: tuple[Path, ...],
              out: Path | None) -> None:  # fmt: skip
    """Print the checklist of HOUSE in the order of the round.

    Every row is a question with the statement it rests on. What the document does not say stands apart. The HTML form
    can be filled in and saved in a browser.
    """
    own = settings.procedures.house(house)
    try:
        given = rows_of(own, scopes=scopes, game=game)
    except NoSuchScope as why:
        raise unknown(str(why)) from None
    filled = fill(settings.procedures, house, records) if records else None
    if form == "html":
        put(to_html(given, filled), out)
    elif form == "pdf":
        put(to_html(given, filled, form=False), out, pdf=True)
    else:
        put(to_csv(given, filled) if form == "csv" else to_markdown(given, filled), out)


def fill(procedures: Procedures, house: str, records: tuple[Path, ...]) -> Tally:
    """Count what became of each rule in the records of one house."""
    scripts: list[Script] = []
    for path in records_in(records):
        script = read_record(path, procedures)
        if script.house == house:
            scripts.append(script)
    if not scripts:
        raise unknown(f"no record of {house} among {', '.join(str(path) for path in records)}")
    return tally(machine_of(procedures, house), scripts)
