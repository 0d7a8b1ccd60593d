"""Replay a record for a supervisor: step, play, jump to findings, see the machine beside the felt, ask another house."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from trainer.actions import Role
from trainer.files import BadFile
from trainer.procedure.moment import Position
from trainer.records.imports import read_record
from trainer.rounds.play import Entry, Session, replay
from trainer.table import CannotHappen
from trainer.ui.composer import Choice, Grammar
from trainer.ui.desk import Desk
from trainer.ui.explain import verdict_notes
from trainer.ui.lines import Frame, Style
from trainer.ui.present import dues, event_words, felt_of, log_notes, seen_act, short_event, way
from trainer.ui.rulepage import RulePage
from trainer.ui.screen import render
from trainer.ui.textpage import TextPage
from trainer.ui.view import Note, PanelView, PromptView, Section, TableView

SPEEDS = (0.5, 1.0, 2.0, 4.0, 8.0)
_STEP_SECONDS = 1.2
_KEYS = (
    Choice("→ n", "step"), Choice("← b", "back"), Choice("space", "play"), Choice("+ -", "speed"),
    Choice("f", "next finding"), Choice("F", "finding before"), Choice("home end", "first, last"),
    Choice("o", "another house"), Choice("?", "rule"), Choice("f2", "in full"), Choice("q", "leave"),
)  # fmt: skip


@dataclass(slots=True)
class Stage:
    """A record dealt in one house: its entries and the position before the first and after each of them."""

    session: Session
    positions: list[Position]

    @property
    def entries(self) -> list[Entry]:
        return self.session.entries


def stage(desk: Desk, path: Path, house: str = "") -> Stage:
    """Deal a record act by act and keep every position.

    Raises:
        BadFile: the record cannot be read.
    """
    script = read_record(path, desk.procedures, house=house)
    machine = desk.machine(script.house)
    # Money effects are known only when a round is closed: entries are taken from a replay of the whole.
    whole = replay(script, machine)
    again = Session(machine, script)
    positions = [again.position.copied()]
    for entry in whole.entries:
        try:
            again.do(entry.act, at=entry.at, blocked=entry.blocked)
        except CannotHappen:
            break
        positions.append(again.position.copied())
    return Stage(whole, positions)


class ReplayPage:
    """Show a record at any of its acts."""

    def __init__(self, desk: Desk, path: Path, house: str = "") -> None:
        self.desk, self.path = desk, path
        self.stage = stage(desk, path, house)
        self.at = 0
        self.playing, self.speed = False, SPEEDS.index(1.0)
        self.others: dict[str, Stage | str] = {}
        self.other = ""
        self._next = 0.0
        self.message = ""

    @property
    def entry(self) -> Entry | None:
        return self.stage.entries[self.at - 1] if self.at else None

    @property
    def last(self) -> int:
        return len(self.stage.positions) - 1

    # -- keys ---------------------------------------------------------------------------------------------------

    def key(self, name: str) -> None:
        """Move through the record."""
        self.message = ""
        moves = {"right": 1, "n": 1, "enter": 1, "left": -1, "b": -1, "backspace": -1, "home": -(10**9), "end": 10**9,
                 "pagedown": 10, "pageup": -10}  # fmt: skip
        if name in moves:
            self.playing = False
            self.at = min(max(self.at + moves[name], 0), self.last)
        elif name == " ":
            self.playing = not self.playing and self.at < self.last
            self._next = self.desk.now() + self._pause
        elif name in ("+", "=", "-"):
            self.speed = min(max(self.speed + (-1 if name == "-" else 1), 0), len(SPEEDS) - 1)
        elif name in ("f", "F"):
            self._jump(1 if name == "f" else -1)
        elif name == "o":
            self._ask_another()
        elif name == "?":
            self._open_rule()
        elif name == "f2":
            view = self.view()
            due = Section("Due", tuple(Note("due", text) for text in view.duties))
            panels = tuple(Section(panel.title, panel.notes) for panel in view.panels)
            self.desk.open(TextPage(self.desk, "in full", (*panels, due, Section("What happened", view.log))))
        elif name in ("q", "esc"):
            self.desk.back()

    @property
    def _pause(self) -> float:
        return _STEP_SECONDS / SPEEDS[self.speed]

    def _jump(self, step: int) -> None:
        self.playing = False
        at = self.at + step
        while 1 <= at <= self.last:
            if self.stage.entries[at - 1].is_finding:
                self.at = at
                return
            at += step
        self.message = "no further finding" if step > 0 else "no finding before this"

    def _ask_another(self) -> None:
        """Go round the other houses; each deals the whole record again."""
        own = self.stage.session.house.slug
        names = ["", *(name for name in self.desk.procedures.names() if name != own)]
        self.other = names[(names.index(self.other) + 1) % len(names)]
        if self.other and self.other not in self.others:
            try:
                self.others[self.other] = stage(self.desk, self.path, self.other)
            except BadFile as bad:
                self.others[self.other] = str(bad).splitlines()[0]

    def _open_rule(self) -> None:
        entry = self.entry
        if entry is None or not entry.verdict.leading:
            self.message = "a finding's rule opens here: f jumps to the next one"
            return
        slug = entry.verdict.leading.rule.slug
        self.desk.open(RulePage(self.desk, self.stage.session.house, slug, self.stage.session))

    def tick(self, now: float) -> float | None:
        """Step on while it plays."""
        if not self.playing:
            return None
        if now >= self._next:
            self.at = min(self.at + 1, self.last)
            self._next = now + self._pause
            self.playing = self.at < self.last
        return max(self._next - now, 0.0) if self.playing else None

    def shown(self) -> None:
        """Show what is there."""

    def leave(self) -> None:
        """Hold nothing."""

    # -- the picture --------------------------------------------------------------------------------------------

    def frame(self, width: int, height: int) -> Frame:
        """Return the picture of now."""
        return render(self.view(), width, height)

    def view(self) -> TableView:
        """Return what the screen shows at this act."""
        session, position = self.stage.session, self.stage.positions[self.at]
        script = session.script
        playing = f"▶ {SPEEDS[self.speed]:g}×" if self.playing else f"‖ {SPEEDS[self.speed]:g}×"
        findings = len(session.findings)
        found = "finding" if findings == 1 else "findings"
        return TableView(
            bar=f"replay · {session.house.title} · {script.title or self.path.name}",
            bar_right=f"act {self.at} of {self.last} · {findings} {found} · {playing}",
            felt=felt_of(position, "guided", self._shoe(position), self._recent()),
            path=way(session.house, position.state),
            state=session.house.states[position.state],
            duties=dues(position)[:3],
            panels=self._panels(),
            log=log_notes(self.stage.entries[: self.at], "guided"),
            keys=_KEYS,
            prompt=PromptView("›", "", None, self.message or self._when()),
        )

    def _shoe(self, position: Position) -> int:
        """Return the cards left, reckoned from those dealt so far in all rounds."""
        dealt = sum(one.act.card is not None and one.act.verb != "turn hole" and not one.blocked
                    for one in self.stage.entries[: self.at])  # fmt: skip
        return max(position.options.decks * 52 - dealt, 0)

    def _recent(self) -> dict[int, str]:
        out: dict[int, str] = {}
        for entry in reversed(self.stage.entries[: self.at]):
            if entry.act.role is Role.DEALER:
                break
            if entry.act.verb != "wager" or entry.act.flag:
                out.setdefault(entry.act.spot, short_event(entry.act))
        return out

    def _when(self) -> str:
        entry = self.entry
        if entry is None:
            return "before the first act"
        at = f" after {entry.at:.1f} s" if entry.at is not None else ""
        return f"{entry.number}: {seen_act(entry.act)}{at}"

    def _panels(self) -> tuple[PanelView, ...]:
        house = self.stage.session.house
        panel = PanelView(f"verdict · {house.title}", self._notes(self.stage))
        if not self.other:
            return (panel,)
        other = self.others[self.other]
        title = f"verdict · {self.desk.procedures.house(self.other).title}"
        if isinstance(other, str):
            return panel, PanelView(title, (Note("", other, Style.DIM),))
        return panel, PanelView(title, self._notes(other))

    def _notes(self, of: Stage) -> tuple[Note, ...]:
        if self.at == 0:
            return (Note("", "Nothing has been done yet.", Style.DIM),)
        if self.at > len(of.positions) - 1:
            problem = of.session.problems[0].allowed if of.session.problems else "the record ends before"
            return (Note("", f"In this house the record cannot go so far: {problem}.", Style.DIM),)
        entry = of.entries[self.at - 1]
        if entry.act.role is not Role.DEALER:
            return (Note("event", event_words(entry.act), Style.EVENT, Style.EVENT),)
        table = of.positions[self.at - 1].table
        grammar = Grammar(table.places, of.session.house.kinds, lambda number: len(table.spots[number].hands))
        return verdict_notes(of.session.house, entry.verdict, grammar, blocked=entry.blocked, money=entry.money)
