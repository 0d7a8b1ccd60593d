"""A paper of headed tables, written once and printed as Markdown or as a page."""

from __future__ import annotations

from dataclasses import dataclass, field

from trainer.reports.pages import page, table


@dataclass(frozen=True, slots=True)
class Block:
    """One section: notes, then a table, then lines to be copied as they are."""

    title: str
    heads: tuple[str, ...] = ()
    rows: list[tuple[str, ...]] = field(default_factory=list)
    notes: tuple[str, ...] = ()
    code: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Paper:
    """A titled paper; ``short`` runs at the head of its printed pages."""

    title: str
    intro: str
    blocks: list[Block]
    short: str = ""


def to_markdown(paper: Paper) -> str:
    """Return a paper as Markdown."""
    out = [f"# {paper.title}\n", f"{paper.intro}\n"]
    for block in paper.blocks:
        out.append(f"## {block.title}\n")
        out.extend(f"{note}\n" for note in block.notes)
        if block.rows:
            out.append(table(block.heads, block.rows))
        out.extend(f"```\n{line}\n```\n" for line in block.code)
    return "\n".join(out)


def to_html(paper: Paper) -> str:
    """Return a paper as a page that prints well."""
    return page("report.html", paper=paper)
