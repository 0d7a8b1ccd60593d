"""Properties of every walk, legal and illegal, of every house: listing, judging, physics, recovery, determinism."""

from __future__ import annotations

import hashlib
import os
import random
import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from procedure_folders import HOUSES, folder_with
from wander import WatchedRound, WrongRound, conserved, every_act, normalised, picture, possible
from wild_rounds import IDLE

from trainer.actions import BY_NAME, DECISIONS, KINDS, VERBS, Act, parse, print_act
from trainer.cards import DECK, card
from trainer.procedure.load import Procedures, data_folder, procedures
from trainer.procedure.machine import HouseMachine
from trainer.procedure.model import Bearing, Policy
from trainer.procedure.moment import Position, derive_state
from trainer.procedure.settle import hand_is_left, spot_is_left
from trainer.procedure.sides import left_to_a_reading
from trainer.procedure.verdicts import Severity, Verdict
from trainer.rounds.play import machine_of
from trainer.table import CannotHappen

SHIPPED = sorted(path.parent.name for path in data_folder("procedures").glob("*/house.yaml"))
ALL = [*SHIPPED, "lakeside"]
# Derandomised: a run on any machine walks the same rounds; the long proof walks others.
walks = settings(max_examples=5, deadline=None, derandomize=True, database=None)


@cache
def machine(slug: str) -> HouseMachine:
    if slug != "lakeside":
        return machine_of(procedures(), slug)
    return machine_of(Procedures(folder_with(Path(mkdtemp()) / "all", HOUSES / "lakeside")), slug)


seeds = st.integers(0, 10**6).map(str)
houses = pytest.mark.parametrize("slug", ALL)


def is_open_yet_idle(position: Position, act: Act) -> bool:
    """Acts that a house leaves open and that are not listed: said again, cleared too early, predictions that no page decides."""
    if act.verb == "clear dealer":
        return any(spot_is_left(position, spot) for spot in position.table.wagered)
    if act.verb in ("pay", "take", "return") and left_to_a_reading(position, position.table.spot(act.spot), act.kind):
        return True
    if act.verb == "push":
        return position.table.hand(act).is_settled
    if act.verb not in ("ask", "call total", "clear"):
        return False
    spot, hand = position.table.spot(act.spot), position.table.hand(act)
    if act.verb == "clear":
        return hand_is_left(position, spot, hand)
    return hand.total_called if act.verb == "call total" else hand.asked or hand.total == 21


@houses
@walks
@given(seed=seeds)
def test_listed_acts_are_right_and_right_acts_are_listed(slug: str, seed: str) -> None:
    house_machine = machine(slug)
    dice = random.Random(seed)

    def before(position: Position, act: Act, _: Verdict) -> None:
        if act.role != "dealer" or dice.random() < 0.4:
            return
        shown = picture(position)
        listed = house_machine.legal_actions(position)
        for one in listed:
            verdict = house_machine.judge(position, one)
            assert verdict.is_right and verdict.severity is Severity.RIGHT
        known = {normalised(one) for one in listed}
        assert normalised(act) in known
        acts = [one for one in every_act(position) if possible(position, one)]
        for one in dice.sample(acts, 12):
            if house_machine.judge(position, one, instead=False).is_right and not is_open_yet_idle(position, one):
                assert normalised(one) in known, f"{one} is right and not listed in {position.state}"
        assert picture(position) == shown, "judging has changed the position"

    WatchedRound(house_machine, seed, before).play()


@houses
@walks
@given(seed=seeds)
def test_right_acts_end_where_the_position_says(slug: str, seed: str) -> None:
    house_machine, stood = machine(slug), [""]
    targets = {step.id: step.targets for step in house_machine.house.steps}

    def before(position: Position, _: Act, __: Verdict) -> None:
        stood[0] = position.state

    def after(position: Position, act: Act, verdict: Verdict) -> None:
        assert position.state == derive_state(position)
        assert conserved(position.table) == (0, 0)
        if act.role == "dealer":
            # A free move on the way is made first, so the act is done where it led.
            source = verdict.path[-1] if verdict.path else stood[0]
            allowed = [source if word == "same" else word for word in targets[verdict.step]]
            assert position.state in allowed, (verdict.step, str(act), source)

    ended = WatchedRound(house_machine, seed, before, after).play()
    assert ended.position.table.cards_on_felt == 0 and ended.position.table.on_felt == 0


@houses
@walks
@given(seed=seeds, asked=st.integers(0, 60))
def test_every_position_of_a_legal_walk_reaches_the_end(slug: str, seed: str, asked: int) -> None:
    """From wherever a walk is left, whatever is legal next: the recommended acts end the round within a bound."""
    house_machine = machine(slug)
    walk = WatchedRound(house_machine, seed)
    walk._wagers()
    for _ in range(asked):
        if walk.position.state == "over":
            break
        walk._step()
    walk.in_order = True
    for _ in range(150):
        if walk.position.state == "over":
            return
        walk._step()
    pytest.fail(f"no end from {walk.position.state}: {[str(act) for act in walk.acts]}")


@houses
@settings(walks, max_examples=8)
@given(seed=seeds)
def test_wrong_acts_take_effect_and_only_statements_make_them_faults(slug: str, seed: str) -> None:
    house_machine = machine(slug)
    house = house_machine.house

    def after(position: Position, _: Act, verdict: Verdict) -> None:
        assert conserved(position.table) == (0, 0)
        for one in verdict.unmet:
            cites = one.evidence.cites
            if one.bearing is Bearing.REFUSES:
                assert one.evidence.memo or (cites and set(cites) <= set(house.statements))
            else:
                policy = house.defaults[one.evidence.default].policy
                assert not cites and policy in (Policy.ADVICE, Policy.FIXED)
        if verdict.severity is Severity.FAULT:
            assert verdict.cites or any(one.evidence.memo for one in verdict.unmet)

    walk = WrongRound(house_machine, seed, None, after).play()
    if walk.position.state != "over":
        end_by_the_floor(walk)
    assert walk.position.state == "over"


def end_by_the_floor(walk: WrongRound) -> None:
    """The walk is stuck: no act that moves the round on is right; the floor ends it, and the table is sound."""
    position = walk.position
    moving = [act for act in walk.machine.legal_actions(position) if act.verb not in (*IDLE, "ask", "warn", "refuse")]
    assert moving == [], f"{moving} would have moved the round on"
    walk.machine.apply(position, Act("rule", words="end the round"))
    assert conserved(position.table) == (0, 0) and position.table.cards_on_felt == 0


@houses
def test_judging_changes_nothing_even_where_much_is_wrong(slug: str) -> None:
    house_machine = machine(slug)

    def before(position: Position, _: Act, __: Verdict) -> None:
        shown = picture(position)
        dice = random.Random(shown)
        acts = [one for one in every_act(position) if possible(position, one)]
        for one in dice.sample(acts, 6):
            assert house_machine.judge(position, one) == house_machine.judge(position, one)
        assert picture(position) == shown

    WrongRound(house_machine, "side effects", before).play()


@houses
def test_what_cannot_happen_leaves_the_position_as_it_was(slug: str) -> None:
    walk = WatchedRound(machine(slug), "impossible")
    walk._wagers()
    shown = picture(walk.position)
    for line in ("clear dealer", "turn hole", "deal 9 2c", "separate 1", "pay 1d 5.00", "double 1 5.00"):
        with pytest.raises(CannotHappen):
            walk.machine.apply(walk.position, parse(line))
    assert picture(walk.position) == shown


# -- notation ---------------------------------------------------------------------------------------------------

text = st.text(st.characters(codec="utf-8", exclude_categories=("C", "Zl", "Zp", "Zs")) | st.just(" "), min_size=1)
amounts = st.integers(0, 10**7)
spots = st.integers(1, 9)


@st.composite
def acts(draw: st.DrawFn) -> Act:
    """Any act of the notation, by the form of its verb."""
    verb = draw(st.sampled_from(VERBS))
    values: dict[str, object] = {}
    rest = verb.form.split()[len(verb.name.split()) if verb.name not in ("call total", "call total dealer") else 2 :]
    for word in " ".join(rest).replace("[by word]", "[by_word]").split():
        name = word.strip("[]").replace("_", " ")
        if word.startswith("[") and draw(st.booleans()):
            continue
        if name in ("HAND", "SPOT"):
            values["spot"] = draw(spots)
            values["hand"] = draw(st.integers(0, 8)) if name == "HAND" else 0
        elif name == "CARD":
            values["card"] = draw(st.sampled_from([*DECK.values(), card("??")]))
        elif name == "KIND":
            values["kind"] = draw(st.sampled_from(KINDS))
        elif name == "AMOUNT":
            values["amount"] = draw(amounts)
        elif name == "TOTAL":
            values["total"] = draw(st.integers(0, 99))
        elif name == "WORDS":
            values["words"] = draw(text)
        elif name == "RULE":
            values["what"] = draw(st.sampled_from(sorted(procedures().rules)))
        elif name == "WHAT":
            values["what"] = draw(st.sampled_from([*KINDS, *DECISIONS]))
        elif name == "SIGNAL":
            values["what"] = draw(st.sampled_from(["hit", "stand"]))
        elif name in ("down", "outside", "misplaced", "by word"):
            values["flag"] = name
    return Act(verb.name, **values)  # type: ignore[arg-type]


@settings(max_examples=400, deadline=None, derandomize=True, database=None)
@given(act=acts())
def test_parse_and_print_are_inverse(act: Act) -> None:
    line = print_act(act)
    assert parse(line) == act
    assert print_act(parse(f"  {line} ")) == line
    assert BY_NAME[act.verb].role is act.role


# -- the same record, the same verdicts ----------------------------------------------------------------------------


def verdict_lines() -> str:
    """Every verdict of a legal and an illegal walk of every shipped house, as text."""
    out: list[str] = []

    def after(position: Position, act: Act, verdict: Verdict) -> None:
        unmet = [(str(one.ruling), one.why, one.rule.slug, one.evidence, one.place) for one in verdict.unmet]
        listed = [str(one) for one in verdict.instead]
        out.append(
            f"{act} {verdict.severity} {position.state} {verdict.step} {verdict.path} {unmet} {listed} {verdict.rests_on}"
        )

    for slug in SHIPPED:
        for walk in (WatchedRound(machine(slug), "same", None, after), WrongRound(machine(slug), "same", None, after)):
            walk.play()
    return "\n".join(out)


def test_two_processes_say_the_same_byte_for_byte() -> None:
    here = Path(__file__).parent
    code = "import test_walks, sys; sys.stdout.buffer.write(test_walks.verdict_lines().encode())"
    said = []
    for hash_seed in ("1", "77"):
        env = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": f"{here}{os.pathsep}{here.parent}"}
        said.append(subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, check=True).stdout)
    assert said[0].count(b" fault ") > 20
    assert hashlib.sha256(said[0]).hexdigest() == hashlib.sha256(said[1]).hexdigest()
