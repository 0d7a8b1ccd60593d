"""The template environment of all paged reports, and the look they share."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup


@cache
def environment() -> Environment:
    """Return the environment; every value is escaped, an unknown name is a mistake of ours."""
    return Environment(
        loader=PackageLoader("trainer.reports", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def asset(name: str) -> Markup:
    """Return a style sheet or script of the package, to stand inside a page as it is."""
    return Markup(files("trainer.reports").joinpath("templates", name).read_text(encoding="utf-8"))


def page(template: str, **values: object) -> str:
    """Fill a template in."""
    return environment().get_template(template).render(css=asset("paper.css"), **values)


def cell(text: str) -> str:
    """Escape a text for a cell of a Markdown table."""
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("\n", " ")


def table(heads: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    """Return a Markdown table."""
    lines = ["| " + " | ".join(heads) + " |", "|" + " --- |" * len(heads)]
    lines += ["| " + " | ".join(cell(value) for value in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"
