"""``trainer replay``: judge records line by line, against their expectations or in another house."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from dataclasses import replace as changed
from pathlib import Path
from typing import Any

import click

from trainer.actions import Role
from trainer.chips import dollars
from trainer.cli import Settings
from trainer.files import BadFile, Problem
from trainer.procedure.verdicts import citation, spell
from trainer.rounds.debrief import money_said, money_words
from trainer.rounds.play import Entry, Session, across, grouped_findings, machine_of, unmet_expectations
from trainer.rounds.play import replay as deal_again
from trainer.rounds.script import Script, read_script

MARKS = {"right": "ok    ", "advice": "advice", "fault": "FAULT "}


RECORDS = (".yaml", ".yml", ".jsonl", ".ndjson")
"""What the name of a record in a folder ends with; a file that is named itself may be called anything."""


def records_in(paths: Iterable[Path]) -> list[Path]:
    """Return the record files named, and those in the folders named, in order."""
    out: list[Path] = []
    for path in paths:
        out.extend(sorted(filter(_is_record, path.rglob("*"))) if path.is_dir() else [path])
    return out


def _is_record(path: Path) -> bool:
    return path.suffix.lower() in RECORDS and path.is_file()


def no_record(paths: Iterable[Path]) -> click.BadParameter:
    """Return the error of a command that was given folders without a record."""
    known = ", ".join(f"*{suffix}" for suffix in RECORDS)
    return click.BadParameter(f"no record ({known}) lies in {', '.join(map(str, paths))}", param_hint="FILES")


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--house", default="", help="Judge in another house than the record's own.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("--slips", is_flag=True, help="Explain each record by its slips, as a floor supervisor would.")
@click.option("--html", type=click.Path(path_type=Path, dir_okay=False),
              help="Write a replay to show in a browser, with its slips.")  # fmt: skip
@click.option("--mapping", type=click.Path(path_type=Path, dir_okay=False, exists=True),
              help="The mapping of a CSV's columns (see trainer import --help).")  # fmt: skip
@click.option("--view", is_flag=True, help="Step through the record on the screen.")
@click.option("--quiet", "-q", is_flag=True, help="Only what is not as expected.")
@click.pass_obj
def replay(settings: Settings, files: tuple[Path, ...], house: str, form: str, slips: bool, html: Path | None,
           mapping: Path | None, view: bool, quiet: bool) -> None:  # fmt: skip
    """Judge the records FILES (or folders of them), each act with its verdict.

    Records are YAML, JSON Lines (.jsonl), or CSV with --mapping.

    Exit code 0: as expected; 1: a finding, or an expectation that was not met; 2: a file could not be read.
    """
    paths = records_in(files)
    if not paths:
        raise no_record(files)
    for option in [name for name, given in (("--html", html), ("--view", view)) if given]:
        if len(paths) != 1:
            raise click.BadParameter(f"it shows one record, and here are {len(paths)}", param_hint=option)
    if view:
        from trainer.commands.table import open_replay

        sys.exit(open_replay(settings, paths[0], house))
    if house and house not in settings.procedures.names():
        raise click.BadParameter(f"'{house}'; known are {', '.join(settings.procedures.names())}", param_hint="--house")
    worst, documents, count = 0, [], 0
    for path in paths:
        try:
            script = _read(settings, path, mapping)
            machine = machine_of(settings.procedures, house or script.house)
            session = across(script, machine) if house else deal_again(script, machine)
            script = session.script
        except BadFile as bad:
            click.echo(str(bad), err=True)
            worst = 2
            continue
        unmet = [] if house else unmet_expectations(session)
        code = _code(session, unmet, house)
        worst = max(worst, code)
        count += 1
        if form == "json":
            documents.append(as_data(session, unmet) | (_slip_data(script, session) if slips else {}))
            continue
        if slips:
            _say_slips(script, session)
        if html is not None:
            _write_html(session, script, html)
        if slips or html is not None:
            continue
        if len(paths) == 1 and not quiet:
            _say_all(session, house)
        elif code:
            _say_findings(session, house)
        expects = any(line.expects for line in script.lines) or script.net or script.money is not None
        for problem in [*session.problems, *(unmet if expects else [])]:
            click.echo(str(problem))
    if form == "json":
        click.echo(json.dumps(documents, indent=1, ensure_ascii=False))
    elif len(paths) != 1 or quiet:
        click.echo(f"{count} record{'s' if count != 1 else ''} judged: {'as expected' if not worst else 'see above'}")
    sys.exit(worst)


def _read(settings: Settings, path: Path, mapping: Path | None) -> Script:
    if path.suffix.lower() in (".yaml", ".yml"):
        return read_script(path, settings.procedures)
    from trainer.records.imports import read_record

    return read_record(path, settings.procedures, mapping=mapping)


def _code(session: Session, unmet: list[Problem], house: str) -> int:
    if session.problems:
        return 2
    if house:
        return 1 if session.findings else 0
    return 1 if unmet else 0


def _where(session: Session, entry: Entry) -> str:
    return f"{entry.place.file}:{entry.place.line}: " if entry.place else ""


def _say_all(session: Session, house: str) -> None:
    script = session.script
    click.echo(f"{script.title or script.path} ({session.house.title}{', judged as' if house else ''})")
    own = f"{session.house.slug}@{session.house.fingerprint}"
    if script.procedure and script.procedure != own:
        click.echo(f"dealt under {script.procedure}; judged under {own}")
    for entry in session.entries:
        dealer = entry.act.role is Role.DEALER
        mark = MARKS[entry.verdict.severity] if dealer else "      "
        blocked = "  (blocked)" if entry.blocked else ""
        click.echo(f"{entry.number:>4}  {mark}  {entry.act}{blocked}")
        if entry.is_finding and not house:
            for line in spell(session.house, entry.verdict, full=True):
                click.echo(f"              {line}")
            if entry.money is not None:
                click.echo(f"                money    {money_words(entry.money)}")
    if house:
        _say_groups(session)
    click.echo(
        f"accuracy {session.accuracy:.1%}, {len(session.faults)} faults, "
        f"{len(session.findings) - len(session.faults)} advice; {money_said(session)}"
    )
    if session.net:
        click.echo("result: " + ", ".join(f"{name}: {dollars(amount)}" for name, amount in session.net.items()))


def _say_groups(session: Session) -> None:
    """Say each finding of a record dealt elsewhere, a rule of ceremony once for all acts that break it."""
    for group in grouped_findings(session):
        first = group.entries[0]
        others = ", ".join(str(entry.number) for entry in group.entries[1:])
        lines = spell(session.house, changed(first.verdict, unmet=(group.unmet,)))
        click.echo(_where(session, first) + lines[0] + (f"  [also act {others}]" if others else ""))
        for line in lines[1:]:
            click.echo(line)


def _say_findings(session: Session, house: str) -> None:
    if house:
        _say_groups(session)
        return
    for entry in session.findings:
        lines = spell(session.house, entry.verdict)
        click.echo(_where(session, entry) + lines[0])
        for line in lines[1:]:
            click.echo(line)


def _say_slips(script: Script, session: Session) -> None:
    from trainer.rounds.explain import explain
    from trainer.rounds.tell import spell_slips

    click.echo(f"{script.title or script.path} ({session.house.title})")
    for line in spell_slips(session.house, explain(script, session.machine)):
        click.echo(line)


def _slip_data(script: Script, session: Session) -> dict[str, Any]:
    from trainer.rounds.explain import explain
    from trainer.rounds.tell import headline

    return {
        "slips": [
            {
                "kind": slip.kind,
                "told": headline(slip),
                "entries": list(slip.entries),
                "severity": slip.severity.value if slip.verdict else None,
                "cites": list(slip.cites),
                "money": dollars(slip.money) if slip.money is not None else None,
            }
            for slip in explain(script, session.machine).slips
        ]
    }


def _write_html(session: Session, script: Script, html: Path) -> None:
    from trainer.durable import atomic_write
    from trainer.reports.html_replay import html_replay, slip_views
    from trainer.rounds.explain import explain

    slips = slip_views(session.house, explain(script, session.machine))
    atomic_write(html, html_replay(session, slips=slips))
    click.echo(f"{script.title or script.path}: replay written to {html}")


def as_data(session: Session, unmet: list[Problem]) -> dict[str, Any]:
    """Return a judged record as plain data, amounts as dollars with two decimals."""
    return {
        "file": session.script.path,
        "house": session.house.slug,
        "procedure": f"{session.house.slug}@{session.house.fingerprint}",
        "title": session.script.title,
        "accuracy": round(session.accuracy, 4),
        "faults": len(session.faults),
        "advice": len(session.findings) - len(session.faults),
        "money": dollars(session.money) if session.money is not None else None,
        "net": {name: dollars(amount) for name, amount in session.net.items()},
        "entries": [_entry_data(session, entry) for entry in session.entries],
        "problems": [str(problem) for problem in session.problems],
        "unmet": [str(problem) for problem in unmet],
    }


def _entry_data(session: Session, entry: Entry) -> dict[str, Any]:
    verdict = entry.verdict
    data: dict[str, Any] = {
        "number": entry.number,
        "line": entry.place.line if entry.place else None,
        "at": entry.at,
        "by": entry.act.role.value,
        "act": str(entry.act),
        "blocked": entry.blocked,
        "state": verdict.state,
        "step": verdict.step,
    }
    if entry.act.role is Role.DEALER:
        data |= {
            "severity": verdict.severity.value,
            "ruling": verdict.ruling.value,
            "weight": verdict.weight.value if verdict.weight else None,
            "cites": list(verdict.cites),
            "defaults": list(verdict.defaults),
            "instead": [str(act) for act in verdict.instead],
            "money": dollars(entry.money) if entry.money is not None else None,
            "unmet": [
                {
                    "why": one.why,
                    "ruling": one.ruling.value,
                    "severity": one.severity.value,
                    "rule": one.rule.slug,
                    "cites": list(one.evidence.cites),
                    "default": one.evidence.default or None,
                    "source": citation(session.house, one),
                }
                for one in verdict.unmet
            ],
        }
    return data
