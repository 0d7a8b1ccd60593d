"""Sessions of trainees as they are dealt: practice beside its file, an assessment in the store alone."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC
from pathlib import Path

from trainer.files import did_you_mean
from trainer.procedure.load import Procedures
from trainer.procedure.machine import HouseMachine
from trainer.records import people
from trainer.records.engine import StoreError
from trainer.records.recorder import StoreRecorder, take_in, text_of
from trainer.records.store import Store, Stored
from trainer.rounds.play import Entry, machine_of
from trainer.rounds.recorder import Recorder, stamp
from trainer.rounds.script import Script, print_header

ASSESSED = "assessed"


class Books:
    """Keep a session in the store, and in its file where it has one; ``told`` is what its trainee should know.

    Raises:
        StoreError: an act could not be stored; everything noted before is whole.
    """

    def __init__(
        self, store: Store, session: str, open_in: StoreRecorder | None, file: Recorder | None, told: str = ""
    ) -> None:
        self.store, self.session, self.told = store, session, told
        self._open_in, self._file = open_in, file

    @property
    def is_over(self) -> bool:
        """Whether no further act can follow."""
        return self._open_in is None

    def note(self, entry: Entry) -> None:
        """Keep one act; it is durable in both places when this returns."""
        if self._open_in is None:
            raise StoreError(f"session {self.session} is closed in the store: no act can follow")
        # The file goes first: a store that is behind is caught up from it when the session goes on.
        if self._file is not None:
            self._file.note(entry)
        self._open_in.note(entry)

    def finish(self) -> None:
        """Note that the session is over: no act can follow."""
        if self._open_in is not None:
            self._open_in.finish()
            self._open_in = None

    def close(self) -> None:
        """Let go of file and store; a session that is not over can be gone on with."""
        if self._file is not None:
            self._file.close()
        self.store.close()


@dataclass(frozen=True, slots=True)
class Assessment:
    """An assignment being dealt: its machine, its script with the acts dealt so far, and what keeps it."""

    given: people.Assignment
    person: people.Person
    machine: HouseMachine
    script: Script
    books: Books

    @property
    def spots(self) -> tuple[int, ...]:
        """The spots that are wagered."""
        return tuple(range(1, self.given.terms.spots + 1))


# -- practice ----------------------------------------------------------------------------------------------------


def trainee(store: Store, name: str) -> tuple[people.Person, str]:
    """Return the trainee of a name, added when nobody has it, and then what to tell about it.

    Raises:
        StoreError: the name is a supervisor's, or empty.
    """
    known = people.everybody(store)
    wanted = " ".join(name.split())
    if any(one.name.casefold() == wanted.casefold() for one in known):
        return people.named(store, wanted, people.TRAINEE), ""
    near = did_you_mean(wanted, [one.name for one in known if one.role == people.TRAINEE])
    person = people.add(store, wanted)
    return person, f"{person.name} is new in the store" + (f" (did you mean {near}?)" if near else "")


def practice(where: str, name: str, procedures: Procedures, script: Script, path: Path) -> Books:
    """Open the books of a trainee's practice: a new session, or one whose file holds the lines of ``script``.

    Raises:
        StoreError: the store cannot be opened, or its session says otherwise than the file.
        OSError: the file cannot be written.
    """
    store = Store(where)
    try:
        person, told = trainee(store, name)
        header, resumed = replace(script, lines=()), path.exists()
        if resumed:
            session, recorder = _gone_on(store, script, procedures, person.id)
        else:
            recorder = StoreRecorder.start(store, header, procedures, person=person.id)
            session = recorder.id
        return Books(store, session, recorder, Recorder(path, header, resume=resumed), told)
    except BaseException:
        store.close()
        raise


def _gone_on(store: Store, script: Script, procedures: Procedures, person: str) -> tuple[str, StoreRecorder | None]:
    """Return the session of a file and what records into it; one that the store does not know is taken in."""
    header = print_header(replace(script, trainee=person, lines=(), net=(), money=None))
    found = [one for one in store.sessions(person=person, kind="practice", house=script.house) if one.header == header]
    if not found:
        stored = take_in(store, script, procedures, person=person, closed=False)
        return stored.id, StoreRecorder(store, stored)
    stored = store.session(found[-1].id)
    missing = _missing(stored, [text_of(line) for line in script.lines])
    if stored.is_closed:
        if missing:
            raise StoreError(f"session {stored.id} is closed in the store, but its file goes on")
        return stored.id, None
    recorder = StoreRecorder(store, stored)
    for text in missing:
        recorder.add(text)
    return stored.id, recorder


def _missing(stored: Stored, lines: list[str]) -> list[str]:
    acts = [link.text for link in stored.acts]
    if lines[: len(acts)] != acts:
        both = enumerate(zip(acts, lines, strict=False), 1)
        number = next((at for at, (one, other) in both if one != other), len(lines) + 1)
        raise StoreError(f"the file is not what the store holds as session {stored.id}: they differ at act {number}")
    return lines[len(acts) :]


# -- assessed ----------------------------------------------------------------------------------------------------


def assessment(where: str, wanted: str, name: str, procedures: Procedures, only: str = "") -> Assessment:
    """Open an assignment for its trainee: from its sealed seed, or where it was broken off.

    Raises:
        StoreError: it is somebody else's, set in another house than ``only``, was dealt already, or the store cannot
            be opened.
    """
    store = Store(where)
    try:
        given, person = people.assignment(store, wanted), people.named(store, name, people.TRAINEE)
        if given.person_id != person.id:
            raise StoreError(f"assignment {given.id} is not set for {person.name}")
        if only and only != given.terms.house:
            raise StoreError(f"assignment {given.id} is set in {given.terms.house}, not in {only}")
        begun = store.sessions(assignment=given.id)
        if begun:
            return _broken_off(store, given, person, store.session(begun[-1].id))
        house = procedures.house(given.terms.house)
        clock = store.clock().astimezone(UTC).isoformat(timespec="seconds")
        script = replace(people.script_for(given, procedures), version=stamp(house)[1], clock=clock)
        recorder = StoreRecorder.start(
            store, script, procedures, person=person.id, assignment=given.id, terms=given.terms.digest, kind=ASSESSED
        )
        books = Books(store, recorder.id, recorder, None)
        return Assessment(given, person, machine_of(procedures, house.slug), script, books)
    except BaseException:
        store.close()
        raise


def _broken_off(store: Store, given: people.Assignment, person: people.Person, stored: Stored) -> Assessment:
    if stored.is_closed:
        raise StoreError(f"assignment {given.id} was dealt already, as session {stored.id}")
    if stored.terms != given.terms.digest:
        raise StoreError(f"the terms of assignment {given.id} were changed after session {stored.id} was begun")
    books = Books(store, stored.id, StoreRecorder(store, stored), None)
    return Assessment(given, person, store.machine(stored), store.script(stored), books)
