"""How often records put each rule to the test, and how often it was kept or broken there, with the lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from trainer.actions import Act, Role
from trainer.procedure.conditions import resolved
from trainer.procedure.machine import HouseMachine
from trainer.procedure.model import Bearing, Duty, Ruling, Step
from trainer.procedure.moment import Moment
from trainer.procedure.verdicts import Severity
from trainer.rounds.play import Entry, Session, replay
from trainer.rounds.script import Script

_LOW = "-under-low-card"


@dataclass(slots=True)
class Count:
    """One rule in the records: the lines where it was kept and where it was broken."""

    kept_at: list[str] = field(default_factory=list)
    broken_at: list[str] = field(default_factory=list)

    @property
    def kept(self) -> int:
        return len(self.kept_at)

    @property
    def broken(self) -> int:
        return len(self.broken_at)

    @property
    def seen(self) -> int:
        return self.kept + self.broken


@dataclass(slots=True)
class Tally:
    """Counts by rule over records of one house; ``records`` and ``acts`` say how much was looked at."""

    house: str
    counts: dict[str, Count] = field(default_factory=dict)
    records: int = 0
    acts: int = 0

    def of(self, rules: Iterable[str]) -> Count:
        """Return the counts of several rules taken together."""
        found = Count()
        for rule in rules:
            one = self.counts.get(rule, Count())
            found.kept_at += one.kept_at
            found.broken_at += one.broken_at
        return found

    def _note(self, rule: str, where: str, kept: bool) -> None:
        count = self.counts.setdefault(rule, Count())
        (count.kept_at if kept else count.broken_at).append(where)


def tally(machine: HouseMachine, scripts: Iterable[Script]) -> Tally:
    """Deal records through a house's machine and count what became of each rule."""
    found = Tally(machine.house.slug)
    for script in scripts:
        session = WatchedSession(machine, script, found)
        replay(script, machine, session)
        session.end_round()
        found.records += 1
        found.acts += len(session.judged)
    return found


class WatchedSession(Session):
    """A session that notes, act by act, which rules were put to the test."""

    def __init__(self, machine: HouseMachine, script: Script, found: Tally) -> None:
        super().__init__(machine, script)
        self._found = found
        self._rows = {step.id: step for step in self.house.steps}
        self._due: dict[tuple[str, tuple[int, int]], Duty] = {}
        self._missed: set[tuple[str, tuple[int, int]]] = set()
        self._tests: dict[str, list[str]] = {}
        self._last = ""

    def do(self, act: Act, **given: object) -> Entry:
        """Do an act as any session does, and note the rules it puts to the test."""
        moment = Moment(self.position, act)
        self._note_duties(moment)
        verdict = self.machine.judge(self.position, act, instead=False)
        step = self._rows.get(verdict.step)
        asked = _asked(moment, step) if step else []
        entry = super().do(act, **given)  # type: ignore[arg-type]
        where = _where(self.script, entry)
        broken = {one.rule.slug for one in entry.verdict.unmet}
        if act.role is Role.DEALER:
            self._note_act(entry, asked, broken, where)
        elif act.role is Role.PLAYER:
            for rule in asked:
                if rule in broken:
                    self._tests.setdefault(rule, []).append(where)
                else:
                    self._found._note(rule, where, True)
        self._last = where
        if act.verb == "start":
            self.end_round()
        return entry

    def _note_act(self, entry: Entry, asked: list[str], broken: set[str], where: str) -> None:
        for rule in broken:
            self._found._note(rule, where, False)
            if self._tests.get(rule):
                self._tests[rule].pop()
        for rule in asked:
            if rule not in broken:
                self._found._note(rule, where, True)
        if entry.verdict.severity is not Severity.RIGHT and not entry.blocked:
            self._missed |= {(one.topic, one.place) for one in entry.verdict.unmet if one.ruling is Ruling.OMITTED}

    def _note_duties(self, moment: Moment) -> None:
        """A duty that was due and is due no more has been done, unless the act before went on without it."""
        if moment.act.role is not Role.DEALER:
            return
        now = {
            (duty.id, place): duty
            for duty in self.house.duties
            if duty.bearing is not Bearing.SILENT
            for place in duty.due(moment)
        }
        for (name, place), duty in self._due.items():
            if (name, place) not in now and (duty.topic, place) not in self._missed:
                self._found._note(duty.rule.slug, self._last, True)
        self._due = now

    def end_round(self) -> None:
        """Close a round: what was asked out of order and never accepted was refused as it should be."""
        self._note_duties(Moment(self.position, Act("wait")))
        for rule, places in self._tests.items():
            for where in places:
                self._found._note(rule, where, True)
        self._due, self._missed, self._tests = {}, set(), {}


def _where(script: Script, entry: Entry) -> str:
    if entry.place is not None:
        return f"{entry.place.file}:{entry.place.line}"
    return f"{script.path or script.title or script.seed}#{entry.number}"


def _asked(moment: Moment, step: Step) -> list[str]:
    """The rules a row asks for here whose matter came up at all."""
    rules: dict[str, None] = {step.rule: None} if step.rule in moment.house.evidence else {}
    for use in step.uses:
        known = resolved(moment, use)
        if known is None or known.rule is None or known.bearing is Bearing.SILENT:
            continue
        if _comes_up(moment, known.rule.slug, known.rule.part):
            rules[known.rule.slug] = None
    return list(rules)


def _comes_up(moment: Moment, rule: str, part: str) -> bool:
    if rule.endswith(_LOW):
        return moment.up_is_low
    if f"{rule}{_LOW}" in moment.house.rules and moment.up_is_low:
        return False
    matter = _MATTERS.get(part)
    return matter is None or matter(moment)


def _of_hand(word: str) -> Callable[[Moment], bool]:
    def comes_up(moment: Moment) -> bool:
        act, request = moment.act, moment.table.ledger.request
        if act.verb in (word, "separate" if word == "split" else word) or act.what == word:
            return True
        if request is not None and request.what == word and request.spot == act.spot:
            return True
        if act.spot not in moment.table.spots:
            return False
        hand = moment.hand
        return {"double": hand.doubled, "split": moment.spot.is_split, "surrender": hand.surrendered}[word]

    return comes_up


def _blackjack(moment: Moment) -> bool:
    act = moment.act
    if act.verb == "call blackjack":
        return True
    spots = [moment.spot] if act.spot in moment.table.spots else moment.table.wagered
    return any(hand.is_blackjack or (hand.from_split and hand.total == 21) for spot in spots for hand in spot.hands)


def _bust(moment: Moment) -> bool:
    return moment.act.spot in moment.table.spots and moment.hand.is_bust


# A row asks several rules at once; one whose matter is not on the table was not put to the test.
_MATTERS: dict[str, Callable[[Moment], bool]] = {
    "insurance": lambda moment: moment.up_is_ace or moment.act.kind == "insurance" or moment.act.verb == "insure",
    "even money": lambda moment: (
        moment.act.verb in ("even money", "call even money") or (moment.up_is_ace and _blackjack(moment))
    ),
    "blackjack": _blackjack,
    "double": _of_hand("double"),
    "split": _of_hand("split"),
    "surrender": _of_hand("surrender"),
    "bust": _bust,
}
