"""Which acts would go on without something that is due."""

from __future__ import annotations

from trainer.actions import VERBS, Role
from trainer.procedure.guards.decisions import request_here
from trainer.procedure.guards.registry import (
    Place,
    block,
)
from trainer.procedure.moment import (
    Moment,
    is_finished,
    is_live,
    ruled_act,
)
from trainer.table import ON_THE_HAND

_ACTING = ("ask", "separate", "lay")


_TURNING = ("turn hole", "deal hole")


_ANYTHING = (
    "deal", "draw", "turn hole", "ask", "separate", "pay", "take", "return", "push", "lay", "clear", "clear dealer",
    "stop", "start", "peek",
)  # fmt: skip


_DEALERS = tuple(verb.name for verb in VERBS if verb.role is Role.DEALER and verb.name not in ("call floor", "wait"))


def _is_further_card(m: Moment) -> bool:
    return m.act.verb == "deal" and not (m.in_initial_deal and len(m.hand.cards) < 2)


def _acts_on_a_hand(m: Moment) -> bool:
    return m.act.verb in _ACTING or _is_further_card(m)


@block(*_ACTING, "deal")
def acting_on_any_hand(m: Moment, _: Place) -> bool:
    return _acts_on_a_hand(m)


@block("deal")
def any_third_card(m: Moment, _: Place) -> bool:
    return _is_further_card(m)


def _asks_late(m: Moment) -> bool:
    """Asking a hand that has decided unasked makes good an omission; nothing is passed over by it."""
    return m.act.verb == "ask" and m.hand.other_sign and not m.hand.asked


def _comes_to_the_hole_card(m: Moment) -> bool:
    """Turning the hole card, or dealing it where the house deals it after the players."""
    if m.act.verb == "deal hole":
        return m.house.is_("hole-card-dealt") == "after the players"
    return m.act.verb == "turn hole"


@block(*_TURNING)
def turning_the_hole_card(m: Moment, _: Place) -> bool:
    return _comes_to_the_hole_card(m)


@block(*_TURNING)
def turning_without_any_third_card(m: Moment, _: Place) -> bool:
    return _comes_to_the_hole_card(m) and not m.table.ledger.third_card


@block("turn hole")
def turning_unlooked(m: Moment, _: Place) -> bool:
    """Turning the hole card while no look has been made (a look that found a blackjack is turned)."""
    return m.act.verb == "turn hole" and not m.table.ledger.looked


@block("peek")
def looking(m: Moment, _: Place) -> bool:
    return m.act.verb == "peek"


@block("draw")
def drawing(m: Moment, _: Place) -> bool:
    return m.act.verb == "draw"


@block("deal", "separate")
def a_card_to_that_hand(m: Moment, place: Place) -> bool:
    return m.key == place and (_is_further_card(m) or m.act.verb == "separate")


@block(*_ACTING, "deal", *_TURNING)
def passing_it_over(m: Moment, place: Place) -> bool:
    """Going on to a later hand of the round, or to the own hand."""
    if _comes_to_the_hole_card(m):
        return True
    if m.act.verb == "deal" and m.act.spot == place[0] and m.hand.from_split and len(m.hand.cards) == 1:
        return False
    return _acts_on_a_hand(m) and m.key > place


@block(*_ACTING, "deal", *_TURNING)
def going_on_with_others(m: Moment, place: Place) -> bool:
    return _comes_to_the_hole_card(m) or (_acts_on_a_hand(m) and m.key != place and not _asks_late(m))


@block(*_ACTING, "deal")
def acting_on_another_hand(m: Moment, place: Place) -> bool:
    """Asking, serving or laying for another hand; turning the hole card is none of it."""
    return _acts_on_a_hand(m) and m.key != place and not _asks_late(m)


@block(*_ACTING, "deal", *_TURNING)
def going_past_that_hand(m: Moment, place: Place) -> bool:
    """Going on with another hand, unless it asked as well, or comes earlier and is not finished: then it is in turn."""
    if not going_on_with_others(m, place) or (m.act.verb in ("deal", "separate") and request_here(m)):
        return False
    return not (_acts_on_a_hand(m) and m.key < place and not is_finished(m.house, m.spot, m.hand))


@block(*_ACTING, "deal", *_TURNING)
def going_past_that_pair(m: Moment, place: Place) -> bool:
    """Going past a hand that is to be parted; the other hand of its spot may get its second card meanwhile (D-40)."""
    if m.act.verb == "deal" and m.act.spot == place[0] and m.hand.from_split and len(m.hand.cards) == 1:
        return False
    return going_past_that_hand(m, place)


@block("pay", "take", "push")
def settling_that_hand(m: Moment, place: Place) -> bool:
    if m.act.kind not in ("", *ON_THE_HAND):
        return False
    return m.act.verb in ("pay", "take", "push") and m.key == place and not m.hand.is_settled and is_live(m.hand)


@block("separate", "lay", "take", "return", "deal")
def carrying_out_its_decision(m: Moment, place: Place) -> bool:
    if m.key != place:
        return False
    request = request_here(m)
    if m.act.verb in ("separate", "lay"):
        return True
    if m.act.verb in ("take", "return") and m.hand.surrendered:
        return True
    return _is_further_card(m) and request is not None


@block(*_ANYTHING)
def any_other_act(m: Moment, place: Place) -> bool:
    """Any other card, chip or question (aces-022); words, refusals and the bust hand itself stay free."""
    if m.act.verb in ("take", "clear") and m.key == place:
        return False
    beside = m.act.kind not in ("", *ON_THE_HAND)
    return not (beside and m.act.verb in ("take", "pay") and m.act.spot == place[0])


@block("pay", "take", "push", "clear dealer", "start")
def settling_or_clearing_others(m: Moment, place: Place) -> bool:
    return m.act.verb in ("pay", "take", "push", "clear dealer", "start") and (
        m.key != place or m.act.verb in ("clear dealer", "start")
    )


@block("start")
def the_next_round(m: Moment, _: Place) -> bool:
    return m.act.verb == "start"


@block(*_DEALERS)
def acting_against_the_ruling(m: Moment, _: Place) -> bool:
    ruled = ruled_act(m.house, m.table)
    return ruled is not None and ruled.spot == m.act.spot and ruled != m.act


@block(*_ACTING, "deal")
def going_on_past_the_spot(m: Moment, place: Place) -> bool:
    return _acts_on_a_hand(m) and m.act.spot != place[0]
