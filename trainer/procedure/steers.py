"""What a statement, rule or default steers in a house's machine: settings, rules, rows, duties, prices."""

from __future__ import annotations

from dataclasses import dataclass

from trainer.procedure.model import House


@dataclass(frozen=True, slots=True)
class Steered:
    """What rests on a statement or default: settings, rules, and prices of side wagers."""

    settings: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    prices: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.settings or self.rules or self.prices)


def steered_by(house: House, name: str) -> Steered:
    """Return what a statement or default steers in the house."""

    def rests(evidence: object) -> bool:
        return name in getattr(evidence, "cites", ()) or getattr(evidence, "default", "") == name

    settings = tuple(slug for slug, one in house.settings.items() if rests(one.evidence))
    rules = tuple(slug for slug, one in house.evidence.items() if rests(one))
    prices = tuple(
        f"{kind}: {outcome} {odds}"
        for wagers in house.games.values()
        for kind, wager in wagers.items()
        for outcome, odds in wager.pays
        if name in wager.cites.get(outcome, ())
    )
    return Steered(settings, rules, prices)


def places_of(house: House, rule: str) -> list[str]:
    """Return the rows, free moves and duties of the machine that serve a rule, as ids with the guard's name."""
    found = []
    for step in house.steps:
        for use in step.uses:
            if (use.rule is not None and use.rule.slug == rule) or (
                use.wager_rule and _a_wager_names(house, use.wager_rule, rule)
            ):
                found.append(f"{step.id} {step.motion}: {use.name}")
    for move in house.free_moves:
        found += [
            f"free move {move.source} to {move.target}: {use.name}"
            for use in move.uses
            if use.rule is not None and use.rule.slug == rule
        ]
    found += [f"duty {duty.id}: {duty.due_name}" for duty in house.duties if duty.rule.slug == rule]
    return found


def _a_wager_names(house: House, key: str, rule: str) -> bool:
    return any(wager.rules.get(key) == rule for wagers in house.games.values() for wager in wagers.values())


def why_nothing(house: House, statement: str) -> str:
    """Return why a statement steers nothing, '' when it steers something."""
    if steered_by(house, statement):
        return ""
    found = house.statements[statement]
    if found.steers_nothing:
        return found.reason or "it names, praises, defines or explains, and constrains no act of the dealer"
    return ""
