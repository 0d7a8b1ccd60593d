"""What a new version of a procedure touches, as a paper."""

from __future__ import annotations

from trainer.compliance.impact import Change, Impact, SignOff
from trainer.reports import paper
from trainer.reports.paper import Block, Paper


def impact_paper(found: Impact, due: list[SignOff] | None) -> Paper:
    """Return the paper; ``due`` lists the sign-offs that fall due, None when no store was asked."""
    old, new = found.old, found.new
    title = f"From version {old.version} to version {new.version}: {new.title}"
    intro = (
        f"Effective {old.effective} and {new.effective}; procedures {old.fingerprint} and {new.fingerprint}. "
        f"{len(found.statements)} statements, {len(found.settings)} settings, {len(found.rules)} rules, "
        f"{len(found.prices)} prices, {len(found.steps)} rows and duties, {len(found.scenarios)} scenarios, "
        f"{len(found.rows)} checklist rows and {len(found.drills)} drills are touched."
    )
    blocks = [
        _changes("Statements", found.statements),
        _changes("Settings", found.settings),
        _changes("Rules", found.rules),
        _changes("Prices", found.prices),
        _names("Rows and duties of the machine", found.steps),
        _changes("Scenarios judged otherwise (first act that differs)", found.scenarios),
        _changes("Checklist rows", found.rows),
        _names("Drills", found.drills),
    ]
    if due is None:
        blocks.append(Block("Sign-offs that fall due", notes=("Name the store with --store to list them.",)))
    else:
        rows: list[tuple[str, ...]] = [(one.person, one.session, one.date) for one in due]
        notes = () if rows else ("None: nobody was signed off under the old version, or nothing is touched.",)
        blocks.append(
            Block("Sign-offs that fall due", ("Person", "Session", "Signed under the old version"), rows, notes)
        )
    return Paper(title, intro, blocks, f"{new.title}, version {new.version}")


def _changes(title: str, changes: tuple[Change, ...]) -> Block:
    rows: list[tuple[str, ...]] = [
        (one.id, one.how if one.before != one.after else "rests on what changed", one.before, one.after)
        for one in changes
    ]
    return Block(title, ("What", "How", "Before", "Now"), rows, () if rows else ("None.",))


def _names(title: str, names: tuple[str, ...]) -> Block:
    return Block(title, notes=(", ".join(names) if names else "None.",))


def to_markdown(found: Impact, due: list[SignOff] | None) -> str:
    """Return the paper as Markdown."""
    return paper.to_markdown(impact_paper(found, due))


def to_html(found: Impact, due: list[SignOff] | None) -> str:
    """Return the paper as a page."""
    return paper.to_html(impact_paper(found, due))
