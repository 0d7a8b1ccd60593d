"""No rule, guard, duty, setting or evidence is changed without a scenario that is told something else."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from said import dealt, pinned, said, scripts_of

from trainer.procedure.load import Procedures, data_folder

PINNED = pinned()
HOUSES = ("aces", "greektown", "house-h17", "tropicana", "trump-marina")


def told_otherwise(shipped: Procedures, slug: str, only: str = "") -> tuple[int, list[str]]:
    """Count the scenarios of a house that are pinned and unedited; return those that are told something else now."""
    count, otherwise = 0, []
    for name, script in scripts_of(shipped, slug):
        acts, words = PINNED.get(name, ("", ""))
        if only not in name or acts != dealt(script):
            continue
        count += 1
        if said(shipped, script) != words:
            otherwise.append(name)
    return count, otherwise


@pytest.mark.parametrize("slug", HOUSES)
def test_every_scenario_is_told_what_it_was_told(slug: str, shipped: Procedures) -> None:
    count, otherwise = told_otherwise(shipped, slug)
    assert otherwise == [], "if it is meant: python tests/said.py"
    assert count > 280, "scenarios are not pinned: python tests/said.py"


BREAKAGES = {
    "a duty": ("blackjack.yaml", "  bust-wager-hand: {", "greektown/edges/a-bust-wager-hand-asks"),
    "a free move": ("blackjack.yaml", "  - {from: bust, to: turn", "greektown/cases/c64"),
}
"""Lines that, taken out, leave all that scenarios expect as it is."""
CHANGES = {
    "a setting": ("greektown/house.yaml", 'announce-totals: {is: "no"', 'announce-totals: {is: "yes"', "greektown/incidents/double-refused"),
    "evidence": ("trump-marina/house.yaml", 'losers-cards: {is: "any time"', 'losers-cards: {is: "with the wager"', "trump-marina/slips/10"),
}  # fmt: skip


def broken(folder: Path, file: str, old: str, new: str) -> Procedures:
    """Copy the procedures and change one thing in them by hand."""
    shutil.copytree(data_folder("procedures"), folder)
    text = (folder / file).read_text("utf-8")
    assert text.count(old) == 1
    (folder / file).write_text(text.replace(old, new), encoding="utf-8")
    return Procedures(folder)


@pytest.mark.parametrize("what", [*BREAKAGES, *CHANGES])
def test_what_no_expectation_notices_is_noticed_here(what: str, tmp_path: Path) -> None:
    if what in BREAKAGES:
        file, begins, name = BREAKAGES[what]
        lines = (data_folder("procedures") / file).read_text("utf-8").splitlines(keepends=True)
        old, new = next(line for line in lines if line.startswith(begins)), ""
    else:
        file, old, new, name = CHANGES[what]
    count, otherwise = told_otherwise(broken(tmp_path / "procedures", file, old, new), name.split("/")[0], name)
    assert count and otherwise
