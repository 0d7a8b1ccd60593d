"""The dealer's own hand: turning, drawing, stopping, clearing, the next round."""

from __future__ import annotations

from trainer.procedure.guards.registry import fact, guard, time_guard, words
from trainer.procedure.moment import Moment, is_live, unfinished
from trainer.procedure.settle import hand_is_left, is_left


def _live(m: Moment) -> bool:
    return any(is_live(hand) for _, hand in m.table.hands())


@fact
def own_hand_counts_or_is_complete(m: Moment) -> bool:
    return _live(m) or not m.must_draw


@fact
def no_live_hand_needs_the_draw(m: Moment) -> bool:
    return m.must_draw and not _live(m)


@time_guard
def every_hand_is_finished(m: Moment) -> str | None:
    left = unfinished(m.house, m.table)
    if not left:
        return None
    spot, index, _ = left[0]
    return f"{words((spot.number, index), spot.is_split)} has not been played"


@time_guard
def every_hand_is_finished_under_ace_or_ten(m: Moment) -> str | None:
    return None if m.up_is_low else every_hand_is_finished(m)


@time_guard
def every_hand_is_finished_under_low_card(m: Moment) -> str | None:
    return every_hand_is_finished(m) if m.up_is_low else None


@time_guard
def hole_is_turned_before_drawing(m: Moment) -> str | None:
    dealer = m.table.dealer
    if len(dealer.cards) < 2 and not dealer.has_hole:
        last = m.house.is_("hole-card-dealt") == "after the players"
        return "your second card is dealt face down and turned first" if last else None
    return None if dealer.turned else "the hole card lies face down"


@guard
def dealer_has_not_reached_17(m: Moment) -> str | None:
    """Fail on a hard 17 or more, and on a total past 21."""
    dealer = m.table.dealer
    if dealer.total >= 17 and not dealer.is_soft and dealer.turned:
        return f"your hand has {dealer.total}"
    return None


@guard
def dealer_has_no_standing_soft_17(m: Moment) -> str | None:
    dealer = m.table.dealer
    if dealer.turned and dealer.total == 17 and dealer.is_soft and m.house.is_("soft-17") == "stand":
        return "your hand has a soft 17"
    return None


@guard
def dealer_has_no_soft_18_or_more(m: Moment) -> str | None:
    dealer = m.table.dealer
    if dealer.turned and dealer.total >= 18 and dealer.is_soft and not m.dealer_blackjack:
        return f"your hand has a soft {dealer.total}"
    return None


@guard
def dealer_has_no_blackjack_to_play_on(m: Moment) -> str | None:
    return "your hand is a blackjack" if m.hole_turned and m.dealer_blackjack else None


@time_guard
def hole_is_turned_before_stopping(m: Moment) -> str | None:
    return None if m.hole_turned else "the hole card lies face down"


@guard
def dealer_total_is_past_16(m: Moment) -> str | None:
    if not _live(m) or not m.hole_turned:
        return None
    total = m.table.dealer.total
    return f"your hand has {total}" if total <= 16 else None


@guard
def soft_17_is_not_left_standing(m: Moment) -> str | None:
    dealer = m.table.dealer
    if _live(m) and dealer.total == 17 and dealer.is_soft and m.house.is_("soft-17") == "hit":
        return "your hand has a soft 17"
    return None


@guard
def player_hands_are_cleared(m: Moment) -> str | None:
    for spot, hand in m.table.hands():
        if hand.has_cards:
            return f"cards of spot {spot.number} lie there"
    return None


@time_guard
def every_wager_is_settled(m: Moment) -> str | None:
    for spot in m.table.wagered:
        if any(is_left(m.position, spot, spot.hands[0], stack) for stack in spot.side.values()):
            return f"a wager of spot {spot.number} is not settled"
        for index, hand in enumerate(spot.hands, 1):
            if hand_is_left(m.position, spot, hand):
                return f"the wager of {words((spot.number, index), spot.is_split)} is not settled"
    return None


@time_guard
def cards_in_play_stay(m: Moment) -> str | None:
    """Fail for clearing a hand whose wager lies there before the dealer's hand is complete."""
    early = m.state not in ("settle", "clear", "over")
    return f"{m.act.where} is still in play" if early and hand_is_left(m.position, m.spot, m.hand) else None


@time_guard
def wager_is_settled_before_its_cards_go(m: Moment) -> str | None:
    return f"the wager of {m.act.where} is not settled" if hand_is_left(m.position, m.spot, m.hand) else None


@time_guard
def all_wagers_are_settled_before_cards_go(m: Moment) -> str | None:
    if m.house.is_("losers-cards") == "after all wagers":
        return every_wager_is_settled(m)
    return None


@time_guard
def no_card_is_left(m: Moment) -> str | None:
    return "cards lie on the layout" if m.table.cards_on_felt else None
