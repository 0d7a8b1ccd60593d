"""Turn the bytes a terminal sends into key names.

A printable character is its own name ("a", "A", "é", " "). Other keys are named "enter", "up", "f5", "ctrl-a",
"alt-x", "ctrl-shift-left"; bracketed paste arrives as one key, "paste:" and the text. Sequences that mean nothing
here are dropped whole, never typed into the program.
"""

from __future__ import annotations

import re

PASTE = "paste:"
RESIZE = "resize"

ESC_WAIT = 0.03
SEQUENCE_WAIT = 0.3
PASTE_WAIT = 2.0
_STRING_MAX = 4096

_ESC = 0x1B
_PASTE_END = b"\x1b[201~"
_CONTROLS = {0: "ctrl-space", 8: "backspace", 9: "tab", 10: "enter", 13: "enter", 27: "esc", 127: "backspace"} | {
    28: "ctrl-\\",
    29: "ctrl-]",
    30: "ctrl-^",
    31: "ctrl-_",
}
_LETTERS = {"A": "up", "B": "down", "C": "right", "D": "left", "H": "home", "F": "end"} | {
    letter: f"f{key}" for key, letter in enumerate("PQRS", start=1)
}
_KEYPAD = {"M": "enter", "I": "tab", "X": "="} | dict(zip("jklmnopqrstuvwxy", "*+,-./0123456789", strict=True))
_NUMBERS = {1: "home", 2: "insert", 3: "delete", 4: "end", 5: "pageup", 6: "pagedown", 7: "home", 8: "end"} | {
    number: f"f{key}" for key, number in enumerate((11, 12, 13, 14, 15, 17, 18, 19, 20, 21, 23, 24), start=1)
}
_RXVT_MODIFIERS = {"^": "ctrl-", "@": "ctrl-shift-"}
_CODES = {9: "tab", 13: "enter", 27: "esc", 127: "backspace", 8: "backspace", 57414: "enter"}

_RXVT_SHIFT = re.compile(rb"\x1b\[([0-9]{1,2})\$")
_CSI = re.compile(rb"\x1b\[(?:\[[@-~]|M[\s\S]{3}|([0-9:;<=>?]*)([ -/]*)([@-~]))")
_CSI_PART = re.compile(rb"\x1b\[(?:\[|M[\s\S]{0,2}|[0-9:;<=>?]*[ -/]*)\Z")
_CSI_BROKEN = re.compile(rb"\x1b\[[0-9:;<=>?]*[ -/]*")

_STRING_END = re.compile(rb"\x07|\x1b\\|\x1b(?=[^\\])|[\x18\x1a]")


def pasted(key: str) -> str | None:
    """Return the text of a paste, or None for any other key."""
    return key[len(PASTE) :] if key.startswith(PASTE) else None


def printable(key: str) -> bool:
    """Tell whether a key types a character."""
    return len(key) == 1


def _modified(name: str, bits: int) -> str:
    if name == "tab" and bits == 1:
        return "shift-tab"
    return ("ctrl-" if bits & 4 else "") + ("alt-" if bits & 10 else "") + ("shift-" if bits & 1 else "") + name


def _number(text: str) -> int:
    head = text.partition(":")[0]
    return int(head) if head.isdecimal() and len(head) < 8 else 0


def _code(code: int, bits: int) -> str | None:
    """Name a key reported by its character's number, as modern terminals do."""
    if code in _CODES:
        return _modified(_CODES[code], bits)
    if not 32 <= code < 0x110000 or 0xE000 <= code < 0xF900 or not chr(code).isprintable():
        return None
    char = chr(code)
    if bits & 1 and not bits & 14:
        return char.upper()
    return _modified(char.lower() if bits & 4 else char, bits & 14)


def _csi(found: re.Match[bytes]) -> str | None:
    """Name the key of a whole control sequence, or None."""
    raw = found[0].decode("latin-1")
    if found[3] is None:
        return f"f{ord(raw[3]) - 64}" if raw[2] == "[" and raw[3] in "ABCDE" else None
    parameters, between, final = (part.decode("ascii") for part in found.groups())
    if between or parameters[:1] in tuple("<=>?"):
        return None
    fields = parameters.split(";")
    first = _number(fields[0])
    modifier = fields[1] if len(fields) > 1 else ""
    if modifier.endswith(":3"):
        return None
    bits = max(_number(modifier) - 1, 0)
    if final in _LETTERS and first in (0, 1) and not (final in "PQRS" and first == 0 and parameters):
        return _modified(_LETTERS[final], bits)
    if final == "Z":
        return "shift-tab"
    if final in "abcd" and not parameters:
        return "shift-" + _LETTERS[final.upper()]
    if final == "~" and first == 27 and len(fields) > 2:
        return _code(_number(fields[2]), bits)
    if final == "~" and first in _NUMBERS:
        return _modified(_NUMBERS[first], bits)
    if final in "^@" and first in _NUMBERS:
        return _RXVT_MODIFIERS[final] + _NUMBERS[first]
    return _code(first, bits) if final == "u" else None


class Tokenizer:
    """Collect bytes as they come and give out the keys that are complete."""

    def __init__(self) -> None:
        self._data = b""
        self._paste: bytes | None = None

    @property
    def wait(self) -> float | None:
        """Tell how long more bytes may be waited for before `flush`, or None when nothing is pending."""
        if self._paste is not None:
            return PASTE_WAIT
        if not self._data.startswith(b"\x1b"):
            return None
        return ESC_WAIT if len(self._data) == 1 else SEQUENCE_WAIT

    def feed(self, data: bytes | str) -> list[str]:
        """Take what was read and return the keys now complete, in order."""
        self._data += data.encode("utf-8", "ignore") if isinstance(data, str) else data
        keys: list[str] = []
        while self._data:
            if self._paste is not None:
                if not self._take_paste(keys):
                    break
                continue
            key, used = self._next(self._data)
            if not used:
                break
            self._data = self._data[used:]
            if key == PASTE:
                self._paste = b""
            elif key:
                keys.append(key)
        return keys

    def flush(self) -> list[str]:
        """Return what is pending as it stands: no more bytes came in time."""
        data, self._data = self._data, b""
        if self._paste is not None:
            text, self._paste = self._paste + data, None
            return [_paste_key(text)]
        if data == b"\x1b":
            return ["esc"]
        if len(data) == 2 and data[0] == _ESC and data[1] < 0x80:
            return ["alt-" + chr(data[1])]
        if data[:1] != b"\x1b":
            self._data = data
        return []

    def _take_paste(self, keys: list[str]) -> bool:
        text = (self._paste or b"") + self._data
        end = text.find(_PASTE_END)
        if end < 0:
            # The end mark may come split: its first bytes stay in the buffer of the paste and are searched again.
            self._paste, self._data = text, b""
            return False
        self._paste, self._data = None, text[end + len(_PASTE_END) :]
        keys.append(_paste_key(text[:end]))
        return True

    def _next(self, data: bytes) -> tuple[str | None, int]:
        """Return the first key, None to drop it, and the bytes it takes; 0 bytes when it is not complete."""
        first = data[0]
        if first != _ESC:
            return _plain(data)
        if len(data) == 1:
            return None, 0
        second = data[1]
        if second == _ESC:
            # Not read as alt with a key: two keys pressed in a row would be lost to one that nothing is bound to.
            return "esc", 1
        if second == ord("["):
            return _control_sequence(data)
        if second == ord("O"):
            return _ss3(data)
        if second in b"]P_":
            return _string(data)
        key, used = _plain(data[1:])
        if not used:
            return None, 0
        if key and key.startswith("ctrl-"):
            return "ctrl-alt-" + key[5:], used + 1
        return ("alt-" + key if key else None), used + 1


def _paste_key(text: bytes) -> str:
    return PASTE + text.decode("utf-8", "ignore").replace("\r\n", "\n").replace("\r", "\n")


def _plain(data: bytes) -> tuple[str | None, int]:
    first = data[0]
    if first in _CONTROLS:
        return _CONTROLS[first], 1
    if first < 0x20:
        return f"ctrl-{chr(first + 96)}", 1
    if first < 0x80:
        return chr(first), 1
    length = 2 if 0xC2 <= first <= 0xDF else 3 if 0xE0 <= first <= 0xEF else 4 if 0xF0 <= first <= 0xF4 else 0
    if not length:
        return None, 1
    body = data[:length]
    for index, byte in enumerate(body[1:], start=1):
        if not 0x80 <= byte <= 0xBF:
            return None, index
    if len(body) < length:
        return None, 0
    char = body.decode("utf-8", "ignore")
    return (char if len(char) == 1 and not 0x80 <= ord(char) < 0xA0 else None), length


def _control_sequence(data: bytes) -> tuple[str | None, int]:
    if data.startswith(b"\x1b[200~"):
        return PASTE, 6
    shifted = _RXVT_SHIFT.match(data)
    if shifted and int(shifted[1]) in _NUMBERS:
        return "shift-" + _NUMBERS[int(shifted[1])], shifted.end()
    if _CSI_PART.match(data):
        return (None, 0) if len(data) < _STRING_MAX else (None, len(data))
    found = _CSI.match(data)
    if found is None:
        broken = _CSI_BROKEN.match(data)
        return None, broken.end() if broken else 2
    return _csi(found), found.end()


def _ss3(data: bytes) -> tuple[str | None, int]:
    body = re.match(rb"\x1bO([0-9]?)([\s\S])", data)
    if body is None or (body[2].isdigit() and len(data) == 3):
        return None, 0
    final = body[2].decode("latin-1")
    if not " " < final <= "~":
        return None, body.end() - 1
    bits = max(int(body[1] or b"1") - 1, 0)
    if final in _LETTERS:
        return _modified(_LETTERS[final], bits), body.end()
    if final in "abcd":
        return "ctrl-" + _LETTERS[final.upper()], body.end()
    return _KEYPAD.get(final), body.end()


def _string(data: bytes) -> tuple[str | None, int]:
    """Drop an answer of the terminal up to its end mark."""
    found = _STRING_END.search(data, 2)
    if found:
        return None, found.start() if found[0] == b"\x1b" else found.end()
    return (None, 0) if len(data) < _STRING_MAX else (None, len(data))
