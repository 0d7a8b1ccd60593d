"""The page on the notation, from the one table of verbs."""

from __future__ import annotations

from trainer.actions import DECISIONS, FLAGS, KINDS, VERBS, Role
from trainer.reports.pages import table

_TITLES = {Role.DEALER: "What the dealer does", Role.PLAYER: "What players do", Role.FLOOR: "What the floor does"}
_NOTES = {
    Role.DEALER: "Only these are judged.",
    Role.PLAYER: "A player is never the dealer's mistake; what speaks against it falls on the act that accepts it.",
    Role.FLOOR: "The floor may end a stuck round or waive a rule for it.",
}


def notation_page() -> str:
    """Return the page: one row a verb, then the words that forms use."""
    out = [
        "# The notation\n",
        "One line is one act, at the keyboard, in scenarios, in records and in verdicts. What is printed reads back as "
        "the same act. Capitals in a form stand for what the table below says; brackets may be left out.\n",
    ]
    for role in Role:
        out.append(f"## {_TITLES[role]}\n")
        out.append(f"{_NOTES[role]}\n")
        rows = [
            (
                f"`{verb.name}`",
                f"`{verb.form}`",
                verb.meaning,
                f"`{verb.example}`",
                verb.steps or "any",
                verb.case_word or "none",
            )
            for verb in VERBS
            if verb.role is role
        ]
        out.append(table(("Verb", "Form", "Meaning", "Example", "Rows of the machine", "Word of foreign logs"), rows))
    out.append("## The words of a form\n")
    out.append(table(("Word", "Stands for"), _words()))
    return "\n".join(out)


def _words() -> list[tuple[str, ...]]:
    return [
        ("HAND", "a spot from the dealer's left such as `3`, or its second hand after a split, `3b`"),
        ("SPOT", "a spot such as `3`"),
        ("CARD", "rank (2 to 9, T, J, Q, K, A) and suit (s, h, d, c), such as `Td`; `??` when it is not known yet"),
        ("AMOUNT", "dollars with two decimals, such as `22.50`, so that `3` is a spot and `3.00` is money"),
        ("KIND", "the wager meant: " + ", ".join(f"`{kind}`" for kind in KINDS)),
        ("WHAT", "a kind of wager, or a decision: " + ", ".join(f"`{word}`" for word in DECISIONS)),
        ("SIGNAL", "`hit` or `stand`"),
        ("TOTAL", "a total such as `14`"),
        ("WORDS", 'words in quotation marks, such as `"disputed card"`'),
        ("RULE", "the name of a rule; see the [rules](rules/index.md)"),
        ("flags", ", ".join(f"`{flag}`" for flag in FLAGS)),
    ]
