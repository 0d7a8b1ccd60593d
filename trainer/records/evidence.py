"""The evidence pack: one session with all that is needed to judge it again elsewhere, and the check of such a pack."""

from __future__ import annotations

import io
import json
import os
import platform
import zipfile
from dataclasses import asdict, dataclass, replace
from importlib import metadata
from pathlib import Path

from sqlalchemy import select

from trainer import __version__
from trainer.files import BadFile
from trainer.records.chain import Link, canonical, first_break, sha256
from trainer.records.desk import order_troubles, signature_in, verdict_troubles
from trainer.records.engine import StoreError
from trainer.records.frozen import digest_of, verdicts_of
from trainer.records.people import by_id
from trainer.records.procedure_data import procedures_from
from trainer.records.store import HEAD, Store, Stored
from trainer.records.tables import assignments
from trainer.rounds.play import Session, machine_of, replay
from trainer.rounds.script import read_script

LIMIT = 50_000_000  # bytes of a part of a pack; a session of a whole shift is far below
PARTS = ("session.yaml", "chain.json", "procedure.json", "verdicts.json", "manifest.json", "names.json")
_README = """Evidence pack of one session dealt with the dealer trainer.

session.yaml    the session as it happened, line by line
chain.json      every entry with its hash, the hash before it, and its time
procedure.json  the procedure data the session was dealt under
verdicts.json   the verdict on every act
names.json      whose ids these are (not part of the chain)
manifest.json   versions, head of the chain, digest of the verdicts

Check it with:  trainer verify --pack FILE.zip [--head HEX]
"""


@dataclass(frozen=True, slots=True)
class Pack:
    """A pack as read: the session, its procedure data, what it states of itself, and names by id."""

    stored: Stored
    procedure: str
    terms: str
    manifest: dict[str, object]
    verdicts: str
    session_file: str
    names: dict[str, str]


def _versions() -> dict[str, str]:
    found = {"trainer": __version__, "python": platform.python_version()}
    for name in ("transitions", "pydantic", "PyYAML"):
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            found[name] = "unknown"
    return found


def make_pack(store: Store, session: str, *, names: bool = True) -> bytes:
    """Return the evidence pack of a session as a zip file; the same records give the same bytes.

    Raises:
        StoreError: there is no such session, or its chain does not hold.
    """
    stored = store.session(session)
    if found := first_break(stored.chained, stored.links, stored.count, stored.head, stored.first):
        raise StoreError(f"session {stored.id} cannot be exported: {found}")
    replayed = store.replayed(stored)
    known = by_id(store) if names else {}
    ids = {stored.person_id, *(json.loads(link.text)["supervisor"] for link in stored.desk)}
    parts = {
        "README.txt": _README,
        "session.yaml": stored.text,
        "chain.json": _printed(_chain(store, stored)),
        "procedure.json": store.procedure(stored.procedure)[0],
        "verdicts.json": _printed(verdicts_of(replayed)),
        "names.json": _printed({one: known[one].name for one in sorted(ids) if one in known}),
        "manifest.json": _printed(_manifest(stored, replayed)),
    }
    return _zipped(parts)


def _chain(store: Store, stored: Stored) -> dict[str, object]:
    terms = ""
    if stored.assignment_id:
        terms = str(store.read(select(assignments.c.terms).where(assignments.c.id == stored.assignment_id))[0].terms)
    return {
        "head": stored.chained,
        "first": stored.first,
        "terms": terms,
        "entries": [asdict(link) for link in stored.links],
    }


def _manifest(stored: Stored, replayed: Session) -> dict[str, object]:
    signature = signature_in(stored)
    return {
        "format": 1,
        "session": stored.id,
        "head": stored.head,
        "entries": stored.count,
        "procedure": stored.procedure,
        "fingerprint": stored.fingerprint,
        "verdicts": digest_of(replayed),
        "signed": signature.verdicts if signature else "",
        "versions": _versions(),
    }


def _printed(data: object) -> str:
    return json.dumps(data, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def _zipped(parts: dict[str, str]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as pack:
        for name, text in parts.items():
            info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))  # no clock, so that the bytes repeat
            info.compress_type, info.external_attr, info.create_system = zipfile.ZIP_DEFLATED, 0o644 << 16, 3
            pack.writestr(info, text.encode())
    return out.getvalue()


def write_pack(path: Path, pack: bytes) -> None:
    """Write a pack so that a crash leaves either no file, the old one or the whole new one."""
    new = path.with_name(f".{path.name}.part")
    try:
        with open(new, "wb") as file:
            file.write(pack)
            file.flush()
            os.fsync(file.fileno())
        os.replace(new, path)
    finally:
        new.unlink(missing_ok=True)


def read_pack(path: Path) -> Pack:
    """Read an evidence pack.

    Raises:
        StoreError: it is no such pack, or a part is missing or not readable.
    """
    try:
        with zipfile.ZipFile(path) as pack:
            texts = {name: _part(pack, name) for name in PARTS}
        chain, manifest = json.loads(texts["chain.json"]), json.loads(texts["manifest.json"])
        head = {name: str(chain["head"][name]) for name in HEAD}
        links = tuple(
            Link(int(one["number"]), *(str(one[key]) for key in ("kind", "text", "time", "before", "digest")))
            for one in chain["entries"]
        )
        stored = Stored(
            **head, first=str(chain["first"]), head=str(manifest["head"]), count=int(manifest["entries"]), links=links
        )
        names = {str(key): str(value) for key, value in json.loads(texts["names.json"]).items()}
        terms = str(chain["terms"])
    except (OSError, zipfile.BadZipFile, KeyError, ValueError, TypeError, AttributeError) as why:
        raise StoreError(f"{path} is no evidence pack: {why}") from why
    return Pack(stored, texts["procedure.json"], terms, manifest, texts["verdicts.json"], texts["session.yaml"], names)


def _part(pack: zipfile.ZipFile, name: str) -> str:
    info = pack.getinfo(name)
    if info.file_size > LIMIT:
        raise ValueError(f"{name} is larger than {LIMIT} bytes")
    return pack.read(info).decode("utf-8")


def replayed_pack(pack: Pack) -> Session:
    """Deal a pack's session again under the procedure data it brings along."""
    procedures = procedures_from(pack.procedure, pack.stored.house)
    script = read_script("session.yaml", procedures, text=pack.stored.text)
    return replay(script, machine_of(procedures, pack.stored.house))


def check_pack(pack: Pack, head: str = "") -> list[str]:
    """Return what does not hold of a pack; ``head`` is the head of the chain as it was printed on sign-off."""
    stored = pack.stored
    found = first_break(stored.chained, stored.links, stored.count, stored.head, stored.first)
    if found:
        return [str(found)]
    troubles = []
    if head and not _has_head(stored, head):
        troubles.append(f"the head {head} stands nowhere in this chain; its head is {stored.head}")
    if sha256(pack.procedure) != stored.procedure:
        return [*troubles, "the procedure data are not those the session was dealt under"]
    if pack.session_file != stored.text:
        troubles.append("session.yaml is not what the chain holds")
    if (pack.terms and sha256(pack.terms) != stored.terms) or (stored.terms and not pack.terms):
        troubles.append("the terms of the assignment are not those the session was dealt under")
    if troubles := troubles + order_troubles(stored):
        return troubles
    try:
        replayed = replayed_pack(pack)
    except BadFile as bad:
        return [f"it cannot be replayed by version {__version__}: {bad.problems[0]}"]
    return _compared(pack, replayed)


def _has_head(stored: Stored, head: str) -> bool:
    wanted = head.strip().lower()
    return len(wanted) >= 12 and any(link.digest.startswith(wanted) for link in stored.links)


def _compared(pack: Pack, replayed: Session) -> list[str]:
    troubles = []
    versions = pack.manifest.get("versions")
    other = versions.get("trainer", "?") if isinstance(versions, dict) else "?"
    if digest_of(replayed) != pack.manifest.get("verdicts"):
        troubles.append(f"it replays to other verdicts here ({__version__}) than where it was made ({other})")
    if pack.verdicts != _printed(verdicts_of(replayed)):
        stated = json.loads(pack.verdicts)
        now = verdicts_of(replayed)
        first = next(
            (one["act"] for one, was in zip(now, stated, strict=False) if canonical(one) != canonical(was)), None
        )
        troubles.append(f"verdicts.json differs from the replay{f' first on act {first}' if first else ''}")
    return troubles + verdict_troubles(pack.stored, replayed)


def same_as_stored(store: Store, pack: Pack) -> str:
    """Return how a pack differs from the session in the store, '' when they agree or it is not there."""
    here = [one for one in store.sessions() if one.id == pack.stored.id]
    if not here:
        return ""
    mine = store.session(pack.stored.id)
    packed = pack.stored.links
    if mine.links[: len(packed)] != packed:
        at = next(
            (n for n, (a, b) in enumerate(zip(mine.links, packed, strict=False), 1) if a != b), len(mine.links) + 1
        )
        return f"the store and the pack part at entry {at}"
    return (
        ""
        if replace(mine, links=(), head="", count=0) == replace(pack.stored, links=(), head="", count=0)
        else ("the store and the pack differ in the head of the session")
    )
