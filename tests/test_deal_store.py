"""Dealing into the store: practice beside its file, assessments by their terms, at the prompt and at the table."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from conftest import ROOT
from ui_driver import close_all, desk_of, perfect_round, picture, press, table_of

from trainer.actions import Act, parse
from trainer.cli import trainer
from trainer.drills.drill import Course, Deal, Drill, courses
from trainer.procedure.load import Procedures
from trainer.records import books, desk, people
from trainer.records.engine import StoreError
from trainer.records.recorder import StoreRecorder
from trainer.records.store import Store, Stored
from trainer.rounds.deal import Live, without_card
from trainer.rounds.play import Entry, machine_of
from trainer.rounds.script import Script, options_for, read_script
from trainer.ui.dealing import TablePage
from trainer.ui.debriefing import DebriefPage

HOUSE = "tropicana"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """The store that dealing finds by itself: the one in the data folder."""
    with Store(str(tmp_path / "data" / "records.db")) as opened:
        yield opened


@pytest.fixture(autouse=True)
def _closed_desks() -> Iterator[None]:
    yield
    close_all()


def deal(*words: str, lines: list[str] | None = None) -> Result:
    return CliRunner().invoke(trainer, ["deal", *words], input="".join(f"{line}\n" for line in lines or []))


def right_acts(procedures: Procedures, seed: str, spots: tuple[int, ...], rounds: int = 1) -> list[str]:
    """Return what a perfect dealer types, cards left to the shoe."""
    script = Script(HOUSE, options=options_for(procedures.house(HOUSE)), seed=seed)
    live = Live(machine_of(procedures, HOUSE), script, spots)
    live.open_round()
    acts: list[Act] = []
    while not (live.session.position.state == "over" and live.session.table.round == rounds):
        over = live.session.position.state == "over"
        acts.append(Act("start") if over else live.session.machine.suggest(live.session.position)[0])
        live.dealer(acts[-1])
    return [str(without_card(act)) for act in acts]


def only_session(store: Store) -> Stored:
    (one,) = store.sessions()
    return store.session(one.id)


def lines_of(path: Path) -> list[str]:
    return [line for line in path.read_text().splitlines() if line.startswith("  - ")]


def stored_lines(stored: Stored) -> list[str]:
    return [f"  - {link.text}" for link in stored.acts]


# -- practice at the prompt --------------------------------------------------------------------------------------


def test_each_act_is_in_file_and_store_before_the_next_line_is_read(
    shipped: Procedures, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    acts, path, seen = right_acts(shipped, "5", (1,)), tmp_path / "session.yaml", []

    def typed(_: bool) -> Iterator[str]:
        for text in ["take 1 5.00", *acts]:
            yield text
            stored = only_session(store)
            assert stored_lines(stored) == lines_of(path)
            seen.append(stored.count)

    monkeypatch.setattr("trainer.commands.deal._lines", typed)
    done = deal(HOUSE, "--trainee", "Ben", "--seed", "5", "--spots", "1", "--record", str(path))
    assert done.exit_code == 0, done.output
    assert seen == sorted(seen) and seen[0] >= 2 and len(seen) >= len(acts)
    stored = only_session(store)
    assert (stored.kind, stored.person_id, stored.is_closed) == ("practice", people.named(store, "Ben").id, True)
    assert "Ben is new in the store" in done.output and stored.id in done.output
    assert stored.text == path.read_text().replace("Ben", stored.person_id)
    assert desk.verify(store, stored) == []


def test_without_a_trainee_there_is_a_file_and_nothing_else(tmp_path: Path) -> None:
    code = (
        "import sys\nfrom trainer.cli import main\n"
        "try:\n    main(['deal', 'tropicana', '--seed', '5', '--plain'])\n"
        "finally:\n    print('sqlalchemy' in sys.modules, 'alembic' in sys.modules)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], input="deal 1\nquit\n", capture_output=True, text=True, cwd=ROOT
    )
    assert done.stdout.endswith("False False\n"), done.stdout + done.stderr
    assert len(list((tmp_path / "data" / "sessions").glob("*.yaml"))) == 1
    assert not (tmp_path / "data" / "records.db").exists()


def test_a_name_is_found_in_any_spelling_and_a_near_one_is_told(store: Store) -> None:
    people.add_all(store, [("Benedikt", "trainee", "A1"), ("Anna", "supervisor", "")])
    assert "new in the store" not in deal(HOUSE, "--trainee", " benedikt", lines=["quit"]).output
    assert "Benedict is new in the store (did you mean Benedikt?)" in deal(HOUSE, "--trainee", "Benedict").output
    refused = deal(HOUSE, "--trainee", "anna")
    assert refused.exit_code == 2 and "Anna is a supervisor, not a trainee" in refused.output
    assert len(store.sessions()) == 2


def test_the_store_is_the_one_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRAINER_STORE", str(tmp_path / "environment.db"))
    assert deal(HOUSE, "--trainee", "Ben").exit_code == 0
    assert deal(HOUSE, "--trainee", "Cora", "--store", str(tmp_path / "option.db")).exit_code == 0
    for name, who in (("environment", "Ben"), ("option", "Cora")):
        with Store(str(tmp_path / f"{name}.db")) as opened:
            assert [one.name for one in people.everybody(opened)] == [who]
    assert not (tmp_path / "data" / "records.db").exists()
    unreachable = deal(HOUSE, "--trainee", "Ben", "--store", "postgresql://u:secret@/none?host=/nowhere")
    assert (
        unreachable.exit_code == 2 and "cannot be opened" in unreachable.output and "secret" not in unreachable.output
    )


def test_a_killed_session_goes_on_in_file_and_store(shipped: Procedures, store: Store, tmp_path: Path) -> None:
    """The dealer's program is killed after an act was answered: that act and all before it are kept."""
    acts, path = right_acts(shipped, "7", (1,)), tmp_path / "session.yaml"
    words = ["deal", HOUSE, "--trainee", "Ben", "--seed", "7", "--spots", "1", "--record", str(path)]
    command = [sys.executable, "-c", "from trainer.cli import main\nmain()", *words]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stdin and process.stdout
        process.stdin.write("".join(f"{act}\n" for act in acts[:3]) + "felt\nfelt\n")
        process.stdin.flush()
        while "dealer> felt" not in process.stdout.readline():
            assert process.poll() is None
        process.send_signal(signal.SIGKILL)
    before = lines_of(path)
    assert stored_lines(only_session(store)) == before and len(before) >= 4
    done = deal("--resume", str(path), "--spots", "1", lines=acts[3:])
    assert done.exit_code == 0, done.output
    stored = only_session(store)
    assert stored_lines(stored) == lines_of(path) and stored_lines(stored)[: len(before)] == before
    assert store.replayed(stored).position.state == "over" and store.replayed(stored).accuracy == 1.0
    times = [entry.at for entry in store.replayed(stored).entries if entry.at is not None]
    assert times == sorted(times)


def test_a_store_that_is_behind_is_caught_up_from_the_file(
    shipped: Procedures, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    acts, path = right_acts(shipped, "5", (1,)), tmp_path / "session.yaml"
    note = StoreRecorder.note

    def full(self: StoreRecorder, entry: Entry) -> None:
        if self.count == 4:
            raise StoreError("the entry was not stored: disk is full")
        note(self, entry)

    with monkeypatch.context() as patch:
        patch.setattr(StoreRecorder, "note", full)
        words = ("--trainee", "Ben", "--seed", "5", "--spots", "1")
        stopped = deal(HOUSE, *words, "--record", str(path), lines=acts)
    assert stopped.exit_code == 2 and "disk is full" in stopped.output and "Traceback" not in stopped.output
    assert (len(lines_of(path)), only_session(store).count) == (5, 4)
    dealt = sum("wager" not in line and "signal" not in line for line in lines_of(path))
    done = deal("--resume", str(path), "--spots", "1", lines=acts[dealt:])
    assert done.exit_code == 0, done.output
    stored = only_session(store)
    assert stored_lines(stored) == lines_of(path) and desk.verify(store, stored) == []
    assert store.replayed(stored).position.state == "over"


def test_a_file_that_says_otherwise_than_the_store_is_refused(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "session.yaml"
    deal(HOUSE, "--trainee", "Ben", "--seed", "5", "--spots", "1", "--record", str(path), lines=["deal 1", "quit"])
    path.write_text(path.read_text().replace("wager 1 5.00", "wager 1 15.00"))
    refused = deal("--resume", str(path), lines=["quit"])
    assert refused.exit_code == 2 and "they differ at act 1" in refused.output


def test_nobodys_file_becomes_a_trainees_and_nobody_elses(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "session.yaml"
    deal(HOUSE, "--seed", "5", "--spots", "1", "--record", str(path), lines=["deal 1", "quit"])
    assert store.sessions() == []
    assert deal("--resume", str(path), "--trainee", "Ben", "--spots", "1", lines=["deal up", "quit"]).exit_code == 0
    assert deal("--resume", str(path), "--trainee", "Ben", "--spots", "1", lines=["deal 1", "quit"]).exit_code == 0
    stored = only_session(store)
    assert stored_lines(stored) == lines_of(path) and len(stored.acts) == 4 and not stored.is_closed
    deal(HOUSE, "--trainee", "Ben", "--record", str(tmp_path / "his.yaml"), lines=["deal 1", "quit"])
    refused = deal("--resume", str(tmp_path / "his.yaml"), "--trainee", "Cora")
    assert refused.exit_code == 2 and "this session is Ben's" in refused.output


# -- assessments at the prompt -----------------------------------------------------------------------------------


@pytest.fixture
def given(store: Store) -> people.Assignment:
    anna, ben, _ = people.add_all(
        store, [("Anna", "supervisor", ""), ("Ben", "trainee", "A1"), ("Cora", "trainee", "A1")]
    )
    terms = people.Terms(HOUSE, 2, "sealed-seed", 80, anna.id, spots=1, themes=("insurance",))
    return people.assign(store, [ben], terms)[0]


def test_an_assignment_is_dealt_by_its_terms_and_kept_apart(
    shipped: Procedures, store: Store, given: people.Assignment, tmp_path: Path
) -> None:
    acts = right_acts(shipped, "sealed-seed", (1,), rounds=2)
    done = deal("--assignment", given.id[:7], "--trainee", "ben", lines=["hint", "legal", "push 1", *acts, "start"])
    assert done.exit_code == 0, done.output
    assert done.output.count("an assessment gives no hints") == 2
    assert given.terms.seal in done.output and "sealed-seed" not in done.output
    assert done.output.index("rule     ") > done.output.index(f"dealer> {acts[-1]}"), "no verdict before the end"
    stored = only_session(store)
    assert (stored.kind, stored.assignment_id, stored.terms) == ("assessed", given.id, given.terms.digest)
    assert stored.is_closed and desk.verify(store, stored) == []
    replayed = store.replayed(stored)
    assert (replayed.script.seed, replayed.script.mode, replayed.script.display) == ("sealed-seed", "assessed", "exam")
    assert replayed.table.round == 2 and replayed.position.state == "over"
    assert not (tmp_path / "data" / "sessions").exists(), "an assessment is in the store alone"
    again = deal("--assignment", given.id, "--trainee", "Ben")
    assert again.exit_code == 2 and f"was dealt already, as session {stored.id}" in again.output
    signed = CliRunner().invoke(trainer, ["sign", stored.id, "--by", "Anna"])
    assert signed.exit_code == 0 and ", passed" in signed.output


def test_a_broken_off_assessment_goes_on_without_a_verdict(
    shipped: Procedures, store: Store, given: people.Assignment
) -> None:
    acts = right_acts(shipped, "sealed-seed", (1,), rounds=2)
    first = deal("--assignment", given.id, "--trainee", "Ben", lines=[acts[0], "push 1", "why", "quit"])
    assert "broken off, and not judged yet" in first.output
    assert "accuracy" not in first.output and "rule" not in first.output
    done = deal(HOUSE, "--assignment", given.id, "--trainee", "Ben", lines=acts[1:])
    assert "accuracy" in done.output and only_session(store).is_closed


def test_an_assessment_whose_end_was_not_noted_is_ended(
    shipped: Procedures, store: Store, given: people.Assignment, monkeypatch: pytest.MonkeyPatch
) -> None:
    acts = right_acts(shipped, "sealed-seed", (1,), rounds=2)
    with monkeypatch.context() as patch:
        patch.setattr("trainer.records.books.Books.finish", lambda self: None)
        deal("--assignment", given.id, "--trainee", "Ben", lines=acts)
    assert not only_session(store).is_closed
    assert "accuracy" in deal("--assignment", given.id, "--trainee", "Ben", lines=["start", "deal 1"]).output
    assert only_session(store).is_closed and store.replayed(only_session(store)).table.round == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "--trainee NAME"),
        (("--trainee", "Cora"), "is not set for Cora"),
        (("--trainee", "Dan"), "no trainee named 'Dan'"),
        (("--trainee", "Ben", "--seed", "1"), "leave out --seed"),
        (("--trainee", "Ben", "--rounds", "1"), "leave out --rounds"),
        (("--trainee", "Ben", "--game", "x"), "leave out --game"),
        (("--trainee", "Ben", "--display", "learn"), "leave out --display"),
        (("aces", "--trainee", "Ben"), "is set in tropicana, not in aces"),
    ],
)
def test_an_assignment_is_dealt_by_nobody_else_and_not_otherwise(
    store: Store, given: people.Assignment, words: tuple[str, ...], said: str
) -> None:
    done = deal("--assignment", given.id, *words)
    assert done.exit_code == 2 and said in done.output
    assert store.sessions() == [] and [one.name for one in people.everybody(store, role="trainee")] == ["Ben", "Cora"]


def test_changed_terms_end_an_assessment(given: people.Assignment, store: Store) -> None:
    deal("--assignment", given.id, "--trainee", "Ben", lines=["deal 1"])
    from trainer.records.tables import assignments

    easier = replace(given.terms, rounds=1)
    store.write(lambda connection: connection.execute(assignments.update().values(terms=easier.text)) and None)
    refused = deal("--assignment", given.id, "--trainee", "Ben")
    assert refused.exit_code == 2 and "were changed after session" in refused.output


# -- at the table ------------------------------------------------------------------------------------------------


def test_the_table_keeps_each_act_before_the_next_key(store: Store) -> None:
    page = table_of(Drill(HOUSE, display="guided", seed="5", spots=(1,), rounds=2, trainee="Ben"))
    assert page.message == "Ben is new in the store"
    path = Path(page.course.deals[0].file)
    for act in ("take 1 5.00", "deal 1", "deal up"):
        press(page, parse(act))
        assert stored_lines(only_session(store)) == lines_of(path)
    assert len(lines_of(path)) == 4
    page.desk.quit()
    (course,) = courses()
    again = TablePage(page.desk, course)
    page.desk.open(again)
    perfect_round(again)
    press(again, Act("start"))
    perfect_round(again)
    again.desk.key("enter")
    stored = only_session(store)
    assert stored.is_closed and stored.kind == "practice" and stored_lines(stored) == lines_of(path)
    assert desk.verify(store, stored) == []
    debrief = page.desk.pages[-1]
    assert isinstance(debrief, DebriefPage)
    page.desk.key("a")
    for _ in range(50):
        if page.desk.tick(0.0) is None:
            break
    assert isinstance(page.desk.pages[-1], TablePage)
    assert len(store.sessions(person=stored.person_id)) == 2, "what is dealt next is the trainee's too"


def sit(store: Store, given: people.Assignment, shipped: Procedures) -> TablePage:
    sat = books.assessment(store.where, given.id, "Ben", shipped)
    drill = Drill(HOUSE, display="exam", spots=sat.spots, rounds=2, seed=given.terms.seed, coached=False, trainee="Ben")
    page = TablePage(desk_of()[0], Course(drill, [Deal(drill.seed, 2)]), sat=sat)
    page.desk.open(page)
    return page


def test_an_assessment_at_the_table(
    shipped: Procedures, store: Store, given: people.Assignment, tmp_path: Path
) -> None:
    page = sit(store, given, shipped)
    press(page, parse("deal 1"))
    press(page, parse("push 1"))
    for key in ("?", "f2"):
        page.desk.key(key)
    assert "instead" not in picture(page.desk, 100, 40) and "sealed-seed" not in picture(page.desk, 100, 40)
    for key in ("esc", "q", "q"):
        page.desk.key(key)
    assert page.desk.pages == [] and not only_session(store).is_closed, "left early: no debrief, and not over"
    page = sit(store, given, shipped)
    perfect_round(page)
    page.desk.key("enter")
    assert page.desk.pages == [page] and "silent" in page.message
    press(page, Act("start"))
    perfect_round(page)
    stored = only_session(store)
    assert stored.is_closed and stored.kind == "assessed" and desk.verify(store, stored) == []
    press(page, Act("start"))
    assert "The assessment is over" in page.message and only_session(store).count == stored.count
    page.desk.key("enter")
    assert isinstance(page.desk.pages[-1], DebriefPage) and "push 1" in picture(page.desk, 100, 60)
    page.desk.key("r")
    assert isinstance(page.desk.pages[-1], DebriefPage), "there is no file to replay"
    assert courses() == [] and not (tmp_path / "data" / "sessions").exists()


def test_the_address_of_a_store_is_kept_without_a_password(tmp_path: Path) -> None:
    for store, kept in (
        ("/a/b.db", "/a/b.db"),
        ("postgresql://u:secret@h/d", ""),
        ("postgresql://u@h/d", "postgresql://u@h/d"),
    ):
        path = tmp_path / "course.json"
        Course(Drill(HOUSE, store=store), path=path).save()
        assert "secret" not in path.read_text() and f'"store": "{kept}"' in path.read_text()


# -- slips -------------------------------------------------------------------------------------------------------

MANY = ["deal 1", "deal up", "push 1", "deal 1", "push 1", "deal hole", "push 1", "peek", "quit"]


def test_many_findings_are_told_by_their_slips(tmp_path: Path) -> None:
    path = tmp_path / "session.yaml"
    words = (HOUSE, "--seed", "5", "--spots", "1", "--assessed", "--record", str(path))
    few = deal(*words[:-1], str(tmp_path / "few.yaml"), lines=[*MANY[:3], "quit"])
    assert few.exit_code == 0 and "what it comes down to" not in few.output
    told = deal(*words, lines=MANY).output.partition("what it comes down to:\n")[2].splitlines()
    replayed = CliRunner().invoke(trainer, ["replay", "--slips", str(path)]).output.splitlines()
    assert told[0].endswith(".") and told[1].startswith("1. You ")
    assert replayed[1:] == told[: len(replayed) - 1]


def test_the_debrief_on_the_screen_tells_slips() -> None:
    page = table_of(Drill(HOUSE, display="practice", seed="5", spots=(1,), coached=False))
    for act in MANY[:-1]:
        press(page, parse(act))
    for key in ("q", "q"):
        page.desk.key(key)
    assert "What it comes down to" in picture(page.desk, 100, 70) and "1. You " not in picture(page.desk, 100, 70)
    assert page.desk.tick(10.0) and page.desk.tick(11.0) is None
    assert "1. You " in picture(page.desk, 100, 70)


def test_pages_of_records_bring_their_slips(shipped: Procedures, store: Store, tmp_path: Path) -> None:
    path, html = tmp_path / "session.yaml", tmp_path / "page.html"
    deal(HOUSE, "--seed", "5", "--spots", "1", "--assessed", "--record", str(path), "--trainee", "Ben", lines=MANY)
    done = CliRunner().invoke(trainer, ["replay", "--slips", "--html", str(html), str(path)])
    told = [line for line in done.output.splitlines() if ". You " in line]
    assert told and html.read_text().count('<p class="slip">') == len(told)
    exported = tmp_path / "exported.html"
    assert CliRunner().invoke(trainer, ["export", only_session(store).id, "--html", str(exported)]).exit_code == 0
    assert exported.read_text().count('<p class="slip">') == html.read_text().count('<p class="slip">') > 0
    right = tmp_path / "right.yaml"
    deal(HOUSE, "--seed", "5", "--spots", "1", "--record", str(right), lines=right_acts(shipped, "5", (1,)))
    CliRunner().invoke(trainer, ["replay", "--html", str(html), str(right)])
    assert '<p class="slip">' not in html.read_text()
    assert read_script(right, shipped).lines
