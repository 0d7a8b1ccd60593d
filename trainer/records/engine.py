"""Opening the store: where it lies, SQLite or PostgreSQL, durable commits, and the migrations that bring it up to date."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, inspect, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError

from trainer.rounds.recorder import data_home

REVISIONS = ("0001",)  # in order; the last one is what this program writes
WAIT = 30.0  # seconds a writer waits for another one
_LOCK = 0x7261696E  # the same number in every program, so that only one of them migrates a PostgreSQL store


class StoreError(OSError):
    """The store could not be opened, read or written; what was committed before is whole."""


def store_url(given: str = "") -> str:
    """Return where the store lies: ``given``, else TRAINER_STORE, else a file in the user's data folder."""
    return given or os.environ.get("TRAINER_STORE", "") or str(data_home() / "records.db")


def _url(where: str) -> URL:
    if "://" not in where:
        return URL.create("sqlite", database=str(Path(where).expanduser().absolute()))
    try:
        url = make_url(where)
        name = url.get_backend_name()
    except (ArgumentError, NoSuchModuleError) as why:
        raise StoreError(f"this is no address of a store ({reason(why)})") from None
    if name == "postgres":
        url, name = url.set(drivername="postgresql"), "postgresql"
    if name == "postgresql":
        return url.set(drivername="postgresql+psycopg")
    if name != "sqlite":
        raise StoreError(f"a store is a SQLite file or a PostgreSQL database, not '{name}'")
    return url


def is_there(where: str) -> bool:
    """Tell whether a store's file lies there; a database server is asked when it is opened.

    Raises:
        StoreError: this is no address of a store.
    """
    url = _url(where)
    return url.get_backend_name() != "sqlite" or url.database == ":memory:" or Path(str(url.database)).is_file()


def _new_file(url: URL) -> None:
    """Make the file readable for its owner only: it holds people's names."""
    if url.get_backend_name() != "sqlite" or url.database in (None, "", ":memory:"):
        return
    path = Path(str(url.database))
    path.parent.mkdir(parents=True, exist_ok=True)
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))


def open_engine(where: str) -> Engine:
    """Open a store and bring its tables up to date.

    Raises:
        StoreError: it cannot be reached, is damaged, or was written by a later version of the program.
    """
    url = _url(where)
    try:
        _new_file(url)
        engine = _engine(url)
        _bring_up_to_date(engine)
    except StoreError:
        raise
    except ModuleNotFoundError as why:
        raise StoreError(f"a PostgreSQL store needs the extra 'postgres' (psycopg): {why}") from why
    except (OSError, DBAPIError) as why:
        raise StoreError(f"the store {url.render_as_string()} cannot be opened: {reason(why)}") from why
    return engine


def reason(why: BaseException) -> str:
    """Return the first line of what a database said, without the statement it was asked."""
    said = str(getattr(why, "orig", None) or why).strip()
    return said.splitlines()[0] if said else type(why).__name__


def _engine(url: URL) -> Engine:
    if url.get_backend_name() == "postgresql":
        # A commit has to be on the server's disk when it returns, whatever the server's own setting is.
        connect = {"options": "-c synchronous_commit=on", "connect_timeout": 10}
        return create_engine(url, pool_pre_ping=True, connect_args=connect)
    engine = create_engine(url, connect_args={"timeout": WAIT})
    event.listen(engine, "connect", _settle)
    event.listen(engine, "begin", _begin)
    return engine


def _settle(connection: Any, _: Any) -> None:
    connection.isolation_level = None  # the driver would begin transactions by itself, and too late
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout={int(WAIT * 1000)}")
    limit = time.monotonic() + WAIT
    while cursor.execute("PRAGMA journal_mode").fetchone()[0] not in ("wal", "memory"):
        try:
            cursor.execute("PRAGMA journal_mode=WAL")
        except Exception:  # a second program changing the mode at the same time is not waited for by SQLite itself
            if time.monotonic() > limit:
                raise
            time.sleep(0.02)
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.execute("PRAGMA fullfsync=ON")
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.execute("PRAGMA secure_delete=ON")  # an erased name is overwritten, not only unlinked
    cursor.close()


def _begin(connection: Connection) -> None:
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """Open a transaction that writes; it is durable when the block ends, and undone when it raises."""
    with engine.connect().execution_options(writes=True) as connection, connection.begin():
        yield connection


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """Open a transaction that sees the store as it is at one moment."""
    postgres = engine.dialect.name == "postgresql"
    options = {"isolation_level": "REPEATABLE READ"} if postgres else {}
    with engine.connect().execution_options(**options) as connection, connection.begin():
        yield connection


def revision_of(connection: Connection) -> str:
    """Return the revision of a store's tables, '' for an empty one."""
    if not inspect(connection).has_table("alembic_version"):
        return ""
    return str(connection.execute(text("select version_num from alembic_version")).scalar() or "")


def _bring_up_to_date(engine: Engine) -> None:
    with reading(engine) as connection:
        if revision_of(connection) == REVISIONS[-1]:
            return
    with writing(engine) as connection:
        if engine.dialect.name == "postgresql":
            connection.execute(text("select pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
        now = revision_of(connection)
        if now == REVISIONS[-1]:
            return
        if now and now not in REVISIONS:
            raise StoreError(f"the store was written by a later version of the program (revision {now})")
        migrate(connection)


def migrate(connection: Connection, target: str = "head") -> None:
    """Bring the tables to a revision within the open transaction."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, target)
