"""What all tests share: the shipped procedures, and records dealt from text."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from trainer.procedure.load import Procedures, procedures
from trainer.rounds.play import Session, machine_of, replay
from trainer.rounds.script import read_script

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def shipped() -> Procedures:
    return procedures()


@pytest.fixture(autouse=True)
def _own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test writes into the user's own data folder."""
    monkeypatch.setenv("TRAINER_DATA", str(tmp_path / "data"))


@pytest.fixture
def play(shipped: Procedures) -> Callable[..., Session]:
    """Deal lines of the notation in a house: ``play("aces", "wager 1 10.00 ...", header="minimum: ...")``."""

    def dealt(house: str, text: str, header: str = "") -> Session:
        lines = [line.strip() for line in text.strip().splitlines() if line.strip()]
        items = "".join(f"  - {line if chr(34) not in line else chr(39) + line + chr(39)}\n" for line in lines)
        script = read_script("test.yaml", shipped, text=f"house: {house}\n{header}\nlines:\n{items}")
        session = replay(script, machine_of(shipped, house))
        assert not session.problems, session.problems
        return session

    return dealt


def missing(tool: str, why: str) -> None:
    """Skip with a reason on a bare machine; fail where skips are forbidden."""
    if os.environ.get("TRAINER_NO_SKIPS"):
        pytest.fail(f"{tool} is missing: {why}")
    pytest.skip(f"{tool} is missing: {why}")


LONG_FILES = {
    "test_compliance_papers.py",
    "test_html_replay.py",
    "test_money.py",
    "test_walks.py",
    "test_fuzz.py",
    "test_bulk.py",
    "test_marks.py",
    "test_proofs.py",
    "test_slips.py",
    "test_slip_findings.py",
    "test_one_thing_wrong.py",
    "test_said.py",
    "test_slips_told.py",
    "test_slips_rough.py",
    "test_mutants.py",
}
"""Files whose every test is slow: proofs, searches and fuzzing, run by the checks and on demand."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.name in LONG_FILES:
            item.add_marker(pytest.mark.slow)
