"""Records from elsewhere: YAML, JSON Lines (one act a row) and foreign action logs in CSV; errors by row."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

from trainer.files import BadFile, Node, Place, Problem, read_text, read_yaml
from trainer.procedure.load import Procedures
from trainer.records.foreign import Mapping, lines_of_log, read_mapping
from trainer.rounds.script import Line, Script, print_header, read_script, script_from

JSON_LINES = (".jsonl", ".ndjson")
_FIELDS = ("expect", "rule", "cites", "default", "money", "at", "blocked", "note")


def read_record(
    path: Path | str,
    procedures: Procedures,
    *,
    mapping: Path | str | None = None,
    text: str | None = None,
    house: str = "",
) -> Script:
    """Read a record by the kind of its file (``text`` replaces what it holds); a CSV needs the ``mapping`` of its columns.

    Raises:
        BadFile: everything that is wrong with it, each with its row.
        OSError: the file cannot be read.
    """
    suffix = Path(path).suffix.lower()
    if suffix in JSON_LINES:
        return read_json_lines(path, procedures, text=text, house=house)
    if suffix != ".csv":
        return read_script(path, procedures, text=text, house=house)
    if mapping is None:
        known = "a CSV log needs a mapping file that tells what its columns hold"
        raise BadFile((Problem(Place(str(path), 1, 1), "mapping", "", known),))
    return read_csv(path, procedures, read_mapping(mapping), text=text, house=house)


# -- JSON Lines ----------------------------------------------------------------------------------------------------


def print_json_lines(script: Script) -> str:
    """Print a record as JSON Lines: a header row, then one act a row; ``read_json_lines`` reads it back.

    The header has the keys of a YAML record. A row has ``line`` and what else is known of it, such as ``at`` in seconds.
    """
    header = read_yaml("header", text=print_header(script)).plain()
    assert isinstance(header, dict)
    rows = [{key: value for key, value in header.items() if key != "lines"}]
    rows += [_row(line) for line in script.lines]
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def _row(line: Line) -> dict[str, Any]:
    from trainer.chips import dollars

    out: dict[str, Any] = {"line": str(line.act)}
    for name in _FIELDS:
        value = getattr(line, name)
        if value is None or value is False or value in ("", ()):
            continue
        if name == "money":
            value = dollars(value)
        out[name] = list(value) if isinstance(value, tuple) else value
    return out


def read_json_lines(path: Path | str, procedures: Procedures, *, text: str | None = None, house: str = "") -> Script:
    """Read a record of JSON Lines.

    Raises:
        BadFile: every row that is wrong, with what is wrong in it, or the file cannot be read.
    """
    name = str(path)
    raw = read_text(path) if text is None else text
    problems: list[Problem] = []
    rows: list[Node] = []
    for number, line in enumerate(raw.split("\n"), 1):
        if line.strip():
            node = _json_row(name, number, line, problems)
            rows += [node] if node is not None else []
    if problems:
        raise BadFile(problems)
    if not rows or "house" not in rows[0].value:
        place = rows[0].place if rows else Place(name, 1, 1)
        raise BadFile((Problem(place, "header", "", 'the first row is a header such as {"house": "aces"}'),))
    header = rows[0]
    assert isinstance(header.value, dict)
    tree = Node(header.place, {**header.value, "lines": Node(header.place, list(rows[1:]))}, header.key_places)
    return script_from(tree, procedures, name, house)


def _json_row(name: str, number: int, line: str, problems: list[Problem]) -> Node | None:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as bad:
        # A number of thousands of digits and a list within a list within a list are refused by other errors.
        column, why = (
            (bad.colno, bad.msg) if isinstance(bad, json.JSONDecodeError) else (1, "it is too large or too deep")
        )
        problems.append(Problem(Place(name, number, column), "row", line, f"this is no JSON: {why}"))
        return None
    if not isinstance(row, dict):
        problems.append(Problem(Place(name, number, 1), "row", line, "a row is one object in braces"))
        return None
    children: dict[str, Node] = {}
    places: dict[str, Place] = {}
    for key, value in row.items():
        place = Place(name, number, line.find(json.dumps(key, ensure_ascii=False)) + 1 or 1)
        known = "do" if key == "line" else key
        children[known], places[known] = _node(value, place), place
    return Node(Place(name, number, 1), children, places)


def _node(value: object, place: Place) -> Node:
    if isinstance(value, dict):
        return Node(
            place, {str(key): _node(one, place) for key, one in value.items()}, dict.fromkeys(map(str, value), place)
        )
    if isinstance(value, list):
        return Node(place, [_node(one, place) for one in value])
    if isinstance(value, bool):
        return Node(place, "yes" if value else "")
    if value is None:
        return Node(place, "", empty=True)
    return Node(place, value if isinstance(value, str) else repr(value))


# -- CSV -----------------------------------------------------------------------------------------------------------


def read_csv(
    path: Path | str, procedures: Procedures, mapping: Mapping, *, text: str | None = None, house: str = ""
) -> Script:
    """Read a foreign action log through the mapping of its columns.

    Raises:
        BadFile: every row that is wrong, with the column and what is wrong in it, or the file cannot be read.
    """
    name = str(path)
    raw = read_text(path) if text is None else text
    reader = csv.reader(io.StringIO(raw, newline=""), delimiter=mapping.delimiter)
    rows = [(reader.line_num, row) for row in reader]
    lines, missing = lines_of_log(name, rows, mapping)
    header = mapping.header(name)
    assert isinstance(header.value, dict)
    tags = [_node(f"no-{family}", header.place) for family in missing]
    tree = Node(header.place, {**header.value, "tags": Node(header.place, tags), "lines": Node(header.place, lines)})
    return script_from(tree, procedures, name, house)
