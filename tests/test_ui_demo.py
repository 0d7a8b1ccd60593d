"""Hold a small app that the terminal tests drive; run as a script it shows itself on the terminal."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from trainer.ui.edit import LineEdit
from trainer.ui.keys import pasted
from trainer.ui.lines import Frame, Line, Style, beside, box, line, on, overlay


class Demo:
    """Show the size, the keys that came, a line of text, and fail on request."""

    size_min = (80, 24)

    def __init__(self, every: float | None = None) -> None:
        self.every = every
        self.ticks = 0
        self.keys: list[str] = []
        self.edit = LineEdit(complete=lambda text, at: (0, ["hit", "hint", "stand"]) if text else (0, []))
        self.done: list[str] = []
        self.broken = False

    def frame(self, width: int, height: int) -> Frame:
        """Draw two boxes on the felt, the log of keys and the prompt."""
        if self.broken:
            raise ZeroDivisionError("while drawing")
        spot = [
            line(("A♠", Style.CARD), " ", ("K♥", Style.CARD_RED), " ", ("??", Style.CARD_BACK)),
            line("[10] [~x] [!x]"),
        ]
        felt = on(beside(box(spot, 24, title="spot 1"), box(spot, 24, title="spot 2"), gap=2), Style.FELT)
        text, at = self.edit.view(width - 4)
        rows: list[Line] = [line((f"size {width}x{height}", Style.TITLE), f" ticks {self.ticks}"), *felt]
        rows += [line("keys ", (" ".join(self.keys[-12:]), Style.KEY)), line(f"count {len(self.keys)}")]
        rows += [line("done " + "|".join(self.done)), line(("fault", Style.FAULT), " ", ("right", Style.RIGHT))]
        rows += [()] * (height - len(rows) - 2)
        rows += [line(("> ", Style.PROMPT), (text, Style.INPUT)), line(("bottom".rjust(width), Style.STATUS))]
        return Frame(overlay(rows, box([line("over")], 8), width - 10, 2), (2 + at, height - 2))

    def key(self, name: str) -> bool:
        """Log the key, and quit, fail, hang or print on function keys."""
        self.keys.append("paste" if pasted(name) is not None else name)
        if name == "f1":
            return False
        if name == "f2":
            raise RuntimeError("while handling a key")
        if name == "f3":
            self.broken = True
        if name == "f4":
            while True:
                time.sleep(0.01)
        if name == "f5":
            print("printed meanwhile")
        if name == "f6":
            sys.exit(5)
        if name == "enter":
            self.done.append(self.edit.submit())
        else:
            self.edit.key(name)
        return True

    def tick(self, now: float) -> float | None:
        """Count the calls when asked for regular ones."""
        self.ticks += self.every is not None
        return self.every


def main() -> int:
    """Show the app on the terminal."""
    from trainer.ui.loop import NotATerminal, run

    parser = argparse.ArgumentParser()
    parser.add_argument("--theme", default="default")
    parser.add_argument("--every", type=float)
    options = parser.parse_args()
    try:
        return run(Demo(options.every), theme=options.theme)
    except NotATerminal as problem:
        print(f"plain: {problem}")
        return 3


def test_the_demo_shows_its_keys() -> None:
    """Draw the demo without a terminal."""
    demo = Demo()
    assert demo.key("a") and demo.key("enter") and not demo.key("f1")
    frame = demo.frame(80, 24)
    assert len(frame.lines) == 24 and frame.cursor == (2, 22)


if __name__ == "__main__":
    sys.exit(main())
