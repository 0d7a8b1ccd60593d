"""Read author-written YAML with every problem reported at once and in its place."""

from __future__ import annotations

import difflib
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, NoReturn, TypeAlias

import yaml

Plain: TypeAlias = "str | list[Plain] | dict[str, Plain] | None"

_Path: TypeAlias = tuple[str | int, ...]

MAX_DEPTH = 40
MAX_LEXICAL = 20  # a binary file would otherwise report every byte
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
# U+0085, U+2028, U+2029 count as line breaks in YAML but not in editors, so places after them would be wrong.
_UNREADABLE = re.compile("[^\t\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
_TAB_INDENT = re.compile(r"^[ \t]*\t[ \t]*", re.MULTILINE)
_TAB = ("a tab stands in the indentation", "", "indent with spaces")
_SYNTAX = (  # words in the parser's message, whether its context mark is the better place, what is wrong, what to do
    ("tab character", False, _TAB[0], _TAB[2]),
    ("mapping values", False, "a ':' is not expected here", "put the text in quotes or check the indentation"),
    ("expected ':'", True, "a key has no ':' after it", "write key: value"),
    ("',' or ']'", False, "the list in [ ] is not finished", "write ',' or ']' here"),
    ("',' or '}'", False, "the group in { } is not finished", "write ',' or '}' here"),
    ("end of stream", True, "a quotation mark opens here and never closes", "close it"),
    ("escape", False, "an escape after '\\' is not known", "use single quotes, or write '\\\\' for a backslash"),
    ("expected key", False, "this line does not fit the lines above it", "line it up with them"),
    ("indicator", False, "this line does not fit the list above it", "line it up and start it with '- '"),
    ("<block end>", False, "this line does not fit the lines above it", "line it up with them"),
    ("node content", False, "a value is missing here", "write it, in quotes if it is special"),
)


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """Hold a position in a file; line and column count characters from 1."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Problem:
    """Hold one thing wrong in a file: its place, what it is, what is written, what is allowed, the likely intent."""

    place: Place
    thing: str
    value: str
    allowed: str
    suggestion: str = ""

    def __str__(self) -> str:
        value = " ".join(self.value[:200].split())
        value = value if len(value) <= 60 else value[:59] + "…"
        said = f"{self.thing} is '{value}'" if self.value else self.thing
        meant = f" (did you mean {self.suggestion}?)" if self.suggestion else ""
        return f"{self.place}: {said}{'; ' if self.allowed else ''}{self.allowed}{meant}"


class BadFile(Exception):
    """Carry all problems of a file, in order of place."""

    problems: tuple[Problem, ...]

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(sorted(dict.fromkeys(problems), key=lambda problem: problem.place))
        super().__init__(self.problems)

    def __str__(self) -> str:
        return "\n".join(map(str, self.problems))


def did_you_mean(word: str, choices: Iterable[str]) -> str:
    """Return the choice nearest to a misspelt word, or '' when none is near."""
    by_fold = {choice.casefold(): choice for choice in choices}
    cutoff = 0.6 if len(word) > 3 else 0.5  # two swapped letters are half of a short word
    near = difflib.get_close_matches(word[:80].casefold(), by_fold, n=1, cutoff=cutoff)
    return by_fold[near[0]] if near else ""


@dataclass(frozen=True, slots=True)
class Node:
    """Hold one value of a read file with its place; scalars are text exactly as written, `null` and `no` included."""

    place: Place
    value: str | list[Node] | dict[str, Node]
    key_places: dict[str, Place] = field(default_factory=dict)
    empty: bool = False

    def plain(self) -> Plain:
        """Return text, list or dict without places; None for a key with nothing after it."""
        if isinstance(self.value, dict):
            return {key: child.plain() for key, child in self.value.items()}
        if isinstance(self.value, list):
            return [child.plain() for child in self.value]
        return None if self.empty else self.value

    def find(self, *path: str | int) -> Node:
        """Return the node at a path of keys and list positions from 0, or the deepest one that exists on the way."""
        node = self
        for part in path:
            if isinstance(node.value, dict) and part in node.value:
                node = node.value[str(part)]
            elif isinstance(node.value, list) and isinstance(part, int) and 0 <= part < len(node.value):
                node = node.value[part]
            else:
                break
        return node


class _TooDeep(Exception):
    pass


class _Builder:
    """Turn parser events into nodes, noting what is refused instead of stopping at it."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.problems: list[Problem] = []
        self.syntax: Problem | None = None
        self.quoted: list[tuple[int, int]] = []
        self.last = Place(file, 1, 1)

    def read(self, text: str) -> Node | None:
        root: Node | None = None
        events: Iterator[Any] = iter(yaml.parse(text, Loader=_LOADER))
        try:
            for event in events:
                if isinstance(event, yaml.DocumentStartEvent) and root is not None:
                    self._bad(self._place(event.start_mark), "a second document starts", "", "keep one in a file")
                    break
                if isinstance(event, yaml.NodeEvent):
                    root = self._node(event, events, 1)
        except yaml.MarkedYAMLError as error:
            self.syntax = self._explain(error, text)
        except (yaml.YAMLError, ValueError, OverflowError):  # the pure parser lets bad escapes through to chr()
            self.syntax = Problem(self.last, "the text after this cannot be read", "", "check escapes after '\\'")
        except _TooDeep:
            pass
        return root

    def _bad(self, place: Place, thing: str, value: str, allowed: str) -> None:
        self.problems.append(Problem(place, thing, value, allowed))

    def _place(self, mark: Any) -> Place:
        return Place(self.file, mark.line + 1, mark.column + 1)

    def _node(self, event: Any, events: Iterator[Any], depth: int) -> Node:
        span = event.start_mark, event.end_mark
        place = self.last = self._place(span[0])
        if isinstance(event, yaml.AliasEvent):
            self._bad(place, "alias", f"*{event.anchor}", "write the value out in full")
            return Node(place, f"*{event.anchor}")
        if event.anchor:
            self._bad(place, "anchor", f"&{event.anchor}", "leave it out and write each value in full")
        if event.tag:
            self._bad(place, "tag", event.tag.replace("tag:yaml.org,2002:", "!!"), "leave it out")
        if isinstance(event, yaml.ScalarEvent):
            if event.style:
                self.quoted.append((span[0].index, span[1].index))
            if hidden := _UNREADABLE.search(event.value):
                self._bad(place, f"text with the hidden character U+{ord(hidden[0]):04X}", "", "leave the escape out")
            return Node(place, event.value, empty=not event.value and not event.style)
        if depth > MAX_DEPTH:
            self._bad(place, f"nesting is deeper than {MAX_DEPTH} levels", "", "use fewer")
            raise _TooDeep
        if isinstance(event, yaml.SequenceStartEvent):
            items: list[Node] = []
            while not isinstance(event := next(events), yaml.SequenceEndEvent):
                items.append(self._node(event, events, depth + 1))
            return Node(place, items)
        children: dict[str, Node] = {}
        places: dict[str, Place] = {}
        while not isinstance(event := next(events), yaml.MappingEndEvent):
            key = self._node(event, events, depth + 1)
            child = self._node(next(events), events, depth + 1)
            if not isinstance(key.value, str):
                self._bad(key.place, "a list or group stands where a key belongs", "", "write text before ':'")
            elif key.empty:
                self._bad(key.place, "a key is missing before ':'", "", "write one")
            elif key.value == "<<" and not event.style:
                self._bad(key.place, "merge key", "<<", "write the keys out in full")
            elif key.value in children:
                self._bad(
                    key.place, "repeated key", key.value, f"keep one (the first is on line {places[key.value].line})"
                )
            else:
                children[key.value], places[key.value] = child, key.place
        return Node(place, children, places)

    def _explain(self, error: Any, text: str) -> Problem:
        said = str(error.problem)
        mark = error.problem_mark or error.context_mark
        place = self._place(mark) if mark else self.last
        if "cannot start any token" in said and mark and (found := text[mark.index : mark.index + 1]):
            if found == "\t":
                return Problem(place, "a tab stands here", "", "use spaces")
            return Problem(place, "first character of the text", found, "put the whole text in quotes")
        for words, at_context, thing, allowed in _SYNTAX:
            if words in said:
                start = error.context_mark if at_context and error.context_mark else mark
                return Problem(self._place(start) if start else place, thing, "", allowed)
        return Problem(place, f"this cannot be read ({said})", "", "check quotes, colons and indentation")


def read_yaml(path: Path | str, *, text: str | None = None, max_bytes: int = 5_000_000) -> Node:
    """Read one YAML mapping without resolving any scalar; `text` replaces the file's content.

    Raises BadFile with every problem found; of unreadable characters and of tabs the first 20.
    """
    file = str(path)
    source = _decode(file, path, max_bytes) if text is None else text
    if text is not None and len(text.encode("utf-8", "surrogatepass")) > max_bytes:
        _refuse(file, "the file is too large", f"{max_bytes} bytes at most")
    source = source.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    place = _placer(file, source)
    lexical = _lexical(source, place)
    source = _UNREADABLE.sub("\ufffd", source)
    builder = _Builder(file)
    tabs = [found.start() + found[0].index("\t") for found in _TAB_INDENT.finditer(source)]
    root = builder.read(_TAB_INDENT.sub(lambda found: found[0].replace("\t", " "), source) if tabs else source)
    # Tabs inside quoted and block text are content; the first reading, with spaces for tabs, tells where such text is.
    wrong = [Problem(place(tab), *_TAB) for tab in tabs if not _within(builder.quoted, tab)][:MAX_LEXICAL]
    if wrong and builder.syntax and builder.syntax.place.line < wrong[0].place.line:
        wrong = []  # what follows the error was not read, so these tabs may well stand in text
    if tabs and not wrong:
        builder = _Builder(file)
        root = builder.read(source)
    lexical += wrong
    # Behind a wrong tab the nesting is a guess, so what was found there may not be the author's mistake.
    problems = lexical + [found for found in builder.problems if not wrong or found.place < wrong[0].place]
    if builder.syntax and all(found.place.line > builder.syntax.place.line for found in lexical):
        problems.append(builder.syntax)
    if not problems and (root is None or root.empty):
        _refuse(file, "the file is empty", "write key: value lines")
    if root is not None and not root.empty and not isinstance(root.value, dict):
        holds = "only a list" if isinstance(root.value, list) else "only text"
        problems.append(Problem(root.place, f"the file holds {holds}", "", "write key: value lines"))
    if root is None or problems:
        raise BadFile(problems)
    return root


def read_text(path: Path | str, *, max_bytes: int = 50_000_000) -> str:
    """Read a text file that is no YAML, such as a log or a table.

    Raises BadFile: it cannot be read, is too large, or holds characters no text has (the first 20).
    """
    file = str(path)
    source = _decode(file, path, max_bytes).removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    problems = _lexical(source, _placer(file, source))
    if problems:
        raise BadFile(problems)
    return source


def _placer(file: str, source: str) -> Callable[[int], Place]:
    """Return what tells the place of each character of a text."""
    starts = [0, *(found.end() for found in re.finditer("\n", source))]

    def place(index: int) -> Place:
        line = bisect_right(starts, index)
        return Place(file, line, index - starts[line - 1] + 1)

    return place


def _lexical(source: str, place: Callable[[int], Place]) -> list[Problem]:
    """Return the characters that no text has, the first 20."""
    found: list[Problem] = []
    for one in islice(_UNREADABLE.finditer(source), MAX_LEXICAL):
        at, code = place(one.start()), ord(one[0])
        if 0xDC80 <= code <= 0xDCFF:
            found.append(Problem(at, f"byte 0x{code - 0xDC00:02X} is not UTF-8", "", "save as UTF-8"))
        else:
            found.append(Problem(at, f"hidden character U+{code:04X}", "", "delete it"))
    return found


def _within(ranges: list[tuple[int, int]], index: int) -> bool:
    at = bisect_right(ranges, (index,)) - 1
    return at >= 0 and ranges[at][0] < index < ranges[at][1]


def _refuse(file: str, thing: str, allowed: str) -> NoReturn:
    raise BadFile([Problem(Place(file, 1, 1), thing, "", allowed)])


def _decode(file: str, path: Path | str, max_bytes: int) -> str:
    try:
        with open(path, "rb") as handle:
            raw = handle.read(max_bytes + 1)
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        _refuse(file, f"the file cannot be read ({reason[:1].lower() + reason[1:]})", "check its name and permissions")
    if len(raw) > max_bytes:
        _refuse(file, "the file is too large", f"{max_bytes} bytes at most")
    nuls = tuple(byte == 0 for byte in raw[:4])
    if raw[:2] in (b"\xff\xfe", b"\xfe\xff") or nuls in ((False, True, False, True), (True, False, True, False)):
        _refuse(file, "the file is written in UTF-16", "save it as UTF-8")
    return raw.decode("utf-8", "surrogateescape")
