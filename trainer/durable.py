"""Write files that survive a crash: whole files at once, or line by line."""

from __future__ import annotations

import errno
import io
import os
import secrets
from contextlib import suppress
from pathlib import Path


def _sync_folder(path: Path) -> None:
    if os.name == "posix":  # elsewhere a folder cannot be opened
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def atomic_write(path: Path | str, text: str) -> None:
    """Replace a file's content so that a crash leaves either the old or the new; raises OSError, the old then stays.

    A device or a pipe is written to and stays what it is.
    """
    data = text.encode("utf-8")
    if os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path):
        _write_into(path, data)
        return
    target = Path(os.path.realpath(path))  # replacing a link would leave the file it points to as it was
    new = target.with_name(f".{target.name[:40]}.{secrets.token_hex(4)}.tmp")
    try:
        with open(new, "xb") as handle:
            handle.write(data)
            handle.flush()
            os.fsync(handle.fileno())
        with suppress(FileNotFoundError):
            os.chmod(new, target.stat().st_mode & 0o7777)
        os.replace(new, target)
    except BaseException as why:
        with suppress(OSError):
            os.unlink(new)
        if isinstance(why, OSError) and why.filename == str(new):
            why.filename = str(target)  # the other name means nothing to who reads the message
        raise
    _sync_folder(target)


def _write_into(path: Path | str, data: bytes) -> None:
    try:
        with open(path, "wb") as handle:
            handle.write(data)
    except OSError as why:
        why.filename = str(path)  # a full device does not say which it is
        raise


class DurableLines:
    """Append lines to a file so that it always holds whole lines; `torn` is what a crash left behind, now cut off.

    Opening and `append` raise OSError; after a failed append the line is not in the file.
    """

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        self.torn = ""
        self._unclean = False
        self._file = io.FileIO(self.path, "a+")
        try:
            self._size = self._whole()
            _sync_folder(self.path)
        except BaseException:
            self._file.close()
            raise

    def _whole(self) -> int:
        size = end = self._file.seek(0, os.SEEK_END)
        tail = b""
        while end and b"\n" not in tail:
            start = max(0, end - 65536)
            self._file.seek(start)
            tail = self._file.read(end - start) + tail
            end = start
        whole = end + tail.rfind(b"\n") + 1
        if whole < size:
            self.torn = tail[whole - end :].decode("utf-8", "replace")
            self._file.truncate(whole)
            os.fsync(self._file.fileno())
        return whole

    def append(self, text: str) -> None:
        """Write one line and return once it is on the disk; raises ValueError for text of more than one line."""
        if "\n" in text or "\r" in text:
            raise ValueError("a line cannot hold a line break")
        data = memoryview((text + "\n").encode("utf-8"))
        if self._unclean:
            self._file.truncate(self._size)
            self._unclean = False
        elif self._file.seek(0, os.SEEK_END) != self._size:  # cutting back later would destroy another writer's lines
            raise OSError(errno.EBUSY, "another program has changed the file", str(self.path))
        try:
            written = 0
            while written < len(data):
                written += self._file.write(data[written:]) or 0
            os.fsync(self._file.fileno())
            self._size += written
        except BaseException:
            self._unclean = True
            with suppress(OSError):
                self._file.truncate(self._size)
                self._unclean = False
            raise

    def close(self) -> None:
        """Close the file; every line is on the disk already."""
        self._file.close()

    def __enter__(self) -> DurableLines:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def cannot(why: OSError) -> str:
    """Say which file or folder could not be read or written, and why."""
    if not why.strerror:
        return f"trainer: {why}"
    reason = why.strerror[:1].lower() + why.strerror[1:]
    if why.filename is None:
        return f"trainer: {reason}"
    return f"trainer: {os.fsdecode(why.filename)} cannot be read or written ({reason})"
