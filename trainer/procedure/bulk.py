"""The bulk driver: the rows of the library's machine laid out flat, judged and carried out without its dispatch.

It reads the very ``Machine`` object of a house, asks the same guards and moves the same table. What marks tell is not
asked again: for each set of marks a plan keeps what is left to ask. It rules as ``HouseMachine`` does, without saying
what is right instead. Tests hold the two drivers equal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from operator import itemgetter
from typing import Any

from trainer.actions import BY_NAME, Act, Role
from trainer.checks import check
from trainer.moves import move_checked
from trainer.procedure.conditions import accepted, distinct, missing_duty, motion_at, unmet_by
from trainer.procedure.flat import Plan, Planner, Row, Watched, Way, flattened, reads_of, watched
from trainer.procedure.guards.registry import Due
from trainer.procedure.library import Cursor, carry_out
from trainer.procedure.machine import SETTLING, HouseMachine
from trainer.procedure.marks import WAGERED, act_marks, spot_marks
from trainer.procedure.model import Bearing
from trainer.procedure.moment import Moment, Position, cards_too_many, derive_state
from trainer.procedure.verdicts import Unmet, Verdict, ordered

Ruled = tuple["str", "tuple[Unmet, ...]", "tuple[str, ...]"]
Key = tuple["str", "str", int, "str"]
EVERYWHERE = (0, 0)
MOST_PLANS = 20_000
_ROLES = {verb.name: verb.role for verb in BY_NAME.values()}
_WITH_MOTIONS = frozenset({"pay", "take", "return", "wager", "signal"})
# They may name a hand that is not there.
_UNMARKED = frozenset({"warn", "gesture tap", "touch"})
# They change more than the spot they name.
_WIDE = frozenset({"start", "rule"})


class QuickMoment(Moment):
    """A moment that looks up the place of its act once."""

    __slots__ = ("hand", "key", "spot")

    def __init__(self, position: Position, act: Act) -> None:
        self.position, self.act = position, act
        self.house, self.table = position.house, position.table
        self.state, self.options = position.state, position.options
        self.key = (act.spot, act.hand or 1)  # type: ignore[misc]
        spot = self.table.spots.get(act.spot)
        if spot is not None:
            self.spot = spot  # type: ignore[misc]
            if act.hand <= len(spot.hands):
                self.hand = spot.hands[act.hand - 1 if act.hand else 0]  # type: ignore[misc]

    def __getattr__(self, name: str) -> Any:
        """Say as the table does what is not there; reached only while a slot is empty."""
        if name in ("hand", "spot"):
            return self.table.hand(self.act) if name == "hand" else self.table.spot(self.act.spot)
        raise AttributeError(name)


class BulkMachine(HouseMachine):
    """A house's rows laid out flat from its library machine; ``judge`` and ``apply`` as the interactive driver's."""

    def __init__(self, interactive: HouseMachine) -> None:
        self.house, self.machine = interactive.house, interactive.machine
        self._by_motion, self._paths, self._duties = interactive._by_motion, interactive._paths, interactive._duties
        self._rows = flattened(interactive)
        self._rows["call total dealer"] = self._rows.get("call total", ())
        # Where the floor has ruled, the interactive driver's own code rules.
        self._watched = {
            verb: watched(verb, [duty for duty in duties if duty.due_name != "floor_has_ruled"])
            for verb, duties in self._duties.items()
        }
        self._hits_soft_17 = self.house.is_("soft-17") == "hit"
        # Which marks an act's rows and duties are told by, and whether the kind of wager names some of their rules.
        self._motions = {
            motion: (self._read(motion, rows), any(row.by_kind is not None for row in rows))
            for motion, rows in self._rows.items()
        }
        self._plans: dict[Key, Plan] = {}

    def _read(self, motion: str, rows: tuple[Row, ...]) -> int:
        verb = motion.split()[0] if motion.split()[0] in _WITH_MOTIONS else motion
        return 0 if verb in _UNMARKED else reads_of(rows, self._watched.get(verb, ()))

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
        ledger = table.ledger
        if ledger.waived or ledger.ruling:
            # The floor's word is rare and changes which row is nearest: the interactive driver's own code rules.
            said = super().judge(position, act, False)
            return said.step, said.unmet, said.path
        check(table, act)
        role = _ROLES[act.verb]
        if role is Role.FLOOR:
            return "TR-73", (), ()
        plan = self._plan(position, act)
        accepts = ledger.offers or (ledger.request and any(one.unmet for one in ledger.requests))
        if plan.said and not accepts:
            return plan.said
        moment = QuickMoment(position, act)
        step, unmet, path = self._nearest(moment, role, plan)
        if role is Role.DEALER:
            if plan.watched:
                unmet = self._left_out(moment, unmet, plan.watched)
            if accepts:
                unmet = [*unmet, *accepted(moment)]
            if unmet and act.verb in SETTLING and cards_too_many(self.house, table):
                said = super().judge(position, act, False)
                return said.step, said.unmet, said.path
        return step, distinct(ordered(list(unmet))) if unmet else (), path

    def _plan(self, position: Position, act: Act) -> Plan:
        """Return what the marks of the position leave to ask; plans are kept, as the marks tell all they are made of."""
        table = position.table
        motion = motion_at(table, act) if act.verb in _WITH_MOTIONS else act.verb
        reads, of_kinds = self._motions.get(motion, (0, False))
        marks = act_marks(table, act, reads, self._hits_soft_17) if reads else 0
        key = (motion, position.state, marks, (act.kind or act.what) if of_kinds else "")
        plan = self._plans.get(key)
        if plan is None:
            if len(self._plans) >= MOST_PLANS:
                self._plans.clear()
            moment = QuickMoment(position, act)
            found = Planner(moment, marks, reads).plan(self._rows.get(motion, ()), self._watched.get(act.verb, ()))
            plan = self._plans[key] = found
        return plan

    def _left_out(
        self, moment: QuickMoment, unmet: list[Unmet] | tuple[()], duties: tuple[Watched, ...]
    ) -> list[Unmet] | tuple[()]:
        """Add the duties due that the act would go on without, in the order of the house's duties."""
        found: list[tuple[int, Unmet]] = []
        dues: dict[Due, list[tuple[int, int]]] = {}
        for early, group in duties:
            for block in early:
                if block(moment, EVERYWHERE):
                    break
            else:
                if early:
                    continue
            for index, due, duty, _ in group:
                places = dues.get(due)
                if places is None:
                    places = dues[due] = due(moment)
                if places and (early or any(block(moment, place) for place in places for block in duty.blocks)):
                    found += [(index, one) for one in missing_duty(moment, duty)]
        if not found:
            return unmet
        return [*unmet, *(one for _, one in sorted(found, key=itemgetter(0)))]

    def _nearest(
        self, moment: QuickMoment, role: Role, plan: Plan
    ) -> tuple[str, list[Unmet] | tuple[()], tuple[str, ...]]:
        best: tuple[tuple[bool, int, bool], str, list[Unmet], tuple[str, ...]] | None = None
        for row in plan.rows:
            for fact in row.facts:
                if not fact(moment):
                    break
            else:
                unmet: list[Unmet] = []
                for guard, use in row.asked:
                    why = guard(moment)
                    if why is not None:
                        unmet.append(unmet_by(use, why))
                path = row.path
                if row.ways:
                    barred, path = _least_barred(moment, row.ways)
                    unmet = barred + unmet
                elif not row.reached and role is Role.DEALER:
                    unmet.append(self._out_of_place(moment))
                selected = row.step.selected
                if selected and not unmet and row.reached:
                    return row.step.id, (), path
                if not selected:
                    unmet += self._not_here(row.step)
                refusing = sum(one.bearing is Bearing.REFUSES for one in unmet)
                rank = (not selected, refusing, not row.reached)
                if best is None or rank < best[0]:
                    best = (rank, row.step.id, unmet, path)
        return (best[1], best[2], best[3]) if best else ("", (), ())

    # -- carrying out --------------------------------------------------------------------------------------------

    def apply(self, position: Position, act: Act, verdict: Verdict | None = None) -> Verdict:
        """Judge an act, carry it out on the position, right or wrong, and return the verdict.

        Raises:
            CannotHappen: no table could see this act; the position is unchanged.
        """
        table, state = position.table, position.state
        if table.memo is None:
            table.memo = {}
        if verdict is not None:
            return super().apply(position, act, verdict)
        step, unmet, path = self.rule(position, act)
        if _ROLES[act.verb] is not Role.DEALER:
            return super().apply(position, act, Verdict(act, state, step, unmet, (), path))
        self._carry_out(Moment(position, act))
        position.state = derive_state(position)
        if unmet:
            self._note_missed(Moment(position, act), unmet)
        return Verdict(act, state, step, unmet, (), path)

    def _carry_out(self, moment: Moment) -> None:
        """Carry an act out, and keep the marks of every spot it did not touch."""
        table, act = moment.table, moment.act
        memo = table.memo or {}
        kept = None if table.ledger.offers or act.verb in _WIDE else memo.get("marks")
        carry_out(moment, move_checked)
        table.memo = after = {}
        if kept is not None:
            after["marks"] = kept
            changed = 0
            if act.spot:
                before, found = kept[act.spot], spot_marks(table.spots[act.spot])
                kept[act.spot], changed = found, before[0] ^ found[0]
            if not changed and "sums" in memo:
                after["sums"] = memo["sums"]
            if not changed & WAGERED and "wagered" in memo:
                after["wagered"] = memo["wagered"]

    def _fire(self, cursor: Cursor, verdict: Verdict) -> bool:
        """Carry a player's event out where the interactive driver fires the library's triggers."""
        moment = cursor.moment
        self._carry_out(moment)
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


def _least_barred(moment: Moment, ways: tuple[Way, ...]) -> tuple[list[Unmet], tuple[str, ...]]:
    """Choose among free moves as the interactive driver does: the least barred way, then the shortest."""
    best: tuple[tuple[int, int], list[Unmet], tuple[str, ...]] | None = None
    for way in ways:
        barred = [unmet_by(use, why) for guard, use in way.asked if (why := guard(moment)) is not None]
        rank = (sum(one.bearing is Bearing.REFUSES for one in barred), len(way.targets))
        if best is None or rank < best[0]:
            best = (rank, barred, way.targets)
    assert best is not None
    return best[1], best[2]
