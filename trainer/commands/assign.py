"""``trainer assign``: set an assessment for a trainee or a class, or list what is set."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from trainer.cli import Settings
from trainer.commands.records import minute, opened, people_of, store_option

if TYPE_CHECKING:
    from trainer.records.store import Store


@click.command()
@click.argument("house", required=False)
@click.option("--to", "trainee", default="", metavar="NAME", help="The trainee.")
@click.option("--class", "class_name", default="", help="Everybody of a class.")
@click.option("--by", "supervisor", default="", metavar="NAME", help="The supervisor who sets it.")
@click.option("--rounds", type=click.IntRange(1, 1000), default=10, show_default=True)
@click.option("--spots", type=click.IntRange(1, 7), default=3, show_default=True)
@click.option("--game", "games", multiple=True, help="A side game of the house.")
@click.option("--theme", "themes", multiple=True, help="A theme to be drilled.")
@click.option("--difficulty", type=click.Choice(["plain", "difficult"]), default="plain", show_default=True)
@click.option("--pass-mark", type=click.IntRange(0, 100), help="The least accuracy that passes, in percent.")
@click.option("--critical", type=click.IntRange(0), help="The most critical faults allowed; else any number.")
@click.option("--seed", default="", help="The seed; else a random one, sealed until it is dealt.")
@store_option
@click.pass_obj
def assign(settings: Settings, house: str | None, trainee: str, class_name: str, supervisor: str, rounds: int,
           spots: int, games: tuple[str, ...], themes: tuple[str, ...], difficulty: str, pass_mark: int | None,
           critical: int | None, seed: str, where: str) -> None:  # fmt: skip
    """Assign an assessment in HOUSE; without a house, list the assignments."""
    from trainer.records import people

    with opened(where) as store:
        if house is None:
            for line in _listed(store, trainee):
                click.echo(line)
            return
        if not (trainee or class_name):
            raise click.UsageError("say who is assessed: --to NAME or --class CLASS")
        if not supervisor or pass_mark is None:
            raise click.UsageError("an assessment needs --by NAME and --pass-mark PERCENT; there is no usual mark")
        own = settings.procedures.house(house)
        if unknown := [game for game in games if game not in own.games]:
            raise click.UsageError(
                f"{own.title} has no game '{unknown[0]}'; its games: {', '.join(own.games) or 'none'}"
            )
        by = people.named(store, supervisor, people.SUPERVISOR)
        terms = people.Terms(
            house, rounds, seed or people.new_seed(), pass_mark, by.id, tuple(games), tuple(themes), spots, difficulty,
            -1 if critical is None else critical,
        )  # fmt: skip
        chosen = people_of(store, trainee, class_name)
        for person, made in zip(chosen, people.assign(store, chosen, terms), strict=True):
            click.echo(f"{made.id}  {person.name}: {rounds} rounds of {house}, pass mark {pass_mark}%")
        click.echo(f"seal of the seed: {terms.seal}")


def _listed(store: Store, trainee: str) -> list[str]:
    from trainer.records import people

    person = people.named(store, trainee) if trainee else None
    names = people.by_id(store)
    still_open = {one.id for one in people.assignments_of(store, person, open_only=True)}
    lines = []
    for one in people.assignments_of(store, person):
        terms = one.terms
        state = "open" if one.id in still_open else "dealt"
        critical = f", at most {terms.critical} critical" if terms.critical >= 0 else ""
        lines.append(
            f"{one.id}  {minute(one.made)}  {state:<5}  {names[one.person_id]}: {terms.rounds} rounds of {terms.house}"
            f", pass mark {terms.pass_mark}%{critical}, seal {terms.seal}, set by {names.get(terms.set_by, terms.set_by)}"
        )
    return lines or ["nothing is assigned"]
