"""Reasons kept beside the procedures: one line each, ``HOUSE: WHAT | why``; ``*`` stands for every house."""

from __future__ import annotations

from pathlib import Path

from trainer.files import BadFile, Place, Problem, did_you_mean, read_text

UNREACHED = "unreached.txt"
"""What no record of a house can exercise."""
SURVIVORS = "survivors.txt"
"""Which mutants of a house no record can notice."""


class Reasons:
    """Why something a house's machine holds may be left out; ``used`` notes the lines that were asked for and found."""

    def __init__(self, lines: dict[str, str]) -> None:
        self.lines = lines
        self.used: set[str] = set()

    def of(self, house: str, what: str) -> str:
        """Return the reason for a house, else the one for every house, else ''."""
        for name in (f"{house}: {what}", f"*: {what}"):
            if name in self.lines:
                self.used.add(name)
                return self.lines[name]
        return ""

    def stale(self, houses: list[str]) -> list[str]:
        """Return the lines that concern these houses and have not been asked for."""
        return [line for line in self.lines if line not in self.used and line.split(":")[0] in (*houses, "*")]


def read_reasons(path: Path) -> Reasons:
    """Read a file of reasons; a file that is not there holds none.

    Raises:
        BadFile: it cannot be read, or a line names no house, nothing or no reason, or comes twice; all such lines at once.
    """
    if not path.is_file():
        return Reasons({})
    found: dict[str, str] = {}
    problems = []
    houses = sorted(one.parent.name for one in path.parent.glob("*/house.yaml"))
    for number, line in enumerate(read_text(path).split("\n"), 1):
        if not line.strip() or line.startswith("#"):
            continue
        name, bar, why = (part.strip() for part in line.partition(" | "))
        house, colon, what = name.partition(": ")
        if not (bar and why and colon and house and what):
            problems.append(Problem(Place(str(path), number, 1), "a reason", line, "write HOUSE: WHAT | why"))
        elif houses and house not in ("*", *houses):
            known = f"known are * and {', '.join(houses)}"
            problems.append(Problem(Place(str(path), number, 1), "house", house, known, did_you_mean(house, houses)))
        elif name in found:
            problems.append(Problem(Place(str(path), number, 1), "a reason", name, "it stands above already"))
        found[name] = why
    if problems:
        raise BadFile(problems)
    return Reasons(found)
