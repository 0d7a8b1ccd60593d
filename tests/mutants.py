"""Perfect records with one thing wrong: an act dropped, repeated, swapped, astray, of a wrong amount or face."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from trainer.actions import Act, Role
from trainer.files import Place
from trainer.procedure.moment import TableOptions
from trainer.rounds.script import Line, Script


@dataclass(frozen=True)
class Mutant:
    """A record with one thing wrong: what, at which act (from 0)."""

    what: str
    at: int
    acts: tuple[Act, ...]


def mutants(given: Sequence[Act], dice: random.Random) -> Iterator[Mutant]:
    """Yield every record that differs from a perfect one in a single act of the dealer."""
    acts = tuple(given)
    for at, act in enumerate(acts):
        if act.role is not Role.DEALER:
            continue
        before, after = acts[:at], acts[at + 1 :]
        yield Mutant("dropped", at, (*before, *after))
        yield Mutant("repeated", at, (*before, act, act, *after))
        if after and after[0].role is Role.DEALER:
            yield Mutant("swapped", at, (*before, after[0], act, *after[1:]))
        for wrong, what in _details(acts, act, dice):
            yield Mutant(what, at, (*before, wrong, *after))


def _details(acts: tuple[Act, ...], act: Act, dice: random.Random) -> Iterator[tuple[Act, str]]:
    others = sorted({(one.spot, one.hand) for one in acts if one.spot and one.spot != act.spot})
    if act.spot and others:
        spot, hand = dice.choice(others)
        yield replace(act, spot=spot, hand=hand), "astray"
    if act.verb in ("pay", "take") and act.amount:
        yield replace(act, amount=act.amount + dice.choice((-100, 100, 500))), "wrong amount"
    if act.verb == "deal":
        yield replace(act, flag="" if act.flag else "down"), "wrong face"
    if act.verb in ("deal up", "deal hole"):
        yield replace(act, verb="deal up" if act.verb == "deal hole" else "deal hole"), "wrong face"


def script_of(house: str, acts: Sequence[Act], options: TableOptions, players: dict[int, str]) -> Script:
    """Make a record of acts."""
    lines = tuple(Line(act, Place("record", number, 1)) for number, act in enumerate(acts, 1))
    return Script(house, lines, options=options, players=tuple(sorted(players.items())))
