"""A page per house: its settings, rules and prices with their evidence, and what its document leaves open."""

from __future__ import annotations

from trainer.chips import dollars
from trainer.compliance.checklist import Row, checklist, rows_citing
from trainer.procedure.model import Evidence, House
from trainer.reports.pages import table
from trainer.reports.site.machine import page_name


def house_page(house: House) -> str:
    """Return the page of a house."""
    given = checklist(house)
    documented = sum(row.evidence.basis == "documented" for row in given.rows)
    inferred = sum(row.evidence.basis == "inferred" for row in given.rows)
    out = [
        f"# {house.title}\n",
        f"`{house.slug}`, version {house.version}, effective {house.effective}, approved by: {house.approver}. "
        f"Source: {house.document}. {house.decks} decks, {house.places} places, wagers from {dollars(house.minimum)} to "
        f"{dollars(house.maximum)}, chips {', '.join(dollars(chip) for chip in house.chips)}.\n",
        f"Its checklist has {len(given.rows)} rows: {documented} documented, {inferred} inferred, "
        f"{len(given.undocumented)} that rest on a default of ours, which can fail nobody.\n",
        f"![The moves of a round](../pictures/{house.slug}.svg)\n",
    ]
    if house.words:
        out += ["## Its own words\n", table(("We say", "It says"), house.words.items())]
    out += ["## Settings\n", table(("Setting", "Value", "Meaning", "Evidence"), [
        (f"`{slug}`", one.value, one.means, evidence_words(house, one.evidence)) for slug, one in house.settings.items()
    ])]  # fmt: skip
    out += _games(house)
    out.append("## Rules\n")
    for part, rows in given.by_part().items():
        ruled = [row for row in rows if row.id in house.rules]
        if ruled:
            out += [f"### {part[0].upper()}{part[1:]}\n", _rules(house, ruled)]
    out += ["## What the document leaves open\n",
            f"Asked of its owner with `trainer questions {house.slug}`.\n", _defaults(house)]  # fmt: skip
    out += [
        "## Rules that rest on a default\n",
        _rules(house, [row for row in given.undocumented if row.id in house.rules]),
    ]
    out += ["## Statements\n", _statements(house)]
    return "\n".join(out)


def evidence_words(house: House, evidence: Evidence) -> str:
    """Say what a house gives for a rule or setting."""
    if evidence.memo:
        return f"answered by the house ({evidence.memo})"
    if evidence.cites:
        words = f"{evidence.basis}: " + ", ".join(f"[{one}](#{one})" for one in evidence.cites)
        return words + (f" ({evidence.because})" if evidence.because else "")
    if evidence.default:
        return f"default [{evidence.default}](#{anchor(evidence.default)}), {house.defaults[evidence.default].policy}"
    return "silent"


def anchor(default: str) -> str:
    """Return the anchor of a default on a house's page."""
    return default.lower()


def _rules(house: House, rows: list[Row]) -> str:
    return table(("Rule", "What to do", "Weight", "Evidence"), [
        (f"[{row.id}](../rules/{page_name(row.part)}.md#{row.id})", house.rules[row.id].text, row.weight,
         evidence_words(house, row.evidence))
        for row in rows
    ])  # fmt: skip


def _games(house: House) -> list[str]:
    out = []
    for wagers in house.games.values():
        first = next(iter(wagers.values()))
        out += [f"## {first.title}\n", f"{first.says}\n"]
        prices: list[tuple[str, ...]] = []
        terms: list[tuple[str, ...]] = []
        for wager in wagers.values():
            for outcome, odds in wager.pays:
                cites = ", ".join(f"[{one}](#{one})" for one in wager.cites.get(outcome, ()))
                prices.append((f"`{wager.kind}`", outcome, str(odds), wager.settles, cites))
            limits = f"{dollars(wager.least)} to {dollars(wager.most)}" if wager.most else "no limits of its own"
            limits += ", at most the main wager" * wager.at_most_main
            rules = ", ".join(
                f"{key}: [{rule}](../rules/{page_name(house.rules[rule].part)}.md#{rule})"
                for key, rule in wager.rules.items()
            )
            order = "losers first" if wager.losers_first else "in turn"
            terms.append((f"`{wager.kind}`", wager.family, wager.group or wager.kind, limits, order, rules))
        out.append(table(("Wager", "Wins on", "Pays", "Decided by", "Evidence"), prices))
        out.append(table(("Wager", "Family", "One of a group", "Limits", "Settled", "Judged by"), terms))
    return out


def _defaults(house: House) -> str:
    used = {one.default for one in house.evidence.values()} | {one.evidence.default for one in house.settings.values()}
    rows: list[tuple[str, ...]] = []
    for default in house.defaults.values():
        if house.slug in default.houses or default.id in used:
            answer = house.answers.get(default.id)
            rows.append((f'<a id="{anchor(default.id)}"></a>{default.id}', default.what, default.gap, default.reading,
                         default.reason, ", ".join(default.houses),
                         str(answer) if answer else f"{default.policy}{', shown' if default.shown else ''}"))  # fmt: skip
    return table(("Default", "Matter", "The document", "Our reading", "Why", "Open in", "Policy"), rows)


def _statements(house: House) -> str:
    citing = rows_citing(house)
    rows: list[tuple[str, ...]] = []
    for one in house.statements.values():
        says = " ".join([one.gist, *(f"*{name}: {text.removesuffix('.')}.*" for name, text in one.details)])
        rows.append((f'<a id="{one.id}"></a>{one.id}', one.where, says, one.kind.replace("-", " "),
                     f"{one.binding} ({one.actor})", ", ".join(citing[one.id]) or f"none: {one.reason or 'it steers nothing'}"))  # fmt: skip
    return table(("Statement", "Place", "What it says, in our words", "About", "Binding", "Checklist rows"), rows)
