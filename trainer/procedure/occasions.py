"""When guards and dues can speak at all, and which facts hold, told by marks alone, so that most need not be asked.

A guard or due that is not named here is asked every time. Tests hold each line against the guard itself on legal and
illegal walks of every house.
"""

from __future__ import annotations

from dataclasses import dataclass

from trainer.procedure.marks import (
    ABOVE,
    ASKABLE,
    ASKING,
    ASKING_DOUBLE,
    ASKING_SPLIT,
    BEGUN,
    BELOW,
    BESIDE,
    BLACKJACK,
    BROKEN,
    BUST,
    CALLED,
    CARDS,
    DEALER_BLACKJACK,
    DEALER_BUST,
    DEALER_LOW,
    DEALER_OPEN,
    DEALING,
    DECISION,
    DOUBLED,
    EARLIER_OPEN,
    EARLIER_SPLIT_OPEN,
    EARLIER_TO_ASK,
    EQUAL,
    EVEN_MONEY,
    FEW,
    FIRST_DEALT,
    FLAGGED,
    FROM_ACES,
    FROM_SPLIT,
    HOLE,
    INSURED,
    LEVEL,
    LIVE,
    LOOKED,
    LOOKED_BLACKJACK,
    LOOKED_NONE,
    LYING,
    MATCHED,
    MUST_DRAW,
    NO_UP,
    NOBODY,
    ON_BUST,
    OPEN,
    ORIGINAL,
    OTHERS_ASK,
    OWN_CARD,
    PAIR,
    REQUESTS,
    SHORT,
    SIDE,
    SOFT_17,
    SPLIT,
    STACKS,
    STOOD,
    STOPPED,
    SURRENDERED,
    TAKEN,
    TO_ASK,
    TWENTY_ONE,
    TWO,
    UNCALLED,
    UNLIKE,
    UNSETTLED,
    UNTURNED,
    UP_ACE,
    UP_LOW,
    WAGERED,
    WHOLE,
    anywhere,
)

INITIAL = frozenset({"wagers", "dealing"})


@dataclass(frozen=True, slots=True)
class When:
    """Marks that must all be there, none of which may be there, of which one must be; and the states, if any matter."""

    every: int = 0
    none: int = 0
    any: int = 0
    states: frozenset[str] = frozenset()
    but: frozenset[str] = frozenset()

    @property
    def reads(self) -> int:
        return self.every | self.none | self.any

    def is_met(self, marks: int, state: str) -> bool:
        """Tell whether marks and state are such."""
        return (
            marks & self.every == self.every
            and not marks & self.none
            and (not self.any or bool(marks & self.any))
            and (not self.states or state in self.states)
            and state not in self.but
        )


# Facts that hold exactly then.
FACTS: dict[str, When] = {
    "in_the_initial_deal": When(states=INITIAL),
    "after_the_initial_deal": When(but=INITIAL),
    "hand_is_a_blackjack": When(BLACKJACK),
    "hand_is_no_blackjack": When(none=BLACKJACK),
    "look_has_found_none": When(LOOKED_NONE | UNTURNED),
    "hole_card_is_turned": When(none=UNTURNED),
    "hole_card_is_unknown_or_unturned": When(UNTURNED, none=LOOKED_NONE),
    "hand_is_surrendered": When(SURRENDERED),
    "hand_was_not_surrendered": When(none=SURRENDERED),
    "hand_is_past_21": When(BUST),
    "hand_is_not_past_21_now": When(none=BUST),
    "hand_is_ordinary": When(none=BLACKJACK | SURRENDERED),
    "dealer_is_past_21": When(DEALER_BUST, none=UNTURNED),
    "dealer_has_a_blackjack": When(DEALER_BLACKJACK, none=UNTURNED),
    "something_is_wagered": When(STACKS),
    "nothing_is_wagered": When(none=STACKS),
    "split_ace_hand": When(FROM_ACES),
    "no_split_ace_hand": When(none=FROM_ACES),
    "split_hand_waits_for_its_card": When(FROM_SPLIT, none=TWO),
    "double_is_pending": When(any=DOUBLED | ASKING_DOUBLE),
    "no_double_is_pending": When(none=DOUBLED | ASKING_DOUBLE),
    "no_live_hand_needs_the_draw": When(MUST_DRAW, none=anywhere(LIVE)),
    "up_card_is_an_ace": When(UP_ACE),
    "up_card_is_no_ace": When(none=UP_ACE),
    "a_decision_is_refused": When(DECISION),
}
# Facts that can hold then only; whether they do has to be asked.
PERHAPS: dict[str, When] = {
    "even_money_is_taken": When(EVEN_MONEY | BLACKJACK),
    "hand_is_on_the_bust_wager": When(ON_BUST),
    "settlement_is_put_right": When(STACKS, none=LYING),
    "look_has_found_a_blackjack": When(UP_ACE | LOOKED_BLACKJACK),
}
# Facts that hold wherever another one does not.
OPPOSITE: dict[str, str] = {
    "no_even_money_is_taken": "even_money_is_taken",
    "hand_is_not_on_the_bust_wager": "hand_is_on_the_bust_wager",
    "look_has_found_no_blackjack": "look_has_found_a_blackjack",
    "dealer_is_not_past_21_now": "dealer_is_past_21",
    "dealer_has_no_blackjack": "dealer_has_a_blackjack",
    "own_hand_counts_or_is_complete": "no_live_hand_needs_the_draw",
    "split_hand_has_its_cards": "split_hand_waits_for_its_card",
}
GUARDS: dict[str, When] = {
    # wagers and the initial deal
    "no_card_is_out": When(but=frozenset({"wagers"})),
    "wager_is_in_its_place": When(FLAGGED),
    "spot_has_a_wager": When(none=WAGERED),
    "spot_is_owed_a_card": When(TWO, states=INITIAL),
    "player_card_is_face_up": When(FLAGGED),
    "two_spots_carry_twice_the_minimum": When(none=BEGUN),
    "three_spots_carry_five_times_the_minimum": When(none=BEGUN),
    "each_spot_carries_the_multiple": When(none=BEGUN),
    "deal_starts_at_the_left": When(none=FIRST_DEALT),
    "own_first_card_lies_before_second_round": When(none=OWN_CARD, states=INITIAL),
    "own_card_up_is_the_only_one": When(none=NO_UP),
    "own_card_down_is_the_only_one": When(HOLE),
    "up_card_lies_before_the_hole_card": When(NO_UP),
    "players_have_a_card_before_own_first": When(none=OWN_CARD, any=anywhere(DEALING)),
    "players_have_two_cards_before_own_second": When(OWN_CARD, any=anywhere(DEALING | SPLIT)),
    "table_is_dealable": When(NOBODY),
    # the players' turn
    "player_is_in_turn": When(any=EARLIER_OPEN | OTHERS_ASK),
    "split_hand_is_in_turn": When(SPLIT | TWO, any=EARLIER_SPLIT_OPEN | OTHERS_ASK),
    "hand_makes_its_own_decisions": When(ON_BUST),
    "hand_is_still_to_be_asked": When(none=ASKABLE),
    "hand_has_two_cards": When(none=PAIR),
    "hand_has_no_third_card": When(TWO, none=PAIR),
    "total_is_not_21": When(TWENTY_ONE),
    "doubling_is_not_on_a_blackjack": When(BLACKJACK),
    "split_hand_may_be_doubled": When(FROM_SPLIT),
    "doubling_is_not_on_a_split_ace": When(FROM_ACES),
    "double_is_not_above_the_wager": When(none=MATCHED),
    "double_is_not_below_the_wager": When(none=MATCHED),
    "split_wager_is_equal": When(none=ORIGINAL),
    "cards_are_of_equal_value": When(UNLIKE),
    "aces_are_not_split_again": When(FROM_ACES),
    "hands_of_aces_are_below_the_limit": When(FROM_ACES),
    "surrendered_hand_is_no_blackjack": When(BLACKJACK),
    "signal_is_given_by_hand": When(FLAGGED),
    # a further card
    "hand_has_not_stood": When(STOOD),
    "hand_is_not_past_21": When(BUST),
    "hand_is_no_paid_out_blackjack": When(BLACKJACK),
    "doubled_hand_has_no_card_yet": When(DOUBLED),
    "split_ace_has_no_card_yet": When(FROM_ACES | TWO, none=ASKING_SPLIT),
    "hand_is_not_surrendered": When(SURRENDERED),
    "split_asked_for_is_carried_out": When(ASKING_SPLIT),
    "hand_asked_for_a_card": When(none=ASKING),
    "one_card_for_one_hit": When(none=ASKING),
    "further_card_follows_a_signal": When(none=ASKING),
    "split_bet_is_down": When(none=ASKING_SPLIT),
    "player_asked_to_split": When(none=ASKING_SPLIT),
    "hand_is_drawn_by_the_house_way": When(ON_BUST),
    # the dealer's hand
    "every_hand_is_finished": When(any=anywhere(OPEN) | REQUESTS),
    "every_hand_is_finished_under_ace_or_ten": When(none=UP_LOW, any=anywhere(OPEN) | REQUESTS),
    "every_hand_is_finished_under_low_card": When(UP_LOW, any=anywhere(OPEN) | REQUESTS),
    "hole_is_turned_before_drawing": When(any=UNTURNED | FEW),
    "hole_is_turned_before_stopping": When(UNTURNED),
    "dealer_has_no_blackjack_to_play_on": When(DEALER_BLACKJACK),
    "dealer_has_not_reached_17": When(none=UNTURNED | DEALER_LOW),
    "dealer_has_no_standing_soft_17": When(SOFT_17, none=UNTURNED),
    "soft_17_is_not_left_standing": When(SOFT_17),
    "dealer_has_no_soft_18_or_more": When(none=UNTURNED | DEALER_LOW | DEALER_BLACKJACK),
    "own_hand_is_still_open": When(STOPPED),
    "dealer_total_is_past_16": When(DEALER_LOW | anywhere(LIVE), none=UNTURNED),
    "drawing_has_not_stopped": When(STOPPED),
    "hole_card_is_still_unseen": When(LOOKED),
    # settling
    "wager_was_laid": When(none=STACKS),
    "wager_is_open": When(STACKS, none=LYING),
    "insurance_is_reckoned_apart": When(INSURED),
    "paid_hand_is_not_past_21": When(BUST),
    "hole_is_turned_before_settling": When(UNTURNED | LIVE),
    "hole_is_turned_under_ace_or_ten": When(UNTURNED | LIVE, none=UP_LOW),
    "hole_is_turned_under_low_card": When(UNTURNED | LIVE | UP_LOW),
    "hand_does_not_equal_the_dealer": When(EQUAL, none=UNTURNED | BUST | BLACKJACK | DEALER_BLACKJACK),
    "hand_is_not_below_the_dealer": When(BELOW, none=UNTURNED | BUST | BLACKJACK | DEALER_BLACKJACK | DEALER_BUST),
    "hand_is_not_above_the_dealer": When(ABOVE, none=UNTURNED | BUST | BLACKJACK | DEALER_BLACKJACK | DEALER_BUST),
    "dealer_has_not_gone_past_21": When(DEALER_BUST, none=UNTURNED | BUST | BLACKJACK),
    "dealer_blackjack_does_not_beat_it": When(DEALER_BLACKJACK, none=UNTURNED | BLACKJACK | BUST),
    "split_ace_21_ranks_as_21": When(FROM_ACES | PAIR | TWENTY_ONE),
    "split_ten_21_ranks_as_21": When(FROM_SPLIT | PAIR | TWENTY_ONE, none=FROM_ACES),
    "split_ace_gets_no_blackjack_price": When(FROM_ACES | PAIR | TWENTY_ONE),
    "split_ten_gets_no_blackjack_price": When(FROM_SPLIT | PAIR | TWENTY_ONE, none=FROM_ACES),
    "win_is_paid_one_to_one": When(LYING, none=BLACKJACK | LEVEL),
    "wager_is_decided": When(LYING, any=DEALER_OPEN | ON_BUST | BESIDE),
    "taken_hand_is_past_21": When(UNTURNED, none=STOOD | BUST | SURRENDERED | BLACKJACK | ON_BUST),
    "lost_wager_is_taken_whole": When(LYING, none=SURRENDERED | WHOLE),
    "original_wager_is_taken_whole": When(DEALER_BLACKJACK | LYING, none=UNTURNED | BLACKJACK | SURRENDERED),
    "original_wager_is_the_first_hands": When(DEALER_BLACKJACK | LYING, none=UNTURNED | SURRENDERED),
    "split_money_is_not_taken": When(DEALER_BLACKJACK | LYING, none=UNTURNED | BUST | SURRENDERED),
    "double_money_is_not_taken": When(DEALER_BLACKJACK | LYING, none=UNTURNED | BUST | SURRENDERED),
    "even_money_taken_is_paid": When(LYING | BLACKJACK | EVEN_MONEY),
    "blackjack_is_not_taken": When(BLACKJACK),
    "dealer_has_a_blackjack_too": When(BLACKJACK),
    "dealer_has_no_blackjack_against_a_blackjack": When(BLACKJACK | DEALER_BLACKJACK, none=UNTURNED),
    "early_blackjack_was_called_first": When(UP_LOW | BLACKJACK),
    "late_blackjack_was_called_first": When(BLACKJACK, none=UP_LOW),
    "blackjack_is_ready_to_be_settled": When(BLACKJACK | UNTURNED, none=UP_LOW | LOOKED),
    "waiting_blackjack_follows_the_hole_card": When(BLACKJACK | UNTURNED, none=UP_LOW),
    "waiting_blackjack_cards_stay": When(BLACKJACK | UNTURNED, none=UP_LOW),
    "price_is_the_blackjack_price": When(LYING | BLACKJACK),
    "blackjack_is_seen_in_its_price": When(LYING | BLACKJACK, none=EVEN_MONEY),
    "surrender_is_settled_after_the_hole_card": When(SURRENDERED | UNTURNED, none=UP_LOW),
    "half_of_the_surrendered_wager_moves": When(SURRENDERED),
    "surrendered_half_moves_once": When(SURRENDERED | LYING),
    "whole_surrendered_wager_is_taken": When(SURRENDERED | DEALER_BLACKJACK, none=UP_LOW | UNTURNED),
    "surrendered_hand_is_not_paid": When(SURRENDERED),
    "a_hand_in_play_stands_behind_it": When(SURRENDERED),
    "broken_hand_gets_nothing_back": When(BUST | LYING),
    # clearing
    "wager_is_settled_before_its_cards_go": When(UNSETTLED),
    "every_wager_is_settled": When(any=anywhere(UNSETTLED | SIDE)),
    "all_wagers_are_settled_before_cards_go": When(any=anywhere(UNSETTLED | SIDE)),
    "player_hands_are_cleared": When(any=anywhere(CARDS)),
}
DUES: dict[str, When] = {
    "losing_pairs_wager_lies": When(any=anywhere(SIDE), none=anywhere(SHORT)),
    "winning_pairs_wager_lies": When(any=anywhere(SIDE), none=anywhere(SHORT)),
    "early_blackjack_is_not_called": When(UP_LOW | anywhere(BLACKJACK)),
    "early_blackjack_is_not_paid": When(UP_LOW | anywhere(BLACKJACK)),
    "early_blackjack_is_not_cleared": When(UP_LOW | anywhere(BLACKJACK)),
    "bust_wager_blackjack_is_not_called": When(anywhere(BLACKJACK | ON_BUST)),
    "late_blackjack_is_not_called": When(anywhere(BLACKJACK), none=UP_LOW),
    "insurance_is_not_called": When(UP_ACE | UNTURNED, none=CALLED),
    "players_have_not_chosen": When(UP_ACE | UNTURNED, none=CALLED | LOOKED),
    "hole_card_is_not_looked_at": When(UP_ACE | UNTURNED, none=LOOKED),
    "found_blackjack_is_not_turned": When(UP_ACE | LOOKED_BLACKJACK | UNTURNED),
    "lost_insurance_lies": When(UP_ACE | LOOKED_NONE | anywhere(SIDE)),
    "spot_lacks_a_card": When(anywhere(SHORT)),
    "own_up_card_is_missing": When(NO_UP, none=NOBODY),
    "own_hole_card_is_missing": When(FEW, none=HOLE | NOBODY),
    "player_is_not_asked": When(anywhere(TO_ASK)),
    "player_has_not_chosen": When(any=anywhere(OPEN) | REQUESTS),
    "split_ace_lacks_its_card": When(anywhere(FROM_ACES)),
    "doubled_hand_lacks_its_card": When(REQUESTS),
    "hit_is_not_served": When(REQUESTS),
    "split_is_not_carried_out": When(REQUESTS),
    "bust_wager_hand_is_not_drawn": When(anywhere(ON_BUST)),
    "first_total_is_not_called": When(anywhere(UNCALLED), any=anywhere(STOOD | SURRENDERED) | REQUESTS),
    "later_total_is_not_called": When(anywhere(UNCALLED), any=anywhere(STOOD | SURRENDERED) | REQUESTS),
    "bust_hand_lies": When(anywhere(BROKEN)),
    "losers_cards_lie": When(anywhere(TAKEN), none=UNTURNED),
    "surrendered_wager_is_not_laid": When(anywhere(SURRENDERED) | UNTURNED, none=UP_LOW),
    "insurance_of_a_surrendered_hand_is_left": When(anywhere(SURRENDERED | SIDE)),
    "hand_is_not_compared": When(anywhere(LIVE), none=DEALER_OPEN | DEALER_BLACKJACK),
    "a_wager_is_not_settled": When(any=anywhere(UNSETTLED | SIDE)),
}
# Blocks that hold up no act of the verb then: a card of the initial deal acts on no hand, a settled hand is not settled.
_FIRST_CARDS = When(none=TWO, states=INITIAL)
FREE: dict[tuple[str, str], tuple[When, ...]] = {
    **{
        (block, "deal"): (_FIRST_CARDS,)
        for block in (
            "acting_on_any_hand",
            "any_third_card",
            "a_card_to_that_hand",
            "passing_it_over",
            "going_on_with_others",
            "acting_on_another_hand",
            "going_past_that_hand",
            "going_past_that_pair",
            "going_on_past_the_spot",
            "carrying_out_its_decision",
        )
    },
    **{("settling_that_hand", verb): (When(none=LIVE), When(BESIDE)) for verb in ("pay", "take", "push")},
}
# What a hand itself waits for holds up no act on that hand or an earlier one.
OF_OTHERS: dict[tuple[str, str], When] = {
    ("doubled_hand_lacks_its_card", "going_past_that_hand"): When(none=OTHERS_ASK),
    ("hit_is_not_served", "going_past_that_hand"): When(none=OTHERS_ASK),
    ("split_is_not_carried_out", "going_past_that_pair"): When(none=OTHERS_ASK),
    ("player_is_not_asked", "passing_it_over"): When(none=EARLIER_TO_ASK),
}
ON_A_HAND = ("deal", "ask", "separate", "lay")
