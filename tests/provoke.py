"""Provoke one mistake in any house: the house's own routine is filled in, only the marked act is meant to be wrong.

A stream is a list of lines. Besides the notation it knows

- ``deal``: the initial deal, as the house does it;
- ``routine``: whatever the house does before the next decision, card or settlement (calls, questions, looks, early
  payments); ``routine without call insurance`` leaves acts out;
- ``until ACT``: the recommended way, with players who stand, until ACT comes next;
- ``! ACT``: the mistake; ``? ACT``: an earlier mistake that leads to it.

Cards come from ``cards`` by the place they go to: a spot, ``up``, ``hole``, ``draw``. ``{blackjack}`` is what a
blackjack on 10.00 earns in the house.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from trainer.actions import KINDS, Act, Role, parse
from trainer.cards import cards
from trainer.chips import Odds, cents, dollars
from trainer.procedure.machine import HouseMachine
from trainer.procedure.moment import Moment, Position, TableOptions, unfinished
from trainer.procedure.verdicts import Severity, Verdict
from trainer.procedure.ways import dealer_ways
from trainer.rounds.script import options_for
from trainer.table import CannotHappen, Table

TABLE = Path(__file__).with_name("mistakes.yaml")
OPENING = ("wagers", "dealing", "opening", "peeked none")
TALK = ("ask", "call total", "call blackjack", "call insurance")
NEVER_ROUTINE = ("wait", "separate", "turn hole", "draw", "stop", "clear dealer", "start", "refuse", "call floor")


def streams() -> dict[str, dict[str, Any]]:
    """Return the table of mistakes by id."""
    with TABLE.open(encoding="utf-8") as file:
        table: dict[str, dict[str, Any]] = yaml.load(file, Loader=yaml.CSafeLoader)["mistakes"]
    return table


def lines_for(entry: dict[str, Any], house: str) -> list[str]:
    """Return the stream of a mistake in a house."""
    lines: list[str] | dict[str, list[str]] = entry["lines"]
    if isinstance(lines, list):
        return lines
    return next((own for names, own in lines.items() if house in names.split()), lines.get("else", []))


@dataclass
class Provocation:
    """A round dealt up to and including the marked act."""

    machine: HouseMachine
    entry: dict[str, Any]
    position: Position = field(init=False)
    marked: Verdict | None = None

    def __post_init__(self) -> None:
        house, entry = self.machine.house, self.entry
        plain = options_for(house)
        self.cards = {str(place): cards(text) for place, text in (entry.get("cards") or {}).items()}
        groups = tuple(tuple(group) for group in entry.get("colour-groups", []))
        options = TableOptions(
            places=entry.get("places", plain.places),
            minimum=cents(entry["minimum"]) if "minimum" in entry else plain.minimum,
            maximum=plain.maximum,
            chips=tuple(cents(chip) for chip in entry["chips"]) if "chips" in entry else plain.chips,
            games=frozenset(entry.get("games", [])) & frozenset(house.games),
            variations=tuple((name, word == "on") for name, word in entry.get("variations", {}).items()),
            colour_groups=groups,
        )
        table = Table(options.places, players={int(n): name for n, name in entry.get("players", {}).items()})
        self.position = Position(house, table, options=options)

    def play(self) -> Verdict:
        """Deal the stream and return the verdict on its marked act."""
        for line in lines_for(self.entry, self.machine.house.slug):
            self.line(line)
        assert self.marked is not None, "no act is marked"
        return self.marked

    def line(self, line: str) -> None:
        """Do one line of the stream."""
        if line == "deal":
            self._follow(lambda _: self.position.state in ("wagers", "dealing"))
        elif line.startswith("routine"):
            left_out = line.removeprefix("routine without ") if " without " in line else ""
            self._follow(self._is_routine, left_out)
        elif line.startswith("until "):
            self._until(line.removeprefix("until "))
        elif line[:2] in ("! ", "? "):
            verdict = self.do(self.read(line[2:]))
            if line[0] == "!":
                self.marked = verdict
        else:
            act = self.read(line)
            verdict = self.do(act)
            clean = act.role is not Role.DEALER or verdict.severity is not Severity.FAULT
            assert clean, (line, [(one.rule.slug, one.why) for one in verdict.unmet])

    def read(self, text: str) -> Act:
        """Read a line of the notation, prices of the house filled in."""
        price = Odds.read(self.machine.house.is_("blackjack-odds")).on(1000)
        return parse(text.replace("{blackjack}", dollars(price)), KINDS)

    def do(self, act: Act) -> Verdict:
        """Judge an act, with the next card of its place, and carry it out."""
        if act.card is None and act.verb in ("deal", "deal up", "deal hole", "draw"):
            place = {"deal": str(act.spot), "deal up": "up", "deal hole": "hole"}.get(act.verb, "draw")
            act = act.with_card(self.cards[place].pop(0))
        verdict = self.machine.judge(self.position, act)
        self.machine.apply(self.position, act, verdict)
        return verdict

    def _recommended(self, left_out: str = "") -> Act | None:
        for act in dealer_ways(self.position):
            if act.verb == "wait" and self.position.state in OPENING and not self._somebody_decides():
                continue
            if left_out and str(act).startswith(left_out):
                continue
            try:
                if self.machine.judge(self.position, act, instead=False).is_right:
                    return act
            except CannotHappen:
                continue
        return None

    def _somebody_decides(self) -> bool:
        moment = Moment(self.position, Act("wait"))
        return not moment.up_is_ace or self.position.table.ledger.insurance_closed

    def _is_routine(self, act: Act) -> bool:
        if act.verb in NEVER_ROUTINE:
            return False
        state = self.position.state
        if state not in OPENING:
            return act.verb in TALK
        return act.verb != "deal" or state in ("wagers", "dealing")

    def _follow(self, goes_on: Any, left_out: str = "") -> None:
        for _ in range(60):
            act = self._recommended(left_out)
            if act is None or not goes_on(act):
                return
            self.do(act)
        raise AssertionError("the routine does not end")

    def _until(self, wanted: str) -> None:
        for _ in range(120):
            act = self._recommended()
            assert act is not None, f"nothing is right in state {self.position.state}"
            if str(act).startswith(wanted):
                return
            if act.verb == "wait":
                spot, index, _ = unfinished(self.position.house, self.position.table)[0]
                act = Act("signal", spot.number, index if spot.is_split else 0, what="stand")
            self.do(act)
        raise AssertionError(f"{wanted} never comes")
