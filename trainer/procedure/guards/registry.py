"""Where guards, facts, dues and blocks register under their own names.

A guard answers None when nothing speaks against the act, else why not, in words that follow the act's own line.
A guard that does not apply answers None. A fact is yes or no and tells which row an act belongs to.
A due lists the places (spot, hand) where something is due; a block tells whether an act would go on without it.
"""

from __future__ import annotations

from collections.abc import Callable

from trainer.procedure.model import Fact, Guard, Ruling
from trainer.procedure.moment import Moment

Place = tuple[int, int]
Due = Callable[[Moment], list[Place]]
Block = Callable[[Moment, Place], bool]
Claim = Callable[[Moment, Place], list[tuple[str, str]]]

GUARDS: dict[str, Guard] = {}
RULINGS: dict[str, Ruling] = {}
FACTS: dict[str, Fact] = {}
DUES: dict[str, Due] = {}
BLOCKS: dict[str, Block] = {}
CLAIMS: dict[str, Claim] = {}
BLOCK_VERBS: dict[str, frozenset[str]] = {}


def guard(function: Guard) -> Guard:
    """Register a guard whose failure is a wrong detail."""
    GUARDS[function.__name__] = function
    RULINGS[function.__name__] = Ruling.WRONG_DETAIL
    return function


def time_guard(function: Guard) -> Guard:
    """Register a guard whose failure is a wrong time."""
    GUARDS[function.__name__] = function
    RULINGS[function.__name__] = Ruling.WRONG_TIME
    return function


def repeat_guard(function: Guard) -> Guard:
    """Register a guard whose failure means that it was done already."""
    GUARDS[function.__name__] = function
    RULINGS[function.__name__] = Ruling.REPEATED
    return function


def house_guard(function: Guard) -> Guard:
    """Register a guard whose failure means that this house does not have it."""
    GUARDS[function.__name__] = function
    RULINGS[function.__name__] = Ruling.NOT_HERE
    return function


def fact(function: Fact) -> Fact:
    """Register a fact."""
    FACTS[function.__name__] = function
    return function


def due(function: Due) -> Due:
    """Register what a duty waits for."""
    DUES[function.__name__] = function
    return function


def claim(name: str) -> Callable[[Claim], Claim]:
    """Register which rules stand behind a due at a place, where the due alone does not tell; with what to say of each."""

    def register(function: Claim) -> Claim:
        CLAIMS[name] = function
        return function

    return register


def block(*verbs: str) -> Callable[[Block], Block]:
    """Register what a duty holds up: of these verbs, the acts for which the function says yes."""

    def register(function: Block) -> Block:
        BLOCKS[function.__name__] = function
        BLOCK_VERBS[function.__name__] = frozenset(verbs)
        return function

    return register


def words(place: Place, split: bool) -> str:
    """Name a spot or hand: ``spot 3`` or ``hand 3b``."""
    spot, hand = place
    return f"hand {spot}{'abcdefgh'[hand - 1]}" if split else f"spot {spot}"
