"""A script dealt through a house's machine: entries with verdicts, money effects, results, unmet expectations."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cache

from trainer.actions import Act, Role
from trainer.chips import dollars
from trainer.files import Place, Problem
from trainer.procedure.load import Procedures
from trainer.procedure.machine import HouseMachine
from trainer.procedure.model import House, Rule
from trainer.procedure.moment import Position
from trainer.procedure.settle import WAIT, stack_due
from trainer.procedure.verdicts import Severity, Unmet, Verdict
from trainer.rounds.script import Line, Script
from trainer.table import MAIN_KINDS, CannotHappen, Hand, Spot, Stack, Table, side_or_hand


@cache
def machine_of(procedures: Procedures, slug: str) -> HouseMachine:
    """Return the one machine of a house."""
    return HouseMachine(procedures.house(slug))


@dataclass(slots=True, eq=False)
class Entry:
    """One act of a session, judged. ``money`` in cents, seen from the house; None when the finding moved none."""

    number: int
    act: Act
    verdict: Verdict
    at: float | None = None
    blocked: bool = False
    place: Place | None = None
    money: int | None = None
    round: int = 1
    line: Line | None = None
    touched: list[tuple[Spot, Hand, Stack]] = field(default_factory=list)

    @property
    def is_finding(self) -> bool:
        return self.act.role is Role.DEALER and not self.verdict.is_right

    @property
    def is_fault(self) -> bool:
        return self.act.role is Role.DEALER and self.verdict.severity is Severity.FAULT


class Session:
    """A table being dealt: acts go in one by one, each is judged; nothing committed is taken back."""

    def __init__(self, machine: HouseMachine, script: Script) -> None:
        self.machine, self.script = machine, script
        self.house: House = machine.house
        table = Table(places=script.options.places, players=dict(script.players))
        self.position = Position(machine.house, table, options=script.options)
        self.entries: list[Entry] = []
        self.problems: list[Problem] = []
        self.nets: list[dict[str, int]] = []
        self._open: list[Entry] = []

    @property
    def table(self) -> Table:
        return self.position.table

    def judge(self, act: Act) -> Verdict:
        """Judge an act at the present position without doing it."""
        return self.machine.judge(self.position, act)

    def do(self, act: Act, *, at: float | None = None, blocked: bool = False, line: Line | None = None) -> Entry:
        """Judge an act and carry it out, or, ``blocked``, only note it.

        Raises:
            CannotHappen: no table could see this act; nothing is noted.
        """
        verdict = self.machine.judge(self.position, act)
        entry = Entry(
            len(self.entries) + 1, act, verdict, at, blocked, line.place if line else None, None, self.table.round, line
        )
        if not blocked:
            if act.verb == "start":
                self._close_round()
            entry.touched = self._touched(entry)
            self.machine.apply(self.position, act, verdict)
            if entry.is_finding:
                entry.touched = entry.touched or self._touched(entry) or self._unfounded(act)
                self._open.append(entry)
        self.entries.append(entry)
        return entry

    def _touched(self, entry: Entry) -> list[tuple[Spot, Hand, Stack]]:
        """The stacks a finding moves or lets lie: its own, and those of the wagers it accepts."""
        if not entry.is_finding:
            return []
        act, table = entry.act, self.table
        found: list[tuple[Spot, Hand, Stack]] = []
        if act.verb in ("pay", "take", "return", "push"):
            spot, hand = table.spot(act.spot), table.hand(act)
            stacks = side_or_hand(table, act) if act.verb != "push" else hand.on_hand
            found += [(spot, hand, stack) for stack in stacks]
        for one in entry.verdict.unmet:
            if one.concerns:
                number, _, kind = one.concerns.partition(" ")
                owner = table.spots.get(int(number))
                stack = owner.side.get(kind) if owner else None
                if owner and stack:
                    found.append((owner, owner.hands[0], stack))
        return found

    def _unfounded(self, act: Act) -> list[tuple[Spot, Hand, Stack]]:
        """The chips an act moves where no wager lies: all that moved there moved wrongly."""
        if act.verb not in ("pay", "take", "return") or act.kind in ("", *MAIN_KINDS):
            return []
        hand = self.table.hand(act)
        return [(self.table.spot(act.spot), hand, stack) for kind, stack in hand.stacks.items() if kind == "nothing"]

    def _close_round(self) -> None:
        """Reckon what the findings of the round moved, and keep its results."""
        last: dict[int, tuple[Entry, Spot, Hand, Stack]] = {}
        for entry in self._open:
            for spot, hand, stack in entry.touched:
                last[id(stack)] = (entry, spot, hand, stack)
        for entry, spot, hand, stack in last.values():
            effect = self._effect(spot, hand, stack)
            if effect is not None:
                entry.money = (entry.money or 0) + effect
        self._open = []
        self.nets.append(self.table.net())

    def _effect(self, spot: Spot, hand: Hand, stack: Stack) -> int | None:
        if not stack.settled and not stack.net:
            return None
        if stack.kind == "nothing":
            return -stack.net or None
        if hand.surrendered and self.house.is_("surrender") == "no":
            # Nobody can tell what the hand would have come to had it been played.
            return None
        due = stack_due(self.position, spot, hand, stack, hidden=True)
        if due.do == WAIT:
            return None
        return (due.net - stack.net) or None

    def finish(self) -> Session:
        """Close the books at the end of the record."""
        self._close_round()
        return self

    # -- what came out --------------------------------------------------------------------------------------------

    @property
    def judged(self) -> list[Entry]:
        return [entry for entry in self.entries if entry.act.role is Role.DEALER]

    @property
    def findings(self) -> list[Entry]:
        return [entry for entry in self.entries if entry.is_finding]

    @property
    def faults(self) -> list[Entry]:
        return [entry for entry in self.entries if entry.is_fault]

    @property
    def accuracy(self) -> float:
        """Return 1 - faulted / judged dealer acts; 1 when none was judged. Advice never lowers it."""
        judged = self.judged
        return 1 - len(self.faults) / len(judged) if judged else 1.0

    @property
    def money(self) -> int | None:
        """Cents the findings moved in all, seen from the house; None when they moved none."""
        moved = [entry.money for entry in self.entries if entry.money is not None]
        return sum(moved) if moved else None

    @property
    def net(self) -> dict[str, int]:
        """Each hand's result in cents over all rounds."""
        out: dict[str, int] = {}
        for one in self.nets:
            for name, amount in one.items():
                out[name] = out.get(name, 0) + amount
        return out


def replay(script: Script, machine: HouseMachine, session: Session | None = None) -> Session:
    """Deal a whole script (into ``session``); an act that cannot happen ends it with a problem that names its place."""
    session = session or Session(machine, script)
    for line in script.lines:
        act = line.act
        if act.card is not None and not act.card.is_known and act.verb != "deal hole":
            session.problems.append(Problem(line.place, "card", str(act), "the card has to be known"))
            break
        if _hangs_on_an_unknown_card(session, act):
            session.problems.append(
                Problem(line.place, "line", str(act), "the hole card is unknown; from here on nothing can be judged")
            )
            break
        try:
            session.do(act, at=line.at, blocked=line.blocked, line=line)
        except CannotHappen as why:
            session.problems.append(Problem(line.place, "line", str(act), str(why)))
            break
    return session.finish()


def _hangs_on_an_unknown_card(session: Session, act: Act) -> bool:
    dealer = session.table.dealer
    if not dealer.has_hole or dealer.cards[dealer.hole].is_known:
        return False
    return act.verb in ("turn hole", "peek") and (act.card is None or not act.card.is_known)


def unmet_expectations(session: Session) -> list[Problem]:
    """Compare a session with what its script expects of each line, of the results and of the money."""
    out: list[Problem] = []
    for entry in session.entries:
        line = entry.line
        if line is not None and entry.act.role is Role.DEALER:
            out.extend(_line_problems(entry, line))
    place = Place(session.script.path, 1, 1)
    net = session.net
    for name, amount in session.script.net:
        if net.get(name, 0) != amount:
            out.append(Problem(place, f"net of {name}", dollars(net.get(name, 0)), f"expected is {dollars(amount)}"))
    if session.script.money is not None and (session.money or 0) != session.script.money:
        out.append(Problem(place, "money", dollars(session.money or 0), f"expected is {dollars(session.script.money)}"))
    return out


def _line_problems(entry: Entry, line: Line) -> list[Problem]:
    verdict, out = entry.verdict, []
    severity = "fault" if line.cites else "advice" if line.default else ""
    wanted = line.expect or severity or ("fault" if line.expects else "right")
    if wanted == "open":
        wanted = "right"
    said = f"{verdict.severity.value}, {verdict.ruling.value}" if not verdict.is_right else "right"
    if wanted not in {verdict.severity.value, *(one.ruling.value for one in verdict.unmet)} and wanted != said:
        out.append(Problem(line.place, "verdict", said, f"expected is {wanted}"))
    elif severity and verdict.severity.value != severity and wanted not in tuple(Severity):
        out.append(Problem(line.place, "verdict", said, f"expected is {severity}, {wanted}"))
    if line.rule and line.rule not in {one.rule.slug for one in verdict.unmet}:
        rules = ", ".join(one.rule.slug for one in verdict.unmet) or "none"
        out.append(Problem(line.place, "rule", rules, f"expected is {line.rule}"))
    missing = [cited for cited in line.cites if cited not in verdict.cites]
    if missing:
        cited = ", ".join(verdict.cites) or "none"
        out.append(Problem(line.place, "statements", cited, f"expected is {', '.join(missing)}"))
    if line.default and not any(one.startswith(line.default) for one in verdict.defaults):
        out.append(Problem(line.place, "default", ", ".join(verdict.defaults) or "none", f"expected is {line.default}"))
    if line.money is not None and (entry.money or 0) != line.money:
        out.append(Problem(line.place, "money", dollars(entry.money or 0), f"expected is {dollars(line.money)}"))
    return out


# -- a record dealt in one house, judged in another ---------------------------------------------------------------

CEREMONY = frozenset(
    {
        "early-blackjack-called", "early-blackjack-called-before-play", "early-blackjack-called-before-other-hands",
        "early-blackjack-called-before-third-card", "late-blackjack-called", "bust-wager-blackjack-called",
        "insurance-called", "insurance-called-before-look", "choices-before-look", "look-before-play",
        "look-under-ace", "look-under-ten", "even-money-offered", "ask-each-player", "totals-called",
        "later-totals-called", "surrender-at-the-call", "hand-signals", "act-in-its-place",
    }
)  # fmt: skip


@dataclass(slots=True, eq=False)
class Group:
    """Findings told as one: every entry that breaks a rule of ceremony, or the single entry of another rule."""

    unmet: Unmet
    entries: list[Entry]

    @property
    def rule(self) -> Rule:
        return self.unmet.rule

    @property
    def severity(self) -> Severity:
        return self.unmet.severity


def across(script: Script, machine: HouseMachine) -> Session:
    """Deal a record as if another house had been played: what its own house expects of it is left out.

    Read the script under its own house first, so that wagers only that house knows can be read.
    """
    house = machine.house
    lines = tuple(replace(line, expect="", rule="", cites=(), default="", money=None) for line in script.lines)
    games = frozenset(game for game in script.options.games if game in house.games)
    options = replace(script.options, games=games)
    return replay(replace(script, house=house.slug, lines=lines, options=options, net=(), money=None), machine)


def grouped_findings(session: Session) -> list[Group]:
    """Return the findings in order, each rule of ceremony once with every entry that breaks it.

    Calls, questions, signs and looks belong to a house; a record dealt elsewhere breaks such a rule on nearly every
    line. A look that the house's document forbids stays a finding of its own.
    """
    groups: dict[tuple[str, Severity, int], Group] = {}
    for entry in session.findings:
        for one in entry.verdict.unmet:
            ceremony = one.rule.slug in CEREMONY and not (
                one.rule.slug.startswith("look-under") and one.severity is Severity.FAULT
            )
            key = (one.rule.slug, one.severity, 0 if ceremony else entry.number)
            group = groups.setdefault(key, Group(one, []))
            if not group.entries or group.entries[-1] is not entry:
                group.entries.append(entry)
    return list(groups.values())
