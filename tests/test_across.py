"""A record dealt in one house, judged in another."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from trainer.cli import trainer
from trainer.procedure.load import Procedures
from trainer.procedure.verdicts import Severity
from trainer.rounds.play import CEREMONY, Group, Session, across, grouped_findings, machine_of, replay
from trainer.rounds.script import Script, read_script

SCENARIOS = Path(__file__).parents[1] / "scenarios"
HOUSES = ("greektown", "house-h17", "tropicana", "trump-marina", "aces")
WALKED = sorted(SCENARIOS.glob("*/r*.yaml"))


def script(name: str, shipped: Procedures) -> Script:
    (file,) = SCENARIOS.glob(f"*/{name}-*.yaml")
    return read_script(file, shipped)


def judged(name: str, house: str, shipped: Procedures) -> Session:
    return across(script(name, shipped), machine_of(shipped, house))


def of_rule(groups: list[Group], slug: str) -> list[Group]:
    return [one for one in groups if one.rule.slug == slug]


@pytest.mark.parametrize("house", HOUSES)
def test_every_walked_round_can_be_judged_in_every_house(house: str, shipped: Procedures) -> None:
    for file in WALKED:
        dealt = read_script(file, shipped)
        session = across(dealt, machine_of(shipped, house))
        assert not session.problems, file
        assert len(session.entries) == len(dealt.lines)
        assert not session.script.net and not any(line.expects for line in session.script.lines)
        if house == dealt.house:
            assert not session.findings
        told = {id(entry) for group in grouped_findings(session) for entry in group.entries}
        assert told == {id(entry) for entry in session.findings}


def test_a_question_left_out_for_every_hand_is_told_once(shipped: Procedures) -> None:
    session = judged("rg-09", "aces", shipped)
    missing = [
        entry for entry in session.findings if "ask-each-player" in {one.rule.slug for one in entry.verdict.unmet}
    ]
    assert len(missing) == 2
    (group,) = of_rule(grouped_findings(session), "ask-each-player")
    assert group.entries == missing
    assert group.severity is Severity.FAULT


def test_totals_left_uncalled_are_told_once(shipped: Procedures) -> None:
    groups = grouped_findings(judged("rs-11", "trump-marina", shipped))
    (group,) = of_rule(groups, "totals-called")
    assert len(group.entries) == 2


def test_a_look_that_is_only_advice_there_is_told_once(shipped: Procedures) -> None:
    twice = script("ra-03", shipped)
    lines = twice.lines * 2
    many = Script("aces", lines=lines, options=twice.options)
    session = across(many, machine_of(shipped, "trump-marina"))
    (group,) = of_rule(grouped_findings(session), "look-under-ace")
    assert group.severity is Severity.ADVICE
    assert len(group.entries) == 2


def test_a_look_that_the_house_forbids_is_told_each_time(shipped: Procedures) -> None:
    once = script("ra-03", shipped)
    session = across(Script("aces", lines=once.lines * 2, options=once.options), machine_of(shipped, "tropicana"))
    groups = of_rule(grouped_findings(session), "look-under-ace")
    assert [(group.severity, len(group.entries)) for group in groups] == [(Severity.FAULT, 1)] * 2


def test_money_is_told_line_by_line(shipped: Procedures) -> None:
    groups = of_rule(grouped_findings(judged("ra-10", "greektown", shipped)), "blackjack-odds")
    assert [[str(entry.act) for entry in group.entries] for group in groups] == [["pay 1 20.00"], ["pay 2 20.00"]]


def test_wagers_the_other_house_lacks_are_judged_and_crash_nothing(shipped: Procedures) -> None:
    session = judged("rg-12", "house-h17", shipped)
    first = session.findings[0].verdict.unmet[0]
    assert (first.rule.slug, first.evidence.cites) == ("side-wagers-taken", ("house-h17-041",))


def test_ceremony_speaks_of_rules_there_are(shipped: Procedures) -> None:
    assert set(shipped.house("aces").rules) >= CEREMONY


def test_a_record_in_its_own_house_has_the_same_verdicts(shipped: Procedures) -> None:
    dealt = script("rm-13", shipped)
    machine = machine_of(shipped, dealt.house)
    before, after = replay(dealt, machine), across(dealt, machine)
    assert [entry.verdict for entry in before.entries] == [entry.verdict for entry in after.entries]


def test_the_command_tells_each_rule_of_ceremony_once() -> None:
    (file,) = SCENARIOS.glob("*/rg-09-*.yaml")
    told = CliRunner().invoke(trainer, ["replay", str(file), "--house", "aces"])
    assert told.exit_code == 1
    assert told.output.count("ask-each-player") == 1
    assert "[also act 14]" in told.output


def test_the_command_refuses_a_house_it_does_not_know() -> None:
    (file,) = SCENARIOS.glob("*/rg-09-*.yaml")
    told = CliRunner().invoke(trainer, ["replay", str(file), "--house", "acse"])
    assert told.exit_code == 2
    assert "known are aces" in told.output
