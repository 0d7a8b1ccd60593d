"""Take over a terminal and give it back as it was found, by whatever way the program leaves."""

from __future__ import annotations

import contextlib
import errno
import os
import select
import termios
import time
from collections.abc import Callable, Mapping
from io import StringIO
from typing import TextIO

from trainer.ui.paint import make_terminal

# Alternate screen, no wrapping at the right edge, no cursor, bracketed paste.
_ENTER = "\x1b[?1049h\x1b[?7l\x1b[?25l\x1b[?2004h\x1b[0m\x1b[H\x1b[2J"
# The screen is wiped before it is left, for terminals that have no second one.
_LEAVE = "\x1b[?2026l\x1b[0m\x1b[H\x1b[2J\x1b[?2004l\x1b[?7h\x1b[?25h\x1b[?1049l"
_CHUNK = 4096
_LEAVE_PATIENCE = 0.3


class NotATerminal(RuntimeError):
    """Say that a full screen cannot be shown here; a plain mode can be chosen instead."""


class Gone(Exception):
    """Say that the terminal has hung up."""


class Output(StringIO):
    """Stand in for a stream: gather what is written, and write it to the terminal on `flush`.

    The terminal is opened once more, without blocking, so that one that has stopped reading cannot hold the program
    up when it is told to end; the blocking mode of the descriptor shared with the shell is left alone.
    """

    def __init__(self, fd: int, encoding: str, urgent: Callable[[], bool]) -> None:
        super().__init__()
        self._encoding = encoding
        self._urgent = urgent
        try:
            self._fd = os.open(os.ttyname(fd), os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK)
        except OSError:
            self._fd = os.dup(fd)

    def flush(self) -> None:
        """Write what was gathered; give up on the rest when something urgent waits and the terminal does not read."""
        if self.closed:
            return
        data = self.getvalue().encode(self._encoding, "replace")
        self.seek(0)
        super().truncate(0)
        self.send(data)

    def send(self, data: bytes, patience: float | None = None) -> bool:
        """Write bytes, waiting for the terminal at most so long, and tell whether all went out."""
        limit = None if patience is None else time.monotonic() + patience
        while data:
            try:
                data = data[os.write(self._fd, data[:_CHUNK]) :]
            except BlockingIOError:
                if self._urgent() if limit is None else time.monotonic() > limit:
                    return False
                select.select([], [self._fd], [], 0.05)
            except OSError as problem:
                raise Gone from problem
        return True

    def release(self) -> None:
        """Close the descriptor of its own."""
        os.close(self._fd)


class Screen:
    """Hold the terminal: its modes, its size and what is written to it."""

    def __init__(self, stdin: TextIO, stdout: TextIO, urgent: Callable[[], bool]) -> None:
        why = why_not(stdin, stdout)
        if why:
            raise NotATerminal(why)
        self.fd = stdin.fileno()
        self._out_fd = stdout.fileno()
        encoding = stdout.encoding or "utf-8"
        self.ascii_only = "utf" not in encoding.lower()
        self.output = Output(self._out_fd, encoding, urgent)
        self._terminal = make_terminal(self.output, self.size())
        self._modes = termios.tcgetattr(self.fd)
        self.inside = False

    def size(self) -> tuple[int, int]:
        """Return columns and rows, 80 by 24 where the terminal does not know."""
        try:
            columns, rows = os.get_terminal_size(self._out_fd)
        except OSError:
            columns = rows = 0
        return columns or 80, rows or 24

    def enter(self, fresh: bool = True) -> None:
        """Take the terminal over; with `fresh`, what its modes are now is what they will be set back to."""
        if fresh:
            self._modes = termios.tcgetattr(self.fd)
        raw = termios.tcgetattr(self.fd)
        raw[0] &= ~(termios.BRKINT | termios.ICRNL | termios.INLCR | termios.IGNCR)
        raw[0] &= ~(termios.ISTRIP | termios.INPCK | termios.IXON)
        raw[2] = raw[2] & ~(termios.CSIZE | termios.PARENB) | termios.CS8
        raw[3] &= ~(termios.ECHO | termios.ECHONL | termios.ICANON | termios.ISIG | termios.IEXTEN)
        raw[6][termios.VMIN], raw[6][termios.VTIME] = 1, 0
        self.inside = True
        _set_modes(self.fd, raw)
        self.output.send(_ENTER.encode())

    def show(self, drawing: str) -> None:
        """Write a drawing as one frame, so that terminals that know of frames show it at once."""
        with self._terminal.frame() as frame:
            frame.write(drawing)

    def read(self) -> bytes:
        """Return what was typed."""
        try:
            data = os.read(self.fd, 65536)
        except OSError as problem:
            if problem.errno in (errno.EAGAIN, errno.EINTR):
                return b""
            raise Gone from problem
        if not data:
            raise Gone
        return data

    def leave(self) -> None:
        """Give the terminal back; a terminal that is gone or does not listen is no reason to fail."""
        if not self.inside:
            return
        self.inside = False
        with contextlib.suppress(Gone):
            self.output.send(_LEAVE.encode(), _LEAVE_PATIENCE)
        with contextlib.suppress(Gone, termios.error):
            _set_modes(self.fd, self._modes)

    def close(self) -> None:
        """Leave and let go of the terminal."""
        self.leave()
        self.output.release()


def _set_modes(fd: int, modes: list[object]) -> None:
    while True:
        try:
            return termios.tcsetattr(fd, termios.TCSANOW, modes)  # type: ignore[arg-type]
        except termios.error as problem:
            # A process continued in the background is stopped here and comes back by a signal.
            if problem.args[0] == errno.EIO:
                raise Gone from problem
            if problem.args[0] != errno.EINTR:
                raise


def why_not(stdin: TextIO | None, stdout: TextIO | None, env: Mapping[str, str] | None = None) -> str:
    """Return why a full screen cannot be shown, "" when it can; `env` adds the kinds of terminal too simple for one."""
    for name, stream in (("input", stdin), ("output", stdout)):
        try:
            terminal = stream is not None and os.isatty(stream.fileno())
        except (OSError, ValueError):
            terminal = False
        if not terminal:
            return f"the standard {name} is no terminal"
    if env is not None and env.get("TERM", "") in ("", "dumb", "unknown"):
        return f"the terminal is of kind {env.get('TERM') or 'unknown'!r}, which cannot place a cursor"
    return ""
