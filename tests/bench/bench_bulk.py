"""Measure both drivers, with and without physics, a bare trigger, the guards alone, and JSON Lines, all in one run.

``python tests/bench/bench_bulk.py [ROUNDS]``. The measures take turns, so that they share whatever else the machine is
doing, and each counts by its fastest turn, both drivers act by act; only the ratios travel from one machine to another.
ROUNDS are dealt in each house, every tenth of them by somebody who makes mistakes. With ``--calls`` the Python calls of
one act are counted instead, function by function: they do not depend on what else the machine is doing.
"""

from __future__ import annotations

import cProfile
import gc
import pstats
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter, process_time
from typing import TypeVar

import msgspec
from bench_judge import bare_machine, guards_of
from records import Dealt, random_rounds

from trainer.actions import Act
from trainer.cards import DECK
from trainer.procedure.bulk import BulkMachine, QuickMoment
from trainer.procedure.conditions import motion_of
from trainer.procedure.machine import HouseMachine
from trainer.procedure.moment import Moment, Position, derive_state
from trainer.procedure.verdicts import Verdict

TURNS = 12
Driver = TypeVar("Driver", bound=HouseMachine)


class Line(msgspec.Struct, array_like=True, gc=False):
    """One act as a JSON Lines record carries it."""

    verb: str
    spot: int
    hand: int
    kind: str
    card: str
    amount: int | None
    total: int | None
    what: str
    words: str
    flag: str


def line_of(act: Act) -> Line:
    card = str(act.card) if act.card else ""
    return Line(act.verb, act.spot, act.hand, act.kind, card, act.amount, act.total, act.what, act.words, act.flag)


def act_of(line: Line) -> Act:
    card = DECK[line.card] if line.card else None
    return Act(
        line.verb, line.spot, line.hand, line.kind, card, line.amount, line.total, line.what, line.words, line.flag
    )


def _library(dealt: Dealt) -> HouseMachine:
    return dealt.machine


class Bench:
    """The rounds with everything prepared, and one method a measure; each returns seconds an act."""

    def __init__(self, rounds: list[Dealt]) -> None:
        self.rounds = rounds
        self.bulk = {dealt.machine.house.slug: BulkMachine(dealt.machine) for dealt in rounds}
        self.acts = sum(len(dealt.acts) for dealt in rounds)
        self.trigger = bare_machine(round(guards_of(rounds)))
        encoder = msgspec.json.Encoder()
        self.texts = [encoder.encode_lines([line_of(act) for act in dealt.acts]) for dealt in rounds]
        self.decoder = msgspec.json.Decoder(Line)
        self.fastest: dict[str, list[float]] = {}
        self.asked: list[tuple[Moment, list[Callable[[Moment], object]]]] = []
        for dealt in rounds:
            position, driver = dealt.position(), self.bulk[dealt.machine.house.slug]
            for act in dealt.acts:
                self.asked.append(self._guards(dealt, position.copied(), act))
                driver.apply(position, act)

    def _guards(self, dealt: Dealt, position: Position, act: Act) -> tuple[Moment, list[Callable[[Moment], object]]]:
        """The facts, guards and dues that an act makes the rows ask."""
        bulk, moment = self.bulk[dealt.machine.house.slug], QuickMoment(position, act)
        found: list[Callable[[Moment], object]] = []
        for row in bulk._rows.get(motion_of(moment), ()):
            found += row.facts
            if all(fact(moment) for fact in row.facts):
                found += [guard for guard, _ in row.asked if guard]
                break
        found += [due for _, group in bulk._watched.get(act.verb, ()) for _, due, *_ in group]
        return moment, found

    def timed(self, run: Callable[[], None]) -> float:
        start = process_time()
        run()
        return (process_time() - start) / self.acts

    def bare(self) -> float:
        def run() -> None:
            for _ in range(self.acts):
                self.trigger()

        return self.timed(run)

    def interactive(self) -> float:
        return self._by_acts("interactive", _library, HouseMachine.apply)

    def interactive_judging(self) -> float:
        return self._by_acts("interactive judging", _library, HouseMachine.judge)

    def whole(self) -> float:
        return self._by_acts("bulk", self._flat, BulkMachine.apply)

    def judging(self) -> float:
        return self._by_acts("bulk judging", self._flat, BulkMachine.rule)

    def _flat(self, dealt: Dealt) -> BulkMachine:
        return self.bulk[dealt.machine.house.slug]

    def _by_acts(
        self, name: str, driver: Callable[[Dealt], Driver], do: Callable[[Driver, Position, Act], object]
    ) -> float:
        """Judge each act, or do it, where it comes in a record; each counts by its own fastest turn."""
        best, number = self.fastest.setdefault(name, [1e9] * self.acts), 0
        for dealt in self.rounds:
            position, machine = dealt.position(), driver(dealt)
            position.table.memo = {} if isinstance(machine, BulkMachine) else None
            for act in dealt.acts:
                start = perf_counter()
                do(machine, position, act)
                best[number] = min(best[number], perf_counter() - start)
                number += 1
                if name.endswith("judging"):
                    machine.apply(position, act)
        return sum(best) / self.acts

    def guards(self) -> float:
        for moment, _ in self.asked:
            moment.table.memo = {}

        def run() -> None:
            for moment, asked in self.asked:
                for one in asked:
                    one(moment)

        return self.timed(run)

    def physics(self) -> float:
        """Move cards and chips and read the state off the felt, as the bulk driver does between two verdicts."""

        def run() -> None:
            for dealt in self.rounds:
                driver, position = self.bulk[dealt.machine.house.slug], dealt.position()
                position.table.memo = {}
                for act in dealt.acts:
                    driver._carry_out(Moment(position, act))
                    position.state = derive_state(position)

        return self.timed(run)

    def verdicts(self) -> float:
        """Make a verdict that says nothing of each act."""

        def run() -> None:
            for dealt in self.rounds:
                for act in dealt.acts:
                    Verdict(act, "turn", "TR-37", (), (), ())

        return self.timed(run)

    def calls(self) -> float:
        """Call a function that does nothing, once an act."""

        def nothing(position: object, act: Act) -> None:
            pass

        def run() -> None:
            for dealt in self.rounds:
                for act in dealt.acts:
                    nothing(dealt, act)

        return self.timed(run)

    def unplanned(self) -> float:
        """Whole records by a driver that has judged nothing before and has to make its plans."""
        for driver in self.bulk.values():
            driver._plans.clear()

        def run() -> None:
            for dealt in self.rounds:
                for _ in self._flat(dealt).run(dealt.position(), dealt.acts):
                    pass

        return self.timed(run)

    def decoding(self) -> float:
        def run() -> None:
            for text in self.texts:
                self.decoder.decode_lines(text)

        return self.timed(run)

    def lines_judged(self) -> float:
        def run() -> None:
            for dealt, text in zip(self.rounds, self.texts, strict=True):
                acts = [act_of(line) for line in self.decoder.decode_lines(text)]
                for _ in self.bulk[dealt.machine.house.slug].run(dealt.position(), acts):
                    pass

        return self.timed(run)


def fastest(measures: dict[str, Callable[[], float]]) -> dict[str, float]:
    """Seconds an act of each measure, by its fastest turn."""
    best = dict.fromkeys(measures, 1e9)
    gc.collect()
    gc.freeze()
    for _ in range(TURNS):
        for name, measure in measures.items():
            best[name] = min(best[name], measure())
    return best


def count(bench: Bench, most: int = 24) -> None:
    """Print the Python calls of one act, and for the bulk driver which functions are called."""
    measures = {
        "interactive driver": bench.interactive,
        "bulk driver, whole records": bench.whole,
        "a bare trigger": bench.bare,
        "the guards alone": bench.guards,
        "the physics alone": bench.physics,
    }
    for name, measure in measures.items():
        measure()
        profile = cProfile.Profile()
        profile.runcall(measure)
        found = pstats.Stats(profile).stats  # type: ignore[attr-defined]
        print(f"{name:<30} {sum(one[1] for one in found.values()) / bench.acts:7.1f} calls an act")
        if name.startswith("bulk"):
            for (file, _, function), one in sorted(found.items(), key=lambda item: -item[1][1])[:most]:
                print(f"    {one[1] / bench.acts:6.2f}  {function} ({Path(file).name})")


def told_by_marks(bench: Bench) -> tuple[int, int]:
    """Return the acts that marks alone show to be right, and the plans made for all."""
    told = 0
    for dealt in bench.rounds:
        driver, position = bench.bulk[dealt.machine.house.slug], dealt.position()
        position.table.memo = {}
        for act in dealt.acts:
            told += driver._plan(position, act).said is not None
            driver.apply(position, act)
    return told, sum(len(driver._plans) for driver in bench.bulk.values())


def main() -> None:
    numbers = [int(word) for word in sys.argv[1:] if word.isdigit()]
    bench = Bench(random_rounds(numbers[0] if numbers else 10, wrong_every=10))
    if "--calls" in sys.argv:
        count(bench)
        return
    found = fastest(
        {
            "bare transitions trigger": bench.bare,
            "interactive driver": bench.interactive,
            "interactive, judging alone": bench.interactive_judging,
            "bulk driver, whole records": bench.whole,
            "bulk driver, judging alone": bench.judging,
            "bulk driver, plans made anew": bench.unplanned,
            "the guards alone": bench.guards,
            "the physics alone": bench.physics,
            "the verdict objects alone": bench.verdicts,
            "one empty call an act": bench.calls,
            "JSON Lines, decoding alone": bench.decoding,
            "JSON Lines, decoded and judged": bench.lines_judged,
        }
    )
    base = found["interactive driver"]
    print(f"{len(bench.rounds)} rounds, {bench.acts} acts")
    for name, seconds in found.items():
        print(
            f"{name:<32} {1 / seconds:10.0f} acts/s {seconds * 1e6:8.1f} us   interactive / this {base / seconds:6.1f}"
        )
    ratio = found["JSON Lines, decoded and judged"] / found["JSON Lines, decoding alone"]
    told, plans = told_by_marks(bench)
    print(f"JSON Lines judged / decoded      {ratio:10.1f}")
    print(f"right by marks alone             {told / bench.acts:10.0%} of the acts, {plans} plans")


if __name__ == "__main__":
    main()
