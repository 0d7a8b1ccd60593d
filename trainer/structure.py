"""Turn a file that was read into a typed model; every mismatch gets its place and plain words."""

from __future__ import annotations

import enum
import re
from collections.abc import Iterable, Mapping
from types import UnionType
from typing import Annotated, Any, Literal, TypeAlias, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, BeforeValidator, RootModel, ValidationError
from pydantic_core import PydanticCustomError

from trainer.files import BadFile, Node, Place, Problem, did_you_mean

Model = TypeVar("Model", bound=BaseModel)
_Path: TypeAlias = tuple[str | int, ...]


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
