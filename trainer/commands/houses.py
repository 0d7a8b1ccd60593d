"""``trainer houses``: the list of houses, or one house on a page or two."""

from __future__ import annotations

import click

from trainer.cli import Settings
from trainer.procedure.model import Evidence, House


@click.command()
@click.argument("name", required=False)
@click.option(
    "--all", "everything", is_flag=True, help="Every rule, documented ones too, with its statements in words."
)
@click.pass_obj
def houses(settings: Settings, name: str | None, everything: bool) -> None:
    """List the houses, or show house NAME: settings with evidence, what is inferred, what is default."""
    procedures = settings.procedures
    if name is None:
        for slug in procedures.names():
            house = procedures.house(slug)
            games = f"; games: {', '.join(house.games)}" if house.games else ""
            documented = sum(1 for one in house.evidence.values() if one.is_documented)
            click.echo(
                f"{slug:<14} {house.title}: {len(house.statements)} statements, {documented} documented rules{games}"
            )
        return
    for line in house_page(procedures.house(name), everything):
        click.echo(line)


def house_page(house: House, everything: bool = False) -> list[str]:
    """Return a house on a page or two: settings, inferred rules, defaults, contradictions."""
    lines = [
        f"{house.title}  ({house.slug})",
        f"version {house.version}, effective {house.effective}, approver: {house.approver}; fingerprint {house.fingerprint}",
        f"document: {house.document}; {len(house.statements)} statements",
        "",
        "Settings",
    ]
    for setting in house.settings.values():
        lines.append(f"  {setting.slug:<36} {setting.value:<16} {_basis(setting.evidence)}")
    lines += ["", "Documented rules"]
    documented = [(slug, one) for slug, one in house.evidence.items() if one.basis == "documented"]
    if everything:
        for slug, one in documented:
            lines.append(f"  {slug}: {house.rules[slug].text}  [{', '.join(one.cites)}]")
            lines.extend(f"      {cited}: {house.statements[cited].gist}" for cited in one.cites)
    else:
        lines.append(f"  {len(documented)} of them; --all lists them, trainer explain RULE explains one")
    lines += ["", "Inferred (the statements force the reading; it can make a trainee wrong)"]
    for slug, one in house.evidence.items():
        if one.basis == "inferred":
            lines.append(f"  {slug}: {house.rules[slug].text}  [{', '.join(one.cites)}: {one.because}]")
    lines += ["", "Defaults (the document is silent or contradicts itself; they can never fail anyone)"]
    for default, rules in _by_default(house).items():
        found = house.defaults[default]
        lines.append(f"  {default} ({found.policy}) {found.what}: {found.reading}")
        if found.gap != "silent":
            lines.append(f"      the document: {found.gap}")
        lines.append(f"      steers: {', '.join(rules)}")
    answered = [slug for slug, one in house.evidence.items() if one.memo]
    if answered:
        lines += ["", "Answered by the house"]
        lines += [f"  {slug}: {house.evidence[slug].memo}" for slug in answered]
    silent = [slug for slug in house.rules if slug not in house.evidence and not slug.startswith(_side_prefixes(house))]
    lines += ["", f"Silent: {len(silent)} rules of other houses judge nobody here"]
    return lines


def _side_prefixes(house: House) -> tuple[str, ...]:
    return () if house.games else ("pairs-", "number-", "tie-", "prediction-", "bust-wager-")


def _basis(evidence: Evidence) -> str:
    if evidence.memo:
        return f"answered ({evidence.default}): {evidence.memo}"
    if evidence.cites:
        return f"{evidence.basis}: {', '.join(evidence.cites)}" + (f" ({evidence.because})" if evidence.because else "")
    return f"default {evidence.default}" if evidence.default else "silent"


def _by_default(house: House) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    pairs = [(setting.slug, setting.evidence) for setting in house.settings.values()]
    for slug, evidence in [*pairs, *house.evidence.items()]:
        if evidence.default and not evidence.memo:
            rules = found.setdefault(evidence.default, [])
            if slug not in rules:
                rules.append(slug)
    return dict(sorted(found.items()))
