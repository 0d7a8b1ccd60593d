"""What else a dealer may do at a position beside the recommended way: every act that could be right, once.

Candidates only, kept few by what lies on the felt and in the ledger; the machine judges each of them.
"""

from __future__ import annotations

from collections.abc import Iterator

from trainer.actions import Act
from trainer.cards import Card, total
from trainer.chips import most_makeable
from trainer.procedure.moment import Position, is_finished
from trainer.procedure.settle import Due, hand_is_left, spot_is_left, stack_due, to_move
from trainer.table import MAIN_KINDS, ON_THE_HAND, Hand, Spot, Stack

Place = tuple[int, int]
FLOOR_WORDS = "say why"


def at(spot: Spot, index: int) -> Place:
    """Return how an act names a hand: by its letter only where its spot was split."""
    return spot.number, index if spot.is_split else 0


def on(
    verb: str, place: Place, *, kind: str = "", amount: int | None = None, total: int | None = None, what: str = ""
) -> Act:
    """Return an act on a hand."""
    return Act(verb, place[0], place[1], kind, None, amount, total, what)


def open_ways(position: Position) -> Iterator[Act]:
    """Yield the acts that change something here, whatever their order is recommended to be."""
    yield from _own_acts(position)
    yield from _calls(position)
    yield from _refusals(position)
    for spot in position.table.spots.values():
        if not spot.is_wagered:
            yield from (on("clear", at(spot, index)) for index, hand in enumerate(spot.hands, 1) if hand.has_cards)
            continue
        for index, hand in enumerate(spot.hands, 1):
            yield from _cards(position, spot, index, hand)
            yield from main_money(position, spot, index, hand)
        for stack in spot.side.values():
            if stack.lies:
                yield from side_money(position, spot, stack)
            elif stack.settled:
                yield from _correction(position, spot, 0, spot.hands[0], [stack], stack.kind)
        if any(hand.pushed or hand.has_cards for hand in spot.hands):
            yield Act("gesture tap", spot.number)
    yield Act("wait")
    yield Act("call floor", words=FLOOR_WORDS)


def _own_acts(position: Position) -> Iterator[Act]:
    table = position.table
    dealer, ledger = table.dealer, table.ledger
    if not dealer.turned and not dealer.cleared:
        if dealer.up is None:
            yield Act("deal up")
        if not dealer.has_hole:
            yield Act("deal hole")
    if dealer.has_hole:
        if not ledger.looked:
            yield Act("peek")
        yield Act("turn hole")
    if dealer.cards and not dealer.cleared:
        if dealer.turned or not dealer.has_hole:
            yield Act("draw")
        if dealer.turned and not ledger.stopped:
            yield Act("stop")
        if not any(spot_is_left(position, spot) for spot in table.wagered):
            yield Act("clear dealer")
    if not table.cards_on_felt:
        yield Act("start")


def _calls(position: Position) -> Iterator[Act]:
    table = position.table
    ledger, dealer = table.ledger, table.dealer
    if dealer.up is not None and dealer.up.is_ace and not ledger.third_card:
        if not ledger.insurance_called:
            yield Act("call insurance")
        if not ledger.insurance_closed:
            yield Act("close insurance")
        for spot in table.wagered:
            if spot.hands[0].is_blackjack and not spot.answer:
                yield Act("call even money", spot.number)
    shown = dealer.cards if dealer.turned else dealer.shown
    if shown and not dealer.cleared:
        for said in _said(shown):
            yield Act("call total dealer", total=said)


def _said(cards: list[Card]) -> list[int]:
    points, soft = total(cards)
    return [points, points - 10] if soft else [points]


def _refusals(position: Position) -> Iterator[Act]:
    table = position.table
    for request in table.ledger.requests:
        yield refusal(position, request.spot, request.hand, request.what)
    for offer in table.ledger.offers:
        touched = offer.what == "touch"
        yield Act("warn", offer.spot) if touched else refusal(position, offer.spot, offer.hand, offer.what)
    for spot in table.spots.values():
        if position.state == "wagers" and spot.is_wagered:
            for kind in ("main", "bust"):
                if kind in spot.hands[0].stacks:
                    yield Act("refuse", spot.number, what=kind)
        for index, hand in enumerate(spot.hands, 1):
            standing = {"stand": hand.stood, "surrender": hand.surrendered, "even money": hand.even_money}
            for what, given in standing.items():
                if given and not position.table.dealer.turned:
                    yield on("refuse", at(spot, index), what=what)


def refusal(position: Position, spot: int, hand: int, what: str) -> Act:
    """Return the act that refuses what was asked for or put down."""
    found = position.table.spots.get(spot)
    return Act("refuse", spot, hand if found and found.is_split else 0, what=what)


def _cards(position: Position, spot: Spot, index: int, hand: Hand) -> Iterator[Act]:
    table, place = position.table, at(spot, index)
    if hand.cleared:
        return
    request = table.ledger.asked_by(spot.number, index)
    if len(hand.cards) < 2 or request is not None or hand.is_bust_wager:
        yield on("deal", place)
    if not hand.cards:
        return
    if request is not None and request.what == "split":
        yield on("separate", place)
    if not (hand.asked and hand.turn_asked) and (hand.other_sign or not is_finished(position.house, spot, hand)):
        yield on("ask", place)
    if not hand.total_called or table.dealer.turned:
        for said in _said(hand.cards):
            yield on("call total", place, total=said)
    if hand.is_blackjack and not hand.called_blackjack and not hand.is_settled:
        yield Act("call blackjack", spot.number)
    if hand.surrendered and not hand.laid:
        yield Act("lay", spot.number)
    if not hand_is_left(position, spot, hand):
        yield on("clear", place)


# -- money ------------------------------------------------------------------------------------------------------


def main_money(position: Position, spot: Spot, index: int, hand: Hand) -> Iterator[Act]:
    """Yield what settles the wagers on a hand now: together where all end alike, and stack by stack."""
    stacks = [stack for kind, stack in hand.stacks.items() if kind in MAIN_KINDS]
    lying = [stack for stack in stacks if not stack.settled]
    if not lying:
        if stacks:
            yield from _correction(position, spot, index, hand, stacks, "")
        return
    place = at(spot, index)
    dues = [(stack, stack_due(position, spot, hand, stack)) for stack in lying]
    if all(due.do == "push" for _, due in dues):
        yield on("push", place)
    plain = [(stack, due) for stack, due in dues if stack.kind in ON_THE_HAND]
    if len(plain) > 1:
        yield from _together(position, place, plain)
    for number, (stack, due) in enumerate(dues):
        for act in _one(position, place, stack, due):
            yield act
            if number == 0 and act.kind and (act.verb != "pay" or len(lying) == 1):
                # Without a kind an amount that fits the first wager alone means that one; a win is paid whole.
                yield on(act.verb, place, amount=act.amount)


def _together(position: Position, place: Place, dues: list[tuple[Stack, Due]]) -> Iterator[Act]:
    ways = {due.do for _, due in dues}
    whole = sum(to_move(stack, due) for stack, due in dues)
    if len(ways) != 1:
        return
    do = ways.pop()
    if do in ("pay", "take", "return"):
        yield on(do, place, amount=whole)
        if do == "pay":
            yield from _rounded(position, place, "", whole)
    elif do == "push":
        yield on("return", place, amount=sum(stack.amount for stack, _ in dues))


def _one(position: Position, place: Place, stack: Stack, due: Due) -> Iterator[Act]:
    if due.do in ("pay", "take", "return"):
        yield on(due.do, place, kind=stack.kind, amount=to_move(stack, due))
        if due.do == "pay":
            yield from _rounded(position, place, stack.kind, due.amount)
    elif due.do == "push":
        yield on("return", place, kind=stack.kind, amount=stack.amount)
    elif due.do == "half":
        taken, rest = due.amount, stack.staked - due.amount
        step = min(position.options.chips)
        for amount in dict.fromkeys((taken, taken - taken % step, taken + -taken % step)):
            yield on("take", place, kind=stack.kind, amount=amount)
        for amount in dict.fromkeys((rest, rest - rest % step, rest + -rest % step)):
            yield on("return", place, kind=stack.kind, amount=amount)


def _rounded(position: Position, place: Place, kind: str, amount: int) -> Iterator[Act]:
    makeable = most_makeable(amount, position.options.chips)
    if 0 < makeable < amount:
        yield on("pay", place, kind=kind, amount=makeable)


def side_money(position: Position, spot: Spot, stack: Stack) -> Iterator[Act]:
    """Yield what settles insurance or a side wager now."""
    yield from _one(position, at(spot, 0), stack, stack_due(position, spot, spot.hands[0], stack))


def _correction(
    position: Position, spot: Spot, index: int, hand: Hand, stacks: list[Stack], kind: str
) -> Iterator[Act]:
    """Pay or give back what was paid short, take what was paid too much."""
    dues = [stack_due(position, spot, hand, stack) for stack in stacks]
    if any(due.do == "wait" for due in dues):
        return
    moved = sum(stack.net for stack in stacks)
    missing = sum(due.net for due in dues) - moved
    place = at(spot, index)
    if missing:
        yield on("pay" if missing > 0 else "take", place, kind=kind, amount=abs(missing))
    if missing > 0 > moved and all(due.do != "half" for due in dues):
        for amount in dict.fromkeys((missing, -moved)):
            yield on("return", place, kind=kind, amount=amount)
