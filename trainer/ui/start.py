"""The start page: sit down at a table, go on with a broken-off drill, replay a saved session."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from trainer.drills.drill import (
    DISPLAYS,
    Course,
    Drill,
    Kept,
    course_path,
    courses,
    deals_of,
    kept_sessions,
    prepare,
    theme_says,
)
from trainer.drills.report import report
from trainer.drills.search import Progress
from trainer.drills.themes import UnknownTheme, rule_of, rule_theme, themes_of
from trainer.procedure.model import House
from trainer.ui.composer import Choice
from trainer.ui.desk import Desk
from trainer.ui.edit import LineEdit
from trainer.ui.lines import Frame, Style
from trainer.ui.screen import render
from trainer.ui.textpage import Scroll, help_page
from trainer.ui.view import Item, Note, PageView, PromptView, Section

if TYPE_CHECKING:
    from trainer.ui.dealing import TablePage

_BUDGET = 0.02
_KEPT = 6
_SAYS = {
    "learn": "every legal act listed, the next step explained",
    "guided": "a hint after a slip",
    "practice": "the verdict at once, no hints",
    "exam": "silence until the end",
}
_SPOTS = ((1,), (1, 2), (1, 2, 3), (1, 3, 5), (1, 2, 3, 4, 5), (1, 2, 3, 4, 5, 6, 7))
_ROUNDS = (1, 2, 3, 5, 10, 20)
_KEYS = "htdpsngce"


class StartPage:
    """Choose house, drill and table; everything else hangs off here."""

    def __init__(self, desk: Desk, drill: Drill | None = None) -> None:
        self.desk = desk
        names = desk.procedures.names()
        first = "tropicana" if "tropicana" in names else names[0]
        self.drill = drill or Drill(first, rounds=3, seed=secrets.token_hex(3))
        self.selected = "h"
        self.line: LineEdit | None = None
        self.asking = ""
        self.message, self.error = "", False
        self.scroll, self.size = Scroll(), (80, 24)
        self.courses: list[Course] = []
        self.kept: list[Kept] = []
        self._reading: Iterator[Kept] | None = None

    def shown(self) -> None:
        """Read what is on disk again, a file at a time."""
        self.courses = [course for course in courses() if not course.finished and course.begun][:3]
        self.kept = []
        self._reading = kept_sessions(self.desk.procedures)

    # -- the picture --------------------------------------------------------------------------------------------

    def frame(self, width: int, height: int) -> Frame:
        """Return the picture of now."""
        self.size = width, height
        return render(self.view(), width, height)

    def view(self) -> PageView:
        """Return the page as it is now."""
        keys = (Choice("enter", "sit down"), Choice("← →", "change"), Choice("↑ ↓", "move"), Choice("x", "drill a rule"),
                Choice("f1", "help"), Choice("q", "leave"))  # fmt: skip
        if self.line is not None:
            text, at = self.line.view(60)
            prompt = PromptView(f"{self.asking}:", text, at, self.message, self.error, self.line.choices[:6])
        else:
            prompt = PromptView("›", "", None, self.message, self.error)
        more = (self._houses(), self._drills()) if self.size[1] >= 30 else ()
        sections = (self._table(), *more, *self._unfinished(), *self._results())
        title, top = "trainer · be the dealer", self.scroll.top
        return PageView(title, "blackjack", sections, self.selected, keys, prompt, scroll=top, columns=True)

    def _table(self) -> Section:
        drill = self.drill
        house = self.desk.procedures.house(drill.house)
        rows = (
            ("h", "house", house.title), ("t", "drill", drill.title), ("d", "display", drill.display),
            ("c", "faults", "blocked (coached)" if drill.coached else "take effect (assessed)"),
            ("s", "spots", ", ".join(map(str, drill.spots))), ("n", "rounds", str(drill.rounds)),
            ("p", "players", drill.difficulty),
            ("g", "games", ", ".join(drill.games) or ("off" if house.games else "none in this house")),
            ("e", "seed", drill.seed),
        )  # fmt: skip
        items = tuple(Item(key, f"{name:<9}{text}") for key, name, text in rows)
        return Section("Sit down at a table", (), items, (Note("", self._about(house), Style.DIM),))

    def _about(self, house: House) -> str:
        """Return what the selected row means."""
        drill = self.drill
        return {
            "h": facts(house),
            "t": theme_says(drill.theme, house),
            "d": _SAYS[drill.display],
            "c": "a fault is blocked and explained" if drill.coached else "a fault takes effect, as at a real table",
            "s": "the spots that are wagered, from your left",
            "n": "how many rounds; those that exercise a drill are looked for among many",
            "p": "they over-insure, double on 21, touch cards, say words" if drill.difficulty == "difficult"
            else "they ask for what is in order",
            "g": "side wagers beside the main ones",
            "e": "the same seed deals the same rounds",
        }[self.selected]  # fmt: skip

    def _houses(self) -> Section:
        procedures = self.desk.procedures
        items = [
            Item("", house.title, "", Style.STRONG if slug == self.drill.house else Style.PLAIN, facts(house))
            for slug in procedures.names()
            if (house := procedures.house(slug))
        ]
        return Section("Houses (h)", (), tuple(items))

    def _drills(self) -> Section:
        house = self.desk.procedures.house(self.drill.house)
        items = [
            Item(
                "", f"{theme.name:<18}{theme.says}", "", Style.STRONG if theme.name == self.drill.theme else Style.PLAIN
            )
            for theme in themes_of(house)
        ]
        return Section("Drills (t), or a rule of your choice (x)", (), tuple(items))

    def _unfinished(self) -> tuple[Section, ...]:
        if not self.courses:
            return ()
        items = []
        for at, course in enumerate(self.courses, 1):
            drill, house = course.drill, self.desk.procedures.house(course.drill.house).title
            done = f"deal {course.begun} of {len(course.deals)}" if len(course.deals) > 1 else f"rounds: {drill.rounds}"
            items.append(Item(str(at), house, under=f"{drill.title}, {drill.display}, {done}"))
        return (Section("Go on where you left", (), tuple(items)),)

    def _results(self) -> tuple[Section, ...]:
        if not self.kept:
            return (
                Section("Last results", (Note("", "No session yet. Each one is saved as it is dealt.", Style.DIM),)),
            )
        items = []
        for at, kept in enumerate(self.kept, 4):
            session = kept.session
            one = report(session.house, [session])
            script = session.script
            day = script.clock[:16].replace("T", " ")
            faults = f"{one.faults} fault{'s' if one.faults != 1 else ''}"
            what = ", ".join(part for part in (script.theme, script.display) if part)
            result = f"{day}  {what}: {one.percent.replace(' ', '')}, {faults}"
            items.append(Item(str(at), session.house.title, under=result))
        return (Section("Last results (the key replays)", (), tuple(items)),)

    # -- keys ---------------------------------------------------------------------------------------------------

    def key(self, name: str) -> None:
        """Change the table, sit down, go on, replay."""
        if self.line is not None:
            return self._line_key(name)
        self.message, self.error = "", False
        if name in ("pagedown", "pageup"):
            self.scroll.key(name, self.view(), self.size)
            return None
        if name == "q":
            return self.desk.back()
        if name == "f1" or name == "?":
            return self.desk.open(help_page(self.desk))
        if name == "enter":
            return self.desk.open(FindPage(self.desk, self.drill))
        if name in ("up", "down"):
            at = (self._order().index(self.selected) + (1 if name == "down" else -1)) % len(self._order())
            self.selected = self._order()[at]
            return None
        if name in ("left", "right", " "):
            return self._change(self.selected, -1 if name == "left" else 1)
        if name == "x":
            return self._ask("rule", "")
        if name.lower() in _KEYS and len(name) == 1:
            self.selected = name.lower()
            return self._change(self.selected, 1 if name.islower() else -1)
        self._open_digit(name)
        return None

    def _order(self) -> list[str]:
        return ["h", "t", "d", "c", "s", "n", "p", "g", "e"]

    def _open_digit(self, name: str) -> None:
        if not name.isdigit():
            return None
        at = int(name)
        if 1 <= at <= len(self.courses):
            course = self.courses[at - 1]
            return self.desk.open(_resumed(self.desk, course))
        if 4 <= at < 4 + len(self.kept):
            from trainer.ui.replaying import ReplayPage

            return self.desk.open(ReplayPage(self.desk, self.kept[at - 4].path))
        return None

    def _change(self, which: str, step: int) -> None:
        drill = self.drill
        house = self.desk.procedures.house(drill.house)
        if which == "h":
            slug = _next(self.desk.procedures.names(), drill.house, step)
            self.drill = replace(drill, house=slug, games=(), theme="everything")
        elif which == "t":
            self.drill = replace(drill, theme=_next([theme.name for theme in themes_of(house)], drill.theme, step))
            if self.drill.theme == "side games":
                self.drill = replace(self.drill, games=tuple(house.games))
        elif which == "d":
            display = _next(DISPLAYS, drill.display, step)
            self.drill = replace(drill, display=display, coached=display in ("learn", "guided"))
        elif which == "c" and drill.display == "exam":
            self.message = "an exam is silent until the end: a fault takes effect"
        elif which == "c":
            self.drill = replace(drill, coached=not drill.coached)
        elif which == "s":
            self.drill = replace(drill, spots=_next(_SPOTS, drill.spots, step))
        elif which == "n":
            self.drill = replace(drill, rounds=_next(_ROUNDS, drill.rounds, step))
        elif which == "p":
            self.drill = replace(drill, difficulty="plain" if drill.difficulty == "difficult" else "difficult")
        elif which == "g":
            self.drill = replace(drill, games=() if drill.games else tuple(house.games))
        else:
            self._ask("seed", drill.seed)

    def _ask(self, what: str, text: str) -> None:
        rules = sorted(self.desk.procedures.house(self.drill.house).evidence)
        self.asking = what
        complete = (lambda text, at: (0, [one for one in rules if text in one])) if what == "rule" else None
        self.line = LineEdit(text, complete=complete)
        self.message = "tab lists the rules that contain what you typed" if what == "rule" else ""

    def _line_key(self, name: str) -> None:
        line = self.line
        assert line is not None
        if name == "esc":
            self.line = None
        elif name == "enter":
            text = line.text.strip()
            if self.asking == "seed":
                self.drill, self.line = replace(self.drill, seed=text or self.drill.seed), None
            elif text in self.desk.procedures.house(self.drill.house).rules:
                self.drill, self.line = replace(self.drill, theme=rule_theme(text)), None
                self.selected = "t"
            else:
                self.message, self.error = f"no rule '{text}'", True
        else:
            line.key(name)

    def tick(self, now: float) -> float | None:
        """Read one more of the latest results."""
        if self._reading is None:
            return None
        kept = next(self._reading, None)
        if kept is not None:
            self.kept.append(kept)
        if kept is None or len(self.kept) == _KEPT:
            self._reading = None
            return None
        return 0.0

    def leave(self) -> None:
        """Hold nothing."""


def facts(house: House) -> str:
    """Return what most tells houses apart."""
    soft = "hits soft 17" if house.is_("soft-17") == "hit" else "stands on soft 17"
    looks = "looks under an ace" if house.is_("look-under-ace") == "yes" else "no look"
    return f"{soft}, {looks}, blackjack {house.is_('blackjack-odds')}"


_T = TypeVar("_T")


def _next(choices: Sequence[_T], now: _T, step: int) -> _T:
    at = choices.index(now) if now in choices else -1 if step > 0 else 0
    return choices[(at + step) % len(choices)]


def _resumed(desk: Desk, course: Course) -> TablePage:
    from trainer.ui.dealing import TablePage

    return TablePage(desk, course, max(course.begun - 1, 0))


class FindPage:
    """Look for the rounds of a drill and show how far it is; the table opens when they are found."""

    def __init__(self, desk: Desk, drill: Drill) -> None:
        self.desk, self.drill = desk, drill
        self.progress = Progress((), drill.rounds, 0)
        self.problem = ""
        self._search = prepare(desk.machine(drill.house), drill)

    def frame(self, width: int, height: int) -> Frame:
        """Return the picture of now."""
        found = len(self.progress.found)
        full = round(30 * found / max(self.drill.rounds, 1))
        house = self.desk.procedures.house(self.drill.house)
        notes = (
            Note("drill", f"{self.drill.title}: {theme_says(self.drill.theme, house)}"),
            Note("found", f"{'█' * full}{'░' * (30 - full)} {found} of {self.drill.rounds}", Style.METER),
            Note("dealt", f"{self.progress.tried} rounds by the machine of {house.title}"),
            *((Note("sorry", self.problem, Style.FAULT, Style.FAULT),) if self.problem else ()),
        )
        keys = (Choice("esc", "back"),)
        return render(
            PageView("looking for rounds", "", (Section("Looking for rounds", notes),), keys=keys), width, height
        )

    def key(self, name: str) -> None:
        """Give up."""
        if name in ("esc", "q", "backspace") or (self.problem and name == "enter"):
            self.desk.back()

    def tick(self, now: float) -> float | None:
        """Deal a few more rounds."""
        if self.problem or self.progress.over:
            return None
        end = self.desk.now() + _BUDGET
        try:
            while not self.progress.over:
                self.progress = next(self._search)
                if self.desk.now() >= end:
                    break
        except UnknownTheme as why:
            self.problem = str(why)
            return None
        if not self.progress.over:
            return 0.0
        if not self.progress.found:
            what = f"rule {rule_of(self.drill.theme)}" if rule_of(self.drill.theme) else self.drill.theme
            self.problem = (
                f"No round that exercises {what} came up in {self.progress.tried}. Try difficult players or a game."
            )
            return None
        self._deal()
        return None

    def _deal(self) -> None:
        from trainer.ui.dealing import TablePage

        drill = replace(self.drill, rounds=len(self.progress.found)) if self.drill.theme != "everything" else self.drill
        course = Course(drill, deals_of(drill, self.progress.found), path=course_path(drill.house, self.desk.stamp()))
        self.desk.replace(TablePage(self.desk, course))

    def shown(self) -> None:
        """Show what is there."""

    def leave(self) -> None:
        """Hold nothing."""
