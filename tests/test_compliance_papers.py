"""Two houses compared, the owner's questions and answers, and what a new version touches."""

from __future__ import annotations

import itertools
import re
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from trainer.actions import parse
from trainer.cli import trainer
from trainer.compliance.compare import RULES_OF, Comparison, compare, folder_of
from trainer.compliance.impact import Impact, impact, version_in
from trainer.compliance.register import register
from trainer.compliance.separate import Search, separates
from trainer.files import BadFile, Place
from trainer.procedure.load import Procedures, data_folder, procedures
from trainer.procedure.machine import HouseMachine
from trainer.procedure.verdicts import Severity, citation
from trainer.rounds.play import Session, machine_of, replay
from trainer.rounds.script import Line, Script, options_for, read_script

P = procedures()
SCENARIOS = data_folder("scenarios")
PAIRS = list(itertools.permutations(P.names(), 2))
KEPT = sorted((SCENARIOS / "compare").rglob("*.yaml"))


def run(*args: str) -> Result:
    return CliRunner().invoke(trainer, list(args), prog_name="trainer")


# -- comparison -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", KEPT, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_separating_round_is_clean_in_one_house_and_faulty_in_the_other(path: Path) -> None:
    first, _, second = path.parent.name.partition("--")
    script = read_script(path, P)
    assert script.house == first
    home = replay(script, machine_of(P, first))
    assert not home.problems and not home.findings and home.position.state == "over"
    away = replay(read_script(path, P, house=second), machine_of(P, second))
    broken = {one.rule.slug for entry in away.faults for one in entry.verdict.unmet if one.severity is Severity.FAULT}
    assert not away.problems and path.stem in broken


@pytest.fixture(scope="module")
def comparisons() -> dict[tuple[str, str], Comparison]:
    return {pair: compare(P, SCENARIOS, *pair) for pair in PAIRS}


def test_all_twenty_pairs_are_compared(comparisons: dict[tuple[str, str], Comparison]) -> None:
    assert len(comparisons) == 20
    for (first, second), found in comparisons.items():
        assert (found.first.slug, found.second.slug) == (first, second)
        for each in found.all:
            assert (each.round is None) == bool(each.reason), f"{first} to {second}: {each.id}"


def test_each_pair_has_something_to_unlearn(comparisons: dict[tuple[str, str], Comparison]) -> None:
    for pair, found in comparisons.items():
        assert any(each.round for each in found.all), pair


def test_differences_are_those_of_settings_and_evidence(comparisons: dict[tuple[str, str], Comparison]) -> None:
    for (first, second), found in comparisons.items():
        one, two, back = P.house(first), P.house(second), comparisons[second, first]
        assert {each.id for each in found.demanded} == {each.id for each in back.dropped}
        for each in found.settings:
            if each.id in one.settings and each.id in two.settings:
                assert one.is_(each.id) == each.first.says != each.second.says == two.is_(each.id)
        for each in found.demanded:
            assert two.evidence[each.id].is_documented
            assert not (one.evidence.get(each.id) and one.evidence[each.id].is_documented)


def test_the_settings_name_rules_that_exist() -> None:
    assert set(RULES_OF) == set(P.game.settings)
    assert all(rule in P.rules for rules in RULES_OF.values() for rule in rules)


def test_soft_17_separates_the_house_that_hits_it(comparisons: dict[tuple[str, str], Comparison]) -> None:
    for first in P.names():
        if first == "house-h17":
            continue
        found = next(each for each in comparisons[first, "house-h17"].settings if each.id == "soft-17")
        assert found.round is not None and found.round.rule == "soft-17-hit"


@pytest.mark.slow
def test_a_search_finds_rounds_that_cannot_be_cut_further() -> None:
    home, other = machine_of(P, "tropicana"), machine_of(P, "aces")
    search = Search(home, [other])
    search.look(25, "test")
    assert search.found
    for key in sorted(search.found)[2:]:
        del search.found[key]
    for _, found in search.shortest():
        assert separates(found.script, home, other, found.rule)
        for index in range(found.acts):
            lines = found.script.lines[:index] + found.script.lines[index + 1 :]
            cut = Script(**{**_fields(found.script), "lines": lines})
            assert not separates(cut, home, other, found.rule)


def _fields(script: Script) -> dict[str, object]:
    return {name: getattr(script, name) for name in Script.__dataclass_fields__}


def test_the_command_keeps_what_it_finds(tmp_path: Path) -> None:
    (tmp_path / "scenarios").mkdir()
    done = run(
        "--scenarios", str(tmp_path / "scenarios"), "compare", "tropicana", "house-h17", "--search", "25", "--seed", "t"
    )
    assert done.exit_code == 0, done.output
    kept = list(folder_of(tmp_path / "scenarios", "tropicana", "house-h17").glob("*.yaml"))
    assert kept and all(path.stem in P.rules for path in kept)
    assert f"{kept[0].parent.name}/{kept[0].name}" in done.output


def test_one_house_cannot_be_compared_with_itself() -> None:
    assert run("compare", "aces", "aces").exit_code == 2


# -- the owner's questions --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("house", P.names())
def test_every_default_a_house_rests_on_is_asked_once(house: str) -> None:
    own = P.house(house)
    text = (P.folder / house / "house.yaml").read_text(encoding="utf-8")
    asked = [one.default.id for one in register(machine_of(P, house))]
    assert len(asked) == len(set(asked))
    assert set(re.findall(r"default: (D-\d+[ab]?)", text)) <= set(asked)
    assert {name for name, default in own.defaults.items() if house in default.houses} <= set(asked)
    for one in register(machine_of(P, house)):
        assert one.text.endswith("?") and own.title in one.text
        assert all(own.evidence[rule].default == one.default.id for rule in one.rules)


def test_what_hangs_on_a_question_is_told() -> None:
    (price,) = [one for one in register(machine_of(P, "tropicana")) if one.default.id == "D-16"]
    assert price.amounts == (("blackjack-odds", "3:2"),) and "blackjack-odds" in price.rules
    done = run("questions", "tropicana", "--only", "D-16")
    assert done.exit_code == 0 and "blackjack-odds: 3:2" in done.output
    assert run("questions", "tropicana", "--only", "D-99").exit_code == 2


def with_answer(tmp_path: Path, text: str, house: str = "tropicana") -> Procedures:
    shutil.copytree(P.folder, tmp_path / "procedures")
    (tmp_path / "procedures" / house / "answers.yaml").write_text(text, encoding="utf-8")
    return Procedures(tmp_path / "procedures")


MEMO = 'memo: "Memo 12", approver: "Director", date: "2026-12-01"'


def dealt(given: Procedures, house: str, *lines: str) -> Session:
    own = given.house(house)
    placed = tuple(Line(parse(text), Place("round.yaml", number, 1)) for number, text in enumerate(lines, 1))
    return replay(Script(house, placed, options=options_for(own)), HouseMachine(own))


PAID = ("wager 1 10.00", "deal 1 As", "deal up 5h", "deal 1 Th", "deal hole 6c", "call blackjack 1", "pay 1 20.00")


def test_an_answer_turns_a_default_into_documented_and_verdicts_cite_the_memo(tmp_path: Path) -> None:
    before = dealt(P, "tropicana", *PAID).entries[-1].verdict
    assert before.severity is Severity.ADVICE
    answered = with_answer(tmp_path, f'answers:\n  D-16: {{answer: "Three to two.", {MEMO}}}\n')
    after = dealt(answered, "tropicana", *PAID).entries[-1].verdict
    assert after.severity is Severity.FAULT and after.leading is not None
    assert after.leading.rule.slug == "blackjack-odds"
    assert "Memo 12" in " ".join(citation(answered.house("tropicana"), after.leading))
    question = next(one for one in register(machine_of(answered, "tropicana")) if one.default.id == "D-16")
    assert question.answer is not None and "Memo 12" in str(question.answer)


def test_an_answer_may_lay_down_something_else(tmp_path: Path) -> None:
    text = f'answers:\n  D-16: {{answer: "Two to one.", {MEMO}, holds: "no", settings: {{blackjack-odds: "2:1"}}}}\n'
    answered = with_answer(tmp_path, text)
    house = answered.house("tropicana")
    assert house.is_("blackjack-odds") == "2:1" and house.settings["blackjack-odds"].evidence.is_documented
    assert dealt(answered, "tropicana", *PAID).entries[-1].verdict.is_right


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (f'answers:\n  D-999: {{answer: "x", {MEMO}}}\n', "D-999"),
        ('answers:\n  D-16: {answer: "x", approver: "Director", date: "2026-12-01"}\n', "memo"),
        (f'answers:\n  D-16: {{answer: "x", {MEMO}, holds: "no"}}\n', "say under settings what blackjack-odds is"),
        (f'answers:\n  D-16: {{answer: "x", {MEMO}, settings: {{soft-17: hit}}}}\n', "it does not rest on D-16"),
        (f'answers:\n  D-16: {{answer: "x", {MEMO}, settings: {{blackjack-odds: many}}}}\n', "write odds such as 3:2"),
    ],
)
def test_a_wrong_answer_is_told_at_its_place(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(BadFile) as bad:
        with_answer(tmp_path, text).house("tropicana")
    assert told in str(bad.value) and "answers.yaml:" in str(bad.value)


# -- a new version ----------------------------------------------------------------------------------------------------


def changed(tmp_path: Path, *edits: tuple[str, str, str]) -> Impact:
    """The impact of edits (file, old text, new text) on the Tropicana's folder."""
    new = tmp_path / "new"
    shutil.copytree(P.folder / "tropicana", new)
    for file, old, text in edits:
        path = new / file
        assert old in path.read_text(encoding="utf-8")
        path.write_text(path.read_text(encoding="utf-8").replace(old, text, 1), encoding="utf-8")
    scripts = [read_script(path, P) for path in sorted((SCENARIOS / "tropicana" / "cases").glob("*.yaml"))]
    return impact(version_in(P.folder / "tropicana", P.folder), version_in(new, P.folder), scripts)


def test_an_unchanged_version_touches_nothing(tmp_path: Path) -> None:
    found = changed(tmp_path)
    assert found.is_none and not (found.steps or found.scenarios or found.rows or found.drills)


def test_a_rule_that_is_dropped_touches_rows_scenarios_and_drills(tmp_path: Path) -> None:
    line = re.search(r"^  dealer-draws-to-16: \{cites.*\n", (P.folder / "tropicana/house.yaml").read_text(), re.M)
    assert line
    found = changed(tmp_path, ("house.yaml", line[0], ""), ("house.yaml", 'version: "1"', 'version: "2"'))
    assert found.touched_rules == ("dealer-draws-to-16",)
    assert "TR-53" in found.steps and "dealer's hand" in found.drills
    assert [change.how for change in found.rows if change.id == "dealer-draws-to-16"] == ["gone"]
    assert found.scenarios and all("dealer-draws-to-16" in change.before for change in found.scenarios)


def test_a_reworded_statement_touches_the_rows_that_rest_on_it(tmp_path: Path) -> None:
    gist = P.house("tropicana").statements["tropicana-003"].gist
    found = changed(tmp_path, ("statements.yaml", gist, "Seventeen stands, always."))
    assert [change.id for change in found.statements] == ["tropicana-003"]
    assert {"soft-17-stands", "setting soft-17"} <= {change.id for change in found.rows}
    assert not found.rules and not found.scenarios


def test_a_changed_setting_touches_its_rules(tmp_path: Path) -> None:
    found = changed(tmp_path, ("house.yaml", 'soft-17: {is: "stand"', 'soft-17: {is: "hit"'))
    assert [change.id for change in found.settings] == ["soft-17"]
    assert "TR-52" in found.steps and "dealer's hand" in found.drills


def test_the_command_refuses_two_different_houses(tmp_path: Path) -> None:
    done = run("impact", str(P.folder / "aces"), str(P.folder / "tropicana"))
    assert done.exit_code == 2 and "trainer compare" in done.output
    done = run("impact", str(P.folder / "aces"), str(P.folder / "aces"))
    assert done.exit_code == 0 and "0 statements" in done.output
