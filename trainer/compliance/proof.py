"""All that is proved of a house, one part after the other: what is traced, exercised, explored, and noticed when broken."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from trainer.compliance.coverage import coverage
from trainer.compliance.mutants import Track, run_mutants, untracked
from trainer.compliance.reasons import UNREACHED, read_reasons
from trainer.compliance.trace import trace
from trainer.procedure.load import Procedures
from trainer.procedure.proofs import prove, silent
from trainer.rounds.play import machine_of
from trainer.rounds.script import Script, scenarios_of

Out = Callable[[str], object]


def prove_all(
    procedures: Procedures,
    scenarios: Path,
    name: str,
    *,
    long_run: bool = False,
    seconds: float | None = None,
    out: Out = print,
    track: Track = untracked,
    beside: Out = silent,
) -> int:
    """Prove everything of a house and print what was proven with counts; 0 when all of it holds, else 1.

    ``seconds`` bounds each exploration; ``beside`` is told how far one has come, ``track`` how far the mutants have.

    Raises:
        BadFile: the house or a scenario cannot be read.
    """
    failed = prove(procedures, name, long_run=long_run, seconds=seconds, out=out, beside=beside)
    scripts = scenarios_of(procedures, scenarios, name)
    failed += _exercised(procedures, name, scripts, out)
    failed += run_mutants(procedures, scenarios, long_run=long_run, houses=[name], out=out, track=track)
    return 1 if failed else 0


def _exercised(procedures: Procedures, name: str, scripts: list[Script], out: Out) -> int:
    """Tell whether each statement leads somewhere, and whether the scenarios exercise all that can be reached."""
    machine = machine_of(procedures, name)
    found = coverage(machine, scripts)
    rows = trace(machine.house, found)
    gaps = [f"{row.id}: nothing under {', '.join(row.gaps)}" for row in rows if row.gaps]
    missing = [
        f"not exercised: {kind} {what}" for kind, what in found.unexplained(read_reasons(procedures.folder / UNREACHED))
    ]
    never = len(found.missing()) - len(missing)
    held = sum(len(outcomes) for outcomes in found.uses.values())
    out(
        f"  {len(rows)} statements and defaults traced, {len(gaps)} with a gap; {len(scripts)} scenarios exercise "
        f"{len(found.rows)} rows, {held} outcomes of {len(found.uses)} guard uses, {len(found.duties)} duties; "
        f"{len(missing)} not, {never} cannot be, each with its reason"
    )
    for line in [*gaps, *missing]:
        out(f"    {line}")
    return len(gaps) + len(missing)
