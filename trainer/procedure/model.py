"""The vocabulary of a procedure: rules with evidence, settings, guard uses, steps, duties, free moves, a house."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from trainer.chips import Odds
from trainer.files import Place

if TYPE_CHECKING:
    from trainer.procedure.moment import Moment

Guard = Callable[["Moment"], "str | None"]
Fact = Callable[["Moment"], bool]


class Policy(StrEnum):
    """What the machine does with a default of ours."""

    OPEN = "open"
    ADVICE = "advice"
    FIXED = "fixed"
    NOT_JUDGED = "not judged"
    INFERRED = "inferred"


class Bearing(StrEnum):
    """How a guard use bears on an act in a house: only documented or inferred evidence refuses."""

    REFUSES = "refuses"
    COMMENTS = "comments"
    SILENT = "silent"


class Ruling(StrEnum):
    """Why an act is not right, in the order in which it is decided."""

    REPEATED = "repeated"
    NOT_HERE = "not in this house"
    OMITTED = "omitted"
    WRONG_TIME = "wrong time"
    WRONG_DETAIL = "wrong detail"
    RIGHT = "right"


class Weight(StrEnum):
    """How much a kept or broken rule matters."""

    MINOR = "minor"
    MAJOR = "major"
    CRITICAL = "critical"


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement of a house's document in our words, with the place where the document says it."""

    id: str
    where: str
    gist: str
    kind: str
    binding: str
    actor: str = ""
    steers_nothing: str = ""
    reason: str = ""
    timing: str = ""
    amount: str = ""
    notes: str = ""

    @property
    def details(self) -> list[tuple[str, str]]:
        """What the document adds on when and how much, and what we noted of it, each with its name."""
        given = (("when", self.timing), ("how much", self.amount), ("note", self.notes))
        return [(name, text) for name, text in given if text]


@dataclass(frozen=True, slots=True)
class Default:
    """A reading of ours where documents are silent or contradict themselves; it can never fail anyone."""

    id: str
    what: str
    houses: tuple[str, ...]
    gap: str
    reading: str
    reason: str
    policy: Policy
    shown: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """What the owner of a house decided on an open question; ``holds`` when it confirms our reading."""

    default: str
    answer: str
    memo: str
    approver: str
    date: str
    settings: Mapping[str, str] = field(default_factory=dict)
    holds: bool = True

    def __str__(self) -> str:
        return f"{self.memo}, {self.approver}, {self.date}: {self.answer}"


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a house gives for a rule or setting: statements (with ``because`` when they only imply it), or a default."""

    cites: tuple[str, ...] = ()
    because: str = ""
    default: str = ""
    memo: str = ""

    @property
    def is_documented(self) -> bool:
        return bool(self.cites or self.memo)

    @property
    def basis(self) -> str:
        if self.memo:
            return "answered by the house"
        if self.cites:
            return "inferred" if self.because else "documented"
        return "default" if self.default else "silent"


@dataclass(frozen=True, slots=True)
class Rule:
    """A duty of the dealer: what to do, why it exists, how much it weighs, how a checklist asks for it."""

    slug: str
    text: str
    why: str
    weight: Weight
    question: str
    place: Place
    part: str = ""


@dataclass(frozen=True, slots=True)
class Setting:
    """A rule with a choice; ``value`` is the house's."""

    slug: str
    value: str
    evidence: Evidence
    means: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class GuardUse:
    """A named guard as a step uses it, with the rule it serves and its evidence in this house."""

    guard: Guard
    name: str
    rule: Rule | None
    evidence: Evidence
    bearing: Bearing
    ruling: Ruling
    wager_rule: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """One row of the machine (TR-..): an act, the states it belongs to, what it needs."""

    id: str
    motion: str
    sources: tuple[str, ...]
    targets: tuple[str, ...]
    facts: tuple[Fact, ...]
    fact_names: tuple[str, ...]
    uses: tuple[GuardUse, ...]
    says: str
    when: Mapping[str, str] = field(default_factory=dict)
    selected: bool = True
    selected_by: str = ""
    also: tuple[str, ...] = ()
    rule: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Duty:
    """Something due that blocks other acts until it is done."""

    id: str
    due: Callable[[Moment], list[tuple[int, int]]]
    blocks: tuple[Callable[[Moment, tuple[int, int]], bool], ...]
    block_names: tuple[str, ...]
    due_name: str
    rule: Rule
    evidence: Evidence
    bearing: Bearing
    topic: str
    says: str
    instead: str = ""
    verbs: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, eq=False)
class FreeMove:
    """A move from state to state without an act, made on the way to an act that belongs to a later state."""

    source: str
    target: str
    uses: tuple[GuardUse, ...]


@dataclass(frozen=True, slots=True)
class SideWager:
    """A wager a house brings itself: where it is settled, its limits, its prices by named outcome."""

    kind: str
    game: str
    family: str
    settles: str
    losers_first: bool
    least: int
    most: int
    at_most_main: bool
    pays: tuple[tuple[str, Odds], ...]
    rules: Mapping[str, str]
    group: str
    cites: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    title: str = ""
    says: str = ""


@dataclass(slots=True, eq=False)
class House:
    """A house: its choices with evidence, its statements, and its copy of the machine's rows with evidence attached."""

    slug: str
    title: str
    version: str
    effective: str
    approver: str
    document: str
    settings: dict[str, Setting]
    evidence: dict[str, Evidence]
    rules: dict[str, Rule]
    statements: dict[str, Statement]
    defaults: dict[str, Default]
    words: dict[str, str]
    chips: tuple[int, ...]
    decks: int
    places: int
    minimum: int
    maximum: int
    games: dict[str, dict[str, SideWager]]
    steps: list[Step]
    duties: list[Duty]
    free_moves: list[FreeMove]
    states: dict[str, str]
    fingerprint: str
    kinds: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    answers: dict[str, Answer] = field(default_factory=dict)

    def is_(self, slug: str) -> str:
        """Return the value of a setting."""
        return self.settings[slug].value
