"""The proof itself: it finds what is broken, tells it as a scenario, and its counts are pinned."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from procedure_folders import HOUSES, folder_with
from test_walks import machine

from trainer.compliance.proof import prove_all
from trainer.procedure import proofs
from trainer.procedure.explore import Explorer, Small, continuations
from trainer.procedure.likeness import likeness
from trainer.procedure.load import Procedures, data_folder
from trainer.procedure.machine import HouseMachine
from trainer.procedure.model import Bearing, Evidence, GuardUse, House, Ruling
from trainer.rounds.play import replay
from trainer.rounds.script import read_script

EIGHTS = Small("8T", (1,), 2000, every_way=False)
# Ways on from the wager, act by act: what a change of the machine changes, these numbers tell.
PERFT = {
    "aces": [3, 18, 54, 162, 276],
    "greektown": [9, 63, 324, 972, 1512],
    "house-h17": [6, 36, 162, 486, 990],
    "lakeside": [6, 27, 81, 183, 495],
    "tropicana": [6, 36, 162, 486, 918],
    "trump-marina": [6, 39, 207, 864, 2502],
}


def always_against(house: House, row: str, evidence: Evidence) -> None:
    """Break a house: a guard of a row that never lets an act through."""
    bearing = Bearing.REFUSES
    use = GuardUse(
        lambda moment: "never", "never", house.rules["own-cards-last"], evidence, bearing, Ruling.WRONG_DETAIL
    )
    house.steps[:] = [replace(step, uses=(*step.uses, use)) if step.id == row else step for step in house.steps]


@pytest.fixture
def own(tmp_path: Path) -> Procedures:
    return Procedures(folder_with(tmp_path / "all", HOUSES / "lakeside"))


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """One small round of each sort is enough where only the telling is tried."""
    monkeypatch.setattr(proofs, "SHORT_RANKS", ("8T",))
    monkeypatch.setattr(proofs, "DEPTH", 4)


@pytest.mark.usefixtures("short")
def test_a_sound_house_is_proved(own: Procedures) -> None:
    said: list[str] = []
    assert proofs.prove(own, "lakeside", out=said.append) == 0
    text = "\n".join(said)
    assert "none a dead end" in text and "each with a statement of the house" in text
    assert "3 of 3 small rounds explored completely" in text


def test_a_small_round_is_explored_completely() -> None:
    found = Explorer(machine("lakeside"), Small("T", (1,), 2000, every_way=False)).explore(2000, 60)
    assert found.complete and found.dead() == [] and found.ended > 0
    assert found.entered == found.positions


@pytest.mark.usefixtures("short")
def test_a_dead_end_is_found_and_told_as_a_scenario(own: Procedures, tmp_path: Path) -> None:
    house = own.house("lakeside")
    always_against(house, "TR-70", Evidence(cites=("lakeside-24",)))
    said: list[str] = []
    assert proofs.prove(own, "lakeside", out=said.append) == 1
    told = next(one for one in said if "no way leads to the end" in one)
    path = tmp_path / "counter.yaml"
    path.write_text(told[told.index("house: lakeside") :], encoding="utf-8")
    script = read_script(path, own)
    session = replay(script, HouseMachine(house))
    assert session.problems == [] and session.faults == [] and session.position.state != "over"


@pytest.mark.usefixtures("short")
def test_a_fault_without_a_statement_is_found(own: Procedures) -> None:
    house = own.house("lakeside")
    always_against(house, "TR-70", Evidence(default="D-56"))
    said: list[str] = []
    assert proofs.prove(own, "lakeside", out=said.append) == 1
    assert any("cites no statement of Lakeside" in one for one in said)


@pytest.mark.parametrize("slug", sorted(PERFT))
def test_ways_on_are_counted(slug: str) -> None:
    assert continuations(machine(slug), replace(proofs.PERFT, ranks="A8T"), len(PERFT[slug])) == PERFT[slug]


def test_positions_that_rules_cannot_tell_apart_are_one() -> None:
    explorer = Explorer(machine("aces"), EIGHTS)
    start = explorer.start()
    other = start.copied()
    other.table.pockets, other.table.round = 7, 9
    assert likeness(start) == likeness(other)
    other.table.ledger.insurance_called = True
    assert likeness(start) != likeness(other)


def test_positions_wrongly_taken_for_one_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A likeness that leaves something out which rules read is found by the samples held against it."""
    monkeypatch.setattr("trainer.procedure.likeness._ranks", len)
    found = Explorer(machine("lakeside"), EIGHTS, compare=1).explore()
    assert found.compared > 20 and found.complete
    assert any("taken for one differ" in why for why, _ in found.wrong)


def test_an_exploration_is_bounded_and_says_so() -> None:
    told: list[int] = []
    found = Explorer(machine("aces"), EIGHTS).explore(most=2000, tell=told.append)
    assert not found.complete and 2000 <= found.positions < 2010 and told[:2] == [500, 1000]
    assert found.dead() == [], "nothing is claimed of what was not entered"


@pytest.mark.parametrize("slug", sorted(set(PERFT) - {"lakeside"}))
def test_every_house_is_proved(slug: str, shipped: Procedures, monkeypatch: pytest.MonkeyPatch) -> None:
    """Small rounds with side wagers where the house has them, statements, scenarios, one mutant in many."""
    monkeypatch.setattr("trainer.compliance.mutants.SHORT_EVERY", 90)
    said: list[str] = []
    assert prove_all(shipped, data_folder("scenarios"), slug, out=said.append) == 0, said
    text = "\n".join(said)
    assert "none a dead end" in text and "each with a statement of the house" in text
    assert "in part" not in text and "small rounds explored completely" in text
    assert " 0 with a gap" in text and "; 0 not, " in text and ", 0 without" in text
    assert ("wagers on bust, pairs" in text) == (slug == "greektown")


@pytest.mark.usefixtures("short")
def test_what_is_not_proved_is_told(own: Procedures, tmp_path: Path) -> None:
    """Without scenarios nothing is exercised and every mutant survives."""
    (tmp_path / "lakeside").mkdir()
    said: list[str] = []
    assert prove_all(own, tmp_path, "lakeside", seconds=0.5, out=said.append) == 1
    assert any("not exercised: state hole" in line for line in said)
    assert any(line.startswith("  SURVIVES: lakeside: ") for line in said)
