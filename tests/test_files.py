"""Reading author-written YAML: each trap is refused in place; writing: whole lines whatever happens."""

from __future__ import annotations

import enum
import errno
import os
import signal
import subprocess
import sys
import time
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Literal

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from trainer import files
from trainer.durable import DurableLines, atomic_write
from trainer.files import BadFile, Place, Problem, did_you_mean, read_yaml
from trainer.structure import YesNo, structure

BAD = Path(__file__).parent / "bad"
LOADERS = [yaml.SafeLoader, getattr(yaml, "CSafeLoader", yaml.SafeLoader)]


@pytest.fixture(params=LOADERS, ids=["pure", "c"])
def loader(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "_LOADER", request.param)


def complaints(text: str) -> list[str]:
    with pytest.raises(BadFile) as caught:
        read_yaml("f", text=text)
    return str(caught.value).split("\n")


EXPECTED = {
    "duplicate-keys": [
        "2:1: repeated key is 'title'; keep one (the first is on line 1)",
        "4:16: repeated key is 'do'; keep one (the first is on line 4)",
        "5:1: repeated key is 'title'; keep one (the first is on line 1)",
    ],
    "anchors": [
        "1:4: anchor is '&base'; leave it out and write each value in full",
        "2:4: alias is '*base'; write the value out in full",
        "4:3: merge key is '<<'; write the keys out in full",
        "4:7: alias is '*base'; write the value out in full",
        "5:4: tag is '!!python/object:os.system'; leave it out",
    ],
    "tab": ["2:1: a tab stands in the indentation; indent with spaces"],
    "two-documents": ["2:1: a second document starts; keep one in a file"],
    "latin-1": ["2:10: byte 0xE9 is not UTF-8; save as UTF-8"],
    "utf-16": ["1:1: the file is written in UTF-16; save it as UTF-8"],
    "control": [
        "1:5: hidden character U+0000; delete it",
        "2:4: text with the hidden character U+001B; leave the escape out",
    ],
    "empty": ["1:1: the file is empty; write key: value lines"],
    "list": ["1:1: the file holds only a list; write key: value lines"],
    "quote": ["2:4: a quotation mark opens here and never closes; close it"],
    "colon": ["1:13: a ':' is not expected here; put the text in quotes or check the indentation"],
    "outdent": ["3:2: this line does not fit the lines above it; line it up with them"],
    "deep": ["1:43: nesting is deeper than 40 levels; use fewer"],
}


@pytest.mark.usefixtures("loader")
@pytest.mark.parametrize("name", EXPECTED)
def test_bad_file_is_refused_in_place(name: str) -> None:
    path = BAD / f"{name}.yaml"
    with pytest.raises(BadFile) as caught:
        read_yaml(path)
    assert str(caught.value).split("\n") == [f"{path}:{line}" for line in EXPECTED[name]]


def test_every_bad_fixture_is_expected() -> None:
    assert {path.stem for path in BAD.glob("*.yaml")} >= {*EXPECTED, "model"}


@pytest.mark.usefixtures("loader")
def test_scalars_stay_text() -> None:
    words = {"odds": "3:2", "peek": "no", "on": "012", "card": "9h", "day": "2026-01-01", "tilde": "~", "none": "null"}
    words |= {"hex": "0x1F", "float": "1e3", "yes": "off", "time": "1:30:00", "=": "="}
    text = "".join(f"{key}: {word}\n" for key, word in words.items())
    node = read_yaml("f", text=text + "quoted: '1'\nnothing:\nblank: ''\n1: [a, {b, c: d}]\n")
    rest = {"quoted": "1", "nothing": None, "blank": "", "1": ["a", {"b": None, "c": "d"}]}
    assert node.plain() == words | rest
    assert node.find("nothing").empty
    assert not node.find("blank").empty


@pytest.mark.usefixtures("loader")
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_places_count_characters_from_one(newline: str) -> None:
    node = read_yaml("f", text=newline.join(["\ufeffé: ü", "ß: {😀: é, k: [x, y]}", ""]))
    assert node.key_places == {"é": Place("f", 1, 1), "ß": Place("f", 2, 1)}
    assert node.find("ß").key_places["k"] == Place("f", 2, 11)
    assert str(node.find("ß", "k", 1).place) == "f:2:18"
    assert node.find("ß", "k", 7, "z") is node.find("ß", "k")
    assert node.find("é", 0) is node.find("é")


@pytest.mark.usefixtures("loader")
@pytest.mark.parametrize(
    "text",
    ["a: |\n  x\n  \ty\n", "a: 'x\n\ty'\n", 'a: "x\n \t y"\n', "a: >\n  x\n\n  \ty\nb: 1\n"],
)
def test_tabs_inside_text_are_content(text: str) -> None:
    assert read_yaml("f", text=text).plain()


@pytest.mark.skipif(not yaml.__with_libyaml__, reason="the pure parser refuses these")
def test_tabs_between_words_are_accepted() -> None:
    assert read_yaml("f", text="a:\t1\nb: x\ty\n").plain() == {"a": "1", "b": "x\ty"}


@pytest.mark.usefixtures("loader")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: [\n\t1]\n", ["f:2:1: a tab"]),
        ("a: b\n\t# c\nd: 1\n", ["f:2:1: a tab"]),
        ("a: 1\na: 2\nb:\n  \tc: 1\n", ["f:2:1: repeated key", "f:4:3: a tab"]),
        ("a: {b: [}\n\tc: 1\n", ["f:1:9: a value is missing here"]),
        ("a: \x85b: \u2028\na: 2\n", ["f:1:4: hidden character U+0085", "f:1:8: hidden character U+2028"]),
        ("a: \ufeff\ud800\na: 2\n", ["f:1:4: hidden", "f:1:5: hidden character U+D800", "f:2:1: repeated"]),
        ("a: [1\nb: |\n  x\n  \ty\n", ["f:2:2: the list"]),
        ("a:\n  b: 1\n\tc: 2\n\td: 3\n", ["f:3:1: a tab", "f:4:1: a tab"]),
        ("? [a]\n: b\n", ["f:1:3: a list or group stands where a key belongs"]),
        ("?\n: b\n", ["f:1:2: a key is missing before ':'"]),
        ("a: @b\n", ["f:1:4: first character of the text is '@'; put the whole text in quotes"]),
        ("a: [1, 2\nb: 3\n", ["f:2:2: the list in [ ] is not finished"]),
        ("a: {b: 1\nc: 2\n", ["f:2:2: the group in { } is not finished"]),
        ("a: 1\nb\nc: 2\n", ["f:2:1: a key has no ':' after it"]),
        ('a: "\\q"\n', ["f:1:"]),
        ('a: "\\ud800"\n', ["f:1:"]),
        ('a: "\\UFFFFFFFF"\n', ["f:1:"]),
        ("a: *\n", ["f:1:5: this cannot be read"]),
        ("- {a: 1, a: 2}\n", ["f:1:1: the file holds only a list", "f:1:10: repeated key"]),
        ("hello\n", ["f:1:1: the file holds only text"]),
        ("", ["f:1:1: the file is empty"]),
        ("---\n", ["f:1:1: the file is empty"]),
    ],
)
def test_traps(text: str, expected: list[str]) -> None:
    said = complaints(text)
    assert len(said) == len(expected)
    assert all(line.startswith(start) for line, start in zip(said, expected, strict=True)), said


def test_quoted_merge_sign_is_text() -> None:
    assert read_yaml("f", text="'<<': a\n").plain() == {"<<": "a"}


def test_unreadable_characters_are_capped() -> None:
    assert len(complaints("a: " + "\0" * 500 + "\n")) == files.MAX_LEXICAL


def test_file_that_cannot_be_opened(tmp_path: Path) -> None:
    for path, reason in ((tmp_path / "none.yaml", "no such file"), (tmp_path, "is a directory"), ("a\0b", "null")):
        with pytest.raises(BadFile, match=reason) as caught:
            read_yaml(path)
        assert len(caught.value.problems) == 1


def test_file_without_permission(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr("builtins.open", refuse)
    with pytest.raises(BadFile, match=r"x:1:1: the file cannot be read \(permission denied\)"):
        read_yaml("x")


def test_size_limit(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes(b"a: " + b"x" * 97)
    assert read_yaml(path, max_bytes=100)
    for text in (None, "a: " + "é" * 49):
        with pytest.raises(BadFile, match="too large; 99 bytes at most"):
            read_yaml(path, text=text, max_bytes=99)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_utf_16(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes("a: 1\n".encode(encoding))
    if encoding == "utf-32":
        path.write_bytes(b"\xff\xfe\0\0a\0\0\0")
    with pytest.raises(BadFile, match="UTF-16; save it as UTF-8"):
        read_yaml(path)


def test_utf_8_with_mark_is_accepted(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes("a: é\n".encode("utf-8-sig"))
    assert read_yaml(path).plain() == {"a": "é"}


SIGNS = "abc:-?[]{},&*!|>'\"%@`#~\\ \n\t\r\0\x85\u2028\ufeff\ud800é😀<"
PIECES = [
    "\n  ",
    ": ",
    "- ",
    "---\n",
    "...\n",
    "%YAML ",
    "<<: ",
    "!!str ",
    "&a ",
    "*a",
    "\\U0011",
    "\\x",
    "key: ",
    "[" * 50,
]
YAML_PIECES = st.lists(st.sampled_from([*SIGNS, *PIECES, "9" * 50, "- " * 45]), max_size=60).map("".join)


@pytest.mark.parametrize("parser", LOADERS, ids=["pure", "c"])
@settings(max_examples=400, deadline=2000)
@given(text=st.one_of(st.text(st.characters(exclude_categories=()), max_size=200), YAML_PIECES))
@example(text="%YAML " + "9" * 5000 + ".1\n---\na: 1\n")
def test_random_text_raises_only_bad_file(parser: object, text: str) -> None:
    before, files._LOADER = files._LOADER, parser
    try:
        assert isinstance(read_yaml("f", text=text).plain(), dict)
    except BadFile as bad:
        assert bad.problems
        assert [problem.place for problem in bad.problems] == sorted(problem.place for problem in bad.problems)
        assert not any(ord(sign) < 32 for problem in bad.problems for sign in str(problem))
    finally:
        files._LOADER = before


@settings(deadline=2000)
@given(raw=st.binary(max_size=200))
def test_random_bytes_raise_only_bad_file(tmp_path_factory: pytest.TempPathFactory, raw: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "random.yaml"
    path.write_bytes(raw)
    try:
        read_yaml(path)
    except BadFile as bad:
        assert bad.problems


@pytest.mark.parametrize(
    "text", ["[" * 300_000, "- " * 300_000, "? " * 300_000, "a: |\n" + "\t\n" * 100_000, "\0" * 300_000]
)
def test_hostile_text_is_refused_quickly(text: str) -> None:
    start = time.monotonic()
    assert complaints(text)
    assert time.monotonic() - start < 5


def test_problem_reads_as_a_sentence() -> None:
    place = Place("h.yaml", 9, 14)
    whole = Problem(place, "soft-17", "stnad", "choose stand or hit", "stand")
    assert str(whole) == "h.yaml:9:14: soft-17 is 'stnad'; choose stand or hit (did you mean stand?)"
    assert (
        str(Problem(place, "title is missing", "", "write it here")) == "h.yaml:9:14: title is missing; write it here"
    )
    assert str(Problem(place, "places must differ", "", "")) == "h.yaml:9:14: places must differ"
    assert str(Problem(place, "note", "two\nlines " * 40, "")).endswith("…'")


def test_problems_are_sorted_by_place_once_each() -> None:
    late, early = (Problem(Place("a", line, 1), "x", "", "") for line in (10, 9))
    assert BadFile([late, early, late]).problems == (early, late)


def test_did_you_mean() -> None:
    assert did_you_mean("Stnad", ["hit", "stand"]) == "stand"
    assert did_you_mean("od", ["at", "do"]) == "do"
    assert did_you_mean("banana", ["hit", "stand"]) == ""
    assert did_you_mean("x" * 1_000_000, ["hit"]) == ""


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", alias_generator=lambda name: name.replace("_", "-"))


class Severity(enum.Enum):
    RIGHT = "right"
    NEVER = "never here"


class Line(Strict):
    do: str
    expect: Severity | None = None
    at: Decimal | None = Field(default=None, ge=0)


class Wager(Strict):
    kind: Literal["wager"]
    wager: Decimal = Field(gt=0, decimal_places=2)


class Pay(Strict):
    kind: Literal["pay"]
    spot: int


def is_even(number: int) -> int:
    if number % 2:
        raise ValueError("write an even number")
    return number


class House(Strict):
    title: str = Field(min_length=3)
    soft_17: Literal["stand", "hit"]
    peek: YesNo = False
    seats: dict[int, Decimal] = {}
    tags: list[str] = []
    hands: int | Literal["unlimited"] = "unlimited"
    lines: list[str | Line] = []
    acts: list[Annotated[Wager | Pay, Field(discriminator="kind")]] = []
    pair: tuple[int, int] = (1, 2)
    roles: dict[Literal["dealer", "floor"], str] = {}
    even: Annotated[int, AfterValidator(is_even)] = 2

    @model_validator(mode="after")
    def differ(self) -> House:
        if self.title in self.tags:
            raise ValueError("title and tags must differ")
        return self


MODEL = """\
1:8: title is 'A'; write 3 or more characters
2:10: soft-17 is 'stnad'; choose stand or hit (did you mean stand?)
3:7: peek is 'true'; choose yes or no (did you mean yes?)
4:12: seats 1 is 'ten'; write a number such as 2.50
4:17: key is 'x'; write a whole number
4:29: seats 3 is empty; write a number such as 2.50
5:7: tags is 'a'; write a list
6:8: hands is 'x'; write a whole number or unlimited
9:5: do is missing; write it here
9:6: key is 'od'; the keys here are do, expect, at (did you mean do?)
9:24: expect is 'nevr here'; choose right or never here (did you mean never here?)
10:5: lines entry 3 holds a list; write text or key: value lines
12:12: kind is 'wagr'; choose wager or pay (did you mean wager?)
13:23: spot is 'a'; write a whole number
13:26: key is 'amuont'; the keys here are kind, spot
14:7: pair entry 2 is missing; write it here
15:9: key is 'dealr'; choose dealer or floor (did you mean dealer?)
16:7: even is '3'; write an even number
17:1: key is 'box'; the keys here are title, soft-17, peek, seats, tags, hands, lines, acts, pair, roles, even"""


def misfits(text: str, **aliases: str) -> list[str]:
    with pytest.raises(BadFile) as caught:
        structure(read_yaml("f", text=text), House, aliases=aliases)
    return str(caught.value).split("\n")


def test_every_model_error_has_its_place() -> None:
    path = BAD / "model.yaml"
    with pytest.raises(BadFile) as caught:
        structure(read_yaml(path), House)
    assert str(caught.value).replace(f"{path}:", "") == MODEL


GOOD = "title: Abc\nsoft-17: hit\n"


def test_text_becomes_typed_values() -> None:
    text = GOOD + "peek: yes\nseats: {1: 10.00}\nhands: 3\nlines: [deal 3, {do: peek, expect: never here}]\n"
    house = structure(read_yaml("f", text=text), House)
    assert (house.peek, house.seats, house.hands) == (True, {1: Decimal("10.00")}, 3)
    assert house.lines == ["deal 3", Line(do="peek", expect=Severity.NEVER)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{}", ["1:1: title is missing; write it here", "1:1: soft-17 is missing; write it here"]),
        (GOOD + "tags: [Abc]", ["1:1: title and tags must differ"]),
        (GOOD + "peek:", ["3:6: peek is empty; choose yes or no"]),
        (GOOD + "peek: [yes]", ["3:7: peek: choose yes or no"]),
        (GOOD + "lines: ''", ["3:8: lines is empty; write a list"]),
        (GOOD + "tags: {a: b}", ["3:7: tags holds key: value lines; write a list"]),
        (GOOD + "pair: [1, 2, 3]", ["3:7: pair has 3 entries; write 2 or fewer entries"]),
        (GOOD + "lines: [{do: a, at: -1}]", ["3:21: at is '-1'; write 0 or more"]),
        (GOOD + "acts: [{wager: 1.00}]", ["3:8: kind is missing; write it here"]),
        (GOOD + "acts: [x]", ["3:8: acts entry 1 is 'x'; write key: value lines"]),
        (
            GOOD + "acts: [{kind: wager, wager: 1.001}]",
            ["3:29: wager is '1.001'; write 2 or fewer decimals"],
        ),
        ("title: Abc\nsoft-17: draw", ["2:10: soft-17 is 'draw'; choose stand or hit (did you mean hit?)"]),
    ],
)
def test_model_errors(text: str, expected: list[str]) -> None:
    assert misfits(text + "\n", draw="hit") == [f"f:{line}" for line in expected]


def test_aliases_name_the_key_to_suggest() -> None:
    assert misfits(GOOD + "Box: 1\n", box="seats")[0].endswith("(did you mean seats?)")


@settings(max_examples=200, deadline=None)
@given(
    st.dictionaries(
        st.sampled_from([*House.model_fields, "soft-17", "x"]),
        st.recursive(
            st.sampled_from(["", "a", "1", "yes", "hit", "wager", "'1'"]),
            lambda inner: (
                st.lists(inner, max_size=3).map(lambda items: f"[{', '.join(item or 'z' for item in items)}]")
                | st.dictionaries(st.sampled_from(["do", "kind", "wager", "spot", "1"]), inner, max_size=3).map(
                    lambda pairs: "{" + ", ".join(f"{key}: {value}" for key, value in pairs.items()) + "}"
                )
            ),
            max_leaves=8,
        ),
    )
)
def test_any_shape_gives_a_model_or_places(values: dict[str, str]) -> None:
    text = "".join(f"{key}: {value}\n" for key, value in values.items()) or "{}"
    node = read_yaml("f", text=text)
    try:
        structure(node, House)
    except BadFile as bad:
        assert bad.problems
        assert all("Input should" not in str(problem) for problem in bad.problems)


@pytest.mark.parametrize("word", ["true", "True", "on", "1", "", "Yes", "NO"])
def test_only_yes_and_no_are_yes_or_no(word: str) -> None:
    assert "choose yes or no" in misfits(f"{GOOD}peek: {word}\n")[0]


def test_atomic_write_replaces_keeping_mode_and_link(tmp_path: Path) -> None:
    path, link = tmp_path / "a.yaml", tmp_path / "link"
    path.write_text("old")
    path.chmod(0o640)
    link.symlink_to(path)
    atomic_write(link, "é\n")
    assert path.read_bytes() == "é\n".encode()
    assert path.stat().st_mode & 0o777 == 0o640
    assert link.is_symlink()
    atomic_write(tmp_path / "new", "x")
    assert sorted(child.name for child in tmp_path.iterdir()) == ["a.yaml", "link", "new"]


def test_atomic_write_failure_leaves_the_old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("old")

    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="No space"):
        atomic_write(path, "new")
    with pytest.raises(UnicodeEncodeError):
        atomic_write(path, "\ud800")
    assert [child.read_text() for child in tmp_path.iterdir()] == ["old"]


def test_durable_lines_append_and_reopen(tmp_path: Path) -> None:
    path = tmp_path / "log"
    with DurableLines(path) as lines:
        lines.append("é")
        assert path.read_bytes() == "é\n".encode()
        for text in ("a\nb", "a\rb", "\ud800"):
            with pytest.raises(ValueError):
                lines.append(text)
    with DurableLines(path) as lines:
        lines.append("b")
        assert lines.torn == ""
    assert path.read_text(encoding="utf-8") == "é\nb\n"


@pytest.mark.parametrize("torn", ["half", "x" * 200_000])
@pytest.mark.parametrize("before", ["", "whole\n"])
def test_torn_last_line_is_cut_and_told(tmp_path: Path, before: str, torn: str) -> None:
    path = tmp_path / "log"
    path.write_text(before + torn)
    with DurableLines(path) as lines:
        assert lines.torn == torn
        lines.append("next")
    assert path.read_text() == before + "next\n"


def test_another_writers_lines_are_not_cut(tmp_path: Path) -> None:
    path = tmp_path / "log"
    with DurableLines(path) as one, DurableLines(path) as two:
        two.append("two")
        with pytest.raises(OSError, match="another program"):
            one.append("one")
    assert path.read_text() == "two\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_full_device_raises() -> None:
    with DurableLines("/dev/full") as lines, pytest.raises(OSError) as caught:
        lines.append("a")
    assert caught.value.errno == errno.ENOSPC


def test_failed_sync_takes_the_line_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "log"
    with DurableLines(path) as lines:
        lines.append("a")
        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", lambda _: (_ for _ in ()).throw(OSError(errno.EIO, "I/O error")))
            with pytest.raises(OSError, match="I/O error"):
                lines.append("b")
        assert path.read_text() == "a\n"
        lines.append("c")
    assert path.read_text() == "a\nc\n"


FILL = """
import resource, sys
from trainer.durable import DurableLines
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
with DurableLines(sys.argv[1]) as lines:
    try:
        for number in range(1000):
            lines.append(f"line {number:03} " + "x" * 20)
    except OSError as error:
        print(number, error.errno)
    lines.append("short")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs resource limits")
def test_full_disk_leaves_whole_lines(tmp_path: Path) -> None:
    path = tmp_path / "log"
    done = subprocess.run([sys.executable, "-c", FILL, str(path)], capture_output=True, text=True, check=True)
    number, code = map(int, done.stdout.split())
    assert code == errno.EFBIG
    assert 30 * number < 1000
    assert path.read_text().split("\n") == [*(f"line {at:03} " + "x" * 20 for at in range(number)), "short", ""]


RUN = """
import sys
from trainer.durable import DurableLines
with DurableLines(sys.argv[1]) as lines:
    for number in range(10**9):
        lines.append(f"line {number} " + "x" * 5000)
        print(number, flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGKILL")
def test_kill_loses_no_confirmed_line(tmp_path: Path) -> None:
    path = tmp_path / "log"
    for _ in range(3):
        path.unlink(missing_ok=True)
        with subprocess.Popen([sys.executable, "-c", RUN, str(path)], stdout=subprocess.PIPE, text=True) as child:
            assert child.stdout is not None
            confirmed = [int(child.stdout.readline()) for _ in range(20)]
            child.send_signal(signal.SIGKILL)
            confirmed += [int(line) for line in child.stdout.read().split("\n")[:-1]]
        with DurableLines(path) as lines:
            lines.append("after")
        kept = path.read_text().split("\n")
        assert kept[-2:] == ["after", ""]
        assert [line.split()[1] for line in kept[:-2]] == [str(number) for number in range(len(kept) - 2)]
        assert len(kept) - 2 >= len(confirmed)
