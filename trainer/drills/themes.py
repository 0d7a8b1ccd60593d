"""Themes of a drill, and whether a round exercises one: read off rounds that the real machine has dealt."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from trainer.actions import Act, Role
from trainer.procedure.conditions import motion_of, resolved
from trainer.procedure.machine import HouseMachine
from trainer.procedure.model import House, Rule
from trainer.procedure.moment import Moment, Position
from trainer.procedure.verdicts import Verdict
from trainer.rounds.play import Entry, Session
from trainer.table import CannotHappen

EVERYTHING = "everything"
_RULE = "rule "


@dataclass(frozen=True, slots=True)
class Theme:
    """A part of the work to practise; ``fits`` tells whether a round of it is in a session just dealt."""

    name: str
    says: str
    fits: Callable[[Session], bool]
    needs: Callable[[House], bool] = lambda house: True


def _verbs(session: Session) -> set[str]:
    return {entry.act.verb for entry in session.entries}


def _first_cards(session: Session) -> tuple[list[list[Act]], Act | None]:
    """Return the first two dealing acts of each spot, and the act of the up card."""
    by_spot: dict[int, list[Act]] = {}
    up: Act | None = None
    for entry in session.entries:
        if entry.act.verb == "deal" and len(by_spot.setdefault(entry.act.spot, [])) < 2:
            by_spot[entry.act.spot].append(entry.act)
        elif entry.act.verb == "deal up" and up is None:
            up = entry.act
    return list(by_spot.values()), up


def _early_blackjack(session: Session) -> bool:
    hands, up = _first_cards(session)
    if up is None or up.card is None or up.card.value >= 10:
        return False
    return any(sum(act.card.value for act in hand if act.card) == 21 for hand in hands)


def _own_hand(session: Session) -> bool:
    """The own hand takes two cards at least, or stands at a soft 17 or 18."""
    cards = session.table.dealer.cards
    draws = sum(entry.act.verb == "draw" for entry in session.entries)
    soft = any(card.is_ace for card in cards[:2]) and 17 <= sum(card.value for card in cards[:2]) <= 18
    return draws >= 2 or (draws >= 1 and any(card.is_ace for card in cards)) or soft


def _settlement(session: Session) -> bool:
    """Hands end in at least two different ways, one of them with money that has to be reckoned."""
    ways = {entry.act.verb for entry in session.entries if entry.act.verb in ("pay", "take", "push", "return")}
    reckoned = any(entry.act.verb == "pay" and (entry.act.amount or 0) % 500 for entry in session.entries)
    return len(ways) >= 3 or (len(ways) == 2 and reckoned)


def _side_games(session: Session) -> bool:
    from trainer.table import MAIN_KINDS

    plain = ("", "insurance", *MAIN_KINDS)
    return any(entry.act.verb == "pay" and entry.act.kind not in plain for entry in session.entries)


THEMES: dict[str, Theme] = {
    theme.name: theme
    for theme in (
        Theme(EVERYTHING, "Rounds as they come", lambda session: True),
        Theme("insurance", "An ace up: offer, close, settle", lambda one: "call insurance" in _verbs(one)
              and bool({"insure", "even money"} & _verbs(one))),
        Theme("early blackjacks", "A blackjack, with a 2 to 9 up", _early_blackjack),
        Theme("splits", "Pairs parted, hand by hand", lambda one: "separate" in _verbs(one)),
        Theme("surrender", "Half given up at the call", lambda one: "surrender" in _verbs(one),
              lambda house: house.is_("surrender") == "yes"),
        Theme("dealer's hand", "Draw and stop by the rule", _own_hand),
        Theme("settlement", "Pay, take, push, odd sums", _settlement),
        Theme("side games", "Pairs, predictions, busts", _side_games, lambda house: bool(house.games)),
    )
}  # fmt: skip


def themes_of(house: House) -> list[Theme]:
    """Return the themes that mean something in a house."""
    return [theme for theme in THEMES.values() if theme.needs(house)]


def rule_theme(slug: str) -> str:
    """Return the name of the theme that exercises one rule."""
    return _RULE + slug


def rule_of(theme: str) -> str:
    """Return the rule a theme exercises, "" for the named themes."""
    return theme[len(_RULE) :] if theme.startswith(_RULE) else ""


class UnknownTheme(ValueError):
    """Say that no theme, or no rule, has the name."""


def fits(house: House, name: str) -> Callable[[Session], bool]:
    """Return the test whether a session exercises a theme or a rule.

    Raises:
        UnknownTheme: there is no such theme, no such rule, or it cannot come up in the house.
    """
    slug = rule_of(name)
    if slug:
        if slug not in house.rules:
            raise UnknownTheme(f"no rule '{slug}'")
        return lambda session: breakable(session, slug) is not None
    theme = THEMES.get(name)
    if theme is None:
        raise UnknownTheme(f"no theme '{name}'; there are: {', '.join(THEMES)}, rule NAME")
    if not theme.needs(house):
        raise UnknownTheme(f"{house.title} has no {name}")
    return theme.fits


# -- rules ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Example:
    """A moment at which a rule matters: what was right there, and an act that breaks the rule."""

    position: Position
    kept: Entry
    broken: Act
    verdict: Verdict


def breakable(session: Session, slug: str) -> Example | None:
    """Return the first moment of a session at which an act of the dealer would break a rule, None without one.

    This is what it means that a round exercises a rule: somewhere in it the rule can be kept or broken.
    """
    machine = session.machine
    motions, has_duty = motions_of(machine.house, slug)
    again = Session(machine, session.script)
    for entry in session.entries:
        if entry.act.role is Role.DEALER and entry.verdict.is_right and not entry.blocked:
            found = _break(machine, again.position, entry, slug, motions, has_duty)
            if found:
                return found
        if not entry.blocked:
            again.do(entry.act)
    return None


_WISHES = ("wager", "insure", "signal", "double", "split", "surrender", "even money", "touch", "spectator")
_ON_THE_WAY = frozenset({"turn hole", "pay main", "take main", "push"})


def motions_of(house: House, slug: str) -> tuple[frozenset[str], bool]:
    """Return the motions whose steps can break a rule, and whether a duty or a player's wish can."""
    motions = set()
    for step in house.steps:
        for use in step.uses:
            if (use.rule and use.rule.slug == slug) or _names(house, use.wager_rule, slug):
                motions.add(step.motion)
        if step.selected_by == slug:
            motions.add(step.motion)
    for free in house.free_moves:
        if any(use.rule and use.rule.slug == slug for use in free.uses):
            motions |= _ON_THE_WAY
    duty = any(one.rule.slug == slug for one in house.duties)
    return frozenset(motions), duty or any(motion.startswith(_WISHES) for motion in motions)


def _names(house: House, wager_rule: str, slug: str) -> bool:
    return bool(wager_rule) and any(
        wager.rules.get(wager_rule) == slug for wagers in house.games.values() for wager in wagers.values()
    )


def _break(
    machine: HouseMachine, position: Position, entry: Entry, slug: str, motions: frozenset[str], has_duty: bool
) -> Example | None:
    has_duty = has_duty and _may_be_due(position, slug)
    if not has_duty and not motions:
        return None
    for act in wrong_acts(position):
        try:
            if not has_duty and motion_of(Moment(position, act)) not in motions:
                continue
            verdict = machine.judge(position, act, instead=False)
        except CannotHappen:
            continue
        if any(one.rule.slug == slug for one in verdict.unmet):
            return Example(position.copied(), entry, act, machine.judge(position, act))
    return None


def _may_be_due(position: Position, slug: str) -> bool:
    ledger = position.table.ledger
    asked = [*ledger.offers, *([ledger.request] if ledger.request else [])]
    if any(one.rule.slug == slug for request in asked for one in request.unmet):  # type: ignore[attr-defined]
        return True
    moment = Moment(position, Act("wait"))
    return any(duty.due(moment) for duty in position.house.duties if duty.rule.slug == slug)


_BARE = ("peek", "turn hole", "draw", "stop", "call insurance", "close insurance", "deal up", "deal hole",
         "clear dealer", "start")  # fmt: skip
_AT_A_SPOT = ("call blackjack", "call even money", "lay")
_AT_A_HAND = ("deal", "separate", "push", "clear", "ask")


def wrong_acts(position: Position) -> Iterator[Act]:
    """Yield what a dealer might do here by mistake: every verb at every place, amounts and totals a little off."""
    table, chip = position.table, min(position.options.chips)
    yield from (Act(verb) for verb in _BARE)
    for spot in table.spots.values():
        if not spot.is_wagered:
            yield Act("deal", spot.number)
            continue
        yield from (Act(verb, spot.number) for verb in _AT_A_SPOT)
        for what in (*spot.side, "main", "even money", "surrender"):
            yield Act("refuse", spot.number, what=what)
        for index, hand in enumerate(spot.hands, 1):
            number = index if spot.is_split else 0
            yield from (Act(verb, spot.number, number) for verb in _AT_A_HAND)
            yield Act("deal", spot.number, number, flag="down")
            yield from (Act("refuse", spot.number, number, what=what) for what in ("hit", "stand", "double", "split"))
            if hand.cards:
                yield Act("call total", spot.number, number, total=hand.total + 1)
            yield from _wrong_money(spot.number, number, "", sum(one.staked for one in hand.on_hand), chip)
            for kind in hand.stacks:
                yield from _wrong_money(spot.number, number, kind, hand.stacks[kind].staked, chip)
        for kind, stack in spot.side.items():
            yield from _wrong_money(spot.number, 0, kind, stack.staked, chip)


def _wrong_money(spot: int, hand: int, kind: str, amount: int, chip: int) -> Iterator[Act]:
    for sum_ in (amount, amount + chip, amount * 3 // 2, amount * 2):
        yield Act("pay", spot, hand, kind=kind, amount=sum_)
    for sum_ in (amount, max(amount // 2, chip)):
        yield Act("take", spot, hand, kind=kind, amount=sum_)
        yield Act("return", spot, hand, kind=kind, amount=sum_)


def rule_is_kept(machine: HouseMachine, position: Position, act: Act, rule: Rule) -> bool:
    """Tell whether an act that is right rests on a rule here."""
    moment = Moment(position, act)
    verdict = machine.judge(position, act, instead=False)
    step = next((one for one in machine.house.steps if one.id == verdict.step), None)
    if step is None or not verdict.is_right:
        return False
    known: Sequence[str] = [use.rule.slug for one in step.uses if (use := resolved(moment, one)) and use.rule]
    return rule.slug in known
