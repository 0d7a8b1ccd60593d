"""Deal whole rounds in tmux, by keys, and read the screen: every house, every size, resizes, no colour."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from test_ui_tmux import TMUX, Pane
from ui_driver import HOUSES, close_all, perfect_round, table_of

from trainer.actions import Act
from trainer.drills.drill import Drill
from trainer.drills.themes import wrong_acts
from trainer.table import CannotHappen
from trainer.ui.composer import keys_for
from trainer.ui.dealing import TablePage

pytestmark = pytest.mark.skipif(
    TMUX is None and os.environ.get("TRAINER_NO_SKIPS") != "1", reason="tmux is not installed"
)
SEED = "5"


class Table(Pane):
    """Wait longer: a whole program has to start, perhaps on a busy machine."""

    def see(self, *wanted: str) -> None:
        """Wait until all texts are on the screen."""
        self.wait(lambda: all(text in self.text for text in wanted), repr(wanted), 20.0)

    def fills(self, columns: int, rows: int) -> bool:
        """Tell whether the picture has the size of the screen: its prompt stands in the last row."""
        shown = self.text.rstrip("\n").split("\n")
        return len(shown) == rows and max(map(len, shown)) <= columns and shown[-1].startswith("›")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Give the sessions of the rehearsal and of the program folders of the test's own."""
    monkeypatch.setenv("TRAINER_DATA", str(tmp_path / "rehearsal"))
    yield tmp_path / "real"
    close_all()


@pytest.fixture
def pane(request: pytest.FixtureRequest) -> Iterator[Table]:
    """Give a shell at 100x30."""
    made = Table(f"table-{os.getpid()}-{abs(hash(request.node.name)) % 100000}", 100, 30)
    try:
        made.shell("PS1='$ '; clear")
        made.wait(lambda: made.text.strip() == "$", "a prompt")
        yield made
    finally:
        socket = made.do("display-message", "-p", "#{socket_path}").strip()
        made.do("kill-server")
        Path(socket).unlink(missing_ok=True)


def command(home: Path, house: str, *more: str, env: str = "") -> str:
    """Return the shell command that opens the table of a house."""
    words = [sys.executable, "-m", "trainer", "deal", house, "--seed", SEED, *more]
    return f"clear; {env} TRAINER_DATA={shlex.quote(str(home))} {shlex.join(words)}; echo code=$?"


def send(pane: Table, page: TablePage, act: Act) -> None:
    """Press the keys of an act in the pane."""
    keys = keys_for(act, page.grammar)
    pane.do("send-keys", "-l", "".join(key for key in keys if key != "enter"))
    if keys[-1] == "enter":
        pane.keys("Enter")


def rehearse(house: str, display: str = "guided") -> tuple[TablePage, list[tuple[str, ...]]]:
    """Deal the round without a terminal and return the keys of its acts."""
    page = table_of(Drill(house, display=display, seed=SEED))
    keys: list[tuple[str, ...]] = []
    real = page.commit

    def noted(act: Act) -> None:
        keys.append(keys_for(act, page.grammar))
        real(act)

    page.commit = noted  # type: ignore[method-assign]
    perfect_round(page)
    return page, keys


def type_all(pane: Table, keys: list[tuple[str, ...]]) -> None:
    """Type the keys of many acts in one go."""
    text = ""
    for act in keys:
        text += "".join("\r" if key == "enter" else key for key in act)
    pane.do("send-keys", "-l", text)


def a_fault(page: TablePage) -> tuple[Act, str]:
    """Return an act that a statement of the house forbids now, and the statement."""
    for act in wrong_acts(page.session.position):
        try:
            verdict = page.session.judge(act)
        except CannotHappen:
            continue
        if verdict.severity == "fault" and verdict.cites and keys_for(act, page.grammar) and not act.card:
            return act, verdict.cites[0]
    raise AssertionError("nothing is forbidden")


@pytest.mark.parametrize("house", HOUSES)
def test_a_perfect_round_in_every_house(house: str, pane: Table, home: Path) -> None:
    page, keys = rehearse(house)
    pane.shell(command(home, house))
    pane.see(page.house.title, "shoe", "round 1 of 1", "press a verb's key")
    type_all(pane, keys)
    pane.see("The round is over")
    assert "fault" not in pane.text
    pane.keys("Enter")
    pane.see("accuracy", "100 %", "Practise next", "every act was right")
    pane.keys("q", "q")
    pane.see("code=0")
    recorded = next((home / "sessions").glob("*.yaml")).read_text("utf-8")
    rehearsed = Path(page.course.deals[0].file).read_text("utf-8")
    acts = [
        [row.split(", at:")[0] for row in text.partition("lines:")[2].splitlines()] for text in (recorded, rehearsed)
    ]
    assert acts[0] == acts[1]


@pytest.mark.parametrize("house", HOUSES)
def test_a_faulty_round_in_every_house(house: str, pane: Table, home: Path) -> None:
    page = table_of(Drill(house, display="guided", seed=SEED))
    pane.shell(command(home, house, "--assessed", "--display", "practice"))
    pane.see("press a verb's key")
    for _ in range(8):
        act = page.machine.suggest(page.session.position)[0]
        send(pane, page, act)
        page.commit(act)
    wrong, cited = a_fault(page)
    send(pane, page, wrong)
    pane.see("fault", "rule", "why")
    pane.keys("?")
    pane.see("Evidence", "documented", cited)
    pane.keys("Escape")
    pane.see("cards left")
    pane.do("send-keys", "-l", "qq")
    pane.see("accuracy", "fault", "1 faulted")


@pytest.mark.parametrize("size", [(80, 24), (140, 40)])
def test_the_other_sizes_and_a_resize_in_mid_round(size: tuple[int, int], pane: Table, home: Path) -> None:
    _, keys = rehearse("tropicana")
    pane.resize(*size)
    pane.shell(command(home, "tropicana", "--display", "learn"))
    pane.see("next step", "d1   deal 1")
    type_all(pane, keys[:10])
    pane.resize(60, 20)
    pane.see("terminal is 60x20; needs 80x24")
    for columns, rows in ((100, 30), size):
        pane.resize(columns, rows)
        pane.wait(lambda c=columns, r=rows: pane.fills(c, r), f"a picture of {columns}x{rows}", 20.0)  # type: ignore[misc]
        pane.see("next", "▒▒", "discards")
    type_all(pane, keys[10:])
    pane.see("The round is over")
    pane.keys("Enter")
    pane.see("accuracy", "100 %")
    pane.keys("C-c")
    pane.see("code=130")
    assert pane.flags().split()[0] == "0"


def test_without_colour_suits_and_verdicts_are_read(pane: Table, home: Path) -> None:
    _, keys = rehearse("tropicana")
    pane.shell(command(home, "tropicana", env="NO_COLOR=1"))
    pane.see("press a verb's key")
    type_all(pane, keys[:8])
    pane.see("▒▒")
    pane.do("send-keys", "-l", "kk")
    pane.see("fault", "Nothing has moved")
    raw = pane.do("capture-pane", "-p", "-e")
    assert "38;" not in raw and "48;" not in raw and any(suit in raw for suit in "♠♥♦♣")


def test_killed_in_mid_round_nothing_committed_is_lost(pane: Table, home: Path) -> None:
    page, keys = rehearse("tropicana")
    pane.shell(command(home, "tropicana"))
    pane.see("press a verb's key")
    type_all(pane, keys[:9])
    file = next((home / "sessions").glob("*.yaml"))
    pane.wait(lambda: "deal hole" in file.read_text("utf-8"), "the record of the deal")
    pane.wait(lambda: "ask 1" in pane.text or "right" in pane.text, "the ninth act")
    found = pane.do("list-panes", "-F", "#{pane_pid}").strip()
    child = Path(f"/proc/{found}/task/{found}/children").read_text().split()[0]
    os.kill(int(child), 9)
    pane.see("code=137")
    pane.shell(
        f"stty sane; printf '\\033c'; TRAINER_DATA={shlex.quote(str(home))} {shlex.quote(sys.executable)} -m trainer"
    )
    pane.see("Go on where you left", "Tropicana")
    pane.keys("1")
    pane.see("▒▒", "round 1 of 1")
    type_all(pane, keys[9:])
    pane.see("The round is over")
    pane.keys("Enter")
    pane.see("100 %")
    assert page.over
