"""How paying, taking, giving back and pushing move chips: physics only, whoever may do it."""

from __future__ import annotations

from trainer.actions import Act
from trainer.table import MAIN_KINDS, ON_THE_HAND, Hand, Table, side_or_hand


def pay(table: Table, act: Act) -> None:
    """Pay an act's amount: even money on the stacks after the first, the rest on the first; stakes go back with it."""
    hand, amount = table.hand(act), act.amount or 0
    stacks = side_or_hand(table, act)
    if not stacks:
        stacks = [table.put_down(hand.stacks, "nothing", 0)]
    rest = amount
    open_stacks = [stack for stack in stacks if not stack.settled]
    if not act.kind and len(open_stacks) > 1 and amount == open_stacks[0].amount < sum(s.amount for s in open_stacks):
        open_stacks = open_stacks[:1]
    for stack in open_stacks[1:]:
        share = min(rest, stack.staked)
        table.win(stack, share)
        rest -= share
    first = (open_stacks or stacks)[0]
    table.win(first, rest)
    _compare(table, act, hand)


def take(table: Table, act: Act) -> None:
    """Take an act's amount of the chips that lie there, what is beyond them out of the player's pocket."""
    hand, rest = table.hand(act), act.amount or 0
    stacks = side_or_hand(table, act)
    if not stacks:
        stacks = [table.put_down(hand.stacks, "nothing", 0)]
    lying = [stack for stack in stacks if stack.lies]
    for stack in lying:
        share = min(rest, stack.amount)
        if share:
            table.lose(stack, share)
            stack.unnamed = not act.kind
            rest -= share
    if rest:
        table.lose((lying or stacks)[0], rest)
    _compare(table, act, hand)


def give_back(table: Table, act: Act) -> None:
    """Give an act's amount of the chips that lie there, or were taken before, back to their player."""
    rest = act.amount or 0
    _compare(table, act, table.hand(act))
    stacks = side_or_hand(table, act)
    lying = [stack for stack in stacks if stack.lies]
    for stack in lying:
        share = min(rest, stack.amount)
        table.pick_up(stack, share)
        rest -= share
    for stack in [] if lying else stacks:
        share = min(rest, -stack.net) if stack.settled else 0
        if share > 0:
            table.win(stack, share)
            rest -= share


def push(table: Table, act: Act) -> None:
    """Leave all wagers of a hand to their player."""
    hand = table.hand(act)
    hand.pushed = True
    for stack in hand.stacks.values():
        if stack.kind in MAIN_KINDS:
            table.pick_up(stack)
            stack.settled = True
    _compare(table, act, hand)


def _compare(table: Table, act: Act, hand: Hand) -> None:
    """A hand that was compared with the own one shows that the own one is complete, whatever it has."""
    ordinary = not (hand.is_bust or hand.is_blackjack or hand.surrendered or hand.is_bust_wager)
    if table.dealer.turned and ordinary and act.kind in ("", *ON_THE_HAND):
        table.ledger.stopped = True
