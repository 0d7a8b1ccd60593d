"""Whatever is typed or written: no crash, no hang, and every rejection names a place."""

from __future__ import annotations

import time
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from procedure_folders import HOUSES, folder_with
from test_walks import acts

from trainer.actions import Act, BadNotation, parse, print_act
from trainer.files import BadFile, read_yaml
from trainer.procedure.load import Procedures, data_folder, procedures
from trainer.rounds.play import machine_of, replay
from trainer.rounds.script import print_script, script_from

many = settings(max_examples=250, deadline=None, derandomize=True, database=None)
some = settings(
    many, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
SCENARIO = sorted((data_folder("scenarios") / "greektown" / "slips").glob("*.yaml"))[0]

_WORDS = """deal up hole 3 3b 9h Td ?? 22.50 3.00 call total is 14 dealer pay take number 17 pairs main insurance down
outside signal hit stand by word even money rule waive refuse spectator touches " ' # : { } [ ] \\ 0 -1 999999999999"""
WORDS = st.sampled_from(_WORDS.split())


@many
@given(line=st.one_of(st.text(max_size=80), st.lists(WORDS, max_size=9).map(" ".join)))
@example(line='"')
@example(line="\\")
@example(line='call floor "\\')
def test_any_line_is_an_act_or_told_with_its_column(line: str) -> None:
    try:
        act = parse(line)
    except BadNotation as bad:
        assert 1 <= bad.column <= len(line) + 1 and bad.why
    else:
        assert parse(print_act(act)) == act


@st.composite
def bruised(draw: st.DrawFn, text: str) -> str:
    """A text with some lines or characters dropped, doubled, swapped or replaced."""
    lines = text.splitlines()
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(lines) - 1))
        what = draw(st.sampled_from(["drop", "double", "swap", "indent", "character", "junk"]))
        if what == "drop" and len(lines) > 1:
            del lines[at]
        elif what == "double":
            lines.insert(at, lines[at])
        elif what == "swap":
            other = draw(st.integers(0, len(lines) - 1))
            lines[at], lines[other] = lines[other], lines[at]
        elif what == "indent":
            lines[at] = draw(st.sampled_from([" ", "  ", "\t", "- "])) + lines[at]
        elif what == "junk":
            lines[at] += draw(
                st.sampled_from([" x", ":", " #", " {", "]", " &a", " *a", " !!int", '"', "\x00", "é", "\u2028"])
            )
        elif lines[at]:
            column = draw(st.integers(0, len(lines[at]) - 1))
            lines[at] = lines[at][:column] + draw(st.sampled_from(list("abz09.:-{}[]\"' "))) + lines[at][column + 1 :]
    return "\n".join(lines) + "\n"


def told(bad: BadFile) -> None:
    assert bad.problems
    for problem in bad.problems:
        assert problem.place.line >= 1 and problem.place.column >= 1 and problem.place.file and problem.thing


@some
@given(data=st.data())
def test_a_bruised_scenario_is_read_or_refused_in_place(data: st.DataObject) -> None:
    text = data.draw(bruised(SCENARIO.read_text(encoding="utf-8")))
    try:
        script = script_from(read_yaml("bruised.yaml", text=text), procedures(), "bruised.yaml")
    except BadFile as bad:
        told(bad)
        return
    session = replay(script, machine_of(procedures(), script.house))
    assert all(problem.place.line >= 1 for problem in session.problems)
    again = script_from(read_yaml("again.yaml", text=print_script(script)), procedures(), "again.yaml")
    assert [line.act for line in again.lines] == [line.act for line in script.lines]


@cache
def shipped_folder() -> Path:
    return folder_with(Path(mkdtemp()) / "all", HOUSES / "lakeside")


@pytest.mark.parametrize("name", ["blackjack.yaml", "defaults.yaml", "lakeside/house.yaml", "lakeside/statements.yaml"])
@settings(some, max_examples=15)
@given(data=st.data())
def test_bruised_procedures_load_or_are_refused_in_place(name: str, data: st.DataObject) -> None:
    path = shipped_folder() / name
    sound = path.read_text(encoding="utf-8")
    path.write_text(data.draw(bruised(sound)), encoding="utf-8")
    try:
        house = Procedures(shipped_folder()).house("lakeside")
        assert house.steps and house.settings
    except BadFile as bad:
        told(bad)
    finally:
        path.write_text(sound, encoding="utf-8")


plain = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=12)),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=8), inner, max_size=4)),
    max_leaves=20,
)


def written(value: object, depth: int = 0) -> str:
    """Any plain value as YAML in flow style, text unquoted as authors write it."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {written(one, depth + 1)}" for key, one in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(written(one, depth + 1) for one in value) + "]"
    return "" if value is None else str(value)


@many
@given(
    keys=st.dictionaries(
        st.sampled_from(["house", "lines", "shoe", "net", "places", "players", "x"]), plain, max_size=5
    )
)
def test_any_yaml_is_read_or_refused_in_place(keys: dict[str, object]) -> None:
    text = "".join(f"{key}: {written(value)}\n" for key, value in keys.items())
    try:
        script_from(read_yaml("any.yaml", text=text), procedures(), "any.yaml")
    except BadFile as bad:
        told(bad)


@many
@given(lines=st.lists(acts(), max_size=25), house=st.sampled_from(["aces", "greektown", "tropicana"]))
def test_any_acts_in_any_order_are_dealt_or_end_with_a_place(lines: list[Act], house: str) -> None:
    text = f"house: {house}\nlines:\n" + "".join(
        f"  - '{print_act(act).replace(chr(39), chr(39) * 2)}'\n" for act in lines
    )
    script = script_from(read_yaml("any.yaml", text=text), procedures(), "any.yaml")
    session = replay(script, machine_of(procedures(), house))
    assert len(session.problems) <= 1
    table = session.table
    assert table.rack + table.pockets + table.on_felt == 0


@pytest.mark.parametrize(
    "text",
    [
        "[" * 5000,
        "a: " * 3000,
        "a: &x [*x, *x]\n",
        "- " * 4000,
        "x: '" + "y" * 400_000,
        "? " * 2000,
        "a:\n" + " b:\n" * 20_000,
    ],
    ids=["brackets", "colons", "alias", "dashes", "unclosed", "questions", "repeats"],
)
def test_hostile_files_are_refused_at_once(text: str) -> None:
    start = time.perf_counter()
    with pytest.raises(BadFile) as caught:
        read_yaml("hostile.yaml", text=text)
    told(caught.value)
    assert time.perf_counter() - start < 10
