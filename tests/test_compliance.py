"""Checklists, their filling in from records, and the papers made of them."""

from __future__ import annotations

import csv
import io
import itertools
import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from conftest import missing

from trainer.actions import parse
from trainer.cli import trainer
from trainer.compliance.checklist import BASE_GAME, NoSuchScope, checklist, rows_citing
from trainer.compliance.tally import Tally, tally
from trainer.files import Place
from trainer.procedure.load import procedures
from trainer.reports.checklists import to_csv, to_html, to_markdown
from trainer.reports.pdf import NoPdf, to_pdf
from trainer.rounds.play import machine_of
from trainer.rounds.script import Line, Script, options_for

P = procedures()
HOUSES = P.names()


def run(*args: str) -> Result:
    return CliRunner().invoke(trainer, list(args), prog_name="trainer")


def cited_in_files(house: str) -> set[str]:
    """Every statement id that the house's own files cite, read without the loader."""
    found: set[str] = set()
    folder = P.folder / house
    for path in (folder / "house.yaml", *sorted((folder / "games").glob("*.yaml"))):
        for line in path.read_text(encoding="utf-8").splitlines():
            for cites in re.findall(r"cites: \[([^\]]*)\]", line):
                found |= {one.strip() for one in cites.split(",") if one.strip()}
    return found


@pytest.mark.parametrize("house", HOUSES)
def test_every_binding_statement_is_asked_for_by_exactly_the_rows_that_say_it(house: str) -> None:
    own, citing = P.house(house), rows_citing(P.house(house))
    rows = {row.id: row for row in checklist(own).rows}
    for statement in own.statements.values():
        by_row = {name for name, row in rows.items() if statement.id in row.evidence.cites}
        assert set(citing[statement.id]) == by_row
        if statement.binding != "no" and not statement.steers_nothing:
            assert by_row, f"{statement.id} is in no row"
    assert {name for name, found in citing.items() if found} >= cited_in_files(house)


@pytest.mark.parametrize("house", HOUSES)
def test_rows_stand_in_the_order_of_the_round_with_defaults_apart(house: str) -> None:
    given = checklist(P.house(house))
    parts = [part for part in given.by_part() if part in given.house.parts]
    assert parts == [part for part in given.house.parts if part in parts]
    assert [row.number for row in given.rows] == list(range(1, len(given.rows) + 1))
    assert given.rows == (*given.documented, *given.undocumented)
    assert all(row.evidence.cites or row.evidence.memo for row in given.documented)
    assert not any(row.evidence.cites for row in given.undocumented)
    assert len({row.id for row in given.rows}) == len(given.rows)


@pytest.mark.parametrize("house", HOUSES)
def test_every_row_is_a_question(house: str) -> None:
    for row in checklist(P.house(house)).rows:
        assert row.question.endswith("?") and row.question[0].isupper() and "_" not in row.question


def test_amounts_stand_in_their_questions() -> None:
    aces = {row.id: row.question for row in checklist(P.house("aces")).rows}
    assert aces["blackjack-odds"] == "Was each blackjack paid at the house's price (2:1)?"
    greektown = {row.id: row.question for row in checklist(P.house("greektown")).rows}
    assert "25:1" in greektown["price pairs, perfect pair"]


def test_scopes_and_games_limit_the_rows() -> None:
    greektown = P.house("greektown")
    assert {row.part for row in checklist(greektown, scopes=("insurance", "bust")).rows} == {"insurance", "bust"}
    assert {row.part for row in checklist(greektown, game="perfect-pairs").rows} == {"perfect-pairs"}
    base = checklist(greektown, game=BASE_GAME).rows
    rest = [row for game in greektown.games for row in checklist(greektown, game=game).rows]
    assert len(base) + len(rest) == len(checklist(greektown).rows)
    with pytest.raises(NoSuchScope, match="did you mean insurance"):
        checklist(greektown, scopes=("insurence",))
    with pytest.raises(NoSuchScope, match="has no game 'perfect-pairs'"):
        checklist(P.house("aces"), game="perfect-pairs")


def script(house: str, *lines: str) -> Script:
    own = P.house(house)
    placed = tuple(Line(parse(text), Place("round.yaml", number, 1)) for number, text in enumerate(lines, 1))
    return Script(house, placed, options=options_for(own))


def counted(house: str, *lines: str) -> Tally:
    return tally(machine_of(P, house), [script(house, *lines)])


LOOKED = ("wager 1 10.00", "deal 1 Ts", "deal up Ah", "deal 1 9h", "deal hole 6c", "call insurance", "peek")


def test_a_record_fills_in_where_a_rule_was_broken_and_where_kept() -> None:
    found = counted("tropicana", *LOOKED)
    assert found.counts["look-under-ace"].broken_at == ["round.yaml:7"]
    assert not found.counts["look-under-ace"].kept
    assert found.counts["players-cards-up"].kept_at == ["round.yaml:2", "round.yaml:4"]
    assert (found.records, found.acts) == (1, 6)


def test_a_duty_counts_when_it_fell_due() -> None:
    kept = counted("aces", *LOOKED)
    assert kept.counts["insurance-called-before-look"].kept == 1
    left_out = counted("aces", *(line for line in LOOKED if line != "call insurance"))
    assert left_out.counts["insurance-called-before-look"].broken == 1
    assert not left_out.counts["insurance-called-before-look"].kept


def test_a_rule_whose_matter_was_not_on_the_table_was_not_seen() -> None:
    plain = counted(
        "tropicana", "wager 1 10.00", "deal 1 Ts", "deal up 5h", "deal 1 9h", "deal hole 6c", "ask 1", "signal 1 stand"
    )
    for rule in ("insurance-under-ace-only", "split-equal-values", "one-card-on-split-ace", "double-on-two-cards"):
        assert rule not in plain.counts


SPLIT = ("wager 1 10.00", "deal 1 Ts", "deal up 5h", "deal 1 9h", "deal hole 6c", "ask 1", "split 1 10.00")


def test_refusing_what_is_out_of_order_keeps_the_rule_and_accepting_breaks_it() -> None:
    refused = counted("tropicana", *SPLIT, "refuse 1 split")
    assert (refused.counts["split-equal-values"].kept, refused.counts["split-equal-values"].broken) == (1, 0)
    accepted = counted("tropicana", *SPLIT, "separate 1")
    assert (accepted.counts["split-equal-values"].kept, accepted.counts["split-equal-values"].broken) == (0, 1)
    assert accepted.counts["split-equal-values"].broken_at == ["round.yaml:8"]


def test_every_paper_carries_the_counts() -> None:
    given, filled = checklist(P.house("tropicana"), scopes=("hole card",)), counted("tropicana", *LOOKED)
    rows = list(csv.DictReader(io.StringIO(to_csv(given, filled))))
    looked = next(row for row in rows if row["id"] == "look-under-ace")
    assert (looked["seen"], looked["kept"], looked["broken"], looked["lines"]) == ("1", "0", "1", "round.yaml:7")
    assert (
        looked["statements"] == "tropicana-009"
        and P.house("tropicana").statements["tropicana-009"].where in looked["places"]
    )
    assert "| 1, 0, 1 | round.yaml:7 |" in to_markdown(given, filled)
    assert "round.yaml:7" in to_html(given, filled)


@pytest.mark.parametrize("house", HOUSES)
def test_the_form_has_an_answer_and_a_comment_for_every_row(house: str) -> None:
    given = checklist(P.house(house))
    html = to_html(given)
    assert html.count('type="radio"') == 3 * len(given.rows)
    assert html.count("<textarea") == len(given.rows)
    for word in ("Property", "Period", "Auditor", "Signature", "Version", "Effective"):
        assert word in html
    for name in (name for row in given.documented for name in row.evidence.cites):
        assert f"<b>{name}</b>" in html


def test_texts_are_escaped() -> None:
    house = replace_title(P.house("aces"), "<b>&co")
    assert "<b>&co" not in to_html(checklist(house)) and "&lt;b&gt;&amp;co" in to_html(checklist(house))


def replace_title(house, title):  # type: ignore[no-untyped-def]
    return replace(house, title=title)


def test_the_form_is_filled_in_and_saved_in_a_browser(tmp_path: Path) -> None:
    sync_api = pytest.importorskip("playwright.sync_api")
    browser_path = Path("/usr/bin/chromium")
    if not browser_path.exists():
        missing("chromium", "the form is filled in and saved in a real browser")
    page_file = tmp_path / "form.html"
    page_file.write_text(to_html(checklist(P.house("aces"), scopes=("bust",))), encoding="utf-8")
    with sync_api.sync_playwright() as play:
        browser = play.chromium.launch(executable_path=str(browser_path), args=["--no-sandbox"])
        page = browser.new_page()
        page.goto(page_file.as_uri())
        page.fill('input[name="Auditor"]', 'Ann "A" <Example>')
        page.check('input[name="a1"][value="no"]')
        page.click("#save")
        assert page.locator('textarea[name="c1"]').get_attribute("class") == "due"
        assert "comment missing at 1" in page.inner_text("#state")
        page.fill('textarea[name="c1"]', "Hand 3 & 4 <late>")
        with page.expect_download() as download:
            page.click("#save")
        saved = tmp_path / "saved.html"
        download.value.save_as(saved)
        page.goto(saved.as_uri())
        assert page.input_value('input[name="Auditor"]') == 'Ann "A" <Example>'
        assert page.is_checked('input[name="a1"][value="no"]')
        assert page.input_value('textarea[name="c1"]') == "Hand 3 & 4 <late>"
        browser.close()


def test_the_printed_paper_is_the_same_each_time() -> None:
    try:
        import weasyprint  # noqa: F401
    except (ImportError, OSError) as why:
        missing("weasyprint (pip install 'dealer-trainer[pdf]', Debian libpango)", str(why))
    html = to_html(checklist(P.house("aces"), scopes=("bust",)), form=False)
    assert "<input" not in html and 'class="box"' in html
    first = to_pdf(html)
    assert first.startswith(b"%PDF") and first == to_pdf(html)


def test_without_the_extra_the_command_says_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "weasyprint", None)
    with pytest.raises(NoPdf, match=r"dealer-trainer\[pdf\]"):
        to_pdf("<p>x</p>")
    done = run("checklist", "aces", "--format", "pdf", "--out", str(tmp_path / "a.pdf"))
    assert done.exit_code == 2 and "print from a browser" in done.output
    assert not (tmp_path / "a.pdf").exists()


def test_the_command_tells_wrong_names() -> None:
    done = run("checklist", "aces", "--scope", "insurence")
    assert done.exit_code == 2 and "did you mean insurance" in done.output
    done = run("checklist", "aces", "--records", str(P.folder.parent / "scenarios" / "tropicana" / "cases"))
    assert done.exit_code == 2 and "no record of aces" in done.output


def test_parts_of_the_round_cover_every_rule_once() -> None:
    parts = [rule.part for rule in P.rules.values()]
    assert set(parts) == set(P.game.parts)
    order = list(dict.fromkeys(parts))
    assert sum(1 for before, after in itertools.pairwise(parts) if before != after) == len(order) - 1
