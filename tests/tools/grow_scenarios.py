"""Grow scenarios of rounds with slips, until every row, guard use and duty a walk can reach is kept and broken somewhere.

``python tests/tools/grow_scenarios.py HOUSE [WALKS]`` writes scenarios/HOUSE/slips/NN.yaml. A coached round holds wrong
acts that were blocked, each with the rule it breaks; an assessed round holds wrong acts that took effect.
"""

from __future__ import annotations

import random
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from curious_rounds import Key, every_event
from wander import CARD_VERBS, WatchedRound, WrongRound, every_act, possible

from trainer.actions import Act, Role
from trainer.cards import DECK
from trainer.compliance.coverage import FAILED, HELD, Coverage, coverage
from trainer.files import Place
from trainer.procedure.load import data_folder, procedures
from trainer.procedure.machine import HouseMachine
from trainer.procedure.moment import Position
from trainer.procedure.verdicts import Verdict
from trainer.rounds.play import machine_of, replay, unmet_expectations
from trainer.rounds.script import Line, Script, print_script, read_script

NOWHERE = Place("", 1, 1)
MOST_AT_ONCE = 8


class AwkwardRound(WatchedRound):
    """A legal round of awkward players: out of order they ask, and the dealer answers as the house has it."""

    eager = 0.3

    def _step(self) -> None:
        if self.dice.random() < self.eager:
            events = [act for act in every_event(self.position) if possible(self.position, act)]
            verb = self.dice.choice(sorted({act.verb for act in events}))
            self.happen(self.dice.choice([act for act in events if act.verb == verb]))
            for _ in range(4):
                ways = self.machine.legal_actions(self.position)
                if not ways or ways[0].verb not in ("refuse", "warn"):
                    break
                self.happen(ways[0])
        super()._step()

    def _events(self) -> list[Act]:
        return [act for act in super()._events() if possible(self.position, act)]


@dataclass
class Grown:
    """A walk that may become a scenario, with the slips it has room for."""

    script: Script
    machine: HouseMachine
    covered: set[Key] = field(default_factory=set)
    slips: dict[Key, tuple[int, int, Act]] = field(default_factory=dict)


def keys_of(found: Coverage) -> set[Key]:
    """Everything records have exercised, as keys."""
    keys: set[Key] = {("state", state) for state in found.states} | {("row", row) for row in found.rows}
    keys |= {("use", *use, seen) for use, outcomes in found.uses.items() for seen in outcomes}
    keys |= {("duty", duty, seen) for duty, outcomes in found.duties.items() for seen in outcomes}
    for rule, count in found.tally.counts.items():
        keys |= {("rule", rule, HELD)} if count.kept else set()
        keys |= {("rule", rule, FAILED)} if count.broken else set()
    for seen, prices in ((HELD, found.prices), (FAILED, found.mispriced)):
        keys |= {("price", *price, seen) for price in prices}
    return keys


def slip_keys(verdict: Verdict, position: Position, act: Act) -> set[Key]:
    """What a wrong act would show as broken."""
    keys: set[Key] = {("row", verdict.step)}
    for one in verdict.unmet:
        keys |= {("use", verdict.step, one.name, FAILED), ("rule", one.rule.slug, FAILED), ("duty", one.name, FAILED)}
        state = position.state
        for target in verdict.path:
            keys.add(("use", f"free move {state} to {target}", one.name, FAILED))
            state = target
    return keys


def _something_is_asked(position: Position) -> bool:
    """Whether an act would accept what is out of order; its slips would all show that alone."""
    ledger = position.table.ledger
    return any(one.unmet for one in (*ledger.offers, *ledger.requests))


def walk(machine: HouseMachine, number: int) -> Grown | None:
    """Deal one walk; a legal one notes at each position which slips would break what."""
    kind = (WatchedRound, AwkwardRound, WrongRound)[number % 3]
    slips: dict[Key, tuple[int, int, Act]] = {}
    dice = random.Random(number)

    def before(position: Position, coming: Act, _: Verdict) -> None:
        if coming.role is not Role.DEALER or kind is WrongRound or _something_is_asked(position):
            return
        split = {spot.number for spot in position.table.spots.values() if spot.is_split}
        acts = [act if act.spot in split else replace(act, hand=0) for act in every_act(position)]
        acts = [act for act in dict.fromkeys(acts) if possible(position, act)]
        for act in dice.sample(acts, min(len(acts), 160)):
            dealt = act.with_card(dice.choice(list(DECK.values()))) if act.verb in CARD_VERBS else act
            verdict = machine.judge(position, dealt, instead=False)
            for key in slip_keys(verdict, position, act) if verdict.unmet else ():
                if key not in slips or len(verdict.unmet) < slips[key][0]:
                    slips[key] = (len(verdict.unmet), len(round_.acts), dealt)

    round_ = kind(machine, f"grow {number}", before)
    try:
        round_.play()
    except AssertionError:
        return None
    if round_.position.state != "over":
        return None
    lines = tuple(Line(act, NOWHERE) for act in round_.acts)
    players = tuple(sorted(round_.players.items()))
    mode = "assessed" if kind is WrongRound else "coached"
    script = Script(machine.house.slug, lines, options=round_.options, players=players, mode=mode, tags=("slips",))
    return Grown(script, machine, keys_of(coverage(machine, [script])), slips)


def with_slips(grown: Grown, wanted: set[Key]) -> tuple[Script, set[Key]]:
    """Put the wanted slips a walk has room for into its script, blocked, a few at most at each position."""
    by_index: dict[int, dict[Act, int]] = {}
    for key, (unmet, index, act) in sorted(grown.slips.items()):
        if key in wanted:
            acts = by_index.setdefault(index, {})
            acts[act] = unmet
    lines: list[Line] = []
    for index, line in enumerate(grown.script.lines):
        acts = sorted(by_index.get(index, {}), key=str)[:MOST_AT_ONCE]
        lines += [Line(act, NOWHERE, blocked=True) for act in acts]
        lines.append(line)
    script = replace(grown.script, lines=tuple(lines))
    return script, keys_of(coverage(grown.machine, [script]))


def expected(script: Script, machine: HouseMachine, number: int) -> Script:
    """Write into each line what is expected of it, and the results of the round."""
    session = replay(script, machine)
    lines = []
    for entry, line in zip(session.entries, script.lines, strict=True):
        leading = entry.verdict.leading
        if entry.act.role is not Role.DEALER or leading is None:
            lines.append(line)
            continue
        severity = entry.verdict.severity.value
        default = leading.evidence.default if severity == "advice" else ""
        lines.append(
            replace(line, expect=severity, rule=leading.rule.slug, cites=leading.evidence.cites, default=default)
        )
    kind = "wrong acts are blocked" if script.mode == "coached" else "wrong acts take effect"
    net = tuple(sorted(session.net.items())) if script.mode == "coached" else ()
    return replace(script, title=f"Round {number} with slips: {kind}", lines=tuple(lines), net=net)


def grow(slug: str, walks: int) -> None:
    machine = machine_of(procedures(), slug)
    scenarios = data_folder("scenarios") / slug
    own = scenarios / "slips"
    for path in own.glob("*.yaml"):
        path.unlink()
    kept = [read_script(path, procedures()) for path in sorted(scenarios.rglob("*.yaml"))]
    have = keys_of(coverage(machine, kept))
    start = len(have)
    pool = [grown for number in range(walks) if (grown := walk(machine, number))]
    own.mkdir(exist_ok=True)
    number = 0
    while pool:
        gains = [(len((grown.covered | set(grown.slips)) - have), grown) for grown in pool]
        gain, best = max(gains, key=lambda one: one[0])
        if not gain:
            break
        pool.remove(best)
        wanted = (best.covered | set(best.slips)) - have
        script, keys = with_slips(best, wanted)
        if not keys - have:
            continue
        number += 1
        have |= keys
        path = own / f"{number:02}.yaml"
        path.write_text(print_script(expected(script, machine, number)), encoding="utf-8")
        again = replay(read_script(path, procedures()), machine)
        assert not again.problems and not unmet_expectations(again), (path, again.problems, unmet_expectations(again))
    print(f"{slug}: {number} scenarios, {start} keys before, {len(have)} now")


if __name__ == "__main__":
    grow(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 60)
