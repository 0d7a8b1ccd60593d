"""The two drivers rule the same, act by act, and leave the same table, on legal and illegal walks of every house."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from procedure_folders import HOUSES, folder_with
from test_walks import ALL, machine
from wander import WatchedRound, WrongRound, every_act, picture, possible

from trainer.actions import Act, parse
from trainer.procedure.bulk import BulkMachine
from trainer.procedure.load import Procedures
from trainer.procedure.machine import HouseMachine
from trainer.procedure.marks import all_marks, every_spot
from trainer.procedure.moment import Position
from trainer.procedure.verdicts import Verdict
from trainer.table import CannotHappen

few = settings(max_examples=6, deadline=None, derandomize=True, database=None)


@cache
def bulk(slug: str) -> BulkMachine:
    return BulkMachine(machine(slug))


def said(verdict: Verdict) -> tuple[object, ...]:
    """Everything of a verdict but what is right instead and what the row rests on."""
    return (verdict.act, verdict.state, verdict.step, verdict.unmet, verdict.path)


def kept_wrongly(position: Position) -> list[str]:
    """Name what the driver keeps of a table between acts and would read otherwise if it read it again."""
    table, kept = position.table, position.table.memo or {}
    copy = position.copied().table
    assert copy.memo is None, "a copy must not keep what was read off the table it was copied from"
    fresh = {
        "marks": every_spot(copy),
        "sums": all_marks(copy),
        "wagered": [copy.spots[one.number] for one in table.spots.values() if one.is_wagered],
    }
    found = {**kept, "wagered": [copy.spots[one.number] for one in kept["wagered"]]} if "wagered" in kept else kept
    return [name for name, meant in fresh.items() if name in found and found[name] != meant]


@pytest.mark.parametrize("slug", ALL)
@pytest.mark.parametrize("kind", [WatchedRound, WrongRound], ids=["legal", "wrong"])
@few
@given(seed=st.integers(0, 10**6).map(str))
def test_both_drivers_say_and_do_the_same(slug: str, kind: type[WatchedRound], seed: str) -> None:
    twin: list[Position] = []

    def before(position: Position, act: Act, verdict: Verdict) -> None:
        if not twin:
            twin.append(position.copied())
        assert said(bulk(slug).judge(position, act)) == said(verdict)
        assert said(bulk(slug).apply(twin[0], act)) == said(verdict)

    def after(position: Position, _: Act, __: Verdict) -> None:
        assert picture(twin[0]) == picture(position)
        assert kept_wrongly(twin[0]) == []

    kind(machine(slug), f"bulk {seed}", before, after).play()


@pytest.mark.parametrize("slug", ALL)
def test_both_drivers_rule_any_act_the_same(slug: str) -> None:
    """At every tenth position of a walk every act there is, possible or not."""
    seen = [0]

    def before(position: Position, _: Act, __: Verdict) -> None:
        seen[0] += 1
        if seen[0] % 10:
            return
        shown = picture(position)
        for act in every_act(position):
            if possible(position, act):
                assert said(bulk(slug).judge(position, act)) == said(machine(slug).judge(position, act, instead=False))
            else:
                with pytest.raises(CannotHappen):
                    bulk(slug).judge(position, act)
        assert picture(position) == shown and position.table.memo is None

    WatchedRound(machine(slug), "any act", before).play()


@pytest.mark.parametrize("slug", ALL)
def test_floor_acts_and_waivers_are_ruled_the_same(slug: str) -> None:
    walk = WatchedRound(machine(slug), "floor")
    walk._wagers()
    walk._step()
    one, other = walk.position.copied(), walk.position.copied()
    for line in ('waive two-cards-each "shown"', 'waive players-cards-up "shown"', "ask 1", 'rule "end the round"'):
        act = parse(line)
        if possible(one, act):
            assert said(bulk(slug).apply(one, act)) == said(machine(slug).apply(other, act))
            assert picture(one) == picture(other)
    assert one.state == "over"


def test_rows_come_from_the_librarys_machine(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Take a condition out of the library's machine, and the bulk driver no longer holds together with the rows."""
    folder = folder_with(tmp_path_factory.mktemp("procedures") / "all", HOUSES / "lakeside")
    interactive = HouseMachine(Procedures(folder).house("lakeside"))
    transitions = interactive.machine.events["pay main"].transitions["settle"]
    pays = next(one for one in transitions if one.step.id == "TR-55")
    pays.conditions[:] = [one for one in pays.conditions if one.func != "hand_is_not_below_the_dealer"]
    with pytest.raises(AssertionError):
        BulkMachine(interactive)
