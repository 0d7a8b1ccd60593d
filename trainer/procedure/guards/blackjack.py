"""Blackjacks: what is one, calling, paying early, even money."""

from __future__ import annotations

from trainer.cards import is_ace_and_ten
from trainer.chips import dollars
from trainer.procedure.guards.registry import fact, guard, house_guard, time_guard
from trainer.procedure.moment import Moment
from trainer.procedure.settle import blackjack_odds


def _early(m: Moment) -> bool:
    return m.up_is_low


@fact
def hand_is_a_blackjack(m: Moment) -> bool:
    return m.hand.is_blackjack


@fact
def hand_is_no_blackjack(m: Moment) -> bool:
    return not m.hand.is_blackjack


@fact
def even_money_is_taken(m: Moment) -> bool:
    return m.hand.even_money and m.hand.is_blackjack and m.house.is_("even-money") == "under an ace"


@fact
def no_even_money_is_taken(m: Moment) -> bool:
    return not even_money_is_taken(m)


@fact
def look_has_found_none(m: Moment) -> bool:
    return m.table.ledger.looked == "none" and not m.hole_turned


@fact
def hole_card_is_turned(m: Moment) -> bool:
    return m.hole_turned


@fact
def hole_card_is_unknown_or_unturned(m: Moment) -> bool:
    return not m.hole_turned and not look_has_found_none(m)


@guard
def called_hand_is_a_blackjack(m: Moment) -> str | None:
    hand = m.hand
    if hand.is_blackjack or (hand.from_split and is_ace_and_ten(hand.cards)):
        return None
    return f"the cards of {m.act.where} are no blackjack"


def _split_21(m: Moment) -> bool:
    return m.hand.from_split and is_ace_and_ten(m.hand.cards)


@guard
def split_ace_is_not_called_blackjack(m: Moment) -> str | None:
    return "a ten on a split ace makes 21, no blackjack" if _split_21(m) and m.hand.from_aces else None


@guard
def split_ten_is_not_called_blackjack(m: Moment) -> str | None:
    return "an ace on a split ten makes 21, no blackjack" if _split_21(m) and not m.hand.from_aces else None


@guard
def early_blackjack_was_called_first(m: Moment) -> str | None:
    if m.up_is_low and m.hand.is_blackjack and not m.hand.called_blackjack:
        return f"the blackjack of spot {m.act.spot} has not been called"
    return None


@guard
def late_blackjack_was_called_first(m: Moment) -> str | None:
    if not m.up_is_low and m.hand.is_blackjack and not m.hand.called_blackjack:
        return f"the blackjack of spot {m.act.spot} has not been called"
    return None


@time_guard
def blackjack_is_ready_to_be_settled(m: Moment) -> str | None:
    if not m.hand.is_blackjack or m.up_is_low or m.hole_known or even_money_is_taken(m):
        return None
    return "the dealer may have a blackjack too; the hole card is not known"


@time_guard
def waiting_blackjack_follows_the_hole_card(m: Moment) -> str | None:
    if not m.hand.is_blackjack or m.up_is_low or m.hole_turned:
        return None
    return "a blackjack under an ace or ten waits until the hole card is turned"


@guard
def price_is_the_blackjack_price(m: Moment) -> str | None:
    hand = m.hand
    if not hand.is_blackjack or not m.lying:
        return None
    odds = blackjack_odds(m.house)
    owed = sum(odds.on(stack.staked) for stack in m.lying)
    return _not_the_price(m, owed, f"a blackjack pays {odds}")


@guard
def blackjack_is_seen_in_its_price(m: Moment) -> str | None:
    """Fail for a blackjack that was neither called nor paid as one: it was not recognised."""
    hand, due = m.hand, m.hole_turned or m.up_is_low
    if not due or not hand.is_blackjack or hand.called_blackjack or hand.even_money or not m.lying:
        return None
    if m.act.amount != sum(stack.staked for stack in m.lying):
        return None
    return f"the first two cards of spot {m.act.spot} are a blackjack"


def _not_the_price(m: Moment, owed: int, price: str) -> str | None:
    paid = m.act.amount or 0
    if paid == owed or _is_lower_chip_amount(m, paid, owed):
        return None
    return f"{price}: {dollars(owed)} is due, {dollars(paid)} was paid"


def _is_lower_chip_amount(m: Moment, paid: int, owed: int) -> bool:
    from trainer.chips import most_makeable

    return paid == most_makeable(owed, m.options.chips)


@guard
def dealer_has_no_blackjack_against_a_blackjack(m: Moment) -> str | None:
    if m.hand.is_blackjack and m.hole_turned and m.dealer_blackjack:
        return "both hands are blackjacks: a push"
    return None


@guard
def dealer_has_a_blackjack_too(m: Moment) -> str | None:
    if m.stacks and m.hand.is_blackjack and (m.hole_turned or m.up_is_low) and not m.dealer_blackjack:
        return f"spot {m.act.spot} has a blackjack and the dealer has none"
    return None


@guard
def even_money_pays_one_to_one(m: Moment) -> str | None:
    if not m.lying:
        return None
    owed = sum(stack.staked for stack in m.lying)
    return _not_the_price(m, owed, "even money pays 1:1")


@time_guard
def even_money_is_paid_before_the_look(m: Moment) -> str | None:
    return "the hole card is known already" if m.hole_known else None


@house_guard
def house_offers_even_money(m: Moment) -> str | None:
    return None if m.house.is_("even-money") == "under an ace" else "this house has no even money"


@guard
def even_money_has_an_ace_up(m: Moment) -> str | None:
    return None if m.up_is_ace else "the up card is no ace"


@guard
def even_money_has_a_blackjack(m: Moment) -> str | None:
    return None if m.hand.is_blackjack else f"spot {m.act.spot} has no blackjack"


@guard
def even_money_is_no_bust_wager(m: Moment) -> str | None:
    return "a bust wager gets no even money" if m.hand.is_bust_wager else None


@time_guard
def even_money_is_chosen_before_the_look(m: Moment) -> str | None:
    return "the hole card has been looked at" if m.hole_known else None


@guard
def even_money_hand_is_not_insured(m: Moment) -> str | None:
    return f"spot {m.act.spot} is insured" if "insurance" in m.spot.side else None


@guard
def waiting_blackjack_cards_stay(m: Moment) -> str | None:
    hand = m.hand
    if hand.is_blackjack and not hand.is_settled and not m.hole_turned and not m.up_is_low:
        return f"the blackjack of spot {m.act.spot} waits; its cards stay"
    return None
