"""Lay a view out on a screen of any size: pure, so that every picture can be tested as text."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from trainer.ui.composer import Choice
from trainer.ui.felt import draw_felt, felt_rows
from trainer.ui.lines import (
    Block,
    Frame,
    Line,
    Span,
    Style,
    beside,
    box,
    clip,
    fit,
    fit_block,
    line,
    line_width,
    wrap_line,
)
from trainer.ui.view import Item, Note, PageView, PanelView, PromptView, Section, TableView

SIZE_MIN = (80, 24)
_SIDE_FROM = 120
_SIDE = 42


def render(view: TableView | PageView, width: int, height: int) -> Frame:
    """Return the picture of a view in so many columns and rows (80 by 24 at the least)."""
    return _table(view, width, height) if isinstance(view, TableView) else _page(view, width, height)


# -- parts ------------------------------------------------------------------------------------------------------


def bar(left: str, right: str, cells: int) -> Line:
    """Draw the line on top."""
    room = cells - len(right) - 2
    return fit((*fit(line((f" {left}", Style.STATUS)), room, fill=Style.STATUS, more="…"),
                Span(f" {right} ", Style.STATUS)), cells, fill=Style.STATUS)  # fmt: skip


@lru_cache(maxsize=16)
def key_rows(keys: tuple[Choice, ...], cells: int, most: int = 9) -> Block:
    """Flow key hints over rows; what does not fit ends in an ellipsis."""
    rows: list[Line] = [()]
    for choice in keys:
        hint = line((f" {choice.key} ", Style.KEY), f" {choice.says}  ")
        if line_width(rows[-1]) + line_width(hint) - 2 > cells and rows[-1]:
            rows.append(())
        rows[-1] = (*rows[-1], *hint)
    if len(rows) > most:
        rows = [*rows[: most - 1], (*clip(rows[most - 1], cells - 2), Span("…"))]
    return tuple(clip(row, cells) for row in rows)


def prompt_row(prompt: PromptView, cells: int) -> tuple[Line, int | None]:
    """Draw the prompt and tell the cell its cursor stands in."""
    lead = line((f"{prompt.label} ", Style.PROMPT), (prompt.text, Style.INPUT))
    cursor = None if prompt.cursor is None else min(line_width(lead[:1]) + prompt.cursor, cells - 1)
    row = lead
    if prompt.message:
        style = Style.ERROR if prompt.error else Style.DIM
        row = (*row, *line("  " if prompt.text or cursor is not None else "", (prompt.message, style)))
    if prompt.choices:
        row = (*row, *line("   ", ("  ".join(one.strip() for one in prompt.choices), Style.DIM)))
    return fit(row, cells, more="…"), cursor


def note_rows(notes: Sequence[Note], cells: int, label: int = 8) -> list[Line]:
    """Draw notes: the label in a column of its own, the text wrapped beside it."""
    out: list[Line] = []
    for note in notes:
        if note.label:
            head = fit(line((note.label, note.label_style)), label)
            head = head if line_width(head) == label else clip(head, label)
            rows = wrap_line(line((note.text, note.style)), max(cells - label - 1, 8))
            out.append((*head, Span(" "), *rows[0]))
            out += [(Span(" " * (label + 1)), *row) for row in rows[1:]]
        else:
            inset = len(note.text) - len(note.text.lstrip())
            out += wrap_line(line((note.text, note.style)), cells, inset)
    return out


@lru_cache(maxsize=16)
def panel_rows(panel: PanelView, cells: int, rows: int) -> Block:
    """Draw a panel in a box of exactly so many rows; what does not fit is said to go on."""
    body = note_rows(panel.notes, cells - 4)
    body = [(Span(" "), *row) for row in body]
    foot = ""
    if len(body) > rows - 2:
        foot = "more: f2"
    return box(body, cells, rows, title=panel.title, foot=foot)


def path_rows(path: Sequence[tuple[str, bool]], cells: int) -> list[Line]:
    """Draw the states of the procedure as a way, with the one the round is in marked."""
    rows: list[Line] = [()]
    for index, (name, here) in enumerate(path):
        span = Span(f"[{name}]", Style.TURN) if here else Span(name, Style.DIM)
        piece = line((" › " if index else "", Style.DIM), span)
        if line_width(rows[-1]) + line_width(piece) > cells:
            rows.append(())
            piece = line(span)
        rows[-1] = (*rows[-1], *piece)
    return rows


@lru_cache(maxsize=8)
def path_row(path: tuple[tuple[str, bool], ...], cells: int) -> Line:
    """Draw the way in one row; where it is too long, its beginning is left out so that the present state shows."""
    for start in range(len(path)):
        row = line(("… › " if start else "", Style.DIM), *path_rows(path[start:], 999)[0])
        here = next((at for at, (_, now) in enumerate(path[start:]) if now), 0)
        if here <= 1 or line_width(row) <= cells:
            return clip(row, cells, "…")
    return ()


# -- the table --------------------------------------------------------------------------------------------------


def _table(view: TableView, width: int, height: int) -> Frame:
    keys = key_rows(view.keys, width, 4)
    # The keys keep their rows while an act is composed, so that nothing jumps.
    keys = (*keys, *[()] * ((4 if width < 100 else 3) - len(keys)))
    last, cursor = prompt_row(view.prompt, width)
    middle = height - 2 - len(keys)
    body = _wide(view, width, middle) if width >= _SIDE_FROM else _narrow(view, width, middle)
    lines = (bar(view.bar, view.bar_right, width), *fit_block(body, width, middle), *keys, last)
    return Frame(tuple(fit(row, width) for row in lines), None if cursor is None else (cursor, height - 1))


def _narrow(view: TableView, width: int, rows: int) -> Block:
    """Felt above, the way through the procedure as one row, panels below."""
    where: list[Line] = []
    if view.path:
        where = [path_row(view.path, width)]
    if not view.panels:
        return (*draw_felt(view.felt, width, rows - len(where)), *where)
    need = max(len(note_rows(panel.notes, width // max(len(view.panels), 1) - 4)) + 2 for panel in view.panels)
    least = max(felt_rows(view.felt, width), 10)
    low = min(max(need, 5), max(rows - len(where) - least, 3), 7 if rows < 23 else 9)
    felt = draw_felt(view.felt, width, rows - low - len(where))
    shown = _columns(view.panels, width, low)
    return (*felt, *where, *shown)


def _columns(panels: Sequence[PanelView], width: int, rows: int) -> Block:
    if len(panels) == 1:
        return panel_rows(panels[0], width, rows)
    half = width // 2
    return beside(panel_rows(panels[0], half, rows), panel_rows(panels[1], width - half, rows))


def _wide(view: TableView, width: int, rows: int) -> Block:
    """Felt and panels at the left, the procedure, its duties and what happened in a column at the right."""
    left = width - _SIDE
    low = 0 if not view.panels else min(12, rows - 18)
    main = [*draw_felt(view.felt, left, rows - low)]
    if low:
        main += _columns(view.panels, left, low)
    side = _side(view.path, view.state, view.duties, view.log, rows)
    return beside(fit_block(main, left, rows), side)


@lru_cache(maxsize=4)
def _side(
    path: tuple[tuple[str, bool], ...], state: str, duties: tuple[str, ...], notes: tuple[Note, ...], rows: int
) -> Block:
    side: list[Line] = []
    if path:
        body = [*path_rows(path, _SIDE - 4), *note_rows([Note("", state)], _SIDE - 4)]
        body = [(Span(" "), *row) for row in body]
        side += box(body, _SIDE, len(body) + 2, title="you are here")
    if duties:
        body = note_rows([Note("due", text, Style.ADVICE) for text in duties], _SIDE - 4, 4)[:8]
        side += box([(Span(" "), *row) for row in body], _SIDE, len(body) + 2, title="due")
    room = rows - len(side)
    if room >= 4:
        log = note_rows(notes[-room:], _SIDE - 4, 2)[-(room - 2) :]
        side += box([(Span(" "), *row) for row in log], _SIDE, room, title="what happened")
    return fit_block(side, _SIDE, rows)


# -- pages ------------------------------------------------------------------------------------------------------


def _item_row(item: Item, cells: int, selected: bool) -> Line:
    style = Style.SELECTED if selected else item.style
    mark = "▶" if selected else " "
    head = line(mark, (f" {item.key} ", Style.KEY) if item.key else " ", " ")
    room = cells - line_width(head)
    aside = f" {item.aside}" if item.aside else ""
    least = min(len(item.text), room)
    text = fit(
        line((item.text, style)), max(room - len(aside), least, 4), fill=style if selected else Style.PLAIN, more="…"
    )
    return clip((*head, *text, Span(aside, Style.DIM)), cells, "…")


def section_rows(section: Section, cells: int, selected: str) -> list[Line]:
    """Draw a section of a page."""
    out: list[Line] = [line((section.title, Style.TITLE))] if section.title else []
    for note in note_rows(section.notes, cells - 2, 10):
        out.append((Span("  "), *note))
    for item in section.items:
        out.append(_item_row(item, cells, item.key == selected and bool(selected)))
        out += [(Span("      "), *row) for row in note_rows([Note("", item.under, Style.DIM)], cells - 6) if item.under]
    for note in note_rows(section.after, cells - 6, 10):
        out.append((Span("      "), *note))
    return [*out, ()]


def _page(view: PageView, width: int, height: int) -> Frame:
    keys = key_rows(view.keys, width, 3)
    last, cursor = prompt_row(view.prompt, width)
    room = height - 2 - len(keys)
    body = page_rows(view, width)
    top = min(max(view.scroll, 0), max(len(body) - room, 0))
    shown = list(body[top : top + room])
    if top + room < len(body) and shown:
        shown[-1] = fit(line(("… more below: pagedown", Style.DIM)), width)
    lines = (bar(view.bar, view.bar_right, width), *fit_block(shown, width, room), *keys, last)
    return Frame(tuple(fit(row, width) for row in lines), None if cursor is None else (cursor, height - 1))


def page_rows(view: PageView, width: int) -> Block:
    """Return all rows of a page, those that do not fit on the screen as well."""
    cells = min(width - 2, 110)
    if not view.columns or width < 100:
        rows = [row for section in view.sections for row in section_rows(section, cells, view.selected)]
        return tuple((Span(" "), *row) for row in [(), *rows])
    half = (width - 4) // 2
    parts = [section_rows(section, half, view.selected) for section in view.sections]
    whole = sum(map(len, parts))
    left: list[Line] = []
    while parts and (not left or len(left) + len(parts[0]) / 2 <= whole / 2):
        left += parts.pop(0)
    right = [row for part in parts for row in part]
    both = beside(fit_block(left, half), fit_block(right or [()], half), gap=2)
    return tuple((Span(" "), *row) for row in [(), *both])
