"""``trainer deal``: be the dealer of a house, at the table on the screen or at a plain prompt."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import click

from trainer.actions import VERBS, BadNotation, Role, parse
from trainer.cli import Settings
from trainer.commands.options import new_seed, table_for, table_options
from trainer.procedure.verdicts import spell
from trainer.reports.text import say, show_table
from trainer.rounds.deal import CARD_VERBS, Live
from trainer.rounds.debrief import spell_debrief
from trainer.rounds.play import Entry, Session, machine_of
from trainer.rounds.recorder import Recorder, session_path, stamp
from trainer.rounds.script import Script, read_script
from trainer.table import CannotHappen

WORDS = {
    "hint": "say one act that is right now",
    "why": "explain the last verdict in full",
    "legal": "list every act that is right now",
    "felt": "show the table again",
    "help": "list the verbs, or explain one: help pay",
    "quit": "end the session with a debrief",
}


class Prompt:
    """A session at the plain prompt: reads lines, judges them, records each committed act before the next prompt."""

    def __init__(self, live: Live, coached: bool, rounds: int, out: Callable[[str], None]) -> None:
        self.live, self.coached, self.rounds, self.out = live, coached, rounds, out
        self.last: Entry | None = None
        self.started = time.monotonic()

    @property
    def now(self) -> float:
        return round(time.monotonic() - self.started, 2)

    def open(self) -> None:
        """Greet, and show the table."""
        session = self.live.session
        self.out(f"{session.house.title}: you are the dealer. Type 'help' for the verbs, 'hint' when stuck.")
        mode = "coached: a wrong act is blocked and explained" if self.coached else "assessed: judged at the end"
        self.out(f"seed {session.script.seed}, {mode}")
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
        handler = getattr(self, f"_{word}", None) if word in WORDS else None
        if handler:
            handler(text)
            return True
        self._act(text)
        return not self._is_done()

    def _is_done(self) -> bool:
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
        self.out(f"hint: {ways[0]}" if ways else "hint: wait for a player")

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
@click.argument("house")
@table_options
@click.option("--assessed", is_flag=True, help="A wrong act takes effect; verdicts come at the end.")
@click.option("--plain", is_flag=True, help="The plain prompt; taken by itself where there is no terminal.")
@click.option("--display", type=click.Choice(["learn", "guided", "practice", "exam"]), default="guided",
              show_default=True, help="What the table on the screen shows.")  # fmt: skip
@click.option("--drill", "theme", default="everything", help="A theme or rule to drill (see the start page).")
@click.option("--look", default="default", help="Colours of the table: default, high-contrast, mono.")
@click.option("--record", type=click.Path(path_type=Path, dir_okay=False), help="File of the session.")
@click.option("--resume", type=click.Path(path_type=Path, dir_okay=False, exists=True), help="Go on with a session.")
@click.option("--trainee", default="", help="Name written into the session.")
@click.pass_obj
def deal(settings: Settings, house: str, seed: str, spots: int, rounds: int, games: tuple[str, ...],
         variations: tuple[str, ...], places: int | None, difficulty: str, assessed: bool, plain: bool,
         display: str, theme: str, look: str, record: Path | None, resume: Path | None, trainee: str) -> None:  # fmt: skip
    """Deal rounds as the dealer of HOUSE; every act is checked at once and the session is written line by line."""
    procedures = settings.procedures
    own = procedures.house(house)
    seed = seed or new_seed()
    options = table_for(own, games, variations, places, spots)
    clock = datetime.now(UTC).isoformat(timespec="seconds")
    procedure, version = stamp(own)
    mode = "assessed" if assessed or display == "exam" else "coached"
    script = Script(house, options=options, seed=seed, mode=mode, display=display, theme=theme, difficulty=difficulty,
                    procedure=procedure, version=version, clock=clock, trainee=trainee)  # fmt: skip
    resumed = read_script(resume, procedures) if resume else None
    if resumed:
        script = resumed
    if not plain and sys.stdin.isatty() and sys.stdout.isatty():
        from trainer.commands.table import open_table

        sys.exit(open_table(settings, script, spots=spots, rounds=rounds, look=look, record=record or resume))
    path = record or resume or session_path(house, clock)
    sys.exit(_plain(settings, script, spots, rounds, path, bool(resume)))


def _plain(settings: Settings, script: Script, spots: int, rounds: int, path: Path, resume: bool) -> int:
    lines = script.lines
    script = replace(script, lines=())
    live = Live(machine_of(settings.procedures, script.house), script, tuple(range(1, spots + 1)), script.difficulty)
    with Recorder(path, script, resume=resume) as recorder:
        live.resume(lines)
        live.emit = recorder.note
        prompt = Prompt(live, script.mode == "coached", rounds, click.echo)
        prompt.open()
        at_keyboard = sys.stdin.isatty()
        for text in _lines(at_keyboard):
            if not at_keyboard and text.strip():
                click.echo(f"dealer> {text.strip()}")
            if not prompt.line(text):
                break
    session = live.session.finish()
    click.echo("")
    for line in _closing(session, script):
        click.echo(line)
    click.echo(f"session written to {path}")
    return 0


def _closing(session: Session, script: Script) -> list[str]:
    lines: list[str] = []
    if script.mode == "assessed":
        for entry in session.findings:
            lines += [f"act {entry.number}:", *spell(session.house, entry.verdict, full=True)]
    return lines + spell_debrief(session)
