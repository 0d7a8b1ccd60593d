"""What the commands that write papers share: where the paper goes, and PDF or the reason why not."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import click

from trainer.durable import atomic_write

T = TypeVar("T")


def out_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the option that names the file to write."""
    option = click.option("--out", "-o", type=click.Path(path_type=Path, dir_okay=False), help="Write to a file.")
    return option(command)


class Unknown(click.ClickException):
    """A command was asked for something that does not exist or cannot be made here."""

    exit_code = 2


def unknown(message: str) -> Unknown:
    """Return the error of a command asked for something that does not exist; exit code 2."""
    return Unknown(message)


def tracked(items: Iterable[T], label: str) -> Iterator[T]:
    """Yield items and show on the terminal how many are done; nothing is shown where errors go to a file."""
    if not sys.stderr.isatty():
        yield from items
        return
    with click.progressbar(items, label=label, file=sys.stderr, show_pos=True) as bar:
        yield from bar


def beside(text: str) -> None:
    """Show on one line of the terminal how far long work has come; nothing is shown where errors go to a file."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r{text}\x1b[K")
        sys.stderr.flush()


def put(text: str, out: Path | None, *, pdf: bool = False) -> None:
    """Write a paper to a file, else to standard output."""
    if pdf:
        _put_pdf(text, out)
    elif out is None:
        click.echo(text, nl=not text.endswith("\n"))
    else:
        atomic_write(out, text)
        click.echo(f"written: {out}", err=True)


def _put_pdf(html: str, out: Path | None) -> None:
    from trainer.reports.pdf import NoPdf, to_pdf

    if out is None and sys.stdout.isatty():
        raise unknown("a PDF is no text for the screen; name a file with --out")
    try:
        data = to_pdf(html)
    except NoPdf as why:
        raise unknown(str(why)) from None
    if out is None:
        sys.stdout.buffer.write(data)
    else:
        out.write_bytes(data)
        click.echo(f"written: {out}", err=True)
