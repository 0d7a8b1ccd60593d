"""The rows of a house's checklist: one question a rule, setting, price or unsteered statement, in the order of the round."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum

from trainer.files import did_you_mean
from trainer.procedure.model import Evidence, House, Rule, SideWager

TABLE = "the table"
UNSTEERED = "other statements"
WHOLE_ROUND = "round"
BASE_GAME = "blackjack"


class Method(StrEnum):
    """How an auditor finds the answer."""

    OBSERVED = "observed"
    ASKED = "asked"
    EXAMINED = "examined"


TICKS = {
    Method.OBSERVED: ("O", "watched at the table or on its recording"),
    Method.ASKED: ("A", "asked of the dealer or the floor"),
    Method.EXAMINED: ("E", "examined on the layout, on posted signs or in papers"),
}


@dataclass(frozen=True, slots=True)
class Row:
    """One question of a checklist. ``asks`` names the rules whose records answer it."""

    id: str
    part: str
    question: str
    method: Method
    evidence: Evidence
    weight: str = ""
    asks: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()
    game: str = ""
    number: int = 0

    @property
    def is_documented(self) -> bool:
        return self.evidence.is_documented


@dataclass(frozen=True, slots=True)
class Checklist:
    """A house's rows: what its document says, and apart from it what is only a default of ours."""

    house: House
    rows: tuple[Row, ...]
    scopes: tuple[str, ...] = ()
    game: str = ""

    @property
    def documented(self) -> list[Row]:
        return [row for row in self.rows if row.is_documented]

    @property
    def undocumented(self) -> list[Row]:
        return [row for row in self.rows if not row.is_documented]

    def by_part(self) -> dict[str, list[Row]]:
        """Return the documented rows by part of the round, in its order."""
        found: dict[str, list[Row]] = {}
        for row in self.documented:
            found.setdefault(row.part, []).append(row)
        return found


class NoSuchScope(ValueError):
    """A scope or game the house does not have; the message names what it has."""


@dataclass(slots=True)
class _Uses:
    """Where the machine asks for a rule: rows and duties by rule."""

    steps: dict[str, dict[str, None]] = field(default_factory=dict)

    def note(self, rule: str, step: str) -> None:
        self.steps.setdefault(rule, {})[step] = None


def _uses(house: House) -> _Uses:
    uses = _Uses()
    wagers = [wager for game in house.games.values() for wager in game.values()]
    for step in house.steps:
        for use in step.uses:
            if use.rule is not None:
                uses.note(use.rule.slug, step.id)
            else:
                for wager in wagers:
                    if use.wager_rule in wager.rules:
                        uses.note(wager.rules[use.wager_rule], step.id)
        if step.selected_by in house.rules:
            uses.note(step.selected_by, step.id)
    for duty in house.duties:
        uses.note(duty.rule.slug, f"duty {duty.id}")
    for free in house.free_moves:
        for use in free.uses:
            if use.rule is not None:
                uses.note(use.rule.slug, f"{free.source} to {free.target}")
    return uses


def checklist(house: House, *, scopes: tuple[str, ...] = (), game: str = "") -> Checklist:
    """Return a house's checklist, limited to parts of the round or to one game.

    Raises:
        NoSuchScope: the house has no such part or game.
    """
    rows = list(_rows(house))
    known = [WHOLE_ROUND, *dict.fromkeys(row.part for row in rows)]
    for scope in scopes:
        if scope not in known:
            near = did_you_mean(scope, known)
            raise NoSuchScope(
                f"'{scope}' is no scope; choose {', '.join(known)}" + (f" (did you mean {near}?)" if near else "")
            )
    games = [BASE_GAME, *house.games]
    if game and game not in games:
        near = did_you_mean(game, games)
        raise NoSuchScope(
            f"{house.title} has no game '{game}'; it has {', '.join(games)}"
            + (f" (did you mean {near}?)" if near else "")
        )
    if scopes and WHOLE_ROUND not in scopes:
        rows = [row for row in rows if row.part in scopes]
    if game:
        rows = [row for row in rows if row.game == ("" if game == BASE_GAME else game)]
    return Checklist(house, tuple(replace(row, number=index) for index, row in enumerate(rows, 1)), scopes, game)


def rows_citing(house: House) -> dict[str, tuple[str, ...]]:
    """Return for each statement of a house the ids of exactly the checklist rows that rest on it."""
    found = rows_resting_on(house)
    return {name: found.get(name, ()) for name in house.statements}


def rows_resting_on(house: House) -> dict[str, tuple[str, ...]]:
    """Return the ids of the checklist rows that rest on a statement or, undocumented or answered, on a default."""
    found: dict[str, list[str]] = {}
    for row in checklist(house).rows:
        for name in row.evidence.cites or ((row.evidence.default,) if row.evidence.default else ()):
            found.setdefault(name, []).append(row.id)
    return {name: tuple(rows) for name, rows in found.items()}


def _rows(house: House) -> Iterator[Row]:
    documented: list[Row] = []
    apart: list[Row] = []
    for row in (*_setting_rows(house), *_rule_rows(house)):
        (documented if row.is_documented else apart).append(row)
    yield from documented
    yield from _statement_rows(house, documented)
    yield from apart


def _setting_rows(house: House) -> Iterator[Row]:
    for slug, setting in house.settings.items():
        if slug in house.rules:
            continue
        means = setting.means.partition(";")[0].rstrip(".")
        question = f"Is it played as laid down: {means[0].lower()}{means[1:]} ({setting.value})?"
        yield Row(f"setting {slug}", TABLE, question, Method.EXAMINED, setting.evidence)


def _rule_rows(house: House) -> Iterator[Row]:
    uses = _uses(house)
    for part in house.parts:
        game = part if part in house.games else ""
        for rule in house.rules.values():
            if rule.part != part:
                continue
            evidence = _evidence(house, rule)
            if evidence.basis != "silent":
                yield _rule_row(house, rule, evidence, tuple(uses.steps.get(rule.slug, ())), game)
        for wager in house.games.get(part, {}).values():
            yield from _price_rows(wager, part)


def _evidence(house: House, rule: Rule) -> Evidence:
    """A rule's evidence, together with that of the setting of its name."""
    evidence = house.evidence.get(rule.slug, Evidence())
    setting = house.settings.get(rule.slug)
    if setting is None:
        return evidence
    if evidence.basis == "silent" or (setting.evidence.is_documented and not evidence.is_documented):
        return setting.evidence
    if not setting.evidence.is_documented:
        return evidence
    cites = tuple(dict.fromkeys((*evidence.cites, *setting.evidence.cites)))
    return replace(evidence, cites=cites, because=evidence.because or setting.evidence.because)


def _rule_row(house: House, rule: Rule, evidence: Evidence, steps: tuple[str, ...], game: str) -> Row:
    question, setting = rule.question, house.settings.get(rule.slug)
    if setting is not None:
        question = f"{question.rstrip('?')} ({setting.value})?"
    method = Method.OBSERVED if steps else Method.ASKED
    return Row(rule.slug, rule.part, question, method, evidence, rule.weight.value, (rule.slug,), steps, game)


def _price_rows(wager: SideWager, part: str) -> Iterator[Row]:
    asks = tuple(dict.fromkeys(wager.rules[key] for key in ("price", "by-kind") if key in wager.rules))
    for outcome, odds in wager.pays:
        evidence = Evidence(cites=wager.cites.get(outcome, ()))
        question = f"Is the price of {wager.kind} on {outcome} shown and paid as {odds}?"
        yield Row(
            f"price {wager.kind}, {outcome}", part, question, Method.EXAMINED, evidence, "major", asks, (), wager.game
        )


def _statement_rows(house: House, rows: list[Row]) -> Iterator[Row]:
    """What binds somebody at the table but no rule, setting or price rests on: to be asked for all the same."""
    cited = {name for row in rows for name in row.evidence.cites}
    for statement in house.statements.values():
        if statement.binding == "no" or statement.id in cited or statement.steers_nothing:
            continue
        question = f"Is it so at this table: {statement.gist.rstrip('.')}?"
        yield Row(f"statement {statement.id}", UNSTEERED, question, Method.ASKED, Evidence(cites=(statement.id,)))
