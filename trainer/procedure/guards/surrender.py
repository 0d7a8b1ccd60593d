"""A surrendered hand: what waits for the hole card, which half goes where."""

from __future__ import annotations

from trainer.chips import dollars
from trainer.procedure.guards.registry import (
    fact,
    guard,
    repeat_guard,
    time_guard,
)
from trainer.procedure.moment import (
    Moment,
)


@fact
def hand_is_surrendered(m: Moment) -> bool:
    return m.hand.surrendered


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
def a_hand_in_play_stands_behind_it(m: Moment) -> str | None:
    """Fail for paying a hand that gave up its play where the house knows no surrender, nor what half of it is."""
    if not m.hand.surrendered or m.house.is_("surrender") == "yes":
        return None
    return f"spot {m.act.spot} gave up its hand: nothing was won"


@guard
def surrendered_hand_is_not_paid(m: Moment) -> str | None:
    return f"spot {m.act.spot} surrendered" if m.hand.surrendered else None
