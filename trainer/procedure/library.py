"""A house's rows as one flat ``Machine`` of the library, with conditions and transitions of our own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from transitions import Machine
from transitions.core import Condition, EventData, State, Transition

from trainer.actions import Act, Role
from trainer.moves import move
from trainer.procedure.conditions import NOT_ACCEPTING, accepted, accepts, missing_duty, unmet_use
from trainer.procedure.guards.decisions import request_here
from trainer.procedure.model import Bearing, Duty, FreeMove, GuardUse, House, Step
from trainer.procedure.moment import Moment, derive_state
from trainer.procedure.settle import release_pushes
from trainer.procedure.verdicts import Severity, Unmet
from trainer.table import Request, Table

FREE = "free move"
ON_A_HAND = ("ask", "separate", "lay")


class Cursor:
    """What goes through one trigger: the position's state and the moment being judged."""

    __slots__ = ("moment", "path", "request", "state", "step")

    def __init__(self, moment: Moment, request: Request | None = None) -> None:
        self.moment, self.state = moment, moment.position.state
        self.request = request
        self.step = ""
        self.path: tuple[str, ...] = ()


def cursor_of(event_data: EventData) -> Cursor:
    """Return what this trigger carries; the library knows it as the model only."""
    cursor = event_data.model
    assert isinstance(cursor, Cursor)
    return cursor


class GuardCondition(Condition):
    """A refusing guard use as a condition of the library, keeping rule and evidence with it."""

    def __init__(self, use: GuardUse) -> None:
        super().__init__(use.name)
        self.use = use

    def check(self, event_data: EventData) -> bool:
        return unmet_use(cursor_of(event_data).moment, self.use) is None


class FactCondition(Condition):
    """A fact that tells which row an act belongs to."""

    def __init__(self, name: str, fact: Any) -> None:
        super().__init__(name)
        self.fact = fact

    def check(self, event_data: EventData) -> bool:
        return bool(self.fact(cursor_of(event_data).moment))


class DutyCondition(Condition):
    """No documented duty is due that the act would go on without, and nothing out of order is accepted."""

    def __init__(self, duties: list[Duty]) -> None:
        super().__init__("no_duty_is_left_out")
        self.duties = duties

    def check(self, event_data: EventData) -> bool:
        moment = cursor_of(event_data).moment
        if any(True for duty in self.duties for _ in missing_duty(moment, duty)):
            return False
        return all(one.bearing is not Bearing.REFUSES for one in accepted(moment))


class ProcedureStep(Transition):
    """A transition that carries its row, moves cards and chips, and ends where the position then stands."""

    def __init__(self, source: str, dest: str, step: Step | FreeMove) -> None:
        super().__init__(source, dest)
        self.step = step

    def _change_state(self, event_data: EventData) -> None:
        cursor = cursor_of(event_data)
        if isinstance(self.step, FreeMove):
            event_data.machine.set_state(self.step.target, cursor)
            cursor.path += (self.step.target,)
            return
        carry_out(cursor.moment)
        if cursor.request:
            cursor.moment.table.ledger.ask(cursor.request)
        cursor.step = self.step.id
        event_data.machine.set_state(derive_state(cursor.moment.position), cursor)


def build(house: House) -> Machine:
    """Build the library's machine from a house's rows."""
    machine = Machine(
        model=None,
        states=[State(name) for name in house.states],
        initial="wagers",
        auto_transitions=False,
        send_event=True,
        queued=False,
    )
    duty = DutyCondition([one for one in house.duties if one.bearing is Bearing.REFUSES])
    for step in house.steps:
        if not step.selected:
            continue
        conditions: list[Condition] = [
            FactCondition(name, fact) for name, fact in zip(step.fact_names, step.facts, strict=True)
        ]
        conditions += [GuardCondition(use) for use in step.uses if use.bearing is Bearing.REFUSES]
        conditions.append(duty)
        for source in step.sources:
            dest = source if step.targets[0] == "same" else step.targets[0]
            _add(machine, step.motion, ProcedureStep(source, dest, step), conditions)
    for free in house.free_moves:
        refusing: list[Condition] = [GuardCondition(use) for use in free.uses if use.bearing is Bearing.REFUSES]
        _add(machine, f"{FREE}: {free.target}", ProcedureStep(free.source, free.target, free), refusing)
    return machine


def _add(machine: Machine, trigger: str, step: ProcedureStep, conditions: list[Condition]) -> None:
    if trigger not in machine.events:
        machine.events[trigger] = machine.event_cls(trigger, machine)
    step.conditions = conditions
    machine.events[trigger].add_transition(step)


def carry_out(moment: Moment, moves: Callable[[Table, Act], None] = move) -> None:
    """Move cards and chips and keep the ledger; nothing is judged."""
    table, act = moment.table, moment.act
    verb = act.verb
    begins = verb in ON_A_HAND or (verb == "deal" and _is_played(moment))
    if table.ledger.offers and act.role is Role.DEALER and verb not in NOT_ACCEPTING:
        _settle_offers(moment)
    if verb == "clear":
        release_pushes(moment.position, moment.spot, moment.hand)
    moves(table, act)
    if begins:
        table.ledger.play_begun = True
    if table.ledger.ruling and act.role is Role.DEALER and verb not in NOT_ACCEPTING:
        table.ledger.ruling = ""


def _is_played(moment: Moment) -> bool:
    """Tell whether a player's card belongs to play: after the deal, or asked for while it runs."""
    if not moment.in_initial_deal:
        return True
    return len(moment.hand.cards) >= 2 and request_here(moment) is not None


def _settle_offers(moment: Moment) -> None:
    """What was out of order and has now been accepted is in play; wagers the house may not take are void."""
    ledger, table = moment.table.ledger, moment.table
    rest = []
    for offer in ledger.offers:
        if not accepts(moment.act, offer):
            rest.append(offer)
            continue
        spot = table.spots.get(offer.spot)
        if spot and offer.what == "even money" and any(one.severity is Severity.FAULT for one in offer.unmet):  # type: ignore[attr-defined]
            spot.hands[offer.hand - 1].even_money = False
        stack = spot.side.get(offer.what) if spot else None
        if stack and offer.amount:
            unmet: tuple[Unmet, ...] = offer.unmet  # type: ignore[assignment]
            only_amount = all(one.name == "insurance_is_at_most_half" for one in unmet)
            if only_amount and spot:
                stack.over = max(0, stack.staked - spot.original // 2)
            elif any(one.bearing is Bearing.REFUSES or offer.what == "insurance" for one in unmet):
                stack.void = True
    ledger.offers = tuple(rest)
