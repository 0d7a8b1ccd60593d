"""Practised sets of rounds: themes, the search for rounds that exercise them, progress, and what came out."""
