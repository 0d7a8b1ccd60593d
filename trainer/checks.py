"""Which acts no table could see: no such place, hand or card, or cleared away. Nothing is judged here."""

from __future__ import annotations

from trainer.actions import Act
from trainer.table import CannotHappen, DealerHand, Hand, Table

_OF_A_SPOT = frozenset({"warn", "gesture tap", "touch"})
_DECIDING = frozenset({"signal", "double", "split", "surrender", "lay"})
_OF_CARDS = _DECIDING | {"deal", "separate", "call total", "clear"}
_OF_THE_OWN_HAND = frozenset({"deal up", "deal hole", "draw", "clear dealer", "peek", "turn hole"})


def check(table: Table, act: Act) -> None:
    """Raise for an act that no table could see, whatever its card.

    Raises:
        CannotHappen: there is no such place or hand, no such card lies there, or it has been cleared away.
    """
    verb = act.verb
    if act.spot:
        spot = table.spots.get(act.spot) or table.spot(act.spot)
        if verb not in _OF_A_SPOT:
            number, hands = act.hand, spot.hands
            hand = table.hand(act) if number > len(hands) else hands[number - 1 if number else 0]
            if verb in _OF_CARDS:
                _check_cards(hand, act)
    if verb in _OF_THE_OWN_HAND:
        _check_own_hand(table.dealer, verb)


def _check_cards(hand: Hand, act: Act) -> None:
    verb = act.verb
    if hand.cleared and verb not in ("call total", "clear"):
        raise CannotHappen(f"the cards of {act.place} have been cleared")
    if not hand.cards and (verb in _DECIDING or verb == "call total"):
        raise CannotHappen(f"no cards lie at {act.place}")
    if verb == "separate" and len(hand.cards) < 2:
        raise CannotHappen(f"there are no two cards to part at {act.place}")
    if verb == "clear" and not hand.has_cards:
        raise CannotHappen(f"no cards lie at {act.place}")
    if verb == "double" and "double" in hand.stacks and hand.doubled:
        raise CannotHappen(f"double money lies at {act.place} already")


def _check_own_hand(dealer: DealerHand, verb: str) -> None:
    if dealer.cleared:
        raise CannotHappen("your own cards have been cleared")
    if verb == "clear dealer" and not dealer.cards:
        raise CannotHappen("no dealer's cards lie there")
    if verb in ("peek", "turn hole") and not dealer.has_hole:
        raise CannotHappen("no hole card lies there")
