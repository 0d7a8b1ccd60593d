"""Twenty faulty rounds are told as a floor supervisor would: the page is kept beside the tests and compared."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner
from slips_told import PAGE, RECORDS, page

from trainer.cli import trainer

ROOT = Path(__file__).resolve().parents[1]


def test_the_page_is_what_is_told_today() -> None:
    assert page() == PAGE.read_text("utf-8"), "if the new words are better: python tests/slips_told.py"


def test_twenty_records_of_all_houses_with_one_to_six_slips() -> None:
    said = [part.splitlines()[2] for part in PAGE.read_text("utf-8").split("\n# ")[1:]]
    assert len(RECORDS) == len(set(RECORDS)) == len(said) == 20
    assert {line.split(" slip")[0] for line in said} == {"1", "2", "3", "4", "5", "6"}
    for house in ("aces", "greektown", "house-h17", "tropicana", "trump-marina"):
        assert sum(house in name for name in RECORDS) == 4


def test_the_heading_counts_what_stands_under_it() -> None:
    for part in PAGE.read_text("utf-8").split("\n# ")[1:]:
        title, _, heading, *lines = part.splitlines()
        slips = [line for line in lines if line[0].isdigit()]
        advice = sum("(advice only)" in line for line in slips)
        assert int(heading.split(" slip")[0]) == len(slips), title
        counted = len(slips) if heading.endswith("slips, advice only.") else 0
        if " of them advice only" in heading:
            counted = int(heading.split(", ")[1].split(" of them")[0])
        assert counted == advice, title


def test_replay_prints_the_same() -> None:
    path = ROOT / f"{RECORDS[0]}.yaml"
    printed = CliRunner().invoke(trainer, ["replay", "--slips", str(path)]).output
    part = PAGE.read_text("utf-8").split("\n# ")[1]
    assert printed.strip() == part.partition("\n")[2].strip()
