"""Findings listed and filtered, progress with intervals, and records side by side."""

from __future__ import annotations

import csv
import io
import json
import math
import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from conftest import ROOT

from trainer.cli import trainer
from trainer.procedure.load import Procedures
from trainer.records import people
from trainer.records.compare import pairs, same_cards, spell_houses, spell_trainees, under_two_houses
from trainer.records.findings import Filter, Finding, as_csv, as_json, as_text, findings_of
from trainer.records.progress import Sat, by_period, chart, poisson_interval, rule_table
from trainer.records.recorder import take_in
from trainer.records.store import Store
from trainer.rounds.play import Session
from trainer.rounds.script import read_script

FAULTY = """
    wager 1 10.00
    wager 2 10.00
    deal 1 Ts
    deal 2 9c
    deal up Ad
    deal 1 7h
    deal 2 8d
    deal hole 5c
    ask 1
    signal 1 stand
    ask 2
    signal 2 stand
    turn hole
    draw 4h
    stop
    pay 2 10.00
    take 1 10.00
    clear 2
    clear 1
    clear dealer
"""


@pytest.fixture
def found(play: Callable[..., Session]) -> list[Finding]:
    session = play("aces", FAULTY)
    return findings_of(
        session, name="s1", trainee="Ben", class_name="A1", record="practice", started="2026-05-01T10:00:00Z"
    )


def kept(found: list[Finding], **wanted: object) -> list[Finding]:
    want = Filter(**wanted)  # type: ignore[arg-type]
    return [one for one in found if want.lets(one)]


def test_a_row_holds_what_a_supervisor_asks_for(found: list[Finding]) -> None:
    paid = next(one for one in found if one.line == "pay 2 10.00")
    assert (paid.severity, paid.money, paid.to, paid.trainee) == ("fault", -2000, "players", "Ben")
    assert "lower-total-loses" in paid.rule.split() and "aces-032" in paid.statements.split()
    assert paid.weight in ("minor", "major", "critical") and paid.instead and paid.source.startswith("ACES")


def test_filters_let_through_what_is_asked(found: list[Finding]) -> None:
    assert {one.kind for one in kept(found, kind="omitted")} == {"omitted"}
    assert all("aces-057" in one.statements for one in kept(found, statement="aces-057")) and kept(
        found, statement="aces-057"
    )
    assert [one.line for one in kept(found, money="players")] == ["pay 2 10.00"]
    assert kept(found, money="house") == []
    assert len(kept(found, money="none")) == len(found) - 1
    assert [one.line for one in kept(found, least=2000)] == ["pay 2 10.00"] and kept(found, least=2001) == []
    assert all("lower-total-loses" in one.rule for one in kept(found, rule="lower-total-loses"))
    assert kept(found, rule="lower-total") == []
    assert kept(found, trainee="BEN") == found == kept(found, class_name="A1") and kept(found, trainee="Cora") == []
    assert kept(found, since="2026-05-01") == found and kept(found, until="2026-05-01") == []
    faults, advice = kept(found, severity="fault"), kept(found, severity="advice")
    assert len(faults) + len(advice) == len(found) and faults


def test_times_of_acts_follow_the_session(play: Callable[..., Session]) -> None:
    session = play("aces", FAULTY)
    for entry in session.entries:
        entry.at = entry.number * 60.0
    rows = findings_of(session, started="2026-05-01T23:30:00Z")
    assert rows[-1].time.startswith("2026-05-01T23:4") or rows[-1].time.startswith("2026-05-0")
    entry = session.findings[0]
    assert rows[0].time == f"2026-05-01T23:{30 + entry.number:02d}:00.000000Z"


def test_the_three_forms_hold_the_same(found: list[Finding]) -> None:
    data = json.loads(as_json(found))
    rows = list(csv.DictReader(io.StringIO(as_csv(found), newline="")))
    assert [row["line"] for row in data] == [row["line"] for row in rows] == [one.line for one in found]
    paid = next(row for row in rows if row["line"] == "pay 2 10.00")
    assert (paid["money"], paid["to"]) == ("-20.00", "players")
    text = "\n".join(as_text(found))
    assert all(one.why in text and one.source in text for one in found)
    assert "20.00 too much to the players" in text


def test_a_spreadsheet_takes_no_words_for_a_formula(found: list[Finding]) -> None:
    from dataclasses import replace

    bad = replace(found[0], trainee="=HYPERLINK(1)", overruled="-1+1", money=-500)
    row = next(csv.DictReader(io.StringIO(as_csv([bad]), newline="")))
    assert (row["trainee"], row["overruled"], row["money"]) == ("'=HYPERLINK(1)", "'-1+1", "-5.00")


# -- progress ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("count", "low", "high"),
    [(0, 0.0, 3.6889), (1, 0.0253, 5.5716), (2, 0.2422, 7.2247), (10, 4.7954, 18.3904), (100, 81.364, 121.627)],
)
def test_intervals_are_the_published_exact_ones(count: int, low: float, high: float) -> None:
    """Garwood's limits, as tables of the Poisson distribution give them."""
    assert poisson_interval(count) == pytest.approx((low, high), abs=4e-4)


def test_the_interval_covers_the_truth_as_often_as_it_says() -> None:
    dice = random.Random(1)

    def counted(mean: float) -> int:
        limit, count, product = math.exp(-mean), 0, dice.random()
        while product > limit:
            count, product = count + 1, product * dice.random()
        return count

    covered = 0
    for _ in range(1500):
        low, high = poisson_interval(counted(4.0))
        covered += low <= 4.0 <= high
    assert covered / 1500 >= 0.945


def sat(day: str, rounds: int, faults: int, rule: str = "a-rule") -> Sat:
    return Sat(f"{day}T10:00:00.000000Z", f"s{day}", rounds, rounds * 20, faults, ((rule, faults),) if faults else ())


def test_sessions_are_added_up_by_period() -> None:
    rows = [sat("2026-03-09", 10, 4), sat("2026-03-02", 20, 9), sat("2026-03-08", 5, 0), sat("2026-04-01", 0, 0)]
    weeks = by_period(rows, "week")
    assert [(one.name, one.rounds, one.faults) for one in weeks] == [
        ("week of 2026-03-02", 25, 9), ("week of 2026-03-09", 10, 4), ("week of 2026-03-30", 0, 0),
    ]  # fmt: skip
    assert weeks[0].rate == 36.0 and weeks[2].rate is None
    assert [one.name for one in by_period(rows, "month")] == ["2026-03", "2026-04"]
    assert len(by_period(rows, "session")) == 4


def test_bars_are_as_long_as_the_rates() -> None:
    periods = by_period([sat("2026-03-02", 100, 40), sat("2026-03-10", 100, 20), sat("2026-03-20", 100, 0)], "week")
    lines = chart(periods, 110, plain=True)[1:]
    lengths = [line.count("#") + line.count("=") for line in lines]
    assert lengths[2] == 0 and abs(lengths[0] - 2 * lengths[1]) <= 1 and lengths[0] > 10
    assert all(len(line) <= 110 for line in chart(periods, 110))
    assert "40.0 (28.6 to 54.5), 40 in 100 rounds" in lines[0]
    assert chart([], 80) == ["no sessions"]
    assert rule_table(periods)[1:] == ["    20.0     0.0  a-rule"]


def run(store: Store, *words: str) -> Result:
    return CliRunner().invoke(trainer, [*words, "--store", store.where])


@pytest.fixture
def store(tmp_path: Path, shipped: Procedures, play: Callable[..., Session]) -> Iterator[Store]:
    with Store(str(tmp_path / "records.db")) as opened:
        ben, cora = people.add_all(opened, [("Ben", "trainee", "A1"), ("Cora", "trainee", "A1")])
        faulty = play("aces", FAULTY).script
        right = play("tropicana", FAULTY.replace("pay 2", "take 2").replace("aces", "tropicana")).script
        for script, person in ((faulty, ben), (right, cora)):
            take_in(opened, script, shipped, person=person.id)
        yield opened


def test_findings_and_progress_of_the_store(store: Store) -> None:
    rows = json.loads(run(store, "findings", "--format", "json", "--trainee", "ben", "--money", "players").output)
    assert [(row["line"], row["trainee"], row["class_name"]) for row in rows] == [("pay 2 10.00", "Ben", "A1")]
    assert run(store, "findings", "--class", "A2").output == "0 findings\n"
    assert run(store, "findings", "--trainee", "Bne").exit_code == 2
    shown = run(store, "progress", "--class", "A1", "--width", "100").output
    assert shown.index("Ben") < shown.index("Cora") < shown.index("together (2 trainees)")
    assert "in 2 rounds" in shown and "rules broken" in shown and "norm" not in shown


def test_findings_of_files(tmp_path: Path, store: Store) -> None:
    path = tmp_path / "one.yaml"
    path.write_text(store.session(store.sessions()[0].id).text)
    done = run(store, "findings", str(path), "--severity", "fault", "--format", "csv")
    assert done.exit_code == 0 and "pay 2 10.00" in done.output and done.output.startswith("time,session,")


# -- side by side ------------------------------------------------------------------------------------------------


def test_one_record_under_two_houses(shipped: Procedures, store: Store) -> None:
    stored = store.session(store.sessions()[0].id)
    left, right = under_two_houses(stored.text, "x", shipped, "aces", "tropicana")
    differing = {pair.line for pair in pairs(left, right) if pair.differs}
    assert "ask 1" in differing and "deal up Ad" not in differing
    lines = spell_houses(left, right, 120)
    assert all(len(line) <= 120 for line in lines)
    assert any("insurance has not been called" in line and "| right" in line for line in lines)
    done = run(store, "beside", stored.id, "--houses", "aces", "tropicana", "--width", "120")
    assert done.exit_code == 0 and done.output.splitlines() == lines
    assert "rule the same on every act" in "\n".join(spell_houses(left, left, 120))


def test_two_trainees_on_one_seed(play: Callable[..., Session]) -> None:
    one = play("aces", FAULTY, header="seed: abc")
    other = play("aces", FAULTY.replace("pay 2", "take 2"), header="seed: abc")
    assert same_cards(one, other) == ""
    assert "same seed" in same_cards(one, play("aces", FAULTY, header="seed: abd"))
    assert "same seed" in same_cards(play("aces", FAULTY), play("aces", FAULTY))
    assert "house" not in same_cards(one, other) and "dealt in" in same_cards(
        one, play("tropicana", FAULTY, header="seed: abc")
    )
    text = "\n".join(spell_trainees(one, other, ("Ben", "Cora"), 120))
    assert "Ben" in text and "Cora" in text and "round 1" in text
    lost = [line for line in text.splitlines() if "pay 2 10.00" in line]
    assert len(lost) == 1 and lost[0].index("pay 2") < lost[0].index("|")


def test_a_case_of_the_scenarios_is_read_by_path(store: Store) -> None:
    path = next(iter(sorted((ROOT / "scenarios" / "aces").rglob("*.yaml"))))
    done = run(store, "beside", str(path), "--houses", "aces", "trump-marina", "--all")
    assert done.exit_code == 0, done.output
    assert run(store, "beside", str(path)).exit_code == 2


def test_a_file_and_a_session_have_the_same_findings(shipped: Procedures, store: Store) -> None:
    stored = store.session(store.sessions()[0].id)
    script = read_script("x", shipped, text=stored.text)
    assert [line.act for line in script.lines] == [entry.act for entry in store.replayed(stored).entries]
