"""The program behind the screen: a stack of pages, of which the top one is shown and gets the keys."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from trainer.procedure.load import Procedures
from trainer.procedure.machine import HouseMachine
from trainer.rounds.play import machine_of
from trainer.ui.keys import RESIZE
from trainer.ui.lines import Frame
from trainer.ui.screen import SIZE_MIN


class Page(Protocol):
    """What the desk needs of a page."""

    def frame(self, width: int, height: int) -> Frame:
        """Return the picture of now."""

    def key(self, name: str) -> None:
        """Handle a key."""

    def tick(self, now: float) -> float | None:
        """Let time pass; return in how many seconds to be called again, None when time means nothing."""

    def shown(self) -> None:
        """Take notice that the page has come to the top."""

    def leave(self) -> None:
        """Let go of files when the page is closed for good."""


def wall_clock() -> str:
    """Return the time of day for the header of a record."""
    return datetime.now(UTC).isoformat(timespec="seconds")


class Desk:
    """Hold procedures, scenarios, clocks and the stack of pages; it is the app that the loop runs."""

    def __init__(
        self,
        procedures: Procedures,
        scenarios: Path,
        *,
        now: Callable[[], float] = time.monotonic,
        stamp: Callable[[], str] = wall_clock,
    ) -> None:
        self.procedures, self.scenarios = procedures, scenarios
        self.now, self.stamp = now, stamp
        self.pages: list[Page] = []

    @property
    def size_min(self) -> tuple[int, int]:
        return SIZE_MIN

    def machine(self, slug: str) -> HouseMachine:
        """Return the machine of a house."""
        return machine_of(self.procedures, slug)

    def open(self, page: Page) -> None:
        """Show a page above the present one."""
        self.pages.append(page)
        page.shown()

    def back(self) -> None:
        """Close the page on top; closing the last one ends the program."""
        self.pages.pop().leave()
        if self.pages:
            self.pages[-1].shown()

    def replace(self, page: Page) -> None:
        """Show a page instead of the present one."""
        self.pages.pop().leave()
        self.open(page)

    def quit(self) -> None:
        """Close every page."""
        while self.pages:
            self.pages.pop().leave()

    def frame(self, width: int, height: int) -> Frame:
        """Return the picture of the page on top."""
        return self.pages[-1].frame(width, height)

    def key(self, name: str) -> bool:
        """Give a key to the page on top; False once no page is left."""
        if name != RESIZE and self.pages:
            self.pages[-1].key(name)
        return bool(self.pages)

    def tick(self, now: float) -> float | None:
        """Let time pass for the page on top."""
        return self.pages[-1].tick(now) if self.pages else None
