"""A whole record explained: the cheapest set of edits that makes the dealer's acts a procedure-true round.

Round by round: findings of one cause become one slip, and the record is printed as it should have been.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from trainer.actions import Act
from trainer.procedure.machine import HouseMachine
from trainer.procedure.moment import Position
from trainer.procedure.verdicts import Severity, Verdict
from trainer.rounds.edits import Edit, Item, cost_of, stand_kind
from trainer.rounds.mend import Node, Search
from trainer.rounds.play import Entry, Session, replay
from trainer.rounds.script import Line, Script
from trainer.rounds.slips import Explanation, Slip
from trainer.rounds.tell import spell_slips
from trainer.table import CannotHappen, Table

__all__ = ["Explanation", "Slip", "explain", "spell_slips"]


def explain(script: Script, machine: HouseMachine) -> Explanation:
    """Explain a record by the cheapest set of edits; equal costs are decided in one fixed order."""
    if not script.lines:
        return Explanation((), 0, script)
    session = replay(script, machine)
    judged, problem = len(session.entries), ""
    if session.problems and _is_unknown(session, script.lines[judged].act):
        problem = str(session.problems[0])
    else:
        judged = len(script.lines)
    wrong = {entry.number for entry in session.findings}
    seen = len(session.entries)
    slips: list[Slip] = []
    lines: list[Line] = []
    for first, last in _rounds(script.lines[:judged]):
        if last <= seen and not any(first < number <= last for number in wrong):
            lines += script.lines[first:last]
            continue
        found, mended = _one_round(script, machine, first, last)
        slips += found
        lines += mended
    slips.sort(key=lambda slip: slip.entries[0] if slip.entries else slip.near_entry)
    lines += script.lines[judged:]
    repaired = replace(script, lines=tuple(lines), net=(), money=None)
    return Explanation(tuple(slips), sum(slip.cost for slip in slips), repaired, judged, problem)


def _is_unknown(session: Session, act: Act) -> bool:
    """Tell whether a record stops because nobody has written down a card."""
    if act.card is not None and not act.card.is_known:
        return True
    dealer = session.table.dealer
    return dealer.has_hole and not dealer.cards[dealer.hole].is_known and act.verb in ("turn hole", "peek")


def _rounds(lines: tuple[Line, ...]) -> Iterator[tuple[int, int]]:
    """Yield where each round begins and ends; the act that begins the next one belongs to the round before."""
    first = 0
    for index, line in enumerate(lines):
        if line.act.verb == "start" and not line.blocked:
            yield first, index + 1
            first = index + 1
    if first < len(lines):
        yield first, len(lines)


def _one_round(script: Script, machine: HouseMachine, first: int, last: int) -> tuple[list[Slip], list[Line]]:
    items = tuple(Item(line.act, first + k) for k, line in enumerate(script.lines[first:last]) if not line.blocked)
    position = _fresh(script, machine)
    best = Search(machine).mend(Node(items, (), 0, 0, position))
    slips = _slips(script, machine, best) if best.edits else []
    if any(line.blocked for line in script.lines[first:last]):
        slips += _blocked_slips(script, machine, first, last)
    return slips, _mended_lines(script, machine, best)


def _fresh(script: Script, machine: HouseMachine) -> Position:
    table = Table(places=script.options.places, players=dict(script.players))
    return Position(machine.house, table, options=script.options)


# -- from edits to slips -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Played:
    """The findings of a row of acts, by number in the record, and the money they moved."""

    findings: dict[int, Entry]
    cannot: dict[int, str]
    money: int | None


def _played(script: Script, machine: HouseMachine, items: tuple[Item, ...]) -> _Played:
    session = Session(machine, replace(script, lines=()))
    findings: dict[int, Entry] = {}
    cannot: dict[int, str] = {}
    for item in items:
        try:
            entry = session.do(item.act)
        except CannotHappen as why:
            cannot[item.source] = str(why)
            break
        if entry.is_finding and not item.stands:
            findings[item.source] = entry
    session.finish()
    moved = [entry.money for entry in findings.values() if entry.money is not None]
    return _Played(findings, cannot, sum(moved) if moved else None)


def _slips(script: Script, machine: HouseMachine, best: Node) -> list[Slip]:
    """Make each edit a slip: it caused the findings that its row no longer has."""
    rows: list[Node] = []
    node: Node | None = best
    while node is not None:
        rows.insert(0, node)
        node = node.parent
    played = [_played(script, machine, row.items) for row in rows]
    out = []
    for before, after, row in zip(played, played[1:], rows[1:], strict=False):
        assert row.parent is not None
        gone = {source: entry for source, entry in before.findings.items() if source not in after.findings}
        money = None if before.cannot else _difference(before.money, after.money)
        out.append(_slip(script, row.parent, row.edits[-1], gone, money))
    return out


def _difference(before: int | None, after: int | None) -> int | None:
    if before is None and after is None:
        return None
    return ((before or 0) - (after or 0)) or None


def _slip(script: Script, node: Node, edit: Edit, gone: dict[int, Entry], money: int | None) -> Slip:
    at = node.items[node.index].source
    verdict = gone[at].verdict if at in gone else node.verdict
    entries = sorted({source for source in (*gone, at) if source >= 0})
    near = edit.near if edit.near >= 0 else at
    instead = edit.instead
    if edit.stands and verdict and verdict.instead:
        instead = verdict.instead[0]
    return Slip(
        kind=edit.kind,
        entries=tuple(source + 1 for source in entries),
        act=edit.act,
        instead=instead,
        cites=_cites(verdict),
        money=money,
        severity=verdict.severity if verdict else Severity.FAULT,
        cost=edit.cost,
        verdict=verdict,
        near=script.lines[near].act if near >= 0 else None,
        near_entry=near + 1,
        later=edit.later,
        stands=edit.stands,
        why=verdict.leading.why if verdict and verdict.leading else node.cannot,
    )


def _cites(verdict: Verdict | None) -> tuple[str, ...]:
    if verdict is None:
        return ()
    return verdict.cites or verdict.defaults


def _blocked_slips(script: Script, machine: HouseMachine, first: int, last: int) -> list[Slip]:
    """Make a slip of each wrong act that the coach has blocked: it never took effect."""
    session = replay(replace(script, lines=script.lines[first:last]), machine)
    out = []
    for entry in session.entries:
        if not entry.blocked or not entry.is_finding:
            continue
        verdict = session.machine.judge(session.position, entry.act) if entry.verdict is None else entry.verdict
        instead = verdict.instead[0] if verdict.instead else None
        cost = cost_of(machine, _fresh(script, machine), (), stands=True)
        number = first + entry.number
        out.append(
            Slip(stand_kind(verdict), (number,), entry.act, instead, _cites(verdict), None, verdict.severity, cost,
                 verdict, entry.act, number, why=verdict.leading.why if verdict.leading else "")
        )  # fmt: skip
    return out


def _mended_lines(script: Script, machine: HouseMachine, best: Node) -> list[Line]:
    """Print the mended row as lines; what stands is waived by the floor just before it."""
    waived: dict[int, dict[str, None]] = {}
    for _ in range(4):
        lines, owners = _lines_of(script, best, waived)
        session = replay(replace(script, lines=tuple(lines)), machine)
        again = [entry for entry in session.findings if owners[entry.number - 1] >= 0]
        if not again:
            break
        for entry in again:
            slugs = waived.setdefault(owners[entry.number - 1], {})
            slugs.update((one.rule.slug, None) for one in entry.verdict.unmet)
    return lines


def _lines_of(script: Script, best: Node, waived: dict[int, dict[str, None]]) -> tuple[list[Line], list[int]]:
    lines: list[Line] = []
    owners: list[int] = []
    for index, item in enumerate(best.items):
        near = max((one.source for one in best.items[: index + 1]), default=-1)
        place = script.lines[max(near, 0)].place
        for slug in waived.get(item.source, {}) if item.stands else ():
            lines.append(Line(Act("waive", what=slug, words="it stands"), place))
            owners.append(-1)
        old = script.lines[item.source] if item.source >= 0 else None
        lines.append(Line(item.act, place, at=old.at if old else None))
        owners.append(item.source if item.stands else -1)
    return lines, owners
