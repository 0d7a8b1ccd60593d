"""Drive the loop on a pseudo terminal and read the screen with a terminal emulator."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import statistics
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pyte
import pytest

DEMO = Path(__file__).with_name("test_ui_demo.py")
ENTERED = b"\x1b[?1049h"
LEFT = b"\x1b[?1049l"
COLOUR = re.compile(rb"\x1b\[(?:[0-9;]*;)?(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])(?:;[0-9;]*)?m")
STYLED = re.compile(rb"\x1b\[[1-9][0-9;]*m")


class Session:
    """Hold a program on a pseudo terminal, the screen it painted and every byte it wrote."""

    def __init__(
        self, *arguments: str, size: tuple[int, int] = (100, 30), env: Mapping[str, str] | None = None
    ) -> None:
        environment = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "COLORTERM")}
        environment |= {"TERM": "xterm-256color", "PYTHONUNBUFFERED": "1", **(env or {})}
        self.screen = pyte.Screen(*size)
        self._stream = pyte.ByteStream(self.screen)
        self.raw = b""
        self.code: int | None = None
        self.pid, self.fd = pty.fork()
        if not self.pid:
            try:
                # The size is set before the program starts, through the master, once the parent says so.
                os.read(0, 1)
                os.execve(sys.executable, [sys.executable, str(DEMO), *arguments], environment)
            finally:
                os._exit(99)
        self.resize(*size, signal_it=False)
        self.before = termios.tcgetattr(self.fd)
        os.write(self.fd, b"\n")

    def resize(self, columns: int, rows: int, signal_it: bool = True) -> None:
        """Change the size of the terminal, which tells the program by a signal."""
        self.screen.resize(rows, columns)
        if signal_it:
            self.screen.reset()
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def send(self, keys: bytes | str) -> None:
        """Type."""
        os.write(self.fd, keys.encode() if isinstance(keys, str) else keys)

    def pump(self, seconds: float) -> bool:
        """Read what the program writes; return False when it has closed the terminal."""
        if select.select([self.fd], [], [], seconds)[0]:
            try:
                data = os.read(self.fd, 65536)
            except OSError:
                return False
            self.raw += data
            self._stream.feed(data)
        return True

    @property
    def text(self) -> str:
        """Return the screen as text."""
        return "\n".join(row.rstrip() for row in self.screen.display)

    def wait(self, wanted: str | Callable[[Session], bool], timeout: float = 5.0) -> None:
        """Read until the screen shows the text or fulfils the condition."""
        limit = time.monotonic() + timeout
        while not (wanted in self.text if isinstance(wanted, str) else wanted(self)):
            if not self.pump(0.05) or time.monotonic() > limit:
                pytest.fail(f"{wanted!r} did not come; the screen is\n{self.text}\n{self.raw[-300:]!r}")

    def end(self, timeout: float = 5.0) -> int:
        """Read to the end and return the exit code."""
        limit = time.monotonic() + timeout
        while self.code is None:
            self.pump(0.02)
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.code = os.waitstatus_to_exitcode(status)
            assert time.monotonic() < limit, f"still running; the screen is\n{self.text}"
        while select.select([self.fd], [], [], 0)[0] and self.pump(0):
            pass
        return self.code

    def restored(self) -> bool:
        """Tell whether the terminal is as it was: modes, first screen, cursor, wrapping, no bracketed paste."""
        tail = self.raw[self.raw.rindex(ENTERED) :]
        shown, hidden = (
            {mode: tail.rfind(b"\x1b[?%d%s" % (mode, end)) for mode in (7, 25, 1049, 2004)} for end in (b"h", b"l")
        )
        clean = all((shown[mode] > hidden[mode]) is (mode in (7, 25)) for mode in shown)
        return clean and termios.tcgetattr(self.fd) == self.before

    def close(self) -> None:
        """End the program, however it is."""
        if self.code is None:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self.fd)


Start = Callable[..., Session]


@pytest.fixture
def start() -> Iterator[Start]:
    """Start programs that are ended with the test."""
    sessions: list[Session] = []

    def go(*arguments: str, size: tuple[int, int] = (100, 30), env: Mapping[str, str] | None = None) -> Session:
        sessions.append(Session(*arguments, size=size, env=env))
        sessions[-1].wait(lambda s: "bottom" in s.text or "needs" in s.text)
        return sessions[-1]

    yield go
    for session in sessions:
        session.close()


def test_the_first_picture_fills_the_screen_and_quitting_restores_it(start: Start) -> None:
    session = start()
    assert "size 100x30" in session.text and session.screen.display[29].endswith("bottom")
    assert "[10] [~x] [!x]" in session.text, "brackets in data are shown"
    assert "A♠ K♥ ??" in session.text
    assert "│over  │" in session.screen.display[3]
    assert (session.screen.cursor.x, session.screen.cursor.y) == (2, 28) and not session.screen.cursor.hidden
    assert termios.tcgetattr(session.fd) != session.before
    session.send("\x1bOP")
    assert session.end() == 0 and session.restored()


def test_keys_that_arrive_together_are_all_handled(start: Start) -> None:
    session = start()
    session.send("nnn\x1b[A\x1b[5~é\x1bOHq\x1b[15~\x1b[Z")
    session.wait("keys n n n up pageup é home q f5 shift-tab")
    assert "count 10" in session.text
    session.send("\x1b")
    session.wait("shift-tab esc")


def test_a_sequence_split_over_reads_is_one_key(start: Start) -> None:
    session = start()
    for part in (b"\x1b[", b"6", b"~", b"\xc3", b"\xa9"):
        session.send(part)
        session.pump(0.01)
    session.wait("keys pagedown é")


def test_text_history_completion_and_paste(start: Start) -> None:
    session = start()
    session.send("héllo\x7f\x7f\rhi\t\t")
    session.wait("> hit")
    session.send("\r\x1b[A\x1b[A")
    session.wait("> hél")
    session.send("\x1b[200~ one\ntwo q\x1b[201~")
    session.wait("> hél one two q")
    session.send("\r")
    session.wait("done hél|hit|hél one two q")


def test_resizing_draws_anew_and_a_small_terminal_says_so(start: Start) -> None:
    session = start(size=(140, 40))
    assert "size 140x40" in session.text
    session.resize(80, 24)
    session.wait("size 80x24")
    session.wait(lambda s: s.screen.display[23].endswith("bottom"))
    session.resize(60, 20)
    session.wait("terminal is 60x20; needs 80x24")
    assert "bottom" not in session.text
    session.send("abc")
    session.resize(3, 1)
    session.pump(0.2)
    session.resize(100, 30)
    session.wait("size 100x30")
    session.wait(lambda s: s.screen.display[29].endswith("bottom"))
    assert "keys resize resize resize resize" in session.text, "keys typed unseen do nothing"
    session.send("\x1bOP")
    assert session.end() == 0 and session.restored()


def test_ctrl_c_leaves_even_a_small_terminal(start: Start) -> None:
    session = start(size=(70, 20))
    assert "terminal is 70x20; needs 80x24" in session.text
    session.send("q\x03")
    assert session.end() == 130 and session.restored()


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGINT, 130), (signal.SIGQUIT, 131)]
)
def test_signals_that_end_restore_the_terminal(start: Start, number: int, code: int) -> None:
    session = start()
    os.kill(session.pid, number)
    assert session.end() == code and session.restored()


@pytest.mark.parametrize(("key", "said"), [("\x1bOQ", "while handling a key"), ("\x1bOR", "while drawing")])
def test_an_exception_is_shown_on_the_restored_screen(start: Start, key: str, said: str) -> None:
    session = start()
    session.send(key)
    assert session.end() == 70 and session.restored()
    after = session.raw[session.raw.rindex(LEFT) :].decode()
    assert "Traceback (most recent call last)" in after and said in after


def test_an_exit_asked_for_inside_the_app_restores_the_terminal(start: Start) -> None:
    session = start()
    session.send("\x1b[17~")
    assert session.end() == 5 and session.restored()


def test_printing_does_not_smear_the_picture(start: Start) -> None:
    session = start()
    session.send("\x1b[15~")
    session.wait("keys f5")
    assert b"printed" not in session.raw
    session.send("\x03")
    assert session.end() == 130
    assert b"printed meanwhile" in session.raw[session.raw.rindex(LEFT) :]


def test_a_hanging_app_gives_in_to_the_second_signal(start: Start) -> None:
    session = start()
    session.send("\x1bOS")
    session.pump(0.1)
    os.kill(session.pid, signal.SIGTERM)
    time.sleep(1.1)
    os.kill(session.pid, signal.SIGTERM)
    assert session.end() == 143 and session.restored()


def test_a_terminal_that_does_not_read_cannot_hold_up_the_end(start: Start) -> None:
    session = start("--every", "0.02")
    time.sleep(0.2)
    session.send("x" * 500)
    for turn in range(40):
        session.resize(100 + turn % 2, 30)
        time.sleep(0.01)
    os.kill(session.pid, signal.SIGTERM)
    limit = time.monotonic() + 3
    while not (found := os.waitpid(session.pid, os.WNOHANG))[0]:
        assert time.monotonic() < limit, "waits for the terminal to read"
        time.sleep(0.02)
    session.code = os.waitstatus_to_exitcode(found[1])
    assert session.code == 143 and termios.tcgetattr(session.fd) == session.before


def test_hanging_up_ends_the_program(start: Start) -> None:
    session = start()
    pid, read_end = session.pid, os.dup(session.fd)
    os.close(session.fd)
    os.close(read_end)
    session.fd = os.open(os.devnull, os.O_RDONLY)
    limit = time.monotonic() + 3
    while not (found := os.waitpid(pid, os.WNOHANG))[0]:
        assert time.monotonic() < limit
        time.sleep(0.02)
    session.code = os.waitstatus_to_exitcode(found[1])
    assert session.code == 129


def test_ctrl_z_without_job_control_only_draws_again(start: Start) -> None:
    session = start()
    session.send("a\x1ab")
    session.wait("keys a b")
    assert session.raw.count(ENTERED) == 2
    session.send("\x1bOP")
    assert session.end() == 0 and session.restored()


def test_stopped_and_continued_by_others_it_takes_the_terminal_again(start: Start) -> None:
    session = start()
    os.kill(session.pid, signal.SIGSTOP)
    os.waitpid(session.pid, os.WUNTRACED)
    termios.tcsetattr(session.fd, termios.TCSANOW, session.before)
    session.screen.reset()
    os.kill(session.pid, signal.SIGCONT)
    session.wait("bottom")
    session.send("z")
    session.wait("keys z")
    session.send("\x1bOP")
    assert session.end() == 0 and session.restored()


def test_no_color_writes_no_colour(start: Start) -> None:
    session = start("--theme", "high-contrast", env={"NO_COLOR": "1", "COLORTERM": "truecolor"})
    session.send("ab")
    session.wait("keys a b")
    assert not COLOUR.search(session.raw) and STYLED.search(session.raw)


def test_a_dumb_terminal_gets_no_styles_at_all(start: Start) -> None:
    session = start(env={"TERM": "dumb"})
    assert not STYLED.search(session.raw)


@pytest.mark.parametrize(
    ("env", "wanted", "unwanted"),
    [
        ({"TERM": "xterm-256color"}, b"38;5;", b"38;2;"),
        ({"TERM": "tmux", "COLORTERM": "truecolor"}, b"38;2;", b"38;5;"),
        ({"TERM": "linux"}, b"\x1b[37m", b"38;"),
        ({"TERM": "xterm-256color", "PTG_COLOR_SYSTEM": "bogus"}, b"38;5;", b"38;2;"),
    ],
)
def test_colours_are_those_the_terminal_knows(
    start: Start, env: Mapping[str, str], wanted: bytes, unwanted: bytes
) -> None:
    session = start(env=env)
    assert wanted in session.raw and unwanted not in session.raw


def test_a_terminal_without_unicode_gets_ascii(start: Start) -> None:
    session = start(env={"PYTHONIOENCODING": "latin-1"})
    assert session.raw.isascii() and "+- spot 1 " in session.text and "As Kh ??" in session.text


def test_a_key_is_on_screen_within_50_ms(start: Start) -> None:
    session = start()
    times = []
    for turn in range(15):
        began = time.perf_counter()
        session.send("k")
        while f"count {turn + 1}" not in session.text:
            assert session.pump(1)
        times.append(time.perf_counter() - began)
    assert statistics.median(times) < 0.05, times


def _switches(pid: int) -> tuple[int, float]:
    status = Path(f"/proc/{pid}/status").read_text()
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    switches = re.search(r"^voluntary_ctxt_switches:\s+(\d+)", status, re.M)
    assert switches
    return int(switches[1]), (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no /proc to read the times from")
def test_idle_it_sleeps(start: Start) -> None:
    session = start()
    session.pump(0.2)
    before = _switches(session.pid)
    written = len(session.raw)
    session.pump(0.5)
    after = _switches(session.pid)
    assert after == before and len(session.raw) == written


def test_ticks_come_when_asked_for_and_write_one_line(start: Start) -> None:
    session = start("--every", "0.05")

    def ticks() -> int:
        found = re.search(r"ticks (\d+)", session.text)
        return int(found[1]) if found else 0

    session.wait(lambda _: ticks() >= 4)
    before, written = ticks(), len(session.raw)
    session.wait(lambda _: ticks() >= before + 4)
    # A reader that comes late finds more ticks than it waited for.
    assert len(session.raw) - written < (ticks() - before) * 400


@pytest.mark.parametrize("closed", ["stdin", "stdout"])
def test_no_terminal_is_refused_before_anything_is_written(closed: str) -> None:
    main, other = pty.openpty()
    stdin = subprocess.DEVNULL if closed == "stdin" else other
    stdout = subprocess.PIPE if closed == "stdout" else other
    done = subprocess.run([sys.executable, str(DEMO)], stdin=stdin, stdout=stdout, timeout=10, check=False)
    shown = done.stdout if closed == "stdout" else os.read(main, 1000)
    os.close(main)
    os.close(other)
    name = "input" if closed == "stdin" else "output"
    assert done.returncode == 3 and shown.strip() == f"plain: the standard {name} is no terminal".encode()
