"""A house's rows laid out flat from the library's machine, and the plans of what marks leave to ask of an act."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from trainer.procedure import occasions
from trainer.procedure.conditions import resolved
from trainer.procedure.guards.registry import BLOCK_VERBS, DUES, FACTS, GUARDS, Block, Due
from trainer.procedure.library import FREE, FactCondition, GuardCondition
from trainer.procedure.machine import HouseMachine
from trainer.procedure.model import Bearing, Duty, Fact, FreeMove, Guard, GuardUse, Step
from trainer.procedure.moment import Moment
from trainer.procedure.occasions import When

Asked = tuple[Guard, GuardUse]
Watch = tuple[int, Due, Duty, tuple[tuple[When, ...], ...]]
"""A duty's number, what is due, the duty, and for each of its blocks when it holds nothing up."""
Watched = tuple[tuple[Block, ...], tuple[Watch, ...]]
_SPEAKS: dict[Callable[..., Any], When] = {
    **{GUARDS[name]: when for name, when in occasions.GUARDS.items()},
    **{DUES[name]: when for name, when in occasions.DUES.items()},
}
_HOLDS: dict[Fact, When] = {FACTS[name]: when for name, when in occasions.FACTS.items()}
_PERHAPS: dict[Fact, When] = {FACTS[name]: when for name, when in occasions.PERHAPS.items()}
_OPPOSITE: dict[Fact, Fact] = {FACTS[one]: FACTS[other] for one, other in occasions.OPPOSITE.items()}


@dataclass(slots=True, eq=False)
class Way:
    """Free moves from a state to a row, with the guards that may bar them."""

    targets: tuple[str, ...]
    asked: tuple[Asked, ...]


@dataclass(slots=True, eq=False)
class Row:
    """One row of the machine, flat: its facts, the guards that may speak, and how each state reaches it."""

    step: Step
    facts: tuple[Fact, ...]
    asked: tuple[Asked, ...]
    reached: dict[str, tuple[Way, ...]]
    by_kind: dict[str, tuple[Asked, ...]] | None = None


@dataclass(slots=True, eq=False)
class Planned:
    """What is left to ask of a row where the marks are known; ``ways`` only where one may be barred."""

    step: Step
    facts: tuple[Fact, ...]
    asked: tuple[Asked, ...]
    reached: bool
    path: tuple[str, ...]
    ways: tuple[Way, ...]

    @property
    def is_certain(self) -> bool:
        """Whether the row takes the act and nothing speaks against it."""
        return self.step.selected and self.reached and not (self.facts or self.asked or self.ways)


@dataclass(slots=True, eq=False)
class Plan:
    """What is left to ask of an act where the marks are known: the rows it may belong to, the duties that may be due.

    ``said`` is the row and the free moves where nothing is left to ask and the act is right.
    """

    rows: tuple[Planned, ...]
    watched: tuple[Watched, ...]
    said: tuple[str, tuple[()], tuple[str, ...]] | None


# -- the rows -----------------------------------------------------------------------------------------------------


def flattened(interactive: HouseMachine) -> dict[str, tuple[Row, ...]]:
    """Read the library's machine row by row; rows that no state takes are the ones a setting has left out."""
    rows: dict[str, dict[str, Row]] = {}
    free: dict[tuple[str, str], tuple[Asked, ...]] = {}
    for trigger, event in interactive.machine.events.items():
        for source, found in event.transitions.items():
            for one in found:
                step: Step | FreeMove = one.step  # type: ignore[attr-defined]
                if isinstance(step, FreeMove):
                    assert trigger == f"{FREE}: {step.target}"
                    free[step.source, step.target] = _asked(step.uses, one.conditions)
                    continue
                facts = tuple(each.fact for each in one.conditions if isinstance(each, FactCondition))
                row = Row(step, facts, _asked(step.uses, one.conditions), {}, _by_kind(step))
                rows.setdefault(trigger, {}).setdefault(step.id, row).reached[source] = ()
    for motion, steps in interactive._by_motion.items():
        for step in steps:
            if not step.selected:
                reached: dict[str, tuple[Way, ...]] = dict.fromkeys(step.sources, ())
                row = Row(step, step.facts, _asked(step.uses, []), reached, _by_kind(step))
                rows.setdefault(motion, {})[step.id] = row
        order = [step.id for step in steps]
        rows[motion] = dict(sorted(rows[motion].items(), key=lambda item: order.index(item[0])))
    for taken in rows.values():
        for row in taken.values():
            _add_ways(row, interactive, free)
    return {motion: tuple(taken.values()) for motion, taken in rows.items()}


def _asked(uses: tuple[GuardUse, ...], conditions: list[Any]) -> tuple[Asked, ...]:
    """Return the guards that may speak, in the order of the row; those that refuse are the library's conditions."""
    refusing = [each.use for each in conditions if isinstance(each, GuardCondition)]
    assert not conditions or refusing == [use for use in uses if use.bearing is Bearing.REFUSES]
    return tuple((use.guard, use) for use in uses if use.bearing is not Bearing.SILENT)


def _of_kind(row: Row, moment: Moment) -> tuple[Asked, ...]:
    """The guards of a row with the rules that the side wager spoken of names; a house's wagers do not change."""
    if row.by_kind is None:
        return row.asked
    kind = moment.act.kind or moment.act.what
    found = row.by_kind.get(kind)
    if found is None:
        known = [one for _, use in row.asked if (one := resolved(moment, use)) and one.bearing is not Bearing.SILENT]
        found = row.by_kind[kind] = tuple((one.guard, one) for one in known)
    return found


def _by_kind(step: Step) -> dict[str, tuple[Asked, ...]] | None:
    return {} if any(use.rule is None for use in step.uses) else None


def _add_ways(row: Row, interactive: HouseMachine, free: dict[tuple[str, str], tuple[Asked, ...]]) -> None:
    direct = set(row.reached)
    for state, paths in interactive._paths.items():
        if state in direct:
            continue
        ways = [
            Way(
                tuple(move.target for move in path),
                tuple(asked for move in path for asked in free[move.source, move.target]),
            )
            for path in paths
            if path[-1].target in direct
        ]
        if ways:
            row.reached[state] = tuple(ways)


def watched(verb: str, duties: list[Duty]) -> tuple[Watched, ...]:
    """Group the duties a verb may go on without by their blocks for it, where none of these looks at the place."""
    groups: dict[tuple[Block, ...], list[Watch]] = {}
    for index, duty in enumerate(duties):
        blocks = tuple(one for one in duty.blocks if verb in BLOCK_VERBS[one.__name__])
        blind = all(list(inspect.signature(block).parameters)[1].startswith("_") for block in duty.blocks)
        free = tuple(_free(duty, block.__name__, verb) for block in blocks)
        groups.setdefault(blocks if blind else (), []).append((index, duty.due, duty, free))
    return tuple((early, tuple(found)) for early, found in groups.items())


def _free(duty: Duty, block: str, verb: str) -> tuple[When, ...]:
    """When a block of a duty holds up no act of a verb."""
    found = occasions.FREE.get((block, verb), ())
    own = occasions.OF_OTHERS.get((duty.due_name, block)) if verb in occasions.ON_A_HAND else None
    return (*found, own) if own else found


# -- the plans ----------------------------------------------------------------------------------------------------


def reads_of(rows: tuple[Row, ...], duties: tuple[Watched, ...]) -> int:
    """Return every mark that tells something of a fact, guard or due of these rows and duties."""
    reads = 0
    for row in rows:
        for fact in row.facts:
            when = _of_fact(fact)
            reads |= when.reads if when else 0
        ways = [asked for found in row.reached.values() for way in found for asked in way.asked]
        for guard, _ in (*row.asked, *ways):
            reads |= _SPEAKS[guard].reads if guard in _SPEAKS else 0
    for _, group in duties:
        for _, due, _, free in group:
            for when in (_SPEAKS.get(due, When()), *(when for each in free for when in each)):
                reads |= when.reads
    return reads


def _of_fact(fact: Fact) -> When | None:
    fact = _OPPOSITE.get(fact, fact)
    return _HOLDS.get(fact) or _PERHAPS.get(fact)


class Planner:
    """Marks and state as they are: what may speak, what holds. Marks that were not read tell nothing."""

    def __init__(self, moment: Moment, marks: int, reads: int) -> None:
        self.moment, self.marks, self.reads, self.state = moment, marks, reads, moment.state

    def _met(self, when: When | None) -> bool | None:
        if when is None or when.reads & ~self.reads:
            return None
        return when.is_met(self.marks, self.state)

    def holds(self, fact: Fact) -> bool | None:
        """Tell whether a fact holds, None where only the fact itself can tell."""
        if fact in _OPPOSITE:
            other = self.holds(_OPPOSITE[fact])
            return None if other is None else not other
        if fact in _HOLDS:
            return self._met(_HOLDS[fact])
        return False if self._met(_PERHAPS.get(fact)) is False else None

    def speaking(self, asked: tuple[Asked, ...]) -> tuple[Asked, ...]:
        """Keep the guards that may have something against the act."""
        return tuple(one for one in asked if self._met(_SPEAKS.get(one[0])) is not False)

    def _may_be_left_out(self, watch: Watch) -> bool:
        _, due, _, free = watch
        if self._met(_SPEAKS.get(due)) is False:
            return False
        return not all(any(self._met(when) for when in each) for each in free)

    def planned(self, row: Row) -> Planned | None:
        """Return what is left to ask of a row, None where a fact says that the act is none of it."""
        facts = []
        for fact in row.facts:
            holds = self.holds(fact)
            if holds is False:
                return None
            if holds is None:
                facts.append(fact)
        ways = row.reached.get(self.state)
        left = tuple(Way(way.targets, self.speaking(way.asked)) for way in ways or ())
        path: tuple[str, ...] = ()
        if left and not left[0].asked:
            # The shortest way is the first one; nothing bars it.
            path, left = left[0].targets, ()
        return Planned(row.step, tuple(facts), self.speaking(_of_kind(row, self.moment)), ways is not None, path, left)

    def plan(self, rows: tuple[Row, ...], duties: tuple[Watched, ...]) -> Plan:
        """Return what is left to ask, up to the first row that certainly takes the act."""
        left: list[Planned] = []
        for row in rows:
            planned = self.planned(row)
            if planned:
                left.append(planned)
                if planned.is_certain:
                    break
        due = [(early, tuple(one for one in group if self._may_be_left_out(one))) for early, group in duties]
        watching = tuple((early, group) for early, group in due if group)
        said = (left[0].step.id, (), left[0].path) if left and left[0].is_certain and not watching else None
        return Plan(tuple(left), watching, said)
