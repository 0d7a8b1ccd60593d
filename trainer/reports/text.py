"""The table and verdicts as plain text, for pipes and screen readers."""

from __future__ import annotations

from trainer.actions import Act, Role
from trainer.chips import dollars
from trainer.procedure.moment import Position
from trainer.table import Hand, Spot

SUIT_NAMES = {"s": "spades", "h": "hearts", "d": "diamonds", "c": "clubs"}


def show_table(position: Position) -> list[str]:
    """Describe the felt: the own hand, then each wagered spot from the dealer's left."""
    table = position.table
    own = " ".join(
        "[hole]" if index == table.dealer.hole else str(card) for index, card in enumerate(table.dealer.cards)
    )
    lines = [f"  dealer  {own or '-'}{'  (cleared)' if table.dealer.cleared else ''}"]
    for spot in table.wagered:
        for index, hand in enumerate(spot.hands, 1):
            lines.append("  " + _hand(spot, index, hand))
    return lines


def _hand(spot: Spot, index: int, hand: Hand) -> str:
    name = f"{spot.number}{'abcdefgh'[index - 1] if spot.is_split else ''}"
    cards = " ".join(str(card) for card in hand.cards) if hand.has_cards else "-"
    wagers = [f"{stack.kind} {dollars(stack.amount)}" for stack in hand.stacks.values() if stack.lies]
    if index == 1:
        wagers += [f"{stack.kind} {dollars(stack.amount)}" for stack in spot.side.values() if stack.lies]
    signs = [
        word
        for word, shown in (
            ("stands", hand.stood),
            ("doubled", hand.doubled),
            ("surrendered", hand.surrendered),
            ("even money", hand.even_money),
        )
        if shown and hand.has_cards
    ]
    return f"spot {name:<3} {cards:<20} {', '.join(wagers):<24} {', '.join(signs)}".rstrip()


def say(act: Act) -> str:
    """Say an act as it is heard at the table: players' and floor's acts with who acts."""
    if act.role is Role.DEALER:
        return str(act)
    if act.role is Role.FLOOR:
        return f"floor: {act}"
    return f"player: {act}"
