"""The table to stand at: keys become acts, acts are judged and recorded, the felt shows what lies there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from trainer.actions import Act, BadNotation, Role, parse
from trainer.drills.drill import Course, Deal, Seat, script_of, session_file, sit_down
from trainer.files import BadFile
from trainer.rounds.deal import CARD_VERBS
from trainer.rounds.play import Entry, Session
from trainer.rounds.recorder import Keeper, read_session, set_aside
from trainer.rounds.script import Script
from trainer.table import CannotHappen
from trainer.ui.composer import Choice, Draft, Grammar, completions, draft, with_cents
from trainer.ui.desk import Desk
from trainer.ui.edit import LineEdit
from trainer.ui.explain import coach_panel, step_of, verdict_panel
from trainer.ui.keys import pasted, printable
from trainer.ui.lines import Frame, Style
from trainer.ui.present import dues, felt_view, log_notes, seen_act, way
from trainer.ui.rulepage import RulePage
from trainer.ui.screen import render
from trainer.ui.textpage import TextPage, help_page
from trainer.ui.view import Note, PanelView, PromptView, Section, TableView
from trainer.ui.words import HINTED, asked

if TYPE_CHECKING:
    from trainer.records.books import Assessment

_T = TypeVar("_T")
_PAGE_KEYS = (
    Choice(":", "line"),
    Choice("?", "rule"),
    Choice("f1", "help"),
    Choice("f2", "in full"),
    Choice("qq", "leave"),
)


class TablePage:
    """Deal the rounds of a course, one act at a time; an assessment by its terms, without verdicts before its end."""

    def __init__(self, desk: Desk, course: Course, at: int = 0, sat: Assessment | None = None) -> None:
        self.desk, self.course, self.at, self.sat = desk, course, at, sat
        self.drill = course.drill
        self.machine = sat.machine if sat else desk.machine(self.drill.house)
        self.house = self.machine.house
        self.keys: tuple[str, ...] = ()
        self.line: LineEdit | None = None
        self.history: list[str] = []
        self.message, self.error = "", False
        self.last: Entry | None = None
        self._legal: tuple[int, list[Act]] | None = None
        self._known: dict[str, tuple[object, object]] = {}
        self._leaving = False
        self._sit()

    # -- the deal -----------------------------------------------------------------------------------------------

    def _sit(self) -> None:
        """Begin the deal, or go on with the session that was broken off."""
        if self.sat:
            self.seat = sit_down(self.machine, self.drill, self.sat.script, Path(), self.sat.books)
        else:
            self.seat = self._seat_of_file()
        dealt = [entry for entry in self.session.entries if entry.act.role is Role.DEALER]
        self.last = dealt[-1] if dealt else None
        times = [entry.at for entry in self.session.entries if entry.at is not None]
        self._offset = (times[-1] if times else 0.0) - self.desk.now()
        self._legal = None
        self._end_assessment()

    def _seat_of_file(self) -> Seat:
        deal = self.course.deals[self.at]
        path = Path(deal.file) if deal.file else session_file(self.house.slug, self.desk.stamp())
        script = script_of(self.machine, self.drill, deal.seed, self.desk.stamp())
        if path.exists():
            # A session without a single act has no lines to read and begins again.
            try:
                script = read_session(path, self.desk.procedures)
            except BadFile:
                set_aside(path)
        self.course.deals[self.at] = Deal(deal.seed, deal.rounds, str(path))
        self.course.save()
        script = replace(script, trainee=script.trainee or self.drill.trainee)
        return sit_down(self.machine, self.drill, script, path, self._keeper(script, path))

    def _keeper(self, script: Script, path: Path) -> Keeper | None:
        """Return what keeps a trainee's practice in the store as well, None for nobody's."""
        if not script.trainee:
            return None
        from trainer.records.books import practice

        books = practice(self.drill.store, script.trainee, self.desk.procedures, script, path)
        self._say(books.told)
        return books

    def _end_assessment(self) -> None:
        """Close an assessment with its last act: no round can be added to it."""
        if self.sat and self.over:
            self.seat.recorder.finish()

    @property
    def session(self) -> Session:
        return self.seat.live.session

    @property
    def grammar(self) -> Grammar:
        table = self.session.table
        return Grammar(table.places, self.house.kinds, lambda number: len(table.spots[number].hands))

    @property
    def over(self) -> bool:
        """Whether the last round of the deal is over."""
        return self.session.position.state == "over" and self.session.table.round >= self.course.deals[self.at].rounds

    def legal(self) -> list[Act]:
        """Return what is right now; reckoned once for each position."""
        count = len(self.session.entries)
        if self._legal is None or self._legal[0] != count:
            self._legal = (count, self.machine.legal_actions(self.session.position))
        return self._legal[1]

    def _once(self, name: str, key: object, reckon: Callable[[], _T]) -> _T:
        """Reckon a part of the picture only when what it hangs on has changed, not at every key."""
        known = self._known.get(name)
        key = (self.at, len(self.session.entries), key)
        if known is None or known[0] != key:
            known = self._known[name] = (key, reckon())
        return known[1]  # type: ignore[return-value]

    def commit(self, act: Act) -> None:
        """Do an act: from here on it is a fact."""
        self.keys, self.line = (), None
        if act.role is not Role.DEALER:
            return self._say("That is not yours to do: you are the dealer.", error=True)
        if act.card is not None and act.verb in CARD_VERBS:
            return self._say("The shoe brings the cards: leave the card out.", error=True)
        if self.sat and self.over:
            return self._say("The assessment is over. Enter ends it.", error=True)
        if act.verb == "start" and self.over:
            return self.go_on()
        at = round(self.desk.now() + self._offset, 2)
        try:
            self.last = self.seat.live.dealer(act, coached=self.drill.coached, at=at)
        except CannotHappen as why:
            return self._say(f"That cannot be done: {why}.", error=True)
        self.history.append(str(act))
        self._end_assessment()
        return self._say(self._news(self.last))

    def _news(self, entry: Entry) -> str:
        """Return what the dealer sees by the act alone."""
        if entry.blocked:
            return ""
        if entry.is_finding and self.drill.coached and self.drill.display != "exam":
            rest = self.machine.still_due(self.session.position, entry.act)
            if rest:
                return f"It took effect; now due: {rest}."
        if entry.act.verb == "peek":
            return (
                "You see a blackjack." if self.session.table.ledger.looked == "blackjack" else "You see no blackjack."
            )
        if self.over:
            return "The round is over. Enter goes on."
        if self.session.position.state == "over":
            back = "" if self.drill.display == "exam" else ", enter looks back on this one"
            return f"The round is over: bb begins the next one{back}."
        return ""

    def _say(self, text: str, error: bool = False) -> None:
        self.message, self.error = text, error

    # -- keys ---------------------------------------------------------------------------------------------------

    def key(self, name: str) -> None:
        """Handle a key: compose an act, take keys back, open the line or another page."""
        leaving, self._leaving = self._leaving, False
        if self.line is not None:
            return self._line_key(name)
        text = pasted(name)
        if text is not None:
            return self._open_line(text)
        if self._words_are_typed and printable(name):
            return self._press(name)
        if name in ("esc", "backspace"):
            self.keys = () if name == "esc" else self.keys[:-1]
            return self._say("")
        if name in ("enter", " "):
            return self._enter()
        if name in (":", "tab", "up", "ctrl-p"):
            self._open_line(draft(self.keys, self.grammar).text)
            return None if name in (":", "tab") or self.line is None else self._line_key(name)
        if name in ("?", "f1", "f2"):
            return self._open_help(name)
        if name == "q" and not self.keys:
            if leaving:
                return self.leave_table()
            self._leaving = True
            return self._say("q again leaves the table; the session is saved.")
        return self._press(name) if printable(name) else None

    @property
    def _words_are_typed(self) -> bool:
        return self.keys[:2] == ("c", "f")

    def _press(self, name: str) -> None:
        made = draft((*self.keys, name), self.grammar)
        if made.bad:
            return self._say(made.bad, error=True)
        self.keys = (*self.keys, name)
        self._say("")
        return self.commit(made.act) if made.done and made.act else None

    def _enter(self) -> None:
        made = draft(self.keys, self.grammar)
        if made.act is not None:
            return self.commit(made.act)
        if self.keys:
            if len(self.keys) == 1 and made.choices[:1] and made.choices[0].key == self.keys[0]:
                return self._press(self.keys[0])
            return self._say("The act is not complete.", error=True)
        if self.over and self.at + 1 == len(self.course.deals):
            return self.go_on()
        return self._look_back() if self.session.position.state == "over" else None

    def _open_line(self, text: str) -> None:
        grammar = self.grammar
        head = f"{text} " if text and not text.endswith(('"', " ")) else text
        self.line = LineEdit(head, history=self.history,
                             complete=lambda text, at: completions(text, at, grammar.kinds))  # fmt: skip
        self.keys = ()
        self._say("")

    def _line_key(self, name: str) -> None:
        line = self.line
        assert line is not None
        if name == "esc":
            self.line = None
            return self._say("")
        if name == "enter":
            return self._submit(line)
        line.key(name)
        return self._say("")

    def _submit(self, line: LineEdit) -> None:
        text = line.text.strip()
        if not text:
            self.line = None
            return None
        answer = asked(self, text)
        if answer is not None:
            return self._say(answer) if answer else None
        try:
            act = parse(with_cents(text), self.house.kinds)
        except BadNotation as bad:
            line.cursor = min(max(bad.column - 1, 0), len(line.text))
            return self._say(str(bad), error=True)
        return self.commit(act)

    # -- other pages --------------------------------------------------------------------------------------------

    def _open_help(self, name: str) -> None:
        if name == "f1":
            return self.desk.open(help_page(self.desk))
        if name == "f2":
            return self.desk.open(TextPage(self.desk, "in full", self._in_full()))
        if self.drill.display == "exam":
            return self._say("An exam is silent until its end: its rules are shown there.")
        slug = self._rule_at_hand()
        if slug:
            return self.desk.open(RulePage(self.desk, self.house, slug, self.session))
        return self._say("No rule was broken; a verdict's rule opens here.")

    def _in_full(self) -> tuple[Section, ...]:
        """Return everything the panels tell, with the state and the duties where the display shows them."""
        view = self.view(140)
        state = (Section("You are here", (Note("", view.state),)),) if view.state else ()
        due = (Section("Due", tuple(Note("due", text) for text in view.duties)),) if view.duties else ()
        log = Section("What happened", view.log[-20:])
        return (*state, *due, *(Section(panel.title, panel.notes) for panel in view.panels), log)

    def _rule_at_hand(self) -> str:
        """Return the rule the last verdict rests on; in exams nothing is told."""
        if self.drill.display == "exam" or self.last is None:
            return ""
        leading = self.last.verdict.leading
        if leading:
            return leading.rule.slug
        step = step_of(self.house, self.last.verdict.step)
        uses = [use for use in step.uses if use.rule and use.evidence.is_documented] if step else []
        return uses[0].rule.slug if uses and uses[0].rule else ""

    def _look_back(self) -> None:
        if self.drill.display == "exam":
            if self.over:
                return self.go_on()
            return self._say("An exam is silent until its end: bb begins the next round.")
        from trainer.ui.debriefing import DebriefPage

        return self.desk.open(DebriefPage(self.desk, self, [self.seat.live.session], done=False))

    def go_on(self) -> None:
        """Go on to the next deal, or to the debrief of the drill."""
        if not self.over:
            return None
        self.seat.recorder.finish()
        if self.at + 1 < len(self.course.deals):
            self.seat.close()
            self.at += 1
            self.last = None
            self._sit()
            return self._say(f"Round {self.at + 1} of {len(self.course.deals)}.")
        self.course.finished = True
        self.course.save()
        return self.leave_table()

    def sessions(self) -> list[Session]:
        """Return the sessions of the course dealt so far, judged again from their files."""
        from trainer.drills.drill import read_kept

        out = []
        for index, deal in enumerate(self.course.deals):
            if index == self.at or not deal.file:
                continue
            kept = read_kept(Path(deal.file), self.desk.procedures)
            out += [kept.session] if kept else []
        return [*out, self.session]

    def leave_table(self) -> None:
        """Close the session and show the debrief of what was dealt; a part of an assessment is not judged."""
        from trainer.ui.debriefing import DebriefPage

        self.seat.close()
        if self.sat and not self.over:
            return self.desk.back()
        return self.desk.replace(DebriefPage(self.desk, self, self.sessions(), done=True))

    def shown(self) -> None:
        """Show what is there."""

    def leave(self) -> None:
        """Close what keeps the session."""
        self.seat.recorder.close()

    def tick(self, now: float) -> float | None:
        """Wait for keys only."""
        return None

    # -- the picture --------------------------------------------------------------------------------------------

    def frame(self, width: int, height: int) -> Frame:
        """Return the picture of now."""
        return render(self.view(width), width, height)

    def view(self, width: int = 100) -> TableView:
        """Return what the screen shows, which of the panels first by the room there is."""
        session, display = self.session, self.drill.display
        made = draft(self.keys, self.grammar)
        hinted = display in HINTED
        position = session.position
        return TableView(
            bar=f"{self.house.title} · {self.drill.title} · {display}",
            bar_right=self._progress(),
            felt=self._once("felt", None, lambda: felt_view(session, display, len(self.seat.live.shoe))),
            path=way(self.house, position.state) if hinted else (),
            state=self.house.states[position.state] if hinted else "",
            duties=self._once("dues", None, lambda: dues(position)[:3]) if display == "learn" else (),
            panels=self._once("panels", (width, self.last), lambda: self._panels(width)),
            log=self._once("log", None, lambda: log_notes(session.entries, display)),
            keys=(*made.choices, *(_PAGE_KEYS if not self.keys else (Choice("esc", "take back"),))),
            prompt=self._prompt(made),
            learn=display == "learn",
        )

    def _progress(self) -> str:
        deals = self.course.deals
        if len(deals) > 1:
            where = f"round {self.at + 1} of {len(deals)}"
        else:
            where = f"round {self.session.table.round} of {deals[self.at].rounds}"
        mode = "coached" if self.drill.coached else "assessed"
        return f"{where} · {mode}"

    def _panels(self, width: int) -> tuple[PanelView, ...]:
        display = self.drill.display
        verdict = verdict_panel(self.house, self.last, self.grammar, display)
        if display != "learn":
            return (verdict,) if verdict else ()
        coach = coach_panel(self.machine, self.session.position, self.legal(), self.grammar)
        if self.over:
            why = "The round is over: the layout is clear and every wager is settled."
            coach = PanelView("next step", (Note("next", "enter   go on", Style.RIGHT, Style.RIGHT), Note("why", why)))
        if verdict is None or width >= 100:
            return (coach, verdict) if verdict else (coach,)
        if self.last is not None and not self.last.verdict.is_right:
            return (verdict,)
        if self.last is None:
            return (coach,)
        done = Note("right", seen_act(self.last.act), Style.PLAIN, Style.RIGHT)
        return (PanelView(coach.title, (done, *coach.notes)),)

    def _prompt(self, made: Draft) -> PromptView:
        if self.line is not None:
            text, at = self.line.view(70)
            return PromptView(":", text, at, self.message, self.error, self.line.choices)
        waiting = self.message or ("" if self.keys else "press a verb's key, or : for the line")
        return PromptView("›", made.text, len(made.text) if made.text else 0, waiting, self.error)
