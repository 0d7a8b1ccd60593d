"""The cheapest edits that leave no finding in a row of acts: uniform-cost search on copied positions of the machine.

It branches only at the first finding of a row: every set of edits that mends it changes an act there or before. An act
that the record's own verdicts found right is never found wrong in a row; letting every finding stand is always possible.

Within ``MOST_TRIALS`` edits the result is the cheapest there is, which holds for most rounds with up to four slips. Past
them a beam goes on: on 10 rounds with 2 to 12 findings it cost as much as with tenfold limits, on 7 rounds spoilt eight
times over 9 % more, all of it on one of them. What remains: such a round takes one to three seconds, and edits of acts
long before a finding are tried on the cheapest row only.
"""

from __future__ import annotations

import heapq
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from trainer.actions import Act, Role
from trainer.procedure.library import carry_out
from trainer.procedure.machine import HouseMachine
from trainer.procedure.model import Ruling
from trainer.procedure.moment import Moment, Position, derive_state
from trainer.procedure.verdicts import Verdict
from trainer.rounds.edits import (
    CHEAPEST,
    DEALING,
    EARLY,
    Candidate,
    Edit,
    Here,
    Item,
    Own,
    far_edits,
    fits,
    near_edits,
)  # fmt: skip
from trainer.table import CannotHappen

MOST_TRIALS = 600
"""Edits tried in one round before the search goes on with the cheapest few rows only."""
FAR_WIDTH = 1
"""How many of those rows, the cheapest, edits of earlier acts are tried on as well."""
DEALT = ("deal", "deal up", "deal hole")
"""Before play, where one card in these places mends nothing, no other does; later much hangs on its value."""
WIDTH = 6
"""Rows that are followed from each finding then."""
MOST_FINDINGS = 30
"""Findings from which the beam goes on in one round; with more there is no telling what caused what."""
_UNLIKE = 2  # how odd an edit is of another kind than the verdict says
_END = 1 << 30
_NEAR, _FAR, _RUN = range(3)
"""What is done with a row; at equal cost every edit is tried before a row is taken, so that ties are decided by oddness."""


@dataclass(slots=True, eq=False)
class Node:
    """A row of acts with some edits made; run up to ``index``, where ``position`` stands."""

    items: tuple[Item, ...]
    edits: tuple[Edit, ...]
    cost: int
    index: int
    position: Position
    odd: int = 0
    before: list[Position] = field(default_factory=list)
    verdict: Verdict | None = None
    cannot: str = ""
    parent: Node | None = None

    @property
    def order(self) -> tuple[tuple[int, int, str], ...]:
        return tuple(edit.order for edit in self.edits)

    @property
    def standing(self) -> tuple[int, ...]:
        """The acts so far that stand although they were wrong, by number in the record."""
        return tuple(one.source for one in self.items[: self.index] if one.stands)

    @property
    def is_found(self) -> bool:
        return self.verdict is not None or bool(self.cannot)


class TooMuchWrong(Exception):
    """A round has so many findings that no set of edits tells how they came about."""


class Search:
    """Uniform-cost search over rows of acts; ``own`` is what the record's own judging says of them."""

    def __init__(
        self, machine: HouseMachine, own: Own | None = None, most: int = MOST_TRIALS, width: int = WIDTH
    ) -> None:
        self.machine, self.own, self.most, self.width = machine, own or Own(), most, width
        self.heap: list[tuple[int, int, int, tuple[tuple[int, int, str], ...], int, Node]] = []
        self.seen: dict[object, tuple[int, int]] = {}
        self.known: dict[object, list[Act]] = {}
        self.trials = self.count = 0

    def push(self, node: Node, phase: int) -> None:
        self.count += 1
        ahead = CHEAPEST if phase != _RUN else 0
        heapq.heappush(self.heap, (node.cost + ahead, phase, node.odd, node.order, self.count, node))

    def mend(self, start: Node) -> Node:
        """Return the cheapest row without a finding; past the bound, the cheapest that the beam finds.

        Raises:
            TooMuchWrong: the beam has gone on from ``MOST_FINDINGS`` findings.
        """
        self.push(start, _RUN)
        while self.heap:
            _, phase, _, _, _, node = heapq.heappop(self.heap)
            if self.trials > self.most:
                return self._by_beam(start)
            if phase == _RUN:
                self.run(node, len(node.items))
                if not node.is_found:
                    return node
                if self.blames_a_right_act(node):
                    continue
                self.push(node, _NEAR)
                self.push(node, _FAR)
                continue
            for child in self.children(node, phase):
                self.push(child, _RUN)
        raise AssertionError("an act can always stand")

    def run(self, node: Node, stop: int, keep: bool = True) -> None:
        """Carry acts out until the first finding, or up to ``stop``; ``keep`` the position before each of them."""
        machine, position = self.machine, node.position
        while node.index < stop and not node.is_found:
            item = node.items[node.index]
            if keep:
                node.before.append(position.copied())
            try:
                verdict = None
                if item.act.role is Role.DEALER:
                    verdict = machine.judge(position, item.act, instead=False)
                    if not verdict.is_right and not item.stands:
                        if not self._is_same_cause(node, item, verdict):
                            node.verdict = verdict
                            return
                        rest = node.items[node.index + 1 :]
                        node.items = (*node.items[: node.index], replace(item, stands=True), *rest)
                _go_on(machine, position, item.act, verdict)
            except CannotHappen as why:
                node.cannot = str(why)
                return
            node.index += 1

    def _is_same_cause(self, node: Node, item: Item, verdict: Verdict) -> bool:
        """Tell whether an act only goes on without what an act that stands has already gone on without."""
        standing = node.standing
        allowed = {(one.rule.slug, one.why) for source in standing if source in self.own.findings
                   for one in self.own.findings[source].unmet}  # fmt: skip
        unsaid = [one for one in verdict.unmet if (one.rule.slug, one.why) not in allowed]
        said = self.own.findings.get(item.source)
        if said is None or any(one.ruling not in EARLY for one in (*verdict.unmet, *said.unmet)):
            return False
        remedy = self.own.remedy(item.source)
        if not unsaid or remedy is None or remedy not in self._lacking(node):
            return not unsaid
        return all(one.ruling is Ruling.OMITTED or _names(one.why, remedy) for one in unsaid)

    def _lacking(self, node: Node) -> tuple[Act, ...]:
        """What the acts that stand so far have gone on without."""
        return tuple(act for source in node.standing if (act := self.own.remedy(source)) is not None)

    def blames_a_right_act(self, node: Node) -> bool:
        """Tell whether a row has something against an act that the record's own verdicts found right."""
        return self.own.was_right(node.items[node.index].source)

    def here(self, node: Node) -> Here:
        return Here(self.machine, node.items, node.index, node.before[node.index], node.verdict, self.legal, self.own)

    def legal(self, position: Position) -> list[Act]:
        """What is right at a position; the same ones come up again and again."""
        key = signature(position)
        found = self.known.get(key)
        if found is None:
            found = self.known[key] = self.machine.legal_actions(position)
        return found

    def children(self, node: Node, phase: int) -> Iterator[Node]:
        """Yield each edited row that leads past the finding, or leaves less against the act."""
        here = self.here(node)
        found = near_edits(here) if phase == _NEAR else far_edits(here, node.before)
        useless: set[Act] = set()
        for candidate in found:
            edit = candidate.edit
            if edit.source < 0 and edit.act in useless:
                continue
            child = self.tried(node, candidate)
            if child is not None:
                yield child
            elif edit.source < 0 and edit.act.verb in DEALT and node.position.state in DEALING:
                useless.add(edit.act)

    def tried(self, node: Node, candidate: Candidate) -> Node | None:
        self.trials += 1
        edit, start = candidate.edit, candidate.start
        if not fits(edit.kind, self.own.findings.get(node.items[node.index].source, node.verdict)):
            edit = replace(edit, unlike=True, odd=edit.odd + _UNLIKE)
        stop = len(node.items[:start]) + len(candidate.items) - candidate.tail
        child = _edited(node, candidate, edit)
        self.run(child, stop, keep=False)
        if child.is_found and not self._less(node, child, stop):
            return None
        key = (hash(child.items[child.index :]), signature(child.position), child.standing)
        paid = (child.cost, child.odd)
        if key in self.seen and self.seen[key] <= paid and not _only_stands(child):
            return None
        self.seen[key] = paid
        # Most candidates end above: what copies cost is paid for the others only.
        child = _edited(node, candidate, edit)
        self.run(child, stop)
        return child

    def _less(self, node: Node, child: Node, stop: int) -> bool:
        """Tell whether fewer conditions speak against the same act after something was put before it."""
        if node.verdict is None or child.verdict is None or child.index != stop - 1:
            return False
        if child.items[child.index] != node.items[node.index]:
            return False
        return len(child.verdict.unmet) < len(node.verdict.unmet)

    def _by_beam(self, start: Node) -> Node:
        """Go through the findings in order, from each only with the cheapest few rows that have got so far.

        The row in which every act so far stands is always among them, so that there is always one to end with.
        """
        self.seen.clear()
        expanded: Counter[int] = Counter()
        beam: list[tuple[int, int, int, tuple[tuple[int, int, str], ...], int, Node]] = []
        self._reach(beam, start)
        while beam:
            progress, *_, node = heapq.heappop(beam)
            if not node.is_found:
                return node
            if expanded[progress] >= self.width and not _only_stands(node):
                continue
            expanded[progress] += 1
            if len(expanded) > MOST_FINDINGS:
                raise TooMuchWrong
            for phase in (_NEAR, _FAR) if expanded[progress] <= FAR_WIDTH else (_NEAR,):
                for child in self.children(node, phase):
                    self._reach(beam, child)
        raise AssertionError("an act can always stand")

    def _reach(self, beam: list[tuple[int, int, int, tuple[tuple[int, int, str], ...], int, Node]], node: Node) -> None:
        """Run a row to its next finding and put it where it has got to, unless it blames an act that was right."""
        self.run(node, len(node.items))
        if node.is_found and self.blames_a_right_act(node):
            return
        self.count += 1
        progress = node.items[node.index].source if node.is_found else _END
        heapq.heappush(beam, (progress, node.cost, node.odd, node.order, self.count, node))


def _edited(node: Node, candidate: Candidate, edit: Edit) -> Node:
    """Return a row with one more edit, ready to be run from there."""
    start = candidate.start
    items = (*node.items[:start], *candidate.items)
    return Node(
        items, (*node.edits, edit), node.cost + edit.cost, start, node.before[start].copied(), node.odd + edit.odd,
        node.before[:start], parent=node,
    )  # fmt: skip


def _only_stands(node: Node) -> bool:
    """Tell whether a row is the record as it was, up to here, but for what could not happen at all."""
    while node.parent is not None:
        edit, parent = node.edits[-1], node.parent
        if not edit.stands and not (parent.cannot and edit.kind == "extra" and edit.source == edit.near):
            return False
        node = parent
    return True


def _names(why: str, act: Act) -> bool:
    """Tell whether a reason speaks of the hand of an act."""
    return bool(act.spot) and re.search(rf"\b(spot|hand) {act.place}\b", why) is not None


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
