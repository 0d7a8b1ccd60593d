"""The players' turn: asking, totals, signals, doubles, splits, surrender, cards to a hand, refusals."""

from __future__ import annotations

from trainer.cards import total
from trainer.chips import dollars
from trainer.procedure.guards.registry import guard, house_guard, time_guard, words
from trainer.procedure.moment import Moment, unfinished
from trainer.table import Request

ORDER = "order"
"""The topic under which serving a hand before its turn is told once."""


def request_here(m: Moment) -> Request | None:
    """Return what the hand of the act has asked for and not been given yet."""
    return m.table.ledger.asked_by(*m.key)


# -- order ------------------------------------------------------------------------------------------------------


def _order_is_told(m: Moment) -> bool:
    """Tell whether serving this hand before its turn has been found already; going on with it is no new fault."""
    return (ORDER, m.key) in m.table.ledger.missed


@guard
def player_is_in_turn(m: Moment) -> str | None:
    """Serve spots from the dealer's left (aces-018); a card of the deal that comes late is owed at once."""
    if m.act.verb == "deal" and len(m.hand.cards) < 2 and not m.hand.from_split:
        return None
    left = unfinished(m.house, m.table)
    if left and left[0][0].number < m.act.spot and not _order_is_told(m):
        return f"spot {left[0][0].number} comes first"
    return None


@guard
def split_hand_is_in_turn(m: Moment) -> str | None:
    """Finish the first hand of a split before the next one is played; its card may come at once (D-40)."""
    if not m.spot.is_split or len(m.hand.cards) < 2 or _order_is_told(m):
        return None
    for spot, index, hand in unfinished(m.house, m.table):
        if spot is m.spot and index < m.index and not (hand.from_aces and m.hand.from_aces):
            return f"{words((spot.number, index), True)} is not finished"
    return None


@guard
def hand_makes_its_own_decisions(m: Moment) -> str | None:
    if m.hand.is_bust_wager:
        return f"spot {m.act.spot} is on the bust wager: its player makes no decision"
    return None


@guard
def called_total_is_right(m: Moment) -> str | None:
    if m.act.verb == "call total dealer":
        cards = m.table.dealer.cards if m.hole_turned else m.table.dealer.shown
    else:
        cards = m.hand.cards
    points, soft = total(cards)
    said = m.act.total
    if said == points or (soft and said == points - 10):
        return None
    return f"the total is {points}, {said} was called"


# -- what a player may ask for ----------------------------------------------------------------------------------


@guard
def signal_is_given_by_hand(m: Moment) -> str | None:
    return f"the {m.act.what} was given by word alone" if m.act.flag == "by word" else None


@time_guard
def hand_has_two_cards(m: Moment) -> str | None:
    count = len(m.hand.cards)
    if count != 2:
        return f"{m.act.where} has {count} card{'s' if count != 1 else ''}"
    return None


@time_guard
def hand_has_no_third_card(m: Moment) -> str | None:
    return f"{m.act.where} has {len(m.hand.cards)} cards" if len(m.hand.cards) > 2 else None


@guard
def total_is_not_21(m: Moment) -> str | None:
    return f"{m.act.where} has 21" if m.hand.total == 21 else None


@guard
def total_may_be_doubled(m: Moment) -> str | None:
    allowed = m.house.is_("double-on-totals")
    if allowed == "any":
        return None
    low, high = (int(word) for word in allowed.split("-"))
    hard = m.hand.total - (10 if m.hand.is_soft else 0)
    if low <= m.hand.total <= high or low <= hard <= high:
        return None
    return f"{m.act.where} has {m.hand.total}; this house doubles on {low} to {high}"


@guard
def doubling_is_not_on_a_blackjack(m: Moment) -> str | None:
    return f"spot {m.act.spot} has a blackjack" if m.hand.is_blackjack else None


@guard
def split_hand_may_be_doubled(m: Moment) -> str | None:
    if m.hand.from_split and m.house.is_("double-after-split") == "no":
        return f"{m.act.where} is a split hand"
    return None


@guard
def doubling_is_not_on_a_split_ace(m: Moment) -> str | None:
    return f"{m.act.where} is a split ace" if m.hand.from_aces else None


def wager_of(m: Moment) -> int:
    """Return the cents a double or split is measured against: the hand's own first wager."""
    stacks = m.hand.stacks
    stack = stacks.get("main") or stacks.get("split") or stacks.get("bust")
    return stack.staked if stack else 0


@guard
def double_is_not_above_the_wager(m: Moment) -> str | None:
    if (m.act.amount or 0) > wager_of(m):
        return f"{dollars(wager_of(m))} is the most, {dollars(m.act.amount or 0)} was put down"
    return None


@guard
def double_is_not_below_the_wager(m: Moment) -> str | None:
    if (m.act.amount or 0) < wager_of(m):
        return f"a double is {dollars(wager_of(m))} here, {dollars(m.act.amount or 0)} was put down"
    return None


@guard
def cards_are_of_equal_value(m: Moment) -> str | None:
    cards = m.hand.cards
    if len(cards) >= 2 and cards[0].value != cards[1].value:
        return f"{cards[0]} and {cards[1]} are not of equal value"
    return None


def most_hands(m: Moment) -> int:
    """Return how many hands a spot may be split into at this table."""
    if m.options.variation("repeated splits") is False:
        return 2
    value = m.house.is_("most-hands")
    if value.isdigit():
        return int(value)
    by_places = dict(part.split(":") for part in value.split())
    return int(by_places[str(m.options.places)] if str(m.options.places) in by_places else _nearest(by_places, m))


def _nearest(by_places: dict[str, str], m: Moment) -> str:
    largest = max(int(places) for places in by_places)
    return by_places[str(largest if m.options.places >= largest else min(int(places) for places in by_places))]


@guard
def hands_are_below_the_limit(m: Moment) -> str | None:
    limit = most_hands(m)
    if len(m.spot.hands) >= limit and not _aces_again(m):
        return f"spot {m.act.spot} has {len(m.spot.hands)} hands; {limit} is the most"
    return None


@guard
def hands_of_aces_are_below_the_limit(m: Moment) -> str | None:
    """Count the hands of split aces where aces may be split again at all."""
    limit = most_hands(m)
    if len(m.spot.hands) >= limit and _aces_again(m):
        return f"spot {m.act.spot} has {len(m.spot.hands)} hands; {limit} is the most"
    return None


def _aces_again(m: Moment) -> bool:
    return m.hand.from_aces


@house_guard
def aces_are_not_split_again(m: Moment) -> str | None:
    return f"the aces of spot {m.act.spot} were split already" if m.hand.from_aces else None


@guard
def split_wager_is_equal(m: Moment) -> str | None:
    if (m.act.amount or 0) != m.spot.original:
        return f"{dollars(m.spot.original)} is the equal wager, {dollars(m.act.amount or 0)} was put down"
    return None


@house_guard
def house_offers_surrender(m: Moment) -> str | None:
    return None if m.house.is_("surrender") == "yes" else "this house does not offer surrender"


@house_guard
def surrender_is_on_at_this_table(m: Moment) -> str | None:
    if m.options.variation("surrender") is False:
        return "surrender is off at this table"
    return None


@time_guard
def total_was_called_before_surrender(m: Moment) -> str | None:
    """Fail where a total was to be called first; of a blackjack none is called (D-80)."""
    if m.hand.total_called or m.hand.is_blackjack:
        return None
    return f"the total of spot {m.act.spot} has not been called"


@time_guard
def no_other_sign_was_given(m: Moment) -> str | None:
    hand = m.hand
    if hand.other_sign or len(hand.cards) > 2 or hand.from_split:
        return f"spot {m.act.spot} has given another sign already"
    return None


@guard
def surrendered_hand_is_no_blackjack(m: Moment) -> str | None:
    return f"spot {m.act.spot} has a blackjack" if m.hand.is_blackjack else None


@guard
def nobody_touches_the_cards(m: Moment) -> str | None:
    return f"the player of spot {m.act.spot} touched the cards" if m.act.verb == "touch" else None


@guard
def no_spectator_touches_the_cards(m: Moment) -> str | None:
    return "a spectator touched the cards" if m.act.verb == "spectator touches" else None
