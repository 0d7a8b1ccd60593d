"""Edit one line of text by key names: any Unicode, history, completion, scrolled to the width it is shown in."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from trainer.ui.keys import pasted, printable
from trainer.ui.lines import clean, width

Completer = Callable[[str, int], tuple[int, Sequence[str]]]
"""Given the text and the cursor, return where the word to complete starts and what it may become."""

HISTORY_MAX = 500


def _shared(words: Sequence[str]) -> str:
    """Return what all words start with."""
    first, last = min(words, default=""), max(words, default="")
    same = next((at for at, pair in enumerate(zip(first, last, strict=False)) if pair[0] != pair[1]), None)
    return first[:same] if same is not None else min(first, last, key=len)


class LineEdit:
    """Hold a line being typed; `text` and `cursor` (an index into it) may be read and set by `set`."""

    def __init__(self, text: str = "", *, history: Sequence[str] = (), complete: Completer | None = None) -> None:
        self.text = text
        self.cursor = len(text)
        self.history = list(history)
        self.choices: tuple[str, ...] = ()
        self._complete = complete
        self._chosen = -1
        self._start = 0
        self._back = 0
        self._draft = ""
        self._killed = ""
        self._scroll = 0
        self._keys: dict[str, Callable[[], None]] = {
            "backspace": lambda: self._delete(self._left(self.cursor), self.cursor),
            "delete": lambda: self._delete(self.cursor, self._right(self.cursor)),
            "ctrl-d": lambda: self._delete(self.cursor, self._right(self.cursor)),
            "left": lambda: self._move(self._left(self.cursor)),
            "ctrl-b": lambda: self._move(self._left(self.cursor)),
            "right": lambda: self._move(self._right(self.cursor)),
            "ctrl-f": lambda: self._move(self._right(self.cursor)),
            "ctrl-left": lambda: self._move(self._word_left()),
            "alt-b": lambda: self._move(self._word_left()),
            "ctrl-right": lambda: self._move(self._word_right()),
            "alt-f": lambda: self._move(self._word_right()),
            "home": lambda: self._move(0),
            "ctrl-a": lambda: self._move(0),
            "end": lambda: self._move(len(self.text)),
            "ctrl-e": lambda: self._move(len(self.text)),
            "ctrl-u": lambda: self._kill(0, self.cursor),
            "ctrl-k": lambda: self._kill(self.cursor, len(self.text)),
            "ctrl-w": lambda: self._kill(self._blank_left(), self.cursor),
            "alt-backspace": lambda: self._kill(self._word_left(), self.cursor),
            "ctrl-y": lambda: self.insert(self._killed),
            "up": lambda: self._recall(1),
            "ctrl-p": lambda: self._recall(1),
            "down": lambda: self._recall(-1),
            "ctrl-n": lambda: self._recall(-1),
        }

    def set(self, text: str, cursor: int | None = None) -> None:
        """Replace the whole text."""
        self.text = text
        self.cursor = len(text) if cursor is None else min(max(cursor, 0), len(text))
        self._forget_choices()

    def insert(self, text: str) -> None:
        """Insert text at the cursor; line ends and tabs become blanks."""
        text = clean(text)
        self.text = self.text[: self.cursor] + text + self.text[self.cursor :]
        self.cursor += len(text)

    def submit(self) -> str:
        """Return the text, remember it in the history and start an empty line."""
        text = self.text
        if text.strip() and self.history[-1:] != [text]:
            self.history.append(text)
            del self.history[:-HISTORY_MAX]
        self.set("")
        self._back = 0
        self._draft = ""
        return text

    def key(self, name: str) -> bool:
        """Handle a key; return False when it means nothing to a line of text (enter and esc among them)."""
        if name in ("tab", "shift-tab"):
            return self._next_choice(1 if name == "tab" else -1)
        text = name if printable(name) else pasted(name)
        if text is not None:
            self.insert(text)
        elif name in self._keys:
            self._keys[name]()
        else:
            return False
        self._forget_choices()
        return True

    def view(self, cells: int) -> tuple[str, int]:
        """Return the part to show in so many cells and the cell the cursor stands in."""
        cells = max(cells, 1)
        self._scroll = min(self._scroll, self.cursor, len(self.text))
        while width(self.text[self._scroll : self.cursor]) > cells - 1:
            self._scroll = self._right(self._scroll)
        # After deletions the text may fit further to the right than it stands.
        while self._scroll and width(self.text[(left := self._left(self._scroll)) :]) <= cells - 1:
            self._scroll = left
        end = self._scroll
        while end < len(self.text) and width(self.text[self._scroll : self._right(end)]) <= cells:
            end = self._right(end)
        return self.text[self._scroll : end], width(self.text[self._scroll : self.cursor])

    def _left(self, at: int) -> int:
        at -= 1
        while at > 0 and not width(self.text[at]):
            at -= 1
        return max(at, 0)

    def _right(self, at: int) -> int:
        at += 1
        while at < len(self.text) and not width(self.text[at]):
            at += 1
        return min(at, len(self.text))

    def _word_left(self) -> int:
        at = self.cursor
        while at and not self.text[at - 1].isalnum():
            at -= 1
        while at and self.text[at - 1].isalnum():
            at -= 1
        return at

    def _word_right(self) -> int:
        at = self.cursor
        while at < len(self.text) and not self.text[at].isalnum():
            at += 1
        while at < len(self.text) and self.text[at].isalnum():
            at += 1
        return at

    def _blank_left(self) -> int:
        head = self.text[: self.cursor].rstrip()
        return head.rfind(" ") + 1

    def _move(self, at: int) -> None:
        self.cursor = at

    def _delete(self, start: int, end: int) -> None:
        self.text = self.text[:start] + self.text[end:]
        self.cursor = start

    def _kill(self, start: int, end: int) -> None:
        if start < end:
            self._killed = self.text[start:end]
            self._delete(start, end)

    def _recall(self, step: int) -> None:
        back = min(max(self._back + step, 0), len(self.history))
        if back == self._back:
            return
        if self._back == 0:
            self._draft = self.text
        self._back = back
        self.set(self.history[-back] if back else self._draft)

    def _forget_choices(self) -> None:
        self.choices = ()
        self._chosen = -1

    def _replace_word(self, word: str) -> None:
        self.text = self.text[: self._start] + word + self.text[self.cursor :]
        self.cursor = self._start + len(word)

    def _next_choice(self, step: int) -> bool:
        """Complete the word: what all choices share first, then each choice in turn."""
        if self._complete is None:
            return False
        if self.choices:
            fresh = -1 if step > 0 else len(self.choices)
            self._chosen = ((self._chosen if self._chosen >= 0 else fresh) + step) % len(self.choices)
            self._replace_word(self.choices[self._chosen])
            return True
        self._start, found = self._complete(self.text, self.cursor)
        choices = tuple(dict.fromkeys(map(clean, found)))
        typed = self.text[self._start : self.cursor]
        shared = _shared(choices)
        if len(shared) > len(typed) or len(choices) == 1:
            self._replace_word(shared)
        self.choices = choices if len(choices) > 1 else ()
        return True
