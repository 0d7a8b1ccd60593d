"""One line an act: parse and print are inverse, and what is no act is told with its place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trainer.actions import DECISIONS, KINDS, VERBS, Act, BadNotation, parse, print_act
from trainer.cards import DECK, card


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb.name)
def test_every_example_is_read_and_printed(verb):
    act = parse(verb.example)
    assert act.verb == verb.name
    assert print_act(act) == verb.example


def acts():
    """Every act the grammar can say."""
    spot, hand = st.integers(1, 9), st.integers(0, 8)
    words = st.text(st.characters(blacklist_categories=("Cs", "Cc", "Zl", "Zp")), min_size=1, max_size=12)

    def build(verb):
        fields = {}
        for word in verb.form.replace("[", "").replace("]", "").split():
            if word in ("HAND", "SPOT"):
                fields["spot"] = spot
                if word == "HAND":
                    fields["hand"] = hand
            elif word == "CARD":
                fields["card"] = st.none() | st.sampled_from(sorted(DECK)).map(card)
            elif word == "AMOUNT":
                fields["amount"] = st.integers(0, 10**7)
            elif word == "KIND":
                fields["kind"] = st.sampled_from(["", *KINDS])
            elif word == "WHAT":
                fields["what"] = st.sampled_from([*KINDS, *DECISIONS])
            elif word == "SIGNAL":
                fields["what"] = st.sampled_from(["hit", "stand"])
            elif word == "TOTAL":
                fields["total"] = st.integers(0, 40)
            elif word == "WORDS":
                fields["words"] = words
            elif word == "RULE":
                fields["what"] = st.just("hole-card-after-hands")
        for flag in ("down", "outside", "misplaced", "by word"):
            if f"[{flag}]" in verb.form:
                fields["flag"] = st.sampled_from(["", flag])
        return st.builds(Act, verb=st.just(verb.name), **fields)

    return st.sampled_from(VERBS).flatmap(build)


@given(acts())
def test_parse_and_print_are_inverse(act):
    assert parse(print_act(act)) == act


@given(st.text(max_size=40))
def test_no_text_does_more_than_say_what_is_wrong(text):
    try:
        act = parse(text)
    except BadNotation as bad:
        assert 1 <= bad.column <= len(text) + 1
    else:
        assert parse(print_act(act)) == act


@pytest.mark.parametrize(
    ("line", "column", "said"),
    [
        ("peak", 1, "did you mean peek"),
        ("pay 3 22.5", 7, "two decimals"),
        ("pay 3 manin 5.00", 7, "did you mean main"),
        ("deal 3 1x", 8, "a card such as Td"),
        ("call blackjak 3", 6, "did you mean call blackjack"),
        ("refuse 3 insurence", 10, "did you mean insurance"),
        ("signal 3 hitt", 10, "did you mean hit"),
        ("deal 3 9h down now", 16, "too much"),
        ("ask", 4, "missing"),
        ("call floor why", 12, "quotation marks"),
    ],
)
def test_a_slip_of_the_pen_is_told_with_column_and_suggestion(line, column, said):
    with pytest.raises(BadNotation) as caught:
        parse(line)
    assert caught.value.column == column
    assert said in str(caught.value)


def test_a_number_is_a_spot_and_two_decimals_are_money():
    assert parse("pay 3 3.00") == Act("pay", 3, amount=300)
    assert parse("take 3b double 10.00") == Act("take", 3, 2, "double", amount=1000)
    assert parse("wager 1 number 17 2.00").kind == "number 17"
    assert str(parse("  deal   3b  10d ")) == "deal 3b Td"
