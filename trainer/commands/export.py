"""``trainer export``: a session out of the store, as its file or as an evidence pack."""

from __future__ import annotations

from pathlib import Path

import click

from trainer.commands.records import opened, store_option


@click.command()
@click.argument("session")
@click.option("--evidence", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE.zip",
              help="Write all that is needed to judge it again elsewhere.")  # fmt: skip
@click.option("--file", "session_file", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE.yaml",
              help="Write the session file.")  # fmt: skip
@click.option("--without-names", is_flag=True, help="Leave the names of trainee and supervisor out of the pack.")
@click.option("--head", default="", metavar="HEX", help="The printed head that the session is checked against first.")
@store_option
def export(session: str, evidence: Path | None, session_file: Path | None, without_names: bool, head: str,
           where: str) -> None:  # fmt: skip
    """Export SESSION from the store."""
    from trainer.files import atomic_write
    from trainer.records.engine import StoreError
    from trainer.records.evidence import check_pack, make_pack, read_pack, write_pack

    if evidence is None and session_file is None:
        raise click.UsageError("say what to write: --evidence FILE.zip or --file FILE.yaml")
    with opened(where) as store:
        if session_file is not None:
            stored = store.session(session)
            atomic_write(session_file, stored.text)
            click.echo(f"session {stored.id} written to {session_file}")
        if evidence is not None:
            write_pack(evidence, make_pack(store, session, names=not without_names))
            pack = read_pack(evidence)
            if troubles := check_pack(pack, head):
                raise StoreError(f"the pack does not hold: {troubles[0]}")
            click.echo(f"session {pack.stored.id} written to {evidence}")
            click.echo(f"verdicts  {pack.manifest['verdicts']}")
            click.echo(f"head      {pack.stored.head}")
