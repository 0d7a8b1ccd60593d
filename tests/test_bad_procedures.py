"""Every kind of mistake in procedures is refused at load, at its file, line and column, with what was perhaps meant."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml
from procedure_folders import HOUSES, folder_with

from trainer.files import BadFile
from trainer.procedure import lint
from trainer.procedure.guards import BLOCKS, DUES, FACTS, GUARDS
from trainer.procedure.load import Procedures, data_folder, procedures
from trainer.procedure.shapes import StepShape
from trainer.procedure.sides import DECIDED, OUTCOMES

CASES = [
    pytest.param(book["file"], case, id=f"{book['file']}: {case['name']}")
    for path in sorted((Path(__file__).parent / "bad_procedures").glob("*.yaml"))
    for book in [yaml.safe_load(path.read_text(encoding="utf-8"))]
    for case in book["cases"]
]


def counts() -> dict[str, int | str]:
    """How many of each there are to choose from."""
    game = procedures().game
    return {
        "guards": len(GUARDS), "facts": len(FACTS), "dues": len(DUES), "blocks": len(BLOCKS),
        "rules": len(game.rules), "states": len(game.states), "sources": len(game.states) + 1,
        "settings": len(game.settings),
        "defaults": len(procedures().defaults), "motions": len(lint.MOTIONS), "wager_rules": len(lint.WAGER_RULES),
        "step_keys": ", ".join(field.alias or name for name, field in StepShape.model_fields.items()),
        "outcomes": len(OUTCOMES), "decided": ", ".join(sorted(DECIDED)),
    }  # fmt: skip


def lend_a_side_game(house: Path) -> None:
    shutil.copytree(HOUSES / "games", house / "games")
    path = house / "house.yaml"
    path.write_text(
        path.read_text(encoding="utf-8").replace("settings:\n", "games: [suits]\nsettings:\n"), encoding="utf-8"
    )


def problems_of(folder: Path) -> list[str]:
    with pytest.raises(BadFile) as caught:
        Procedures(folder).house("lakeside")
    return str(caught.value).splitlines()


@pytest.mark.parametrize(("file", "case"), CASES)
def test_a_mistake_is_told_at_its_place(file: str, case: dict[str, Any], tmp_path: Path) -> None:
    folder = folder_with(tmp_path / "all", HOUSES / "lakeside")
    if "games" in file:
        lend_a_side_game(folder / "lakeside")
    path = folder / file
    text = path.read_text(encoding="utf-8")
    for old, new in ((case["change"], case["to"]), *([tuple(case["and"])] if "and" in case else [])):
        assert text.count(old) == 1, f"{old!r} has to stand once in {file}"
        text = text.replace(old, new)
    path.write_text(text, encoding="utf-8")
    assert text.count(case["at"]) == 1, f"{case['at']!r} has to stand once in the changed {file}"
    before = text[: text.index(case["at"])]
    line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    says = re.sub(r"\{(\w+)\}", lambda found: str(counts().get(found[1], found[0])), case["says"])
    found = problems_of(folder)
    assert f"{path}:{line}:{column}: {says}".rstrip() in [one.rstrip() for one in found]
    assert case.get("more") or len(found) == 1


def test_all_problems_of_a_file_are_told_at_once(tmp_path: Path) -> None:
    folder = folder_with(tmp_path / "all", HOUSES / "lakeside")
    path = folder / "lakeside" / "house.yaml"
    text = path.read_text(encoding="utf-8")
    text = text.replace('soft-17: {is: "hit"', 'soft-17: {is: "hits"').replace("[lakeside-08]", "[lakeside-80]")
    path.write_text(text, encoding="utf-8")
    found = problems_of(folder)
    assert len(found) == 3 and sum("lakeside-80" in one for one in found) == 2
    assert found == sorted(found, key=lambda one: [int(part) for part in one[len(str(path)) + 1 :].split(":")[:2]])


def test_an_unknown_house_and_an_empty_folder(tmp_path: Path) -> None:
    folder = folder_with(tmp_path / "all", HOUSES / "lakeside")
    with pytest.raises(BadFile, match=r"house is 'lakesid'; known are lakeside \(did you mean lakeside\?\)"):
        Procedures(folder).house("lakesid")
    with pytest.raises(BadFile, match=r"blackjack.yaml:1:1: the game is '.*'; no such file or folder"):
        Procedures(tmp_path)


def test_the_list_of_settings_read_is_the_source() -> None:
    trainer = Path(lint.__file__).parents[1]
    read = {
        name
        for path in trainer.rglob("*.py")
        for name in re.findall(r'is_\("([a-z0-9-]+)"\)', path.read_text(encoding="utf-8"))
    }
    assert read == set(lint.READ_SETTINGS)


def test_rows_no_house_selects_are_told(tmp_path: Path) -> None:
    assert lint.unselected_rows(procedures()) == []
    folder = folder_with(tmp_path / "all", HOUSES / "lakeside")
    found = lint.unselected_rows(Procedures(folder))
    assert {one.value for one in found} == {"TR-11", "TR-26"}
    assert str(found[0]).endswith("row is 'TR-11'; no house here is hole-card-dealt: in the deal")


def test_the_shipped_procedures_hold_together() -> None:
    names = {path.parent.name for path in data_folder("procedures").glob("*/house.yaml")}
    assert set(procedures().names()) == names
    for name in names:
        procedures().house(name)
