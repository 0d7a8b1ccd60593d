"""A foreign action log, row by row: its columns mapped, its words put into the notation."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from trainer.actions import BY_NAME, DECISIONS, KINDS, Act
from trainer.cards import card
from trainer.chips import cents
from trainer.files import BadFile, Node, Place, Problem, did_you_mean, read_yaml
from trainer.procedure.shapes import Shape
from trainer.structure import structure

FIELDS = ("do", "at", "what", "card", "face", "total", "amount", "time")
FAMILIES = {
    "wagers": ("place_wager",),
    "insurance": ("buy_insurance", "decline_insurance", "take_even_money"),
    "decisions": ("signal", "double", "split", "surrender"),
}
"""What a log may leave out of the players' acts: by family, the words it is told by."""
_PLAIN = {
    "decline_insurance": "decline", "take_even_money": "even money", "surrender": "surrender", "ask_decision": "ask",
    "close_insurance": "close insurance", "peek_hole": "peek", "stop_drawing": "stop", "separate_cards": "separate",
    "push": "push", "place_wager_on_cards": "lay", "remove_cards": "clear", "remove_dealer_cards": "clear dealer",
    "start_round": "start", "warn": "warn", "touch_cards": "touch",
}  # fmt: skip
_MONEY = {"pay": "pay", "collect": "take", "return_wager": "return"}
_ADDED = {"double": "double", "split": "split", "buy_insurance": "insure"}
WORDS = (
    *_PLAIN, *_MONEY, *_ADDED, "place_wager", "signal", "deal_card", "announce", "expose_hole", "refuse_wager",
    "refuse_decision", "call_supervisor",
)  # fmt: skip
_SPOT = re.compile(r"\D*([1-9])([a-h]?)")
_DOLLARS = re.compile(r"\$?(\d{1,7})(?:\.(\d{1,2}))?")


class MappingShape(Shape):
    house: str
    columns: dict[str, str]
    actions: dict[str, str] = {}
    values: dict[str, dict[str, str]] = {}
    skip: list[str] = []
    dealer: list[str] = ["dealer"]
    delimiter: str = ","
    amounts: Literal["dollars", "cents"] = "dollars"
    round: str = ""


@dataclass(frozen=True, slots=True)
class Mapping:
    """What the columns and words of a foreign log mean; ``table`` is the header of the record (places, games, ...)."""

    shape: MappingShape
    table: dict[str, Node] = field(default_factory=dict)
    place: Place = field(default_factory=lambda: Place("mapping", 1, 1))

    @property
    def delimiter(self) -> str:
        return self.shape.delimiter

    def header(self, name: str) -> Node:
        """Return the header of a record that was read through this mapping."""
        house = Node(self.place, self.shape.house)
        return Node(Place(name, 1, 1), {**self.table, "house": house, "title": Node(self.place, Path(name).stem)})


def read_mapping(path: Path | str, *, text: str | None = None) -> Mapping:
    """Read the mapping file of a foreign log.

    Raises:
        BadFile: everything that is wrong with it.
        OSError: the file cannot be read.
    """
    root = read_yaml(path, text=text)
    table = root.find("table")
    given = {key: node for key, node in root.value.items() if key != "table"} if isinstance(root.value, dict) else {}
    shape = structure(Node(root.place, given, root.key_places), MappingShape)
    problems = [
        _unknown(root.find("columns", key).place, "field", key, FIELDS) for key in shape.columns if key not in FIELDS
    ]
    problems += [
        _unknown(root.find("actions", key).place, "action", word, WORDS)
        for key, word in shape.actions.items()
        if word not in WORDS
    ]
    problems += [
        _unknown(root.find("values", key).place, "field", key, FIELDS) for key in shape.values if key not in FIELDS
    ]
    if "do" not in shape.columns:
        problems.append(Problem(root.find("columns").place, "columns", "", "say which column is the action: do: NAME"))
    if problems:
        raise BadFile(problems)
    header = table.value if table is not root and isinstance(table.value, dict) else {}
    return Mapping(shape, dict(header), root.place)


def _unknown(place: Place, thing: str, value: str, known: tuple[str, ...]) -> Problem:
    return Problem(place, thing, value, f"known are {', '.join(known)}", did_you_mean(value, known) or "")


class _Refused(ValueError):
    """A row that cannot be put into the notation: the field, what is wrong, what was perhaps meant."""

    def __init__(self, name: str, why: str, suggestion: str = "") -> None:
        self.name, self.why, self.suggestion = name, why, suggestion
        super().__init__(why)


_BEGINNING = frozenset({"ask", "signal", "double", "split", "surrender", "separate", "stop"})


@dataclass(slots=True)
class Stream:
    """What the words of a log hang on: the dealer's cards so far, whether play has begun, what was put down to double."""

    own: int = 0
    down: bool = False
    turned: bool = False
    begun: bool = False
    doubled: dict[tuple[int, int], int] = field(default_factory=dict)

    def own_card(self, down: bool) -> str:
        """Return the verb of the dealer's next own card: of the deal, or drawn."""
        if down:
            return "deal hole"
        second = self.own == 1 and not self.turned and (self.down or not self.begun)
        return "deal up" if self.own == 0 or second else "draw"

    def added(self, spot: int, hand: int, amount: int | None) -> str:
        """Return the kind of added money: of the double or the split, '' when it is more than the double's."""
        doubled = self.doubled.get((spot, max(hand, 1)))
        if doubled is None:
            return "split"
        return "double" if amount is None or amount <= doubled else ""

    def note(self, act: Act) -> None:
        """Take note of an act."""
        verb, place = act.verb, (act.spot, max(act.hand, 1))
        self.begun = self.begun or verb in _BEGINNING
        if verb in ("deal up", "deal hole", "draw"):
            self.own += 1
            self.down = self.down or verb == "deal hole"
        elif verb == "turn hole":
            self.turned = True
        elif verb == "double":
            self.doubled[place] = act.amount or 0
        elif verb == "separate":
            self.doubled = {
                (spot, hand + (spot == act.spot and hand > place[1])): put for (spot, hand), put in self.doubled.items()
            }
        elif verb == "start":
            self.own, self.down, self.turned, self.begun, self.doubled = 0, False, False, False, {}


def lines_of_log(name: str, rows: list[tuple[int, list[str]]], mapping: Mapping) -> tuple[list[Node], list[str]]:
    """Put the rows of a log into the notation; return the lines and the families of players' acts it does not keep.

    Raises:
        BadFile: every row that is wrong, with its column.
    """
    if not rows:
        raise BadFile((Problem(Place(name, 1, 1), "log", "", "the first row names the columns"),))
    shape, names = mapping.shape, rows[0][1]
    lacking = [column for column in (*shape.columns.values(), shape.round) if column and column not in names]
    if lacking:
        known = f"the log has {', '.join(names)}"
        raise BadFile(
            [Problem(Place(name, 1, 1), "column", one, known, did_you_mean(one, names) or "") for one in lacking]
        )
    reader = _Reader(name, mapping, {key: names.index(column) for key, column in shape.columns.items()})
    where = names.index(shape.round) if shape.round else -1
    for number, row in rows[1:]:
        if any(cell.strip() for cell in row):
            reader.read(number, row, row[where].strip() if 0 <= where < len(row) else "")
    if reader.problems:
        raise BadFile(reader.problems)
    missing = [family for family, words in FAMILIES.items() if not reader.words & set(words)]
    return reader.lines, missing


class _Reader:
    def __init__(self, name: str, mapping: Mapping, columns: dict[str, int]) -> None:
        self.name, self.shape, self.columns = name, mapping.shape, columns
        self.lines: list[Node] = []
        self.problems: list[Problem] = []
        self.words: set[str] = set()
        self.stream, self.number = Stream(), ""
        self.last = Act("wait")

    def read(self, number: int, row: list[str], round_number: str) -> None:
        """Turn one row into one line, or note what is wrong with it."""
        cells = {key: row[at].strip() if at < len(row) else "" for key, at in self.columns.items()}
        if cells["do"] in self.shape.skip:
            return
        if self.number and round_number and round_number != self.number and self.lines:
            self._add(Act("start"), number, "")
        self.number = round_number or self.number
        for key, meant in self.shape.values.items():
            cells[key] = meant.get(cells.get(key, ""), cells.get(key, ""))
        try:
            self._add(self._act(cells), number, cells.get("time", ""))
        except _Refused as why:
            place = Place(self.name, number, self.columns.get(why.name, 0) + 1)
            self.problems.append(Problem(place, why.name, cells.get(why.name, ""), why.why, why.suggestion))

    def _add(self, act: Act, number: int, time: str) -> None:
        place, before = Place(self.name, number, 1), self.last
        if act.kind in ("double", "split") and not before.kind and _is_the_rest(act, before):
            # What was added follows by itself, so the row before meant the first wager alone.
            whole = replace(before, kind="split" if before.hand > 1 else "main")
            last = self.lines.pop()
            given = last.value if isinstance(last.value, dict) else {}
            self.lines.append(Node(last.place, {**given, "do": Node(last.place, str(whole))}))
        self.last = act
        value = {"do": Node(place, str(act))}
        if time:
            value["at"] = Node(place, time)
        self.lines.append(Node(place, value))
        self.stream.note(act)

    def _act(self, cells: dict[str, str]) -> Act:
        said = cells["do"]
        word = self.shape.actions.get(said, said)
        if word not in WORDS:
            raise _Refused(
                "do", f"no action is called so; known are {', '.join(WORDS)}", did_you_mean(word, WORDS) or ""
            )
        self.words.add(word)
        spot, hand = self._place(cells)
        if word in _PLAIN:
            verb = _PLAIN[word]
            return Act(verb, *((spot, hand) if _takes_place(verb) else (0, 0)))
        special: dict[str, Callable[[dict[str, str], int, int], Act]] = {
            "deal_card": self._deal, "announce": self._announce, "expose_hole": self._expose,
            "refuse_wager": self._refuse, "refuse_decision": self._refuse, "call_supervisor": _call,
        }  # fmt: skip
        if word in special:
            return special[word](cells, spot, hand)
        if word == "signal":
            if cells.get("what") not in ("hit", "stand"):
                raise _Refused("what", "a signal is hit or stand")
            return Act("signal", spot, hand, what=cells["what"])
        amount = self._amount(cells)
        if word in _ADDED:
            return Act(_ADDED[word], spot, hand, amount=amount)
        kind = self._kind(cells, spot, hand, amount)
        return Act(_MONEY.get(word, "wager"), spot, hand, kind=kind, amount=amount)

    def _place(self, cells: dict[str, str]) -> tuple[int, int]:
        at = cells.get("at", "")
        if not at or at in self.shape.dealer:
            return 0, 0
        match = _SPOT.fullmatch(at)
        if match is None:
            raise _Refused("at", f"a spot such as spot3 or spot3b, or one of {', '.join(self.shape.dealer)}")
        return int(match[1]), "abcdefgh".index(match[2]) + 1 if match[2] else 0

    def _amount(self, cells: dict[str, str]) -> int:
        said = cells.get("amount", "").replace(",", "")
        if self.shape.amounts == "cents" and said.isdigit():
            return int(said)
        match = _DOLLARS.fullmatch(said)
        if match is None or self.shape.amounts == "cents":
            raise _Refused(
                "amount",
                f"an amount in {self.shape.amounts} such as {'2250' if self.shape.amounts == 'cents' else '22.50'}",
            )
        return cents(f"{match[1]}.{(match[2] or '').ljust(2, '0')}")

    def _kind(self, cells: dict[str, str], spot: int, hand: int, amount: int) -> str:
        what = cells.get("what", "")
        if what in ("", "main"):
            return ""
        if what == "added":
            return self.stream.added(spot, hand, amount)
        if what not in KINDS:
            raise _Refused("what", f"a kind of wager: {', '.join(KINDS)}, added", did_you_mean(what, KINDS) or "")
        return what

    def _deal(self, cells: dict[str, str], spot: int, hand: int) -> Act:
        said = cells.get("card", "") or "??"
        try:
            dealt = card(said)
        except ValueError:
            raise _Refused(
                "card", "a card such as Td (rank 2-9 T J Q K A, suit s h d c), or ?? for one nobody saw"
            ) from None
        down = cells.get("face", "") == "down"
        if spot:
            return Act("deal", spot, hand, card=dealt, flag="down" if down else "")
        return Act(self.stream.own_card(down), card=dealt)

    def _announce(self, cells: dict[str, str], spot: int, hand: int) -> Act:
        what = cells.get("what", "")
        if what == "insurance":
            return Act("call insurance")
        if what == "blackjack":
            return Act("call blackjack", spot, hand)
        if what == "even_money":
            return Act("call even money", spot)
        if what != "total" or not cells.get("total", "").isdigit():
            raise _Refused("what", "what is announced: blackjack, insurance, even_money, or total with its number")
        number = int(cells["total"])
        return Act("call total", spot, hand, total=number) if spot else Act("call total dealer", total=number)

    def _expose(self, cells: dict[str, str], _spot: int, _hand: int) -> Act:
        said = cells.get("card", "")
        try:
            return Act("turn hole", card=card(said) if said else None)
        except ValueError:
            raise _Refused("card", "a card such as Td") from None

    def _refuse(self, cells: dict[str, str], spot: int, hand: int) -> Act:
        what = cells.get("what", "")
        if what not in (*KINDS, *DECISIONS):
            raise _Refused("what", "a kind of wager or a decision", did_you_mean(what, (*KINDS, *DECISIONS)) or "")
        return Act("refuse", spot, hand, what=what)


def _call(cells: dict[str, str], _spot: int, _hand: int) -> Act:
    return Act("call floor", words=cells.get("what", "") or "called")


def _is_the_rest(act: Act, before: Act) -> bool:
    return (act.verb, act.spot, act.hand) == (before.verb, before.spot, before.hand) and act.verb in _MONEY.values()


def _takes_place(verb: str) -> bool:
    return any(word in BY_NAME[verb].form for word in ("HAND", "SPOT"))
