"""Acts and slips in a dealer's words: what was done, what is right instead, as a floor supervisor tells it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from trainer.actions import DECISIONS, Act
from trainer.cards import Card
from trainer.chips import dollars
from trainer.procedure.model import House, Ruling
from trainer.procedure.verdicts import Severity, citation
from trainer.rounds.edits import CARD_VERBS, EARLY
from trainer.rounds.slips import Explanation, Slip

_RANKS = dict(zip("23456789TJQKA", ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack",
                                    "queen", "king", "ace"), strict=True))  # fmt: skip
_SUITS = {"s": "spades", "h": "hearts", "d": "diamonds", "c": "clubs"}
_WAGERS = ("pairs", "tie", "blackjack", "bust", "split", "double")
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
    "pay": ("paid {place} {amount}{on}", "pay {place} {amount}{on}"),
    "take": ("took {of}{amount}{kind} from {place}", "take {of}{amount}{kind} from {place}"),
    "return": ("gave {of}{amount}{kind} back to {place}", "give {of}{amount}{kind} back to {place}"),
    "push": ("pushed {place}", "push {place}"),
    "lay": ("laid the wager of {place} on its cards", "lay the wager of {place} on its cards"),
    "clear": ("cleared the cards of {place}", "clear the cards of {place}"),
    "clear dealer": ("cleared your own cards", "clear your own cards"),
    "refuse": ("refused {place} its {what}", "refuse {place} its {what}"),
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
    ('paid spot 3 22.50', 'take the 5.00 insurance from hand 2a')
    """
    kind = _wager(act.kind) if act.kind and act.kind != "main" else ""
    return _PHRASES[act.verb][0 if past else 1].format(
        place=_place(act),
        card=card_told(act.card) if act.card is not None and act.card.is_known else "a card",
        down=" face down" if act.flag == "down" else "",
        total=act.total,
        amount=dollars(act.amount or 0),
        kind=f" {kind}" if kind else "",
        on=f" on its {kind}" if kind else "",
        of="the " if kind else "",
        what=act.what if act.what in DECISIONS else _wager(act.what),
    )


def card_told(card: Card) -> str:
    """Name a card as it is spoken of.

    >>> card_told(Card("T", "d"))
    'the ten of diamonds'
    """
    return f"the {_RANKS[card.rank]} of {_SUITS[card.suit]}"


def _place(act: Act) -> str:
    return f"hand {act.place}" if act.hand else f"spot {act.spot}" if act.spot else "a spectator"


def _wager(kind: str) -> str:
    """Name a kind of wager, or what a player asked for, as it stands in a sentence."""
    if kind == "main":
        return "wager"
    return f"{kind} wager" if kind in _WAGERS or kind.startswith("number") else kind


def _in_words(why: str, act: Act) -> str:
    """Name the hand of an act in words where a reason names it by its bare place.

    >>> _in_words("nothing of 1 is left to settle", Act("pay", 1, amount=1000))
    'nothing of spot 1 is left to settle'
    """
    if why.startswith("this has no place while"):
        return "this belongs to another point of the round"
    if not act.place:
        return why
    return re.sub(rf"(^|(?<=\bof )|(?<=: ))(?={act.place} [a-z])", f"{_place(act).split()[0]} ", why)


def _due(slip: Slip) -> str:
    """Say what was due instead of a wrong detail, no longer than it has to be."""
    done, right = slip.act, slip.instead
    if right is None:
        return ""
    if done.verb == right.verb and done.verb in CARD_VERBS:
        if done.place != right.place:
            return f"the card belonged to {_place(right)}"
        return "it belongs face down" if right.flag else "it belongs face up"
    if done.verb == right.verb and done.place == right.place and (done.kind or "main") == (right.kind or "main"):
        if done.amount != right.amount:
            return f"{dollars(right.amount or 0)} was due"
        if done.total != right.total:
            return f"it is {right.total}"
    return f"right was to {told(right, past=False)}"


def headline(slip: Slip) -> str:
    """Say one slip in a sentence without its end."""
    act = slip.act
    if slip.blocked:
        return f"tried to {told(act, past=False)}: {_in_words(slip.why, act)}"
    if slip.stands:
        return _stood(slip)
    if slip.kind == "omitted":
        return _left_out(slip)
    if slip.kind == "swapped":
        when, side = ("too early", "before") if slip.later else ("too late", "after")
        return f"{told(act)} {when}" + ("" if slip.near is None else f", {side} {_that(slip.near)}")
    if slip.kind == "extra":
        ruling = slip.verdict.ruling if slip.verdict is not None else Ruling.RIGHT
        return f"{told(act)}{_TIMES.get(ruling, ':')} {_in_words(slip.why, act)}"
    due = _due(slip)
    return f"{told(act)}; {due}" if due else f"{told(act)}: {_in_words(slip.why, act)}"


_TIMES = {Ruling.OMITTED: " too early:", Ruling.WRONG_TIME: " too early:", Ruling.REPEATED: ", though"}


def _stood(slip: Slip) -> str:
    """Say what was done and let stand."""
    leading = slip.verdict.leading if slip.verdict else None
    done = _listed((slip.act, *slip.also))
    if leading is not None and leading.concerns:
        return f"{done} and so accepted what was out of order: {slip.why}"
    due = _due(slip) if slip.kind == "wrong detail" else ""
    return f"{done}; {due}" if due and not due.startswith("right") else f"{done}: {_in_words(slip.why, slip.act)}"


def _listed(acts: tuple[Act, ...]) -> str:
    """Say acts in a row, equal ones once with their number.

    >>> _listed((Act("turn hole"), Act("stop"), Act("stop")))
    'turned the hole card and stopped drawing twice'
    """
    times = {2: " twice", 3: " three times"}
    counts = Counter(map(told, acts))
    done = [f"{one}{times.get(count, f' {count} times')}" if count > 1 else one for one, count in counts.items()]
    return " and ".join([", ".join(done[:-1]), done[-1]]) if done[1:] else done[0]


def _left_out(slip: Slip) -> str:
    act, near = slip.act, slip.near
    if near is not None and (near.verb, near.place) == (act.verb, act.place):
        return f"{told(near)}: {_in_words(slip.why, near)}"
    return f"did not {told(_unseen(act), past=False)}" + (f" before {_that(near)}" if near is not None else "")


_DEALERS = tuple(_PHRASES)[: tuple(_PHRASES).index("wager")]


def _that(act: Act) -> str:
    return f"you {told(act)}" if act.verb in _DEALERS else told(act)


def _unseen(act: Act) -> Act:
    """An omitted deal has no card that anybody saw."""
    return replace(act, card=None)


def money_told(money: int) -> str:
    """Say a money effect seen from the house."""
    side = "the house is short" if money < 0 else "the players are short"
    return f"{side} {dollars(abs(money))}"


def spell_slip(house: House, slip: Slip, number: int) -> list[str]:
    """Print one slip: what happened, what it cost, where it shows, on what it rests."""
    entries = _numbers(slip.entries or (slip.near_entry,))
    lines = [f"{number}. You {headline(slip)}.{_weighed(slip)}"]
    why = _in_words(slip.why, slip.act)
    unsaid = why and why not in lines[0] and not _due(slip).startswith("it is")
    lines.append(f"   line     {entries}{': ' + why if unsaid else ''}")
    if slip.blocked:
        lines.extend(f"   also     {told(act, past=False)}" for act in dict.fromkeys(slip.also) if act != slip.act)
    if _has_remedy(slip) and slip.instead is not None:
        word = "first" if slip.verdict and slip.verdict.ruling in EARLY else "instead"
        lines.append(f"   {word:<7}  {told(slip.instead, past=False)}")
    if slip.money:
        lines.append(f"   money    {money_told(slip.money)}")
    elif _lies_there(slip):
        lines.append(f"   money    {dollars(slip.act.amount or 0)} of {_place(slip.act)} {_NOT_MOVED[slip.act.verb]}")
    leading = slip.verdict.leading if slip.verdict else None
    if leading is not None:
        lines.append(f"   rule     {leading.rule.slug}: {leading.rule.text}")
        sources = citation(house, leading)
        lines.append(f"   source   {sources[0] if sources else 'none'}")
        lines.extend(f"            {line}" for line in sources[1:])
    return lines


def _numbers(entries: tuple[int, ...]) -> str:
    """List numbers, four and more in a row by their ends.

    >>> _numbers((2, 4, 5, 6, 7, 9))
    '2, 4 to 7, 9'
    """
    runs: list[list[int]] = []
    for number in entries:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    said = [[f"{run[0]} to {run[-1]}"] if len(run) > 3 else map(str, run) for run in runs]
    return ", ".join(word for words in said for word in words)


_NOT_MOVED = {"pay": "was never paid", "take": "was left lying", "return": "was never given back"}


def _weighed(slip: Slip) -> str:
    if slip.verdict is None:
        return " (no table could see this)"
    return " (advice only)" if slip.severity is Severity.ADVICE else ""


def _has_remedy(slip: Slip) -> bool:
    """Tell whether what the verdict names as right helps here: what was left out, or the same hand done right."""
    right = slip.instead
    if right is None or not (slip.stands or slip.blocked) or right.verb == "call total dealer":
        return False
    due = _due(slip) if slip.kind == "wrong detail" and not slip.blocked else ""
    if due and not due.startswith("right"):
        return False
    leading = slip.verdict.leading if slip.verdict else None
    if leading is not None and leading.ruling in EARLY:
        return right.verb != "refuse" and (not leading.place[0] or right.spot in (0, leading.place[0]))
    return right.place == slip.act.place and right.kind == slip.act.kind


def _lies_there(slip: Slip) -> bool:
    """Tell whether money was due that never moved."""
    return slip.left_open and slip.act.verb in _NOT_MOVED


def counted(slips: Sequence[Slip]) -> str:
    """Count slips in words as they are listed: all of them, then those that are less than a fault.

    >>> counted([])
    'No slip: every act was right.'
    """
    if not slips:
        return "No slip: every act was right."
    advice = sum(slip.severity is Severity.ADVICE and slip.verdict is not None for slip in slips)
    unseen = sum(slip.verdict is None for slip in slips)
    parts = [f"{len(slips)} slip{'s' * (len(slips) != 1)}"]
    for count, what in ((advice, "advice only"), (unseen, "which no table could see")):
        if count:
            parts.append(what if count == len(slips) else f"{count} of them {what}")
    return ", ".join(parts) + "."


def spell_slips(house: House, explanation: Explanation) -> list[str]:
    """Print a record's slips as a floor supervisor would tell them."""
    lines = [counted(explanation.slips)]
    for number, slip in enumerate(explanation.slips, 1):
        lines += spell_slip(house, slip, number)
    for first, last in explanation.alone:
        lines.append(f"Acts {first} to {last}: too much is wrong to tell causes apart; each finding is told by itself.")
    if explanation.problem:
        lines.append(f"Judged up to line {explanation.judged}: {explanation.problem}")
    return lines
