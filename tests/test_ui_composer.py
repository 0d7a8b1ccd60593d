"""Compose every act a dealer may do by keys, and take keys back."""

from __future__ import annotations

import pytest

from trainer.actions import KINDS, parse
from trainer.ui.composer import WAYS, Draft, Grammar, completions, draft, keys_for, shown_keys, verb_of, with_cents

GRAMMAR = Grammar(7, KINDS, lambda spot: 3 if spot == 5 else 1)


def typed(text: str) -> Draft:
    """Return the draft of keys typed one after another."""
    return draft([*text], GRAMMAR)


@pytest.mark.parametrize(
    ("line", "keys"),
    [
        ("deal 3", "d3"), ("deal up", "du"), ("deal hole", "dh"), ("deal 5b", "d5b"), ("draw", "nn"), ("stop", "ss"),
        ("call blackjack 2", "cb2"), ("call insurance", "ci"), ("call even money 2", "ce2"), ("wait", "ww"),
        ("call total 3 is 14", "ct3 14 enter"), ("call total dealer is 17", "cd 17 enter"), ("ask 5a", "a5a"),
        ("close insurance", "ii"), ("peek", "kk"), ("turn hole", "hh"), ("separate 3", "v3"),
        ("pay 3 22.50", "p3 22.50 enter"), ("pay 3 number 19 24.00", "p3n19 24.00 enter"),
        ("take 5c split 10.00", "t5cs 10.00 enter"), ("return 3 double 5.00", "r3d 5.00 enter"), ("push 3", "u3"),
        ("lay 3", "l3"), ("clear 5b", "x5b"), ("clear dealer", "xd"), ("refuse 3 insurance", "f3i"), ("warn 0", "y0"),
        ("refuse 3 number 17", "f3n17"), ("refuse 3 even money", "f3e"), ("gesture tap 3", "g3"), ("start", "bb"),
    ],
)  # fmt: skip
def test_every_verb_has_keys_that_make_it(line: str, keys: str) -> None:
    act = parse(line)
    pressed = keys_for(act, GRAMMAR)
    assert shown_keys(act, GRAMMAR) == keys
    made = draft([key for key in pressed if key != "enter"], GRAMMAR)
    assert made.act == act
    assert made.done is (pressed[-1] != "enter")


def test_no_key_stands_for_two_verbs_and_every_dealers_verb_has_one() -> None:
    from trainer.actions import VERBS, Role

    keys = [way.key for way in WAYS]
    assert len(keys) == len(set(keys))
    words = {verb_of(one.words) for way in WAYS for one in (way, *way.more)}
    assert {verb.name for verb in VERBS if verb.role is Role.DEALER} <= words


def test_nothing_is_an_act_after_one_key_and_nothing_is_filled_in() -> None:
    for way in WAYS:
        made = typed(way.key)
        assert made.act is None and not made.done and made.choices
    assert typed("p3").act is None and typed("p3").text == "pay 3"
    assert typed("p3m").act is None and typed("ct3").act is None and typed("f3").act is None


@pytest.mark.parametrize(
    ("keys", "why"),
    [("d9", "no spot 9"), ("kq", "k again"), ("d5d", "has the hands"), ("p3q", "amount"), ("p310.005", "amount"),
     ("cz", "no such key"), ("f3q", "refuse"), ("f3n4", "number is one of"), ("ct3x", "total"), ("z", "no verb")],
)  # fmt: skip
def test_a_key_that_means_nothing_is_refused(keys: str, why: str) -> None:
    assert typed(keys[:-1]).bad == "" or len(keys) == 1
    made = typed(keys)
    assert why in made.bad and made.act is None


def test_amounts_are_typed_short_or_long() -> None:
    assert str(typed("p310").act) == "pay 3 10.00"
    assert str(typed("p322.5").act) == "pay 3 22.50"
    assert typed("p322.").act is None
    assert with_cents("take 3 number 17 4") == "take 3 number 17 4.00"
    assert with_cents("take 3 number 17") == "take 3 number 17"
    assert with_cents("call total 3 is 14") == "call total 3 is 14"


def test_the_line_completes_verbs_and_kinds() -> None:
    assert completions("cl", 2, KINDS) == (0, ["clear ", "clear dealer ", "close insurance "])
    assert completions("pay 3 ins", 9, KINDS) == (6, ["insurance "])
    assert completions("refuse 3 s", 10, KINDS) == (9, ["stand ", "split ", "surrender "])
