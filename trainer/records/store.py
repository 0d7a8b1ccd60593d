"""The store of records: sessions with their chained entries, and the procedure data they were dealt under.

People and assignments are in ``people``, a supervisor's decisions in ``desk``.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from time import sleep
from types import TracebackType
from typing import Any

from sqlalchemy import Connection, Row, select, update
from sqlalchemy.exc import DBAPIError

from trainer import __version__
from trainer.files import did_you_mean
from trainer.procedure.load import Procedures
from trainer.procedure.machine import HouseMachine
from trainer.records.chain import Link, first_digest, linked
from trainer.records.engine import StoreError, open_engine, reading, reason, store_url, writing
from trainer.records.procedure_data import data_of, procedures_from
from trainer.records.tables import entries, sessions
from trainer.records.tables import procedures as procedure_table
from trainer.rounds.play import Session, machine_of, replay
from trainer.rounds.script import Script, print_header, read_script

Clock = Callable[[], datetime]
ACT, END, CONFIRMED, OVERRULED, SIGNED = "act", "end", "confirmed", "overruled", "signed"
HEAD = ("id", "person_id", "assignment_id", "terms", "kind", "house", "fingerprint", "procedure", "version", "header",
        "drill", "started", "zone")  # fmt: skip


def wall_clock() -> datetime:
    """Return the present moment with the station's own zone."""
    return datetime.now().astimezone()


def utc(moment: datetime) -> str:
    """Print a moment as the store keeps it: UTC, microseconds, sortable as text."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def zone_of(moment: datetime) -> str:
    """Return a moment's zone as its offset from UTC, such as ``+02:00``.

    >>> zone_of(datetime(2026, 7, 1, tzinfo=UTC))
    '+00:00'
    """
    offset = moment.strftime("%z") or "+0000"
    return f"{offset[:3]}:{offset[3:5]}"


def new_id() -> str:
    """Return a random id that tells nothing about whom or what it stands for."""
    return secrets.token_hex(6)


@dataclass(frozen=True, slots=True)
class Stored:
    """A session as the store keeps it; ``links`` are its entries in order, ``header`` holds no name but the id."""

    id: str
    person_id: str
    assignment_id: str
    terms: str
    kind: str
    house: str
    fingerprint: str
    procedure: str
    version: str
    header: str
    drill: str
    started: str
    zone: str
    first: str
    head: str
    count: int
    links: tuple[Link, ...] = ()

    @property
    def chained(self) -> dict[str, object]:
        """The fields that the chain begins with."""
        return {name: getattr(self, name) for name in HEAD}

    @property
    def acts(self) -> list[Link]:
        """The acts, in order; an act's number is its place here."""
        return [link for link in self.links if link.kind == ACT]

    @property
    def desk(self) -> list[Link]:
        """The supervisor's decisions, in order."""
        return [link for link in self.links if link.kind in (CONFIRMED, OVERRULED, SIGNED)]

    @property
    def is_signed(self) -> bool:
        """Whether a supervisor has signed."""
        return any(link.kind == SIGNED for link in self.links)

    @property
    def is_closed(self) -> bool:
        """Whether no further act may follow: it was ended, or a supervisor has begun to read it."""
        return any(link.kind != ACT for link in self.links)

    @property
    def text(self) -> str:
        """The session as a file: its header and the very lines recorded."""
        header = self.header if self.acts else self.header.removesuffix("lines:\n") + "lines: []\n"
        return header + "".join(f"  - {link.text}\n" for link in self.acts)


class Store:
    """Records in a SQLite file or a PostgreSQL database; several programs may write into it at once.

    Raises:
        StoreError: it cannot be opened, read or written.
    """

    def __init__(self, where: str = "", *, clock: Clock = wall_clock) -> None:
        self.engine = open_engine(store_url(where))
        self.clock = clock

    @property
    def where(self) -> str:
        """Where the store lies, without a password."""
        url = self.engine.url
        return str(url.database) if url.get_backend_name() == "sqlite" else url.render_as_string(hide_password=True)

    @property
    def now(self) -> str:
        """The present moment as the store keeps it."""
        return utc(self.clock())

    def close(self) -> None:
        """Let go of the database; everything is stored already."""
        self.engine.dispose()

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def read(self, query: Any) -> list[Row[Any]]:
        """Return the rows of a query."""
        try:
            with reading(self.engine) as connection:
                return list(connection.execute(query))
        except DBAPIError as why:
            raise StoreError(f"the store could not be read: {reason(why)}") from why

    def write(self, change: Callable[[Connection], None]) -> None:
        """Carry out a change in one durable transaction; a change that raises leaves nothing behind."""
        try:
            with writing(self.engine) as connection:
                change(connection)
        except DBAPIError as why:
            raise StoreError(f"the store could not be written: {reason(why)}") from why

    # -- sessions ------------------------------------------------------------------------------------------------

    def begin(self, script: Script, procedures: Procedures, *, person: str = "", assignment: str = "",
              terms: str = "", kind: str = "practice", lines: Sequence[tuple[str, str, float | None]] = (),
              moment: datetime | None = None) -> Stored:  # fmt: skip
        """Open a new session for a script's header; names are left out of it, ``person`` is an id.

        ``terms`` is the digest of the assignment's terms; ``lines`` (kind, text, seconds since the start) are stored
        along with it; ``moment`` is the start when it was not now. The procedure data are stored with the first
        session that needs them.
        """
        moment = moment or self.clock()
        house = procedures.house(script.house)
        data, digest = data_of(procedures, script.house)
        header = print_header(replace(script, trainee=person, lines=()))
        new = Stored(
            new_id(), person, assignment, terms, kind, script.house, house.fingerprint, digest,
            script.version or __version__, header, script.theme, utc(moment), zone_of(moment), "", "", 0,
        )  # fmt: skip
        first = first_digest(new.chained)
        new = replace(new, first=first, head=first)
        links: list[Link] = []
        for number, (what, text, at) in enumerate(lines, 1):
            time = utc(moment + timedelta(seconds=at or 0))
            links.append(linked(links[-1].digest if links else first, number, what, text, time))

        def change(connection: Connection) -> None:
            self._insert(connection, new, data)
            for link in links:
                put(connection, new.id, link)

        self.write(change)
        return replace(new, links=tuple(links), count=len(links), head=links[-1].digest if links else first)

    def _insert(self, connection: Connection, new: Stored, data: str) -> None:
        known = connection.execute(select(procedure_table.c.digest).where(procedure_table.c.digest == new.procedure))
        if known.first() is None:
            row = {"digest": new.procedure, "house": new.house, "fingerprint": new.fingerprint, "files": data}
            connection.execute(_insert_once(connection, row))
        values = {name: getattr(new, name) for name in (*HEAD, "first", "head", "count")}
        values |= {"person_id": new.person_id or None, "assignment_id": new.assignment_id or None}
        connection.execute(sessions.insert().values(values))

    def append(self, session: str, before: str, number: int, kind: str, text: str, moment: str = "") -> Link:
        """Chain one entry to a session; it is durable when this returns.

        Raises:
            StoreError: it could not be written, or the session has gone on elsewhere since ``before``.
        """
        link = linked(before, number, kind, text, moment or self.now)
        for attempt in range(3):
            try:
                with writing(self.engine) as connection:
                    put(connection, session, link)
                return link
            except DBAPIError as why:
                # When the connection breaks within a commit, only the store can tell whether it happened.
                if self._holds(session, link):
                    return link
                if attempt == 2 or not why.connection_invalidated:
                    raise StoreError(f"the entry was not stored: {reason(why)}") from why
                sleep(0.2)
        raise AssertionError("unreachable")

    def _holds(self, session: str, link: Link) -> bool:
        try:
            found = self.read(select(sessions.c.head).where(sessions.c.id == session))
        except StoreError:
            return False
        return bool(found) and found[0].head == link.digest

    def sessions(self, *, person: str = "", kind: str = "", house: str = "", since: str = "", until: str = "",
                 assignment: str = "") -> list[Stored]:  # fmt: skip
        """Return the sessions, oldest first, without their entries; ``since`` and ``until`` compare as text in UTC."""
        query = select(sessions).order_by(sessions.c.started, sessions.c.id)
        for column, wanted in (("person_id", person), ("kind", kind), ("house", house), ("assignment_id", assignment)):
            if wanted:
                query = query.where(sessions.c[column] == wanted)
        if since:
            query = query.where(sessions.c.started >= since)
        if until:
            query = query.where(sessions.c.started < until)
        return [_stored(row) for row in self.read(query)]

    def session(self, wanted: str) -> Stored:
        """Return a session with its entries, by its id or the beginning of it.

        Raises:
            StoreError: there is none, or there are several.
        """
        try:
            with reading(self.engine) as connection:
                found = connection.execute(
                    select(sessions).where(sessions.c.id.startswith(wanted, autoescape=True)).limit(9)
                ).all()
                if len(found) == 1:
                    return load(connection, found[0].id)
        except DBAPIError as why:
            raise StoreError(f"the store could not be read: {reason(why)}") from why
        if found:
            raise StoreError(f"several sessions begin with '{wanted}': {', '.join(row.id for row in found)}")
        known = [str(row.id) for row in self.read(select(sessions.c.id))]
        near = did_you_mean(wanted, known)
        raise StoreError(f"there is no session '{wanted}'" + (f" (did you mean {near}?)" if near else ""))

    def procedure(self, digest: str) -> tuple[str, str]:
        """Return stored procedure data and its house by digest."""
        rows = self.read(select(procedure_table).where(procedure_table.c.digest == digest))
        if not rows:
            raise StoreError(f"the procedure data {digest[:16]} are missing from the store")
        return str(rows[0].files), str(rows[0].house)

    def known_procedures(self, house: str, fingerprint: str) -> Procedures:
        """Return the procedures of a fingerprint from the data of earlier sessions.

        Raises:
            StoreError: no session was dealt under it.
        """
        table = procedure_table.c
        rows = self.read(select(procedure_table).where(table.house == house, table.fingerprint == fingerprint))
        if not rows:
            raise StoreError(f"no session in the store was dealt under {house}@{fingerprint}; its data are not known")
        return procedures_from(str(rows[0].files), house)

    def machine(self, stored: Stored) -> HouseMachine:
        """Return the machine a session was dealt under, built from the stored data, not from today's files."""
        return machine_of(procedures_from(*self.procedure(stored.procedure)), stored.house)

    def script(self, stored: Stored) -> Script:
        """Return a stored session as a script."""
        procedures = procedures_from(*self.procedure(stored.procedure))
        return read_script(f"session {stored.id}", procedures, text=stored.text)

    def replayed(self, stored: Stored) -> Session:
        """Deal a stored session again under the procedure it was dealt under; verdicts are derived anew."""
        return replay(self.script(stored), self.machine(stored))


def _insert_once(connection: Connection, row: dict[str, str]) -> Any:
    if connection.dialect.name == "postgresql":
        from sqlalchemy.dialects.postgresql import insert
    else:
        from sqlalchemy.dialects.sqlite import insert  # type: ignore[assignment]
    return insert(procedure_table).values(row).on_conflict_do_nothing()


def put(connection: Connection, session: str, link: Link) -> None:
    """Write one entry within an open transaction; a session that went on elsewhere is left alone."""
    moved = connection.execute(
        update(sessions)
        .where(sessions.c.id == session, sessions.c.head == link.before, sessions.c.count == link.number - 1)
        .values(head=link.digest, count=link.number)
    )
    if moved.rowcount != 1:
        raise StoreError(f"session {session} has gone on elsewhere; nothing was stored")
    connection.execute(
        entries.insert().values(
            session_id=session, number=link.number, kind=link.kind, text=link.text, time=link.time,
            before=link.before, digest=link.digest,
        )
    )  # fmt: skip


def load(connection: Connection, session: str) -> Stored:
    """Return a session with its entries within an open transaction."""
    row = connection.execute(select(sessions).where(sessions.c.id == session)).one()
    lines = connection.execute(select(entries).where(entries.c.session_id == session).order_by(entries.c.number))
    links = tuple(Link(one.number, one.kind, one.text, one.time, one.before, one.digest) for one in lines)
    return replace(_stored(row), links=links)


def _stored(row: Row[Any]) -> Stored:
    # Columns without a value read as '', so that the chain hashes text only.
    values: dict[str, Any] = {name: getattr(row, name) or "" for name in (*HEAD, "first", "head")}
    return Stored(**values, count=row._mapping["count"])
