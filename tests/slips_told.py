"""Twenty recorded faulty rounds of all houses, told as a floor supervisor would: ``python tests/slips_told.py`` writes the page."""

from __future__ import annotations

from pathlib import Path

from trainer.procedure.load import procedures
from trainer.rounds.explain import explain, spell_slips
from trainer.rounds.play import machine_of
from trainer.rounds.script import read_script

HERE = Path(__file__).resolve().parent
PAGE = HERE / "slips-told.txt"
RECORDS = (
    "scenarios/aces/incidents/both-cards-at-once",
    "scenarios/aces/incidents/spot-passed-over",
    "scenarios/aces/cases/c10-insurance-offer",
    "tests/slips_told/aces-five",
    "scenarios/greektown/incidents/won-insurance-forgotten",
    "scenarios/greektown/incidents/even-money-pushed",
    "scenarios/greektown/cases/c64-bust-collection",
    "tests/slips_told/greektown-four",
    "scenarios/house-h17/incidents/own-22-called-21",
    "scenarios/house-h17/incidents/two-spots-mixed-up",
    "scenarios/house-h17/incidents/half-of-a-double-forgotten",
    "tests/slips_told/house-h17-four",
    "scenarios/tropicana/cases/c47-hand-total",
    "scenarios/tropicana/cases/c56-settlement",
    "scenarios/tropicana/incidents/blackjack-paid-after-a-look-under-a-ten",
    "tests/slips_told/tropicana-six",
    "scenarios/trump-marina/incidents/broken-double-given-back",
    "scenarios/trump-marina/incidents/loser-left-lying",
    "scenarios/trump-marina/cases/c10-insurance-offer",
    "tests/slips_told/trump-marina-four",
)
HEAD = "Written by: python tests/slips_told.py; each part is what trainer replay FILE --slips prints.\n"


def page() -> str:
    """Return what is told of each record."""
    known = procedures()
    parts = [HEAD]
    for name in RECORDS:
        script = read_script(HERE.parent / f"{name}.yaml", known)
        machine = machine_of(known, script.house)
        lines = [f"# {name}.yaml", f"{script.title} ({machine.house.title})"]
        parts.append("\n".join([*lines, *spell_slips(machine.house, explain(script, machine))]) + "\n")
    return "\n".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
