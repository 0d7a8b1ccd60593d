"""Random finished rounds: rich shoes, odd wagers, players who do anything that is in order, any lawful dealer."""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace

from trainer.actions import Act, Role
from trainer.cards import DECK, Card, Shoe
from trainer.chips import most_makeable
from trainer.procedure.machine import HouseMachine
from trainer.procedure.moment import Moment, Position, TableOptions, unfinished
from trainer.procedure.verdicts import Verdict
from trainer.procedure.ways import dealer_ways
from trainer.rounds.script import options_for
from trainer.table import CannotHappen, Hand, Table

CARD_VERBS = ("deal", "deal up", "deal hole", "draw")
IDLE = ("wait", "call floor", "gesture tap", "call total", "call total dealer", "refuse", "warn")
TENS_AND_ACES = [one for one in DECK.values() if one.is_ten or one.is_ace]


@dataclass
class WildRound:
    """A round being dealt by chance; ``acts`` keeps every line."""

    machine: HouseMachine
    dice: random.Random
    in_order: bool = True
    acts: list[Act] = field(default_factory=list)
    players: dict[int, str] = field(default_factory=dict)
    options: TableOptions = field(default_factory=TableOptions)
    unit: int = 50
    last: Verdict | None = None

    def __post_init__(self) -> None:
        house, dice = self.machine.house, self.dice
        self.options = replace(options_for(house), places=dice.choice((6, 7)))
        if house.games and dice.random() < 0.9:
            self.options = replace(self.options, games=frozenset(house.games))
        self.spots = sorted(dice.sample(range(1, 7), dice.choice((1, 1, 2, 2, 3))))
        if len(self.spots) == 2 and dice.random() < 0.6:
            self.players = dict.fromkeys(self.spots, "Ann")
        self.position = Position(house, Table(self.options.places, players=dict(self.players)), options=self.options)
        self.shoe = Shoe(6, dice.random().hex(), self._rich())

    def _rich(self) -> list[Card]:
        """The first cards: more aces and tens, and more equal ranks, than chance would bring."""
        dice, deck = self.dice, list(DECK.values())
        first = [dice.choice(TENS_AND_ACES if dice.random() < 0.55 else deck) for _ in range(10)]
        if dice.random() < 0.5:
            first = [one if dice.random() < 0.5 else DECK[first[0].rank + dice.choice("shdc")] for one in first]
        out: list[Card] = []
        for one in first:
            if out.count(one) < 6:
                out.append(one)
        return out

    def happen(self, act: Act) -> None:
        """Carry an act out and keep it."""
        verdict = self.machine.apply(self.position, act)
        assert act.role is Role.PLAYER or verdict.is_right, (act, verdict.unmet)
        self.acts.append(act)

    def play(self) -> WildRound:
        """Deal the round to its end."""
        self._wagers()
        for _ in range(400):
            if self.position.state == "over":
                return self
            self._step()
        raise AssertionError(f"the round does not end: {self.position.state}: {[str(act) for act in self.acts[-20:]]}")

    def _wagers(self) -> None:
        dice, unit = self.dice, self.unit
        for number in self.spots:
            amount = 2500 + unit * dice.randrange(3000 // unit)
            kind = "bust" if self.options.games and dice.random() < 0.15 else ""
            self.happen(Act("wager", number, kind=kind, amount=amount))
            if self.options.games:
                for name in ("pairs", dice.choice(["number 17", "number 18", "number 19", "number 20", "number 21"]),
                             "tie", "blackjack"):  # fmt: skip
                    if dice.random() < 0.6:
                        self.happen(Act("wager", number, kind=name, amount=100 + unit * dice.randrange(2000 // unit)))

    def _step(self) -> None:
        for event in self._events():
            self.happen(event)
        act = self._choose()
        verdict = self.last
        if act.verb in CARD_VERBS:
            act = act.with_card(self.next_card(act))
            verdict = self.machine.judge(self.position, act, instead=False)
        assert verdict is not None
        assert verdict.is_right, f"{act} was right without its card: {verdict.unmet}"
        self.machine.apply(self.position, act, verdict)
        self.acts.append(act)

    def next_card(self, act: Act) -> Card:
        """The card for a dealing act."""
        return self.shoe.take()

    def named(self, hand: Hand) -> tuple[object, ...]:
        """What tells a hand from all others, in whatever order the round is dealt."""
        return ()

    def luck(self, *key: object) -> random.Random:
        """The dice for what a player does."""
        return self.dice

    def _choose(self) -> Act:
        """The house's own way, or any act that is right and moves the round on."""
        ways = dealer_ways(self.position)
        if self.in_order:
            found = next((act for act in ways if act.verb != "wait" and self.is_right(act)), None)
        else:
            moving = [act for act in ways if act.verb not in IDLE]
            moving = [act for act in moving if act.verb != "ask" or not self.position.table.hand(act).asked]
            keyed = sorted((self.dice.random() * (index + 3), index) for index in range(len(moving)))
            found = next((moving[index] for _, index in keyed if self.is_right(moving[index])), None)
            if found is None:
                found = next(
                    (act for act in dealer_ways(self.position) if act.verb != "wait" and self.is_right(act)), None
                )
        assert found, f"nothing is right in {self.position.state}: {[str(act) for act in self.acts]}"
        return found

    def is_right(self, act: Act) -> bool:
        try:
            self.last = self.machine.judge(self.position, act, instead=False)
        except CannotHappen:
            return False
        return self.last.is_right

    # -- the players ---------------------------------------------------------------------------------------------

    def _events(self) -> list[Act]:
        position, ledger = self.position, self.position.table.ledger
        if position.state == "opening" and ledger.insurance_called and not ledger.insurance_closed:
            waiting = [spot for spot in position.table.wagered if not spot.answer]
            if waiting and not Moment(position, Act("wait")).hole_known:
                return [self._answer(spot.number) for spot in waiting]
        if position.state in ("opening", "peeked none", "turn", "bust", "surrender", "split") and not ledger.request:
            for spot, index, hand in unfinished(position.house, position.table):
                if len(hand.cards) < 2 or hand.is_bust_wager:
                    return []
                place = {"spot": spot.number, "hand": index if spot.is_split else 0}
                totals = position.house.is_("announce-totals") == "yes"
                if hand.asked and (hand.total_called or not totals):
                    return [self._decision(place)]
                return []
        return []

    def _answer(self, number: int) -> Act:
        spot = self.position.table.spots[number]
        even, dice = Act("even money", number), self.luck("answer", number)
        if spot.hands[0].is_blackjack and dice.random() < 0.5 and self.is_right(even):
            return even
        most = most_makeable(spot.original // 2, self.options.chips)
        if dice.random() < 0.6:
            return Act("insure", number, amount=most_makeable(dice.randint(100, most), self.options.chips))
        return Act("decline", number)

    def _decision(self, place: dict[str, int]) -> Act:
        position = self.position
        spot = position.table.spots[place["spot"]]
        hand = spot.hands[max(place["hand"], 1) - 1]
        stake, dice = (
            sum(stack.amount for stack in hand.on_hand),
            self.luck("decision", *self.named(hand), len(hand.cards)),
        )
        less = position.house.is_("double-amount") == "up to the wager" and dice.random() < 0.5
        at, index = place["spot"], place["hand"]
        added = stake - self.unit * dice.randrange(stake // self.unit) if less else stake
        wishes = [
            Act("split", at, index, amount=spot.original),
            Act("double", at, index, amount=added),
            Act("surrender", at),
        ]
        wishes = [wish for wish in wishes if dice.random() < 0.6 and self.is_right(wish)]
        hits = hand.total < 12 or (hand.total < 21 and dice.random() < 0.4)
        wishes.append(Act("signal", at, index, what="hit" if hits else "stand"))
        return wishes[0]


FREE = ("pay", "take", "return", "push", "clear", "call blackjack")


class FixedRound(WildRound):
    """A round whose cards and decisions belong to the hands; only what the houses leave open in order is by chance.

    Paying blackjacks (D-13, D-86), insurance (D-26), busts (D-48), settlement (D-54), clearing (D-56) and what comes
    first before play (D-83) are shuffled by ``order``; order 0 is the house's own way.
    """

    def __init__(self, machine: HouseMachine, number: int, order: int) -> None:
        self.seed, self.order = f"{machine.house.slug} fixed {number}", order
        self.shuffled = random.Random(f"{self.seed} {order}")
        self.names: dict[int, tuple[object, ...]] = {}
        super().__init__(machine, random.Random(self.seed), unit=100)

    def luck(self, *key: object) -> random.Random:
        return random.Random(f"{self.seed} {key}")

    def named(self, hand: Hand) -> tuple[object, ...]:
        if id(hand) not in self.names:
            for spot in self.position.table.spots.values():
                for index, one in enumerate(spot.hands):
                    if id(one) not in self.names:
                        parent = self.names[id(spot.hands[index - 1])] if index else (spot.number,)
                        self.names[id(one)] = (*parent, len(spot.hands)) if index else parent
        return self.names[id(hand)]

    def next_card(self, act: Act) -> Card:
        table = self.position.table
        key = (
            (*self.named(table.hand(act)), len(table.hand(act).cards)) if act.spot else ("own", len(table.dealer.cards))
        )
        dice = self.luck("card", *key)
        if dice.random() < 0.3 and key[-1] == 1 and act.spot:
            return DECK[table.hand(act).cards[0].rank + dice.choice("shdc")]
        return dice.choice(TENS_AND_ACES if dice.random() < 0.45 else list(DECK.values()))

    def _choose(self) -> Act:
        if not self.order:
            return super()._choose()
        bound, free = None, []
        for act in dealer_ways(self.position):
            if act.verb in FREE:
                free.append(act)
            elif bound is None and act.verb != "wait" and self.is_right(act):
                bound = act
        free = [act for act in free if self.is_right(act)]
        choices = free + ([bound] if bound else [])
        assert choices, f"nothing is right in {self.position.state}"
        found = self.shuffled.choice(choices)
        assert self.is_right(found)
        return found


def wild_round(machine: HouseMachine, number: int, in_order: bool = True) -> WildRound:
    """Deal the random round of this number, always the same one."""
    return WildRound(machine, random.Random(f"{machine.house.slug} {number} {in_order}"), in_order).play()
