"""Folders of procedures built for a test: the shipped game and defaults with houses of the test's own."""

from __future__ import annotations

import shutil
from pathlib import Path

from trainer.procedure.load import data_folder

HOUSES = Path(__file__).parent / "houses"


def folder_with(target: Path, *houses: Path) -> Path:
    """Build a folder of procedures from the shipped game, the shipped defaults and the given house folders."""
    target.mkdir(parents=True, exist_ok=True)
    for name in ("blackjack.yaml", "defaults.yaml"):
        shutil.copy(data_folder("procedures") / name, target / name)
    for house in houses:
        shutil.copytree(house, target / house.name)
    return target
