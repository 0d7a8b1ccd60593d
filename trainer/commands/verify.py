"""``trainer verify``: tell whether records are what was committed, and name the first act that is not."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from trainer.commands.records import opened, store_option


@click.command()
@click.argument("session", required=False)
@click.option("--pack", type=click.Path(path_type=Path, dir_okay=False, exists=True), help="Check an evidence pack.")
@click.option("--head", default="", metavar="HEX", help="The head of the chain as it was printed on sign-off.")
@store_option
def verify(session: str | None, pack: Path | None, head: str, where: str) -> None:
    """Verify SESSION, every session of the store, or an evidence pack.

    Exit code 0: all holds; 1: something was altered, is missing or was reordered; 2: it could not be read.
    """
    if head and not (session or pack):
        raise click.UsageError("--head goes with a session or a pack")
    sys.exit(_pack(pack, head) if pack else _store(where, session or "", head))


def _pack(path: Path, head: str) -> int:
    from trainer.files import BadFile
    from trainer.records.engine import StoreError
    from trainer.records.evidence import check_pack, read_pack

    try:
        pack = read_pack(path)
        troubles = check_pack(pack, head)
    except (StoreError, BadFile) as why:
        click.echo(f"trainer: {why}", err=True)
        return 2
    for trouble in troubles:
        click.echo(f"{path}: {trouble}")
    if not troubles:
        click.echo(f"{path}: session {pack.stored.id} holds, {pack.stored.count} entries, replays to the same verdicts")
        click.echo(f"head {pack.stored.head}")
    return 1 if troubles else 0


def _store(where: str, session: str, head: str) -> int:
    from trainer.records import desk

    bad = 0
    with opened(where) as store:
        chosen = [store.session(session)] if session else [store.session(one.id) for one in store.sessions()]
        for stored in chosen:
            troubles = desk.verify(store, stored)
            wanted = head.strip().lower()
            if head and not (len(wanted) >= 12 and any(link.digest.startswith(wanted) for link in stored.links)):
                troubles.append(f"the head {head} stands nowhere in this chain; its head is {stored.head}")
            bad += bool(troubles)
            for trouble in troubles:
                click.echo(f"session {stored.id}: {trouble}")
            if session and not troubles:
                click.echo(f"session {stored.id} holds: {stored.count} entries, head {stored.head}")
        loose = [] if session else desk.loose_entries(store)
        for trouble in loose:
            click.echo(trouble)
        bad += len(loose)
        if not session:
            click.echo(f"{len(chosen)} sessions verified, {bad} do not hold" if bad else f"{len(chosen)} sessions hold")
    return 1 if bad else 0
