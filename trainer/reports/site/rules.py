"""Pages on the rules, one a part of the round: what, why, evidence per house, and a line that kept or broke each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from trainer.compliance.tally import tally
from trainer.procedure.load import Procedures
from trainer.procedure.model import Evidence, Rule
from trainer.reports.pages import table
from trainer.reports.site.machine import page_name
from trainer.rounds.play import machine_of
from trainer.rounds.script import scenarios_of


@dataclass(frozen=True, slots=True)
class Examples:
    """The first line of the scenario library that kept and that broke each rule, as ``file:line act``."""

    kept: dict[str, str]
    broken: dict[str, str]


def examples_in(procedures: Procedures, scenarios: Path) -> Examples:
    """Deal the scenario library and note a line for each rule."""
    kept: dict[str, str] = {}
    broken: dict[str, str] = {}
    for slug in procedures.names():
        scripts = scenarios_of(procedures, scenarios, slug)
        counts = tally(machine_of(procedures, slug), scripts).counts
        for rule, count in counts.items():
            for found, places in ((kept, count.kept_at), (broken, count.broken_at)):
                if places and rule not in found:
                    found[rule] = _line(places[0], scenarios)
    return Examples(kept, broken)


def _line(place: str, scenarios: Path) -> str:
    name, _, number = place.rpartition(":")
    path = Path(name)
    text = path.read_text(encoding="utf-8").splitlines()[int(number) - 1].strip().removeprefix("- ")
    shown = path.relative_to(scenarios).as_posix()
    return f"`{text}` ([{shown}:{number}](../../scenarios/{shown}))"


def rule_pages(procedures: Procedures, examples: Examples) -> Iterator[tuple[str, str]]:
    """Yield path and text of each page on rules, and of their index."""
    parts: dict[str, list[Rule]] = {part: [] for part in procedures.game.parts}
    for rule in procedures.rules.values():
        parts.setdefault(rule.part, []).append(rule)
    yield "rules/index.md", _index(parts)
    for part, rules in parts.items():
        body = "\n".join(_rule(procedures, rule, examples) for rule in rules)
        yield f"rules/{page_name(part)}.md", f"# Rules: {part}\n\n[All rules](index.md)\n\n{body}"


def _index(parts: dict[str, list[Rule]]) -> str:
    out = ["# The rules\n", "Each rule is one duty of the dealer. A house gives it evidence, or is silent.\n"]
    for part, rules in parts.items():
        out.append(f"## {part[0].upper()}{part[1:]}\n")
        rows = [(f"[{rule.slug}]({page_name(part)}.md#{rule.slug})", rule.text, rule.weight.value) for rule in rules]
        out.append(table(("Rule", "What to do", "Weight"), rows))
    return "\n".join(out)


def _rule(procedures: Procedures, rule: Rule, examples: Examples) -> str:
    out = [
        f"## {rule.slug}\n",
        f"{rule.text}\n",
        f"*Why:* {rule.why} *Weight:* {rule.weight}. *Asked:* {rule.question}\n",
    ]
    rows: list[tuple[str, ...]] = []
    for slug in procedures.names():
        house = procedures.house(slug)
        evidence = house.evidence.get(rule.slug, Evidence())
        if evidence.basis == "silent":
            continue
        if evidence.cites:
            words = "; ".join(f"{one} ({house.statements[one].where})" for one in evidence.cites)
            words += f"; because {evidence.because}" if evidence.because else ""
        else:
            words = evidence.memo or f"{evidence.default}: {house.defaults[evidence.default].reading}"
        rows.append((f"[{house.title}](../houses/{slug}.md)", evidence.basis, words))
    out.append(table(("House", "Evidence", "Where"), rows) if rows else "Every house is silent on it.\n")
    for word, found in (("Kept", examples.kept), ("Broken", examples.broken)):
        if rule.slug in found:
            out.append(f"*{word}:* {found[rule.slug]}\n")
    return "\n".join(out)
