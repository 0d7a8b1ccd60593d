"""A whole round of Greektown's side games, twenty ways to spoil it, and a side wager that is YAML alone."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from trainer.procedure.load import Procedures, data_folder
from trainer.procedure.verdicts import Severity
from trainer.rounds.play import Session, machine_of, replay
from trainer.rounds.script import read_script

# Two spots of one player, every kind of wager, an ace up; the look finds no blackjack.
ROUND = """
wager 1 20.00
wager 1 pairs 5.00
wager 1 number 20 2.00
wager 1 tie 4.00
wager 1 blackjack 2.00
wager 2 20.00
wager 2 pairs 5.00
wager 2 number 18 2.00
wager 2 tie 4.00
wager 2 blackjack 2.00
deal 1 Ks
deal 2 As
deal up Ah
deal 1 Kc
deal 2 Td
deal hole 9d
take 2 pairs 5.00
pay 1 pairs 60.00
call blackjack 2
call insurance
insure 1 10.00
decline 2
close insurance
peek
take 1 insurance 10.00
pay 2 30.00
pay 2 blackjack 24.00
clear 2
take 1 blackjack 2.00
ask 1
signal 1 stand
turn hole
push 1
pay 1 number 20 8.00
pay 1 tie 32.00
take 2 number 18 2.00
take 2 tie 4.00
clear 1
clear dealer
""".strip().splitlines()


def dealt(shipped: Procedures, lines: list[str]) -> Session:
    items = "".join(f"  - {line}\n" for line in lines)
    text = f'house: greektown\ngames: [perfect-pairs, fortune-teller]\nplayers: {{1: "A", 2: "A"}}\nlines:\n{items}'
    session = replay(read_script("round.yaml", shipped, text=text), machine_of(shipped, "greektown"))
    assert not session.problems, session.problems
    return session


def test_the_round_is_dealt_without_a_finding_and_to_the_cent(shipped: Procedures) -> None:
    session = dealt(shipped, ROUND)
    assert session.findings == []
    assert session.position.state == "over"
    # Spot 1: pairs +60, insurance -10, prediction -2, main 0, number +8, tie +32. Spot 2: pairs -5, blackjack +30,
    # prediction +24, number -2, tie -4.
    assert session.net == {"1": 8800, "2": 4300}


DEVIATIONS = [
    ("wager 2 pairs 5.00", ["wager 2 pairs 30.00"], "greektown-066"),
    ("wager 1 tie 4.00", ["wager 1 tie 25.00"], "greektown-092"),
    ("deal up Ah", ["wager 1 number 17 2.00", "deal up Ah"], "greektown-120"),
    ("take 2 pairs 5.00", ["pay 1 pairs 60.00", "take 2 pairs 5.00"], "greektown-059"),
    ("pay 1 pairs 60.00", ["pay 1 pairs 30.00"], "greektown-069"),
    ("pay 1 pairs 60.00", ["pay 1 pairs 55.00"], "greektown-072"),
    ("pay 1 pairs 60.00", ["take 1 pairs 5.00"], "greektown-053"),
    ("take 2 pairs 5.00", ["pay 2 pairs 30.00"], "greektown-056"),
    ("call insurance", ["pay 2 30.00", "call insurance"], "greektown-024"),
    ("insure 1 10.00", ["insure 1 11.00"], "greektown-042"),
    ("peek", ["ask 1", "peek"], "greektown-046"),
    ("take 1 insurance 10.00", ["pay 1 insurance 20.00"], "greektown-045"),
    ("pay 2 30.00", ["pay 2 20.00"], "greektown-028"),
    ("pay 2 blackjack 24.00", ["pay 2 blackjack 200.00"], "greektown-115"),
    ("pay 2 blackjack 24.00", ["take 2 blackjack 2.00"], "greektown-114"),
    ("take 1 blackjack 2.00", ["pay 1 blackjack 24.00"], "greektown-111"),
    ("signal 1 stand", ["turn hole", "signal 1 stand"], "greektown-009"),
    ("push 1", ["pay 1 20.00"], "greektown-019"),
    ("pay 1 number 20 8.00", ["pay 1 number 20 12.00"], "greektown-099"),
    ("pay 1 tie 32.00", ["take 1 tie 4.00"], "greektown-103"),
    ("take 2 tie 4.00", ["pay 2 tie 32.00"], "greektown-105"),
    ("take 2 number 18 2.00", ["pay 2 number 18 12.00"], "greektown-095"),
]


@pytest.mark.parametrize(("old", "new", "statement"), DEVIATIONS, ids=[f"{o} > {n[0]}" for o, n, _ in DEVIATIONS])
def test_each_single_deviation_is_found_and_cited(
    old: str, new: list[str], statement: str, shipped: Procedures
) -> None:
    at = ROUND.index(old)
    session_lines = [*ROUND[:at], *new, *(line for line in ROUND[at + 1 :] if line not in new[:-1])]
    session = dealt(shipped, session_lines[: at + len(new) + 8])
    faults = [entry for entry in session.findings if entry.verdict.severity is Severity.FAULT]
    assert faults, "nothing was found"
    assert statement in faults[0].verdict.cites


GAME = """game: suited-start
title: Suited Start
says: A wager that the first two cards of the hand are of one suit.
wagers:
  suited:
    family: suited
    settles: first two cards
    losers-first: "yes"
    least: "1.00"
    most: "10.00"
    pays:
      suited blackjack: {odds: "25:1", cites: [tropicana-905]}
      suited cards: {odds: "3:1", cites: [tropicana-904]}
    rules: {closes: side-wagers-closed, limits: pairs-limits, losers-first: pairs-losers-first, won: side-wager-won, lost: side-wager-lost, price: side-wager-price}
"""
STATEMENTS = {
    "901": "The wager lies down with the main one before the deal.",
    "902": "One to ten dollars are taken.",
    "903": "Losers are taken first, before any hand is played.",
    "904": "Two cards of a suit pay three to one.",
    "905": "A blackjack of a suit pays twenty-five to one.",
}


@pytest.fixture(scope="module")
def with_suited_start(tmp_path_factory: pytest.TempPathFactory) -> Procedures:
    """Tropicana with a side game of its own, written in YAML only."""
    folder = tmp_path_factory.mktemp("procedures")
    shutil.copytree(data_folder("procedures"), folder, dirs_exist_ok=True)
    home: Path = folder / "tropicana"
    (home / "games").mkdir()
    (home / "games" / "suited-start.yaml").write_text(GAME)
    statements = "".join(
        f'  tropicana-{number}:\n    where: "Sign at the table"\n    gist: "{gist}"\n    kind: other\n    actor: dealer\n'
        '    binding: "must"\n'
        for number, gist in STATEMENTS.items()
    )
    (home / "statements.yaml").write_text((home / "statements.yaml").read_text() + statements)
    evidence = (
        "  side-wagers-closed: {cites: [tropicana-901]}\n  pairs-limits: {cites: [tropicana-902]}\n"
        "  pairs-losers-first: {cites: [tropicana-903]}\n  pairs-before-decisions: {cites: [tropicana-903]}\n"
        "  side-wager-won: {cites: [tropicana-904]}\n  side-wager-lost: {cites: [tropicana-904]}\n"
        "  side-wager-price: {cites: [tropicana-904, tropicana-905]}\n"
    )
    house = (home / "house.yaml").read_text().replace("\nsettings:\n", "\ngames: [suited-start]\nsettings:\n", 1)
    (home / "house.yaml").write_text(house.rstrip("\n") + "\n" + evidence)
    return Procedures(folder)


@pytest.mark.parametrize(
    ("line", "statement"),
    [
        ("pay 2 suited 15.00", ""),
        ("take 1 suited 5.00", ""),
        ("pay 1 suited 15.00", "tropicana-904"),
        ("take 2 suited 5.00", "tropicana-904"),
        ("pay 2 suited 10.00", "tropicana-905"),
        ("ask 1", "tropicana-903"),
    ],
)
def test_a_new_two_card_side_wager_is_yaml_alone(line: str, statement: str, with_suited_start: Procedures) -> None:
    first = [] if line == "take 1 suited 5.00" or statement else ["take 1 suited 5.00"]
    lines = ["wager 1 10.00", "wager 1 suited 5.00", "wager 2 10.00", "wager 2 suited 5.00"]
    lines += ["deal 1 9h", "deal 2 4d", "deal up 6c", "deal 1 8s", "deal 2 Kd", "deal hole Tc", *first, line]
    items = "".join(f"  - {one}\n" for one in lines)
    text = f"house: tropicana\ngames: [suited-start]\nlines:\n{items}"
    script = read_script("suited.yaml", with_suited_start, text=text)
    session = replay(script, machine_of(with_suited_start, "tropicana"))
    assert not session.problems
    cited = {cite for entry in session.faults for cite in entry.verdict.cites}
    assert (statement in cited) if statement else not session.findings


def test_its_limits_and_its_closing_hold(with_suited_start: Procedures) -> None:
    for line, statement in (("wager 1 suited 11.00", "tropicana-902"), ("wager 1 suited 5.00", "")):
        text = f"house: tropicana\ngames: [suited-start]\nlines:\n  - wager 1 10.00\n  - {line}\n  - deal 1 9h\n"
        script = read_script("suited.yaml", with_suited_start, text=text)
        session = replay(script, machine_of(with_suited_start, "tropicana"))
        assert [entry.verdict.cites for entry in session.faults] == ([(statement,)] if statement else [])
