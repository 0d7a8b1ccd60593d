"""Measure how long the program takes to start, as ratios to a bare interpreter; ``python tests/bench/bench_start.py``.

Each command runs in a process of its own, in turns with the others, and counts by the median of the processor time it
took (user and system); the ratios travel from one machine to another better than the milliseconds.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[2]
ONE = next((ROOT / "scenarios").rglob("*.yaml"))
COMMANDS: dict[str, list[str]] = {
    "python -c pass": ["-c", "pass"],
    "python -c 'import yaml, transitions'": ["-c", "import yaml, transitions"],
    "python -c 'import click'": ["-c", "import click"],
    "trainer --version": ["-m", "trainer", "--version"],
    "trainer replay ONE": ["-m", "trainer", "replay", "-q", str(ONE)],
}


def seconds(arguments: list[str], compiled: str) -> float:
    """Processor time of one run in seconds; ``compiled`` is the folder that keeps modules compiled, as an installation does."""
    said = {"PYTHONDONTWRITEBYTECODE", "PYTHONPYCACHEPREFIX"}
    own = {name: value for name, value in os.environ.items() if name not in said} | {"PYTHONPYCACHEPREFIX": compiled}
    with subprocess.Popen([sys.executable, *arguments], stdout=subprocess.DEVNULL, cwd=ROOT, env=own) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode > 1:
        raise SystemExit(f"{' '.join(arguments)} ended with {process.returncode}")
    return used.ru_utime + used.ru_stime


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 9
    taken: dict[str, list[float]] = {name: [] for name in COMMANDS}
    with TemporaryDirectory() as compiled:
        for arguments in COMMANDS.values():
            seconds(arguments, compiled)
        for _ in range(runs):
            for name, arguments in COMMANDS.items():
                taken[name].append(seconds(arguments, compiled))
    medians = {name: statistics.median(each) for name, each in taken.items()}
    bare, imports = list(medians.values())[:2]
    print(f"median of {runs} runs; ONE is {ONE.relative_to(ROOT)}")
    for name, median in medians.items():
        print(
            f"{name:<38} {median * 1000:7.1f} ms   / bare {median / bare:5.1f}   / yaml, transitions {median / imports:5.2f}"
        )


if __name__ == "__main__":
    main()
