"""Prove a house's machine on small rounds: no dead end, no fault without a statement, nothing lost, both drivers alike.

The proof is exhaustive within its abstraction: it says what was explored, whether completely, and what was not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from trainer.actions import Act
from trainer.procedure.explore import Explored, Explorer, Small, continuations
from trainer.procedure.load import Procedures
from trainer.procedure.machine import HouseMachine
from trainer.procedure.model import Bearing, House
from trainer.procedure.moment import Position
from trainer.procedure.verdicts import Verdict

WAGER = 2000
SIDES = (("T8", ("pairs", "number 20", "tie", "blackjack")), ("A8T", ("bust", "pairs")))
"""Ranks and side wagers of small rounds at a table with games; the bust wager is instead of the main one."""
ONE, TWO = (1,), (1, 3)
# Every lawful act of the dealer: aces split to the limit, tens split, doubled, drawn past 21.
EVERY_WAY, LONG_EVERY_WAY = ("A",), ("A", "T", "9", "5")
# The recommended acts: blackjacks, insurance, soft totals and pairs; pairs whose totals lose, win and push.
SHORT_RANKS = ("AT", "8T")
# Doubles, unlike tens, three ranks with all their splits.
LONG_RANKS = ("5T", "9T", "JT", "A8T")
# Every rank: without splits, which multiply totals beyond measure.
UNSPLIT = ("A23456789T",)
# On two spots: one rank with all its splits, blackjacks and insurance with one split a spot.
TWO_SPOTS, LONG_TWO_SPOTS = (("T", 0),), (("T", 0), ("A", 0), ("AT", 2), ("8T", 2))
SHORT_SECONDS, LONG_SECONDS = 60.0, 900.0
COMPARE = 100
DEPTH, LONG_DEPTH = 9, 14
PERFT = Small("A8T", ONE, WAGER, every_way=True)


def small_rounds(house: House, long_run: bool) -> Iterator[Small]:
    """Yield the abstractions a house is proved on; the short run has one of each sort."""
    games = frozenset(house.games)
    for rank in LONG_EVERY_WAY if long_run else EVERY_WAY:
        yield Small(rank, ONE, WAGER, every_way=True, games=games)
    for ranks in (*SHORT_RANKS, *LONG_RANKS) if long_run else SHORT_RANKS:
        yield Small(ranks, ONE, WAGER, every_way=False, games=games)
    for ranks in UNSPLIT if long_run else ():
        yield Small(ranks, ONE, WAGER, every_way=False, games=games, hands=1)
        yield Small(ranks, ONE, WAGER, every_way=True, games=games, hands=1)
    for ranks, hands in LONG_TWO_SPOTS if long_run else TWO_SPOTS:
        yield Small(ranks, TWO, WAGER, every_way=False, games=games, hands=hands)
    for ranks, sides in SIDES if games else ():
        yield Small(ranks, ONE, WAGER, every_way=False, games=games, sides=sides)
        if long_run:
            yield Small(ranks[0], ONE, WAGER, every_way=True, games=games, sides=sides)


def silent(_: str) -> None:
    """Tell nothing of how far a proof has come."""


def cited(house: House) -> Callable[[Position, Verdict], str | None]:
    """Return the check that only statements of the house, or answers of its owner, make an act a fault."""

    def check(_: Position, verdict: Verdict) -> str | None:
        for one in verdict.unmet:
            known = one.evidence.memo or (one.evidence.cites and set(one.evidence.cites) <= set(house.statements))
            if one.bearing is Bearing.REFUSES and not known:
                return f"a fault by {one.rule.slug} cites no statement of {house.title}"
        return None

    return check


def conserved(position: Position, _: Verdict) -> str | None:
    """Check that no chip and no card has come from nowhere or gone."""
    table = position.table
    chips = table.rack + table.pockets + table.on_felt
    cards = table.cards_on_felt + len(table.discards) - table.dealt
    return f"{chips} cents and {cards} cards have come from nowhere" if chips or cards else None


def alike(machine: HouseMachine, every: int = 40) -> Callable[[Position, Verdict], str | None]:
    """Return the check that the interactive driver rules as the bulk driver has, on every so many positions."""
    seen = [0]

    def check(position: Position, verdict: Verdict) -> str | None:
        seen[0] += 1
        if seen[0] % every:
            return None
        again = machine.judge(position, verdict.act, instead=False)
        if (again.step, again.unmet, again.path) == (verdict.step, verdict.unmet, verdict.path):
            return None
        before = (again.step, tuple(one.why for one in again.unmet))
        return f"the drivers differ: {before} against {(verdict.step, tuple(one.why for one in verdict.unmet))}"

    return check


def counter_example(house: House, acts: list[Act], why: str) -> str:
    """Return the acts that lead to what should not be, as a scenario file."""
    lines = "".join(f"  - {act}\n" for act in acts)
    return f'house: {house.slug}\ntitle: "Counter-example"\nnote: "{why}"\nlines:\n{lines}'


def prove(
    procedures: Procedures,
    name: str,
    *,
    long_run: bool = False,
    seconds: float | None = None,
    out: Callable[[str], object] = print,
    beside: Callable[[str], object] = silent,
) -> int:
    """Prove a house's machine and print what was proven with counts; 0 when it holds, 1 with a counter-example.

    ``seconds`` bounds each exploration, else the bounds of the short or the long run do. ``beside`` is told how far an
    exploration has come.

    Raises:
        BadFile: the house cannot be loaded.
    """
    machine = HouseMachine(procedures.house(name))
    house = machine.house
    out(f"{house.title}, version {house.version}, procedure {house.fingerprint}")
    bound = (LONG_SECONDS if long_run else SHORT_SECONDS) if seconds is None else seconds
    explored = [_explored(machine, small, bound, out, beside) for small in small_rounds(house, long_run)]
    failed = sum(_told(house, one, out) for one in explored)
    entered, met = sum(one.entered for one in explored), sum(one.positions for one in explored)
    if not failed:
        whole = sum(one.complete for one in explored)
        out(f"  {whole} of {len(explored)} small rounds explored completely")
        out(f"  {entered} positions entered, none a dead end; {met - entered} more were met and not entered")
        compared = sum(one.compared for one in explored)
        out(f"  {compared} positions held against the one they were taken for: the same acts, faults and ways on")
        together = sum(one.duties_together for one in explored)
        out(f"  in {together} positions several documented duties are due at once; none blocks the others for good")
        judged, faults = sum(one.judged for one in explored), sum(one.faults for one in explored)
        out(f"  {judged} acts judged, {faults} faults, each with a statement of the house; both drivers rule alike")
        out("  no chip and no card came from nowhere or went")
    counts = continuations(machine, PERFT, LONG_DEPTH if long_run else DEPTH)
    out(f"  ways on from the wager ({PERFT}), act by act: {' '.join(map(str, counts))}")
    return 1 if failed else 0


def _explored(
    machine: HouseMachine, small: Small, seconds: float, out: Callable[[str], object], beside: Callable[[str], object]
) -> Explored:
    statements = cited(machine.house)
    explorer = Explorer(machine, small, (statements, alike(machine)), (statements, conserved), COMPARE)
    found = explorer.explore(seconds=seconds, tell=lambda entered: beside(f"  {small}: {entered} positions so far"))
    beside("")
    whole = "completely" if found.complete else "in part (the bound was reached)"
    out(f"  {small}: {found.positions} positions, {found.edges} ways on, {found.ended} to the end, explored {whole}")
    return found


def _told(house: House, found: Explored, out: Callable[[str], object]) -> bool:
    """Print what is wrong, each with a counter-example; tell whether anything is."""
    wrong = [*found.wrong, *((f"no way leads to the end ({found.small})", number) for number in found.dead())]
    for why, number in wrong[:3]:
        out(f"  {why}\n{counter_example(house, found.acts_to(number), why)}")
    return bool(wrong)
