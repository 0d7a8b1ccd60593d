"""The debrief after a round or a drill: what came out, and the three things to practise next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from trainer.chips import dollars
from trainer.drills.drill import Drill
from trainer.drills.report import HOLDS, Practice, Report, practise_next, report
from trainer.drills.themes import rule_of
from trainer.procedure.verdicts import Severity, spell
from trainer.rounds.debrief import MANY
from trainer.rounds.explain import explain
from trainer.rounds.play import Session
from trainer.rounds.recorder import recorded
from trainer.rounds.tell import spell_slip
from trainer.ui.composer import Choice
from trainer.ui.desk import Desk
from trainer.ui.lines import Frame, Style
from trainer.ui.screen import render
from trainer.ui.textpage import Scroll
from trainer.ui.view import Item, Note, PageView, Section

if TYPE_CHECKING:
    from trainer.ui.dealing import TablePage

_BAR = 24
_MOST = 25  # findings that are explained while the dealer waits; `trainer replay --slips` explains any number
_SOON = 0.1  # seconds, so that the page stands before slips are worked out
_SLIPS = "What it comes down to"
_WORKING = Section(_SLIPS, (Note("", "working it out", Style.DIM),))


class DebriefPage:
    """Show the results; ``done`` when the drill was left or finished, else the table lies below."""

    def __init__(self, desk: Desk, table: TablePage, sessions: Sequence[Session], done: bool) -> None:
        self.desk, self.table, self.done = desk, table, done
        # A round looked back on in the middle is reckoned on a copy: the session itself stays open.
        self.sessions = [one if done else _closed(one) for one in sessions]
        self.drill = table.drill
        self.report = report(table.house, self.sessions)
        self.practice = practise_next(self.report, self.drill.theme)
        found = sum(len(session.findings) for session in self.sessions)
        self.slips: tuple[Section, ...] = (_WORKING,) if done and MANY < found <= _MOST else ()
        self.scroll, self.size = Scroll(), (80, 24)
        self._shown_at: float | None = None

    def view(self) -> PageView:
        """Return the page as it is now."""
        one = self.report
        if self.done:
            replay = [Choice("r", "replay")] if self._files else []
            leave = Choice("enter", "leave" if self.table.sat else "start page")
            keys = [Choice("1 2 3", "practise"), *replay, Choice("a", "again"), leave]
        else:
            ways = "next round" if self.table.over and self.table.at + 1 < len(self.table.course.deals) else "go on"
            keys = [Choice("1 2 3", "practise"), Choice("esc", "back to the table"), Choice("enter", ways)]
        sections = (summary(one), findings(one), *self.slips, times(one), next_items(self.practice))
        exam = (exam_section(self.sessions),) if self.drill.display == "exam" and one.rules else ()
        title = f"debrief · {one.house.title} · {self.drill.title}"
        return PageView(title, "", (*sections, *exam), keys=tuple(keys), scroll=self.scroll.top, columns=True)

    def frame(self, width: int, height: int) -> Frame:
        """Return the picture of now."""
        self.size = width, height
        return render(self.view(), width, height)

    def key(self, name: str) -> None:
        """Start a drill, replay, go on, or scroll."""
        if self.scroll.key(name, self.view(), self.size):
            return None
        if name in ("1", "2", "3") and int(name) <= len(self.practice):
            return self._practise(self.practice[int(name) - 1])
        if self.done and name == "r" and self._files:
            return self._replay()
        if self.done and name == "a":
            return self._find(replace(self.drill, seed=f"{self.drill.seed}+"))
        if name in ("esc", "q", "backspace", "enter"):
            self.desk.back()
            if not self.done and name == "enter":
                self.table.go_on()
        return None

    def _practise(self, practice: Practice) -> None:
        if not self.done:
            # The table below is left for the drill: its session stays saved and can be resumed.
            self.desk.back()
            self.table.seat.close()
            self.desk.back()
        house = self.report.house
        games = tuple(house.games) if practice.theme == "side games" or rule_of(practice.theme) else self.drill.games
        display = "guided" if self.drill.display == "exam" else self.drill.display
        drill = Drill(house.slug, practice.theme, display, self.drill.difficulty, self.drill.spots, 5, f"{self.drill.seed}+",
                      games, trainee=self.drill.trainee, store=self.drill.store)  # fmt: skip
        self._find(drill)

    def _find(self, drill: Drill) -> None:
        from trainer.ui.start import FindPage

        page = FindPage(self.desk, drill)
        if self.done:
            self.desk.replace(page)
        else:
            self.desk.open(page)

    def _replay(self) -> None:
        from trainer.ui.replaying import ReplayPage

        self.desk.open(ReplayPage(self.desk, Path(self._files[-1])))

    @property
    def _files(self) -> list[str]:
        """The files of the sessions; an assessment has none."""
        return [deal.file for deal in self.table.course.deals if deal.file]

    def tick(self, now: float) -> float | None:
        """Work out the slips once the page has been shown."""
        if self.slips != (_WORKING,):
            return None
        if self._shown_at is None:
            self._shown_at = now
        if now < self._shown_at + _SOON:
            return _SOON
        self.slips = slips(self.sessions)
        return None

    def shown(self) -> None:
        """Show what is there."""

    def leave(self) -> None:
        """Hold nothing."""


def _closed(session: Session) -> Session:
    """Return a session of the same acts with its books closed."""
    again = Session(session.machine, session.script)
    for entry in session.entries:
        again.do(entry.act, at=entry.at, blocked=entry.blocked)
    return again.finish()


def summary(one: Report) -> Section:
    """Return the numbers that matter most."""
    full = round(_BAR * one.accuracy)
    style = Style.RIGHT if one.accuracy >= HOLDS else Style.ADVICE
    notes = [
        Note("accuracy", f"{'█' * full}{'░' * (_BAR - full)}  {one.percent}", style),
        Note("acts", f"{one.judged} judged: {one.faults} faulted, {one.advice} with advice"),
        Note("money", money_words(one.money)),
        Note("rounds", f"{one.rounds} finished"),
    ]
    pace = one.rounds_an_hour
    if pace is not None:
        trend = " → ".join(map(str, one.trend[-6:]))
        notes.append(Note("pace", f"{pace} rounds an hour" + (f" ({trend})" if len(one.trend) > 1 else "")))
    elif one.round_seconds:
        notes.append(Note("pace", f"shown once accuracy is {HOLDS * 100:.0f} % or more: first right, then fast"))
    return Section("Result", tuple(notes))


def money_words(cents: int) -> str:
    """Say what findings moved, seen from the house."""
    if not cents:
        return "no chips went where they should not"
    where = "too much went to the house" if cents > 0 else "too much went to the players"
    return f"{dollars(abs(cents))} {where}"


def findings(one: Report) -> Section:
    """Return the findings by rule, the gravest first."""
    if not one.rules:
        return Section("Findings", (Note("none", "every act was right", Style.RIGHT, Style.RIGHT),))
    notes = []
    for count in one.rules:
        style = Style.FAULT if count.severity == "fault" else Style.ADVICE
        money = f", {money_words(count.money)}" if count.money else ""
        times = f"{count.times}×"
        notes.append(
            Note(f"{count.severity} {times}", f"{count.rule.slug}: {count.rule.text}{money}", Style.PLAIN, style)
        )
        instead = f" (right: {count.instead})" if count.instead else ""
        notes.append(Note("", f"           first: {count.first}{instead}", Style.DIM))
        notes += [Note("", f"           {source}", Style.DIM) for source in count.sources[:2]]
    return Section("Findings by rule", tuple(notes))


def slips(sessions: Sequence[Session]) -> tuple[Section, ...]:
    """Return what the findings come down to, as a floor supervisor would tell it."""
    notes: list[Note] = []
    for session in sessions:
        explanation = explain(recorded(session), session.machine)
        for number, slip in enumerate(explanation.slips, len(notes) + 1):
            style = Style.FAULT if slip.severity is Severity.FAULT else Style.ADVICE
            said, *_ = spell_slip(session.house, slip, number)
            acts = ", ".join(map(str, slip.entries)) or f"before {slip.near_entry}"
            notes.append(Note(f"act {acts}", said, Style.PLAIN, style))
    return (Section(_SLIPS, tuple(notes)),)


def times(one: Report) -> Section:
    """Return the time spent in each state."""
    whole = sum(one.seconds.values())
    if whole <= 0:
        return Section("Time by state", (Note("", "no acts were timed"),))
    notes = []
    for state, seconds in sorted(one.seconds.items(), key=lambda item: -item[1])[:8]:
        notes.append(Note(state[:10], f"{'█' * max(round(18 * seconds / whole), 1)} {seconds:.1f} s", Style.METER))
    return Section("Time by state", tuple(notes))


def next_items(practice: Sequence[Practice]) -> Section:
    """Return what to practise next, each with its key."""
    items = tuple(Item(str(at), one.theme, style=Style.STRONG, under=one.why) for at, one in enumerate(practice, 1))
    return Section("Practise next", (), items)


def exam_section(sessions: Sequence[Session]) -> Section:
    """Return every finding in order, for an exam that was silent until now."""
    notes = []
    for session in sessions:
        for entry in session.findings:
            first, *rest = spell(session.house, entry.verdict, full=True)
            notes.append(Note(f"act {entry.number}", first, Style.FAULT if entry.is_fault else Style.ADVICE))
            notes += [Note("", "           " + text.strip(), Style.DIM) for text in rest]
    return Section("All findings", tuple(notes))
