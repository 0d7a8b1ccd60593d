"""Replay ten thousand random rounds in one process and show that its memory stays flat.

``python tests/bench/flat_memory.py [ROUNDS]`` prints traced Python memory and the process's resident size on the way.
"""

from __future__ import annotations

import gc
import sys
import tracemalloc
from pathlib import Path

from records import random_rounds

from trainer.files import Place
from trainer.rounds.play import replay
from trainer.rounds.script import Line, Script


def resident() -> float:
    """Resident size in MiB; 0 where the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        return 0.0
    return pages * 4096 / 2**20


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    records = []
    for dealt in random_rounds(20):
        lines = tuple(Line(act, Place("bench", number, 1)) for number, act in enumerate(dealt.acts, 1))
        players = tuple(sorted(dealt.players.items()))
        script = Script(dealt.machine.house.slug, lines, options=dealt.options, players=players)
        records.append((script, dealt.machine))
    marks = {max(1, rounds * share // 10) for share in (1, 5, 10)}
    traced = "--trace" in sys.argv
    if traced:
        tracemalloc.start()
    for number in range(1, rounds + 1):
        script, machine = records[number % len(records)]
        replay(script, machine)
        if number in marks:
            gc.collect()
            python = f"   traced {tracemalloc.get_traced_memory()[0] / 2**20:7.2f} MiB" if traced else ""
            print(f"{number:6} rounds   resident {resident():7.1f} MiB{python}", flush=True)


if __name__ == "__main__":
    main()
