"""Breaking a house is noticed by its scenarios, and what is not noticed is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from trainer.compliance.mutants import Mutant, Sifter, mutants, run_mutants
from trainer.procedure.load import Procedures, data_folder
from trainer.rounds.script import read_script


@pytest.fixture(scope="module")
def sifter(shipped: Procedures) -> Sifter:
    paths = sorted((data_folder("scenarios") / "tropicana").rglob("*.yaml"))
    return Sifter(shipped.house("tropicana"), [read_script(path, shipped) for path in paths])


def all_of(shipped: Procedures) -> dict[str, Mutant]:
    choices = {slug: list(shape.choices) for slug, shape in shipped.game.settings.items()}
    return {f"{one.kind} {one.name}": one for one in mutants(shipped.house("tropicana"), choices)}


@pytest.mark.parametrize(
    "name",
    [
        "no row TR-49",
        "no guard use TR-52 dealer_has_not_reached_17",
        "no guard use TR-53 dealer_total_is_past_16",
        "no duty pay-early-blackjack-third",
        "setting soft-17: stand made hit",
        "setting blackjack-odds: 3:2 made 6:5",
        "no evidence for double-not-on-21",
    ],
)
def test_a_broken_house_is_noticed(name: str, sifter: Sifter, shipped: Procedures) -> None:
    assert sifter.notices(all_of(shipped)[name])


def test_every_part_has_its_mutant_and_the_house_stays_sound(sifter: Sifter, shipped: Procedures) -> None:
    found = all_of(shipped)
    house = shipped.house("tropicana")
    assert sum(one.kind == "setting" for one in found.values()) == len(house.settings)
    assert sum(one.kind == "no row" for one in found.values()) == sum(step.selected for step in house.steps)
    assert not sifter.notices(Mutant("nothing", "at all", house, frozenset()))


def test_survivors_need_a_reason_that_still_holds(
    shipped: Procedures, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without scenarios everything survives; what the list explains is told with its reason, what it cannot is stale."""
    (tmp_path / "tropicana").mkdir()
    said: list[str] = []
    assert run_mutants(shipped, tmp_path, long_run=True, houses=["tropicana"], out=said.append) == 1
    survivors = [line for line in said if line.startswith("  SURVIVES: tropicana: ")]
    explained = [line for line in said if line.startswith("  explained: tropicana: ")]
    assert len(survivors) > 400 and any("no row TR-23: the house has no even money" in line for line in explained)
    assert not any("NO LONGER SO" in line for line in said)
    (tmp_path / "survivors.txt").write_text("tropicana: no row TR-99 | gone\n", encoding="utf-8")
    monkeypatch.setattr("trainer.compliance.mutants.mutants", lambda house, choices: iter(()))
    monkeypatch.setattr(shipped, "folder", tmp_path)
    assert run_mutants(shipped, tmp_path, long_run=True, houses=["tropicana"], out=said.append) == 1
    assert said[-1] == "  NO LONGER SO: tropicana: no row TR-99: it is noticed, or there is no such mutant"
