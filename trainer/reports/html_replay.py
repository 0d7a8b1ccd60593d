"""A session as one self-contained page to step through: the felt after every act, verdicts with citations, slips."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from markupsafe import Markup

from trainer.actions import Role
from trainer.cards import total
from trainer.chips import dollars
from trainer.procedure.model import House
from trainer.procedure.verdicts import Severity, Unmet, citation
from trainer.reports.pages import asset, environment
from trainer.rounds.debrief import money_said, money_words
from trainer.rounds.play import Entry, Session
from trainer.table import Hand, Spot, Stack, Table

if TYPE_CHECKING:
    from trainer.rounds.explain import Explanation

MARKS = {Severity.RIGHT: "✓", Severity.ADVICE: "!", Severity.FAULT: "✕"}


@dataclass(frozen=True, slots=True)
class SlipView:
    """A slip as the page shows it: what to call it, its further lines, and the acts it explains."""

    title: str
    lines: tuple[str, ...]
    acts: tuple[int, ...]


def slip_views(house: House, explanation: Explanation) -> list[SlipView]:
    """Return the slips of an explained record as the page shows them."""
    from trainer.rounds.tell import spell_slip

    out = []
    for number, slip in enumerate(explanation.slips, 1):
        title, *lines = spell_slip(house, slip, number)
        out.append(SlipView(title, tuple(line.strip() for line in lines), slip.entries or (slip.near_entry,)))
    return out


def html_replay(session: Session, *, slips: Sequence[SlipView] = (), title: str = "", trainee: str = "",
                footer: Sequence[str] = ()) -> str:  # fmt: skip
    """Return the replay of a judged session as one page without network; the same session gives the same bytes.

    ``footer`` are lines printed at its end, such as the signature and the head of the chain.
    """
    script = session.script
    css, code = _plain(asset("replay.css")), _plain(asset("replay.js"))
    return (
        environment()
        .get_template("replay.html")
        .render(
            css=Markup(css),
            code=Markup(code),
            css_hash=_hash(css),
            code_hash=_hash(code),
            data=_embedded(frames(session)),
            house=session.house.title,
            title=title or script.title or f"Replay of {session.house.title}",
            facts=_facts(session, trainee or script.trainee),
            acts=[_act(session, entry) for entry in session.entries],
            findings=[entry.number for entry in session.findings],
            slips=slips,
            problems=[f"{problem.value}: {problem.allowed}" for problem in session.problems],
            footer=footer,
        )
    )


def _plain(text: str) -> str:
    return str(text).replace("\r\n", "\n")


def _hash(text: str) -> str:
    """Return what the page's own security policy names the style or script by."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _embedded(data: object) -> Markup:
    """Print data as JSON that cannot end the element it stands in."""
    text = json.dumps(data, sort_keys=True, separators=(",", ":"))  # other than ASCII is escaped
    for sign in "<>&":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return Markup(text)


def _facts(session: Session, trainee: str) -> list[tuple[str, str]]:
    script, faults = session.script, len(session.faults)
    advice = len(session.findings) - faults
    facts = [
        ("House", f"{session.house.title} ({session.house.slug}@{session.house.fingerprint})"),
        ("Trainee", trainee),
        ("Began", script.clock),
        (
            "Dealt under",
            script.procedure if script.procedure != f"{session.house.slug}@{session.house.fingerprint}" else "",
        ),
        ("Mode", script.mode),
        ("Seed", script.seed),
        ("Result", f"accuracy {session.accuracy:.1%}, {faults} fault{'s' * (faults != 1)}, {advice} advice"),
        ("Money", money_said(session)),
        ("Players", ", ".join(f"{name}: {dollars(amount)}" for name, amount in session.net.items())),
    ]
    return [(name, value) for name, value in facts if value]


# -- verdicts ----------------------------------------------------------------------------------------------------


def _act(session: Session, entry: Entry) -> dict[str, object]:
    verdict, dealer = entry.verdict, entry.act.role is Role.DEALER
    severity = verdict.severity if dealer else None
    return {
        "number": entry.number,
        "round": entry.round,
        "line": str(entry.act),
        "by": entry.act.role.value,
        "at": "" if entry.at is None else f"{entry.at:.1f} s",
        "blocked": entry.blocked,
        "severity": severity.value if severity else "",
        "mark": MARKS[severity] if severity else "",
        "ruling": verdict.ruling.value if entry.is_finding else "",
        "instead": str(verdict.instead[0]) if entry.is_finding and verdict.instead else "",
        "unmet": [_unmet(session, one) for one in verdict.unmet] if dealer else [],
        "money": money_words(entry.money) if entry.is_finding and entry.money else "",
        "rests_on": _rests_on(session, entry) if dealer and not entry.is_finding else [],
    }


def _unmet(session: Session, one: Unmet) -> dict[str, object]:
    return {
        "severity": one.severity.value,
        "why": one.why,
        "rule": one.rule.slug,
        "text": one.rule.text,
        "weight": one.rule.weight.value,
        "sources": citation(session.house, one),
    }


def _rests_on(session: Session, entry: Entry) -> list[str]:
    house, out = session.house, []
    for name in entry.verdict.rests_on[:3]:
        if name in house.statements:
            out.append(f"{house.statements[name].where} ({name}): {house.statements[name].gist}")
        elif name in house.defaults:
            out.append(f"default {name}: {house.defaults[name].reading}")
    return out


# -- the felt after every act ------------------------------------------------------------------------------------


def frames(session: Session) -> dict[str, object]:
    """Deal a session's acts again and return the felt before the first and after each; equal parts are kept once."""
    again = Session(session.machine, session.script)
    pool: dict[str, int] = {}
    out = [_frame(again.table, pool, None)]
    for entry in session.entries:
        again.do(entry.act, at=entry.at, blocked=entry.blocked)
        out.append(_frame(again.table, pool, entry))
    return {"frames": out, "parts": [json.loads(part) for part in pool]}


def _frame(table: Table, pool: dict[str, int], entry: Entry | None) -> dict[str, object]:
    frame: dict[str, object] = {
        "dealer": _pooled(pool, _dealer(table)),
        "spots": [_pooled(pool, _spot(table.spots[number])) for number in sorted(table.spots)],
        "rack": dollars(table.rack),
        "round": entry.round if entry else 1,
    }
    if entry:
        frame |= {"spot": entry.act.spot, "dealer_acts": not entry.act.spot and entry.act.role is Role.DEALER}
    return frame


def _pooled(pool: dict[str, int], part: object) -> int:
    return pool.setdefault(json.dumps(part, sort_keys=True), len(pool))


def _dealer(table: Table) -> dict[str, object]:
    dealer = table.dealer
    if dealer.cleared or not dealer.cards:
        return {"cards": [], "total": ""}
    cards = ["" if index == dealer.hole else str(card) for index, card in enumerate(dealer.cards)]
    known = not dealer.has_hole and all(card.is_known for card in dealer.cards)
    return {"cards": cards, "total": _total(dealer.total, dealer.is_soft) if known else ""}


def _spot(spot: Spot) -> dict[str, object]:
    hands = [_hand(spot, index, hand) for index, hand in enumerate(spot.hands)]
    side = [_stack(stack) for stack in spot.side.values() if stack.lies]
    named = spot.player and spot.player != f"player {spot.number}"
    return {"number": spot.number, "player": spot.player if named else "", "hands": hands, "side": side}


def _hand(spot: Spot, index: int, hand: Hand) -> dict[str, object]:
    cards = [str(card) for card in hand.cards] if hand.has_cards else []
    signs = [
        word
        for word, shown in (
            ("blackjack", hand.is_blackjack),
            ("bust", hand.is_bust),
            ("stands", hand.stood),
            ("doubled", hand.doubled),
            ("surrendered", hand.surrendered),
            ("even money", hand.even_money),
            (f"{hand.faces_down} face down", hand.faces_down > 0),
        )
        if shown and cards
    ]
    return {
        "name": f"{spot.number}{'abcdefgh'[index] if spot.is_split else ''}",
        "cards": cards,
        "total": _total(*total(hand.cards)) if len(cards) > 1 else "",
        "wagers": [_stack(stack) for stack in hand.stacks.values() if stack.lies],
        "signs": signs,
    }


def _total(points: int, soft: bool) -> str:
    return f"soft {points}" if soft and points < 21 else str(points)


def _stack(stack: Stack) -> list[str]:
    return [stack.kind, dollars(stack.amount)]
