"""How each act moves cards and chips and what the ledger notes of it: physics only.

A wrong act still puts a card on the felt. Who may do what is the machine's business.
"""

from __future__ import annotations

from trainer.actions import DECISIONS, Act
from trainer.cards import Card
from trainer.checks import check
from trainer.payments import give_back, pay, push, take
from trainer.table import MAIN_KINDS, CannotHappen, DealerHand, Hand, Ledger, Request, Table


def move(table: Table, act: Act) -> None:
    """Carry out an act: cards and chips move, the ledger notes what was said. Nothing is judged here.

    Raises:
        CannotHappen: no table could see this act (there is no such hand, card or place).
    """
    check(table, act)
    move_checked(table, act)


def move_checked(table: Table, act: Act) -> None:
    """Carry out an act that has been checked.

    Raises:
        CannotHappen: the act names no card where one moves.
    """
    table.memo = None
    _MOVES[act.verb](table, act)


def _need_card(act: Act) -> Card:
    if act.card is None:
        raise CannotHappen(f"'{act}' names no card")
    return act.card


def _deal(table: Table, act: Act) -> None:
    spot, hand, ledger = table.spot(act.spot), table.hand(act), table.ledger
    card = _need_card(act)
    initial = not _initial_deal_over(table)
    # A second card that comes late, after the deal was broken off, is no third card.
    if len(hand.cards) >= 2 or hand.from_split:
        ledger.third_card = True
        ledger.third_cards |= {act.spot}
        hand.acted = True
        ledger.focus = (act.spot, max(act.hand, 1))
    hand.cards.append(card)
    if not spot.is_split and len(hand.cards) <= 2:
        spot.first_two = tuple(hand.cards)
    hand.faces_down += act.flag == "down"
    hand.turn_asked = False
    if len(hand.cards) > 2:
        hand.drawn = True
        # A hand that stood has no decision before which its new total could be called.
        hand.total_called = hand.total_called and hand.stood
    table.dealt += 1
    if initial:
        ledger.last_dealt = act.spot
        ledger.first_dealt = ledger.first_dealt or act.spot
    _lay_open(table)
    request = ledger.asked_by(act.spot, max(act.hand, 1))
    if request and request.what in ("hit", "double"):
        hand.doubled = hand.doubled or request.what == "double"
        ledger.drop(act.spot, max(act.hand, 1))
    if spot.answer == "" and ledger.third_card and ledger.insurance_closed:
        spot.answer = "declined"


def _initial_deal_over(table: Table) -> bool:
    return (
        table.ledger.play_begun
        or table.dealer.turned
        or bool(table.ledger.looked)
        or (
            len(table.dealer.cards) >= 2
            and all(len(hand.cards) >= 2 for spot in table.wagered for hand in spot.hands[:1])
        )
    )


def _deal_up(table: Table, act: Act) -> None:
    dealer = table.dealer
    dealer.cards.append(_need_card(act))
    if dealer.up is None:
        dealer.up = act.card
    table.dealt += 1
    _lay_open(table)


def _lay_open(table: Table) -> None:
    """Two own cards that lie face up when the deal is complete are a hand with its second card turned."""
    dealer = table.dealer
    if dealer.hole < 0 and len(dealer.cards) >= 2 and not any(len(spot.first_two) < 2 for spot in table.wagered):
        dealer.turned = True


def _deal_hole(table: Table, act: Act) -> None:
    dealer = table.dealer
    dealer.cards.append(_need_card(act))
    dealer.hole = len(dealer.cards) - 1
    dealer.turned = False
    table.dealt += 1


def _draw(table: Table, act: Act) -> None:
    table.dealer.cards.append(_need_card(act))
    table.ledger.stopped = False
    if table.dealer.up is None:
        table.dealer.up = act.card
    table.dealt += 1
    _lay_open(table)


def _stop(table: Table, _: Act) -> None:
    table.ledger.stopped = True


def _call_blackjack(table: Table, act: Act) -> None:
    table.hand(act).called_blackjack = True


def _call_insurance(table: Table, _: Act) -> None:
    """A call before the cards lie there has to be made again."""
    dealt = all(len(spot.first_two) == 2 for spot in table.wagered)
    table.ledger.insurance_called = table.ledger.insurance_called or (dealt and table.dealer.up is not None)


def _call_even_money(table: Table, act: Act) -> None:
    table.spot(act.spot).asked_even_money = True


def _call_total(table: Table, act: Act) -> None:
    table.hand(act).total_called = True


def _nothing(table: Table, act: Act) -> None:
    if act.spot:
        table.spot(act.spot)


def _call_floor(table: Table, _: Act) -> None:
    table.ledger.floor_called = True


def _ask(table: Table, act: Act) -> None:
    hand = table.hand(act)
    hand.asked = hand.turn_asked = True
    table.ledger.focus = (act.spot, max(act.hand, 1))


def _close_insurance(table: Table, _: Act) -> None:
    table.ledger.insurance_closed = True
    for spot in table.wagered:
        spot.answer = spot.answer or "declined"


def _peek(table: Table, _: Act) -> None:
    dealer = table.dealer
    table.ledger.peeks += 1
    table.ledger.looked = "blackjack" if dealer.is_blackjack else "none"
    for spot in table.wagered:
        spot.answer = spot.answer or "declined"


def _turn_hole(table: Table, _act: Act) -> None:
    dealer = table.dealer
    if _act.card and not dealer.cards[dealer.hole].is_known:
        dealer.cards[dealer.hole] = _act.card
    dealer.hole = -1
    dealer.turned = True
    if dealer.up is None:
        dealer.up = dealer.cards[0]


def _separate(table: Table, act: Act) -> None:
    spot, hand = table.spot(act.spot), table.hand(act)
    index = max(act.hand, 1) - 1
    parted = hand.cards.pop()
    aces = parted.is_ace and hand.cards[-1].is_ace
    other = Hand([parted], from_split=True, from_aces=aces, acted=True)
    hand.from_split, hand.from_aces, hand.acted = True, aces, True
    hand.asked = hand.turn_asked = hand.total_called = hand.other_sign = False
    pending = hand.stacks.pop("pending split", None)
    if pending:
        pending.kind = "split"
        other.stacks["split"] = pending
    spot.hands.insert(index + 1, other)
    table.ledger.focus = (act.spot, index + 1)
    table.ledger.drop(act.spot, index + 1)
    table.ledger.make_room(act.spot, index + 1)


def _lay(table: Table, act: Act) -> None:
    table.hand(act).laid = True


def _clear(table: Table, act: Act) -> None:
    hand, request = table.hand(act), table.ledger.asked_by(act.spot, max(act.hand, 1))
    if request:
        _give_back(table, request)
        table.ledger.drop(request.spot, request.hand)
    table.discards.extend(hand.cards)
    hand.cleared = True


def _clear_dealer(table: Table, _: Act) -> None:
    table.discards.extend(table.dealer.cards)
    table.dealer.cleared = True


def _refuse(table: Table, act: Act) -> None:
    ledger = table.ledger
    hand = max(act.hand, 1)
    if act.what in DECISIONS:
        table.hand(act).turn_asked = False
    request = ledger.asked_by(act.spot, hand)
    if request and request.what == act.what:
        _give_back(table, request)
        ledger.drop(act.spot, hand)
    if act.what == "stand":
        table.hand(act).stood = False
    ledger.offers = tuple(offer for offer in ledger.offers if not _is_refused(table, offer, act, hand))
    spot = table.spot(act.spot)
    if act.what == "surrender":
        table.hand(act).surrendered = False
    if act.what == "even money":
        table.hand(act).even_money = False
        spot.answer = ""
    stack = spot.side.get(act.what)
    if stack and stack.lies:
        table.pick_up(stack)
        del spot.side[act.what]
        if act.what == "insurance":
            spot.answer = ""
    if act.what in ("main", "bust") and act.what in spot.hands[0].stacks and not spot.hands[0].cards:
        table.pick_up(spot.hands[0].stacks.pop(act.what))


def _is_refused(table: Table, offer: Request, act: Act, hand: int) -> bool:
    if (offer.spot, offer.hand, offer.what) != (act.spot, hand, act.what):
        return False
    if offer.amount:
        _give_back(table, offer)
    return True


def _give_back(table: Table, request: Request) -> None:
    spot = table.spot(request.spot)
    hand = spot.hands[request.hand - 1]
    kind = "pending split" if request.what == "split" else request.what
    if kind in ("double", "pending split") and kind in hand.stacks:
        table.pick_up(hand.stacks.pop(kind))
    elif kind in ("main", "bust") and kind in hand.stacks and hand.cards:
        # A wager changed after the deal: only what was added goes back.
        stack = hand.stacks[kind]
        table.pick_up(stack, request.amount)
        stack.staked -= request.amount
        if not stack.amount:
            del hand.stacks[kind]


def _warn(table: Table, act: Act) -> None:
    ledger = table.ledger
    ledger.offers = tuple(offer for offer in ledger.offers if not (offer.what == "touch" and offer.spot == act.spot))


def _start(table: Table, _: Act) -> None:
    _sweep(table)
    table.lay_out()
    table.dealer = DealerHand()
    table.ledger = Ledger()
    table.round += 1


def _wager(table: Table, act: Act) -> None:
    spot = table.spot(act.spot)
    kind = act.kind or "main"
    stacks = spot.hands[0].stacks if kind in MAIN_KINDS else spot.side
    if kind in stacks and stacks[kind].settled:
        kind = "next round"
    table.put_down(stacks, kind, act.amount or 0, act.flag)


def _insure(table: Table, act: Act) -> None:
    spot = table.spot(act.spot)
    table.put_down(spot.side, "insurance", act.amount or 0, act.flag)
    spot.answer = "insured"


def _decline(table: Table, act: Act) -> None:
    table.spot(act.spot).answer = "declined"


def _even_money(table: Table, act: Act) -> None:
    table.spot(act.spot).answer = "even money"
    table.hand(act).even_money = True


def _pending(table: Table, act: Act) -> None:
    """A new decision on a hand replaces one still pending there; its chips go back first."""
    request = table.ledger.asked_by(act.spot, max(act.hand, 1))
    if request and request.what in ("double", "split"):
        _give_back(table, request)


def _signal(table: Table, act: Act) -> None:
    _pending(table, act)
    hand = table.hand(act)
    hand.other_sign = True
    hand.turn_asked = True
    if act.what == "stand":
        hand.stood = True
    table.ledger.focus = (act.spot, max(act.hand, 1))


def _add_money(table: Table, act: Act) -> None:
    """Double money lies on its hand at once; split money waits until the pair is parted."""
    _pending(table, act)
    hand = table.hand(act)
    hand.other_sign = True
    table.put_down(hand.stacks, "double" if act.verb == "double" else "pending split", act.amount or 0)
    table.ledger.focus = (act.spot, max(act.hand, 1))


def _surrender(table: Table, act: Act) -> None:
    _pending(table, act)
    hand = table.hand(act)
    hand.surrendered = True
    table.ledger.focus = (act.spot, max(act.hand, 1))


ENDINGS = ("end the round", "void the round")


def _rule(table: Table, act: Act) -> None:
    """Note what the floor decided; a round it ends gives all chips back and leaves no card."""
    if act.words.lower().strip(" .") in ENDINGS:
        _sweep(table)
        table.ledger.ended = True
        return
    table.ledger.ruling = act.words


def _sweep(table: Table) -> None:
    """Give all chips back and put all cards into the discard rack."""
    for spot in table.spots.values():
        for hand in spot.hands:
            for stack in hand.stacks.values():
                table.pick_up(stack)
            if hand.has_cards:
                table.discards.extend(hand.cards)
                hand.cleared = True
        for stack in spot.side.values():
            table.pick_up(stack)
    if not table.dealer.cleared:
        table.discards.extend(table.dealer.cards)
        table.dealer.cleared = True


def _waive(table: Table, act: Act) -> None:
    table.ledger.waived |= {act.what}


_MOVES = {
    "deal": _deal, "deal up": _deal_up, "deal hole": _deal_hole, "draw": _draw, "stop": _stop,
    "call blackjack": _call_blackjack, "call insurance": _call_insurance, "call even money": _call_even_money,
    "call total": _call_total, "call total dealer": _nothing, "call floor": _call_floor, "ask": _ask, "wait": _nothing,
    "close insurance": _close_insurance, "peek": _peek, "turn hole": _turn_hole, "separate": _separate,
    "pay": pay, "take": take, "return": give_back, "push": push, "lay": _lay, "clear": _clear,
    "clear dealer": _clear_dealer, "refuse": _refuse, "warn": _warn, "gesture tap": _nothing, "start": _start,
    "wager": _wager, "insure": _insure, "decline": _decline, "even money": _even_money, "signal": _signal,
    "double": _add_money, "split": _add_money, "surrender": _surrender, "touch": _nothing, "spectator touches": _nothing,
    "rule": _rule, "waive": _waive,
}  # fmt: skip
