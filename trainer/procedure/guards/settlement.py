"""Settling main, split, double and bust wagers against the dealer's hand."""

from __future__ import annotations

from trainer.cards import is_ace_and_ten
from trainer.chips import dollars, most_makeable
from trainer.procedure.guards.registry import fact, guard, repeat_guard, time_guard
from trainer.procedure.moment import Moment, is_live
from trainer.procedure.settle import original_hand, stack_due
from trainer.table import Stack


@fact
def hand_is_past_21(m: Moment) -> bool:
    return m.hand.is_bust


@fact
def hand_is_not_past_21_now(m: Moment) -> bool:
    return not m.hand.is_bust


@fact
def hand_is_ordinary(m: Moment) -> bool:
    hand = m.hand
    return not hand.is_blackjack and not hand.surrendered


@fact
def hand_was_not_surrendered(m: Moment) -> bool:
    return not m.hand.surrendered


@fact
def dealer_is_past_21(m: Moment) -> bool:
    return m.hole_turned and m.table.dealer.is_bust


@fact
def dealer_is_not_past_21_now(m: Moment) -> bool:
    return not dealer_is_past_21(m)


@fact
def dealer_has_a_blackjack(m: Moment) -> bool:
    return m.hole_turned and m.dealer_blackjack


@fact
def dealer_has_no_blackjack(m: Moment) -> bool:
    return not dealer_has_a_blackjack(m)


@fact
def something_is_wagered(m: Moment) -> bool:
    return bool(m.stacks)


def bust_money(m: Moment) -> bool:
    return any(stack.kind == "bust" and not stack.void for stack in m.lying)


@guard
def paid_hand_is_not_past_21(m: Moment) -> str | None:
    if not m.hand.is_bust or bust_money(m) or may_go_back_broken(m):
        return None
    return f"{m.act.where} is past 21 and has lost"


@time_guard
def hole_is_turned_before_settling(m: Moment) -> str | None:
    if m.hole_turned or not is_live(m.hand) or _is_taken_as_a_bust(m):
        return None
    return "the hole card lies face down"


def _is_taken_as_a_bust(m: Moment) -> bool:
    """Whether a hand that has drawn and not stood is taken: its total was misread, nothing is being compared."""
    return m.act.verb == "take" and len(m.hand.cards) > 2 and not m.hand.stood


@time_guard
def hole_is_turned_under_ace_or_ten(m: Moment) -> str | None:
    return None if m.up_is_low else hole_is_turned_before_settling(m)


@time_guard
def hole_is_turned_under_low_card(m: Moment) -> str | None:
    return hole_is_turned_before_settling(m) if m.up_is_low else None


def _comparable(m: Moment) -> bool:
    return (
        bool(m.stacks) and m.hole_turned and not m.hand.is_bust and not m.hand.is_blackjack and not m.dealer_blackjack
    )


@guard
def hand_does_not_equal_the_dealer(m: Moment) -> str | None:
    if m.act.verb == "pay" and split_21(m) and len(m.table.dealer.cards) > 2:
        return None
    if _comparable(m) and m.hand.total == m.table.dealer.total:
        return f"both have {m.hand.total}: a push"
    return None


@guard
def hand_is_not_below_the_dealer(m: Moment) -> str | None:
    dealer = m.table.dealer
    if _comparable(m) and not dealer.is_bust and m.hand.total < dealer.total:
        return f"{m.hand.total} loses to {dealer.total}"
    return None


@guard
def hand_is_not_above_the_dealer(m: Moment) -> str | None:
    dealer = m.table.dealer
    if _comparable(m) and not dealer.is_bust and m.hand.total > dealer.total:
        return f"{m.hand.total} beats {dealer.total}"
    return None


@guard
def dealer_has_not_gone_past_21(m: Moment) -> str | None:
    dealer = m.table.dealer
    if _comparable(m) and dealer.is_bust:
        return f"the dealer has {dealer.total}: {m.act.where} wins"
    return None


@guard
def dealer_blackjack_does_not_beat_it(m: Moment) -> str | None:
    if m.act.verb == "push" and (split_21(m) or _all_goes_back(m)):
        return None
    if m.stacks and m.hole_turned and m.dealer_blackjack and not m.hand.is_blackjack and not m.hand.is_bust:
        return "the dealer has a blackjack"
    return None


def _all_goes_back(m: Moment) -> bool:
    return bool(m.lying) and all(stack_due(m.position, m.spot, m.hand, one).do == "return" for one in m.lying)


def split_21(m: Moment) -> bool:
    """Whether the hand is an ace and a ten-value card after a split."""
    return m.hand.from_split and is_ace_and_ten(m.hand.cards)


def _ranked_as_blackjack(m: Moment) -> str | None:
    """Say why an act treats a split hand's 21 as if it were better than another 21."""
    if not split_21(m) or not m.hole_turned:
        return None
    if m.act.verb == "pay" and m.table.dealer.total == 21 and not m.dealer_blackjack:
        return "both have 21: a push"
    if m.act.verb == "pay" or not m.dealer_blackjack or not m.lying:
        return None
    if m.act.verb == "return" and original_wager_is_the_first_hands(m):
        return None
    taken = stack_due(m.position, m.spot, m.hand, m.lying[0]).do == "take"
    return "the dealer has a blackjack, the split hand has 21" if taken else None


@guard
def split_ace_21_ranks_as_21(m: Moment) -> str | None:
    return _ranked_as_blackjack(m) if m.hand.from_aces else None


@guard
def split_ten_21_ranks_as_21(m: Moment) -> str | None:
    return None if m.hand.from_aces else _ranked_as_blackjack(m)


def _split_price(m: Moment) -> bool:
    """Whether a split hand of ace and ten was paid the blackjack price."""
    from trainer.procedure.settle import blackjack_odds

    hand = m.hand
    if not (hand.from_split and len(hand.cards) == 2 and hand.total == 21):
        return False
    return m.act.amount == sum(blackjack_odds(m.house).on(stack.staked) for stack in m.lying)


@guard
def split_ace_gets_no_blackjack_price(m: Moment) -> str | None:
    return "a ten on a split ace pays 1:1" if _split_price(m) and m.hand.from_aces else None


@guard
def split_ten_gets_no_blackjack_price(m: Moment) -> str | None:
    return "an ace on a split ten pays 1:1" if _split_price(m) and not m.hand.from_aces else None


def _owed(m: Moment, stacks: list[Stack], what: str) -> int:
    owed = 0
    for stack in stacks:
        found = stack_due(m.position, m.spot, m.hand, stack)
        owed += found.amount if found.do == what else 0
    return owed


def _fits(m: Moment, what: str) -> bool:
    """Whether the amount is what is due on all stacks meant; of a loss the first stack may be taken by itself."""
    amount, lying = m.act.amount or 0, m.lying
    whole = _owed(m, lying, what)
    options = {whole}
    if what == "pay":
        options.add(most_makeable(whole, m.options.chips))
    elif not m.act.kind:
        options.add(_owed(m, lying[:1], what))
    return amount in options


@guard
def win_is_paid_one_to_one(m: Moment) -> str | None:
    if not m.lying or _split_price(m) or m.hand.is_blackjack:
        return None
    staked = sum(stack.staked for stack in m.lying)
    if m.act.amount == staked:
        return None
    return f"a win pays 1:1: {dollars(staked)} is due, {dollars(m.act.amount or 0)} was paid"


@guard
def taken_hand_is_past_21(m: Moment) -> str | None:
    """Fail when a hand that is not past 21 is taken before the dealer's hand is turned."""
    if (
        m.hand.stood
        or m.hole_turned
        or m.hand.is_bust
        or m.hand.surrendered
        or m.hand.is_blackjack
        or m.hand.is_bust_wager
    ):
        return None
    return f"{m.act.where} has {m.hand.total}"


@guard
def lost_wager_is_taken_whole(m: Moment) -> str | None:
    lying = sum(stack.amount for stack in m.lying)
    if not m.lying or m.hand.surrendered or dealer_has_a_blackjack(m):
        return None
    first = m.lying[0].amount
    if m.act.amount in ((lying,) if m.act.kind else (lying, first)):
        return None
    return f"{dollars(lying)} is lost, {dollars(m.act.amount or 0)} was taken"


def _added_taken(m: Moment, kind: str) -> bool:
    """Whether a take goes past the original wager and into split or double money."""
    if m.hand.is_bust or not dealer_has_a_blackjack(m) or m.hand.surrendered:
        return False
    lying = {stack.kind: stack.amount for stack in m.lying}
    if m.act.kind:
        return m.act.kind == kind and kind in lying
    if kind not in lying:
        return False
    before = sum(amount for name, amount in lying.items() if name == "main")
    return (m.act.amount or 0) > before


def _takes_split_money(m: Moment) -> bool:
    return m.house.is_("dealer-blackjack-takes-split-money") == "no" and _added_taken(m, "split")


def _original_is_open(m: Moment) -> bool:
    """Whether a split spot's original wager still lies there, so that another hand's may stand for it (D-88).

    An act that names the kind of the money leaves no doubt which is meant.
    """
    if m.act.kind:
        return False
    first, main = m.spot.hands[0], m.spot.hands[0].stacks.get("main")
    return main is not None and not main.settled and not first.is_bust and original_hand(m.spot) is first


@guard
def original_wager_is_the_first_hands(m: Moment) -> str | None:
    """Fail when the original wager is taken from another hand than the first, or the first one's given back."""
    if not dealer_has_a_blackjack(m) or not m.spot.is_split or not _original_is_open(m):
        return None
    if m.act.verb == "take":
        another = _takes_split_money(m)
    else:
        another = (
            m.hand is m.spot.hands[0] and bool(m.lying) and m.lying[0].kind == "main" and other_split_money_lies(m)
        )
    return "the original wager lies on the first hand of the spot" if another else None


def other_split_money_lies(m: Moment) -> bool:
    """Whether split money lies on another hand of the spot that is not past 21, where the house gives it back."""
    return (
        not m.act.kind
        and m.house.is_("dealer-blackjack-takes-split-money") == "no"
        and any(
            not hand.is_bust and "split" in hand.stacks and not hand.stacks["split"].settled
            for hand in m.spot.hands[1:]
        )
    )


def _takes_the_original_again(m: Moment) -> bool:
    """Whether the first hand's main wager is taken although another hand's was taken in its place."""
    if not dealer_has_a_blackjack(m) or m.house.is_("dealer-blackjack-takes-split-money") == "yes" or not m.lying:
        return False
    return m.lying[0].kind == "main" and original_hand(m.spot) is not m.hand


@guard
def split_money_is_not_taken(m: Moment) -> str | None:
    if _takes_the_original_again(m):
        return "the original wager was taken from another hand of the spot; no more is lost to a dealer blackjack"
    if _takes_split_money(m) and not _original_is_open(m) and m.hand is not original_hand(m.spot):
        return "only the original wager is lost to a dealer blackjack; the split money goes back"
    return None


@guard
def double_money_is_not_taken(m: Moment) -> str | None:
    if m.house.is_("dealer-blackjack-takes-double-money") == "no" and _added_taken(m, "double"):
        return "only the original wager is lost to a dealer blackjack; the double money goes back"
    return None


@guard
def original_wager_is_taken_whole(m: Moment) -> str | None:
    if not dealer_has_a_blackjack(m) or m.hand.is_blackjack or m.hand.surrendered or not m.lying:
        return None
    lying, moved = sum(stack.amount for stack in m.lying), m.act.amount or 0
    owed = min(_owed(m, m.lying, "take"), lying)
    if moved > lying or (moved < owed and not _fits(m, "take")):
        return f"{dollars(owed)} is lost, {dollars(moved)} was taken"
    return None


@guard
def even_money_taken_is_paid(m: Moment) -> str | None:
    """Fail for pushing, taking or giving back a blackjack that has taken even money."""
    if m.lying and m.hand.is_blackjack and m.hand.even_money and m.house.is_("even-money") == "under an ace":
        return f"{m.act.where} has taken even money"
    return None


@guard
def wager_was_laid(m: Moment) -> str | None:
    return None if m.stacks else f"no such wager was laid at {m.act.where}"


@repeat_guard
def wager_is_open(m: Moment) -> str | None:
    """Fail when all that was wagered there is settled already."""
    if not m.stacks or m.lying or is_correction(m) or _is_shown_as_a_push(m):
        return None
    return f"nothing of {m.act.where} is left to settle"


def _is_shown_as_a_push(m: Moment) -> bool:
    """Tell whether a push shows what was put right before: nothing was won or lost, and nothing moves."""
    hand = m.hand
    if m.act.verb != "push" or hand.pushed or hand.cleared or any(stack.net for stack in m.stacks):
        return False
    return all(stack_due(m.position, m.spot, hand, stack).do == "push" for stack in m.stacks)


def is_correction(m: Moment) -> bool:
    """Tell whether an act puts an earlier wrong amount right.

    It pays or gives back exactly what is short, takes exactly what is over, or moves the whole wrong amount back first.
    """
    stacks = m.stacks
    if m.act.verb not in ("pay", "take", "return") or not stacks or not all(stack.settled for stack in stacks):
        return False
    due = [stack_due(m.position, m.spot, m.hand, stack) for stack in stacks]
    if any(one.do == "wait" for one in due):
        return False
    moved = sum(stack.net for stack in stacks)
    missing = sum(one.net for one in due) - moved
    amount = m.act.amount or 0
    if m.act.verb == "return" and (moved >= 0 or any(one.do == "half" for one in due)):
        return False
    if m.act.verb in ("pay", "return"):
        return missing > 0 and amount in (missing, -moved)
    return missing != 0 and amount > 0 and amount in (-missing, moved)


@fact
def settlement_is_put_right(m: Moment) -> bool:
    return is_correction(m)


@fact
def nothing_is_wagered(m: Moment) -> bool:
    return not m.stacks


@guard
def blackjack_is_not_taken(m: Moment) -> str | None:
    if m.hand.is_blackjack and (not m.hole_turned or m.dealer_blackjack):
        return f"spot {m.act.spot} has a blackjack: it loses to nothing"
    return None


@guard
def insurance_is_reckoned_apart(m: Moment) -> str | None:
    """Fail when the amount is the hand's and the insurance's in one, added or set off."""
    insurance = m.spot.side.get("insurance")
    if insurance is None or insurance.settled or m.act.kind == "insurance":
        return None
    own = sum(stack_due(m.position, m.spot, m.hand, stack).net for stack in m.lying)
    other = stack_due(m.position, m.spot, m.hand, insurance).net
    moved = (m.act.amount or 0) if m.act.verb == "pay" else -(m.act.amount or 0)
    if other and moved and moved == own + other:
        return f"the insurance of spot {m.act.spot} is reckoned into it"
    return None


def may_go_back_broken(m: Moment) -> bool:
    """Whether the house's own words give added money back on a dealer blackjack, the hand broken or not (D-45)."""
    if not (m.hand.is_bust and dealer_has_a_blackjack(m) and m.act.verb == "return" and m.lying):
        return False
    setting = m.house.settings.get(f"dealer-blackjack-takes-{m.lying[0].kind}-money")
    return setting is not None and setting.value == "no" and setting.evidence.is_documented
