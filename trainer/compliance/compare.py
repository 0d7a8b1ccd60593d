"""What differs between two houses, with both citations, and the round that is right in one and wrong in the other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from trainer.compliance.separate import Search, Separating, faulted, is_clean
from trainer.durable import atomic_write
from trainer.procedure.load import Procedures
from trainer.procedure.model import Evidence, House
from trainer.rounds.play import machine_of
from trainer.rounds.script import Script, print_script, read_script

# The rules by which a setting shows at the table.
RULES_OF: dict[str, tuple[str, ...]] = {
    "soft-17": ("soft-17-stands", "soft-17-hit"),
    "look-under-ace": ("look-under-ace", "look-before-play"),
    "look-under-ten": ("look-under-ten",),
    "hole-card-dealt": ("own-hole-card-lies",),
    "blackjack-odds": ("blackjack-odds",),
    "insurance-odds": ("insurance-odds",),
    "even-money": ("even-money-offered", "even-money-honoured"),
    "most-hands": ("split-limit", "further-split-honoured"),
    "double-on-totals": ("double-on-totals", "double-honoured"),
    "double-amount": ("double-for-less-honoured", "double-not-below-wager", "double-not-above-wager"),
    "double-after-split": ("double-after-split", "double-on-split-hand-honoured"),
    "dealer-blackjack-takes-split-money": ("split-money-goes-back", "added-money-is-lost"),
    "dealer-blackjack-takes-double-money": ("double-money-goes-back", "added-money-is-lost"),
    "surrender": ("surrender-offered", "surrender-honoured"),
    "ask-decision": ("ask-each-player",),
    "announce-totals": ("totals-called",),
    "losers-cards": ("losers-cards-with-the-wager", "all-cards-after-all-wagers"),
    "bust-wager-odds": ("bust-wager-price",),
}


@dataclass(frozen=True, slots=True)
class Side:
    """What one house has for a matter: the value of a setting, or whether it asks for a rule, and its evidence."""

    says: str
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class Difference:
    """A matter two houses differ in. ``round`` is right in the first and wrong in the second, else ``reason`` says why not."""

    id: str
    what: str
    first: Side
    second: Side
    round: Separating | None = None
    path: Path | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two houses side by side, from the view of a dealer who moves from the first to the second."""

    first: House
    second: House
    settings: tuple[Difference, ...]
    demanded: tuple[Difference, ...]
    dropped: tuple[Difference, ...]

    @property
    def all(self) -> tuple[Difference, ...]:
        return (*self.settings, *self.demanded, *self.dropped)


def folder_of(scenarios: Path, first: str, second: str) -> Path:
    """Return the folder of the rounds right in the first house and wrong in the second."""
    return scenarios / "compare" / f"{first}--{second}"


def compare(procedures: Procedures, scenarios: Path, first: str, second: str) -> Comparison:
    """Compare two houses; every kept round is dealt in both before it is shown."""
    one, two = procedures.house(first), procedures.house(second)
    rounds = kept_rounds(procedures, scenarios, first, second)
    settings = tuple(
        _with_round(each, RULES_OF.get(each.id, (each.id,)), rounds, one, two) for each in _settings(one, two)
    )
    settings += tuple(_prices(one, two))
    rules = list(_rules(one, two))
    demanded = [each for each in rules if each.second.evidence.is_documented]
    dropped = [each for each in rules if not each.second.evidence.is_documented]
    reason = f"{two.title} documents no such rule, so nothing can be wrong by it there"
    return Comparison(
        one,
        two,
        settings,
        tuple(_with_round(each, (each.id,), rounds, one, two) for each in demanded),
        tuple(replace(each, reason=reason) for each in dropped),
    )


def kept_rounds(procedures: Procedures, scenarios: Path, first: str, second: str) -> dict[str, tuple[Separating, Path]]:
    """Return the rounds kept for a pair, by the rule they break; one that does not separate any more is left out."""
    home, other = machine_of(procedures, first), machine_of(procedures, second)
    found: dict[str, tuple[Separating, Path]] = {}
    for path in sorted(folder_of(scenarios, first, second).glob("*.yaml")):
        script = read_script(path, procedures)
        rules = faulted(script, other)
        if path.stem in rules and is_clean(script, home):
            found[path.stem] = (Separating(path.stem, script, rules), path)
    return found


def _with_round(
    each: Difference, rules: tuple[str, ...], rounds: dict[str, tuple[Separating, Path]], one: House, two: House
) -> Difference:
    known = [rounds[rule] for rule in rules if rule in rounds]
    if known:
        best, path = min(known, key=lambda pair: pair[0].acts)
        return replace(each, round=best, path=path)
    return replace(each, reason=_why_none(each, rules, one, two))


def _why_none(each: Difference, rules: tuple[str, ...], one: House, two: House) -> str:
    """Why no round right in the first house breaks these rules in the second."""
    documented = [rule for rule in rules if _evidence(two, rule).is_documented]
    if not documented:
        return f"{two.title} documents no rule that an act could break here"
    asked = _asked_rules(two)
    if not any(rule in asked for rule in documented):
        return "no row of the machine asks for it; it is a question for the checklist"
    parts = {two.rules[rule].part for rule in documented if rule in two.rules}
    missing = [part for part in parts if part in two.games and part not in one.games]
    if missing:
        return f"{one.title} has no {two.games[missing[0]] and missing[0]}, so none is dealt there"
    if any(part in ("surrender", "even money") for part in parts) and _never_asked(one, parts):
        return f"{one.title} takes no {' or '.join(sorted(parts))}, so the occasion never comes up in a right round"
    if all(_evidence(one, rule).basis == "default" and _keeps(one, rule) for rule in documented):
        ours = ", ".join(dict.fromkeys(_evidence(one, rule).default for rule in documented))
        return f"a round that is right in {one.title} keeps it as well, by our default {ours}"
    return f"no kept round that is right in {one.title} breaks it; --search ROUNDS looks for one"


def _keeps(house: House, rule: str) -> bool:
    default = house.defaults.get(_evidence(house, rule).default)
    return default is not None and default.policy in ("advice", "fixed")


def _never_asked(house: House, parts: set[str]) -> bool:
    names = {"surrender": "surrender", "even money": "even-money"}
    return all(house.is_(names[part]) == "no" for part in parts if part in names)


def _asked_rules(house: House) -> set[str]:
    found = {duty.rule.slug for duty in house.duties}
    for uses in (*(step.uses for step in house.steps), *(free.uses for free in house.free_moves)):
        found |= {use.rule.slug for use in uses if use.rule}
    found |= {step.selected_by for step in house.steps if step.selected_by}
    for game in house.games.values():
        for wager in game.values():
            found |= set(wager.rules.values())
    return found


def _evidence(house: House, rule: str) -> Evidence:
    return house.evidence.get(rule, Evidence())


def _settings(one: House, two: House) -> Iterator[Difference]:
    for slug in dict.fromkeys((*one.settings, *two.settings)):
        here, there = one.settings.get(slug), two.settings.get(slug)
        if here and there and here.value == there.value:
            continue
        what = (here or there).means if (here or there) else slug  # type: ignore[union-attr]
        first = Side(here.value, here.evidence) if here else Side("not played", Evidence())
        second = Side(there.value, there.evidence) if there else Side("not played", Evidence())
        yield Difference(slug, what, first, second)


def _prices(one: House, two: House) -> Iterator[Difference]:
    """Side wagers offered in one house alone, or paid otherwise."""
    here, there = _paid(one), _paid(two)
    for name in dict.fromkeys((*here, *there)):
        first = here.get(name, Side("not offered", Evidence()))
        second = there.get(name, Side("not offered", Evidence()))
        if first.says != second.says:
            reason = f"{(two if name in here else one).title} has no such wager; see side-wagers-taken"
            yield Difference(f"price {name}", f"What {name} pays.", first, second, reason=reason)


def _paid(house: House) -> dict[str, Side]:
    return {
        f"{wager.kind}, {outcome}": Side(str(odds), Evidence(cites=wager.cites.get(outcome, ())))
        for game in house.games.values()
        for wager in game.values()
        for outcome, odds in wager.pays
    }


def _rules(one: House, two: House) -> Iterator[Difference]:
    """Rules documented in exactly one of the houses."""
    for slug, rule in one.rules.items():
        here, there = _evidence(one, slug), _evidence(two, slug)
        if here.is_documented != there.is_documented:
            yield Difference(slug, rule.text, Side(here.basis, here), Side(there.basis, there))


def write_rounds(
    procedures: Procedures, scenarios: Path, home: str, others: list[str], search: Search
) -> Iterator[Path]:
    """Write the shortest rounds of a search as scenarios of their own house; a shorter kept one stays."""
    for slug, found in search.shortest():
        if slug not in others:
            continue
        path = folder_of(scenarios, home, slug) / f"{found.rule}.yaml"
        old = kept_rounds_of(procedures, path, home, slug)
        if old is not None and (old.acts, len(old.rules)) <= (found.acts, len(found.rules)):
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        atomic_write(path, print_script(_titled(procedures, found.script, slug, found.rule)))
        yield path


def kept_rounds_of(procedures: Procedures, path: Path, home: str, other: str) -> Separating | None:
    """Return one kept round if it still separates."""
    if not path.is_file():
        return None
    script = read_script(path, procedures)
    rules = faulted(script, machine_of(procedures, other))
    if path.stem in rules and is_clean(script, machine_of(procedures, home)):
        return Separating(path.stem, script, rules)
    return None


def _titled(procedures: Procedures, script: Script, other: str, rule: str) -> Script:
    home, there = procedures.house(script.house), procedures.house(other)
    return replace(
        script,
        title=f"From {home.title} to {there.title}: {rule}",
        tags=("compare",),
        note=f"Right at {home.title}. At {there.title} it breaks: {there.rules[rule].text}",
    )
