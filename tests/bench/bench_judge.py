"""Measure judging in the interactive driver and in plain calls against a bare ``transitions`` trigger.

All figures come from one run on one machine; only the ratios travel. ``python tests/bench/bench_judge.py [ROUNDS]``.
"""

from __future__ import annotations

import statistics
import sys
from collections.abc import Callable
from time import process_time

from records import Dealt, random_rounds
from transitions import Machine

from trainer.procedure.conditions import motion_of
from trainer.procedure.moment import Moment

REPEATS = 3


def guards_of(rounds: list[Dealt]) -> float:
    """The mean number of conditions the library asks on the rows of the acts, duties counted as one each."""
    counts = []
    for dealt in rounds:
        position = dealt.position()
        for act in dealt.acts:
            motion = motion_of(Moment(position, act))
            event = dealt.machine.machine.events.get(motion)
            rows = event.transitions.get(position.state, []) if event else []
            duties = len(dealt.machine._duties.get(act.verb, ()))
            if rows:
                counts.append(sum(len(row.conditions) for row in rows) + duties)
            dealt.machine.apply(position, act)
    return statistics.mean(counts)


def bare_machine(guards: int) -> Callable[[], object]:
    """A trigger of the library's own with so many conditions that all hold."""

    class Model:
        state = "a"

    model = Model()
    machine = Machine(model, states=["a", "b"], initial="a", auto_transitions=False, send_event=True, queued=False)
    conditions: list[str | Callable[..., bool | None]] = [lambda event: True for _ in range(guards)]
    machine.add_transition("go", "a", "a", conditions=conditions)
    trigger: Callable[[], object] = model.go  # type: ignore[attr-defined]
    return trigger


def best(run: Callable[[], int]) -> float:
    """Seconds an act in the fastest of some runs."""
    times = []
    for _ in range(REPEATS):
        start = process_time()
        acts = run()
        times.append((process_time() - start) / acts)
    return min(times)


def main() -> None:
    rounds = random_rounds(int(sys.argv[1]) if len(sys.argv) > 1 else 12)
    guards = round(guards_of(rounds))
    trigger = bare_machine(guards)

    def bare() -> int:
        for _ in range(5000):
            trigger()
        return 5000

    def interactive() -> int:
        for dealt in rounds:
            position = dealt.position()
            for act in dealt.acts:
                dealt.machine.apply(position, act)
        return sum(len(dealt.acts) for dealt in rounds)

    def judged() -> float:
        """Seconds an act for ``judge`` alone; the positions are walked outside the clock."""
        total, acts = 0.0, 0
        for dealt in rounds:
            position = dealt.position()
            for act in dealt.acts:
                start = process_time()
                verdict = dealt.machine.judge(position, act, instead=False)
                total += process_time() - start
                acts += 1
                dealt.machine.apply(position, act, verdict)
        return total / acts

    one = best(bare)
    rows = [("bare trigger", one), ("interactive driver (apply)", best(interactive)), ("plain call (judge)", judged())]
    print(f"{len(rounds)} rounds, {sum(len(dealt.acts) for dealt in rounds)} acts; a bare trigger with {guards} guards")
    for name, seconds in rows:
        print(f"{name:<28} {seconds * 1e6:8.1f} us   {seconds / one:6.2f} x bare")


if __name__ == "__main__":
    main()
