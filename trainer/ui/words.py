"""Words at the table's line that are no acts: what the plain prompt answers, the table answers as well."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainer.actions import Act
from trainer.ui.composer import shown_keys
from trainer.ui.textpage import TextPage, help_page
from trainer.ui.view import Note, Section

if TYPE_CHECKING:
    from trainer.ui.dealing import TablePage

HINTED = ("learn", "guided")


def asked(page: TablePage, text: str) -> str | None:
    """Answer a word of the plain prompt; return what to say at the line, None when the text is no such word."""
    word = text.split(" ", 1)[0]
    if word in ("help", "felt", "quit"):
        page.line = None
        if word == "help":
            page.desk.open(help_page(page.desk))
        if word == "quit":
            page.leave_table()
        return ""
    if word == "why" and text == word:
        page.line = None
        page.key("f2")
        return ""
    if text not in ("hint", "legal"):
        return None
    page.line = None
    if page.sat or page.drill.display not in HINTED:
        return "No hints here; the displays learn and guided give them."
    if text == "hint":
        ways = page.machine.suggest(page.session.position)
        return f"hint: {_told(page, ways[0])}" if ways else no_way(page.session.position.state)
    legal = [Note("", _told(page, act)) for act in page.legal()]
    page.desk.open(TextPage(page.desk, "legal now", (Section("Right now", tuple(legal)),)))
    return ""


def no_way(state: str) -> str:
    """Say what is left when no act of the dealer leads on."""
    if state == "over":
        return "hint: the round is over; what is unsettled cannot be mended here: call floor"
    return "hint: wait for a player"


def _told(page: TablePage, act: Act) -> str:
    keys = shown_keys(act, page.grammar)
    return f"{act}   keys: {keys}" if keys else str(act)
