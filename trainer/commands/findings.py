"""``trainer findings``: the findings of the store or of session files, filtered, as text, CSV or JSON."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from trainer.cli import Settings
from trainer.commands.records import opened, store_option

if TYPE_CHECKING:
    from trainer.records.findings import Filter, Finding

_SEVERITY = click.Choice(["fault", "advice"])
_KIND = click.Choice(["repeated", "not in this house", "omitted", "wrong time", "wrong detail"])
_MONEY = click.Choice(["house", "players", "any", "none"])
_DAY = click.DateTime(["%Y-%m-%d", "%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S"])


@click.command()
@click.argument("files", nargs=-1, type=click.Path(path_type=Path, exists=True))
@click.option("--since", type=_DAY, help="From this UTC time on.")
@click.option("--until", type=_DAY, help="Before this UTC time.")
@click.option("--severity", type=_SEVERITY, help="Only faults, or only advice.")
@click.option("--kind", type=_KIND, help="What is wrong with the act.")
@click.option("--rule", default="", help="A rule.")
@click.option("--statement", default="", help="A statement or default.")
@click.option("--weight", type=click.Choice(["minor", "major", "critical"]))
@click.option("--money", type=_MONEY, help="Who got too much.")
@click.option("--least", default="0.00", metavar="DOLLARS", help="The least amount that moved wrongly.")
@click.option("--trainee", default="", help="A trainee.")
@click.option("--class", "class_name", default="", help="A class.")
@click.option("--house", default="", help="A house.")
@click.option("--record", type=click.Choice(["practice", "assessed"]), help="Only practice, or only assessed sessions.")
@click.option("--session", default="", help="A session's id, or the beginning of it.")
@click.option("--format", "form", type=click.Choice(["text", "csv", "json"]), default="text", show_default=True)
@store_option
@click.pass_obj
def findings(settings: Settings, /, files: tuple[Path, ...], since: object, until: object, form: str, least: str,
             where: str, **wanted: str | None) -> None:  # fmt: skip
    """List the findings of the store's sessions, or of session FILES."""
    from trainer.chips import cents
    from trainer.records import findings as listing

    try:
        lowest = cents(least)
    except ValueError as why:
        raise click.BadParameter(f"{why}", param_hint="--least") from None
    chosen = {name: value or "" for name, value in wanted.items()}
    want = listing.Filter(since=_moment(since), until=_moment(until), least=lowest, **chosen)
    found = _of_files(settings, files) if files else _of_store(where, want)
    kept = [one for one in found if want.lets(one)]
    if form == "text":
        for line in listing.as_text(kept):
            click.echo(line)
        click.echo(f"{len(kept)} finding{'s' if len(kept) != 1 else ''}")
    else:
        click.echo(listing.as_json(kept) if form == "json" else listing.as_csv(kept), nl=False)


def _moment(given: object) -> str:
    from datetime import UTC, datetime

    from trainer.records.store import utc

    return utc(given.replace(tzinfo=UTC)) if isinstance(given, datetime) else ""


def _of_store(where: str, want: Filter) -> list[Finding]:
    from trainer.records.findings import findings_in
    from trainer.records.people import by_id, named

    with opened(where) as store:
        people = by_id(store)
        person = named(store, want.trainee).id if want.trainee else ""
        out: list[Finding] = []
        for one in store.sessions(person=person, kind=want.record, house=want.house, until=want.until):
            stored = store.session(one.id)
            out += findings_in(stored, store.replayed(stored), people)
        return out


def _of_files(settings: Settings, files: tuple[Path, ...]) -> list[Finding]:
    from trainer.commands.replay import records_in
    from trainer.records.findings import findings_of
    from trainer.records.imports import read_record
    from trainer.rounds.play import machine_of, replay

    out: list[Finding] = []
    for path in records_in(files):
        script = read_record(path, settings.procedures)
        session = replay(script, machine_of(settings.procedures, script.house))
        out += findings_of(session, name=path.stem, trainee=script.trainee, started=script.clock)
    return out
