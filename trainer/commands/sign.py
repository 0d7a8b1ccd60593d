"""``trainer review`` and ``trainer sign``: a supervisor's decisions on a session, and the signature that freezes it."""

from __future__ import annotations

import click

from trainer.commands.records import minute, opened, spell_result, store_option


@click.command()
@click.argument("session")
@click.option("--by", "supervisor", default="", metavar="NAME", help="The supervisor who decides.")
@click.option("--confirm", type=int, metavar="ACT", multiple=True, help="The finding on this act stands.")
@click.option("--overrule", type=int, metavar="ACT", help="The finding on this act does not stand.")
@click.option("--reason", default="", help="Why; it is needed for overruling, and kept with the record.")
@store_option
def review(session: str, supervisor: str, confirm: tuple[int, ...], overrule: int | None, reason: str,
           where: str) -> None:  # fmt: skip
    """Show the findings of SESSION with what was decided on them, or decide."""
    from trainer.records import desk, findings, people

    with opened(where) as store:
        if confirm or overrule is not None:
            if not supervisor:
                raise click.UsageError("say who decides: --by NAME")
            by = people.named(store, supervisor, people.SUPERVISOR)
            for act in confirm:
                desk.decide(store, session, by, act, reason=reason)
                click.echo(f"act {act}: confirmed by {by.name}")
            if overrule is not None:
                desk.decide(store, session, by, overrule, overrule=True, reason=reason)
                click.echo(f"act {overrule}: overruled by {by.name}: {reason}")
            return
        stored = store.session(session)
        names = people.by_id(store)
        for line in findings.as_text(findings.findings_in(stored, store.replayed(stored), names)):
            click.echo(line)
        for one in desk.decisions_in(stored):
            who = names.get(one.supervisor, one.supervisor)
            click.echo(
                f"act {one.act}: {one.kind} by {who}, {minute(one.time)}{f': {one.reason}' if one.reason else ''}"
            )


@click.command()
@click.argument("session")
@click.option("--by", "supervisor", required=True, metavar="NAME", help="The supervisor who signs.")
@store_option
def sign(session: str, supervisor: str, where: str) -> None:
    """Sign SESSION by name: its verdicts are frozen, and the head of its chain is printed to be kept on paper."""
    from trainer.records import desk, people

    with opened(where) as store:
        by = people.named(store, supervisor, people.SUPERVISOR)
        signature = desk.sign(store, session, by)
        stored = store.session(session)
        trainee = people.by_id(store).get(stored.person_id)
        click.echo(f"session   {stored.id}, {stored.kind}, {stored.house}@{stored.fingerprint}")
        click.echo(f"trainee   {trainee or 'nobody'}")
        click.echo(f"result    {spell_result(signature.result)}")
        click.echo(f"signed    {by.name}, {minute(signature.time)} UTC, version {signature.version}")
        click.echo(f"verdicts  {signature.verdicts}")
        click.echo(f"head      {signature.head}")
