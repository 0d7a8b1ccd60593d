"""Trainees and supervisors by name, class lists, assignments, and the erasure of a person's data."""

from __future__ import annotations

import csv
import io
import json
import secrets
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from typing import Any

from sqlalchemy import Connection, Row, select, update

from trainer.files import BadFile, Place, Problem, did_you_mean
from trainer.procedure.load import Procedures
from trainer.procedure.moment import TableOptions
from trainer.records.chain import canonical, sha256
from trainer.records.engine import StoreError
from trainer.records.store import Store, new_id
from trainer.records.tables import assignments, people, sessions
from trainer.rounds.script import Script, options_for

TRAINEE, SUPERVISOR = "trainee", "supervisor"
ROLES = (TRAINEE, SUPERVISOR)


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody the records speak of; ``name`` is '' once erased."""

    id: str
    name: str
    role: str
    class_name: str = ""

    def __str__(self) -> str:
        return self.name or f"erased ({self.id})"


@dataclass(frozen=True, slots=True)
class Terms:
    """What a supervisor assigns: house, games, rounds, theme, sealed seed, no hints, and the mark that passes.

    ``pass_mark`` is the least accuracy in percent; ``critical`` the most critical faults allowed, -1 for any number.
    """

    house: str
    rounds: int
    seed: str
    pass_mark: int
    set_by: str
    games: tuple[str, ...] = ()
    themes: tuple[str, ...] = ()
    spots: int = 3
    difficulty: str = "plain"
    critical: int = -1
    hints: str = "none"

    @property
    def text(self) -> str:
        """The terms as the one text that is stored and digested."""
        return canonical(asdict(self))

    @property
    def digest(self) -> str:
        """What every session of the assignment is chained to: terms changed afterwards do not fit it any more."""
        return sha256(self.text)

    @property
    def seal(self) -> str:
        """What may be shown before the assessment: it fixes the seed without telling it."""
        return sha256(f"seal {self.seed}")[:16]

    @classmethod
    def read(cls, text: str) -> Terms:
        """Read the text of stored terms."""
        data = json.loads(text)
        return cls(**{**data, "games": tuple(data["games"]), "themes": tuple(data["themes"])})


@dataclass(frozen=True, slots=True)
class Assignment:
    """Terms set for one trainee."""

    id: str
    person_id: str
    terms: Terms
    made: str


# -- people ------------------------------------------------------------------------------------------------------


def _person(row: Row[Any]) -> Person:
    return Person(row.id, row.name or "", row.role, row.class_name)


def everybody(store: Store, *, role: str = "", class_name: str = "") -> list[Person]:
    """Return the people in the store by class and name; the erased ones are left out."""
    query = select(people).where(people.c.name.is_not(None)).order_by(people.c.class_name, people.c.name)
    if role:
        query = query.where(people.c.role == role)
    if class_name:
        query = query.where(people.c.class_name == class_name)
    return [_person(row) for row in store.read(query)]


def by_id(store: Store) -> dict[str, Person]:
    """Return everybody, the erased included, by id."""
    return {row.id: _person(row) for row in store.read(select(people))}


def named(store: Store, name: str, role: str = "") -> Person:
    """Return the person of a name (capital and small letters are the same).

    Raises:
        StoreError: nobody has this name, or somebody of another role.
    """
    wanted = _tidy(name)
    known = everybody(store)
    found = next((one for one in known if one.name.casefold() == wanted.casefold()), None)
    if found is None:
        near = did_you_mean(wanted, [one.name for one in known if not role or one.role == role])
        hint = f" (did you mean {near}?)" if near else ""
        raise StoreError(f"there is no {role or 'person'} named '{wanted}' in the store{hint}")
    if role and found.role != role:
        raise StoreError(f"{found.name} is a {found.role}, not a {role}")
    return found


def _tidy(name: str) -> str:
    return " ".join(name.split())


def add(store: Store, name: str, *, role: str = TRAINEE, class_name: str = "") -> Person:
    """Add a person under a random id.

    Raises:
        StoreError: the name is empty or taken.
    """
    return add_all(store, [(name, role, class_name)])[0]


def add_all(store: Store, rows: Iterable[tuple[str, str, str]]) -> list[Person]:
    """Add several people (name, role, class) in one transaction."""
    new = [Person(new_id(), _tidy(name), role, _tidy(class_name)) for name, role, class_name in rows]
    made = store.now

    def change(connection: Connection) -> None:
        known = {str(name).casefold() for name in connection.execute(select(people.c.name)).scalars() if name}
        for one in new:
            if not one.name:
                raise StoreError("a person needs a name")
            if one.name.casefold() in known:
                raise StoreError(f"the name '{one.name}' is taken; add what tells the two apart")
            known.add(one.name.casefold())
            connection.execute(
                people.insert().values(
                    id=one.id, name=one.name, role=one.role, class_name=one.class_name, added=made, erased=""
                )
            )

    store.write(change)
    return new


def read_class_list(file: str, text: str) -> list[tuple[str, str, str]]:
    """Read a class list: CSV with the columns ``name`` and, if wanted, ``class`` and ``role``.

    Raises:
        BadFile: every row that cannot be taken, with its line.
    """
    start = text.removeprefix("\ufeff")
    try:
        dialect: Any = csv.Sniffer().sniff(start[:2000], delimiters=",;\t")
    except csv.Error:
        dialect = csv.excel
    reader = csv.DictReader(io.StringIO(start, newline=""), dialect=dialect)
    columns = [(name or "").strip().casefold() for name in reader.fieldnames or []]
    if "name" not in columns:
        raise BadFile(
            (Problem(Place(file, 1, 1), "columns", ", ".join(columns), "the first line names them: name, class, role"),)
        )
    reader.fieldnames = columns
    rows: list[tuple[str, str, str]] = []
    problems: list[Problem] = []
    seen: dict[str, int] = {}
    for row in reader:
        name = _tidy(row.get("name") or "")
        role = (row.get("role") or TRAINEE).strip().casefold()
        place = Place(file, reader.line_num, 1)
        if not name and not any(value for value in row.values() if isinstance(value, str) and value.strip()):
            continue
        if not name:
            problems.append(Problem(place, "name is empty", "", "write one"))
        elif name.casefold() in seen:
            problems.append(Problem(place, "name", name, f"it stands on line {seen[name.casefold()]} already"))
        elif role not in ROLES:
            problems.append(Problem(place, "role", role, f"choose {' or '.join(ROLES)}", did_you_mean(role, ROLES)))
        else:
            rows.append((name, role, row.get("class") or ""))
        seen.setdefault(name.casefold(), reader.line_num)
    if problems:
        raise BadFile(tuple(problems))
    return rows


def import_class_list(store: Store, file: str, text: str) -> tuple[list[Person], int]:
    """Add everybody of a class list who is not in the store yet; return them and how many were known."""
    rows = read_class_list(file, text)
    known = {one.name.casefold() for one in everybody(store)}
    new = [row for row in rows if row[0].casefold() not in known]
    return add_all(store, new), len(rows) - len(new)


def erase(store: Store, person: Person) -> None:
    """Erase a person's name and class; the records stay under the id and their chains still hold."""

    def change(connection: Connection) -> None:
        connection.execute(
            update(people).where(people.c.id == person.id).values(name=None, class_name="", erased=store.now)
        )

    store.write(change)
    _forget(store)


def _forget(store: Store) -> None:
    """Let the database give up the old row as well: its log (SQLite), its dead row (PostgreSQL)."""
    if store.engine.dialect.name == "sqlite":
        raw = store.engine.raw_connection()
        try:
            raw.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")
        finally:
            raw.close()
        return
    with store.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql("VACUUM people")


# -- assignments -------------------------------------------------------------------------------------------------


def new_seed() -> str:
    """Return a seed nobody chose."""
    return secrets.token_hex(8)


def assign(store: Store, trainees: Iterable[Person], terms: Terms) -> list[Assignment]:
    """Set terms for each of several trainees."""
    made = store.now
    new = [Assignment(new_id(), one.id, terms, made) for one in trainees]

    def change(connection: Connection) -> None:
        for one in new:
            connection.execute(
                assignments.insert().values(id=one.id, person_id=one.person_id, terms=terms.text, made=made)
            )

    store.write(change)
    return new


def assignments_of(store: Store, person: Person | None = None, *, open_only: bool = False) -> list[Assignment]:
    """Return assignments, oldest first; an open one has no session yet."""
    query = select(assignments).order_by(assignments.c.made, assignments.c.id)
    if person is not None:
        query = query.where(assignments.c.person_id == person.id)
    if open_only:
        taken = select(sessions.c.assignment_id).where(sessions.c.assignment_id.is_not(None))
        query = query.where(assignments.c.id.not_in(taken))
    return [Assignment(row.id, row.person_id, Terms.read(row.terms), row.made) for row in store.read(query)]


def assignment(store: Store, wanted: str) -> Assignment:
    """Return an assignment by its id or the beginning of it.

    Raises:
        StoreError: there is none, or there are several.
    """
    found = [one for one in assignments_of(store) if one.id.startswith(wanted)]
    if len(found) != 1:
        raise StoreError(f"{'several assignments begin with' if found else 'there is no assignment'} '{wanted}'")
    return found[0]


def script_for(given: Assignment, procedures: Procedures) -> Script:
    """Return the header of the assessment: dealt from the sealed seed, judged at the end, no hints shown."""
    terms = given.terms
    house = procedures.house(terms.house)
    options: TableOptions = options_for(house)
    options = replace(options, games=frozenset(terms.games), places=max(options.places, terms.spots))
    return Script(
        terms.house, options=options, seed=terms.seed, mode="assessed", display="exam",
        theme=", ".join(terms.themes), difficulty=terms.difficulty, procedure=f"{house.slug}@{house.fingerprint}",
    )  # fmt: skip
