"""What every scenario is told, act by act, as a digest: ``python tests/said.py`` writes the page anew.

A scenario expects only so much of each line. A rule, guard, duty or piece of evidence that is changed by hand often leaves
what is expected and changes another finding beside it, a statement cited, or what is suggested instead; here that shows.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from trainer.actions import Role
from trainer.procedure.load import Procedures, procedures
from trainer.procedure.verdicts import Verdict
from trainer.rounds.play import machine_of, replay
from trainer.rounds.script import Script, read_script

HERE = Path(__file__).resolve().parent
SCENARIOS = HERE.parent / "scenarios"
PAGE = HERE / "said.txt"


def scripts_of(shipped: Procedures, slug: str) -> Iterator[tuple[str, Script]]:
    """Yield the scenarios of a house, each with its name."""
    for path in sorted((SCENARIOS / slug).rglob("*.yaml")):
        yield path.relative_to(SCENARIOS).with_suffix("").as_posix(), read_script(path, shipped)


def dealt(script: Script) -> str:
    """Digest what was dealt, so that a scenario that was edited is told from a machine that was."""
    acts = [f"{line.act}{' blocked' * line.blocked}" for line in script.lines]
    return _digest([str(sorted(script.options.games)), str(script.options.variations), *acts])


def said(shipped: Procedures, script: Script) -> str:
    """Digest all that is said of the dealer's acts, but for its wording."""
    session = replay(script, machine_of(shipped, script.house))
    return _digest([_word(entry.verdict) for entry in session.entries if entry.act.role is Role.DEALER])


def _word(verdict: Verdict) -> str:
    unmet = [(one.ruling.value, one.rule.slug, one.bearing.value, one.evidence.cites, one.evidence.default)
             for one in verdict.unmet]  # fmt: skip
    return repr((str(verdict.act), verdict.state, verdict.step, unmet, [str(act) for act in verdict.instead]))


def _digest(words: list[str]) -> str:
    return sha256("\n".join(words).encode()).hexdigest()[:12]


def pinned() -> dict[str, tuple[str, str]]:
    """Return what is kept: by scenario, what was dealt and what was said of it."""
    rows = (line.split() for line in PAGE.read_text("utf-8").splitlines() if not line.startswith("#"))
    return {name: (acts, words) for name, acts, words in rows}


def page(shipped: Procedures) -> str:
    """Print what every scenario is told today."""
    rows = [f"{name} {dealt(script)} {said(shipped, script)}" for slug in shipped.names()
            for name, script in scripts_of(shipped, slug)]  # fmt: skip
    return "\n".join(["# Written by: python tests/said.py; scenario, what is dealt, what is said of it.", *rows, ""])


if __name__ == "__main__":
    PAGE.write_text(page(procedures()), encoding="utf-8")
