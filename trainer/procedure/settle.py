"""What is due on each wager: paid, taken, given back or pushed, in exact cents, by the house's settings."""

from __future__ import annotations

from dataclasses import dataclass

from trainer.chips import Odds
from trainer.procedure.model import House
from trainer.procedure.moment import Position, dealer_must_draw
from trainer.procedure.sides import side_due
from trainer.table import Hand, Spot, Stack, Table

WAIT = "wait"


@dataclass(frozen=True, slots=True)
class Due:
    """What settles one stack: ``do`` is pay, take, return, push, half or wait; ``amount`` in cents is what moves."""

    do: str
    amount: int = 0

    @property
    def net(self) -> int:
        """The player's result in cents."""
        if self.do == "pay":
            return self.amount
        if self.do in ("take", "half"):
            return -self.amount
        return 0


def to_move(stack: Stack, due: Due) -> int:
    """Return the cents to move now: never more is taken or given back than still lies there."""
    return min(due.amount, stack.amount) if due.do in ("take", "return") else due.amount


def dealer_is_known(table: Table, hidden: bool) -> bool:
    """Tell whether the dealer's two cards are known: turned, looked at, or (``hidden``) lying there at all."""
    dealer = table.dealer
    if dealer.turned or table.ledger.looked:
        return True
    return hidden and len(dealer.cards) >= 2 and all(card.is_known for card in dealer.cards)


def hand_due(position: Position, spot: Spot, hand: Hand, stack: Stack, hidden: bool = False) -> Due:
    """Return what is due on a main, split, double or bust wager.

    ``hidden`` reckons with the hole card although nobody may have seen it (for money effects after the fact).
    """
    table, house = position.table, position.house
    dealer = table.dealer
    known = dealer_is_known(table, hidden)
    may_be_blackjack = dealer.up is not None and (dealer.up.is_ace or dealer.up.is_ten)
    dealer_blackjack = known and dealer.is_blackjack
    amount = stack.staked
    if stack.void or (stack.kind == "bust" and "bust-wager-odds" not in house.settings):
        # What the house may not take, or has no price for, goes back.
        return Due("return", amount)
    if stack.kind == "bust":
        return _bust_wager_due(position, spot, hand, amount, dealer_blackjack)
    if hand.surrendered:
        if may_be_blackjack and dealer_blackjack:
            return Due("take", amount)
        if may_be_blackjack and not known:
            return Due(WAIT)
        return Due("half", half_down(amount, position.options.chips))
    if hand.is_bust:
        return Due("take", amount)
    if hand.is_bust_wager:
        return _versus(position, spot, hand, stack, known, dealer_blackjack)
    up_is_ace = dealer.up is not None and dealer.up.is_ace
    if hand.is_blackjack and hand.even_money and up_is_ace and house.is_("even-money") == "under an ace":
        return Due("pay", amount)
    if hand.is_blackjack:
        if may_be_blackjack and not known:
            return Due(WAIT)
        return Due("push") if dealer_blackjack else Due("pay", blackjack_odds(house).on(amount))
    return _versus(position, spot, hand, stack, known, dealer_blackjack)


def half_down(amount: int, chips: tuple[int, ...]) -> int:
    """Return the half the house takes at a surrender (exact where cents allow; see D-94 for odd chips)."""
    return amount // 2


def blackjack_odds(house: House) -> Odds:
    return Odds.read(house.is_("blackjack-odds"))


def original_hand(spot: Spot) -> Hand:
    """Return the hand of a split spot whose main money a dealer blackjack takes as the original wager (D-88).

    It is the first one, unless that one's wager went back or another's was taken instead, not named as split money.
    """
    first, *others = spot.hands
    main = first.stacks.get("main")
    if not others or main is None or first.is_bust or first.pushed or main.net < 0:
        return first
    split = [(hand, hand.stacks["split"]) for hand in others if "split" in hand.stacks and not hand.is_bust]
    taken = next((hand for hand, stack in split if stack.net < 0 and stack.unnamed), None)
    if taken is None and main.settled:
        taken = next((hand for hand, stack in split if not stack.settled), None)
    return taken or first


def _versus(position: Position, spot: Spot, hand: Hand, stack: Stack, known: bool, dealer_blackjack: bool) -> Due:
    table, house = position.table, position.house
    dealer, kind, amount = table.dealer, stack.kind, stack.staked
    if dealer_blackjack:
        if kind in ("main", "split") and house.is_("dealer-blackjack-takes-split-money") == "no":
            return Due("take" if hand is original_hand(spot) else "return", amount)
        if kind == "double" and house.is_("dealer-blackjack-takes-double-money") == "no":
            return Due("return", amount)
        return Due("take", amount)
    if not dealer.turned and not (known and len(dealer.cards) > 2):
        return Due(WAIT)
    if not (dealer.is_bust or table.ledger.stopped or not dealer_must_draw(house, table)):
        return Due(WAIT)
    if dealer.is_bust or hand.total > dealer.total:
        return Due("pay", amount)
    if hand.total == dealer.total:
        return Due("push")
    return Due("take", amount)


def _bust_wager_due(position: Position, spot: Spot, hand: Hand, amount: int, dealer_blackjack: bool) -> Due:
    if hand.is_bust:
        return Due("pay", Odds.read(position.house.is_("bust-wager-odds")).on(amount))
    if len(hand.cards) >= 2 and (hand.total >= 17 or dealer_blackjack):
        return Due("take", amount)
    return Due(WAIT)


def insurance_due(position: Position, stack: Stack, hidden: bool = False) -> Due:
    """Return what is due on an insurance wager."""
    table = position.table
    if stack.void:
        return Due("return", stack.staked)
    dealer = table.dealer
    if not dealer_is_known(table, hidden):
        return Due(WAIT)
    legal = stack.staked - stack.over
    if dealer.is_blackjack:
        return Due("pay", Odds.read(position.house.is_("insurance-odds")).on(legal))
    return Due("take", legal)


def release_pushes(position: Position, spot: Spot, hand: Hand) -> None:
    """Leave the wagers of an unannounced push to their player, as clearing its cards does."""
    for stack in hand.on_hand:
        if not stack.settled and stack_due(position, spot, hand, stack).do == "push":
            position.table.pick_up(stack)
            stack.settled = True


def is_left(position: Position, spot: Spot, hand: Hand, stack: Stack) -> bool:
    """Tell whether a stack still has to be moved; a push is done when its chips stay where they lie."""
    lies = stack.lies if stack.kind in spot.side else not stack.settled
    if not lies or stack.kind in ("nothing", "next round"):
        return False
    return stack_due(position, spot, hand, stack).do != "push"


def stack_due(position: Position, spot: Spot, hand: Hand, stack: Stack, hidden: bool = False) -> Due:
    """Return what is due on any stack of a spot."""
    if stack.kind in ("main", "split", "double", "bust"):
        return hand_due(position, spot, hand, stack, hidden)
    if stack.kind == "insurance":
        return insurance_due(position, stack, hidden)
    verdict = side_due(position, spot, stack, hidden)
    if verdict is None:
        return Due(WAIT)
    if verdict.void:
        return Due("return", stack.staked)
    return Due("pay", verdict.odds.on(stack.staked)) if verdict.odds else Due("take", stack.staked)


def hand_is_left(position: Position, spot: Spot, hand: Hand) -> bool:
    """Tell whether a wager on a hand still has to be moved."""
    return any(is_left(position, spot, hand, stack) for stack in hand.stacks.values())


def spot_is_left(position: Position, spot: Spot) -> bool:
    """Tell whether a wager of a spot, beside its hands or on them, still has to be moved."""
    beside = any(is_left(position, spot, spot.hands[0], stack) for stack in spot.side.values())
    return beside or any(hand_is_left(position, spot, hand) for hand in spot.hands)
