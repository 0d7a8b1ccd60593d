"""A second settlement, plain and slow, written from what the houses state; it knows the cards and nothing else.

It reads the lines of a finished round, builds the hands for itself and says what each player should have won or lost.
``moved`` says what the lines really moved. It never looks at the machine, the felt or the procedure files.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from trainer.cards import Card, card, total

Key = tuple[int, int, str]
"""Spot, hand from 1, and ``hand`` or the kind of a wager beside it."""


@dataclass
class Prices:
    """What a house states of money; a default of ours is named where the document is silent."""

    blackjack: Fraction = Fraction(3, 2)
    even_money: bool = False
    hits_soft_17: bool = False
    split_money_back: bool = False
    double_money_back: bool = False
    surrender: bool = False


HOUSES = {
    # greektown-028, -025; soft 17 by -005 and -018; added money by D-44
    "greektown": Prices(even_money=True),
    # house-h17-012, -018; -021 takes all wagers
    "house-h17": Prices(hits_soft_17=True),
    # D-16, tropicana-003, -048 and -049; double money by D-43
    "tropicana": Prices(split_money_back=True, double_money_back=True),
    # trump-marina-012, -056 and -057, -062 to -067; soft 17 by D-50
    "trump-marina": Prices(split_money_back=True, double_money_back=True, surrender=True),
    # aces-042, -028; added money by D-44
    "aces": Prices(blackjack=Fraction(2)),
}
INSURANCE = 2
BUST = 2
PAIRS = {"perfect": 25, "coloured": 12, "mixed": 6}
NUMBERS = {17: 6, 18: 6, 19: 6, 20: 4, 21: 10}
TIE = 8
SINGLE, DOUBLE, TRIPLE = 12, 100, 1000


@dataclass
class OneHand:
    cards: list[Card] = field(default_factory=list)
    money: dict[str, int] = field(default_factory=dict)
    split: bool = False
    surrendered: bool = False

    @property
    def points(self) -> int:
        return total(self.cards)[0]


@dataclass
class OneSpot:
    player: str
    hands: list[OneHand] = field(default_factory=lambda: [OneHand()])
    beside: dict[str, int] = field(default_factory=dict)
    opening: list[Card] = field(default_factory=list)
    even_money: bool = False

    @property
    def has_blackjack(self) -> bool:
        return is_blackjack(self.opening) and len(self.hands) == 1


@dataclass
class OneRound:
    spots: dict[int, OneSpot] = field(default_factory=dict)
    own: list[Card] = field(default_factory=list)
    up: Card | None = None
    asked_split: int = 0
    moved: dict[Key, int] = field(default_factory=dict)


def is_blackjack(two: list[Card]) -> bool:
    """An ace with a ten or a picture, the queen too (D-17)."""
    return len(two) == 2 and any(one.rank == "A" for one in two) and any(one.rank in "TJQK" for one in two)


def _place(word: str) -> tuple[int, int]:
    return int(word[0]), "abcdefgh".index(word[1]) + 1 if len(word) > 1 else 1


def _money(word: str) -> int:
    whole, part = word.split(".")
    return int(whole) * 100 + int(part)


def read_round(lines: list[str], players: dict[int, str]) -> OneRound:
    """Rebuild hands and wagers from the lines of one round."""
    seen = OneRound()
    for line in lines:
        words = line.split()
        if words[0] == "wager":
            number = int(words[1])
            spot = seen.spots.setdefault(number, OneSpot(players.get(number, f"player {number}")))
            kind = " ".join(words[2:-1]) or "main"
            where = spot.hands[0].money if kind in ("main", "bust") else spot.beside
            where[kind] = where.get(kind, 0) + _money(words[-1])
        elif words[0] in ("insure", "double", "split", "surrender") or line.startswith("even money"):
            _player(seen, words)
        elif words[0] in ("deal", "draw", "separate"):
            _cards(seen, words)
        elif words[0] in ("pay", "take"):
            _moved(seen, words)
    return seen


def _player(seen: OneRound, words: list[str]) -> None:
    number, index = _place(words[2] if words[0] == "even" else words[1])
    spot = seen.spots[number]
    if words[0] == "insure":
        spot.beside["insurance"] = spot.beside.get("insurance", 0) + _money(words[2])
    elif words[0] == "double":
        spot.hands[index - 1].money["double"] = _money(words[2])
    elif words[0] == "split":
        seen.asked_split = _money(words[2])
    elif words[0] == "surrender":
        spot.hands[0].surrendered = True
    else:
        spot.even_money = True


def _cards(seen: OneRound, words: list[str]) -> None:
    if words[0] == "draw" or words[1] in ("up", "hole"):
        one = card(words[-1])
        seen.own.append(one)
        if words[0] == "deal" and words[1] == "up":
            seen.up = one
        return
    number, index = _place(words[1])
    spot = seen.spots[number]
    hand = spot.hands[index - 1]
    if words[0] == "separate":
        other = OneHand([hand.cards.pop()], {"split": seen.asked_split}, split=True)
        hand.split = True
        spot.hands.insert(index, other)
        return
    hand.cards.append(card(words[2]))
    if not hand.split and len(hand.cards) <= 2:
        spot.opening = list(hand.cards)


def _moved(seen: OneRound, words: list[str]) -> None:
    number, index = _place(words[1])
    kind = " ".join(words[2:-1])
    key = (number, index, "hand") if kind in ("", "main", "bust", "split", "double") else (number, 1, kind)
    amount = _money(words[-1]) if words[0] == "pay" else -_money(words[-1])
    seen.moved[key] = seen.moved.get(key, 0) + amount


def reckon(house: str, seen: OneRound) -> dict[Key, int]:
    """What each hand and each wager beside it wins (positive) or loses, in cents."""
    prices, out = HOUSES[house], {}
    dealer_has_it = is_blackjack(seen.own[:2])
    for number, spot in seen.spots.items():
        for index, hand in enumerate(spot.hands, 1):
            out[number, index, "hand"] = _hand(prices, seen, spot, hand, dealer_has_it)
        for kind, amount in spot.beside.items():
            out[number, 1, kind] = _beside(seen, spot, kind, amount, dealer_has_it)
    return out


def _hand(prices: Prices, seen: OneRound, spot: OneSpot, hand: OneHand, dealer_has_it: bool) -> int:
    staked = sum(hand.money.values())
    if "bust" in hand.money:
        return BUST * staked if hand.points > 21 else -staked
    if hand.surrendered:
        assert prices.surrender
        assert seen.up is not None
        lost_whole = dealer_has_it and seen.up.rank in "ATJQK"
        return -staked if lost_whole else -(staked // 2)
    if spot.has_blackjack:
        if spot.even_money:
            assert prices.even_money
            return staked
        return 0 if dealer_has_it else int(staked * prices.blackjack)
    if hand.points > 21:
        return -staked
    if dealer_has_it:
        back = (
            hand.money.get("split", 0) * prices.split_money_back
            + hand.money.get("double", 0) * prices.double_money_back
        )
        return -(staked - back)
    dealer = total(seen.own)[0]
    if dealer > 21 or hand.points > dealer:
        return staked
    return 0 if hand.points == dealer else -staked


def _beside(seen: OneRound, spot: OneSpot, kind: str, amount: int, dealer_has_it: bool) -> int:
    if kind == "insurance":
        return INSURANCE * amount if dealer_has_it else -amount
    if kind == "pairs":
        price = PAIRS.get(which_pair(spot.opening), 0)
    elif kind.startswith("number"):
        wanted = int(kind.split()[1])
        price = NUMBERS[wanted] if spot.hands[0].points == wanted else 0
    elif kind == "tie":
        price = TIE if _is_tie(seen, spot, dealer_has_it) else 0
    else:
        price = _prediction(seen, spot, dealer_has_it)
    return price * amount if price else -amount


def which_pair(two: list[Card]) -> str:
    """A pair is two cards of one rank (D-64): of one suit perfect, of one colour coloured, else mixed."""
    if two[0].rank != two[1].rank:
        return ""
    if two[0].suit == two[1].suit:
        return "perfect"
    colours = {"s": "black", "c": "black", "h": "red", "d": "red"}
    return "coloured" if colours[two[0].suit] == colours[two[1].suit] else "mixed"


def _is_tie(seen: OneRound, spot: OneSpot, dealer_has_it: bool) -> bool:
    if is_blackjack(spot.opening) or dealer_has_it or "bust" in spot.hands[0].money:
        return False
    points = spot.hands[0].points
    return 17 <= points <= 21 and points == total(seen.own)[0]


def _prediction(seen: OneRound, spot: OneSpot, dealer_has_it: bool) -> int:
    if not is_blackjack(spot.opening):
        return 0
    mine = [one for one in seen.spots.values() if one.player == spot.player]
    if not dealer_has_it or not all("blackjack" in one.beside for one in mine):
        return SINGLE
    if len(mine) == 2 and all(is_blackjack(one.opening) for one in mine):
        return TRIPLE
    return DOUBLE


def draws_on(house: str, own: list[Card]) -> bool:
    """Whether the house's drawing rule sends the dealer on."""
    points, soft = total(own)
    return points <= 16 or (points == 17 and soft and HOUSES[house].hits_soft_17)


def somebody_plays(seen: OneRound) -> bool:
    """Whether a hand still plays against the dealer's total when the hole card has been turned."""
    if is_blackjack(seen.own[:2]):
        return False
    return any(
        not spot.has_blackjack and "bust" not in hand.money and not hand.surrendered and hand.points <= 21
        for spot in seen.spots.values()
        for hand in spot.hands
    )


def agrees(seen: OneRound, key: Key, due: int, moved: int, chip: int) -> bool:
    """Whether what moved is what is due, or what chips can make of it (D-93 a win, D-94 half of an odd wager)."""
    if moved == due:
        return True
    number, index, kind = key
    if kind == "hand" and seen.spots[number].hands[index - 1].surrendered:
        return moved in (due // chip * chip, -(-due // chip) * chip)
    return due > 0 and moved == due // chip * chip


def disagreements(house: str, lines: list[str], players: dict[int, str], chip: int = 50) -> list[str]:
    """Every hand and wager of a finished round that was not settled as the house states; empty when all were."""
    seen = read_round(lines, players)
    due = reckon(house, seen)
    out = [
        f"{key}: {amount} is due, {seen.moved.get(key, 0)} moved"
        for key, amount in due.items()
        if not agrees(seen, key, amount, seen.moved.get(key, 0), chip)
    ]
    out += [f"{key}: {amount} moved, nothing was wagered" for key, amount in seen.moved.items() if key not in due]
    if somebody_plays(seen) and draws_on(house, seen.own):
        out.append("a hand still plays and the dealer's hand is not drawn out")
    return out


def moved_by_hand(seen: OneRound) -> dict[str, int]:
    """What the lines moved, by hand as a result sheet names it: ``3``, or ``3a`` and ``3b`` after a split."""
    out = {}
    for number, spot in seen.spots.items():
        for index in range(1, len(spot.hands) + 1):
            name = f"{number}{'abcdefgh'[index - 1]}" if len(spot.hands) > 1 else str(number)
            out[name] = sum(amount for key, amount in seen.moved.items() if key[:2] == (number, index))
    return out
