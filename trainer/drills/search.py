"""Find rounds that exercise a theme or a rule: seed after seed is dealt by the real machine until enough are found."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from trainer.drills.themes import EVERYTHING, fits
from trainer.procedure.machine import HouseMachine
from trainer.procedure.moment import TableOptions
from trainer.rounds.deal import Stuck, deal_rounds

SEARCH_SECONDS = 12.0
SEARCH_SEEDS = 2000


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a search is: seeds of the rounds found, how many are wanted, how many were tried, whether it is over."""

    found: tuple[str, ...]
    wanted: int
    tried: int
    over: bool = False

    @property
    def enough(self) -> bool:
        return len(self.found) >= self.wanted


def rounds_that_exercise(
    machine: HouseMachine,
    options: TableOptions,
    theme: str,
    *,
    wanted: int,
    seed: str,
    spots: tuple[int, ...] = (1, 2, 3),
    players: tuple[tuple[int, str], ...] = (),
    difficulty: str = "plain",
    seconds: float = SEARCH_SECONDS,
    seeds: int = SEARCH_SEEDS,
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[Progress]:
    """Yield the progress after every seed tried; the last one is ``over``. Which seeds fit depends on the seed alone.

    Raises:
        UnknownTheme: the theme does not exist or cannot come up in this house.
    """
    fit = fits(machine.house, theme)
    end, found = clock() + seconds, []
    for tried in range(1, seeds + 1):
        name = f"{seed}-{tried}"
        if theme == EVERYTHING or _dealt(machine, options, name, spots, players, difficulty, fit):
            found.append(name)
        progress = Progress(tuple(found), wanted, tried, len(found) >= wanted or tried == seeds or clock() > end)
        yield progress
        if progress.over:
            return


def _dealt(
    machine: HouseMachine,
    options: TableOptions,
    name: str,
    spots: tuple[int, ...],
    players: tuple[tuple[int, str], ...],
    difficulty: str,
    fit: Callable[..., bool],
) -> bool:
    try:
        session = deal_rounds(machine, options, seed=name, spots=spots, players=players, difficulty=difficulty)
    except Stuck:
        # A round that the procedure itself cannot finish is no drill.
        return False
    return fit(session)
