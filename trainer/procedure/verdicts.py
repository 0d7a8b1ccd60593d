"""What the machine says of one act: ruling, severity, every unmet condition with its rule and citation."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from trainer.actions import Act
from trainer.procedure.model import Bearing, Evidence, House, Rule, Ruling, Weight


class Severity(StrEnum):
    """Fault: a statement of the house makes it wrong. Advice: only a default of ours speaks against it."""

    FAULT = "fault"
    ADVICE = "advice"
    RIGHT = "right"


@dataclass(frozen=True, slots=True)
class Unmet:
    """One condition an act does not meet: why, by which rule, on which evidence."""

    ruling: Ruling
    why: str
    rule: Rule
    evidence: Evidence
    bearing: Bearing
    name: str = ""
    topic: str = ""
    place: tuple[int, int] = (0, 0)
    concerns: str = ""

    @property
    def severity(self) -> Severity:
        return Severity.FAULT if self.bearing is Bearing.REFUSES else Severity.ADVICE


@dataclass(frozen=True, slots=True)
class Verdict:
    """The judgement of one act. ``unmet`` is empty when it is right; the first one decides the ruling."""

    act: Act
    state: str
    step: str = ""
    unmet: tuple[Unmet, ...] = ()
    instead: tuple[Act, ...] = ()
    path: tuple[str, ...] = ()
    rests_on: tuple[str, ...] = field(default=())

    @property
    def severity(self) -> Severity:
        if any(one.bearing is Bearing.REFUSES for one in self.unmet):
            return Severity.FAULT
        return Severity.ADVICE if self.unmet else Severity.RIGHT

    @property
    def is_right(self) -> bool:
        return not self.unmet

    @property
    def leading(self) -> Unmet | None:
        """The unmet condition that decides: the gravest evidence, then the order of rulings."""
        return self.unmet[0] if self.unmet else None

    @property
    def ruling(self) -> Ruling:
        return self.unmet[0].ruling if self.unmet else Ruling.RIGHT

    @property
    def weight(self) -> Weight | None:
        order = [Weight.CRITICAL, Weight.MAJOR, Weight.MINOR]
        faults = [one.rule.weight for one in self.unmet if one.severity is self.severity]
        return min(faults, key=order.index) if faults else None

    @property
    def cites(self) -> tuple[str, ...]:
        """Statement ids of every unmet condition that shares the verdict's severity, in order."""
        cited: dict[str, None] = {}
        for one in self.unmet:
            if one.severity is self.severity:
                cited.update(dict.fromkeys(one.evidence.cites))
        return tuple(cited)

    @property
    def defaults(self) -> tuple[str, ...]:
        """Ids of the defaults that speak against the act."""
        return tuple(dict.fromkeys(one.evidence.default for one in self.unmet if one.evidence.default))


_ORDER = list(Ruling)


def ordered(unmet: list[Unmet]) -> tuple[Unmet, ...]:
    """Sort conditions: faults before advice, then by the order in which rulings are decided."""
    return tuple(sorted(unmet, key=lambda one: (one.bearing is not Bearing.REFUSES, _ORDER.index(one.ruling))))


def citation(house: House, one: Unmet) -> list[str]:
    """Return the lines that say what a condition rests on."""
    evidence = one.evidence
    lines = []
    for cited in evidence.cites:
        statement = house.statements[cited]
        lines.append(f"{house.title}, {statement.where} ({cited}): {statement.gist}")
    if evidence.memo:
        lines.append(f"{house.title}, answer of the house to {evidence.default}: {evidence.memo}")
    elif evidence.default:
        default = house.defaults[evidence.default]
        lines.append(f"default {default.id} ({default.policy}; the document is silent or unclear): {default.reading}")
    return lines


def spell(house: House, verdict: Verdict, full: bool = False) -> list[str]:
    """Print a verdict in the four lines of every report; ``full`` lists every unmet condition."""
    leading = verdict.leading
    if leading is None:
        return [f"right: {verdict.act}"]
    lines = [f"{verdict.severity}: {verdict.act}: {leading.why}"]
    if verdict.instead:
        lines.append(f"  instead  {verdict.instead[0]}")
    shown = verdict.unmet if full else (leading,)
    for one in shown:
        if one is not leading:
            lines.append(f"  {one.severity:<7}  {one.why}")
        lines.append(f"  rule     {one.rule.slug}: {one.rule.text}")
        sources = citation(house, one)
        lines.append(f"  source   {sources[0] if sources else 'none'}")
        lines.extend(f"           {line}" for line in sources[1:])
    if not full and len(verdict.unmet) > 1:
        others = ", ".join(dict.fromkeys(one.rule.slug for one in verdict.unmet[1:]))
        lines[-1] += f"  [also: {others}]"
    return lines
