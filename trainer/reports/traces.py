"""The traceability matrix and the coverage of records, as text, CSV, JSON or a page."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Iterable

from trainer.compliance.coverage import Coverage
from trainer.compliance.reasons import Reasons
from trainer.compliance.trace import COLUMNS, Traced
from trainer.procedure.model import House
from trainer.reports import paper
from trainer.reports.paper import Block, Paper

WIDE = 3


def to_text(house: House, rows: list[Traced]) -> str:
    """Return the matrix as one paragraph a statement."""
    out = [f"{house.title}, version {house.version}: {_summary(rows)}", ""]
    for row in rows:
        reasons = dict(row.reasons)
        out.append(f"{row.id} ({row.binding}) {row.gist}")
        for column, cell in _cells(row):
            out.append(f"  {column:<10} {_some(cell) or _why(reasons, column)}")
            if column == "steers" and not cell:
                break
    out += ["", *(f"gap: {row.id}: {column}" for row in rows for column in row.gaps)]
    return "\n".join(out).rstrip() + "\n"


def _some(cell: tuple[str, ...]) -> str:
    more = f" (and {len(cell) - WIDE} more)" if len(cell) > WIDE else ""
    return "; ".join(cell[:WIDE]) + more


def _why(reasons: dict[str, str], column: str) -> str:
    return f"nothing: {reasons[column]}" if column in reasons else "GAP"


def _summary(rows: list[Traced]) -> str:
    gaps = sum(len(row.gaps) for row in rows)
    reasons = sum(not cell and column in dict(row.reasons) for row in rows for column, cell in _cells(row))
    return f"{len(rows)} statements and defaults, {reasons} empty cells with a reason, {gaps} gaps"


def _cells(row: Traced) -> Iterable[tuple[str, tuple[str, ...]]]:
    return zip(COLUMNS[3:], (row.steers, row.places, row.kept, row.broken, row.checklist), strict=True)


def to_csv(tables: list[tuple[House, list[Traced]]]) -> str:
    """Return the matrices as one table with the house in front."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("house", *COLUMNS))
    for house, rows in tables:
        writer.writerows((house.slug, *row.cells()) for row in rows)
    return out.getvalue()


def to_json(tables: list[tuple[House, list[Traced]]]) -> str:
    """Return the matrices as JSON, every cell whole."""
    return json.dumps(
        [
            {
                "house": house.slug,
                "version": house.version,
                "fingerprint": house.fingerprint,
                "rows": [
                    {
                        "id": row.id, "binding": row.binding, "gist": row.gist, "steers": row.steers,
                        "asked at": row.places, "kept in": row.kept, "broken in": row.broken, "checklist": row.checklist,
                        "reasons": dict(row.reasons), "gaps": row.gaps,
                    }
                    for row in rows
                ],
            }
            for house, rows in tables
        ],
        indent=1,
        ensure_ascii=False,
    ) + "\n"  # fmt: skip


def to_html(tables: list[tuple[House, list[Traced]]]) -> str:
    """Return the matrices as a page that prints well."""
    blocks = [
        Block(f"{house.title}, version {house.version}", COLUMNS, [row.cells() for row in rows], (_summary(rows),))
        for house, rows in tables
    ]
    intro = (
        "From each statement of a house's document to what it steers, where that is asked, and records that show it."
    )
    return paper.to_html(Paper("Traceability", intro, blocks, "traceability"))


def _counted(count: int, kind: str) -> str:
    many = "duties" if kind == "duty" else f"{kind}s"
    return f"{count} {many if count != 1 else kind}"


def coverage_text(found: Coverage, reasons: Reasons) -> str:
    """Return what records exercise of a house's machine, and what they do not; what no record can is counted apart."""
    house, tally = found.house, found.tally
    missing = found.unexplained(reasons)
    never = len(found.missing()) - len(missing)
    kinds = Counter(kind for kind, _ in missing)
    kept = sum(count.kept > 0 for count in tally.counts.values())
    broken = sum(count.broken > 0 for count in tally.counts.values())
    out = [
        f"{house.title}: {tally.records} records, {tally.acts} acts of the dealer",
        f"  states {len(found.states)} of {len(house.states)}, rows {len(found.rows)} of "
        f"{sum(step.selected for step in house.steps)}, settings {len(found.settings)} of {len(house.settings)}, "
        f"defaults {len(found.defaults)}",
        f"  rules kept {kept}, broken {broken}, of {len(house.evidence)} with evidence",
        f"  not exercised: {', '.join(_counted(count, kind) for kind, count in kinds.items()) or 'nothing'}"
        f" ({never} more that no record of this house can, each with its reason)",
        *(f"    {kind} {name}" for kind, name in missing),
    ]
    return "\n".join(out) + "\n"
