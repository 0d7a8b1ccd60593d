"""Find rounds for drills with the real machine, reckon reports, and drive the pages around a drill."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from ui_driver import HOUSES, STAMP, close_all, desk_of, perfect_round, picture, table_of

from trainer.actions import Act
from trainer.drills.drill import Course, Deal, Drill, course_path, options_of, read_course
from trainer.drills.report import practise_next, report
from trainer.drills.search import Progress, rounds_that_exercise
from trainer.drills.themes import THEMES, UnknownTheme, breakable, fits, rule_theme, themes_of
from trainer.procedure.load import procedures
from trainer.procedure.machine import HouseMachine
from trainer.rounds.deal import deal_rounds
from trainer.rounds.play import machine_of
from trainer.ui.dealing import TablePage
from trainer.ui.debriefing import DebriefPage
from trainer.ui.replaying import ReplayPage
from trainer.ui.start import FindPage, StartPage
from trainer.ui.textpage import help_page

DEAL = "d1d2d3dud1d2d3dh"


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Keep sessions in a folder of the test's own."""
    monkeypatch.setenv("TRAINER_DATA", str(tmp_path))
    yield
    close_all()


def machine(house: str) -> HouseMachine:
    """Return the machine of a house."""
    return machine_of(procedures(None), house)


def search(house: str, theme: str, wanted: int = 2, **more: object) -> Progress:
    """Return where a search ends; bounded by seeds, not by time, so that it ends alike on every machine."""
    one = machine(house)
    options = options_of(one.house, Drill(house, games=tuple(one.house.games)))
    steps = list(
        rounds_that_exercise(one, options, theme, wanted=wanted, seed="t", seconds=120, **more)  # type: ignore[arg-type]
    )
    assert [step.over for step in steps] == [False] * (len(steps) - 1) + [True]
    return steps[-1]


@pytest.mark.parametrize("house", HOUSES)
def test_each_theme_of_each_house_is_found_and_really_there(house: str) -> None:
    one = machine(house)
    verbs = {"insurance": "call insurance", "splits": "separate", "surrender": "surrender"}
    options = options_of(one.house, Drill(house, games=tuple(one.house.games)))
    for theme in themes_of(one.house):
        found = search(house, theme.name, 1, seeds=300).found
        assert found, f"{house}: {theme.name}"
        session = deal_rounds(one, options, seed=found[0])
        assert theme.fits(session) and not session.findings
        assert theme.name not in verbs or verbs[theme.name] in {entry.act.verb for entry in session.entries}


@pytest.mark.parametrize("slug", ["hole-card-after-hands", "early-blackjack-paid-before-third-card", "soft-18-stands",
                                  "insurance-at-most-half", "one-settlement-each"])  # fmt: skip
def test_a_rule_is_exercised_where_an_act_would_break_it(slug: str) -> None:
    difficulty = "difficult" if slug == "insurance-at-most-half" else "plain"
    found = search("tropicana", rule_theme(slug), 1, seeds=400, difficulty=difficulty).found
    assert found
    one = machine("tropicana")
    session = deal_rounds(one, options_of(one.house, Drill("tropicana")), seed=found[0], difficulty=difficulty)
    example = breakable(session, slug)
    assert example and example.kept.verdict.is_right
    judged = one.judge(example.position, example.broken)
    assert slug in {unmet.rule.slug for unmet in judged.unmet}


def test_a_search_finds_the_same_again_and_ends_without_finding() -> None:
    assert search("aces", "splits") == search("aces", "splits")
    nothing = search("tropicana", rule_theme("surrender-half"), 1, seeds=3)
    assert nothing.tried == 3 and not nothing.found
    one = machine("tropicana")
    ticks = iter([0.0, 1.0, 99.0])
    steps = list(rounds_that_exercise(one, options_of(one.house, Drill("tropicana")), "insurance", wanted=50, seed="t",
                                      seconds=5, clock=lambda: next(ticks)))  # fmt: skip
    assert [step.over for step in steps] == [False, True]


def test_a_theme_that_cannot_come_up_is_refused() -> None:
    house = machine("tropicana").house
    for name in ("surrender", "side games", "no such", rule_theme("no-such-rule")):
        with pytest.raises(UnknownTheme):
            fits(house, name)
    assert fits(house, "insurance") is THEMES["insurance"].fits


def test_a_report_counts_faults_money_time_and_shows_speed_only_when_right() -> None:
    page = table_of(Drill("tropicana", seed="1", coached=False, display="practice"))
    for key in DEAL:
        page.desk.key(key)
    good = table_of(Drill("tropicana", seed="1"))
    perfect_round(good)
    right = report(good.house, [good.seat.close()])
    assert right.accuracy == 1 and right.rounds == 1 and right.rounds_an_hour and right.trend and not right.rules
    assert sum(right.seconds.values()) == pytest.approx(sum(right.round_seconds))
    for _ in range(3):
        for key in "kk":
            page.desk.key(key)
    perfect_round(page)
    wrong = report(page.house, [page.seat.close()])
    assert wrong.faults and wrong.accuracy < 0.95
    assert wrong.rounds_an_hour is None and not wrong.trend
    assert wrong.rules[0].sources and wrong.rules[0].rule.slug.startswith("look-under")
    nexts = practise_next(wrong)
    assert len(nexts) == 3 and nexts[0].theme == rule_theme(wrong.rules[0].rule.slug)
    assert all(fits(page.house, one.theme) for one in nexts)


def test_money_that_a_fault_moved_is_in_the_debrief() -> None:
    page = table_of(Drill("tropicana", seed="1", coached=False, display="practice"))
    while page.session.position.state != "settle":
        for act in page.machine.suggest(page.session.position) or [Act("wait")]:
            page.commit(act)
    due = page.machine.suggest(page.session.position)[0]
    assert due.verb in ("pay", "take") and due.amount
    page.commit(replace(due, verb="pay", amount=due.amount + 500))
    perfect_round(page)
    assert report(page.house, [page.seat.close()]).money == -(500 if due.verb == "pay" else 2 * due.amount + 500)


def test_progress_of_a_drill_outlives_the_program() -> None:
    drill = Drill("trump-marina", "surrender", variations=(("surrender", True),), spots=(1, 4))
    course = Course(drill, [Deal("a", 1, "x.yaml"), Deal("b", 1)], path=course_path("trump-marina", STAMP))
    course.save()
    assert course.path is not None and read_course(course.path) == course
    course.path.write_text("{", "utf-8")
    assert read_course(course.path) is None


def run(page: FindPage, ticks: int = 5000) -> None:
    """Let the search run to its end."""
    for _ in range(ticks):
        if page.tick(0.0) is None:
            return
    raise AssertionError("the search does not end")


def test_a_drill_goes_from_the_start_page_through_its_rounds_to_the_debrief() -> None:
    desk, _ = desk_of()
    start = StartPage(desk, Drill("tropicana", rounds=2, seed="z", display="learn"))
    desk.open(start)
    while start.drill.theme != "splits":
        desk.key("t")
    desk.key("enter")
    find = desk.pages[-1]
    assert isinstance(find, FindPage) and "Looking for rounds" in picture(desk, 80, 24)
    run(find)
    table = desk.pages[-1]
    assert isinstance(table, TablePage) and len(table.course.deals) == 2
    for number in (1, 2):
        assert f"round {number} of 2" in picture(desk, 100, 30)
        acts = perfect_round(table)
        assert "separate" in {act.verb for act in acts}
        desk.key("enter")
        if number == 1:
            assert isinstance(desk.pages[-1], DebriefPage)
            desk.key("enter")
            assert desk.pages.index(table) == len(desk.pages) - 1
    assert isinstance(desk.pages[-1], DebriefPage) and table.course.finished
    shown = picture(desk, 140, 40)
    assert "100 %" in shown and "2 finished" in shown
    desk.key("1")
    found = desk.pages[-1]
    assert isinstance(found, FindPage) and found.drill.theme != "splits"
    desk.key("esc")
    assert desk.pages == [start] and "Last results" in picture(desk, 100, 30)
    while desk.tick(0.0) is not None:
        pass
    assert picture(desk, 100, 40).count("100%") == 2
    desk.key("4")
    assert isinstance(desk.pages[-1], ReplayPage)
    desk.key("q")
    assert not desk.key("q")


def test_the_start_page_changes_house_table_and_rule() -> None:
    desk, _ = desk_of()
    start = StartPage(desk, Drill("greektown", seed="z"))
    desk.open(start)
    for key in "gpsn":
        desk.key(key)
    assert start.drill.games and start.drill.difficulty == "difficult" and start.drill.spots == (1, 3, 5)
    desk.key("x")
    for key in "at-most-half":
        desk.key(key)
    desk.key("tab")
    desk.key("enter")
    assert start.drill.theme == rule_theme("insurance-at-most-half") and start.line is None
    for key in "dddc":
        desk.key(key)
    assert start.drill.display == "exam" and not start.drill.coached and "silent" in picture(desk, 80, 24)
    desk.key("e")
    desk.key("ctrl-u")
    for key in "seed9":
        desk.key(key)
    desk.key("enter")
    assert start.drill.seed == "seed9"
    desk.key("f1")
    shown = picture(desk, 100, 80)
    assert "separate HAND" in shown and "refuse HAND WHAT" in shown
    assert picture(help_page(desk), 80, 24)


def test_the_replay_steps_jumps_plays_and_asks_another_house() -> None:
    page = table_of(Drill("tropicana", display="practice", seed="1", coached=False))
    for key in DEAL + "kk":
        page.desk.key(key)
    perfect_round(page)
    desk, clock = desk_of()
    replay = ReplayPage(desk, Path(page.course.deals[0].file))
    desk.open(replay)
    desk.key("right")
    desk.key("right")
    desk.key("left")
    assert replay.at == 1
    desk.key("f")
    assert replay.entry and replay.entry.act.verb == "peek" and "fault" in picture(desk, 140, 40)
    assert "[opening]" in picture(desk, 100, 30)
    found = replay.at
    desk.key("o")
    assert replay.other == "aces" and "verdict · ACES" in picture(desk, 140, 40)
    desk.key("home")
    desk.key(" ")
    assert replay.playing and replay.tick(clock.time)
    for _ in range(3):
        clock.time += 2
        replay.tick(clock.time)
    assert replay.at == 3
    desk.key("+")
    assert "2×" in picture(desk, 100, 30)
    desk.key("end")
    assert replay.at == replay.last and not replay.playing
    desk.key("F")
    assert replay.at == found
    desk.key("?")
    assert "Evidence" in picture(desk, 100, 30)
