"""Money: the machine against a second settlement, against every combination, and in every order left open."""

from __future__ import annotations

import os
from collections import Counter

import pytest
from independent_judge import disagreements, moved_by_hand, read_round, which_pair
from wild_rounds import FixedRound, wild_round

from trainer.actions import Act, parse
from trainer.cards import DECK
from trainer.procedure.load import procedures
from trainer.procedure.machine import HouseMachine
from trainer.procedure.moment import Position, TableOptions
from trainer.rounds.play import machine_of
from trainer.table import Table

PROCEDURES = procedures()
HOUSES = ("aces", "greektown", "house-h17", "tropicana", "trump-marina")
ROUNDS = int(os.environ.get("JUDGED_ROUNDS", "120"))
"""Rounds judged in each house: ``JUDGED_ROUNDS=100000 pytest tests/test_money.py`` for the long run."""


def machine(slug: str) -> HouseMachine:
    return machine_of(PROCEDURES, slug)


@pytest.mark.parametrize("slug", HOUSES)
def test_a_second_settlement_agrees_with_every_round(slug: str) -> None:
    """Three rounds of four in the house's own way, the fourth by any dealer who does what is right."""
    kinds: Counter[str] = Counter()
    for number in range(ROUNDS):
        one = wild_round(machine(slug), number, in_order=number % 4 != 0)
        lines = [str(act) for act in one.acts]
        found = disagreements(slug, lines, one.players)
        assert not found, (number, found, lines)
        assert one.position.table.net() == moved_by_hand(read_round(lines, one.players)), (number, lines)
        assert one.position.table.on_felt == 0
        kinds.update({line.split()[0] for line in lines})
    assert {"pay", "take", "push", "split", "double", "insure"} <= set(kinds), (
        "the rounds do not reach what is compared"
    )


# -- side wagers: every combination ------------------------------------------------------------------------------


def at_table(slug: str, lines: str, players: dict[int, str] | None = None) -> Position:
    """A position after lines that are all right."""
    own = machine(slug)
    table = Table(7, players=players or {})
    position = Position(own.house, table, options=TableOptions(games=frozenset(own.house.games)))
    do(position, lines)
    return position


def do(position: Position, lines: str) -> None:
    own = machine(position.house.slug)
    for line in lines.split(";"):
        verdict = own.apply(position, parse(line.strip()))
        assert verdict.is_right, (line, verdict.unmet)


def right_acts(position: Position, acts: list[Act]) -> list[Act]:
    """Those of the acts that the machine finds right."""
    own = machine(position.house.slug)
    return [act for act in acts if own.judge(position, act, instead=False).is_right]


PAIRS_TABLE = {"perfect": 25, "coloured": 12, "mixed": 6, "": 0}


def test_perfect_pairs_pays_what_every_two_cards_of_two_decks_make() -> None:
    before = at_table("greektown", "wager 1 10.00; wager 1 pairs 5.00; deal up 7s; deal hole 9d")
    paid: Counter[int] = Counter()
    settle = [Act("take", 1, kind="pairs", amount=500)]
    settle += [Act("pay", 1, kind="pairs", amount=500 * odds) for odds in (25, 12, 6)]
    for first in DECK.values():
        after_first = before.copied()
        machine("greektown").apply(after_first, Act("deal", 1, card=first))
        for second in DECK.values():
            position = after_first.copied()
            machine("greektown").apply(position, Act("deal", 1, card=second))
            odds = PAIRS_TABLE[which_pair([first, second])]
            wanted = [Act("pay", 1, kind="pairs", amount=500 * odds) if odds else settle[0]]
            assert right_acts(position, settle) == wanted, (str(first), str(second))
            paid[odds] += 2 * (1 if first == second else 2)
    assert paid == {25: 104, 12: 208, 6: 416, 0: 104 * 103 - 728}, "of 10,712 ordered pairs of two decks"


HANDS = (
    ("Ts 2d", "", 12), ("Ts 6d", "", 16), ("Ts 7d", "", 17), ("As 6d", "", 17), ("9s 9d", "", 18), ("Ts 9d", "", 19),
    ("As 8d", "", 19), ("Ks Qd", "", 20), ("As 9d", "", 20), ("As Kd", "", 21), ("8s 3d", "Tc", 21), ("As 5d", "5c", 21),
    ("As 5d", "2c", 18), ("Ts 5d", "2c", 17), ("Ts 4d", "5c", 19), ("Ts 4d", "6c", 20), ("Ts 6d", "6c", 22),
    ("Ts 6d", "Tc", 26), ("5s 4d", "3c", 12),
)  # fmt: skip
DEALERS = {17: "Ts 7d", 18: "Ts 8d", 19: "9s Td", 20: "Ks Qd", 21: "5s 6d Td", 22: "6s Td 6h", "blackjack": "Ts Ad"}
NUMBER_TABLE = {17: 6, 18: 6, 19: 6, 20: 4, 21: 10}
ALL_ODDS = (1, 2, 4, 6, 8, 10, 12, 100, 1000)


def settle_side(position: Position, spot: int, kind: str, amount: int = 200) -> int:
    """Do the one right settlement of a wager; return the odds it was paid at, 0 when it was taken."""
    acts = [Act("take", spot, kind=kind, amount=amount)]
    acts += [Act("pay", spot, kind=kind, amount=amount * odds) for odds in ALL_ODDS]
    right = right_acts(position, acts)
    assert len(right) == 1, (spot, kind, [str(act) for act in right])
    machine("greektown").apply(position, right[0])
    return 0 if right[0].verb == "take" else (right[0].amount or 0) // amount


@pytest.mark.parametrize("dealer", DEALERS, ids=str)
def test_fortune_teller_pays_what_its_table_says_on_every_final_hand(dealer: int | str) -> None:
    """Five spots of five players with the same cards, each with another number, all with tie and blackjack."""
    for two, third, total in HANDS:
        position = _final_hands(two, third, DEALERS[dealer])
        natural = total == 21 and not third
        for spot, number in enumerate(NUMBER_TABLE, 1):
            assert settle_side(position, spot, f"number {number}") == (NUMBER_TABLE[number] if number == total else 0)
            tie = total == dealer and 17 <= total <= 21 and not natural
            assert settle_side(position, spot, "tie") == (8 if tie else 0), (two, third, dealer)
            double = 100 if dealer == "blackjack" else 12
            assert settle_side(position, spot, "blackjack") == (double if natural else 0), (two, third, dealer)


def _final_hands(two: str, third: str, own: str) -> Position:
    first, second = two.split()
    cards = own.split()
    lines = []
    for spot, number in enumerate(NUMBER_TABLE, 1):
        lines += [f"wager {spot} 10.00", f"wager {spot} number {number} 2.00", f"wager {spot} tie 2.00"]
        lines += [f"wager {spot} blackjack 2.00"]
    lines += [f"deal {spot} {first}" for spot in range(1, 6)] + [f"deal up {cards[0]}"]
    lines += [f"deal {spot} {second}" for spot in range(1, 6)] + [f"deal hole {cards[1]}"]
    natural = {first[0], second[0]} in ({"A", "K"},)
    for spot in range(1, 6):
        if natural:
            lines.append(f"call blackjack {spot}")
            lines += [f"pay {spot} 15.00"] if cards[0][0] not in "TKA" else []
        elif third:
            lines += [f"signal {spot} hit", f"deal {spot} {third}"]
    position = at_table("greektown", "; ".join(lines))
    for spot in range(1, 6):
        hand = position.table.spots[spot].hands[0]
        if hand.total != 21:
            do(position, f"take {spot} 10.00; clear {spot}" if hand.is_bust else f"signal {spot} stand")
    do(position, "turn hole")
    for one in cards[2:]:
        do(position, f"draw {one}")
    return position


@pytest.mark.parametrize(
    ("drawn", "odds"), [("Ts 6d 6c", 2), ("Ts 2d Tc", 2), ("Ts 7d", 0), ("As Kd", 0), ("Ts 6d 5c", 0)]
)
def test_a_bust_wager_pays_two_to_one_past_21_only(drawn: str, odds: int) -> None:
    first, second, *rest = drawn.split()
    lines = f"wager 1 bust 10.00; deal 1 {first}; deal up 7d; deal 1 {second}; deal hole Td"
    lines += "; call blackjack 1" if {first[0], second[0]} == {"A", "K"} else ""
    position = at_table("greektown", lines + "".join(f"; deal 1 {one}" for one in rest))
    acts = [Act("take", 1, amount=1000), *[Act("pay", 1, amount=1000 * one) for one in (1, 2, 3, 8)], Act("push", 1),
            Act("return", 1, kind="bust", amount=1000)]  # fmt: skip
    wanted = [Act("pay", 1, amount=2000)] if odds else [Act("take", 1, amount=1000)]
    assert right_acts(position, acts) == wanted


SPOTS = [("As Kd", "9s 8d"), ("9s 8d", "Ah Td"), ("As Kd", "Ah Td"), ("9s 8d", "9h 8c")]


@pytest.mark.parametrize("hands", SPOTS, ids=["first", "second", "both", "none"])
@pytest.mark.parametrize("dealer", ["Ts Ad", "As Td", "As 5d Kc", "Ts 9d"])
@pytest.mark.parametrize("wagers", [(1, 2), (1,), (2,)], ids=["on both", "on the first", "on the second"])
def test_blackjack_predictions_pay_12_100_or_1000(hands: tuple[str, str], dealer: str, wagers: tuple[int, ...]) -> None:
    """One player on both spots: double and triple need a dealer's blackjack and the wager on every spot (D-74)."""
    own = dealer.split()
    naturals = {spot for spot, two in enumerate(hands, 1) if two[0] == "A"}
    lines = "; ".join(
        [f"wager {spot} 10.00" for spot in (1, 2)]
        + [f"wager {spot} blackjack 2.00" for spot in wagers]
        + [f"deal {spot} {two.split()[0]}" for spot, two in enumerate(hands, 1)]
        + [f"deal up {own[0]}"]
        + [f"deal {spot} {two.split()[1]}" for spot, two in enumerate(hands, 1)]
        + [f"deal hole {own[1]}"]
        + [f"call blackjack {spot}" for spot in sorted(naturals)]
    )
    position = at_table("greektown", lines, {1: "Ann", 2: "Ann"})
    has_it = {own[0][0], own[1][0]} == {"A", "T"}
    if own[0][0] == "A":
        offers = [f"call even money {spot}" for spot in sorted(naturals)]
        do(position, "; ".join(["call insurance", *offers, "close insurance", "peek"]))
    if not (has_it and own[0][0] == "A"):
        for spot in {1, 2} - naturals:
            do(position, f"signal {spot} stand")
    do(position, "turn hole")
    for one in own[2:] if naturals != {1, 2} else []:
        do(position, f"draw {one}")
    for spot in wagers:
        wanted = 0
        if spot in naturals:
            wanted = 12 if not has_it or len(wagers) == 1 else 1000 if naturals == {1, 2} else 100
        assert settle_side(position, spot, "blackjack") == wanted


# -- money does not hang on an order nobody fixed ------------------------------------------------------------------


@pytest.mark.parametrize("slug", HOUSES)
def test_open_orders_of_paying_and_clearing_move_the_same_money(slug: str) -> None:
    """Cards and decisions of each hand fixed; D-13, D-26, D-48, D-54, D-56, D-83 and D-86 shuffled."""
    changed = 0
    for number in range(max(25, ROUNDS // 40)):
        plain = FixedRound(machine(slug), number, 0).play()
        for order in (1, 2, 3):
            other = FixedRound(machine(slug), number, order).play()
            assert other.position.table.net() == plain.position.table.net(), [str(act) for act in other.acts]
            changed += other.acts != plain.acts
    assert changed > 50, "the orders hardly differ"


def test_the_table_of_ten_values_has_the_queen() -> None:
    """D-17: an ace and a queen are a blackjack in Tropicana too."""
    position = at_table("tropicana", "wager 1 10.00; deal 1 Qs; deal up 7d; deal 1 Ah; deal hole 2c; call blackjack 1")
    pays = [Act("pay", 1, amount=amount) for amount in (1000, 1500, 2000)]
    assert right_acts(position, pays) == [Act("pay", 1, amount=1500)]
