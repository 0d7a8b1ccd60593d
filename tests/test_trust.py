"""Trust: whatever is changed in a stored session is found and named; packs, signatures and erasure hold."""

from __future__ import annotations

import json
import shutil
import sqlite3
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from faulty_round import deal_with_a_fault

from trainer import __version__
from trainer.cli import trainer
from trainer.procedure.load import Procedures
from trainer.records import desk, evidence, people
from trainer.records.chain import linked
from trainer.records.engine import StoreError
from trainer.records.frozen import digest_of
from trainer.records.recorder import StoreRecorder
from trainer.records.store import SIGNED, Store, Stored
from trainer.rounds.deal import Live, deal_rounds
from trainer.rounds.play import machine_of

HOUSE = "tropicana"


@dataclass(frozen=True)
class World:
    """A store made once and copied for each test: a supervisor, a trainee, and a finished assessment with a fault."""

    path: Path
    anna: people.Person
    ben: people.Person
    assessed: Stored


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory, shipped: Procedures) -> World:
    path = tmp_path_factory.mktemp("world") / "records.db"
    with Store(str(path)) as store:
        anna = people.add(store, "Anna", role=people.SUPERVISOR)
        ben = people.add(store, "Ben", class_name="A1")
        return World(path, anna, ben, deal_assessment(store, shipped, anna, ben))


@pytest.fixture
def path(tmp_path: Path, world: World) -> Path:
    return Path(shutil.copy(world.path, tmp_path / "records.db"))


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with Store(str(path)) as opened:
        yield opened


@pytest.fixture
def anna(world: World) -> people.Person:
    return world.anna


@pytest.fixture
def ben(world: World) -> people.Person:
    return world.ben


@pytest.fixture
def assessed(world: World) -> Stored:
    return world.assessed


def deal_assessment(store: Store, shipped: Procedures, anna: people.Person, ben: people.Person) -> Stored:
    """Deal an assessment with a fault: a loser is shown to push before the dealer's hand is known."""
    terms = people.Terms(HOUSE, 1, "sealed", 80, anna.id, spots=1)
    given = people.assign(store, [ben], terms)[0]
    script = people.script_for(given, shipped)
    recorder = StoreRecorder.start(
        store, script, shipped, person=ben.id, assignment=given.id, terms=terms.digest, kind="assessed"
    )
    live = Live(machine_of(shipped, HOUSE), script, (1,), emit=recorder.note)
    deal_with_a_fault(live)
    recorder.finish()
    return store.session(recorder.id)


def change(path: Path, statement: str, *values: object) -> None:
    """Change the database behind the program's back, as somebody with the file could."""
    with sqlite3.connect(path) as connection:
        connection.execute("pragma foreign_keys = off")
        done = connection.execute(statement, values)
        assert done.rowcount >= 1, "the change has to hit something"
    connection.close()


def troubles(store: Store, stored: Stored) -> list[str]:
    return desk.verify(store, store.session(stored.id))


# -- every field -------------------------------------------------------------------------------------------------


def test_an_untouched_session_holds(store: Store, assessed: Stored) -> None:
    assert troubles(store, assessed) == []


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("person_id", "ffffffffffff"), ("assignment_id", "ffffffffffff"), ("terms", "f" * 64), ("kind", "practice"),
        ("house", "aces"), ("fingerprint", "f" * 16), ("procedure", "f" * 64), ("version", "9.9"),
        ("header", "house: tropicana\nlines:\n"), ("drill", "splits"), ("started", "2020-01-01T00:00:00.000000Z"),
        ("zone", "+05:00"), ("first", "f" * 64), ("head", "f" * 64), ("count", 3),
    ],
)  # fmt: skip
def test_every_field_of_the_session_is_covered(
    store: Store, path: Path, assessed: Stored, column: str, value: object
) -> None:
    change(path, f'update sessions set "{column}" = ? where id = ?', value, assessed.id)
    assert troubles(store, assessed)


def test_the_fields_tried_are_all_there_are(path: Path, store: Store) -> None:
    """A new column has to be chained too, or be named here with a reason."""
    marks = test_every_field_of_the_session_is_covered.pytestmark  # type: ignore[attr-defined]
    tried = {case[0] for mark in marks for case in mark.args[1]}
    with sqlite3.connect(path) as connection:
        columns = {row[1] for row in connection.execute("pragma table_info(sessions)")}
    connection.close()
    assert columns - {"id"} == tried


@pytest.mark.parametrize("column", ["kind", "text", "time", "before", "digest"])
def test_every_field_of_every_entry_is_covered(store: Store, path: Path, assessed: Stored, column: str) -> None:
    values = {
        "kind": "end",
        "text": "wait",
        "time": "2020-01-01T00:00:00.000000Z",
        "before": "f" * 64,
        "digest": "e" * 64,
    }
    for number in range(1, assessed.count + 1):
        was = getattr(assessed.links[number - 1], column)
        if was == values[column]:
            continue
        where = f'update entries set "{column}" = ? where session_id = ? and number = ?'
        change(path, where, values[column], assessed.id, number)
        assert f"entry {number}" in troubles(store, assessed)[0]
        change(path, where, was, assessed.id, number)
    assert troubles(store, assessed) == []


def test_the_first_altered_act_is_named_with_what_it_says(store: Store, path: Path, assessed: Stored) -> None:
    for number in (4, 2):
        change(path, "update entries set text = 'pay 1 99.00' where session_id = ? and number = ?", assessed.id, number)
    assert troubles(store, assessed) == ["entry 2 was altered: act 'pay 1 99.00'"]


def test_a_missing_act_is_named_wherever_it_was(store: Store, path: Path, assessed: Stored) -> None:
    assert assessed.count >= 4
    for number in (1, 3, assessed.count):
        link = assessed.links[number - 1]
        change(path, "delete from entries where session_id = ? and number = ?", assessed.id, number)
        assert troubles(store, assessed) == [f"entry {number} is missing"]
        change(path, "insert into entries values (?, ?, ?, ?, ?, ?, ?)", assessed.id, number, link.kind, link.text,
               link.time, link.before, link.digest)  # fmt: skip


def test_a_missing_act_is_named_though_the_others_were_moved_up(store: Store, path: Path, assessed: Stored) -> None:
    change(path, "delete from entries where session_id = ? and number = 2", assessed.id)
    for number in range(3, assessed.count + 1):
        change(
            path, "update entries set number = ? where session_id = ? and number = ?", number - 1, assessed.id, number
        )
    change(path, 'update sessions set "count" = ? where id = ?', assessed.count - 1, assessed.id)
    found = troubles(store, assessed)[0]
    assert found.startswith("entry 2 is missing: what stands there was entry 3")


def test_reordered_acts_are_named(store: Store, path: Path, assessed: Stored) -> None:
    for one, other in ((2, 99), (3, 2), (99, 3)):
        change(path, "update entries set number = ? where session_id = ? and number = ?", other, assessed.id, one)
    assert troubles(store, assessed)[0].startswith("entry 2 was reordered: what stands there was entry 3")


def test_lines_that_changed_places_are_named(store: Store, path: Path, assessed: Stored) -> None:
    two, three = assessed.links[1], assessed.links[2]
    for number, link in ((2, three), (3, two)):
        change(path, "update entries set text = ?, kind = ?, time = ? where session_id = ? and number = ?", link.text,
               link.kind, link.time, assessed.id, number)  # fmt: skip
    assert troubles(store, assessed)[0] == "entry 2 was reordered: it stands as entry 3 now"


def test_an_act_with_a_digest_made_anew_is_named(store: Store, path: Path, assessed: Stored) -> None:
    link = assessed.links[2]
    forged = linked(link.before, 3, link.kind, "wait", link.time)
    change(path, "update entries set text = 'wait', digest = ? where session_id = ? and number = 3", forged.digest,
           assessed.id)  # fmt: skip
    assert troubles(store, assessed) == ["entry 3 was altered and its digest made anew: act 'wait'"]


def test_added_acts_are_named(store: Store, path: Path, assessed: Stored) -> None:
    extra = linked(assessed.head, assessed.count + 1, "act", "wait", assessed.links[-1].time)
    change(path, "insert into entries values (?, ?, 'act', 'wait', ?, ?, ?)", assessed.id, extra.number, extra.time,
           extra.before, extra.digest)  # fmt: skip
    assert f"entry {extra.number} was added" in troubles(store, assessed)[0]
    change(path, 'update sessions set "count" = ?, head = ? where id = ?', extra.number, extra.digest, assessed.id)
    assert "after the session was closed" in troubles(store, assessed)[0]


def forge_whole(path: Path, stored: Stored) -> None:
    """Write a whole new chain, as somebody with the file and the program's source could."""
    before = stored.first
    for link in stored.links:
        text = "wager 1 7.00" if link.number == 1 else link.text
        new = linked(before, link.number, link.kind, text, link.time)
        change(path, "update entries set text = ?, before = ?, digest = ? where session_id = ? and number = ?", text,
               before, new.digest, stored.id, link.number)  # fmt: skip
        before = new.digest
    change(path, "update sessions set head = ? where id = ?", before, stored.id)


def test_a_whole_forged_chain_is_found_by_the_printed_head(
    store: Store, path: Path, assessed: Stored, anna: people.Person
) -> None:
    signature = desk.sign(store, assessed.id, anna)
    head = ["verify", assessed.id[:8], "--store", str(path), "--head"]
    assert CliRunner().invoke(trainer, [*head, signature.head]).exit_code == 0
    assert CliRunner().invoke(trainer, [*head, signature.head[:16]]).exit_code == 0
    forge_whole(path, store.session(assessed.id))
    done = CliRunner().invoke(trainer, [*head, signature.head])
    assert done.exit_code == 1
    assert "stands nowhere in this chain" in done.output


def test_procedure_data_and_terms_are_covered(store: Store, path: Path, assessed: Stored) -> None:
    change(path, "update procedures set files = replace(files, 'soft', 'hard')")
    assert "procedure data" in troubles(store, assessed)[0]
    change(path, "update procedures set files = replace(files, 'hard', 'soft')")
    change(path, "update assignments set terms = replace(terms, '\"pass_mark\":80', '\"pass_mark\":10')")
    assert "terms of the assignment" in troubles(store, assessed)[0]


def test_verify_names_the_session_and_ends_with_one(store: Store, path: Path, assessed: Stored) -> None:
    done = CliRunner().invoke(trainer, ["verify", "--store", str(path)])
    assert (done.exit_code, done.output) == (0, "1 sessions hold\n")
    change(path, "update entries set text = 'wait' where session_id = ? and number = 3", assessed.id)
    done = CliRunner().invoke(trainer, ["verify", "--store", str(path)])
    assert done.exit_code == 1
    assert f"session {assessed.id}: entry 3 was altered: act 'wait'" in done.output
    change(path, "delete from sessions")
    done = CliRunner().invoke(trainer, ["verify", "--store", str(path)])
    assert done.exit_code == 1 and "its entries are still there" in done.output


# -- signing -----------------------------------------------------------------------------------------------------


def test_findings_are_decided_with_a_reason_and_then_frozen(
    store: Store, assessed: Stored, anna: people.Person, ben: people.Person
) -> None:
    finding = store.replayed(assessed).faults[0]
    with pytest.raises(StoreError, match="reason"):
        desk.decide(store, assessed.id, anna, finding.number, overrule=True)
    with pytest.raises(StoreError, match="no finding; the findings are on acts"):
        desk.decide(store, assessed.id, anna, 1)
    with pytest.raises(StoreError, match="not a supervisor"):
        desk.sign(store, assessed.id, ben)
    before = desk.decide(store, assessed.id, anna, finding.number)
    desk.decide(store, assessed.id, anna, finding.number, overrule=True, reason="the floor had asked for it")
    signature = desk.sign(store, assessed.id, anna)
    assert before.kind == "confirmed"
    assert signature.result.overruled == 1
    assert signature.result.faults == len(store.replayed(assessed).faults) - 1
    signed = store.session(assessed.id)
    assert desk.signature_in(signed) == signature
    assert (signed.head, signed.links[-1].kind) == (signature.head, SIGNED)
    for later in (
        lambda: desk.sign(store, assessed.id, anna),
        lambda: desk.decide(store, assessed.id, anna, finding.number),
    ):
        with pytest.raises(StoreError, match="is signed"):
            later()
    with pytest.raises(ValueError, match="closed"):
        StoreRecorder.resume(store, assessed.id)
    assert desk.verify(store, signed) == []


def test_other_verdicts_than_the_signed_ones_are_found(
    store: Store, assessed: Stored, anna: people.Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A later version that judges otherwise does not change what was signed: verify says so."""
    signature = desk.sign(store, assessed.id, anna)
    assert signature.verdicts == digest_of(store.replayed(assessed))
    monkeypatch.setattr("trainer.records.frozen.verdicts_of", lambda session: [{"act": 1}])
    assert f"signed under version {__version__}" in troubles(store, assessed)[0]


def test_an_altered_session_cannot_be_signed(store: Store, path: Path, assessed: Stored, anna: people.Person) -> None:
    change(path, "update entries set text = 'wait' where session_id = ? and number = 3", assessed.id)
    with pytest.raises(StoreError, match="entry 3 was altered"):
        desk.sign(store, assessed.id, anna)


def test_sign_prints_the_head_and_the_result(path: Path, store: Store, assessed: Stored, anna: people.Person) -> None:
    done = CliRunner().invoke(trainer, ["sign", assessed.id, "--by", "anna", "--store", str(path)])
    assert done.exit_code == 0, done.output
    assert store.session(assessed.id).head in done.output
    assert ", passed" in done.output and "trainee   Ben" in done.output


# -- evidence ----------------------------------------------------------------------------------------------------


def packed(store: Store, stored: Stored, folder: Path) -> Path:
    target = folder / "evidence.zip"
    done = CliRunner().invoke(trainer, ["export", stored.id, "--evidence", str(target), "--store", store.where])
    assert done.exit_code == 0, done.output
    assert store.session(stored.id).head in done.output
    return target


def test_a_pack_is_judged_the_same_where_nothing_else_is_known(
    store: Store, assessed: Stored, anna: people.Person, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pack alone is enough: no store, and other procedures lying there."""
    signature = desk.sign(store, assessed.id, anna)
    pack = packed(store, assessed, tmp_path)
    store.close()
    Path(store.where).unlink()
    monkeypatch.setattr("trainer.procedure.load.data_folder", lambda name: tmp_path / "nothing")
    done = CliRunner().invoke(trainer, ["verify", "--pack", str(pack), "--head", signature.head])
    assert done.exit_code == 0, done.output
    assert "replays to the same verdicts" in done.output
    read = evidence.read_pack(pack)
    assert read.manifest["verdicts"] == signature.verdicts == digest_of(evidence.replayed_pack(read))
    assert read.names == {read.stored.person_id: "Ben", anna.id: "Anna"}


def test_the_same_records_give_the_same_pack(store: Store, assessed: Stored) -> None:
    assert evidence.make_pack(store, assessed.id) == evidence.make_pack(store, assessed.id)


def altered_pack(pack: Path, part: str, edit: Callable[[str], str]) -> Path:
    """Write a pack anew with one part changed."""
    other = pack.with_name("altered.zip")
    with zipfile.ZipFile(pack) as source, zipfile.ZipFile(other, "w") as target:
        for name in source.namelist():
            text = source.read(name).decode()
            changed = edit(text) if name == part else text
            assert name != part or changed != text
            target.writestr(name, changed)
    return other


@pytest.mark.parametrize(
    ("part", "edit", "said"),
    [
        ("session.yaml", lambda text: text.replace("push 1", "push 2"), "session.yaml is not"),
        ("chain.json", lambda text: text.replace("push 1", "push 2"), "was altered: act 'push 2'"),
        ("chain.json", lambda text: text.replace('"zone": "', '"zone": "+'), "head of the session"),
        ("procedure.json", lambda text: text.replace("soft", "hard"), "procedure data"),
        ("verdicts.json", lambda text: text.replace('"fault"', '"right"', 1), "verdicts.json differs"),
        ("manifest.json", lambda text: text.replace('"head": "', '"head": "0'), "ends otherwise"),
        ("manifest.json", lambda text: text.replace('"verdicts": "', '"verdicts": "0'), "other verdicts"),
    ],
)
def test_a_pack_that_was_changed_is_found(
    store: Store, assessed: Stored, tmp_path: Path, part: str, edit: Callable[[str], str], said: str
) -> None:
    other = altered_pack(packed(store, assessed, tmp_path), part, edit)
    done = CliRunner().invoke(trainer, ["verify", "--pack", str(other)])
    assert done.exit_code == 1, done.output
    assert said in done.output


def test_a_pack_is_checked_against_the_printed_head(
    store: Store, path: Path, assessed: Stored, anna: people.Person, tmp_path: Path
) -> None:
    signature = desk.sign(store, assessed.id, anna)
    forge_whole(path, store.session(assessed.id))
    target = tmp_path / "forged.zip"
    evidence.write_pack(target, evidence.make_pack(store, assessed.id))
    assert "stands nowhere" in evidence.check_pack(evidence.read_pack(target), signature.head)[0]
    assert evidence.same_as_stored(store, evidence.read_pack(target)) == ""


def test_a_pack_and_the_store_that_part_are_told(
    store: Store, assessed: Stored, anna: people.Person, tmp_path: Path
) -> None:
    pack = evidence.read_pack(packed(store, assessed, tmp_path))
    desk.sign(store, assessed.id, anna)
    assert evidence.same_as_stored(store, pack) == ""
    other = replace(pack, stored=replace(pack.stored, links=pack.stored.links[::-1]))
    assert evidence.same_as_stored(store, other) == "the store and the pack part at entry 1"


def test_the_page_of_a_signed_session_names_who_signed_and_the_head(
    store: Store, assessed: Stored, anna: people.Person, tmp_path: Path
) -> None:
    fault = store.replayed(assessed).faults[0].number
    desk.decide(store, assessed.id, anna, fault, overrule=True, reason="asked by the floor")
    signature = desk.sign(store, assessed.id, anna)
    words = ["export", assessed.id, "--html", str(tmp_path / "out.html"), "--store", store.where]
    assert CliRunner().invoke(trainer, words).exit_code == 0
    page = (tmp_path / "out.html").read_text()
    for said in (signature.head, "overruled by Anna", "asked by the floor", "signed by Anna", "<dd>Ben</dd>"):
        assert said in page
    CliRunner().invoke(trainer, [*words, "--without-names"])
    assert "Anna" not in (tmp_path / "out.html").read_text() and "Ben" not in (tmp_path / "out.html").read_text()


@pytest.mark.parametrize("content", [b"", b"no zip", "zip without parts"])
def test_what_is_no_pack_is_told(tmp_path: Path, content: bytes | str) -> None:
    path = tmp_path / "x.zip"
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        with zipfile.ZipFile(path, "w") as pack:
            pack.writestr("session.yaml", "house: aces\n")
    done = CliRunner().invoke(trainer, ["verify", "--pack", str(path)])
    assert done.exit_code == 2
    assert "is no evidence pack" in done.output


def test_procedure_data_of_a_pack_stay_in_their_folder(store: Store, assessed: Stored, tmp_path: Path) -> None:
    """A pack comes from elsewhere: a path out of its folder is refused, nothing is written."""
    pack = evidence.read_pack(packed(store, assessed, tmp_path))
    files = json.loads(pack.procedure) | {"../escaped.yaml": "x"}
    from trainer.files import BadFile
    from trainer.records.procedure_data import procedures_from

    with pytest.raises(BadFile, match="own folder"):
        procedures_from(json.dumps(files), HOUSE)


# -- erasure -----------------------------------------------------------------------------------------------------


def test_erasing_a_person_leaves_the_chain_and_no_trace_of_the_name(
    store: Store, path: Path, shipped: Procedures, anna: people.Person
) -> None:
    person = people.add(store, "Zebulon Quarterstaff", class_name="Class of Ostriches")
    script = replace(
        people.script_for(people.assign(store, [person], people.Terms(HOUSE, 1, "s", 90, anna.id))[0], shipped),
        trainee=person.name,
    )
    recorder = StoreRecorder.start(store, script, shipped, person=person.id)
    deal_rounds(machine_of(shipped, HOUSE), script.options, seed="s", emit=recorder.note)
    assert b"Zebulon" in b"".join(one.read_bytes() for one in path.parent.glob("records.db*"))
    done = CliRunner().invoke(trainer, ["trainees", "erase", "zebulon quarterstaff", "--yes", "--store", str(path)])
    assert done.exit_code == 0, done.output
    left = b"".join(one.read_bytes() for one in path.parent.glob("records.db*"))
    assert b"Zebulon" not in left and b"Ostriches" not in left
    stored = store.session(recorder.id)
    assert desk.verify(store, stored) == []
    assert stored.person_id == person.id
    assert 'trainee: "' + person.id in stored.text
    with pytest.raises(StoreError, match="no person named"):
        people.named(store, "Zebulon Quarterstaff")
    pack = evidence.read_pack(packed(store, stored, path.parent))
    assert evidence.check_pack(pack) == []
