"""Wagers left lying at the end of the round: which they are, and the rule each one is owed by."""

from __future__ import annotations

from collections.abc import Iterator

from trainer.procedure.guards.registry import Place, claim, due
from trainer.procedure.moment import Moment
from trainer.procedure.settle import is_left, stack_due
from trainer.procedure.sides import side_wager
from trainer.table import Hand, Spot, Stack

_SIDE = {"pay": "won", "take": "lost"}
_ADDED = {"split": "split-money-goes-back", "double": "double-money-goes-back"}


@due
def a_wager_is_not_settled(m: Moment) -> list[Place]:
    """Every spot or hand with a wager that still has to be moved; a push that lies where it was may stay."""
    return list(dict.fromkeys(place for place, *_ in _left(m)))


@claim("a_wager_is_not_settled")
def rules_of_what_is_left(m: Moment, place: Place) -> list[tuple[str, str]]:
    """The rule each wager left at a place is owed by, and what is to be said of it."""
    return [
        (_rule(m, spot, hand, stack), _words(m, spot, hand, stack)) for at, spot, hand, stack in _left(m) if at == place
    ]


def _left(m: Moment) -> Iterator[tuple[Place, Spot, Hand, Stack]]:
    for spot in m.table.wagered:
        for stack in spot.side.values():
            if is_left(m.position, spot, spot.hands[0], stack):
                yield (spot.number, 0), spot, spot.hands[0], stack
        for index, hand in enumerate(spot.hands, 1):
            for stack in hand.stacks.values():
                if is_left(m.position, spot, hand, stack):
                    yield (spot.number, index), spot, hand, stack


def _words(m: Moment, spot: Spot, hand: Hand, stack: Stack) -> str:
    said = {"pay": "is unpaid", "take": "has lost and lies there", "return": "has not gone back"}
    return (
        f"the {stack.kind} wager of {{place}} {said.get(stack_due(m.position, spot, hand, stack).do, 'is not settled')}"
    )


def _rule(m: Moment, spot: Spot, hand: Hand, stack: Stack) -> str:
    do = stack_due(m.position, spot, hand, stack).do
    if stack.kind == "insurance":
        return {"pay": "insurance-wins", "take": "insurance-loses"}.get(do, "")
    if stack.kind == "bust":
        return {"pay": "bust-wager-won", "take": "bust-wager-loses"}.get(do, "")
    wager = side_wager(m.position, stack.kind)
    if wager:
        return wager.rules.get(_SIDE.get(do, ""), "")
    if hand.surrendered:
        return {"half": "surrender-half", "take": "surrender-lost-to-blackjack"}.get(do, "")
    if do == "return":
        return _ADDED.get(stack.kind, "")
    return {"pay": _rule_of_a_win, "take": _rule_of_a_loss}[do](m, hand) if do in ("pay", "take") else ""


def _rule_of_a_win(m: Moment, hand: Hand) -> str:
    if hand.is_blackjack:
        return "even-money-price" if hand.even_money and m.up_is_ace else "blackjack-beats-drawn-21"
    return "dealer-bust-pays" if m.table.dealer.is_bust else "higher-total-wins"


def _rule_of_a_loss(m: Moment, hand: Hand) -> str:
    if hand.is_bust:
        return "bust-loses"
    return "original-lost-to-blackjack" if m.dealer_blackjack else "lower-total-loses"
