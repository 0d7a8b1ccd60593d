"""The replay page, opened in a real browser: what it shows, by keys and by screen reader's names, light, dark, printed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from conftest import ROOT, missing
from markupsafe import escape
from playwright.sync_api import Browser, Page, expect, sync_playwright

from trainer.procedure.load import Procedures
from trainer.reports.html_replay import SlipView, html_replay, slip_views
from trainer.rounds.deal import deal_rounds
from trainer.rounds.play import Session, machine_of, replay
from trainer.rounds.script import options_for, read_script

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome") or ""
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync"]  # fmt: skip
FAULTY = """
    wager 1 10.00
    wager 2 10.00
    deal 1 Ts
    deal 2 9c
    deal up Ad
    deal 1 7h
    deal 2 8d
    deal hole 5c
    ask 1
    signal 1 hit
    deal 1 2h
    signal 1 stand
    call insurance
    decline 1
    decline 2
    close insurance
    ask 2
    signal 2 stand
    turn hole
    draw 4h
    stop
    take 2 10.00
    pay 1 10.00
    clear 2
    clear 1
    clear dealer
"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if not CHROMIUM:
        missing("Chromium", "the replay page is tested in a real browser")
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS[1:])
        yield opened
        opened.close()


@pytest.fixture
def faulty(play: Callable[..., Session]) -> Session:
    """A round in which insurance is called late and a loser is paid."""
    session = play("aces", FAULTY, header='title: "Insurance late, <b>loser</b> & paid"')
    faults = [str(one.act) for one in session.faults]
    assert faults[0] == "ask 1" and "pay 1 10.00" in faults
    assert session.money == -2000
    return session


@pytest.fixture
def page(browser: Browser, faulty: Session, tmp_path: Path) -> Iterator[Page]:
    """The page of the faulty round, opened from a file; whatever it asks the network for or complains of fails."""
    path = tmp_path / "out.html"
    path.write_text(html_replay(faulty), encoding="utf-8")
    context = browser.new_context(viewport={"width": 1400, "height": 950})
    opened = context.new_page()
    wrong: list[str] = []
    opened.on("console", lambda message: wrong.append(message.text))
    opened.on("pageerror", lambda error: wrong.append(str(error)))
    opened.on("request", lambda asked: wrong.append(asked.url) if asked.url != path.as_uri() else None)
    opened.goto(path.as_uri())
    yield opened
    assert wrong == []
    context.close()


def number_of(session: Session, act: str) -> int:
    return next(one.number for one in session.entries if str(one.act) == act)


# -- what it shows -----------------------------------------------------------------------------------------------


def test_the_fault_is_shown_with_its_citation_and_the_right_act(page: Page, faulty: Session) -> None:
    for entry in faulty.faults:
        page.get_by_role("slider", name="Act").fill(str(entry.number - 1))
        page.get_by_role("button", name="Next finding").click()
        now = page.locator("#now")
        expect(now).to_contain_text(f"{entry.number}")
        expect(now).to_contain_text(str(entry.act))
        expect(now).to_contain_text("fault")
        leading = entry.verdict.leading
        assert leading is not None and leading.evidence.cites and entry.verdict.instead
        expect(now).to_contain_text(leading.why)
        expect(now).to_contain_text(leading.rule.slug)
        expect(now.locator(".instead").first).to_have_text(f"Instead {entry.verdict.instead[0]}")
        for cited in leading.evidence.cites:
            expect(now).to_contain_text(faulty.house.statements[cited].gist)
            expect(now).to_contain_text(f"{faulty.house.statements[cited].where} ({cited})")
    page.get_by_role("slider", name="Act").fill(str(number_of(faulty, "pay 1 10.00")))
    expect(page.locator("#now")).to_contain_text("too much to the players")


def test_the_felt_follows_the_acts(page: Page, faulty: Session) -> None:
    felt = page.locator("#felt")
    slider = page.get_by_role("slider", name="Act")
    assert felt.locator(".card").count() == 0
    slider.fill(str(number_of(faulty, "deal hole 5c")))
    assert felt.locator(".own .card").count() == 2
    assert felt.locator(".own .card.back").count() == 1
    assert "5 of clubs" not in (felt.text_content() or "")
    expect(felt.locator(".spot").nth(0)).to_contain_text("10 of spades")
    expect(felt.locator(".spot").nth(0)).to_contain_text("wager 10.00")
    slider.fill(str(number_of(faulty, "turn hole")))
    assert felt.locator(".own .card.back").count() == 0
    expect(felt.locator(".own")).to_contain_text("dealer: soft 16")
    expect(felt.locator(".own")).to_contain_text("5 of clubs")
    slider.fill(str(number_of(faulty, "take 2 10.00")))
    expect(felt.locator(".spot").nth(1)).not_to_contain_text("10.00")
    expect(felt.locator(".rack")).to_have_text("round 1, house so far 10.00")
    slider.fill(str(len(faulty.entries)))
    assert felt.locator(".card").count() == 0


def test_buttons_and_keys_do_the_same(page: Page, faulty: Session) -> None:
    body, last = page.locator("body"), len(faulty.entries)
    findings = [one.number for one in faulty.findings]
    moves = [
        ("Step", "ArrowRight", 1), ("Step", "ArrowRight", 2), ("Back", "ArrowLeft", 1), ("Next finding", "n", findings[0]),
        ("Next finding", "n", findings[1]), ("Finding before", "Shift+N", findings[0]), ("Last", "End", last),
        ("First", "Home", 0),
    ]  # fmt: skip
    for by_key in (False, True):
        for button, key, at in moves:
            if by_key:
                page.keyboard.press(key)
            else:
                page.get_by_role("button", name=button, exact=True).click()
            expect(body).to_have_attribute("data-at", str(at))
    expect(page.get_by_role("button", name="Back", exact=True)).to_be_disabled()
    page.keyboard.press("ArrowLeft")
    expect(body).to_have_attribute("data-at", "0")


@pytest.mark.slow
def test_play_goes_on_by_itself_and_stops_at_a_finding(page: Page, faulty: Session) -> None:
    first = faulty.findings[0].number
    page.get_by_role("slider", name="Act").fill(str(first - 2))
    page.get_by_role("button", name="Play").click()
    expect(page.get_by_role("button", name="Pause")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("body")).to_have_attribute("data-at", str(first), timeout=5000)
    expect(page.get_by_role("button", name="Play")).to_have_attribute("aria-pressed", "false")


@pytest.mark.slow
def test_an_act_in_the_list_or_the_address_is_shown(page: Page, faulty: Session) -> None:
    number = number_of(faulty, "turn hole")
    page.locator(f"#act-{number} a.line").click()
    expect(page.locator("body")).to_have_attribute("data-at", str(number))
    expect(page.locator("[aria-current=step]")).to_have_id(f"act-{number}")
    page.goto(page.url.split("#")[0] + "#at-4")
    expect(page.locator("body")).to_have_attribute("data-at", "4")


# -- for everybody -----------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_screen_reader_hears_names_and_changes(page: Page) -> None:
    expect(page.get_by_role("heading", level=1)).to_have_text("Insurance late, <b>loser</b> & paid")
    expect(page.get_by_role("status")).to_have_text("Before the first act")
    for name in ("First", "Back", "Play", "Step", "Last", "Finding before", "Next finding"):
        expect(page.get_by_role("button", name=name, exact=True)).to_have_count(1)
    page.keyboard.press("n")
    expect(page.get_by_role("status")).to_contain_text("ask 1 fault: omitted")
    expect(page.get_by_role("slider", name="Act")).to_have_attribute("aria-valuetext", re.compile(r"act \d+ of \d+"))
    expect(page.get_by_role("group", name="The felt")).to_have_count(1)
    snapshot = page.locator("#felt").aria_snapshot()
    assert "spot 1" in snapshot and "10 of spades" in snapshot and "dealer" in snapshot
    assert "♠" not in snapshot


@pytest.mark.slow
def test_everything_is_reached_by_tab_and_typed_keys_stay_in_the_slider(page: Page) -> None:
    reached = []
    for _ in range(12):
        page.keyboard.press("Tab")
        reached.append(
            page.evaluate(
                "document.activeElement.dataset.do || document.activeElement.id || document.activeElement.className"
            )
        )
    assert reached[0] == "skip"
    assert {"play", "step", "last", "finding", "slider", "list"} <= set(reached)
    page.get_by_role("slider", name="Act").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("body")).to_have_attribute("data-at", "1")


CONTRAST = """
() => {
  const parse = (text) => text.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((v) => { v /= 255; return v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4; })
    .reduce((sum, v, i) => sum + v * [.2126, .7152, .0722][i], 0);
  const ground = (one) => { for (; one; one = one.parentElement) { const c = parse(getComputedStyle(one).backgroundColor); if (c.length < 4 || c[3] > .99) return c; } return [255, 255, 255]; };
  const poor = [];
  for (const one of document.querySelectorAll("body *")) {
    if (!one.getClientRects().length || ![...one.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim())) continue;
    if (one.closest(".unseen, button:disabled, .card.back, .skip")) continue;
    const a = light(parse(getComputedStyle(one).color)), b = light(ground(one));
    const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
    if (ratio < 4.5) poor.push(one.className + ": " + one.textContent.trim().slice(0, 30) + " " + ratio.toFixed(2));
  }
  return poor;
}
"""


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_reads_well_in_light_and_dark(page: Page, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    grounds = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert grounds == {"light": "rgb(251, 250, 247)", "dark": "rgb(20, 23, 26)"}[scheme]
    for _ in range(3):
        page.keyboard.press("n")
        assert page.evaluate(CONTRAST) == []


@pytest.mark.parametrize("width", [360, *(pytest.param(wide, marks=pytest.mark.slow) for wide in (700, 1024, 1600))])
def test_nothing_runs_out_of_a_narrow_window(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.keyboard.press("n")
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0


@pytest.mark.slow
def test_printed_it_holds_every_act_and_the_felt_of_each_finding(page: Page, faulty: Session, tmp_path: Path) -> None:
    page.emulate_media(media="print")
    assert not page.locator(".controls").is_visible()
    pictures = page.locator(".felt.printed")
    assert pictures.count() == len(faulty.findings)
    for index in range(pictures.count()):
        assert pictures.nth(index).is_visible() and pictures.nth(index).locator(".card").count() >= 2
    for entry in faulty.entries:
        assert page.locator(f"#act-{entry.number} .said").is_visible()
    pdf = tmp_path / "out.pdf"
    page.pdf(path=str(pdf))
    if shutil.which("pdftotext"):
        text = subprocess.run(["pdftotext", "-layout", str(pdf), "-"], capture_output=True, text=True).stdout
        assert "Insurance late" in text and "close insurance" in text and "Source" in text


@pytest.mark.slow
def test_without_scripts_every_verdict_can_be_read(browser: Browser, faulty: Session, tmp_path: Path) -> None:
    path = tmp_path / "out.html"
    path.write_text(html_replay(faulty), encoding="utf-8")
    context = browser.new_context(java_script_enabled=False)
    opened = context.new_page()
    opened.goto(path.as_uri())
    for entry in faulty.faults:
        assert entry.verdict.leading
        expect(opened.locator(f"#act-{entry.number}")).to_contain_text(entry.verdict.leading.why)
    expect(opened.get_by_text("needs scripts")).to_be_visible()
    context.close()


@pytest.mark.slow
def test_chromium_by_itself_draws_the_same(faulty: Session, tmp_path: Path) -> None:
    """No driver between: the page as a person's browser opens it."""
    if not CHROMIUM:
        missing("Chromium", "the replay page is tested in a real browser")
    path = tmp_path / "out.html"
    path.write_text(html_replay(faulty), encoding="utf-8")
    number = faulty.faults[0].number
    done = subprocess.run(
        [CHROMIUM, *FLAGS, f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom", f"{path.as_uri()}#at-{number}"],
        capture_output=True, text=True, timeout=90,
    )  # fmt: skip
    now = re.search(r'<div id="now".*?</section>', done.stdout, re.DOTALL)
    assert now and "call insurance" in now[0] and "aces-" in now[0] and "fault" in now[0]


# -- the file ----------------------------------------------------------------------------------------------------


class Addresses(HTMLParser):
    """Collects every attribute that could load something."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value or "" for name, value in attrs if name in ("src", "href", "action", "data", "srcset")]


def test_the_file_stands_alone(faulty: Session) -> None:
    text = html_replay(faulty)
    reader = Addresses()
    reader.feed(text)
    assert reader.found and all(address.startswith("#") for address in reader.found)
    assert "url(" not in text and "@import" not in text and "http://" not in text and "https://" not in text
    assert "default-src 'none'" in text


@pytest.mark.slow
def test_names_cannot_break_out_of_the_page(faulty: Session, browser: Browser, tmp_path: Path) -> None:
    bad = "</script><script>document.title='taken'</script><img src=x onerror=alert(1)>"
    script = replace(faulty.script, title=bad, trainee=bad, players=((1, bad),))
    slip = SlipView(bad, (bad,), (3,))
    path = tmp_path / "out.html"
    path.write_text(html_replay(replay(script, faulty.machine), slips=[slip], footer=[bad]), encoding="utf-8")
    opened = browser.new_page()
    opened.goto(path.as_uri())
    assert opened.title() == bad
    assert opened.locator("img").count() == 0
    expect(opened.locator(".spot .title").first).to_contain_text("</script>")
    opened.close()


def test_slips_are_shown_with_their_acts(faulty: Session) -> None:
    text = html_replay(
        faulty, slips=[SlipView("insurance was called late", ("call it before the first ask",), (9, 21))]
    )
    assert "insurance was called late" in text and 'href="#act-21"' in text
    assert '<h2 id="slips-title">' not in html_replay(faulty)


def test_an_explained_record_brings_its_slips(faulty: Session) -> None:
    from trainer.rounds.explain import explain

    views = slip_views(faulty.house, explain(faulty.script, faulty.machine))
    text = html_replay(faulty, slips=views)
    assert views and all(view.acts and all(1 <= act <= len(faulty.entries) for act in view.acts) for view in views)
    assert text.count('<p class="slip">') == len(views) and str(escape(views[0].title)) in text


def test_the_same_session_gives_the_same_bytes(faulty: Session) -> None:
    again = replay(faulty.script, faulty.machine)
    assert html_replay(faulty) == html_replay(again)
    assert str(ROOT) not in html_replay(faulty)


@pytest.mark.parametrize("rounds", [1, pytest.param(10, marks=pytest.mark.slow)])
def test_rounds_of_every_house_make_a_page_of_modest_size(shipped: Procedures, rounds: int) -> None:
    for house in shipped.names():
        own = shipped.house(house)
        session = deal_rounds(
            machine_of(shipped, house), options_for(own), seed="page", rounds=rounds, spots=(1, 2, 3, 4, 5)
        )
        text = html_replay(session)
        assert text.count('<li id="act-') == len(session.entries)
        assert len(text) < 100_000 * (rounds + 1)


@pytest.mark.slow
def test_recorded_cases_of_every_house_become_pages(shipped: Procedures) -> None:
    paths = sorted((ROOT / "scenarios").glob("*/cases/*.yaml"))[::9]
    assert paths or os.environ.get("TRAINER_NO_CASES")
    for path in paths:
        script = read_script(path, shipped)
        session = replay(script, machine_of(shipped, script.house))
        text = html_replay(session)
        for entry in session.findings:
            assert f'id="act-{entry.number}"' in text
