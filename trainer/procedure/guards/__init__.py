"""The closed list of guards, facts, duties and blocks that procedures may name. Importing this package fills it."""

from trainer.procedure.guards import (  # noqa: F401
    blackjack,
    blocks,
    dealing,
    decisions,
    duties,
    givenback,
    handcards,
    inplace,
    insurance,
    owncards,
    refusals,
    settlement,
    sidewagers,
    surrender,
    unsettled,
)
from trainer.procedure.guards.registry import BLOCK_VERBS, BLOCKS, DUES, FACTS, GUARDS, RULINGS

__all__ = ["BLOCKS", "BLOCK_VERBS", "DUES", "FACTS", "GUARDS", "RULINGS"]
