"""The shape of procedure files as their authors write them; every problem gets its file, line and column."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from trainer.chips import Odds, cents
from trainer.procedure.model import Policy, Weight
from trainer.structure import YesNo


def _money(text: str) -> int:
    try:
        return cents(text)
    except ValueError:
        raise ValueError('write dollars with two decimals, such as "5.00"') from None


def _odds(text: str) -> str:
    try:
        return str(Odds.read(text))
    except ValueError:
        raise ValueError('write odds such as "3:2"') from None


def _chips(text: str) -> int:
    amount = _money(text)
    if not amount:
        raise ValueError('write more than nothing, such as "5.00"')
    return amount


Money = Annotated[str, AfterValidator(_money)]
Chips = Annotated[str, AfterValidator(_chips)]
"""Money that somebody can put down: a chip, the least or the most that is wagered."""
OddsText = Annotated[str, AfterValidator(_odds)]


class Shape(BaseModel):
    """Base of all shapes: unknown keys are refused."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True, frozen=True)


class RuleShape(Shape):
    text: str
    why: str
    weight: Weight
    question: str
    wager: YesNo = False


class SettingShape(Shape):
    means: str
    choices: list[str] = []
    odds: YesNo = False
    hands: YesNo = False
    totals: YesNo = False
    optional: YesNo = False


class StepShape(Shape):
    do: str
    says: str
    sources: list[str] = Field(alias="from")
    to: list[str]
    facts: list[str] = Field(default=[], alias="for")
    needs: dict[str, str] = {}
    when: dict[str, str] = {}
    also: list[str] = []
    reserve: str = ""
    rule: str = ""


class DutyShape(Shape):
    due: str
    blocks: list[str]
    rule: str
    says: str
    topic: str = ""


class FreeMoveShape(Shape):
    source: str = Field(alias="from")
    to: str
    needs: dict[str, str] = {}


class GameShape(Shape):
    game: Literal["blackjack"]
    title: str
    states: dict[str, str]
    settings: dict[str, SettingShape]
    parts: dict[str, str] = {}
    rules: dict[str, RuleShape]
    events: dict[str, StepShape]
    steps: dict[str, StepShape]
    duties: dict[str, DutyShape]
    free_moves: list[FreeMoveShape] = Field(alias="free-moves")


class EvidenceShape(Shape):
    cites: list[str] = []
    because: str = ""
    default: str = ""


class ChosenShape(EvidenceShape):
    is_: str = Field(alias="is")


class HouseShape(Shape):
    house: str
    title: str
    plays: Literal["blackjack"]
    version: str
    effective: str
    approver: str
    document: str
    chips: list[Chips]
    decks: int = Field(ge=1, le=12)
    places: int = Field(ge=1, le=9)
    minimum: Chips
    maximum: Chips
    words: dict[str, str] = {}
    games: list[str] = []
    settings: dict[str, ChosenShape]
    evidence: dict[str, EvidenceShape] = {}


class StatementShape(Shape):
    where: str
    gist: str
    kind: str
    actor: Literal["dealer", "player", "house"]
    binding: Literal["must", "must-not", "may", "no"]
    timing: str = ""
    amount: str = ""
    notes: str = ""
    steers: Literal["nothing", ""] = ""
    reason: str = ""


class StatementsShape(Shape):
    statements: dict[str, StatementShape]


class DefaultShape(Shape):
    what: str
    houses: list[str]
    gap: str
    reading: str
    reason: str
    policy: Policy
    shown: YesNo = False


class DefaultsShape(Shape):
    defaults: dict[str, DefaultShape]


class PayShape(Shape):
    odds: OddsText
    cites: list[str] = []


class SideWagerShape(Shape):
    family: str
    settles: str
    losers_first: YesNo = Field(default=False, alias="losers-first")
    least: Money = Field(default="0.00", validate_default=True)
    most: Money = Field(default="0.00", validate_default=True)
    at_most_main: YesNo = Field(default=False, alias="at-most-main")
    group: str = ""
    pays: dict[str, PayShape]
    rules: dict[str, str] = {}


class SideGameShape(Shape):
    game: str
    title: str
    says: str
    wagers: dict[str, SideWagerShape]


class AnswerShape(Shape):
    answer: str
    memo: str
    approver: str
    date: str
    settings: dict[str, str] = {}
    holds: YesNo = True


class AnswersShape(Shape):
    answers: dict[str, AnswerShape]
