"""What a new version of a house's procedure touches: statements, rules, rows, scenarios, checklist rows, drills."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from trainer.chips import dollars
from trainer.compliance.checklist import Row, checklist
from trainer.compliance.compare import RULES_OF
from trainer.drills.themes import rule_theme, themes_of
from trainer.files import BadFile, Place, Problem, read_yaml
from trainer.procedure.load import Procedures
from trainer.procedure.machine import HouseMachine
from trainer.procedure.model import Bearing, Evidence, House
from trainer.rounds.play import Session, replay
from trainer.rounds.script import Script

_THEME_PARTS = {
    "insurance": ("insurance", "even money"),
    "early blackjacks": ("blackjack",),
    "splits": ("split",),
    "surrender": ("surrender",),
    "dealer's hand": ("own hand",),
    "settlement": ("settlement",),
    "side games": ("side wagers", "perfect-pairs", "fortune-teller"),
}


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that is not as it was: ``id``, how it was and how it is ('' when it was not or is no more)."""

    id: str
    before: str
    after: str

    @property
    def how(self) -> str:
        if not self.before:
            return "new"
        return "changed" if self.after else "gone"


@dataclass(frozen=True, slots=True)
class Impact:
    """Everything a new version touches."""

    old: House
    new: House
    statements: tuple[Change, ...]
    settings: tuple[Change, ...]
    rules: tuple[Change, ...]
    prices: tuple[Change, ...]
    steps: tuple[str, ...]
    scenarios: tuple[Change, ...]
    rows: tuple[Change, ...]
    drills: tuple[str, ...]

    @property
    def touched_rules(self) -> tuple[str, ...]:
        return tuple(change.id for change in self.rules)

    @property
    def is_none(self) -> bool:
        return not (self.statements or self.settings or self.rules or self.prices or self.scenarios)


def version_in(folder: Path, game: Path) -> House:
    """Load one version of a house from its folder; the game beside the folder counts, else the one in ``game``.

    Raises:
        BadFile: the folder holds no house, or a broken one.
    """
    path = folder / "house.yaml"
    if not path.is_file():
        raise BadFile(
            (Problem(Place(str(path), 1, 1), "house", str(folder), "the folder of a version holds house.yaml"),)
        )
    slug = read_yaml(path).find("house").value
    beside = folder.resolve().parent
    source = beside if (beside / "blackjack.yaml").is_file() else game
    with tempfile.TemporaryDirectory() as name:
        here = Path(name)
        for file in ("blackjack.yaml", "defaults.yaml"):
            if (source / file).is_file():
                shutil.copyfile(source / file, here / file)
        shutil.copytree(folder, here / str(slug))
        return Procedures(here).house(str(slug))


def impact(old: House, new: House, scripts: Iterable[Script] = ()) -> Impact:
    """Compare two versions of one house."""
    rules = _rules(old, new)
    settings = _settings(old, new)
    touched = {change.id for change in (*rules, *settings)}
    touched |= {rule for change in settings for rule in RULES_OF.get(change.id, ()) if new.evidence.get(rule)}
    statements = _statements(old, new)
    return Impact(
        old,
        new,
        statements,
        settings,
        rules,
        _changes(_prices(old), _prices(new)),
        _steps(new, touched),
        _scenarios(old, new, scripts),
        _rows(old, new, {change.id for change in statements}, touched),
        _drills(new, touched),
    )


def _changes(before: Mapping[str, str], after: Mapping[str, str]) -> tuple[Change, ...]:
    names = dict.fromkeys((*before, *after))
    return tuple(
        Change(name, before.get(name, ""), after.get(name, "")) for name in names if before.get(name) != after.get(name)
    )


def _statements(old: House, new: House) -> tuple[Change, ...]:
    def told(house: House) -> dict[str, str]:
        return {name: f"{one.where}: {one.gist}" for name, one in house.statements.items()}

    return _changes(told(old), told(new))


def basis_words(evidence: Evidence) -> str:
    """Say what a rule or setting rests on."""
    if evidence.memo:
        return f"answered: {evidence.memo}"
    if evidence.cites:
        return f"{evidence.basis} ({', '.join(evidence.cites)})"
    return f"default {evidence.default}" if evidence.default else "silent"


def _settings(old: House, new: House) -> tuple[Change, ...]:
    def told(house: House) -> dict[str, str]:
        chosen = {slug: f"{one.value}, {basis_words(one.evidence)}" for slug, one in house.settings.items()}
        return chosen | _table_words(house)

    return _changes(told(old), told(new))


def _table_words(house: House) -> dict[str, str]:
    """What the house puts on its tables: wagers and payments are judged by it too."""
    return {
        "chips": ", ".join(dollars(chip) for chip in house.chips),
        "decks": str(house.decks),
        "places": str(house.places),
        "minimum": dollars(house.minimum),
        "maximum": dollars(house.maximum),
    }


def _rules(old: House, new: House) -> tuple[Change, ...]:
    def told(house: House) -> dict[str, str]:
        return {
            slug: f"{rule.text} [{rule.weight}] {basis_words(house.evidence.get(slug, Evidence()))}"
            for slug, rule in house.rules.items()
        }

    return _changes(told(old), told(new))


def _prices(house: House) -> dict[str, str]:
    return {
        f"{wager.kind}, {outcome}": str(odds)
        for game in house.games.values()
        for wager in game.values()
        for outcome, odds in wager.pays
    }


def _steps(house: House, touched: set[str]) -> tuple[str, ...]:
    steps = [
        step.id
        for step in house.steps
        if touched & {*step.when, *(use.rule.slug for use in step.uses if use.rule is not None)}
    ]
    duties = [f"duty {duty.id}" for duty in house.duties if duty.rule.slug in touched]
    return (*steps, *duties)


def _scenarios(old: House, new: House, scripts: Iterable[Script]) -> tuple[Change, ...]:
    """The scenarios that are judged otherwise under the new version."""
    before, after = HouseMachine(old), HouseMachine(new)
    found = []
    for script in scripts:
        was, now = verdict_words(replay(script, before)), verdict_words(replay(script, after))
        if was != now:
            first = next(
                (pair for pair in zip(was, now, strict=False) if pair[0] != pair[1]), ("ends here", "ends here")
            )
            found.append(Change(script.path or script.title, *first))
    return tuple(found)


def verdict_words(session: Session) -> list[str]:
    """Return each dealer act with its verdict and the rules that speak against it."""
    return [
        f"{entry.number} {entry.act}: {entry.verdict.severity}"
        + "".join(f", {one.rule.slug}" for one in entry.verdict.unmet)
        for entry in session.judged
    ]


def _rows(old: House, new: House, statements: set[str], rules: set[str]) -> tuple[Change, ...]:
    def told(house: House) -> dict[str, str]:
        return {row.id: _row_words(row) for row in checklist(house).rows}

    changes = {change.id: change for change in _changes(told(old), told(new))}
    for row in checklist(new).rows:
        if row.id not in changes and (statements & set(row.evidence.cites) or row.id in rules):
            words = _row_words(row)
            changes[row.id] = Change(row.id, words, words)
    return tuple(changes.values())


def _row_words(row: Row) -> str:
    return f"{row.question} {basis_words(row.evidence)}"


def _drills(house: House, touched: set[str]) -> tuple[str, ...]:
    """The drills whose matter is touched: themes by their parts of the round, and the drill of each judged rule."""
    parts = {house.rules[slug].part for slug in touched if slug in house.rules}
    themes = [theme.name for theme in themes_of(house) if parts & set(_THEME_PARTS.get(theme.name, ()))]
    asked = _judged_rules(house)
    return (*themes, *(rule_theme(slug) for slug in house.rules if slug in touched and slug in asked))


def _judged_rules(house: House) -> set[str]:
    found = {duty.rule.slug for duty in house.duties if duty.bearing is Bearing.REFUSES}
    for step in house.steps:
        found |= {use.rule.slug for use in step.uses if use.rule and use.bearing is Bearing.REFUSES}
    return found


@dataclass(frozen=True, slots=True)
class SignOff:
    """A signed session under the old version, by the person it qualifies; ``date`` is when it was signed, in UTC."""

    person: str
    session: str
    date: str
