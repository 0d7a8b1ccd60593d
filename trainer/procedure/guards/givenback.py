"""Giving wagers back, and bust wagers: only what is owed back goes back."""

from __future__ import annotations

from trainer.chips import Odds, dollars
from trainer.procedure.guards.registry import (
    guard,
    time_guard,
)
from trainer.procedure.guards.settlement import (
    bust_money,
    dealer_has_a_blackjack,
    may_go_back_broken,
    other_split_money_lies,
    split_21,
)
from trainer.procedure.moment import (
    Moment,
)
from trainer.procedure.settle import stack_due


@guard
def lost_bust_wager_is_not_given_back(m: Moment) -> str | None:
    """Fail when a bust wager is pushed or given back although its hand is not past 21."""
    if not bust_money(m) or m.hand.is_bust:
        return None
    return f"the hand of spot {m.act.spot} is not past 21: its bust wager is taken"


@guard
def won_bust_wager_is_not_given_back(m: Moment) -> str | None:
    """Fail when a bust wager is pushed or given back although its hand is past 21."""
    if not bust_money(m) or not m.hand.is_bust:
        return None
    return f"the hand of spot {m.act.spot} is past 21: its bust wager is paid"


def _given_back_to_a_blackjack(m: Moment) -> str:
    """The kind of a wager that is given back although the dealer's blackjack takes it, '' when none is."""
    if not dealer_has_a_blackjack(m) or m.hand.is_blackjack or not m.lying:
        return ""
    if split_21(m) and m.house.is_("dealer-blackjack-takes-split-money") == "yes":
        return ""
    first = m.lying[0]
    return first.kind if stack_due(m.position, m.spot, m.hand, first).do == "take" else ""


@guard
def original_wager_is_not_given_back(m: Moment) -> str | None:
    given = _given_back_to_a_blackjack(m)
    lost = given == "main" and (m.act.verb == "push" or not other_split_money_lies(m))
    stands_for_it = (
        given == "split" and not m.hand.is_bust and m.house.is_("dealer-blackjack-takes-split-money") == "no"
    )
    return "the dealer has a blackjack: the wager is lost" if lost or stands_for_it else None


@guard
def added_money_is_not_given_back(m: Moment) -> str | None:
    added = _given_back_to_a_blackjack(m) in ("split", "double")
    return "the dealer has a blackjack: all money is lost" if added else None


def _lost_or_won(m: Moment) -> str:
    """What is due on an ordinary hand against the dealer's made hand: take, pay or anything else."""
    if not m.lying or m.hand.surrendered or m.hand.is_blackjack or dealer_has_a_blackjack(m):
        return ""
    if m.lying[0].void or m.lying[0].kind == "bust":
        return ""
    return stack_due(m.position, m.spot, m.hand, m.lying[0]).do


@guard
def lost_wager_is_not_given_back(m: Moment) -> str | None:
    return f"{m.act.where} has lost" if _lost_or_won(m) == "take" else None


@guard
def won_wager_is_not_given_back(m: Moment) -> str | None:
    won = _lost_or_won(m) == "pay" and not m.table.dealer.is_bust
    return f"{m.act.where} wins and is paid" if won else None


@guard
def wager_the_dealer_lost_is_not_given_back(m: Moment) -> str | None:
    won = _lost_or_won(m) == "pay" and m.table.dealer.is_bust
    return f"the dealer has {m.table.dealer.total}: {m.act.where} is paid" if won else None


@guard
def won_wager_is_paid_its_price(m: Moment) -> str | None:
    owed = stack_due(m.position, m.spot, m.hand, m.lying[0]).amount if _lost_or_won(m) == "pay" else 0
    return f"{dollars(owed)} is due on it" if owed else None


@guard
def broken_hand_gets_nothing_back(m: Moment) -> str | None:
    return f"{m.act.where} was past 21 before the blackjack was known" if may_go_back_broken(m) else None


@guard
def lost_bust_wager_is_taken_whole(m: Moment) -> str | None:
    lying = sum(stack.amount for stack in m.lying)
    if m.act.amount == lying or not m.lying:
        return None
    return f"{dollars(lying)} is lost, {dollars(m.act.amount or 0)} was taken"


@guard
def bust_wager_has_busted(m: Moment) -> str | None:
    return None if m.hand.is_bust else f"the hand of spot {m.act.spot} is not past 21"


@guard
def bust_wager_has_not_busted(m: Moment) -> str | None:
    return f"the hand of spot {m.act.spot} is past 21: the bust wager wins" if m.hand.is_bust else None


@time_guard
def bust_wager_hand_is_drawn(m: Moment) -> str | None:
    hand = m.hand
    if hand.is_bust or hand.total >= 17 or dealer_has_a_blackjack(m) or m.table.ledger.looked == "blackjack":
        return None
    return f"the hand of spot {m.act.spot} has {hand.total} and is not drawn out"


@guard
def price_is_the_bust_price(m: Moment) -> str | None:
    if not m.lying or not m.hand.is_bust or "bust-wager-odds" not in m.house.settings:
        return None
    odds = Odds.read(m.house.is_("bust-wager-odds"))
    owed = sum(odds.on(stack.staked) for stack in m.lying)
    if m.act.amount == owed:
        return None
    return f"the bust wager pays {odds}: {dollars(owed)} is due, {dollars(m.act.amount or 0)} was paid"
