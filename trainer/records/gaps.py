"""How far an incomplete record can be judged: hole cards nobody saw, players' acts nobody wrote down."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from trainer.actions import Role
from trainer.files import Problem
from trainer.procedure.machine import HouseMachine
from trainer.procedure.verdicts import Verdict
from trainer.rounds.play import Session
from trainer.rounds.script import Line, Script
from trainer.table import CannotHappen

_EVENTS = {
    "no-wagers": ("wager",),
    "no-insurance": ("insure", "decline", "even money"),
    "no-decisions": ("signal", "double", "split", "surrender"),
}
_HANGS = {
    "no-wagers": "nobody has written down the wagers",
    "no-insurance": "nobody has written down who took insurance",
    "no-decisions": "nobody has written down what the players decided",
}


@dataclass(frozen=True, slots=True)
class Judgeable:
    """The part of a record that can be judged, and where and why the rest cannot."""

    script: Script
    gaps: tuple[Problem, ...]


def as_far_as_it_goes(script: Script, machine: HouseMachine) -> Judgeable:
    """Cut each round where its judgement would hang on a card or a player's act that the record does not have.

    Tags ``no-wagers``, ``no-insurance`` and ``no-decisions`` say which players' acts a record does not keep.
    """
    kept: list[Line] = []
    gaps: list[Problem] = []
    missing = tuple(tag for tag in _EVENTS if tag in script.tags)
    for row in _rounds(script.lines):
        session = Session(machine, replace(script, lines=()))
        for number, line in enumerate(row):
            gap = _gap(session, line, missing)
            if gap is not None:
                gaps.append(gap)
                if row[-1].act.verb == "start" and number < len(row) - 1:
                    kept.append(row[-1])
                break
            kept.append(line)
            try:
                session.do(line.act, blocked=line.blocked)
            except CannotHappen:
                kept += row[number + 1 :]
                break
    return Judgeable(replace(script, lines=tuple(kept)), tuple(gaps))


def _rounds(lines: tuple[Line, ...]) -> Iterator[list[Line]]:
    row: list[Line] = []
    for line in lines:
        row.append(line)
        if line.act.verb == "start" and not line.blocked:
            yield row
            row = []
    if row:
        yield row


def _gap(session: Session, line: Line, missing: tuple[str, ...]) -> Problem | None:
    act, dealer = line.act, session.table.dealer
    if act.card is not None and not act.card.is_known and act.verb != "deal hole":
        return Problem(line.place, "card", str(act), "nobody saw this card; the round cannot be judged from here on")
    if (
        dealer.has_hole
        and not dealer.cards[dealer.hole].is_known
        and act.verb in ("turn hole", "peek")
        and not act.card
    ):
        return Problem(
            line.place, "line", str(act), "nobody saw the hole card; the round cannot be judged from here on"
        )
    if act.role is not Role.DEALER or not missing:
        return None
    try:
        verdict = session.judge(act)
    except CannotHappen:
        hanging: str | None = missing[-1]
    else:
        hanging = next((tag for tag in missing if _hangs_on(tag, verdict)), None)
    if hanging is None:
        return None
    return Problem(line.place, "line", str(act), f"{_HANGS[hanging]}; the round cannot be judged from here on")


_GUARDS = {
    "no-wagers": ("spot_has_a_wager", "wager_was_laid", "table_is_dealable", "wager_is_open"),
    "no-insurance": ("wager_was_laid", "wager_is_open", "players_have_not_chosen"),
    "no-decisions": (
        "hand_asked_for_a_card", "further_card_follows_a_signal", "one_card_for_one_hit", "player_asked_to_split",
        "split_bet_is_down", "wager_to_lay_is_surrendered", "every_hand_is_finished_under_ace_or_ten",
        "every_hand_is_finished_under_low_card", "choice", "choice-before-hole-card",
    ),
}  # fmt: skip
"""Names of guards and duties that fail when such acts of players are not in the record."""


def _hangs_on(tag: str, verdict: Verdict) -> bool:
    insured = verdict.act.kind == "insurance"
    if tag == "no-insurance" and not insured and verdict.act.verb in ("pay", "take", "return"):
        return False
    return any(one.name in _GUARDS[tag] for one in verdict.unmet)
