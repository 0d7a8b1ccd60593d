"""The documentation is true: generated pages are up to date, examples run, links resolve, a house is added by the page."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from trainer.actions import VERBS, parse
from trainer.cli import COMMANDS, trainer
from trainer.procedure.load import procedures
from trainer.reports.site import pages
from trainer.ui.composer import WAYS

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
WRITTEN = sorted(DOCS.rglob("*.md"))
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.S | re.M)
_FILE = re.compile(r"<!-- file: (\S+) -->\n```yaml\n(.*?)^```", re.S | re.M)


def run(line: str, folder: Path) -> Result:
    """Run one command of the documentation in a folder."""
    here = Path.cwd()
    os.chdir(folder)
    try:
        return CliRunner().invoke(trainer, shlex.split(line)[1:], prog_name="trainer")
    finally:
        os.chdir(here)


def examples(text: str) -> list[str]:
    return [
        line[2:] for _, block in _BLOCK.findall(text) for line in block.splitlines() if line.startswith("$ trainer ")
    ]


@pytest.fixture(scope="module")
def generated() -> dict[str, str]:
    return dict(pages(procedures(), ROOT / "scenarios"))


@pytest.mark.slow
def test_generated_pages_are_up_to_date(generated: dict[str, str]) -> None:
    stale = [
        name for name, text in generated.items() if not (DOCS / name).is_file() or (DOCS / name).read_text() != text
    ]
    assert not stale, f"run `trainer pages`: {', '.join(stale)}"


@pytest.mark.slow
def test_no_page_is_left_over_from_a_part_or_house_that_is_gone(generated: dict[str, str]) -> None:
    kept = [path.relative_to(DOCS).as_posix() for folder in ("rules", "houses") for path in (DOCS / folder).iterdir()]
    assert sorted(kept) == sorted(name for name in generated if name.startswith(("rules/", "houses/")))


@pytest.mark.slow
def test_every_command_and_every_verb_is_documented(generated: dict[str, str]) -> None:
    for name in COMMANDS:
        assert f"## trainer {name}\n" in generated["commands.md"]
    for verb in VERBS:
        assert f"`{verb.form}`" in generated["notation.md"]
        assert str(parse(verb.example)) == verb.example


@pytest.mark.slow
def test_every_rule_state_row_and_duty_is_on_a_page(generated: dict[str, str]) -> None:
    known = procedures()
    on_rules = "".join(
        text for name, text in generated.items() if name.startswith("rules/") and name != "rules/index.md"
    )
    for slug in known.rules:
        assert on_rules.count(f"## {slug}\n") == 1
    for name in (*known.game.states, *known.game.steps, *known.game.events, *known.game.duties):
        assert f"`{name}`" in generated["machine.md"]


@pytest.mark.slow
def test_every_statement_of_a_house_is_on_its_page(generated: dict[str, str]) -> None:
    for slug in procedures().names():
        house, page = procedures().house(slug), generated[f"houses/{slug}.md"]
        for name in house.statements:
            assert f'<a id="{name}"></a>' in page


def test_every_command_is_met_in_a_guide() -> None:
    guides = "".join(path.read_text() for path in DOCS.glob("*.md") if path.name not in ("commands.md",))
    missing = [name for name in COMMANDS if f"trainer {name}" not in guides]
    assert not missing


def test_the_keys_of_the_trainees_guide_are_those_of_the_table() -> None:
    text = (DOCS / "deal-a-round.md").read_text()
    for way in WAYS:
        assert f"| `{way.key}` | {way.says} |" in text
        for more in way.more:
            assert f"| `{way.key}{more.key}` |" in text


@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: path.relative_to(DOCS).as_posix())
def test_links_resolve(path: Path) -> None:
    for link in _LINK.findall(path.read_text()):
        if "://" in link:
            continue
        name, _, anchor = link.partition("#")
        target = (path.parent / name).resolve() if name else path
        assert target.exists(), f"{path}: {link}"
        if anchor and target.suffix == ".md":
            assert anchor in anchors(target), f"{path}: {link}"


def anchors(path: Path) -> set[str]:
    text = path.read_text()
    heads = re.findall(r"^#+ (.+)$", text, re.M)
    made = {re.sub(r"[^\w\- ]", "", head.lower()).strip().replace(" ", "-") for head in heads}
    return made | set(re.findall(r'<a id="([^"]+)">', text))


GUIDES = [path for path in WRITTEN if examples(path.read_text()) and path.name != "add-a-house.md"]


LONG = ("supervise.md", "compliance.md")


@pytest.mark.parametrize(
    "path",
    [pytest.param(path, marks=[pytest.mark.slow] if path.name in LONG else []) for path in GUIDES],
    ids=lambda path: path.name,
)
def test_examples_run(path: Path, tmp_path: Path) -> None:
    for name in ("procedures", "scenarios"):
        (tmp_path / name).symlink_to(ROOT / name)
    os.environ["TRAINER_STORE"] = str(tmp_path / "records.db")
    try:
        for name, body in _FILE.findall(path.read_text()):
            (tmp_path / name).write_text(body)
        for line in examples(path.read_text()):
            done = run(line, tmp_path)
            assert done.exit_code in (0, 1), f"{line}\n{done.output}\n{done.exception!r}"
            assert done.exception is None or isinstance(done.exception, SystemExit), f"{line}\n{done.exception!r}"
    finally:
        del os.environ["TRAINER_STORE"]


def test_a_house_is_added_by_following_the_page(tmp_path: Path) -> None:
    """Everything the page says is done in its order, in a fresh copy, by the installed command."""
    for name in ("procedures", "scenarios"):
        shutil.copytree(ROOT / name, tmp_path / name)
    text = (DOCS / "add-a-house.md").read_text()
    parts = re.compile(
        r"<!-- file: (?P<file>\S+) -->\n```yaml\n(?P<body>.*?)^```|^```\n(?P<lines>.*?)^```", re.S | re.M
    )
    ran = 0
    for found in parts.finditer(text):
        if found["file"]:
            (tmp_path / found["file"]).write_text(found["body"])
            continue
        for line in found["lines"].splitlines():
            command = line.removeprefix("$ ")
            if command.startswith("trainer "):
                options = "--procedures procedures --scenarios scenarios"
                command = f"{sys.executable} -m trainer {options} {command.removeprefix('trainer ')}"
                ran += 1
            env = {**os.environ, "PYTHONPATH": str(ROOT)}
            done = subprocess.run(shlex.split(command), cwd=tmp_path, capture_output=True, text=True, env=env)
            assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
            if " check " in command:
                assert "nothing found" in done.stdout
    assert ran >= 8


def test_the_first_round_of_the_readme_reads_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is printed at the plain prompt is what the README shows, line by line."""
    monkeypatch.setenv("TRAINER_DATA", str(tmp_path))
    block = re.search(r"^\$ trainer (deal .*--plain.*)\n((?:.*\n)*?)```", (ROOT / "README.md").read_text("utf-8"), re.M)
    assert block is not None
    shown = block[2].splitlines()
    typed = [line.removeprefix("dealer> ") for line in shown if line.startswith("dealer> ")]
    printed = CliRunner().invoke(trainer, block[1].split(), input="\n".join(typed) + "\n").output.splitlines()
    assert len(typed) >= 7
    at = 0
    for line in shown:
        wanted = line.removeprefix("dealer> ") if line.startswith("dealer> ") else line.removesuffix("...").rstrip()
        at = next(
            (number for number, one in enumerate(printed[at:], at) if one.removeprefix("dealer> ").startswith(wanted)),
            -1,
        )
        assert at >= 0, f"{line} is not printed there"
