"""Check the line of text: typing, moving, deleting, history, completion, scrolling."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trainer.ui.edit import LineEdit
from trainer.ui.lines import width


def press(edit: LineEdit, *keys: str) -> LineEdit:
    """Press keys that all mean something to the line."""
    assert [key for key in keys if not edit.key(key)] == []
    return edit


@pytest.mark.parametrize(
    ("keys", "text", "cursor"),
    [
        (["é", "ü", "漢", "♠"], "éü漢♠", 4),
        (["a", "b", "left", "x"], "axb", 2),
        (["a", "b", "home", "delete"], "b", 0),
        (["a", "backspace", "backspace", "end", "delete", "left", "right", "ctrl-left"], "", 0),
        (["paste:one two\nthree", "ctrl-w"], "one two ", 8),
        (["paste:one two  ", "ctrl-w", "ctrl-w", "ctrl-w"], "", 0),
        (["paste:one two", "ctrl-left", "ctrl-k"], "one ", 4),
        (["paste:one two", "ctrl-left", "ctrl-u", "ctrl-e", "ctrl-y"], "twoone ", 7),
        (["paste:one-two", "ctrl-a", "ctrl-right", "ctrl-d"], "onetwo", 3),
        (["e", "\u0301", "x", "left", "backspace"], "x", 0),
        (["a", "paste:\x1b[31m"], "a?[31m", 6),
    ],
)
def test_keys_edit_the_text(keys: Sequence[str], text: str, cursor: int) -> None:
    edit = press(LineEdit(), *keys)
    assert (edit.text, edit.cursor) == (text, cursor)


def test_keys_that_mean_nothing_to_a_line_are_left_to_others() -> None:
    edit = LineEdit("a")
    others = ["enter", "esc", "f1", "pageup", "tab", "shift-tab", "resize", "alt-x"]
    assert [key for key in others if edit.key(key)] == []
    assert edit.text == "a"


def test_history_comes_back_and_the_draft_is_kept() -> None:
    edit = LineEdit(history=["deal"])
    edit.insert("hit 1")
    assert edit.submit() == "hit 1" and edit.text == ""
    press(edit, "d", "up")
    assert edit.text == "hit 1" and edit.cursor == 5
    press(edit, "up", "up")
    assert edit.text == "deal"
    press(edit, "down", "down", "down")
    assert edit.text == "d"
    edit.set("  ")
    edit.submit()
    edit.set("hit 1")
    edit.submit()
    assert edit.history == ["deal", "hit 1"], "neither blanks nor repeats are remembered"


def verbs(text: str, at: int) -> tuple[int, Sequence[str]]:
    """Complete the last word from a few verbs."""
    start = text.rfind(" ", 0, at) + 1
    return start, [verb for verb in ("peek", "pay", "pass", "take") if verb.startswith(text[start:at])]


def test_completion_fills_what_is_sure_and_then_offers_each() -> None:
    edit = LineEdit("3 t", complete=verbs)
    press(edit, "tab")
    assert edit.text == "3 take" and not edit.choices
    edit.set("p!", 1)
    press(edit, "tab")
    assert edit.text == "p!" and edit.choices == ("peek", "pay", "pass")
    press(edit, "tab", "tab")
    assert edit.text == "pay!" and edit.cursor == 3
    press(edit, "shift-tab", "shift-tab")
    assert edit.text == "pass!"
    press(edit, "x")
    assert edit.text == "passx!" and not edit.choices
    edit.set("pa")
    press(edit, "tab", "shift-tab")
    assert edit.text == "pass"
    edit.set("zz")
    press(edit, "tab")
    assert edit.text == "zz"


def test_long_text_is_scrolled_to_the_cursor() -> None:
    edit = LineEdit("0123456789")
    assert edit.view(20) == ("0123456789", 10)
    assert edit.view(5) == ("6789", 4)
    press(edit, "home")
    assert edit.view(5) == ("01234", 0)
    press(edit, *["right"] * 5)
    assert edit.view(5) == ("12345", 4)
    press(edit, "left")
    assert edit.view(5) == ("12345", 3), "it does not move more than it must"
    press(edit, "end", "ctrl-u", "a")
    assert edit.view(5) == ("a", 1)


@given(
    st.lists(
        st.sampled_from(
            ["a", "é", " ", "漢", "\u0301", "home", "end", "left", "right", "backspace", "delete", "up", "down"]
        )
        | st.sampled_from(["ctrl-w", "ctrl-left", "ctrl-right"]),
        max_size=40,
    ),
    st.integers(1, 9),
)
def test_the_cursor_is_always_in_sight(keys: list[str], cells: int) -> None:
    edit = LineEdit(history=["an older line"])
    for key in keys:
        edit.key(key)
        shown, at = edit.view(cells)
        assert 0 <= at < max(cells, 2) and 0 <= edit.cursor <= len(edit.text)
        assert width(shown) <= cells
