"""Check the names of keys from the bytes of the common terminals."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trainer.ui.keys import Tokenizer, pasted, printable

KNOWN = [
    ("a", "a"),
    ("A", "A"),
    ("é", "é"),
    ("♠", "♠"),
    (" ", " "),
    ("\r", "enter"),
    ("\n", "enter"),
    ("\t", "tab"),
    ("\x7f", "backspace"),
    ("\x08", "backspace"),
    ("\x00", "ctrl-space"),
    ("\x01", "ctrl-a"),
    ("\x1a", "ctrl-z"),
    ("\x1c", "ctrl-\\"),
    ("\x1bx", "alt-x"),
    ("\x1bé", "alt-é"),
    ("\x1b\r", "alt-enter"),
    ("\x1b\x7f", "alt-backspace"),
    ("\x1b\x01", "ctrl-alt-a"),
    ("\x1b[A", "up"),
    ("\x1bOB", "down"),
    ("\x1b[C", "right"),
    ("\x1b[D", "left"),
    ("\x1b[Z", "shift-tab"),
    ("\x1b[1;5D", "ctrl-left"),
    ("\x1b[1;2A", "shift-up"),
    ("\x1b[1;3C", "alt-right"),
    ("\x1b[1;8F", "ctrl-alt-shift-end"),
    ("\x1b[H", "home"),
    ("\x1b[F", "end"),
    ("\x1bOH", "home"),
    ("\x1bOF", "end"),
    ("\x1b[1~", "home"),
    ("\x1b[4~", "end"),
    ("\x1b[7~", "home"),
    ("\x1b[8~", "end"),
    ("\x1b[2~", "insert"),
    ("\x1b[3~", "delete"),
    ("\x1b[5~", "pageup"),
    ("\x1b[6~", "pagedown"),
    ("\x1b[3;5~", "ctrl-delete"),
    ("\x1b[5$", "shift-pageup"),
    ("\x1b[5^", "ctrl-pageup"),
    ("\x1b[7@", "ctrl-shift-home"),
    ("\x1b[a", "shift-up"),
    ("\x1bOd", "ctrl-left"),
    ("\x1bOP", "f1"),
    ("\x1bOS", "f4"),
    ("\x1b[P", "f1"),
    ("\x1b[1;5R", "ctrl-f3"),
    ("\x1b[11~", "f1"),
    ("\x1b[15~", "f5"),
    ("\x1b[17~", "f6"),
    ("\x1b[21~", "f10"),
    ("\x1b[23~", "f11"),
    ("\x1b[24;2~", "shift-f12"),
    ("\x1b[[A", "f1"),
    ("\x1b[[E", "f5"),
    ("\x1bOM", "enter"),
    ("\x1bOp", "0"),
    ("\x1bOk", "+"),
    ("\x1b[97;5u", "ctrl-a"),
    ("\x1b[27u", "esc"),
    ("\x1b[9;2u", "shift-tab"),
    ("\x1b[13;5u", "ctrl-enter"),
    ("\x1b[27;5;13~", "ctrl-enter"),
    ("\x1b[200~two\rlines \x1b[A\x1b[201~", "paste:two\nlines \x1b[A"),
]

DROPPED = [
    "\x1b[I",
    "\x1b[24;80R",
    "\x1b[?1;2c",
    "\x1b[?2026;2$y",
    "\x1b[<0;10;5M",
    "\x1b[M !!",
    "\x1b[99~",
    "\x1b[97;5:3u",
    "\x1b[[X",
    "\x1bOy"[:2] + "z",
    "\x1b]11;rgb:0000/0000/0000\x07",
    "\x1b]11;rgb:0000/0000/0000\x1b\\",
    "\x1bP>|tmux 3.3a\x1b\\",
]


@pytest.mark.parametrize(("typed", "name"), KNOWN)
def test_a_key_has_its_name(typed: str, name: str) -> None:
    tokens = Tokenizer()
    assert tokens.feed(typed) == [name] and tokens.wait is None


@pytest.mark.parametrize("typed", DROPPED)
def test_what_means_nothing_is_dropped_whole(typed: str) -> None:
    assert Tokenizer().feed("a" + typed + "b") == ["a", "b"]


@given(st.lists(st.sampled_from([*KNOWN, *((typed, "") for typed in DROPPED)]), max_size=8), st.data())
def test_reads_split_anywhere_make_no_difference(keys: list[tuple[str, str]], data: st.DataObject) -> None:
    typed = "".join(text for text, _ in keys).encode()
    tokens = Tokenizer()
    got: list[str] = []
    while typed:
        cut = data.draw(st.integers(1, len(typed)))
        got += tokens.feed(typed[:cut])
        typed = typed[cut:]
    assert got == [name for _, name in keys if name] and tokens.wait is None


@given(st.binary(max_size=60))
def test_no_bytes_can_upset_it(data: bytes) -> None:
    tokens = Tokenizer()
    for key in tokens.feed(data) + tokens.flush():
        assert key and (len(key) > 1 or key.isprintable() or ord(key) > 0x9F)
    assert tokens.wait is None


def test_a_lone_escape_is_told_by_time() -> None:
    tokens = Tokenizer()
    assert tokens.feed("\x1b") == [] and tokens.wait is not None and tokens.wait < 0.05
    assert tokens.flush() == ["esc"] and tokens.wait is None
    assert tokens.feed("\x1b") == [] and tokens.feed("[A") == ["up"]
    assert tokens.feed("\x1b\x1b") == ["esc"] and tokens.flush() == ["esc"]
    assert tokens.feed("\x1b\x1b[A") == ["esc", "up"]


def test_what_stays_unfinished_is_dropped_and_the_next_key_counts() -> None:
    tokens = Tokenizer()
    assert tokens.feed("\x1b[1;") == [] and tokens.flush() == [] and tokens.feed("a") == ["a"]
    assert tokens.feed("\x1b[") == [] and tokens.flush() == ["alt-["]
    assert tokens.feed("\x1bO") == [] and tokens.flush() == ["alt-O"]
    assert tokens.feed("\x1b[12\x1b[A") == ["up"]
    assert tokens.feed(b"\xc3a") == ["a"] and tokens.feed(b"\xff\x80b") == ["b"]


def test_half_a_character_waits_for_the_rest() -> None:
    tokens = Tokenizer()
    assert tokens.feed(b"\xe2\x99") == [] and tokens.flush() == [] and tokens.feed(b"\xa0") == ["♠"]


def test_a_paste_without_an_end_is_given_up() -> None:
    tokens = Tokenizer()
    assert tokens.feed("\x1b[200~abc") == [] and tokens.wait is not None
    assert tokens.flush() == ["paste:abc"] and tokens.feed("q") == ["q"]


def test_pastes_are_told_from_keys() -> None:
    assert pasted("paste:q") == "q" and pasted("q") is None
    assert printable("é") and not printable("enter")
