"""A page of text to read and scroll, and the page of all keys."""

from __future__ import annotations

from trainer.actions import BY_NAME
from trainer.ui.composer import WAYS, Choice, verb_of
from trainer.ui.desk import Desk
from trainer.ui.lines import Frame
from trainer.ui.screen import page_rows, render
from trainer.ui.view import Note, PageView, Section


class Scroll:
    """Where a page is scrolled to."""

    def __init__(self) -> None:
        self.top = 0

    def key(self, name: str, view: PageView, size: tuple[int, int]) -> bool:
        """Scroll by a key; False when the key does not scroll."""
        room = max(size[1] - 5, 1)
        most = max(len(page_rows(view, size[0])) - room, 0)
        moves = {"pagedown": room, "pageup": -room, "down": 1, "up": -1, " ": room, "home": -(10**6), "end": 10**6}
        if name not in moves:
            return False
        self.top = min(max(self.top + moves[name], 0), most)
        return True


class TextPage:
    """Show sections until a key closes the page."""

    def __init__(self, desk: Desk, title: str, sections: tuple[Section, ...], columns: bool = False) -> None:
        self.desk, self.title, self.sections, self.columns = desk, title, sections, columns
        self.scroll, self.size = Scroll(), (80, 24)

    def view(self) -> PageView:
        """Return the page as it is now."""
        keys = (Choice("esc", "back"), Choice("up down", "scroll"))
        return PageView(self.title, "", self.sections, keys=keys, scroll=self.scroll.top, columns=self.columns)

    def frame(self, width: int, height: int) -> Frame:
        """Return the picture of now."""
        self.size = width, height
        return render(self.view(), width, height)

    def key(self, name: str) -> None:
        """Scroll, or close the page."""
        if not self.scroll.key(name, self.view(), self.size) and name in ("esc", "q", "enter", "?", "f1", "backspace"):
            self.desk.back()

    def tick(self, now: float) -> float | None:
        """Wait for keys only."""
        return None

    def shown(self) -> None:
        """Show what is there."""

    def leave(self) -> None:
        """Hold nothing."""


def help_page(desk: Desk) -> TextPage:
    """Return the page of all keys."""
    return TextPage(desk, "keys", (how_to(), verbs_section()), columns=True)


def how_to() -> Section:
    """Return how acting works."""
    return Section(
        "Acting",
        (
            Note("spot", "A verb's key, then the spot's digit: d3 deals to spot 3. A split hand has a letter: d3b."),
            Note("twice", "A verb without a spot takes its key twice: kk peeks, hh turns the hole card."),
            Note("amount", "Type it, then enter: p3 22.50 enter. A kind may come first: t3i 5 enter takes insurance."),
            Note("back", "Backspace takes a key back, esc all of them. What was committed is a fact."),
            Note(":", "opens the line: type the act in words (pay 3 22.50). Tab completes, up and down recall."),
            Note(
                "?", "opens the page of the rule of the last verdict: what, why, evidence, an example kept and broken."
            ),
            Note("q q", "leaves the table; the session is saved, and a drill that was broken off can be resumed."),
            Note("ctrl-c", "ends the program at once; nothing committed is lost."),
        ),
    )


def verbs_section() -> Section:
    """Return every verb with its keys."""
    notes = []
    for way in WAYS:
        for one, lead in ((way, way.key), *((deeper, way.key + deeper.key) for deeper in way.more)):
            if one.more and not one.slots:
                continue
            verb = BY_NAME[verb_of(one.words)]
            notes.append(Note(lead if one.slots or len(lead) > 1 else lead * 2, f"{verb.form}: {verb.meaning}"))
    return Section("Verbs", tuple(notes))
