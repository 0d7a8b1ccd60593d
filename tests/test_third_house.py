"""A house made of YAML alone: it loads, deals perfect rounds, and its own rules are faults that cite its statements."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from procedure_folders import HOUSES, folder_with

from trainer.actions import parse
from trainer.procedure.load import Procedures
from trainer.procedure.machine import HouseMachine
from trainer.procedure.moment import Position
from trainer.procedure.verdicts import Severity, Verdict
from trainer.rounds.deal import any_way, deal_rounds, first
from trainer.rounds.script import options_for
from trainer.table import Table


@pytest.fixture(scope="module")
def lakeside(tmp_path_factory: pytest.TempPathFactory) -> HouseMachine:
    folder = folder_with(tmp_path_factory.mktemp("procedures") / "all", HOUSES / "lakeside")
    return HouseMachine(Procedures(folder).house("lakeside"))


def played(machine: HouseMachine, *lines: str) -> tuple[Position, list[Verdict]]:
    position = Position(machine.house, Table(places=6), options=options_for(machine.house))
    return position, [machine.apply(position, parse(line)) for line in lines]


def faulted(machine: HouseMachine, *lines: str) -> tuple[str, tuple[str, ...]]:
    """Return rule and statements of the last line's fault; every line before it must be right."""
    _, verdicts = played(machine, *lines)
    assert [str(one.act) for one in verdicts[:-1] if not one.is_right] == []
    last = verdicts[-1]
    assert last.severity is Severity.FAULT and last.leading
    return last.leading.rule.slug, last.cites


TWO_SPOTS = ("wager 1 10.00", "wager 2 10.00", "deal 1 {a}", "deal 2 {c}", "deal up {up}", "deal 1 {b}", "deal 2 {d}")


def dealt(up: str, first_hand: str, second_hand: str = "Tc 8d") -> tuple[str, ...]:
    a, b = first_hand.split()
    c, d = second_hand.split()
    return tuple(line.format(a=a, b=b, c=c, d=d, up=up) for line in TWO_SPOTS)


BOTH_STAND = ("ask 1", "signal 1 stand", "ask 2", "signal 2 stand")


def test_it_needs_no_python(lakeside: HouseMachine) -> None:
    house = HOUSES / "lakeside"
    assert {path.suffix for path in house.rglob("*") if path.is_file()} == {".yaml"}
    trainer = Path(__file__).parents[1] / "trainer"
    assert not [path for path in trainer.rglob("*.py") if "lakeside" in path.read_text(encoding="utf-8").lower()]


@pytest.mark.parametrize("choose", [first, any_way], ids=["recommended", "any"])
def test_perfect_rounds_run_to_their_end(lakeside: HouseMachine, choose: object) -> None:
    options = options_for(lakeside.house)
    for seed in range(8):
        spots = (1, 2, 3)[: 1 + seed % 3]
        session = deal_rounds(lakeside, options, seed=f"lake {seed}", spots=spots, choose=choose)  # type: ignore[arg-type]
        assert session.position.state == "over" and session.findings == []
        table = session.table
        assert table.rack + table.pockets + table.on_felt == 0


def test_second_card_waits_for_the_players(lakeside: HouseMachine) -> None:
    _, verdicts = played(lakeside, *dealt("9h", "Ts 7s"), "deal hole 8c")
    last = verdicts[-1]
    assert last.severity is Severity.FAULT and "lakeside-05" in last.cites
    assert "own-second-card-after-hands" in {one.rule.slug for one in last.unmet}
    _, verdicts = played(lakeside, *dealt("9h", "Ts 7s"), *BOTH_STAND, "deal hole 8c", "turn hole", "stop")
    assert all(one.is_right for one in verdicts)


def test_second_card_is_dealt_and_turned_before_a_draw(lakeside: HouseMachine) -> None:
    rule, cites = faulted(lakeside, *dealt("5h", "Ts 7s"), *BOTH_STAND, "draw 8c")
    assert (rule, cites) == ("turn-before-draw", ("lakeside-06",))


def test_blackjack_pays_six_to_five(lakeside: HouseMachine) -> None:
    before = (*dealt("7h", "As Ks"), "call blackjack 1")
    assert faulted(lakeside, *before, "pay 1 15.00") == ("blackjack-odds", ("lakeside-08",))
    position, verdicts = played(lakeside, *before, "pay 1 12.00")
    assert verdicts[-1].is_right and position.table.net()["1"] == 1200


def test_soft_17_is_hit(lakeside: HouseMachine) -> None:
    before = (*dealt("Ah", "Ts 7s"), "call insurance", "close insurance", *BOTH_STAND, "deal hole 6c", "turn hole")
    assert faulted(lakeside, *before, "stop") == ("soft-17-hit", ("lakeside-19",))
    _, verdicts = played(lakeside, *before, "draw 4c", "stop")
    assert all(one.is_right for one in verdicts)


@pytest.mark.parametrize(
    ("hand", "right"), [("5s 4s", True), ("5s 5h", True), ("6s 5s", True), ("5s 3s", False), ("7s 5s", False)]
)
def test_doubles_are_on_9_to_11_only(lakeside: HouseMachine, hand: str, right: bool) -> None:
    _, verdicts = played(lakeside, *dealt("7h", hand), "ask 1", "double 1 10.00", "deal 1 2c")
    last = verdicts[-1]
    assert last.is_right is right
    if not right:
        assert last.leading and (last.leading.rule.slug, last.cites) == ("double-on-totals", ("lakeside-14",))


def test_losers_cards_stay_until_the_last_wager(lakeside: HouseMachine) -> None:
    drawn = (*dealt("Th", "Ts 7s", "Tc 9d"), *BOTH_STAND, "deal hole 8c", "turn hole", "stop", "take 1 10.00")
    rule, cites = faulted(lakeside, *drawn, "clear 1")
    assert (rule, cites) == ("all-cards-after-all-wagers", ("lakeside-24",))
    position, verdicts = played(lakeside, *drawn, "pay 2 10.00", "clear 1", "clear 2", "clear dealer")
    assert all(one.is_right for one in verdicts) and position.state == "over"


def test_a_bust_is_taken_first_and_its_cards_stay(lakeside: HouseMachine) -> None:
    bust = (*dealt("Th", "Ts 7s"), "ask 1", "signal 1 hit", "deal 1 9c")
    rest = ("ask 2", "signal 2 stand", "deal hole 8c")
    assert faulted(lakeside, *bust, *rest) == ("bust-taken-before-hole-card", ("lakeside-18",))
    _, verdicts = played(lakeside, *bust, "take 1 10.00", *rest, "turn hole", "stop", "push 2", "clear 1", "clear 2")
    assert all(one.is_right for one in verdicts)
    assert faulted(lakeside, *bust, "take 1 10.00", "clear 1")[0] == "all-cards-after-all-wagers"


def test_what_the_house_leaves_open_is_no_fault(lakeside: HouseMachine) -> None:
    """The house says nothing of calling a blackjack or of the order in which hands are settled."""
    _, verdicts = played(lakeside, *dealt("7h", "As Ks"), "pay 1 12.00")
    assert verdicts[-1].is_right
    drawn = (*dealt("Th", "Ts 7s", "Tc 9d"), *BOTH_STAND, "deal hole 8c", "turn hole", "stop")
    for order in (("take 1 10.00", "pay 2 10.00"), ("pay 2 10.00", "take 1 10.00")):
        assert all(one.is_right for one in played(lakeside, *drawn, *order)[1])


def test_money_of_a_split_against_a_dealer_blackjack(lakeside: HouseMachine) -> None:
    lines = (
        *dealt("Kh", "8s 8d"), "ask 1", "split 1 10.00", "separate 1", "deal 1a Tc", "ask 1a", "signal 1a stand",
        "deal 1b 9c", "ask 1b", "signal 1b stand", "ask 2", "signal 2 stand", "deal hole Ac", "turn hole",
    )  # fmt: skip
    rule, cites = faulted(lakeside, *lines, "return 1b split 10.00")
    assert (rule, cites) == ("added-money-is-lost", ("lakeside-21",))


def test_another_minimum_and_other_chips_need_no_python(lakeside: HouseMachine) -> None:
    options = options_for(lakeside.house)
    assert (options.minimum, options.decks, options.places, min(options.chips)) == (1000, 8, 6, 100)
    assert replace(options, minimum=2500).minimum == 2500
