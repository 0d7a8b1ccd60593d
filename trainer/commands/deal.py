"""``trainer deal``: be the dealer of a house, at the table on the screen or at a plain prompt."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from trainer.actions import VERBS, BadNotation, Role, parse
from trainer.cli import Settings
from trainer.commands.options import new_seed, table_for, table_options
from trainer.commands.records import kept, store_option
from trainer.drills.drill import go_on
from trainer.procedure.machine import HouseMachine
from trainer.procedure.verdicts import spell
from trainer.reports.text import say, show_table
from trainer.rounds.deal import CARD_VERBS, Live
from trainer.rounds.debrief import MANY, spell_debrief
from trainer.rounds.play import Entry, Session, machine_of
from trainer.rounds.recorder import Keeper, Recorder, read_session, recorded, session_path, stamp
from trainer.rounds.script import Script
from trainer.table import CannotHappen

if TYPE_CHECKING:
    from trainer.records.books import Assessment, Books

WORDS = {
    "hint": "say one act that is right now",
    "why": "explain the last verdict in full",
    "legal": "list every act that is right now",
    "felt": "show the table again",
    "help": "list the verbs, or explain one: help pay",
    "quit": "end the session with a debrief",
}
NO_WAY = "hint: the round is over; what is unsettled cannot be mended here: call floor"
HINTS = ("hint", "legal")
FREE = ("assignment", "trainee", "where", "house", "plain", "look")  # what the terms of an assignment leave open


class Prompt:
    """A session at the plain prompt: reads lines, judges them, records each committed act before the next prompt."""

    def __init__(
        self, live: Live, coached: bool, rounds: int, out: Callable[[str], None], *, hints: bool = True
    ) -> None:
        self.live, self.coached, self.rounds, self.out, self.hints = live, coached, rounds, out, hints
        self.last: Entry | None = None
        times = [entry.at for entry in live.session.entries if entry.at is not None]
        self.started = time.monotonic() - (times[-1] if times else 0.0)

    @property
    def now(self) -> float:
        return round(time.monotonic() - self.started, 2)

    def open(self) -> None:
        """Greet, and show the table."""
        session = self.live.session
        stuck = ", 'hint' when stuck" if self.hints else ""
        self.out(f"{session.house.title}: you are the dealer. Type 'help' for the verbs{stuck}.")
        mode = "coached: a wrong act is blocked and explained" if self.coached else "assessed: judged at the end"
        self.out(f"seed {session.script.seed}, {mode}" if self.hints else f"{mode}, no hints")
        if not session.entries:
            self.live.open_round()
        self.felt()

    def felt(self) -> None:
        for line in show_table(self.live.session.position):
            self.out(line)

    def line(self, text: str) -> bool:
        """Handle one line; False ends the session."""
        text = text.strip()
        word = text.split(" ", 1)[0]
        if not text or text.startswith("#"):
            return True
        if word in ("quit", "q", "exit"):
            return False
        if word in HINTS and not self.hints:
            self.out("an assessment gives no hints")
            return True
        handler = getattr(self, f"_{word}", None) if word in WORDS else None
        if handler:
            handler(text)
            return True
        self._act(text)
        return not self.is_done

    @property
    def is_done(self) -> bool:
        """Whether the last round is over."""
        session = self.live.session
        return session.position.state == "over" and session.table.round >= self.rounds

    def _act(self, text: str) -> None:
        try:
            act = parse(text, self.live.session.house.kinds)
        except BadNotation as bad:
            self.out(f"not understood: {bad}")
            return
        if act.role is Role.PLAYER:
            self.out("players act for themselves; you are the dealer ('wait' lets them)")
            return
        if act.verb in CARD_VERBS and act.card is not None:
            self.out(f"the shoe supplies the card: {str(act).replace(' ' + str(act.card), '')}")
            return
        before = len(self.live.session.entries)
        try:
            entry = self.live.dealer(act, coached=self.coached, at=self.now)
        except CannotHappen as why:
            self.out(f"that cannot be done: {why}")
            return
        self.last = entry
        self._answer(entry)
        for event in self.live.session.entries[before + 1 :]:
            self.out(f"  {say(event.act)}")
        if act.verb in ("turn hole", "separate", "start"):
            self.felt()
        if self.live.session.position.state == "over":
            rest = self.rounds - self.live.session.table.round
            self.out("the round is over" + (f"; {rest} to go: start" if rest > 0 else ""))

    def _answer(self, entry: Entry) -> None:
        if self.coached and entry.is_finding:
            for line in spell(self.live.session.house, entry.verdict):
                self.out(line)
            if entry.blocked:
                self.out("  (blocked: the table is as it was)")
                return
            rest = self.live.session.machine.still_due(self.live.session.position, entry.act)
            if rest:
                self.out(f"  now      {rest}")
        card = f"  {entry.act}" if entry.act.card is not None else ""
        if entry.act.verb == "deal hole":
            card = "  a card face down"
        if entry.act.verb == "peek" and not entry.blocked:
            found = self.live.session.table.ledger.looked
            card = "  you see a blackjack" if found == "blackjack" else "  you see no blackjack"
        if card:
            self.out(card)

    # -- words that are no acts -------------------------------------------------------------------------------------

    def _hint(self, _: str) -> None:
        ways = self.live.session.machine.suggest(self.live.session.position)
        position = self.live.session.position
        over = position.state == "over"
        self.out(f"hint: {ways[0]}" if ways else NO_WAY if over else "hint: wait for a player")

    def _legal(self, _: str) -> None:
        for act in self.live.session.machine.legal_actions(self.live.session.position):
            self.out(f"  {act}")

    def _felt(self, _: str) -> None:
        self.felt()

    def _why(self, _: str) -> None:
        if self.last is None:
            self.out("nothing has been judged yet")
            return
        if not self.coached:
            self.out("assessed: verdicts come at the end")
            return
        verdict, house = self.last.verdict, self.live.session.house
        for line in spell(house, verdict, full=True):
            self.out(line)
        for one in verdict.unmet:
            self.out(f"  why      {one.rule.slug}: {one.rule.why}")
        if verdict.is_right:
            for cited in verdict.rests_on:
                gist = house.statements[cited].gist if cited in house.statements else house.defaults[cited].reading
                self.out(f"  rests on {cited}: {gist}")

    def _help(self, text: str) -> None:
        name = text.removeprefix("help").strip()
        chosen = [verb for verb in VERBS if verb.name == name or verb.name.split()[0] == name]
        if name and not chosen:
            self.out(f"there is no verb '{name}'")
            return
        if not name:
            chosen = [verb for verb in VERBS if verb.role is Role.DEALER]
        for verb in chosen:
            self.out(f"  {verb.form:<28} {verb.meaning}" + (f"  e.g. {verb.example}" if name else ""))
        if not name:
            for word, meaning in WORDS.items():
                self.out(f"  {word:<28} {meaning}")


def _lines(prompt: bool) -> Iterator[str]:
    while True:
        if prompt:
            sys.stdout.write("dealer> ")
            sys.stdout.flush()
        text = sys.stdin.readline()
        if not text:
            return
        yield text


@click.command()
@click.argument("house", default="")
@table_options
@click.option("--assessed", is_flag=True, help="A wrong act takes effect; verdicts come at the end.")
@click.option("--plain", is_flag=True, help="The plain prompt; taken by itself where there is no terminal.")
@click.option("--display", type=click.Choice(["learn", "guided", "practice", "exam"]), default="guided",
              show_default=True, help="What the table on the screen shows.")  # fmt: skip
@click.option("--drill", "theme", default="everything", help="A theme or rule to drill (see the start page).")
@click.option("--look", default="default", help="Colours of the table: default, high-contrast, mono.")
@click.option("--record", type=click.Path(path_type=Path, dir_okay=False), help="File of the session.")
@click.option("--resume", type=click.Path(path_type=Path, dir_okay=False, exists=True), help="Go on with a session.")
@click.option("--trainee", default="", metavar="NAME",
              help="Whose session it is: it goes into the store too, act by act; a new name is added.")  # fmt: skip
@click.option("--assignment", default="", metavar="ID",
              help="Deal an assessment that was set for --trainee, by its terms; HOUSE may be left out.")  # fmt: skip
@store_option
@click.pass_context
def deal(ctx: click.Context, house: str, seed: str, spots: int, rounds: int, games: tuple[str, ...],
         variations: tuple[str, ...], places: int | None, difficulty: str, assessed: bool, plain: bool,
         display: str, theme: str, look: str, record: Path | None, resume: Path | None, trainee: str,
         assignment: str, where: str) -> None:  # fmt: skip
    """Deal rounds as the dealer of HOUSE; every act is checked at once and the session is written line by line.

    Without a trainee the session is a file and nothing else. With one it is practice in the store as well. An
    assessment (see 'trainer assign') is kept in the store alone, apart from practice; one that was broken off goes on
    when it is dealt again.
    """
    settings: Settings = ctx.obj
    from trainer.commands.table import at_a_terminal

    on_screen = not plain and at_a_terminal()
    if assignment:
        _only_its_terms(ctx, trainee)
        sys.exit(_assessment(settings, assignment, trainee, where, house, look if on_screen else None))
    resumed = read_session(resume, settings.procedures) if resume else None
    if resumed:
        if house and house != resumed.house:
            raise click.UsageError(f"{resume} was dealt in {resumed.house}, not in {house}")
        script = _whose(resumed, trainee)
    else:
        if not house:
            raise click.UsageError("say which HOUSE; 'trainer houses' lists them")
        if record is not None and record.exists():
            raise click.UsageError(f"{record} exists already; go on with it by --resume, or name another file")
        own = settings.procedures.house(house)
        options = table_for(own, games, variations, places, spots)
        clock = datetime.now(UTC).isoformat(timespec="seconds")
        procedure, version = stamp(own)
        mode = "assessed" if assessed or display == "exam" else "coached"
        script = Script(house, options=options, seed=seed or new_seed(), mode=mode, display=display, theme=theme,
                        difficulty=difficulty, procedure=procedure, version=version, clock=clock, trainee=trainee)  # fmt: skip
    with kept():
        if on_screen:
            from trainer.commands.table import open_table

            sys.exit(open_table(settings, script, spots=spots, rounds=rounds, look=look, record=record or resume,
                                store=where))  # fmt: skip
        if theme != "everything":
            click.echo("the plain prompt deals rounds as they come; a drill needs the table on the screen", err=True)
            sys.exit(2)
        path = record or resume or session_path(house, script.clock)
        sys.exit(_practice(settings, script, tuple(range(1, spots + 1)), rounds, path, where))


def _only_its_terms(ctx: click.Context, trainee: str) -> None:
    if not trainee:
        raise click.UsageError("an assignment is dealt by its trainee: --trainee NAME")
    for param in ctx.command.params:
        if param.name not in FREE and ctx.get_parameter_source(str(param.name)) is not ParameterSource.DEFAULT:
            raise click.UsageError(f"an assignment is dealt as its terms say: leave out {param.opts[0]}")


def _whose(script: Script, trainee: str) -> Script:
    """Return a session to go on with under its trainee's name; one that was nobody's may become somebody's."""
    if trainee and script.trainee and trainee.casefold() != script.trainee.casefold():
        raise click.UsageError(f"this session is {script.trainee}'s")
    return replace(script, trainee=script.trainee or trainee)


def _practice(settings: Settings, script: Script, spots: tuple[int, ...], rounds: int, path: Path, where: str) -> int:
    """Deal at the plain prompt: into a file, and for a trainee into the store as well."""
    books: Books | None = None
    if script.trainee:
        from trainer.records.books import practice

        books = practice(where, script.trainee, settings.procedures, script, path)
        if books.told:
            click.echo(books.told)
    keeper = books or Recorder(path, replace(script, lines=()), resume=path.exists())
    prompt = _dealt(keeper, machine_of(settings.procedures, script.house), script, spots, rounds)
    for line in _closing(prompt.live.session, script):
        click.echo(line)
    click.echo(f"session written to {path}")
    if books:
        click.echo(f"and kept as practice of {script.trainee}: session {books.session}")
    return 0


def _assessment(settings: Settings, wanted: str, trainee: str, where: str, house: str, look: str | None) -> int:
    """Deal an assignment, on the screen in a ``look`` or at the plain prompt; only a whole one is debriefed."""
    with kept():
        from trainer.records.books import assessment

        sat = assessment(where, wanted, trainee, settings.procedures, house)
        terms = sat.given.terms
        if look is not None:
            from trainer.commands.table import open_assessment

            code = open_assessment(settings, sat, look, where)
        else:
            code = 0
            click.echo(f"assessment of {sat.person.name}: {terms.rounds} rounds, seal of the seed {terms.seal}")
            prompt = _dealt(sat.books, sat.machine, sat.script, sat.spots, terms.rounds, hints=False)
            if prompt.is_done:
                for line in _closing(prompt.live.session, sat.script):
                    click.echo(line)
        _say_kept(sat)
    return code


def _say_kept(sat: Assessment) -> None:
    if sat.books.is_over:
        click.echo(f"kept as assessed: session {sat.books.session} of {sat.person.name}")
    else:
        click.echo("broken off, and not judged yet: the same command goes on with it")


def _dealt(
    keeper: Keeper, machine: HouseMachine, script: Script, spots: tuple[int, ...], rounds: int, *, hints: bool = True
) -> Prompt:
    """Deal at the plain prompt until the rounds are over, the trainee quits, or no line is left."""
    live = Live(machine, replace(script, lines=()), spots, script.difficulty)
    live.emit = keeper.note
    try:
        go_on(live, script.lines)
        prompt = Prompt(live, script.mode == "coached", rounds, click.echo, hints=hints)
        prompt.open()
        at_keyboard = sys.stdin.isatty()
        for text in () if prompt.is_done and script.lines else _lines(at_keyboard):
            if not at_keyboard and text.strip():
                click.echo(f"dealer> {text.strip()}")
            if not prompt.line(text):
                break
        if prompt.is_done:
            keeper.finish()
    finally:
        keeper.close()
    live.session.finish()
    click.echo("")
    return prompt


def _closing(session: Session, script: Script) -> list[str]:
    lines: list[str] = []
    if script.mode == "assessed":
        for entry in session.findings:
            lines += [f"act {entry.number}:", *spell(session.house, entry.verdict, full=True)]
    lines += spell_debrief(session)
    if len(session.findings) > MANY:
        from trainer.rounds.explain import explain
        from trainer.rounds.tell import spell_slips

        lines += ["what it comes down to:", *spell_slips(session.house, explain(recorded(session), session.machine))]
    return lines
