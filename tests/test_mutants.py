"""Breaking a house is noticed by its scenarios, and what is not noticed is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from trainer.compliance.mutants import Mutant, Sifter, explanations, mutants, run_mutants
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


def test_survivors_need_a_reason(shipped: Procedures, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without scenarios everything survives; a reason a line is read from the folder's survivors.txt."""
    (tmp_path / "tropicana").mkdir()
    monkeypatch.setattr("trainer.compliance.mutants.SHORT_EVERY", 150)
    said: list[str] = []
    assert run_mutants(shipped, tmp_path, houses=["tropicana"], out=said.append) == 1
    assert any(line.startswith("  SURVIVES: tropicana: ") for line in said)
    path = tmp_path / "survivors.txt"
    path.write_text("# why\ntropicana: no row TR-01 | because\n", encoding="utf-8")
    assert explanations(path) == {"tropicana: no row TR-01": "because"}
    assert explanations(tmp_path / "none.txt") == {}
