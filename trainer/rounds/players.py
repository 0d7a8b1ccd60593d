"""Simulated players: wagers, insurance and decisions that follow from the seed and the position alone.

Nothing is remembered between acts, so a broken-off session goes on as if it had not been broken off.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from trainer.actions import Act
from trainer.chips import most_makeable
from trainer.procedure.machine import HouseMachine
from trainer.procedure.moment import Moment, Position, unfinished
from trainer.table import CannotHappen, Hand, Spot

DIFFICULTIES = ("plain", "difficult")


@dataclass(frozen=True, slots=True)
class Players:
    """The players of a table: which spots they hold, and how awkward they are."""

    machine: HouseMachine
    seed: str
    spots: tuple[int, ...]
    difficulty: str = "plain"

    def _dice(self, position: Position, count: int) -> random.Random:
        return random.Random(f"players {self.seed} {position.table.round} {count}")

    def wagers(self, position: Position, count: int = 0) -> list[Act]:
        """Return the wagers of a new round."""
        dice = self._dice(position, count)
        options, out = position.options, []
        step = max(min(options.chips), 500 if options.minimum >= 500 else 100)
        multiple = self._multiples(position)
        for number in self.spots:
            least = options.minimum * multiple.get(number, 1)
            amount = min(options.maximum, least + step * dice.choice((0, 0, 1, 2, 3, 5, 9)))
            kind = ""
            if "fortune-teller" in options.games and dice.random() < 0.15:
                kind = "bust"
            out.append(Act("wager", number, kind=kind, amount=amount))
            out.extend(self._side_wagers(position, number, amount, kind, dice))
        if self.difficulty == "difficult" and dice.random() < 0.15 and out:
            out[0] = Act("wager", out[0].spot, kind=out[0].kind, amount=out[0].amount, flag="outside")
        return out

    def _multiples(self, position: Position) -> dict[int, int]:
        """The multiple of the minimum each spot carries where several spots of one player have to."""
        if not position.house.evidence.get("two-spots-twice-minimum"):
            return {}
        by_player: dict[str, list[int]] = {}
        for number in self.spots:
            by_player.setdefault(position.table.players.get(number, str(number)), []).append(number)
        return {number: {1: 1, 2: 2}.get(len(mine), 5) for mine in by_player.values() for number in mine}

    def _side_wagers(self, position: Position, number: int, main: int, kind: str, dice: random.Random) -> list[Act]:
        out, groups = [], set()
        for game in sorted(position.options.games & set(position.house.games)):
            for name, wager in position.house.games[game].items():
                if dice.random() >= (0.5 if wager.losers_first else 0.3):
                    continue
                if wager.group and wager.group in groups:
                    continue
                groups.add(wager.group)
                most = min(wager.most or main, main if wager.at_most_main else wager.most or main)
                unit = 100 if 100 in position.options.chips else min(position.options.chips)
                amount = max(wager.least, unit * dice.randint(1, max(1, min(5, most // unit))))
                if amount <= most:
                    out.append(Act("wager", number, kind=name, amount=amount))
        return out

    def answers(self, position: Position, act: Act, count: int) -> list[Act]:
        """Return what the players do after a dealer act; ``count`` is the number of acts committed so far."""
        dice = self._dice(position, count)
        if act.verb in ("call insurance", "call even money", "wait") and self._insurance_is_open(position):
            found = self._insurance(position, act, dice)
            if found:
                return found
        if position.state == "wagers" and act.verb == "refuse" and act.what in ("main", "bust"):
            least = position.options.minimum * self._multiples(position).get(act.spot, 1)
            return [Act("wager", act.spot, amount=least)] if not position.table.spot(act.spot).is_wagered else []
        if position.state in ("wagers", "dealing"):
            return self._late(position, act, dice)
        if act.verb in ("ask", "wait", "call total", "deal", "refuse"):
            return self._decide(position, act, dice)
        return []

    def _late(self, position: Position, act: Act, dice: random.Random) -> list[Act]:
        if (
            self.difficulty == "difficult"
            and position.state == "dealing"
            and act.verb == "deal"
            and dice.random() < 0.05
        ):
            return [Act("wager", act.spot, amount=position.options.minimum)] if act.spot in self.spots else []
        return []

    def _insurance_is_open(self, position: Position) -> bool:
        ledger = position.table.ledger
        moment = Moment(position, Act("wait"))
        return moment.up_is_ace and moment.deal_complete and not ledger.insurance_closed and not moment.hole_known

    def _insurance(self, position: Position, act: Act, dice: random.Random) -> list[Act]:
        out = []
        for spot in position.table.wagered:
            if spot.answer or (act.verb == "call even money" and spot.number != act.spot):
                continue
            hand = spot.hands[0]
            offers_even = position.house.is_("even-money") == "under an ace" and not hand.is_bust_wager
            if hand.is_blackjack and offers_even and act.verb != "call even money" and not spot.asked_even_money:
                continue
            if hand.is_blackjack and offers_even and dice.random() < 0.6:
                out.append(Act("even money", spot.number))
                continue
            most = most_makeable(spot.original // 2, position.options.chips)
            roll = dice.random()
            if self.difficulty == "difficult" and roll < 0.2:
                out.append(Act("insure", spot.number, amount=spot.original))
            elif most and roll < 0.5:
                out.append(Act("insure", spot.number, amount=most))
            else:
                out.append(Act("decline", spot.number))
        return out

    def _decide(self, position: Position, act: Act, dice: random.Random) -> list[Act]:
        if position.state in ("opening", "peeked none") and act.verb == "deal":
            return []
        left = unfinished(position.house, position.table)
        left = [one for one in left if not one[2].is_bust_wager]
        if act.verb == "wait" and left and len(left[0][2].cards) < 2:
            return []
        left = [one for one in left if len(one[2].cards) >= 2]
        if not left or position.table.ledger.request:
            return []
        if act.verb in ("ask", "call total", "deal", "refuse"):
            mine = [one for one in left if (one[0].number, one[1]) == (act.spot, max(act.hand, 1))]
            if act.verb == "call total" and act.hand == 0 and not mine:
                return []
            left = mine
        if not left:
            return []
        spot, index, hand = left[0]
        totals = position.house.is_("announce-totals") == "yes"
        if act.verb in ("ask", "deal") and totals and not hand.total_called:
            return []
        if act.verb == "call total" and not hand.asked:
            return []
        if act.verb == "deal" and not hand.asked:
            return []
        return [self.decision(position, spot, index, hand, dice)]

    def decision(self, position: Position, spot: Spot, index: int, hand: Hand, dice: random.Random) -> Act:
        """Return what a hand's player does; awkward players sometimes ask for what is out of order."""
        place = (spot.number, index if spot.is_split else 0)
        stake = next((s.staked for kind, s in hand.stacks.items() if kind in ("main", "split", "bust")), 0)
        if self.difficulty == "difficult" and dice.random() < 0.25:
            return self._awkward(position, place, hand, stake, dice)
        wishes: list[Act] = []
        two = len(hand.cards) == 2
        if two and hand.cards[0].value == hand.cards[1].value and dice.random() < 0.6:
            wishes.append(Act("split", *place, amount=spot.original))
        if two and index == 1 and 14 <= hand.total <= 16 and dice.random() < 0.4:
            wishes.append(Act("surrender", spot.number))
        if two and 9 <= hand.total <= 11 and dice.random() < 0.7:
            less = position.house.is_("double-amount") == "up to the wager" and dice.random() < 0.3
            amount = (
                max(min(position.options.chips), most_makeable(stake // 2, position.options.chips)) if less else stake
            )
            wishes.append(Act("double", *place, amount=amount))
        wishes.append(Act("signal", *place, what="hit" if self._hits(position, hand, dice) else "stand"))
        for wish in wishes:
            if self._in_order(position, wish):
                return wish
        return wishes[-1]

    def _hits(self, position: Position, hand: Hand, dice: random.Random) -> bool:
        up = position.table.dealer.up
        high = up is None or up.value >= 7
        points = hand.total
        if hand.is_soft:
            return points <= 17
        if dice.random() < 0.1:
            return points <= 15
        return points <= (16 if high else 12)

    def _in_order(self, position: Position, act: Act) -> bool:
        try:
            return not self.machine.judge(position, act).unmet
        except CannotHappen:
            return False

    def _awkward(self, position: Position, place: tuple[int, int], hand: Hand, stake: int, dice: random.Random) -> Act:
        choice = dice.randrange(5)
        if choice == 0:
            return Act("touch", place[0])
        if choice == 1:
            return Act("signal", *place, what="stand", flag="by word")
        if choice == 2 and "double" not in hand.stacks:
            return Act("double", *place, amount=stake * 2)
        if choice == 3 and len(hand.cards) == 2:
            return Act("split", *place, amount=position.table.spot(place[0]).original)
        return Act("signal", *place, what="hit", flag="by word")
