"""Turn frames into what a terminal reads, with pytermgui's markup, colours and recorder.

pytermgui is imported here and nowhere else, and only when something is painted. No data goes through its markup: the
markup of a style alone is parsed, once, and text is set beside the result. So brackets in data cannot become tags,
and its markup cache, which never forgets, stays as small as the list of styles.
"""

from __future__ import annotations

import os
import re
import signal
import sys
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from io import StringIO
from typing import TYPE_CHECKING, TextIO

from trainer.ui.lines import Frame, Line, Span, Style, ascii_text, fit, line_text, restyle, to_text
from trainer.ui.themes import DEFAULT, Depth, Theme

if TYPE_CHECKING:
    from pytermgui.term import ColorSystem, Terminal

_RESET = "\x1b[0m"


@contextmanager
def _unmarked() -> Iterator[None]:
    """Undo what importing pytermgui, or making one of its terminals, does to the process."""
    main = threading.current_thread() is threading.main_thread()
    on_resize = signal.getsignal(signal.SIGWINCH) if main else None
    system = os.environ.pop("PTG_COLOR_SYSTEM", None)
    stdin, stdout = sys.stdin, sys.stdout
    spare: TextIO | None = None
    try:
        # The import fails where these are closed, and a value of PTG_COLOR_SYSTEM it does not know is fatal to it.
        if sys.stdin is None or sys.stdout is None:
            spare = open(os.devnull, "r+")  # noqa: SIM115
            sys.stdin, sys.stdout = stdin or spare, stdout or spare
        with warnings.catch_warnings():
            yield
    finally:
        sys.stdin, sys.stdout = stdin, stdout
        if spare:
            spare.close()
        if system is not None:
            os.environ["PTG_COLOR_SYSTEM"] = system
        if on_resize is not None:
            signal.signal(signal.SIGWINCH, on_resize)


def make_terminal(stream: TextIO, size: tuple[int, int]) -> Terminal:
    """Return pytermgui's terminal over a stream, without the signal handler it would leave behind."""
    with _unmarked():
        from pytermgui.term import Terminal

        return Terminal(stream, size=size)


@contextmanager
def _colours(system: ColorSystem) -> Iterator[None]:
    """Let pytermgui parse for one colour system, whatever the environment says."""
    from pytermgui import term
    from pytermgui.colors import clear_color_cache, str_to_color

    # Colours are matched once and then remembered without regard to the system they were matched for.
    before = term.terminal.forced_colorsystem
    clear_color_cache()
    str_to_color.cache_clear()
    term.terminal.forced_colorsystem = system
    try:
        yield
    finally:
        term.terminal.forced_colorsystem = before
        clear_color_cache()
        str_to_color.cache_clear()


class Palette:
    """Hold the escape sequences of a theme at a depth."""

    def __init__(self, theme: Theme, depth: Depth) -> None:
        self.theme = theme
        self.depth = depth
        self._sequences: dict[tuple[Style, Style | None], str] = {}

    def sequence(self, style: Style, on: Style | None = None) -> str:
        """Return what switches to a style on a ground."""
        key = style, on
        if key not in self._sequences:
            self._sequences[key] = self._parse(self.theme.markup(style, on, self.depth))
        return self._sequences[key]

    def _parse(self, markup: str) -> str:
        if not markup:
            return ""
        with _unmarked():
            from pytermgui.markup.language import MarkupLanguage
            from pytermgui.term import ColorSystem

        systems = {Depth.TRUE: ColorSystem.TRUE, Depth.INDEXED: ColorSystem.EIGHT_BIT}
        with _colours(systems.get(self.depth, ColorSystem.STANDARD)):
            return str(MarkupLanguage(strict=True).parse(f"[{markup}]", append_reset=False))

    def paint(self, line: Line, cells: int, ascii_only: bool = False) -> str:
        """Return a line exactly so many cells wide, switched off at its end."""
        out: list[str] = []
        current = ""
        for span in fit(line, cells):
            wanted = self.sequence(span.style, span.on)
            if wanted != current:
                out.append((_RESET if current else "") + wanted)
                current = wanted
            out.append(ascii_text(span.text) if ascii_only else span.text)
        return "".join(out) + (_RESET if current else "")


class Painter:
    """Remember what is on the screen and write only the lines that changed."""

    def __init__(self, palette: Palette, ascii_only: bool = False) -> None:
        self.palette = palette
        self._ascii = ascii_only
        self._shown: list[Line | None] = []
        self._cursor: tuple[int, int] | None = None
        self._size = (0, 0)

    def forget(self) -> None:
        """Take it that nothing is known about the screen."""
        self._size = (0, 0)

    def draw(self, frame: Frame, width: int, height: int) -> str:
        """Return what brings the screen from the last frame to this one, "" when nothing changed."""
        fresh = self._size != (width, height)
        if fresh:
            self._size = width, height
            self._shown = [None] * height
        out: list[str] = []
        for y in range(height):
            row = frame.lines[y] if y < len(frame.lines) else ()
            if row != self._shown[y]:
                self._shown[y] = row
                out.append(f"\x1b[{y + 1};1H" + self.palette.paint(row, width, self._ascii))
        cursor = frame.cursor
        if cursor and not (0 <= cursor[0] < width and 0 <= cursor[1] < height):
            cursor = None
        if not out and cursor == self._cursor:
            return ""
        self._cursor = cursor
        end = f"\x1b[{cursor[1] + 1};{cursor[0] + 1}H\x1b[?25h" if cursor else ""
        return ("\x1b[0m\x1b[H\x1b[J" if fresh else "") + "\x1b[?25l" + "".join(out) + end


def _with_cursor(frame: Frame, height: int) -> list[Line]:
    rows = list(frame.lines[:height]) + [()] * (height - len(frame.lines))
    if frame.cursor and 0 <= frame.cursor[1] < height:
        x, y = frame.cursor
        rows[y] = restyle(rows[y], x, 1, Style.SELECTED)
    return rows


def snapshot_text(frame: Frame, width: int, height: int) -> str:
    """Return the screen as bare text, a row a line."""
    rows = list(frame.lines[:height]) + [()] * (height - len(frame.lines))
    return to_text(fit(row, width) for row in rows)


def snapshot_svg(
    frame: Frame, width: int, height: int, theme: Theme = DEFAULT, *, title: str = "trainer", chrome: bool = True
) -> str:
    """Return a picture of the screen as SVG, in true colour whatever the terminal at hand can show."""
    palette = Palette(theme, Depth.TRUE)
    rows = [fit(row, width) for row in _with_cursor(frame, height)]
    picture = "\n".join(palette.paint(_joined(row), width) for row in rows)
    terminal = make_terminal(StringIO(), (width, height))
    from pytermgui import term
    from pytermgui.colors import Color, RGBColor
    from pytermgui.term import ColorSystem

    plain = theme.looks[Style.PLAIN]
    kept = Color.default_foreground, Color.default_background, term.get_terminal()
    with _colours(ColorSystem.TRUE):
        # Left to itself the library asks the terminal for these two, and waits for an answer on the standard input.
        Color.default_foreground = RGBColor.from_rgb(_rgb(plain.ink.true if plain.ink else "#d6d9dc"))
        Color.default_background = RGBColor.from_rgb(_rgb(plain.ground.true if plain.ground else "#14181c"))
        term.set_global_terminal(terminal)
        try:
            with terminal.record() as recorder:
                terminal.write(picture)
            return _trimmed(str(recorder.export_svg(title=escape(title), chrome=chrome)))
        finally:
            Color.default_foreground, Color.default_background = kept[:2]
            term.set_global_terminal(kept[2])


_RECT = re.compile(r'(<rect x="([\d.]+)" y="[^"]+" fill="[^"]+" width=")([\d.]+)(?=")')
_TEXT = re.compile(r'<text dy="[^"]+" x="([\d.]+)" y="[^"]+" textLength="([\d.]+)"')


def _trimmed(svg: str) -> str:
    """Cut backgrounds where the text ends: the exporter draws them a little too wide, which leaves a ragged edge."""
    end = max((float(x) + float(length) for x, length in _TEXT.findall(svg)), default=0.0)

    def cut(found: re.Match[str]) -> str:
        return f"{found[1]}{max(min(float(found[3]), end - float(found[2])), 0.0):.2f}"

    return _RECT.sub(cut, svg)


def _rgb(code: str) -> tuple[int, int, int]:
    return int(code[1:3], 16), int(code[3:5], 16), int(code[5:7], 16)


def _joined(row: Line) -> Line:
    """Keep a row of blanks visible to the exporter, which draws no rectangle for an empty one."""
    return row if line_text(row) else (Span(" "),)
