"""The players' turn: asking, totals, signals, doubles, splits, surrender, cards to a hand, refusals."""

from __future__ import annotations

from trainer.cards import total
from trainer.chips import dollars
from trainer.procedure.guards.registry import fact, guard, house_guard, repeat_guard, time_guard, words
from trainer.procedure.moment import Moment, is_finished, unfinished
from trainer.table import Request


ORDER = "order"
"""The topic under which serving a hand before its turn is told once."""


def request_here(m: Moment) -> Request | None:
    """Return what the hand of the act has asked for and not been given yet."""
    return m.table.ledger.asked_by(*m.key)


# -- which row a card to a player's hand belongs to -------------------------------------------------------------


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


# -- order ------------------------------------------------------------------------------------------------------


def _order_is_told(m: Moment) -> bool:
    """Tell whether serving this hand before its turn has been found already; going on with it is no new fault."""
    return (ORDER, m.key) in m.table.ledger.missed


@guard
def player_is_in_turn(m: Moment) -> str | None:
    """Serve spots from the dealer's left (aces-018)."""
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


@time_guard
def asked_hand_is_still_to_be_asked(m: Moment) -> str | None:
    """While a decision is carried out, and once every hand is finished, only a hand that nobody asked is asked, late."""
    if m.state in ("hit", "double", "split", "hole") and (m.hand.asked or not m.hand.cards):
        return f"{m.act.place} has been asked"
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


# -- a card for a hand: what it lacks ---------------------------------------------------------------------------


@guard
def hand_has_not_stood(m: Moment) -> str | None:
    return f"{m.act.place} stood" if m.hand.stood and not m.hand.is_bust else None


@guard
def hand_is_not_past_21(m: Moment) -> str | None:
    return f"{m.act.place} is past 21" if m.hand.is_bust else None


@guard
def hand_is_no_paid_out_blackjack(m: Moment) -> str | None:
    return f"spot {m.act.spot} has a blackjack" if m.hand.is_blackjack else None


@guard
def doubled_hand_has_no_card_yet(m: Moment) -> str | None:
    return f"{m.act.place} doubled and has its one card" if m.hand.doubled else None


@guard
def split_ace_has_no_card_yet(m: Moment) -> str | None:
    if m.hand.from_aces and len(m.hand.cards) >= 2 and not _split_again_pending(m):
        return f"{m.act.place} is a split ace and has its one card"
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
    if hand.is_bust_wager or split_hand_waits_for_its_card(m):
        return False
    request = request_here(m)
    return request is None or (request.what == "split" and not request.valid)


@guard
def split_asked_for_is_carried_out(m: Moment) -> str | None:
    request = request_here(m)
    if request and request.what == "split" and request.valid:
        return f"{m.act.place} has asked to split"
    return None


@guard
def hand_asked_for_a_card(m: Moment) -> str | None:
    """Fail for a card without any request; a second card for one hit is the next guard's."""
    if _no_request(m) and not m.hand.acted:
        return f"{m.act.place} has given no signal"
    return None


@guard
def one_card_for_one_hit(m: Moment) -> str | None:
    if _no_request(m) and m.hand.acted and m.hand.other_sign:
        return f"{m.act.place} has not asked for another card"
    return None


@guard
def further_card_follows_a_signal(m: Moment) -> str | None:
    if _no_request(m) and m.hand.acted:
        return f"{m.act.place} has given no signal for this card"
    return None


@guard
def split_bet_is_down(m: Moment) -> str | None:
    if m.act.verb == "separate":
        request = request_here(m)
        if not (request and request.what == "split"):
            return f"no equal wager lies there for a second hand of {m.act.place}"
    return None


@guard
def player_asked_to_split(m: Moment) -> str | None:
    if m.act.verb == "separate" and not _split_again_pending(m):
        return f"the player of {m.act.place} has not asked to split"
    return None


@guard
def hand_is_drawn_by_the_house_way(m: Moment) -> str | None:
    if m.hand.is_bust_wager and m.hand.total >= 17:
        return f"the hand of spot {m.act.spot} stands at {m.hand.total}"
    return None


# -- what a player may ask for ----------------------------------------------------------------------------------


@guard
def signal_is_given_by_hand(m: Moment) -> str | None:
    return f"the {m.act.what} was given by word alone" if m.act.flag == "by word" else None


@time_guard
def hand_is_being_played(m: Moment) -> str | None:
    hand = m.hand
    if len(hand.cards) < 2 and not hand.from_split:
        return f"{m.act.place} has no two cards yet"
    return None


@time_guard
def hand_has_two_cards(m: Moment) -> str | None:
    count = len(m.hand.cards)
    if count != 2:
        return f"{m.act.place} has {count} card{'s' if count != 1 else ''}"
    return None


@time_guard
def hand_has_no_third_card(m: Moment) -> str | None:
    return f"{m.act.place} has {len(m.hand.cards)} cards" if len(m.hand.cards) > 2 else None


@guard
def total_is_not_21(m: Moment) -> str | None:
    return f"{m.act.place} has 21" if m.hand.total == 21 else None


@guard
def total_may_be_doubled(m: Moment) -> str | None:
    allowed = m.house.is_("double-on-totals")
    if allowed == "any":
        return None
    low, high = (int(word) for word in allowed.split("-"))
    hard = m.hand.total - (10 if m.hand.is_soft else 0)
    if low <= m.hand.total <= high or low <= hard <= high:
        return None
    return f"{m.act.place} has {m.hand.total}; this house doubles on {low} to {high}"


@guard
def doubling_is_not_on_a_blackjack(m: Moment) -> str | None:
    return f"spot {m.act.spot} has a blackjack" if m.hand.is_blackjack else None


@guard
def split_hand_may_be_doubled(m: Moment) -> str | None:
    if m.hand.from_split and m.house.is_("double-after-split") == "no":
        return f"{m.act.place} is a split hand"
    return None


@guard
def doubling_is_not_on_a_split_ace(m: Moment) -> str | None:
    return f"{m.act.place} is a split ace" if m.hand.from_aces else None


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
    return None if m.hand.total_called else f"the total of spot {m.act.spot} has not been called"


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


# -- refusing what is in order ----------------------------------------------------------------------------------


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
    return f"{m.act.place} is a split hand and may draw on" if m.hand.from_split and hit_in_order_is_served(m) else None


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
    if m.act.what in ("hit", "stand", "double", "split", "surrender", "even money"):
        return True
    return False


@fact
def insurance_is_refused(m: Moment) -> bool:
    return m.act.what == "insurance"


@fact
def a_wager_is_refused(m: Moment) -> bool:
    return not a_decision_is_refused(m) and not insurance_is_refused(m)


# -- surrender's handling ---------------------------------------------------------------------------------------


@fact
def hand_is_surrendered(m: Moment) -> bool:
    return m.hand.surrendered


@fact
def surrender_is_settled_at_once(m: Moment) -> bool:
    return m.hand.surrendered and m.up_is_low


@fact
def surrender_waits_for_the_hole_card(m: Moment) -> bool:
    return m.hand.surrendered and not m.up_is_low


@guard
def hand_was_surrendered(m: Moment) -> str | None:
    return None if m.hand.surrendered else f"spot {m.act.spot} has not surrendered"


@guard
def laying_needs_an_ace_or_ten_up(m: Moment) -> str | None:
    return "the up card is a 2 to 9: half is settled at once" if m.up_is_low else None


@time_guard
def surrender_is_settled_after_the_hole_card(m: Moment) -> str | None:
    if m.hand.surrendered and not m.up_is_low and not m.hole_turned:
        return "the surrendered wager waits until the hole card is turned"
    return None


def _half(m: Moment) -> int:
    return sum(stack.staked for stack in m.stacks) // 2


def _is_half(m: Moment) -> bool:
    """Tell whether half moves, or, once half has moved, all the rest (D-94: either rounding of an odd half)."""
    amount, lying = m.act.amount or 0, sum(stack.amount for stack in m.stacks)
    moved = sum(stack.staked for stack in m.stacks) - lying
    return amount == lying if moved and _rounds_to_half(m, moved) else _rounds_to_half(m, amount)


def _rounds_to_half(m: Moment, amount: int) -> bool:
    step, half = min(m.options.chips), _half(m)
    return abs(amount - half) < step if half % step else amount == half


@guard
def half_of_the_surrendered_wager_moves(m: Moment) -> str | None:
    hand = m.hand
    if not hand.surrendered or (not m.up_is_low and m.hole_turned and m.dealer_blackjack):
        return None
    if _is_half(m):
        return None
    lying = sum(stack.amount for stack in m.lying)
    moved = sum(stack.staked for stack in m.lying) - lying
    due = lying if moved and _rounds_to_half(m, moved) else _half(m)
    return f"half, {dollars(due)}, is due"


@repeat_guard
def surrendered_half_moves_once(m: Moment) -> str | None:
    """Fail when half has gone the same way already: the other half goes the other way."""
    if not m.hand.surrendered or not m.lying:
        return None
    taken = -sum(stack.net for stack in m.lying)
    returned = sum(stack.staked - stack.amount for stack in m.lying) - taken
    if m.act.verb == "take" and taken > 0:
        return f"half of spot {m.act.spot} has been taken; the other half goes back"
    if m.act.verb == "return" and returned > 0:
        return f"half of spot {m.act.spot} has gone back; the other half is taken"
    return None


@guard
def whole_surrendered_wager_is_taken(m: Moment) -> str | None:
    hand = m.hand
    if hand.surrendered and m.hole_turned and m.dealer_blackjack and not m.up_is_low:
        lying = sum(stack.amount for stack in m.lying)
        if m.act.verb == "return":
            return "the dealer has a blackjack: the whole surrendered wager is taken"
        if lying and (m.act.amount or 0) != lying:
            return f"the dealer has a blackjack: {dollars(lying)} is taken"
    return None


@guard
def surrendered_hand_is_not_paid(m: Moment) -> str | None:
    return f"spot {m.act.spot} surrendered" if m.hand.surrendered else None


def is_done(m: Moment) -> bool:
    """Tell whether the act's own hand is finished."""
    return is_finished(m.house, m.spot, m.hand)
