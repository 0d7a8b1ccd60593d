"""A whole record explained: the cheapest set of edits that makes the dealer's acts a procedure-true round.

Uniform-cost search on copied positions of the real machine, round by round. It branches only at the first finding of
a row of acts: every set of edits that mends it changes an act there or before.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from trainer.actions import Act, Role
from trainer.procedure.machine import HouseMachine, carry_out
from trainer.procedure.moment import Moment, Position, derive_state
from trainer.procedure.verdicts import Severity, Verdict
from trainer.rounds.edits import (
    CHEAPEST, GIVEN_UP, LET_STAND, Candidate, Edit, Here, Item, cost_of, far_edits, fits, near_edits, stand_kind,
)  # fmt: skip
from trainer.rounds.play import Entry, Session, replay
from trainer.rounds.script import Line, Script
from trainer.table import CannotHappen, Table

MOST_TRIALS = 1000
"""Edits tried in one round before the search settles for the nearest ones that lead on."""
_RUN, _NEAR, _FAR = range(3)


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


@dataclass(slots=True, eq=False)
class _Node:
    """A row of acts with some edits made; run up to ``index``, where ``position`` stands."""

    items: tuple[Item, ...]
    edits: tuple[Edit, ...]
    cost: int
    index: int
    position: Position
    before: list[Position] = field(default_factory=list)
    verdict: Verdict | None = None
    cannot: str = ""
    parent: _Node | None = None

    @property
    def order(self) -> tuple[tuple[int, int, str], ...]:
        return tuple(edit.order for edit in self.edits)

    @property
    def is_found(self) -> bool:
        return self.verdict is not None or bool(self.cannot)


def explain(script: Script, machine: HouseMachine) -> Explanation:
    """Explain a record by the cheapest set of edits; equal costs are decided in one fixed order.

    >>> explain(Script("aces"), None).slips
    ()
    """
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
    best = _Search(machine).mend(_Node(items, (), 0, 0, position))
    slips = _slips(script, machine, best) if best.edits else []
    if any(line.blocked for line in script.lines[first:last]):
        slips += _blocked_slips(script, machine, first, last)
    return slips, _mended_lines(script, machine, best)


def _fresh(script: Script, machine: HouseMachine) -> Position:
    table = Table(places=script.options.places, players=dict(script.players))
    return Position(machine.house, table, options=script.options)


class _Search:
    """Uniform-cost search over rows of acts."""

    def __init__(self, machine: HouseMachine) -> None:
        self.machine = machine
        self.heap: list[tuple[int, int, tuple[tuple[int, int, str], ...], int, _Node]] = []
        self.seen: dict[object, int] = {}
        self.known: dict[object, list[Act]] = {}
        self.trials = self.count = 0

    def push(self, node: _Node, phase: int) -> None:
        self.count += 1
        ahead = CHEAPEST if phase != _RUN else 0
        heapq.heappush(self.heap, (node.cost + ahead, phase, node.order, self.count, node))

    def mend(self, start: _Node) -> _Node:
        """Return the cheapest row without a finding; past the bound, a row that mends them one after the other."""
        self.push(start, _RUN)
        while self.heap:
            _, phase, _, _, node = heapq.heappop(self.heap)
            if self.trials > MOST_TRIALS:
                return self._one_by_one(start)
            if phase == _RUN:
                self.run(node, len(node.items))
                if not node.is_found:
                    return node
                self.push(node, _NEAR)
                self.push(node, _FAR)
                continue
            for child in self.children(node, phase):
                self.push(child, _RUN)
        raise AssertionError("an act can always stand")

    def run(self, node: _Node, stop: int) -> None:
        """Carry acts out until the first finding, or up to ``stop``."""
        machine, position = self.machine, node.position
        while node.index < stop and not node.is_found:
            item = node.items[node.index]
            node.before.append(position.copied())
            try:
                verdict = None
                if item.act.role is Role.DEALER:
                    verdict = machine.judge(position, item.act, instead=False)
                    if not verdict.is_right and not item.stands:
                        node.verdict = verdict
                        return
                _go_on(machine, position, item.act, verdict)
            except CannotHappen as why:
                node.cannot = str(why)
                return
            node.index += 1

    def here(self, node: _Node) -> Here:
        return Here(self.machine, node.items, node.index, node.before[node.index], node.verdict, self.legal)

    def legal(self, position: Position) -> list[Act]:
        """What is right at a position; the same ones come up again and again."""
        key = signature(position)
        found = self.known.get(key)
        if found is None:
            found = self.known[key] = self.machine.legal_actions(position)
        return found

    def children(self, node: _Node, phase: int) -> Iterator[_Node]:
        """Yield each edited row that leads past the finding, or leaves less against the act."""
        here = self.here(node)
        found = near_edits(here) if phase == _NEAR else far_edits(here, node.before)
        for candidate in found:
            child = self.tried(node, candidate)
            if child is not None:
                yield child

    def tried(self, node: _Node, candidate: Candidate) -> _Node | None:
        self.trials += 1
        edit, start = candidate.edit, candidate.start
        if not fits(edit.kind, node.verdict):
            edit = replace(edit, unlike=True)
        items = (*node.items[:start], *candidate.items)
        child = _Node(
            items, (*node.edits, edit), node.cost + edit.cost, start, node.before[start].copied(), node.before[:start],
            parent=node,
        )  # fmt: skip
        stop = len(items) - candidate.tail
        self.run(child, stop)
        if child.is_found and not self._less(node, child, stop):
            return None
        key = (hash(items[child.index :]), signature(child.position))
        if self.seen.get(key, child.cost + 1) <= child.cost:
            return None
        self.seen[key] = child.cost
        return child

    def _less(self, node: _Node, child: _Node, stop: int) -> bool:
        """Tell whether fewer conditions speak against the same act after something was put before it."""
        if node.verdict is None or child.verdict is None or child.index != stop - 1:
            return False
        if child.items[child.index] != node.items[node.index]:
            return False
        return len(child.verdict.unmet) < len(node.verdict.unmet)

    def _one_by_one(self, node: _Node) -> _Node:
        """Mend finding after finding by the edit that leaves the least behind it."""
        while True:
            self.run(node, len(node.items))
            if not node.is_found:
                return node
            self.seen.clear()
            found = [(child.cost + self._left(child), child.order, child) for child in self.children(node, _NEAR)]
            found += [(child.cost + self._left(child), child.order, child) for child in self.children(node, _FAR)]
            node = min(found, key=lambda one: one[:2])[2]

    def _left(self, node: _Node) -> int:
        """Return what it would cost to let every further finding stand."""
        position, cost = node.position.copied(), 0
        for item in node.items[node.index :]:
            try:
                verdict = self.machine.judge(position, item.act, instead=False)
                if item.act.role is Role.DEALER and not verdict.is_right and not item.stands:
                    cost += CHEAPEST + LET_STAND
                _go_on(self.machine, position, item.act, verdict if item.act.role is Role.DEALER else None)
            except CannotHappen:
                cost += GIVEN_UP
        return cost


def _go_on(machine: HouseMachine, position: Position, act: Act, verdict: Verdict | None) -> None:
    """Carry out an act; a right one without firing the library, which ends in the same state."""
    if verdict is None or not verdict.is_right:
        machine.apply(position, act, verdict)
        return
    carry_out(Moment(position, act))
    position.state = derive_state(position)


def signature(position: Position) -> object:
    """Return everything of a position that verdicts depend on, hashable and equal for equal positions."""
    table = position.table
    spots = tuple(
        (
            spot.number, spot.answer, spot.asked_even_money, spot.first_two,
            tuple(_values(stack) for stack in spot.side.values()),
            tuple((tuple(hand.cards), *_values(hand, "cards", "stacks"), *map(_values, hand.stacks.values()))
                  for hand in spot.hands),
        )
        for spot in table.spots.values() if spot.is_wagered or spot.hands[0].cards or spot.side
    )  # fmt: skip
    ledger = table.ledger
    asked = [one for one in (ledger.request, *ledger.offers) if one is not None]
    requests = tuple((one.what, one.spot, one.hand, one.amount, len(one.unmet)) for one in asked)
    return (
        position.state, spots, tuple(table.dealer.cards), _values(table.dealer, "cards"),
        _values(ledger, "request", "offers"), requests,
    )  # fmt: skip


def _values(thing: object, *without: str) -> tuple[object, ...]:
    return tuple(getattr(thing, name) for name in type(thing).__slots__ if name not in without)  # type: ignore[attr-defined]


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


def _slips(script: Script, machine: HouseMachine, best: _Node) -> list[Slip]:
    """Make each edit a slip: it caused the findings that its row no longer has."""
    rows: list[_Node] = []
    node: _Node | None = best
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


def _slip(script: Script, node: _Node, edit: Edit, gone: dict[int, Entry], money: int | None) -> Slip:
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


def _mended_lines(script: Script, machine: HouseMachine, best: _Node) -> list[Line]:
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


def _lines_of(script: Script, best: _Node, waived: dict[int, dict[str, None]]) -> tuple[list[Line], list[int]]:
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
