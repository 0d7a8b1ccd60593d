"""``trainer trace``: from each statement to what it steers, where it is asked, and records that keep and break it."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import click

from trainer.cli import Settings
from trainer.commands.papers import out_option, put, unknown
from trainer.commands.replay import no_record, records_in
from trainer.compliance.coverage import Coverage, coverage
from trainer.compliance.reasons import UNREACHED, read_reasons
from trainer.compliance.trace import Traced, trace
from trainer.procedure.load import Procedures
from trainer.procedure.model import House
from trainer.records.imports import read_record
from trainer.reports import traces
from trainer.rounds.play import machine_of
from trainer.rounds.script import Script, scenarios_of


@click.command(name="trace")
@click.argument("house", default="")
@click.option("--format", "form", type=click.Choice(["text", "csv", "html", "json"]), default="text", show_default=True)
@click.option(
    "--coverage", "covered", multiple=True, metavar="FILES", type=click.Path(path_type=Path, exists=True),
    help="Show instead what these records exercise of the machine, and what they do not.",
)  # fmt: skip
@out_option
@click.pass_obj
def trace_command(settings: Settings, house: str, form: str, covered: tuple[Path, ...], out: Path | None) -> None:
    """Trace each statement and default of HOUSE (else of every house) to the machine and to scenarios.

    Exit code 1: a cell is empty without a reason.
    """
    procedures = settings.procedures
    if house:
        procedures.house(house)
    names = [house] if house else procedures.names()
    if covered:
        if form != "text":
            raise click.BadParameter(f"with --coverage there is text only, and no {form}", param_hint="--format")
        put("\n".join(_covered(procedures, names, covered)), out)
        return
    tables = [_table(procedures, settings.scenarios, name) for name in names]
    if form == "text":
        put("\n".join(traces.to_text(one, rows) for one, rows in tables), out)
    else:
        make = {"csv": traces.to_csv, "json": traces.to_json, "html": traces.to_html}[form]
        put(make(tables), out)
    if any(row.gaps for _, rows in tables for row in rows):
        sys.exit(1)


def _table(procedures: Procedures, folder: Path, name: str) -> tuple[House, list[Traced]]:
    machine = machine_of(procedures, name)
    scripts = [_named(script, folder) for script in scenarios_of(procedures, folder, name)]
    return machine.house, trace(machine.house, coverage(machine, scripts))


def _named(script: Script, folder: Path) -> Script:
    """The script with places named from the folder of scenarios on, so that the matrix is the same everywhere."""
    path = Path(script.path)
    path = path.relative_to(folder.parent) if path.is_relative_to(folder.parent) else path
    lines = tuple(replace(line, place=replace(line.place, file=path.as_posix())) for line in script.lines)
    return replace(script, path=path.as_posix(), lines=lines)


def _covered(procedures: Procedures, names: list[str], files: tuple[Path, ...]) -> list[str]:
    paths = records_in(files)
    if not paths:
        raise no_record(files)
    scripts = [read_record(path, procedures) for path in paths]
    if not any(script.house in names for script in scripts):
        raise unknown(f"no record of {', '.join(names)} among {', '.join(map(str, files))}")
    found: list[Coverage] = []
    for name in names:
        mine = [script for script in scripts if script.house == name]
        if mine:
            found.append(coverage(machine_of(procedures, name), mine))
    reasons = read_reasons(procedures.folder / UNREACHED)
    return [traces.coverage_text(one, reasons) for one in found]
