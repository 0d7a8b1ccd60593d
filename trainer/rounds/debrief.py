"""What a session came to: accuracy, findings by rule, money, time."""

from __future__ import annotations

from dataclasses import dataclass

from trainer.chips import dollars
from trainer.procedure.settle import WAIT, stack_due
from trainer.procedure.verdicts import Severity, citation
from trainer.rounds.play import Entry, Session

MANY = 2  # findings; more of them are told by their slips as well


@dataclass(frozen=True, slots=True)
class RuleTally:
    """How often a rule was broken (or advice given), and the money that moved by it in cents."""

    rule: str
    severity: Severity
    count: int
    money: int | None
    first: Entry


@dataclass(frozen=True, slots=True)
class Debrief:
    """The result of a session; times in seconds, money in cents seen from the house."""

    judged: int
    faults: int
    advice: int
    accuracy: float
    rounds: int
    seconds: float | None
    by_state: tuple[tuple[str, float], ...]
    tallies: tuple[RuleTally, ...]
    money: int | None

    @property
    def rounds_per_hour(self) -> float | None:
        """Rounds per hour, only once accuracy holds (95 of a hundred acts)."""
        if self.seconds is None or self.seconds < 10 or self.accuracy < 0.95 or not self.rounds:
            return None
        return self.rounds * 3600 / self.seconds


def debrief(session: Session) -> Debrief:
    """Sum a session up; blocked acts count as what they were."""
    tallies: dict[tuple[str, Severity], list[Entry]] = {}
    for entry in session.findings:
        leading = entry.verdict.leading
        if leading:
            tallies.setdefault((leading.rule.slug, entry.verdict.severity), []).append(entry)
    listed = [
        RuleTally(rule, severity, len(entries), _money(entries), entries[0])
        for (rule, severity), entries in tallies.items()
    ]
    listed.sort(key=lambda one: (one.severity is not Severity.FAULT, -one.count, one.rule))
    times = [entry.at for entry in session.entries if entry.at is not None]
    finished = len(session.nets) if session.position.state in ("over", "clear") else max(len(session.nets) - 1, 0)
    return Debrief(
        judged=len(session.judged),
        faults=len(session.faults),
        advice=len(session.findings) - len(session.faults),
        accuracy=session.accuracy,
        rounds=finished,
        seconds=times[-1] - times[0] if len(times) > 1 else None,
        by_state=_by_state(session),
        tallies=tuple(listed),
        money=session.money,
    )


def _money(entries: list[Entry]) -> int | None:
    moved = [entry.money for entry in entries if entry.money is not None]
    return sum(moved) if moved else None


def _by_state(session: Session) -> tuple[tuple[str, float], ...]:
    spent: dict[str, float] = {}
    before: float | None = None
    for entry in session.entries:
        if entry.at is not None and before is not None:
            spent[entry.verdict.state] = spent.get(entry.verdict.state, 0.0) + max(entry.at - before, 0.0)
        before = entry.at if entry.at is not None else before
    return tuple(sorted(spent.items(), key=lambda one: -one[1]))


def money_words(amount: int | None) -> str:
    """Say in words what moved wrongly: to the house or to the players."""
    if not amount:
        return "no money moved wrongly"
    if amount > 0:
        return f"{dollars(amount)} too much to the house"
    return f"{dollars(-amount)} too much to the players"


def money_said(session: Session) -> str:
    """Say in words what moved wrongly in a session, and whether chips moved of which nobody can say yet whose they are."""
    early = any(
        entry.is_fault
        and not entry.blocked
        and entry.act.verb in ("pay", "take", "return")
        and entry.act.amount
        and entry.money is None
        for entry in session.entries
    )
    if not early:
        return money_words(session.money)
    said = "chips moved before their wager was decided"
    return f"{money_words(session.money)}; besides, {said}" if session.money else said


def left_open(session: Session) -> list[str]:
    """Name the wagers that were due when the last round ended and were never settled."""
    position, table = session.position, session.table
    if position.state not in ("over", "clear"):
        return []
    out = []
    for spot in table.wagered:
        stacks = [(hand, stack) for hand in spot.hands for stack in hand.stacks.values()]
        stacks += [(spot.hands[0], stack) for stack in spot.side.values()]
        for hand, stack in stacks:
            if stack.settled or not stack.lies or stack.kind in ("nothing", "next round"):
                continue
            due = stack_due(position, spot, hand, stack, hidden=True)
            if due.do != "push":
                said = "it was never decided" if due.do == WAIT else f"{due.do} {dollars(due.amount)} was due"
                out.append(f"spot {spot.number}: {stack.kind} {dollars(stack.amount)} was left lying; {said}")
    return out


def spell_debrief(session: Session) -> list[str]:
    """Print a debrief."""
    found = debrief(session)
    lines = [
        f"accuracy {found.accuracy:.1%}: {found.judged} acts judged, {found.faults} fault{'s' if found.faults != 1 else ''}"
        f", {found.advice} advice; {found.rounds} round{'s' if found.rounds != 1 else ''} finished"
    ]
    lines.append(f"money: {money_said(session)}")
    left = left_open(session)
    lines.extend(f"not settled: {one}" for one in left)
    if found.seconds is not None:
        lines.append(
            f"time: {found.seconds:.0f} s"
            + (f", {found.rounds_per_hour:.0f} rounds an hour" if found.rounds_per_hour else "")
        )
        slowest = ", ".join(f"{state} {seconds:.0f} s" for state, seconds in found.by_state[:3] if seconds >= 1)
        if slowest:
            lines.append(f"most time in: {slowest}")
    for tally in found.tallies:
        rule = session.house.rules[tally.rule]
        money = f"; {money_words(tally.money)}" if tally.money else ""
        lines.append(f"{tally.severity} x{tally.count}: {rule.slug}: {rule.text}{money}")
        leading = tally.first.verdict.leading
        if leading:
            lines.append(f"  first at act {tally.first.number}: {tally.first.act}: {leading.why}")
            lines.extend(f"  source  {line}" for line in citation(session.house, leading))
    if not found.tallies and not left:
        lines.append("nothing to correct")
    return lines
