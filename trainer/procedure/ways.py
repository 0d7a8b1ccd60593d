"""The acts a dealer may think of at a position: the house's or the default's way first, then every other one.

Candidates only: the machine judges each of them before it is called legal.
"""

from __future__ import annotations

from collections.abc import Iterator

from trainer.actions import Act
from trainer.procedure.moment import (
    Moment,
    Position,
    deal_is_complete,
    is_all_settled,
    is_finished,
    is_live,
    ruled_act,
    unfinished,
)
from trainer.procedure.openways import at, on, open_ways, refusal
from trainer.procedure.settle import Due, hand_is_left, spot_is_left, stack_due, to_move
from trainer.procedure.sides import side_wager
from trainer.table import MAIN_KINDS, ON_THE_HAND, Hand, Spot, Stack


def dealer_ways(position: Position) -> Iterator[Act]:
    """Yield candidate dealer acts without cards, each once, in the order in which they are recommended."""
    seen: set[Act] = set()
    for act in _ways(position):
        if act not in seen:
            seen.add(act)
            yield act


def _ways(position: Position) -> Iterator[Act]:
    ruled = ruled_act(position.house, position.table)
    if ruled is not None:
        yield ruled
    yield from _answers(position)
    state = position.state
    if state in ("wagers", "dealing"):
        yield from _dealing(position)
    elif state == "opening":
        yield from _opening(position)
        yield from _playing(position)
    elif state == "peeked blackjack":
        yield Act("turn hole")
    elif state == "peeked none":
        yield from _after_the_look(position)
        yield from _playing(position)
    elif state in ("turn", "hit", "double", "split", "bust", "surrender"):
        yield from _opening(position)
        yield from _playing(position)
    elif state == "hole":
        yield from _late_words(position)
        yield from _busts(position)
        yield from _surrenders(position)
        yield Act("deal hole")
        yield Act("turn hole")
    elif state == "draw":
        yield from _own_hand(position)
    elif state == "settle":
        yield from _settling(position)
    if state in ("settle", "clear"):
        yield from _clearing(position)
    if state == "over":
        yield Act("start")
    yield from open_ways(position)


def _hands(position: Position) -> Iterator[tuple[Spot, int, Hand]]:
    for spot in position.table.wagered:
        for index, hand in enumerate(spot.hands, 1):
            yield spot, index, hand


def _answers(position: Position) -> Iterator[Act]:
    """Refuse what is out of order, warn who touches."""
    ledger = position.table.ledger
    if ledger.request and ledger.request.unmet:
        yield refusal(position, ledger.request.spot, ledger.request.hand, ledger.request.what)
    for offer in ledger.offers:
        if offer.what == "touch":
            yield Act("warn", offer.spot)
        else:
            yield refusal(position, offer.spot, offer.hand, offer.what)


def _dealing(position: Position) -> Iterator[Act]:
    table = position.table
    wagered = table.wagered
    fewest = min((len(spot.hands[0].cards) for spot in wagered), default=2)
    own = len(table.dealer.cards)
    after = position.house.is_("hole-card-dealt") == "after the players"
    if fewest == 1 and own == 0:
        yield Act("deal up")
    for spot in wagered:
        if len(spot.hands[0].cards) == fewest < 2:
            yield Act("deal", spot.number)
    if fewest >= 1 and own == 0 and wagered:
        yield Act("deal up")
    if fewest >= 2 and own == 1 and wagered and not after:
        yield Act("deal hole")


def _waiting_blackjacks(position: Position) -> Iterator[tuple[Spot, Hand]]:
    for spot in position.table.wagered:
        hand = spot.hands[0]
        if hand.is_blackjack and not hand.is_settled and not hand.cleared:
            yield spot, hand


def _opening(position: Position) -> Iterator[Act]:
    table, house = position.table, position.house
    ledger, up = table.ledger, table.dealer.up
    yield from _side_wagers(position, early=True)
    moment = Moment(position, Act("wait"))
    for spot, hand in _waiting_blackjacks(position):
        if not hand.called_blackjack:
            yield Act("call blackjack", spot.number)
        if moment.up_is_low:
            yield from _due_acts(position, spot, 1, hand)
    if moment.up_is_low:
        for spot in table.wagered:
            hand = spot.hands[0]
            if hand.is_blackjack and hand.is_settled and hand.has_cards:
                yield Act("clear", spot.number)
    if up is None or not up.is_ace or moment.hole_known or ledger.third_card:
        return
    if not (
        ledger.insurance_called or ledger.insurance_closed or any(len(spot.first_two) < 2 for spot in table.wagered)
    ):
        yield Act("call insurance")
    if house.is_("even-money") == "under an ace":
        for spot, hand in _waiting_blackjacks(position):
            if not spot.answer and not spot.asked_even_money and not hand.is_bust_wager:
                yield Act("call even money", spot.number)
    for spot in table.wagered:
        hand = spot.hands[0]
        if hand.even_money and not hand.is_settled:
            yield from _due_acts(position, spot, 1, hand)
        if hand.even_money and hand.is_settled and hand.has_cards:
            yield Act("clear", spot.number)
    if not ledger.insurance_closed and position.state == "opening":
        if any(not spot.answer for spot in table.wagered):
            yield Act("wait")
        yield Act("close insurance")
    if house.is_("look-under-ace") == "yes":
        yield Act("peek")


def _after_the_look(position: Position) -> Iterator[Act]:
    for spot in position.table.wagered:
        stack = spot.side.get("insurance")
        if stack and stack.lies:
            yield Act("take", spot.number, kind="insurance", amount=stack.amount)
    for spot, hand in _waiting_blackjacks(position):
        if not hand.called_blackjack:
            yield Act("call blackjack", spot.number)
        yield from _due_acts(position, spot, 1, hand)
    for spot in position.table.wagered:
        hand = spot.hands[0]
        if hand.is_blackjack and hand.is_settled and hand.has_cards:
            yield Act("clear", spot.number)


def _busts(position: Position) -> Iterator[Act]:
    for spot, index, hand in _hands(position):
        if hand.is_bust and not hand.is_bust_wager:
            if hand.lying:
                yield on("take", at(spot, index), amount=hand.lying)
            if hand.has_cards:
                yield on("clear", at(spot, index))
        if hand.is_bust_wager and hand.is_bust:
            yield from _due_acts(position, spot, index, hand)


def _late_words(position: Position) -> Iterator[Act]:
    """Ask the hands that decided without having been asked and call the totals left out, where the house does."""
    asks = position.house.is_("ask-decision") == "yes"
    totals = position.house.is_("announce-totals") == "yes"
    for spot, index, hand in _hands(position):
        if not hand.has_cards or hand.from_aces or hand.is_bust_wager:
            continue
        if asks and hand.other_sign and not hand.asked:
            yield on("ask", at(spot, index))
        if totals and hand.stood and not hand.total_called:
            yield on("call total", at(spot, index), total=hand.total)


def _surrenders(position: Position) -> Iterator[Act]:
    moment = Moment(position, Act("wait"))
    for spot, index, hand in _hands(position):
        if not hand.surrendered:
            continue
        if not moment.up_is_low and not hand.laid and not hand.is_settled:
            yield Act("lay", spot.number)
        if moment.up_is_low:
            yield from _due_acts(position, spot, index, hand)
            if hand.is_settled and hand.has_cards:
                yield Act("clear", spot.number)


def _playing(position: Position) -> Iterator[Act]:
    table, house = position.table, position.house
    ledger = table.ledger
    yield from _busts(position)
    yield from _surrenders(position)
    request = ledger.request
    totals = house.is_("announce-totals") == "yes"
    if request and not request.unmet and request.what in ("hit", "double", "split"):
        spot = table.spots[request.spot]
        hand = spot.hands[request.hand - 1]
        place = at(spot, request.hand)
        if not hand.asked and house.is_("ask-decision") == "yes":
            yield on("ask", place)
        if totals and not hand.total_called:
            yield on("call total", place, total=hand.total)
        yield on("separate" if request.what == "split" else "deal", place)
    focus = table.spots.get(ledger.focus[0])
    for index, hand in enumerate(focus.hands if focus else (), 1):
        if focus and hand.from_aces and len(hand.cards) == 1:
            yield on("deal", at(focus, index))
    if totals:
        yield from _late_words(position)
    for one, index, hand in unfinished(house, table):
        place = at(one, index)
        if hand.is_bust_wager or len(hand.cards) < 2:
            yield on("deal", place)
            return
        if not hand.asked:
            yield on("ask", place)
        if totals and not hand.total_called:
            yield on("call total", place, total=hand.total)
        yield Act("wait")
        return
    yield from _late_words(position)
    yield Act("deal hole")
    yield Act("turn hole")


def _own_hand(position: Position) -> Iterator[Act]:
    moment = Moment(position, Act("wait"))
    for spot in position.table.wagered:
        yield from _insurance(position, spot)
    live = any(is_live(hand) for _, _, hand in _hands(position))
    if live and moment.must_draw:
        yield Act("draw")
    yield Act("stop")


def _insurance(position: Position, spot: Spot) -> Iterator[Act]:
    stack = spot.side.get("insurance")
    if stack and stack.lies:
        yield from _act_for(position, spot, 0, stack, stack_due(position, spot, spot.hands[0], stack))


def _settling(position: Position) -> Iterator[Act]:
    """Insurance first, then hand by hand from the dealer's right, each with its side wagers."""
    for spot in position.table.wagered:
        yield from _insurance(position, spot)
    with_wager = position.house.is_("losers-cards") == "with the wager"
    if with_wager:
        for spot, index, hand in _hands(position):
            if hand.has_cards and hand.is_settled and sum(stack.net for stack in hand.on_hand) < 0:
                yield on("clear", at(spot, index))
    for spot in reversed(position.table.wagered):
        for index in range(len(spot.hands), 0, -1):
            hand = spot.hands[index - 1]
            if hand.is_blackjack and not hand.called_blackjack and not hand.is_settled:
                yield Act("call blackjack", spot.number)
            yield from _due_acts(position, spot, index, hand)
        yield from _side_of(position, spot)


def _clearing(position: Position) -> Iterator[Act]:
    """Clear what is settled: that a house leaves the moment open makes no sense of taking the proof away earlier."""
    spots = position.table.spots.values()
    for spot in reversed(spots):
        for index in range(len(spot.hands), 0, -1):
            hand = spot.hands[index - 1]
            if hand.has_cards and not hand_is_left(position, spot, hand):
                yield on("clear", at(spot, index))
    if not any(spot_is_left(position, spot) for spot in spots):
        yield Act("clear dealer")


def _side_wagers(position: Position, early: bool) -> Iterator[Act]:
    losers: list[Act] = []
    winners: list[Act] = []
    for spot in position.table.wagered:
        for kind, stack in spot.side.items():
            wager = side_wager(position, kind)
            if not stack.lies or wager is None or (early and wager.settles != "first two cards"):
                continue
            due = stack_due(position, spot, spot.hands[0], stack)
            acts = list(_act_for(position, spot, 0, stack, due))
            (losers if due.do == "take" else winners).extend(acts)
    yield from losers
    yield from winners


def _side_of(position: Position, spot: Spot) -> Iterator[Act]:
    for kind, stack in list(spot.side.items()):
        if stack.lies and kind != "insurance":
            yield from _act_for(position, spot, 0, stack, stack_due(position, spot, spot.hands[0], stack))


def _act_for(position: Position, spot: Spot, index: int, stack: Stack, due: Due) -> Iterator[Act]:
    place = at(spot, index)
    if due.do in ("pay", "take", "return"):
        yield on(due.do, place, kind=stack.kind, amount=to_move(stack, due))


def _due_acts(position: Position, spot: Spot, index: int, hand: Hand) -> Iterator[Act]:
    """What settles the wagers on a hand now: one act for stacks due the same way, else one a stack."""
    place = at(spot, index)
    open_stacks = [stack for kind, stack in hand.stacks.items() if kind in MAIN_KINDS and not stack.settled]
    dues = [(stack, stack_due(position, spot, hand, stack)) for stack in open_stacks]
    ways = {due.do for _, due in dues}
    if ways == {"push"}:
        yield on("push", place)
        return
    if len(ways) == 1 and ways & {"pay", "take", "return"} and all(stack.kind in ON_THE_HAND for stack in open_stacks):
        yield on(ways.pop(), place, amount=sum(to_move(stack, due) for stack, due in dues))
    for stack, due in dues:
        if due.do == "half":
            taken = min(due.amount, -stack.net) if stack.net else 0
            if not stack.net:
                yield on("take", place, amount=due.amount)
            yield on("return", place, amount=stack.staked - due.amount)
            if stack.net == 0 or taken < due.amount:
                yield on("take", place, amount=due.amount)
        elif due.do in ("pay", "take", "return"):
            yield on(due.do, place, kind=stack.kind, amount=to_move(stack, due))


def is_playable(position: Position) -> bool:
    """Tell whether the initial deal is complete and something is left to do before the round is over."""
    return deal_is_complete(position.house, position.table) and not is_all_settled(position.table)


def decision_hand(position: Position) -> tuple[Spot, int, Hand] | None:
    """Return the first hand that waits for its player's decision, None when none does."""
    for spot, index, hand in unfinished(position.house, position.table):
        if len(hand.cards) >= 2 and not hand.is_bust_wager and not is_finished(position.house, spot, hand):
            return spot, index, hand
    return None
