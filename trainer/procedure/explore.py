"""Explore every way a small round can go: few ranks, one or two spots, every choice of a player, every lawful act.

Positions that differ in nothing a rule reads are one position (``likeness``); samples of that are held against the
machine. What is explored is a graph; proofs are read off it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from math import inf
from time import monotonic
from typing import Any

from trainer.actions import Act
from trainer.cards import DECK, Card
from trainer.procedure.bulk import BulkMachine
from trainer.procedure.likeness import likeness
from trainer.procedure.machine import HouseMachine
from trainer.procedure.model import Bearing
from trainer.procedure.moment import Moment, Position, TableOptions
from trainer.procedure.verdicts import Verdict
from trainer.procedure.ways import dealer_ways, decision_hand
from trainer.table import CannotHappen, Table

CARD_VERBS = ("deal", "deal up", "deal hole", "draw")
TELL = 500
# Words and gestures that may be said again and again move no round on.
IDLE = ("wait", "call floor", "gesture tap", "call total dealer", "warn", "refuse")


@dataclass(frozen=True, slots=True)
class Small:
    """The abstraction of a round: which ranks the shoe has, which spots are wagered, how much, whose way is followed.

    ``sides`` are side wagers of ``side`` cents on each spot; a bust wager takes the place of the main one. ``hands``
    bounds the hands of a spot that its player makes of it by splitting; 0 leaves it to the house.
    """

    ranks: str
    spots: tuple[int, ...]
    wager: int
    every_way: bool
    games: frozenset[str] = frozenset()
    sides: tuple[str, ...] = ()
    side: int = 500
    hands: int = 0

    @property
    def cards(self) -> list[Card]:
        return [DECK[rank + "s"] for rank in self.ranks]

    @property
    def wagers(self) -> list[Act]:
        main = "bust" if "bust" in self.sides else ""
        found = [Act("wager", number, kind=main, amount=self.wager) for number in self.spots]
        beside = [kind for kind in self.sides if kind != "bust"]
        return found + [Act("wager", spot, kind=kind, amount=self.side) for spot in self.spots for kind in beside]

    def __str__(self) -> str:
        way = "every lawful act" if self.every_way else "the recommended act"
        sides = f", wagers on {', '.join(self.sides)}" if self.sides else ""
        bound = ("", ", no split", ", split once at most")[self.hands]
        spots = f"{len(self.spots)} spot{'s' * (len(self.spots) > 1)}"
        return f"ranks {' '.join(self.ranks)}, {spots}{bound}{sides}, {way}"


@dataclass(slots=True)
class Explored:
    """The graph of a small round: for each position what may follow, and what was counted on the way."""

    small: Small
    positions: int = 0
    entered: int = 0
    edges: int = 0
    ended: int = 0
    judged: int = 0
    faults: int = 0
    duties_together: int = 0
    compared: int = 0
    complete: bool = True
    onward: list[list[int]] = field(default_factory=list)
    over: set[int] = field(default_factory=set)
    parents: list[tuple[int, Act | None]] = field(default_factory=list)
    wrong: list[tuple[str, int]] = field(default_factory=list)

    def acts_to(self, number: int) -> list[Act]:
        """Return the acts that lead to a position, from the wagers on."""
        out: list[Act] = []
        while number >= 0:
            number, act = self.parents[number]
            if act is not None:
                out.append(act)
        return [*self.small.wagers, *out[::-1]]

    def dead(self) -> list[int]:
        """Return the positions from which no way leads to the end of the round."""
        back: list[list[int]] = [[] for _ in self.onward]
        for number, following in enumerate(self.onward):
            for one in following:
                back[one].append(number)
        alive, front = set(self.over), list(self.over)
        while front:
            for before in back[front.pop()]:
                if before not in alive:
                    alive.add(before)
                    front.append(before)
        return [number for number in range(self.positions) if number not in alive]


def events(machine: HouseMachine, position: Position, hands: int = 0) -> list[Act]:
    """Return every choice in order that the players have been given and not made yet.

    ``hands`` bounds the hands of a spot, 0 leaves it to the house.
    """
    table = position.table
    ledger = table.ledger
    moment = Moment(position, Act("wait"))
    if ledger.insurance_called and not ledger.insurance_closed and moment.up_is_ace and not moment.hole_known:
        for spot in table.wagered:
            if not spot.answer:
                found = [Act("insure", spot.number, amount=spot.original // 2), Act("decline", spot.number)]
                if spot.hands[0].is_blackjack:
                    found.append(Act("even money", spot.number))
                return [act for act in found if _right(machine, position, act)]
    waiting = decision_hand(position)
    if waiting is None or ledger.request or position.state in ("wagers", "dealing"):
        return []
    spot, index, hand = waiting
    totals = position.house.is_("announce-totals") == "yes"
    if not hand.asked or (totals and not hand.total_called):
        return []
    place: dict[str, int] = {"spot": spot.number, "hand": index if spot.is_split else 0}
    wishes = [
        Act("signal", place["spot"], place["hand"], what="hit"),
        Act("signal", place["spot"], place["hand"], what="stand"),
        Act("double", place["spot"], place["hand"], amount=spot.original),
        Act("surrender", place["spot"]),
    ]
    if not hands or len(spot.hands) < hands:
        wishes.append(Act("split", place["spot"], place["hand"], amount=spot.original))
    return [act for act in wishes if _right(machine, position, act)]


def _right(machine: HouseMachine, position: Position, act: Act) -> bool:
    try:
        return machine.judge(position, act).is_right
    except CannotHappen:
        return False


def _is_news(position: Position, act: Act) -> bool:
    """Whether an act moves the round on: words already said are left out."""
    if act.verb in IDLE or act.spot not in position.table.spots:
        return act.verb not in IDLE
    hand = position.table.hand(act)
    said = {"call total": hand.total_called, "call blackjack": hand.called_blackjack, "ask": hand.asked}
    if act.verb == "call total" and (act.total != hand.total or not _has_to_be_called(position)):
        return False
    if act.verb == "call even money" and position.table.spot(act.spot).asked_even_money:
        return False
    return not said.get(act.verb, False)


def _has_to_be_called(position: Position) -> bool:
    return position.house.is_("announce-totals") == "yes"


Check = Callable[[Position, Verdict], "str | None"]


class Explorer:
    """Walks the graph of a small round, within a number of positions and seconds.

    ``judged`` checks see a position and the verdict on an act thought of there, ``done`` checks the position after an
    act and its verdict; each says what is wrong, or None. Of positions taken for one every ``compare``-th is held
    against the one that was met first.
    """

    def __init__(
        self,
        machine: HouseMachine,
        small: Small,
        judged: tuple[Check, ...] = (),
        done: tuple[Check, ...] = (),
        compare: int = 0,
    ) -> None:
        self.machine, self.small, self.judged, self.done = BulkMachine(machine), small, judged, done
        self.compare, self._met_again = compare, 0
        self.found = Explored(small)
        self._duties = [duty for duty in machine.house.duties if duty.bearing is Bearing.REFUSES]
        self._known: dict[Any, int] = {}
        self._acts: dict[Act, Act] = {}
        self._front: list[tuple[int, Position]] = []

    def start(self) -> Position:
        """A fresh table with the small round's wagers on it."""
        house, small = self.machine.house, self.small
        options = TableOptions(house.places, house.minimum, house.maximum, house.chips, house.decks, small.games)
        position = Position(house, Table(max(small.spots)), options=options)
        for act in small.wagers:
            self.machine.apply(position, act)
        return position

    def explore(
        self, most: int | None = None, seconds: float | None = None, tell: Callable[[int], object] | None = None
    ) -> Explored:
        """Explore until nothing is new, or the bounds are reached; the last position met is entered first.

        ``tell`` is given the number of positions entered, now and then.
        """
        until = monotonic() + seconds if seconds is not None else inf
        self._meet(self.start(), -1, None)
        while self._front:
            if monotonic() > until or (most is not None and self.found.positions >= most):
                self.found.complete = False
                # Nothing is claimed of what was met and not entered.
                self.found.over |= {number for number, _ in self._front}
                break
            self._enter(*self._front.pop())
            if tell and self.found.entered % TELL == 0:
                tell(self.found.entered)
        return self.found

    def _meet(self, position: Position, parent: int, act: Act | None) -> int:
        key = likeness(position)
        number = self._known.get(key)
        over = position.state == "over"
        if number is None:
            number = self._known[key] = self.found.positions
            self.found.positions += 1
            self.found.onward.append([])
            self.found.parents.append((parent, act and self._acts.setdefault(act, act)))
            self._front.append((number, position))
            if over:
                self.found.over.add(number)
        elif self.compare and not over:
            self._met_again += 1
            if self._met_again % self.compare == 0:
                self._hold_against(number, position)
        self.found.ended += over
        return number

    def _hold_against(self, number: int, position: Position) -> None:
        """Compare a position with the one it was taken for: the same acts, the same faults, the same ways on."""
        first = self.start()
        for act in self.found.acts_to(number)[len(self.small.wagers) :]:
            self.machine.apply(first, act)
        self.found.compared += 1
        differing = sorted(self._outlook(first) ^ self._outlook(position))
        if differing:
            self.found.wrong.append((f"two positions taken for one differ: {differing[0]}", number))

    def _outlook(self, position: Position) -> set[str]:
        """What the dealer may do here, what would be a fault by which rules, and where each way on leads."""
        said = set()
        for act in dealer_ways(position):
            # Words that may be said at any time, right or out of place, are no part of a likeness.
            if act.verb in IDLE or act.verb == "call total":
                continue
            try:
                verdict = self.machine.judge(position, act)
            except CannotHappen:
                continue
            faults = sorted(one.rule.slug for one in verdict.unmet if one.bearing is Bearing.REFUSES)
            if faults or verdict.is_right:
                said.add(f"{act}: {verdict.step} {faults}")
        for act in self.following(position):
            after = position.copied()
            self.machine.apply(after, act)
            said.add(f"{replace(act, total=None)} leads to {likeness(after)}")
        return said

    def _enter(self, number: int, position: Position) -> None:
        self.found.entered += 1
        if position.state == "over":
            return
        moment = Moment(position, Act("wait"))
        self.found.duties_together += sum(bool(duty.due(moment)) for duty in self._duties) >= 2
        for act in self.following(position, number):
            after = position.copied()
            verdict = self.machine.apply(after, act)
            for check in self.done:
                if wrong := check(after, verdict):
                    self.found.wrong.append((f"{act}: {wrong}", number))
            self.found.edges += 1
            self.found.onward[number].append(self._meet(after, number, act))

    def following(self, position: Position, number: int = -1) -> Iterator[Act]:
        """Yield what may happen next: the players' choices if they have one, else the dealer's acts with each card."""
        choices = events(self.machine, position, self.small.hands)
        if choices:
            yield from choices
            return
        lawful = self._lawful(position, number)
        for act in lawful if self.small.every_way else lawful[:1]:
            if act.verb in CARD_VERBS:
                yield from (act.with_card(card) for card in self.small.cards)
            else:
                yield act

    def _lawful(self, position: Position, number: int) -> list[Act]:
        """Judge every act a dealer may think of; keep the right ones that move the round on."""
        found = []
        for act in dealer_ways(position):
            try:
                verdict = self.machine.judge(position, act)
            except CannotHappen:
                continue
            self.found.judged += 1
            for check in self.judged:
                if wrong := check(position, verdict):
                    self.found.wrong.append((f"{act}: {wrong}", number))
            self.found.faults += verdict.severity == "fault"
            if verdict.is_right and _is_news(position, act):
                found.append(act)
                if not self.small.every_way:
                    break
        return found


def continuations(machine: HouseMachine, small: Small, depth: int) -> list[int]:
    """Count the ways a small round can go on, act by act, to a depth: the counts of a perft."""
    explorer = Explorer(machine, small)
    positions: dict[Any, tuple[Position, int]] = {}
    start = explorer.start()
    positions[likeness(start)] = (start, 1)
    counts = []
    for _ in range(depth):
        following: dict[Any, tuple[Position, int]] = {}
        for position, ways in positions.values():
            if position.state == "over":
                continue
            for act in explorer.following(position):
                after = position.copied()
                explorer.machine.apply(after, act)
                key = likeness(after)
                known = following.get(key)
                following[key] = (after, ways + (known[1] if known else 0))
        positions = following
        counts.append(sum(ways for _, ways in positions.values()))
    return counts
