"""The felt and the round's ledger: what lies where, what was called, asked and answered."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from operator import attrgetter
from typing import Any, TypeVar

from trainer.actions import Act
from trainer.cards import Card, is_ace_and_ten, total

T = TypeVar("T")
MAIN_KINDS = ("main", "bust", "split", "double")
ON_THE_HAND = ("main", "split", "double")


_READ: dict[type, attrgetter[tuple[Any, ...]]] = {}


def _twin(thing: T) -> T:
    """Return a shallow copy of a slotted dataclass, far quicker than ``copy.copy``: records are explained on copies."""
    kind = type(thing)
    read = _READ.get(kind)
    if read is None:
        read = _READ[kind] = attrgetter(*[one.name for one in fields(kind)])  # type: ignore[arg-type]
    return kind(*read(thing))


class CannotHappen(ValueError):
    """An act that no table can see: a card from a spot that is not there, chips that do not lie there."""


@dataclass(slots=True, eq=False)
class Stack:
    """Chips of one kind at one place. ``amount`` lies there now, ``staked`` was put down, ``net`` is the player's result.

    ``unnamed`` tells that chips were taken without a word on their kind.
    """

    kind: str
    amount: int
    staked: int
    net: int = 0
    settled: bool = False
    flag: str = ""
    over: int = 0
    void: bool = False
    halved: bool = False
    unnamed: bool = False

    @property
    def lies(self) -> bool:
        return self.amount > 0


@dataclass(slots=True, eq=False)
class Hand:
    """A player's hand: its cards and wagers, and what the ledger says of it."""

    cards: list[Card] = field(default_factory=list)
    stacks: dict[str, Stack] = field(default_factory=dict)
    faces_down: int = 0
    cleared: bool = False
    from_split: bool = False
    from_aces: bool = False
    laid: bool = False
    stood: bool = False
    doubled: bool = False
    surrendered: bool = False
    asked: bool = False
    turn_asked: bool = False
    total_called: bool = False
    called_blackjack: bool = False
    even_money: bool = False
    pushed: bool = False
    acted: bool = False
    drawn: bool = False
    other_sign: bool = False

    @property
    def total(self) -> int:
        return total(self.cards)[0]

    @property
    def is_soft(self) -> bool:
        return total(self.cards)[1]

    @property
    def is_bust(self) -> bool:
        return self.total > 21

    @property
    def is_blackjack(self) -> bool:
        return not self.from_split and is_ace_and_ten(self.cards)

    @property
    def was_blackjack(self) -> bool:
        """Whether a blackjack got a card by mistake: no decision is due on it."""
        return len(self.cards) > 2 and not self.from_split and is_ace_and_ten(self.cards[:2])

    @property
    def is_bust_wager(self) -> bool:
        return "bust" in self.stacks

    @property
    def on_hand(self) -> list[Stack]:
        """The main, split and double money of this hand, settled or not, in this order."""
        return [self.stacks[kind] for kind in ON_THE_HAND if kind in self.stacks]

    @property
    def lying(self) -> int:
        """Cents of main, split and double money that lie there now."""
        return sum(stack.amount for stack in self.on_hand)

    @property
    def has_cards(self) -> bool:
        return bool(self.cards) and not self.cleared

    @property
    def is_settled(self) -> bool:
        """Whether all wagers on the hand itself (bust wager included) were settled."""
        return all(stack.settled for kind, stack in self.stacks.items() if kind in MAIN_KINDS)

    def copied(self) -> Hand:
        other = _twin(self)
        other.cards = self.cards.copy()
        other.stacks = {kind: _twin(stack) for kind, stack in self.stacks.items()}
        return other


@dataclass(slots=True, eq=False)
class Spot:
    """A wagered place: its hands (one until a split), its side wagers, its player."""

    number: int
    player: str = ""
    hands: list[Hand] = field(default_factory=lambda: [Hand()])
    side: dict[str, Stack] = field(default_factory=dict)
    answer: str = ""
    asked_even_money: bool = False
    first_two: tuple[Card, ...] = ()

    @property
    def is_wagered(self) -> bool:
        stacks = self.hands[0].stacks
        return "main" in stacks or "bust" in stacks

    @property
    def is_split(self) -> bool:
        return len(self.hands) > 1

    @property
    def original(self) -> int:
        """Cents of the first main wager of the spot."""
        first = self.hands[0].stacks
        stack = first.get("main") or first.get("bust")
        return stack.staked if stack else 0

    def copied(self) -> Spot:
        other = _twin(self)
        other.hands = [hand.copied() for hand in self.hands]
        other.side = {kind: _twin(stack) for kind, stack in self.side.items()}
        return other


@dataclass(slots=True, eq=False)
class DealerHand:
    """The dealer's own cards; ``hole`` is the index of the one face down, -1 when none lies face down."""

    cards: list[Card] = field(default_factory=list)
    hole: int = -1
    up: Card | None = None
    turned: bool = False
    cleared: bool = False

    @property
    def has_hole(self) -> bool:
        return self.hole >= 0

    @property
    def shown(self) -> list[Card]:
        return [card for index, card in enumerate(self.cards) if index != self.hole]

    @property
    def total(self) -> int:
        return total(self.cards)[0]

    @property
    def is_soft(self) -> bool:
        return total(self.cards)[1]

    @property
    def is_bust(self) -> bool:
        return self.total > 21

    @property
    def is_blackjack(self) -> bool:
        """Whether the first two cards are a blackjack; cards drawn to it by mistake take nothing from it."""
        return is_ace_and_ten(self.cards[:2])


@dataclass(slots=True, frozen=True)
class Request:
    """What a player asked for and nobody has answered yet: a wager put down, a decision, a hand reaching for cards.

    ``unmet`` are the guard uses that spoke against it when it came (opaque here).
    """

    what: str
    spot: int
    hand: int
    amount: int = 0
    valid: bool = True
    unmet: tuple[object, ...] = ()


@dataclass(slots=True, eq=False)
class Ledger:
    """What was called, asked, answered and looked at this round."""

    insurance_called: bool = False
    insurance_closed: bool = False
    looked: str = ""
    peeks: int = 0
    stopped: bool = False
    third_card: bool = False
    third_cards: frozenset[int] = frozenset()
    play_begun: bool = False
    focus: tuple[int, int] = (0, 0)
    request: Request | None = None
    waiting: tuple[Request, ...] = ()
    offers: tuple[Request, ...] = ()
    last_dealt: int = 0
    first_dealt: int = 0
    missed: frozenset[tuple[str, tuple[int, int]]] = frozenset()
    waived: frozenset[str] = frozenset()
    ruling: str = ""
    floor_called: bool = False
    ended: bool = False

    @property
    def requests(self) -> tuple[Request, ...]:
        """Every decision asked for and not carried out yet, the last one first."""
        return (self.request, *self.waiting) if self.request else self.waiting

    def asked_by(self, spot: int, hand: int) -> Request | None:
        """Return what a hand has asked for and not been given yet."""
        if self.request is None and not self.waiting:
            return None
        return next((one for one in self.requests if one.spot == spot and one.hand == hand), None)

    def ask(self, request: Request) -> None:
        """Note what a hand asks for; what others asked for waits, what it asked for itself is gone."""
        self.drop(request.spot, request.hand)
        self.waiting = self.requests
        self.request = request

    def drop(self, spot: int, hand: int) -> None:
        """Forget what a hand asked for."""
        left = tuple(one for one in self.requests if (one.spot, one.hand) != (spot, hand))
        self.request, self.waiting = (left[0], left[1:]) if left else (None, ())

    def make_room(self, spot: int, hand: int) -> None:
        """Let the hands after one of a split spot move up by one in what they asked for."""
        moved = [
            replace(one, hand=one.hand + 1) if one.spot == spot and one.hand > hand else one for one in self.requests
        ]
        self.request, self.waiting = (moved[0], tuple(moved[1:])) if moved else (None, ())


@dataclass(slots=True, eq=False)
class Table:
    """Felt, ledger, rack and discards of one round. Chips: rack + felt + players' pockets never changes."""

    places: int = 7
    spots: dict[int, Spot] = field(default_factory=dict)
    dealer: DealerHand = field(default_factory=DealerHand)
    ledger: Ledger = field(default_factory=Ledger)
    rack: int = 0
    pockets: int = 0
    discards: list[Card] = field(default_factory=list)
    dealt: int = 0
    round: int = 1
    players: dict[int, str] = field(default_factory=dict)
    # What was read off the felt, kept by a driver that judges much; whatever moves a card or a chip empties it.
    memo: dict[Any, Any] | None = field(default=None, repr=False)

    def copied(self) -> Table:
        """Return an independent copy."""
        other = _twin(self)
        other.spots = {number: spot.copied() for number, spot in self.spots.items()}
        other.dealer = _twin(self.dealer)
        other.dealer.cards = self.dealer.cards.copy()
        other.ledger = _twin(self.ledger)
        other.discards = self.discards.copy()
        other.memo = None
        return other

    @property
    def wagered(self) -> list[Spot]:
        """The wagered spots from the dealer's left."""
        if self.memo is not None:
            found: list[Spot] | None = self.memo.get("wagered")
            if found is None:
                found = self.memo["wagered"] = [one for one in self.spots.values() if one.is_wagered]
            return found
        return [one for one in self.spots.values() if one.is_wagered]

    def hands(self) -> list[tuple[Spot, Hand]]:
        """Every hand of every wagered spot, from the dealer's left, in the order of play."""
        return [(spot, hand) for spot in self.wagered for hand in spot.hands]

    def spot(self, number: int) -> Spot:
        """Return a spot of the table."""
        found = self.spots.get(number)
        if found is None:
            raise CannotHappen(f"the table has {self.places} places; there is no spot {number}")
        return found

    def __post_init__(self) -> None:
        if not self.spots:
            self.lay_out()

    def lay_out(self) -> None:
        """Lay the places out empty."""
        self.spots = {
            number: Spot(number, self.players.get(number, f"player {number}")) for number in range(1, self.places + 1)
        }

    def hand(self, act: Act) -> Hand:
        """Return the hand an act speaks of."""
        spot, number = self.spots.get(act.spot), act.hand
        hands = spot.hands if spot is not None else self.spot(act.spot).hands
        if number > len(hands):
            raise CannotHappen(f"spot {act.spot} has no hand {act.place}")
        return hands[number - 1 if number else 0]

    @property
    def on_felt(self) -> int:
        """Cents lying on the layout."""
        lying = 0
        for spot in self.spots.values():
            lying += sum(stack.amount for stack in spot.side.values())
            lying += sum(stack.amount for hand in spot.hands for stack in hand.stacks.values())
        return lying

    @property
    def has_cards(self) -> bool:
        """Whether any card lies on the layout."""
        if self.dealer.cards and not self.dealer.cleared:
            return True
        return any(hand.cards and not hand.cleared for spot in self.spots.values() for hand in spot.hands)

    @property
    def cards_on_felt(self) -> int:
        return sum(len(h.cards) for s in self.spots.values() for h in s.hands if not h.cleared) + (
            0 if self.dealer.cleared else len(self.dealer.cards)
        )

    def net(self) -> dict[str, int]:
        """Return each player's result so far in cents, by hand (``3``, or ``3a`` and ``3b`` after a split)."""
        out: dict[str, int] = {}
        for spot in self.wagered:
            for index, hand in enumerate(spot.hands):
                name = f"{spot.number}{'abcdefgh'[index] if spot.is_split else ''}"
                out[name] = sum(stack.net for stack in hand.stacks.values())
                if index == 0:
                    out[name] += sum(stack.net for stack in spot.side.values())
        return out

    # -- movements of chips, each from one place to another -----------------------------------------------------

    def put_down(self, stacks: dict[str, Stack], kind: str, amount: int, flag: str = "") -> Stack:
        """Move chips from a player's pocket to the layout."""
        self.pockets -= amount
        found = stacks.get(kind)
        if found is None or found.settled:
            found = stacks[kind] = Stack(kind, 0, 0)
        found.amount += amount
        found.staked += amount
        found.flag = flag or found.flag
        return found

    def pick_up(self, stack: Stack, amount: int | None = None) -> None:
        """Move chips from the layout back to their player."""
        moved = stack.amount if amount is None else min(amount, stack.amount)
        stack.amount -= moved
        self.pockets += moved
        stack.settled = stack.settled or not stack.amount

    def win(self, stack: Stack, amount: int) -> None:
        """Move winnings from the rack to a player; the stake goes with them."""
        self.rack -= amount
        self.pockets += amount
        stack.net += amount
        self.pick_up(stack)
        stack.settled = True

    def lose(self, stack: Stack, amount: int) -> None:
        """Move chips from the layout (what is beyond them, from the player's pocket) into the rack."""
        lying = min(amount, stack.amount)
        stack.amount -= lying
        self.pockets -= amount - lying
        self.rack += amount
        stack.net -= amount
        stack.settled = stack.settled or not stack.amount


def side_or_hand(table: Table, act: Act) -> list[Stack]:
    """Return the stacks a pay, take or return speaks of, unsettled ones first; empty when nothing was wagered."""
    hand = table.hand(act)
    if act.kind in ("", *MAIN_KINDS):
        if act.kind:
            found = hand.stacks.get(act.kind)
            return [found] if found else []
        return hand.on_hand or [stack for kind, stack in hand.stacks.items() if kind == "bust"]
    found = table.spot(act.spot).side.get(act.kind)
    return [found] if found else []
