"""A session written into the store as it happens: one act, one durable commit, before the next key is read."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from types import TracebackType

from trainer.files import Place
from trainer.procedure.load import Procedures
from trainer.records.store import ACT, END, Store, Stored
from trainer.rounds.play import Entry
from trainer.rounds.script import Line, Script, print_line

_NOWHERE = Place("", 1, 1)


def text_of(line: Line) -> str:
    """Return the text of a line that the store keeps: what was done, without what was expected of it."""
    plain = replace(line, expect="", rule="", cites=(), default="", money=None)
    return print_line(plain).strip().removeprefix("- ")


def line_of(entry: Entry) -> str:
    """Return an entry as the line of the notation that a session file holds after its dash."""
    return text_of(Line(entry.act, _NOWHERE, at=entry.at, blocked=entry.blocked))


class StoreRecorder:
    """The store's counterpart of ``rounds.recorder.Recorder``: ``note`` an entry, ``close`` at the end.

    Raises:
        StoreError: an act could not be stored; everything noted before is whole, and nothing half-written stays.
    """

    def __init__(self, store: Store, stored: Stored) -> None:
        if stored.is_closed:
            raise ValueError(f"session {stored.id} is closed")
        self.store, self.id = store, stored.id
        self.head, self.count = stored.head, stored.count

    @classmethod
    def start(cls, store: Store, script: Script, procedures: Procedures, *, person: str = "", assignment: str = "",
              terms: str = "", kind: str = "practice") -> StoreRecorder:  # fmt: skip
        """Open a new session in the store and record into it."""
        return cls(
            store,
            store.begin(script, procedures, person=person, assignment=assignment, terms=terms, kind=kind),
        )

    @classmethod
    def resume(cls, store: Store, session: str) -> StoreRecorder:
        """Go on with a session that was broken off."""
        return cls(store, store.session(session))

    def note(self, entry: Entry) -> None:
        """Store one committed (or blocked) act; it is durable when this returns."""
        self.add(line_of(entry))

    def add(self, text: str) -> None:
        """Store an act by its line, such as one that only a session's file holds yet."""
        self._append(ACT, text)

    def finish(self) -> None:
        """Note that the session is over: no act can follow."""
        self._append(END, "")

    def _append(self, kind: str, text: str) -> None:
        link = self.store.append(self.id, self.head, self.count + 1, kind, text)
        self.head, self.count = link.digest, link.number

    def close(self) -> None:
        """Leave the session as it is; every act is stored already."""

    def __enter__(self) -> StoreRecorder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def take_in(store: Store, script: Script, procedures: Procedures, *, person: str = "", closed: bool = True) -> Stored:
    """Store a session file as a practice session, all in one transaction; expectations are left out.

    A session that is not ``closed`` can be gone on with.

    Raises:
        StoreError: it could not be stored, or the procedure data it was dealt under are known nowhere.
    """
    own = procedures.house(script.house)
    if script.procedure and script.procedure != f"{own.slug}@{own.fingerprint}":
        procedures = store.known_procedures(script.house, script.procedure.partition("@")[2])
    acts: list[tuple[str, str, float | None]] = [(ACT, text_of(line), line.at) for line in script.lines]
    if closed:
        acts.append((END, "", script.lines[-1].at if script.lines else None))
    header = replace(script, net=(), money=None)
    return store.begin(header, procedures, person=person, lines=acts, moment=_start(script.clock))


def _start(clock: str) -> datetime | None:
    """Return when a session file says it began, None when it does not say."""
    try:
        moment = datetime.fromisoformat(clock)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
