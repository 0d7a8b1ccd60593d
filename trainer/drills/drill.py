"""A drill: what is practised, the rounds found for it, how far it is. Its progress outlives the program."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from trainer.actions import Role
from trainer.drills.search import Progress, rounds_that_exercise
from trainer.drills.themes import EVERYTHING, THEMES, rule_of
from trainer.durable import atomic_write
from trainer.files import BadFile
from trainer.procedure.load import Procedures
from trainer.procedure.machine import HouseMachine
from trainer.procedure.model import House
from trainer.procedure.moment import TableOptions
from trainer.rounds.deal import Live
from trainer.rounds.play import Session, machine_of, replay
from trainer.rounds.recorder import Keeper, Recorder, data_home, read_session, session_path, stamp
from trainer.rounds.script import Line, Script, options_for
from trainer.table import CannotHappen

DISPLAYS = ("learn", "guided", "practice", "exam")


@dataclass(frozen=True, slots=True)
class Drill:
    """What is practised. ``coached`` blocks a fault; the display decides what is shown, never what is true.

    A drill of a ``trainee`` goes into the store as well: the one named by ``store``, else the usual one.
    """

    house: str
    theme: str = EVERYTHING
    display: str = "learn"
    difficulty: str = "plain"
    spots: tuple[int, ...] = (1, 2, 3)
    rounds: int = 1
    seed: str = "1"
    games: tuple[str, ...] = ()
    coached: bool = True
    variations: tuple[tuple[str, bool], ...] = ()
    places: int = 0
    trainee: str = ""
    store: str = ""

    @property
    def title(self) -> str:
        slug = rule_of(self.theme)
        return f"rule {slug}" if slug else self.theme


@dataclass(frozen=True, slots=True)
class Deal:
    """A stretch dealt from one shoe: its seed, how many rounds, and the file of its session once begun."""

    seed: str
    rounds: int
    file: str = ""


@dataclass(slots=True)
class Course:
    """A drill under way: its deals and whether it was finished."""

    drill: Drill
    deals: list[Deal] = field(default_factory=list)
    finished: bool = False
    path: Path | None = None

    def save(self) -> None:
        """Write the progress down."""
        if self.path is not None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            drill = asdict(self.drill) | {"store": _without_password(self.drill.store)}
            data = {"drill": drill, "deals": [asdict(one) for one in self.deals]}
            atomic_write(self.path, json.dumps(data | {"finished": self.finished}, indent=1, ensure_ascii=False) + "\n")

    @property
    def begun(self) -> int:
        """Return how many deals have a session."""
        return sum(bool(one.file) for one in self.deals)

    @property
    def rounds(self) -> int:
        return sum(one.rounds for one in self.deals)


def _without_password(store: str) -> str:
    """Return the address of a store, '' when it holds a password: progress is not the place to keep one."""
    return "" if re.search(r"://[^/@]*:[^/]*@|password=", store) else store


def course_path(house: str, clock: str) -> Path:
    """Return a new file for the progress of a drill."""
    folder = data_home() / "drills"
    stem = f"{house}-{''.join(filter(str.isdigit, clock))[:14]}"
    number = 1
    while (path := folder / f"{stem}{'-' + str(number) if number > 1 else ''}.json").exists():
        number += 1
    return path


def read_course(path: Path) -> Course | None:
    """Read the progress of a drill; None for a file that holds none."""
    try:
        data = json.loads(path.read_text("utf-8"))
        given = data["drill"]
        given |= {"spots": tuple(given["spots"]), "games": tuple(given["games"])}
        given["variations"] = tuple((name, bool(on)) for name, on in given.get("variations", ()))
        drill = Drill(**given)
        return Course(drill, [Deal(**one) for one in data["deals"]], bool(data["finished"]), path)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def courses() -> list[Course]:
    """Return the drills on disk, the latest first."""
    found = sorted((data_home() / "drills").glob("*.json"), key=lambda path: path.stat().st_mtime, reverse=True)
    return [course for path in found if (course := read_course(path))]


def options_of(house: House, drill: Drill) -> TableOptions:
    """Return the table a drill is dealt at."""
    plain = options_for(house)
    places = max(drill.places or plain.places, *drill.spots)
    return replace(plain, games=frozenset(drill.games), places=places, variations=drill.variations)


def prepare(machine: HouseMachine, drill: Drill) -> Iterator[Progress]:
    """Look for the rounds of a drill, one seed at a time; see ``deals_of`` for what to make of the last progress.

    Raises:
        UnknownTheme: the theme does not exist or cannot come up in the house.
    """
    return rounds_that_exercise(
        machine, options_of(machine.house, drill), drill.theme, wanted=drill.rounds, seed=drill.seed,
        spots=drill.spots, difficulty=drill.difficulty,
    )  # fmt: skip


def deals_of(drill: Drill, found: Sequence[str]) -> list[Deal]:
    """Return the deals of a drill: one shoe for rounds as they come, a shoe a round for those that were looked for."""
    if drill.theme == EVERYTHING:
        return [Deal(drill.seed, drill.rounds)]
    return [Deal(seed, 1) for seed in found]


# -- at the table -----------------------------------------------------------------------------------------------


def script_of(machine: HouseMachine, drill: Drill, seed: str, clock: str) -> Script:
    """Return the header of a deal's session."""
    procedure, version = stamp(machine.house)
    return Script(
        machine.house.slug,
        title=f"{drill.title} at {machine.house.title}",
        options=options_of(machine.house, drill),
        mode="coached" if drill.coached else "assessed",
        display=drill.display,
        theme=drill.theme,
        difficulty=drill.difficulty,
        seed=seed,
        procedure=procedure,
        version=version,
        clock=clock,
        trainee=drill.trainee,
    )


@dataclass(slots=True)
class Seat:
    """A deal being dealt: the live session and what keeps it."""

    live: Live
    recorder: Keeper

    def close(self) -> Session:
        """Close what keeps it, and the books of the table."""
        self.recorder.close()
        return self.live.session.finish()


def sit_down(machine: HouseMachine, drill: Drill, script: Script, path: Path, keeper: Keeper | None = None) -> Seat:
    """Begin a deal, or go on with one whose file exists already; without a ``keeper`` the file alone keeps it.

    Raises:
        OSError: the session cannot be written.
    """
    recorder = keeper or Recorder(path, replace(script, lines=()), resume=path.exists())
    live = Live(machine, replace(script, lines=()), drill.spots, drill.difficulty)
    live.emit = recorder.note
    go_on(live, script.lines)
    return Seat(live, recorder)


def go_on(live: Live, lines: tuple[Line, ...]) -> None:
    """Deal what a record holds, and the players' answers that a crash kept from being written."""
    acts = [index for index, line in enumerate(lines) if line.act.role is Role.DEALER]
    last = acts[-1] + 1 if acts else 0
    live.resume(lines[:last])
    session = live.session
    if last and lines[last - 1].blocked:
        expected = []
    elif not last or lines[last - 1].act.verb == "start":
        expected = live.players.wagers(session.position, len(session.entries))
    else:
        expected = live.players.answers(session.position, lines[last - 1].act, len(session.entries))
    live.resume(lines[last:])
    for act in expected[len(lines) - last :]:
        live.emit(session.do(act))


def session_file(house: str, clock: str) -> Path:
    """Return a new file for a session."""
    return session_path(house, clock)


# -- what is kept -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Kept:
    """A saved session, judged again when read."""

    path: Path
    session: Session


def read_kept(path: Path, procedures: Procedures) -> Kept | None:
    """Read a saved session; None for a file that cannot be read."""
    try:
        script = read_session(path, procedures)
        return Kept(path, replay(script, machine_of(procedures, script.house)))
    except (BadFile, OSError, CannotHappen):
        return None


def kept_sessions(procedures: Procedures) -> Iterator[Kept]:
    """Yield the saved sessions, the latest first; files that cannot be read are left out."""
    found = sorted((data_home() / "sessions").glob("*.yaml"), key=lambda path: path.stat().st_mtime, reverse=True)
    for path in found:
        kept = read_kept(path, procedures)
        if kept is not None and kept.session.entries:
            yield kept


def theme_says(theme: str, house: House) -> str:
    """Return what a theme is about in words."""
    slug = rule_of(theme)
    if slug:
        return house.rules[slug].text if slug in house.rules else slug
    return THEMES[theme].says if theme in THEMES else theme
