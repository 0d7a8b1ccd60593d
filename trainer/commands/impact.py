"""``trainer impact``: what a new version of a house's procedure touches."""

from __future__ import annotations

from pathlib import Path

import click

from trainer.cli import Settings
from trainer.commands.papers import out_option, put, unknown
from trainer.compliance.impact import Impact, SignOff, version_in
from trainer.compliance.impact import impact as compared
from trainer.reports.impacts import to_html, to_markdown
from trainer.rounds.script import scenarios_of

FOLDER = click.Path(path_type=Path, exists=True, file_okay=False)


@click.command()
@click.argument("old", type=FOLDER)
@click.argument("new", type=FOLDER)
@click.option("--format", "form", type=click.Choice(["md", "html", "pdf"]), default="md", show_default=True)
@click.option("--store", "where", default="", metavar="WHERE", help="The records whose sign-offs may fall due.")
@out_option
@click.pass_obj
def impact(settings: Settings, old: Path, new: Path, form: str, where: str, out: Path | None) -> None:
    """Tell what changes when the folder NEW of a house replaces its folder OLD.

    Statements, settings, rules, rows, scenarios, checklist rows, drills, and the sign-offs that fall due.
    """
    procedures = settings.procedures
    before, after = version_in(old, procedures.folder), version_in(new, procedures.folder)
    if before.slug != after.slug:
        raise unknown(f"these are two houses, {before.slug} and {after.slug}; see trainer compare")
    known = before.slug in procedures.names()
    scripts = scenarios_of(procedures, settings.scenarios, before.slug) if known else []
    found = compared(before, after, scripts)
    due = falling_due(where, found) if where else None
    if form == "md":
        put(to_markdown(found, due), out)
    else:
        put(to_html(found, due), out, pdf=form == "pdf")


def falling_due(where: str, found: Impact) -> list[SignOff]:
    """Return who was signed off under the old version, nobody when the new one touches nothing.

    A sign-off is for the whole procedure, so whatever is touched makes it fall due; one that was not passed
    qualified nobody.
    """
    from trainer.commands.records import minute, opened
    from trainer.records.desk import signature_in
    from trainer.records.people import by_id

    out = []
    with opened(where) as store:
        if found.is_none:
            return []
        names = by_id(store)
        for stored in store.sessions(house=found.old.slug):
            if stored.fingerprint != found.old.fingerprint:
                continue
            signature = signature_in(store.session(stored.id))
            if signature is not None and signature.result.passed is not False:
                person = names.get(stored.person_id)
                out.append(SignOff(str(person or "nobody"), stored.id, minute(signature.time)))
    return out
