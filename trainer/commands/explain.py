"""``trainer explain``: a rule, statement, default, verb, setting, side game or house, in words."""

from __future__ import annotations

import sys

import click

from trainer.actions import BY_NAME, VERBS
from trainer.cli import Settings
from trainer.files import did_you_mean
from trainer.procedure.load import Procedures
from trainer.procedure.model import Evidence, House
from trainer.procedure.steers import places_of, steered_by, why_nothing


@click.command()
@click.argument("name", nargs=-1, required=True)
@click.option("--house", "only", default="", help="Only as this house has it.")
@click.pass_obj
def explain(settings: Settings, name: tuple[str, ...], only: str) -> None:
    """Explain NAME: a rule, a statement's id, a default (D-07), a verb, a setting, a side game or a house."""
    asked = " ".join(name)
    lines = explained(settings.procedures, asked, only)
    if lines:
        for line in lines:
            click.echo(line)
        return
    near = did_you_mean(asked, _names(settings.procedures))
    click.echo(f"nothing is called '{asked}'" + (f" (did you mean {near}?)" if near else ""), err=True)
    sys.exit(2)


def _names(procedures: Procedures) -> list[str]:
    names = [*procedures.rules, *procedures.defaults, *procedures.game.settings, *BY_NAME, *procedures.names()]
    for slug in procedures.names():
        house = procedures.house(slug)
        names += [*house.statements, *house.games]
    return names


def explained(procedures: Procedures, name: str, only: str = "") -> list[str]:
    """Return the page of a name, empty when nothing has it."""
    houses = [procedures.house(slug) for slug in procedures.names() if not only or slug == only]
    if name in procedures.names():
        from trainer.commands.houses import house_page

        return house_page(procedures.house(name))
    lines: list[str] = []
    if name in procedures.rules:
        lines += rule_page(procedures, houses, name)
    if name in procedures.game.settings:
        lines += setting_page(procedures, houses, name)
    if name in procedures.defaults:
        lines += default_page(procedures, houses, name)
    for house in houses:
        if name in house.statements:
            lines += statement_page(house, name)
        if name in house.games:
            lines += game_page(house, name)
    return lines + verb_page(procedures, name)


def rule_page(procedures: Procedures, houses: list[House], slug: str) -> list[str]:
    """Return what a rule asks, why, where the machine has it, and each house's evidence."""
    rule = procedures.rules[slug]
    lines = [f"rule {slug}  ({rule.weight})", f"  what     {rule.text}", f"  why      {rule.why}"]
    lines.append(f"  asked as {rule.question}")
    if houses:
        for place in places_of(houses[0], slug) or [p for house in houses for p in places_of(house, slug)][:6]:
            lines.append(f"  where    {place}")
    for house in houses:
        lines += evidence_lines(house, house.evidence.get(slug, Evidence()))
    return lines


def evidence_lines(house: House, evidence: Evidence) -> list[str]:
    """Return what a house gives for a rule or setting, statements in words."""
    lines = [f"  {house.slug}: {evidence.basis}" + (f" ({evidence.because})" if evidence.because else "")]
    for cited in evidence.cites:
        found = house.statements[cited]
        lines.append(f"      {cited}, {found.where}: {found.gist}")
    if evidence.memo:
        lines.append(f"      answer to {evidence.default}: {evidence.memo}")
    elif evidence.default:
        default = house.defaults[evidence.default]
        lines.append(f"      {default.id} ({default.policy}): {default.reading}")
    if evidence.basis == "silent":
        lines[-1] += "; nobody is judged by it here"
    return lines


def setting_page(procedures: Procedures, houses: list[House], slug: str) -> list[str]:
    """Return what a setting means, its choices, and each house's choice with evidence."""
    known = procedures.game.settings[slug]
    lines = [f"setting {slug}", f"  {known.means}"]
    if known.choices:
        lines.append(f"  choices: {', '.join(known.choices)}")
    for house in houses:
        if slug in house.settings:
            setting = house.settings[slug]
            first, *rest = evidence_lines(house, setting.evidence)
            lines += [first.replace(":", f" = {setting.value}:", 1), *rest]
    return lines


def default_page(procedures: Procedures, houses: list[House], name: str) -> list[str]:
    """Return a default of ours: what, why there is a gap, our reading and its policy, what it steers."""
    default = procedures.defaults[name]
    lines = [
        f"default {name}: {default.what}  (policy: {default.policy}{', shown' if default.shown else ''})",
        f"  gap      {default.gap}",
        f"  reading  {default.reading}",
        f"  reason   {default.reason}",
        f"  open in  {', '.join(default.houses)}",
        "  It can never fail anyone.",
    ]
    for house in houses:
        found = steered_by(house, name)
        if found:
            lines.append(f"  {house.slug}: steers {', '.join([*found.settings, *found.rules])}")
        elif house.slug in default.houses:
            lines.append(f"  {house.slug}: {_without_rule(default.policy)}")
    return lines


def _without_rule(policy: str) -> str:
    if policy == "inferred":
        return "the statements force this reading; the rules cite them"
    if policy == "not judged":
        return "the machine has no view on it"
    return "no rule judges it: every sensible choice is accepted"


def statement_page(house: House, name: str) -> list[str]:
    """Return a statement in our words, with what it steers in the machine, or why nothing."""
    found = house.statements[name]
    lines = [
        f"statement {name}  ({house.title}, {found.where})",
        f"  {found.gist}",
        f"  about {found.kind}, binds: {found.binding} ({found.actor})",
        *(f"  {name}: {text}" for name, text in found.details),
    ]
    steered = steered_by(house, name)
    lines += [f"  steers setting {slug} = {house.settings[slug].value}" for slug in steered.settings]
    lines += [f"  steers price {price}" for price in steered.prices]
    for rule in steered.rules:
        lines.append(f"  steers rule {rule}: {house.rules[rule].text}")
        lines += [f"      {place}" for place in places_of(house, rule)]
    if not steered:
        lines.append(f"  steers nothing: {why_nothing(house, name)}")
    return lines


def game_page(house: House, name: str) -> list[str]:
    """Return a side game: its wagers with limits, prices, moment, and the rules that judge them."""
    wagers = house.games[name]
    first = next(iter(wagers.values()))
    lines = [f"{first.title}  ({house.title}, {name})", f"  {first.says}"]
    if "bust-wager-odds" in house.settings and name == "fortune-teller":
        setting = house.settings["bust-wager-odds"]
        lines.append(f"  bust {'past 21':<24} {setting.value:>7}   {', '.join(setting.evidence.cites)}")
    for kind, wager in wagers.items():
        for outcome, odds in wager.pays:
            lines.append(f"  {kind:<10} {outcome:<20} {odds!s:>7}   {', '.join(wager.cites.get(outcome, ()))}")
    for kind, wager in wagers.items():
        limits = _limits(wager.least, wager.most, wager.at_most_main)
        lines.append(f"  {kind}: {limits}; settled: {wager.settles}" + ("; losers first" if wager.losers_first else ""))
    rules = dict.fromkeys(rule for wager in wagers.values() for rule in wager.rules.values())
    lines += [f"  rule {rule}: {house.rules[rule].text}" for rule in rules]
    return lines


def _limits(least: int, most: int, at_most_main: bool) -> str:
    from trainer.chips import dollars

    if most:
        return f"{dollars(least)} to {dollars(most)}"
    return "at most the main wager" if at_most_main else "no limit of its own"


def verb_page(procedures: Procedures, name: str) -> list[str]:
    """Return the verbs of a name: form, meaning, example, rows of the machine."""
    lines: list[str] = []
    for verb in VERBS:
        if verb.name == name or verb.name.split()[0] == name:
            lines += [
                f"verb {verb.form}  ({verb.role})",
                f"  {verb.meaning}",
                f"  e.g. {verb.example}",
            ]
            if verb.steps:
                lines.append(f"  rows {verb.steps}")
            if verb.case_word:
                lines.append(f"  in foreign logs: {verb.case_word}")
    return lines
