"""The cheapest edits that leave no finding in a row of acts: uniform-cost search on copied positions of the machine.

It branches only at the first finding of a row: every set of edits that mends it changes an act there or before.
"""

from __future__ import annotations

import heapq
import re
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
    GIVEN_UP,
    LET_STAND,
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

MOST_TRIALS = 1000
"""Edits tried in one round before the search settles for the nearest ones that lead on."""
_UNLIKE = 2  # how odd an edit is of another kind than the verdict says
_NEVER = 1000
"""What it costs to find fault with an act that was judged right: letting every finding stand is always cheaper."""
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
    def is_found(self) -> bool:
        return self.verdict is not None or bool(self.cannot)


class Search:
    """Uniform-cost search over rows of acts; ``own`` is what the record's own judging says of them."""

    def __init__(self, machine: HouseMachine, own: Own | None = None, most: int = MOST_TRIALS) -> None:
        self.machine, self.own, self.most = machine, own or Own(), most
        self.heap: list[tuple[int, int, int, tuple[tuple[int, int, str], ...], int, Node]] = []
        self.seen: dict[object, tuple[int, int]] = {}
        self.known: dict[object, list[Act]] = {}
        self.trials = self.count = 0

    def push(self, node: Node, phase: int) -> None:
        self.count += 1
        ahead = CHEAPEST if phase != _RUN else 0
        heapq.heappush(self.heap, (node.cost + ahead, phase, node.odd, node.order, self.count, node))

    def mend(self, start: Node) -> Node:
        """Return the cheapest row without a finding; past the bound, a row that mends them one after the other."""
        self.push(start, _RUN)
        while self.heap:
            _, phase, _, _, _, node = heapq.heappop(self.heap)
            if self.trials > self.most:
                return self._one_by_one(start)
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

    def run(self, node: Node, stop: int) -> None:
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
        remedy = self.own.remedy(item.source)
        if remedy is None or remedy not in self._lacking(node):
            return False
        return all(one.ruling is Ruling.OMITTED or _names(one.why, remedy) for one in verdict.unmet)

    def _lacking(self, node: Node) -> tuple[Act, ...]:
        """What the acts that stand so far have gone on without."""
        standing = [one.source for one in node.items[: node.index] if one.stands]
        return tuple(act for source in standing if (act := self.own.remedy(source)) is not None)

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
        for candidate in found:
            child = self.tried(node, candidate)
            if child is not None:
                yield child

    def tried(self, node: Node, candidate: Candidate) -> Node | None:
        self.trials += 1
        edit, start = candidate.edit, candidate.start
        if not fits(edit.kind, self.own.findings.get(node.items[node.index].source, node.verdict)):
            edit = replace(edit, unlike=True, odd=edit.odd + _UNLIKE)
        items = (*node.items[:start], *candidate.items)
        child = Node(
            items, (*node.edits, edit), node.cost + edit.cost, start, node.before[start].copied(), node.odd + edit.odd,
            node.before[:start], parent=node,
        )  # fmt: skip
        stop = len(items) - candidate.tail
        self.run(child, stop)
        if child.is_found and not self._less(node, child, stop):
            return None
        key = (hash(items[child.index :]), signature(child.position), self._lacking(child))
        paid = (child.cost, child.odd)
        if key in self.seen and self.seen[key] <= paid:
            return None
        self.seen[key] = paid
        return child

    def _less(self, node: Node, child: Node, stop: int) -> bool:
        """Tell whether fewer conditions speak against the same act after something was put before it."""
        if node.verdict is None or child.verdict is None or child.index != stop - 1:
            return False
        if child.items[child.index] != node.items[node.index]:
            return False
        return len(child.verdict.unmet) < len(node.verdict.unmet)

    def _one_by_one(self, node: Node) -> Node:
        """Mend finding after finding by the edit that leaves the least behind it."""
        while True:
            self.run(node, len(node.items))
            if not node.is_found:
                return node
            self.seen.clear()
            found = [(child.cost + self._left(child), child.order, child) for child in self.children(node, _NEAR)]
            found += [(child.cost + self._left(child), child.order, child) for child in self.children(node, _FAR)]
            node = min(found, key=lambda one: (one[0], one[2].odd, one[1]))[2]

    def _left(self, node: Node) -> int:
        """Return what it would cost to let every further finding stand."""
        position, cost = node.position.copied(), 0
        for item in node.items[node.index :]:
            try:
                verdict = self.machine.judge(position, item.act, instead=False)
                if item.act.role is Role.DEALER and not verdict.is_right and not item.stands:
                    cost += _NEVER if self.own.was_right(item.source) else CHEAPEST + LET_STAND
                _go_on(self.machine, position, item.act, verdict if item.act.role is Role.DEALER else None)
            except CannotHappen:
                cost += _NEVER if self.own.was_right(item.source) else GIVEN_UP
        return cost


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
