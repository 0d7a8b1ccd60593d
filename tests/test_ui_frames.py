"""Compare pictures of the program with those kept in tests/frames; TRAINER_FRAMES=write keeps new ones."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from ui_driver import close_all, desk_of, perfect_round, picture, table_of

from trainer.cards import cards
from trainer.drills.drill import Drill
from trainer.ui.composer import Choice
from trainer.ui.debriefing import DebriefPage
from trainer.ui.desk import Desk, Page
from trainer.ui.felt import draw_felt
from trainer.ui.lines import Frame, line_width, to_text
from trainer.ui.replaying import ReplayPage
from trainer.ui.screen import render
from trainer.ui.start import StartPage
from trainer.ui.view import Chips, FeltView, HandView, Note, PanelView, PromptView, SpotView, TableView

FRAMES = Path(__file__).with_name("frames")
SIZES = ((80, 24), (100, 30), (140, 40))
DEAL = "d1d2d3dud1d2d3dh"


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Keep sessions in a folder of the test's own."""
    monkeypatch.setenv("TRAINER_DATA", str(tmp_path))
    yield
    close_all()


def same(name: str, page: Page | Desk, sizes: tuple[tuple[int, int], ...] = SIZES) -> None:
    """Compare the pictures of a page at each size with those kept."""
    for width, height in sizes:
        frame = page.frame(width, height)
        assert len(frame.lines) == height and all(line_width(row) == width for row in frame.lines)
        shown = picture(page, width, height) + "\n"
        path = FRAMES / f"{name}-{width}x{height}.txt"
        if os.environ.get("TRAINER_FRAMES") == "write":
            path.write_text(shown, "utf-8")
        assert shown == path.read_text("utf-8"), f"{path.name} has changed"


def test_the_table_before_in_and_after_a_round() -> None:
    page = table_of(Drill("trump-marina", display="learn", seed="s4"))
    same("learn-wagers", page)
    for key in DEAL + "a1":
        page.desk.key(key)
    same("learn-turn", page)
    page.desk.key("p")
    page.desk.key("3")
    same("learn-composing", page, ((100, 30),))
    page.desk.key("esc")
    for key in "nn":
        page.desk.key(key)
    same("learn-fault", page)
    perfect_round(page)
    same("learn-over", page, ((100, 30),))


def test_a_table_full_of_split_hands_and_side_wagers() -> None:
    same("full", _Still(full_table()))


def test_the_start_page_and_the_debrief() -> None:
    desk, _ = desk_of()
    start = StartPage(desk, Drill("tropicana", rounds=3, seed="abc123"))
    desk.open(start)
    while desk.tick(0.0) is not None:
        pass
    same("start", desk)
    page = table_of(Drill("tropicana", display="guided", seed="1"))
    for key in DEAL + "kk":
        page.desk.key(key)
    perfect_round(page)
    page.desk.key("enter")
    assert isinstance(page.desk.pages[-1], DebriefPage)
    same("debrief", page.desk)


def test_a_replay_with_the_verdict_of_another_house() -> None:
    page = table_of(Drill("tropicana", display="practice", seed="1", coached=False))
    for key in DEAL + "kk":
        page.desk.key(key)
    perfect_round(page)
    desk, _ = desk_of()
    replay = ReplayPage(desk, Path(page.course.deals[0].file))
    desk.open(replay)
    desk.key("f")
    desk.key("o")
    same("replay", desk)


class _Still:
    """A page that shows one view."""

    def __init__(self, view: TableView) -> None:
        self.view = view

    def frame(self, width: int, height: int) -> Frame:
        return render(self.view, width, height)

    def key(self, name: str) -> None:
        raise AssertionError(name)

    def tick(self, now: float) -> float | None:
        return None

    def shown(self) -> None:
        return None

    def leave(self) -> None:
        return None


def full_table() -> TableView:
    """Return a table with as much on it as the rules allow."""
    side = tuple(Chips(kind, 500) for kind in ("pairs", "number 19", "tie", "blackjack"))
    many = tuple(
        HandView(f"2{letter}", tuple(cards("8s 3d Td")), total="21", chips=(Chips("split", 50000),), turn=letter == "b")
        for letter in "abcd"
    )
    one = HandView(
        "1", tuple(cards("2c 3h 2d As Ac 4d 5s")), total="18", chips=(Chips("main", 50000),), marks=("stands",)
    )
    doubled = HandView("3", tuple(cards("5c 6h Td")), total="21", chips=(Chips("main", 2500), Chips("double", 2500)))
    spots = [
        SpotView(1, "Ann", (one,), side, Chips("insurance", 25000)),
        SpotView(2, "Ben", many),
        SpotView(3, "", (doubled,), side[:1], event="☞ touches cards!", pending=True),
    ]
    spots += [replace(spots[0], number=number, event="signals stand") for number in (4, 5, 6)]
    spots.append(SpotView(7))
    felt = FeltView(
        tuple(spots), tuple(zip(cards("As Kd"), ("up", "seen"), strict=True)), "soft 11", "", "closed", 120, 312, 180,
        (50, 100, 250, 500, 2500, 10000, 50000), -123450, "A spectator reaches for the cards",
    )  # fmt: skip
    notes = tuple(Note("rule", "a rule with a text that is much too long for one row of any panel at all " * 2)
                  for _ in range(4))  # fmt: skip
    return TableView("A house · everything · guided", "round 1 of 1", felt, (("opening", True), ("turn", False)), "State.",
                     ("Do this.",), (PanelView("verdict", notes),), notes, (Choice("d", "deal"),) * 30,
                     PromptView(text="pay 3 2", cursor=7))  # fmt: skip


@pytest.mark.parametrize("width", range(78, 150, 9))
@pytest.mark.parametrize("rows", [8, 11, 14, 17, 22, 30])
def test_the_felt_fills_its_place_exactly_whatever_lies_on_it(width: int, rows: int) -> None:
    felt = full_table().felt
    for one in (felt, replace(felt, spots=felt.spots[:1]), replace(felt, spots=(SpotView(1), SpotView(2)), dealer=())):
        block = draw_felt(one, width, rows)
        assert len(block) == rows and all(line_width(row) == width for row in block)
    if rows >= 14:
        shown = to_text(draw_felt(felt, width, rows))
        assert "A♠" in shown and "(K♦)" in shown and "120 cards left" in shown and "rack -1234.50" in shown


@pytest.mark.parametrize("size", [(80, 24), (81, 25), (99, 29), (119, 31), (120, 24), (200, 60)])
def test_every_size_from_80_by_24_is_laid_out(size: tuple[int, int]) -> None:
    view = full_table()
    frame = render(view, *size)
    assert len(frame.lines) == size[1] and all(line_width(row) == size[0] for row in frame.lines)
    assert frame.cursor == (9, size[1] - 1)
