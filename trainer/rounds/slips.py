"""What an explanation consists of: slips, on which verdicts they rest, and the record as it should have been."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import groupby

from trainer.actions import Act, Role
from trainer.procedure.verdicts import Severity, Verdict
from trainer.rounds.edits import ONE_SLIP, WEIGHTS, stand_kind
from trainer.rounds.play import Entry, Session
from trainer.rounds.script import Script


@dataclass(frozen=True, slots=True)
class Slip:
    """One mistake of the dealer, with every finding it caused.

    ``entries`` are numbers of acts in the record from 1, ``money`` is in cents seen from the house (None: none moved),
    ``cites`` statements and defaults, ``stands`` that nothing later contradicts the act once it was let stand, ``also``
    the acts that went on without the same thing, ``left_open`` that what was left out was never settled. ``verdict`` is one the record's own judging gave; it is None where no
    table could have seen the act.
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
    also: tuple[Act, ...] = ()
    blocked: bool = False
    left_open: bool = False


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


def cites_of(verdict: Verdict | None) -> tuple[str, ...]:
    """Return the statements a verdict rests on, or the defaults where there is none."""
    if verdict is None:
        return ()
    return verdict.cites or verdict.defaults


def cause(said: Verdict, had: Verdict | None, left: Verdict | None) -> Verdict:
    """Keep of the record's verdict what one edit mends: what the row before it still had and the row after it has not."""
    kept = said.unmet
    if had is not None:
        kept = tuple(one for one in kept if one.rule in [other.rule for other in had.unmet]) or kept
    if left is not None:
        kept = tuple(one for one in kept if one.rule not in [other.rule for other in left.unmet]) or kept
    return replace(said, unmet=kept)


# -- what the coach has blocked ----------------------------------------------------------------------------------


def tried(session: Session, first: int) -> list[Slip]:
    """Make slips of the wrong acts that the coach has blocked, one of all tries for the same reason; none took effect.

    ``first`` is how many acts of the record come before the session's.
    """

    def reason(entry: Entry) -> tuple[object, ...]:
        leading = entry.verdict.leading
        committed = sum(not one.blocked and one.act.role is Role.DEALER for one in session.entries[: entry.number])
        return (committed, leading and (leading.rule.slug, leading.why))

    stopped = [entry for entry in session.entries if entry.blocked and entry.is_finding]
    return [_tried(list(tries), first) for _, tries in groupby(stopped, reason)]


def _tried(tries: list[Entry], first: int) -> Slip:
    entry = min(tries, key=lambda one: (one.verdict.severity is not Severity.FAULT, one.number))
    verdict, number = entry.verdict, first + entry.number
    cost = ONE_SLIP + max(WEIGHTS[one.verdict.weight] for one in tries if one.verdict.weight)
    return Slip(
        stand_kind(verdict), tuple(first + one.number for one in tries), entry.act,
        verdict.instead[0] if verdict.instead else None, cites_of(verdict), None, verdict.severity, cost,
        verdict, entry.act, number, why=verdict.leading.why if verdict.leading else "",
        also=tuple(one.act for one in tries if one is not entry), blocked=True,
    )  # fmt: skip
