"""What speaks against an act: guard uses, duties left out, what the act accepts; by whose evidence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from trainer.actions import Act, Role
from trainer.procedure.guards.registry import CLAIMS
from trainer.procedure.model import Bearing, Duty, Evidence, GuardUse, House, Ruling
from trainer.procedure.moment import Moment, Position, ruled_act
from trainer.procedure.sides import side_wager
from trainer.procedure.verdicts import Unmet
from trainer.table import Request, Table

NOT_ACCEPTING = ("refuse", "warn", "call floor", "wait")


def motion_of(moment: Moment) -> str:
    """Return the trigger an act fires: its verb, with what it moves where one verb has several rows."""
    return motion_at(moment.table, moment.act)


def motion_at(table: Table, act: Act) -> str:
    """Return the trigger an act fires at a table.

    Raises:
        CannotHappen: the act speaks of a hand that is not there.
    """
    if act.verb in ("pay", "take", "return"):
        kind = act.kind
        if not kind:
            hand = table.hand(act)
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
    return unmet_by(found, why)


def unmet_by(use: GuardUse, why: str) -> Unmet:
    """Name what a guard use that has its rule says against an act."""
    assert use.rule is not None
    return Unmet(use.ruling, why, use.rule, use.evidence, use.bearing, use.name)


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
    name = place_name(moment, place)
    claims = CLAIMS[duty.due_name](moment, place) if duty.due_name in CLAIMS else [("", duty.says)]
    for slug, says in claims:
        rule, evidence = duty.rule, duty.evidence
        if slug in moment.house.evidence:
            rule, evidence = moment.house.rules[slug], moment.house.evidence[slug]
        bearing = bearing_of(moment.house, evidence)
        if bearing is not Bearing.SILENT:
            said = says.replace("{place}", name)
            yield Unmet(Ruling.OMITTED, said, rule, evidence, bearing, duty.id, duty.topic, place)


def place_name(moment: Moment, place: tuple[int, int]) -> str:
    spot = moment.table.spots.get(place[0])
    if spot is None:
        return "the table"
    if spot.is_split and place[1]:
        return f"hand {place[0]}{'abcdefgh'[place[1] - 1]}"
    return f"spot {place[0]}"


def accepted(moment: Moment) -> list[Unmet]:
    """Return what speaks against the wagers and decisions an act of the dealer accepts."""
    act, ledger = moment.act, moment.table.ledger
    if act.role is not Role.DEALER or act.verb in NOT_ACCEPTING:
        return []
    found: list[Unmet] = []
    for offer in ledger.offers:
        if accepts(act, offer):
            found.extend(offer.unmet)  # type: ignore[arg-type]
    request = ledger.asked_by(act.spot, max(act.hand, 1))
    if request and _carries_out(moment, request):
        found.extend(request.unmet)  # type: ignore[arg-type]
    return [one for one in found if one.rule.slug not in ledger.waived]


def accepts(act: Act, offer: Request) -> bool:
    if offer.what in ("stand", "surrender", "even money"):
        return not (act.verb in ("ask", "call total") and act.spot == offer.spot)
    return True


def _carries_out(moment: Moment, request: Request) -> bool:
    act = moment.act
    if (act.spot, max(act.hand, 1)) != (request.spot, request.hand):
        return False
    return act.verb == ("separate" if request.what == "split" else "deal")


def is_ruled(position: Position, act: Act) -> bool:
    """Tell whether the floor has ruled this very act: then it is right, whatever the procedure says."""
    ruled = ruled_act(position.house, position.table)
    return ruled is not None and (act if ruled.card else replace(act, card=None)) == ruled


def distinct(unmet: tuple[Unmet, ...]) -> tuple[Unmet, ...]:
    seen: dict[tuple[str, str, tuple[int, int]], Unmet] = {}
    for one in unmet:
        seen.setdefault((one.rule.slug, one.why, one.place), one)
    return tuple(seen.values())
