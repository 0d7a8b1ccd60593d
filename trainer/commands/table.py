"""Open the screen for the commands: the table, the start page, the replay."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from trainer.rounds.script import Script

if TYPE_CHECKING:
    from trainer.cli import Settings
    from trainer.records.books import Assessment


def open_table(settings: Settings, script: Script, *, spots: int, rounds: int, look: str = "default",
               record: Path | None = None, store: str = "") -> int:  # fmt: skip
    """Deal at the table on the screen and return the exit code; a script with lines is a session to go on with."""
    from trainer.drills.drill import Course, Deal, Drill, course_path, options_of
    from trainer.drills.themes import EVERYTHING, UnknownTheme, fits
    from trainer.ui.app import run_course, run_deal
    from trainer.ui.themes import THEMES

    if look not in THEMES:
        click.echo(f"no look '{look}'; there are: {', '.join(sorted(THEMES))}", err=True)
        return 2
    house = settings.procedures.house(script.house)
    drill = Drill(
        house=script.house,
        theme=_theme(script.theme, list(house.rules)),
        display=script.display or "guided",
        difficulty=script.difficulty or "plain",
        spots=tuple(range(1, spots + 1)),
        rounds=rounds,
        seed=script.seed,
        games=tuple(sorted(script.options.games)),
        coached=script.mode == "coached",
        variations=script.options.variations,
        places=script.options.places,
        trainee=script.trainee,
        store=store,
    )
    try:
        fits(house, drill.theme)
    except UnknownTheme as why:
        click.echo(f"{why}", err=True)
        return 2
    if record is not None and record.exists() and not script.lines:
        click.echo(f"{record} exists already; go on with it by --resume, or name another file", err=True)
        return 2
    assert options_of(house, drill).places == script.options.places
    if script.lines or (record is not None and drill.theme == EVERYTHING):
        deal = Deal(drill.seed, drill.rounds, str(record) if record else "")
        course = Course(drill, [deal], path=course_path(drill.house, script.clock))
        return run_course(settings.procedures, settings.scenarios, course, look=look)
    return run_deal(settings.procedures, settings.scenarios, drill, look=look)


def open_assessment(settings: Settings, sat: Assessment, look: str, store: str = "") -> int:
    """Deal an assessment at the table on the screen and return the exit code; its seed is never shown."""
    from trainer.drills.drill import Course, Deal, Drill
    from trainer.ui.app import run_assessment

    terms = sat.given.terms
    drill = Drill(terms.house, display="exam", difficulty=terms.difficulty, spots=sat.spots, rounds=terms.rounds,
                  seed=terms.seed, games=terms.games, coached=False, places=sat.script.options.places,
                  trainee=sat.person.name, store=store)  # fmt: skip
    course = Course(drill, [Deal(drill.seed, drill.rounds)])
    return run_assessment(settings.procedures, settings.scenarios, course, sat, look=look)


def _theme(name: str, rules: list[str]) -> str:
    """Return a theme as it was meant: the bare name of a rule stands for the drill of that rule."""
    from trainer.drills.themes import EVERYTHING, THEMES, rule_theme

    return rule_theme(name) if name in rules and name not in THEMES else name or EVERYTHING


def open_start(settings: Settings, look: str = "default") -> int:
    """Show the start page and return the exit code."""
    from trainer.commands.records import kept
    from trainer.ui.app import run_start

    with kept():
        return run_start(settings.procedures, settings.scenarios, look=look)


def open_replay(settings: Settings, path: Path, house: str = "", look: str = "default") -> int:
    """Replay a record on the screen and return the exit code."""
    from trainer.ui.app import run_replay_view
    from trainer.ui.loop import NotATerminal

    try:
        return run_replay_view(settings.procedures, settings.scenarios, path, house=house, look=look)
    except NotATerminal as why:
        click.echo(f"{why}; without one, leave --view out", err=True)
        return 2


def at_a_terminal() -> bool:
    """Tell whether the screen can be used."""
    import os

    from trainer.ui.loop import why_not

    return not why_not(sys.stdin, sys.stdout, os.environ)
