"""Word verdicts, next steps and rules for the panels: how much is said depends on the display, never what is true."""

from __future__ import annotations

import re
from collections.abc import Sequence

from trainer.actions import Act
from trainer.chips import dollars
from trainer.procedure.conditions import resolved
from trainer.procedure.machine import HouseMachine
from trainer.procedure.model import Bearing, GuardUse, House, Rule, Step
from trainer.procedure.moment import Moment, Position
from trainer.procedure.verdicts import Unmet, Verdict, citation
from trainer.rounds.play import Entry
from trainer.ui.composer import Grammar, shown_keys
from trainer.ui.lines import Style
from trainer.ui.present import seen_act
from trainer.ui.view import Note, PanelView

SEVERITY_STYLES = {"fault": Style.FAULT, "advice": Style.ADVICE, "right": Style.RIGHT}
_LISTED = 8


_IDS = re.compile(r"\s*\([^()]*TR-[^()]*\)|[;,]? TR-\d+\w*(?: [a-z][^.;,]*)?(?=[.;,]|$)")


def says(step: Step) -> str:
    """Return what a step says, without the ids of rows."""
    return sentence(_IDS.sub("", step.says))


def sentence(text: str) -> str:
    """Return a sentence with a capital at its start and a stop at its end."""
    text = text.strip()
    return text[:1].upper() + text[1:] + ("" if text[-1:] in ".!?" else ".")


def verdict_notes(
    house: House,
    verdict: Verdict,
    grammar: Grammar,
    *,
    blocked: bool = False,
    hints: bool = True,
    money: int | None = None,
) -> tuple[Note, ...]:
    """Return a verdict as notes: what was wrong, what is right instead, every rule with why and source."""
    severity = verdict.severity.value
    style = SEVERITY_STYLES[severity]
    leading = verdict.leading
    if leading is None:
        step = step_of(house, verdict.step)
        return (Note("right", f"{seen_act(verdict.act)}: {says(step) if step else 'noted.'}", Style.PLAIN, style),)
    out = [Note(severity, f"{seen_act(verdict.act)}: {sentence(leading.why)}", Style.STRONG, style)]
    if blocked:
        out.append(Note("blocked", "Nothing has moved: the right act is still to be done.", Style.STRONG, style))
    if hints and verdict.instead:
        act = verdict.instead[0]
        keys = shown_keys(act, grammar)
        out.append(Note("instead", f"{act}" + (f"   keys: {keys}" if keys else ""), Style.RIGHT, Style.RIGHT))
    if money:
        side = "more than due to the players" if money < 0 else "more than due to the house"
        out.append(Note("money", f"{dollars(abs(money))} {side}", Style.CHIP))
    for one in verdict.unmet:
        out += unmet_notes(house, one, first=one is leading)
    return tuple(out)


def unmet_notes(house: House, one: Unmet, first: bool) -> list[Note]:
    """Return one unmet condition: rule, reason and sources."""
    out = []
    if not first:
        out.append(Note("also", f"{sentence(one.why)} ({one.severity})", Style.STRONG))
    out.append(Note("rule", f"{one.rule.slug}: {one.rule.text}", Style.RULE))
    out.append(Note("why", one.rule.why))
    out += [Note("source", text) for text in citation(house, one)]
    return out


def verdict_panel(house: House, entry: Entry | None, grammar: Grammar, display: str) -> PanelView | None:
    """Return the panel of the last act as a display shows it; None where it shows none."""
    if display == "exam":
        return None
    if entry is None:
        return PanelView("verdict", (Note("", "Every act of yours is judged here, with its rule and source."),))
    hints = display != "practice"
    notes = verdict_notes(house, entry.verdict, grammar, blocked=entry.blocked, hints=hints, money=entry.money)
    if not entry.verdict.is_right:
        notes = (*notes, Note("", "? opens the page of the rule"))
    return PanelView("verdict", notes)


# -- the next step ----------------------------------------------------------------------------------------------


def step_of(house: House, name: str) -> Step | None:
    """Return a step by its id."""
    return next((step for step in house.steps if step.id == name), None)


def uses_of(house: House, step: Step, moment: Moment | None = None) -> list[GuardUse]:
    """Return what a step rests on in this house, documented conditions first, silent ones left out."""
    found = []
    for use in step.uses:
        known = resolved(moment, use) if moment else use
        if known and known.rule and known.bearing is not Bearing.SILENT:
            found.append(known)
    return sorted(found, key=lambda use: use.bearing is not Bearing.REFUSES)


def leading_use(machine: HouseMachine, position: Position, act: Act) -> GuardUse | None:
    """Return the condition that best says why an act comes now: of a duty it does, else of its step."""
    moment = Moment(position, act)
    verdict = machine.judge(position, act, instead=False)
    step = step_of(machine.house, verdict.step)
    if step is None:
        return None
    uses = uses_of(machine.house, step, moment)
    return uses[0] if uses else None


def fulfilled(machine: HouseMachine, position: Position, act: Act) -> tuple[Rule, Sequence[str]] | None:
    """Return the duty that an act is done for: due now and, with the act done, due no more."""
    before = _due_rules(position)
    if not before or act.verb in ("deal", "deal up", "deal hole", "draw"):
        return None
    after = position.copied()
    machine.apply(after, act)
    left = _due_rules(after)
    for key, (rule, cites) in before.items():
        if key not in left:
            return rule, cites
    return None


def due_at(position: Position, act: Act) -> tuple[Rule, Sequence[str]] | None:
    """Return a duty that is due at the hand an act asks, which the asking leads to."""
    if act.verb not in ("ask", "wait"):
        return None
    for (_, place), found in _due_rules(position).items():
        if act.verb == "wait" or place == (act.spot, max(act.hand, 1)):
            return found
    return None


def _due_rules(position: Position) -> dict[tuple[str, tuple[int, int]], tuple[Rule, Sequence[str]]]:
    moment = Moment(position, Act("wait"))
    out: dict[tuple[str, tuple[int, int]], tuple[Rule, Sequence[str]]] = {}
    for duty in position.house.duties:
        if duty.bearing is Bearing.SILENT:
            continue
        for place in duty.due(moment):
            cites = duty.evidence.cites or ((duty.evidence.default,) if duty.evidence.default else ())
            out[(duty.rule.slug, place)] = (duty.rule, cites)
    return out


def coach_panel(machine: HouseMachine, position: Position, legal: Sequence[Act], grammar: Grammar) -> PanelView:
    """Return what a newcomer is told: the next step with keys and reason, then everything else that is legal."""
    house = machine.house
    if not legal:
        return PanelView("next", (Note("", "Nothing is right here. Call the floor: c f."),))
    act = legal[0]
    verdict = machine.judge(position, act, instead=False)
    step = step_of(house, verdict.step)
    keys = shown_keys(act, grammar)
    told = f"   {says(step)}" if step else ""
    notes = [Note("next", f"{keys or ':'}   {act}{told}", Style.RIGHT, Style.RIGHT)]
    notes.append(Note("why", reason(machine, position, act)))
    totals = house.is_("announce-totals") == "yes"
    beside = ("call floor", "gesture tap", *(() if totals else ("call total", "call total dealer")))
    ranked = sorted(legal[1:], key=lambda one: beside.index(one.verb) + 1 if one.verb in beside else 0)
    others = [f"{shown_keys(one, grammar)} {one}" for one in ranked[:_LISTED]]
    others = [text for text in others if not text.startswith("cf ")]
    more = len(ranked) - len(others)
    if others:
        notes.append(Note("or", "; ".join(others) + (f"; and {more} more" if more > 0 else ""), Style.DIM))
    return PanelView("next step", tuple(notes))


_WHY = {
    "wait": "A player has to answer first.",
    "start": "The layout is clear and every wager is settled.",
    "turn hole": "Every player's hand has been played; hands are compared with both your cards.",
    "stop": "Your hand is complete: the drawing rule sends you no further.",
    "warn": "A hand is reaching for the cards.",
}


_SERVES = {
    "TR-06": ("one-card-each-in-turn", "deal-clockwise", "two-cards-each"),
    "TR-09": ("own-first-card-between", "first-own-card-up", "one-card-up-one-down"),
    "TR-11": ("own-second-card-last", "own-hole-card-lies", "one-card-up-one-down"),
    "TR-30": ("totals-called", "later-totals-called"),
    "TR-37": ("hit-honoured", "one-card-per-hit"),
    "TR-38": ("double-card-dealt", "one-card-on-double"),
    "TR-39": ("split-honoured", "split-equal-values"),
    "TR-49": ("hole-card-after-hands", "hole-card-after-hands-under-low-card"),
    "TR-52": ("dealer-draws-to-16",),
    "TR-53": ("dealer-stands-on-17",),
    "TR-55": ("higher-total-wins",),
    "TR-56": ("dealer-bust-pays",),
    "TR-57": ("lower-total-loses",),
    "TR-58": ("equal-totals-push",),
    "TR-59": ("blackjack-beats-drawn-21",),
    "TR-60": ("both-blackjacks-push",),
    "TR-61": ("dealer-blackjack-beats",),
    "TR-42": ("bust-taken-at-once", "bust-loses"),
}
"""The rule a step is done for, where its conditions do not say it first."""


def served(machine: HouseMachine, position: Position, act: Act) -> tuple[Rule, Sequence[str]] | None:
    """Return the rule that a step serves in this house, documented ones first."""
    house = machine.house
    step = machine.judge(position, act, instead=False).step
    known = [slug for slug in _SERVES.get(step, ()) if slug in house.evidence and slug in house.rules]
    for slug in sorted(known, key=lambda slug: not house.evidence[slug].is_documented):
        evidence = house.evidence[slug]
        return house.rules[slug], evidence.cites or ((evidence.default,) if evidence.default else ())
    return None


def reason(machine: HouseMachine, position: Position, act: Act) -> str:
    """Return why an act comes next: the rule it serves, its reason and its source."""
    done = fulfilled(machine, position, act)
    if done:
        rule, cites = done
        return _sourced(rule, cites)
    due = due_at(position, act)
    due = due or served(machine, position, act)
    if due:
        return _sourced(*due)
    use = leading_use(machine, position, act)
    lead = _WHY.get(act.verb, "")
    if use and use.rule and use.rule.slug != "act-in-its-place":
        cites = use.evidence.cites or ((use.evidence.default,) if use.evidence.default else ())
        said = _sourced(use.rule, cites)
        return f"{lead} {said}".strip()
    return lead or machine.house.states.get(position.state, "")


def _sourced(rule: Rule, cites: Sequence[str]) -> str:
    source = f" ({', '.join(cites[:3])})" if cites else ""
    return f"{rule.text} {rule.why}{source}"
