"""Compose a dealer's act key by key: a letter for the verb, a digit for the spot, amounts and words typed.

Two keys make an act at the least: verb and spot, or the verb's key twice. So the first can always be taken back.
Nothing is filled in: an amount, a kind or a total stands here only when it was typed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from trainer.actions import DECISIONS, VERBS, Act, BadNotation, Role, parse
from trainer.chips import dollars


@dataclass(frozen=True, slots=True)
class Choice:
    """A key and what it stands for."""

    key: str
    says: str


@dataclass(frozen=True, slots=True)
class Way:
    """A key, the words it begins an act with, the places to fill after them, and keys that may follow instead."""

    key: str
    says: str
    words: str
    slots: tuple[str, ...] = ()
    more: tuple[Way, ...] = ()


WAYS: tuple[Way, ...] = (
    Way("d", "deal", "deal", ("HAND",), (Way("u", "up card", "deal up"), Way("h", "hole card", "deal hole"))),
    Way("a", "ask", "ask", ("HAND",)),
    Way("w", "wait", "wait"),
    Way(
        "c", "call", "call", (),
        (
            Way("b", "blackjack", "call blackjack", ("SPOT",)),
            Way("i", "insurance", "call insurance"),
            Way("e", "even money", "call even money", ("SPOT",)),
            Way("t", "total", "call total", ("HAND", "is", "TOTAL")),
            Way("d", "own total", "call total dealer is", ("TOTAL",)),
            Way("f", "floor", "call floor", ("WORDS",)),
        ),
    ),
    Way("i", "close insurance", "close insurance"),
    Way("k", "peek", "peek"),
    Way("h", "turn hole", "turn hole"),
    Way("n", "draw", "draw"),
    Way("s", "stop", "stop"),
    Way("v", "separate", "separate", ("HAND",)),
    Way("p", "pay", "pay", ("HAND", "KIND", "AMOUNT")),
    Way("t", "take", "take", ("HAND", "KIND", "AMOUNT")),
    Way("r", "return", "return", ("HAND", "KIND", "AMOUNT")),
    Way("u", "push", "push", ("HAND",)),
    Way("x", "clear", "clear", ("HAND",), (Way("d", "own cards", "clear dealer"),)),
    Way("l", "lay", "lay", ("SPOT",)),
    Way("f", "refuse", "refuse", ("HAND", "WHAT")),
    Way("y", "warn", "warn", ("SPOT0",)),
    Way("g", "tap", "gesture tap", ("SPOT",)),
    Way("b", "begin round", "start"),
)  # fmt: skip
_BY_KEY = {way.key: way for way in WAYS}
_KIND_KEYS = {
    "main": "m", "double": "d", "split": "s", "insurance": "i", "pairs": "p", "tie": "t", "blackjack": "b", "bust": "x",
}  # fmt: skip
_DECISION_KEYS = {"hit": "h", "stand": "w", "double": "d", "split": "s", "surrender": "u", "even money": "e"}
_NUMBER = re.compile(r"number (\d\d)")


@dataclass(frozen=True)
class Grammar:
    """What keys may mean at a table: its places, its kinds of wagers, how many hands lie at a spot."""

    places: int
    kinds: tuple[str, ...]
    hands: Callable[[int], int]

    def kind_keys(self) -> Mapping[str, str]:
        """Return a letter for each kind of wager; numbers share ``n`` and are typed."""
        out: dict[str, str] = {}
        for kind in self.kinds:
            if _NUMBER.fullmatch(kind):
                out.setdefault("n", "number")
                continue
            letters = (_KIND_KEYS.get(kind, ""), *kind, *"abcdefghijklmnopqrstuvwxyz")
            letter = next(one for one in letters if one.isalpha() and out.get(one, kind) == kind)
            out[letter] = kind
        return out

    def what_keys(self) -> Mapping[str, str]:
        """Return a letter for everything that can be refused: decisions first, then kinds of wagers."""
        out = {_DECISION_KEYS[word]: word for word in DECISIONS}
        for letter, kind in self.kind_keys().items():
            if kind not in DECISIONS:
                free = (letter, *kind, *"abcdefghijklmnopqrstuvwxyz")
                out[next(one for one in free if one.isalpha() and one not in out)] = kind
        return out


@dataclass(frozen=True, slots=True)
class Draft:
    """An act in the making.

    ``act`` is what enter commits, ``done`` tells that it needs no enter, ``bad`` why the last key means nothing.
    """

    text: str = ""
    choices: tuple[Choice, ...] = ()
    act: Act | None = None
    done: bool = False
    bad: str = ""


class _Refused(Exception):
    pass


class _Walk:
    """Read keys from left to right, gathering the words they stand for."""

    def __init__(self, keys: Sequence[str], grammar: Grammar) -> None:
        self.keys, self.grammar, self.at = keys, grammar, 0
        self.words: list[str] = []
        self.choices: tuple[Choice, ...] = ()
        self.complete = False
        self.typed = False
        self.spot = 0

    @property
    def left(self) -> str:
        return self.keys[self.at] if self.at < len(self.keys) else ""

    def run(self) -> None:
        way = _BY_KEY.get(self.left)
        if way is None:
            raise _Refused(f"no verb has the key {self.left}")
        self.at += 1
        deeper = next((one for one in way.more if one.key == self.left), None)
        if deeper:
            self.at += 1
            way = deeper
        self.words.append(way.words)
        if not way.slots:
            return self._bare(way, deeper is not None)
        self.choices = tuple(Choice(one.key, one.says) for one in way.more) if not deeper else ()
        for slot in way.slots:
            if not self._fill(slot):
                return None
        self.complete = True
        return None

    def _bare(self, way: Way, deeper: bool) -> None:
        if deeper:
            self.complete = True
        elif way.more:
            self.choices = tuple(Choice(one.key, one.says) for one in way.more)
            if self.left:
                raise _Refused(f"{way.says}: no such key {self.left}")
        elif self.left == way.key:
            self.at += 1
            self.complete = True
        elif self.left:
            raise _Refused(f"{way.key} again says {way.words}; esc takes it back")
        else:
            self.choices = (Choice(way.key, f"again: {way.words}"),)

    def _fill(self, slot: str) -> bool:
        """Fill one place; False when keys are still missing."""
        if slot == "is":
            self.words.append("is")
            return True
        name = {"SPOT0": "spot"}.get(slot, slot.lower())
        return bool(getattr(self, f"_{name}")(slot))

    def _spot(self, slot: str) -> bool:
        lowest = 0 if slot == "SPOT0" else 1
        if not self.left:
            who = "0 a spectator, " if lowest == 0 else ""
            self.choices += (Choice(f"1-{self.grammar.places}", f"{who}spot"),)
            return False
        if not self.left.isdecimal() or not lowest <= int(self.left) <= self.grammar.places:
            raise _Refused(f"there is no spot {self.left}")
        self.spot = int(self.left)
        self.words.append(self.left)
        self.at += 1
        self.choices = ()
        return True

    def _hand(self, slot: str) -> bool:
        if not self._spot(slot):
            return False
        count = self.grammar.hands(self.spot)
        if count < 2:
            return True
        letters = "abcdefgh"[:count]
        if not self.left:
            self.choices = (Choice(f"a-{letters[-1]}", "hand"),)
            return False
        if self.left not in letters:
            raise _Refused(f"spot {self.spot} has the hands {', '.join(letters)}")
        self.words[-1] += self.left
        self.at += 1
        return True

    def _number_of(self, kind: str) -> bool:
        """Read the two digits of a number wager."""
        known = [found[1] for one in self.grammar.kinds if (found := _NUMBER.fullmatch(one))]
        digits = "".join(self.keys[self.at : self.at + 2])
        if not any(one.startswith(digits) for one in known):
            raise _Refused(f"{kind} is one of {', '.join(known)}")
        self.words.append(f"{kind} {digits}")
        self.at += len(digits)
        self.choices = (Choice("17-21", "number"),)
        return len(digits) == 2

    def _kind(self, _: str) -> bool:
        keys = self.grammar.kind_keys()
        kind = keys.get(self.left)
        if kind is None:
            self.choices = (Choice("0-9 .", "amount, then enter"), *(Choice(key, name) for key, name in keys.items()))
            return True
        self.at += 1
        self.choices = (Choice("0-9 .", "amount, then enter"),)
        if kind == "number":
            return self._number_of(kind)
        self.words.append(kind)
        return True

    def _what(self, _: str) -> bool:
        keys = self.grammar.what_keys()
        if not self.left:
            self.choices = tuple(Choice(key, name) for key, name in keys.items())
            return False
        what = keys.get(self.left)
        if what is None:
            raise _Refused(f"nothing to refuse has the key {self.left}")
        self.at += 1
        if what == "number":
            return self._number_of(what)
        self.words.append(what)
        return True

    def _rest(self) -> str:
        rest = "".join(self.keys[self.at :])
        self.at = len(self.keys)
        self.typed = True
        return rest

    def _amount(self, _: str) -> bool:
        rest = self._rest()
        if rest and not re.fullmatch(r"\d{1,7}(\.\d{0,2})?", rest):
            raise _Refused("an amount is typed like 22.50 or 10")
        if not rest:
            return False
        self.choices = (Choice("enter", "commit"),)
        self.words.append(rest)
        return not rest.endswith(".")

    def _total(self, _: str) -> bool:
        rest = self._rest()
        if rest and not re.fullmatch(r"\d{1,2}", rest):
            raise _Refused("a total is typed like 14")
        self.choices = (Choice("enter", "commit"),) if rest else (Choice("0-9", "total, then enter"),)
        self.words.extend([rest] if rest else [])
        return bool(rest)

    def _words(self, _: str) -> bool:
        rest = self._rest()
        self.choices = (Choice("enter", "commit"),) if rest.strip() else (Choice("a-z", "why, then enter"),)
        self.words.append('"' + rest.replace("\\", "\\\\").replace('"', '\\"') + '"')
        return bool(rest.strip())


def draft(keys: Sequence[str], grammar: Grammar) -> Draft:
    """Return what keys typed so far make."""
    if not keys:
        return Draft(choices=tuple(Choice(way.key, way.says) for way in WAYS))
    walk = _Walk(keys, grammar)
    try:
        walk.run()
    except _Refused as why:
        return Draft(bad=str(why))
    text = " ".join(walk.words)
    if not walk.complete:
        return Draft(text, walk.choices)
    if walk.at < len(keys):
        return Draft(bad=f"{text} is complete")
    try:
        act = parse(with_cents(text), grammar.kinds)
    except BadNotation as why:
        return Draft(text, walk.choices, bad=str(why))
    return Draft(text, walk.choices, act, done=not walk.typed)


def with_cents(text: str) -> str:
    """Write out the cents of an amount at the end of a pay, take or return: ``pay 3 22.5`` becomes ``pay 3 22.50``."""
    found = re.fullmatch(r"((?:pay|take|return) [1-9][a-h]?(?: .*?)?) (\d{1,7})(?:\.(\d{0,2}))?", text.strip())
    if found is None or (found[1].endswith("number") and found[3] is None):
        return text
    return f"{found[1]} {found[2]}.{(found[3] or '').ljust(2, '0')}"


def keys_for(act: Act, grammar: Grammar) -> tuple[str, ...]:
    """Return the keys that make an act, ``enter`` at the end where needed; none for one that only the line can say."""
    if act.flag or (act.card is not None and act.verb != "turn hole"):
        return ()
    for way in WAYS:
        for one, lead in ((way, (way.key,)), *((deeper, (way.key, deeper.key)) for deeper in way.more)):
            if verb_of(one.words) == act.verb:
                return _spelled(act, one, lead, grammar)
    return ()


def verb_of(words: str) -> str:
    """Return the verb that words of a way begin."""
    return "call total dealer" if words == "call total dealer is" else words


def _spelled(act: Act, way: Way, lead: tuple[str, ...], grammar: Grammar) -> tuple[str, ...]:
    if not way.slots:
        return lead if len(lead) > 1 else (*lead, *lead)
    out = list(lead)
    for slot in way.slots:
        if slot in ("HAND", "SPOT", "SPOT0"):
            out += [*(act.place if grammar.hands(act.spot) > 1 or not act.hand else act.place[:1])] or ["0"]
        elif slot == "KIND" and act.kind:
            out += _lettered(act.kind, grammar.kind_keys())
        elif slot == "WHAT":
            out += _lettered(act.what, grammar.what_keys())
        elif slot == "AMOUNT":
            out += [*dollars(act.amount or 0), "enter"]
        elif slot == "TOTAL":
            out += [*str(act.total), "enter"]
        elif slot == "WORDS":
            out += [*act.words, "enter"]
    return tuple(out)


def _lettered(name: str, keys: Mapping[str, str]) -> list[str]:
    head, _, digits = name.partition(" ") if name.startswith("number ") else (name, "", "")
    return [next(key for key, one in keys.items() if one == head), *digits]


def shown_keys(act: Act, grammar: Grammar) -> str:
    """Print the keys of an act as a person reads them: ``p3 22.50 enter``; "" when only the line can say it."""
    keys = keys_for(act, grammar)
    if keys[-1:] != ("enter",):
        return "".join(keys)
    value = act.words or (dollars(act.amount) if act.amount is not None else str(act.total))
    return f"{''.join(keys[: -1 - len(value)])} {value} enter"


def completions(text: str, cursor: int, kinds: Sequence[str]) -> tuple[int, list[str]]:
    """Return where the word before the cursor starts and the words of the notation that may stand there."""
    head = text[:cursor]
    names = [verb.name for verb in VERBS if verb.role is not Role.PLAYER]
    fitting = sorted(name for name in names if name.startswith(head.lstrip()))
    if fitting:
        return len(head) - len(head.lstrip()), [f"{name} " for name in fitting]
    start = head.rfind(" ") + 1
    word = head[start:]
    if head.startswith("refuse "):
        pool: tuple[str, ...] = (*DECISIONS, *kinds)
    elif head.startswith(("pay ", "take ", "return ")):
        pool = tuple(kinds)
    elif head.startswith("call total "):
        pool = ("is", "dealer is")
    else:
        pool = ()
    return start, [f"{one} " for one in dict.fromkeys(pool) if one.startswith(word)]
