"""Scenarios and sessions: one YAML format, read with every problem's place and printed back."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, field_validator, model_validator

from trainer.actions import KINDS, Act, BadNotation, parse
from trainer.cards import Card, cards
from trainer.chips import cents, dollars
from trainer.files import BadFile, Node, Place, Problem, did_you_mean, read_yaml
from trainer.procedure.load import Procedures
from trainer.procedure.model import House, Ruling
from trainer.procedure.moment import TableOptions
from trainer.procedure.shapes import Chips, Shape
from trainer.procedure.verdicts import Severity
from trainer.structure import structure

EXPECTATIONS = (
    *[word.value for word in Severity],
    *[word.value for word in Ruling if word is not Ruling.RIGHT],
    "open",
)


def _signed(text: str) -> int:
    sign = -1 if text.startswith("-") else 1
    try:
        return sign * cents(text.lstrip("+-"))
    except ValueError:
        raise ValueError('write dollars with two decimals, such as "-10.00"') from None


Signed = Annotated[str, AfterValidator(_signed)]


def _expectation(text: str) -> str:
    if text not in EXPECTATIONS:
        near = did_you_mean(text, EXPECTATIONS)
        raise ValueError(f"choose one of {', '.join(EXPECTATIONS)}" + (f" (did you mean {near}?)" if near else ""))
    return text


def _shoe(text: str) -> str:
    cards(text)
    return text


class LineShape(Shape):
    do: str
    expect: Annotated[str, AfterValidator(_expectation)] = ""
    rule: str = ""
    cites: list[str] = []
    default: str = ""
    money: Signed | None = None
    at: float | None = None
    blocked: Literal["yes", ""] = ""
    note: str = ""

    @model_validator(mode="before")
    @classmethod
    def _plain_line(cls, value: object) -> object:
        return {"do": value} if isinstance(value, str) else value


class ScriptShape(Shape):
    house: str
    title: str = ""
    tags: list[str] = []
    note: str = ""
    places: int | None = Field(default=None, ge=1, le=9)
    minimum: Chips | None = None
    maximum: Chips | None = None
    decks: int | None = Field(default=None, ge=1, le=12)
    chips: list[Chips] = []
    games: list[str] = []
    variations: dict[str, Literal["on", "off"]] = {}
    colour_groups: list[list[str]] = Field(default=[], alias="colour-groups")
    players: dict[int, str] = {}
    mode: Literal["assessed", "coached"] = "assessed"
    display: str = ""
    theme: str = ""
    difficulty: str = ""
    seed: str = ""
    shoe: Annotated[str, AfterValidator(_shoe)] = ""
    procedure: str = ""
    version: str = ""
    clock: str = ""
    trainee: str = ""
    net: dict[str, Signed] = {}
    money: Signed | None = None
    lines: list[LineShape] = []

    @field_validator("lines", mode="before")
    @classmethod
    def _none_is_empty(cls, value: object) -> object:
        return [] if value is None else value


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a script: the act, and what is expected or was recorded of it."""

    act: Act
    place: Place
    expect: str = ""
    rule: str = ""
    cites: tuple[str, ...] = ()
    default: str = ""
    money: int | None = None
    at: float | None = None
    blocked: bool = False
    note: str = ""

    @property
    def expects(self) -> bool:
        return bool(self.expect or self.rule or self.cites or self.default or self.money is not None)


@dataclass(frozen=True, slots=True)
class Script:
    """A scenario (with expectations) or a session (that happened). Amounts in cents, ``at`` in seconds."""

    house: str
    lines: tuple[Line, ...] = ()
    title: str = ""
    tags: tuple[str, ...] = ()
    note: str = ""
    options: TableOptions = field(default_factory=TableOptions)
    players: tuple[tuple[int, str], ...] = ()
    mode: str = "assessed"
    display: str = ""
    theme: str = ""
    difficulty: str = ""
    seed: str = ""
    shoe: tuple[Card, ...] = ()
    procedure: str = ""
    version: str = ""
    clock: str = ""
    trainee: str = ""
    net: tuple[tuple[str, int], ...] = ()
    money: int | None = None
    path: str = ""


def options_for(house: House, shape: ScriptShape | None = None) -> TableOptions:
    """Return the table of a house as its file says, changed by what a script fixes."""
    plain = TableOptions(
        places=house.places,
        minimum=house.minimum,
        maximum=house.maximum,
        chips=house.chips,
        decks=house.decks,
    )
    if shape is None:
        return plain
    return replace(
        plain,
        places=shape.places or plain.places,
        minimum=int(shape.minimum) if shape.minimum is not None else plain.minimum,
        maximum=int(shape.maximum) if shape.maximum is not None else plain.maximum,
        chips=tuple(sorted(int(chip) for chip in shape.chips)) or plain.chips,
        decks=shape.decks or plain.decks,
        games=frozenset(shape.games),
        variations=tuple(sorted((name, word == "on") for name, word in shape.variations.items())),
        colour_groups=tuple(tuple(group) for group in shape.colour_groups),
    )


def read_script(path: Path | str, procedures: Procedures, *, text: str | None = None, house: str = "") -> Script:
    """Read a scenario or session; ``house`` reads it as dealt in another house.

    Raises:
        BadFile: everything that is wrong with the file, each with its place.
    """
    root = read_yaml(path, text=text)
    return script_from(root, procedures, str(path), house)


def script_from(root: Node, procedures: Procedures, path: str, house: str = "") -> Script:
    """Build a script from a file that has been read."""
    try:
        shape = structure(root, ScriptShape)
    except BadFile as bad:
        raise BadFile((*bad.problems, *_notation_problems(root))) from None
    problems: list[Problem] = []
    slug = house or shape.house
    names = procedures.names()
    if slug not in names:
        near = did_you_mean(slug, names)
        raise BadFile((Problem(root.find("house").place, "house", slug, f"known are {', '.join(names)}", near),))
    own = procedures.house(slug)
    if not house:
        for index, game in enumerate(shape.games):
            if game not in own.games and own.games:
                near = did_you_mean(game, list(own.games))
                problems.append(
                    Problem(root.find("games", index).place, "game", game, f"known are {', '.join(own.games)}", near)
                )
    lines = _lines(root, shape, own, problems, foreign=bool(house))
    if problems:
        raise BadFile(tuple(problems))
    return Script(
        house=slug,
        lines=tuple(lines),
        title=shape.title,
        tags=tuple(shape.tags),
        note=shape.note,
        options=options_for(own, shape),
        players=tuple(sorted(shape.players.items())),
        mode=shape.mode,
        display=shape.display,
        theme=shape.theme,
        difficulty=shape.difficulty,
        seed=shape.seed,
        shoe=tuple(cards(shape.shoe)),
        procedure=shape.procedure,
        version=shape.version,
        clock=shape.clock,
        trainee=shape.trainee,
        net=tuple((name, int(amount)) for name, amount in shape.net.items()),
        money=int(shape.money) if shape.money is not None else None,
        path=path,
    )


def _lines(root: Node, shape: ScriptShape, house: House, problems: list[Problem], foreign: bool) -> list[Line]:
    kinds = tuple(dict.fromkeys((*KINDS, *house.kinds)))
    out: list[Line] = []
    for index, given in enumerate(shape.lines):
        node = root.find("lines", index)
        at = node.find("do").place if isinstance(node.value, dict) else node.place
        try:
            act = parse(given.do, kinds)
        except BadNotation as bad:
            place = Place(at.file, at.line, at.column + bad.column - 1)
            problems.append(Problem(place, "line", given.do, bad.why, bad.suggestion))
            continue
        if act.verb == "waive" and act.what not in house.rules:
            near = did_you_mean(act.what, list(house.rules))
            problems.append(Problem(at, "rule", act.what, "no rule has this name", near))
        if not foreign:
            _check_names(node, given, house, problems)
        out.append(
            Line(
                act, node.place, given.expect, given.rule, tuple(given.cites), given.default,
                int(given.money) if given.money is not None else None, given.at, bool(given.blocked), given.note,
            )
        )  # fmt: skip
    return _fill_in(out)


def _notation_problems(root: Node) -> list[Problem]:
    """What is wrong with the lines of a file whose shape is wrong too, so that all is told at once."""
    items = root.value.get("lines") if isinstance(root.value, dict) else None
    problems = []
    for node in items.value if items and isinstance(items.value, list) else []:
        inner = node.value.get("do") if isinstance(node.value, dict) else node
        if inner is None or not isinstance(inner.value, str) or inner.empty:
            continue
        try:
            parse(inner.value)
        except BadNotation as bad:
            at = inner.place
            place = Place(at.file, at.line, at.column + bad.column - 1)
            problems.append(Problem(place, "line", inner.value, bad.why, bad.suggestion))
    return problems


def _check_names(node: Node, given: LineShape, house: House, problems: list[Problem]) -> None:
    if given.rule and given.rule not in house.rules:
        near = did_you_mean(given.rule, list(house.rules))
        problems.append(Problem(node.find("rule").place, "rule", given.rule, "no rule has this name", near))
    for index, cited in enumerate(given.cites):
        if cited not in house.statements:
            near = did_you_mean(cited, list(house.statements))
            place = node.find("cites", index).place
            problems.append(Problem(place, "statement", cited, f"{house.slug} has no such statement", near))
    if given.default and given.default not in house.defaults:
        near = did_you_mean(given.default, list(house.defaults))
        problems.append(Problem(node.find("default").place, "default", given.default, "no default has this id", near))


def _fill_in(lines: list[Line]) -> list[Line]:
    """Put a hole card revealed later where it was dealt as ``??``."""
    hidden = -1
    for index, line in enumerate(lines):
        if line.act.verb == "deal hole" and line.act.card and not line.act.card.is_known:
            hidden = index
        elif line.act.verb == "turn hole" and line.act.card and hidden >= 0:
            lines[hidden] = replace(lines[hidden], act=replace(lines[hidden].act, card=line.act.card))
            hidden = -1
    return lines


# -- printing ---------------------------------------------------------------------------------------------------


def quoted(text: str) -> str:
    """Quote a value for YAML."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def print_header(script: Script) -> str:
    """Print everything above the lines."""
    options, out = script.options, [f"house: {script.house}"]
    for name in ("title", "note", "display", "theme", "difficulty", "seed", "procedure", "version", "clock", "trainee"):
        value = getattr(script, name)
        if value:
            out.append(f"{name}: {quoted(value)}")
    if script.tags:
        out.append(f"tags: [{', '.join(script.tags)}]")
    out.append(f"mode: {script.mode}")
    out += [
        f"places: {options.places}",
        f'minimum: "{dollars(options.minimum)}"',
        f'maximum: "{dollars(options.maximum)}"',
    ]
    out.append(f"decks: {options.decks}")
    out.append("chips: [" + ", ".join(f'"{dollars(chip)}"' for chip in options.chips) + "]")
    if options.games:
        out.append(f"games: [{', '.join(sorted(options.games))}]")
    if options.variations:
        inner = ", ".join(f"{name}: {'on' if on else 'off'}" for name, on in options.variations)
        out.append(f"variations: {{{inner}}}")
    if options.colour_groups:
        inner = ", ".join("[" + ", ".join(group) + "]" for group in options.colour_groups)
        out.append(f"colour-groups: [{inner}]")
    if script.players:
        inner = ", ".join(f"{spot}: {quoted(name)}" for spot, name in script.players)
        out.append(f"players: {{{inner}}}")
    if script.shoe:
        out.append(f"shoe: {quoted(' '.join(str(card) for card in script.shoe))}")
    if script.net:
        out.append("net: {" + ", ".join(f'"{name}": "{dollars(amount)}"' for name, amount in script.net) + "}")
    if script.money is not None:
        out.append(f'money: "{dollars(script.money)}"')
    out.append("lines:")
    return "\n".join(out) + "\n"


def print_line(line: Line) -> str:
    """Print one line as a YAML list item."""
    text = str(line.act)
    if not line.expects and line.at is None and not line.blocked and not line.note:
        return f"  - {text}\n" if '"' not in text else f"  - {quoted(text)}\n"
    parts = [f"do: {quoted(text) if chr(34) in text else text}"]
    if line.at is not None:
        parts.append(f"at: {line.at:.2f}")
    if line.blocked:
        parts.append('blocked: "yes"')
    parts += [f"{name}: {value}" for name, value in (("expect", line.expect), ("rule", line.rule)) if value]
    if line.cites:
        parts.append(f"cites: [{', '.join(line.cites)}]")
    if line.default:
        parts.append(f"default: {line.default}")
    if line.money is not None:
        parts.append(f'money: "{dollars(line.money)}"')
    if line.note:
        parts.append(f"note: {quoted(line.note)}")
    return "  - {" + ", ".join(parts) + "}\n"


def print_script(script: Script) -> str:
    """Print a script as the file that ``read_script`` reads back."""
    return print_header(script) + "".join(print_line(line) for line in script.lines)


ODD = ("edges", "slips")
"""Folders of rounds made to be odd: they come last, so that an example is taken from an ordinary round."""


def scenarios_of(procedures: Procedures, folder: Path, house: str) -> list[Script]:
    """Return the scenarios kept for a house, ordinary rounds first.

    Raises:
        BadFile: one of them cannot be read.
    """
    own = folder / house
    paths = sorted(own.rglob("*.yaml"), key=lambda path: (path.relative_to(own).parts[0] in ODD, path))
    return [read_script(path, procedures) for path in paths]
