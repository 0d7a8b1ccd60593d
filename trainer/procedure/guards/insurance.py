"""Insurance: calling, taking, its window, limits, place, the look, its settlement."""

from __future__ import annotations

from trainer.chips import Odds, dollars, most_makeable
from trainer.procedure.guards.registry import fact, guard, house_guard, time_guard
from trainer.procedure.moment import Moment, all_even_money


def half(m: Moment) -> int:
    """Return the most that may be insured in cents: half the original wager."""
    return m.spot.original // 2


@fact
def up_card_is_an_ace(m: Moment) -> bool:
    return m.up_is_ace


@fact
def up_card_is_no_ace(m: Moment) -> bool:
    return not m.up_is_ace


@guard
def an_ace_is_up(m: Moment) -> str | None:
    if m.table.dealer.up is None:
        return "no up card shows yet"
    return None if m.up_is_ace else "the up card is no ace"


@time_guard
def second_cards_are_dealt(m: Moment) -> str | None:
    return None if m.deal_complete else "the second cards are not all dealt"


@time_guard
def insurance_is_called_before_third_cards(m: Moment) -> str | None:
    return "a third card is out" if m.table.ledger.third_card and not late_call_is_told(m) else None


def late_call_is_told(m: Moment) -> bool:
    """Tell whether going on without the call has been found already; calling late is no new fault."""
    return ("call insurance", (0, 0)) in m.table.ledger.missed


@guard
def insurance_is_at_most_half(m: Moment) -> str | None:
    stack = m.spot.side.get("insurance")
    amount = (m.act.amount or 0) + (stack.amount if stack and m.act.verb == "insure" and stack.lies else 0)
    if amount > half(m):
        return f"{dollars(half(m))} is half of {dollars(m.spot.original)}; {dollars(amount)} was put down"
    return None


@guard
def insurance_is_at_least_one_chip(m: Moment) -> str | None:
    least = min(m.options.chips)
    return f"one chip, {dollars(least)}, is the least" if 0 <= (m.act.amount or 0) < least else None


@guard
def insurance_is_in_its_place(m: Moment) -> str | None:
    return "the chips lie off the insurance line" if m.act.flag == "misplaced" else None


@time_guard
def no_other_third_card_is_out(m: Moment) -> str | None:
    others = m.table.ledger.third_cards - {m.act.spot}
    return f"spot {min(others)} has a third card already" if others else None


@time_guard
def no_third_card_is_out(m: Moment) -> str | None:
    out = m.table.ledger.third_cards
    return f"spot {min(out)} has a third card already" if out else None


@time_guard
def own_third_card_is_not_out(m: Moment) -> str | None:
    return f"spot {m.act.spot} has a third card" if m.act.spot in m.table.ledger.third_cards else None


@time_guard
def look_has_not_ruled_insurance_out(m: Moment) -> str | None:
    if m.looks_under_ace and m.table.ledger.looked == "none":
        return "the look found no blackjack; all insurance is lost"
    return None


@time_guard
def hole_card_is_not_known_yet(m: Moment) -> str | None:
    if not m.hole_known or look_has_not_ruled_insurance_out(m) or is_called_after_a_stray_look(m):
        return None
    return "the hole card is known already"


def is_called_after_a_stray_look(m: Moment) -> bool:
    """Tell whether insurance is called though a look was made that the house does not have: it excuses from no duty."""
    return m.act.verb == "call insurance" and not m.looks_under_ace and not m.hole_turned


@guard
def insured_hand_has_no_even_money(m: Moment) -> str | None:
    return f"spot {m.act.spot} took even money" if m.hand.even_money else None


@house_guard
def house_looks_under_an_ace(m: Moment) -> str | None:
    if m.up_is_ace and not m.looks_under_ace:
        return "this house leaves the hole card unseen"
    return None


@house_guard
def house_looks_under_other_cards(m: Moment) -> str | None:
    if not m.up_is_ace and m.house.is_("look-under-ten") != "yes":
        return "this house does not look under this up card"
    return None


@time_guard
def insurance_was_offered_before_the_look(m: Moment) -> str | None:
    ledger = m.table.ledger
    if not m.up_is_ace or ledger.insurance_called or ledger.insurance_closed or all_even_money(m.table):
        return None
    if all(spot.answer for spot in m.table.wagered):
        return None
    return "the players have not been given insurance or even money"


@guard
def even_money_is_paid_first(m: Moment) -> str | None:
    for spot in m.table.wagered:
        hand = spot.hands[0]
        if hand.even_money and not hand.is_settled:
            return f"the even money of spot {spot.number} is unpaid"
    return None


@fact
def look_has_found_a_blackjack(m: Moment) -> bool:
    return m.up_is_ace and m.looks_under_ace and m.table.ledger.looked == "blackjack"


@fact
def look_has_found_no_blackjack(m: Moment) -> bool:
    return not look_has_found_a_blackjack(m)


@time_guard
def insurance_hangs_on_the_turned_card(m: Moment) -> str | None:
    return None if m.hole_turned or not m.lying else "the hole card is not turned"


@time_guard
def insurance_hangs_on_the_known_card(m: Moment) -> str | None:
    return None if m.hole_known or not m.lying else "the hole card is not known"


@guard
def dealer_blackjack_wins_insurance(m: Moment) -> str | None:
    if m.hole_known and not _has_ten_hole(m):
        return "the dealer has no blackjack: insurance is lost"
    return None


@guard
def insurance_is_lost(m: Moment) -> str | None:
    return "the dealer has a blackjack: insurance wins" if m.hole_known and _has_ten_hole(m) else None


def _has_ten_hole(m: Moment) -> bool:
    first_two = m.table.dealer.cards[:2]
    return len(first_two) == 2 and sum(card.value for card in first_two) == 21


@guard
def price_is_the_insurance_price(m: Moment) -> str | None:
    if not m.lying or not _has_ten_hole(m):
        return None
    odds = Odds.read(m.house.is_("insurance-odds"))
    owed = sum(odds.on(stack.staked) for stack in m.lying)
    paid = m.act.amount or 0
    if paid in (owed, most_makeable(owed, m.options.chips)):
        return None
    return f"insurance pays {odds}: {dollars(owed)} is due, {dollars(paid)} was paid"


@guard
def insurance_is_taken_whole(m: Moment) -> str | None:
    lying = sum(stack.amount for stack in m.lying)
    if m.lying and (m.act.amount or 0) != lying:
        return f"{dollars(lying)} of insurance lies there, {dollars(m.act.amount or 0)} was taken"
    return None


@time_guard
def returned_insurance_is_known(m: Moment) -> str | None:
    if m.hole_known or all(stack.void for stack in m.lying):
        return None
    return "the hole card is not known"


@guard
def insurance_is_not_given_back(m: Moment) -> str | None:
    if m.hole_known and not _has_ten_hole(m) and any(not stack.void for stack in m.lying):
        return "the dealer has no blackjack: insurance is lost, not given back"
    return None


@guard
def won_insurance_is_not_given_back(m: Moment) -> str | None:
    if m.hole_known and _has_ten_hole(m) and any(not stack.void for stack in m.lying):
        return "the dealer has a blackjack: insurance is paid, not given back"
    return None


@time_guard
def insurance_can_be_closed(m: Moment) -> str | None:
    if not m.up_is_ace:
        return "the up card is no ace"
    return "insurance is closed already" if m.table.ledger.insurance_closed else None
