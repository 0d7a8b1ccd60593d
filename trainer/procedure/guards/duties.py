"""What falls due (a list of places), and which acts go on without it."""

from __future__ import annotations

from trainer.procedure.guards.registry import Place, claim, due
from trainer.procedure.guards.sidewagers import lost
from trainer.procedure.moment import Moment, all_even_money, bust_is_left, is_finished, is_live, ruled_act, unfinished
from trainer.procedure.sides import side_wager
from trainer.table import Hand, Spot

EVERYWHERE: Place = (0, 0)


def _blackjacks(m: Moment) -> list[tuple[Spot, Hand]]:
    return [
        (spot, hand)
        for spot in m.table.wagered
        if (hand := spot.hands[0]).is_blackjack and "main" in hand.stacks and not hand.is_bust_wager
    ]


# -- dues -------------------------------------------------------------------------------------------------------


@due
def losing_pairs_wager_lies(m: Moment) -> list[Place]:
    return _early_side(m, losing=True)


@due
def winning_pairs_wager_lies(m: Moment) -> list[Place]:
    return [] if _early_side(m, losing=True) else _early_side(m, losing=False)


def _early_side(m: Moment, losing: bool) -> list[Place]:
    if not m.house.games or any(len(spot.first_two) < 2 for spot in m.table.wagered):
        return []
    if m.table.ledger.looked == "blackjack":
        # No hand gets a decision any more.
        return []
    out = []
    for spot in m.table.wagered:
        for kind, stack in spot.side.items():
            wager = side_wager(m.position, kind) if stack.lies else None
            if wager and wager.losers_first and lost(m, spot, stack) == losing:
                out.append((spot.number, 0))
    return out


@due
def early_blackjack_is_not_called(m: Moment) -> list[Place]:
    if not m.up_is_low or not m.deal_complete:
        return []
    return [(s.number, 1) for s, hand in _blackjacks(m) if not hand.called_blackjack and not hand.is_settled]


@due
def early_blackjack_is_not_paid(m: Moment) -> list[Place]:
    if not m.up_is_low or not m.deal_complete:
        return []
    return [(s.number, 1) for s, hand in _blackjacks(m) if hand.called_blackjack and not hand.is_settled]


@due
def early_blackjack_is_not_cleared(m: Moment) -> list[Place]:
    if not m.up_is_low or not m.deal_complete:
        return []
    return [(s.number, 1) for s, hand in _blackjacks(m) if hand.is_settled and hand.has_cards]


@due
def bust_wager_blackjack_is_not_called(m: Moment) -> list[Place]:
    if not m.deal_complete:
        return []
    return [
        (spot.number, 1)
        for spot in m.table.wagered
        if (hand := spot.hands[0]).is_bust_wager
        and hand.is_blackjack
        and not hand.called_blackjack
        and not hand.is_settled
    ]


@due
def late_blackjack_is_not_called(m: Moment) -> list[Place]:
    if m.up_is_low or not m.deal_complete:
        return []
    return [(s.number, 1) for s, hand in _blackjacks(m) if not hand.called_blackjack and not hand.is_settled]


@due
def insurance_is_not_called(m: Moment) -> list[Place]:
    ledger = m.table.ledger
    if m.up_is_ace and m.deal_complete and not ledger.insurance_called and not m.hole_turned:
        return [EVERYWHERE]
    return []


@due
def players_have_not_chosen(m: Moment) -> list[Place]:
    """Under an ace: nobody was offered insurance or even money, and not everybody has answered."""
    ledger = m.table.ledger
    if not m.up_is_ace or not m.looks_under_ace or not m.deal_complete or m.hole_known:
        return []
    if ledger.insurance_called or ledger.insurance_closed or all(spot.answer for spot in m.table.wagered):
        return []
    return [EVERYWHERE]


@due
def hole_card_is_not_looked_at(m: Moment) -> list[Place]:
    if m.up_is_ace and m.looks_under_ace and m.deal_complete and not m.hole_known and not all_even_money(m.table):
        return [EVERYWHERE]
    return []


@due
def found_blackjack_is_not_turned(m: Moment) -> list[Place]:
    if m.up_is_ace and m.looks_under_ace and m.table.ledger.looked == "blackjack" and not m.hole_turned:
        return [EVERYWHERE]
    return []


@due
def lost_insurance_lies(m: Moment) -> list[Place]:
    if not (m.up_is_ace and m.looks_under_ace and m.table.ledger.looked == "none"):
        return []
    return [(s.number, 0) for s in m.table.wagered if (stack := s.side.get("insurance")) and stack.lies]


@due
def spot_lacks_a_card(m: Moment) -> list[Place]:
    if m.hole_turned and m.table.ledger.stopped:
        return []
    return [(spot.number, 1) for spot in m.table.wagered if len(spot.first_two) < 2 and not spot.hands[0].cleared]


@due
def own_up_card_is_missing(m: Moment) -> list[Place]:
    return [EVERYWHERE] if m.table.wagered and m.table.dealer.up is None else []


@due
def own_hole_card_is_missing(m: Moment) -> list[Place]:
    dealer = m.table.dealer
    if m.house.is_("hole-card-dealt") != "in the deal":
        return []
    return [EVERYWHERE] if len(dealer.cards) < 2 and not dealer.has_hole and m.table.wagered else []


def _round_ends_before_play(m: Moment) -> bool:
    """A look has found a blackjack: nothing is left to decide."""
    return m.up_is_ace and m.looks_under_ace and m.table.ledger.looked == "blackjack"


@due
def player_is_not_asked(m: Moment) -> list[Place]:
    if _round_ends_before_play(m):
        return []
    return [
        (spot.number, index)
        for spot in m.table.wagered
        for index, hand in enumerate(spot.hands, 1)
        if not hand.asked and _decides(m, spot, index, hand)
    ]


def _decides(m: Moment, spot: Spot, index: int, hand: Hand) -> bool:
    """Whether the hand is one whose player decides: not bust wager, blackjack, split ace or passed-over 21."""
    if hand.is_bust_wager or hand.is_blackjack or not hand.cards or hand.cleared or hand.from_aces:
        return False
    if len(hand.cards) < 2:
        return False
    return not is_finished(m.house, spot, hand) or hand.stood or hand.doubled or hand.other_sign


@due
def player_has_not_chosen(m: Moment) -> list[Place]:
    if _round_ends_before_play(m):
        return []
    asking = {(one.spot, one.hand) for one in m.table.ledger.requests if one.valid}
    return [
        (s.number, index)
        for s, index, hand in unfinished(m.house, m.table)
        if _needs_choice(hand) and (s.number, index) not in asking
    ]


def _needs_choice(hand: Hand) -> bool:
    return (len(hand.cards) >= 2 or hand.from_split) and not hand.is_bust_wager and not hand.from_aces


@due
def split_ace_lacks_its_card(m: Moment) -> list[Place]:
    return [
        (spot.number, index)
        for spot, index, hand in unfinished(m.house, m.table)
        if hand.from_aces and len(hand.cards) == 1
    ]


@due
def doubled_hand_lacks_its_card(m: Moment) -> list[Place]:
    return _pending(m, "double")


@due
def hit_is_not_served(m: Moment) -> list[Place]:
    """Hands that have asked for a card they may draw; a 21 (D-32), a doubled or a settled hand is refused in order."""
    return [place for place in _pending(m, "hit") if _may_draw(m, place)]


def _may_draw(m: Moment, place: Place) -> bool:
    hand = m.table.spots[place[0]].hands[place[1] - 1]
    return hand.total < 21 and not hand.doubled and not hand.is_settled


@due
def split_is_not_carried_out(m: Moment) -> list[Place]:
    return [place for place in _pending(m, "split") if m.deal_complete and _is_pair(m, place)]


def _is_pair(m: Moment, place: Place) -> bool:
    cards = m.table.spots[place[0]].hands[place[1] - 1].cards
    return len(cards) == 2 and cards[0].value == cards[1].value


@claim("split_is_not_carried_out")
def rule_of_the_split(m: Moment, place: Place) -> list[tuple[str, str]]:
    """A pair split the first time or again: the rule that gives the player each."""
    again = m.table.spots[place[0]].is_split
    return [("further-split-honoured" if again else "split-honoured", "the pair of {place} has not been parted")]


def _pending(m: Moment, what: str) -> list[Place]:
    if _round_ends_before_play(m):
        return []
    return [(one.spot, one.hand) for one in m.table.ledger.requests if one.what == what and one.valid]


@due
def bust_wager_hand_is_not_drawn(m: Moment) -> list[Place]:
    if _round_ends_before_play(m):
        return []
    return [
        (spot.number, index) for spot, index, hand in unfinished(m.house, m.table) if hand.is_bust_wager and hand.cards
    ]


@due
def first_total_is_not_called(m: Moment) -> list[Place]:
    return [
        (spot.number, index)
        for spot in m.table.wagered
        for index, hand in enumerate(spot.hands, 1)
        if not hand.total_called and len(hand.cards) >= 2 and _has_decided(m, spot, index, hand) and not hand.drawn
    ]


@due
def later_total_is_not_called(m: Moment) -> list[Place]:
    return [
        (spot.number, index)
        for spot in m.table.wagered
        for index, hand in enumerate(spot.hands, 1)
        if not hand.total_called and hand.drawn and _has_decided(m, spot, index, hand)
    ]


def _has_decided(m: Moment, spot: Spot, index: int, hand: Hand) -> bool:
    """Whether a decision of this hand waits to be carried out, or has been one it stood on."""
    if hand.is_bust_wager or hand.is_blackjack or hand.cleared or hand.is_bust or hand.doubled or hand.from_aces:
        return False
    pending = m.table.ledger.asked_by(spot.number, index)
    return pending is not None or hand.stood or hand.surrendered


@due
def bust_hand_lies(m: Moment) -> list[Place]:
    return [
        (spot.number, index)
        for spot in m.table.wagered
        for index, hand in enumerate(spot.hands, 1)
        if not hand.surrendered and bust_is_left(m.house, hand)
    ]


@due
def losers_cards_lie(m: Moment) -> list[Place]:
    return [
        (spot.number, index)
        for spot in m.table.wagered
        for index, hand in enumerate(spot.hands, 1)
        if hand.has_cards
        and m.hole_turned
        and hand.is_settled
        and not hand.is_bust
        and not hand.surrendered
        and not hand.is_bust_wager
        and hand.on_hand
        and sum(stack.net for stack in hand.on_hand) < 0
    ]


@due
def surrendered_wager_is_not_laid(m: Moment) -> list[Place]:
    if m.up_is_low or m.hole_turned:
        return []
    return [
        (spot.number, 1)
        for spot in m.table.wagered
        if spot.hands[0].surrendered and not spot.hands[0].laid and not spot.hands[0].is_settled
    ]


@due
def insurance_of_a_surrendered_hand_is_left(m: Moment) -> list[Place]:
    return [
        (spot.number, 0)
        for spot in m.table.wagered
        if spot.hands[0].surrendered and (stack := spot.side.get("insurance")) and stack.lies
    ]


@due
def hand_is_not_compared(m: Moment) -> list[Place]:
    """Hands in play that were never held against the own hand."""
    if not m.dealer_done or m.dealer_blackjack:
        return []
    return [
        (spot.number, index)
        for spot in m.table.wagered
        for index, hand in enumerate(spot.hands, 1)
        if is_live(hand) and not any(stack.net for stack in hand.on_hand)
    ]


@due
def floor_has_ruled(m: Moment) -> list[Place]:
    """The floor has said in the notation which act comes; no place when it spoke in other words."""
    return [EVERYWHERE] if ruled_act(m.house, m.table) else []
