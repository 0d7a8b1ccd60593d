"""A house's finite-state machine on ``transitions``: what is legal, how an act is judged, how it is carried out.

One flat, shared ``Machine`` per house. Positions are not registered as its models; a short-lived cursor carries the
state through each trigger. Only documented or inferred evidence becomes a condition of a transition.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from transitions import Machine
from transitions.core import Condition, EventData, State, Transition

from trainer.actions import Act, Role
from trainer.moves import check, move
from trainer.procedure.guards.decisions import ORDER, request_here
from trainer.procedure.guards.registry import CLAIMS
from trainer.procedure.model import Bearing, Duty, Evidence, FreeMove, GuardUse, House, Ruling, Step
from trainer.procedure.moment import Moment, Position, derive_state, ruled_act
from trainer.procedure.settle import release_pushes
from trainer.procedure.sides import side_wager
from trainer.procedure.verdicts import Severity, Unmet, Verdict, ordered
from trainer.table import CannotHappen, Request

FREE = "free move"
ON_A_HAND = ("ask", "separate", "lay")
GENERAL_RULES = ("one-settlement-each", "act-in-its-place")
_IN_ORDER = ("player_is_in_turn", "split_hand_is_in_turn")
_NOT_ACCEPTING = ("refuse", "warn", "call floor", "wait")
DECISION_VERBS = ("signal", "double", "split", "surrender")


def motion_of(moment: Moment) -> str:
    """Return the trigger an act fires: its verb, with what it moves where one verb has several rows."""
    act = moment.act
    if act.verb in ("pay", "take", "return"):
        kind = act.kind
        if not kind:
            hand = moment.hand
            kind = "bust" if hand.is_bust_wager and "main" not in hand.stacks else "main"
        if kind in ("main", "split", "double"):
            return f"{act.verb} main"
        if kind == "bust":
            return "return main" if act.verb == "return" else f"{act.verb} bust"
        return f"{act.verb} insurance" if kind == "insurance" else f"{act.verb} side"
    if act.verb == "wager":
        return f"wager {act.kind or 'main'}" if act.kind in ("", "main", "bust") else "wager side"
    if act.verb == "signal":
        return f"signal {act.what}"
    if act.verb == "call total dealer":
        return "call total"
    return act.verb


class Cursor:
    """What goes through one trigger: the position's state and the moment being judged."""

    __slots__ = ("moment", "path", "request", "state", "step")

    def __init__(self, moment: Moment, request: Request | None = None) -> None:
        self.moment, self.state = moment, moment.position.state
        self.request = request
        self.step = ""
        self.path: tuple[str, ...] = ()


class GuardCondition(Condition):  # type: ignore[misc]
    """A refusing guard use as a condition of the library, keeping rule and evidence with it."""

    def __init__(self, use: GuardUse) -> None:
        super().__init__(use.name)
        self.use = use

    def check(self, event_data: EventData) -> bool:
        return unmet_use(event_data.model.moment, self.use) is None


class FactCondition(Condition):  # type: ignore[misc]
    """A fact that tells which row an act belongs to."""

    def __init__(self, name: str, fact: Any) -> None:
        super().__init__(name)
        self.fact = fact

    def check(self, event_data: EventData) -> bool:
        return bool(self.fact(event_data.model.moment))


class DutyCondition(Condition):  # type: ignore[misc]
    """No documented duty is due that the act would go on without, and nothing out of order is accepted."""

    def __init__(self, duties: list[Duty]) -> None:
        super().__init__("no_duty_is_left_out")
        self.duties = duties

    def check(self, event_data: EventData) -> bool:
        moment = event_data.model.moment
        if any(True for duty in self.duties for _ in missing_duty(moment, duty)):
            return False
        return all(one.bearing is not Bearing.REFUSES for one in accepted(moment))


class ProcedureStep(Transition):  # type: ignore[misc]
    """A transition that carries its row, moves cards and chips, and ends where the position then stands."""

    def __init__(self, source: str, dest: str, step: Step | FreeMove) -> None:
        super().__init__(source, dest)
        self.step = step

    def _change_state(self, event_data: EventData) -> None:
        cursor = event_data.model
        if isinstance(self.step, FreeMove):
            event_data.machine.set_state(self.dest, cursor)
            cursor.path += (self.dest,)
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
        refusing = [GuardCondition(use) for use in free.uses if use.bearing is Bearing.REFUSES]
        _add(machine, f"{FREE}: {free.target}", ProcedureStep(free.source, free.target, free), refusing)
    return machine


def _add(machine: Machine, trigger: str, step: ProcedureStep, conditions: list[Condition]) -> None:
    if trigger not in machine.events:
        machine.events[trigger] = machine.event_cls(trigger, machine)
    step.conditions = conditions
    machine.events[trigger].add_transition(step)


# -- conditions -------------------------------------------------------------------------------------------------


def resolved(moment: Moment, use: GuardUse) -> GuardUse | None:
    """Fill in the rule a side wager names for a guard use; None when it names none."""
    if use.rule is not None:
        return use
    kind = moment.act.kind or moment.act.what
    wager = side_wager(moment.position, kind)
    slug = wager.rules.get(use.wager_rule, "") if wager else ""
    if not slug:
        return None
    evidence = moment.house.evidence.get(slug, Evidence())
    bearing = bearing_of(moment.house, evidence)
    return replace(use, rule=moment.house.rules[slug], evidence=evidence, bearing=bearing)


def bearing_of(house: House, evidence: Evidence) -> Bearing:
    """Tell what evidence makes of a guard use in a house."""
    if evidence.is_documented:
        return Bearing.REFUSES
    default = house.defaults.get(evidence.default)
    if default and default.policy in ("advice", "fixed"):
        return Bearing.COMMENTS
    return Bearing.SILENT


def unmet_use(moment: Moment, use: GuardUse) -> Unmet | None:
    """Return what a guard use has against the act, None when it has nothing or may not speak."""
    found = resolved(moment, use)
    if found is None or found.bearing is Bearing.SILENT or found.rule is None:
        return None
    if found.rule.slug in moment.table.ledger.waived:
        return None
    why = found.guard(moment)
    if why is None:
        return None
    return Unmet(found.ruling, why, found.rule, found.evidence, found.bearing, use.name)


def missing_duty(moment: Moment, duty: Duty) -> Iterator[Unmet]:
    """Yield each place where a duty is due that the act would go on without."""
    if moment.act.verb not in duty.verbs or duty.bearing is Bearing.SILENT:
        return
    if duty.rule.slug in moment.table.ledger.waived:
        return
    for place in duty.due(moment):
        if (duty.topic, place) in moment.table.ledger.missed:
            continue
        if any(blocks(moment, place) for blocks in duty.blocks):
            yield from _omitted(moment, duty, place)


def _omitted(moment: Moment, duty: Duty, place: tuple[int, int]) -> Iterator[Unmet]:
    """Name the duty left out, by the rules that stand behind it at this place where it alone does not tell."""
    name = _name(moment, place)
    claims = CLAIMS[duty.due_name](moment, place) if duty.due_name in CLAIMS else [("", duty.says)]
    for slug, says in claims:
        rule, evidence = duty.rule, duty.evidence
        if slug in moment.house.evidence:
            rule, evidence = moment.house.rules[slug], moment.house.evidence[slug]
        bearing = bearing_of(moment.house, evidence)
        if bearing is not Bearing.SILENT:
            said = says.replace("{place}", name)
            yield Unmet(Ruling.OMITTED, said, rule, evidence, bearing, duty.id, duty.topic, place)


def _name(moment: Moment, place: tuple[int, int]) -> str:
    spot = moment.table.spots.get(place[0])
    if spot is None:
        return "the table"
    if spot.is_split and place[1]:
        return f"hand {place[0]}{'abcdefgh'[place[1] - 1]}"
    return f"spot {place[0]}"


def accepted(moment: Moment) -> list[Unmet]:
    """Return what speaks against the wagers and decisions an act of the dealer accepts."""
    act, ledger = moment.act, moment.table.ledger
    if act.role is not Role.DEALER or act.verb in _NOT_ACCEPTING:
        return []
    found: list[Unmet] = []
    for offer in ledger.offers:
        if _accepts(act, offer):
            found.extend(offer.unmet)  # type: ignore[arg-type]
    request = ledger.asked_by(act.spot, max(act.hand, 1))
    if request and _carries_out(moment, request):
        found.extend(request.unmet)  # type: ignore[arg-type]
    return [one for one in found if one.rule.slug not in ledger.waived]


def _accepts(act: Act, offer: Request) -> bool:
    if offer.what in ("stand", "surrender", "even money"):
        return not (act.verb in ("ask", "call total") and act.spot == offer.spot)
    return True


def _carries_out(moment: Moment, request: Request) -> bool:
    act = moment.act
    if (act.spot, max(act.hand, 1)) != (request.spot, request.hand):
        return False
    return act.verb == ("separate" if request.what == "split" else "deal")


# -- carrying out -----------------------------------------------------------------------------------------------


def carry_out(moment: Moment) -> None:
    """Move cards and chips and keep the ledger; nothing is judged."""
    table, act = moment.table, moment.act
    begins = act.verb in ON_A_HAND or (act.verb == "deal" and _is_played(moment))
    if act.role is Role.DEALER and act.verb not in _NOT_ACCEPTING:
        _settle_offers(moment)
    if act.verb == "clear":
        release_pushes(moment.position, moment.spot, moment.hand)
    move(table, act)
    if begins:
        table.ledger.play_begun = True
    if table.ledger.ruling and act.role is Role.DEALER and act.verb not in _NOT_ACCEPTING:
        table.ledger.ruling = ""


def _is_played(moment: Moment) -> bool:
    """Tell whether a player's card belongs to play: after the deal, or asked for while it runs."""
    if not moment.in_initial_deal:
        return True
    return len(moment.hand.cards) >= 2 and request_here(moment) is not None


def _settle_offers(moment: Moment) -> None:
    """What was out of order and has now been accepted is in play; wagers the house may not take are void."""
    ledger, table = moment.table.ledger, moment.table
    if not ledger.offers:
        return
    rest = []
    for offer in ledger.offers:
        if not _accepts(moment.act, offer):
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


def is_ruled(position: Position, act: Act) -> bool:
    """Tell whether the floor has ruled this very act: then it is right, whatever the procedure says."""
    ruled = ruled_act(position.house, position.table)
    return ruled is not None and (act if ruled.card else replace(act, card=None)) == ruled


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
        moment = Moment(position, act)
        if act.role is Role.FLOOR:
            return Verdict(act, position.state, "TR-73")
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
            ways = tuple(self.suggest(position))
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
        what = {"insure": "insurance", "wager": act.kind or "main", "signal": act.what}.get(act.verb, act.verb)
        if act.verb in ("touch", "spectator touches"):
            what = "touch"
        request = Request(what, act.spot, max(act.hand, 1), act.amount or 0, not refused, verdict.unmet)
        carries = act.verb in ("signal", "double", "split") and act.what != "stand"
        cursor = Cursor(moment, request if carries else None)
        ledger = table.ledger
        if not carries:
            if act.verb in DECISION_VERBS:
                ledger.drop(*moment.key)
            mine = (what, act.spot, request.hand)
            ledger.offers = tuple(one for one in ledger.offers if (one.what, one.spot, one.hand) != mine)
            if verdict.unmet:
                ledger.offers += (replace(request, unmet=_concerning(verdict.unmet, act, what)),)
        if not refused and verdict.step and self._fire(cursor, verdict):
            position.state = cursor.state
            return
        carry_out(moment)
        if carries:
            ledger.ask(request)
        position.state = derive_state(position)

    # -- what may be done ----------------------------------------------------------------------------------------

    def legal_actions(self, position: Position) -> list[Act]:
        """Return every dealer act that judges right here without advice, the house's or the default's way first.

        Cards of acts are left out: the shoe supplies them.
        """
        from trainer.procedure.ways import dealer_ways

        return [act for act in dealer_ways(position) if self._is_right(position, act)]

    def suggest(self, position: Position) -> list[Act]:
        """Return the first act of ``legal_actions``, found without judging the others."""
        from trainer.procedure.ways import dealer_ways

        for act in dealer_ways(position):
            if act.verb not in ("wait", "call floor") and self._is_right(position, act):
                return [act]
        return []

    def _is_right(self, position: Position, act: Act) -> bool:
        try:
            return self.judge(position, act, instead=False).is_right
        except CannotHappen:
            return False


def _concerning(unmet: tuple[Unmet, ...], act: Act, what: str) -> tuple[Unmet, ...]:
    return tuple(replace(one, concerns=f"{act.spot} {what}") for one in unmet)


def distinct(unmet: tuple[Unmet, ...]) -> tuple[Unmet, ...]:
    seen: dict[tuple[str, str, tuple[int, int]], Unmet] = {}
    for one in unmet:
        seen.setdefault((one.rule.slug, one.why, one.place), one)
    return tuple(seen.values())


def _free_paths(moves: list[FreeMove]) -> dict[str, list[tuple[FreeMove, ...]]]:
    """Every way of free moves from each state, shortest first."""
    found: dict[str, list[tuple[FreeMove, ...]]] = {}
    front: list[tuple[FreeMove, ...]] = [(one,) for one in moves]
    while front:
        path = front.pop(0)
        found.setdefault(path[0].source, []).append(path)
        front.extend((*path, one) for one in moves if one.source == path[-1].target)
    return found
