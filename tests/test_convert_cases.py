"""The converter of real cases: its scenarios are the committed ones, and it tells what a record does not prove."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import yaml

sys.path.insert(0, str(Path(__file__).parent / "tools"))

from convert_cases import convert, main

from trainer.procedure.load import Procedures
from trainer.rounds.script import read_script

HERE = Path(__file__).parent
SAMPLE = HERE / "cases-sample.yaml"
SCENARIOS = HERE.parent / "scenarios"


def test_the_sample_becomes_the_committed_scenarios(tmp_path: Path) -> None:
    assert main([str(SAMPLE), str(tmp_path)]) == 0
    made = sorted(tmp_path.rglob("*.yaml"))
    assert len(made) == 9
    for file in made:
        assert file.read_text("utf-8") == (SCENARIOS / file.relative_to(tmp_path)).read_text("utf-8")


def test_the_cases_are_all_there() -> None:
    counts = {folder.parent.name: len(list(folder.glob("*.yaml"))) for folder in SCENARIOS.glob("*/cases")}
    assert sum(counts.values()) == 267
    assert counts["greektown"] == 58


def test_verdict_money_and_proofs_are_written_down(shipped: Procedures) -> None:
    early = read_script(SCENARIOS / "trump-marina/cases/c37-surrender.yaml", shipped)
    assert early.money == -500
    wrong = [line for line in early.lines if line.expects]
    assert [str(line.act) for line in wrong] == ["take 1 5.00", "return 1 5.00"]
    assert wrong[0].expect == "wrong time" and wrong[0].cites == ("trump-marina-065", "trump-marina-066")
    silent = read_script(SCENARIOS / "tropicana/cases/c16-insurance-settlement.yaml", shipped)
    assert [(line.expect, line.default) for line in silent.lines if line.expects] == [("wrong detail", "D-25")]


def test_the_register_of_defaults_wins_over_a_case(shipped: Procedures) -> None:
    for house, expected in (
        ("greektown", ("advice", "D-89", ())),
        ("aces", ("wrong detail", "", ("aces-007", "aces-009"))),
    ):
        script = read_script(SCENARIOS / house / "cases/c67-deal-order.yaml", shipped)
        (line,) = [line for line in script.lines if line.expects]
        assert (line.expect, line.default, line.cites) == expected


def test_a_proof_that_nothing_cites_is_told(
    shipped: Procedures, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    cases = yaml.safe_load(SAMPLE.read_text("utf-8"))
    (case,) = [one for one in cases if one["id"] == "C62"]
    case["verdicts"][0]["proves"].append("aces-001")
    assert convert(case, case["verdicts"][0], shipped)[1] == ["aces-001"]
    changed = tmp_path / "cases.yaml"
    changed.write_text(yaml.safe_dump([case]), "utf-8")
    assert main([str(changed), str(tmp_path / "out")]) == 1
    assert "C62 aces: not cited by any finding: aces-001" in capsys.readouterr().out


def test_two_arguments_are_needed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert "CASES OUT" in capsys.readouterr().err
