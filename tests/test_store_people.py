"""Trainees, class lists, assignments and results: who is assessed on what, and apart from practice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from trainer.actions import parse
from trainer.cli import trainer
from trainer.files import BadFile
from trainer.procedure.load import Procedures
from trainer.records import desk, people
from trainer.records.engine import StoreError
from trainer.records.frozen import result_of
from trainer.records.recorder import StoreRecorder
from trainer.records.store import Store
from trainer.rounds.deal import Live, deal_rounds
from trainer.rounds.play import machine_of

HOUSE = "tropicana"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(str(tmp_path / "records.db")) as opened:
        yield opened


def run(store: Store, *words: str) -> Result:
    return CliRunner().invoke(trainer, [*words, "--store", store.where])


def test_a_class_list_is_read_and_known_names_are_left_alone(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "class.csv"
    path.write_text(
        "\ufeffName;Class;Role\nBen  Okafor;A1;\n\nZoë Lind;A1;trainee\nAnna;;Supervisor\n", encoding="utf-8"
    )
    done = run(store, "trainees", "import", str(path))
    assert done.output.endswith("3 added, 0 known already\n"), done.output
    path.write_text("name,class\nBEN okafor,A1\nCora,A2\n")
    assert run(store, "trainees", "import", str(path)).output.endswith("1 added, 1 known already\n")
    known = {one.name: (one.role, one.class_name) for one in people.everybody(store)}
    assert known == {
        "Ben Okafor": ("trainee", "A1"), "Zoë Lind": ("trainee", "A1"), "Anna": ("supervisor", ""), "Cora": ("trainee", "A2"),
    }  # fmt: skip
    assert len({one.id for one in people.everybody(store)}) == 4


def test_every_bad_row_of_a_class_list_is_told_and_nothing_is_added(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "class.csv"
    path.write_text("name,class,role\nBen,A1,traine\n,A1,\nCora,A1,\nCora,A2,\n")
    with pytest.raises(BadFile) as caught:
        people.import_class_list(store, str(path), path.read_text())
    said = str(caught.value).splitlines()
    assert [line.split(":")[1] for line in said] == ["2", "3", "5"]
    assert "did you mean trainee?" in said[0] and "it stands on line 4 already" in said[2]
    assert people.everybody(store) == []
    with pytest.raises(BadFile, match="name, class, role"):
        people.read_class_list("x.csv", "who,class\nBen,A1\n")


def test_somebody_is_chosen_by_name(store: Store) -> None:
    people.add(store, "Benedikt")
    people.add(store, "Anna", role=people.SUPERVISOR)
    assert people.named(store, " benedikt ").name == "Benedikt"
    with pytest.raises(StoreError, match="did you mean Benedikt"):
        people.named(store, "Benedict")
    with pytest.raises(StoreError, match="is a trainee, not a supervisor"):
        people.named(store, "Benedikt", people.SUPERVISOR)
    with pytest.raises(StoreError, match="is taken"):
        people.add(store, "ANNA")
    with pytest.raises(StoreError, match="needs a name"):
        people.add(store, "  ")


def test_an_assignment_is_set_by_a_supervisor_with_a_mark_of_his_own(store: Store, shipped: Procedures) -> None:
    people.add_all(store, [("Anna", "supervisor", ""), ("Ben", "trainee", "A1"), ("Cora", "trainee", "A1")])
    refused = run(store, "assign", HOUSE, "--class", "A1", "--by", "Anna")
    assert refused.exit_code == 2 and "there is no usual mark" in refused.output
    assert run(store, "assign", HOUSE, "--class", "A1", "--by", "Ben", "--pass-mark", "90").exit_code == 2
    done = run(store, "assign", HOUSE, "--class", "A1", "--by", "Anna", "--pass-mark", "90", "--rounds", "2",
               "--theme", "insurance", "--critical", "0")  # fmt: skip
    assert done.exit_code == 0, done.output
    given = people.assignments_of(store, people.named(store, "Ben"))[0]
    assert given.terms.seal in done.output and given.terms.seed not in done.output
    script = people.script_for(given, shipped)
    assert (script.mode, script.display, script.theme, script.seed) == (
        "assessed",
        "exam",
        "insurance",
        given.terms.seed,
    )
    listed = run(store, "assign").output
    assert listed.count("open ") == 2 and "at most 0 critical" in listed and given.terms.seed not in listed


def test_an_unknown_game_or_class_is_told(store: Store) -> None:
    people.add(store, "Anna", role=people.SUPERVISOR)
    wrong = run(store, "assign", "greektown", "--class", "Z9", "--by", "Anna", "--pass-mark", "9", "--game", "poker")
    assert "has no game 'poker'; its games:" in wrong.output
    assert (
        "no trainee in class 'Z9'"
        in run(store, "assign", HOUSE, "--class", "Z9", "--by", "Anna", "--pass-mark", "9").output
    )


@pytest.fixture
def assessed(store: Store, shipped: Procedures) -> str:
    """An assessment of two rounds with one fault, and a practice session of the same trainee."""
    anna = people.add(store, "Anna", role=people.SUPERVISOR)
    ben = people.add(store, "Ben")
    terms = people.Terms(HOUSE, 2, "sealed", 95, anna.id, spots=1)
    given = people.assign(store, [ben], terms)[0]
    script = people.script_for(given, shipped)
    recorder = StoreRecorder.start(
        store, script, shipped, person=ben.id, assignment=given.id, terms=terms.digest, kind="assessed"
    )
    live = Live(machine_of(shipped, HOUSE), script, (1,), emit=recorder.note)
    live.open_round()
    for _ in range(100):
        if live.session.position.state == "over":
            if live.session.table.round == 2:
                break
            live.dealer(parse("start"))
            continue
        live.dealer(live.session.machine.suggest(live.session.position)[0])
        if len(live.session.entries) == 5:
            live.dealer(parse("push 1"))
    recorder.finish()
    practice = StoreRecorder.start(store, script, shipped, person=ben.id)
    deal_rounds(machine_of(shipped, HOUSE), script.options, seed="p", emit=practice.note)
    return recorder.id


def test_practice_and_assessed_sessions_are_kept_apart(store: Store, assessed: str) -> None:
    ben = people.named(store, "Ben")
    assert [one.id for one in store.sessions(person=ben.id, kind="assessed")] == [assessed]
    assert len(store.sessions(person=ben.id, kind="practice")) == 1
    assert people.assignments_of(store, ben, open_only=True) == []
    assert "0 faults" in run(store, "progress", "Ben").output or "0 in 1 rounds" in run(store, "progress", "Ben").output
    assert "1 in 2 rounds" in run(store, "progress", "Ben", "--record", "assessed").output


def test_the_mark_decides_and_an_overruled_finding_does_not_count(store: Store, assessed: str) -> None:
    stored = store.session(assessed)
    replayed = store.replayed(stored)
    terms = desk.terms_of(store, stored)
    assert terms is not None
    judged, fault = len(replayed.judged), replayed.faults[0]
    exactly = (judged - 1) * 100 // judged
    assert result_of(replayed, (), replace(terms, pass_mark=exactly)).passed is True
    assert result_of(replayed, (), replace(terms, pass_mark=exactly + 1)).passed is False
    assert result_of(replayed, (fault.number,), replace(terms, pass_mark=100)).passed is True
    assert result_of(replayed, (), replace(terms, pass_mark=0, rounds=3)).passed is False
    assert result_of(replayed).passed is None
    critical = result_of(replayed, (), replace(terms, pass_mark=0, critical=0))
    assert critical.passed is (critical.critical == 0)


def test_review_shows_and_decides(store: Store, assessed: str) -> None:
    fault = store.replayed(store.session(assessed)).faults[0]
    shown = run(store, "review", assessed[:6])
    assert f"act {fault.number}" in shown.output and "fault: push 1" in shown.output
    assert run(store, "review", assessed, "--overrule", str(fault.number)).exit_code == 2
    refused = run(store, "review", assessed, "--by", "Anna", "--overrule", str(fault.number))
    assert refused.exit_code == 2 and "say the reason" in refused.output
    run(store, "review", assessed, "--by", "Anna", "--overrule", str(fault.number), "--reason", "asked by the floor")
    assert "overruled by Anna" in run(store, "review", assessed).output
    signed = run(store, "sign", assessed, "--by", "Anna")
    assert "1 overruled, passed" in signed.output and "accuracy 100.0%" in signed.output


def test_the_store_lists_and_prints_its_sessions(store: Store, assessed: str) -> None:
    listed = run(store, "store", "list", "--kind", "assessed").output
    assert assessed in listed and "closed" in listed and "Ben" in listed
    shown = run(store, "store", "show", assessed[:7]).output
    assert shown == store.session(assessed).text
    assert "Ben" not in shown
    assert "sessions 2" in run(store, "store", "where").output
    wrong = run(store, "store", "show", "zzz")
    assert wrong.exit_code == 2 and "there is no session 'zzz'" in wrong.output


def test_a_mistyped_store_is_told_and_not_made(tmp_path: Path) -> None:
    where = tmp_path / "recrods.db"
    for command in (["progress"], ["findings"], ["trainees", "list"], ["verify"], ["store", "list"]):
        result = CliRunner().invoke(trainer, [*command, "--store", str(where)])
        assert result.exit_code == 2 and f"no store lies at {where}" in result.output, (command, result.output)
        assert not where.exists()
    assert CliRunner().invoke(trainer, ["trainees", "add", "Ann", "--store", str(where)]).exit_code == 0
    assert "Ann" in CliRunner().invoke(trainer, ["trainees", "list", "--store", str(where)]).output
