"""What a set of records exercises of a house's machine: states, rows, guard uses, duties, rules, settings, defaults."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from trainer.actions import Act, Role
from trainer.compliance.reasons import Reasons
from trainer.compliance.tally import Count, Tally, WatchedSession
from trainer.procedure.conditions import bearing_of, resolved
from trainer.procedure.machine import HouseMachine
from trainer.procedure.model import Bearing, House, Setting
from trainer.procedure.moment import Moment
from trainer.procedure.sides import side_due
from trainer.rounds.play import Entry, replay
from trainer.rounds.script import Script

HELD, FAILED = "held", "failed"


class _ReadSettings(dict[str, Setting]):
    """The settings of a house that note which of them are read."""

    def __init__(self, plain: Mapping[str, Setting]) -> None:
        super().__init__(plain)
        self.read: set[str] = set()

    def __getitem__(self, slug: str) -> Setting:
        self.read.add(slug)
        return super().__getitem__(slug)


@dataclass(slots=True)
class Coverage:
    """What records of one house have exercised; every set holds names, ``uses`` the outcomes seen of each guard use."""

    house: House
    tally: Tally
    states: set[str] = field(default_factory=set)
    rows: set[str] = field(default_factory=set)
    uses: dict[tuple[str, str], set[str]] = field(default_factory=dict)
    duties: dict[str, set[str]] = field(default_factory=dict)
    settings: set[str] = field(default_factory=set)
    defaults: set[str] = field(default_factory=set)
    prices: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    mispriced: dict[tuple[str, str], list[str]] = field(default_factory=dict)

    def missing(self) -> list[tuple[str, str]]:
        """Return everything of the house's machine that no record exercises, as (kind, name)."""
        return list(_missing(self))

    def unexplained(self, reasons: Reasons) -> list[tuple[str, str]]:
        """Return what is missing although records could exercise it."""
        return [(kind, name) for kind, name in self.missing() if not reasons.of(self.house.slug, f"{kind} {name}")]


class _Exercise(WatchedSession):
    """A session that notes what of the machine its acts touch."""

    def __init__(self, machine: HouseMachine, script: Script, found: Coverage) -> None:
        super().__init__(machine, script, found.tally)
        self.coverage = found

    def do(self, act: Act, **given: object) -> Entry:
        """Do an act as any session does, and note what it exercises."""
        moment = Moment(self.position, act)
        before = self.position.state
        self._note_duties_due(moment)
        outcome = self._outcome(moment)
        verdict = self.machine.judge(self.position, act, instead=False)
        uses = self._uses(moment, verdict.step, verdict.path, before)
        entry = super().do(act, **given)
        self.coverage.states |= {before, *verdict.path, self.position.state}
        failed = {one.name for one in entry.verdict.unmet}
        for key in uses:
            self.coverage.uses.setdefault(key, set()).add(FAILED if key[1] in failed else HELD)
        if entry.verdict.step:
            self.coverage.rows.add(entry.verdict.step)
        for one in entry.verdict.unmet:
            if one.name in self.coverage.duties:
                self.coverage.duties[one.name].add(FAILED)
            if one.evidence.default:
                self.coverage.defaults.add(one.evidence.default)
        if outcome and act.role is Role.DEALER:
            where = self.coverage.prices if entry.verdict.is_right else self.coverage.mispriced
            where.setdefault(outcome, []).append(_place(self.script, entry))
        return entry

    def _uses(self, moment: Moment, row: str, path: tuple[str, ...], state: str) -> list[tuple[str, str]]:
        step = next((one for one in self.house.steps if one.id == row), None)
        found = [(row, use.name) for use in step.uses if speaks(moment, use)] if step else []
        for target in path:
            for move in self.house.free_moves:
                if (move.source, move.target) == (state, target):
                    name = f"free move {move.source} to {move.target}"
                    found += [(name, use.name) for use in move.uses if speaks(moment, use)]
            state = target
        return found

    def _note_duties_due(self, moment: Moment) -> None:
        if moment.act.role is not Role.DEALER:
            return
        for duty in self.house.duties:
            if duty.bearing is not Bearing.SILENT and duty.due(moment):
                self.coverage.duties.setdefault(duty.id, set()).add(HELD)

    def _outcome(self, moment: Moment) -> tuple[str, str] | None:
        """The outcome of the side wager that is paid, with its kind."""
        act = moment.act
        if act.verb != "pay" or act.spot not in moment.table.spots:
            return None
        stack = moment.spot.side.get(act.kind)
        ended = side_due(self.position, moment.spot, stack) if stack and stack.lies else None
        return (act.kind, ended.outcome) if ended and ended.outcome else None


def speaks(moment: Moment, use: object) -> bool:
    known = resolved(moment, use)  # type: ignore[arg-type]
    return known is not None and known.rule is not None and known.bearing is not Bearing.SILENT


def _place(script: Script, entry: Entry) -> str:
    return f"{script.path or script.title}:{entry.place.line if entry.place else entry.number}"


def coverage(machine: HouseMachine, scripts: Iterable[Script]) -> Coverage:
    """Deal records through a house's machine and note what they exercise."""
    house = machine.house
    found = Coverage(house, Tally(house.slug))
    plain, noted = house.settings, _ReadSettings(house.settings)
    house.settings = noted
    try:
        for script in scripts:
            session = _Exercise(machine, script, found)
            replay(script, machine, session)
            session.end_round()
            found.tally.records += 1
            found.tally.acts += len(session.judged)
    finally:
        house.settings = plain
    found.settings = noted.read
    found.defaults |= _defaults_of_kept(house, found)
    return found


def _defaults_of_kept(house: House, found: Coverage) -> set[str]:
    """Defaults that a rule rests on which was put to the test, or a setting that was read."""
    rules = {evidence.default for rule, evidence in house.evidence.items() if rule in found.tally.counts}
    chosen = {house.settings[slug].evidence.default for slug in found.settings if slug in house.settings}
    return {name for name in rules | chosen if name}


def _missing(found: Coverage) -> Iterator[tuple[str, str]]:
    house = found.house
    for state in house.states:
        if state not in found.states:
            yield "state", state
    for step in house.steps:
        if not step.selected:
            continue
        if step.id not in found.rows:
            yield "row", f"{step.id} {step.motion}"
        for use in step.uses:
            if use.bearing is Bearing.SILENT or (use.wager_rule and not house.games):
                continue
            yield from (("guard use", f"{step.id} {use.name} {one}") for one in _unseen(found, step.id, use.name))
    for move in house.free_moves:
        name = f"free move {move.source} to {move.target}"
        for use in move.uses:
            if use.bearing is not Bearing.SILENT:
                yield from (("guard use", f"{name} {use.name} {one}") for one in _unseen(found, name, use.name))
    for duty in house.duties:
        if duty.bearing is not Bearing.SILENT:
            seen = found.duties.get(duty.id, set())
            yield from (("duty", f"{duty.id} {one}") for one in (HELD, FAILED) if one not in seen)
    for slug in house.settings:
        if slug not in found.settings:
            yield "setting", slug
    for rule, evidence in house.evidence.items():
        if bearing_of(house, evidence) is not Bearing.SILENT:
            count = found.tally.counts.get(rule, Count())
            yield from (
                ("rule", f"{rule} {one}") for one, seen in (("kept", count.kept), ("broken", count.broken)) if not seen
            )


def _unseen(found: Coverage, row: str, guard: str) -> list[str]:
    seen = found.uses.get((row, guard), set())
    return [one for one in (HELD, FAILED) if one not in seen]
