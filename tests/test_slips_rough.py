"""Slips of records that are torn, foreign or wholly wrong: told without a crash, each cent once, in bounded time."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from trainer.actions import Act
from trainer.procedure.load import procedures
from trainer.rounds import mend
from trainer.rounds.explain import explain, spell_slips
from trainer.rounds.play import machine_of, replay
from trainer.rounds.script import Script, read_script

PROCEDURES = procedures()
SCENARIOS = Path(__file__).resolve().parents[1] / "scenarios"


def torn(name: str, first: int, last: int | None = None) -> Script:
    script = read_script(SCENARIOS / f"{name}.yaml", PROCEDURES)
    return replace(script, lines=script.lines[first:last], net=(), money=None)


@pytest.mark.parametrize("first", [2, 3])
def test_money_is_told_once_where_acts_cannot_happen_any_more(first: int) -> None:
    script = torn("trump-marina/incidents/insurance-paid-one-short", first)
    machine = machine_of(PROCEDURES, script.house)
    session = replay(script, machine)
    result = explain(script, machine)
    assert session.money == -1400 == sum(slip.money or 0 for slip in result.slips)
    told = Counter(number for slip in result.slips for number in slip.entries)
    assert told == Counter(entry.number for entry in session.findings), "every finding belongs to one slip"


def test_a_total_called_for_a_split_hand_that_is_not_in_the_record() -> None:
    whole = torn("tropicana/cases/c56-settlement", 0)
    machine = machine_of(PROCEDURES, whole.house)
    calls = 0
    for first in range(len(whole.lines)):
        script = replace(whole, lines=whole.lines[first:])
        calls += any(line.act.verb == "call total" and line.act.hand for line in script.lines)
        explain(script, machine)
    assert calls


def test_a_round_that_is_wholly_wrong_is_told_finding_by_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mend, "MOST_FINDINGS", 3)
    lines = "".join(f"  - deal {1 + (number < 10 and number % 2)} 8h\n" for number in range(30))
    text = f"house: aces\nlines:\n  - wager 1 10.00\n{lines}  - turn hole\n  - start\n  - wager 1 10.00\n"
    script = read_script("wrong.yaml", PROCEDURES, text=text)
    machine = machine_of(PROCEDURES, "aces")
    session = replay(script, machine)
    result = explain(script, machine)
    told = sorted(number for slip in result.slips for number in slip.entries)
    assert told[: len(session.findings)] == [entry.number for entry in session.findings]
    assert len(result.slips) < len(session.findings), "those in a row for the same reason are one"
    assert [slip.act.verb for slip in result.slips if slip.verdict is None] == ["turn hole"], "it cannot happen"
    assert result.alone == ((1, 33),)
    said = spell_slips(machine.house, result)
    assert said[-1].startswith("Acts 1 to 33: too much is wrong")
    assert not replay(result.repaired, machine).problems


@pytest.mark.parametrize("index", [0, 4, 9])
def test_a_record_in_which_the_floor_has_ruled_is_mended_to_the_end(index: int) -> None:
    whole = torn("aces/incidents/insurance-never-called", 0)
    lines = list(whole.lines)
    lines.insert(index, replace(lines[index], act=Act("rule", words="it stands")))
    script = replace(whole, lines=tuple(lines))
    machine = machine_of(PROCEDURES, "aces")
    assert replay(script, machine).findings and not replay(explain(script, machine).repaired, machine).findings
