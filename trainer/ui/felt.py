"""Draw the felt from the dealer's side: players at the far end, spots from the left, own cards at the near end."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from trainer.cards import Card
from trainer.chips import dollars
from trainer.ui.lines import Block, Line, Span, Style, clip, fit, fit_block, line, line_width, on, wrap
from trainer.ui.view import Chips, FeltView, HandView, SpotView

SUITS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣", "?": "?"}
_SHORT = {
    "main": "", "double": "dbl", "split": "spl", "pending split": "spl?", "bust": "bust", "pairs": "pair",
    "blackjack": "bj", "next round": "next", "nothing": "?",
}  # fmt: skip
_EMPTY = 5
_EVEN = 13
_BIG_ROWS = 15


def face(card: Card) -> str:
    """Return a card as it is read: ``10♦``."""
    return ("10" if card.rank == "T" else card.rank) + SUITS[card.suit]


def _card_span(card: Card, before: str = "", after: str = "") -> Span:
    style = Style.CARD_RED if card.suit in "hd" else Style.CARD
    return Span(before + face(card) + after, style)


@lru_cache(maxsize=8)
def draw_felt(felt: FeltView, cells: int, rows: int) -> Block:
    """Draw the table in exactly so many cells and rows."""
    big = rows >= _BIG_ROWS
    near = _dealer_block(felt, cells, big)
    rest = max(rows - len(near), 1)
    wide = _widths(felt.spots, cells)
    # On a tall screen players do not stand far off from their wagers: empty rows go behind them. The room kept for
    # a doubled hand lets them stay where they are while a round goes on.
    behind = max(rest - 2 - max(10, *_used(felt, wide, big, rest)), 0)
    blocks = [
        (*fit_block([], width, behind), *_spot_block(spot, width, rest - behind, big))
        for spot, width in zip(felt.spots, wide, strict=True)
    ]
    gap = line((" ", Style.FELT))
    left = (cells - sum(wide) - len(wide) + 1) // 2
    out = []
    for y in range(rest):
        row: Line = line((" " * max(left, 0), Style.FELT))
        for index, block in enumerate(blocks):
            row = (*row, *(gap if index else ()), *block[y])
        out.append(row)
    out += [_insurance_line(felt, wide, max(left, 0), cells), *near[1:]]
    return on(fit_block(out, cells, rows, Style.FELT), Style.FELT)


def _used(felt: FeltView, wide: Sequence[int], big: bool, rows: int) -> list[int]:
    """Return the rows that each spot fills."""
    return [
        3 + len(_side_rows(spot, width)) + len(_hand_rows(spot, width, big, rows - 3)) if spot.hands else 3
        for spot, width in zip(felt.spots, wide, strict=True)
    ]


@lru_cache(maxsize=8)
def felt_rows(felt: FeltView, cells: int) -> int:
    """Return the fewest rows in which nothing of the felt is cut off."""
    wide = _widths(felt.spots, cells)
    return 4 + max(
        2 + len(_side_rows(spot, width)) + len(_hand_rows(spot, width, False, 99)) if spot.hands else 3
        for spot, width in zip(felt.spots, wide, strict=True)
    )


def _widths(spots: Sequence[SpotView], cells: int) -> list[int]:
    """Share the width: all alike where there is room, else empty places are narrow; split spots get more."""
    room = cells - len(spots) + 1
    weights = [0 if not spot.hands else 3 if len(spot.hands) > 1 or len(spot.side) > 1 else 2 for spot in spots]
    if not any(weights) or (room // len(spots) >= _EVEN and 3 not in weights):
        return [room // len(spots)] * len(spots)
    narrow = min(_EMPTY, room // len(spots))
    left = room - narrow * weights.count(0)
    share = left // sum(weights)
    return [narrow if not weight else min(share * weight, 30) for weight in weights]


# -- a spot -----------------------------------------------------------------------------------------------------


def _spot_block(spot: SpotView, cells: int, rows: int, big: bool) -> Block:
    """Draw a spot: its player and what he does on top, wagers and cards below."""
    style = Style.TURN if spot.turn else Style.SPOT if spot.hands else Style.LAYOUT
    mark = "▶" if spot.turn else " " if spot.hands else ""
    head = line((f"{mark}{spot.number} ", style))
    if spot.player and cells >= line_width(head) + len(spot.player) + 1:
        head = (*head, Span(" " + spot.player, Style.LAYOUT))
    if not spot.hands:
        return fit_block([fit(head, cells), *([()] * (rows - 3)), line(("·" * (cells - 2), Style.LAYOUT))], cells, rows)
    top: list[Line] = [head]
    event_style = Style.TURN if spot.pending else Style.EVENT
    top += [line((text, event_style)) for text in (wrap(spot.event, cells)[:2] if spot.event else [""])]
    hands = _hand_rows(spot, cells, big, rows - len(top) - len(_side_rows(spot, cells)))
    low: list[Line] = [*_side_rows(spot, cells), *hands]
    if len(top) + len(low) > rows:
        low = low[: rows - len(top)]
    return fit_block([*top, *([()] * (rows - len(top) - len(low))), *low], cells, rows)


def chip_rows(chips: Chips, cells: int) -> list[str]:
    """Return a stack as text, in two rows where one is too narrow: an amount is never cut."""
    kind, amount = chips.kind, dollars(chips.amount)
    short = "#" + kind.removeprefix("number ") if kind.startswith("number ") else _SHORT.get(kind, kind)
    label = f"{short} " if short else ""
    for pile in ("●● ", "● ", ""):
        if len(text := f"{pile}{label}{amount}") <= cells:
            return [text]
    return [short[:cells], amount]


def _side_rows(spot: SpotView, cells: int) -> list[Line]:
    """Flow the side wagers over as few rows as they need."""
    rows: list[str] = []
    for chips in spot.side:
        # Where two fit beside each other they are written without a pile.
        texts = chip_rows(chips, 9 if cells >= 16 and len(spot.side) > 1 else cells)
        if len(texts) == 1 and rows and len(rows[-1]) + 1 + len(texts[0]) <= cells:
            rows[-1] += " " + texts[0]
        else:
            rows += texts
    return [line((text, Style.CHIP)) for text in rows]


def _hand_rows(spot: SpotView, cells: int, big: bool, room: int) -> list[Line]:
    if len(spot.hands) > 1:
        return [row for hand in spot.hands for row in _small_hand(hand, cells, many=True)]
    hand = spot.hands[0]
    drawn = _big_hand(hand, cells) if big else []
    return drawn if drawn and len(drawn) <= room else _small_hand(hand, cells)


def _wager_rows(hand: HandView, cells: int) -> list[Line]:
    return [line((text, Style.CHIP)) for chips in hand.chips for text in chip_rows(chips, cells)]


def _joined(stacks: Sequence[Chips], cells: int) -> list[str]:
    """Flow stacks over rows."""
    rows: list[str] = []
    for text in (text for chips in stacks for text in chip_rows(chips, min(cells, 10))):
        if rows and len(rows[-1]) + 1 + len(text) <= cells:
            rows[-1] += " " + text
        else:
            rows.append(text)
    return rows


def _foot(hand: HandView, cells: int) -> Line:
    total = (Span(hand.total, Style.STRONG),) if hand.total else ()
    words = " ".join(hand.marks)
    return clip(line(*total, (" " if total and words else "") + words, style=Style.LAYOUT), cells)


def _faces(hand: HandView) -> list[Span]:
    up = len(hand.cards) - hand.down
    return [_card_span(card) if index < up else Span("▒▒", Style.CARD_BACK) for index, card in enumerate(hand.cards)]


def _small_hand(hand: HandView, cells: int, many: bool = False) -> list[Line]:
    """Draw a hand with a card as a word; among several hands its letter leads, and the wager follows on the row."""
    mark, style = ("▶", Style.TURN) if hand.turn else (" ", Style.SPOT)
    lead = line((f"{mark}{hand.name[-1:]} ", style)) if many else ()
    rows: list[list[Span]] = [[*lead]]
    for span in _faces(hand):
        width = line_width(tuple(rows[-1]))
        if width + len(span.text) > cells and width > len(lead):
            rows.append([Span(" " * line_width(lead))] if many else [])
        rows[-1] += [span, Span(" ")]
    out: list[Line] = [tuple(row) for row in rows]
    foot = _foot(hand, cells)
    if not many:
        return [*_wager_rows(hand, cells), *out, foot]
    chips = [line("  ", (text, Style.CHIP)) for text in _joined(hand.chips, cells - 2)]
    if line_width(out[-1]) + line_width(foot) <= cells:
        out[-1] = (*out[-1], *foot)
    return [*out, *chips]


def _big_hand(hand: HandView, cells: int) -> list[Line]:
    """Draw a hand as a fan of cards; empty when it does not fit."""
    fan = draw_cards(_faces(hand), cells)
    if hand.cards and not fan:
        return []
    return [*_wager_rows(hand, cells), *fan, _foot(hand, cells)]


def draw_cards(faces: Sequence[Span], cells: int) -> list[Line]:
    """Draw cards overlapping, each three rows high; empty when they are too many for the width."""
    if not faces:
        return []
    need = sum(len(span.text) + 1 for span in faces) + 1
    if need > cells:
        return []
    top: list[Span] = []
    middle: list[Span] = []
    foot: list[Span] = []
    for index, span in enumerate(faces):
        # An edge belongs to the card it opens, so that a red card does not colour its neighbour.
        paper = Style.CARD_BACK if span.style is Style.CARD_BACK else Style.CARD
        across = "─" * len(span.text)
        top.append(Span(("┬" if index else "┌") + across, paper))
        middle += [Span("│", paper), span]
        foot.append(Span(("┴" if index else "└") + across, paper))
    top.append(Span("┐", paper))
    middle.append(Span("│", paper))
    foot.append(Span("┘", paper))
    return [tuple(top), tuple(middle), tuple(foot)]


# -- the dealer's end -------------------------------------------------------------------------------------------


def _insurance_line(felt: FeltView, wide: Sequence[int], left: int, cells: int) -> Line:
    """Draw the line between players and dealer, insurance lying on it before its spot."""
    word = f" insurance {felt.insurance} " if felt.insurance else " insurance "
    if not any(spot.insurance for spot in felt.spots):
        at = (cells - len(word)) // 2
        return line(("─" * at, Style.LAYOUT), (word, Style.LAYOUT), ("─" * (cells - at - len(word)), Style.LAYOUT))
    row: Line = line(("─" * left, Style.LAYOUT))
    for index, (spot, width) in enumerate(zip(felt.spots, wide, strict=True)):
        row = (*row, Span("─", Style.LAYOUT)) if index else row
        text = chip_rows(Chips("ins", spot.insurance.amount), width)[-1] if spot.insurance else ""
        row = (*row, *line((text, Style.CHIP)), Span("─" * (width - len(text)), Style.LAYOUT))
    return (*row, Span("─" * max(cells - line_width(row), 0), Style.LAYOUT))


def _dealer_cards(felt: FeltView) -> list[Span]:
    out = []
    for card, side in felt.dealer:
        if side == "down":
            out.append(Span("▒▒", Style.CARD_BACK))
        elif side == "seen":
            out.append(Span(f"({face(card)})", Style.CARD_BACK))
        else:
            out.append(_card_span(card))
    return out


def _meter(part: int, whole: int, cells: int) -> str:
    full = round(cells * part / whole) if whole else 0
    return "█" * full + "░" * (cells - full)


def _dealer_block(felt: FeltView, cells: int, big: bool) -> Block:
    """Draw shoe, own cards, discard rack and chip rack; the first row stands for the insurance line."""
    side = 24 if cells >= 78 else 18
    middle = cells - 2 * side
    shoe = [
        line(("▐ shoe ", Style.STRONG), (_meter(felt.shoe_left, felt.shoe_size, 8), Style.LAYOUT)),
        line((f"▐ {felt.shoe_left} cards left", Style.LAYOUT)),
    ]
    discards = [
        line((_meter(felt.discards, felt.shoe_size, 8), Style.LAYOUT), (" discards ▌", Style.STRONG)),
        line((f"{felt.discards} cards ▌", Style.LAYOUT)),
    ]
    faces = _dealer_cards(felt)
    fan = draw_cards(faces, middle) if big else []
    if fan:
        own: list[Line] = fan
    else:
        joined: list[Span] = []
        for span in faces:
            joined += [span, Span(" ")]
        own = [tuple(joined[:-1])]
    said = f"insurance {felt.insurance}" if felt.insurance and any(spot.insurance for spot in felt.spots) else ""
    foot = " · ".join(part for part in (felt.dealer_total, felt.dealer_word, said) if part)
    own = [*own, line((foot or "dealer", Style.STRONG if foot else Style.LAYOUT))]
    if big:
        while len(own) < 4:
            own.insert(0, ())
        if felt.spectator:
            own[0] = own[0] or line((felt.spectator, Style.EVENT))
    rows = max(len(own), 2)
    out: list[Line] = [()]
    for y in range(rows):
        a = shoe[y] if y < len(shoe) else ()
        b = own[y] if y < len(own) else ()
        c = discards[y] if y < len(discards) else ()
        out.append((*fit(a, side), *fit(b, middle, "centre"), *fit(c, side, "right")))
    return (*out, _rack(felt, cells))


def _rack(felt: FeltView, cells: int) -> Line:
    """Draw the rack: a tube of chips for each value, and what it has won or lost."""
    tubes = " ".join(f"▌{_value(chip)}▐" for chip in reversed(felt.chips))
    won = f"rack {'+' if felt.rack >= 0 else ''}{dollars(felt.rack)}"
    text = f"{tubes}   {won}"
    return fit(line((text if len(text) <= cells else won, Style.CHIP)), cells, "centre")


def _value(chip: int) -> str:
    return str(chip // 100) if chip % 100 == 0 else dollars(chip)
