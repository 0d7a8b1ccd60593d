"""The page of a rule: what it asks, why, on which evidence, an example that keeps it and one that breaks it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from trainer.actions import Role
from trainer.drills.drill import Drill, options_of
from trainer.drills.search import rounds_that_exercise
from trainer.drills.themes import breakable, rule_is_kept, rule_theme
from trainer.files import BadFile
from trainer.procedure.model import Evidence, House
from trainer.rounds.deal import deal_rounds
from trainer.rounds.play import Entry, Session, replay
from trainer.rounds.script import read_script
from trainer.ui.composer import Choice
from trainer.ui.desk import Desk
from trainer.ui.explain import sentence
from trainer.ui.lines import Style
from trainer.ui.textpage import TextPage
from trainer.ui.view import Note, PageView, Section

_LOOK_AT = 4
_SECONDS = 6.0


class RulePage(TextPage):
    """Show a rule of a house; examples are looked for while the page is open already."""

    def __init__(self, desk: Desk, house: House, slug: str, session: Session | None = None) -> None:
        super().__init__(desk, f"rule {slug} · {house.title}", ())
        self.house, self.slug = house, slug
        self.kept: tuple[Note, ...] = ()
        self.broken: tuple[Note, ...] = ()
        self._search: Iterator[str] | None = self._look(session)
        self._hint = "looking for examples"
        self._show()

    def view(self) -> PageView:
        """Return the page as it is now."""
        keys = (Choice("esc", "back"), Choice("up down", "scroll"), Choice("x", "drill this rule"))
        return PageView(self.title, "", self.sections, keys=keys, scroll=self.scroll.top)

    def key(self, name: str) -> None:
        """Drill the rule, scroll or close."""
        if name == "x":
            from trainer.ui.start import FindPage

            self.desk.open(FindPage(self.desk, Drill(self.house.slug, rule_theme(self.slug), seed=self.slug)))
        else:
            super().key(name)

    def tick(self, now: float) -> float | None:
        """Look a little further for examples."""
        if self._search is None:
            return None
        try:
            self._hint = next(self._search)
        except StopIteration:
            self._search, self._hint = None, "none found"
        self._show()
        return None if self._search is None else 0.0

    def _show(self) -> None:
        rule = self.house.rules[self.slug]
        missing = (Note("", f"({self._hint})", Style.DIM),)
        self.sections = (
            Section(rule.text, (Note("why", rule.why), Note("weight", rule.weight.value),
                                Note("asked as", rule.question))),
            Section("Evidence", evidence_notes(self.house, self.house.evidence.get(self.slug, Evidence()))),
            Section("Kept", self.kept or missing),
            Section("Broken", self.broken or missing),
        )  # fmt: skip

    # -- examples -----------------------------------------------------------------------------------------------

    def _look(self, session: Session | None) -> Iterator[str]:
        """Look in scenarios that name the rule, in the session at hand, then in rounds dealt for it."""
        if session is not None:
            self._from(session, "this session")
            yield "looking in the scenarios"
        files = sorted((self.desk.scenarios / self.house.slug).glob("*.yaml"))
        for path in islice((one for one in files if self.slug in one.read_text("utf-8", "replace")), _LOOK_AT):
            if self.kept and self.broken:
                return
            try:
                script = read_script(path, self.desk.procedures)
                self._from(replay(script, self.desk.machine(self.house.slug)), script.title or path.stem)
            except BadFile:
                continue
            yield "looking in the scenarios"
        if not (self.kept and self.broken):
            yield from self._deal()

    def _deal(self) -> Iterator[str]:
        machine = self.desk.machine(self.house.slug)
        drill = Drill(self.house.slug, games=tuple(self.house.games))
        options = options_of(self.house, drill)
        for progress in rounds_that_exercise(
            machine, options, rule_theme(self.slug), wanted=1, seed="example", seconds=_SECONDS
        ):
            yield f"dealing rounds for an example: {progress.tried}"
        if not progress.found:
            return
        example = breakable(deal_rounds(machine, options, seed=progress.found[0]), self.slug)
        if example is None:
            return
        where = f"state {example.position.state}"
        if not self.kept:
            says = "right here: " if not self._rests(example.kept) else ""
            self.kept = (Note("right", f"{says}{example.kept.act}", Style.RIGHT, Style.RIGHT), Note("where", where))
        if not self.broken:
            one = next(one for one in example.verdict.unmet if one.rule.slug == self.slug)
            self.broken = (
                Note(example.verdict.severity.value, f"{example.broken}: {sentence(one.why)}", Style.FAULT),
                Note("instead", ", ".join(map(str, example.verdict.instead[:1]))),
                Note("where", where),
            )

    def _rests(self, entry: Entry) -> bool:
        evidence = self.house.evidence.get(self.slug, Evidence())
        return bool(set(evidence.cites) & set(entry.verdict.rests_on))

    def _from(self, session: Session, title: str) -> None:
        """Take what a session shows of the rule."""
        again = Session(session.machine, session.script)
        rule = self.house.rules[self.slug]
        for entry in session.entries:
            if entry.act.role is Role.DEALER:
                if (
                    not self.kept
                    and entry.verdict.is_right
                    and rule_is_kept(again.machine, again.position, entry.act, rule)
                ):
                    self.kept = (Note("right", str(entry.act), Style.RIGHT, Style.RIGHT), Note("from", title))
                found = next((one for one in entry.verdict.unmet if one.rule.slug == self.slug), None)
                if found and not self.broken:
                    instead = ", ".join(map(str, entry.verdict.instead[:1]))
                    text = f"{entry.act}: {sentence(found.why)}"
                    self.broken = (Note(found.severity.value, text, Style.FAULT, Style.FAULT), Note("instead", instead),
                                   Note("from", title))  # fmt: skip
            if not entry.blocked:
                again.do(entry.act)


def evidence_notes(house: House, evidence: Evidence) -> tuple[Note, ...]:
    """Return what a house gives for a rule, each source with its place in the document."""
    notes = [Note("basis", evidence.basis + (f": {evidence.because}" if evidence.because else ""))]
    for cited in evidence.cites:
        found = house.statements[cited]
        notes.append(Note("source", f"{cited}, {house.document}, {found.where}: {found.gist}"))
    if evidence.memo:
        notes.append(Note("answer", f"{evidence.default}: {evidence.memo}"))
    elif evidence.default:
        default = house.defaults[evidence.default]
        notes.append(
            Note("default", f"{default.id}: {default.reading} ({default.policy}; a default can never fail anyone)")
        )
    return tuple(notes)
