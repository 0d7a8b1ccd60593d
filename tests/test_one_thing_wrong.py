"""A perfect record with one thing wrong gives exactly one slip; each exception stands here with its reason."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest
from mutants import Mutant, mutants, script_of
from test_slips import HOUSES, ROUNDS, found_in, machine
from wild_rounds import WildRound, wild_round

from trainer.rounds.explain import explain
from trainer.rounds.play import replay
from trainer.rounds.script import Script


def spoilt(slug: str, number: int, most: int = 10) -> Iterator[tuple[WildRound, Mutant, Script]]:
    """Some of the ways to spoil a perfect round."""
    one, dice = wild_round(machine(slug), number), random.Random(number)
    ways = list(mutants(one.acts, dice))
    dice.shuffle(ways)
    for way in ways[:most]:
        yield one, way, script_of(slug, way.acts, one.options, one.players)


SEVERAL = {
    (
        "repeated",
        "draw",
    ): "16 or less still lay there, so the house had to draw again: the card too many was right, and each"
    " act that then misjudges the longer hand is a slip of its own",
    ("dropped", "deal"): "nobody knows the card that never came: a side wager settled by it is a slip of its own",
}
"""What one thing wrong may be more than one slip, and why."""
SILENT = {
    ("dropped", "ask"): "asking is open where the house does not document it",
    ("dropped", "call blackjack"): "under an ace or ten the call is open",
    ("dropped", "call insurance"): "players who answer uncalled are accepted where the call is open",
    ("dropped", "call total"): "calling each total is open in most houses",
    ("dropped", "clear"): "when cards of settled hands go, and at the end of a record whether they are gone, is open",
    ("dropped", "clear dealer"): "the record ends there",
    ("dropped", "close insurance"): "the look or the next card closes it",
    ("dropped", "deal"): "the hand wins or loses, or the round ends, the same without it",
    ("dropped", "draw"): "the next cards finish the hand and every wager comes out the same",
    ("dropped", "push"): "a push moves nothing",
    ("dropped", "stop"): "settling shows that the hand is complete",
    ("repeated", "ask"): "asking again is open",
    ("repeated", "call total"): "calling a total again is open",
    ("swapped", "deal hole"): "a wager on the first two cards may be settled as soon as every spot has them",
    ("swapped", "ask"): "asking and calling the total may go either way",
    ("swapped", "call blackjack"): "the order of calls is open",
    ("swapped", "call total"): "calling the total is open until the decision",
    ("swapped", "clear"): "the order of clearing is open",
    ("swapped", "close insurance"): "closing is open until the look",
    ("swapped", "deal"): "where the order of the deal, or of the cards of two split aces, is open",
    ("swapped", "deal up"): "where the order of the deal is open",
    ("swapped", "draw"): "equal cards, or the hole card's turn and the first card where that is open",
    ("swapped", "pay"): "the order of settling is open",
    ("swapped", "push"): "the order of settling is open",
    ("swapped", "return"): "the order of settling is open",
    ("swapped", "stop"): "settling shows that the hand is complete",
    ("swapped", "take"): "the order of settling is open",
    ("swapped", "turn hole"): "after a look that found a blackjack insurance may be settled before the card is turned",
    ("wrong face", "deal"): "some houses say nothing of the face of further cards",
}
"""What one thing wrong may be no slip at all, and why the house leaves it open."""


@pytest.mark.parametrize("slug", HOUSES)
def test_one_thing_wrong_is_one_slip_in_every_house(slug: str) -> None:
    """Nothing found, no slip: the house leaves it open. Anything found, one slip that mends it all."""
    told: Counter[str] = Counter()
    for number in range(ROUNDS):
        for one, way, script in spoilt(slug, number):
            kind = (way.what, one.acts[way.at].verb)
            count = found_in(replay(script, machine(slug)))
            result = explain(script, machine(slug))
            if count and kind not in SEVERAL:
                assert len(result.slips) == 1, (way.what, way.at, [str(act) for act in way.acts])
            assert count or kind in SILENT, (way.what, way.at, [str(act) for act in way.acts])
            assert bool(count) == bool(result.slips)
            assert not found_in(replay(result.repaired, machine(slug))), (way.what, [str(act) for act in way.acts])
            told[way.what] += 1
    assert set(told) >= {"dropped", "repeated"}


@pytest.mark.parametrize("slug", HOUSES)
def test_a_draw_repeated_by_mistake_was_due_where_it_is_several_slips(slug: str) -> None:
    """The reason given above holds: the second card was judged right, and no slip blames it."""
    for number in range(8 * ROUNDS):
        one = wild_round(machine(slug), number)
        for at, act in enumerate(one.acts):
            if act.verb != "draw":
                continue
            script = script_of(slug, (*one.acts[: at + 1], act, *one.acts[at + 1 :]), one.options, one.players)
            session = replay(script, machine(slug))
            due = session.entries[at + 1].verdict.is_right
            result = explain(script, machine(slug))
            assert due or len(result.slips) == 1
            assert not due or all(at + 2 not in slip.entries for slip in result.slips)


@pytest.mark.parametrize("slug", HOUSES)
def test_a_dropped_draw_is_found_unless_the_round_comes_out_the_same(slug: str) -> None:
    """The card that was left out never lay there: what lies there must be drawn out, and everybody gets the same."""
    drawn = silent = 0
    for number in range(20 * ROUNDS):
        one = wild_round(machine(slug), number)
        whole = replay(script_of(slug, one.acts, one.options, one.players), machine(slug))
        for at, act in enumerate(one.acts):
            if act.verb != "draw":
                continue
            drawn += 1
            row = (*one.acts[:at], *one.acts[at + 1 :])
            session = replay(script_of(slug, row, one.options, one.players), machine(slug))
            if found_in(session):
                continue
            silent += 1
            assert session.net == whole.net
            assert any(other.verb == "draw" for other in row), "what lies there is drawn out"
    assert drawn > 4 * ROUNDS
    assert silent < drawn / 3
