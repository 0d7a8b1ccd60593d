"""Read author-written YAML with every problem reported at once and in place; write files that survive a crash."""

from __future__ import annotations

import difflib
import enum
import errno
import io
import os
import re
import secrets
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Literal, NoReturn, TypeAlias, TypeVar, Union, get_args, get_origin

import yaml
from pydantic import BaseModel, BeforeValidator, RootModel, ValidationError
from pydantic_core import PydanticCustomError

Model = TypeVar("Model", bound=BaseModel)
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
_WRITE = {
    kind: words
    for kinds, words in (
        ("string_type", "text"),
        ("int_type int_parsing int_from_float int_parsing_size", "a whole number"),
        ("float_type float_parsing decimal_type decimal_parsing finite_number", "a number such as 2.50"),
        ("list_type tuple_type set_type frozen_set_type", "a list"),
        ("dict_type mapping_type model_type model_attributes_type", "key: value lines"),
        ("date_type date_parsing date_from_datetime_parsing", "a date such as 2026-01-31"),
        ("bool_type bool_parsing", "yes or no"),
        ("none_required", "nothing"),
        ("greater_than", "a number above {gt}"),
        ("greater_than_equal", "{ge} or more"),
        ("less_than", "a number below {lt}"),
        ("less_than_equal", "{le} or less"),
        ("multiple_of", "a multiple of {multiple_of}"),
        ("too_short", "{min_length} or more entries"),
        ("too_long", "{max_length} or fewer entries"),
        ("string_too_short", "{min_length} or more characters"),
        ("string_too_long", "{max_length} or fewer characters"),
        ("string_pattern_mismatch", "text of the form {pattern}"),
        ("decimal_max_digits", "{max_digits} or fewer digits"),
        ("decimal_max_places", "{decimal_places} or fewer decimals"),
        ("decimal_whole_digits", "{whole_digits} or fewer digits before the point"),
    )
    for kind in kinds.split()
}
_YES_NO_SLIPS = {"true": "yes", "on": "yes", "y": "yes", "1": "yes", "false": "no", "off": "no", "n": "no", "0": "no"}


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
    starts = [0, *(found.end() for found in re.finditer("\n", source))]

    def place(index: int) -> Place:
        line = bisect_right(starts, index)
        return Place(file, line, index - starts[line - 1] + 1)

    lexical: list[Problem] = []
    for found in islice(_UNREADABLE.finditer(source), MAX_LEXICAL):
        at, code = place(found.start()), ord(found[0])
        if 0xDC80 <= code <= 0xDCFF:
            lexical.append(Problem(at, f"byte 0x{code - 0xDC00:02X} is not UTF-8", "", "save as UTF-8"))
        else:
            lexical.append(Problem(at, f"hidden character U+{code:04X}", "", "delete it"))
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


def _yes_no(value: object) -> bool:
    if value in ("yes", "no"):
        return value == "yes"
    said = value if isinstance(value, str) else ""
    meant = _YES_NO_SLIPS.get(said.casefold()) or did_you_mean(said, ("yes", "no"))
    raise PydanticCustomError("yes_no", "choose yes or no", {"suggestion": meant})


YesNo = Annotated[bool, BeforeValidator(_yes_no)]


def _members(annotation: Any) -> list[Any]:
    """Return the types an annotation stands for, unions and wrappers taken apart."""
    if get_origin(annotation) is Annotated:
        return _members(get_args(annotation)[0])
    if get_origin(annotation) in (Union, UnionType):
        return [member for part in get_args(annotation) for member in _members(part)]
    if isinstance(annotation, type) and issubclass(annotation, RootModel):
        return _members(annotation.model_fields["root"].annotation)
    return [] if annotation is type(None) else [annotation]


def _fields(kind: Any) -> dict[str, Any]:
    """Return a model's keys as authors write them, with their annotations."""
    if not (isinstance(kind, type) and issubclass(kind, BaseModel)):
        return {}
    return {
        alias if isinstance(alias := entry.validation_alias, str) else name: entry.annotation
        for name, entry in kind.model_fields.items()
    }


def _inside(kinds: list[Any], part: str | int, *, key: bool = False) -> list[Any]:
    found: list[Any] = []
    for kind in kinds:
        args = get_args(kind)
        if part in (fields := _fields(kind)):
            found += _members(fields[str(part)])
        elif get_origin(kind) is tuple and isinstance(part, int) and Ellipsis not in args:
            found += _members(args[part]) if part < len(args) else []
        elif args and get_origin(kind) is not Literal:
            found += _members(args[0] if key or len(args) == 1 or get_origin(kind) is tuple else args[1])
    return found


def _words(kinds: Iterable[Any]) -> list[str]:
    words: list[str] = []
    for kind in kinds:
        if get_origin(kind) is Literal:
            words += map(str, get_args(kind))
        elif isinstance(kind, type) and issubclass(kind, enum.Enum):
            words += (str(member.value) for member in kind)
    return list(dict.fromkeys(words))


def _choose(words: list[str]) -> str:
    return f"choose {', '.join(words[:-1])} or {words[-1]}" if len(words) > 1 else f"write {''.join(words)}"


def _finding(root: Node, model: type[BaseModel], error: Any, aliases: Mapping[str, str]) -> tuple[_Path, Problem]:
    """Follow one pydantic error into the tree; return the path it is about and the problem in an author's words."""
    kind, ctx, last = error["type"], error.get("ctx", {}), (error["loc"] or ("",))[-1]
    node, kinds, tagged = root, _members(model), False
    path: _Path = ()
    above, above_kinds, start = root, kinds, 0
    for part in error["loc"]:
        if part == "[key]" and path:
            node, kinds = Node(above.key_places[str(path[-1])], str(path[-1])), _inside(above_kinds, "", key=True)
        elif len(kinds) > 1 and not tagged:  # pydantic names the union's member next, which may look like a key
            kinds, tagged = [kind for kind in kinds if _tagged(kind, part)] or kinds, True
        elif (child := node.find(str(part) if isinstance(node.value, dict) else part)) is not node:
            above, above_kinds, node = node, kinds, child
            start = len(path) if any(part in _fields(known) for known in kinds) else start
            kinds, tagged, path = _inside(kinds, part), False, (*path, part)
    name = " ".join(part if isinstance(part, str) else f"entry {part + 1}" for part in path[start:]) or "the file"
    name = "key" if last == "[key]" else name
    words: list[str] = []
    if kind in ("missing", "union_tag_not_found"):
        absent = last if kind == "missing" else ctx["discriminator"].strip("'")
        thing = f"{name} entry {absent + 1}" if isinstance(absent, int) else absent
        return (*path, absent), Problem(node.place, f"{thing} is missing", "", "write it here")
    if kind == "extra_forbidden":
        words = [word for above_kind in above_kinds for word in _fields(above_kind)]
        absent_words = [word for word in words if word not in above.value]
        near = _suggest(str(last), absent_words, aliases) or _suggest(str(last), words, aliases)
        allowed = f"the keys here are {', '.join(words)}" if words else "no keys are allowed here"
        return path, Problem(above.key_places[str(last)], "key", str(last), allowed, near)
    if kind == "union_tag_invalid":
        name, words = ctx["discriminator"].strip("'"), re.findall("'([^']*)'", ctx["expected_tags"])
        node = node.find(name)
        allowed = _choose(words)
    elif kind in ("literal_error", "enum"):
        words = _words(kinds)
        allowed = _choose(words) if words else f"choose {ctx['expected']}"
    elif kind in _WRITE:
        allowed = "write " + _WRITE[kind].format(**ctx)
    else:
        allowed = str(ctx["error"]) if "error" in ctx else error["msg"].replace("Input should be", "write")
        if not isinstance(node.value, str):
            return path, Problem(node.place, f"{name}: {allowed}" if path else allowed, "", "")
    if isinstance(node.value, str):
        near = _suggest(node.value, words, aliases) or ctx.get("suggestion", "")
        return path, Problem(node.place, name if node.value else f"{name} is empty", node.value, allowed, near)
    held = "holds a list" if isinstance(node.value, list) else "holds key: value lines"
    held = f"has {len(node.value)} entries" if kind in ("too_short", "too_long") else held
    return path, Problem(node.place, f"{name} {held}", "", allowed)


def _tagged(kind: Any, tag: str | int) -> bool:
    """Tell whether pydantic may call this member of a union by this name."""
    return tag == getattr(kind, "__name__", "") or any(
        tag in _words(_members(annotation)) for annotation in _fields(kind).values()
    )


def _suggest(word: str, choices: list[str], aliases: Mapping[str, str]) -> str:
    meant = aliases.get(word.casefold(), "")
    return meant if meant in choices else did_you_mean(word, choices)


def structure(node: Node, model: type[Model], *, aliases: Mapping[str, str] | None = None) -> Model:
    """Validate a read mapping against a pydantic model and return the model's instance.

    `aliases` maps other words authors use (in lower case) to the key or word to suggest for them. The message of a
    ValueError from a validator follows the value, so it should say what is allowed: "choose stand or hit".
    Raises BadFile with a problem for every error, at the place of the key or value concerned.
    """
    try:
        return model.model_validate(node.plain())
    except ValidationError as errors:
        details = errors.errors(include_url=False, include_input=False)
    found = [(error["type"], *_finding(node, model, error, aliases or {})) for error in details]
    # A union reports its members that want another shape as well; the author meant the one that got further.
    deeper = {path[:end] for _, path, _ in found for end in range(len(path))}
    merged: dict[tuple[Place, str, str], Problem] = {}
    for kind, path, problem in found:
        if kind.endswith("_type") and path in deeper:
            continue
        spot = (problem.place, problem.thing, problem.value)
        if (other := merged.get(spot)) and problem.allowed not in other.allowed:
            near = other.suggestion or problem.suggestion
            same = "write " if other.allowed.startswith("write ") else ""
            problem = Problem(*spot, f"{other.allowed} or {problem.allowed.removeprefix(same)}", near)
        merged[spot] = problem
    raise BadFile(merged.values())


def _sync_folder(path: Path) -> None:
    if os.name == "posix":  # elsewhere a folder cannot be opened
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def atomic_write(path: Path | str, text: str) -> None:
    """Replace a file's content so that a crash leaves either the old or the new; raises OSError, the old then stays."""
    target = Path(os.path.realpath(path))  # replacing a link would leave the file it points to as it was
    data = text.encode("utf-8")
    new = target.with_name(f".{target.name[:40]}.{secrets.token_hex(4)}.tmp")
    try:
        with open(new, "xb") as handle:
            handle.write(data)
            handle.flush()
            os.fsync(handle.fileno())
        with suppress(FileNotFoundError):
            os.chmod(new, target.stat().st_mode & 0o7777)
        os.replace(new, target)
    except BaseException as why:
        with suppress(OSError):
            os.unlink(new)
        if isinstance(why, OSError) and why.filename == str(new):
            why.filename = str(target)  # the other name means nothing to who reads the message
        raise
    _sync_folder(target)


class DurableLines:
    """Append lines to a file so that it always holds whole lines; `torn` is what a crash left behind, now cut off.

    Opening and `append` raise OSError; after a failed append the line is not in the file.
    """

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        self.torn = ""
        self._unclean = False
        self._file = io.FileIO(self.path, "a+")
        try:
            self._size = self._whole()
            _sync_folder(self.path)
        except BaseException:
            self._file.close()
            raise

    def _whole(self) -> int:
        size = end = self._file.seek(0, os.SEEK_END)
        tail = b""
        while end and b"\n" not in tail:
            start = max(0, end - 65536)
            self._file.seek(start)
            tail = self._file.read(end - start) + tail
            end = start
        whole = end + tail.rfind(b"\n") + 1
        if whole < size:
            self.torn = tail[whole - end :].decode("utf-8", "replace")
            self._file.truncate(whole)
            os.fsync(self._file.fileno())
        return whole

    def append(self, text: str) -> None:
        """Write one line and return once it is on the disk; raises ValueError for text of more than one line."""
        if "\n" in text or "\r" in text:
            raise ValueError("a line cannot hold a line break")
        data = memoryview((text + "\n").encode("utf-8"))
        if self._unclean:
            self._file.truncate(self._size)
            self._unclean = False
        elif self._file.seek(0, os.SEEK_END) != self._size:  # cutting back later would destroy another writer's lines
            raise OSError(errno.EBUSY, "another program has changed the file", str(self.path))
        try:
            written = 0
            while written < len(data):
                written += self._file.write(data[written:]) or 0
            os.fsync(self._file.fileno())
            self._size += written
        except BaseException:
            self._unclean = True
            with suppress(OSError):
                self._file.truncate(self._size)
                self._unclean = False
            raise

    def close(self) -> None:
        """Close the file; every line is on the disk already."""
        self._file.close()

    def __enter__(self) -> DurableLines:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
