"""Cards and hands count as every house counts them."""

from __future__ import annotations

import doctest

import pytest
from hypothesis import given
from hypothesis import strategies as st

import trainer.actions
import trainer.cards
import trainer.chips
from trainer.cards import DECK, Shoe, card, cards, is_ace_and_ten, pair_kind, total
from trainer.chips import Odds, cents, dollars, most_makeable


@pytest.mark.parametrize("module", [trainer.cards, trainer.chips, trainer.actions])
def test_examples_in_docstrings_hold(module):
    assert doctest.testmod(module).failed == 0


@pytest.mark.parametrize(
    ("hand", "points", "soft"),
    [
        ("Ac 8d 2h", 21, True),
        ("As Ah Ad 6c", 19, True),
        ("Ad As 5c", 17, True),
        ("As Ah Ac 4d", 17, True),
        ("Ad 3s 3c", 17, True),
        ("Ac 5d As Tc", 17, False),
        ("Ac 6d Ts", 17, False),
        ("2s 3c 8h 3d 8s", 24, False),
        ("Ts 5d 7c", 22, False),
    ],
)
def test_totals_of_real_disputes(hand, points, soft):
    assert total(cards(hand)) == (points, soft)


@given(st.lists(st.sampled_from(sorted(DECK)), min_size=1, max_size=9))
def test_a_soft_total_never_passes_21_and_hard_is_the_least_count(names):
    hand = [card(name) for name in names]
    points, soft = total(hand)
    least = sum(1 if one.is_ace else one.value for one in hand)
    assert points in (least, least + 10)
    assert (points == least + 10) is soft
    assert not soft or points <= 21
    assert points == least + 10 or least + 10 > 21 or not any(one.is_ace for one in hand)


def test_only_two_cards_make_a_blackjack():
    assert is_ace_and_ten(cards("Ac Qd"))
    assert not is_ace_and_ten(cards("Ac 5d 5h"))


def test_a_pair_is_one_rank():
    assert pair_kind(card("Qd"), card("Qd")) == "perfect"
    assert pair_kind(card("6c"), card("6s")) == "coloured"
    assert pair_kind(card("3h"), card("3s")) == "mixed"
    assert pair_kind(card("Ks"), card("Qs")) == ""


def test_the_same_seed_gives_the_same_shoe_and_every_card_is_there():
    one, two = Shoe(6, "x"), Shoe(6, "x")
    drawn = [one.take() for _ in range(312)]
    assert drawn == [two.take() for _ in range(312)]
    assert sorted(map(str, drawn)) == sorted(str(c) for c in DECK.values() for _ in range(6))
    assert [Shoe(1, "s", cards("As Kd")).take() for _ in range(1)] == cards("As")


@given(st.integers(0, 10**8))
def test_dollars_and_cents_are_inverse(amount):
    assert cents(dollars(amount)) == amount


@pytest.mark.parametrize("text", ["5", "5.0", "5.000", "-5.00", "5,00", "", "1e2", "５.00"])
def test_amounts_have_two_decimals(text):
    with pytest.raises(ValueError, match="two decimals"):
        cents(text)


def test_odds_are_exact():
    assert Odds(3, 2).on(700) == 1050
    assert [Odds(3, 2).on(cents(x)) for x in ("49.00", "159.00")] == [7350, 23850]
    assert Odds(6, 5).on(1500) == 1800
    for bad in ("3", "3/2", "0:1", "3:0", "a:b", "-3:2"):
        with pytest.raises(ValueError, match="odds"):
            Odds.read(bad)


@given(st.integers(0, 5000), st.sets(st.sampled_from([50, 100, 250, 500, 2500]), min_size=1))
def test_the_most_chips_can_make_is_found(amount, chips):
    made = {0}
    for value in range(0, amount + 1, 50):
        if any(value - chip in made for chip in chips):
            made.add(value)
    assert most_makeable(amount, sorted(chips)) == max(value for value in made if value <= amount)
