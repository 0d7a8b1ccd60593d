"""Fuzz what is typed and read with atheris, which looks for inputs that reach new code.

``pip install atheris``, then ``python tests/tools/fuzz_by_coverage.py line|record|jsonl|csv [libFuzzer options]``, such
as ``-max_total_time=120 -timeout=5 -rss_limit_mb=512``. A crash, a hang or a rejection without a place stops it and
leaves the input in a file.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["trainer"]):
    from trainer.actions import BadNotation, parse, print_act
    from trainer.files import BadFile
    from trainer.procedure.load import data_folder, procedures
    from trainer.records import foreign, imports
    from trainer.rounds.play import machine_of, replay
    from trainer.rounds.script import print_script, read_script

PROCEDURES = procedures()
FOLDER = Path(tempfile.mkdtemp())


def told(bad: BadFile) -> None:
    """Every rejection names a file, a line and a column."""
    assert bad.problems
    assert all(one.place.line >= 1 and one.place.column >= 1 and one.place.file and one.thing for one in bad.problems)


def line(data: bytes) -> None:
    """Whatever is typed is an act, which is printed back as it is read, or told with its column."""
    text = data.decode("utf-8", "surrogateescape")
    try:
        act = parse(text)
    except BadNotation as bad:
        assert 1 <= bad.column <= len(text) + 1 and bad.why
    else:
        assert parse(print_act(act)) == act


def record(data: bytes) -> None:
    """Whatever stands in a scenario file is dealt, and printed back as it is read, or told with its place."""
    path = FOLDER / "record.yaml"
    path.write_bytes(data)
    try:
        script = read_script(path, PROCEDURES)
        replay(script, machine_of(PROCEDURES, script.house))
        path.write_text(print_script(script), encoding="utf-8")
        again = read_script(path, PROCEDURES)
    except BadFile as bad:
        told(bad)
    else:
        assert [one.act for one in again.lines] == [one.act for one in script.lines]


def seeds() -> Path:
    """A folder of inputs to begin with: some shipped scenarios, or their lines."""
    folder = FOLDER / "seeds"
    folder.mkdir()
    (folder / "mapping.yaml").write_text(MAPPING, encoding="utf-8")
    for number, path in enumerate(sorted(data_folder("scenarios").rglob("corner-*.yaml"))[::4]):
        (folder / f"{number}.yaml").write_bytes(path.read_bytes())
        lines = [str(one.act) for one in read_script(path, PROCEDURES).lines]
        rows = ["event,seat,usd,face", "bet,1,20,", "card,1,,9h", "pays,1,30.00,", "muck,1,,"]
        (folder / f"{number}.csv").write_text("\n".join(rows), encoding="utf-8")
        (folder / f"{number}.jsonl").write_text(
            imports.print_json_lines(read_script(path, PROCEDURES)), encoding="utf-8"
        )
        for index, text in enumerate(lines[:: max(1, len(lines) // 4)]):
            (folder / f"{number}-{index}.txt").write_text(text, encoding="utf-8")
    return folder


MAPPING = """
house: tropicana
columns: {do: event, at: seat, amount: usd, card: face}
actions: {bet: place_wager, card: deal_card, muck: remove_cards, shows: expose_hole, pays: pay}
"""


def imported(name: str, data: bytes) -> None:
    """Whatever stands in a record of another kind is dealt, or told with its place."""
    path = FOLDER / name
    path.write_bytes(data)
    mapping = FOLDER / "mapping.yaml"
    if not mapping.exists():
        mapping.write_text(MAPPING, encoding="utf-8")
    try:
        script = imports.read_record(path, PROCEDURES, mapping=mapping, house="tropicana")
        replay(script, machine_of(PROCEDURES, script.house))
    except BadFile as bad:
        told(bad)


def mapping(data: bytes) -> None:
    """Whatever stands in a mapping is read, or told with its place."""
    path = FOLDER / "any-mapping.yaml"
    path.write_bytes(data)
    log = FOLDER / "log.csv"
    log.write_text("event,seat,usd,face\nbet,1,20,\ncard,1,,9h\n", encoding="utf-8")
    try:
        imports.read_csv(log, PROCEDURES, foreign.read_mapping(path), house="tropicana")
    except BadFile as bad:
        told(bad)


TARGETS = {
    "line": line,
    "record": record,
    "jsonl": lambda data: imported("record.jsonl", data),
    "csv": lambda data: imported("record.csv", data),
    "mapping": mapping,
}

if __name__ == "__main__":
    target = TARGETS[sys.argv.pop(1)]
    atheris.Setup([*sys.argv, str(seeds())], target)
    atheris.Fuzz()
