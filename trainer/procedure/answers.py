"""The owner's answers to open questions (``answers.yaml``): a second source that turns a default into documented."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from trainer.files import Node, Place, read_yaml
from trainer.procedure import shapes
from trainer.procedure.lint import Checker
from trainer.procedure.model import Answer
from trainer.structure import structure


def read_answers(path: Path, defaults: Iterable[str]) -> tuple[dict[str, Answer], Node | None]:
    """Read a house's answers, by default.

    Raises:
        BadFile: the file is broken, or answers a question that does not exist.
    """
    if not path.is_file():
        return {}, None
    root = read_yaml(path)
    shape = structure(root, shapes.AnswersShape)
    check, known = Checker(), list(defaults)
    for name in shape.answers:
        if name not in known:
            check.unknown(root.find("answers").key_places[name], "default", name, known)
    check.done()
    answers = {
        name: Answer(name, a.answer, a.memo, a.approver, a.date, a.settings, a.holds)
        for name, a in shape.answers.items()
    }
    return answers, root


def check_answers(
    check: Checker, answers: Mapping[str, Answer], root: Node, chosen: Mapping[str, shapes.ChosenShape]
) -> None:
    """An answer fixes only settings that rest on its own default, and every one of them when it does not hold."""
    for name, answer in answers.items():
        mine = [slug for slug, setting in chosen.items() if setting.default == name]
        for slug in answer.settings:
            place = root.find("answers", name, "settings").key_places[slug]
            if slug not in chosen:
                check.unknown(place, "setting", slug, chosen)
            elif slug not in mine:
                check.wrong(place, "setting", slug, f"it does not rest on {name}; it rests on {_basis(chosen[slug])}")
        if not answer.holds:
            for slug in mine:
                if slug not in answer.settings:
                    check.wrong(_place(root, name), "answer", name, f"say under settings what {slug} is instead")


def _place(root: Node, name: str) -> Place:
    return root.find("answers", name).place


def _basis(chosen: shapes.ChosenShape) -> str:
    return ", ".join(chosen.cites) or chosen.default
