"""What the commands over the store share: its option, opening it, and printing people, times and results."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from trainer.durable import cannot

if TYPE_CHECKING:
    from trainer.records.frozen import Result
    from trainer.records.people import Person
    from trainer.records.store import Store

_HELP = "Where the records lie: a file or a postgresql:// address (else TRAINER_STORE, else your data folder)."


def store_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add ``--store``."""
    return click.option("--store", "where", default="", metavar="URL", help=_HELP)(command)


@contextmanager
def opened(where: str, *, makes: bool = False) -> Iterator[Store]:
    """Open the store for a command; what goes wrong with it ends the command with its reason and code 2.

    A store named on the command line that is not there is a mistyped one, unless the command ``makes`` it.
    """
    from trainer.records.engine import StoreError, is_there
    from trainer.records.store import Store

    try:
        if where and not makes and not is_there(where):
            raise StoreError(f"no store lies at {where}; trainer trainees add or trainer store add make one")
        with Store(where) as store:
            yield store
    except StoreError as why:
        click.echo(cannot(why), err=True)
        sys.exit(2)


@contextmanager
def kept() -> Iterator[None]:
    """End a command with the reason and code 2 when what is dealt cannot be kept, in a file or in the store."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as why:
        click.echo(cannot(why), err=True)
        sys.exit(2)


def people_of(store: Store, trainee: str, class_name: str) -> list[Person]:
    """Return the trainee named, or everybody of a class."""
    from trainer.records.engine import StoreError
    from trainer.records.people import TRAINEE, everybody, named

    if trainee:
        return [named(store, trainee, TRAINEE)]
    found = everybody(store, role=TRAINEE, class_name=class_name)
    if not found:
        raise StoreError(f"there is no trainee in class '{class_name}'" if class_name else "there is no trainee yet")
    return found


def minute(time: str) -> str:
    """Print a stored time to the minute, in UTC.

    >>> minute("2026-11-30T09:05:07.000000Z")
    '2026-11-30 09:05'
    """
    return time[:16].replace("T", " ")


def spell_result(result: Result) -> str:
    """Print a result on one line."""
    parts = [
        f"accuracy {result.accuracy:.1%}",
        f"{result.faults} faults in {result.judged} acts over {result.rounds} rounds",
        f"{result.critical} critical",
    ]
    if result.overruled:
        parts.append(f"{result.overruled} overruled")
    if result.passed is not None:
        parts.append("passed" if result.passed else "not passed")
    return ", ".join(parts)
