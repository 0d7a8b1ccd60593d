"""``trainer demo``: the machine deals perfect rounds; its output is a record that replays clean."""

from __future__ import annotations

import click

from trainer.actions import Role
from trainer.cli import Settings
from trainer.commands.options import new_seed, table_for, table_options


@click.command()
@click.argument("house")
@table_options
@click.option("--cite/--no-cite", default=True, help="Write beside each dealer act what it rests on.")
@click.pass_obj
def demo(settings: Settings, house: str, seed: str, spots: int, rounds: int, games: tuple[str, ...],
         variations: tuple[str, ...], places: int | None, difficulty: str, cite: bool) -> None:  # fmt: skip
    """Deal perfect rounds of HOUSE and print them as a record, each act with the statements it rests on."""
    from trainer.rounds.deal import deal_rounds
    from trainer.rounds.play import machine_of
    from trainer.rounds.recorder import stamp
    from trainer.rounds.script import Line, Script, print_header, print_line

    own = settings.procedures.house(house)
    seed = seed or new_seed()
    options = table_for(own, games, variations, places, spots)
    session = deal_rounds(
        machine_of(settings.procedures, house),
        options,
        seed=seed,
        rounds=rounds,
        spots=tuple(range(1, spots + 1)),
        difficulty=difficulty,
    )
    procedure, version = stamp(own)
    title = f"Demonstration, seed {seed}"
    script = Script(house, title=title, options=options, seed=seed, procedure=procedure, version=version,
                    difficulty=difficulty)  # fmt: skip
    click.echo(print_header(script), nl=False)
    for entry in session.entries:
        text = print_line(Line(entry.act, entry.place or own.rules["one-settlement-each"].place)).rstrip("\n")
        source = ", ".join(entry.verdict.rests_on[:4]) if cite and entry.act.role is Role.DEALER else ""
        step = entry.verdict.step if cite and entry.act.role is Role.DEALER else ""
        click.echo(f"{text:<40} # {step} {source}".rstrip() if step else text)
