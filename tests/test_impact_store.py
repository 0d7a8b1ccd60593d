"""Sign-offs that fall due when a house's procedure changes: whose, since when, and when nobody's does."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from faulty_round import deal_with_a_fault

from trainer.cli import trainer
from trainer.compliance.impact import verdict_words, version_in
from trainer.procedure.load import Procedures
from trainer.procedure.machine import HouseMachine
from trainer.records import desk, people
from trainer.records.recorder import StoreRecorder
from trainer.records.store import Store, Stored
from trainer.rounds.deal import Live
from trainer.rounds.play import machine_of, replay

HOUSE = "tropicana"


@dataclass
class World:
    """A store with a supervisor, and the house's folder as it stood when the sessions were dealt."""

    store: Store
    shipped: Procedures
    new: Path
    moment: datetime = datetime(2026, 11, 30, 9, 5, tzinfo=UTC)

    def __post_init__(self) -> None:
        self.store.clock = lambda: self.moment

    @property
    def ben(self) -> Stored:
        """Ben's session, as the store has it."""
        return self.store.session(self.store.sessions(person=people.named(self.store, "Ben").id)[0].id)

    @property
    def old(self) -> Path:
        return self.shipped.folder / HOUSE

    def change(self, old: str, text: str) -> None:
        path = self.new / "house.yaml"
        before = path.read_text(encoding="utf-8")
        assert before.count(old) == 1, "the change has to hit one place"
        path.write_text(before.replace(old, text), encoding="utf-8")

    def silence(self, rule: str) -> None:
        line = re.search(rf"^  {rule}: .*\n", (self.new / "house.yaml").read_text(encoding="utf-8"), re.M)
        assert line, rule
        self.change(line[0], "")

    def run(self, old: Path, store: str) -> Result:
        # Without scenarios: judging them anew has its own tests, and takes seconds.
        command = ["--scenarios", str(self.new.parent), "impact", str(old), str(self.new), "--store", store]
        return CliRunner().invoke(trainer, command)

    def due(self, old: Path | None = None) -> list[tuple[str, ...]]:
        """The table of sign-offs that the command prints, row by row."""
        done = self.run(old or self.old, f"sqlite:///{self.store.where}")
        assert done.exit_code == 0, done.output
        part = done.output.partition("## Sign-offs that fall due\n")[2].partition("\n## ")[0]
        lines = [line for line in part.splitlines() if line.startswith("|")]
        assert lines or "None: nobody was signed off" in part, part
        return [tuple(cell.strip() for cell in line.strip("|").split("|")) for line in lines[2:]]

    def deal(self, who: str, *, pass_mark: int = 80, signed: bool = True) -> Stored:
        """Deal an assessment of a new trainee with one fault, and have it signed two days later."""
        anna, ben = people.named(self.store, "Anna"), people.add(self.store, who)
        terms = people.Terms(HOUSE, 1, "sealed", pass_mark, anna.id, spots=1)
        given = people.assign(self.store, [ben], terms)[0]
        script = people.script_for(given, self.shipped)
        recorder = StoreRecorder.start(
            self.store, script, self.shipped, person=ben.id, assignment=given.id, terms=terms.digest, kind="assessed"
        )
        live = Live(machine_of(self.shipped, HOUSE), script, (1,), emit=recorder.note)
        deal_with_a_fault(live)
        recorder.finish()
        if signed:
            self.sign(recorder.id)
        return self.store.session(recorder.id)

    def sign(self, session: str) -> None:
        self.moment += timedelta(days=2)
        desk.sign(self.store, session, people.named(self.store, "Anna"))


@pytest.fixture(scope="module")
def signed(tmp_path_factory: pytest.TempPathFactory, shipped: Procedures) -> Path:
    """A store made once and copied for each test: Ben was signed off."""
    path = tmp_path_factory.mktemp("signed") / "records.db"
    with Store(str(path)) as store:
        made = World(store, shipped, path.parent)
        people.add(store, "Anna", role=people.SUPERVISOR)
        made.deal("Ben")
    return path


@pytest.fixture
def world(tmp_path: Path, shipped: Procedures, signed: Path) -> Iterator[World]:
    new = tmp_path / "new"
    shutil.copytree(shipped.folder / HOUSE, new)
    with Store(str(shutil.copy(signed, tmp_path / "records.db"))) as store:
        yield World(store, shipped, new)


def test_a_rule_the_session_was_judged_by_makes_its_sign_off_fall_due(world: World) -> None:
    signed = world.ben
    under_old = world.store.replayed(signed)
    fault = under_old.faults[0].verdict.leading
    assert fault is not None and fault.evidence.cites
    world.silence(fault.rule.slug)
    new = version_in(world.new, world.shipped.folder)
    under_new = replay(world.store.script(signed), HouseMachine(new))
    assert verdict_words(under_old) != verdict_words(under_new), "the session has to have exercised the rule"
    # The time is the signature's, not the one the session was begun at.
    assert world.due() == [("Ben", signed.id, "2026-12-02 09:05")]


def test_a_sign_off_is_for_the_whole_procedure(world: World) -> None:
    """A rule that the signed session never met counts as well: surrender is dealt in no session of this house."""
    world.silence("surrender-offered")
    assert [row[1] for row in world.due()] == [world.ben.id]


def test_a_change_that_touches_nothing_makes_none_fall_due(world: World) -> None:
    world.change("approver: not yet approved", "approver: the floor")
    world.change("# Rules without a line", "# The rules without a line")
    world.change('version: "1"', 'version: "2"')
    assert world.due() == []


def test_what_lies_on_the_tables_counts(world: World) -> None:
    world.change('maximum: "500.00"', 'maximum: "300.00"')
    assert [row[1] for row in world.due()] == [world.ben.id]


def test_only_who_was_signed_off_under_the_old_version_is_listed(world: World) -> None:
    waiting = world.deal("Cora", signed=False)
    failed = world.deal("Dana", pass_mark=100)
    world.silence("dealer-draws-to-16")
    assert [row[:2] for row in world.due()] == [("Ben", world.ben.id)]
    world.sign(waiting.id)
    assert {row[0] for row in world.due()} == {"Ben", "Cora"}
    assert failed.is_signed


def test_nobody_was_signed_off_under_a_version_no_session_was_dealt_under(world: World) -> None:
    other = world.new.parent / "other"
    shutil.copytree(world.new, other)
    world.silence("dealer-draws-to-16")
    world.change("decks: 6", "decks: 8")
    assert [row[1] for row in world.due(other)] == [world.ben.id], "a copy of the folder is the same version"
    (other / "house.yaml").write_text((other / "house.yaml").read_text().replace("decks: 6", "decks: 4"))
    assert world.due(other) == []


def test_a_store_that_cannot_be_opened_is_told(world: World) -> None:
    world.silence("dealer-draws-to-16")
    done = world.run(world.old, "mysql://there/records")
    assert done.exit_code == 2 and "a store is a SQLite file or a PostgreSQL database" in done.output
