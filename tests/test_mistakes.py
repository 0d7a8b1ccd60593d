"""Every mistake of the table is detected where the house's document proves it, and is no fault anywhere else."""

from __future__ import annotations

import functools
import re
from typing import Any

import pytest
from provoke import Provocation, lines_for, streams

from trainer.procedure.load import procedures
from trainer.procedure.machine import HouseMachine
from trainer.procedure.verdicts import Severity

HOUSES = ("aces", "greektown", "house-h17", "tropicana", "trump-marina")
MISTAKES = streams()


@functools.cache
def machine(house: str) -> HouseMachine:
    return HouseMachine(procedures().house(house))


def proofs(entry: dict[str, Any], house: str) -> tuple[set[str], set[str]]:
    """Return the statements of a house of which one is enough, and those that prove the mistake together."""
    some = {cited for cited in entry.get("any", []) if cited.rpartition("-")[0] == house}
    return some, set(entry.get("all", {}).get(house, []))


def is_provable(entry: dict[str, Any], house: str) -> bool:
    return any(proofs(entry, house))


def played(entry: dict[str, Any]) -> list[str]:
    return [house for house in HOUSES if entry.get("only", house) == house]


PROVED = [(name, house) for name, entry in MISTAKES.items() for house in played(entry) if is_provable(entry, house)]
OTHERS = [(name, house) for name, entry in MISTAKES.items() for house in played(entry) if not is_provable(entry, house)]


@pytest.mark.parametrize(("name", "house"), PROVED)
def test_a_mistake_is_a_fault_that_cites_its_proof(name: str, house: str) -> None:
    entry = MISTAKES[name]
    verdict = Provocation(machine(house), entry).play()
    found = [(one.rule.slug, one.why) for one in verdict.unmet]
    assert verdict.severity is Severity.FAULT, found
    some, together = proofs(entry, house)
    cited = set(verdict.cites)
    assert not some or cited & some, (some, cited, found)
    assert together <= cited, (together - cited, found)
    assert all(verdict.act != act for act in verdict.instead)


@pytest.mark.parametrize(("name", "house"), OTHERS)
def test_a_mistake_of_other_houses_is_no_fault(name: str, house: str) -> None:
    entry = MISTAKES[name]
    verdict = Provocation(machine(house), entry).play()
    found = [(one.severity.value, one.rule.slug, one.why) for one in verdict.unmet]
    instead_of_it = entry.get("elsewhere", {}).get(house)
    if instead_of_it:
        some, together = proofs(MISTAKES[instead_of_it], house)
        assert verdict.severity is Severity.FAULT, found
        assert set(verdict.cites) & (some | together), found
        return
    assert verdict.severity is not Severity.FAULT, found
    default = entry.get("advice", {}).get(house)
    if default:
        assert any(one.startswith(default) for one in verdict.defaults), (default, found)


def test_the_table_has_every_mistake_from_1_to_176() -> None:
    numbers = {int(re.match(r"MK-(\d{3})", name)[1]) for name in MISTAKES}  # type: ignore[index]
    assert numbers == set(range(1, 177))


def test_the_table_names_statements_and_defaults_that_exist() -> None:
    known = {cited for house in HOUSES for cited in machine(house).house.statements}
    defaults = {name[:4] for name in machine("aces").house.defaults}
    for name, entry in MISTAKES.items():
        named = set(entry.get("any", [])) | {cited for ids in entry.get("all", {}).values() for cited in ids}
        assert named <= known, name
        assert set(entry.get("advice", {}).values()) <= defaults, name
        assert set(entry.get("elsewhere", {}).values()) <= set(MISTAKES), name


def test_every_stream_marks_its_last_line() -> None:
    for name, entry in MISTAKES.items():
        for house in played(entry):
            lines = lines_for(entry, house)
            marked = [number for number, line in enumerate(lines) if line.startswith("! ")]
            assert marked == [len(lines) - 1], (name, house)


def test_nine_mistakes_in_ten_are_dealt_alike_in_every_house() -> None:
    """One stream serves all houses; the few that differ name their houses."""
    alike = sum(isinstance(entry["lines"], list) for entry in MISTAKES.values())
    assert alike * 10 >= len(MISTAKES) * 9
