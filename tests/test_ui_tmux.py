"""Drive the loop in tmux under a shell with job control, and read what a person would see."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

DEMO = Path(__file__).with_name("test_ui_demo.py")
TMUX = shutil.which("tmux")

pytestmark = pytest.mark.skipif(
    TMUX is None and os.environ.get("TRAINER_NO_SKIPS") != "1", reason="tmux is not installed"
)


class Pane:
    """Hold a shell in a tmux server of its own."""

    def __init__(self, name: str, columns: int, rows: int) -> None:
        assert TMUX, "tmux is not installed and TRAINER_NO_SKIPS=1 forbids to skip"
        self._tmux = [TMUX, "-L", name, "-f", os.devnull]
        left_out = ("TMUX", "NO_COLOR", "COLORTERM")
        self._env = {key: value for key, value in os.environ.items() if key not in left_out}
        self.do("new-session", "-d", "-x", str(columns), "-y", str(rows), "bash --norc --noprofile -i")

    def do(self, *command: str) -> str:
        """Run a tmux command."""
        done = subprocess.run([*self._tmux, *command], env=self._env, capture_output=True, text=True, timeout=10)
        return done.stdout

    @property
    def text(self) -> str:
        """Return the screen as text."""
        return self.do("capture-pane", "-p")

    def keys(self, *keys: str) -> None:
        """Press keys by tmux's names."""
        self.do("send-keys", *keys)

    def shell(self, command: str) -> None:
        """Type a command and Enter."""
        self.do("send-keys", "-l", command)
        self.keys("Enter")

    def resize(self, columns: int, rows: int) -> None:
        """Change the size of the window."""
        self.do("resize-window", "-x", str(columns), "-y", str(rows))

    def wait(self, fulfilled: Callable[[], bool], what: str, timeout: float = 5.0) -> None:
        """Wait until something is so."""
        limit = time.monotonic() + timeout
        while not fulfilled():
            if time.monotonic() > limit:
                pytest.fail(f"{what} did not come; the screen is\n{self.text}")
            time.sleep(0.03)

    def see(self, *wanted: str) -> None:
        """Wait until all texts are on the screen."""
        self.wait(lambda: self._shows(wanted), repr(wanted))

    def _shows(self, wanted: tuple[str, ...]) -> bool:
        shown = self.text
        return all(text in shown for text in wanted)

    def flags(self) -> str:
        """Return whether the second screen is on, the cursor shown, the mouse reported and wrapping on."""
        return self.do("display-message", "-p", "#{alternate_on} #{cursor_flag} #{mouse_any_flag} #{wrap_flag}").strip()

    def modes(self, mark: str) -> str:
        """Return what stty says of the terminal, its size and the breaks of its lines aside."""
        self.shell(f"clear; stty -a; echo {mark}-$((40+2))")
        self.see(f"{mark}-42")
        shown = self.text
        return " ".join(shown[shown.index("intr = ") : shown.index(f"{mark}-42")].split())


@pytest.fixture
def pane(request: pytest.FixtureRequest) -> Iterator[Pane]:
    """Give a shell at 140x40."""
    made = Pane(f"ui-{os.getpid()}-{abs(hash(request.node.name)) % 100000}", 140, 40)
    try:
        made.shell("PS1='$ '; clear")
        made.wait(lambda: made.text.strip() == "$", "a prompt")
        yield made
    finally:
        socket = made.do("display-message", "-p", "#{socket_path}").strip()
        made.do("kill-server")
        Path(socket).unlink(missing_ok=True)


def command(*arguments: str) -> str:
    """Return the shell command that runs the demo and then tells its exit code."""
    return shlex.join([sys.executable, str(DEMO), *arguments]) + "; echo code=$?"


def test_a_session_at_all_sizes_leaves_the_shell_as_it_was(pane: Pane) -> None:
    before = pane.modes("before")
    pane.shell(command())
    pane.see("size 140x40", "bottom")
    assert pane.flags() == "1 1 0 0"
    pane.do("send-keys", "-l", "nnn é")
    pane.keys("Home", "End", "PPage", "F7", "BTab", "C-a")
    pane.see("keys n n n   é home end pageup f7 shift-tab ctrl-a", "> nnn é")
    for columns, rows in ((80, 24), (60, 20), (100, 30)):
        pane.resize(columns, rows)
        if columns < 80:
            pane.see("terminal is 60x20; needs 80x24")
            assert "bottom" not in pane.text
        else:
            pane.see(f"size {columns}x{rows}", "bottom", "> nnn é")
            shown = pane.text.rstrip("\n").split("\n")
            assert len(shown) == rows and max(map(len, shown)) <= columns and shown[-1].endswith("bottom")
    pane.keys("F1")
    pane.see("code=0")
    assert pane.flags() == "0 1 0 1" and "bottom" not in pane.text
    pane.resize(140, 40)
    assert pane.modes("after") == before


def test_ctrl_z_and_fg(pane: Pane) -> None:
    before = pane.modes("before")
    pane.shell(command())
    pane.do("send-keys", "-l", "typed")
    pane.see("> typed")
    pane.keys("C-z")
    pane.see("Stopped")
    assert pane.flags() == "0 1 0 1" and "bottom" not in pane.text
    assert pane.modes("stopped") == before
    pane.resize(100, 30)
    pane.shell("fg")
    pane.see("size 100x30", "> typed", "bottom")
    assert pane.flags() == "1 1 0 0"
    pane.shell(" more")
    pane.see("done typed more")
    pane.keys("C-z")
    pane.see("Stopped")
    pane.shell("bg")
    time.sleep(0.3)
    pane.shell("fg")
    pane.see("done typed more", "bottom")
    pane.keys("C-c")
    pane.wait(lambda: pane.flags() == "0 1 0 1", "the shell")
    pane.resize(140, 40)
    assert pane.modes("after") == before


def test_a_failure_is_read_on_the_shells_screen(pane: Pane) -> None:
    pane.shell(command("--every", "0.05"))
    pane.see("bottom")
    pane.keys("F3")
    pane.see("ZeroDivisionError: while drawing", "code=70")
    assert pane.flags() == "0 1 0 1"


def test_colours_in_tmux_and_none_under_no_color(pane: Pane) -> None:
    for setting, coloured in (("", True), ("NO_COLOR=1 ", False)):
        pane.shell("clear; " + setting + command())
        pane.see("bottom")
        shown = pane.do("capture-pane", "-p", "-e")
        assert ("\x1b[38;5;" in shown or ";38;5;" in shown) is coloured
        pane.keys("F1")
        pane.see("code=0")
