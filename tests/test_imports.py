"""Imports: JSON Lines both ways, foreign logs by a mapping of columns, and how far an incomplete record goes."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from mutants import script_of
from wild_rounds import wild_round

from trainer.cli import trainer
from trainer.files import BadFile, Place
from trainer.procedure.load import procedures
from trainer.records.foreign import Mapping, read_mapping
from trainer.records.gaps import as_far_as_it_goes
from trainer.records.imports import print_json_lines, read_csv, read_json_lines, read_record
from trainer.rounds.play import machine_of, replay
from trainer.rounds.script import Script, print_script, read_script

PROCEDURES = procedures()
HOUSES = ("aces", "greektown", "house-h17", "tropicana", "trump-marina")


def without_places(script: Script) -> Script:
    nowhere = Place("", 1, 1)
    return replace(script, path="", lines=tuple(replace(line, place=nowhere) for line in script.lines))


RICH = """\
house: greektown
title: "Two spots, \\"quoted\\""
tags: [pairs, exam]
note: a note
mode: coached
places: 6
minimum: "10.00"
maximum: "200.00"
decks: 8
chips: ["1.00", "5.00"]
games: [perfect-pairs]
colour-groups: [[tie, blackjack]]
players: {1: "Ann", 2: "Ann"}
seed: "42"
shoe: "As Kd"
trainee: "Bo"
net: {"1": "-10.00"}
money: "5.00"
lines:
  - wager 1 10.00
  - {do: wager 1 pairs 30.00, at: 1.25}
  - {do: deal 1 Qd, at: 2.5, expect: fault, rule: pairs-limits, cites: [greektown-066], note: "over"}
  - {do: "call floor \\"a \\\\\\"word\\\\\\"\\"", blocked: "yes", money: "-1.00", default: D-64}
"""


def test_a_record_with_everything_goes_through_json_lines_and_back() -> None:
    script = read_script("rich.yaml", PROCEDURES, text=RICH)
    text = print_json_lines(script)
    rows = [json.loads(row) for row in text.splitlines()]
    assert rows[0]["house"] == "greektown"
    assert rows[2] == {"line": "wager 1 pairs 30.00", "at": 1.25}
    again = read_json_lines("rich.jsonl", PROCEDURES, text=text)
    assert without_places(again) == without_places(script)
    assert print_json_lines(again) == text
    assert print_script(again) == print_script(script)


@pytest.mark.parametrize("slug", HOUSES)
def test_random_rounds_go_through_json_lines_and_back(slug: str) -> None:
    for number in range(5):
        one = wild_round(machine_of(PROCEDURES, slug), number)
        script = script_of(slug, one.acts, one.options, one.players)
        again = read_json_lines("round.jsonl", PROCEDURES, text=print_json_lines(script))
        assert without_places(again) == without_places(script)
        assert [entry.verdict for entry in replay(again, machine_of(PROCEDURES, slug)).findings] == []


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ('{"house": "aces"}\n{"line": "wager 1 10.00"\n', 2, "no JSON"),
        ('{"house": "aces"}\n["wager 1 10.00"]\n', 2, "one object"),
        ('{"house": "aces"}\n{"line": "wager 1 10.00"}\n{"line": "pay 1 5"}\n', 3, "two decimals"),
        ('{"house": "aces"}\n{"line": "wagr 1 10.00"}\n', 2, "did you mean wager"),
        ('{"house": "aces"}\n{"line": "peek", "expectt": "fault"}\n', 2, "expect"),
        ('{"house": "acess"}\n', 1, "did you mean aces"),
        ('{"line": "peek"}\n', 1, "header"),
        ("", 1, "header"),
    ],
)
def test_errors_of_json_lines_name_their_row(text: str, line: int, said: str) -> None:
    with pytest.raises(BadFile) as bad:
        read_json_lines("bad.jsonl", PROCEDURES, text=text)
    assert bad.value.problems[0].place.line == line
    assert said in str(bad.value.problems[0])


MAPPING = """\
house: tropicana
columns: {do: Action, at: Seat, card: Card, face: Face, what: Detail, amount: Chips, time: Seconds}
actions: {bet: place_wager, card: deal_card, gesture: signal, takes: collect, pays: pay, shows: expose_hole,
          muck: remove_cards, muck own: remove_dealer_cards}
values: {what: {stay: stand}, face: {hidden: down}}
skip: [shuffle]
dealer: [D]
table: {places: 6, minimum: "10.00"}
round: Hand
"""
LOG = """\
Hand,Seconds,Action,Seat,Card,Face,Detail,Chips
1,0.0,shuffle,,,,,
1,1.5,bet,seat 2,,,,$10
1,2,card,seat 2,10h,,,
1,3,card,D,7d,,,
1,4,card,seat 2,9c,,,
1,5,card,D,Kd,hidden,,
1,6,gesture,seat 2,,,stay,
1,7,shows,D,,,,
1,8,pays,seat 2,,,,12.5
1,9,muck,seat 2,,,,
1,10,muck own,D,,,,
2,20,bet,seat 2,,,,10.00
"""


def mapping() -> Mapping:
    return read_mapping("map.yaml", text=MAPPING)


def test_a_foreign_log_is_put_into_the_notation_and_judged() -> None:
    script = read_csv("log.csv", PROCEDURES, mapping(), text=LOG)
    assert [str(line.act) for line in script.lines] == [
        "wager 2 10.00", "deal 2 Th", "deal up 7d", "deal 2 9c", "deal hole Kd", "signal 2 stand", "turn hole",
        "pay 2 12.50", "clear 2", "clear dealer", "start", "wager 2 10.00",
    ]  # fmt: skip
    assert script.lines[1].at == 2.0
    assert script.options.places == 6
    assert script.options.minimum == 1000
    assert script.lines[7].place.line == 10, "the row of the log"
    session = replay(script, machine_of(PROCEDURES, "tropicana"))
    assert [str(entry.act) for entry in session.findings] == ["pay 2 12.50"]


HEAD = "Hand,Action,Seat,Card,Face,Detail,Chips\n"
DEALT = "1,bet,seat 1,,,,10.00\n1,card,seat 1,8h,,,\n1,card,D,Kd,,,\n1,card,seat 1,8c,,,\n"


@pytest.mark.parametrize(
    ("rows", "read"),
    [
        ("1,card,D,6c,,,\n1,gesture,seat 1,,,stay,\n", "deal up 6c; signal 1 stand"),
        ("1,gesture,seat 1,,,stay,\n1,card,D,6c,,,\n", "signal 1 stand; draw 6c"),
        ("1,card,D,6c,hidden,,\n1,shows,D,,,,\n1,card,D,5c,,,\n", "deal hole 6c; turn hole; draw 5c"),
        ("1,takes,seat 1,,,main,10.00\n1,takes,seat 1,,,added,10.00\n", "take 1 main 10.00; take 1 split 10.00"),
        ("1,takes,seat 1b,,,main,10.00\n1,pays,seat 1b,,,added,10.00\n", "take 1b 10.00; pay 1b split 10.00"),
        ("1,double,seat 1b,,,,10.00\n1,return_wager,seat 1b,,,added,20.00\n", "double 1b 10.00; return 1b 20.00"),
        ("1,double,seat 1,,,,10.00\n1,takes,seat 1,,,added,10.00\n", "double 1 10.00; take 1 double 10.00"),
        ("1,double,seat 1a,,,,10.00\n1,separate_cards,seat 1a,,,,\n1,takes,seat 1b,,,added,10.00\n",
         "double 1a 10.00; separate 1a; take 1b split 10.00"),
        ("2,bet,seat 1,,,,10.00\n2,card,D,Kd,,,\n2,card,D,6c,,,\n", "start; wager 1 10.00; deal up Kd; deal up 6c"),
    ],
)  # fmt: skip
def test_what_a_word_of_a_log_means_hangs_on_what_came_before(rows: str, read: str) -> None:
    text = MAPPING.replace(", time: Seconds", "")
    script = read_csv("log.csv", PROCEDURES, read_mapping("map.yaml", text=text), text=HEAD + DEALT + rows)
    assert "; ".join(str(line.act) for line in script.lines[4:]) == read


@pytest.mark.parametrize(
    ("old", "new", "line", "column", "said"),
    [
        ("pays,seat 2", "payz,seat 2", 10, 3, "no action is called so"),
        ("10h", "1h", 4, 5, "a card such as"),
        ("pays,seat 2", "pays,bar", 10, 4, "a spot such as"),
        ("12.5", "12.555", 10, 8, "an amount in dollars"),
        ("stay", "dance", 8, 7, "hit or stand"),
        ("Hand,Seconds", "Hands,Seconds", 1, 1, "did you mean Hands"),
    ],
)
def test_errors_of_a_foreign_log_name_row_and_column(old: str, new: str, line: int, column: int, said: str) -> None:
    with pytest.raises(BadFile) as bad:
        read_csv("log.csv", PROCEDURES, mapping(), text=LOG.replace(old, new, 1))
    problem = bad.value.problems[0]
    assert (problem.place.line, problem.place.column) == (line, column)
    assert said in str(problem)


def test_all_wrong_rows_are_told_at_once() -> None:
    with pytest.raises(BadFile) as bad:
        read_csv("log.csv", PROCEDURES, mapping(), text=LOG.replace("10h", "1h").replace("Kd", "Kx"))
    assert [problem.place.line for problem in bad.value.problems] == [4, 7]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("columns: {do: Action", "columns: {doo: Action", "known are do"),
        ("takes: collect", "takes: colect", "did you mean collect"),
        ("skip:", "skipp:", "skip"),
    ],
)
def test_errors_of_a_mapping_are_told(old: str, new: str, said: str) -> None:
    with pytest.raises(BadFile) as bad:
        read_mapping("map.yaml", text=MAPPING.replace(old, new))
    assert any(said in str(problem) for problem in bad.value.problems)


def test_a_log_without_decisions_is_judged_up_to_the_first_one() -> None:
    """Round 1 goes as far as the initial deal; round 2 begins anew."""
    text = LOG.replace("1,6,gesture,seat 2,,,stay,\n", "") + "2,21,card,seat 2,Ks,hidden,,\n"
    script = read_csv("log.csv", PROCEDURES, mapping(), text=text)
    assert "no-decisions" in script.tags
    machine = machine_of(PROCEDURES, "tropicana")
    result = as_far_as_it_goes(script, machine)
    assert [str(gap) for gap in result.gaps] == [
        "log.csv:8:1: line is 'turn hole'; nobody has written down what the players decided; "
        "the round cannot be judged from here on"
    ]
    assert [str(line.act) for line in result.script.lines][5:8] == ["start", "wager 2 10.00", "deal 2 Ks down"]
    findings = replay(result.script, machine).findings
    assert "deal 2 Ks down" in [str(entry.act) for entry in findings]
    assert "turn hole" not in [str(entry.act) for entry in findings]


def test_a_log_that_keeps_decisions_blames_the_dealer_for_a_missing_signal() -> None:
    script = read_csv("log.csv", PROCEDURES, mapping(), text=LOG)
    kept = as_far_as_it_goes(script, machine_of(PROCEDURES, "tropicana"))
    assert kept.script.lines == script.lines
    assert kept.gaps == ()


def test_an_unknown_hole_card_ends_the_judging_of_its_round_only() -> None:
    text = (
        "house: aces\nlines: [wager 1 10.00, deal 1 Ts, deal up 7d, deal 1 8h, deal hole ??, ask 1, signal 1 stand,"
        " turn hole, pay 1 50.00, start, wager 1 10.00, deal 1 Ts down]\n"
    )
    machine = machine_of(PROCEDURES, "aces")
    result = as_far_as_it_goes(read_script("r.yaml", PROCEDURES, text=text), machine)
    assert len(result.gaps) == 1
    assert "nobody saw the hole card" in str(result.gaps[0])
    acts = [str(line.act) for line in result.script.lines]
    assert "pay 1 50.00" not in acts
    assert acts[-1] == "deal 1 Ts down"
    assert replay(result.script, machine).problems == []


def test_records_are_read_by_the_kind_of_their_file(tmp_path: Path) -> None:
    script = read_script("rich.yaml", PROCEDURES, text=RICH)
    (tmp_path / "a.yaml").write_text(print_script(script), "utf-8")
    (tmp_path / "a.jsonl").write_text(print_json_lines(script), "utf-8")
    (tmp_path / "a.csv").write_text(LOG, "utf-8")
    (tmp_path / "map.yaml").write_text(MAPPING, "utf-8")
    acts = [[line.act for line in read_record(tmp_path / name, PROCEDURES).lines] for name in ("a.yaml", "a.jsonl")]
    assert acts[0] == acts[1]
    assert len(read_record(tmp_path / "a.csv", PROCEDURES, mapping=tmp_path / "map.yaml").lines) == 12
    with pytest.raises(BadFile, match="mapping"):
        read_record(tmp_path / "a.csv", PROCEDURES)


def test_the_command_prints_a_foreign_log_and_tells_its_gaps(tmp_path: Path) -> None:
    log, table = tmp_path / "log.csv", tmp_path / "map.yaml"
    log.write_text(LOG.replace("1,6,gesture,seat 2,,,stay,\n", ""), "utf-8")
    table.write_text(MAPPING, "utf-8")
    done = CliRunner().invoke(trainer, ["import", str(log), "--mapping", str(table), "--judgeable"])
    assert done.exit_code == 0, done.output
    assert "nobody has written down what the players decided" in done.stderr
    assert "turn hole" not in done.stdout
    assert read_script("again.yaml", PROCEDURES, text=done.stdout).tags == ("no-insurance", "no-decisions")
    log.write_text(LOG.replace("10h", "1h"), "utf-8")
    done = CliRunner().invoke(trainer, ["import", str(log), "--mapping", str(table)])
    assert done.exit_code == 2
    assert "log.csv:4:5" in done.stderr


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (b'{"do": "wager 1 20.00\xc8"}', "record.jsonl:2:22: byte 0xC8 is not UTF-8; save as UTF-8"),
        (b'{"at": ' + b"9" * 5000 + b"}", "this is no JSON: it is too large or too deep"),
        (b'{"do": ' + b"[" * 100_000 + b"}", "this is no JSON: it is too large or too deep"),
        (b'{"do": "wait\x00"}', "record.jsonl:2:13: hidden character U+0000; delete it"),
    ],
)
def test_what_no_text_and_no_act_can_hold_is_told_with_its_place(row: bytes, said: str, tmp_path: Path) -> None:
    path = tmp_path / "record.jsonl"
    path.write_bytes(b'{"house": "aces"}\n' + row + b"\n")
    with pytest.raises(BadFile) as bad:
        read_json_lines(path, PROCEDURES)
    assert said in str(bad.value).replace(str(tmp_path) + "/", "")
    assert {problem.place.line for problem in bad.value.problems} == {2}


def test_a_line_separator_within_a_string_ends_no_row(tmp_path: Path) -> None:
    path = tmp_path / "record.jsonl"
    path.write_text('{"house": "aces", "title": "one \x85 row"}\n{"do": "wager 1 20.00"}\n', encoding="utf-8")
    with pytest.raises(BadFile) as bad:
        read_json_lines(path, PROCEDURES)
    assert [problem.thing for problem in bad.value.problems] == ["hidden character U+0085"]
