"""Two houses side by side as a paper."""

from __future__ import annotations

from trainer.compliance.compare import Comparison, Difference, Side
from trainer.procedure.model import House
from trainer.reports import paper
from trainer.reports.paper import Block, Paper


def comparison_paper(found: Comparison) -> Paper:
    """Return what a dealer who moves from the first house to the second has to unlearn."""
    one, two = found.first, found.second
    with_round = [each for each in (*found.settings, *found.demanded) if each.round]
    intro = (
        f"For a dealer who moves from {one.title} (version {one.version}) to {two.title} (version {two.version}): "
        f"{len(found.settings)} settings or prices differ, {two.title} documents {len(found.demanded)} rules that "
        f"{one.title} does not, and {one.title} documents {len(found.dropped)} that {two.title} does not. "
        f"{len(with_round)} differences have a round that is right at {one.title} and wrong at {two.title}."
    )
    heads = ("Matter", one.title, two.title, "Round right in the first, wrong in the second")
    blocks = [
        Block("Settings and prices that differ", heads, [_row(found, each) for each in found.settings]),
        Block(f"Asked for at {two.title} only", heads, [_row(found, each) for each in found.demanded]),
        Block(f"Asked for at {one.title} only", heads[:3], [_row(found, each)[:3] for each in found.dropped],
              (f"{two.title} documents none of these, so no act can be wrong by them there.",)),
    ]  # fmt: skip
    return Paper(f"From {one.title} to {two.title}", intro, blocks, f"{one.title} to {two.title}")


def _row(found: Comparison, each: Difference) -> tuple[str, ...]:
    what = f"{each.id}: {each.what}"
    if each.round and each.path:
        last = f"{each.round.acts} acts: {'/'.join(each.path.parts[-3:])}"
        others = [rule for rule in each.round.rules if rule != each.round.rule]
        if others:
            last += f" (also breaks {', '.join(others)})"
    else:
        last = f"none: {each.reason}"
    return (what, side(found.first, each.first), side(found.second, each.second), last)


def side(house: House, given: Side) -> str:
    """Say what a house has for a matter, with its citations."""
    evidence = given.evidence
    if evidence.memo:
        return f"{given.says} (answered by the house: {evidence.memo})"
    if evidence.cites:
        return f"{given.says} ({', '.join(evidence.cites)})"
    if evidence.default:
        return f"{given.says} ({evidence.default}, {house.defaults[evidence.default].policy})"
    return given.says


def to_markdown(found: Comparison) -> str:
    """Return a comparison as Markdown."""
    return paper.to_markdown(comparison_paper(found))


def to_html(found: Comparison) -> str:
    """Return a comparison as a page."""
    return paper.to_html(comparison_paper(found))
