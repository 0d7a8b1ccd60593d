"""Describe a screen as plain values: spans of text with a style, lines of spans, a frame of lines.

Nothing here knows a terminal. Widths are counted in cells, and a span never holds a control character, so a picture
made of spans can be neither wider than it says nor able to drive the terminal.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from typing import Literal

from wcwidth import wcwidth


class Style(StrEnum):
    """Name what a piece of text is; a theme decides how it looks."""

    PLAIN = "plain"
    DIM = "dim"
    STRONG = "strong"
    TITLE = "title"
    STATUS = "status"
    FELT = "felt"
    LAYOUT = "layout"
    CARD = "card"
    CARD_RED = "card_red"
    CARD_BACK = "card_back"
    CHIP = "chip"
    SPOT = "spot"
    TURN = "turn"
    EVENT = "event"
    FAULT = "fault"
    ADVICE = "advice"
    RIGHT = "right"
    KEY = "key"
    PROMPT = "prompt"
    INPUT = "input"
    ERROR = "error"
    BORDER = "border"
    SELECTED = "selected"
    RULE = "rule"
    METER = "meter"


# Blank-like controls, other controls and surrogates, and invisible characters whose width terminals disagree about.
_UNSAFE = re.compile(
    "([\t\n\v\f\r\x85\u2028\u2029])|([\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff])"
    "|[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\ufff9-\ufffb\U000e0000-\U000e0fff]"
)


def _safe(found: re.Match[str]) -> str:
    return " " if found[1] else "?" if found[2] else ""


def clean(text: str) -> str:
    """Return the text without anything that could move the cursor or has no settled width."""
    if text.isascii() and text.isprintable():
        return text
    return _UNSAFE.sub(_safe, text)


@dataclass(frozen=True, slots=True)
class Span:
    """Hold text of one style; `on` names the style whose background shows through where `style` has none."""

    text: str
    style: Style = Style.PLAIN
    on: Style | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", clean(self.text))


Line = tuple[Span, ...]
Block = tuple[Line, ...]
Part = str | Span | tuple[str, Style]
Align = Literal["left", "right", "centre"]


@dataclass(frozen=True, slots=True)
class Frame:
    """Hold one picture: lines from the top, and where the cursor stands (column, row from 0) or None to hide it."""

    lines: Block
    cursor: tuple[int, int] | None = None


def _char_width(char: str) -> int:
    return max(0, wcwidth(char))


@lru_cache(maxsize=8192)
def width(text: str) -> int:
    """Return the number of cells that cleaned text takes."""
    text = clean(text)
    if text.isascii():
        return len(text)
    return sum(map(_char_width, text))


def line_width(line: Line) -> int:
    """Return the number of cells of a line."""
    return sum(width(span.text) for span in line)


def block_width(block: Iterable[Line]) -> int:
    """Return the number of cells of the widest line."""
    return max(map(line_width, block), default=0)


def line(*parts: Part, style: Style = Style.PLAIN) -> Line:
    """Build a line from spans, (text, style) pairs and bare strings, which take `style`."""
    spans = (
        part if isinstance(part, Span) else Span(part, style) if isinstance(part, str) else Span(*part)
        for part in parts
    )
    return tuple(span for span in spans if span.text)


def line_text(line: Line) -> str:
    """Return the bare text of a line."""
    return "".join(span.text for span in line)


def to_text(lines: Iterable[Line]) -> str:
    """Return the bare text of a screen, a row a line, without blanks at the ends of rows."""
    return "\n".join(line_text(row).rstrip() for row in lines)


def on(block: Iterable[Line], ground: Style) -> Block:
    """Lay a block on a ground: spans that have none yet show the background of `ground`."""
    return tuple(tuple(span if span.on else replace(span, on=ground) for span in row) for row in block)


def _cut(text: str, cells: int) -> int:
    """Return how many characters fit into the cells, marks that combine with the last one included."""
    if text.isascii():
        return min(len(text), max(cells, 0))
    used = 0
    for index, char in enumerate(text):
        used += _char_width(char)
        if used > cells:
            return index
    return len(text)


def split(row: Line, cells: int) -> tuple[Line, Line]:
    """Split a line after so many cells; a wide character across the cut becomes a blank on either side."""
    left: list[Span] = []
    for index, span in enumerate(row):
        here = width(span.text)
        if here <= cells:
            left.append(span)
            cells -= here
            continue
        at = _cut(span.text, cells)
        gap = cells - width(span.text[:at])
        right = span.text[at:]
        if gap:
            right = " " + right[1:].lstrip("".join(c for c in right[1:] if not _char_width(c)))
        head = replace(span, text=span.text[:at] + " " * gap)
        tail = replace(span, text=right)
        return (*left, head) if head.text else tuple(left), (tail, *row[index + 1 :])
    return tuple(left), ()


def clip(row: Line, cells: int, more: str = "") -> Line:
    """Cut a line to at most so many cells, ending in `more` where something was cut."""
    if line_width(row) <= cells:
        return row
    tail = more if width(more) <= cells else ""
    kept, rest = split(row, max(cells - width(tail), 0))
    return (*kept, replace(rest[0], text=tail)) if tail else kept


def pad(row: Line, cells: int, align: Align = "left", fill: Style = Style.PLAIN) -> Line:
    """Fill a line with blanks up to so many cells; a longer line stays as it is."""
    room = cells - line_width(row)
    if room <= 0:
        return row
    before = {"left": 0, "right": room, "centre": room // 2}[align]
    return line((" " * before, fill), *row, (" " * (room - before), fill))


def fit(row: Line, cells: int, align: Align = "left", fill: Style = Style.PLAIN, more: str = "") -> Line:
    """Make a line exactly so many cells wide."""
    return pad(clip(row, cells, more), cells, align, fill)


def fit_block(block: Iterable[Line], cells: int, rows: int | None = None, fill: Style = Style.PLAIN) -> Block:
    """Make a block exactly so many cells wide and, where given, so many rows high."""
    fitted = [fit(row, cells, fill=fill) for row in block]
    if rows is not None:
        fitted = fitted[: max(rows, 0)] + [fit((), cells, fill=fill)] * (rows - len(fitted))
    return tuple(fitted)


def beside(*blocks: Sequence[Line], gap: int = 0, fill: Style = Style.PLAIN) -> Block:
    """Join blocks side by side, each as wide as its widest line and all as high as the highest."""
    rows = max(map(len, blocks), default=0)
    columns = [fit_block(block, block_width(block), rows, fill) for block in blocks]
    space = line((" " * gap, fill))
    return tuple(
        tuple(span for index, column in enumerate(columns) for span in ((*space, *column[y]) if index else column[y]))
        for y in range(rows)
    )


def overlay(block: Sequence[Line], top: Sequence[Line], x: int, y: int) -> Block:
    """Lay a block over another with its upper left corner at column x and row y.

    Rows above or below, and cells left of the block are cut off; to the right, rows grow as they must.
    """
    out = list(block)
    for index, row in enumerate(top, start=y):
        if 0 <= index < len(out):
            shown = split(row, -x)[1] if x < 0 else row
            left, rest = split(pad(out[index], max(x, 0)), max(x, 0))
            out[index] = (*left, *shown, *split(rest, line_width(shown))[1])
    return tuple(out)


def restyle(row: Line, x: int, cells: int, style: Style) -> Line:
    """Give the cells from column x on another style, blanks past the end included."""
    left, rest = split(pad(row, x + cells), x)
    middle, right = split(rest, cells)
    return (*left, *(replace(span, style=style) for span in middle), *right)


@dataclass(frozen=True, slots=True)
class Borders:
    """Hold the characters of a frame."""

    top_left: str
    top_right: str
    bottom_left: str
    bottom_right: str
    across: str
    down: str


LIGHT = Borders(*"┌┐└┘─│")
ROUND = Borders(*"╭╮╰╯─│")
HEAVY = Borders(*"┏┓┗┛━┃")
DOUBLE = Borders(*"╔╗╚╝═║")
ASCII = Borders(*"++++-|")


def _edge(left: str, right: str, label: str, cells: int, borders: Borders, style: Style, label_style: Style) -> Line:
    shown = clip(line((f" {label} ", label_style)), max(cells - 2, 0), "…") if label and cells > 4 else ()
    lead = borders.across if shown else ""
    rest = borders.across * (cells - len(lead) - line_width(shown))
    return line((left + lead, style), *shown, (rest + right, style))


def box(
    body: Sequence[Line],
    cells: int,
    rows: int | None = None,
    *,
    title: str = "",
    foot: str = "",
    style: Style = Style.BORDER,
    title_style: Style = Style.TITLE,
    fill: Style = Style.PLAIN,
    borders: Borders = LIGHT,
) -> Block:
    """Draw a box of so many cells and rows around a body, which is cut or filled to fit inside."""
    if cells < 2 or (rows is not None and rows < 2):
        return fit_block(body, max(cells, 0), rows, fill)
    inner = cells - 2
    side = Span(borders.down, style)
    inside = fit_block(body, inner, None if rows is None else rows - 2, fill)
    return (
        _edge(borders.top_left, borders.top_right, title, inner, borders, style, title_style),
        *((side, *row, side) for row in inside),
        _edge(borders.bottom_left, borders.bottom_right, foot, inner, borders, style, title_style),
    )


def wrap_line(row: Line, cells: int, indent: int = 0) -> Block:
    """Break a line at blanks into rows of at most so many cells, later rows indented; styles are kept."""
    cells = max(cells, 1)
    indent = indent if indent < cells - 1 else 0
    chars = [(char, span) for span in row for char in span.text]
    rows: list[Line] = []
    start = 0
    while start < len(chars):
        room = cells - (indent if rows else 0)
        end, blank = start, -1
        while end < len(chars) and (room := room - _char_width(chars[end][0])) >= 0:
            if chars[end][0] == " ":
                blank = end
            end += 1
        following = end
        if end < len(chars):
            if chars[end][0] != " " and blank > start:
                following = end = blank
            following = end = max(end, start + 1)
            while following < len(chars) and chars[following][0] == " ":
                following += 1
        rows.append(_regroup(chars[start:end], indent if rows else 0))
        start = following
    return tuple(rows) or ((),)


def _regroup(chars: Sequence[tuple[str, Span]], indent: int) -> Line:
    out: list[Span] = [Span(" " * indent)] if indent else []
    text: list[str] = []
    for at, (char, span) in enumerate(chars):
        text.append(char)
        if at + 1 == len(chars) or chars[at + 1][1] is not span:
            out.append(replace(span, text="".join(text)))
            text = []
    return tuple(out)


def wrap(text: str, cells: int, indent: int = 0) -> list[str]:
    """Break text at blanks into rows of at most so many cells; line ends in the text are kept."""
    return [
        line_text(row) for part in text.split("\n") for row in wrap_line((Span(part),) if part else (), cells, indent)
    ]


_PLAINER = str.maketrans(
    {
        **dict.fromkeys("─━═╌╍┄┅", "-"),
        **dict.fromkeys("│┃║╎╏┆┇", "|"),
        **dict.fromkeys("┌┐└┘├┤┬┴┼╭╮╰╯┏┓┗┛┣┫┳┻╋╔╗╚╝╠╣╦╩╬", "+"),
        **dict(zip("♠♥♦♣♤♡♢♧", "shdcshdc", strict=True)),
        **dict(zip("…·•–—‘’“”«»×▶◀▲▼►◄→←↑↓✓✗✔✘", "..*--''\"\"<>x><^v><><^vvxvx", strict=True)),
        **dict.fromkeys("█▓▉▊▋▌●◉", "#"),
        **dict.fromkeys("▒░▁▂▃▄▅▆▇▀○◌", "."),
    }
)


def ascii_text(text: str) -> str:
    """Return text of the same width that a terminal without Unicode can show."""
    text = text.translate(_PLAINER)
    if text.isascii():
        return text
    return "".join(char if char.isascii() else "?" * _char_width(char) for char in text)
