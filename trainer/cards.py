"""Cards, what a hand of them counts, and a seeded shoe."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

RANKS = "23456789TJQKA"
SUITS = "shdc"
_VALUES = {rank: int(rank) for rank in "23456789"} | dict.fromkeys("TJQK", 10) | {"A": 11}


@dataclass(frozen=True, slots=True)
class Card:
    """One card; ``value`` counts an ace as 11 and pictures as 10. ``??`` is a card nobody has seen yet."""

    rank: str
    suit: str
    value: int = field(init=False, compare=False, repr=False)
    is_ace: bool = field(init=False, compare=False, repr=False)
    is_ten: bool = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "value", _VALUES.get(self.rank, 0))
        object.__setattr__(self, "is_ace", self.rank == "A")
        object.__setattr__(self, "is_ten", self.value == 10)

    @property
    def is_known(self) -> bool:
        return self.rank != "?"

    @property
    def is_red(self) -> bool:
        return self.suit in "hd"

    def __str__(self) -> str:
        return self.rank + self.suit


DECK: dict[str, Card] = {rank + suit: Card(rank, suit) for rank in RANKS for suit in SUITS}
UNKNOWN = Card("?", "?")


def card(text: str) -> Card:
    """Read a card such as ``Td``, ``10d`` or ``??``.

    >>> card("Td").value, card("As").value
    (10, 11)

    Raises:
        ValueError: the text names no card.
    """
    if text == "??":
        return UNKNOWN
    word = text.replace("10", "T")
    found = DECK.get(word[:-1].upper() + word[-1:].lower())
    if found is None:
        raise ValueError(f"no such card: '{text}'")
    return found


def cards(text: str) -> list[Card]:
    """Read cards separated by spaces."""
    return [card(word) for word in text.split()]


def total(hand: Iterable[Card]) -> tuple[int, bool]:
    """Return the best total of a hand and whether an ace in it counts as 11 (soft).

    >>> total(cards("As 6d")), total(cards("As 6d Tc"))
    ((17, True), (17, False))
    """
    points = aces = 0
    for one in hand:
        points += one.value
        aces += one.is_ace
    while points > 21 and aces:
        points -= 10
        aces -= 1
    return points, aces > 0


def is_ace_and_ten(hand: Sequence[Card]) -> bool:
    """Tell whether exactly two cards, an ace and a ten-value card, lie there."""
    return len(hand) == 2 and hand[0].value + hand[1].value == 21


def pair_kind(first: Card, second: Card) -> str:
    """Name the pair two cards of one rank make: perfect, coloured or mixed; '' when the ranks differ.

    >>> pair_kind(card("8c"), card("8s")), pair_kind(card("Kd"), card("Qd"))
    ('coloured', '')
    """
    if first.rank != second.rank:
        return ""
    if first.suit == second.suit:
        return "perfect"
    return "coloured" if first.is_red == second.is_red else "mixed"


class Shoe:
    """A shoe of shuffled decks (or a stacked one); the same seed gives the same cards on every machine."""

    def __init__(self, decks: int = 6, seed: int | str = 0, stacked: Sequence[Card] = ()) -> None:
        self.decks = decks
        rest = [one for one in DECK.values() for _ in range(decks)]
        for one in stacked:
            rest.remove(one)
        random.Random(f"shoe {seed}").shuffle(rest)
        self._cards = rest[::-1]
        self._cards.extend(reversed(stacked))

    def __len__(self) -> int:
        return len(self._cards)

    @property
    def next(self) -> Card:
        """The card that comes next; it stays in the shoe."""
        return self._cards[-1]

    def take(self) -> Card:
        """Take the next card.

        Raises:
            IndexError: the shoe is empty.
        """
        return self._cards.pop()

    def remove(self, one: Card) -> None:
        """Take this very card out, wherever it lies (a recorded card being dealt again)."""
        for index in range(len(self._cards) - 1, -1, -1):
            if self._cards[index] is one or self._cards[index] == one:
                del self._cards[index]
                return
