"""Random walks for property tests: every act a dealer might think of, legal walks seen step by step, illegal walks."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace

from wild_rounds import CARD_VERBS, IDLE, WildRound

from trainer.actions import DECISIONS, VERBS, Act, Role
from trainer.checks import check
from trainer.procedure.machine import HouseMachine
from trainer.procedure.moment import Position
from trainer.procedure.settle import stack_due
from trainer.procedure.verdicts import Verdict
from trainer.table import CannotHappen, Hand, Spot, Table

PLAIN = tuple(
    verb.name for verb in VERBS if verb.role is Role.DEALER and len(verb.form.split()) == len(verb.name.split())
)
ON_SPOTS = ("call blackjack", "call even money", "lay", "gesture tap", "warn")
ON_HANDS = ("ask", "separate", "push", "clear")
SIDE_KINDS = ("insurance", "pairs", "tie", "blackjack", "number 17", "number 20", "bust")


def every_act(position: Position) -> Iterator[Act]:
    """Yield dealer acts over all verbs, spots, kinds, totals and amounts, right ones among many wrong ones."""
    for verb in (*PLAIN, "deal up", "deal hole", "draw", "turn hole"):
        yield Act(verb)
    yield Act("call floor", words="a question")
    for total in (2, 12, 17, 21):
        yield Act("call total dealer", total=total)
    for number in range(1, position.table.places + 1):
        for verb in ON_SPOTS:
            yield Act(verb, number)
        spot = position.table.spots[number]
        for index, hand in enumerate(spot.hands, 1):
            yield from _on_a_hand(position, spot, index, hand)


def _on_a_hand(position: Position, spot: Spot, index: int, hand: Hand) -> Iterator[Act]:
    for named in {0, index} if not spot.is_split or index == 1 else {index}:
        place = {"spot": spot.number, "hand": named}
        for verb in ON_HANDS:
            yield Act(verb, **place)  # type: ignore[arg-type]
        for flag in ("", "down"):
            yield Act("deal", **place, flag=flag)  # type: ignore[arg-type]
        for total in {hand.total, hand.total - 10, hand.total + 1}:
            if total > 0:
                yield Act("call total", **place, total=total)  # type: ignore[arg-type]
        for what in (*DECISIONS, *SIDE_KINDS, "main"):
            yield Act("refuse", **place, what=what)  # type: ignore[arg-type]
        for kind in ("", "main", "split", "double", *SIDE_KINDS):
            for amount in _amounts(position, spot, hand, kind):
                for verb in ("pay", "take", "return"):
                    yield Act(verb, **place, kind=kind, amount=amount)  # type: ignore[arg-type]


def _amounts(position: Position, spot: Spot, hand: Hand, kind: str) -> list[int]:
    stacks = [*hand.stacks.values(), *spot.side.values()]
    stacks = [stack for stack in stacks if not kind or stack.kind == kind]
    found = {500}
    for stack in stacks:
        due = stack_due(position, spot, hand, stack)
        found |= {stack.staked, stack.amount, stack.staked // 2, due.amount, due.amount + 50, stack.staked * 3 // 2}
    found.add(sum(stack.staked for stack in hand.on_hand))
    return sorted(amount for amount in found if amount > 0)


def possible(position: Position, act: Act) -> bool:
    """Tell whether a table could see the act."""
    try:
        check(position.table, act)
    except CannotHappen:
        return False
    return True


def picture(position: Position) -> str:
    """Everything a position holds, as text: two are equal when nothing at all differs."""
    return f"{position.state} {position.table!r}"


def conserved(table: Table) -> tuple[int, int]:
    """Cents and cards that came from nowhere; (0, 0) when the table is sound."""
    return table.rack + table.pockets + table.on_felt, table.cards_on_felt + len(table.discards) - table.dealt


Watch = Callable[[Position, Act, Verdict], None]


class WatchedRound(WildRound):
    """A legal random round; ``before`` sees each position with its coming act, ``after`` sees what came of it."""

    def __init__(
        self, machine: HouseMachine, seed: str, before: Watch | None = None, after: Watch | None = None
    ) -> None:
        self.before, self.after = before, after
        super().__init__(machine, random.Random(f"{machine.house.slug} {seed}"), in_order=False)

    def happen(self, act: Act) -> None:
        if self.before:
            self.before(self.position, act, self.machine.judge(self.position, act))
        verdict = self.machine.apply(self.position, act)
        self.acts.append(act)
        if self.after:
            self.after(self.position, act, verdict)

    def _step(self) -> None:
        for event in self._events():
            self.happen(event)
        act = self._choose()
        self.happen(act.with_card(self.next_card(act)) if act.verb in CARD_VERBS else act)


class WrongRound(WatchedRound):
    """An assessed round in which about every third act is any act at all; wrong ones take effect, the round goes on."""

    wrong = 0.3
    wrong_acts = 25

    def play(self) -> WrongRound:
        """Deal on until the round is over or, after all wrong acts, plainly stuck."""
        self._wagers()
        for _ in range(220):
            if self.position.state == "over":
                break
            self._step()
        return self

    def _step(self) -> None:
        if self.dice.random() < self.wrong and self.wrong_acts > 0:
            acts = [act for act in every_act(self.position) if act.verb != "start" and possible(self.position, act)]
            verb = self.dice.choice(sorted({one.verb for one in acts}))
            act = self.dice.choice([one for one in acts if one.verb == verb])
            self.wrong_acts -= 1
            self.happen(act.with_card(self.next_card(act)) if act.verb in CARD_VERBS else act)
            if self.dice.random() < 0.5:
                return
        if self.position.state != "over":
            super()._step()

    def _events(self) -> list[Act]:
        return [act for act in super()._events() if possible(self.position, act)]

    def _choose(self) -> Act:
        """What is listed first and moves the round on."""
        ways = self.machine.legal_actions(self.position)
        moving = [act for act in ways if act.verb not in IDLE or act.verb == "refuse"]
        return (moving or ways)[0]


def normalised(act: Act) -> Act:
    """The act without what has no weight: card, side down, words, letters where none is needed, the word main."""
    kind = "" if act.kind == "main" else act.kind
    of_the_spot = act.verb in ("pay", "take", "return") and kind in SIDE_KINDS and kind != "bust"
    hand = 0 if act.hand == 1 or of_the_spot or act.verb == "gesture tap" else act.hand
    return replace(act, card=None, flag="", words="", hand=hand, kind=kind)
