"""The owner's questions as a paper."""

from __future__ import annotations

from pathlib import Path

from trainer.compliance.register import Question
from trainer.procedure.model import House
from trainer.reports import paper
from trainer.reports.paper import Block, Paper

SHOWN = 6


def register_paper(house: House, questions: list[Question]) -> Paper:
    """Return a house's questions: those to be answered first, then those answered."""
    open_ones = [one for one in questions if one.answer is None]
    answered = [one for one in questions if one.answer is not None]
    silent = sum(one.default.gap.startswith("silent") for one in open_ones)
    intro = (
        f"{len(open_ones)} open questions on {house.document} (version {house.version}, effective {house.effective}): "
        f"{silent} silences, {len(open_ones) - silent} readings of statements that contradict, limit or only imply. "
        f"{len(answered)} are answered. Write an answer into procedures/{house.slug}/answers.yaml; it then judges, and "
        "verdicts name the memo."
    )
    blocks = [_block(one) for one in (*open_ones, *answered)]
    return Paper(f"Questions to the owner: {house.title}", intro, blocks, f"{house.title}, version {house.version}")


def _block(one: Question) -> Block:
    default = one.default
    rows: list[tuple[str, ...]] = [
        ("Question", one.text),
        ("What the document has", default.gap),
        ("Our reading", default.reading),
        ("Why", default.reason),
        ("Policy", f"{default.policy}: {one.effect}"),
    ]
    for name, values in (
        ("Statements", one.statements),
        ("Settings", tuple(f"{slug}: {value}" for slug, value in one.settings if (slug, value) not in one.amounts)),
        ("Amounts", tuple(f"{slug}: {value}" for slug, value in one.amounts)),
        ("Rules", one.rules),
        ("Rows and duties", one.steps),
        ("Scenarios", tuple("/".join(Path(path).parts[-2:]) for path in one.scenarios)),
    ):
        if values:
            rows.append((name, _some(values)))
    if one.answer:
        rows.append(("Answer", str(one.answer)))
    else:
        rows.append(("Answer", "____________  Memo: ____________  Approved by: ____________  Date: ____________"))
    return Block(f"{default.id}: {default.what}", ("", ""), rows)


def _some(values: tuple[str, ...]) -> str:
    if len(values) <= SHOWN:
        return ", ".join(values)
    return ", ".join(values[:SHOWN]) + f", and {len(values) - SHOWN} more"


def to_markdown(house: House, questions: list[Question]) -> str:
    """Return the register as Markdown."""
    return paper.to_markdown(register_paper(house, questions))


def to_html(house: House, questions: list[Question]) -> str:
    """Return the register as a page."""
    return paper.to_html(register_paper(house, questions))
