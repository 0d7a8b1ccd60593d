"""Stand at the table without a terminal: perfect and faulty rounds by keys, displays, recording, resuming."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from ui_driver import HOUSES, close_all, perfect_round, picture, press, table_of

from trainer.actions import Act, Role
from trainer.drills.drill import Drill, courses, read_kept, script_of, sit_down
from trainer.procedure.load import procedures
from trainer.rounds.script import read_script
from trainer.ui.dealing import TablePage
from trainer.ui.debriefing import DebriefPage
from trainer.ui.rulepage import RulePage

DEAL = ("d1", "d2", "d3", "du", "d1", "d2", "d3", "dh")


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Keep sessions in a folder of the test's own."""
    monkeypatch.setenv("TRAINER_DATA", str(tmp_path))
    yield tmp_path
    close_all()


def typed(page: TablePage, *keys: str) -> None:
    """Type keys as one would."""
    for word in keys:
        for key in word:
            page.desk.key(key)


@pytest.mark.parametrize("house", HOUSES)
@pytest.mark.parametrize("seed", ["1", "5", "8"])
def test_a_perfect_round_by_keys_is_clean_and_recorded(house: str, seed: str) -> None:
    games = tuple(procedures(None).house(house).games)
    page = table_of(Drill(house, display="learn", seed=seed, games=games))
    perfect_round(page)
    assert page.over and not page.session.findings
    for size in ((80, 24), (100, 30), (140, 40)):
        assert picture(page, *size)
    path = Path(page.course.deals[0].file)
    kept = read_kept(path, procedures(None))
    assert kept and [str(one.act) for one in kept.session.entries] == [str(one.act) for one in page.session.entries]
    page.desk.key("enter")
    shown = picture(page.desk.pages[-1], 100, 30)
    assert isinstance(page.desk.pages[-1], DebriefPage) and "100 %" in shown and "rounds an hour" in shown


def test_a_committed_act_is_on_the_disk_before_the_next_key() -> None:
    page = table_of(Drill("tropicana", seed="1"))
    path = Path(page.course.deals[0].file)
    for count, keys in enumerate(("d1", "d2", "d3"), 1):
        typed(page, keys)
        acts = [line.act for line in read_script(path, procedures(None)).lines if line.act.role is Role.DEALER]
        assert len(acts) == count and acts[-1].card is not None


def test_a_key_is_taken_back_and_a_committed_act_is_not() -> None:
    page = table_of(Drill("tropicana", seed="1"))
    before = len(page.session.entries)
    typed(page, "d")
    page.desk.key("backspace")
    assert not page.keys and len(page.session.entries) == before
    typed(page, "k")
    page.desk.key("esc")
    typed(page, "p31")
    page.desk.key("backspace")
    assert "".join(page.keys) == "p3"
    page.desk.key("esc")
    typed(page, "d1")
    page.desk.key("esc")
    page.desk.key("backspace")
    assert len(page.session.entries) == before + 1 and page.session.table.spots[1].hands[0].cards


def test_a_wrong_key_is_said_and_forgotten() -> None:
    page = table_of(Drill("tropicana", seed="1"))
    typed(page, "d9")
    assert "".join(page.keys) == "d" and "no spot 9" in picture(page, 80, 24)
    typed(page, "1")
    assert page.session.entries[-1].act.verb == "deal"


def test_coached_blocks_and_explains_assessed_lets_it_happen() -> None:
    coached = table_of(Drill("tropicana", seed="1", display="guided"))
    typed(coached, *DEAL, "kk")
    assert coached.last and coached.last.blocked and not coached.session.table.ledger.looked
    shown = picture(coached, 100, 30)
    assert "fault" in shown and "Nothing has moved" in shown and "instead" in shown and "tropicana-009" in shown
    assessed = table_of(Drill("tropicana", seed="1", display="practice", coached=False))
    typed(assessed, *DEAL, "kk")
    assert assessed.last and not assessed.last.blocked and assessed.session.table.ledger.looked
    shown = picture(assessed, 100, 30)
    assert "fault" in shown and "instead" not in shown and "tropicana-009" in shown


def test_the_displays_change_what_is_shown_and_nothing_else() -> None:
    pages = {}
    for display in ("learn", "guided", "practice", "exam"):
        page = pages[display] = table_of(Drill("tropicana", seed="4", display=display, coached=False))
        typed(page, *DEAL, "kk")
    acts = [[(str(one.act), one.verdict.severity) for one in page.session.entries] for page in pages.values()]
    assert all(one == acts[0] for one in acts)
    shown = {display: picture(page, 140, 40) for display, page in pages.items()}
    assert "next step" in shown["learn"] and all(
        "next step" not in shown[one] for one in ("guided", "practice", "exam")
    )
    assert "fault" in shown["practice"] and "fault" not in shown["exam"] and "✗" not in shown["exam"]
    hand = pages["exam"].session.table.spots[1].hands[0]
    row = [text for text in shown["exam"].splitlines() if text.startswith(f"{hand.total} ")]
    assert not row and [text for text in shown["learn"].splitlines() if str(hand.total) in text[:8]]


def test_the_hole_card_is_told_nowhere_before_it_is_seen() -> None:
    page = table_of(Drill("tropicana", seed="1"))
    typed(page, *DEAL)
    hole = page.session.table.dealer.cards[1]
    from trainer.ui.felt import face

    for size in ((80, 24), (100, 30), (140, 40)):
        shown = picture(page, *size)
        others = [card for spot in page.session.table.wagered for card in spot.hands[0].cards]
        assert str(hole) not in shown and "▒▒" in shown
        assert face(hole) not in shown or hole in others
    page.desk.key("f2")
    assert str(hole) not in picture(page.desk.pages[-1], 100, 200)


def test_the_line_takes_the_notation_and_says_what_is_wrong_with_it() -> None:
    page = table_of(Drill("tropicana", seed="1"))
    typed(page, ":deal 1")
    page.desk.key("enter")
    assert str(page.session.entries[-1].act).startswith("deal 1 ")
    typed(page, ":deel 2")
    page.desk.key("enter")
    assert "did you mean deal" in picture(page, 80, 24) and page.line is not None
    page.desk.key("esc")
    page.desk.key("up")
    assert page.line is not None and page.line.text.startswith("deal 1")
    page.desk.key("esc")
    typed(page, ":deal 2 9h")
    page.desk.key("enter")
    assert "shoe brings the cards" in picture(page, 80, 24)
    page.desk.key("paste:deal 2")
    page.desk.key("enter")
    assert page.session.entries[-1].act.spot == 2


def test_a_session_broken_off_anywhere_goes_on_as_if_it_had_not_been() -> None:
    whole = table_of(Drill("trump-marina", seed="3", difficulty="plain"))
    perfect_round(whole)
    wanted = [str(one.act) for one in whole.session.entries]
    path = Path(whole.course.deals[0].file)
    text = path.read_text("utf-8").splitlines(keepends=True)
    head = next(index for index, row in enumerate(text) if row.startswith("lines:")) + 1
    machine = whole.machine
    for kept in range(head + 1, len(text), 4):
        path.write_text("".join(text[:kept]), "utf-8")
        script = read_script(path, procedures(None))
        seat = sit_down(machine, whole.drill, script, path)
        written = len(seat.live.session.entries)
        assert [str(one.act) for one in seat.live.session.entries] == wanted[:written]
        for line in wanted[written:]:
            from trainer.actions import parse

            act = parse(line, machine.house.kinds)
            if act.role is Role.DEALER and len(seat.live.session.entries) < len(wanted):
                seat.live.dealer(
                    replace(act, card=None) if act.verb in ("deal", "deal up", "deal hole", "draw") else act
                )
        assert [str(one.act) for one in seat.live.session.entries] == wanted
        seat.close()
        again = read_script(path, procedures(None))
        assert [str(line.act) for line in again.lines] == wanted


def test_a_drill_broken_off_is_offered_and_resumed() -> None:
    page = table_of(Drill("tropicana", seed="1", rounds=2))
    typed(page, *DEAL)
    page.seat.recorder.close()
    found = courses()
    assert len(found) == 1 and not found[0].finished and found[0].drill == page.drill
    again = TablePage(page.desk, found[0])
    assert [str(one.act) for one in again.session.entries] == [str(one.act) for one in page.session.entries]
    assert len(again.seat.live.shoe) == len(page.seat.live.shoe)


def test_difficult_players_are_refused_and_warned() -> None:
    page = table_of(Drill("tropicana", seed="d23", difficulty="difficult", display="learn"))
    shown = []
    for _ in range(120):
        if page.session.position.state == "over":
            break
        shown.append(picture(page, 100, 30))
        act = page.machine.suggest(page.session.position)
        press(page, act[0] if act else Act("wait"))
    verbs = {one.act.verb for one in page.session.entries}
    assert {"refuse", "warn"} <= verbs and not page.session.findings
    assert any("☞ touches cards!" in text.replace("\n", " ") or "☞ touches" in text for text in shown)


def test_the_rules_page_has_evidence_and_examples_from_the_scenarios() -> None:
    page = table_of(Drill("tropicana", seed="1"))
    typed(page, *DEAL, "kk?")
    rule = page.desk.pages[-1]
    assert isinstance(rule, RulePage)
    for _ in range(400):
        if rule.tick(0.0) is None:
            break
    shown = picture(rule, 100, 40)
    assert "tropicana-009" in shown and "peek: This house" in shown and "Kept" in shown and "looking" not in shown
    page.desk.key("esc")
    assert page.desk.pages[-1] is page


def test_the_debrief_lists_findings_and_three_drills_with_keys() -> None:
    page = table_of(Drill("tropicana", seed="1", display="exam", coached=False))
    typed(page, *DEAL, "kk")
    perfect_round(page)
    page.desk.key("enter")
    shown = picture(page.desk.pages[-1], 140, 50)
    assert "look-under-" in shown and "tropicana-009" in shown and "Practise next" in shown
    assert " 1 " in shown and " 2 " in shown and " 3 " in shown
    assert page.course.finished
    from trainer.ui.start import FindPage

    page.desk.key("1")
    assert isinstance(page.desk.pages[-1], FindPage)
    assert page.desk.pages[-1].drill.theme.startswith("rule look-under")


def test_a_script_of_a_drill_says_what_it_was() -> None:
    page = table_of(Drill("greektown", seed="7", display="practice", coached=False, trainee="Ann"))
    script = script_of(page.machine, page.drill, "7", "now")
    assert (script.display, script.mode, script.seed, script.trainee) == ("practice", "assessed", "7", "Ann")
    press(page, Act("deal", 1))
    assert read_script(Path(page.course.deals[0].file), procedures(None)).procedure.startswith("greektown@")


def test_pytermgui_is_imported_in_one_module_only() -> None:
    import re

    import trainer

    folder = Path(trainer.__file__).parent
    wanted = re.compile(r"^\s*(from|import) pytermgui", re.M)
    found = [path for path in folder.rglob("*.py") if wanted.search(path.read_text("utf-8"))]
    assert [str(path.relative_to(folder)) for path in found] == ["ui/paint.py"]
