"""Refusing: what is out of order may be refused, what is in order may not."""

from __future__ import annotations

from trainer.actions import DECISIONS
from trainer.procedure.guards.decisions import wager_of
from trainer.procedure.guards.registry import (
    fact,
    guard,
)
from trainer.procedure.moment import (
    Moment,
)
from trainer.table import Request


def _offered(m: Moment) -> Request | None:
    """Return the request or offer the refusal answers."""
    ledger = m.table.ledger
    asked = (*ledger.requests, *ledger.offers)
    mine = [one for one in asked if (one.spot, one.hand, one.what) == (*m.key, m.act.what)]
    return mine[0] if mine else None


def out_of_order(m: Moment) -> bool:
    """Tell whether something speaks against what was asked, documented or not."""
    asked = _offered(m)
    return bool(asked and asked.unmet)


def _in_order(m: Moment, what: str) -> bool:
    found_out = m.hole_turned or m.table.ledger.looked == "blackjack"
    if m.act.what != what or (found_out and m.dealer_blackjack):
        # The dealer's blackjack has ended the round: nothing can be carried out any more, the chips go back.
        return False
    asked = _offered(m)
    if asked:
        return not asked.unmet
    hand = m.hand
    standing = {"surrender": hand.surrendered, "even money": hand.even_money, "stand": hand.stood}
    return standing.get(what, False)


@guard
def something_is_asked(m: Moment) -> str | None:
    """Fail for a refusal that answers nothing: no wager of this kind lies there and nothing was asked for."""
    what, spot, hand = m.act.what, m.spot, m.hand
    if _offered(m) or _in_order(m, what):
        return None
    stack = spot.side.get(what) or (hand.stacks.get(what) if what in ("main", "bust") else None)
    return None if stack and stack.lies else f"spot {m.act.spot} has not asked for this"


@guard
def hit_in_order_is_served(m: Moment) -> str | None:
    return "the hit was in order" if _in_order(m, "hit") and m.hand.total < 21 else None


@guard
def split_hand_draws_at_will(m: Moment) -> str | None:
    return f"{m.act.where} is a split hand and may draw on" if m.hand.from_split and hit_in_order_is_served(m) else None


@guard
def stand_in_order_is_honoured(m: Moment) -> str | None:
    return "the stand was in order" if _in_order(m, "stand") else None


def _double_refused(m: Moment) -> Request | None:
    return _offered(m) if _in_order(m, "double") else None


@guard
def double_in_order_is_taken(m: Moment) -> str | None:
    asked = _double_refused(m)
    if asked and not m.hand.from_split and asked.amount == wager_of(m):
        return "the double was in order"
    return None


@guard
def double_on_a_split_hand_is_taken(m: Moment) -> str | None:
    return "a split hand may double" if _double_refused(m) and m.hand.from_split else None


@guard
def double_for_less_is_taken(m: Moment) -> str | None:
    asked = _double_refused(m)
    return "a double for less is in order" if asked and asked.amount < wager_of(m) else None


def _pair_is_asked_for(m: Moment) -> bool:
    return _in_order(m, "split") and not m.spot.is_split and len(m.hand.cards) >= 2


@guard
def split_in_order_is_taken(m: Moment) -> str | None:
    if _pair_is_asked_for(m) and m.hand.cards[0].rank == m.hand.cards[1].rank:
        return "the split was in order"
    return None


@guard
def split_of_unlike_tens_is_taken(m: Moment) -> str | None:
    if _pair_is_asked_for(m) and m.hand.cards[0].rank != m.hand.cards[1].rank:
        return "cards of equal value may be split whatever their rank"
    return None


@guard
def further_split_in_order_is_taken(m: Moment) -> str | None:
    if _in_order(m, "split") and m.spot.is_split and not m.hand.from_aces:
        return "a further split was in order"
    return None


@guard
def surrender_in_order_is_taken(m: Moment) -> str | None:
    return "the surrender was in order" if _in_order(m, "surrender") else None


@guard
def even_money_in_order_is_taken(m: Moment) -> str | None:
    return "even money was in order" if _in_order(m, "even money") else None


@guard
def insurance_in_order_is_taken(m: Moment) -> str | None:
    if m.act.what != "insurance" or out_of_order(m):
        return None
    stack = m.spot.side.get("insurance")
    return "the insurance was in order" if stack and stack.lies else None


@guard
def lower_chip_amount_is_taken(m: Moment) -> str | None:
    if not insurance_in_order_is_taken(m):
        return None
    stack = m.spot.side["insurance"]
    return "the nearest lower amount of chips is in order" if stack.amount * 2 < m.spot.original else None


@guard
def wager_in_order_is_taken(m: Moment) -> str | None:
    from trainer.procedure.guards.dealing import each_spot_short

    if m.act.what in ("main", "bust") and not out_of_order(m) and m.spot.is_wagered:
        return None if m.state == "wagers" and each_spot_short(m) else "the wager was in order"
    return None


@guard
def side_wager_in_order_is_taken(m: Moment) -> str | None:
    stack = m.spot.side.get(m.act.what)
    if m.act.what != "insurance" and stack and stack.lies and not out_of_order(m):
        return "the wager was in order"
    return None


@fact
def a_decision_is_refused(m: Moment) -> bool:
    return m.act.what in DECISIONS


@fact
def insurance_is_refused(m: Moment) -> bool:
    return m.act.what == "insurance"


@fact
def a_wager_is_refused(m: Moment) -> bool:
    return not a_decision_is_refused(m) and not insurance_is_refused(m)
