"""Side wagers of a house's own games: taking them before the deal, settling them by their pay table."""

from __future__ import annotations

from trainer.chips import dollars
from trainer.procedure.guards.registry import guard, house_guard, time_guard
from trainer.procedure.moment import Moment
from trainer.procedure.sides import left_to_a_reading, side_due, side_wager
from trainer.table import Spot, Stack


def _kind(m: Moment) -> str:
    return m.act.kind or m.act.what


@house_guard
def house_has_side_wagers(m: Moment) -> str | None:
    return None if m.house.games else "this house takes no side wagers"


@house_guard
def table_has_this_game(m: Moment) -> str | None:
    wager = side_wager(m.position, _kind(m))
    if not m.house.games:
        return None
    if wager is None or wager.game not in m.options.games:
        return f"this table does not have the {_kind(m)} wager"
    return None


@house_guard
def table_has_bust_wagers(m: Moment) -> str | None:
    if not m.house.games or "fortune-teller" in m.options.games or "bust-wager-odds" not in m.house.settings:
        return None
    return "this table does not have the bust wager"


@house_guard
def sign_does_not_rule_it_out(m: Moment) -> str | None:
    """A variation that the table's sign says is off is not dealt; without a word on it nothing is known."""
    what = m.act.verb if m.act.verb != "wager" else _kind(m)
    wager = side_wager(m.position, what)
    if any(m.options.variation(name) is False for name in (what, wager.game if wager else what)):
        return f"the sign at this table says that {what} is off"
    return None


@guard
def main_wager_is_down(m: Moment) -> str | None:
    return None if m.spot.is_wagered else f"spot {m.act.spot} has no main wager"


def _staked(m: Moment) -> int:
    stack = m.spot.side.get(m.act.kind)
    return (m.act.amount or 0) + (stack.amount if stack and not stack.settled else 0)


@guard
def side_wager_is_within_its_limits(m: Moment) -> str | None:
    wager = side_wager(m.position, m.act.kind)
    if wager and wager.most and not wager.least <= _staked(m) <= wager.most:
        return f"{dollars(wager.least)} to {dollars(wager.most)} is taken, {dollars(_staked(m))} was put down"
    return None


@guard
def side_wager_is_at_most_the_main_wager(m: Moment) -> str | None:
    wager = side_wager(m.position, m.act.kind)
    if wager and wager.at_most_main and m.spot.is_wagered and _staked(m) > m.spot.original:
        return f"{dollars(m.spot.original)} is the main wager, {dollars(_staked(m))} was put down"
    return None


def _group(m: Moment, kind: str) -> str:
    for number, group in enumerate(m.options.colour_groups):
        if kind in group:
            return f"group {number}"
    wager = side_wager(m.position, kind)
    return wager.group if wager else ""


def _same_group(m: Moment) -> str | None:
    wager = side_wager(m.position, m.act.kind)
    group = _group(m, m.act.kind)
    if wager is None or not group:
        return None
    for kind, stack in m.spot.side.items():
        if kind != m.act.kind and stack.lies and _group(m, kind) == group:
            return f"{kind} and {m.act.kind} are of one colour group"
    return None


@guard
def one_wager_per_given_colour_group(m: Moment) -> str | None:
    return _same_group(m) if m.options.colour_groups else None


@guard
def one_wager_per_usual_colour_group(m: Moment) -> str | None:
    return None if m.options.colour_groups else _same_group(m)


@guard
def player_is_on_two_spots_at_most(m: Moment) -> str | None:
    if "fortune-teller" not in m.options.games:
        return None
    mine = [spot for spot in m.table.wagered if spot.player == m.spot.player]
    others = [spot for spot in mine if spot.number != m.act.spot]
    if len(others) >= 2:
        return f"{m.spot.player} is on spots {', '.join(str(spot.number) for spot in others)} already"
    return None


# -- settling ---------------------------------------------------------------------------------------------------


def _stack(m: Moment) -> Stack | None:
    lying = m.lying
    return lying[0] if lying else None


@time_guard
def every_spot_has_two_cards(m: Moment) -> str | None:
    wager = side_wager(m.position, m.act.kind)
    if wager is None or wager.settles != "first two cards":
        return None
    waiting = [spot.number for spot in m.table.wagered if len(spot.first_two) < 2]
    return f"spot {waiting[0]} has no two cards yet" if waiting else None


@time_guard
def side_wager_is_decided(m: Moment) -> str | None:
    stack = _stack(m)
    if stack and side_due(m.position, m.spot, stack) is None:
        return f"the {m.act.kind} wager of spot {m.act.spot} is not decided yet"
    return None


def _wins(m: Moment) -> bool | None:
    """Whether the wager has won; None where none lies, unless one that was taken is paid."""
    taken = [stack for stack in m.stacks if m.act.verb == "pay" and stack.settled and stack.net < 0]
    stack = _stack(m) or (taken[0] if taken else None)
    if stack is None:
        return None
    found = side_due(m.position, m.spot, stack)
    reading = left_to_a_reading(m.position, m.spot, m.act.kind)
    if found is None or found.void or (reading and (reading != "D-71" or m.act.verb != "pay")):
        return None
    return found.odds is not None


def _against(m: Moment, reading: str) -> bool:
    """Whether an act takes or gives back a lying wager that goes by a reading of ours."""
    return _stack(m) is not None and left_to_a_reading(m.position, m.spot, m.act.kind) == reading


@guard
def blackjack_is_paid_as_a_21(m: Moment) -> str | None:
    return "a blackjack counts as the number 21" if _against(m, "D-70") else None


@guard
def excluded_tie_is_taken(m: Moment) -> str | None:
    return "a tie wager on a blackjack or bust wager hand is taken" if _against(m, "D-71") else None


def _two_ranks_of_ten(m: Moment) -> bool:
    two = m.spot.first_two
    return len(two) == 2 and two[0].rank != two[1].rank and two[0].is_ten and two[1].is_ten


def _family(m: Moment) -> str:
    wager = side_wager(m.position, m.act.kind)
    return wager.family if wager else ""


@guard
def side_wager_has_won(m: Moment) -> str | None:
    if _wins(m) is False and not (_family(m) == "pairs" and _two_ranks_of_ten(m)):
        return f"the {m.act.kind} wager of spot {m.act.spot} has lost"
    return None


@guard
def tens_of_two_ranks_are_no_pair(m: Moment) -> str | None:
    if _wins(m) is False and _family(m) == "pairs" and _two_ranks_of_ten(m):
        return "two ten-value cards of different rank are no pair"
    return None


@guard
def side_wager_has_lost(m: Moment) -> str | None:
    return f"the {m.act.kind} wager of spot {m.act.spot} wins" if _wins(m) else None


@guard
def side_price_is_right(m: Moment) -> str | None:
    stack = _stack(m)
    if stack is None:
        return None
    found = side_due(m.position, m.spot, stack)
    if found is None or found.odds is None:
        return None
    owed = found.odds.on(stack.staked)
    if m.act.amount == owed:
        return None
    return f"a {found.outcome} pays {found.odds}: {dollars(owed)} is due, {dollars(m.act.amount or 0)} was paid"


@guard
def side_wager_is_taken_whole(m: Moment) -> str | None:
    stack = _stack(m)
    if stack and _wins(m) is False and m.act.amount != stack.amount:
        return f"{dollars(stack.amount)} lies there, {dollars(m.act.amount or 0)} was taken"
    return None


@guard
def lost_side_wager_is_not_given_back(m: Moment) -> str | None:
    stack = _stack(m)
    if stack and _wins(m) is False and not stack.void:
        return f"the {m.act.kind} wager of spot {m.act.spot} has lost; it is not given back"
    return None


@guard
def won_side_wager_is_not_given_back(m: Moment) -> str | None:
    stack = _stack(m)
    if stack and _wins(m) and not stack.void:
        return f"the {m.act.kind} wager of spot {m.act.spot} wins; it is paid"
    return None


@time_guard
def losers_are_taken_first(m: Moment) -> str | None:
    wager = side_wager(m.position, m.act.kind)
    if wager is None or not wager.losers_first:
        return None
    for spot in m.table.wagered:
        stack = spot.side.get(m.act.kind)
        if spot is not m.spot and stack and stack.lies and lost(m, spot, stack):
            return f"the losing {m.act.kind} wager of spot {spot.number} lies there"
    return None


def lost(m: Moment, spot: Spot, stack: Stack) -> bool:
    """Tell whether a side wager is decided and lost."""
    found = side_due(m.position, spot, stack)
    return found is not None and found.odds is None and not found.void


@guard
def pair_is_paid_as_its_kind(m: Moment) -> str | None:
    """Name the kind of the pair when the price of another kind was paid."""
    stack = _stack(m)
    wager = side_wager(m.position, m.act.kind)
    if stack is None or wager is None or wager.family != "pairs" or not side_price_is_right(m):
        return None
    found = side_due(m.position, m.spot, stack)
    for outcome, odds in wager.pays:
        if found and outcome != found.outcome and m.act.amount == odds.on(stack.staked):
            return f"the cards are a {found.outcome}, not a {outcome}"
    return None


@guard
def drawn_21_wins_no_blackjack_prediction(m: Moment) -> str | None:
    if _family(m) != "blackjack" or _wins(m) is not False:
        return None
    hand = m.spot.hands[0]
    return "21 was drawn, not dealt" if hand.total == 21 and len(hand.cards) > 2 else None


@guard
def split_ace_wins_no_blackjack_prediction(m: Moment) -> str | None:
    if _family(m) != "blackjack" or _wins(m) is not False:
        return None
    if any(hand.from_aces and hand.total == 21 for hand in m.spot.hands):
        return "a ten on a split ace makes 21, no blackjack"
    return None


@guard
def tie_excludes_blackjack_and_bust_wagers(m: Moment) -> str | None:
    if _family(m) != "tie" or _wins(m) is not False:
        return None
    hand = m.spot.hands[0]
    if hand.is_blackjack or hand.is_bust_wager or m.dealer_blackjack:
        return "ties exclude blackjacks and bust wagers"
    return None


@guard
def tie_needs_equal_totals(m: Moment) -> str | None:
    if _family(m) != "tie" or _wins(m) is not False or tie_excludes_blackjack_and_bust_wagers(m):
        return None
    return "the totals are not equal between 17 and 21"


@guard
def predicted_total_is_the_hands(m: Moment) -> str | None:
    if _family(m) != "number" or _wins(m) is not False:
        return None
    hand = m.spot.hands[0]
    return f"the final total is {hand.total}"
