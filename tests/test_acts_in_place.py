"""Acts that change nothing or have no place are commented, never a fault, and never listed as legal."""

from __future__ import annotations

import functools
from dataclasses import replace
from typing import Any

import pytest
from provoke import Provocation

from trainer.actions import Act
from trainer.chips import dollars
from trainer.procedure.load import procedures
from trainer.procedure.machine import HouseMachine
from trainer.procedure.verdicts import Severity, Verdict
from trainer.rounds.deal import any_way, deal_rounds
from trainer.rounds.script import options_for

HOUSES = ("aces", "greektown", "house-h17", "tropicana", "trump-marina")
TEN = {1: "9h 6c 2d", 2: "8h 7c 3d", "up": "Kd", "hole": "7s", "draw": "2c"}
ACE = {**TEN, "up": "As"}
BLACKJACK = {**TEN, 1: "Ah Kc"}
PUSH = {**TEN, 1: "Th 7c"}
ONE, TWO = ["wager 1 10.00"], ["wager 1 10.00", "wager 2 10.00"]
OVER = ["until turn hole", "turn hole", "stop"]


@functools.cache
def machine(house: str) -> HouseMachine:
    return HouseMachine(procedures().house(house))


def provoked(house: str, cards: dict[Any, str], lines: list[str]) -> tuple[Provocation, Verdict]:
    round_ = Provocation(machine(house), {"cards": cards, "lines": [*lines[:-1], f"! {lines[-1]}"]})
    return round_, round_.play()


IDLE = {
    "insurance called twice": (ACE, [*ONE, "until close insurance", "call insurance", "call insurance"]),
    "insurance closed twice": (ACE, [*ONE, "until close insurance", "close insurance", "close insurance"]),
    "a hand asked that stands": (TEN, [*TWO, "routine", "signal 1 stand", "ask 1"]),
    "blackjack called twice": (BLACKJACK, [*TWO, "deal", "call blackjack 1", "call blackjack 1"]),
    "nothing refused": (TEN, [*ONE, "routine", "refuse 1 double"]),
    "nobody warned": (TEN, [*ONE, "routine", "warn 1"]),
    "a tap without a push": (TEN, [*ONE, "routine", "gesture tap 1"]),
    "a wager laid that was not surrendered": (TEN, [*ONE, "routine", "lay 1"]),
    "stopped twice": (TEN, [*ONE, *OVER, "stop"]),
    "insurance closed with no ace up": (TEN, [*ONE, "deal", "close insurance"]),
}


@pytest.mark.parametrize("house", HOUSES)
@pytest.mark.parametrize("name", IDLE)
def test_an_act_without_effect_is_advice_and_not_listed(name: str, house: str) -> None:
    cards, lines = IDLE[name]
    round_ = Provocation(machine(house), {"cards": cards, "lines": [*lines[:-1], f"! {lines[-1]}"]})
    for line in lines[:-1]:
        round_.line(line)
    act = round_.read(lines[-1])
    listed = round_.machine.legal_actions(round_.position)
    verdict = round_.do(act)
    assert verdict.severity is Severity.ADVICE, [one.why for one in verdict.unmet]
    assert act not in listed


OPEN = {
    "total called twice": [*ONE, "deal", "call total 1 is 15", "call total 1 is 15"],
    "a hand asked twice": [*ONE, "routine", "ask 1"],
}


@pytest.mark.parametrize("house", HOUSES)
@pytest.mark.parametrize("name", OPEN)
def test_a_word_said_again_is_open(name: str, house: str) -> None:
    lines = OPEN[name]
    _, verdict = provoked(house, TEN, lines)
    assert verdict.severity is Severity.RIGHT


@pytest.mark.parametrize("house", ["greektown", "aces"])
def test_a_second_look_is_commented(house: str) -> None:
    _, verdict = provoked(house, ACE, [*ONE, "until close insurance", "close insurance", "peek", "peek"])
    assert verdict.severity is Severity.ADVICE
    assert verdict.ruling == "repeated"


@pytest.mark.parametrize("house", HOUSES)
def test_a_tap_on_a_push_is_right(house: str) -> None:
    round_, verdict = provoked(house, PUSH, [*ONE, *OVER, "gesture tap 1"])
    assert verdict.is_right
    assert Act("gesture tap", 1) in round_.machine.legal_actions(round_.position)


@pytest.mark.parametrize("house", HOUSES)
def test_what_the_floor_has_ruled_is_right(house: str) -> None:
    cards = {**TEN, 1: "Th Qc"}
    round_, verdict = provoked(house, cards, [*ONE, *OVER, 'rule "push 1"', "push 1"])
    assert verdict.is_right
    assert round_.position.table.net() == {"1": 0}
    _, against = provoked(house, cards, [*ONE, *OVER, 'rule "push 1"', "pay 1 10.00"])
    assert (against.severity is Severity.FAULT) == (house == "house-h17")


@pytest.mark.parametrize("house", HOUSES)
def test_two_players_may_ask_before_either_is_served(house: str) -> None:
    lines = [*TWO, "deal", "call total 1 is 15", "ask 1", "call total 2 is 15", "signal 1 hit", "signal 2 hit"]
    asked = ["deal 1", "ask 2", "deal 2"] if house == "aces" else ["deal 1", "deal 2"]
    round_, verdict = provoked(house, {**TEN, 1: "9h 6c 6d"}, [*lines, *asked])
    assert verdict.severity is not Severity.FAULT, [one.why for one in verdict.unmet]
    assert not round_.position.table.ledger.requests


def test_a_double_still_pending_keeps_its_chips_when_another_player_asks() -> None:
    lines = [*TWO, "routine", "double 1 10.00", "signal 2 hit", "deal 2", "deal 1"]
    round_, verdict = provoked("greektown", {**TEN, 1: "6h 5c 2d"}, lines)
    assert verdict.is_right
    hand = round_.position.table.spots[1].hands[0]
    assert hand.doubled
    assert dollars(hand.lying) == "20.00"


@pytest.mark.parametrize("difficulty", ["plain", "difficult"])
@pytest.mark.parametrize("house", HOUSES)
def test_random_legal_rounds_end_without_a_finding(house: str, difficulty: str) -> None:
    own = machine(house).house
    options = replace(options_for(own), games=frozenset(own.games))
    for seed in range(12):
        spots = (1, 2, 3)[: 1 + seed % 3]
        session = deal_rounds(
            machine(house), options, seed=f"legal {seed}", spots=spots, choose=any_way, difficulty=difficulty
        )
        assert session.position.state == "over"
        assert not session.findings, [(str(one.act), one.verdict.unmet[0].why) for one in session.findings]
        table = session.table
        assert table.rack + table.pockets + table.on_felt == 0
        assert table.on_felt == 0
