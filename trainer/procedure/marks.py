"""Marks: what rules read of hands, dealer and ledger most often, as bits of one number that tell what is left to ask.

The low bits are of the hand that an act speaks of, the next ones the same of any wagered hand (``anywhere``), the high
ones of the dealer's hand, the ledger and the act. Tests hold each mark equal to what it stands for.
"""

from __future__ import annotations

from trainer.actions import DECISIONS, Act
from trainer.cards import total
from trainer.table import MAIN_KINDS, ON_THE_HAND, Hand, Spot, Stack, Table, side_or_hand

# Of a hand or its spot.
(
    CARDS, TWO, BUST, BLACKJACK, STOOD, DOUBLED, SURRENDERED, FROM_SPLIT, FROM_ACES, ON_BUST, OPEN, LIVE, UNSETTLED,
    ASKED, UNASKED, UNCALLED, TAKEN, EVEN_MONEY, SHORT, DEALING, SIDE, WAGERED, SPLIT, ASKABLE,
    PAIR, TWENTY_ONE, BROKEN, TO_ASK,
) = (1 << number for number in range(28))  # fmt: skip
_WIDTH = 28
# Of the act's own place, of the dealer's hand, of the ledger.
(
    STACKS, LYING, ASKING, ASKING_SPLIT, ASKING_DOUBLE, EQUAL, ABOVE, BELOW, INSURED, FLAGGED, BESIDE, DECISION,
    UNTURNED, UP_LOW, UP_ACE, NO_UP, HOLE, DEALER_BLACKJACK, DEALER_BUST, DEALER_OPEN, LOOKED, LOOKED_NONE,
    LOOKED_BLACKJACK, STOPPED, REQUESTS, NOBODY, FEW, CALLED, DEALER_LOW,
    MUST_DRAW, BEGUN, WHOLE, LEVEL, OTHERS_ASK,
    EARLIER_OPEN, EARLIER_TO_ASK, EARLIER_SPLIT_OPEN, SOFT_17, MATCHED, ORIGINAL, UNLIKE, FIRST_DEALT, OWN_CARD,
) = (1 << number for number in range(2 * _WIDTH, 2 * _WIDTH + 43))  # fmt: skip

OF_THE_HAND = (1 << _WIDTH) - 1
OF_ANY_HAND = OF_THE_HAND << _WIDTH | NOBODY
OF_THE_PLACE = ASKING | ASKING_SPLIT | ASKING_DOUBLE | OTHERS_ASK | INSURED
OF_THE_WAGER = MATCHED | ORIGINAL | UNLIKE
EARLIER = EARLIER_OPEN | EARLIER_TO_ASK | EARLIER_SPLIT_OPEN
OF_THE_CHIPS = STACKS | LYING | WHOLE | LEVEL
COMPARED = EQUAL | ABOVE | BELOW
OF_THE_DEALER = DEALER_BLACKJACK | DEALER_BUST | DEALER_OPEN | DEALER_LOW | MUST_DRAW | SOFT_17 | COMPARED
OF_THE_TABLE = (
    UNTURNED | UP_LOW | UP_ACE | NO_UP | HOLE | LOOKED | LOOKED_NONE | LOOKED_BLACKJACK | STOPPED | REQUESTS
    | FEW | CALLED | BEGUN | FIRST_DEALT | OWN_CARD | FLAGGED | BESIDE | DECISION
)  # fmt: skip

Kept = tuple[int, tuple[int, ...]]
_APART = ("nothing", "next round")
_BARE = SHORT | DEALING | UNASKED | UNCALLED


def anywhere(mark: int) -> int:
    """Return the mark that any wagered hand has this one."""
    return mark << _WIDTH


def hand_marks(hand: Hand) -> int:
    """Return the marks of a hand, read off its cards, its chips and what was noted of it."""
    cards, stacks, marks = hand.cards, hand.stacks, 0
    settled = True
    for kind, stack in stacks.items():
        if not stack.settled:
            if kind in MAIN_KINDS:
                settled = False
            if kind not in _APART:
                marks |= UNSETTLED
    if "bust" in stacks:
        marks |= ON_BUST
    if hand.stood:
        marks |= STOOD
    if hand.doubled:
        marks |= DOUBLED
    if hand.surrendered:
        marks |= SURRENDERED
    if hand.from_split:
        marks |= FROM_SPLIT | FROM_ACES if hand.from_aces else FROM_SPLIT
    if hand.even_money:
        marks |= EVEN_MONEY
    if not hand.asked:
        marks |= UNASKED
    elif hand.turn_asked:
        marks |= ASKED
    if not hand.total_called:
        marks |= UNCALLED
    return marks | _card_marks(hand, marks, settled) if cards else marks


def _card_marks(hand: Hand, marks: int, settled: bool) -> int:
    """The marks that hang on the cards of a hand that has some."""
    cards, more = hand.cards, 0
    count, (points, _) = len(cards), total(cards)
    if not hand.cleared:
        more = CARDS | TAKEN if settled else CARDS
    if count >= 2:
        more |= TWO | PAIR if count == 2 else TWO
    if points > 21:
        more |= BUST
        if not hand.cleared or hand.lying:
            more |= BROKEN
    elif points == 21:
        more |= TWENTY_ONE | BLACKJACK if count == 2 and not marks & FROM_SPLIT else TWENTY_ONE
    if not settled and points <= 21:
        if not (marks & (SURRENDERED | ON_BUST) or more & BLACKJACK):
            more |= LIVE
        if (
            more & CARDS
            and not marks & (STOOD | DOUBLED | SURRENDERED)
            and (
                count < 2
                or (
                    points < 17
                    if marks & ON_BUST
                    else points != 21 and not marks & FROM_ACES and not hand.was_blackjack
                )
            )
        ):
            more |= OPEN if count < 2 or marks & ASKED else OPEN | ASKABLE
    if (
        marks & UNASKED
        and count >= 2
        and more & CARDS
        and not (marks & (ON_BUST | FROM_ACES) or more & BLACKJACK)
        and (more & OPEN or marks & (STOOD | DOUBLED) or hand.other_sign)
    ):
        more |= TO_ASK
    return more


def spot_marks(spot: Spot) -> Kept:
    """Return the marks any hand of a spot has, with those of the spot itself, and the marks of each hand."""
    hands = spot.hands
    first = hands[0]
    if not (first.cards or first.stacks or spot.side or first.asked or first.even_money or len(hands) > 1):
        return _BARE, (_BARE,)
    marks = 0
    if len(spot.first_two) < 2:
        marks |= SHORT
    if len(hands) > 1:
        marks |= SPLIT
    elif len(first.cards) < 2:
        marks |= DEALING
    for kind, stack in spot.side.items():
        if stack.amount > 0 and kind != "next round":
            marks |= SIDE
    if spot.is_wagered:
        marks |= WAGERED
    if len(hands) == 1:
        marks |= hand_marks(first)
        return marks, (marks,)
    each = tuple([hand_marks(hand) | marks for hand in hands])
    for one in each:
        marks |= one
    return marks, each


def every_spot(table: Table) -> dict[int, Kept]:
    """Return the marks of every spot; they are kept while the table keeps what was read off it."""
    memo = table.memo
    found: dict[int, Kept] | None = memo.get("marks") if memo is not None else None
    if found is None:
        found = {number: spot_marks(spot) for number, spot in table.spots.items()}
        if memo is not None:
            memo["marks"] = found
    return found


def all_marks(table: Table, spots: dict[int, Kept] | None = None) -> tuple[int, int]:
    """Return the marks that any hand of a wagered spot has, and those that any hand at all has."""
    memo = table.memo
    if memo is not None and "sums" in memo:
        kept: tuple[int, int] = memo["sums"]
        return kept
    wagered = every = 0
    for one, _ in (every_spot(table) if spots is None else spots).values():
        every |= one
        if one & WAGERED:
            wagered |= one
    if memo is not None:
        memo["sums"] = wagered, every
    return wagered, every


def act_marks(table: Table, act: Act, reads: int, hits_soft_17: bool) -> int:
    """Return the marks of an act at a table, those groups of them that are read."""
    marks = table_marks(table, act) if reads & OF_THE_TABLE else 0
    hand = None
    if act.spot:
        if reads & OF_THE_HAND:
            marks |= every_spot(table)[act.spot][1][act.hand - 1 if act.hand else 0]
        if reads & OF_THE_PLACE:
            marks |= place_marks(table, act)
        if reads & OF_THE_WAGER:
            marks |= wager_marks(table.spots[act.spot], act)
        if reads & EARLIER:
            marks |= earlier_marks(table, act)
        if reads & OF_THE_CHIPS:
            marks |= chip_marks(side_or_hand(table, act), act.amount)
        if reads & COMPARED:
            hand = table.spots[act.spot].hands[act.hand - 1 if act.hand else 0]
    if reads & OF_THE_DEALER:
        marks |= dealer_marks(table, hand, hits_soft_17)
    if reads & OF_ANY_HAND:
        wagered = all_marks(table)[0]
        marks |= wagered << _WIDTH if wagered else NOBODY
    return marks & reads


def place_marks(table: Table, act: Act) -> int:
    """Return what the hand of an act has asked for, and whether its spot is insured."""
    marks = 0
    if table.ledger.request or table.ledger.waiting:
        request = table.ledger.asked_by(act.spot, max(act.hand, 1))
        if len(table.ledger.requests) > (request is not None):
            marks = OTHERS_ASK
        if request:
            if request.what != "split":
                marks |= ASKING | ASKING_DOUBLE if request.what == "double" else ASKING
            else:
                marks |= ASKING | ASKING_SPLIT if request.valid else ASKING_SPLIT
    if "insurance" in table.spots[act.spot].side:
        marks |= INSURED
    return marks


def wager_marks(spot: Spot, act: Act) -> int:
    """Return whether the chips put down come to the hand's or the spot's first wager, and its cards are unlike."""
    hand, marks = spot.hands[act.hand - 1 if act.hand else 0], 0
    stacks = hand.stacks
    first = stacks.get("main") or stacks.get("split") or stacks.get("bust")
    if first is not None and act.amount == first.staked:
        marks = MATCHED
    if act.amount == spot.original:
        marks |= ORIGINAL
    if len(hand.cards) >= 2 and hand.cards[0].value != hand.cards[1].value:
        marks |= UNLIKE
    return marks


def earlier_marks(table: Table, act: Act) -> int:
    """Return what hands that come before the act's own one still wait for."""
    before = beside = 0
    for number, (marks, each) in every_spot(table).items():
        if marks & WAGERED:
            if number < act.spot:
                before |= marks
            elif number == act.spot and act.hand > 1:
                for one in each[: act.hand - 1]:
                    beside |= one
    found = EARLIER_SPLIT_OPEN if beside & OPEN else 0
    before |= beside
    return found | (EARLIER_OPEN if before & OPEN else 0) | (EARLIER_TO_ASK if before & TO_ASK else 0)


def chip_marks(stacks: list[Stack], amount: int | None) -> int:
    """Return whether the chips an act speaks of were wagered, whether any is not settled, and what all of those come to."""
    marks = lying = staked = 0
    for stack in stacks:
        marks |= STACKS
        if not stack.settled:
            marks |= LYING
            lying += stack.amount
            staked += stack.staked
    if amount == lying:
        marks |= WHOLE
    if amount == staked:
        marks |= LEVEL
    return marks


def dealer_marks(table: Table, hand: Hand | None, hits_soft_17: bool) -> int:
    """Return how the dealer's hand stands, and how it compares with a hand."""
    dealer = table.dealer
    points, soft = total(dealer.cards)
    marks = DEALER_LOW if points <= 16 else 0
    if soft and points == 17:
        marks = SOFT_17
    if dealer.is_blackjack:
        marks |= DEALER_BLACKJACK
    if points > 21:
        marks |= DEALER_BUST
    elif points <= 16 or (points == 17 and soft and hits_soft_17):
        marks |= MUST_DRAW if table.ledger.stopped else MUST_DRAW | DEALER_OPEN
    if not dealer.turned:
        marks |= DEALER_OPEN
    if hand is not None:
        own = total(hand.cards)[0]
        marks |= EQUAL if own == points else ABOVE if own > points else BELOW
    return marks


def table_marks(table: Table, act: Act) -> int:
    """Return what lies before the dealer, what the ledger notes, and how the act was done."""
    dealer, ledger = table.dealer, table.ledger
    up, looked = dealer.up, ledger.looked
    marks = 0 if dealer.turned else UNTURNED
    if up is None:
        marks |= NO_UP
    elif up.is_ace:
        marks |= UP_ACE
    elif not up.is_ten:
        marks |= UP_LOW
    if dealer.hole >= 0:
        marks |= HOLE
    if looked:
        marks |= LOOKED | LOOKED_NONE if looked == "none" else LOOKED | LOOKED_BLACKJACK
    if ledger.stopped:
        marks |= STOPPED
    if ledger.request or ledger.waiting:
        marks |= REQUESTS
    if len(dealer.cards) < 2:
        marks |= FEW
    if ledger.insurance_called:
        marks |= CALLED
    if dealer.cards:
        marks |= OWN_CARD | BEGUN
    if ledger.first_dealt:
        marks |= FIRST_DEALT | BEGUN
    if act.flag:
        marks |= FLAGGED
    if act.kind and act.kind not in ON_THE_HAND:
        marks |= BESIDE
    if act.what and act.what in DECISIONS:
        marks |= DECISION
    return marks
