"""Open the program on the terminal: at a table, on the start page, or at a replay."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from trainer.drills.drill import Course, Drill
from trainer.procedure.load import Procedures
from trainer.ui.desk import Desk, Page
from trainer.ui.loop import run
from trainer.ui.replaying import ReplayPage
from trainer.ui.start import FindPage, StartPage

if TYPE_CHECKING:
    from trainer.records.books import Assessment


def run_deal(procedures: Procedures, scenarios: Path, drill: Drill, *, look: str = "default") -> int:
    """Deal a drill at the table and return the exit code; the start page follows it.

    Raises:
        NotATerminal: the standard input or output is no terminal.
        BadFile: the house has no readable file.
    """
    procedures.house(drill.house)
    desk = Desk(procedures, scenarios)
    return _run(desk, (StartPage(desk, drill), FindPage(desk, drill)), look)


def run_course(procedures: Procedures, scenarios: Path, course: Course, *, look: str = "default") -> int:
    """Deal a course whose deals are known: one to begin in a file of its own, or one that was broken off."""
    from trainer.ui.dealing import TablePage

    desk = Desk(procedures, scenarios)
    page = TablePage(desk, course, max(course.begun - 1, 0))
    return _run(desk, (StartPage(desk, course.drill), page), look)


def run_assessment(
    procedures: Procedures, scenarios: Path, course: Course, sat: Assessment, *, look: str = "default"
) -> int:
    """Deal an assessment at the table and return the exit code; nothing else can be opened before its end."""
    from trainer.ui.dealing import TablePage

    desk = Desk(procedures, scenarios)
    return _run(desk, (TablePage(desk, course, sat=sat),), look)


def run_start(procedures: Procedures, scenarios: Path, *, look: str = "default") -> int:
    """Show the start page and return the exit code."""
    desk = Desk(procedures, scenarios)
    return _run(desk, (StartPage(desk),), look)


def run_replay_view(
    procedures: Procedures, scenarios: Path, path: Path, *, house: str = "", look: str = "default"
) -> int:
    """Replay a record on the screen and return the exit code.

    Raises:
        BadFile: the record cannot be read.
    """
    desk = Desk(procedures, scenarios)
    return _run(desk, (ReplayPage(desk, path, house),), look)


def _run(desk: Desk, pages: Sequence[Page], look: str) -> int:
    for page in pages:
        desk.open(page)
    try:
        return run(desk, theme=look)
    finally:
        desk.quit()
