"""Records as authors write them: what is read, and what is refused with its place."""

from __future__ import annotations

import pytest

from trainer.files import BadFile
from trainer.rounds.play import machine_of, replay, unmet_expectations
from trainer.rounds.script import print_script, read_script

ROUND = """house: tropicana
title: Ace up, never looked at
net: {"1": "-10.00"}
lines:
  - wager 1 10.00
  - deal 1 Th
  - deal up As
  - deal 1 6c
  - deal hole Kd
  - {do: peek, expect: not in this house, rule: look-under-ace, cites: [tropicana-009]}
  - signal 1 stand
  - turn hole
  - take 1 10.00
"""


def problems(text, shipped):
    with pytest.raises(BadFile) as caught:
        read_script("r.yaml", shipped, text=text)
    return [str(one) for one in caught.value.problems]


def test_a_record_meets_its_expectations(shipped):
    script = read_script("r.yaml", shipped, text=ROUND)
    session = replay(script, machine_of(shipped, "tropicana"))
    assert unmet_expectations(session) == []
    assert session.net == {"1": -1000}


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("expect: not in this house", "expect: right", "expected is right"),
        ("cites: [tropicana-009]", "cites: [tropicana-005]", "expected is tropicana-005"),
        ("rule: look-under-ace", "rule: look-under-ten", "expected is look-under-ten"),
        ("  - take 1 10.00", "  - push 1", "expected is right"),
        ('"-10.00"', '"0.00"', "expected is 0.00"),
        ("  - turn hole\n", "", "expected is right"),
    ],
)
def test_every_expectation_can_fail(old, new, said, shipped):
    assert old in ROUND
    script = read_script("r.yaml", shipped, text=ROUND.replace(old, new, 1))
    unmet = unmet_expectations(replay(script, machine_of(shipped, "tropicana")))
    assert any(said in str(one) for one in unmet)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("house: tropicana", "house: tropicanna", "r.yaml:1:8: house is 'tropicanna'; known are"),
        ("  - turn hole", "  - turn hold", "r.yaml:12:"),
        ("rule: look-under-ace", "rule: look-under-aces", "did you mean look-under-ace"),
        ("tropicana-009", "tropicana-099", "tropicana has no such statement"),
        ("title: Ace", "titel: Ace", "did you mean title"),
        ('net: {"1": "-10.00"}', "net: {1: -10}", "dollars with two decimals"),
        ("expect: not in this house", "expect: not in this hous", "not in this house"),
        ("  - wager 1 10.00", "  - wager 1 10", "two decimals"),
        ("lines:", "decks: 0\nlines:", "decks"),
        (
            "lines:",
            'chips: ["5.00", "0.00"]\nlines:',
            "chips entry 2 is '0.00'; write more than nothing, such as \"5.00\"",
        ),
        ("lines:", 'minimum: "0.00"\nlines:', "minimum is '0.00'; write more than nothing"),
        ("  - signal 1 stand", '  - waive hole-card-after-hand "shown"', "did you mean hole-card-after-hands"),
    ],
)
def test_every_slip_of_an_author_is_told_with_its_place(old, new, said, shipped):
    assert old in ROUND
    found = problems(ROUND.replace(old, new, 1), shipped)
    assert any(said in one for one in found), found
    assert all(one.startswith("r.yaml:") for one in found)


def test_an_act_that_cannot_happen_ends_the_record_with_its_place(shipped):
    script = read_script("r.yaml", shipped, text=ROUND.replace("  - turn hole\n", "  - turn hole\n  - turn hole\n", 1))
    session = replay(script, machine_of(shipped, "tropicana"))
    assert [str(one) for one in session.problems] == ["r.yaml:13:5: line is 'turn hole'; no hole card lies there"]


def test_an_unknown_hole_card_is_filled_in_from_its_reveal(shipped):
    text = ROUND.replace("deal hole Kd", "deal hole ??").replace("  - turn hole\n", "  - turn hole Kd\n")
    session = replay(read_script("r.yaml", shipped, text=text), machine_of(shipped, "tropicana"))
    assert session.net == {"1": -1000}
    text = ROUND.replace("deal hole Kd", "deal hole ??")
    session = replay(read_script("r.yaml", shipped, text=text), machine_of(shipped, "tropicana"))
    assert "hole card is unknown" in str(session.problems[0])


def test_a_record_is_printed_as_it_was_read(shipped):
    script = read_script("r.yaml", shipped, text=ROUND)
    again = read_script("r.yaml", shipped, text=print_script(script))
    assert [(line.act, line.expect, line.rule, line.cites) for line in again.lines] == [
        (line.act, line.expect, line.rule, line.cites) for line in script.lines
    ]
    assert print_script(again) == print_script(script)
