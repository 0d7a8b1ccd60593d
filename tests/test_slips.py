"""Slips: one cause is one slip, mended records are clean, nothing cheaper is overlooked."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from mutants import mutants, script_of
from wild_rounds import wild_round

from trainer.actions import Act, Role, parse
from trainer.procedure.load import procedures
from trainer.procedure.machine import HouseMachine
from trainer.procedure.verdicts import Severity
from trainer.procedure.ways import dealer_ways
from trainer.rounds.edits import CARD_VERBS, CHEAPEST, Item, alike, bare, cost_of, with_card_of
from trainer.rounds.explain import Explanation, explain, spell_slips
from trainer.rounds.mend import Node, Search
from trainer.rounds.play import Session, machine_of, replay
from trainer.rounds.script import Script, print_script, read_script
from trainer.table import CannotHappen

PROCEDURES = procedures()
HOUSES = ("aces", "greektown", "house-h17", "tropicana", "trump-marina")
ROUNDS = int(os.environ.get("SLIP_ROUNDS", "3"))
"""Perfect rounds spoilt in each house: ``SLIP_ROUNDS=50 pytest tests/test_slips.py`` for the long run."""


def machine(slug: str) -> HouseMachine:
    return machine_of(PROCEDURES, slug)


def found_in(session: Session) -> int:
    return len(session.findings) + len(session.problems)


@pytest.mark.parametrize("slug", HOUSES)
def test_several_things_wrong_are_no_more_slips_than_findings(slug: str) -> None:
    for number in range(ROUNDS):
        one, dice = wild_round(machine(slug), number), random.Random(f"several {number}")
        acts = tuple(one.acts)
        for _ in range(2):
            acts = dice.choice(list(mutants(acts, dice))).acts
        script = script_of(slug, acts, one.options, one.players)
        session = replay(script, machine(slug))
        result = explain(script, machine(slug))
        assert not found_in(replay(result.repaired, machine(slug))), [str(act) for act in acts]
        if not session.problems:
            assert len(result.slips) <= len(session.findings), [str(act) for act in acts]
        again = explain(script, machine(slug))
        assert again == result, "the same record, the same slips"
        said = spell_slips(machine(slug).house, result)
        assert said == spell_slips(machine(slug).house, again)


# -- nothing cheaper ---------------------------------------------------------------------------------------------


def single_edits(own: HouseMachine, node: Node) -> Iterator[tuple[int, tuple[Act, ...]]]:
    """Every single edit of a short record, with its cost: left out, moved, done otherwise, put in anywhere."""
    acts = [item.act for item in node.items]
    alphabet: dict[Act, None] = dict.fromkeys(bare(act) for act in acts if act.role is Role.DEALER)
    for position in node.before:
        alphabet.update(dict.fromkeys(dealer_ways(position)))
    for at, act in enumerate(acts):
        where = node.before[min(at, len(node.before) - 1)]
        for new in alphabet:
            if new.verb not in CARD_VERBS:
                yield cost_of(own, where, (new,)), (*acts[:at], new, *acts[at:])
        if act.role is not Role.DEALER:
            continue
        yield cost_of(own, where, (act,)), (*acts[:at], *acts[at + 1 :])
        for new in alphabet:
            if alike(act, new) and new != bare(act):
                yield cost_of(own, where, (act, new)), (*acts[:at], with_card_of(new, act), *acts[at + 1 :])
        rest = [*acts[:at], *acts[at + 1 :]]
        for to in range(len(acts)):
            if to != at:
                yield cost_of(own, where, (act,)), (*rest[:to], act, *rest[to:])


def walked(own: HouseMachine, script: Script) -> Node:
    """The row of a record, with the position before each of its acts that can happen."""
    items = tuple(Item(line.act, number, stands=True) for number, line in enumerate(script.lines))
    node = Node(items, (), 0, 0, Session(own, script).position.copied())
    Search(own).run(node, len(items))
    return node


def is_clean(own: HouseMachine, script: Script, acts: tuple[Act, ...]) -> bool:
    position = Session(own, script).position
    for act in acts:
        try:
            verdict = own.judge(position, act, instead=False)
            if act.role is Role.DEALER and not verdict.is_right:
                return False
            own.apply(position, act, verdict)
        except CannotHappen:
            return False
    return True


SHORT = {
    "aces": (
        "wager 1 10.00; deal 1 Ts; deal up 7d; deal 1 9h; deal hole Tc; ask 1; signal 1 stand; turn hole; stop;"
        " pay 1 15.00; clear 1; clear dealer",
        "wager 1 10.00; deal 1 Ts; deal up 7d; deal hole Tc; deal 1 9h; signal 1 stand; turn hole; pay 1 10.00",
    ),
    "tropicana": (
        "wager 1 10.00; deal 1 As; deal up 7d; deal 1 Kh; deal hole Tc; call blackjack 1; pay 1 10.00; clear 1; turn hole",
        "wager 1 10.00; deal 1 9s; deal up Ad; deal 1 7h; deal hole Tc; call insurance; peek; signal 1 stand; turn hole;"
        " push 1; clear 1",
    ),
    "trump-marina": (
        "wager 1 10.00; deal 1 Ts; deal up 7d; deal 1 6h; deal hole Tc; surrender 1; take 1 10.00; clear 1; turn hole",
    ),
    "greektown": (
        "wager 1 10.00; wager 1 pairs 5.00; deal 1 8s; deal up 7d; deal 1 8h; deal hole Tc; pay 1 pairs 60.00",
    ),
    "house-h17": (
        "wager 1 10.00; deal 1 Ts; deal up 6d; deal 1 9h; deal hole Ac; signal 1 stand; turn hole; stop; pay 1 10.00",
    ),
}


@pytest.mark.parametrize(("slug", "text"), [(slug, text) for slug, texts in SHORT.items() for text in texts])
def test_brute_force_finds_no_cheaper_edit_on_short_records(slug: str, text: str) -> None:
    own = machine(slug)
    acts = [parse(line.strip()) for line in text.split(";")]
    games = frozenset(own.house.games)
    options = replace(wild_round(own, 0).options, games=games)
    script = script_of(slug, acts, options, {})
    result = explain(script, own)
    assert found_in(replay(script, own)) > 0
    assert result.cost == sum(slip.cost for slip in result.slips) > 0
    edits = list(single_edits(own, walked(own, script)))
    assert len(edits) > 100
    clean = [cost for cost, row in edits if is_clean(own, script, row)]
    assert min(clean, default=result.cost) >= result.cost, "a single edit is cheaper than the explanation"
    if len(result.slips) > 1:
        assert not clean


@pytest.mark.slow
@pytest.mark.parametrize(
    ("slug", "text"),
    [
        ("tropicana", "wager 1 10.00; deal 1 9s; deal up 7d; deal 1 Th; deal hole Tc; signal 1 stand; turn hole; push 1;"
         " pay 1 15.00; clear 1"),
        ("house-h17", "wager 1 10.00; deal 1 Ts down; deal up 6d; deal 1 9h; deal hole Ac; signal 1 stand; turn hole;"
         " stop; draw 5c; take 1 10.00"),
    ],
)  # fmt: skip
def test_brute_force_finds_no_cheaper_pair_of_edits(slug: str, text: str) -> None:
    """Every pair of edits anywhere in a short record costs as much as its slips or leaves something wrong."""
    own = machine(slug)
    acts = tuple(parse(line.strip()) for line in text.split(";"))
    options = wild_round(own, 0).options
    script = script_of(slug, acts, options, {})
    result = explain(script, own)
    assert len(result.slips) >= 2
    tried = 0
    for cost, row in single_edits(own, walked(own, script)):
        once = script_of(slug, row, options, {})
        if cost + CHEAPEST >= result.cost:
            continue
        for more, twice in single_edits(own, walked(own, once)):
            if cost + more < result.cost:
                tried += 1
                assert not is_clean(own, script, twice), [str(act) for act in twice]
    assert tried > 1000


# -- as it is told -----------------------------------------------------------------------------------------------


def told(slug: str, text: str, **changes: object) -> tuple[Explanation, str]:
    own = machine(slug)
    lines = "\n".join(f"  - {line.strip()}" for line in text.split(";"))
    script = read_script("record", PROCEDURES, text=f"house: {slug}\nlines:\n{lines}\n")
    result = explain(replace(script, **changes), own)  # type: ignore[arg-type]
    return result, "\n".join(spell_slips(own.house, result))


DEAL = "wager 1 10.00; deal 1 Ts; deal up 7d; deal 1 8h; deal hole Tc"


@pytest.mark.parametrize(
    ("slug", "text", "kind", "sentence", "money"),
    [
        ("greektown", f"{DEAL}; signal 1 stand; turn hole; pay 1 9.00; clear 1; clear dealer", "wrong detail",
         "You paid spot 1 9.00; 10.00 was due.", 100),
        ("aces", f"{DEAL}; signal 1 stand; turn hole; pay 1 10.00; clear 1; clear dealer", "omitted",
         "You did not ask spot 1 for its decision before you turned the hole card.", None),
        ("tropicana", f"{DEAL}; signal 1 stand; turn hole; pay 1 10.00; pay 1 10.00; clear 1; clear dealer", "extra",
         "You paid spot 1 10.00, though nothing of spot 1 is left to settle.", -1000),
        ("tropicana", f"{DEAL}; signal 1 hit; turn hole; deal 1 2c; signal 1 stand; pay 1 10.00; clear 1; clear dealer",
         "swapped", "You turned the hole card too early, before spot 1 signalled stand.", None),
        ("greektown", "wager 1 10.00; deal 1 Ts; deal up 7d; deal 1 8h down; deal hole Tc; signal 1 stand; turn hole;"
         " pay 1 10.00; clear 1; clear dealer", "wrong detail",
         "You dealt the eight of hearts to spot 1 face down; it belongs face up.", None),
    ],
)  # fmt: skip
def test_slips_are_told_in_a_dealers_words(slug: str, text: str, kind: str, sentence: str, money: int | None) -> None:
    result, said = told(slug, text)
    assert [slip.kind for slip in result.slips] == [kind], said
    slip = result.slips[0]
    assert sentence in said
    assert slip.money == money
    assert slip.severity is Severity.FAULT
    assert slip.cites, "a fault names its statements"
    assert all(cited in machine(slug).house.statements for cited in slip.cites)
    assert slip.cites[0] in said


def test_eleven_findings_of_one_missing_card_are_one_slip() -> None:
    result, said = told(
        "aces",
        "wager 1 10.00; wager 2 10.00; deal 1 Ts; deal 2 9c; deal up 7d; deal 1 8h; deal hole Tc; ask 1; signal 1 stand;"
        " ask 2; signal 2 stand; turn hole; take 2 10.00; clear 2; pay 1 10.00; clear 1; clear dealer",
    )
    assert len(result.slips) == 1
    assert result.slips[0].kind == "omitted"
    assert "did not deal a card to spot 2" in said
    assert len(result.slips[0].entries) > 1


def test_a_clean_record_has_no_slip() -> None:
    result, said = told("aces", f"{DEAL}; ask 1; signal 1 stand; turn hole; pay 1 10.00; clear 1; clear dealer")
    assert result.slips == ()
    assert result.cost == 0
    assert said == "No slip: every act was right."


def test_what_the_coach_blocked_is_a_slip_and_no_line_of_the_mended_record() -> None:
    text = (
        "house: aces\nlines: [wager 1 10.00, deal 1 Ts, deal up 7d, deal 1 8h, deal hole Tc, ask 1, signal 1 stand,"
        ' turn hole, {do: pay 1 15.00, blocked: "yes"}, pay 1 10.00, clear 1, clear dealer]\n'
    )
    own = machine("aces")
    result = explain(read_script("record", PROCEDURES, text=text), own)
    assert [slip.kind for slip in result.slips] == ["wrong detail"]
    assert result.slips[0].entries == (9,)
    assert parse("pay 1 15.00") not in [line.act for line in result.repaired.lines]


def test_an_unknown_hole_card_is_explained_as_far_as_it_goes() -> None:
    text = "wager 1 10.00; deal 1 Ts; deal up 7d; deal 1 8h; deal hole ??; turn hole; pay 1 15.00"
    result, said = told("aces", text)
    assert result.judged == 5
    assert "Judged up to line 5" in said
    assert [line.act for line in result.repaired.lines][-2:] == [parse("turn hole"), parse("pay 1 15.00")]


def test_what_follows_an_act_that_cannot_happen_is_explained_too() -> None:
    """A second clearing ends the judging of the plain replay; the slip of the next round is found all the same."""
    one_round = f"{DEAL}; ask 1; signal 1 stand; turn hole; pay 1 10.00; clear 1"
    result, said = told(
        "aces", f"{one_round}; clear 1; clear dealer; start; {one_round.replace('pay 1 10', 'pay 1 20')}"
    )
    assert [slip.kind for slip in result.slips] == ["extra", "wrong detail"], said
    assert result.slips[1].entries == (22,)


def test_the_mended_record_prints_and_reads_back() -> None:
    result, _ = told("aces", f"{DEAL}; ask 1; signal 1 stand; peek; turn hole; pay 1 9.00; clear 1; clear dealer")
    text = print_script(result.repaired)
    again = read_script("record", PROCEDURES, text=text)
    assert [line.act for line in again.lines] == [line.act for line in result.repaired.lines]


def test_an_act_stands_rather_than_making_two_slips() -> None:
    """A card to a hand that stood: taking it back would make the right settlement wrong as well."""
    result, said = told(
        "aces",
        f"{DEAL}; ask 1; signal 1 stand; deal 1 Kc; take 1 10.00; clear 1; turn hole; clear dealer",
    )
    assert len(result.slips) == 1, said
    assert result.slips[0].stands


def long_record(slug: str, least: int) -> Script:
    own, number = machine(slug), 0
    acts: list[Act] = []
    first = wild_round(own, 0)
    while len(acts) < least:
        number += 1
        one = wild_round(own, number)
        if (one.options.games, one.options.places, one.players) != (first.options.games, first.options.places, {}):
            continue
        row = tuple(one.acts)
        if number % 5 == 0:
            row = random.Random(number).choice(list(mutants(row, random.Random(number)))).acts
        acts += [*row, Act("start")]
    return script_of(slug, acts[:least], first.options, {})


@pytest.mark.parametrize("slug", HOUSES)
def test_three_hundred_acts_are_explained_within_a_second(slug: str) -> None:
    script = long_record(slug, 300)
    explain(script, machine(slug))

    def spent(work: Callable[[], object]) -> float:
        begun = time.process_time()
        work()
        return time.process_time() - begun

    assert min(spent(lambda: explain(script, machine(slug))) for _ in range(3)) < 1.0
