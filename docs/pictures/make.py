"""Make the pictures of the manual from the running program: start page, table, fault, debrief, replay.

Run: python docs/pictures/make.py [FOLDER] [--theme NAME]
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from trainer.actions import Act
from trainer.drills.drill import Course, Drill, course_path, deals_of
from trainer.procedure.load import data_folder, procedures
from trainer.ui.composer import keys_for
from trainer.ui.dealing import TablePage
from trainer.ui.desk import Desk
from trainer.ui.paint import snapshot_svg
from trainer.ui.replaying import ReplayPage
from trainer.ui.rulepage import RulePage
from trainer.ui.start import StartPage
from trainer.ui.themes import DEFAULT, THEMES, Theme

SIZE = (100, 30)
STAMP = "2026-11-30T09:00:00+00:00"


class Clock:
    """A clock that goes on by some seconds whenever it is looked at, so that pictures are the same on every run."""

    def __init__(self) -> None:
        self.time = 0.0

    def __call__(self) -> float:
        self.time += 2.4
        return self.time


class Studio:
    """Hold the program and take pictures of it."""

    def __init__(self, folder: Path, theme: Theme) -> None:
        self.folder, self.theme = folder, theme
        self.desk = self.fresh()

    def fresh(self) -> Desk:
        return Desk(procedures(None), data_folder("scenarios"), now=Clock(), stamp=lambda: STAMP)

    def take(self, name: str, title: str, size: tuple[int, int] = SIZE) -> None:
        """Write one picture."""
        svg = snapshot_svg(self.desk.frame(*size), *size, self.theme, title=title)
        (self.folder / f"{name}.svg").write_text(svg, "utf-8")

    def table(self, drill: Drill) -> TablePage:
        """Open a table on a fresh desk."""
        self.desk = self.fresh()
        page = TablePage(self.desk, Course(drill, deals_of(drill, (drill.seed,)), path=course_path(drill.house, STAMP)))
        self.desk.open(page)
        return page

    def deal(self, page: TablePage, until: Callable[[TablePage], bool], limit: int = 200) -> None:
        """Deal on by keys, always the first legal act, until something is so."""
        for _ in range(limit):
            if until(page) or page.session.position.state == "over":
                return
            found = page.machine.suggest(page.session.position)
            press(page, found[0] if found else Act("wait"))


def press(page: TablePage, act: Act) -> None:
    """Press the keys of an act."""
    for key in keys_for(act, page.grammar):
        page.desk.key(key)


def in_state(*names: str) -> Callable[[TablePage], bool]:
    """Tell when a round has come to one of some states."""
    return lambda page: page.session.position.state in names


def make(folder: Path, theme: Theme) -> None:
    """Make every picture."""
    folder.mkdir(parents=True, exist_ok=True)
    studio = Studio(folder, theme)
    learn = Drill("tropicana", display="learn", seed="5", spots=(1, 2, 3, 5, 6))

    page = studio.table(learn)
    studio.deal(page, in_state("turn", "hit"))
    studio.deal(page, lambda one: one.session.table.ledger.request is not None)
    studio.take("learn", "learn: the next step is explained")
    studio.take("learn-140x40", "learn on a large screen", (140, 40))
    studio.take("learn-80x24", "learn on a small screen", (80, 24))

    page = studio.table(replace(learn, display="guided", house="greektown", games=("perfect-pairs", "fortune-teller")))
    studio.deal(page, in_state("opening", "turn"))
    press(page, Act("turn hole"))
    studio.take("fault", "a fault is blocked and explained")
    studio.desk.key("?")
    rule = studio.desk.pages[-1]
    assert isinstance(rule, RulePage)
    while rule.tick(0.0) is not None:
        pass
    studio.take("rule", "the page of a rule")

    page = studio.table(replace(learn, display="practice", coached=False, seed="8", rounds=2))
    for number in range(2):
        studio.deal(page, in_state("turn", "hole"))
        press(page, Act("peek"))
        studio.deal(page, in_state("over"))
        if not number:
            press(page, Act("start"))
    recorded = Path(page.course.deals[0].file)
    studio.desk.key("enter")
    studio.take("debrief", "the debrief of a drill")

    studio.desk = studio.fresh()
    replay = ReplayPage(studio.desk, recorded)
    studio.desk.open(replay)
    studio.desk.key("f")
    studio.desk.key("o")
    studio.take("replay", "a replay, with the verdict of another house", (140, 40))

    studio.desk = studio.fresh()
    studio.desk.open(StartPage(studio.desk, Drill("tropicana", rounds=3, seed="4f09c2")))
    while studio.desk.tick(0.0) is not None:
        pass
    studio.take("start", "the start page")


def main() -> None:
    """Read the command line and make the pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=Path(__file__).parent)
    parser.add_argument("--theme", choices=sorted(THEMES), default=DEFAULT.name)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as data:
        os.environ["TRAINER_DATA"] = data
        make(options.folder, THEMES[options.theme])


if __name__ == "__main__":
    main()
