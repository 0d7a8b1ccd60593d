"""Rounds that are right in one house and wrong in another: found by dealing, then cut down to what is needed."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace

from trainer.actions import Act, Role
from trainer.cards import Card, cards
from trainer.compliance.variants import NOWHERE, variants
from trainer.procedure.machine import HouseMachine
from trainer.procedure.moment import Position, TableOptions
from trainer.procedure.verdicts import Severity, Verdict
from trainer.rounds.deal import Chooser, Live, any_way, first, next_act
from trainer.rounds.players import DIFFICULTIES
from trainer.rounds.script import Line, Script, options_for
from trainer.table import CannotHappen, Table

KEPT = 2
LONGEST = 90
WAYS: tuple[Chooser, ...] = (first, any_way, any_way)
_RANKS = "AAAAATTTTJQK2334455566677788899"
_SUITS = "shdc"


@dataclass(frozen=True, slots=True)
class Separating:
    """A round right in its own house; ``rules`` are those that fault it in the other."""

    rule: str
    script: Script
    rules: tuple[str, ...]

    @property
    def acts(self) -> int:
        return len(self.script.lines)

    @property
    def key(self) -> list[str]:
        """Its lines as text, to choose among equals always the same."""
        return [str(line.act) for line in self.script.lines]


def is_clean(script: Script, machine: HouseMachine) -> bool:
    """Tell whether a round runs to its end without a finding, advice included."""
    position = start(script, machine)
    for line in script.lines:
        verdict = _done(machine, position, line)
        if verdict is None or (line.act.role is Role.DEALER and verdict.unmet):
            return False
    return position.state == "over"


def faulted(script: Script, machine: HouseMachine) -> tuple[str, ...]:
    """Return the rules whose documented evidence faults an act of a round, in order; none when it cannot happen."""
    found: dict[str, None] = {}
    position = start(script, machine)
    for line in script.lines:
        verdict = _done(machine, position, line)
        if verdict is None:
            return ()
        if line.act.role is Role.DEALER:
            found.update(dict.fromkeys(one.rule.slug for one in verdict.unmet if one.severity is Severity.FAULT))
    return tuple(found)


def start(script: Script, machine: HouseMachine) -> Position:
    """Return the position a script begins with."""
    table = Table(places=script.options.places, players=dict(script.players))
    return Position(machine.house, table, options=script.options)


def _done(machine: HouseMachine, position: Position, line: Line) -> Verdict | None:
    try:
        return machine.apply(position, line.act, machine.judge(position, line.act, instead=False))
    except CannotHappen:
        return None


def candidates(
    machine: HouseMachine,
    count: int,
    seed: str = "compare",
    ways: tuple[Chooser, ...] = WAYS,
    players: tuple[str, ...] = DIFFICULTIES,
) -> Iterator[Script]:
    """Yield rounds dealt right in a house, with short stacked shoes, awkward players and every open order."""
    for number in range(count):
        script = _deal(machine, f"{seed} {machine.house.slug} {number}", ways, players)
        if script is not None:
            yield script


def _deal(machine: HouseMachine, seed: str, ways: tuple[Chooser, ...], players: tuple[str, ...]) -> Script | None:
    dice = random.Random(seed)
    spots = dice.choice(((1,), (1,), (1,), (1, 2), (1, 2), (1, 2, 3)))
    options = _options(machine, dice)
    one_player = dice.random() < 0.3
    script = Script(
        machine.house.slug,
        options=options,
        players=tuple((spot, "Ann" if one_player else f"player {spot}") for spot in spots),
        seed=seed,
        shoe=tuple(_shoe(dice, options.decks)),
    )
    live = Live(machine, script, spots, dice.choice(players))
    choose = dice.choice(ways)
    live.open_round()
    for _ in range(LONGEST):
        if live.session.position.state == "over":
            break
        live.dealer(next_act(live, choose, dice))
    dealt = bare(script, [entry.act for entry in live.session.entries])
    return dealt if is_clean(dealt, machine) else None


def _options(machine: HouseMachine, dice: random.Random) -> TableOptions:
    house = machine.house
    options = replace(options_for(house), places=dice.choice((6, 7)))
    if house.games and dice.random() < 0.7:
        options = replace(options, games=frozenset(game for game in house.games if dice.random() < 0.7))
    if house.is_("surrender") == "yes" and dice.random() < 0.1:
        options = replace(options, variations=(("surrender", False),))
    return options


def _shoe(dice: random.Random, decks: int) -> list[Card]:
    """Forty cards with more aces and tens than chance gives, none more often than the decks hold it."""
    drawn: list[str] = []
    while len(drawn) < 40:
        one = dice.choice(_RANKS) + dice.choice(_SUITS)
        if drawn.count(one) < decks:
            drawn.append(one)
    return cards(" ".join(drawn))


def bare(script: Script, acts: Iterable[Act]) -> Script:
    """Return a script of acts alone, without seed and shoe: its cards stand in its lines."""
    return replace(script, seed="", shoe=(), lines=tuple(Line(act, NOWHERE) for act in acts))


class Search:
    """The shortest rounds known that are right in one house and break a rule of another."""

    def __init__(self, home: HouseMachine, others: Iterable[HouseMachine]) -> None:
        self.home, self.others = home, {machine.house.slug: machine for machine in others}
        self.found: dict[tuple[str, str], list[tuple[int, int, Script]]] = {}
        self.searched = 0

    def look(self, count: int, seed: str = "compare") -> None:
        """Deal ``count`` rounds at home and replay each in the other houses."""
        for script in candidates(self.home, count, seed):
            self.searched += 1
            for slug, machine in self.others.items():
                rules = faulted(script, machine)
                for rule in rules:
                    self._keep((slug, rule), len(rules), script)

    def vary(self, count: int = 12) -> None:
        """Look at every neighbour of the shortest rounds found: what no simulated player or dealer would do."""
        known = {script for scripts in self.found.values() for _, _, script in scripts}
        for script in sorted(known, key=lambda one: (len(one.lines), [str(line.act) for line in one.lines]))[:count]:
            right = _Dealt(script, self.home, strict=True)
            away = {slug: _Dealt(script, machine) for slug, machine in self.others.items()}
            for lines in variants(script):
                end = right.end(lines)
                if end is None or end.position.state != "over":
                    continue
                self.searched += 1
                for slug, dealt in away.items():
                    there = dealt.end(lines)
                    if there is not None:
                        for rule in there.faults:
                            self._keep((slug, rule), len(there.faults), replace(script, lines=lines))

    def _keep(self, key: tuple[str, str], rules: int, script: Script) -> None:
        kept = self.found.setdefault(key, [])
        kept.append((len(script.lines), rules, script))
        kept.sort(key=lambda one: one[:2])
        # Beside the shortest, the one that breaks least: it may be cut down as far, and tells one thing only.
        plainest = min(kept, key=lambda one: (one[1], one[0]))
        del kept[KEPT:]
        if plainest not in kept:
            kept.append(plainest)

    def shortest(self) -> Iterator[tuple[str, Separating]]:
        """Yield other house and separating round for each rule found, cut down as far as it goes.

        A round cut down for one rule is a candidate for the others it breaks.
        """
        for slug, other in self.others.items():
            done: list[Separating] = []
            mine = [(scripts[0][0], rule) for (name, rule), scripts in self.found.items() if name == slug]
            for _, rule in sorted(mine):
                scripts = [script for _, _, script in self.found[slug, rule]]
                scripts += [one.script for one in done if rule in one.rules][:2]
                cut = Cutter(self.home, other, rule)
                found = [cut.cut(script) for script in dict.fromkeys(scripts)]
                done.append(min(found, key=lambda one: (one.acts, len(one.rules), one.key)))
                yield slug, done[-1]


def separates(script: Script, home: HouseMachine, other: HouseMachine, rule: str) -> bool:
    """Tell whether a round is right at home and breaks this rule in the other house."""
    return is_clean(script, home) and rule in faulted(script, other)


class Cutter:
    """Cuts rounds down as long as they stay right at home and break one rule of another house."""

    def __init__(self, home: HouseMachine, other: HouseMachine, rule: str) -> None:
        self.home, self.other, self.rule = home, other, rule

    def cut(self, script: Script) -> Separating:
        """Return the shortest round reached from a script by leaving lines out and moving them."""
        right, away = _Dealt(script, self.home, strict=True), _Dealt(script, self.other)

        def broken(lines: tuple[Line, ...]) -> tuple[str, ...]:
            """The rules broken elsewhere by a round right at home; none when it does not separate."""
            home = right.end(lines)
            if home is None or home.position.state != "over":
                return ()
            there = away.end(lines)
            return there.faults if there is not None and self.rule in there.faults else ()

        lines, before = script.lines, None
        while before != lines:
            before = lines
            for length in (8, 5, 3, 2, 1):
                lines = _without_runs(lines, length, broken)
            if before == lines:
                lines = next((tried for tried in _without_two(lines) if broken(tried)), lines)
        lines = _with_fewer_rules(lines, broken)
        return self._separating(_tidy(replace(script, lines=lines), self.home, self.other, self.rule))

    def _separating(self, script: Script) -> Separating:
        return Separating(self.rule, script, faulted(script, self.other))


@dataclass(slots=True)
class _Node:
    """Where some lines lead: the position, and the rules broken on the way."""

    position: Position
    faults: tuple[str, ...] = ()
    onward: dict[Act, _Node | None] = field(default_factory=dict)


class _Dealt:
    """Remembers every beginning dealt, so that rounds which begin alike are dealt together.

    ``strict`` gives up a round at its first finding; an act that cannot happen always ends it.
    """

    def __init__(self, script: Script, machine: HouseMachine, *, strict: bool = False) -> None:
        self.root, self.machine, self.strict = _Node(start(script, machine)), machine, strict

    def end(self, lines: tuple[Line, ...]) -> _Node | None:
        node = self.root
        for line in lines:
            if line.act not in node.onward:
                node.onward[line.act] = self._next(node, line)
            further = node.onward[line.act]
            if further is None:
                return None
            node = further
        return node

    def _next(self, node: _Node, line: Line) -> _Node | None:
        position = node.position.copied()
        verdict = _done(self.machine, position, line)
        if verdict is None:
            return None
        faults = node.faults
        if line.act.role is Role.DEALER and verdict.unmet:
            if self.strict:
                return None
            new = [one.rule.slug for one in verdict.unmet if one.severity is Severity.FAULT]
            faults = tuple(dict.fromkeys((*faults, *new)))
        return _Node(position, faults)


Broken = Callable[[tuple[Line, ...]], tuple[str, ...]]


def _without_runs(lines: tuple[Line, ...], length: int, broken: Broken) -> tuple[Line, ...]:
    """Leave out every run of so many lines that is not needed."""
    at = 0
    while at + length <= len(lines):
        tried = lines[:at] + lines[at + length :]
        if broken(tried):
            lines = tried
        else:
            at += 1
    return lines


def _without_two(lines: tuple[Line, ...]) -> Iterator[tuple[Line, ...]]:
    """Every way to leave out two lines that do not follow one another."""
    for late in range(len(lines)):
        for early in range(late - 1):
            yield lines[:early] + lines[early + 1 : late] + lines[late + 1 :]


def _with_fewer_rules(lines: tuple[Line, ...], broken: Broken) -> tuple[Line, ...]:
    """Move or swap lines as long as that breaks fewer other rules of the other house."""
    rules = len(broken(lines))
    better = True
    while better and rules > 1:
        better = False
        for tried in _moved(lines):
            found = broken(tried)
            if found and len(found) < rules:
                lines, rules, better = tried, len(found), True
                break
    return lines


def _moved(lines: tuple[Line, ...]) -> Iterator[tuple[Line, ...]]:
    """Every way to move one line, or to swap two."""
    for old in range(len(lines)):
        rest = lines[:old] + lines[old + 1 :]
        for new in range(len(lines)):
            if new != old:
                yield (*rest[:new], lines[old], *rest[new:])
    for one in range(len(lines)):
        for other in range(one + 2, len(lines)):
            swapped = list(lines)
            swapped[one], swapped[other] = lines[other], lines[one]
            yield tuple(swapped)


def _tidy(script: Script, home: HouseMachine, other: HouseMachine, rule: str) -> Script:
    """Drop what the header says and the round does not need."""
    spots = {line.act.spot for line in script.lines}
    tried = [
        replace(script, players=()),
        replace(script, players=tuple(one for one in script.players if one[0] in spots)),
    ]
    for one in tried:
        if separates(one, home, other, rule):
            script = one
            break
    for game in sorted(script.options.games):
        one = replace(script, options=replace(script.options, games=script.options.games - {game}))
        if separates(one, home, other, rule):
            script = one
    return script
