"""Drive the program without a terminal: a desk with a clock that stands still unless it is moved, and keys by acts."""

from __future__ import annotations

from pathlib import Path

from trainer.actions import Act
from trainer.drills.drill import Course, Drill, course_path, deals_of
from trainer.procedure.load import data_folder, procedures
from trainer.ui.composer import keys_for
from trainer.ui.dealing import TablePage
from trainer.ui.desk import Desk, Page
from trainer.ui.paint import snapshot_text

HOUSES = ("aces", "greektown", "house-h17", "tropicana", "trump-marina")
STAMP = "2026-11-30T09:00:00+00:00"


_OPEN: list[Desk] = []


def close_all() -> None:
    """Close every desk a test has opened."""
    while _OPEN:
        _OPEN.pop().quit()


class Clock:
    """A clock moved by hand."""

    def __init__(self) -> None:
        self.time = 100.0

    def __call__(self) -> float:
        return self.time


def desk_of(scenarios: Path | None = None) -> tuple[Desk, Clock]:
    """Return a desk whose clocks are under control."""
    clock = Clock()
    desk = Desk(procedures(None), scenarios or data_folder("scenarios"), now=clock, stamp=lambda: STAMP)
    _OPEN.append(desk)
    return desk, clock


def table_of(drill: Drill, clock_step: float = 2.0) -> TablePage:
    """Return the table of a drill of rounds as they come, open on a desk."""
    desk, clock = desk_of()
    course = Course(drill, deals_of(drill, (drill.seed,)), path=course_path(drill.house, STAMP))
    page = TablePage(desk, course)
    desk.open(page)
    page.desk.now = lambda: _moved(clock, clock_step)
    return page


def _moved(clock: Clock, step: float) -> float:
    clock.time += step
    return clock.time


def press(page: TablePage, act: Act) -> None:
    """Press the keys of an act."""
    pressed = keys_for(act, page.grammar)
    assert pressed, f"{act} has no keys"
    for key in pressed:
        page.desk.key(key)


def perfect_round(page: TablePage, limit: int = 250) -> list[Act]:
    """Deal the round to its end by the keys of the first legal act, and return the acts."""
    done: list[Act] = []
    for _ in range(limit):
        if page.session.position.state == "over":
            return done
        act = page.machine.suggest(page.session.position)
        chosen = act[0] if act else Act("wait")
        if page.legal()[0].verb == "wait" and not _moves_on(page, chosen):
            chosen = Act("wait")
        press(page, chosen)
        done.append(chosen)
    raise AssertionError(f"the round did not end; state {page.session.position.state}")


def _moves_on(page: TablePage, act: Act) -> bool:
    return act.verb not in ("wait", "gesture tap", "call total", "call total dealer", "ask")


def picture(page: Page | Desk, width: int, height: int) -> str:
    """Return the screen as text."""
    return snapshot_text(page.frame(width, height), width, height)
