"""One line of text per action: the verbs of the table, their grammar, one parser and one printer that are inverse."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache

from trainer.cards import Card, card
from trainer.chips import cents, dollars

KINDS = (
    "main", "double", "split", "insurance", "pairs",
    "number 17", "number 18", "number 19", "number 20", "number 21",
    "tie", "blackjack", "bust",
)  # fmt: skip
DECISIONS = ("hit", "stand", "double", "split", "surrender", "even money")
FLAGS = ("down", "outside", "misplaced", "by word")


class Role(StrEnum):
    """Whose act it is; only the dealer's acts are judged."""

    DEALER = "dealer"
    PLAYER = "player"
    FLOOR = "floor"


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb of the notation: its form is its grammar (capitals are parameters, brackets what may be left out)."""

    name: str
    role: Role
    form: str
    steps: str
    case_word: str
    meaning: str
    example: str


def _v(form: str, role: Role, steps: str, case_word: str, meaning: str, example: str) -> Verb:
    literal: list[str] = []
    for word in form.split():
        if word[0] == "[" or word.isupper():
            break
        literal.append(word)
    name = " ".join(literal)
    if "TOTAL" in form:
        name = "call total dealer" if "dealer" in form else "call total"
    return Verb(name, role, form, steps, case_word, meaning, example)


_D, _P, _F = Role.DEALER, Role.PLAYER, Role.FLOOR
VERBS: tuple[Verb, ...] = (
    _v("deal HAND [CARD] [down]", _D, "TR-06 TR-08 TR-10 TR-37 TR-38 TR-40 TR-41 TR-46", "deal_card at a spot",
       "Deal a card to a spot or hand, face up unless down is said.", "deal 3 9h"),
    _v("deal up [CARD]", _D, "TR-09 TR-11", "deal_card at dealer, face up", "Deal your own card face up.", "deal up As"),
    _v("deal hole [CARD]", _D, "TR-09 TR-11", "deal_card at dealer, face down",
       "Deal your own card face down.", "deal hole Kd"),
    _v("draw [CARD]", _D, "TR-52", "deal_card at dealer, later cards", "Draw a further card to your own hand.", "draw 5c"),
    _v("stop", _D, "TR-53 TR-54", "stop_drawing", "Your own hand is complete: draw no more.", "stop"),
    _v("call blackjack HAND", _D, "TR-14", "announce blackjack", "Call the blackjack of a spot or hand.", "call blackjack 3"),
    _v("call insurance", _D, "TR-19", "announce insurance", "Call insurance.", "call insurance"),
    _v("call even money SPOT", _D, "TR-76", "announce even_money",
       "Offer even money to a spot's blackjack.", "call even money 3"),
    _v("call total HAND is TOTAL", _D, "TR-30 TR-75", "announce total",
       "Call the total of a player's hand.", "call total 3 is 14"),
    _v("call total dealer is TOTAL", _D, "TR-75", "announce total at dealer",
       "Call the total of your own hand.", "call total dealer is 17"),
    _v("call floor WORDS", _D, "TR-73", "call_supervisor", "Call the floor and say why.", 'call floor "disputed card"'),
    _v("ask HAND", _D, "TR-29", "ask_decision", "Turn to a hand and ask for its decision.", "ask 3"),
    _v("wait", _D, "", "", "Wait for a player to act.", "wait"),
    _v("close insurance", _D, "TR-74", "close_insurance",
       "Say that insurance is closed; who has not answered declines.", "close insurance"),
    _v("peek", _D, "TR-25", "peek_hole", "Look at the hole card without turning it.", "peek"),
    _v("turn hole [CARD]", _D, "TR-26 TR-49", "expose_hole", "Turn the hole card up.", "turn hole"),
    _v("separate HAND", _D, "TR-39", "separate_cards", "Part a pair into two hands.", "separate 3"),
    _v("pay HAND [KIND] AMOUNT", _D, "TR-13 TR-15 TR-17 TR-23 TR-28 TR-47 TR-50 TR-55 TR-56 TR-59 TR-66 TR-67 TR-68",
       "pay", "Pay winnings; the wager goes back to its player.", "pay 3 22.50"),
    _v("take HAND [KIND] AMOUNT", _D,
       "TR-12 TR-18 TR-27 TR-42 TR-45 TR-48 TR-51 TR-57 TR-61 TR-63 TR-64 TR-65 TR-66 TR-67",
       "collect", "Take a lost wager, or part of it, into the rack.", "take 3 10.00"),
    _v("return HAND [KIND] AMOUNT", _D, "TR-45 TR-62 TR-65", "return_wager",
       "Give a wager, or part of it, back to its player.", "return 3 double 5.00"),
    _v("push HAND", _D, "TR-58 TR-60", "push", "Show that a hand is a push; its wagers stay the player's.", "push 3"),
    _v("lay SPOT", _D, "TR-44", "place_wager_on_cards", "Lay a surrendered wager on its cards.", "lay 3"),
    _v("clear HAND", _D, "TR-16 TR-43 TR-69", "remove_cards", "Put a hand's cards into the discard rack.", "clear 3"),
    _v("clear dealer", _D, "TR-70", "remove_dealer_cards", "Put your own cards into the discard rack.", "clear dealer"),
    _v("refuse HAND WHAT", _D, "TR-05 TR-07 TR-24 TR-36", "refuse_wager, refuse_decision",
       "Refuse a wager or a decision; its chips go back.", "refuse 3 insurance"),
    _v("warn SPOT", _D, "TR-72", "warn", "Warn a player (0: a spectator) not to touch.", "warn 3"),
    _v("gesture tap SPOT", _D, "TR-58", "", "Tap the layout before a spot.", "gesture tap 3"),
    _v("start", _D, "TR-71", "start_round", "Begin the next round.", "start"),
    _v("wager SPOT [KIND] AMOUNT [outside]", _P, "TR-01 TR-02 TR-03 TR-04", "place_wager",
       "A player puts down a wager.", "wager 3 pairs 5.00"),
    _v("insure SPOT AMOUNT [misplaced]", _P, "TR-20", "buy_insurance", "A player takes insurance.", "insure 3 5.00"),
    _v("decline SPOT", _P, "TR-21", "decline_insurance", "A player declines insurance and even money.", "decline 3"),
    _v("even money SPOT", _P, "TR-22", "take_even_money", "A player asks for even money.", "even money 3"),
    _v("signal HAND SIGNAL [by word]", _P, "TR-31 TR-32", "signal", "A player signals hit or stand.", "signal 3 hit"),
    _v("double HAND AMOUNT", _P, "TR-33", "double", "A player doubles down.", "double 3 10.00"),
    _v("split HAND AMOUNT", _P, "TR-34", "split", "A player splits a pair.", "split 3 10.00"),
    _v("surrender HAND", _P, "TR-35", "surrender", "A player surrenders half the wager.", "surrender 3"),
    _v("touch SPOT", _P, "TR-72", "touch_cards", "A player touches the cards.", "touch 3"),
    _v("spectator touches", _P, "TR-72", "", "Somebody who is not playing touches cards.", "spectator touches"),
    _v("rule WORDS", _F, "TR-73", "", 'The floor decides; "end the round" voids a round that is stuck.', 'rule "spot 3 keeps its card"'),
    _v("waive RULE WORDS", _F, "", "", "The floor waives a rule for this round.", 'waive hole-card-after-hands "card shown"'),
)  # fmt: skip
BY_NAME = {verb.name: verb for verb in VERBS}
_ORDER = sorted(VERBS, key=lambda verb: -len(verb.name.split()))


class BadNotation(ValueError):
    """A line that is no action: what is wrong, its 1-based column, and what was perhaps meant."""

    def __init__(self, why: str, column: int = 1, suggestion: str = "") -> None:
        self.why, self.column, self.suggestion = why, column, suggestion
        super().__init__(why + (f" (did you mean {suggestion}?)" if suggestion else ""))


@dataclass(frozen=True, slots=True)
class Act:
    """One act at the table. ``hand`` 0 is the spot's only (or first) hand, ``amount`` is in cents."""

    verb: str
    spot: int = 0
    hand: int = 0
    kind: str = ""
    card: Card | None = None
    amount: int | None = None
    total: int | None = None
    what: str = ""
    words: str = ""
    flag: str = ""

    @property
    def role(self) -> Role:
        return BY_NAME[self.verb].role

    @property
    def place(self) -> str:
        """The spot or hand as it is written, '' without one."""
        if not self.spot:
            return ""
        return f"{self.spot}{'abcdefgh'[self.hand - 1] if self.hand else ''}"

    @property
    def where(self) -> str:
        """The spot or hand in words: ``spot 3`` or ``hand 3b``; 'the table' without one."""
        return f"{'hand' if self.hand else 'spot'} {self.place}" if self.spot else "the table"

    def with_card(self, one: Card) -> Act:
        return replace(self, card=one)

    def __str__(self) -> str:
        return print_act(self)


@cache
def _parameters(form: str) -> tuple[tuple[str, bool], ...]:
    words = re.findall(r"\[[^\]]+\]|\S+", form)
    return tuple((word.strip("[]"), word[0] == "[") for word in words)


_HAND = re.compile(r"([1-9])([a-h]?)")
_TOKEN = re.compile(r'"((?:[^"\\]|\\.)*)"|(\S+)')


def _near(word: str, choices: Collection[str]) -> str:
    found = difflib.get_close_matches(word, list(choices), 1, 0.6)
    return found[0] if found else ""


class _Reader:
    def __init__(self, text: str, kinds: Collection[str]) -> None:
        self.tokens: list[tuple[str, int, bool]] = []
        self.kinds = kinds
        for match in _TOKEN.finditer(text):
            quoted = match[1] is not None
            word = re.sub(r"\\(.)", r"\1", match[1]) if quoted else match[2]
            self.tokens.append((word, match.start() + 1, quoted))
        self.at = 0
        self.end = len(text) + 1

    def peek(self) -> str:
        return self.tokens[self.at][0] if self.at < len(self.tokens) else ""

    def column(self) -> int:
        return self.tokens[self.at][1] if self.at < len(self.tokens) else self.end

    def refuse(self, wanted: str, suggestion: str = "") -> BadNotation:
        word = self.peek()
        return BadNotation(f"'{word}' is not {wanted}" if word else f"{wanted} is missing", self.column(), suggestion)

    def kind(self) -> str:
        word = self.peek()
        if word == "number" and self.at + 1 < len(self.tokens):
            word = f"number {self.tokens[self.at + 1][0]}"
        if word not in self.kinds:
            return ""
        self.at += len(word.split())
        return word

    def words(self, choices: Collection[str]) -> str:
        for choice in sorted(choices, key=len, reverse=True):
            parts = choice.split()
            if [token[0] for token in self.tokens[self.at : self.at + len(parts)]] == parts:
                self.at += len(parts)
                return choice
        return ""


def parse(text: str, kinds: Collection[str] = KINDS) -> Act:
    """Read one line of the notation.

    >>> parse("pay 3 22.50")
    Act(verb='pay', spot=3, hand=0, kind='', card=None, amount=2250, total=None, what='', words='', flag='')

    Raises:
        BadNotation: the line is no action; the column and a suggestion are told.
    """
    reader = _Reader(text, kinds)
    if not reader.tokens:
        raise BadNotation("the line is empty")
    heard = [token[0] for token in reader.tokens]
    verb = next((one for one in _ORDER if _heads(one, heard)), None)
    if verb is None:
        first = heard[0]
        names = {one.name.split()[0] for one in VERBS}
        if first in names:
            longer = [one.name for one in VERBS if one.name.split()[0] == first]
            said = " ".join(heard[:2])
            column = reader.tokens[1][1] if len(heard) > 1 else reader.end
            raise BadNotation(f"'{said}' is no verb; say one of: {', '.join(longer)}", column, _near(said, longer))
        raise BadNotation(f"'{first}' is no verb", reader.column(), _near(first, names))
    values: dict[str, object] = {}
    for word, optional in _parameters(verb.form):
        _read(reader, word, optional, values, verb)
    if reader.at < len(reader.tokens):
        raise BadNotation(f"'{reader.peek()}' is too much; the form is: {verb.form}", reader.column())
    return Act(verb.name, **values)  # type: ignore[arg-type]


def _heads(verb: Verb, heard: list[str]) -> bool:
    if verb.name == "call total dealer":
        return heard[:3] == ["call", "total", "dealer"]
    parts = verb.name.split()
    return heard[: len(parts)] == parts


def _read(reader: _Reader, word: str, optional: bool, values: dict[str, object], verb: Verb) -> None:
    got = reader.peek()
    if word in ("HAND", "SPOT"):
        if word == "SPOT" and got == "0" and verb.name == "warn":
            reader.at += 1
            return
        match = _HAND.fullmatch(got)
        if not match or (word == "SPOT" and match[2]):
            raise reader.refuse("a spot such as 3" + (" or a hand such as 3b" if word == "HAND" else ""))
        values["spot"] = int(match[1])
        if match[2]:
            values["hand"] = "abcdefgh".index(match[2]) + 1
        reader.at += 1
    elif word == "CARD":
        if not got or (optional and got in FLAGS):
            return
        try:
            values["card"] = card(got)
        except ValueError:
            raise reader.refuse("a card such as Td (rank 2-9 T J Q K A, suit s h d c) or ??") from None
        reader.at += 1
    elif word == "AMOUNT":
        try:
            values["amount"] = cents(got)
        except ValueError:
            raise reader.refuse("an amount with two decimals such as 22.50") from None
        reader.at += 1
    elif word == "KIND":
        kind = reader.kind()
        if kind:
            values["kind"] = kind
        elif got and got[0].isalpha():
            raise reader.refuse(f"a kind of wager ({', '.join(reader.kinds)})", _near(got, reader.kinds))
    elif word == "WHAT":
        what = reader.kind() or reader.words(DECISIONS)
        if not what:
            choices = (*reader.kinds, *DECISIONS)
            raise reader.refuse("a kind of wager or a decision", _near(got, choices))
        values["what"] = what
    elif word == "SIGNAL":
        if got not in ("hit", "stand"):
            raise reader.refuse("hit or stand", _near(got, ("hit", "stand")))
        values["what"] = got
        reader.at += 1
    elif word == "TOTAL":
        if not re.fullmatch(r"[0-9]{1,2}", got):
            raise reader.refuse("a total such as 14")
        values["total"] = int(got)
        reader.at += 1
    elif word in ("WORDS", "RULE"):
        if not got or (word == "WORDS" and not reader.tokens[reader.at][2]):
            raise reader.refuse('words in quotation marks, such as "disputed card"' if word == "WORDS" else "a rule")
        values["words" if word == "WORDS" else "what"] = got
        reader.at += 1
    elif optional:
        if reader.words((word,)):
            values["flag"] = word
    else:
        if got != word:
            raise reader.refuse(f"'{word}'")
        reader.at += 1


def print_act(act: Act) -> str:
    """Print an act as the line that ``parse`` reads back.

    >>> print_act(parse('deal   3b  10d'))
    'deal 3b Td'
    """
    out: list[str] = []
    for word, optional in _parameters(BY_NAME[act.verb].form):
        if word in ("HAND", "SPOT"):
            out.append(act.place or "0")
        elif word == "CARD":
            out.extend([str(act.card)] if act.card else [])
        elif word == "AMOUNT":
            out.append(dollars(act.amount or 0))
        elif word == "KIND":
            out.extend([act.kind] if act.kind else [])
        elif word in ("WHAT", "SIGNAL", "RULE"):
            out.append(act.what)
        elif word == "TOTAL":
            out.append(str(act.total))
        elif word == "WORDS":
            escaped = act.words.replace("\\", "\\\\").replace('"', '\\"')
            out.append(f'"{escaped}"')
        elif optional:
            out.extend([word] if act.flag == word else [])
        else:
            out.append(word)
    return " ".join(out)
