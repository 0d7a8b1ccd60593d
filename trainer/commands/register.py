"""``trainer questions``: what a house's owner has to answer."""

from __future__ import annotations

from pathlib import Path

import click

from trainer.cli import Settings
from trainer.commands.papers import out_option, put, unknown
from trainer.compliance.register import register
from trainer.reports.registers import to_html, to_markdown
from trainer.rounds.play import machine_of
from trainer.rounds.script import scenarios_of


@click.command()
@click.argument("house")
@click.option("--format", "form", type=click.Choice(["md", "html", "pdf"]), default="md", show_default=True)
@click.option("--only", metavar="D-NN", default="", help="Only one question.")
@click.option("--unanswered", is_flag=True, help="Leave out what is answered.")
@out_option
@click.pass_obj
def questions(settings: Settings, house: str, form: str, only: str, unanswered: bool, out: Path | None) -> None:
    """Print the silences and contradictions of HOUSE as questions to its owner.

    Each stands with our default, its policy and reason, and with the rules, amounts and scenarios that hang on it.
    """
    machine = machine_of(settings.procedures, house)
    found = register(machine, scenarios_of(settings.procedures, settings.scenarios, house))
    if only:
        known = [one.default.id for one in found]
        if only not in known:
            raise unknown(f"{machine.house.title} has no question '{only}'; it has {', '.join(known)}")
        found = [one for one in found if one.default.id == only]
    if unanswered:
        found = [one for one in found if one.answer is None]
    if form == "md":
        put(to_markdown(machine.house, found), out)
    else:
        put(to_html(machine.house, found), out, pdf=form == "pdf")
