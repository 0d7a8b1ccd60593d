"""Rounds in which anybody does whatever has not been seen yet: wrong acts take effect, and what came wrong is put right."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from wander import CARD_VERBS, SIDE_KINDS, WrongRound, every_act, possible

from trainer.actions import Act, Role
from trainer.cards import DECK, Card
from trainer.compliance.coverage import FAILED, HELD, speaks
from trainer.procedure.machine import HouseMachine
from trainer.procedure.moment import Moment, Position
from trainer.procedure.settle import stack_due
from trainer.procedure.verdicts import Verdict

Key = tuple[str, ...]
SIGNS = ("surrender", "repeated splits", "even money", "pairs", "tie", "fortune-teller", "bust")


def every_event(position: Position) -> Iterator[Act]:
    """Yield players' events, most of them out of order."""
    yield Act("spectator touches")
    for spot in position.table.spots.values():
        number, stake = spot.number, spot.original or position.options.minimum
        yield Act("touch", number)
        for kind in ("", "bust", *SIDE_KINDS[1:6]):
            for amount in (stake, stake // 2, 100, 50, stake * 2):
                yield Act("wager", number, kind=kind, amount=amount)
        yield Act("wager", number, amount=stake, flag="outside")
        if not spot.is_wagered:
            continue
        for amount in (stake // 2, stake, 100, 25):
            yield Act("insure", number, amount=amount)
        yield Act("insure", number, amount=stake // 2, flag="misplaced")
        yield from (Act(verb, number) for verb in ("decline", "even money", "surrender"))
        for index in range(1, len(spot.hands) + 1):
            place = {"spot": number, "hand": index if spot.is_split else 0}
            for what in ("hit", "stand"):
                for flag in ("", "by word"):
                    yield Act("signal", **place, what=what, flag=flag)  # type: ignore[arg-type]
            for verb in ("double", "split"):
                for amount in (stake, stake // 2, stake * 2):
                    yield Act(verb, **place, amount=amount)  # type: ignore[arg-type]


def _putting_right(position: Position) -> Iterator[Act]:
    """Yield payments and takes of what a settlement fell short or went over, and of all it moved."""
    for spot in position.table.wagered:
        stacks = [(0, spot.hands[0], stack) for stack in spot.side.values()]
        stacks += [(index, hand, stack) for index, hand in enumerate(spot.hands, 1) for stack in hand.stacks.values()]
        for index, hand, stack in stacks:
            if not stack.settled:
                continue
            due = stack_due(position, spot, hand, stack)
            kind = "" if stack.kind == "main" else stack.kind
            for amount in {abs(stack.net), abs(due.net - stack.net)} - {0}:
                for verb in ("pay", "take"):
                    yield Act(verb, spot.number, index if spot.is_split else 0, kind=kind, amount=amount)


def verdict_keys(position: Position, act: Act, verdict: Verdict, machine: HouseMachine) -> set[Key]:
    """What an act exercises of the machine, in the words of the coverage."""
    moment, failed = Moment(position, act), {one.name for one in verdict.unmet}
    keys: set[Key] = {("row", verdict.step)} if verdict.step else set()
    keys |= {("rule", one.rule.slug, FAILED) for one in verdict.unmet}
    keys |= {("duty", one.name, FAILED) for one in verdict.unmet}
    step = next((one for one in machine.house.steps if one.id == verdict.step), None)
    for use in step.uses if step else ():
        if speaks(moment, use):
            keys.add(("use", verdict.step, use.name, FAILED if use.name in failed else HELD))
    return keys


class CuriousRound(WrongRound):
    """An assessed round; at most positions somebody does what exercises something ``wanted`` and not seen yet."""

    wanted: set[Key] = set()
    wrong_acts = 12

    def __init__(self, machine: HouseMachine, seed: str, wanted: set[Key]) -> None:
        super().__init__(machine, seed)
        self.wanted, self.shown = wanted, 0
        off = tuple((name, False) for name in SIGNS if self.dice.random() < 0.12)
        groups = (("number 17", "number 18"), ("number 19", "number 20")) if self.dice.random() < 0.2 else ()
        self.options = replace(self.options, variations=off, colour_groups=groups)
        self.position.options = self.options

    def next_card(self, act: Act) -> Card:
        """Any card at all: more are tried than a shoe holds."""
        return self.dice.choice(list(DECK.values()))

    def _step(self) -> None:
        if self.dice.random() < 0.8:
            found = self._something_new()
            if found is not None:
                self.happen(found)
                return
        super()._step()

    def _something_new(self) -> Act | None:
        """An act that exercises what is wanted; it is wanted no more."""
        position = self.position
        acts = [act for act in (*every_act(position), *every_event(position), *_putting_right(position))
                if act.verb != "start" and possible(position, act)]  # fmt: skip
        for act in self.dice.sample(acts, min(len(acts), 220)):
            dealt = act.with_card(self.next_card(act)) if act.verb in CARD_VERBS else act
            if not possible(position, dealt):
                continue
            verdict = self.machine.judge(position, dealt, instead=False)
            new = verdict_keys(position, dealt, verdict, self.machine) & self.wanted
            if new and not (act.role is Role.PLAYER and len(verdict.unmet) > 2):
                self.wanted -= new
                self.shown += len(new)
                return dealt
        return None
