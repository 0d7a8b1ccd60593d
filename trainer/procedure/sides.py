"""Side wagers: closed lists of outcomes and of moments at which they are decided, so that a house can bring its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from trainer.cards import is_ace_and_ten, pair_kind
from trainer.chips import Odds
from trainer.procedure.model import SideWager
from trainer.procedure.moment import Position, dealer_must_draw, is_finished
from trainer.table import Hand, Spot, Stack, Table


@dataclass(frozen=True, slots=True)
class SideVerdict:
    """How a decided side wager ends: the odds it earns, or None when it is lost; ``outcome`` names the line."""

    odds: Odds | None
    outcome: str = ""
    void: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class SideView:
    """What an outcome reads: the spot and the table, with the hole card known or not."""

    position: Position
    spot: Spot
    hidden: bool

    @property
    def table(self) -> Table:
        return self.position.table

    @property
    def dealer_known(self) -> bool:
        dealer = self.table.dealer
        return dealer.turned or bool(self.table.ledger.looked) or (self.hidden and len(dealer.cards) >= 2)

    @property
    def dealer_blackjack(self) -> bool:
        return self.dealer_known and is_ace_and_ten(self.table.dealer.cards[:2])

    @property
    def dealer_done(self) -> bool:
        dealer = self.table.dealer
        if self.dealer_blackjack:
            return True
        return dealer.turned and (
            dealer.is_bust or self.table.ledger.stopped or not dealer_must_draw(self.position.house, self.table)
        )

    @property
    def blackjack(self) -> bool:
        return is_ace_and_ten(self.spot.first_two)

    @property
    def final(self) -> bool:
        """Whether the (first) hand has its final total: finished, past 21, or the round ended before it was played."""
        hand = self.spot.hands[0]
        if len(self.spot.first_two) < 2:
            return False
        return is_finished(self.position.house, self.spot, hand) or self.dealer_blackjack or self.table.dealer.turned

    @property
    def predicted(self) -> list[Spot]:
        """Every spot of this spot's player."""
        return [spot for spot in self.table.wagered if spot.player == self.spot.player]

    @property
    def on_every_spot(self) -> bool:
        return all("blackjack" in spot.side for spot in self.predicted)


Outcome = Callable[[SideView], bool]
OUTCOMES: dict[str, Outcome] = {
    "perfect pair": lambda view: pair_kind(*view.spot.first_two) == "perfect",
    "coloured pair": lambda view: pair_kind(*view.spot.first_two) == "coloured",
    "mixed pair": lambda view: pair_kind(*view.spot.first_two) == "mixed",
    "any pair": lambda view: pair_kind(*view.spot.first_two) != "",
    "suited cards": lambda view: view.spot.first_two[0].suit == view.spot.first_two[1].suit,
    "suited blackjack": lambda view: view.blackjack and view.spot.first_two[0].suit == view.spot.first_two[1].suit,
    "red cards": lambda view: all(card.is_red for card in view.spot.first_two),
    "black cards": lambda view: not any(card.is_red for card in view.spot.first_two),
    "two aces": lambda view: all(card.is_ace for card in view.spot.first_two),
    "total 17": lambda view: view.spot.hands[0].total == 17,
    "total 18": lambda view: view.spot.hands[0].total == 18,
    "total 19": lambda view: view.spot.hands[0].total == 19,
    "total 20": lambda view: view.spot.hands[0].total == 20,
    "total 21": lambda view: view.spot.hands[0].total == 21,
    "tie from 17 to 21": lambda view: (
        not _tie_is_lost(view) and view.spot.hands[0].total == view.table.dealer.total and not view.dealer_blackjack
    ),
    "triple blackjack": lambda view: (
        view.dealer_blackjack
        and len(view.predicted) == 2
        and view.on_every_spot
        and all(is_ace_and_ten(spot.first_two) for spot in view.predicted)
    ),
    "double blackjack": lambda view: view.blackjack and view.dealer_blackjack and view.on_every_spot,
    "single blackjack": lambda view: view.blackjack,
}


def _least_total(hand: Hand) -> int:
    """Return the total of a hand with each ace as one."""
    return sum(1 if card.is_ace else card.value for card in hand.cards)


def left_to_a_reading(position: Position, spot: Spot, kind: str) -> str:
    """Return the default by which a prediction is decided that the house's page does not decide, '' where it does."""
    reading = _reading(position, spot, kind)
    known = position.house.defaults.get(reading)
    return reading if known and position.house.slug in known.houses else ""


def _reading(position: Position, spot: Spot, kind: str) -> str:
    wager = side_wager(position, kind)
    if wager is None or wager.family not in ("number", "tie"):
        return ""
    view, hand = SideView(position, spot, False), spot.hands[0]
    if spot.is_split or hand.doubled:
        return "D-72"
    if wager.family == "tie":
        return "D-71" if view.blackjack or hand.is_bust_wager else ""
    if view.blackjack and any(outcome == "total 21" for outcome, _ in wager.pays):
        return "D-70"
    return "D-73a" if position.table.ledger.looked == "blackjack" else ""


def _tie_is_lost(view: SideView) -> bool:
    hand = view.spot.hands[0]
    return view.blackjack or hand.is_bust or hand.is_bust_wager or (view.final and hand.total < 17)


def _blackjack_is_decided(view: SideView) -> bool:
    if len(view.spot.first_two) < 2:
        return False
    up = view.table.dealer.up
    low = up is not None and not up.is_ace and not up.is_ten
    return not view.blackjack or low or view.dealer_known or not view.on_every_spot


DECIDED: dict[str, Callable[[SideView], bool]] = {
    "first two cards": lambda view: len(view.spot.first_two) == 2,
    "final total": lambda view: view.final,
    "dealer's total": lambda view: (
        len(view.spot.first_two) == 2 and (_tie_is_lost(view) or (view.final and view.dealer_done))
    ),
    "blackjack known": _blackjack_is_decided,
}


def side_wager(position: Position, kind: str) -> SideWager | None:
    """Return what the house says of a kind of side wager, None when no game of the house brings it."""
    for wagers in position.house.games.values():
        if kind in wagers:
            return wagers[kind]
    return None


def side_due(position: Position, spot: Spot, stack: Stack, hidden: bool = False) -> SideVerdict | None:
    """Return how a side wager ends, None while it is undecided."""
    memo = position.table.memo
    if memo is None:
        return _side_due(position, spot, stack, hidden)
    # While nothing moves no stack goes, so that its number stays its own.
    asked = (id(stack), hidden)
    if asked not in memo:
        memo[asked] = _side_due(position, spot, stack, hidden)
    found: SideVerdict | None = memo[asked]
    return found


def _side_due(position: Position, spot: Spot, stack: Stack, hidden: bool) -> SideVerdict | None:
    if stack.void:
        return SideVerdict(None, void=True)
    wager = side_wager(position, stack.kind)
    if wager is None:
        return None
    view = SideView(position, spot, hidden)
    if not DECIDED[wager.settles](view):
        # A number that the hand has passed can no longer win (D-69), unless it may still be split.
        hand = spot.hands[0]
        pair = len(hand.cards) == 2 and hand.cards[0].value == hand.cards[1].value
        totals = [int(outcome.removeprefix("total ")) for outcome, _ in wager.pays if outcome.startswith("total ")]
        passed = len(totals) == len(wager.pays) and not pair and _least_total(hand) > max(totals, default=0)
        return SideVerdict(None) if passed else None
    for outcome, odds in wager.pays:
        if OUTCOMES[outcome](view):
            return SideVerdict(odds, outcome)
    return SideVerdict(None)
