"""Money in exact cents, odds, and what a house's chips can make."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

_MONEY = re.compile(r"[0-9]{1,9}\.[0-9]{2}")


def cents(text: str) -> int:
    """Read dollars with two decimals as cents.

    >>> cents("22.50")
    2250

    Raises:
        ValueError: the text is not dollars with exactly two decimals.
    """
    if not _MONEY.fullmatch(text):
        raise ValueError(f"no amount with two decimals: '{text}'")
    return int(text[:-3]) * 100 + int(text[-2:])


def dollars(amount: int) -> str:
    """Print cents as dollars with two decimals.

    >>> dollars(2250), dollars(-5)
    ('22.50', '-0.05')
    """
    sign = "-" if amount < 0 else ""
    return f"{sign}{abs(amount) // 100}.{abs(amount) % 100:02d}"


@dataclass(frozen=True, slots=True)
class Odds:
    """An exact price: ``Odds(3, 2)`` pays three for every two wagered."""

    win: int
    stake: int

    @classmethod
    def read(cls, text: str) -> Odds:
        """Read ``3:2``.

        Raises:
            ValueError: not two positive whole numbers with a colon between them.
        """
        match = re.fullmatch(r"([0-9]{1,5}):([0-9]{1,3})", text)
        if not match or not int(match[1]) or not int(match[2]):
            raise ValueError(f"no odds such as 3:2: '{text}'")
        return cls(int(match[1]), int(match[2]))

    def on(self, amount: int) -> int:
        """Return the winnings in cents on a wager in cents; a fraction of a cent is dropped (D-93)."""
        return amount * self.win // self.stake

    def __str__(self) -> str:
        return f"{self.win}:{self.stake}"


@lru_cache(maxsize=64)
def _reachable(chips: tuple[int, ...], limit: int) -> bytes:
    made = bytearray(limit + 1)
    made[0] = 1
    for chip in chips:
        for amount in range(chip, limit + 1):
            made[amount] |= made[amount - chip]
    return bytes(made)


def most_makeable(amount: int, chips: Sequence[int]) -> int:
    """Return the largest sum in cents, not above ``amount``, that these chips can make.

    >>> most_makeable(375, [100, 500]), most_makeable(375, [50, 100, 250])
    (300, 350)
    """
    if not chips or amount < min(chips):
        return 0
    step = min(chips)
    if all(chip % step == 0 for chip in chips):
        return amount - amount % step
    base = 0
    ceiling = max(chips) * 20
    if amount > ceiling:
        # Far above the largest chip its multiples reach everything the small chips do.
        base = (amount - ceiling) // max(chips) * max(chips)
    made = _reachable(tuple(sorted(chips)), ceiling + max(chips))
    rest = amount - base
    while not made[rest]:
        rest -= 1
    return base + rest
