"""Deal a round by itself: the shoe supplies cards, simulated players answer, the dealer follows the machine."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

from trainer.actions import Act
from trainer.cards import Card, Shoe
from trainer.procedure.machine import HouseMachine
from trainer.procedure.moment import TableOptions
from trainer.procedure.verdicts import Severity
from trainer.rounds.play import Entry, Session
from trainer.rounds.players import Players
from trainer.rounds.script import Line, Script

CARD_VERBS = ("deal", "deal up", "deal hole", "draw")
Chooser = Callable[[list[Act], random.Random], Act]


class Stuck(RuntimeError):
    """No dealer act is right although the round is not over: a fault of the procedure."""


class Live:
    """A session at a live table: shoe, players and the acts of the dealer."""

    def __init__(
        self,
        machine: HouseMachine,
        script: Script,
        spots: tuple[int, ...] = (1, 2, 3),
        difficulty: str = "plain",
        emit: Callable[[Entry], None] | None = None,
    ) -> None:
        self.session = Session(machine, script)
        self.shoe = Shoe(script.options.decks, script.seed, script.shoe)
        self.players = Players(machine, script.seed, spots, difficulty)
        self.emit = emit or (lambda entry: None)

    def open_round(self) -> None:
        """Let the players put down their wagers."""
        for act in self.players.wagers(self.session.position, len(self.session.entries)):
            self._commit(act)

    def next_card(self) -> Card:
        """Return the card that comes next; an empty shoe is refilled with a fresh one (D-91)."""
        if not len(self.shoe):
            self.shoe = Shoe(self.session.script.options.decks, f"{self.session.script.seed} again")
        return self.shoe.next

    def resume(self, lines: tuple[Line, ...]) -> None:
        """Do again what a broken-off record holds; the shoe and the players stand where they stood.

        Raises:
            CannotHappen: a line of the record cannot happen.
        """
        for line in lines:
            self.session.do(line.act, at=line.at, blocked=line.blocked)
            if line.act.card is not None and not line.blocked:
                self.next_card()
                self.shoe.remove(line.act.card)

    def _commit(self, act: Act, blocked: bool = False, at: float | None = None) -> Entry:
        entry = self.session.do(act, blocked=blocked, at=at)
        self.emit(entry)
        return entry

    def dealer(self, act: Act, *, coached: bool = False, at: float | None = None) -> Entry:
        """Do a dealer act; coached, a fault is blocked and only noted. Players answer what was done.

        Raises:
            CannotHappen: no table could see this act; nothing is noted and no card left the shoe.
        """
        if coached and self.session.judge(act).severity is Severity.FAULT:
            # The card stays in the shoe, and unseen.
            return self._commit(act, True, at)
        needs = act.verb in CARD_VERBS and act.card is None
        if needs:
            act = act.with_card(self.next_card())
        entry = self._commit(act, False, at)
        if needs:
            self.shoe.take()
        if act.verb == "start":
            self.open_round()
        else:
            for event in self.players.answers(self.session.position, act, len(self.session.entries)):
                self._commit(event)
        return entry


def first(ways: list[Act], _: random.Random) -> Act:
    """Choose the house's or the default's own way."""
    return ways[0]


def any_way(ways: list[Act], dice: random.Random) -> Act:
    """Choose any legal act that moves the round on."""
    return dice.choice(ways)


def deal_rounds(
    machine: HouseMachine,
    options: TableOptions,
    *,
    seed: str,
    rounds: int = 1,
    spots: tuple[int, ...] = (1, 2, 3),
    players: tuple[tuple[int, str], ...] = (),
    difficulty: str = "plain",
    choose: Chooser = first,
    limit: int = 600,
    emit: Callable[[Entry], None] | None = None,
) -> Session:
    """Deal perfect rounds and return their session.

    Raises:
        Stuck: no act was right, or a round took more than ``limit`` acts.
    """
    script = Script(machine.house.slug, options=options, seed=seed, players=players, difficulty=difficulty)
    live = Live(machine, script, spots, difficulty, emit)
    dice = random.Random(f"dealer {seed}")
    live.open_round()
    for number in range(rounds):
        if number:
            live.dealer(Act("start"))
        for _ in range(limit):
            if live.session.position.state == "over":
                break
            live.dealer(next_act(live, choose, dice))
        else:
            raise Stuck(f"round {number + 1} of seed {seed} did not end; state {live.session.position.state}")
    return live.session.finish()


_IDLE = ("wait", "call floor", "gesture tap", "call total", "call total dealer", "call blackjack", "call insurance",
         "ask", "warn", "call even money")  # fmt: skip


def next_act(live: Live, choose: Chooser, dice: random.Random) -> Act:
    """Choose the next dealer act among those that are right.

    Raises:
        Stuck: none is.
    """
    position, machine = live.session.position, live.session.machine
    if choose is first:
        from trainer.procedure.ways import dealer_ways

        for act in dealer_ways(position):
            if machine._is_right(position, act):
                return act
        raise Stuck(f"nothing is right in state {position.state} of seed {live.session.script.seed}")
    ways = machine.legal_actions(position)
    moving = [act for act in ways if act.verb not in _IDLE]
    if dice.random() < 0.75 and moving:
        return choose(moving, dice)
    if not ways:
        raise Stuck(f"nothing is right in state {position.state} of seed {live.session.script.seed}")
    return choose(ways, dice)


def without_card(act: Act) -> Act:
    """Return a dealing act without its card, as ``legal_actions`` lists it."""
    return replace(act, card=None) if act.card is not None else act
