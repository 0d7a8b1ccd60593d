"""Break a house's machine in one place at a time; some scenario's verdict or suggested act has to change.

A mutant is a house with one row, guard use, duty, setting or piece of evidence taken away or changed. One that nothing
notices is a survivor: either a scenario is missing, or the part has no effect.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass, replace
from pathlib import Path

from trainer.actions import Act, Role
from trainer.compliance.reasons import SURVIVORS, read_reasons
from trainer.procedure.load import Procedures
from trainer.procedure.machine import HouseMachine
from trainer.procedure.model import Bearing, Duty, Evidence, FreeMove, GuardUse, House, Setting, Step
from trainer.procedure.moment import Position
from trainer.procedure.verdicts import Verdict
from trainer.rounds.script import Script, scenarios_of
from trainer.table import CannotHappen, Table

Said = tuple[object, ...]
SHORT_EVERY = 12


@dataclass(frozen=True, slots=True)
class Mutant:
    """A broken house: what was done to it, and the names by which records may have touched that part."""

    kind: str
    name: str
    house: House
    touched: frozenset[tuple[str, str]]

    def __str__(self) -> str:
        return f"{self.house.slug}: {self.kind} {self.name}"


def mutants(house: House, choices: Mapping[str, list[str]]) -> Iterator[Mutant]:
    """Yield every mutant of a house; ``choices`` are the values each setting of the game may take, if they are listed."""
    yield from _without_rows(house)
    yield from _without_uses(house)
    yield from _without_duties(house)
    yield from _with_other_settings(house, choices)
    yield from _without_evidence(house)


def _changed(house: House, **parts: object) -> House:
    other = copy(house)
    for name, value in parts.items():
        setattr(other, name, value)
    return other


def _without_rows(house: House) -> Iterator[Mutant]:
    for step in house.steps:
        if step.selected:
            rows = [one for one in house.steps if one is not step]
            yield Mutant("no row", step.id, _changed(house, steps=rows), frozenset({("row", step.id)}))


def _without_uses(house: House) -> Iterator[Mutant]:
    for step in house.steps:
        for use in step.uses if step.selected else ():
            if use.bearing is Bearing.SILENT or (use.rule is None and not house.games):
                continue
            less = replace(step, uses=tuple(one for one in step.uses if one is not use))
            rows = [less if one is step else one for one in house.steps]
            touched = frozenset({("use", use.name)})
            yield Mutant("no guard use", f"{step.id} {use.name}", _changed(house, steps=rows), touched)
    for move in house.free_moves:
        for use in move.uses:
            if use.bearing is Bearing.SILENT:
                continue
            free = replace(move, uses=tuple(one for one in move.uses if one is not use))
            moves = [free if one is move else one for one in house.free_moves]
            name = f"{move.source} to {move.target} {use.name}"
            yield Mutant("no guard use", name, _changed(house, free_moves=moves), frozenset({("use", use.name)}))


def _without_duties(house: House) -> Iterator[Mutant]:
    for duty in house.duties:
        if duty.bearing is not Bearing.SILENT:
            duties = [one for one in house.duties if one is not duty]
            yield Mutant("no duty", duty.id, _changed(house, duties=duties), frozenset({("use", duty.id)}))


OTHER_ODDS = {"3:2": "6:5", "6:5": "3:2", "2:1": "3:1", "1:1": "2:1", "3:1": "1:1"}


def _other_value(setting: Setting, choices: list[str]) -> str:
    """Another value a setting may have: another choice, other odds, other totals, or fewer hands."""
    if choices:
        return next(one for one in choices if one != setting.value)
    if ":" in setting.value and " " not in setting.value:
        return OTHER_ODDS.get(setting.value, "7:1")
    if setting.slug == "double-on-totals":
        return "9-11" if setting.value == "any" else "any"
    return "1" if setting.value == "2" else "2"


def _with_other_settings(house: House, choices: Mapping[str, list[str]]) -> Iterator[Mutant]:
    for slug, setting in house.settings.items():
        value = _other_value(setting, choices.get(slug, []))
        settings = {**house.settings, slug: replace(setting, value=value)}
        selected = [_selected(step, {name: one.value for name, one in settings.items()}) for step in house.steps]
        other = _changed(house, settings=settings, steps=selected)
        yield Mutant("setting", f"{slug}: {setting.value} made {value}", other, frozenset())


def _selected(step: Step, values: dict[str, str]) -> Step:
    against = next((slug for slug, value in step.when.items() if values[slug] != value), "")
    return replace(step, selected=not against, selected_by=against)


def _without_evidence(house: House) -> Iterator[Mutant]:
    for slug, evidence in house.evidence.items():
        default = house.defaults.get(evidence.default)
        if not evidence.is_documented and not (default and default.policy in ("advice", "fixed")):
            continue
        yield Mutant("no evidence for", slug, _silenced(house, slug), frozenset({("rule", slug)}))


def _silenced(house: House, slug: str) -> House:
    """The house without evidence for a rule: nobody is judged by it any more."""
    nothing = Evidence()

    def quiet(uses: tuple[GuardUse, ...]) -> tuple[GuardUse, ...]:
        return tuple(
            replace(use, evidence=nothing, bearing=Bearing.SILENT) if use.rule and use.rule.slug == slug else use
            for use in uses
        )

    def quiet_duty(duty: Duty) -> Duty:
        return replace(duty, evidence=nothing, bearing=Bearing.SILENT) if duty.rule.slug == slug else duty

    moves = [FreeMove(move.source, move.target, quiet(move.uses)) for move in house.free_moves]
    return _changed(
        house,
        evidence={name: one for name, one in house.evidence.items() if name != slug},
        steps=[replace(step, uses=quiet(step.uses)) for step in house.steps],
        duties=[quiet_duty(duty) for duty in house.duties],
        free_moves=moves,
    )


Track = Callable[[list[Mutant], str], Iterable[Mutant]]


def untracked(tried: list[Mutant], _: str) -> list[Mutant]:
    """Show nothing of how far mutants have been tried."""
    return tried


class Sifter:
    """A house's scenarios, with what each says under the sound machine, to be held against mutants."""

    def __init__(self, house: House, scripts: list[Script]) -> None:
        self.house, self.scripts = house, scripts
        machine = HouseMachine(house)
        self.sound: list[list[Said]] = []
        self.index: dict[tuple[str, str], list[int]] = {}
        for number, script in enumerate(scripts):
            said = []
            for verdict in dealt(machine, script):
                said.append(word(verdict))
                self._note(number, verdict)
            self.sound.append(said)

    def _note(self, number: int, verdict: Verdict) -> None:
        names = {("row", verdict.step), *(("use", one.name) for one in verdict.unmet)}
        for key in names | {("rule", one.rule.slug) for one in verdict.unmet}:
            numbers = self.index.setdefault(key, [])
            if not numbers or numbers[-1] != number:
                numbers.append(number)

    def notices(self, mutant: Mutant) -> bool:
        """Tell whether any scenario says something else under the mutant, those that touch its part first."""
        first = [number for key in sorted(mutant.touched) for number in self.index.get(key, [])]
        rest = [number for number in range(len(self.scripts)) if number not in set(first)]
        machine = HouseMachine(mutant.house)
        return any(self._differs(machine, number) for number in (*first, *rest))

    def _differs(self, machine: HouseMachine, number: int) -> bool:
        sound = self.sound[number]
        try:
            for index, verdict in enumerate(dealt(machine, self.scripts[number])):
                if word(verdict) != sound[index]:
                    return True
        except (KeyError, ValueError):
            # A house broken so far that it cannot be dealt is noticed as well.
            return True
        return False


def word(verdict: Verdict) -> Said:
    """What a reader of a verdict sees of it."""
    unmet = tuple((one.ruling, one.why, one.rule.slug, one.evidence, one.bearing) for one in verdict.unmet)
    return (verdict.act, unmet, verdict.instead, verdict.state)


def dealt(machine: HouseMachine, script: Script) -> Iterator[Verdict]:
    """Deal a script and yield its verdicts on acts of the dealer; blocked acts are judged and not done."""
    table = Table(places=script.options.places, players=dict(script.players))
    position = Position(machine.house, table, options=script.options)
    for line in script.lines:
        try:
            verdict = _one(machine, position, line.act, line.blocked)
        except CannotHappen:
            return
        if line.act.role is Role.DEALER:
            yield verdict


def _one(machine: HouseMachine, position: Position, act: Act, blocked: bool) -> Verdict:
    return machine.judge(position, act) if blocked else machine.apply(position, act)


def run_mutants(
    procedures: Procedures,
    scenarios: Path,
    *,
    long_run: bool = False,
    houses: list[str] | None = None,
    out: Callable[[str], object] = print,
    track: Track = untracked,
) -> int:
    """Hold every mutant (of a short run one in twelve) against the scenarios; 0 when none survives unexplained.

    ``track`` shows how far a house's mutants have been tried.

    Raises:
        BadFile: a house or a scenario cannot be read.
    """
    reasons = read_reasons(procedures.folder / SURVIVORS)
    bad = 0
    for name in houses or procedures.names():
        house = procedures.house(name)
        scripts = scenarios_of(procedures, scenarios, name)
        sifter = Sifter(house, scripts)
        every = mutants(house, {slug: list(shape.choices) for slug, shape in procedures.game.settings.items()})
        tried = [one for number, one in enumerate(every) if long_run or number % SHORT_EVERY == 0]
        survivors = [one for one in track(tried, house.title) if not sifter.notices(one)]
        why = {str(one): reasons.of(name, f"{one.kind} {one.name}") or reason_of(one, house) for one in survivors}
        known = [one for one in survivors if why[str(one)]]
        out(
            f"{house.title}: {len(tried)} mutants held against {len(scripts)} scenarios: "
            f"{len(tried) - len(survivors)} noticed, {len(known)} survive with a reason, "
            f"{len(survivors) - len(known)} without"
        )
        for one in survivors:
            out(f"  explained: {one}: {why[str(one)]}" if why[str(one)] else f"  SURVIVES: {one}")
        bad += len(survivors) - len(known)
    stale = reasons.stale(houses or procedures.names()) if long_run else []
    for line in stale if not houses else [line for line in stale if not line.startswith("*")]:
        out(f"  NO LONGER SO: {line}: it is noticed, or there is no such mutant")
        bad += 1
    return 1 if bad else 0


def reason_of(mutant: Mutant, sound: House) -> str:
    """Return why no record can notice a mutant, where the rows themselves say it; '' where they do not."""
    row = next((step for step in sound.steps if step.id == mutant.name.split()[0]), None)
    if row is None:
        return ""
    kinds = {"side", "bust", *(() if sound.is_("surrender") == "yes" else ("surrender",))}
    words = set(row.motion.split()) | {
        "surrender" for fact in row.fact_names if "surrendered" in fact and "not" not in fact
    }
    if (words & kinds and not sound.games and "wager" not in words) or ("bust wager" in row.says and not sound.games):
        return "the house has no such wager or choice; what is accepted all the same is judged where it is accepted"
    speaking = [use for use in row.uses if use.bearing is not Bearing.SILENT]
    if mutant.kind == "no row" and not speaking:
        return "nothing speaks in this row, and an act that no row takes is right as well"
    laid = mutant.name.endswith(("wager_was_laid", "wager_is_open")) and "something_is_wagered" in row.fact_names
    if laid:
        return "the row is for acts on a wager that lies there; another row judges the rest"
    return ""
