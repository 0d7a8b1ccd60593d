"""Every slip rests on findings of its own record: no statement, no fault and no cent that the verdicts do not carry."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from mutants import script_of
from wander import WrongRound

from trainer.procedure.load import procedures
from trainer.procedure.verdicts import Severity
from trainer.rounds.explain import Explanation, explain
from trainer.rounds.play import Session, machine_of, replay
from trainer.rounds.script import Script, read_script

PROCEDURES = procedures()
SCENARIOS = Path(__file__).resolve().parents[1] / "scenarios"
HOUSES = ("aces", "greektown", "house-h17", "tropicana", "trump-marina")
WALKS = int(os.environ.get("SLIP_WALKS", "2"))
"""Wrong walks explained in each house: ``SLIP_WALKS=100 pytest tests/test_slip_findings.py`` for the long run."""


def wrong_walk(slug: str, number: int) -> Script:
    """Record a round in which up to six acts are any act at all."""
    one = WrongRound(machine_of(PROCEDURES, slug), f"slips {number}")
    one.wrong, one.wrong_acts = 0.12, 6
    one.play()
    return script_of(slug, one.acts, one.options, one.players)


def rests_on_its_record(session: Session, result: Explanation) -> None:
    """Check all that a slip may say against the verdicts of the record.

    A slip without a verdict is an act that no table could see; what follows it in its round has no finding in the
    record either, so a record with such an act is not looked at here.
    """
    findings = {entry.number: entry for entry in session.findings}
    cited = {one for entry in findings.values() for unmet in entry.verdict.unmet
             for one in (*unmet.evidence.cites, unmet.evidence.default)}  # fmt: skip
    for slip in result.slips:
        assert slip.entries, slip
        assert set(slip.entries) <= findings.keys(), "an act that was right is no slip"
        assert set(slip.cites) <= cited, slip
        if slip.severity is Severity.FAULT:
            assert any(findings[number].is_fault for number in slip.entries), "advice never becomes a fault"
    told = [number for slip in result.slips for number in slip.entries]
    assert set(told) == findings.keys(), "every finding belongs to a slip"
    assert sum(slip.money or 0 for slip in result.slips) == (session.money or 0)
    faults = sum(slip.severity is Severity.FAULT for slip in result.slips)
    assert bool(faults) == bool(session.faults), "a record has a slip that is a fault if and only if it has a fault"


def looked_at(script: Script) -> bool:
    """Explain a record and check it; tell whether there was anything to check."""
    own = machine_of(PROCEDURES, script.house)
    session = replay(script, own)
    if session.problems or not session.findings:
        return False
    rests_on_its_record(session, explain(script, own))
    return True


@pytest.mark.parametrize("slug", HOUSES)
def test_slips_of_wrong_walks_rest_on_their_record(slug: str) -> None:
    assert sum(looked_at(wrong_walk(slug, number)) for number in range(WALKS)) >= WALKS // 2


@pytest.mark.parametrize("slug", HOUSES)
def test_slips_of_the_incidents_rest_on_their_record(slug: str) -> None:
    files = sorted((SCENARIOS / slug / "incidents").glob("*.yaml"))
    assert sum(looked_at(read_script(file, PROCEDURES)) for file in files[::5]) > 10


@pytest.mark.slow
@pytest.mark.parametrize("slug", HOUSES)
def test_slips_of_many_scenarios_rest_on_their_record(slug: str) -> None:
    files = sorted((SCENARIOS / slug).rglob("*.yaml"))
    assert sum(looked_at(read_script(file, PROCEDURES)) for file in files[::2]) > 50
