"""Check a game file for what the library would accept silently: unknown names, dead ends, loops, rows without effect."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from trainer.files import BadFile, Node, Place, Problem, did_you_mean
from trainer.procedure import shapes
from trainer.procedure.guards import BLOCKS, DUES, FACTS, GUARDS

if TYPE_CHECKING:
    from trainer.procedure.load import Procedures

WAGER_RULES = (
    "closes", "main", "limits", "at-most-main", "group", "usual-group", "moment", "losers-first", "won", "lost",
    "by-rank", "by-kind", "drawn-21", "split-ace", "excludes", "equal", "total", "price",
)  # fmt: skip
MOTIONS = (
    "wager main", "wager side", "wager bust", "insure", "decline", "even money", "signal hit", "signal stand", "double",
    "split", "surrender", "touch", "spectator touches", "refuse", "deal", "deal up", "deal hole", "draw", "stop",
    "call blackjack", "call insurance", "call even money", "call total", "call floor", "ask", "wait", "close insurance",
    "peek", "turn hole", "separate", "pay main", "pay side", "pay bust", "pay insurance", "take main", "take side",
    "take bust", "take insurance", "return main", "return side", "return insurance", "push", "lay", "clear",
    "clear dealer", "warn", "gesture tap", "start",
)  # fmt: skip
# The settings that guards, dues and ways read; a test holds this list to the source.
READ_SETTINGS = (
    "soft-17", "look-under-ace", "look-under-ten", "hole-card-dealt", "blackjack-odds", "insurance-odds", "even-money",
    "most-hands", "double-on-totals", "double-amount", "double-after-split", "dealer-blackjack-takes-split-money",
    "dealer-blackjack-takes-double-money", "surrender", "ask-decision", "announce-totals", "losers-cards",
    "bust-wager-odds",
)  # fmt: skip
# Rules that the machine itself cites, without a row.
OWN_RULES = ("act-in-its-place",)


class Checker:
    """Collects the problems of several files, so that all are told at once."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []

    def unknown(self, place: Place, thing: str, value: str, choices: Iterable[str]) -> None:
        names = sorted(choices)
        near = did_you_mean(value, names)
        allowed = f"known are {', '.join(names)}" if len(names) <= 12 else f"there are {len(names)} to choose from"
        self.problems.append(Problem(place, thing, value, allowed, near))

    def wrong(self, place: Place, thing: str, value: str, allowed: str) -> None:
        self.problems.append(Problem(place, thing, value, allowed))

    def done(self) -> None:
        if self.problems:
            raise BadFile(tuple(self.problems))


def check_game(root: Node, game: shapes.GameShape) -> None:
    """Refuse a game file whose rows, duties and free moves do not hold together.

    Raises:
        BadFile: everything that is wrong with it, each at its place.
    """
    check = Checker()
    used = set(OWN_RULES) | _check_rows(check, root, game)
    used |= _check_duties(check, root, game) | _check_free_moves(check, root, game)
    _check_loops(check, root, game)
    _check_reach(check, root, game)
    _check_effect(check, root, game, used)
    check.done()


def _rows(game: shapes.GameShape) -> Iterator[tuple[str, str, shapes.StepShape]]:
    for part, steps in (("events", game.events), ("steps", game.steps)):
        for name, step in steps.items():
            yield part, name, step


def _check_rows(check: Checker, root: Node, game: shapes.GameShape) -> set[str]:
    used: set[str] = set()
    states = set(game.states)
    for part, name, step in _rows(game):
        node = root.find(part, name)
        if step.do not in MOTIONS:
            check.unknown(node.find("do").place, "do", step.do, MOTIONS)
        for key, words in (("from", step.sources), ("to", step.to)):
            extra = {"any"} if key == "from" else {"same"}
            for index, word in enumerate(words):
                if word not in states | extra:
                    check.unknown(node.find(key, index).place, "state", word, states | extra)
        for index, word in enumerate(step.facts):
            if word not in FACTS:
                check.unknown(node.find("for", index).place, "fact", word, FACTS)
        if step.rule and step.rule not in game.rules:
            check.unknown(node.find("rule").place, "rule", step.rule, game.rules)
        used |= _check_needs(check, node, step.needs, game)
        for setting, value in step.when.items():
            _check_when(check, node.find("when"), setting, value, game)
    return used


def _check_needs(check: Checker, node: Node, needs: dict[str, str], game: shapes.GameShape) -> set[str]:
    for guard, rule in needs.items():
        place = node.find("needs", guard).place
        if guard not in GUARDS:
            check.unknown(_key_place(node.find("needs"), guard), "guard", guard, GUARDS)
        if rule.startswith("wager:"):
            if rule[6:] not in WAGER_RULES:
                check.unknown(place, "rule of a wager", rule[6:], WAGER_RULES)
        elif rule not in game.rules:
            check.unknown(place, "rule", rule, game.rules)
    return set(needs.values())


def _key_place(node: Node, key: str) -> Place:
    return node.key_places.get(key, node.place)


def _check_when(check: Checker, node: Node, setting: str, value: str, game: shapes.GameShape) -> None:
    shape = game.settings.get(setting)
    if shape is None:
        check.unknown(_key_place(node, setting), "setting", setting, game.settings)
    elif value not in shape.choices:
        check.unknown(node.find(setting).place, setting, value, shape.choices)


def _check_duties(check: Checker, root: Node, game: shapes.GameShape) -> set[str]:
    for name, duty in game.duties.items():
        node = root.find("duties", name)
        if duty.due not in DUES:
            check.unknown(node.find("due").place, "due", duty.due, DUES)
        for index, word in enumerate(duty.blocks):
            if word not in BLOCKS:
                check.unknown(node.find("blocks", index).place, "block", word, BLOCKS)
        if not duty.blocks:
            check.wrong(node.find("blocks").place, "duty", name, "a duty that blocks nothing has no effect")
        if duty.rule not in game.rules:
            check.unknown(node.find("rule").place, "rule", duty.rule, game.rules)
    return {duty.rule for duty in game.duties.values()}


def _check_free_moves(check: Checker, root: Node, game: shapes.GameShape) -> set[str]:
    used: set[str] = set()
    for index, move in enumerate(game.free_moves):
        node = root.find("free-moves", index)
        for key, word in (("from", move.source), ("to", move.to)):
            if word not in game.states:
                check.unknown(node.find(key).place, "state", word, game.states)
        used |= _check_needs(check, node, move.needs, game)
    return used


def _check_loops(check: Checker, root: Node, game: shapes.GameShape) -> None:
    onward: dict[str, set[str]] = {}
    for move in game.free_moves:
        onward.setdefault(move.source, set()).add(move.to)
    for index, move in enumerate(game.free_moves):
        if move.source in _closure(move.to, onward):
            place = root.find("free-moves", index).place
            check.wrong(
                place, "free move", f"{move.source} to {move.to}", "free moves may not lead back to their start"
            )
            return


def _check_reach(check: Checker, root: Node, game: shapes.GameShape) -> None:
    states = list(game.states)
    onward: dict[str, set[str]] = {state: set() for state in states}
    for _, _, step in _rows(game):
        for source in states if "any" in step.sources else step.sources:
            if source in onward:
                onward[source] |= {word for word in step.to if word != "same"}
    for move in game.free_moves:
        if move.source in onward:
            onward[move.source].add(move.to)
    reached = _closure("wagers", onward)
    back = {state: {other for other in states if state in onward[other]} for state in states}
    ending = _closure("over", back)
    for state in states:
        place = _key_place(root.find("states"), state)
        if state not in reached:
            check.wrong(place, "state", state, "no row leads to it")
        elif state not in ending:
            check.wrong(place, "state", state, "no way leads from it to the end of the round")


def _check_effect(check: Checker, root: Node, game: shapes.GameShape, used: set[str]) -> None:
    """Settings nothing reads, settings that are read and missing, rules no row or duty cites."""
    selecting = {name for _, _, step in _rows(game) for name in step.when}
    for name in game.settings:
        if name not in selecting and name not in READ_SETTINGS:
            check.wrong(
                _key_place(root.find("settings"), name), "setting", name, "no row selects by it, no guard reads it"
            )
    for name in READ_SETTINGS:
        if name not in game.settings:
            check.wrong(root.find("settings").place, "settings", name, "guards read this setting; it is missing")
    for slug, rule in game.rules.items():
        if slug not in used and slug not in selecting and not rule.wager:
            place = _key_place(root.find("rules"), slug)
            check.wrong(place, "rule", slug, "no row, duty or free move cites it (wager: yes keeps it for side wagers)")


def _closure(start: str, onward: dict[str, set[str]]) -> set[str]:
    seen, front = {start}, [start]
    while front:
        for state in onward.get(front.pop(), ()):
            if state not in seen:
                seen.add(state)
                front.append(state)
    return seen


def unselected_rows(procedures: Procedures) -> list[Problem]:
    """Return the rows that no house of the folder selects, unless they say for whom they are kept (``reserve``).

    Raises:
        BadFile: a house of the folder cannot be loaded.
    """
    houses = [procedures.house(name) for name in procedures.names()]
    selected = {step.id for house in houses for step in house.steps if step.selected}
    out = []
    for part, name, step in _rows(procedures.game):
        if houses and name not in selected and not step.reserve:
            settings = ", ".join(f"{key}: {value}" for key, value in step.when.items())
            place = procedures.root.find(part, name, "when").place
            out.append(Problem(place, "row", name, f"no house here is {settings}"))
    return out
