"""``trainer check``: lint of procedures and scenarios, and their proofs on demand."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from trainer.cli import Settings
from trainer.commands.papers import beside, tracked
from trainer.commands.replay import no_record, records_in
from trainer.files import BadFile, Problem
from trainer.procedure.lint import unselected_rows


def check_procedures(settings: Settings, names: list[str]) -> list[Problem]:
    """Load houses and return every problem of their files."""
    problems: list[Problem] = []
    try:
        procedures = settings.procedures
    except BadFile as bad:
        return list(bad.problems)
    for name in names or procedures.names():
        try:
            procedures.house(name)
        except BadFile as bad:
            problems.extend(bad.problems)
    return problems or ([] if names else unselected_rows(procedures))


def check_records(settings: Settings, paths: list[Path]) -> list[Problem]:
    """Read records and return every problem, unmet expectations included."""
    from trainer.records.imports import read_record
    from trainer.rounds.play import machine_of, replay, unmet_expectations

    problems: list[Problem] = []
    for path in tracked(paths, "checking"):
        try:
            script = read_record(path, settings.procedures)
            session = replay(script, machine_of(settings.procedures, script.house))
        except BadFile as bad:
            problems.extend(bad.problems)
            continue
        problems.extend(session.problems)
        if any(line.expects for line in script.lines) or script.net or script.money is not None:
            problems.extend(unmet_expectations(session))
    return problems


@click.command()
@click.argument("files", nargs=-1, type=click.Path(path_type=Path, exists=True))
@click.option(
    "--proof", "proof_of", metavar="HOUSE",
    help="Prove a house: small rounds explored, statements traced, scenarios and mutants; print what was proven.",
)  # fmt: skip
@click.option("--mutants", is_flag=True, help="Delete or weaken each part of the houses; something must notice.")
@click.option("--long", "long_run", is_flag=True, help="With --proof or --mutants: wide bounds, every mutant.")
@click.option("--seconds", type=click.FloatRange(min=0.1), help="With --proof: the bound of each exploration.")
@click.pass_obj
def check(
    settings: Settings,
    files: tuple[Path, ...],
    proof_of: str | None,
    mutants: bool,
    long_run: bool,
    seconds: float | None,
) -> None:
    """Check all procedures and scenarios, or the FILES named (procedure folders, scenarios, sessions).

    Exit code 0: nothing found; 1: an expectation is not met or a proof fails; 2: a file is wrong.
    """
    if proof_of:
        from trainer.compliance.proof import prove_all

        settings.procedures.house(proof_of)
        sys.exit(
            prove_all(
                settings.procedures,
                settings.scenarios,
                proof_of,
                long_run=long_run,
                seconds=seconds,
                out=click.echo,
                track=tracked,
                beside=beside,
            )
        )
    if mutants:
        from trainer.compliance.mutants import run_mutants

        sys.exit(run_mutants(settings.procedures, settings.scenarios, long_run=long_run, out=click.echo, track=tracked))
    houses = [path.name for path in files if (path / "house.yaml").is_file()]
    records = records_in(path for path in files if not (path / "house.yaml").is_file())
    records = [path for path in records if path.name not in ("house.yaml", "statements.yaml")]
    if files and not houses and not records:
        raise no_record(files)
    problems = [] if files and not houses else check_procedures(settings, houses)
    if not problems:
        problems += check_records(settings, records if files else records_in([settings.scenarios]))
    for problem in problems:
        click.echo(str(problem))
    checked = len(records if files else records_in([settings.scenarios]))
    if not problems:
        count = len(houses) if files else len(settings.procedures.names())
        click.echo(f"{count} houses and {checked} records checked: nothing found")
    sys.exit(_code(problems))


def _code(problems: list[Problem]) -> int:
    if not problems:
        return 0
    return 1 if all(one.allowed.startswith("expected is") for one in problems) else 2
