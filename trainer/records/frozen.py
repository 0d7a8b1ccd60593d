"""Verdicts as data that can be frozen: what a digest covers, and the result that a signature states."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from trainer.procedure.model import Weight
from trainer.records.chain import canonical, sha256
from trainer.records.people import Terms
from trainer.records.store import OVERRULED, Stored
from trainer.rounds.debrief import left_open
from trainer.rounds.play import Entry, Session


def verdicts_of(session: Session) -> list[dict[str, object]]:
    """Return what was ruled on every dealer act, without the wording (which may improve from version to version)."""
    return [_verdict(entry) for entry in session.judged]


def _verdict(entry: Entry) -> dict[str, object]:
    verdict = entry.verdict
    return {
        "act": entry.number,
        "line": str(entry.act),
        "blocked": entry.blocked,
        "state": verdict.state,
        "step": verdict.step,
        "severity": verdict.severity.value,
        "ruling": verdict.ruling.value,
        "money": entry.money,
        "unmet": [
            {
                "rule": one.rule.slug,
                "ruling": one.ruling.value,
                "severity": one.severity.value,
                "weight": one.rule.weight.value,
                "cites": list(one.evidence.cites),
                "default": one.evidence.default,
            }
            for one in verdict.unmet
        ],
    }


def digest_of(session: Session) -> str:
    """Return the digest of a session's verdicts and results."""
    data: Mapping[str, object] = {
        "verdicts": verdicts_of(session),
        "net": session.net,
        "money": session.money,
        "problems": len(session.problems),
    }
    return sha256(canonical(data))


@dataclass(frozen=True, slots=True)
class Result:
    """What a session comes to once overruled findings are left out; ``passed`` is None without a pass mark."""

    judged: int
    faults: int
    critical: int
    rounds: int
    overruled: int
    passed: bool | None = None

    @property
    def accuracy(self) -> float:
        """1 - faulted / judged acts; 1 when none was judged."""
        return 1 - self.faults / self.judged if self.judged else 1.0

    @property
    def data(self) -> dict[str, object]:
        """The result as a signature states it."""
        return {
            "judged": self.judged, "faults": self.faults, "critical": self.critical, "rounds": self.rounds,
            "overruled": self.overruled, "passed": self.passed,
        }  # fmt: skip


def rounds_dealt(session: Session) -> int:
    """Return how many rounds the dealer acted in."""
    return len({entry.round for entry in session.judged})


def rounds_finished(session: Session) -> int:
    """Return how many rounds were dealt to their end."""
    ended = session.table.round - 1
    return ended + (session.position.state == "over")


def result_of(session: Session, overruled: Collection[int] = (), terms: Terms | None = None) -> Result:
    """Return the result of a session; acts in ``overruled`` count as right."""
    faults = [entry for entry in session.faults if entry.number not in overruled]
    critical = sum(entry.verdict.weight is Weight.CRITICAL for entry in faults)
    judged = len(session.judged)
    passed = None
    if terms is not None:
        passed = (
            (judged - len(faults)) * 100 >= terms.pass_mark * judged
            and (terms.critical < 0 or critical <= terms.critical)
            and rounds_finished(session) >= terms.rounds
            and not session.problems
            and not left_open(session)
        )
    return Result(judged, len(faults), critical, rounds_dealt(session), len(set(overruled)), passed)


def overruled_in(stored: Stored) -> dict[int, str]:
    """Return the acts whose finding a supervisor overruled, with the reason; the last decision on an act counts."""
    decided: dict[int, str] = {}
    for link in stored.desk:
        data = json.loads(link.text)
        if link.kind == OVERRULED:
            decided[data["act"]] = data["reason"]
        else:
            decided.pop(data.get("act", 0), None)
    return decided
