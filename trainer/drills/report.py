"""What came out of rounds: accuracy, findings by rule, time by state, pace, and what to practise next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from trainer.actions import Role
from trainer.drills.themes import EVERYTHING, THEMES, rule_theme
from trainer.procedure.model import House, Rule, Weight
from trainer.procedure.verdicts import Severity, Unmet, citation
from trainer.rounds.play import Entry, Session

HOLDS = 0.95
"""From this accuracy on, speed is worth a word."""
_WEIGHTS = {Weight.CRITICAL: 4, Weight.MAJOR: 2, Weight.MINOR: 1}
_PAUSE = 60.0


@dataclass(slots=True)
class RuleCount:
    """A rule that was broken or spoken against: how often, on which sources, how much money it moved (cents)."""

    rule: Rule
    severity: Severity
    times: int = 0
    money: int = 0
    sources: tuple[str, ...] = ()
    first: str = ""
    instead: str = ""

    @property
    def weight(self) -> int:
        return self.times * _WEIGHTS[self.rule.weight] * (4 if self.severity is Severity.FAULT else 1)


@dataclass(frozen=True, slots=True)
class Practice:
    """Something to practise next: the theme of a drill and why."""

    theme: str
    why: str


@dataclass(slots=True)
class Report:
    """The results of one or more sessions of a house. Money in cents seen from the house, times in seconds."""

    house: House
    judged: int = 0
    faults: int = 0
    advice: int = 0
    money: int = 0
    rounds: int = 0
    rules: list[RuleCount] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)
    round_seconds: list[float] = field(default_factory=list)

    @property
    def accuracy(self) -> float:
        return 1 - self.faults / self.judged if self.judged else 1.0

    @property
    def percent(self) -> str:
        """Return the accuracy in whole per cent, rounded down: 100 means no fault."""
        return f"{int(self.accuracy * 100 + 1e-9)} %"

    @property
    def rounds_an_hour(self) -> int | None:
        """Return the pace of finished rounds; None while accuracy does not hold or nothing was timed."""
        if not self.round_seconds or sum(self.round_seconds) <= 0 or self.accuracy < HOLDS:
            return None
        return round(3600 * len(self.round_seconds) / sum(self.round_seconds))

    @property
    def trend(self) -> list[int]:
        """Return rounds an hour of each finished round, in order; empty while accuracy does not hold."""
        if self.accuracy < HOLDS:
            return []
        return [round(3600 / seconds) for seconds in self.round_seconds if seconds > 0]


def report(house: House, sessions: Sequence[Session]) -> Report:
    """Reckon the report of sessions of one house."""
    out = Report(house)
    counts: dict[str, RuleCount] = {}
    for session in sessions:
        out.judged += len(session.judged)
        out.faults += len(session.faults)
        out.advice += len(session.findings) - len(session.faults)
        out.money += session.money or 0
        for entry in session.findings:
            _count(house, entry, counts)
        _time(session, out)
    out.rules = sorted(counts.values(), key=lambda one: (-one.weight, one.rule.slug))
    return out


def _count(house: House, entry: Entry, counts: dict[str, RuleCount]) -> None:
    leading = entry.verdict.leading
    for one in entry.verdict.unmet:
        found = counts.setdefault(one.rule.slug, _new(house, one, entry))
        found.times += 1
        if one is leading:
            found.money += entry.money or 0


def _new(house: House, one: Unmet, entry: Entry) -> RuleCount:
    instead = str(entry.verdict.instead[0]) if entry.verdict.instead else ""
    return RuleCount(one.rule, one.severity, sources=tuple(citation(house, one)), first=str(entry.act), instead=instead)


def _time(session: Session, out: Report) -> None:
    """Add up the time spent in each state, and the length of each finished round; pauses count for a minute."""
    before, began = 0.0, None
    for entry in session.entries:
        if entry.at is not None:
            spent = min(max(entry.at - before, 0.0), _PAUSE)
            before = entry.at
            if entry.act.role is Role.DEALER:
                state = entry.verdict.state
                out.seconds[state] = out.seconds.get(state, 0.0) + spent
                began = (began or 0.0) + spent
        if entry.act.verb == "start" and not entry.blocked:
            out.rounds += 1
            _close(out, began)
            began = None
    if session.position.state == "over":
        out.rounds += 1
        _close(out, began)


def _close(out: Report, spent: float | None) -> None:
    if spent:
        out.round_seconds.append(spent)


_STATE_THEMES = {
    "opening": "insurance", "peeked none": "insurance", "split": "splits", "surrender": "surrender",
    "draw": "dealer's hand", "settle": "settlement", "clear": "settlement",
}  # fmt: skip


def practise_next(one: Report, just_done: str = "") -> list[Practice]:
    """Return the three things to practise next: broken rules by weight, then slow states, then what is left."""
    out = []
    for count in one.rules:
        if count.severity is Severity.FAULT:
            times = "once" if count.times == 1 else f"{count.times} times"
            out.append(Practice(rule_theme(count.rule.slug), f"broken {times}: {count.rule.text}"))
    slow = sorted(one.seconds, key=lambda state: -one.seconds[state])
    for state in slow:
        theme = _STATE_THEMES.get(state)
        if theme:
            out.append(Practice(theme, f"{one.seconds[state]:.1f} s were spent in {state}: {THEMES[theme].says}"))
    for other in THEMES.values():
        if other.name not in (just_done, EVERYTHING):
            out.append(Practice(other.name, other.says))
    out.append(Practice(EVERYTHING, THEMES[EVERYTHING].says))
    seen: dict[str, Practice] = {}
    for practice in out:
        known = THEMES.get(practice.theme)
        if known is None or known.needs(one.house):
            seen.setdefault(practice.theme, practice)
    return list(seen.values())[:3]
