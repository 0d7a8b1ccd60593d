"""Two judgements side by side: one record under two houses, or two trainees on one seed."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from dataclasses import dataclass

from trainer.actions import Role
from trainer.procedure.load import Procedures
from trainer.procedure.verdicts import spell
from trainer.records.imports import read_record
from trainer.rounds.debrief import money_said, money_words
from trainer.rounds.play import Entry, Session, machine_of, replay


@dataclass(frozen=True, slots=True)
class Pair:
    """The same act as two houses see it; an entry is missing where a record could not be dealt that far."""

    number: int
    line: str
    left: Entry | None
    right: Entry | None

    @property
    def differs(self) -> bool:
        """Whether the houses do not rule the same."""
        return _gist(self.left) != _gist(self.right)


def _gist(entry: Entry | None) -> tuple[object, ...]:
    if entry is None:
        return ()
    verdict = entry.verdict
    return verdict.severity, verdict.ruling, tuple(one.rule.slug for one in verdict.unmet)


def under_two_houses(text: str, path: str, procedures: Procedures, left: str, right: str) -> tuple[Session, Session]:
    """Deal one record in two houses.

    Raises:
        BadFile: the record cannot be read, or there is no such house.
    """
    one, other = (read_record(path, procedures, text=text, house=house) for house in (left, right))
    return replay(one, machine_of(procedures, left)), replay(other, machine_of(procedures, right))


def pairs(left: Session, right: Session) -> list[Pair]:
    """Pair the acts of one record dealt in two houses."""
    out = []
    for index in range(max(len(left.entries), len(right.entries))):
        one = left.entries[index] if index < len(left.entries) else None
        other = right.entries[index] if index < len(right.entries) else None
        act = (one or other).act  # type: ignore[union-attr]
        if act.role is Role.DEALER:
            out.append(Pair(index + 1, str(act), one, other))
    return out


def _columns(left: Iterable[str], right: Iterable[str], width: int) -> list[str]:
    one = [line for text in left for line in _wrapped(text, width)]
    other = [line for text in right for line in _wrapped(text, width)]
    rows = max(len(one), len(other))
    one += [""] * (rows - len(one))
    other += [""] * (rows - len(other))
    return [f"{a:<{width}} | {b}".rstrip() for a, b in zip(one, other, strict=True)]


def _wrapped(text: str, width: int) -> list[str]:
    return textwrap.wrap(text, width, subsequent_indent="    ", break_long_words=True, drop_whitespace=True) or [""]


def _says(session: Session, entry: Entry | None) -> list[str]:
    if entry is None:
        return ["not dealt this far"]
    if not entry.is_finding:
        return ["right"]
    lines = [f"{entry.verdict.severity}: {entry.verdict.leading.why}" if entry.verdict.leading else ""]
    lines += [line.strip() for line in spell(session.house, entry.verdict)[1:]]
    return lines + ([f"money    {money_words(entry.money)}"] if entry.money else [])


def spell_houses(left: Session, right: Session, width: int = 110, *, everything: bool = False) -> list[str]:
    """Print where two houses rule differently on a record (``everything``: every finding of either)."""
    half = max((width - 3) // 2, 24)
    lines = _columns([left.house.title], [right.house.title], half)
    lines += _columns([_sum(left)], [_sum(right)], half)
    shown = 0
    for pair in pairs(left, right):
        finding = any(one is not None and one.is_finding for one in (pair.left, pair.right))
        if not (pair.differs or (everything and finding)):
            continue
        shown += 1
        lines += [f"act {pair.number}: {pair.line}"]
        lines += _columns(_says(left, pair.left), _says(right, pair.right), half)
    if not shown:
        lines.append("both houses rule the same on every act")
    for session in (left, right):
        lines += [f"{session.house.title}: {problem}" for problem in session.problems]
    return lines


def _sum(session: Session) -> str:
    faults, findings = len(session.faults), len(session.findings)
    return f"accuracy {session.accuracy:.1%}: {faults} faults, {findings - faults} advice; {money_said(session)}"


def same_cards(left: Session, right: Session) -> str:
    """Return why two sessions cannot be set side by side, '' when both were dealt from one seed at like tables."""
    one, other = left.script, right.script
    if one.house != other.house:
        return f"one was dealt in {one.house}, the other in {other.house}"
    if (one.seed, one.shoe) != (other.seed, other.shoe) or not (one.seed or one.shoe):
        return "they were not dealt from the same seed"
    if one.options != other.options or one.difficulty != other.difficulty:
        return "their tables differ"
    return ""


def spell_trainees(left: Session, right: Session, names: tuple[str, str], width: int = 110) -> list[str]:
    """Print two trainees' sessions on one seed side by side, round by round."""
    half = max((width - 3) // 2, 24)
    lines = _columns([names[0]], [names[1]], half) + _columns([_sum(left)], [_sum(right)], half)
    last = max((entry.round for one in (left, right) for entry in one.entries), default=0)
    for number in range(1, last + 1):
        lines.append(f"round {number}")
        lines += _columns(_round(left, number), _round(right, number), half)
    return lines


def _round(session: Session, number: int) -> list[str]:
    mine = [entry for entry in session.entries if entry.round == number]
    acts = [entry for entry in mine if entry.act.role is Role.DEALER]
    if not acts:
        return ["not dealt"]
    times = [entry.at for entry in mine if entry.at is not None]
    took = f", {times[-1] - times[0]:.0f} s" if len(times) > 1 else ""
    lines = [f"{len(acts)} acts, {sum(entry.is_fault for entry in acts)} faults{took}"]
    for entry in acts:
        if entry.is_finding:
            lines += [f"act {entry.number}: {entry.act}", *_says(session, entry)]
    return lines
