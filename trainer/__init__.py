"""Blackjack dealing procedure of five houses, drilled and checked at the terminal."""

__version__ = "0.1.0"
