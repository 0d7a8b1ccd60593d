"""Explore every way a small round can go: few ranks, one or two spots, every choice of a player, every lawful act.

Positions that differ in nothing a rule reads are one position. What is explored is a graph; proofs are read off it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields, is_dataclass
from operator import attrgetter
from time import monotonic
from typing import Any

from trainer.actions import Act
from trainer.cards import DECK, Card
from trainer.procedure.bulk import BulkMachine
from trainer.procedure.machine import HouseMachine
from trainer.procedure.model import Bearing
from trainer.procedure.moment import Moment, Position, TableOptions
from trainer.procedure.verdicts import Verdict
from trainer.procedure.ways import dealer_ways, decision_hand
from trainer.table import CannotHappen, DealerHand, Hand, Spot, Table

CARD_VERBS = ("deal", "deal up", "deal hole", "draw")
# Words and gestures that may be said again and again move no round on.
IDLE = ("wait", "call floor", "gesture tap", "call total dealer", "warn", "refuse")
# What no rule reads: what went before, who sits there, where chips lie that are settled.
_UNREAD = {"rack", "pockets", "discards", "dealt", "round", "players", "memo", "player", "places", "peeks", "missed"}


@dataclass(frozen=True, slots=True)
class Small:
    """The abstraction of a round: which ranks the shoe has, which spots are wagered, how much, whose way is followed.

    ``sides`` are side wagers of ``side`` cents on each spot; a bust wager takes the place of the main one.
    """

    ranks: str
    spots: tuple[int, ...]
    wager: int
    every_way: bool
    games: frozenset[str] = frozenset()
    sides: tuple[str, ...] = ()
    side: int = 500

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
        return f"ranks {' '.join(self.ranks)}, {len(self.spots)} spot{'s' * (len(self.spots) > 1)}{sides}, {way}"


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


def essence(thing: Any) -> Any:
    """Return what rules can read of a position: ranks without suits or order, totals of drawn hands, nothing past."""
    kind = type(thing)
    reader = _READERS.get(kind)
    if reader is None:
        reader = _READERS[kind] = _reader(kind)
    return reader(thing)


def _reader(kind: type) -> Callable[[Any], Any]:
    if kind is Hand:
        hand_rest = _rest_of(kind, "cards")
        return lambda hand: (_cards(hand.cards), hand_rest(hand))
    if kind is DealerHand:
        own_rest = _rest_of(kind, "cards", "hole")
        return lambda own: (_cards(own.cards), len(own.cards) > 2 or own.hole, own_rest(own))
    if kind is Spot:
        spot_rest = _rest_of(kind, "first_two")
        return lambda spot: (_first_two(spot), spot_rest(spot))
    if kind is Card:
        return lambda card: card.rank
    if issubclass(kind, list | tuple):
        return lambda many: tuple(map(essence, many))
    if issubclass(kind, dict):
        return lambda named: tuple((key, essence(one)) for key, one in named.items())
    return _rest_of(kind) if is_dataclass(kind) else lambda plain: plain


_READERS: dict[type, Callable[[Any], Any]] = {}


def _first_two(spot: Spot) -> Any:
    # Only wagers beside the main one read the first two cards once more have come.
    return _cards(list(spot.first_two)) if len(spot.side) > ("insurance" in spot.side) else len(spot.first_two)


def _rest_of(kind: type, *but: str) -> Callable[[Any], Any]:
    """Return what reads the other fields of a kind of thing that any rule reads."""
    names = [one.name for one in fields(kind) if one.name not in _UNREAD and one.name not in but]
    read = attrgetter(*names)
    return (lambda thing: essence(read(thing))) if len(names) == 1 else lambda thing: tuple(map(essence, read(thing)))


def _cards(cards: list[Card]) -> Any:
    """Two cards by rank, in any order; of more only the total counts, and whether an ace may lower it."""
    if len(cards) <= 2:
        return tuple(sorted(card.rank for card in cards))
    return (3, sum(1 if card.is_ace else card.value for card in cards), any(card.is_ace for card in cards))


def events(machine: HouseMachine, position: Position) -> list[Act]:
    """Return every choice in order that the players have been given and not made yet."""
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
        Act("split", place["spot"], place["hand"], amount=spot.original),
        Act("surrender", place["spot"]),
    ]
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
    act and its verdict; each says what is wrong, or None.
    """

    def __init__(
        self, machine: HouseMachine, small: Small, judged: tuple[Check, ...] = (), done: tuple[Check, ...] = ()
    ) -> None:
        self.machine, self.small, self.judged, self.done = BulkMachine(machine), small, judged, done
        self.found = Explored(small)
        self._duties = [duty for duty in machine.house.duties if duty.bearing is Bearing.REFUSES]
        self._known: dict[Any, int] = {}
        self._front: list[tuple[int, Position]] = []

    def start(self) -> Position:
        """A fresh table with the small round's wagers on it."""
        house, small = self.machine.house, self.small
        options = TableOptions(house.places, house.minimum, house.maximum, house.chips, house.decks, small.games)
        position = Position(house, Table(house.places), options=options)
        for act in small.wagers:
            self.machine.apply(position, act)
        return position

    def explore(self, most: int, seconds: float) -> Explored:
        """Explore until nothing is new, or the bounds are reached; the last position met is entered first."""
        until = monotonic() + seconds
        self._meet(self.start(), -1, None)
        while self._front:
            if self.found.positions >= most or monotonic() > until:
                self.found.complete = False
                # Nothing is claimed of what was met and not entered.
                self.found.over |= {number for number, _ in self._front}
                break
            self._enter(*self._front.pop())
        return self.found

    def _meet(self, position: Position, parent: int, act: Act | None) -> int:
        key = (position.state, essence(position.table))
        number = self._known.get(key)
        if number is None:
            number = self._known[key] = self.found.positions
            self.found.positions += 1
            self.found.onward.append([])
            self.found.parents.append((parent, act))
            self._front.append((number, position))
            if position.state == "over":
                self.found.over.add(number)
                self.found.ended += 1
        return number

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
        choices = events(self.machine, position)
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
    positions[start.state, essence(start.table)] = (start, 1)
    counts = []
    for _ in range(depth):
        following: dict[Any, tuple[Position, int]] = {}
        for position, ways in positions.values():
            if position.state == "over":
                continue
            for act in explorer.following(position):
                after = position.copied()
                explorer.machine.apply(after, act)
                key = (after.state, essence(after.table))
                known = following.get(key)
                following[key] = (after, ways + (known[1] if known else 0))
        positions = following
        counts.append(sum(ways for _, ways in positions.values()))
    return counts
