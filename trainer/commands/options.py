"""Options that several commands share."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import click

from trainer.files import did_you_mean
from trainer.procedure.model import House
from trainer.procedure.moment import TableOptions
from trainer.rounds.script import options_for


def table_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that fix a table: seed, spots, rounds, games, variations, places, minimum."""
    for option in reversed(
        [
            click.option("--seed", default="", help="Seed of shoe and players; the same seed gives the same round."),
            click.option("--spots", type=click.IntRange(1, 7), default=3, show_default=True, help="How many spots have a wager, from spot 1 on."),
            click.option("--rounds", type=click.IntRange(1, 1000), default=1, show_default=True, help="Rounds to deal."),
            click.option("--game", "games", multiple=True, help="A side game of the house, on at this table."),
            click.option("--variation", "variations", multiple=True, metavar="NAME=on|off", help="A variation, on or off."),
            click.option("--places", type=click.IntRange(1, 9), help="Places at the table."),
            click.option("--difficulty", type=click.Choice(["plain", "difficult"]), default="plain", show_default=True,
                         help="Difficult players ask for what is out of order."),
        ]
    ):  # fmt: skip
        command = option(command)
    return command


def table_for(
    house: House, games: tuple[str, ...], variations: tuple[str, ...], places: int | None, spots: int
) -> TableOptions:
    """Build a table's options from the command line."""
    options = options_for(house)
    for game in games:
        if game not in house.games:
            known = ", ".join(house.games) or "none"
            near = did_you_mean(game, list(house.games))
            raise click.BadParameter(
                f"{house.title} has no game '{game}'; its games: {known}"
                + (f" (did you mean {near}?)" if near else ""),
                param_hint="--game",
            )
    switched = []
    for given in variations:
        name, _, word = given.partition("=")
        if word not in ("on", "off") or name not in ("surrender", "repeated splits"):
            raise click.BadParameter(
                f"'{given}': write surrender=on, surrender=off or 'repeated splits=off'", param_hint="--variation"
            )
        switched.append((name, word == "on"))
    places = places or options.places
    if spots > places:
        raise click.BadParameter(f"{spots} spots do not fit a table of {places} places", param_hint="--spots")
    return replace(options, games=frozenset(games), variations=tuple(sorted(switched)), places=places)


def new_seed() -> str:
    """Return a fresh seed to print, so that the round can be dealt again."""
    return secrets.token_hex(3)
