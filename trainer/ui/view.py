"""Hold what a screen shows, as plain values: the felt, the notes beside it, keys and prompt; nothing is decided."""

from __future__ import annotations

from dataclasses import dataclass, field

from trainer.cards import Card
from trainer.ui.composer import Choice
from trainer.ui.lines import Style


@dataclass(frozen=True, slots=True)
class Chips:
    """A stack on the layout: its kind and cents."""

    kind: str
    amount: int


@dataclass(frozen=True, slots=True)
class HandView:
    """A hand as it lies there. ``total`` is "" where the display hides it."""

    name: str
    cards: tuple[Card, ...] = ()
    down: int = 0
    total: str = ""
    chips: tuple[Chips, ...] = ()
    marks: tuple[str, ...] = ()
    turn: bool = False


@dataclass(frozen=True, slots=True)
class SpotView:
    """A place of the table, empty when nothing was wagered; ``event`` is what its player does or asks now."""

    number: int
    player: str = ""
    hands: tuple[HandView, ...] = ()
    side: tuple[Chips, ...] = ()
    insurance: Chips | None = None
    event: str = ""
    pending: bool = False

    @property
    def turn(self) -> bool:
        return any(hand.turn for hand in self.hands)


@dataclass(frozen=True, slots=True)
class FeltView:
    """The table from the dealer's side. A card of the dealer is (card, face); face is up, down or seen (looked at)."""

    spots: tuple[SpotView, ...]
    dealer: tuple[tuple[Card, str], ...] = ()
    dealer_total: str = ""
    dealer_word: str = ""
    insurance: str = ""
    shoe_left: int = 0
    shoe_size: int = 0
    discards: int = 0
    chips: tuple[int, ...] = ()
    rack: int = 0
    spectator: str = ""


@dataclass(frozen=True, slots=True)
class Note:
    """A labelled paragraph of a panel."""

    label: str
    text: str
    style: Style = Style.PLAIN
    label_style: Style = Style.DIM


@dataclass(frozen=True, slots=True)
class PanelView:
    """A titled list of notes."""

    title: str
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True)
class PromptView:
    """The line at the bottom: what is typed, with the cursor where there is one, or a message."""

    label: str = ">"
    text: str = ""
    cursor: int | None = None
    message: str = ""
    error: bool = False
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TableView:
    """Everything a screen with the felt shows."""

    bar: str
    bar_right: str
    felt: FeltView
    path: tuple[tuple[str, bool], ...] = ()
    state: str = ""
    duties: tuple[str, ...] = ()
    panels: tuple[PanelView, ...] = ()
    log: tuple[Note, ...] = ()
    keys: tuple[Choice, ...] = ()
    prompt: PromptView = field(default_factory=PromptView)
    learn: bool = False


@dataclass(frozen=True, slots=True)
class Item:
    """A row of a page that can be chosen by its key or by moving to it; ``under`` explains it in rows of its own."""

    key: str
    text: str
    aside: str = ""
    style: Style = Style.PLAIN
    under: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """A titled part of a page: paragraphs and rows to choose from."""

    title: str
    notes: tuple[Note, ...] = ()
    items: tuple[Item, ...] = ()
    after: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True)
class PageView:
    """A page of text: sections in one or two columns, one row selected, keys and prompt below."""

    bar: str
    bar_right: str
    sections: tuple[Section, ...]
    selected: str = ""
    keys: tuple[Choice, ...] = ()
    prompt: PromptView = field(default_factory=PromptView)
    scroll: int = 0
    columns: bool = False
