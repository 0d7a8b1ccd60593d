"""The page on the machine: states, rows, duties, free moves, and a diagram a house."""

from __future__ import annotations

from trainer.procedure.load import Procedures
from trainer.procedure.shapes import StepShape
from trainer.reports.pages import table
from trainer.reports.site.diagram import ROUNDS, Moves, mermaid


def machine_page(procedures: Procedures, drawn: dict[str, Moves]) -> str:
    """Return the page, from ``procedures/blackjack.yaml`` and from rounds dealt in each house."""
    game = procedures.game
    out = [
        "# The machine\n",
        f"*{game.title}.* One machine serves all houses. A house selects rows by its settings and gives each rule its evidence; a "
        "condition whose rule the house documents refuses, a default at most comments, a silent rule says nothing. "
        "A *position* is the state together with what lies on the felt and what was called, asked and looked at.\n",
        "[States](#states) · [Settings](#settings) · [Rows](#rows) · [Players' events](#players-events) · "
        "[Duties](#duties) · [Free moves](#free-moves) · [Diagrams](#diagrams)\n",
        "## States\n",
        table(("State", "What it means"), [(f"`{name}`", says) for name, says in game.states.items()]),
        "## Settings\n",
        table(("Setting", "What it fixes", "Choices"),
              [(f"`{slug}`", one.means, _choices(one.choices, one.odds, one.hands, one.totals)) for slug, one in game.settings.items()]),
        "## Rows\n",
        "Each condition names the rule it serves. A row with *when* belongs to the houses with that setting.\n",
        _rows(procedures, game.steps),
        "## Players' events\n",
        "An event always happens; what speaks against it waits for the dealer's act that accepts or refuses it.\n",
        _rows(procedures, game.events),
        "## Duties\n",
        "A duty is due as long as its condition holds; while it is due it blocks the acts named. Duties of one topic are told "
        "once a place.\n",
        table(("Duty", "Due when", "Blocks", "Told as", "Topic", "Rule"),
              [(f"`{name}`", _plain(one.due), ", ".join(_plain(word) for word in one.blocks), one.says, one.topic or name,
                _link(procedures, one.rule))
               for name, one in game.duties.items()]),
        "## Free moves\n",
        "Taken only on the way to an act that belongs to a later state.\n",
        table(("From", "To", "Needs"),
              [(f"`{one.source}`", f"`{one.to}`", _needs(procedures, one.needs)) for one in game.free_moves]),
        "## Diagrams\n",
        f"The moves that {ROUNDS} right rounds make in each house, with the acts that make them.\n",
    ]  # fmt: skip
    for slug, moves in drawn.items():
        house = procedures.house(slug)
        out.append(f"### {house.title}\n")
        out.append(f"![The moves of a round at {house.title}](pictures/{slug}.svg)\n")
        out.append(f"```mermaid\n{mermaid(house, moves)}\n```\n")
    return "\n".join(out)


def _choices(choices: list[str], odds: bool, hands: bool, totals: bool) -> str:
    if odds:
        return "odds such as 3:2"
    if hands:
        return "a number, or places:hands such as 7:3 6:4"
    if totals:
        return "any, or a range such as 9-11"
    return ", ".join(choices)


def _plain(name: str) -> str:
    return name.replace("_", " ")


def _link(procedures: Procedures, slug: str, up: str = "") -> str:
    rule = procedures.rules.get(slug)
    return f"[{slug}]({up}rules/{page_name(rule.part)}.md#{slug})" if rule else slug


def page_name(part: str) -> str:
    """Return the name of the page of a part of the round."""
    return part.replace("'", "").replace(" ", "-")


def _needs(procedures: Procedures, needs: dict[str, str]) -> str:
    found = []
    for guard, rule in needs.items():
        named = f"the wager's own *{rule[6:]}* rule" if rule.startswith("wager:") else _link(procedures, rule)
        found.append(f"{_plain(guard)} ({named})")
    return "; ".join(found) or "nothing"


def _rows(procedures: Procedures, steps: dict[str, StepShape]) -> str:
    rows: list[tuple[str, ...]] = []
    for name, step in steps.items():
        says = step.says + (f" Also {', '.join(step.also)}." if step.also else "")
        only = ", ".join(f"{setting}: {value}" for setting, value in step.when.items())
        told = ", ".join(_plain(word) for word in step.facts)
        rows.append((
            f"`{name}`", f"`{step.do}`", says + (f" *Where* {told}." if told else "") + (f" *When* {only}." if only else ""),
            ", ".join(step.sources), ", ".join(step.to), _needs(procedures, step.needs),
        ))  # fmt: skip
    return table(("Row", "Act", "What", "From", "To", "Needs"), rows)
