"""Say how each style looks: three named themes as plain data, and how much of a look a terminal can show.

Suits and verdicts are told apart by their text, never by colour alone, so the theme without colours loses nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum

from trainer.ui.lines import Style


class Depth(IntEnum):
    """Grade what a terminal can show."""

    NOTHING = 0
    ATTRIBUTES = 1
    BASIC = 2
    INDEXED = 3
    TRUE = 4


@dataclass(frozen=True, slots=True)
class Colour:
    """Hold a colour three times, since the nearest of fewer colours is often not the one that reads best."""

    true: str
    indexed: int
    basic: int

    def markup(self, depth: Depth) -> str:
        """Return the colour's tag at a depth."""
        return self.true if depth is Depth.TRUE else str(self.indexed if depth is Depth.INDEXED else self.basic)


@dataclass(frozen=True, slots=True)
class Look:
    """Hold how a style looks; without a background, that of the ground it lies on shows."""

    ink: Colour | None = None
    ground: Colour | None = None
    attributes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Theme:
    """Hold a look for every style."""

    name: str
    looks: Mapping[Style, Look]

    def markup(self, style: Style, on: Style | None, depth: Depth) -> str:
        """Return the tags of a style as it lies on a ground, or "" when there are none to set."""
        if depth is Depth.NOTHING:
            return ""
        # Plain text has no look of its own on a ground: blanks that fill a box on the felt are felt.
        look = self.looks[on if on and style is Style.PLAIN else style]
        tags = list(look.attributes)
        if depth >= Depth.BASIC:
            under = self.looks[on or Style.PLAIN]
            ink = look.ink or under.ink
            ground = look.ground or under.ground or self.looks[Style.PLAIN].ground
            tags += [ink.markup(depth)] if ink else []
            tags += ["@" + ground.markup(depth)] if ground else []
        return " ".join(tags)


_PAPER = Colour("#14181c", 234, 0)
_TEXT = Colour("#d6d9dc", 252, 7)
_WHITE = Colour("#ffffff", 231, 15)
_DARK = Colour("#101418", 233, 0)
_YELLOW = Colour("#ffd45e", 221, 11)
_CYAN = Colour("#9ad7ff", 117, 14)
_GREEN = Colour("#7ee096", 114, 10)
_PINK = Colour("#ff9d94", 217, 9)
_CARD = Colour("#f4f1e8", 255, 7)

DEFAULT = Theme(
    "default",
    {
        Style.PLAIN: Look(_TEXT, _PAPER),
        Style.DIM: Look(Colour("#9aa3ab", 248, 8)),
        Style.STRONG: Look(_WHITE, None, ("bold",)),
        Style.TITLE: Look(_YELLOW, None, ("bold",)),
        Style.STATUS: Look(Colour("#d6d9dc", 252, 0), Colour("#2a3138", 236, 7)),
        Style.FELT: Look(Colour("#d3eadb", 194, 7), Colour("#0b4030", 22, 0)),
        Style.LAYOUT: Look(Colour("#93c2a8", 151, 2)),
        Style.CARD: Look(_DARK, _CARD, ("bold",)),
        Style.CARD_RED: Look(Colour("#b00020", 124, 1), _CARD, ("bold",)),
        Style.CARD_BACK: Look(Colour("#dfe6ff", 189, 15), Colour("#27408b", 25, 4)),
        Style.CHIP: Look(_YELLOW),
        Style.SPOT: Look(_WHITE, None, ("bold",)),
        Style.TURN: Look(_DARK, _YELLOW, ("bold",)),
        Style.EVENT: Look(_CYAN),
        Style.FAULT: Look(_PINK, None, ("bold",)),
        Style.ADVICE: Look(_YELLOW),
        Style.RIGHT: Look(_GREEN),
        Style.KEY: Look(_DARK, Colour("#9fb4c4", 110, 6)),
        Style.PROMPT: Look(_WHITE, None, ("bold",)),
        Style.INPUT: Look(_WHITE, Colour("#232b33", 235, 0)),
        Style.ERROR: Look(_WHITE, Colour("#a3201a", 124, 1), ("bold",)),
        Style.BORDER: Look(Colour("#8593a0", 248, 8)),
        Style.SELECTED: Look(_DARK, Colour("#d6d9dc", 252, 7)),
        Style.RULE: Look(Colour("#c9bbff", 189, 13)),
        Style.METER: Look(_GREEN),
    },
)

_BLACK = Colour("#000000", 16, 0)
_FULL = Colour("#ffffff", 231, 15)
_LEMON = Colour("#ffff00", 226, 11)

HIGH_CONTRAST = Theme(
    "high-contrast",
    {
        **dict.fromkeys(Style, Look(_FULL)),
        Style.PLAIN: Look(_FULL, _BLACK),
        Style.FELT: Look(_FULL, _BLACK),
        Style.STRONG: Look(_FULL, None, ("bold",)),
        Style.TITLE: Look(_LEMON, None, ("bold",)),
        Style.STATUS: Look(_BLACK, _FULL),
        Style.CARD: Look(_BLACK, _FULL, ("bold",)),
        Style.CARD_RED: Look(Colour("#8a0010", 88, 1), _FULL, ("bold", "underline")),
        Style.CARD_BACK: Look(_FULL, Colour("#00008b", 18, 4)),
        Style.CHIP: Look(_LEMON, None, ("bold",)),
        Style.SPOT: Look(_FULL, None, ("bold",)),
        Style.TURN: Look(_BLACK, _LEMON, ("bold",)),
        Style.EVENT: Look(Colour("#66ffff", 87, 14), None, ("bold",)),
        Style.FAULT: Look(Colour("#ff9d9d", 217, 9), None, ("bold", "underline")),
        Style.ADVICE: Look(_LEMON, None, ("underline",)),
        Style.RIGHT: Look(Colour("#66ff88", 84, 10), None, ("bold",)),
        Style.KEY: Look(_BLACK, _FULL, ("bold",)),
        Style.PROMPT: Look(_FULL, None, ("bold",)),
        Style.INPUT: Look(_FULL, _BLACK, ("underline",)),
        Style.ERROR: Look(_BLACK, _LEMON, ("bold",)),
        Style.SELECTED: Look(_BLACK, _LEMON),
        Style.RULE: Look(_FULL, None, ("underline",)),
    },
)

MONO = Theme(
    "mono",
    {
        **dict.fromkeys(Style, Look()),
        **dict.fromkeys(
            (Style.STRONG, Style.TITLE, Style.SPOT, Style.ADVICE, Style.PROMPT, Style.KEY, Style.CARD, Style.CARD_RED),
            Look(attributes=("bold",)),
        ),
        **dict.fromkeys((Style.STATUS, Style.SELECTED), Look(attributes=("inverse",))),
        **dict.fromkeys((Style.TURN, Style.FAULT, Style.ERROR), Look(attributes=("bold", "inverse"))),
        **dict.fromkeys((Style.RULE, Style.INPUT), Look(attributes=("underline",))),
    },
)

THEMES: Mapping[str, Theme] = {theme.name: theme for theme in (DEFAULT, HIGH_CONTRAST, MONO)} | {"none": MONO}


class UnknownTheme(ValueError):
    """Say that no theme has the name."""


def choose(name: str | Theme, env: Mapping[str, str]) -> Theme:
    """Return the theme to use: the one asked for, or the one without colours where the environment wants none."""
    if isinstance(name, str) and name not in THEMES:
        raise UnknownTheme(f"no theme {name!r}; there are: {', '.join(sorted(THEMES))}")
    theme = name if isinstance(name, Theme) else THEMES[name]
    return MONO if env.get("NO_COLOR") or env.get("TERM") == "dumb" else theme


def depth(env: Mapping[str, str]) -> Depth:
    """Return what the terminal of this environment can show."""
    term = env.get("TERM", "")
    if term == "dumb":
        return Depth.NOTHING
    # Any value but the empty one asks for no colour (no-color.org); bold and reverse are no colours.
    if env.get("NO_COLOR") or term.startswith(("vt1", "vt2")) or term.endswith(("-mono", "-m")):
        return Depth.ATTRIBUTES
    if env.get("COLORTERM", "").strip().lower() in ("truecolor", "24bit") or term.endswith("-direct"):
        return Depth.TRUE
    # tmux and screen of today show 256 colours whatever name they were given.
    known = ("256color", "tmux", "screen", "kitty", "alacritty", "foot", "ghostty", "wezterm")
    return Depth.INDEXED if any(word in term for word in known) else Depth.BASIC
