"""Findings as a supervisor lists them: one row a finding, filtered, as text, CSV or JSON."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime, timedelta

from trainer.chips import dollars
from trainer.procedure.verdicts import citation
from trainer.records.frozen import overruled_in
from trainer.records.people import Person
from trainer.records.store import Stored
from trainer.rounds.play import Entry, Session

DIRECTIONS = ("house", "players", "any", "none")


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding of a record. ``money`` in cents seen from the house: above zero the house got too much."""

    time: str
    session: str
    trainee: str
    class_name: str
    record: str
    house: str
    round: int
    act: int
    line: str
    severity: str
    kind: str
    weight: str
    rule: str
    statements: str
    defaults: str
    why: str
    instead: str
    source: str
    money: int | None
    to: str
    blocked: str
    overruled: str


@dataclass(frozen=True, slots=True)
class Filter:
    """Which findings are wanted; what is empty lets everything through. Times compare as text, so a date will do."""

    since: str = ""
    until: str = ""
    severity: str = ""
    kind: str = ""
    rule: str = ""
    statement: str = ""
    weight: str = ""
    money: str = ""
    least: int = 0
    trainee: str = ""
    class_name: str = ""
    house: str = ""
    record: str = ""
    session: str = ""

    def lets(self, one: Finding) -> bool:
        """Tell whether a finding is wanted."""
        equal = ("severity", "kind", "weight", "class_name", "house", "record")
        return (
            all(not getattr(self, name) or getattr(self, name) == getattr(one, name) for name in equal)
            and (not self.trainee or self.trainee.casefold() == one.trainee.casefold())
            and one.session.startswith(self.session)
            and (not self.since or one.time >= self.since)
            and (not self.until or one.time < self.until)
            and (not self.rule or self.rule in one.rule.split())
            and (not self.statement or self.statement in (*one.statements.split(), *one.defaults.split()))
            and self._lets_money(one.money)
        )

    def _lets_money(self, money: int | None) -> bool:
        amount = money or 0
        if abs(amount) < self.least:
            return False
        return {"": True, "any": amount != 0, "none": amount == 0, "house": amount > 0, "players": amount < 0}[
            self.money
        ]


def direction(money: int | None) -> str:
    """Name who got too much.

    >>> direction(250), direction(-250), direction(None)
    ('house', 'players', '')
    """
    return "" if not money else "house" if money > 0 else "players"


def moment_of(started: str, at: float | None) -> str:
    """Return the UTC time of an act from its session's start and its seconds since."""
    if at is None or not started:
        return started
    begun = datetime.fromisoformat(started.replace("Z", "+00:00"))
    return (begun + timedelta(seconds=at)).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def findings_of(session: Session, *, name: str = "", trainee: str = "", class_name: str = "", record: str = "",
                started: str = "", times: Mapping[int, str] | None = None,
                overruled: Mapping[int, str] | None = None) -> list[Finding]:  # fmt: skip
    """Return the findings of a judged session; ``times`` are the acts' own times where the store knows them."""
    out = []
    for entry in session.findings:
        time = (times or {}).get(entry.number) or moment_of(started, entry.at)
        out.append(_finding(session, entry, time, name, trainee, class_name, record, (overruled or {})))
    return out


def _finding(session: Session, entry: Entry, time: str, name: str, trainee: str, class_name: str, record: str,
             overruled: Mapping[int, str]) -> Finding:  # fmt: skip
    verdict, leading = entry.verdict, entry.verdict.leading
    assert leading is not None
    return Finding(
        time=time,
        session=name,
        trainee=trainee,
        class_name=class_name,
        record=record,
        house=session.house.slug,
        round=entry.round,
        act=entry.number,
        line=str(entry.act),
        severity=verdict.severity.value,
        kind=verdict.ruling.value,
        weight=verdict.weight.value if verdict.weight else "",
        rule=" ".join(dict.fromkeys(one.rule.slug for one in verdict.unmet)),
        statements=" ".join(dict.fromkeys(cited for one in verdict.unmet for cited in one.evidence.cites)),
        defaults=" ".join(verdict.defaults),
        why=leading.why,
        instead=str(verdict.instead[0]) if verdict.instead else "",
        source="; ".join(citation(session.house, leading)),
        money=entry.money,
        to=direction(entry.money),
        blocked="yes" if entry.blocked else "",
        overruled=overruled.get(entry.number, ""),
    )


def findings_in(stored: Stored, replayed: Session, people: Mapping[str, Person]) -> list[Finding]:
    """Return the findings of a stored session, with the trainee's name as the store knows it."""
    person = people.get(stored.person_id)
    return findings_of(
        replayed,
        name=stored.id,
        trainee=str(person) if person else "",
        class_name=person.class_name if person else "",
        record=stored.kind,
        started=stored.started,
        times={number: link.time for number, link in enumerate(stored.acts, 1)},
        overruled=overruled_in(stored),
    )


# -- printing ----------------------------------------------------------------------------------------------------


def as_data(found: Iterable[Finding]) -> list[dict[str, object]]:
    """Return findings as plain data, money as dollars with two decimals."""
    return [{**asdict(one), "money": dollars(one.money) if one.money is not None else None} for one in found]


def as_json(found: Iterable[Finding]) -> str:
    """Print findings as JSON."""
    return json.dumps(as_data(found), indent=1, ensure_ascii=False) + "\n"


def as_csv(found: Iterable[Finding]) -> str:
    """Print findings as CSV with a heading."""
    out = io.StringIO()
    writer = csv.DictWriter(out, [one.name for one in fields(Finding)], lineterminator="\r\n")
    writer.writeheader()
    for row in as_data(found):
        writer.writerow({name: _cell(value) for name, value in row.items()})
    return out.getvalue()


def _cell(value: object) -> object:
    """Keep a text from being taken for a formula by a spreadsheet; amounts stay numbers."""
    if isinstance(value, str) and value[:1] in ("=", "+", "@", "\t", "\r", "-") and not _is_amount(value):
        return "'" + value
    return "" if value is None else value


def _is_amount(value: str) -> bool:
    return value.lstrip("-").replace(".", "", 1).isdigit()


def as_text(found: Iterable[Finding]) -> list[str]:
    """Print findings in the four lines of every report, with time, trainee and money."""
    lines: list[str] = []
    for one in found:
        who = " ".join(word for word in (one.time[:16].replace("T", " "), one.trainee, one.session) if word)
        lines.append(f"{who}: {one.house}, round {one.round}, act {one.act}")
        lines.append(f"  {one.severity}: {one.line}: {one.why}")
        if one.instead:
            lines.append(f"    instead  {one.instead}")
        lines.append(f"    rule     {one.rule} ({one.kind}, {one.weight})")
        lines.append(f"    source   {one.source or 'none'}")
        if one.money:
            lines.append(f"    money    {dollars(abs(one.money))} too much to the {one.to}")
        if one.overruled:
            lines.append(f"    overruled: {one.overruled}")
    return lines
