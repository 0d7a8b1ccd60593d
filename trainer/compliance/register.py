"""What a house's document leaves open or says in two ways, as questions to its owner, with all that hangs on them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from trainer.procedure.machine import HouseMachine
from trainer.procedure.model import Answer, Bearing, Default, House, Policy
from trainer.rounds.play import replay
from trainer.rounds.script import Script

_STATEMENT = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*-\d{3}")


@dataclass(frozen=True, slots=True)
class Question:
    """One open point: how we read it, why, what it decides, and the answer if the owner has given one."""

    default: Default
    text: str
    statements: tuple[str, ...]
    settings: tuple[tuple[str, str], ...]
    rules: tuple[str, ...]
    steps: tuple[str, ...]
    scenarios: tuple[str, ...]
    answer: Answer | None = None

    @property
    def amounts(self) -> tuple[tuple[str, str], ...]:
        """The settings that fix what is paid or taken."""
        return tuple(
            (name, value) for name, value in self.settings if "odds" in name or "takes" in name or "amount" in name
        )

    @property
    def effect(self) -> str:
        """What our reading does to a trainee."""
        if self.answer:
            return (
                "the answer judges: an act against it is a fault" if self.answer.holds else "our reading is withdrawn"
            )
        return {
            Policy.OPEN: "nobody is corrected, whatever is done",
            Policy.ADVICE: "an act against our reading is accepted and commented",
            Policy.FIXED: "our reading is needed to go on; an act against it is accepted and commented",
            Policy.NOT_JUDGED: "the machine has no view",
            Policy.INFERRED: "the statements force this reading, and an act against it is a fault",
        }[self.default.policy]


def register(machine: HouseMachine, scripts: Iterable[Script] = ()) -> list[Question]:
    """Return the questions a house's owner has to answer, in the order of the defaults."""
    house = machine.house
    seen = _scenarios(machine, scripts)
    return [
        _question(house, default, tuple(seen.get(default.id, {})))
        for default in house.defaults.values()
        if house.slug in default.houses or default.id in _used(house)
    ]


def _used(house: House) -> set[str]:
    given = [*house.evidence.values(), *(setting.evidence for setting in house.settings.values())]
    return {evidence.default for evidence in given if evidence.default} | set(house.answers)


def _question(house: House, default: Default, scenarios: tuple[str, ...]) -> Question:
    rules = tuple(slug for slug in house.rules if _default_of(house, slug) == default.id)
    found = f"{default.gap} {default.reading} {default.reason}"
    mine = tuple(name for name in dict.fromkeys(_STATEMENT.findall(found)) if name in house.statements)
    return Question(
        default,
        ask(house, default),
        mine,
        tuple((slug, one.value) for slug, one in house.settings.items() if one.evidence.default == default.id),
        rules,
        _steps(house, set(rules)),
        scenarios,
        house.answers.get(default.id),
    )


def _default_of(house: House, rule: str) -> str:
    evidence = house.evidence.get(rule)
    return evidence.default if evidence else ""


def _steps(house: House, rules: set[str]) -> tuple[str, ...]:
    steps = [step.id for step in house.steps if any(use.rule and use.rule.slug in rules for use in step.uses)]
    steps += [
        f"duty {duty.id}" for duty in house.duties if duty.rule.slug in rules and duty.bearing is not Bearing.SILENT
    ]
    return tuple(steps)


def ask(house: House, default: Default) -> str:
    """Phrase an open point as a question to the owner of the procedure."""
    what, reading = default.what.rstrip("."), default.reading.rstrip(".")
    gap = default.gap.partition(" ")[0].strip("(),;")
    state = {
        "silent": "the document is silent",
        "contradictory": "two statements pull apart",
        "ambiguous": "a statement can be read in two ways",
        "general": "a general sentence meets a special one",
        "derived": "no sentence says this by itself",
        "documented": "the document lets this be changed",
    }.get(gap, "the document is incomplete")
    matter = what.replace('"', "'")
    return f'On "{matter}" {state}. We deal: {_lower(reading)}. Is that how {house.title} deals it? If not, how?'


def _lower(text: str) -> str:
    first = text.partition(" ")[0]
    keep = len(first) > 1 and (first.isupper() or first.endswith(":"))
    return text if keep or first in ("I", "ACES", "Perfect", "Fortune", "Commission") else text[:1].lower() + text[1:]


def _scenarios(machine: HouseMachine, scripts: Iterable[Script]) -> dict[str, dict[str, None]]:
    """The scenarios in which a default draws a comment or is expected, by default."""
    found: dict[str, dict[str, None]] = {}
    for script in scripts:
        names = [line.default for line in script.lines if line.default]
        for entry in replay(script, machine).judged:
            names += entry.verdict.defaults
        for name in names:
            for known in machine.house.defaults:
                if known == name or known[:-1] == name:
                    found.setdefault(known, {})[script.path] = None
    return found
