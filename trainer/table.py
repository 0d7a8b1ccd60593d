"""The felt and the round's ledger: what lies where, what was called and answered, and how an act moves cards and chips.

Physics only: a wrong act still puts a card on the felt. Who may do what is the machine's business.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, field

from trainer.actions import DECISIONS, Act
from trainer.cards import Card, is_ace_and_ten, total

MAIN_KINDS = ("main", "bust", "split", "double")
ON_THE_HAND = ("main", "split", "double")


class CannotHappen(ValueError):
    """An act that no table can see: a card from a spot that is not there, chips that do not lie there."""


@dataclass(slots=True, eq=False)
class Stack:
    """Chips of one kind at one place. ``amount`` lies there now, ``staked`` was put down, ``net`` is the player's result."""

    kind: str
    amount: int
    staked: int
    net: int = 0
    settled: bool = False
    flag: str = ""
    over: int = 0
    void: bool = False
    halved: bool = False

    @property
    def lies(self) -> bool:
        return self.amount > 0


@dataclass(slots=True, eq=False)
class Hand:
    """A player's hand: its cards and wagers, and what the ledger says of it."""

    cards: list[Card] = field(default_factory=list)
    stacks: dict[str, Stack] = field(default_factory=dict)
    faces_down: int = 0
    cleared: bool = False
    from_split: bool = False
    from_aces: bool = False
    laid: bool = False
    stood: bool = False
    doubled: bool = False
    surrendered: bool = False
    asked: bool = False
    turn_asked: bool = False
    total_called: bool = False
    called_blackjack: bool = False
    even_money: bool = False
    pushed: bool = False
    acted: bool = False
    drawn: bool = False
    other_sign: bool = False

    @property
    def total(self) -> int:
        return total(self.cards)[0]

    @property
    def is_soft(self) -> bool:
        return total(self.cards)[1]

    @property
    def is_bust(self) -> bool:
        return self.total > 21

    @property
    def is_blackjack(self) -> bool:
        return not self.from_split and is_ace_and_ten(self.cards)

    @property
    def is_bust_wager(self) -> bool:
        return "bust" in self.stacks

    @property
    def on_hand(self) -> list[Stack]:
        """The main, split and double money of this hand, settled or not, in this order."""
        return [self.stacks[kind] for kind in ON_THE_HAND if kind in self.stacks]

    @property
    def lying(self) -> int:
        """Cents of main, split and double money that lie there now."""
        return sum(stack.amount for stack in self.on_hand)

    @property
    def has_cards(self) -> bool:
        return bool(self.cards) and not self.cleared

    @property
    def is_settled(self) -> bool:
        """Whether all wagers on the hand itself (bust wager included) were settled."""
        return all(stack.settled for kind, stack in self.stacks.items() if kind in MAIN_KINDS)

    def copied(self) -> Hand:
        other = copy(self)
        other.cards = self.cards.copy()
        other.stacks = {kind: copy(stack) for kind, stack in self.stacks.items()}
        return other


@dataclass(slots=True, eq=False)
class Spot:
    """A wagered place: its hands (one until a split), its side wagers, its player."""

    number: int
    player: str = ""
    hands: list[Hand] = field(default_factory=lambda: [Hand()])
    side: dict[str, Stack] = field(default_factory=dict)
    answer: str = ""
    asked_even_money: bool = False
    first_two: tuple[Card, ...] = ()

    @property
    def is_wagered(self) -> bool:
        stacks = self.hands[0].stacks
        return "main" in stacks or "bust" in stacks

    @property
    def is_split(self) -> bool:
        return len(self.hands) > 1

    @property
    def original(self) -> int:
        """Cents of the first main wager of the spot."""
        first = self.hands[0].stacks
        stack = first.get("main") or first.get("bust")
        return stack.staked if stack else 0

    def copied(self) -> Spot:
        other = copy(self)
        other.hands = [hand.copied() for hand in self.hands]
        other.side = {kind: copy(stack) for kind, stack in self.side.items()}
        return other


@dataclass(slots=True, eq=False)
class DealerHand:
    """The dealer's own cards; ``hole`` is the index of the one face down, -1 when none lies face down."""

    cards: list[Card] = field(default_factory=list)
    hole: int = -1
    up: Card | None = None
    turned: bool = False
    cleared: bool = False

    @property
    def has_hole(self) -> bool:
        return self.hole >= 0

    @property
    def shown(self) -> list[Card]:
        return [card for index, card in enumerate(self.cards) if index != self.hole]

    @property
    def total(self) -> int:
        return total(self.cards)[0]

    @property
    def is_soft(self) -> bool:
        return total(self.cards)[1]

    @property
    def is_bust(self) -> bool:
        return self.total > 21

    @property
    def is_blackjack(self) -> bool:
        return is_ace_and_ten(self.cards)


@dataclass(slots=True, frozen=True)
class Request:
    """What a player asked for and nobody has answered yet: a wager put down, a decision, a hand reaching for cards.

    ``unmet`` are the guard uses that spoke against it when it came (opaque here).
    """

    what: str
    spot: int
    hand: int
    amount: int = 0
    valid: bool = True
    unmet: tuple[object, ...] = ()


@dataclass(slots=True, eq=False)
class Ledger:
    """What was called, asked, answered and looked at this round."""

    insurance_called: bool = False
    insurance_closed: bool = False
    looked: str = ""
    peeks: int = 0
    stopped: bool = False
    third_card: bool = False
    third_cards: frozenset[int] = frozenset()
    play_begun: bool = False
    focus: tuple[int, int] = (0, 0)
    request: Request | None = None
    offers: tuple[Request, ...] = ()
    last_dealt: int = 0
    first_dealt: int = 0
    missed: frozenset[tuple[str, tuple[int, int]]] = frozenset()
    waived: frozenset[str] = frozenset()
    ruling: str = ""
    floor_called: bool = False
    ended: bool = False


@dataclass(slots=True, eq=False)
class Table:
    """Felt, ledger, rack and discards of one round. Chips: rack + felt + players' pockets never changes."""

    places: int = 7
    spots: dict[int, Spot] = field(default_factory=dict)
    dealer: DealerHand = field(default_factory=DealerHand)
    ledger: Ledger = field(default_factory=Ledger)
    rack: int = 0
    pockets: int = 0
    discards: list[Card] = field(default_factory=list)
    dealt: int = 0
    round: int = 1
    players: dict[int, str] = field(default_factory=dict)

    def copied(self) -> Table:
        """Return an independent copy."""
        other = copy(self)
        other.spots = {number: spot.copied() for number, spot in self.spots.items()}
        other.dealer = copy(self.dealer)
        other.dealer.cards = self.dealer.cards.copy()
        other.ledger = copy(self.ledger)
        other.discards = self.discards.copy()
        return other

    @property
    def wagered(self) -> list[Spot]:
        """The wagered spots from the dealer's left."""
        return [self.spots[n] for n in sorted(self.spots) if self.spots[n].is_wagered]

    def hands(self) -> list[tuple[Spot, Hand]]:
        """Every hand of every wagered spot, from the dealer's left, in the order of play."""
        return [(spot, hand) for spot in self.wagered for hand in spot.hands]

    def spot(self, number: int) -> Spot:
        """Return a spot of the table."""
        if not 1 <= number <= self.places:
            raise CannotHappen(f"the table has {self.places} places; there is no spot {number}")
        return self.spots[number]

    def __post_init__(self) -> None:
        self.lay_out()

    def lay_out(self) -> None:
        """Lay the places out empty."""
        self.spots = {
            number: Spot(number, self.players.get(number, f"player {number}")) for number in range(1, self.places + 1)
        }

    def hand(self, act: Act) -> Hand:
        """Return the hand an act speaks of."""
        spot = self.spot(act.spot)
        index = max(act.hand, 1) - 1
        if index >= len(spot.hands):
            raise CannotHappen(f"spot {act.spot} has no hand {act.place}")
        return spot.hands[index]

    @property
    def on_felt(self) -> int:
        """Cents lying on the layout."""
        lying = 0
        for spot in self.spots.values():
            lying += sum(stack.amount for stack in spot.side.values())
            lying += sum(stack.amount for hand in spot.hands for stack in hand.stacks.values())
        return lying

    @property
    def cards_on_felt(self) -> int:
        return sum(len(h.cards) for s in self.spots.values() for h in s.hands if not h.cleared) + (
            0 if self.dealer.cleared else len(self.dealer.cards)
        )

    def net(self) -> dict[str, int]:
        """Return each player's result so far in cents, by hand (``3``, or ``3a`` and ``3b`` after a split)."""
        out: dict[str, int] = {}
        for spot in self.wagered:
            for index, hand in enumerate(spot.hands):
                name = f"{spot.number}{'abcdefgh'[index] if spot.is_split else ''}"
                out[name] = sum(stack.net for stack in hand.stacks.values())
                if index == 0:
                    out[name] += sum(stack.net for stack in spot.side.values())
        return out

    # -- movements of chips, each from one place to another -----------------------------------------------------

    def put_down(self, stacks: dict[str, Stack], kind: str, amount: int, flag: str = "") -> Stack:
        """Move chips from a player's pocket to the layout."""
        self.pockets -= amount
        found = stacks.get(kind)
        if found is None or found.settled:
            found = stacks[kind] = Stack(kind, 0, 0)
        found.amount += amount
        found.staked += amount
        found.flag = flag or found.flag
        return found

    def pick_up(self, stack: Stack, amount: int | None = None) -> None:
        """Move chips from the layout back to their player."""
        moved = stack.amount if amount is None else min(amount, stack.amount)
        stack.amount -= moved
        self.pockets += moved
        stack.settled = stack.settled or not stack.amount

    def win(self, stack: Stack, amount: int) -> None:
        """Move winnings from the rack to a player; the stake goes with them."""
        self.rack -= amount
        self.pockets += amount
        stack.net += amount
        self.pick_up(stack)
        stack.settled = True

    def lose(self, stack: Stack, amount: int) -> None:
        """Move chips from the layout (what is beyond them, from the player's pocket) into the rack."""
        lying = min(amount, stack.amount)
        stack.amount -= lying
        self.pockets -= amount - lying
        self.rack += amount
        stack.net -= amount
        stack.settled = stack.settled or not stack.amount


# -- what each verb moves ----------------------------------------------------------------------------------------


def move(table: Table, act: Act) -> None:
    """Carry out an act: cards and chips move, the ledger notes what was said. Nothing is judged here.

    Raises:
        CannotHappen: no table could see this act (there is no such hand, card or place).
    """
    check(table, act)
    _MOVES[act.verb](table, act)


def check(table: Table, act: Act) -> None:
    """Raise for an act that no table could see, whatever its card.

    Raises:
        CannotHappen: there is no such place or hand, no such card lies there, or it has been cleared away.
    """
    if act.spot and act.verb not in ("warn", "gesture tap", "touch"):
        hand = table.hand(act)
        if act.verb in ("deal", "separate", "signal", "double", "split", "surrender", "lay") and hand.cleared:
            raise CannotHappen(f"the cards of {act.place} have been cleared")
        if act.verb in ("signal", "double", "split", "surrender", "lay", "call total") and not hand.cards:
            raise CannotHappen(f"no cards lie at {act.place}")
        if act.verb == "separate" and len(hand.cards) < 2:
            raise CannotHappen(f"there are no two cards to part at {act.place}")
        if act.verb == "clear" and not hand.has_cards:
            raise CannotHappen(f"no cards lie at {act.place}")
        if act.verb == "double" and "double" in hand.stacks and hand.doubled:
            raise CannotHappen(f"double money lies at {act.place} already")
    elif act.spot:
        table.spot(act.spot)
    dealer = table.dealer
    if act.verb in ("deal up", "deal hole", "draw", "clear dealer", "peek", "turn hole") and dealer.cleared:
        raise CannotHappen("your own cards have been cleared")
    if act.verb == "clear dealer" and not dealer.cards:
        raise CannotHappen("no dealer's cards lie there")
    if act.verb in ("peek", "turn hole") and not dealer.has_hole:
        raise CannotHappen("no hole card lies there")


def side_or_hand(table: Table, act: Act) -> list[Stack]:
    """Return the stacks a pay, take or return speaks of, unsettled ones first; empty when nothing was wagered."""
    hand = table.hand(act)
    if act.kind in ("", *MAIN_KINDS):
        if act.kind:
            found = hand.stacks.get(act.kind)
            return [found] if found else []
        return hand.on_hand or [stack for kind, stack in hand.stacks.items() if kind == "bust"]
    found = table.spot(act.spot).side.get(act.kind)
    return [found] if found else []


def _need_card(act: Act) -> Card:
    if act.card is None:
        raise CannotHappen(f"'{act}' names no card")
    return act.card


def _deal(table: Table, act: Act) -> None:
    spot, hand, ledger = table.spot(act.spot), table.hand(act), table.ledger
    card = _need_card(act)
    initial = not _initial_deal_over(table)
    if not initial or len(hand.cards) >= 2:
        ledger.third_card = True
        ledger.third_cards |= {act.spot}
        hand.acted = True
        ledger.focus = (act.spot, max(act.hand, 1))
    hand.cards.append(card)
    if not spot.is_split and len(hand.cards) <= 2:
        spot.first_two = tuple(hand.cards)
    hand.faces_down += act.flag == "down"
    hand.turn_asked = False
    if len(hand.cards) > 2:
        hand.drawn = True
        hand.total_called = False
    table.dealt += 1
    if initial:
        ledger.last_dealt = act.spot
        ledger.first_dealt = ledger.first_dealt or act.spot
    request = ledger.request
    if request and (request.spot, request.hand) == (act.spot, max(act.hand, 1)) and request.what in ("hit", "double"):
        if request.what == "double":
            hand.doubled = True
        ledger.request = None
    elif request and request.what == "double" and "double" in hand.stacks:
        hand.doubled = True
    if spot.answer == "" and ledger.third_card and ledger.insurance_closed:
        spot.answer = "declined"


def _initial_deal_over(table: Table) -> bool:
    return (
        table.ledger.play_begun
        or table.dealer.turned
        or bool(table.ledger.looked)
        or (
            len(table.dealer.cards) >= 2
            and all(len(hand.cards) >= 2 for spot in table.wagered for hand in spot.hands[:1])
        )
    )


def _deal_up(table: Table, act: Act) -> None:
    dealer = table.dealer
    dealer.cards.append(_need_card(act))
    if dealer.up is None:
        dealer.up = act.card
    table.dealt += 1


def _deal_hole(table: Table, act: Act) -> None:
    dealer = table.dealer
    dealer.cards.append(_need_card(act))
    dealer.hole = len(dealer.cards) - 1
    dealer.turned = False
    table.dealt += 1


def _draw(table: Table, act: Act) -> None:
    table.dealer.cards.append(_need_card(act))
    table.ledger.stopped = False
    if table.dealer.up is None:
        table.dealer.up = act.card
    table.dealt += 1


def _stop(table: Table, _: Act) -> None:
    table.ledger.stopped = True


def _call_blackjack(table: Table, act: Act) -> None:
    table.hand(act).called_blackjack = True


def _call_insurance(table: Table, _: Act) -> None:
    """A call before the cards lie there has to be made again."""
    dealt = all(len(spot.first_two) == 2 for spot in table.wagered)
    table.ledger.insurance_called = table.ledger.insurance_called or (dealt and table.dealer.up is not None)


def _call_even_money(table: Table, act: Act) -> None:
    table.spot(act.spot).asked_even_money = True


def _call_total(table: Table, act: Act) -> None:
    table.hand(act).total_called = True


def _nothing(table: Table, act: Act) -> None:
    if act.spot:
        table.spot(act.spot)


def _call_floor(table: Table, _: Act) -> None:
    table.ledger.floor_called = True


def _ask(table: Table, act: Act) -> None:
    hand = table.hand(act)
    hand.asked = hand.turn_asked = True
    table.ledger.focus = (act.spot, max(act.hand, 1))


def _close_insurance(table: Table, _: Act) -> None:
    table.ledger.insurance_closed = True
    for spot in table.wagered:
        spot.answer = spot.answer or "declined"


def _peek(table: Table, _: Act) -> None:
    dealer = table.dealer
    table.ledger.peeks += 1
    table.ledger.looked = "blackjack" if dealer.is_blackjack else "none"
    for spot in table.wagered:
        spot.answer = spot.answer or "declined"


def _turn_hole(table: Table, _act: Act) -> None:
    dealer = table.dealer
    if _act.card and not dealer.cards[dealer.hole].is_known:
        dealer.cards[dealer.hole] = _act.card
    dealer.hole = -1
    dealer.turned = True
    if dealer.up is None:
        dealer.up = dealer.cards[0]


def _separate(table: Table, act: Act) -> None:
    spot, hand = table.spot(act.spot), table.hand(act)
    index = max(act.hand, 1) - 1
    parted = hand.cards.pop()
    aces = parted.is_ace and hand.cards[-1].is_ace
    other = Hand([parted], from_split=True, from_aces=aces, acted=True)
    hand.from_split, hand.from_aces, hand.acted = True, aces, True
    hand.asked = hand.turn_asked = hand.total_called = False
    pending = hand.stacks.pop("pending split", None)
    if pending:
        pending.kind = "split"
        other.stacks["split"] = pending
    spot.hands.insert(index + 1, other)
    table.ledger.focus = (act.spot, index + 1)
    table.ledger.request = None


def _pay(table: Table, act: Act) -> None:
    hand, amount = table.hand(act), act.amount or 0
    stacks = side_or_hand(table, act)
    if not stacks:
        stacks = [table.put_down(hand.stacks, "nothing", 0)]
    rest = amount
    open_stacks = [stack for stack in stacks if not stack.settled]
    if not act.kind and len(open_stacks) > 1 and amount == open_stacks[0].amount < sum(s.amount for s in open_stacks):
        open_stacks = open_stacks[:1]
    for stack in open_stacks[1:]:
        share = min(rest, stack.staked)
        table.win(stack, share)
        rest -= share
    first = (open_stacks or stacks)[0]
    table.win(first, rest)


def _take(table: Table, act: Act) -> None:
    hand, rest = table.hand(act), act.amount or 0
    stacks = side_or_hand(table, act)
    if not stacks:
        stacks = [table.put_down(hand.stacks, "nothing", 0)]
    lying = [stack for stack in stacks if stack.lies]
    for stack in lying:
        share = min(rest, stack.amount)
        if share:
            table.lose(stack, share)
            rest -= share
    if rest:
        table.lose((lying or stacks)[0], rest)


def _return(table: Table, act: Act) -> None:
    rest = act.amount or 0
    for stack in side_or_hand(table, act):
        share = min(rest, stack.amount)
        if share:
            table.pick_up(stack, share)
            rest -= share


def _push(table: Table, act: Act) -> None:
    hand = table.hand(act)
    hand.pushed = True
    for stack in hand.stacks.values():
        if stack.kind in MAIN_KINDS:
            table.pick_up(stack)
            stack.settled = True


def _lay(table: Table, act: Act) -> None:
    table.hand(act).laid = True


def _clear(table: Table, act: Act) -> None:
    hand, request = table.hand(act), table.ledger.request
    if request and (request.spot, request.hand) == (act.spot, max(act.hand, 1)):
        _give_back(table, request)
        table.ledger.request = None
    table.discards.extend(hand.cards)
    hand.cleared = True


def _clear_dealer(table: Table, _: Act) -> None:
    table.discards.extend(table.dealer.cards)
    table.dealer.cleared = True


def _refuse(table: Table, act: Act) -> None:
    ledger = table.ledger
    hand = max(act.hand, 1)
    if act.what in DECISIONS:
        table.hand(act).turn_asked = False
    if ledger.request and ledger.request.spot == act.spot and ledger.request.what == act.what:
        _give_back(table, ledger.request)
        ledger.request = None
    if act.what == "stand":
        table.hand(act).stood = False
    ledger.offers = tuple(offer for offer in ledger.offers if not _is_refused(table, offer, act, hand))
    spot = table.spot(act.spot)
    if act.what == "surrender":
        table.hand(act).surrendered = False
    if act.what == "even money":
        table.hand(act).even_money = False
        spot.answer = ""
    stack = spot.side.get(act.what)
    if stack and stack.lies:
        table.pick_up(stack)
        del spot.side[act.what]
        if act.what == "insurance":
            spot.answer = ""
    if act.what in ("main", "bust") and act.what in spot.hands[0].stacks and not spot.hands[0].cards:
        table.pick_up(spot.hands[0].stacks.pop(act.what))


def _is_refused(table: Table, offer: Request, act: Act, hand: int) -> bool:
    if offer.spot != act.spot or offer.what != act.what:
        return False
    if offer.amount:
        _give_back(table, offer)
    return True


def _give_back(table: Table, request: Request) -> None:
    spot = table.spot(request.spot)
    hand = spot.hands[request.hand - 1]
    kind = "pending split" if request.what == "split" else request.what
    if kind in ("double", "pending split") and kind in hand.stacks:
        table.pick_up(hand.stacks.pop(kind))
    elif kind in ("main", "bust") and kind in hand.stacks and hand.cards:
        # A wager changed after the deal: only what was added goes back.
        stack = hand.stacks[kind]
        table.pick_up(stack, request.amount)
        stack.staked -= request.amount
        if not stack.amount:
            del hand.stacks[kind]


def _warn(table: Table, act: Act) -> None:
    ledger = table.ledger
    ledger.offers = tuple(offer for offer in ledger.offers if not (offer.what == "touch" and offer.spot == act.spot))


def _start(table: Table, _: Act) -> None:
    _sweep(table)
    table.lay_out()
    table.dealer = DealerHand()
    table.ledger = Ledger()
    table.round += 1


def _wager(table: Table, act: Act) -> None:
    spot = table.spot(act.spot)
    kind = act.kind or "main"
    stacks = spot.hands[0].stacks if kind in MAIN_KINDS else spot.side
    if kind in stacks and stacks[kind].settled:
        kind = "next round"
    table.put_down(stacks, kind, act.amount or 0, act.flag)


def _insure(table: Table, act: Act) -> None:
    spot = table.spot(act.spot)
    table.put_down(spot.side, "insurance", act.amount or 0, act.flag)
    spot.answer = "insured"


def _decline(table: Table, act: Act) -> None:
    table.spot(act.spot).answer = "declined"


def _even_money(table: Table, act: Act) -> None:
    table.spot(act.spot).answer = "even money"
    table.hand(act).even_money = True


def _pending(table: Table, act: Act) -> None:
    """A new decision on a hand replaces one still pending there; its chips go back first."""
    request = table.ledger.request
    if request and request.what in ("double", "split") and request.spot == act.spot:
        _give_back(table, request)


def _signal(table: Table, act: Act) -> None:
    _pending(table, act)
    hand = table.hand(act)
    hand.other_sign = True
    hand.turn_asked = True
    if act.what == "stand":
        hand.stood = True
    table.ledger.focus = (act.spot, max(act.hand, 1))


def _double(table: Table, act: Act) -> None:
    _pending(table, act)
    hand = table.hand(act)
    hand.other_sign = True
    table.put_down(hand.stacks, "double", act.amount or 0)
    table.ledger.focus = (act.spot, max(act.hand, 1))


def _split(table: Table, act: Act) -> None:
    _pending(table, act)
    hand = table.hand(act)
    hand.other_sign = True
    table.put_down(hand.stacks, "pending split", act.amount or 0)
    table.ledger.focus = (act.spot, max(act.hand, 1))


def _surrender(table: Table, act: Act) -> None:
    _pending(table, act)
    hand = table.hand(act)
    hand.surrendered = True
    table.ledger.focus = (act.spot, max(act.hand, 1))


ENDINGS = ("end the round", "void the round")


def _rule(table: Table, act: Act) -> None:
    """Note what the floor decided; a round it ends gives all chips back and leaves no card."""
    if act.words.lower().strip(" .") in ENDINGS:
        _sweep(table)
        table.ledger.ended = True
        return
    table.ledger.ruling = act.words


def _sweep(table: Table) -> None:
    """Give all chips back and put all cards into the discard rack."""
    for spot in table.spots.values():
        for hand in spot.hands:
            for stack in hand.stacks.values():
                table.pick_up(stack)
            if hand.has_cards:
                table.discards.extend(hand.cards)
                hand.cleared = True
        for stack in spot.side.values():
            table.pick_up(stack)
    if not table.dealer.cleared:
        table.discards.extend(table.dealer.cards)
        table.dealer.cleared = True


def _waive(table: Table, act: Act) -> None:
    table.ledger.waived |= {act.what}


_MOVES = {
    "deal": _deal, "deal up": _deal_up, "deal hole": _deal_hole, "draw": _draw, "stop": _stop,
    "call blackjack": _call_blackjack, "call insurance": _call_insurance, "call even money": _call_even_money,
    "call total": _call_total, "call total dealer": _nothing, "call floor": _call_floor, "ask": _ask, "wait": _nothing,
    "close insurance": _close_insurance, "peek": _peek, "turn hole": _turn_hole, "separate": _separate,
    "pay": _pay, "take": _take, "return": _return, "push": _push, "lay": _lay, "clear": _clear,
    "clear dealer": _clear_dealer, "refuse": _refuse, "warn": _warn, "gesture tap": _nothing, "start": _start,
    "wager": _wager, "insure": _insure, "decline": _decline, "even money": _even_money, "signal": _signal,
    "double": _double, "split": _split, "surrender": _surrender, "touch": _nothing, "spectator touches": _nothing,
    "rule": _rule, "waive": _waive,
}  # fmt: skip
