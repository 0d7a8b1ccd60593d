"""Turn a session into what a screen shows: the felt, events in words, the way through the procedure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from trainer.actions import Act, Role
from trainer.cards import Card, total
from trainer.chips import dollars
from trainer.procedure.model import Bearing, House
from trainer.procedure.moment import Moment, Position, is_finished
from trainer.rounds.play import Entry, Session
from trainer.table import MAIN_KINDS, Hand, Request, Spot, Stack
from trainer.ui.lines import Style
from trainer.ui.view import Chips, FeltView, HandView, Note, SpotView

DISPLAYS = ("learn", "guided", "practice", "exam")
_WAY = (
    "wagers", "dealing", "opening", "peeked blackjack", "peeked none", "turn", "hit", "double", "split", "bust",
    "surrender", "hole", "draw", "settle", "clear", "over",
)  # fmt: skip
_BRIEF = {"peeked blackjack": "peeked: blackjack", "peeked none": "peeked: none"}


def shows_totals(display: str) -> bool:
    """Tell whether a display counts hands for the trainee."""
    return display in ("learn", "guided")


def way(house: House, state: str) -> tuple[tuple[str, bool], ...]:
    """Return the states a round of the house goes through, the present one marked."""
    looks = house.is_("look-under-ace") == "yes"
    gives_up = house.is_("surrender") == "yes"
    out = []
    for name in _WAY:
        if name.startswith("peeked") and not looks and state != name:
            continue
        if name == "surrender" and not gives_up and state != name:
            continue
        out.append((_BRIEF.get(name, name), name == state))
    return tuple(out)


def dues(position: Position) -> tuple[str, ...]:
    """Return every rule of which a duty is due now, documented ones first, with the places it is due at."""
    from trainer.procedure.conditions import place_name

    moment = Moment(position, Act("wait"))
    found: dict[str, list[str]] = {}
    tails: dict[str, tuple[str, bool]] = {}
    for duty in position.house.duties:
        if duty.bearing is Bearing.SILENT or duty.rule.slug in position.table.ledger.waived:
            continue
        for place in duty.due(moment):
            if (duty.topic, place) in position.table.ledger.missed:
                continue
            said = found.setdefault(duty.rule.text, [])
            words = duty.says.replace("{place}", place_name(moment, place))
            said += [words] if words not in said else []
            cited = ", ".join(duty.evidence.cites[:3]) or duty.evidence.default
            tails[duty.rule.text] = (f" ({cited})" if cited else "", duty.bearing is not Bearing.REFUSES)
    texts = sorted(found, key=lambda text: tails[text][1])
    return tuple(f"{text} Now: {'; '.join(found[text][:3])}{tails[text][0]}." for text in texts)


# -- events -----------------------------------------------------------------------------------------------------


def event_words(act: Act) -> str:
    """Return what a player or the floor does, in words for the log."""
    place = f"Spot {act.place}"
    amount = dollars(act.amount or 0)
    words = {
        "wager": f"{place} puts {amount} down" + (f" on {act.kind}" if act.kind else ""),
        "insure": f"{place} insures for {amount}",
        "decline": f"{place} declines",
        "even money": f"{place} asks for even money",
        "signal": f"{place} signals {act.what}" if not act.flag else f"{place} says “{act.what}”",
        "double": f"{place} puts {amount} down to double",
        "split": f"{place} puts {amount} down to split",
        "surrender": f"{place} surrenders",
        "touch": f"{place} reaches for the cards",
        "spectator touches": "A spectator reaches for the cards",
        "rule": f"The floor decides: {act.words}",
        "waive": f"The floor waives {act.what}: {act.words}",
    }[act.verb]
    return words + {"outside": ", outside its place", "misplaced": ", misplaced"}.get(act.flag, "")


def short_event(act: Act) -> str:
    """Return an event as few words for the head of a spot."""
    amount = dollars(act.amount or 0)
    return {
        "wager": f"+ {act.kind or 'wager'} {amount}" + (" outside!" if act.flag else ""),
        "insure": f"insures {amount}" + (" misplaced!" if act.flag else ""),
        "decline": "declines",
        "even money": "even money?",
        "signal": f"“{act.what}”" if act.flag else f"signals {act.what}",
        "double": f"doubles {amount}",
        "split": f"splits {amount}",
        "surrender": "surrenders",
        "touch": "☞ reaches for cards!",
    }.get(act.verb, "")


def request_words(request: Request) -> str:
    """Return what a player has asked for and nobody has answered."""
    amount = dollars(request.amount)
    return {
        "hit": "☞ hit", "stand": "☞ stand", "double": f"☞ double {amount}", "split": f"☞ split {amount}",
        "surrender": "☞ surrender", "even money": "☞ even money", "touch": "☞ touches cards!",
        "insurance": f"☞ insurance {amount}",
    }.get(request.what, f"☞ {request.what} {amount}")  # fmt: skip


def log_notes(entries: Sequence[Entry], display: str, last: int = 60) -> tuple[Note, ...]:
    """Return the latest acts and events, marked as they were judged where the display says so."""
    out = []
    for entry in entries[-last:]:
        if entry.act.role is Role.DEALER:
            mark, style = ("›", Style.DIM)
            if display != "exam":
                mark, style = _MARKS[entry.verdict.severity.value]
            text = seen_act(entry.act) + (" (blocked)" if entry.blocked else "")
            out.append(Note(mark, text, Style.PLAIN, style))
        else:
            out.append(Note("☞", event_words(entry.act), Style.EVENT, Style.EVENT))
    return tuple(out)


def seen_act(act: Act) -> str:
    """Print an act as the table saw it: a card that lies face down is not told."""
    hidden = act.verb == "deal hole" or act.flag == "down"
    return str(replace(act, card=None) if hidden and act.card else act)


_MARKS = {"right": ("✓", Style.RIGHT), "advice": ("!", Style.ADVICE), "fault": ("✗", Style.FAULT)}


# -- the felt ---------------------------------------------------------------------------------------------------


def felt_view(session: Session, display: str, shoe_left: int, shown: int | None = None) -> FeltView:
    """Return the felt as it lies there; ``shown`` counts the entries that have happened (all when left out)."""
    position, entries = session.position, session.entries
    recent = _recent(entries if shown is None else entries[:shown])
    return felt_of(position, display, shoe_left, recent)


def _recent(entries: Sequence[Entry]) -> dict[int, str]:
    """Return the events since the last act of the dealer, by spot; 0 is the spectators'."""
    out: dict[int, str] = {}
    for entry in reversed(entries):
        if entry.act.role is Role.DEALER:
            break
        if entry.act.verb == "spectator touches":
            out.setdefault(0, event_words(entry.act))
        elif entry.act.verb != "wager" or entry.act.flag:
            out.setdefault(entry.act.spot, short_event(entry.act))
    return out


def felt_of(position: Position, display: str, shoe_left: int, recent: dict[int, str]) -> FeltView:
    """Return a position as the dealer sees it."""
    table, totals = position.table, shows_totals(display)
    dealer = table.dealer
    cards = () if dealer.cleared else tuple(
        (card, "up" if index != dealer.hole else "seen" if table.ledger.looked else "down")
        for index, card in enumerate(dealer.cards)
    )  # fmt: skip
    visible = [card for card, side in cards if side == "up"]
    insurance = "closed" if table.ledger.insurance_closed else "called" if table.ledger.insurance_called else ""
    return FeltView(
        spots=tuple(_spot_view(position, spot, totals, recent.get(number, "")) for number, spot in table.spots.items()),
        dealer=cards,
        dealer_total=count(visible) if totals and visible else "",
        dealer_word="stopped" if table.ledger.stopped and cards else "",
        insurance=insurance,
        shoe_left=shoe_left,
        shoe_size=position.options.decks * 52,
        discards=len(table.discards),
        chips=position.options.chips,
        rack=table.rack,
        spectator=recent.get(0, ""),
    )


def count(cards: Sequence[Card]) -> str:
    """Return a total as it is called: ``soft 17``, ``16``."""
    if not all(card.is_known for card in cards):
        return ""
    points, soft = total(cards)
    return f"soft {points}" if soft and points < 21 else str(points)


def _spot_view(position: Position, spot: Spot, totals: bool, event: str) -> SpotView:
    ledger = position.table.ledger
    stray = any(hand.cards and not hand.cleared for hand in spot.hands)
    if not (spot.is_wagered or stray or spot.side):
        return SpotView(spot.number, "", (), event=event)
    asked = [one for one in (*ledger.offers, ledger.request) if one is not None and one.spot == spot.number]
    words = " ".join(dict.fromkeys(map(request_words, asked)))
    side = tuple(Chips(kind, stack.amount) for kind, stack in spot.side.items() if stack.lies and kind != "insurance")
    insurance = spot.side.get("insurance")
    return SpotView(
        number=spot.number,
        player="" if spot.player == f"player {spot.number}" else spot.player,
        hands=tuple(_hand_view(position, spot, index, hand, totals) for index, hand in enumerate(spot.hands, 1)),
        side=side,
        insurance=Chips("insurance", insurance.amount) if insurance and insurance.lies else None,
        event=words or event,
        pending=bool(words),
    )


def _hand_view(position: Position, spot: Spot, index: int, hand: Hand, totals: bool) -> HandView:
    table = position.table
    focus = table.ledger.focus == (spot.number, index) and not table.dealer.turned
    cards = () if hand.cleared else tuple(hand.cards)
    waiting = focus and bool(cards) and not is_finished(position.house, spot, hand)
    request = table.ledger.request
    asks = request is not None and (request.spot, request.hand) == (spot.number, index)
    return HandView(
        name=f"{spot.number}{'abcdefgh'[index - 1] if spot.is_split else ''}",
        cards=cards,
        down=min(hand.faces_down, len(cards)),
        total=count(cards) if totals and cards else "",
        chips=tuple(Chips(stack.kind, stack.amount) for stack in _stacks(hand)),
        marks=_marks(hand, position.house.words.get("push", "push")) if cards else (),
        turn=waiting or asks,
    )


def _stacks(hand: Hand) -> list[Stack]:
    order = [*MAIN_KINDS, "pending split"]
    lying = [stack for stack in hand.stacks.values() if stack.lies]
    return sorted(lying, key=lambda stack: order.index(stack.kind) if stack.kind in order else len(order))


def _marks(hand: Hand, push: str) -> tuple[str, ...]:
    """Return what everybody at the table has heard or seen of a hand."""
    facts = (
        (hand.called_blackjack, "blackjack"), (hand.even_money, "even money"), (hand.laid, "laid"),
        (hand.surrendered and not hand.laid, "surrendered"), (hand.doubled, "doubled"),
        (hand.stood, "stands"), (hand.pushed, push),
    )  # fmt: skip
    return tuple(word for holds, word in facts if holds)
