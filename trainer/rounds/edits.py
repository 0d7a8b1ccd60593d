"""Edits of a record: what a dealer may have left out, done too much, in the wrong order or in the wrong way.

Candidates only, each with its cost: the search in ``explain`` tries them on the machine. Players' acts are given; a
card stays with the act that dealt it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache

from trainer.actions import Act, Role
from trainer.cards import DECK, Card, total
from trainer.procedure.conditions import bearing_of, motion_of
from trainer.procedure.machine import HouseMachine
from trainer.procedure.model import Bearing, Ruling, Weight
from trainer.procedure.moment import Moment, Position
from trainer.procedure.verdicts import Verdict
from trainer.table import CannotHappen

KINDS = ("wrong detail", "swapped", "omitted", "extra")
ONE_SLIP = 10
"""What any edit costs before its weight: fewer slips beat lighter ones."""
LET_STAND = 5
"""What it costs on top to let a wrong act stand, which is less than a second slip."""
GIVEN_UP = 40
"""What it costs to leave out a player's act that cannot happen; players' acts are given, so nearly anything is better."""
WEIGHTS = {Weight.MINOR: 1, Weight.MAJOR: 2, Weight.CRITICAL: 3}
CHEAPEST = ONE_SLIP + 1
CARD_VERBS = ("deal", "deal up", "deal hole", "draw")
_FAMILIES = (
    CARD_VERBS,
    ("pay", "take", "return", "push"),
    ("clear", "clear dealer"),
    ("call total", "call total dealer"),
    ("call blackjack", "call even money"),
)
_CALLS_OF_A_HAND = ("call blackjack", "call even money")
_NEVER_MISSED = ("wait", "call floor", "gesture tap")
DEALING = ("wagers", "dealing")
EARLY = (Ruling.OMITTED, Ruling.WRONG_TIME)
_TOO_MUCH = 2  # how odd it is to call an act too much rather than to say what was right instead
_BEFORE_ITS_CALL = 3  # how odd it is to have an act come before what a player did, which it may answer
_SETTLING = ("pay", "take", "return", "push", "clear")


@dataclass(frozen=True, slots=True)
class Item:
    """An act in its place; ``source`` is its number in the record from 0, -1 when an edit put it there.

    ``stands`` says that the floor lets a wrong act stand: it is carried out and nothing is held against it.
    """

    act: Act
    source: int = -1
    stands: bool = False


@dataclass(frozen=True, slots=True)
class Edit:
    """One change of a record: ``act`` was done (or left out), ``instead`` is right, ``near`` the act it stands by.

    ``source`` and ``near`` are numbers in the record from 0; ``near`` is -1 at the end. ``cost`` is a whole number;
    among equal costs the less ``odd`` edits win.
    """

    kind: str
    source: int
    act: Act
    cost: int
    instead: Act | None = None
    near: int = -1
    later: bool = False
    stands: bool = False
    unlike: bool = False
    odd: int = 0

    @property
    def order(self) -> tuple[int, int, str]:
        """The fixed order in which equally cheap edits are preferred: first those that fit what the verdict says."""
        rank = KINDS.index(self.kind) + 4 * self.unlike + 8 * self.stands
        return (rank, max(self.source, self.near), str(self.instead or self.act))


@dataclass(frozen=True, slots=True)
class Candidate:
    """An edit to be tried: the items from ``start`` on are replaced by ``items``; all but the last ``tail`` must be right."""

    edit: Edit
    start: int
    items: tuple[Item, ...]
    tail: int


@dataclass(frozen=True, slots=True)
class Own:
    """What the record's own judging says of its acts, by number from 0: the verdicts that are findings, what was judged."""

    findings: Mapping[int, Verdict] = field(default_factory=dict)
    judged: frozenset[int] = frozenset()

    def was_right(self, source: int) -> bool:
        """Tell whether an act was judged right as it was done; what was put in later was."""
        return source < 0 or (source in self.judged and source not in self.findings)

    def remedy(self, source: int) -> Act | None:
        """Return what the record's verdict says had to come before an act, if it was only too early."""
        verdict = self.findings.get(source)
        if verdict is None or not verdict.instead or verdict.ruling not in EARLY:
            return None
        return verdict.instead[0]

    def oddness(self, source: int, done: Act, right: Act) -> int:
        """Rate how far a right act lies from the act done: another hand, another wager, one no verdict speaks of."""
        if done.verb in CARD_VERBS:
            return 0
        verdict = self.findings.get(source)
        unsaid = verdict is not None and bare(right) not in verdict.instead
        return 9 * (done.place != right.place) + 5 * ((done.kind or "main") != (right.kind or "main")) + 3 * unsaid


def bare(act: Act) -> Act:
    """Return an act without its card."""
    return replace(act, card=None) if act.card is not None else act


@lru_cache(maxsize=4096)
def _weight(machine: HouseMachine, motion: str) -> int:
    house, found = machine.house, [1]
    for step in house.steps:
        if step.motion != motion:
            continue
        for use in step.uses:
            if use.rule is not None and bearing_of(house, use.evidence) is not Bearing.SILENT:
                found.append(WEIGHTS[use.rule.weight])
    return max(found)


def cost_of(machine: HouseMachine, position: Position, acts: tuple[Act, ...], stands: bool = False) -> int:
    """Return what an edit of these acts costs: one slip, and the gravest rule that the house puts on their rows."""
    weight = 1
    for act in acts:
        try:
            weight = max(weight, _weight(machine, motion_of(Moment(position, act))))
        except CannotHappen:
            continue
    return ONE_SLIP + weight + LET_STAND * stands


def alike(done: Act, right: Act) -> bool:
    """Tell whether doing the one for the other is a wrong detail: the same kind of movement, done otherwise."""
    if done.verb == right.verb:
        return True
    return any(done.verb in family and right.verb in family for family in _FAMILIES)


def with_card_of(act: Act, done: Act) -> Act:
    """Give a dealing act the card of the act it replaces."""
    return replace(act, card=done.card) if act.verb in CARD_VERBS else act


def missing_cards(position: Position, act: Act) -> Iterator[Act]:
    """Fill in every card that an omitted deal may have brought, told apart by what it can change."""
    if act.verb not in CARD_VERBS:
        yield act
        return
    for rank in "5678423TKA9":
        yield act.with_card(DECK[rank + "s"])
    for card in _pairing(position, act):
        yield act.with_card(card)


def _pairing(position: Position, act: Act) -> list[Card]:
    """Cards that matter beyond their value: those that pair with the other card of a hand with a pairs wager."""
    if act.verb != "deal" or not position.table.spot(act.spot).side:
        return []
    cards = position.table.hand(act).cards
    return [DECK[cards[0].rank + suit] for suit in "shdc"] if len(cards) == 1 and cards[0].is_known else []


def fits(kind: str, verdict: Verdict | None) -> bool:
    """Tell whether a kind of edit answers what the verdict says: a left out act may also have come too late."""
    if verdict is None:
        return True
    said = stand_kind(verdict)
    return kind == said or (kind, said) in (("swapped", "omitted"), ("omitted", "swapped"))


def stand_kind(verdict: Verdict) -> str:
    """Name the kind of slip of an act that stands, by its ruling."""
    return {
        Ruling.OMITTED: "omitted",
        Ruling.WRONG_TIME: "swapped",
        Ruling.REPEATED: "extra",
        Ruling.NOT_HERE: "extra",
    }.get(verdict.ruling, "wrong detail")


@dataclass(frozen=True, slots=True)
class Here:
    """Where the first finding of a row of items lies, and what the machine allows there."""

    machine: HouseMachine
    items: tuple[Item, ...]
    index: int
    position: Position
    verdict: Verdict | None
    legal: Callable[[Position], list[Act]]
    own: Own

    @property
    def act(self) -> Act:
        return self.items[self.index].act

    @property
    def source(self) -> int:
        return self.items[self.index].source

    @property
    def tail(self) -> int:
        """How many items follow the finding."""
        return len(self.items) - self.index - 1

    @property
    def editable(self) -> bool:
        """Whether the act is the dealer's and stood in the record; players' acts are given."""
        return self.source >= 0 and self.act.role is Role.DEALER

    def cost(self, *acts: Act, stands: bool = False) -> int:
        return cost_of(self.machine, self.position, acts, stands)


def near_edits(here: Here) -> Iterator[Candidate]:
    """Yield the edits at a finding itself: other detail, an act left out or come late, too early, too much."""
    if here.editable:
        yield from _other_detail(here, here.index, here.items[here.index], here.position)
    legal = here.legal(here.position)
    remedy = here.own.remedy(here.source)
    for right in legal:
        # What the verdict says is missing at a hand comes before anything else that would make the hand disappear.
        if (
            right.verb == "clear"
            and right != remedy
            and remedy in legal
            and right.place == str(remedy and remedy.place)
        ):
            continue
        if right.verb not in _NEVER_MISSED:
            yield from _missed(here, right)
    if here.editable:
        yield from _later(here)
        edit = Edit("extra", here.source, here.act, here.cost(here.act), None, here.source, odd=_TOO_MUCH)
        yield Candidate(edit, here.index, here.items[here.index + 1 :], here.tail)
        if here.verdict is not None:
            yield _standing(here, here.verdict)
    elif here.source >= 0:
        edit = Edit("extra", here.source, here.act, GIVEN_UP, None, here.source)
        yield Candidate(edit, here.index, here.items[here.index + 1 :], here.tail)


def _other_detail(here: Here, index: int, one: Item, position: Position) -> Iterator[Candidate]:
    rest = here.items[index + 1 :]
    for right in (*here.legal(position), *_counted(position, one.act)):
        if alike(one.act, right) and right != bare(one.act):
            filled = with_card_of(right, one.act)
            cost = cost_of(here.machine, position, (one.act, right))
            odd = here.own.oddness(one.source, one.act, right)
            edit = Edit("wrong detail", one.source, one.act, cost, filled, one.source, odd=odd)
            yield Candidate(edit, index, (Item(filled, one.source), *rest), here.tail)


def _counted(position: Position, act: Act) -> Iterator[Act]:
    """Yield a call of the same hand with the total that lies there: a house may leave the call itself open."""
    if act.verb == "call total":
        spot = position.table.spots.get(act.spot)
        # A hand of a split that the record lacks can be called, and has no cards.
        if spot is not None and act.hand <= len(spot.hands) and position.table.hand(act).cards:
            yield replace(act, total=position.table.hand(act).total)
    elif act.verb == "call total dealer" and position.table.dealer.shown:
        yield replace(act, total=total(position.table.dealer.shown)[0])


def _missed(here: Here, right: Act) -> Iterator[Candidate]:
    """Yield an act that belongs before the finding: done too late, or not at all."""
    found, rest = here.items[here.index], here.items[here.index + 1 :]
    late = next((k for k, one in enumerate(rest) if one.source >= 0 and bare(one.act) == right), None)
    if late is not None:
        moved = rest[late]
        edit = Edit("swapped", moved.source, moved.act, here.cost(moved.act), None, here.source)
        yield Candidate(edit, here.index, (moved, found, *rest[:late], *rest[late + 1 :]), here.tail - 1)
    said = here.own.findings.get(here.source)
    unsaid = int(said is not None and right not in said.instead)
    for filled in missing_cards(here.position, right):
        edit = Edit("omitted", -1, right, here.cost(right), right, here.source, odd=unsaid)
        yield Candidate(edit, here.index, (Item(filled), found, *rest), here.tail)


def _standing(here: Here, verdict: Verdict) -> Candidate:
    """Let the act stand as it was done: what lies there lies there, and the round goes on from it."""
    cost = here.cost(here.act, stands=True)
    edit = Edit(stand_kind(verdict), here.source, here.act, cost, None, here.source, stands=True)
    return Candidate(edit, here.index, (Item(here.act, here.source, True), *here.items[here.index + 1 :]), here.tail)


_REACH = 8


def _later(here: Here) -> Iterator[Candidate]:
    """Yield the act moved to after each of the next acts."""
    items, index = here.items, here.index
    for stop in range(index + 2, min(len(items), index + 1 + _REACH) + 1):
        after = items[stop - 1]
        if after.source >= 0:
            edit = Edit("swapped", here.source, here.act, here.cost(here.act), None, after.source, later=True)
            moved = (*items[index + 1 : stop], items[index], *items[stop:])
            yield Candidate(edit, index, moved, len(items) - stop)


def far_edits(here: Here, positions: list[Position]) -> Iterator[Candidate]:
    """Yield edits of earlier acts: in another order, one left out, or a card of the deal gone astray.

    Any other act that was judged right is never called wrong in itself, whatever it would spare later: an own card drawn
    as the house draws is no slip because a total was miscounted afterwards. Where the order is open, a card dealt or a
    blackjack called in a neighbour's place shows only later.
    """
    for index in range(here.index - 1, -1, -1):
        one = here.items[index]
        if one.source < 0 or one.stands or one.act.role is not Role.DEALER:
            continue
        position = positions[index]
        if here.index - index <= _REACH:
            yield from _out_of_order(here, index, one, position)
            yield from _missed_before(here, index, position)
            if one.act.verb in _CALLS_OF_A_HAND:
                yield from _other_detail(here, index, one, position)
        if here.own.was_right(one.source) and (one.act.verb == "draw" or position.state not in DEALING):
            continue
        if one.act.verb in CARD_VERBS or (one.act.verb in _SETTLING and one.act.spot in (here.act.spot, 0)):
            yield from _gone_astray(here, index, one, position)


def _gone_astray(here: Here, index: int, one: Item, position: Position) -> Iterator[Candidate]:
    """Yield an earlier act done otherwise or left out; once play has begun, only where it concerns the finding's spot."""
    anywhere = here.position.state in DEALING or here.act.spot == 0 or one.act.spot == 0
    for found in _other_detail(here, index, one, position):
        right = found.edit.instead
        if anywhere or here.act.spot == one.act.spot or (right is not None and right.spot == here.act.spot):
            yield found
    if anywhere or here.act.spot == one.act.spot:
        cost = cost_of(here.machine, position, (one.act,))
        edit = Edit("extra", one.source, one.act, cost, None, one.source, odd=_TOO_MUCH)
        yield Candidate(edit, index, here.items[index + 1 :], here.tail)


def _missed_before(here: Here, index: int, position: Position) -> Iterator[Candidate]:
    """Yield an act of the same hand that could only be done earlier: what lies there since bars it now."""
    if here.act.verb not in ("clear", "clear dealer", "start"):
        return
    near, rest = here.items[index].source, here.items[index:]
    now = here.legal(here.position)
    for right in here.legal(position):
        if right.verb in _SETTLING and right.spot == (here.act.spot or right.spot) and right not in now:
            edit = Edit("omitted", -1, right, cost_of(here.machine, position, (right,)), right, near)
            yield Candidate(edit, index, (Item(right), *rest), here.tail)


def _out_of_order(here: Here, index: int, one: Item, position: Position) -> Iterator[Candidate]:
    items, after = here.items, here.items[here.index + 1 :]
    if here.editable:
        answered = any(passed.act.role is Role.PLAYER for passed in items[index : here.index])
        cost = cost_of(here.machine, position, (here.act,))
        edit = Edit("swapped", here.source, here.act, cost, None, one.source, odd=_BEFORE_ITS_CALL * answered)
        yield Candidate(edit, index, (items[here.index], *items[index : here.index], *after), here.tail)
    cost = cost_of(here.machine, position, (one.act,))
    edit = Edit("swapped", one.source, one.act, cost, None, here.source, later=True)
    yield Candidate(edit, index, (*items[index + 1 : here.index + 1], one, *after), here.tail)
