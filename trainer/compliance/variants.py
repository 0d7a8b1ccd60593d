"""Rounds next to one dealt: one word of a line added or left out, or one request asked and refused."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from trainer.actions import BY_NAME, FLAGS, Act
from trainer.files import Place
from trainer.rounds.script import Line, Script

NOWHERE = Place("", 1, 1)


def variants(script: Script) -> Iterator[tuple[Line, ...]]:
    """Yield the lines of each neighbour; whether it can happen is for the machine to say."""
    lines = script.lines
    for index, line in enumerate(lines):
        for act in _reworded(line.act):
            yield (*lines[:index], replace(line, act=act), *lines[index + 1 :])
    wagers = {line.act.spot: line.act.amount or 0 for line in lines if line.act.verb == "wager" and not line.act.kind}
    split = {line.act.spot for line in lines if line.act.verb == "separate"}
    for index in range(len(wagers), len(lines)):
        for spot, amount in wagers.items():
            for hand in (1, 2) if spot in split else (0,):
                for asked, refused in _requests(spot, hand, amount):
                    yield (*lines[:index], Line(asked, NOWHERE), Line(refused, NOWHERE), *lines[index:])


def _reworded(act: Act) -> Iterator[Act]:
    for flag in FLAGS:
        if f"[{flag}]" in BY_NAME[act.verb].form:
            yield replace(act, flag="" if act.flag == flag else flag)


def _requests(spot: int, hand: int, amount: int) -> Iterator[tuple[Act, Act]]:
    """Each thing a hand may ask for, and the dealer's refusal."""
    half = amount // 2
    for verb, asked in (("double", amount), ("double", half), ("split", amount)):
        yield Act(verb, spot, hand, amount=asked), Act("refuse", spot, hand, what=verb)
    for what in ("hit", "stand"):
        yield Act("signal", spot, hand, what=what), Act("refuse", spot, hand, what=what)
    if hand < 2:
        for verb in ("surrender", "even money"):
            yield Act(verb, spot), Act("refuse", spot, what=verb)
        for asked in (half, max(half - 50, 50), amount):
            yield Act("insure", spot, amount=asked), Act("refuse", spot, what="insurance")
