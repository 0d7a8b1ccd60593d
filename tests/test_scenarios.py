"""Every scenario holds, walks the steps it is said to walk, and turns red when one of its lines is turned wrong."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
import yaml

from trainer.actions import Act, Role, parse
from trainer.procedure.load import Procedures
from trainer.rounds.play import Entry, Session, machine_of, replay, unmet_expectations
from trainer.rounds.script import Line, Script, read_script

HERE = Path(__file__).parent
SCENARIOS = HERE.parent / "scenarios"
FILES = sorted(SCENARIOS.rglob("*.yaml"))
ROUNDS = [file for file in FILES if re.match(r"r[gstma]-\d\d-|corner-", file.name)]
WALKED = yaml.safe_load((HERE / "walked-rounds.yaml").read_text("utf-8"))


def name_of(file: Path) -> str:
    return str(file.relative_to(SCENARIOS).with_suffix(""))


@pytest.mark.parametrize("file", FILES, ids=name_of)
def test_a_scenario_is_dealt_as_it_expects(file: Path, shipped: Procedures) -> None:
    script = read_script(file, shipped)
    folder = file.relative_to(SCENARIOS).parts[0]
    assert folder == script.house or folder not in shipped.names()
    session = replay(script, machine_of(shipped, script.house))
    assert not session.problems
    assert not unmet_expectations(session)


@pytest.mark.parametrize("file", ROUNDS, ids=name_of)
def test_a_round_of_our_own_is_dealt_to_its_end_with_its_money(file: Path, shipped: Procedures) -> None:
    script = read_script(file, shipped)
    session = replay(script, machine_of(shipped, script.house))
    assert script.net
    assert dict(script.net) == session.net
    assert session.position.state == "wagers" and session.table.round == 2
    table = session.table
    assert (table.on_felt, table.rack + table.pockets) == (0, 0)


# -- the steps of the walked rounds -------------------------------------------------------------------------------

SEVERAL = {"TR-23": 2, "TR-28": 2, "TR-45": 3, "TR-47": 2, "TR-48": 2, "TR-65": 2}


def walked_script(name: str, shipped: Procedures) -> Script:
    found = next(one["scenario"] for one in WALKED if one["round"] == name)
    return read_script(SCENARIOS / f"{found}.yaml", shipped)


def steps_of(path: str) -> list[str]:
    """Spell a path out: a row that lists several acts stands there once for each of them."""
    out: list[str] = []
    for token in path.split("; "):
        word, _, count = token.partition(" ")
        if word == "deal":
            rest = int(count) - 1
            out += ["TR-06", *["TR-08"] * rest, "TR-09", *["TR-10"] * (rest + 1), "TR-11"]
        elif word == "clear":
            out += [*["TR-69"] * int(count), "TR-70", "TR-71"]
        else:
            step = re.sub(r"\(\d\)", "", word)
            out += [step] * SEVERAL.get(step, 1)
    return out


def taken_out(entry: Entry, steps: dict[str, tuple[str, ...]], left: list[str]) -> bool:
    """Strike the step an entry walks off the path; False where the path has another."""
    step = re.sub(r"[a-z]+$", "", entry.verdict.step)
    rows = {step, *steps[entry.verdict.step]}
    if left and left[0] in rows:
        left.pop(0)
        return True
    if entry.act.verb == "clear" and "TR-69" in left:
        left.remove("TR-69")
        return True
    # The path leaves out the wagers of a round, and the request that a refusal answers.
    return entry.act.verb == "wager" or (entry.act.role is Role.PLAYER and left[:1] == ["TR-36"])


@pytest.mark.parametrize("walked", WALKED, ids=[one["round"] for one in WALKED])
def test_a_walked_round_walks_its_steps(walked: dict[str, str], shipped: Procedures) -> None:
    script = walked_script(walked["round"], shipped)
    machine = machine_of(shipped, script.house)
    steps = {step.id: step.also for step in machine.house.steps}
    left = steps_of(walked["path"])
    for entry in replay(script, machine).entries:
        assert taken_out(entry, steps, left), (
            f"{entry.act} walks {entry.verdict.step}; the path goes on with {left[:2]}"
        )
    assert not left


def test_every_walked_round_has_its_scenario() -> None:
    assert len(ROUNDS) > 180
    counts = {letter: sum(one["round"].startswith(f"R{letter}") for one in WALKED) for letter in "GSTMA"}
    assert counts == {"G": 14, "S": 12, "T": 12, "M": 13, "A": 11}
    assert len({one["scenario"] for one in WALKED}) == len(WALKED)


# -- one line turned wrong ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Slip:
    """A walked round, one line of it, what becomes of that line, and what has to be found."""

    round: str
    line: str
    becomes: str
    rule: str
    cites: str

    def __str__(self) -> str:
        return f"{self.round} {self.line} -> {self.becomes}"


DROP, SWAP, EARLY = "dropped", "swapped with the next", "swapped with the one before"
SLIPS = [
    Slip("RG-4", "call blackjack 1", DROP, "early-blackjack-called", "greektown-024"),
    Slip("RG-4", "pay 1 15.00", "pay 1 12.00", "blackjack-odds", "greektown-028"),
    Slip("RG-4", "push 2", "take 2 10.00", "equal-totals-push", "greektown-019"),
    Slip("RG-3", "peek", DROP, "look-before-play", "greektown-026"),
    Slip("RG-3", "stop", "draw 2h", "soft-17-stands", "greektown-018"),
    Slip("RG-11", "take 2 pairs 5.00", SWAP, "pairs-losers-first", "greektown-059"),
    Slip("RG-11", "pay 1 pairs 60.00", "pay 1 pairs 30.00", "pairs-by-kind", "greektown-072"),
    Slip("RG-14", "pay 1 tie 40.00", "pay 1 tie 45.00", "tie-price", "greektown-104"),
    Slip("RS-3", "draw Ts", DROP, "soft-17-hit", "house-h17-018"),
    Slip("RS-3", "pay 1 10.00", "take 1 10.00", "higher-total-wins", "house-h17-023"),
    Slip("RS-7", "take 1 10.00", "pay 1 10.00", "bust-loses", "house-h17-010"),
    Slip("RT-3", "call blackjack 2", DROP, "early-blackjack-called", "tropicana-026"),
    Slip("RT-3", "clear 2", DROP, "early-blackjack-cleared-before-third-card", "tropicana-028"),
    Slip("RT-3", "pay 2 15.00", "pay 1 15.00", "turn-before-settling-under-low-card", "tropicana-021"),
    Slip("RT-7", "return 1b split 10.00", "take 1b split 10.00", "split-money-goes-back", "tropicana-049"),
    Slip("RT-1", "turn hole", "peek", "look-under-ten", "tropicana-009"),
    Slip("RM-2", "call insurance", DROP, "insurance-called", "trump-marina-049"),
    Slip("RM-2", "call total 1 is 16", DROP, "totals-called", "trump-marina-031"),
    Slip("RM-2", "call total 1 is 16", "call total 1 is 15", "totals-counted-right", "trump-marina-007"),
    Slip("RM-8", "lay 1", DROP, "surrendered-wager-laid", "trump-marina-065"),
    Slip("RM-7", "return 1 double 10.00", "take 1 double 10.00", "double-money-goes-back", "trump-marina-057"),
    Slip("RA-1", "ask 1", DROP, "ask-each-player", "aces-019"),
    Slip("RA-1", "clear 1", SWAP, "losers-cards-with-the-wager", "aces-033"),
    Slip("RA-4", "pay 1 20.00", "pay 1 15.00", "blackjack-odds", "aces-042"),
    Slip("RA-11", "clear dealer", EARLY, "own-cards-last", "aces-034"),
    Slip("RA-7", "clear 1", SWAP, "bust-taken-at-once", "aces-039"),
]  # fmt: skip


def turned_wrong(script: Script, slip: Slip) -> Script:
    lines = list(script.lines)
    index = next(number for number, line in enumerate(lines) if str(line.act) == slip.line)
    if slip.becomes == DROP:
        del lines[index]
    elif slip.becomes == SWAP:
        lines[index : index + 2] = lines[index + 1], lines[index]
    elif slip.becomes == EARLY:
        lines.insert(index - 1, lines.pop(index))
    else:
        lines[index] = replace(lines[index], act=parse(slip.becomes))
    return replace(script, lines=tuple(lines))


@pytest.mark.parametrize("slip", SLIPS, ids=str)
def test_a_line_turned_wrong_is_found_with_rule_and_statement(slip: Slip, shipped: Procedures) -> None:
    script = walked_script(slip.round, shipped)
    session = replay(turned_wrong(script, slip), machine_of(shipped, script.house))
    assert unmet_expectations(session)
    first = session.faults[0]
    assert slip.rule in {one.rule.slug for one in first.verdict.unmet}
    assert slip.cites in first.verdict.cites


def wrong_amounts(line: Line) -> Iterator[Act]:
    if line.act.verb in ("pay", "take", "return") and line.act.amount:
        yield replace(line.act, amount=line.act.amount + 100)
        yield replace(line.act, amount=line.act.amount // 2)


def wrong_spots(line: Line) -> Iterator[Act]:
    if line.act.verb in ("pay", "take", "push", "call blackjack", "clear") and not line.act.hand:
        yield replace(line.act, spot=3 - line.act.spot)


def spoilt(script: Script, wrong: Callable[[Line], Iterator[Act]]) -> Iterator[Script]:
    for index, line in enumerate(script.lines):
        for act in wrong(line):
            lines = (*script.lines[:index], replace(line, act=act), *script.lines[index + 1 :])
            yield replace(script, lines=lines)


def is_red(session: Session) -> bool:
    return bool(session.problems or unmet_expectations(session))


@pytest.mark.parametrize("walked", WALKED, ids=[one["round"] for one in WALKED])
@pytest.mark.parametrize("wrong", [wrong_amounts, wrong_spots])
def test_no_wrong_amount_or_spot_in_a_walked_round_stays_green(
    walked: dict[str, str], wrong: Callable[[Line], Iterator[Act]], shipped: Procedures
) -> None:
    script = walked_script(walked["round"], shipped)
    machine = machine_of(shipped, script.house)
    green = [one for one in spoilt(script, wrong) if not is_red(replay(one, machine))]
    assert not [[str(line.act) for line in one.lines] for one in green]
