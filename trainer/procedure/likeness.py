"""When two positions are alike: what rules can still read of a round, and nothing else.

Positions of one likeness have the same acts before them and get the same rulings, so an exploration enters one of them.
``Explorer`` holds samples of that against the machine.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from trainer.cards import Card, total
from trainer.procedure.moment import Position, dealer_must_draw, is_finished
from trainer.table import DealerHand, Hand, Ledger, Spot, Stack

# The least total a dealer ends with; a hand that stands below it loses or wins as any other below it.
LEAST_COMPLETE = 17
# States in which no player has a decision or a card to come.
_PLAYED = frozenset({"draw", "settle", "clear", "over"})


# Parts of likenesses, each kept once: many positions share a hand, a dealer's hand, a ledger.
_SHARED: dict[Any, Any] = {}


def likeness(position: Position) -> Any:
    """Return what rules can read of a position, as a value that can be a key.

    Suits, the order of two cards, the cards of a drawn total, seats and what is settled and cleared are left out; of a
    hand that stands only the total counts, and once the dealer's hand is complete only how the two compare.
    """
    table, state = position.table, position.state
    if state == "over":
        return state
    dealer = table.dealer
    played = state in _PLAYED
    done = dealer.turned and (dealer.is_bust or table.ledger.stopped or not dealer_must_draw(position.house, table))
    against = min(dealer.total, 22) if done and played else 0
    spots = tuple(
        [_spot(position, spot, played, against) for spot in table.spots.values() if spot.hands[0].stacks or spot.side]
    )
    return state, spots, _shared(_dealer(dealer, done and played)), _shared(_ledger(table.ledger, played))


def _shared(part: Any) -> Any:
    return _SHARED.setdefault(part, part)


def _spot(position: Position, spot: Spot, played: bool, against: int) -> Any:
    ledger = position.table.ledger
    last = 0 if played or ledger.focus[0] != spot.number else ledger.focus[1]
    # Only wagers beside the main one read the first two cards once more have come, and exact totals of hands that stand.
    beside = any(stack.lies for kind, stack in spot.side.items() if kind != "insurance")
    first = _ranks(list(spot.first_two)) if beside else len(spot.first_two)
    reading = _Reading(position, spot, played, beside, against)
    hands = tuple([_shared(_hand(reading, hand, last == index)) for index, hand in enumerate(spot.hands, 1)])
    side = _shared(tuple([_stack(stack) for stack in spot.side.values()]))
    return spot.number, hands, side, spot.answer, spot.asked_even_money, first


class _Reading(NamedTuple):
    """How a spot's hands are read: whether all are played, side wagers lie beside them, the dealer's complete total."""

    position: Position
    spot: Spot
    played: bool
    beside: bool
    against: int


def _hand(reading: _Reading, hand: Hand, last: bool) -> Any:
    house, played = reading.position.house, reading.played
    if hand.cleared and hand.is_settled:
        return hand.from_split, hand.is_bust_wager, last, reading.beside and (hand.total, len(hand.cards))
    finished = is_finished(house, reading.spot, hand)
    stacks = tuple([_stack(stack) for stack in hand.stacks.values()])
    flags: tuple[Any, ...] = (
        last,
        hand.cleared,
        hand.faces_down,
        hand.laid,
        hand.surrendered,
        hand.called_blackjack,
        hand.even_money,
        hand.pushed,
    )
    if not played:
        flags += (hand.from_split, hand.from_aces, hand.stood, hand.doubled, hand.other_sign)
    if not finished:
        flags += (hand.total_called, hand.asked, hand.turn_asked, hand.acted, hand.drawn)
    elif not played and (hand.stood or hand.doubled or hand.other_sign):
        flags += (hand.total_called, hand.asked)
    elif house.is_("announce-totals") == "yes":
        flags += (hand.total_called,)
    return _cards(reading, hand, finished), stacks, flags


def _cards(reading: _Reading, hand: Hand, finished: bool) -> Any:
    """Two cards by rank, in any order; of more the total, and whether an ace may lower it; less of a finished hand."""
    points, soft = total(hand.cards)
    if points > 21:
        return 22
    if not finished or len(hand.cards) < 2:
        return _ranks(hand.cards) if len(hand.cards) <= 2 else (points, soft)
    if hand.is_blackjack:
        return "blackjack"
    if reading.beside:
        return points, len(hand.cards)
    against = reading.against
    if against:
        return (points > against) - (points < against) if against < 22 else 1
    return max(points, LEAST_COMPLETE - 1)


def _ranks(cards: list[Card]) -> tuple[str, ...]:
    return tuple(sorted([card.rank for card in cards]))


def _stack(stack: Stack) -> Any:
    if stack.settled and not stack.amount:
        return stack.kind, (stack.net > 0) - (stack.net < 0), stack.unnamed
    return (
        stack.kind,
        stack.amount,
        stack.staked,
        stack.net,
        stack.settled,
        stack.flag,
        stack.over,
        stack.void,
        stack.halved,
        stack.unnamed,
    )


def _dealer(dealer: DealerHand, done: bool) -> Any:
    if dealer.cleared:
        return "cleared"
    if done:
        said = "blackjack" if dealer.is_blackjack else (min(dealer.total, 22), dealer.is_soft)
        # Under a low card blackjacks go by rules of their own.
        return said, "" if dealer.up is None else "ace" if dealer.up.is_ace else "ten" if dealer.up.is_ten else "low"
    up = dealer.up.rank if dealer.up else ""
    if len(dealer.cards) <= 2:
        return _ranks(dealer.cards), dealer.hole, up, dealer.turned
    return dealer.total, dealer.is_soft, dealer.hole, up, dealer.turned


def _ledger(ledger: Ledger, played: bool) -> Any:
    insurance = (ledger.insurance_called, ledger.insurance_closed, ledger.looked)
    if played:
        return (*insurance, ledger.stopped, ledger.third_card, ledger.request, ledger.waiting, ledger.offers)
    return (
        *insurance,
        ledger.stopped,
        ledger.third_card,
        ledger.third_cards,
        ledger.play_begun,
        ledger.focus[0],
        ledger.request,
        ledger.waiting,
        ledger.offers,
        ledger.last_dealt,
        ledger.first_dealt,
        ledger.waived,
        ledger.ruling,
        ledger.floor_called,
        ledger.ended,
    )
