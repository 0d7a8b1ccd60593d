"""A round dealt as the machine suggests, but for one push that is a fault."""

from __future__ import annotations

from trainer.actions import parse
from trainer.rounds.deal import Live


def deal_with_a_fault(live: Live) -> None:
    """Deal a whole round; the sixth act is wrong."""
    live.open_round()
    for _ in range(60):
        if live.session.position.state == "over":
            break
        live.dealer(live.session.machine.suggest(live.session.position)[0])
        if len(live.session.entries) == 5:
            live.dealer(parse("push 1"))
    assert live.session.position.state == "over" and live.session.faults
