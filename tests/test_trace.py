"""The matrix has no gap; coverage counts what records touch; each format says the same."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from curious_rounds import CuriousRound

from trainer.cli import trainer
from trainer.compliance.coverage import FAILED, HELD, coverage
from trainer.compliance.reasons import UNREACHED, read_reasons
from trainer.compliance.trace import Traced, trace
from trainer.files import BadFile
from trainer.procedure.load import Procedures, data_folder
from trainer.rounds.play import machine_of
from trainer.rounds.script import read_script

HOUSES = sorted(path.parent.name for path in data_folder("procedures").glob("*/house.yaml"))
ONE = data_folder("scenarios") / "tropicana" / "rt-01-ten-up-ace-in-the-hole.yaml"


@pytest.mark.slow
@pytest.mark.parametrize("house", HOUSES)
def test_no_statement_is_left_over(house: str, shipped: Procedures) -> None:
    """Every statement steers something that is asked, kept and broken somewhere, or says why not.

    And every state, row, guard use (both ways), duty, setting and rule is exercised, or has a reason that still holds.
    """
    machine = machine_of(shipped, house)
    paths = sorted((data_folder("scenarios") / house).rglob("*.yaml"))
    found = coverage(machine, [read_script(path, shipped) for path in paths])
    rows = trace(machine.house, found)
    assert {row.id for row in rows} >= set(machine.house.statements)
    assert [(row.id, row.gaps) for row in rows if row.gaps] == []
    broken = {rule for rule, count in found.tally.counts.items() if count.broken}
    assert len(broken) > 60 and machine.house.settings.__class__ is dict
    reasons = read_reasons(shipped.folder / UNREACHED)
    assert found.unexplained(reasons) == []
    assert reasons.stale([house]) == []


@pytest.mark.slow
@pytest.mark.parametrize("house", HOUSES)
def test_what_no_record_can_reach_is_not_reached_by_any_round(house: str, shipped: Procedures) -> None:
    machine, reasons = machine_of(shipped, house), read_reasons(shipped.folder / UNREACHED)
    own = {line.partition(": ")[2] for line in reasons.lines if line.split(":")[0] in (house, "*")}
    wanted = {tuple(word.split()[-3:]) for word in own if word.startswith("guard use")}
    named = {("use", *words) for words in wanted} | {("row", word.split()[1]) for word in own if word[:4] == "row "}
    seen: set[tuple[str, ...]] = set()
    for number in range(5):
        one = CuriousRound(machine, f"unreached {number}", set(named))
        one.play()
        assert not one.shown, (named - one.wanted, [str(act) for act in one.acts])
        seen |= {("verb", act.verb) for act in one.acts}
    assert len(seen) > 12


def test_a_line_without_a_reason_names_its_place(tmp_path: Path) -> None:
    path = tmp_path / "unreached.txt"
    path.write_text("# why\n*: row TR-01 | because\ntropicana row TR-02 | so\n*: row TR-03\n", encoding="utf-8")
    with pytest.raises(BadFile) as caught:
        read_reasons(path)
    assert [problem.place.line for problem in caught.value.problems] == [3, 4]
    path.write_text("aces: row TR-01 | one\n*: row TR-01 | all\naces: row TR-02 | two\n", encoding="utf-8")
    reasons = read_reasons(path)
    assert (reasons.of("aces", "row TR-01"), reasons.of("tropicana", "row TR-01")) == ("one", "all")
    assert reasons.of("tropicana", "row TR-02") == "" and reasons.stale(["aces"]) == ["aces: row TR-02"]
    assert read_reasons(tmp_path / "none.txt").lines == {}


def test_a_reason_for_no_house_twice_or_in_no_text_names_its_place(tmp_path: Path) -> None:
    (tmp_path / "aces").mkdir()
    (tmp_path / "aces" / "house.yaml").touch()
    path = tmp_path / "unreached.txt"
    path.write_text("*: row TR-01 | so\nacse: row TR-02 | so\naces: row TR-03 | so\naces: row TR-03 | or so\n")
    with pytest.raises(BadFile) as caught:
        read_reasons(path)
    assert [(one.place.line, one.suggestion) for one in caught.value.problems] == [(2, "aces"), (4, "")]
    path.write_bytes(b"*: row TR-01 | so\n*: row \xff | so\n")
    with pytest.raises(BadFile) as caught:
        read_reasons(path)
    assert caught.value.problems[0].place.line == 2


def test_coverage_tells_what_one_record_leaves_out(shipped: Procedures) -> None:
    machine = machine_of(shipped, "tropicana")
    found = coverage(machine, [read_script(ONE, shipped)])
    missing = found.missing()
    assert ("state", "surrender") in missing and ("state", "hole") not in missing
    assert found.uses["TR-06", "spot_has_a_wager"] == {HELD}
    assert all(FAILED not in seen for seen in found.uses.values())
    assert coverage(machine, []).missing() != missing


def test_an_empty_cell_without_a_reason_is_a_gap() -> None:
    row = Traced("x-001", "must", "Something.", ("rule a",), ("TR-01: b",), (), ("c.yaml:3",))
    assert row.gaps[0] == "kept in" and "GAP" in row.cells()
    told = Traced("x-001", "must", "Something.", ("rule a",), ("TR-01: b",), (), ("c",), (("kept in", "why"),))
    assert "kept in" not in told.gaps and "[why]" in told.cells()


@pytest.fixture
def few(tmp_path: Path) -> Path:
    """A folder with one scenario of one house: most cells are gaps."""
    folder = tmp_path / "scenarios" / "tropicana"
    folder.mkdir(parents=True)
    (folder / "one.yaml").write_text(ONE.read_text(encoding="utf-8"), encoding="utf-8")
    return tmp_path / "scenarios"


def run(*args: object) -> tuple[int, str]:
    result = CliRunner().invoke(trainer, [str(one) for one in args])
    return result.exit_code, result.output


def test_gaps_end_with_code_1_in_every_format(few: Path) -> None:
    code, text = run("--scenarios", few, "trace", "tropicana")
    assert code == 1 and "gap: tropicana-042: broken in" in text and "scenarios/tropicana/one.yaml:" in text
    code, table = run("--scenarios", few, "trace", "tropicana", "--format", "csv")
    rows = list(csv.reader(io.StringIO(table)))
    assert code == 1 and rows[0][:2] == ["house", "id"] and any("GAP" in row for row in rows)
    code, said = run("--scenarios", few, "trace", "tropicana", "--format", "json")
    data = json.loads(said)
    assert code == 1 and len(data[0]["rows"]) == len(rows) - 1
    code, page = run("--scenarios", few, "trace", "tropicana", "--format", "html")
    assert code == 1 and "<table" in page and "tropicana-042" in page


def test_coverage_of_files_is_printed() -> None:
    code, text = run("trace", "tropicana", "--coverage", ONE)
    assert code == 0 and "1 records" in text and "state surrender" in text


def test_an_unknown_house_is_refused() -> None:
    found = CliRunner().invoke(trainer, ["trace", "tropcana"]).exception
    assert str(found).startswith("house is 'tropcana'; known are aces, ") and str(found).endswith("tropicana?)")
