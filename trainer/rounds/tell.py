"""Acts and slips in a dealer's words: what was done, what is right instead, as a floor supervisor tells it."""

from __future__ import annotations

from dataclasses import replace

from trainer.actions import Act
from trainer.chips import dollars
from trainer.procedure.model import House, Ruling
from trainer.procedure.verdicts import Severity, citation
from trainer.rounds.edits import CARD_VERBS
from trainer.rounds.slips import Explanation, Slip

_PHRASES = {
    "deal": ("dealt {card} to {place}{down}", "deal {card} to {place}{down}"),
    "deal up": ("dealt yourself {card} face up", "deal yourself {card} face up"),
    "deal hole": ("dealt yourself {card} face down", "deal yourself {card} face down"),
    "draw": ("drew {card} to your own hand", "draw {card} to your own hand"),
    "stop": ("stopped drawing", "stop drawing"),
    "call blackjack": ("called the blackjack of {place}", "call the blackjack of {place}"),
    "call insurance": ("called insurance", "call insurance"),
    "call even money": ("offered even money to {place}", "offer even money to {place}"),
    "call total": ("called {total} for {place}", "call {total} for {place}"),
    "call total dealer": ("called {total} for your own hand", "call {total} for your own hand"),
    "call floor": ("called the floor", "call the floor"),
    "ask": ("asked {place} for its decision", "ask {place} for its decision"),
    "wait": ("waited", "wait"),
    "close insurance": ("closed insurance", "close insurance"),
    "peek": ("looked at the hole card", "look at the hole card"),
    "turn hole": ("turned the hole card", "turn the hole card"),
    "separate": ("parted the pair of {place}", "part the pair of {place}"),
    "pay": ("paid {place} {amount}{kind}", "pay {place} {amount}{kind}"),
    "take": ("took {amount}{kind} from {place}", "take {amount}{kind} from {place}"),
    "return": ("gave {amount}{kind} back to {place}", "give {amount}{kind} back to {place}"),
    "push": ("pushed {place}", "push {place}"),
    "lay": ("laid the wager of {place} on its cards", "lay the wager of {place} on its cards"),
    "clear": ("cleared the cards of {place}", "clear the cards of {place}"),
    "clear dealer": ("cleared your own cards", "clear your own cards"),
    "refuse": ("refused {place} {what}", "refuse {place} {what}"),
    "warn": ("warned {place}", "warn {place}"),
    "gesture tap": ("tapped before {place}", "tap before {place}"),
    "start": ("began the next round", "begin the next round"),
    "wager": ("{place} wagered {amount}{kind}", "{place} wagers {amount}{kind}"),
    "insure": ("{place} took insurance of {amount}", "{place} takes insurance of {amount}"),
    "decline": ("{place} declined insurance", "{place} declines insurance"),
    "even money": ("{place} asked for even money", "{place} asks for even money"),
    "signal": ("{place} signalled {what}", "{place} signals {what}"),
    "double": ("{place} doubled for {amount}", "{place} doubles for {amount}"),
    "split": ("{place} split for {amount}", "{place} splits for {amount}"),
    "surrender": ("{place} surrendered", "{place} surrenders"),
    "touch": ("{place} touched the cards", "{place} touches the cards"),
    "spectator touches": ("a spectator touched cards", "a spectator touches cards"),
    "rule": ("the floor ruled", "the floor rules"),
    "waive": ("the floor waived {what}", "the floor waives {what}"),
}


def told(act: Act, past: bool = True) -> str:
    """Say an act in words, as done (``past``) or as to be done.

    >>> told(Act("pay", 3, amount=2250)), told(Act("take", 2, hand=1, kind="insurance", amount=500), past=False)
    ('paid spot 3 22.50', 'take 5.00 insurance from hand 2a')
    """
    place = f"hand {act.place}" if act.hand else f"spot {act.spot}" if act.spot else "a spectator"
    return _PHRASES[act.verb][0 if past else 1].format(
        place=place,
        card=str(act.card) if act.card is not None and act.card.is_known else "a card",
        down=" face down" if act.flag == "down" else "",
        total=act.total,
        amount=dollars(act.amount or 0),
        kind=f" {act.kind}" if act.kind and act.kind != "main" else "",
        what=act.what,
    )


def _due(slip: Slip) -> str:
    """Say what was due instead of a wrong detail, no longer than it has to be."""
    done, right = slip.act, slip.instead
    if right is None:
        return ""
    if done.verb == right.verb and done.verb in CARD_VERBS:
        if done.place != right.place:
            return f"the card belonged to {'hand ' + right.place if right.hand else 'spot ' + right.place}"
        return "it belongs face down" if right.flag else "it belongs face up"
    if done.verb == right.verb and done.place == right.place and (done.kind or "main") == (right.kind or "main"):
        if done.amount != right.amount:
            return f"{dollars(right.amount or 0)} was due"
        if done.total != right.total:
            return f"it is {right.total}"
    return f"right was to {told(right, past=False)}"


def headline(slip: Slip) -> str:
    """Say one slip in a sentence without its end."""
    act, near = slip.act, slip.near
    leading = slip.verdict.leading if slip.verdict else None
    if slip.stands and leading is not None and leading.concerns:
        return f"{told(act)} and so accepted what was out of order: {slip.why}"
    if slip.stands and slip.kind != "wrong detail":
        return f"{told(act)}: {slip.why}"
    if slip.kind == "omitted":
        if near is not None and (near.verb, near.place) == (act.verb, act.place):
            return f"{told(near)}: {slip.why}"
        before = f" before you {told(near)}" if near is not None and near.verb in _DEALERS else ""
        before = before or (f" before {told(near)}" if near is not None else "")
        return f"did not {told(_unseen(act), past=False)}{before}"
    if slip.kind == "swapped":
        when, side = ("too early", "after") if slip.later else ("too late", "before")
        other = "" if near is None else f": it comes {side} {_that(near)}"
        return f"{told(act)} {when}{other}"
    if slip.kind == "extra":
        moment = {Ruling.OMITTED: " too early", Ruling.WRONG_TIME: " at the wrong moment"}
        ruling = slip.verdict.ruling if slip.verdict is not None else Ruling.RIGHT
        return f"{told(act)}{moment.get(ruling, ', which was not to be done')}: {slip.why}"
    due = _due(slip)
    return (
        f"{told(act)}; {due}" if due and not (slip.stands and due.startswith("right")) else f"{told(act)}: {slip.why}"
    )


_DEALERS = tuple(_PHRASES)[: tuple(_PHRASES).index("wager")]


def _that(act: Act) -> str:
    return f"'{told(act, past=False)}'" if act.verb in _DEALERS else f"'{told(act)}'"


def _unseen(act: Act) -> Act:
    """An omitted deal has no card that anybody saw."""
    return replace(act, card=None)


def money_told(money: int) -> str:
    """Say a money effect seen from the house."""
    side = "the house is short" if money < 0 else "the players are short"
    return f"{side} {dollars(abs(money))}"


def spell_slip(house: House, slip: Slip, number: int) -> list[str]:
    """Print one slip: what happened, what it cost, where it shows, on what it rests."""
    entries = ", ".join(map(str, slip.entries)) or str(slip.near_entry)
    advice = " (advice only)" if slip.severity is Severity.ADVICE else ""
    lines = [f"{number}. You {headline(slip)}.{advice}"]
    act_said = slip.why and slip.why not in lines[0]
    lines.append(f"   line     {entries}{': ' + slip.why if act_said else ''}")
    if slip.stands and slip.instead is not None:
        lines.append(f"   instead  {told(slip.instead, past=False)}")
    if slip.money:
        lines.append(f"   money    {money_told(slip.money)}")
    leading = slip.verdict.leading if slip.verdict else None
    if leading is not None:
        lines.append(f"   rule     {leading.rule.slug}: {leading.rule.text}")
        sources = citation(house, leading)
        lines.append(f"   source   {sources[0] if sources else 'none'}")
        lines.extend(f"            {line}" for line in sources[1:])
    return lines


def spell_slips(house: House, explanation: Explanation) -> list[str]:
    """Print a record's slips as a floor supervisor would tell them."""
    slips = explanation.slips
    if not slips:
        lines = ["No slip: every act was right."]
    else:
        faults = sum(slip.severity is Severity.FAULT for slip in slips)
        advice = len(slips) - faults
        parts = [f"{faults} slip{'s' * (faults != 1)}" if faults else "", f"{advice} to think about" if advice else ""]
        lines = [", ".join(part for part in parts if part) + "."]
        for number, slip in enumerate(slips, 1):
            lines += spell_slip(house, slip, number)
    if explanation.problem:
        lines.append(f"Judged up to line {explanation.judged}: {explanation.problem}")
    return lines
