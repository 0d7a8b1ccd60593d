"""The store: what it holds, that each act is durable when noted, and that nothing can tear it."""

from __future__ import annotations

import os
import random
import resource
import shutil
import signal
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from conftest import missing
from postgres import is_here, server
from sqlalchemy import create_engine, inspect, text

from trainer.actions import parse
from trainer.procedure.load import Procedures
from trainer.records import desk
from trainer.records.engine import REVISIONS, StoreError, migrate
from trainer.records.recorder import StoreRecorder, take_in
from trainer.records.store import Store
from trainer.records.tables import metadata
from trainer.rounds.deal import Live, deal_rounds
from trainer.rounds.play import Entry, Session, machine_of, replay
from trainer.rounds.recorder import Recorder
from trainer.rounds.script import Script, options_for, read_script

HOUSE = "tropicana"
WORKER = Path(__file__).with_name("store_worker.py")


def script_of(shipped: Procedures, seed: str = "s") -> Script:
    return Script(HOUSE, options=options_for(shipped.house(HOUSE)), seed=seed)


def dealt(shipped: Procedures, note: Callable[[Entry], None], seed: str = "s", rounds: int = 1) -> Session:
    script = script_of(shipped, seed)
    return deal_rounds(machine_of(shipped, HOUSE), script.options, seed=seed, rounds=rounds, emit=note)


@pytest.fixture(scope="module")
def postgres() -> Iterator[str]:
    if not is_here():
        missing("PostgreSQL", "initdb and pg_ctl are not installed")
    with server() as where:
        yield where


@pytest.fixture(params=["sqlite", "postgres"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Each test over both databases; on PostgreSQL they share one store, as stations of a room do."""
    if request.param == "sqlite":
        return str(tmp_path / "records.db")
    return str(request.getfixturevalue("postgres"))


# -- what it holds -----------------------------------------------------------------------------------------------


def test_a_session_in_the_store_is_the_file_line_by_line(shipped: Procedures, where: str, tmp_path: Path) -> None:
    script = replace(script_of(shipped), title='a "quoted" title, with: signs', players=((1, "Kim"),))
    with Store(where) as store:
        recorder = StoreRecorder.start(store, script, shipped)
        with Recorder(tmp_path / "session.yaml", script) as file:

            def note(entry: Entry) -> None:
                recorder.note(entry)
                file.note(entry)

            session = dealt(shipped, note, rounds=3)
        stored = store.session(recorder.id)
        assert stored.text == (tmp_path / "session.yaml").read_text()
        again = store.replayed(stored)
    assert [str(one.act) for one in again.entries] == [str(one.act) for one in session.entries]
    assert (stored.fingerprint, again.accuracy) == (shipped.house(HOUSE).fingerprint, 1.0)


def test_blocked_acts_times_and_quoted_words_come_back(shipped: Procedures, where: str) -> None:
    with Store(where) as store:
        recorder = StoreRecorder.start(store, script_of(shipped), shipped)
        live = Live(machine_of(shipped, HOUSE), script_of(shipped), (1,), emit=recorder.note)
        live.open_round()
        live.dealer(parse('call floor "a card, \\"marked\\": why?"'), at=1.25)
        live.dealer(parse("deal up"), coached=True, at=2.5)
        live.dealer(parse("take 1 5.00"), coached=True, at=3.0)
        again = store.replayed(store.session(recorder.id))
    said = [(str(one.act), one.at, one.blocked) for one in again.entries]
    assert said == [(str(one.act), one.at, one.blocked) for one in live.session.entries]
    assert ('call floor "a card, \\"marked\\": why?"', 1.25, False) in said
    assert any(blocked for _, _, blocked in said)


def test_the_store_keeps_time_zone_and_versions(shipped: Procedures, where: str) -> None:
    begun = datetime(2026, 7, 1, 22, 30, tzinfo=timezone(timedelta(hours=2)))
    ticks = iter(begun + timedelta(seconds=second) for second in range(1000))
    with Store(where, clock=lambda: next(ticks)) as store:
        recorder = StoreRecorder.start(store, script_of(shipped), shipped)
        dealt(shipped, recorder.note)
        stored = store.session(recorder.id)
    assert (stored.started, stored.zone) == ("2026-07-01T20:30:00.000000Z", "+02:00")
    assert stored.links[0].time == "2026-07-01T20:30:01.000000Z"
    assert stored.version


def test_a_session_is_judged_by_the_procedure_it_was_dealt_under(
    shipped: Procedures, tmp_path: Path, where: str
) -> None:
    """Changing the house afterwards changes no verdict: the data are kept with the record."""
    folder = tmp_path / "procedures"
    shutil.copytree(shipped.folder, folder)
    mine = Procedures(folder)
    with Store(where) as store:
        recorder = StoreRecorder.start(store, script_of(mine), mine)
        dealt(mine, recorder.note)
        path = folder / HOUSE / "house.yaml"
        path.write_text(path.read_text().replace('is: "3:2"', 'is: "6:5"').replace("is: stand", "is: hit", 1))
        (folder / "blackjack.yaml").write_text("broken: [")
        stored = store.session(recorder.id)
        assert store.machine(stored).house.fingerprint == mine.house(HOUSE).fingerprint
        assert desk.verify(store, stored) == []


def test_a_session_file_is_taken_in_with_its_own_times(shipped: Procedures, tmp_path: Path, where: str) -> None:
    script = replace(script_of(shipped), clock="2026-03-01T10:00:00+01:00")
    path = tmp_path / "session.yaml"
    with Recorder(path, script) as file:
        session = dealt(shipped, file.note)
    with Store(where) as store:
        stored = take_in(store, read_script(path, shipped), shipped)
        found = store.session(stored.id)
        assert (found.started, found.zone) == ("2026-03-01T09:00:00.000000Z", "+01:00")
        assert found.is_closed and len(found.acts) == len(session.entries)
        assert desk.verify(store, found) == []
        other = replace(read_script(path, shipped), procedure=f"{HOUSE}@0123456789abcdef")
        with pytest.raises(StoreError, match="0123456789abcdef"):
            take_in(store, other, shipped)


# -- durable -----------------------------------------------------------------------------------------------------


def test_another_program_sees_each_act_as_soon_as_it_is_noted(shipped: Procedures, where: str) -> None:
    with Store(where) as store, Store(where) as other:
        recorder = StoreRecorder.start(store, script_of(shipped), shipped)

        def note(entry: Entry) -> None:
            recorder.note(entry)
            assert len(other.session(recorder.id).acts) == entry.number

        dealt(shipped, note)


def test_commits_reach_the_disk(where: str) -> None:
    with Store(where) as store, store.engine.connect() as connection:
        if store.engine.dialect.name == "sqlite":
            assert connection.execute(text("PRAGMA journal_mode")).scalar() == "wal"
            assert connection.execute(text("PRAGMA synchronous")).scalar() == 2
        else:
            assert connection.execute(text("show synchronous_commit")).scalar() == "on"
            assert connection.execute(text("show fsync")).scalar() == "on"


def test_only_its_owner_can_read_a_new_file(tmp_path: Path) -> None:
    with Store(str(tmp_path / "deep" / "records.db")):
        pass
    assert stat.S_IMODE((tmp_path / "deep" / "records.db").stat().st_mode) == 0o600


def test_two_programs_cannot_write_into_one_session(shipped: Procedures, where: str) -> None:
    with Store(where) as store, Store(where) as other:
        one = StoreRecorder.start(store, script_of(shipped), shipped)
        live = Live(machine_of(shipped, HOUSE), script_of(shipped), (1,), emit=one.note)
        live.open_round()
        second = StoreRecorder.resume(other, one.id)
        second.note(live.session.entries[0])
        with pytest.raises(StoreError, match="elsewhere"):
            one.note(live.session.entries[0])
        assert desk.verify(store, store.session(one.id)) == []


def test_a_broken_off_session_goes_on(shipped: Procedures, where: str) -> None:
    class Pulled(Exception):
        pass

    with Store(where) as store:
        recorder = StoreRecorder.start(store, script_of(shipped), shipped)

        def note(entry: Entry) -> None:
            if entry.number == 9:
                raise Pulled
            recorder.note(entry)

        with pytest.raises(Pulled):
            dealt(shipped, note)
    with Store(where) as store:
        stored = store.session(recorder.id)
        assert len(stored.acts) == 8
        resumed = StoreRecorder.resume(store, recorder.id)
        dealt(shipped, lambda entry: resumed.note(entry) if entry.number > 8 else None)
        resumed.finish()
        whole = store.session(recorder.id)
        assert store.replayed(whole).position.state == "over"
        assert desk.verify(store, whole) == []
        with pytest.raises(ValueError, match="closed"):
            StoreRecorder.resume(store, recorder.id)


def test_a_lost_connection_loses_no_act(shipped: Procedures, postgres: str) -> None:
    """The server drops the station's connection in the middle of a round."""
    with Store(postgres) as store, Store(postgres) as other:
        recorder = StoreRecorder.start(store, script_of(shipped), shipped)

        def note(entry: Entry) -> None:
            if entry.number in (5, 11):
                with other.engine.connect() as connection:
                    connection.execute(
                        text("select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()"
                             " and application_name = '' and datname = current_database() and backend_type = 'client backend'")
                    )  # fmt: skip
            recorder.note(entry)

        session = dealt(shipped, note)
        stored = other.session(recorder.id)
        assert len(stored.acts) == len(session.entries)
        assert desk.verify(other, stored) == []


# -- torn --------------------------------------------------------------------------------------------------------


def test_a_full_disk_loses_nothing_committed(shipped: Procedures, tmp_path: Path) -> None:
    """The process may write no further; the act is refused, and once there is room it can be noted."""
    where = str(tmp_path / "records.db")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    with Store(where) as store:
        recorder = StoreRecorder.start(store, script_of(shipped), shipped)
        refused: list[int] = []

        def note(entry: Entry) -> None:
            if entry.number in (7, 20):
                size = max(path.stat().st_size for path in tmp_path.glob("records.db*"))
                resource.setrlimit(resource.RLIMIT_FSIZE, (size + 3000, hard))
                try:
                    recorder.note(entry)
                except StoreError:
                    refused.append(entry.number)
                    assert len(store.session(recorder.id).acts) == entry.number - 1
                finally:
                    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
                if entry.number not in refused:
                    return
            recorder.note(entry)

        session = dealt(shipped, note, rounds=2)
        assert refused == [7, 20]
        stored = store.session(recorder.id)
        assert len(stored.acts) == len(session.entries)
        assert desk.verify(store, stored) == []
        with store.engine.connect() as connection:
            assert connection.execute(text("PRAGMA integrity_check")).scalar() == "ok"


@pytest.mark.parametrize("trials", [6, pytest.param(40, marks=pytest.mark.slow)])
def test_a_pulled_plug_leaves_everything_that_was_acknowledged(
    shipped: Procedures, tmp_path: Path, trials: int
) -> None:
    """Whatever of the log was not forced to the disk yet is cut off, at any byte; what a commit forced is there."""
    path, forced = tmp_path / "records.db", [0]
    log = tmp_path / "records.db-wal"
    with Store(str(path)) as store:
        recorder = StoreRecorder.start(store, script_of(shipped), shipped)
        begun = log.stat().st_size

        def note(entry: Entry) -> None:
            recorder.note(entry)
            forced.append(log.stat().st_size)

        dealt(shipped, note, rounds=2)
        assert forced[1:] == sorted(forced[1:]), "the log was begun anew; this test needs one that grows"
        dice = random.Random(7)
        for trial in range(trials):
            cut = dice.randrange(begun, log.stat().st_size)
            copy = tmp_path / f"after{trial}.db"
            shutil.copy(path, copy)
            (tmp_path / f"after{trial}.db-wal").write_bytes(
                log.read_bytes()[:cut] + dice.randbytes(dice.choice((0, 700)))
            )
            with Store(str(copy)) as after:
                stored = after.session(recorder.id)
                assert stored.count >= max(number for number, size in enumerate(forced) if size <= cut)
                assert desk.verify(after, stored) == []


class Station:
    """A worker that is killed at random (``within`` seconds of work) and started again until all is dealt."""

    def __init__(self, where: str, folder: Path, name: str, sessions: int, kills: int, within: float) -> None:
        self.acknowledged = folder / name
        self.command = [sys.executable, str(WORKER), where, str(self.acknowledged), str(sessions), name]
        self.kills, self.killed, self.failed, self.within = kills, 0, "", within
        self.dice = random.Random(name)

    def run(self) -> None:
        """Deal to the end."""
        while True:
            process = subprocess.Popen(self.command, stderr=subprocess.PIPE, cwd=WORKER.parents[1])
            if self.killed < self.kills and self._wait_for_work(process):
                time.sleep(self.dice.uniform(0.0, self.within))
                if process.poll() is None:
                    process.send_signal(signal.SIGKILL)
                    self.killed += 1
            _, said = process.communicate(timeout=240)
            if process.returncode == 0:
                return
            if process.returncode != -signal.SIGKILL:
                self.failed = said.decode()
                return

    def _wait_for_work(self, process: subprocess.Popen[bytes]) -> bool:
        before = self._size()
        while process.poll() is None:
            if self._size() > before:
                return True
            time.sleep(0.005)
        return False

    def _size(self) -> int:
        return self.acknowledged.stat().st_size if self.acknowledged.exists() else 0


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
@pytest.mark.parametrize(
    ("sessions", "kills", "within"), [(5, 1, 0.05), pytest.param(50, 4, 0.4, marks=pytest.mark.slow)]
)
def test_two_stations_killed_at_random_lose_nothing_committed(
    kind: str, sessions: int, kills: int, within: float, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """Two processes record sessions into one store at the same time."""
    where = str(tmp_path / "records.db") if kind == "sqlite" else str(request.getfixturevalue("postgres"))
    stations = [Station(where, tmp_path, f"{kind} {number}", sessions, kills, within) for number in (1, 2)]
    threads = [threading.Thread(target=one.run) for one in stations]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [one.failed for one in stations] == ["", ""]
    assert [one.killed for one in stations] == [kills, kills]
    with Store(where) as store:
        for one in stations:
            lines = [line.split() for line in one.acknowledged.read_text().splitlines()]
            assert sum(line[0] == "finished" for line in lines) == sessions
            for session, acknowledged in _by_session(lines).items():
                stored = store.session(session)
                links = {link.number: link.digest for link in stored.links} | {0: stored.first}
                assert all(links[number] == digest for number, digest in acknowledged)
                # At most the one act whose acknowledgement the kill cut off may be there in addition.
                assert stored.count <= max(number for number, _ in acknowledged) + 1
                assert desk.verify(store, stored) == []
        if kind == "sqlite":
            with store.engine.connect() as connection:
                assert connection.execute(text("PRAGMA integrity_check")).scalar() == "ok"


def _by_session(lines: list[list[str]]) -> dict[str, list[tuple[int, str]]]:
    out: dict[str, list[tuple[int, str]]] = {}
    for _, session, number, digest in lines:
        out.setdefault(session, []).append((int(number), digest))
    return out


# -- opening -----------------------------------------------------------------------------------------------------


def test_the_migrations_make_the_tables_that_the_program_writes(tmp_path: Path, postgres: str) -> None:
    for where in (str(tmp_path / "records.db"), postgres):
        with Store(where) as store, store.engine.connect() as connection:
            assert compare_metadata(MigrationContext.configure(connection), metadata) == []


def test_a_store_of_a_later_version_is_left_alone(tmp_path: Path) -> None:
    where = str(tmp_path / "records.db")
    with Store(where) as store, store.engine.connect() as connection:
        connection.execute(text("update alembic_version set version_num = '9999'"))
        connection.commit()
    with pytest.raises(StoreError, match="later version"):
        Store(where)


def test_a_failed_migration_leaves_the_store_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "records.db"
    engine = create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        connection.execute(text("create table entries (mine text)"))
    with pytest.raises(StoreError, match="entries"):
        Store(str(path))
    assert inspect(engine).get_table_names() == ["entries"]
    with engine.begin() as connection:
        connection.execute(text("drop table entries"))
        migrate(connection, REVISIONS[0])
    with Store(str(path)) as store:
        assert store.sessions() == []


@pytest.mark.parametrize(
    ("where", "said"),
    [
        ("mysql://somewhere/x", "not 'mysql'"),
        ("nonsense://x", "not 'nonsense'"),
        ("://", "no address of a store"),
        ("postgresql://trainer:secret@/none?host=/nowhere", "cannot be opened"),
        ("/proc/none/records.db", "cannot be opened"),
    ],
)
def test_a_store_that_cannot_be_opened_is_told_without_its_password(where: str, said: str) -> None:
    with pytest.raises(StoreError, match=said) as caught:
        Store(where)
    assert "secret" not in str(caught.value)


def test_a_file_that_is_no_store_is_told(tmp_path: Path) -> None:
    path = tmp_path / "records.db"
    path.write_bytes(b"this is no database, but text of some length\n" * 100)
    with pytest.raises(StoreError, match="not a database"):
        Store(str(path))


def test_the_store_lies_where_the_environment_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TRAINER_STORE", raising=False)
    with Store() as store:
        assert store.where == os.environ["TRAINER_DATA"] + "/records.db"
    monkeypatch.setenv("TRAINER_STORE", str(tmp_path / "other.db"))
    with Store() as store:
        assert store.where == str(tmp_path / "other.db")


def test_replayed_twice_gives_the_same(shipped: Procedures, tmp_path: Path) -> None:
    with Store(str(tmp_path / "records.db"), clock=lambda: datetime(2026, 1, 1, tzinfo=UTC)) as store:
        recorder = StoreRecorder.start(store, script_of(shipped), shipped)
        session = dealt(shipped, recorder.note)
        one, other = (store.replayed(store.session(recorder.id)) for _ in range(2))
        direct = replay(read_script("x", shipped, text=store.session(recorder.id).text), machine_of(shipped, HOUSE))
    assert one.net == other.net == direct.net == session.net
