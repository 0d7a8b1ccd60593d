"""Random rounds for the benches: legal and illegal walks of every house, dealt once, as plain acts."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from wander import WatchedRound, WrongRound

from trainer.actions import Act
from trainer.procedure.load import procedures
from trainer.procedure.machine import HouseMachine
from trainer.procedure.moment import Position, TableOptions
from trainer.rounds.play import machine_of
from trainer.table import Table


@dataclass(frozen=True)
class Dealt:
    """A round that was dealt: its house, its table and its acts."""

    machine: HouseMachine
    options: TableOptions
    players: dict[int, str]
    acts: tuple[Act, ...]

    def position(self) -> Position:
        """A fresh table for the round."""
        table = Table(self.options.places, players=dict(self.players))
        return Position(self.machine.house, table, options=self.options)


def random_rounds(each: int, wrong_every: int = 3) -> list[Dealt]:
    """Deal rounds in every shipped house; every third one by a dealer who makes mistakes."""
    out = []
    for slug in procedures().names():
        machine = machine_of(procedures(), slug)
        for number in range(each):
            kind = WrongRound if number % wrong_every == wrong_every - 1 else WatchedRound
            walk = kind(machine, f"bench {number}").play()
            out.append(Dealt(machine, walk.options, walk.players, tuple(walk.acts)))
    return out
