"""What careless use must not cost: records that lie there, torn lines, closed input, places that cannot be written."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

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
