"""Wagers before the deal and the initial deal."""

from __future__ import annotations

from trainer.chips import dollars
from trainer.procedure.guards.registry import fact, guard, time_guard
from trainer.procedure.moment import Moment
from trainer.table import Spot


@fact
def in_the_initial_deal(m: Moment) -> bool:
    return m.in_initial_deal


@fact
def after_the_initial_deal(m: Moment) -> bool:
    return not m.in_initial_deal


@time_guard
def no_card_is_out(m: Moment) -> str | None:
    """Fail for a wager on the running round; chips for the next one on a settled spot are none of it (D-95)."""
    stacks = m.spot.hands[0].stacks
    if any(stacks[kind].settled for kind in ("main", "bust") if kind in stacks) and (m.act.kind or "main") in stacks:
        return None
    return None if m.state == "wagers" else "cards are out already"


@guard
def wager_is_in_its_place(m: Moment) -> str | None:
    return "the wager lies outside its place" if m.act.flag == "outside" else None


@guard
def no_main_and_bust_wager_together(m: Moment) -> str | None:
    stacks = m.spot.hands[0].stacks
    other = "bust" if (m.act.kind or "main") == "main" else "main"
    return f"spot {m.act.spot} has a {other} wager already" if other in stacks else None


@guard
def spot_has_a_wager(m: Moment) -> str | None:
    return None if m.spot.is_wagered else f"nobody wagered on spot {m.act.spot}"


@guard
def spot_is_owed_a_card(m: Moment) -> str | None:
    if m.table.ledger.asked_by(*m.key):
        return None
    if m.in_initial_deal and len(m.hand.cards) >= 2:
        return f"spot {m.act.spot} has its two cards"
    return None


@guard
def player_card_is_face_up(m: Moment) -> str | None:
    return "the card was dealt face down" if m.act.flag == "down" else None


def _in_first_pass(m: Moment) -> bool:
    return any(not spot.hands[0].cards for spot in m.table.wagered)


@guard
def deal_starts_at_the_left(m: Moment) -> str | None:
    wagered = m.table.wagered
    if wagered and not m.table.ledger.first_dealt and m.spot.is_wagered and wagered[0].number != m.act.spot:
        return f"the deal starts at spot {wagered[0].number}"
    return None


@guard
def deal_goes_clockwise(m: Moment) -> str | None:
    """Read as: after a player's card comes the next spot that is owed one, or the same spot's second card."""
    spots, last = m.table.wagered, m.table.ledger.last_dealt
    numbers = [spot.number for spot in spots]
    if not m.spot.is_wagered or last not in numbers or m.act.spot == last:
        return None
    owed = [spot.number for spot in _onward(spots, last) if len(spot.hands[0].cards) < 2]
    if not owed or m.act.spot in (owed[0], *_next_of_the_pass(m)):
        return None
    return f"the next card belongs to spot {owed[0]}"


def _onward(spots: list[Spot], last: int) -> list[Spot]:
    """The wagered spots round the table, from the one after the last that was dealt to."""
    after = next((index for index, spot in enumerate(spots, 1) if spot.number == last), 0)
    return spots[after:] + spots[:after]


def _next_of_the_pass(m: Moment) -> list[int]:
    """The spots that may get the next card of this round of cards.

    A deal begun at a wrong spot, or a spot passed over, has been told once: a round of cards goes on clockwise with those
    that have none of it yet, and the next one begins at the left or where the deal began.
    """
    spots = m.table.wagered
    fewest = min((len(spot.hands[0].cards) for spot in spots), default=2)
    waiting = [spot for spot in spots if len(spot.hands[0].cards) == fewest]
    if fewest >= 2:
        return []
    first = m.table.ledger.first_dealt
    if len(waiting) == len(spots):
        began = next((spot.number for spot in spots if spot.number == first), spots[0].number)
        return [began, spots[0].number]
    return [spot.number for spot in _onward(spots, m.table.ledger.last_dealt) if spot in waiting][:1]


@guard
def one_card_to_each_in_turn(m: Moment) -> str | None:
    spots = m.table.wagered
    if not m.spot.is_wagered or not spots:
        return None
    fewest = min(len(spot.hands[0].cards) for spot in spots)
    if fewest >= 2:
        return None
    expected = _next_of_the_pass(m)
    if len(m.hand.cards) > fewest:
        return f"spot {expected[0]} has no card of this round of cards yet"
    if m.table.ledger.first_dealt and m.act.spot not in expected:
        return f"spot {expected[0]} comes first"
    return None


@guard
def own_first_card_lies_before_second_round(m: Moment) -> str | None:
    if m.in_initial_deal and m.table.wagered and not _in_first_pass(m) and not m.table.dealer.cards:
        return "your own first card comes before the players' second cards"
    return None


@guard
def players_have_a_card_before_own_first(m: Moment) -> str | None:
    if m.table.dealer.cards:
        return None
    waiting = [spot.number for spot in m.table.wagered if not spot.hands[0].cards]
    return f"spot {waiting[0]} has no card yet" if waiting else None


@guard
def players_have_two_cards_before_own_second(m: Moment) -> str | None:
    if not m.table.dealer.cards:
        return None
    waiting = [spot.number for spot in m.table.wagered if len(spot.hands[0].cards) < 2]
    return f"spot {waiting[0]} has no second card yet" if waiting else None


@guard
def own_card_up_is_the_only_one(m: Moment) -> str | None:
    return "you have a card face up already" if m.table.dealer.up is not None else None


@guard
def own_card_down_is_the_only_one(m: Moment) -> str | None:
    return "you have a card face down already" if m.table.dealer.has_hole else None


@guard
def up_card_lies_before_the_hole_card(m: Moment) -> str | None:
    return "your first card lies face down" if m.table.dealer.up is None else None


def _of_one_player(m: Moment) -> list[list[Spot]]:
    players: dict[str, list[Spot]] = {}
    for spot in m.table.wagered:
        players.setdefault(spot.player, []).append(spot)
    return [spots for spots in players.values() if len(spots) > 1]


def _multiple(count: int) -> int:
    return 2 if count == 2 else 5


def _short_together(m: Moment, count_is: int) -> str | None:
    if m.table.ledger.first_dealt or m.table.dealer.cards:
        return None
    for spots in _of_one_player(m):
        count = min(len(spots), 3)
        least = _multiple(count) * m.options.minimum
        staked = sum(spot.original for spot in spots)
        if count == count_is and staked < least:
            return (
                f"the {len(spots)} spots of one player carry {dollars(staked)} together; {dollars(least)} is the least"
            )
    return None


@guard
def two_spots_carry_twice_the_minimum(m: Moment) -> str | None:
    return _short_together(m, 2)


@guard
def three_spots_carry_five_times_the_minimum(m: Moment) -> str | None:
    return _short_together(m, 3)


def each_spot_short(m: Moment) -> str | None:
    """Say which spot of a player with several carries less than the multiple on its own."""
    for spots in _of_one_player(m):
        least = _multiple(len(spots)) * m.options.minimum
        for spot in spots:
            if spot.original < least:
                return f"spot {spot.number} carries {dollars(spot.original)}; {dollars(least)} on each spot is usual"
    return None


@guard
def each_spot_carries_the_multiple(m: Moment) -> str | None:
    if m.table.ledger.first_dealt or m.table.dealer.cards:
        return None
    return each_spot_short(m)


@guard
def table_is_dealable(m: Moment) -> str | None:
    return None if m.table.wagered else "nobody has wagered"
