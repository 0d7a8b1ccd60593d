"""Sessions written as they happen: each committed act is on the disk before the next prompt."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Protocol

from trainer import __version__
from trainer.durable import DurableLines, atomic_write
from trainer.files import Place
from trainer.procedure.load import Procedures
from trainer.procedure.model import House
from trainer.rounds.play import Entry, Session
from trainer.rounds.script import Line, Script, print_header, print_line, read_script

_NOWHERE = Place("", 1, 1)


def data_home() -> Path:
    """Return the folder of the user's own data: TRAINER_DATA, else the platform's place for it."""
    given = os.environ.get("TRAINER_DATA")
    if given:
        return Path(given)
    from platformdirs import user_data_path

    return user_data_path("dealer-trainer", appauthor=False)


def session_path(house: str, clock: str) -> Path:
    """Return a new file for a session, named by house and start; never one that exists."""
    folder = data_home() / "sessions"
    folder.mkdir(parents=True, exist_ok=True)
    stem = f"{house}-{re.sub(r'[^0-9]', '', clock)[:14]}"
    path, number = folder / f"{stem}.yaml", 1
    while path.exists():
        number += 1
        path = folder / f"{stem}-{number}.yaml"
    return path


def read_session(path: Path, procedures: Procedures) -> Script:
    """Read a session to go on with; a last line that a crash left without its end is as if it had not been written.

    The recorder cuts the same line off when it opens the file.

    Raises:
        BadFile: everything that is wrong with the whole lines, each with its place.
    """
    try:
        text = path.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return read_script(path, procedures)  # which says what is wrong
    whole = text[: text.rfind("\n") + 1]
    return read_script(path, procedures, text=whole if whole else None)


def set_aside(path: Path) -> None:
    """Make room for a session that begins again: a file without an act goes, one that cannot be read is renamed."""
    if any(line.lstrip().startswith(b"- ") for line in path.read_bytes().splitlines()):
        path.replace(path.with_name(f"{path.name}.unreadable"))
    else:
        path.unlink()


def stamp(house: House) -> tuple[str, str]:
    """Return what a record is dealt under: house with fingerprint, and the program's version."""
    return f"{house.slug}@{house.fingerprint}", __version__


def recorded(session: Session) -> Script:
    """Return a session as the script that its record holds."""
    lines = (Line(entry.act, _NOWHERE, at=entry.at, blocked=entry.blocked) for entry in session.entries)
    return replace(session.script, lines=tuple(lines), net=(), money=None)


class Keeper(Protocol):
    """What keeps a session while it is dealt: a file, the store, or both.

    Raises:
        OSError: an act could not be kept; what was noted before is whole.
    """

    def note(self, entry: Entry) -> None:
        """Keep one committed (or blocked) act; it is durable when this returns."""

    def finish(self) -> None:
        """Note that the session is over."""

    def close(self) -> None:
        """Let go of what is open; a session that is not over can be gone on with."""


class Recorder:
    """A session file that grows by one durable line an act.

    Raises:
        OSError: the disk is full or the folder is not writable; what was written before is whole.
    """

    def __init__(self, path: Path, script: Script, *, resume: bool = False) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        if not resume:
            atomic_write(path, print_header(script))
        self._lines = DurableLines(path)
        self._lines.__enter__()

    def note(self, entry: Entry) -> None:
        """Write one committed (or blocked) act; it is on the disk when this returns."""
        line = Line(entry.act, _NOWHERE, at=entry.at, blocked=entry.blocked)
        self._lines.append(print_line(line).rstrip("\n"))

    def finish(self) -> None:
        """Leave the file as it is: its last line is its end."""

    def close(self) -> None:
        """Close the file."""
        self._lines.close()

    def __enter__(self) -> Recorder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
