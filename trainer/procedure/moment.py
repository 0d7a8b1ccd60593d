"""What can be read off a position: who is in turn, what is finished, what the dealer must do, what is known."""

from __future__ import annotations

from dataclasses import dataclass, field

from trainer.actions import Act, BadNotation, parse
from trainer.cards import Card, total
from trainer.procedure.marks import (
    BROKEN,
    CARDS,
    DEALING,
    FROM_ACES,
    FROM_SPLIT,
    OPEN,
    SIDE,
    SURRENDERED,
    TWO,
    UNSETTLED,
    Kept,
    all_marks,
    every_spot,
)
from trainer.procedure.model import House
from trainer.table import Hand, Request, Spot, Stack, Table, side_or_hand


@dataclass(frozen=True, slots=True)
class TableOptions:
    """What a scenario fixes for its table: places, minimum (cents), chips, games on, variations on or off."""

    places: int = 7
    minimum: int = 500
    maximum: int = 50000
    chips: tuple[int, ...] = (50, 100, 250, 500, 2500, 10000, 50000)
    decks: int = 6
    games: frozenset[str] = frozenset()
    variations: tuple[tuple[str, bool], ...] = ()
    colour_groups: tuple[tuple[str, ...], ...] = ()

    def variation(self, name: str) -> bool | None:
        return dict(self.variations).get(name)


@dataclass(slots=True, eq=False)
class Position:
    """State of the machine, table and house: everything a verdict depends on."""

    house: House
    table: Table
    state: str = "wagers"
    options: TableOptions = field(default_factory=TableOptions)

    def copied(self) -> Position:
        """Return an independent copy."""
        return Position(self.house, self.table.copied(), self.state, self.options)


class Moment:
    """A position and the act to be judged there. Guards and facts read it; they never change it."""

    __slots__ = ("act", "house", "options", "position", "state", "table")

    def __init__(self, position: Position, act: Act) -> None:
        self.position, self.act = position, act
        self.house, self.table, self.state, self.options = (
            position.house,
            position.table,
            position.state,
            position.options,
        )

    # -- the act's own place -----------------------------------------------------------------------------------

    @property
    def spot(self) -> Spot:
        return self.table.spot(self.act.spot)

    @property
    def hand(self) -> Hand:
        return self.table.hand(self.act)

    @property
    def index(self) -> int:
        """The hand's number at its spot, from 1."""
        return max(self.act.hand, 1)

    @property
    def key(self) -> tuple[int, int]:
        return (self.act.spot, self.index)

    @property
    def stacks(self) -> list[Stack]:
        return side_or_hand(self.table, self.act)

    @property
    def lying(self) -> list[Stack]:
        """The stacks the act speaks of that are not settled yet."""
        return [stack for stack in self.stacks if not stack.settled]

    # -- the dealer's hand -------------------------------------------------------------------------------------

    @property
    def up_is_ace(self) -> bool:
        up = self.table.dealer.up
        return up is not None and up.is_ace

    @property
    def up_is_ten(self) -> bool:
        up = self.table.dealer.up
        return up is not None and up.is_ten

    @property
    def up_is_low(self) -> bool:
        """Whether the up card is a 2 to 9, so that the dealer can have no blackjack."""
        up = self.table.dealer.up
        return up is not None and not up.is_ace and not up.is_ten

    @property
    def dealer_blackjack(self) -> bool:
        return self.table.dealer.is_blackjack

    @property
    def hole_turned(self) -> bool:
        return self.table.dealer.turned

    @property
    def hole_known(self) -> bool:
        """Whether the hole card was looked at or turned."""
        return self.table.dealer.turned or bool(self.table.ledger.looked)

    @property
    def must_draw(self) -> bool:
        return dealer_must_draw(self.house, self.table)

    @property
    def dealer_done(self) -> bool:
        """Whether the dealer's hand is complete: turned, and past 21, a blackjack, stopped, or with no draw due."""
        dealer = self.table.dealer
        return dealer.turned and (
            dealer.is_bust or self.dealer_blackjack or self.table.ledger.stopped or not self.must_draw
        )

    # -- the round ---------------------------------------------------------------------------------------------

    @property
    def looks_under_ace(self) -> bool:
        return self.house.is_("look-under-ace") == "yes"

    @property
    def deal_complete(self) -> bool:
        return deal_is_complete(self.house, self.table)

    @property
    def in_initial_deal(self) -> bool:
        return self.state in ("wagers", "dealing")


def ruled_act(house: House, table: Table) -> Act | None:
    """Return the act the floor has ruled in the notation; None when it has not ruled, or in other words."""
    if not table.ledger.ruling:
        return None
    try:
        return parse(table.ledger.ruling, house.kinds)
    except BadNotation:
        return None


def dealer_must_draw(house: House, table: Table) -> bool:
    """Tell whether the house's drawing rule sends the dealer on: 16 or less, and soft 17 where it is hit."""
    return _must_draw_to(house, table.dealer.cards)


def _must_draw_to(house: House, cards: list[Card]) -> bool:
    points, soft = total(cards)
    return points <= 16 or (points == 17 and soft and house.is_("soft-17") == "hit")


def cards_too_many(house: House, table: Table) -> int:
    """Return how many cards lie on the dealer's hand beyond the one with which it was complete."""
    cards = table.dealer.cards
    if not table.dealer.turned:
        return 0
    complete = next((count for count in range(2, len(cards)) if not _must_draw_to(house, cards[:count])), len(cards))
    return max(len(cards) - complete, 0)


def deal_is_complete(house: House, table: Table) -> bool:
    """Tell whether every wagered spot has two cards and the dealer's own hand lies as the house deals it."""
    wagered = table.wagered
    if not wagered or any(len(spot.hands[0].cards) < 2 and not spot.is_split for spot in wagered):
        return False
    return _own_cards_lie(house, table)


def _own_cards_lie(house: House, table: Table) -> bool:
    if house.is_("hole-card-dealt") == "after the players":
        return table.dealer.up is not None
    return len(table.dealer.cards) >= 2


def is_finished(house: House, spot: Spot, hand: Hand) -> bool:
    """Tell whether a hand needs no further decision or card (machine.md, *Finished*)."""
    if hand.cleared or hand.stood or hand.doubled or hand.surrendered or not hand.cards:
        return True
    points = hand.total
    if points > 21 or hand.is_settled:
        return True
    if len(hand.cards) < 2:
        return False
    if hand.is_bust_wager:
        return points >= 17
    return hand.from_aces or points == 21 or hand.was_blackjack


def is_live(hand: Hand) -> bool:
    """Tell whether a hand still plays against the dealer: not past 21, surrendered, settled nor a blackjack."""
    return (
        bool(hand.cards)
        and not hand.is_bust
        and not hand.surrendered
        and not hand.is_settled
        and not hand.is_blackjack
        and not hand.is_bust_wager
    )


def unfinished(house: House, table: Table) -> list[tuple[Spot, int, Hand]]:
    """Return the hands still to be played, in order: spot, hand number from 1, hand.

    A decision asked for and not yet carried out keeps its hand unfinished.
    """
    if table.memo is None:
        return _unfinished(house, table)
    found: list[tuple[Spot, int, Hand]] | None = table.memo.get("unfinished")
    if found is None:
        found = table.memo["unfinished"] = _unfinished(house, table)
    return found


def _unfinished(house: House, table: Table) -> list[tuple[Spot, int, Hand]]:
    out: list[tuple[Spot, int, Hand]] = []
    dealer = table.dealer
    if dealer.turned and dealer.is_blackjack:
        return out
    asking = {(one.spot, one.hand) for one in table.ledger.requests if _keeps_open(table, one)}
    for spot in table.wagered:
        for index, hand in enumerate(spot.hands, 1):
            if (spot.number, index) in asking or not is_finished(house, spot, hand):
                out.append((spot, index, hand))
    return out


def _keeps_open(table: Table, request: Request) -> bool:
    """Tell whether a request has to be carried out: a card for a 21, a doubled or a settled hand need not be given."""
    if not request.valid or request.what not in ("hit", "double", "split"):
        return False
    hand = table.spots[request.spot].hands[request.hand - 1]
    return request.what != "hit" or (hand.total < 21 and not hand.doubled and not hand.is_settled)


def bust_is_left(house: House, hand: Hand) -> bool:
    """Tell whether a hand past 21 is still to be handled: its wager lies, or cards that go with the wager."""
    if not hand.is_bust or hand.is_bust_wager:
        return False
    return bool(hand.lying) or (hand.has_cards and house.is_("losers-cards") != "after all wagers")


def all_even_money(table: Table) -> bool:
    """Tell whether every wagered spot has been settled by even money (D-84)."""
    return bool(table.wagered) and all(
        hand.even_money and hand.is_settled for spot in table.wagered for hand in spot.hands
    )


def derive_state(position: Position) -> str:
    """Read the state of the machine off felt and ledger; the only recovery after a wrong act."""
    table, house = position.table, position.house
    ledger, dealer = table.ledger, table.dealer
    if ledger.ended:
        return "over"
    spots = every_spot(table)
    wagered, every = all_marks(table, spots)
    if not (every & CARDS or (dealer.cards and not dealer.cleared)):
        return "over" if dealer.cards or _any_cards(table) else "wagers"
    if not dealer.turned and not ledger.play_begun:
        if not wagered or wagered & DEALING or not _own_cards_lie(house, table):
            return "dealing"
        under_ace = dealer.up is not None and dealer.up.is_ace
        if ledger.looked and under_ace and house.is_("look-under-ace") == "yes":
            return "peeked blackjack" if ledger.looked == "blackjack" else "peeked none"
        return "opening"
    dealer_blackjack = dealer.turned and dealer.is_blackjack
    rest = "" if dealer_blackjack else _playing(position, spots, bool(wagered & OPEN))
    if rest:
        return rest
    if not dealer.turned:
        return "hole"
    if not (ledger.stopped or dealer_blackjack or dealer.cleared or dealer.is_bust):
        return "draw"
    return "settle" if wagered & (UNSETTLED | SIDE) else "clear"


def _any_cards(table: Table) -> bool:
    """Whether a player's card lies or lay on the table, at a wagered spot or not."""
    return any(hand.cards for spot in table.spots.values() for hand in spot.hands)


def _playing(position: Position, spots: dict[int, Kept], is_open: bool) -> str:
    """The state within the players' turn, '' when every hand is finished and nothing is owed."""
    table, house = position.table, position.house
    ledger = table.ledger
    spot = table.spots.get(ledger.focus[0])
    request = ledger.request
    if request and request.valid and request.what in ("hit", "double", "split") and not table.dealer.turned:
        return request.what
    if spot and ledger.focus[1] <= len(spot.hands):
        hand, marks = spot.hands[ledger.focus[1] - 1], spots[spot.number][1][ledger.focus[1] - 1]
        if marks & FROM_SPLIT and marks & CARDS and not marks & TWO:
            return "split"
        if marks & FROM_ACES and any(one.from_aces and len(one.cards) == 1 for one in spot.hands):
            return "split"
        if not table.dealer.turned:
            if marks & BROKEN and bust_is_left(house, hand):
                return "bust"
            if marks & SURRENDERED and not _surrender_handled(position, hand):
                return "surrender"
    if is_open:
        return "turn"
    return "turn" if (request or ledger.waiting) and unfinished(house, table) else ""


def _surrender_handled(position: Position, hand: Hand) -> bool:
    up = position.table.dealer.up
    if up is not None and (up.is_ace or up.is_ten):
        return hand.laid or hand.is_settled
    return hand.is_settled


def is_all_settled(table: Table) -> bool:
    """Tell whether no wager of this round is left to settle."""
    for spot in table.wagered:
        if any(stack.lies and kind != "next round" for kind, stack in spot.side.items()):
            return False
        for hand in spot.hands:
            if any(not stack.settled for kind, stack in hand.stacks.items() if kind not in ("nothing", "next round")):
                return False
    return True
