"""A whole record explained: the cheapest set of edits that makes the dealer's acts a procedure-true round.

Round by round: findings of one cause become one slip, and the record is printed as it should have been.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from trainer.actions import Act
from trainer.procedure.machine import HouseMachine
from trainer.procedure.model import Ruling
from trainer.procedure.moment import Position
from trainer.procedure.verdicts import Severity, Unmet
from trainer.rounds.edits import Item, Own
from trainer.rounds.mend import Node, Search, TooMuchWrong
from trainer.rounds.play import Entry, Session, replay
from trainer.rounds.script import Line, Script
from trainer.rounds.slips import Explanation, Slip, cause, cites_of, each_alone, tried
from trainer.rounds.tell import spell_slips
from trainer.table import CannotHappen, Table

__all__ = ["Explanation", "Slip", "explain", "spell_slips"]


def explain(script: Script, machine: HouseMachine) -> Explanation:
    """Explain a record by the cheapest set of edits; equal costs are decided in one fixed order.

    Every slip rests on findings of the record itself: what was judged right is never told as a slip.
    """
    if not script.lines:
        return Explanation((), 0, script)
    session = replay(script, machine)
    judged, problem = len(session.entries), ""
    if session.problems and _is_unknown(session, script.lines[judged].act):
        problem = str(session.problems[0])
    else:
        judged = len(script.lines)
    wrong = {entry.number for entry in session.findings}
    seen = len(session.entries)
    slips: list[Slip] = []
    lines: list[Line] = []
    untold: list[tuple[int, int]] = []
    for first, last in _rounds(script.lines[:judged]):
        if last <= seen and not any(first < number <= last for number in wrong):
            lines += script.lines[first:last]
            continue
        alone = session if first == 0 and last == len(script.lines) else None
        found, mended, is_told = _one_round(script, machine, first, last, alone)
        slips += found
        untold += [] if is_told else [(first + 1, last)]
        lines += mended
    slips.sort(key=lambda slip: slip.entries[0] if slip.entries else slip.near_entry)
    lines += script.lines[judged:]
    repaired = replace(script, lines=tuple(lines), net=(), money=None)
    return Explanation(tuple(slips), sum(slip.cost for slip in slips), repaired, judged, problem, tuple(untold))


def _is_unknown(session: Session, act: Act) -> bool:
    """Tell whether a record stops because nobody has written down a card."""
    if act.card is not None and not act.card.is_known:
        return True
    dealer = session.table.dealer
    return dealer.has_hole and not dealer.cards[dealer.hole].is_known and act.verb in ("turn hole", "peek")


def _rounds(lines: tuple[Line, ...]) -> Iterator[tuple[int, int]]:
    """Yield where each round begins and ends; the act that begins the next one belongs to the round before."""
    first = 0
    for index, line in enumerate(lines):
        if line.act.verb == "start" and not line.blocked:
            yield first, index + 1
            first = index + 1
    if first < len(lines):
        yield first, len(lines)


def _one_round(
    script: Script, machine: HouseMachine, first: int, last: int, session: Session | None
) -> tuple[list[Slip], list[Line], bool]:
    """Explain one round; return its slips, its mended lines, and whether causes could be told."""
    items = tuple(Item(line.act, first + k) for k, line in enumerate(script.lines[first:last]) if not line.blocked)
    session = session or replay(replace(script, lines=script.lines[first:last]), machine)
    judged = {first + entry.number - 1: entry for entry in session.entries}
    findings = {source: entry for source, entry in judged.items() if entry.is_finding and not entry.blocked}
    own = Own({source: entry.verdict for source, entry in findings.items()}, frozenset(judged))
    try:
        best, is_told = Search(machine, own).mend(Node(items, (), 0, 0, _fresh(script, machine))), True
        slips = _left_open(_slips(script, machine, best, own)) if best.edits else []
    except TooMuchWrong:
        slips, row = each_alone(Session(machine, replace(script, lines=())), items)
        best, is_told = Node(row, (), 0, 0, _fresh(script, machine)), False
    slips += tried(session, first)
    return slips, _mended_lines(script, machine, best), is_told


def _fresh(script: Script, machine: HouseMachine) -> Position:
    table = Table(places=script.options.places, players=dict(script.players))
    return Position(machine.house, table, options=script.options)


# -- from edits to slips -----------------------------------------------------------------------------------------


def _played(script: Script, machine: HouseMachine, items: tuple[Item, ...]) -> tuple[dict[int, Entry], frozenset[int]]:
    """Deal a row of acts; return its findings by number in the record, and which acts an impossible one keeps unsaid."""
    session = Session(machine, replace(script, lines=()))
    findings: dict[int, Entry] = {}
    unsaid: frozenset[int] = frozenset()
    for index, item in enumerate(items):
        try:
            entry = session.do(item.act)
        except CannotHappen:
            unsaid = frozenset(one.source for one in items[index:])
            break
        if entry.is_finding and not item.stands:
            findings[item.source] = entry
    session.finish()
    return findings, unsaid


def _slips(script: Script, machine: HouseMachine, best: Node, own: Own) -> list[Slip]:
    """Make each edit a slip: it caused the findings of the record that its row no longer has.

    What a row does not say because an act in it cannot happen is not gone: a later edit tells it, and each once.
    After an act that cannot happen the record has no findings; there the first row that gets so far tells them.
    """
    rows: list[Node] = []
    node: Node | None = best
    while node is not None:
        rows.insert(0, node)
        node = node.parent
    before, _ = _played(script, machine, rows[0].items)
    known, out = dict(before), []
    for row in rows[1:]:
        assert row.parent is not None
        after, unsaid = _played(script, machine, row.items)
        still = {source: one for source, one in before.items() if source in unsaid}
        gone = {source: known[source] for source in before if source not in {*after, *still} and source in known}
        out.append(_slip(script, row, gone, known, after))
        known.update((source, one) for source, one in after.items() if source not in own.judged | known.keys())
        before = {**still, **after}
    return out


def _left_open(slips: list[Slip]) -> list[Slip]:
    """Mark what was left out and never settled: no money moved for it, nor by another slip for the same wager."""
    moved = {(slip.act.place, slip.act.kind) for slip in slips if slip.money}

    def is_open(slip: Slip) -> bool:
        return (
            slip.kind == "omitted"
            and not slip.stands
            and not slip.money
            and (slip.act.place, slip.act.kind) not in moved
        )

    return [replace(slip, left_open=is_open(slip)) for slip in slips]


def _slip(script: Script, row: Node, gone: dict[int, Entry], known: dict[int, Entry], after: dict[int, Entry]) -> Slip:
    node, edit = row.parent, row.edits[-1]
    assert node is not None
    at = node.items[node.index].source
    found, left = known.get(at), after.get(at)
    verdict = cause(found.verdict, node.verdict, left.verdict if left else None) if found else None
    told = verdict
    graver = [one.verdict for one in gone.values() if one.is_fault]
    if graver and (verdict is None or verdict.severity is not Severity.FAULT):
        verdict = graver[0]
    if told is None or (edit.kind == "omitted" and not edit.stands):
        told = verdict
    entries = sorted({*gone, at})
    near = edit.near if edit.near >= 0 else at
    instead = edit.instead
    if edit.stands and verdict and verdict.instead:
        instead = verdict.instead[0]
    moved = [one.money for one in gone.values() if one.money is not None]
    return Slip(
        kind=edit.kind,
        entries=tuple(source + 1 for source in entries),
        act=edit.act,
        instead=instead,
        cites=cites_of(verdict),
        money=sum(moved) if moved else None,
        severity=verdict.severity if verdict else Severity.ADVICE,
        cost=edit.cost,
        verdict=verdict,
        near=script.lines[near].act if near >= 0 else None,
        near_entry=near + 1,
        later=edit.later,
        stands=edit.stands,
        why=told.leading.why if told and told.leading else node.cannot,
        also=tuple(script.lines[source].act for source in entries if edit.stands and source != at),
    )


def _mended_lines(script: Script, machine: HouseMachine, best: Node) -> list[Line]:
    """Print the mended row as lines; what stands is waived by the floor just before it, and what follows from it later."""
    waived: dict[int, dict[str, None]] = {}
    passed: set[object] = set()
    for _ in range(6):
        lines, items = _lines_of(script, best, waived)
        session = replay(replace(script, lines=tuple(lines)), machine)
        before = sum(map(len, waived.values()))
        for entry in session.findings:
            index, unmet = items[entry.number - 1], entry.verdict.unmet
            stands = best.items[index].stands
            if stands:
                passed.update(_omitted(one) for one in unmet if one.ruling is Ruling.OMITTED)
            if stands or all(one.ruling is Ruling.OMITTED and _omitted(one) in passed for one in unmet):
                waived.setdefault(index, {}).update((one.rule.slug, None) for one in unmet)
        if sum(map(len, waived.values())) == before:
            break
    return lines


def _omitted(unmet: Unmet) -> object:
    """Name what was gone on without: all of a hand's, or what concerns the whole table."""
    return unmet.place if unmet.place[0] else unmet.topic or unmet.rule.slug


def _lines_of(script: Script, best: Node, waived: dict[int, dict[str, None]]) -> tuple[list[Line], list[int]]:
    """Return the lines of a row, and for each of them the index of its item."""
    lines: list[Line] = []
    items: list[int] = []
    near = -1
    for index, item in enumerate(best.items):
        near = max(near, item.source)
        place = script.lines[max(near, 0)].place
        acts = [Act("waive", what=slug, words="it stands") for slug in waived.get(index, ())]
        old = script.lines[item.source] if item.source >= 0 else None
        lines += [Line(act, place) for act in acts]
        lines.append(Line(item.act, place, at=old.at if old else None))
        items += [index] * (len(acts) + 1)
    return lines, items
