"""What an explanation consists of: slips, on which verdicts they rest, and the record as it should have been."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import groupby

from trainer.actions import Act, Role
from trainer.procedure.verdicts import Severity, Verdict
from trainer.rounds.edits import GIVEN_UP, ONE_SLIP, WEIGHTS, Item, stand_kind
from trainer.rounds.play import Entry, Session
from trainer.rounds.script import Script
from trainer.table import CannotHappen


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

    ``judged`` is the number of acts that could be judged; ``problem`` says why the rest could not. ``alone`` are the first
    and last acts of rounds with too much wrong to tell causes apart: there each finding is told by itself.
    """

    slips: tuple[Slip, ...]
    cost: int
    repaired: Script
    judged: int = 0
    problem: str = ""
    alone: tuple[tuple[int, int], ...] = ()


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
    return [replace(_as_one(list(tries), first), blocked=True) for _, tries in groupby(stopped, reason)]


def _as_one(findings: list[Entry], first: int) -> Slip:
    entry = min(findings, key=lambda one: (one.verdict.severity is not Severity.FAULT, one.number))
    verdict, number = entry.verdict, first + entry.number
    cost = ONE_SLIP + max(WEIGHTS[one.verdict.weight] for one in findings if one.verdict.weight)
    moved = [one.money for one in findings if one.money is not None]
    return Slip(
        stand_kind(verdict), tuple(first + one.number for one in findings), entry.act,
        verdict.instead[0] if verdict.instead else None, cites_of(verdict), sum(moved) if moved else None,
        verdict.severity, cost, verdict, entry.act, number, why=verdict.leading.why if verdict.leading else "",
        also=tuple(one.act for one in findings if one is not entry),
    )  # fmt: skip


# -- where too much is wrong -------------------------------------------------------------------------------------


def each_alone(session: Session, items: tuple[Item, ...]) -> tuple[list[Slip], tuple[Item, ...]]:
    """Deal acts into a fresh session and tell each finding by itself, those in a row for the same reason as one.

    Return the slips, and the acts that can happen, the wrong ones of which stand.
    """
    slips: list[Slip] = []
    row: list[Item] = []
    for item in items:
        try:
            entry = session.do(item.act)
        except CannotHappen as why:
            slips.append(_unseen(item, str(why)))
            continue
        entry.number = item.source + 1
        row.append(replace(item, stands=entry.is_finding))
    session.finish()

    def reason(entry: Entry) -> object:
        leading = entry.verdict.leading
        return leading and (leading.rule.slug, leading.why)

    for _, same in groupby(session.findings, reason):
        slips.append(replace(_as_one(list(same), 0), stands=True))
    return slips, tuple(row)


def _unseen(item: Item, why: str) -> Slip:
    number, act = item.source + 1, item.act
    return Slip(
        "extra", (number,), act, None, (), None, Severity.ADVICE, GIVEN_UP, near=act, near_entry=number, why=why
    )
