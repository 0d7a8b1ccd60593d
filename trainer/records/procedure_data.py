"""Procedure data as a record keeps it: the very files a session was dealt under, found again by fingerprint."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path, PurePosixPath

from trainer.files import BadFile, Place, Problem
from trainer.procedure.load import Procedures
from trainer.records.chain import canonical, sha256

COMMON = ("blackjack.yaml", "defaults.yaml")


def files_of(procedures: Procedures, house: str) -> dict[str, str]:
    """Return the files that make a house's procedure, by path within the folder, with plain line ends."""
    folder = procedures.folder
    paths = [folder / name for name in COMMON] + sorted((folder / house).rglob("*.yaml"))
    return {
        path.relative_to(folder).as_posix(): path.read_bytes().replace(b"\r\n", b"\n").decode("utf-8")
        for path in paths
        if path.is_file()
    }


@lru_cache(maxsize=32)
def data_of(procedures: Procedures, house: str) -> tuple[str, str]:
    """Return a house's procedure data as one text, and its digest.

    Raises:
        BadFile: the files were changed since they were loaded.
    """
    text = canonical(files_of(procedures, house))
    if procedures_from(text, house).house(house).fingerprint != procedures.house(house).fingerprint:
        place = Place(str(procedures.folder / house / "house.yaml"), 1, 1)
        raise BadFile((Problem(place, "the procedure was changed since it was loaded", "", "start the program again"),))
    return text, sha256(text)


def procedures_from(files: str, house: str) -> Procedures:
    """Build the procedures that stored data hold.

    Raises:
        BadFile: the data are not what this program can read.
    """
    return _laid_out(files, house)[0]


@lru_cache(maxsize=32)
def _laid_out(files: str, house: str) -> tuple[Procedures, tempfile.TemporaryDirectory[str]]:
    folder = tempfile.TemporaryDirectory(prefix="procedures-")  # removed when the program ends
    _lay_out(json.loads(files), Path(folder.name))
    procedures = Procedures(Path(folder.name))
    procedures.house(house)
    return procedures, folder


def _lay_out(files: Mapping[str, str], folder: Path) -> None:
    for name, text in files.items():
        inner = PurePosixPath(name)
        if inner.is_absolute() or ".." in inner.parts or "\\" in name or os.sep not in "/" or not inner.parts:
            raise BadFile((Problem(Place(name, 1, 1), "path", name, "procedure data lie within their own folder"),))
        target = folder / inner
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8", newline="\n")
