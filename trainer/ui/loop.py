"""Run an app on a terminal: one thread, one wait for keys, signals and time, one picture drawn after each."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
import threading
import time
import traceback
from collections.abc import Mapping
from io import StringIO
from types import FrameType
from typing import Any, Protocol, TextIO

from trainer.durable import cannot
from trainer.ui.keys import RESIZE, Tokenizer
from trainer.ui.lines import Frame, Style, fit, line, wrap
from trainer.ui.paint import Painter, Palette
from trainer.ui.terminal import Gone, NotATerminal, Screen, why_not
from trainer.ui.themes import DEFAULT, Theme, choose, depth

__all__ = ["CRASHED", "HUNG_UP", "INTERRUPTED", "TERMINATED", "App", "NotATerminal", "run", "too_small", "why_not"]

INTERRUPTED = 130
TERMINATED = 143
HUNG_UP = 129
CRASHED = 70
FILES_LOST = 2

_TICK_MIN = 0.02
_DRAW_AFTER = 0.025
_PATIENCE = 1.0
_FATAL = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)


class App(Protocol):
    """Say what the loop needs of a program: what it shows, what a key does, when time matters to it."""

    @property
    def size_min(self) -> tuple[int, int]:
        """Return the columns and rows below which it cannot be shown."""

    def frame(self, width: int, height: int) -> Frame:
        """Return the picture of now."""

    def key(self, name: str) -> bool:
        """Handle a key, or "resize" after the terminal changed its size; return False to quit."""

    def tick(self, now: float) -> float | None:
        """Let time pass and return in how many seconds to be called again; None sleeps until something happens."""


class _Leave(BaseException):
    """Carry the exit code out of code that does not come back by itself."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


def too_small(width: int, height: int, size_min: tuple[int, int]) -> Frame:
    """Return the picture for a terminal that is too small, fit for any size."""
    text = f"terminal is {width}x{height}; needs {size_min[0]}x{size_min[1]}"
    rows = wrap(text, width)
    if height > len(rows) + 2:
        rows += wrap("make it larger, or press ctrl-c to leave", width)
    above = max((height - len(rows)) // 2, 0)
    shown = [fit((), width)] * above + [fit(line((row, Style.STRONG)), width, "centre") for row in rows]
    return Frame(tuple(shown[:height]))


class _Signals:
    """Turn signals into bytes on a pipe that the loop waits on beside the keys."""

    def __init__(self) -> None:
        self.reader, self._writer = os.pipe()
        os.set_blocking(self.reader, False)
        os.set_blocking(self._writer, False)
        self._before: dict[int, Any] = {}
        self._fatal = 0
        self._since = 0.0
        self._wakeup = signal.set_wakeup_fd(self._writer, warn_on_full_buffer=False)
        for number in (*_FATAL, signal.SIGTSTP, signal.SIGCONT, signal.SIGWINCH):
            # What the one who started the program had it ignore (nohup, no job control) stays ignored.
            if signal.getsignal(number) is not signal.SIG_IGN or number == signal.SIGWINCH:
                self._before[number] = signal.signal(number, self._note)

    def _note(self, number: int, _frame: FrameType | None) -> None:
        if number not in _FATAL:
            return
        now = time.monotonic()
        if not self._fatal:
            self._fatal, self._since = number, now
        elif now - self._since > _PATIENCE:
            # The loop has not come round since the first one: the program hangs in code of the app.
            raise _Leave(128 + number)

    def settle(self) -> None:
        """Let no further signal interrupt: the program is on its way out."""
        self._fatal, self._since = self._fatal or -1, float("inf")

    @property
    def fatal(self) -> int:
        """Return the signal that ends the program, 0 while there is none."""
        return self._fatal

    def take(self) -> set[int]:
        """Return the signals that came since the last call."""
        try:
            return set(os.read(self.reader, 4096))
        except BlockingIOError:
            return set()

    def stop(self) -> None:
        """Stop the process as its terminal would, and come back when it is continued."""
        if signal.SIGTSTP not in self._before:
            return
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        # The whole group, as the terminal does it: a wrapper that waits for the program must stop with it.
        os.killpg(0, signal.SIGTSTP)
        signal.signal(signal.SIGTSTP, self._note)

    def close(self) -> None:
        """Put back what was there before."""
        for number, handler in self._before.items():
            signal.signal(number, handler if handler is not None else signal.SIG_DFL)
        signal.set_wakeup_fd(self._wakeup)
        os.close(self.reader)
        os.close(self._writer)


class _Loop:
    def __init__(self, app: App, screen: Screen, signals: _Signals, painter: Painter) -> None:
        self._app = app
        self._screen = screen
        self._signals = signals
        self._painter = painter
        self._tokens = Tokenizer()
        self._give_up: float | None = None
        self._size = screen.size()
        self._drawn = 0.0

    def main(self) -> int:
        self._screen.enter()
        while True:
            due = self._app.tick(time.monotonic())
            self._draw()
            code = self._wait(due)
            if code is not None:
                return code

    @property
    def _small(self) -> bool:
        return self._size[0] < self._app.size_min[0] or self._size[1] < self._app.size_min[1]

    def _draw(self) -> None:
        width, height = self._size
        frame = too_small(width, height, self._app.size_min) if self._small else self._app.frame(width, height)
        drawing = self._painter.draw(frame, width, height)
        if drawing:
            self._screen.show(drawing)
        self._drawn = time.monotonic()

    def _wait(self, due: float | None) -> int | None:
        """Sleep until a key, a signal or the time wakes the loop, and handle it."""
        if self._signals.fatal:
            return 128 + self._signals.fatal
        timeout = None if due is None else max(due, _TICK_MIN)
        if self._give_up is not None:
            left = max(self._give_up - time.monotonic(), 0.0)
            timeout = left if timeout is None else min(timeout, left)
        ready, _, _ = select.select([self._screen.fd, self._signals.reader], [], [], timeout)
        if self._signals.reader in ready:
            code = self._on_signals(self._signals.take())
            if code is not None:
                return code
        keys: list[str] = []
        if self._screen.fd in ready:
            keys = self._tokens.feed(self._screen.read())
            wait = self._tokens.wait
            self._give_up = None if wait is None else time.monotonic() + wait
        elif self._give_up is not None and time.monotonic() >= self._give_up:
            keys = self._tokens.flush()
            self._give_up = None
        return self._on_keys(keys)

    def _on_signals(self, numbers: set[int]) -> int | None:
        if self._signals.fatal:
            return 128 + self._signals.fatal
        if signal.SIGTSTP in numbers:
            return self._suspend()
        if signal.SIGCONT in numbers:
            # Stopped by a signal that cannot be caught: whoever used the terminal meanwhile may have changed it.
            self._screen.enter(fresh=False)
            self._painter.forget()
        return self._on_resize()

    def _on_resize(self) -> int | None:
        size = self._screen.size()
        if size != self._size:
            self._size = size
            self._painter.forget()
            if not self._app.key(RESIZE):
                return 0
        return None

    def _on_keys(self, keys: list[str]) -> int | None:
        for key in keys:
            code = self._on_key(key)
            if code is None and self._signals.fatal:
                code = 128 + self._signals.fatal
            if code is not None:
                return code
            if time.monotonic() - self._drawn > _DRAW_AFTER:
                self._draw()
        return None

    def _on_key(self, key: str) -> int | None:
        if key == "ctrl-c":
            return INTERRUPTED
        if key == "ctrl-z":
            return self._suspend()
        # Keys typed at a screen that shows nothing of the app must not act in it.
        return None if self._small or self._app.key(key) else 0

    def _suspend(self) -> int | None:
        self._screen.leave()
        self._signals.stop()
        self._signals.take()
        self._screen.enter()
        self._painter.forget()
        return self._on_resize()


def _report(problem: BaseException, stdout: TextIO) -> None:
    trace = "".join(traceback.format_exception(problem))
    for stream in [sys.stderr] + ([stdout] if sys.stderr is None or not sys.stderr.isatty() else []):
        with contextlib.suppress(OSError, ValueError, AttributeError):
            stream.write(trace)
            stream.flush()


def run(
    app: App,
    *,
    theme: str | Theme = DEFAULT,
    stdin: TextIO | None = None,
    stdout: TextIO | None = None,
    env: Mapping[str, str] | None = None,
) -> int:
    """Show the app on the terminal until it is left, and return the exit code.

    0: the app asked to quit; 2: a file or the store could not be written, told in a line; 130: ctrl-c; 143, 129, 131: ended by a signal or a hang-up; 70: an exception in the
    app, whose traceback is printed once the terminal is restored. Raise NotATerminal before anything is touched when
    the input or the output is no terminal.
    """
    stdin = sys.stdin if stdin is None else stdin
    stdout = sys.stdout if stdout is None else stdout
    env = os.environ if env is None else env
    why = why_not(stdin, stdout)
    if why:
        raise NotATerminal(why)
    if threading.current_thread() is not threading.main_thread():
        raise RuntimeError("signals can be handled by the main thread only")
    palette = Palette(choose(theme, env), depth(env))
    failure: Exception | None = None
    lost: OSError | None = None
    held = StringIO()
    signals = _Signals()
    try:
        screen = Screen(stdin, stdout, lambda: bool(signals.fatal))
        try:
            with contextlib.redirect_stdout(held), contextlib.redirect_stderr(held):
                code = _Loop(app, screen, signals, Painter(palette, screen.ascii_only)).main()
        except _Leave as leave:
            code = leave.code
        except KeyboardInterrupt:
            code = INTERRUPTED
        except Gone:
            code = 128 + signals.fatal if signals.fatal else HUNG_UP
        except OSError as problem:
            code, lost = FILES_LOST, problem
        except Exception as problem:
            code, failure = CRASHED, problem
        finally:
            signals.settle()
            screen.close()
    finally:
        signals.close()
        with contextlib.suppress(OSError, ValueError):
            print(held.getvalue(), end="", file=sys.stderr, flush=True)
    if lost is not None:
        print(cannot(lost), file=sys.stderr)
        print("What was dealt before is kept: trainer replay FILE, or trainer deal --resume FILE.", file=sys.stderr)
    if failure is not None:
        _report(failure, stdout)
    return code
