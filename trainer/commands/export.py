"""``trainer export``: a session out of the store, as its file or as an evidence pack."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from trainer.commands.records import minute, opened, spell_result, store_option

if TYPE_CHECKING:
    from trainer.records.store import Store


@click.command()
@click.argument("session")
@click.option("--evidence", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE.zip",
              help="Write all that is needed to judge it again elsewhere.")  # fmt: skip
@click.option("--file", "session_file", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE.yaml",
              help="Write the session file.")  # fmt: skip
@click.option("--html", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE.html",
              help="Write a replay to step through in a browser.")  # fmt: skip
@click.option("--without-names", is_flag=True, help="Leave the names of trainee and supervisor out of the pack.")
@click.option("--head", default="", metavar="HEX", help="The printed head that the session is checked against first.")
@store_option
def export(session: str, evidence: Path | None, session_file: Path | None, html: Path | None, without_names: bool,
           head: str, where: str) -> None:  # fmt: skip
    """Export SESSION from the store."""
    from trainer.durable import atomic_write
    from trainer.records.engine import StoreError
    from trainer.records.evidence import check_pack, make_pack, read_pack, write_pack

    if evidence is None and session_file is None and html is None:
        raise click.UsageError("say what to write: --evidence FILE.zip, --file FILE.yaml or --html FILE.html")
    with opened(where) as store:
        if session_file is not None:
            stored = store.session(session)
            atomic_write(session_file, stored.text)
            click.echo(f"session {stored.id} written to {session_file}")
        if html is not None:
            atomic_write(html, _page(store, session, not without_names))
            click.echo(f"replay written to {html}")
        if evidence is not None:
            write_pack(evidence, make_pack(store, session, names=not without_names))
            pack = read_pack(evidence)
            if troubles := check_pack(pack, head):
                raise StoreError(f"the pack does not hold: {troubles[0]}")
            click.echo(f"session {pack.stored.id} written to {evidence}")
            click.echo(f"verdicts  {pack.manifest['verdicts']}")
            click.echo(f"head      {pack.stored.head}")


def _page(store: Store, session: str, names: bool) -> str:
    """Return a stored session as a page, with what the desk decided and the head of the chain at its foot."""
    from trainer.records import desk
    from trainer.records.people import by_id
    from trainer.reports.html_replay import html_replay, slip_views
    from trainer.rounds.explain import explain

    stored, known = store.session(session), by_id(store)

    def name(person: str) -> str:
        return str(known[person]) if names and person in known else person

    foot = [
        f"act {one.act}: {one.kind} by {name(one.supervisor)}, {minute(one.time)} UTC. {one.reason}".rstrip(" .")
        for one in desk.decisions_in(stored)
    ]
    if signature := desk.signature_in(stored):
        foot.append(
            f"signed by {name(signature.supervisor)}, {minute(signature.time)} UTC: {spell_result(signature.result)}"
        )
        foot.append(f"verdicts {signature.verdicts}")
    foot.append(f"session {stored.id}, {stored.kind}, head {stored.head}")
    replayed = store.replayed(stored)
    slips = slip_views(replayed.house, explain(store.script(stored), replayed.machine))
    return html_replay(replayed, slips=slips, trainee=name(stored.person_id), footer=foot)
