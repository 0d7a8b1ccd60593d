"""What careless use must not cost: records that lie there, torn lines, closed input, places that cannot be written."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from trainer import files
from trainer.procedure.load import Procedures

DEAL = ("deal", "aces", "--plain", "--seed", "3", "--spots", "1")


def run(*words: str, lines: str = "", before: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "trainer", *words]
    if before:
        command = ["sh", "-c", f'exec "$@" {before}', "sh", *command]
    return subprocess.run(command, input=lines, capture_output=True, text=True, timeout=120, check=False)


def test_a_record_that_exists_is_never_written_into(tmp_path: Path) -> None:
    record = tmp_path / "a.yaml"
    run(*DEAL, "--record", str(record), lines="deal 1\n")
    before = record.read_text()
    again = run(*DEAL, "--record", str(record), lines="deal 1\n")
    assert again.returncode == 2 and "--resume" in again.stderr
    assert record.read_text() == before


def test_a_line_torn_by_a_crash_is_left_out_when_the_session_goes_on(tmp_path: Path) -> None:
    record = tmp_path / "a.yaml"
    run(*DEAL, "--record", str(record), lines="deal 1\n")
    record.write_text(record.read_text() + "  - {do: deal u")
    on = run("deal", "--resume", str(record), "--plain", lines="deal up\n")
    assert on.returncode == 0, on.stderr
    assert "deal up" in record.read_text().splitlines()[-1]


def test_closed_input_and_unwritable_places_end_with_a_sentence(tmp_path: Path) -> None:
    record = tmp_path / "a.yaml"
    closed = run(*DEAL, "--record", str(record), before="<&-")
    assert closed.returncode == 0 and "Traceback" not in closed.stderr
    nowhere = tmp_path / "none" / "x.html"
    refused = run("replay", str(record), "--html", str(nowhere))
    assert refused.returncode == 2 and refused.stderr.startswith(f"trainer: {nowhere} cannot be")


def test_an_empty_folder_is_no_success(tmp_path: Path) -> None:
    for words in (("replay", str(tmp_path)), ("replay", str(tmp_path), "--view")):
        done = run(*words)
        assert done.returncode == 2 and "no record" in done.stderr


SCENARIO = Path(__file__).resolve().parents[1] / "scenarios" / "aces" / "ra-04-blackjack-against-a-9.yaml"


def as_json_lines(folder: Path) -> Path:
    """Write a record into a folder, as JSON Lines."""
    folder.mkdir()
    record = folder / "round.jsonl"
    assert run("import", str(SCENARIO), "--to", "jsonl", "-o", str(record)).returncode == 0
    return record


@pytest.mark.slow
def test_a_folder_of_json_lines_is_a_folder_of_records_for_every_command(tmp_path: Path) -> None:
    folder = as_json_lines(tmp_path / "records").parent
    (folder / "kept.yaml").mkdir()
    (folder / "notes.txt").write_text("no record")
    for words, said in (
        (("replay", "-q", str(folder)), "1 record judged: as expected"),
        (("check", str(folder)), "1 records checked: nothing found"),
        (("trace", "aces", "--coverage", str(folder)), "ACES: 1 records"),
        (("checklist", "aces", "--records", str(folder)), "betting-closes"),
        (("findings", str(folder)), ""),
        (("beside", str(folder / "round.jsonl"), "--houses", "aces", "tropicana"), "Tropicana"),
        (("store", "add", str(folder / "round.jsonl"), "--store", str(tmp_path / "kept.db")), "session"),
    ):
        done = run(*words)
        assert done.returncode == 0 and said in done.stdout, (words, done.stdout, done.stderr)


def test_no_record_and_no_record_of_the_house_are_no_success(tmp_path: Path) -> None:
    (tmp_path / "none").mkdir()
    for words in (("check", str(tmp_path / "none")), ("trace", "aces", "--coverage", str(tmp_path / "none"))):
        done = run(*words)
        assert done.returncode == 2 and "no record (*.yaml" in done.stderr, words
    other = run("trace", "tropicana", "--coverage", str(SCENARIO))
    assert other.returncode == 2 and "no record of tropicana" in other.stderr


def test_what_a_command_cannot_give_is_refused(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    two = run("replay", str(SCENARIO), str(SCENARIO), "--html", str(page))
    assert two.returncode == 2 and "it shows one record, and here are 2" in two.stderr and not page.exists()
    view = run("replay", str(SCENARIO), str(SCENARIO), "--view")
    assert view.returncode == 2 and "it shows one record" in view.stderr
    table = run("trace", "aces", "--coverage", str(SCENARIO), "--format", "csv")
    assert table.returncode == 2 and "text only" in table.stderr


def test_a_pipe_named_as_the_file_to_write_stays_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE, text=True)
    assert run("replay", str(SCENARIO), "--html", str(pipe)).returncode == 0
    said, _ = reader.communicate(timeout=60)
    assert said.startswith("<!") and pipe.is_fifo()


def test_slips_are_told_as_data_too(tmp_path: Path) -> None:
    record = tmp_path / "round.yaml"
    whole = (SCENARIO.parent / "ra-02-ace-up-insurance-look-finds-blackjack.yaml").read_text()
    record.write_text(whole.replace("  - call insurance\n", ""))
    told = json.loads(run("replay", str(record), "--slips", "--format", "json").stdout)
    (slip,) = told[0]["slips"]
    assert (slip["kind"], slip["severity"]) == ("omitted", "fault") and "aces-057" in slip["cites"]


def test_the_procedures_are_read_the_same_where_yaml_comes_without_its_c_library(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    slugs = Procedures().names()
    quick = {slug: Procedures().house(slug).evidence for slug in slugs[:1]}
    monkeypatch.setattr(files, "_LOADER", yaml.SafeLoader)
    slow = Procedures()
    assert {slug: slow.house(slug).evidence for slug in slugs[:1]} == quick
    assert all(slow.house(slug).statements for slug in slugs)
