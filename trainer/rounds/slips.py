"""What an explanation consists of: slips, and the record as it should have been."""

from __future__ import annotations

from dataclasses import dataclass

from trainer.actions import Act
from trainer.procedure.verdicts import Severity, Verdict
from trainer.rounds.script import Script


@dataclass(frozen=True, slots=True)
class Slip:
    """One mistake of the dealer, with every finding it caused.

    ``entries`` are numbers of acts in the record from 1, ``money`` is in cents seen from the house (None: none moved),
    ``cites`` statements and defaults, ``stands`` that nothing later contradicts the act once it was let stand.
    """

    kind: str
    entries: tuple[int, ...]
    act: Act
    instead: Act | None
    cites: tuple[str, ...]
    money: int | None
    severity: Severity
    cost: int
    verdict: Verdict | None = None
    near: Act | None = None
    near_entry: int = 0
    later: bool = False
    stands: bool = False
    why: str = ""


@dataclass(frozen=True, slots=True)
class Explanation:
    """The slips of a record, what they cost together, and the record as it should have been.

    ``judged`` is the number of acts that could be judged; ``problem`` says why the rest could not.
    """

    slips: tuple[Slip, ...]
    cost: int
    repaired: Script
    judged: int = 0
    problem: str = ""
