"""A further card for a player's hand: which row it belongs to, and what the hand lacks for it."""

from __future__ import annotations

from trainer.procedure.guards.decisions import request_here
from trainer.procedure.guards.registry import (
    fact,
    guard,
)
from trainer.procedure.moment import (
    Moment,
)


@fact
def hand_is_on_the_bust_wager(m: Moment) -> bool:
    return m.hand.is_bust_wager and "main" not in m.hand.stacks


@fact
def hand_is_not_on_the_bust_wager(m: Moment) -> bool:
    return not hand_is_on_the_bust_wager(m)


@fact
def split_hand_waits_for_its_card(m: Moment) -> bool:
    return m.hand.from_split and len(m.hand.cards) == 1


@fact
def split_ace_hand(m: Moment) -> bool:
    return m.hand.from_aces


@fact
def no_split_ace_hand(m: Moment) -> bool:
    return not m.hand.from_aces


@fact
def split_hand_has_its_cards(m: Moment) -> bool:
    return not split_hand_waits_for_its_card(m)


@fact
def double_is_pending(m: Moment) -> bool:
    request = request_here(m)
    return m.hand.doubled or bool(request and request.what == "double")


@fact
def no_double_is_pending(m: Moment) -> bool:
    return not double_is_pending(m)


@guard
def hand_has_not_stood(m: Moment) -> str | None:
    return f"{m.act.where} stood" if m.hand.stood and not m.hand.is_bust else None


@guard
def hand_is_not_past_21(m: Moment) -> str | None:
    return f"{m.act.where} is past 21" if m.hand.is_bust else None


@guard
def hand_is_no_paid_out_blackjack(m: Moment) -> str | None:
    return f"spot {m.act.spot} has a blackjack" if m.hand.is_blackjack else None


@guard
def doubled_hand_has_no_card_yet(m: Moment) -> str | None:
    return f"{m.act.where} doubled and has its one card" if m.hand.doubled else None


@guard
def split_ace_has_no_card_yet(m: Moment) -> str | None:
    if m.hand.from_aces and len(m.hand.cards) >= 2 and not _split_again_pending(m):
        return f"{m.act.where} is a split ace and has its one card"
    return None


def _split_again_pending(m: Moment) -> bool:
    request = request_here(m)
    return bool(request and request.what == "split")


@guard
def hand_is_not_surrendered(m: Moment) -> str | None:
    return f"spot {m.act.spot} surrendered" if m.hand.surrendered else None


def _no_request(m: Moment) -> bool:
    hand = m.hand
    if hand.stood or hand.is_bust or hand.doubled or hand.surrendered or hand.is_blackjack or hand.from_aces:
        return False
    if hand.is_bust_wager or split_hand_waits_for_its_card(m) or not m.spot.is_wagered:
        return False
    request = request_here(m)
    return request is None or (request.what == "split" and not request.valid)


@guard
def split_asked_for_is_carried_out(m: Moment) -> str | None:
    request = request_here(m)
    if request and request.what == "split" and request.valid:
        return f"{m.act.where} has asked to split"
    return None


@guard
def hand_asked_for_a_card(m: Moment) -> str | None:
    """Fail for a card without any request; a second card for one hit is the next guard's.

    A card of the deal that comes late is owed without a signal.
    """
    if _no_request(m) and not m.hand.acted and len(m.hand.cards) >= 2:
        return f"{m.act.where} has given no signal"
    return None


@guard
def one_card_for_one_hit(m: Moment) -> str | None:
    if _no_request(m) and m.hand.acted and m.hand.other_sign:
        return f"{m.act.where} has not asked for another card"
    return None


@guard
def further_card_follows_a_signal(m: Moment) -> str | None:
    if _no_request(m) and m.hand.acted:
        return f"{m.act.where} has given no signal for this card"
    return None


@guard
def split_bet_is_down(m: Moment) -> str | None:
    if m.act.verb == "separate":
        request = request_here(m)
        if not (request and request.what == "split"):
            return f"no equal wager lies there for a second hand of {m.act.where}"
    return None


@guard
def player_asked_to_split(m: Moment) -> str | None:
    if m.act.verb == "separate" and not _split_again_pending(m):
        return f"the player of {m.act.where} has not asked to split"
    return None


@guard
def hand_is_drawn_by_the_house_way(m: Moment) -> str | None:
    if m.hand.is_bust_wager and m.hand.total >= 17:
        return f"the hand of spot {m.act.spot} stands at {m.hand.total}"
    return None
