"""Check themes, what is written to the terminal, and the pictures made without one."""

from __future__ import annotations

import itertools
import signal
import subprocess
import sys
import xml.dom.minidom as xml

import pyte
import pytest

from trainer.ui.lines import Frame, Span, Style, line, on
from trainer.ui.loop import too_small
from trainer.ui.paint import Painter, Palette, snapshot_svg, snapshot_text
from trainer.ui.themes import DEFAULT, HIGH_CONTRAST, MONO, THEMES, Colour, Depth, Theme, UnknownTheme, choose, depth

LEVELS = (0, 95, 135, 175, 215, 255)


def rgb(colour: Colour, indexed: bool) -> tuple[int, int, int]:
    """Return the parts of a colour, in 256 colours on request."""
    if not indexed:
        return int(colour.true[1:3], 16), int(colour.true[3:5], 16), int(colour.true[5:], 16)
    if colour.indexed >= 232:
        grey = 8 + 10 * (colour.indexed - 232)
        return grey, grey, grey
    at = colour.indexed - 16
    return LEVELS[at // 36], LEVELS[at // 6 % 6], LEVELS[at % 6]


def svg_texts(picture: str) -> list[tuple[str, float]]:
    """Return the texts of a picture and how far down they stand."""
    nodes = xml.parseString(picture).getElementsByTagName("text")
    inner = [(node.firstChild, node) for node in nodes if node.getAttribute("textLength")]
    return [
        (text.data.replace("\xa0", " "), float(node.getAttribute("y")))
        for text, node in inner
        if isinstance(text, xml.Text)
    ]


def luminance(parts: tuple[int, int, int]) -> float:
    """Return the relative luminance of a colour (WCAG)."""
    red, green, blue = (p / 12.92 if (p := part / 255) <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize(("theme", "wanted"), [(DEFAULT, 4.5), (HIGH_CONTRAST, 7.0)])
@pytest.mark.parametrize("indexed", [False, True])
@pytest.mark.parametrize("ground", [Style.PLAIN, Style.FELT])
def test_every_style_can_be_read(theme: Theme, wanted: float, indexed: bool, ground: Style) -> None:
    for style in Style:
        look = theme.looks[style]
        ink, under = look.ink or theme.looks[ground].ink, look.ground or theme.looks[ground].ground
        assert ink and under
        light, dark = sorted((luminance(rgb(ink, indexed)), luminance(rgb(under, indexed))), reverse=True)
        # What is meant to stand back, on a ground that is no black, may do with the contrast asked of drawings.
        faint = ground is Style.FELT and style in (Style.DIM, Style.BORDER)
        assert (light + 0.05) / (dark + 0.05) >= (3.0 if faint else wanted), (style, ground)


@pytest.mark.parametrize("name", sorted(THEMES))
def test_every_theme_has_every_style(name: str) -> None:
    assert set(THEMES[name].looks) == set(Style)


def test_the_environment_decides_over_the_theme() -> None:
    assert choose("default", {}) is DEFAULT and choose("none", {}) is MONO
    assert choose("default", {"NO_COLOR": ""}) is DEFAULT and choose("high-contrast", {"NO_COLOR": "1"}) is MONO
    assert choose(HIGH_CONTRAST, {"TERM": "dumb"}) is MONO
    with pytest.raises(UnknownTheme, match="high-contrast"):
        choose("pink", {})


@pytest.mark.parametrize(
    ("env", "wanted"),
    [
        ({"TERM": "xterm"}, Depth.BASIC),
        ({"TERM": "linux"}, Depth.BASIC),
        ({"TERM": "screen-256color"}, Depth.INDEXED),
        ({"TERM": "tmux-256color"}, Depth.INDEXED),
        ({"TERM": "xterm", "COLORTERM": "truecolor"}, Depth.TRUE),
        ({"TERM": "xterm", "COLORTERM": "truecolor", "NO_COLOR": "1"}, Depth.ATTRIBUTES),
        ({"TERM": "vt220"}, Depth.ATTRIBUTES),
        ({"TERM": "dumb", "COLORTERM": "truecolor"}, Depth.NOTHING),
    ],
)
def test_the_depth_follows_the_terminal(env: dict[str, str], wanted: Depth) -> None:
    assert depth(env) is wanted


def test_sequences_are_those_of_the_depth() -> None:
    assert Palette(DEFAULT, Depth.TRUE).sequence(Style.PLAIN) == "\x1b[38;2;214;217;220m\x1b[48;2;20;24;28m"
    assert Palette(DEFAULT, Depth.INDEXED).sequence(Style.PLAIN) == "\x1b[38;5;252m\x1b[48;5;234m"
    assert Palette(DEFAULT, Depth.BASIC).sequence(Style.PLAIN) == "\x1b[37m\x1b[40m"
    assert Palette(DEFAULT, Depth.BASIC).sequence(Style.CARD_RED) == "\x1b[1m\x1b[31m\x1b[47m"
    assert Palette(DEFAULT, Depth.INDEXED).sequence(Style.CHIP, Style.FELT) == "\x1b[38;5;221m\x1b[48;5;22m"
    assert Palette(DEFAULT, Depth.INDEXED).sequence(Style.PLAIN, Style.FELT) == "\x1b[38;5;194m\x1b[48;5;22m"
    assert Palette(MONO, Depth.ATTRIBUTES).sequence(Style.TURN, Style.FELT) == "\x1b[1m\x1b[7m"
    assert all(Palette(DEFAULT, Depth.NOTHING).sequence(style) == "" for style in Style)


@pytest.mark.parametrize("text", ["[10]", "[~x]", "[!x]", "[bold]a[/]", "\\[10]", "ends in \\", "{0} <&>", "a]b["])
def test_data_is_text_whatever_it_looks_like(text: str) -> None:
    frame = Frame((line((text, Style.KEY), (text, Style.RULE)),))
    screen = pyte.Screen(40, 2)
    pyte.Stream(screen).feed(Painter(Palette(DEFAULT, Depth.TRUE)).draw(frame, 40, 2))
    assert screen.display[0].rstrip() == text * 2
    assert text in [shown for shown, _ in svg_texts(snapshot_svg(frame, 40, 2))]


def test_only_changed_lines_are_written() -> None:
    painter = Painter(Palette(MONO, Depth.ATTRIBUTES))
    screen = pyte.Screen(20, 3)
    stream = pyte.Stream(screen)
    first = painter.draw(Frame((line("one"), line("two"), line("three")), (1, 1)), 20, 3)
    stream.feed(first)
    assert painter.draw(Frame((line("one"), line("two"), line("three")), (1, 1)), 20, 3) == ""
    second = painter.draw(Frame((line("one"), line("2")), (30, 1)), 20, 3)
    stream.feed(second)
    assert "one" not in second and [row.rstrip() for row in screen.display] == ["one", "2", ""]
    assert screen.cursor.hidden, "a cursor outside the screen is not shown"
    assert painter.draw(Frame((line("one"), line("2")), (0, 0)), 20, 3) == "\x1b[?25l\x1b[1;1H\x1b[?25h"
    assert "\x1b[J" in painter.draw(Frame(()), 10, 2), "another size starts from scratch"


def test_too_long_lines_are_cut_to_the_screen() -> None:
    screen = pyte.Screen(6, 2)
    pyte.Stream(screen).feed(
        Painter(Palette(DEFAULT, Depth.TRUE)).draw(Frame((line("12345漢字"), line("x"), line("y"))), 6, 2)
    )
    assert [row.rstrip() for row in screen.display] == ["12345", "x"]


@pytest.mark.parametrize(("width", "height"), [(70, 20), (20, 5), (5, 3), (1, 1), (200, 3)])
def test_the_small_screen_fits_any_size(width: int, height: int) -> None:
    frame = too_small(width, height, (80, 24))
    assert len(frame.lines) <= height
    if width >= 34:
        assert f"terminal is {width}x{height}; needs 80x24" in snapshot_text(frame, width, height)


def test_a_text_picture_is_the_bare_screen() -> None:
    assert snapshot_text(Frame((line("ab", ("c", Style.CARD)), line("longer"))), 4, 3) == "abc\nlong\n"


def test_an_svg_picture_is_in_true_colour_whatever_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "linux")
    felt = on([line(("A♠", Style.CARD), " ", ("K♥", Style.CARD_RED), ("│", Style.BORDER))], Style.FELT)
    before = signal.getsignal(signal.SIGWINCH)
    picture = snapshot_svg(Frame((*felt, (), line(("end", Style.FAULT))), (5, 1)), 20, 4, title="a <b> & c")
    assert signal.getsignal(signal.SIGWINCH) is before
    document = xml.parseString(picture)
    fills = {node.getAttribute("fill") for node in document.getElementsByTagName("rect")}
    assert {"#f4f1e8", "#0b4030", "#14181c"} <= fills
    assert "fill:#b00020" in picture and "a &lt;b&gt; &amp; c" in picture
    assert snapshot_svg(Frame((*felt, (), line(("end", Style.FAULT))), (5, 1)), 20, 4, title="a <b> & c") == picture
    mono = snapshot_svg(Frame((line(("end", Style.ERROR)),)), 20, 2, MONO, chrome=False)
    assert "end" in mono


def test_rows_of_a_picture_stand_below_each_other() -> None:
    picture = snapshot_svg(Frame(tuple(line(f"row {number}") for number in range(5))), 20, 8)
    heights = [y for text, y in svg_texts(picture) if "row" in text]
    steps = {round(after - before, 1) for before, after in itertools.pairwise(heights)}
    assert len(heights) == 5 and len(steps) == 1 and steps.pop() > 0


def test_importing_the_package_imports_no_pytermgui() -> None:
    code = "import sys, trainer.ui.loop, trainer.ui.edit; sys.exit('pytermgui' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_span_on_a_ground_shows_the_ground_without_colours_too() -> None:
    palette = Palette(MONO, Depth.ATTRIBUTES)
    assert palette.paint((Span("x", Style.PLAIN, Style.SELECTED),), 1) == "\x1b[7mx\x1b[0m"
