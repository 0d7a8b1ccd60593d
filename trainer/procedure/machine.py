"""A house's finite-state machine on ``transitions``: what is legal, how an act is judged, how it is carried out.

One flat, shared ``Machine`` per house. Positions are not registered as its models; a short-lived cursor carries the
state through each trigger. Only documented or inferred evidence becomes a condition of a transition.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from trainer.actions import Act, Role
from trainer.checks import check
from trainer.procedure.conditions import (
    accepted,
    bearing_of,
    distinct,
    is_ruled,
    missing_duty,
    motion_of,
    resolved,
    unmet_use,
)
from trainer.procedure.guards.decisions import ORDER
from trainer.procedure.library import FREE, Cursor, build, carry_out
from trainer.procedure.model import Bearing, Duty, Evidence, FreeMove, House, Ruling, Step
from trainer.procedure.moment import Moment, Position, cards_too_many, derive_state, unfinished
from trainer.procedure.verdicts import Unmet, Verdict, ordered
from trainer.table import MAIN_KINDS, CannotHappen, Request, Table

GENERAL_RULES = ("one-settlement-each", "act-in-its-place")
_BESIDE_THE_MAIN = ("main_wager_is_down", "side_wager_is_at_most_the_main_wager")
_HANDS_FINISHED = ("every_hand_is_finished", "every_hand_is_finished_under_ace_or_ten")
_IN_ORDER = ("player_is_in_turn", "split_hand_is_in_turn")
SETTLING = ("pay", "take", "return", "push")
BRINGING_NOTHING_ON = ("wait", "call floor", "call total dealer", "gesture tap")
DECISION_VERBS = ("signal", "double", "split", "surrender")


class HouseMachine:
    """The three doors of a house: ``legal_actions``, ``judge``, ``apply``."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.machine = build(house)
        self._by_motion: dict[str, list[Step]] = {}
        for step in house.steps:
            self._by_motion.setdefault(step.motion, []).append(step)
        self._paths = _free_paths(house.free_moves)
        self._duties: dict[str, list[Duty]] = {}
        for duty in house.duties:
            for verb in sorted(duty.verbs) if duty.bearing is not Bearing.SILENT else ():
                self._duties.setdefault(verb, []).append(duty)

    # -- judging -------------------------------------------------------------------------------------------------

    def judge(self, position: Position, act: Act, instead: bool = True) -> Verdict:
        """Rule on an act without side effects.

        Raises:
            CannotHappen: no table could see this act.
        """
        check(position.table, act)
        if act.role is Role.FLOOR:
            return Verdict(act, position.state, "TR-73")
        with kept_readings(position.table):
            verdict = self._judged(position, act, instead)
        many = cards_too_many(self.house, position.table) if verdict.unmet and act.verb in SETTLING else 0
        if many:
            # No page says what becomes of a card too many: a settlement that is right without it stands as well.
            without = position.copied()
            del without.table.dealer.cards[-many:]
            again = self._judged(without, act, instead)
            return again if again.is_right else verdict
        return verdict

    def _judged(self, position: Position, act: Act, instead: bool) -> Verdict:
        moment = Moment(position, act)
        step, unmet, path = self._best_row(moment)
        if act.role is Role.DEALER:
            held_up = self._duties.get(act.verb, ())
            unmet = unmet + [one for duty in held_up for one in missing_duty(moment, duty)]
            unmet = unmet + accepted(moment)
        waived = position.table.ledger.waived
        found = distinct(ordered([one for one in unmet if one.rule.slug not in waived]))
        if is_ruled(position, act):
            found = ()
        ways: tuple[Act, ...] = ()
        if found and instead and act.role is Role.DEALER:
            ways = tuple(self._instead(position, act))
        rests_on = self._rests_on(moment, step) if instead else ()
        return Verdict(act, position.state, step.id if step else "", found, ways, path, rests_on)

    def _rests_on(self, moment: Moment, step: Step | None) -> tuple[str, ...]:
        """The statements and defaults the row's guards rest on in this house, documented ones first."""
        if step is None:
            return ()
        found: dict[str, None] = {}
        carried_out = self.house.evidence.get(step.rule)
        if carried_out:
            found.update(dict.fromkeys(carried_out.cites or ((carried_out.default,) if carried_out.default else ())))
        uses = [known for use in step.uses if (known := resolved(moment, use)) and known.rule]
        uses.sort(key=lambda known: known.rule is not None and known.rule.slug in GENERAL_RULES)
        for known in uses:
            default = known.evidence.default
            found.update(dict.fromkeys(known.evidence.cites or ((default,) if default else ())))
        return tuple(sorted(found, key=lambda name: name.startswith("D-")))

    def _best_row(self, moment: Moment) -> tuple[Step | None, list[Unmet], tuple[str, ...]]:
        best: tuple[tuple[int, int, int], Step | None, list[Unmet], tuple[str, ...]] | None = None
        for step in self._by_motion.get(motion_of(moment), []):
            if not all(fact(moment) for fact in step.facts):
                continue
            unmet = [one for use in step.uses if (one := unmet_use(moment, use))]
            on_the_way, path, reached = self._way(moment, step)
            if not reached and moment.act.role is Role.DEALER:
                unmet.append(self._out_of_place(moment))
            unmet = on_the_way + unmet
            if not step.selected:
                unmet += self._not_here(step)
            refusing = sum(one.bearing is Bearing.REFUSES for one in unmet)
            rank = (int(not step.selected), refusing, int(not reached))
            if best is None or rank < best[0]:
                best = (rank, step, unmet, path)
        return (best[1], best[2], best[3]) if best else (None, [], ())

    def _not_here(self, step: Step) -> list[Unmet]:
        """What the setting that leaves a row out says of an act that only this row would take."""
        setting = self.house.settings[step.selected_by]
        rule = self.house.rules.get(step.selected_by)
        bearing = bearing_of(self.house, setting.evidence)
        if rule is None or bearing is Bearing.SILENT:
            return []
        return [Unmet(Ruling.NOT_HERE, setting.means, rule, setting.evidence, bearing, step.selected_by)]

    def _out_of_place(self, moment: Moment) -> Unmet:
        """An act that no statement speaks of here is commented, never a fault (D-97)."""
        rule = self.house.rules["act-in-its-place"]
        evidence = self.house.evidence.get(rule.slug, Evidence(default="D-97"))
        why = f"this has no place while the state is: {moment.state}"
        return Unmet(Ruling.WRONG_TIME, why, rule, evidence, Bearing.COMMENTS, "act_in_its_place")

    def _way(self, moment: Moment, step: Step) -> tuple[list[Unmet], tuple[str, ...], bool]:
        """Find the free moves to a state of the row; say what bars the least barred of them."""
        if moment.state in step.sources:
            return [], (), True
        best: tuple[tuple[int, int], list[Unmet], tuple[str, ...]] | None = None
        for path in self._paths.get(moment.state, ()):
            if path[-1].target not in step.sources:
                continue
            barred = [one for free in path for use in free.uses if (one := unmet_use(moment, use))]
            rank = (sum(one.bearing is Bearing.REFUSES for one in barred), len(path))
            if best is None or rank < best[0]:
                best = (rank, barred, tuple(free.target for free in path))
        if best is None:
            return [], (), False
        return best[1], best[2], True

    # -- carrying out --------------------------------------------------------------------------------------------

    def apply(self, position: Position, act: Act, verdict: Verdict | None = None) -> Verdict:
        """Judge an act, carry it out on the position, right or wrong, and return the verdict.

        Raises:
            CannotHappen: no table could see this act; the position is unchanged.
        """
        verdict = verdict or self.judge(position, act)
        moment = Moment(position, act)
        if act.role is Role.PLAYER:
            self._happen(moment, verdict)
            return verdict
        refused = any(one.bearing is Bearing.REFUSES for one in verdict.unmet)
        cursor = Cursor(moment)
        if not refused and verdict.step and self._fire(cursor, verdict):
            position.state = cursor.state
        else:
            carry_out(moment)
            position.state = derive_state(position)
        self._note_missed(moment, verdict.unmet)
        return verdict

    def _note_missed(self, moment: Moment, unmet: tuple[Unmet, ...]) -> None:
        """Keep in the ledger what was left out and told, so that it is not told again."""
        missed = {(one.topic, one.place) for one in unmet if one.ruling is Ruling.OMITTED and one.topic}
        if any(one.name in _IN_ORDER for one in unmet):
            missed.add((ORDER, moment.key))
        if any(one.name in _HANDS_FINISHED and one.bearing is Bearing.REFUSES for one in unmet):
            # Passing over a hand by turning the hole card is told there, not again when it is settled.
            left = unfinished(self.house, moment.table)
            missed |= {("choice", (spot.number, index)) for spot, index, _ in left}
        if missed and moment.act.verb != "start":
            moment.table.ledger.missed |= missed

    def _fire(self, cursor: Cursor, verdict: Verdict) -> bool:
        events = self.machine.events
        for target in verdict.path:
            if not events[f"{FREE}: {target}"].trigger(cursor):
                return False
        motion = motion_of(cursor.moment)
        if motion not in events or cursor.state not in events[motion].transitions:
            return False
        return bool(events[motion].trigger(cursor))

    def _happen(self, moment: Moment, verdict: Verdict) -> None:
        """Let a player's event happen; what speaks against it waits for the act that accepts it."""
        position, table, act = moment.position, moment.table, moment.act
        refused = any(one.bearing is Bearing.REFUSES for one in verdict.unmet)
        what = _asked_for(act)
        request = Request(what, act.spot, max(act.hand, 1), act.amount or 0, not refused, verdict.unmet)
        carries = act.verb in ("signal", "double", "split") and act.what != "stand"
        cursor = Cursor(moment, request if carries else None)
        ledger = table.ledger
        if not carries:
            if act.verb in DECISION_VERBS:
                ledger.drop(*moment.key)
            mine = (what, act.spot, request.hand)
            if ledger.offers:
                ledger.offers = tuple(one for one in ledger.offers if (one.what, one.spot, one.hand) != mine)
            if verdict.unmet:
                ledger.offers += (replace(request, unmet=_concerning(verdict.unmet, act.spot, what)),)
        if not refused and verdict.step and self._fire(cursor, verdict):
            position.state = cursor.state
        else:
            carry_out(moment)
            if carries:
                ledger.ask(request)
            position.state = derive_state(position)
        if what in ("main", "bust") and table.spot(act.spot).side:
            self._reconsider(position, act.spot)

    def _reconsider(self, position: Position, number: int) -> None:
        """Judge the side wagers of a spot anew once its main wager lies there: they may come in any order."""
        table = position.table
        offers = {(one.spot, one.what): one for one in table.ledger.offers}
        for kind, stack in table.spot(number).side.items():
            # The chips lie there already, so the act adds none.
            again = self.judge(position, Act("wager", number, kind=kind, amount=0), instead=False).unmet
            before = offers.pop((number, kind), None)
            told = [one for one in (before.unmet if before else ()) if isinstance(one, Unmet)]
            unmet = [one for one in told if one.name not in _BESIDE_THE_MAIN]
            unmet += _concerning(tuple(one for one in again if one.name in _BESIDE_THE_MAIN), number, kind)
            if unmet:
                valid = not any(one.bearing is Bearing.REFUSES for one in unmet)
                offers[number, kind] = Request(kind, number, 1, stack.amount, valid, tuple(unmet))
        table.ledger.offers = tuple(offers.values())

    # -- what may be done ----------------------------------------------------------------------------------------

    def legal_actions(self, position: Position) -> list[Act]:
        """Return every dealer act that judges right here without advice, the house's or the default's way first.

        Cards of acts are left out: the shoe supplies them.
        """
        from trainer.procedure.ways import dealer_ways

        with kept_readings(position.table):
            return [act for act in dealer_ways(position) if self._is_right(position, act)]

    def _instead(self, position: Position, act: Act) -> list[Act]:
        """What is right instead: of a settlement what is due on that very hand or wager, else what comes next."""

        if act.verb == "call total" and position.table.hand(act).has_cards:
            said = replace(act, total=position.table.hand(act).total)
            if self._is_right(position, said):
                return [said]
        if act.verb in SETTLING:
            meant = _settled_there(act)
            due = self.still_due(position, act)
            if due:
                return [due]
            call = Act("call blackjack", act.spot)
            if meant[2] == "" and position.table.hand(act).is_blackjack and self._is_right(position, call):
                return [call]
        return self.suggest(position)

    def still_due(self, position: Position, act: Act) -> Act | None:
        """Return what is due on the hand or wager that an act settles; None when nothing is, or it settles none."""
        from trainer.procedure.ways import dealer_ways

        if act.verb not in SETTLING:
            return None
        meant = _settled_there(act)
        with kept_readings(position.table):
            for way in dealer_ways(position):
                if way.verb in SETTLING and _settled_there(way) == meant and self._is_right(position, way):
                    return way
        return None

    def suggest(self, position: Position) -> list[Act]:
        """Return the first act of ``legal_actions`` that brings the round on, found without judging the others."""
        from trainer.procedure.ways import dealer_ways

        with kept_readings(position.table):
            for act in dealer_ways(position):
                if act.verb not in BRINGING_NOTHING_ON and self._is_right(position, act):
                    return [act]
        return []

    def _is_right(self, position: Position, act: Act) -> bool:
        try:
            return self.judge(position, act, instead=False).is_right
        except CannotHappen:
            return False


@contextmanager
def kept_readings(table: Table) -> Iterator[None]:
    """Keep what is read off a table while nothing moves on it, so that guards need not read it again."""
    before = table.memo
    if before is None:
        table.memo = {}
    try:
        yield
    finally:
        table.memo = before


def _asked_for(act: Act) -> str:
    """Name what a player's act asks for."""
    if act.verb == "wager":
        return act.kind or "main"
    if act.verb == "signal":
        return act.what
    return {"insure": "insurance", "spectator touches": "touch"}.get(act.verb, act.verb)


def _settled_there(act: Act) -> tuple[int, int, str]:
    """The hand whose wager an act settles, or the spot and the wager beside the main one."""
    beside = act.kind not in ("", *MAIN_KINDS)
    return (act.spot, 1, act.kind) if beside else (act.spot, max(act.hand, 1), "")


def _concerning(unmet: tuple[Unmet, ...], spot: int, what: str) -> tuple[Unmet, ...]:
    return tuple(replace(one, concerns=f"{spot} {what}") for one in unmet)


def _free_paths(moves: list[FreeMove]) -> dict[str, list[tuple[FreeMove, ...]]]:
    """Every way of free moves from each state, shortest first."""
    found: dict[str, list[tuple[FreeMove, ...]]] = {}
    front: list[tuple[FreeMove, ...]] = [(one,) for one in moves]
    while front:
        path = front.pop(0)
        found.setdefault(path[0].source, []).append(path)
        front.extend((*path, one) for one in moves if one.source == path[-1].target)
    return found
