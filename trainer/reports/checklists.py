"""A checklist on paper: HTML form, PDF, Markdown and CSV from the same rows."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass

from trainer.compliance.checklist import TICKS, Checklist, Row
from trainer.compliance.tally import Count, Tally
from trainer.procedure.model import House
from trainer.reports.pages import asset, page, table

PLACES_SHOWN = 3
HEADER = (("Property", "Table", "Period"), ("Dealer", "Auditor", "Date"), ("Version", "Effective", "Shift"))
SIGNATURES = (("Auditor", "Signature", "Date signed"), ("Supervisor", "Supervisor's signature", "Date seen"),
              ("Answered no", "Action taken", "Next check due"))  # fmt: skip


@dataclass(frozen=True, slots=True)
class Source:
    """Where a row comes from: a statement with its place, a default, or an answer of the house."""

    id: str
    where: str


@dataclass(frozen=True, slots=True)
class Line:
    """A row as it is printed."""

    number: int
    id: str
    question: str
    weight: str
    mark: str
    because: str
    sources: tuple[Source, ...]
    countable: bool
    seen: int
    kept: int
    broken: int
    places: tuple[str, ...]


def sources(house: House, row: Row) -> tuple[Source, ...]:
    """Return what a row rests on."""
    evidence = row.evidence
    if evidence.memo:
        return (Source(evidence.default, f"answered by the house: {evidence.memo}"),)
    if evidence.cites:
        return tuple(Source(one, house.statements[one].where) for one in evidence.cites)
    if not evidence.default:
        return (Source("silent", "nobody has laid it down"),)
    default = house.defaults[evidence.default]
    return (Source(default.id, f"{default.policy}: {default.reading}"),)


def line(house: House, row: Row, filled: Tally | None) -> Line:
    """Return a row with its sources and what the records say of it."""
    count = filled.of(row.asks) if filled else Count()
    places = count.broken_at or count.kept_at
    shown = tuple(places[:PLACES_SHOWN])
    if len(places) > PLACES_SHOWN:
        shown += (f"and {len(places) - PLACES_SHOWN} more",)
    return Line(
        row.number, row.id, row.question, row.weight, TICKS[row.method][0], row.evidence.because,
        sources(house, row), bool(row.asks), count.seen, count.kept, count.broken, shown,
    )  # fmt: skip


def scope_words(given: Checklist) -> str:
    """Say what the checklist covers."""
    words = ", ".join(given.scopes) if given.scopes else "the whole round"
    return f"Covers {words}" + (f"; game: {given.game}" if given.game else "")


def _header(house: House) -> list[list[tuple[str, str]]]:
    known = {"Property": house.title, "Version": house.version, "Effective": house.effective}
    return [[(name, known.get(name, "")) for name in names] for names in HEADER]


def to_html(given: Checklist, filled: Tally | None = None, *, form: bool = True) -> str:
    """Return the checklist as a page: a form to fill in a browser, or paper with boxes."""
    house = given.house
    return page(
        "checklist.html",
        title=f"Dealing checklist {house.title} version {house.version}",
        house=house,
        form=form,
        filled=filled,
        scope_words=scope_words(given),
        header=_header(house),
        signatures=SIGNATURES,
        ticks=[(mark, words) for mark, words in TICKS.values()],
        parts=[(part, [line(house, row, filled) for row in rows]) for part, rows in given.by_part().items()],
        apart=[line(house, row, filled) for row in given.undocumented],
        script=asset("checklist.js"),
    )


def _source_words(one: Line) -> str:
    words = "; ".join(f"{source.id} ({source.where})" for source in one.sources)
    return words + (f"; inferred: {one.because}" if one.because else "")


def to_markdown(given: Checklist, filled: Tally | None = None) -> str:
    """Return the checklist as Markdown."""
    house = given.house
    out = [f"# Dealing checklist: {house.title}\n"]
    out.append(
        f"{scope_words(given)}. Version {house.version}, effective {house.effective}, approved by: {house.approver}. "
        f"Source: {house.document}. Procedure {house.fingerprint}.\n"
    )
    cells: list[tuple[str, ...]] = [
        (name, value or "____________") for names in _header(house) for name, value in names
    ]
    out.append(table(("Field", "Entry"), cells))
    out.append("Answer every question; *no* and *n/a* need a comment.\n")
    if filled:
        out.append(f"Filled in from {filled.records} record(s) with {filled.acts} judged acts.\n")
    for part, rows in given.by_part().items():
        out.append(f"## {part[0].upper()}{part[1:]}\n")
        out.append(_markdown_rows(house, rows, filled))
    if given.undocumented:
        out.append(f"## Not documented by {house.title}\n")
        out.append("The document is silent or unclear here. These are our defaults; nobody can fail by them.\n")
        out.append(_markdown_rows(house, given.undocumented, filled))
    out.append("## Result and signatures\n")
    out.append(table(("Field", "Entry"), [(name, "____________") for names in SIGNATURES for name in names]))
    marks = "; ".join(f"**{mark}** {words}" for mark, words in TICKS.values())
    out.append(f"Marks: {marks}.\n")
    return "\n".join(out)


def _markdown_rows(house: House, rows: list[Row], filled: Tally | None) -> str:
    heads: tuple[str, ...] = ("No.", "Row", "Question", "Yes", "No", "n/a", "By", "Source")
    if filled:
        heads = (*heads, "Seen, kept, broken", "Lines")
    heads = (*heads, "Comment")
    body: list[tuple[str, ...]] = []
    for row in rows:
        one = line(house, row, filled)
        cells: tuple[str, ...] = (
            str(one.number),
            f"`{one.id}`",
            one.question,
            "☐",
            "☐",
            "☐",
            one.mark,
            _source_words(one),
        )
        if filled:
            cells = (*cells, f"{one.seen}, {one.kept}, {one.broken}" if one.countable else "", ", ".join(one.places))
        body.append((*cells, ""))
    return table(heads, body)


COLUMNS = ("no", "id", "part", "game", "question", "yes", "no_", "na", "comment", "method", "weight", "basis", "statements",
           "places", "because", "default", "seen", "kept", "broken", "lines")  # fmt: skip


def to_csv(given: Checklist, filled: Tally | None = None) -> str:
    """Return the rows as comma-separated values with a head line."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["answered no" if name == "no_" else "n/a" if name == "na" else name for name in COLUMNS])
    for row in given.rows:
        one = line(given.house, row, filled)
        counts = (one.seen, one.kept, one.broken) if filled and one.countable else ("", "", "")
        writer.writerow(
            (
                row.number, row.id, row.part, row.game, row.question, "", "", "", "", row.method.value, row.weight,
                row.evidence.basis, " ".join(row.evidence.cites), "; ".join(s.where for s in one.sources),
                row.evidence.because, row.evidence.default, *counts, " ".join(one.places),
            )
        )  # fmt: skip
    return out.getvalue()
