"""Marks say what they stand for, and no guard, fact or due says otherwise than its occasion, at positions of all kinds."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_bulk import bulk
from test_walks import ALL, machine
from wander import WatchedRound, WrongRound, every_act, possible

from trainer.actions import Act
from trainer.procedure import flat, marks
from trainer.procedure.conditions import missing_duty, motion_of
from trainer.procedure.flat import Planner
from trainer.procedure.guards.registry import DUES as ALL_DUES
from trainer.procedure.guards.registry import FACTS as ALL_FACTS
from trainer.procedure.guards.registry import GUARDS as ALL_GUARDS
from trainer.procedure.marks import act_marks, hand_marks
from trainer.procedure.moment import Moment, Position, is_finished, is_live
from trainer.procedure.occasions import DUES, FACTS, GUARDS, OPPOSITE, PERHAPS, When
from trainer.procedure.verdicts import Verdict

few = settings(max_examples=3, deadline=None, derandomize=True, database=None)


def wrong_marks(position: Position) -> list[str]:
    """Name each mark of a hand that does not say what it stands for."""
    wrong = []
    for spot in position.table.spots.values():
        for hand in spot.hands:
            found = hand_marks(hand)
            meant = {
                "CARDS": hand.has_cards,
                "TWO": len(hand.cards) >= 2,
                "BUST": hand.is_bust,
                "BLACKJACK": hand.is_blackjack,
                "STOOD": hand.stood,
                "DOUBLED": hand.doubled,
                "SURRENDERED": hand.surrendered,
                "FROM_SPLIT": hand.from_split,
                "FROM_ACES": hand.from_aces,
                "ON_BUST": hand.is_bust_wager,
                "OPEN": not is_finished(position.house, spot, hand),
                "LIVE": is_live(hand),
                "EVEN_MONEY": hand.even_money,
                "UNASKED": not hand.asked,
                "UNCALLED": not hand.total_called,
                "TAKEN": hand.has_cards and hand.is_settled,
            }
            wrong += [name for name, holds in meant.items() if bool(found & getattr(marks, name)) != holds]
    return wrong


def wrong_occasions(slug: str, position: Position, act: Act) -> list[str]:
    """Name each guard, fact or due of the act's rows that says something its occasion rules out."""
    driver, moment = bulk(slug), Moment(position, act)
    motion = "call total dealer" if act.verb == "call total dealer" else motion_of(moment)
    rows, reads = driver._rows.get(motion, ()), driver._motions.get(motion, (0, False))[0]
    planner = Planner(moment, act_marks(position.table, act, reads, driver._hits_soft_17), reads)
    wrong = []
    for row in rows:
        for fact in row.facts:
            holds = planner.holds(fact)
            if holds is not None and holds != fact(moment):
                wrong.append(f"{fact.__name__} of {row.step.id}")
        ways = [asked for way in row.reached.get(position.state, ()) for asked in way.asked]
        for asked in (*row.asked, *ways):
            if not planner.speaking((asked,)) and (said := asked[0](moment)) is not None:
                wrong.append(f"{asked[0].__name__} of {row.step.id}: {said}")
    for _, group in driver._watched.get(act.verb, ()):
        for watch in group:
            left_out = list(missing_duty(moment, watch[2]))
            if left_out and not planner.plan((), (((), (watch,)),)).watched:
                wrong.append(f"{watch[2].id}: {left_out}")
    return wrong


@pytest.mark.parametrize("slug", ALL)
@pytest.mark.parametrize("kind", [WatchedRound, WrongRound], ids=["legal", "wrong"])
@few
@given(seed=st.integers(0, 10**6).map(str))
def test_marks_and_occasions_hold_on_walks(slug: str, kind: type[WatchedRound], seed: str) -> None:
    dice = random.Random(seed)

    def before(position: Position, act: Act, _: Verdict) -> None:
        assert not wrong_marks(position)
        assert not wrong_occasions(slug, position, act), act
        if dice.random() < 0.3:
            acts = [one for one in every_act(position) if possible(position, one)]
            for one in dice.sample(acts, min(60, len(acts))):
                assert not wrong_occasions(slug, position, one), one

    kind(machine(slug), f"marks {seed}", before).play()


def test_a_wrong_occasion_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Say that a lost wager can be taken short from surrendered hands only: walks meet others."""
    monkeypatch.setitem(flat._SPEAKS, ALL_GUARDS["lost_wager_is_taken_whole"], When(marks.SURRENDERED))
    met: list[str] = []

    def before(position: Position, _: Act, __: Verdict) -> None:
        acts = [act for act in every_act(position) if act.verb == "take" and act.kind == "" and possible(position, act)]
        met.extend(one for act in acts for one in wrong_occasions("aces", position, act))

    for seed in range(3):
        WatchedRound(machine("aces"), f"short {seed}", before).play()
    assert any(one.startswith("lost_wager_is_taken_whole") for one in met)


def test_every_occasion_names_something_that_is_asked() -> None:
    """A name nobody asks by would keep a wrong occasion unseen."""
    assert GUARDS.keys() <= ALL_GUARDS.keys() and DUES.keys() <= ALL_DUES.keys()
    assert {*FACTS, *PERHAPS, *OPPOSITE, *OPPOSITE.values()} <= ALL_FACTS.keys()
