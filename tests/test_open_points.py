"""What no page settles is nobody's fault: cards too many, cards that lie open, wagers that may stand for each other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from trainer.actions import parse
from trainer.procedure.load import Procedures
from trainer.procedure.machine import HouseMachine
from trainer.procedure.moment import Position, TableOptions
from trainer.procedure.sides import left_to_a_reading
from trainer.rounds.play import Session
from trainer.table import Table

Play = Callable[..., Session]
HOUSES = ("aces", "greektown", "house-h17", "tropicana", "trump-marina")
TOTALS = "trump-marina"


def findings(session: Session) -> list[tuple[str, str, str]]:
    """The acts of a record that draw a finding, each with its severity and what it rests on first."""
    out = []
    for entry in session.entries:
        verdict = entry.verdict
        rests = [*verdict.cites, *(one.evidence.default for one in verdict.unmet)]
        if verdict.unmet:
            out.append((str(verdict.act), verdict.severity.value, rests[0]))
    return out


def own_order(house: str, up: str, hole: str) -> tuple[str, str]:
    return (f"deal hole {hole}", f"deal up {up}") if house == "aces" else (f"deal up {up}", f"deal hole {hole}")


def overdrawn(play: Play, house: str, last: str) -> list[tuple[str, str, str]]:
    first, second = own_order(house, "Th", "7c")
    called = "call total 1 is 16" if house == TOTALS else "wait"
    text = (
        f"wager 1 50.00\ndeal 1 9s\n{first}\ndeal 1 7d\n{second}\nask 1\n{called}\nsignal 1 stand\nturn hole\ndraw 8c\n"
    )
    return findings(play(house, text + last))


@pytest.mark.parametrize("house", HOUSES)
def test_a_card_too_many_leaves_both_settlements_open(play: Play, house: str) -> None:
    for settled in ("take 1 50.00", "pay 1 50.00"):
        found = overdrawn(play, house, settled)
        assert [(act, severity) for act, severity, _ in found] == [("draw 8c", "fault")]
    assert [act for act, _, _ in overdrawn(play, house, "push 1")] == ["draw 8c", "push 1"]


@pytest.mark.parametrize("house", HOUSES)
def test_two_own_cards_up_are_one_fault_and_the_round_goes_on(play: Play, house: str) -> None:
    called = "call total 1 is 16" if house == TOTALS else "wait"
    first, second = ("deal up Qd", "deal up Kh") if house == "aces" else ("deal up Kh", "deal up Qd")
    text = f"wager 1 10.00\ndeal 1 8s\n{first}\ndeal 1 8d\n{second}\nask 1\n{called}\nsignal 1 stand\nstop\ntake 1 10.00\nclear 1\nclear dealer"
    session = play(house, text)
    assert [(act, severity) for act, severity, _ in findings(session)] == [(second, "fault")]
    assert session.position.state == "over"


def test_a_second_card_drawn_where_none_was_dealt_is_the_hand_that_counts(play: Play) -> None:
    text = "wager 1 10.00\ndeal 1 8s\ndeal up Kh\ndeal 1 8d\nask 1\nsignal 1 stand\ndraw Qd\ntake 1 10.00"
    assert findings(play("tropicana", text)) == [("ask 1", "advice", "D-07")]


SPLIT = """wager 1 10.00\ndeal 1 8s\ndeal up Kh\ndeal 1 8d\ndeal hole Ac\nask 1\nwait\nsplit 1 10.00\nseparate 1
deal 1a Td\nask 1a\nsignal 1a stand\ndeal 1b Tc\nask 1b\nsignal 1b stand\nturn hole\n"""


@pytest.mark.parametrize(
    ("end", "found"),
    [
        ("take 1a 10.00\nreturn 1b 10.00", []),
        ("take 1b 10.00\nreturn 1a 10.00", [("take 1b 10.00", "advice", "D-88")]),
        ("return 1a 10.00\ntake 1b 10.00", [("return 1a 10.00", "advice", "D-88")]),
        ("take 1b split 10.00\ntake 1a 10.00", [("take 1b split 10.00", "fault", "tropicana-048")]),
        ("return 1b 10.00\nreturn 1a 10.00", [("return 1a 10.00", "fault", "tropicana-023")]),
        (
            "return 1a 10.00\nreturn 1b 10.00",
            [("return 1a 10.00", "advice", "D-88"), ("return 1b 10.00", "fault", "tropicana-023")],
        ),
        (
            "take 1b 10.00\ntake 1a 10.00",
            [("take 1b 10.00", "advice", "D-88"), ("take 1a 10.00", "fault", "tropicana-048")],
        ),
    ],
)
def test_which_split_hand_carries_the_original_wager_is_a_default(
    play: Play, end: str, found: list[tuple[str, str, str]]
) -> None:
    assert findings(play("tropicana", SPLIT + end)) == found


def test_side_wagers_may_come_before_the_main_one(play: Play) -> None:
    games = "games: [perfect-pairs, fortune-teller]"
    right = "wager 1 pairs 5.00\nwager 1 10.00\nwager 2 tie 5.00\nwager 2 10.00\ndeal 1 8c"
    assert [act for act, _, _ in findings(play("greektown", right, games))] == [
        "wager 1 pairs 5.00",
        "wager 2 tie 5.00",
    ]
    above = play("greektown", "wager 2 tie 15.00\nwager 2 10.00\ndeal 2 8c", games)
    assert findings(above)[-1] == ("deal 2 8c", "fault", "greektown-092")
    alone = play("greektown", "wager 1 10.00\nwager 3 pairs 5.00\ndeal 1 8c", games)
    assert findings(alone)[-1] == ("deal 1 8c", "fault", "greektown-057")


def test_a_surrendered_blackjack_rests_on_a_default_alone(play: Play) -> None:
    text = "wager 1 10.00\ndeal 1 As\ndeal up Th\ndeal 1 Kd\ndeal hole 9c\ncall blackjack 1\nsurrender 1\nlay 1"
    assert {(severity, rests) for _, severity, rests in findings(play(TOTALS, text))} == {("advice", "D-80")}


def test_what_a_short_payment_leaves_is_told_and_right(play: Play) -> None:
    """A price that rests on a default is no fault: the payment takes effect, and the rest of it is due."""
    text = "wager 1 5.00\ndeal 1 Ts\ndeal hole Tc\ndeal 1 Td\ndeal up 8c\nask 1\nsignal 1 stand\nturn hole\npay 1 2.50"
    session = play("aces", text)
    assert findings(session) == [("pay 1 2.50", "advice", "D-18")]
    rest = session.machine.still_due(session.position, session.entries[-1].act)
    assert str(rest) == "pay 1 2.50"
    assert findings(play("aces", f"{text}\n{rest}\nclear 1\nclear dealer")) == [("pay 1 2.50", "advice", "D-18")]
    paid = play("aces", f"{text}\n{rest}")
    assert paid.machine.still_due(paid.position, paid.entries[-1].act) is None


def test_a_house_that_documents_its_predictions_is_judged_by_its_page(shipped: Procedures) -> None:
    """Our readings of one house's predictions speak only where that house leaves the point to them."""
    house = shipped.house("greektown")
    own = replace(house, defaults={name: replace(one, houses=()) for name, one in house.defaults.items()})
    position = Position(house, Table(7), options=TableOptions(games=frozenset(house.games)))
    for act in ("wager 1 10.00", "wager 1 number 21 5.00", "deal 1 Ah", "deal up 6d", "deal 1 Kd"):
        HouseMachine(house).apply(position, parse(act, house.kinds))
    spot = position.table.spot(1)
    assert left_to_a_reading(position, spot, "number 21") == "D-70"
    assert left_to_a_reading(Position(own, position.table, options=position.options), spot, "number 21") == ""
