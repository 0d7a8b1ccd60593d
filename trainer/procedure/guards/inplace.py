"""Acts that have no place where they are done, or that change nothing: commented (D-97), never a fault."""

from __future__ import annotations

from trainer.procedure.guards.insurance import is_called_after_a_stray_look
from trainer.procedure.guards.registry import guard, repeat_guard, time_guard
from trainer.procedure.moment import Moment, is_finished, is_live
from trainer.procedure.settle import stack_due
from trainer.table import Hand


@repeat_guard
def hole_card_is_still_unseen(m: Moment) -> str | None:
    return "the hole card has been looked at" if m.table.ledger.looked else None


@repeat_guard
def own_hand_is_still_open(m: Moment) -> str | None:
    return "you have stopped already" if m.table.ledger.stopped else None


@time_guard
def drawing_has_not_stopped(m: Moment) -> str | None:
    """Fail for drawing on after stopping, unless a hand in play still needs the card."""
    if m.table.ledger.stopped and not any(is_live(hand) for _, hand in m.table.hands()):
        return "you have stopped already"
    return None


@repeat_guard
def blackjack_is_still_to_be_called(m: Moment) -> str | None:
    hand = m.hand
    if hand.called_blackjack:
        return f"the blackjack of spot {m.act.spot} has been called"
    return f"the hand of spot {m.act.spot} is cleared" if hand.cleared else None


@repeat_guard
def insurance_is_still_to_be_called(m: Moment) -> str | None:
    return "insurance has been called" if m.table.ledger.insurance_called else None


@time_guard
def insurance_may_still_be_taken(m: Moment) -> str | None:
    """Fail once nothing can be insured; a call after a third card is for the house's own words to judge (D-23)."""
    return "the hole card is known" if m.hole_known and not is_called_after_a_stray_look(m) else None


@repeat_guard
def even_money_is_still_to_be_offered(m: Moment) -> str | None:
    spot = m.spot
    if spot.asked_even_money:
        return f"spot {spot.number} has been offered even money"
    if spot.answer or m.table.ledger.insurance_closed:
        return f"spot {spot.number} has chosen"
    return None


@repeat_guard
def hand_is_still_to_be_asked(m: Moment) -> str | None:
    """Fail where nothing is left to ask; a hand that signalled unasked may be asked late, before the hole card.

    Asking again and asking a 21 that is no blackjack are open (D-32).
    """
    hand, place = m.hand, m.act.where
    if not hand.has_cards or len(hand.cards) < 2:
        return f"{place} has no hand to decide on"
    finished = is_finished(m.house, m.spot, hand) and not _is_passed_on(hand)
    if finished and not (hand.other_sign and not hand.asked and not hand.is_settled):
        return f"{place} has nothing to decide"
    return "the hole card is turned" if m.hole_turned and finished else None


def _is_passed_on(hand: Hand) -> bool:
    """A 21 that is no blackjack and has not been decided on."""
    return (
        hand.total == 21 and not hand.is_blackjack and not (hand.stood or hand.doubled or hand.surrendered)
        and not hand.is_settled
    )  # fmt: skip


@time_guard
def total_is_still_to_be_called(m: Moment) -> str | None:
    """A total may be called as often as a dealer likes (D-57), but not where no cards lie."""
    if m.act.verb == "call total dealer":
        return None if m.table.dealer.shown and not m.table.dealer.cleared else "none of your cards shows"
    if not m.hand.has_cards:
        return f"no cards lie at {m.act.where}"
    return None


@guard
def wager_to_lay_is_surrendered(m: Moment) -> str | None:
    if m.hand.laid:
        return f"the wager of spot {m.act.spot} lies on its cards"
    if not m.hand.surrendered or m.hand.is_settled:
        return f"spot {m.act.spot} has no surrendered wager"
    return None


@time_guard
def somebody_has_touched(m: Moment) -> str | None:
    touched = any(offer.what == "touch" and offer.spot == m.act.spot for offer in m.table.ledger.offers)
    return None if touched else "nobody touched the cards"


@time_guard
def tap_shows_a_push(m: Moment) -> str | None:
    for hand in m.spot.hands:
        if hand.pushed and hand.has_cards:
            return None
        stacks = [stack for stack in hand.on_hand if not stack.settled]
        if stacks and all(stack_due(m.position, m.spot, hand, stack).do == "push" for stack in stacks):
            return None
    return f"no hand of spot {m.act.spot} is a push"


@guard
def wager_goes_back_whole(m: Moment) -> str | None:
    """Fail for giving back part of a wager of which nothing is due to the house."""
    amounts = {stack.amount for stack in m.lying[:1]} | {sum(stack.amount for stack in m.lying)}
    if not m.lying or m.hand.surrendered or m.act.amount in amounts:
        return None
    return f"only part of the wager of {m.act.where} was given back"


@time_guard
def wager_is_decided(m: Moment) -> str | None:
    """Fail while what settles the wager is not known, where no statement of its own forbids settling it."""
    for stack in m.lying[:1]:
        if stack_due(m.position, m.spot, m.hand, stack).do == "wait":
            return f"the wager of {m.act.where} is not decided yet"
    return None
