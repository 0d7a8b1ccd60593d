"""The hash chain of a session: what is hashed, and where a chain that was tampered with breaks first."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

FORMAT = 1
REACH = 200  # how far from its place a moved entry is looked for by its number


@dataclass(frozen=True, slots=True)
class Link:
    """One entry of a session's chain: an act, the end, a supervisor's decision or the signature.

    ``before`` and ``digest`` are the hexadecimal SHA-256 of the chain up to the entry before, and up to this one.
    """

    number: int
    kind: str
    text: str
    time: str
    before: str
    digest: str


@dataclass(frozen=True, slots=True)
class Break:
    """The first place where a chain does not hold: the entry's number (0: the head of the session) and what is wrong."""

    number: int
    what: str

    def __str__(self) -> str:
        return self.what


def canonical(data: object) -> str:
    """Return data as the one JSON text that is hashed.

    >>> canonical({"b": 1, "a": "é"})
    '{"a":"é","b":1}'
    """
    return json.dumps(data, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def sha256(text: str) -> str:
    """Return the hexadecimal SHA-256 of a text in UTF-8."""
    return hashlib.sha256(text.encode()).hexdigest()


def first_digest(head: Mapping[str, object]) -> str:
    """Return the digest a session's chain begins with: that of everything fixed at its start."""
    return sha256(f"session {FORMAT}\n{canonical(dict(head))}")


def next_digest(before: str, number: int, kind: str, text: str, time: str) -> str:
    """Return the digest of the chain up to and with one entry."""
    return sha256(f"{before}\n{canonical([number, kind, text, time])}")


def linked(before: str, number: int, kind: str, text: str, time: str) -> Link:
    """Return the entry that follows a digest."""
    return Link(number, kind, text, time, before, next_digest(before, number, kind, text, time))


def _digest(link: Link, number: int, before: str) -> str:
    return next_digest(before, number, link.kind, link.text, link.time)


def first_break(head: Mapping[str, object], links: Iterable[Link], count: int, last: str, first: str) -> Break | None:
    """Return where a stored chain first breaks, None when it holds.

    ``count``, ``last`` and ``first`` are the number of entries, the head and the beginning of the chain as stored.
    """
    if first != first_digest(head):
        return Break(0, "the head of the session (who, house, start, kind, table or assignment) was altered")
    by_number = {link.number: link for link in links}
    if stray := [number for number in by_number if number < 1]:
        return Break(min(stray), f"entry {min(stray)} was added before the first")
    before = first
    for number in range(1, max([count, *by_number]) + 1):
        found = _break_at(number, before, by_number, count)
        if found:
            return found
        before = by_number[number].digest
    if before != last:
        return Break(count, f"the chain ends otherwise than stored: entry {count} or what followed it was altered")
    return None


def _break_at(number: int, before: str, links: Mapping[int, Link], count: int) -> Break | None:
    link = links.get(number)
    name = f"entry {number}"
    if link is None:
        return Break(number, f"{name} is missing")
    if number > count:
        return Break(number, f"{name} was added: {link.kind} '{link.text}'")
    if link.before == before and _digest(link, number, before) == link.digest:
        return None
    said = f"{link.kind} '{link.text}'"
    was = _first_number(link)
    if was == number:
        # The entry is whole but follows another one than it did: the one before was written anew, hash and all.
        if number == 1:
            return Break(0, "the head of the session was altered and its digest made anew")
        return Break(number - 1, f"entry {number - 1} was altered and its digest made anew: {_said(links[number - 1])}")
    if was:
        moved = any(_first_number(other) == number for other in links.values())
        where = f"what stands there was entry {was}: {said}"
        return Break(number, f"{name} was reordered: {where}" if moved else f"{name} is missing: {where}")
    for other in links.values():
        if other.number != number and _digest(other, number, before) == link.digest:
            return Break(number, f"{name} was reordered: it stands as entry {other.number} now")
    return Break(number, f"{name} was altered: {said}")


def _said(link: Link) -> str:
    return f"{link.kind} '{link.text}'"


def _first_number(link: Link) -> int:
    """Return the number an entry was chained under, 0 when it was altered."""
    near = range(max(1, link.number - REACH), link.number + REACH + 1)
    return next((number for number in near if _digest(link, number, link.before) == link.digest), 0)


def head_of(first: str, links: Sequence[Link]) -> str:
    """Return the head of a chain: its last digest."""
    return links[-1].digest if links else first
