"""A real PostgreSQL for the tests: a new cluster in a folder of its own, reached by a unix socket, stopped at the end."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def tool(name: str) -> str:
    """Return where a program of PostgreSQL lies, '' when it is not installed."""
    found = shutil.which(name)
    if found:
        return found
    homes = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), reverse=True)
    return str(homes[0]) if homes else ""


def is_here() -> bool:
    """Tell whether a server can be started here; it refuses to run as root, so root needs another user for it."""
    if not (tool("initdb") and tool("pg_ctl")):
        return False
    return os.geteuid() != 0 or bool(shutil.which("runuser"))


@contextmanager
def server() -> Iterator[str]:
    """Start a server and give the address of its database."""
    folder = Path(tempfile.mkdtemp(prefix="pg-", dir="/tmp"))  # a socket's path has to be short
    before: list[str] = []
    if os.geteuid() == 0:
        before = ["runuser", "-u", "postgres", "--"]
        shutil.chown(folder, "postgres")

    def run(*command: str) -> None:
        done = subprocess.run([*before, *command], cwd=folder, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stdout + done.stderr

    data = folder / "data"
    run(tool("initdb"), "-D", str(data), "-U", "trainer", "-A", "trust", "-E", "UTF8", "--locale=C")
    # The log goes to a file: a server that kept the pipe open would never let this call return.
    options = f"-c listen_addresses= -c unix_socket_directories={folder} -c max_connections=60"
    run(tool("pg_ctl"), "-D", str(data), "-l", str(folder / "log"), "-o", options, "-w", "start")
    try:
        yield f"postgresql://trainer@/postgres?host={folder}"
    finally:
        run(tool("pg_ctl"), "-D", str(data), "-m", "immediate", "-w", "stop")
        shutil.rmtree(folder, ignore_errors=True)
