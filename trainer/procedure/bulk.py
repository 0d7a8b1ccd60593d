"""The bulk driver: the rows of the library's machine laid out flat, judged and carried out without its dispatch.

It reads the very ``Machine`` object of a house, asks the same guards and moves the same table. It rules as
``HouseMachine`` does, without saying what is right instead. Tests hold the two drivers equal.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from trainer.actions import BY_NAME, Act, Role
from trainer.moves import check
from trainer.procedure.conditions import accepted, distinct, missing_duty, motion_of, resolved, unmet_use
from trainer.procedure.guards.registry import Block, Due
from trainer.procedure.library import FREE, Cursor, FactCondition, GuardCondition, carry_out
from trainer.procedure.machine import HouseMachine
from trainer.procedure.model import Bearing, Duty, Fact, FreeMove, Guard, GuardUse, Step
from trainer.procedure.moment import Moment, Position, derive_state
from trainer.procedure.verdicts import Unmet, Verdict, ordered

Asked = tuple[Guard, GuardUse]
Watched = tuple[tuple[Block, ...], tuple[tuple[int, Due, Duty], ...]]
Ruled = tuple["str", "tuple[Unmet, ...]", "tuple[str, ...]"]
EVERYWHERE = (0, 0)
_ROLES = {verb.name: verb.role for verb in BY_NAME.values()}


class QuickMoment(Moment):
    """A moment that looks up the place of its act once."""

    __slots__ = ("hand", "key", "spot")

    def __getattr__(self, name: str) -> Any:
        # Reached only while a slot is empty; what is found is kept in it.
        if name == "hand":
            found: Any = self.table.hand(self.act)
        elif name == "spot":
            found = self.table.spot(self.act.spot)
        elif name == "key":
            found = (self.act.spot, max(self.act.hand, 1))
        else:
            raise AttributeError(name)
        setattr(self, name, found)
        return found


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


class BulkMachine(HouseMachine):
    """A house's rows laid out flat from its library machine; ``judge`` and ``apply`` as the interactive driver's."""

    def __init__(self, interactive: HouseMachine) -> None:
        self.house, self.machine = interactive.house, interactive.machine
        self._by_motion, self._paths, self._duties = interactive._by_motion, interactive._paths, interactive._duties
        self._rows = _flattened(interactive)
        self._watched = {verb: _watched(duties) for verb, duties in self._duties.items()}

    # -- judging -------------------------------------------------------------------------------------------------

    def judge(self, position: Position, act: Act, instead: bool = False) -> Verdict:
        """Rule on an act without side effects; what is right instead is left out.

        Raises:
            CannotHappen: no table could see this act.
        """
        table, kept = position.table, position.table.memo
        if kept is None:
            table.memo = {}
        try:
            step, unmet, path = self.rule(position, act)
        finally:
            table.memo = kept
        return Verdict(act, position.state, step, unmet, (), path)

    def rule(self, position: Position, act: Act) -> Ruled:
        """Return the row, what speaks against the act, and the free moves on the way.

        Raises:
            CannotHappen: no table could see this act.
        """
        table = position.table
        if table.ledger.waived or table.ledger.ruling:
            # The floor's word is rare and changes which row is nearest: the interactive driver's own code rules.
            said = super().judge(position, act, False)
            return said.step, said.unmet, said.path
        check(table, act)
        role = _ROLES[act.verb]
        if role is Role.FLOOR:
            return "TR-73", (), ()
        moment = QuickMoment(position, act)
        step, unmet, path = self._nearest(moment, role)
        if role is Role.DEALER:
            unmet = self._left_out(moment, unmet)
            if table.ledger.offers or table.ledger.request:
                unmet = [*unmet, *accepted(moment)]
        return step, distinct(ordered(list(unmet))) if unmet else (), path

    def _left_out(self, moment: QuickMoment, unmet: list[Unmet] | tuple[()]) -> list[Unmet] | tuple[()]:
        """Add the duties due that the act would go on without, in the order of the house's duties."""
        found: list[tuple[int, Unmet]] = []
        dues: dict[Due, list[tuple[int, int]]] = {}
        for early, duties in self._watched.get(moment.act.verb, ()):
            if early and not any(block(moment, EVERYWHERE) for block in early):
                continue
            for index, due, duty in duties:
                places = dues.get(due)
                if places is None:
                    places = dues[due] = due(moment)
                if places:
                    found += [(index, one) for one in missing_duty(moment, duty)]
        if not found:
            return unmet
        return [*unmet, *(one for _, one in sorted(found, key=itemgetter(0)))]

    def _nearest(self, moment: QuickMoment, role: Role) -> tuple[str, list[Unmet] | tuple[()], tuple[str, ...]]:
        best: tuple[tuple[bool, int, bool], str, list[Unmet], tuple[str, ...]] | None = None
        state = moment.state
        facts: dict[Fact, bool] = {}
        for row in self._rows.get(motion_of(moment), ()):
            for fact in row.facts:
                holds = facts.get(fact)
                if holds is None:
                    holds = facts[fact] = fact(moment)
                if not holds:
                    break
            else:
                unmet: list[Unmet] = []
                for guard, use in row.asked if row.by_kind is None else _of_kind(row, moment):
                    if guard(moment) is not None and (one := unmet_use(moment, use)):
                        unmet.append(one)
                ways = row.reached.get(state)
                path: tuple[str, ...] = ()
                if ways:
                    barred, path = _least_barred(moment, ways)
                    unmet = barred + unmet
                elif ways is None and role is Role.DEALER:
                    unmet.append(self._out_of_place(moment))
                selected = row.step.selected
                if selected and not unmet and ways is not None:
                    return row.step.id, (), path
                if not selected:
                    unmet += self._not_here(row.step)
                refusing = sum(one.bearing is Bearing.REFUSES for one in unmet)
                rank = (not selected, refusing, ways is None)
                if best is None or rank < best[0]:
                    best = (rank, row.step.id, unmet, path)
        return (best[1], best[2], best[3]) if best else ("", (), ())

    # -- carrying out --------------------------------------------------------------------------------------------

    def apply(self, position: Position, act: Act, verdict: Verdict | None = None) -> Verdict:
        """Judge an act, carry it out on the position, right or wrong, and return the verdict.

        Raises:
            CannotHappen: no table could see this act; the position is unchanged.
        """
        if _ROLES[act.verb] is not Role.DEALER or verdict is not None:
            return super().apply(position, act, verdict or self.judge(position, act))
        table, state = position.table, position.state
        if table.memo is None:
            table.memo = {}
        step, unmet, path = self.rule(position, act)
        carry_out(Moment(position, act))
        table.memo = {}
        position.state = derive_state(position)
        if unmet:
            self._note_missed(Moment(position, act), unmet)
        return Verdict(act, state, step, unmet, (), path)

    def _fire(self, cursor: Cursor, verdict: Verdict) -> bool:
        """Carry a player's event out where the interactive driver fires the library's triggers."""
        moment = cursor.moment
        carry_out(moment)
        if cursor.request:
            moment.table.ledger.ask(cursor.request)
        cursor.state = derive_state(moment.position)
        return True

    def run(self, position: Position, acts: Iterable[Act]) -> Iterator[Verdict]:
        """Judge and carry out a whole record, verdict by verdict.

        Raises:
            CannotHappen: no table could see an act; those before it have been carried out.
        """
        for act in acts:
            yield self.apply(position, act)


# -- flattening ---------------------------------------------------------------------------------------------------


def _flattened(interactive: HouseMachine) -> dict[str, tuple[Row, ...]]:
    """Lay the transitions of the library's machine out as rows; rows of other houses follow, to name what is not had."""
    rows: dict[str, dict[str, Row]] = {}
    free: dict[tuple[str, str], tuple[Asked, ...]] = {}
    for trigger, event in interactive.machine.events.items():
        for source, transitions in event.transitions.items():
            for one in transitions:
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
    for found in rows.values():
        for row in found.values():
            _add_ways(row, interactive, free)
    return {motion: tuple(found.values()) for motion, found in rows.items()}


def _asked(uses: tuple[GuardUse, ...], conditions: list[Any]) -> tuple[Asked, ...]:
    """Return the guards that may speak, in the order of the row; those that refuse are the library's conditions."""
    refusing = [each.use for each in conditions if isinstance(each, GuardCondition)]
    assert not conditions or refusing == [use for use in uses if use.bearing is Bearing.REFUSES]
    return tuple((use.guard, use) for use in uses if use.bearing is not Bearing.SILENT)


def _of_kind(row: Row, moment: Moment) -> tuple[Asked, ...]:
    """The guards of a row with the rules that the side wager spoken of names; a house's wagers do not change."""
    assert row.by_kind is not None
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


def _watched(duties: list[Duty]) -> tuple[Watched, ...]:
    """Group the duties a verb may go on without by their blocks, where none of these looks at the place."""
    groups: dict[tuple[Block, ...], list[tuple[int, Due, Duty]]] = {}
    for index, duty in enumerate(duties):
        blind = all(list(inspect.signature(block).parameters)[1].startswith("_") for block in duty.blocks)
        groups.setdefault(duty.blocks if blind else (), []).append((index, duty.due, duty))
    return tuple((early, tuple(found)) for early, found in groups.items())


def _least_barred(moment: Moment, ways: tuple[Way, ...]) -> tuple[list[Unmet], tuple[str, ...]]:
    """Choose among free moves as the interactive driver does: the least barred way, then the shortest."""
    best: tuple[tuple[int, int], list[Unmet], tuple[str, ...]] | None = None
    for way in ways:
        barred = [one for guard, use in way.asked if guard(moment) is not None and (one := unmet_use(moment, use))]
        rank = (sum(one.bearing is Bearing.REFUSES for one in barred), len(way.targets))
        if best is None or rank < best[0]:
            best = (rank, barred, way.targets)
    assert best is not None
    return best[1], best[2]
