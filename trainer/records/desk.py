"""The supervisor's desk: confirm or overrule a finding, sign a session, and verify that nothing was changed since."""

from __future__ import annotations

import json
from dataclasses import dataclass

from sqlalchemy import select

from trainer import __version__
from trainer.files import BadFile
from trainer.records.chain import canonical, first_break, sha256
from trainer.records.engine import StoreError
from trainer.records.frozen import Result, digest_of, overruled_in, result_of
from trainer.records.people import SUPERVISOR, Person, Terms
from trainer.records.store import ACT, CONFIRMED, END, OVERRULED, SIGNED, Store, Stored
from trainer.records.tables import assignments, entries, procedures, sessions
from trainer.rounds.play import Session


@dataclass(frozen=True, slots=True)
class Decision:
    """What a supervisor said of the finding on one act."""

    act: int
    kind: str
    supervisor: str
    reason: str
    time: str


@dataclass(frozen=True, slots=True)
class Signature:
    """A signed session: who, when, the frozen digest of its verdicts, the result, and the head of the chain then."""

    supervisor: str
    time: str
    version: str
    verdicts: str
    result: Result
    head: str


def decisions_in(stored: Stored) -> list[Decision]:
    """Return the decisions on a session, in order."""
    out = []
    for link in stored.desk:
        if link.kind != SIGNED:
            data = json.loads(link.text)
            out.append(Decision(data["act"], link.kind, data["supervisor"], data["reason"], link.time))
    return out


def signature_in(stored: Stored) -> Signature | None:
    """Return a session's signature, None while it is not signed."""
    link = next((one for one in stored.links if one.kind == SIGNED), None)
    if link is None:
        return None
    data = json.loads(link.text)
    return Signature(
        data["supervisor"], link.time, data["version"], data["verdicts"], Result(**data["result"]), link.digest
    )


def terms_of(store: Store, stored: Stored) -> Terms | None:
    """Return the terms a session was assigned under, None for one that nobody assigned."""
    if not stored.assignment_id:
        return None
    rows = store.read(select(assignments.c.terms).where(assignments.c.id == stored.assignment_id))
    return Terms.read(rows[0].terms) if rows else None


def _open_for(store: Store, session: str, supervisor: Person) -> Stored:
    stored = store.session(session)
    if stored.is_signed:
        raise StoreError(f"session {stored.id} is signed; nothing can be added")
    if supervisor.role != SUPERVISOR:
        raise StoreError(f"{supervisor.name} is not a supervisor")
    return stored


def decide(store: Store, session: str, supervisor: Person, act: int, *, overrule: bool = False,
           reason: str = "") -> Decision:  # fmt: skip
    """Confirm the finding on an act, or overrule it with a reason.

    Raises:
        StoreError: the session is signed, the act is no finding, or a reason is missing.
    """
    stored = _open_for(store, session, supervisor)
    replayed = store.replayed(stored)
    found = [entry for entry in replayed.findings if entry.number == act]
    if not found:
        known = ", ".join(str(entry.number) for entry in replayed.findings) or "none"
        raise StoreError(f"act {act} of session {stored.id} is no finding; the findings are on acts {known}")
    if overrule and not reason.strip():
        raise StoreError("say the reason for overruling a finding")
    kind = OVERRULED if overrule else CONFIRMED
    text = canonical({"act": act, "supervisor": supervisor.id, "reason": reason.strip()})
    link = store.append(stored.id, stored.head, stored.count + 1, kind, text)
    return Decision(act, kind, supervisor.id, reason.strip(), link.time)


def sign(store: Store, session: str, supervisor: Person) -> Signature:
    """Sign a session: its verdicts are frozen by their digest, and nothing can be added to it any more.

    Raises:
        StoreError: it is signed already, altered, or cannot be judged to its end.
    """
    stored = _open_for(store, session, supervisor)
    if troubles := verify(store, stored):
        raise StoreError(f"session {stored.id} cannot be signed: {troubles[0]}")
    replayed = store.replayed(stored)
    if replayed.problems:
        raise StoreError(f"session {stored.id} cannot be signed: {replayed.problems[0]}")
    result = result_of(replayed, overruled_in(stored), terms_of(store, stored))
    text = canonical(
        {"supervisor": supervisor.id, "version": __version__, "verdicts": digest_of(replayed), "result": result.data}
    )
    link = store.append(stored.id, stored.head, stored.count + 1, SIGNED, text)
    return Signature(supervisor.id, link.time, __version__, json.loads(text)["verdicts"], result, link.digest)


# -- verifying ---------------------------------------------------------------------------------------------------


def verify(store: Store, stored: Stored) -> list[str]:
    """Return what does not hold of a stored session, the first break of its chain first; empty when all holds."""
    found = first_break(stored.chained, stored.links, stored.count, stored.head, stored.first)
    if found:
        return [str(found)]
    troubles = _procedure_troubles(store, stored) + _terms_troubles(store, stored)
    if troubles:
        return troubles
    return order_troubles(stored) or verdict_troubles(stored, store.replayed(stored))


def _procedure_troubles(store: Store, stored: Stored) -> list[str]:
    rows = store.read(select(procedures).where(procedures.c.digest == stored.procedure))
    if not rows:
        return [f"the procedure data {stored.fingerprint} are missing"]
    row = rows[0]
    if sha256(row.files) != stored.procedure or (row.house, row.fingerprint) != (stored.house, stored.fingerprint):
        return [f"the procedure data {stored.fingerprint} of {stored.house} were altered"]
    try:
        own = store.machine(stored).house.fingerprint
    except BadFile as bad:
        return [f"the procedure data {stored.fingerprint} cannot be read by version {__version__}: {bad.problems[0]}"]
    return [] if own == stored.fingerprint else [f"the procedure data are {own}, not {stored.fingerprint}"]


def _terms_troubles(store: Store, stored: Stored) -> list[str]:
    if not stored.assignment_id:
        return []
    rows = store.read(select(assignments).where(assignments.c.id == stored.assignment_id))
    if not rows:
        return [f"the assignment {stored.assignment_id} is missing"]
    if rows[0].person_id != stored.person_id:
        return [f"the assignment {stored.assignment_id} was altered: it is another trainee's"]
    if sha256(rows[0].terms) != stored.terms:
        return [f"the terms of the assignment {stored.assignment_id} were altered"]
    return []


def order_troubles(stored: Stored) -> list[str]:
    """Return entries that stand after what closes a session."""
    closed = False
    for link in stored.links:
        if link.kind == ACT and closed:
            return [f"entry {link.number} was added after the session was closed: {link.text}"]
        closed = closed or link.kind in (END, SIGNED)
    signed = [link.number for link in stored.links if link.kind == SIGNED]
    if signed and signed[0] != stored.count:
        return [f"entry {signed[0] + 1} was added after the signature"]
    return []


def verdict_troubles(stored: Stored, replayed: Session) -> list[str]:
    """Compare the verdicts derived now with the ones a signature froze."""
    signature = signature_in(stored)
    if signature is None or signature.verdicts == digest_of(replayed):
        return []
    return [
        f"the verdicts are not those that were signed (signed under version {signature.version}, "
        f"judged now under {__version__})"
    ]


def loose_entries(store: Store) -> list[str]:
    """Return the sessions of which entries are left although the session itself is gone."""
    known = select(sessions.c.id)
    rows = store.read(select(entries.c.session_id).where(entries.c.session_id.not_in(known)).distinct())
    return [f"session {row.session_id} is missing; its entries are still there" for row in rows]
