"""The traceability matrix: statement, what it steers, where the machine asks it, a record that keeps it, one that breaks it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from trainer.compliance.checklist import rows_resting_on
from trainer.compliance.coverage import Coverage
from trainer.procedure.model import House, Policy, Ruling
from trainer.procedure.steers import Steered, places_of, steered_by, why_nothing

COLUMNS = ("id", "binding", "gist", "steers", "asked at", "kept in", "broken in", "checklist")


@dataclass(frozen=True, slots=True)
class Traced:
    """One row of the matrix. A cell that is empty has its reason in ``reasons``, or is a gap."""

    id: str
    binding: str
    gist: str
    steers: tuple[str, ...]
    places: tuple[str, ...]
    kept: tuple[str, ...]
    broken: tuple[str, ...]
    reasons: tuple[tuple[str, str], ...] = ()
    checklist: tuple[str, ...] = ()

    @property
    def gaps(self) -> tuple[str, ...]:
        """The columns that are empty without a reason."""
        explained = {column for column, _ in self.reasons}
        cells = {"steers": self.steers, "asked at": self.places, "kept in": self.kept, "broken in": self.broken,
                 "checklist": self.checklist}  # fmt: skip
        return tuple(column for column, cell in cells.items() if not cell and column not in explained)

    def cells(self) -> tuple[str, ...]:
        """Return the row as text, reasons in brackets where a cell is empty."""
        reasons = dict(self.reasons)
        parts = (self.steers, self.places, self.kept[:1], self.broken[:1], self.checklist)
        said = [
            "; ".join(part) or (f"[{reasons[column]}]" if column in reasons else "GAP")
            for column, part in zip(COLUMNS[3:], parts, strict=True)
        ]
        return (self.id, self.binding, self.gist, *said)


def trace(house: House, found: Coverage) -> list[Traced]:
    """Return the matrix of a house: its statements, then the defaults it rests on."""
    asked = rows_resting_on(house)
    return [
        replace(row, checklist=asked.get(row.id, ())) for row in (*_statements(house, found), *_defaults(house, found))
    ]


def _statements(house: House, found: Coverage) -> Iterator[Traced]:
    for name, statement in house.statements.items():
        steered = steered_by(house, name)
        nothing = why_nothing(house, name)
        row = _row(house, found, name, statement.binding, statement.gist, steered)
        if nothing:
            reasons = tuple((column, nothing) for column in COLUMNS[3:])
            yield Traced(name, statement.binding, statement.gist, (), (), (), (), reasons)
        else:
            yield row


def _defaults(house: House, found: Coverage) -> Iterator[Traced]:
    for name, default in house.defaults.items():
        steered = steered_by(house, name)
        if not steered:
            continue
        row = _row(house, found, name, f"default, {default.policy}", default.reading, steered)
        if default.policy in (Policy.OPEN, Policy.NOT_JUDGED):
            reason = "every choice is accepted" if default.policy is Policy.OPEN else "the machine has no view"
            reasons = (*row.reasons, *((column, reason) for column in COLUMNS[4:7]))
            row = Traced(row.id, row.binding, row.gist, row.steers, row.places, row.kept, (), reasons)
        yield row


def _row(house: House, found: Coverage, name: str, binding: str, gist: str, steered: Steered) -> Traced:
    steers = [f"setting {slug} = {house.settings[slug].value}" for slug in steered.settings]
    steers += [f"rule {slug}" for slug in steered.rules] + [f"price {price}" for price in steered.prices]
    places = [place for rule in steered.rules for place in places_of(house, rule)]
    places += [place for slug in steered.settings for place in _selected_by(house, slug)]
    places += [f"price of {price}" for price in steered.prices]
    count = found.tally.of(steered.rules)
    kept, broken = list(count.kept_at), list(count.broken_at)
    for kind, outcome in _outcomes(house, name):
        kept += found.prices.get((kind, outcome), [])
        broken += found.mispriced.get((kind, outcome), [])
    reasons: list[tuple[str, str]] = []
    if steered.settings and not steered.rules and not steered.prices:
        kept = (
            kept
            or [f"read in {found.tally.records} records" for slug in steered.settings if slug in found.settings][:1]
        )
        reasons.append(("broken in", "it chooses what the house has; acts are judged by the rules of what it chose"))
        if not places:
            reasons.append(("asked at", "guards and prices read the setting"))
    elif not kept and _only_forbids(house, steered.rules):
        reasons.append(("kept in", "it forbids an act; it is kept wherever that act is not done"))
    return Traced(
        name, binding, gist, tuple(steers), tuple(dict.fromkeys(places)), tuple(dict.fromkeys(kept)),
        tuple(dict.fromkeys(broken)), tuple(reasons),
    )  # fmt: skip


def _only_forbids(house: House, rules: tuple[str, ...]) -> bool:
    """Whether all that asks for these rules tells an act that the house does not have."""
    asked = [use for step in house.steps for use in step.uses if use.rule is not None and use.rule.slug in rules]
    return bool(asked) and all(use.ruling is Ruling.NOT_HERE for use in asked)


def _selected_by(house: House, slug: str) -> list[str]:
    return [f"{step.id} {step.motion}: chosen by {slug}" for step in house.steps if slug in step.when]


def _outcomes(house: House, statement: str) -> list[tuple[str, str]]:
    return [
        (kind, outcome)
        for wagers in house.games.values()
        for kind, wager in wagers.items()
        for outcome, cites in wager.cites.items()
        if statement in cites
    ]
