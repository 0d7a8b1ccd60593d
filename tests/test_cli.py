"""The commands as their users call them: what they print and how they end."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from trainer.cli import COMMANDS, SHORT, trainer
from trainer.procedure.load import Procedures
from trainer.rounds.play import machine_of, replay
from trainer.rounds.script import print_script, read_script

HOUSES = ("aces", "greektown", "house-h17", "tropicana", "trump-marina")


def run(*words: str, stdin: str = "") -> tuple[int, str]:
    done = CliRunner().invoke(trainer, list(words), input=stdin, catch_exceptions=False)
    return done.exit_code, done.output


def process(*words: str, stdin: str = "", **kwargs) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "trainer", *words], input=stdin, capture_output=True, text=True, timeout=60, **kwargs
    )


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_every_command_explains_itself(command):
    code, text = run(command, "--help")
    assert code == 0
    assert "Usage: trainer" in text
    assert command in SHORT


def test_an_unknown_command_is_refused_with_a_suggestion():
    done = process("reply")
    assert done.returncode == 2
    assert "Did you mean 'replay'" in done.stderr


@pytest.mark.parametrize("house", HOUSES)
def test_a_demonstration_is_a_record_that_replays_clean(house, tmp_path):
    games = ["--game", "perfect-pairs", "--game", "fortune-teller"] if house == "greektown" else []
    code, text = run("demo", house, "--seed", "7", "--rounds", "2", *games)
    assert code == 0
    file = tmp_path / "demo.yaml"
    file.write_text(text)
    code, said = run("replay", str(file))
    assert code == 0, said
    assert "accuracy 100.0%, 0 faults, 0 advice" in said
    assert run("demo", house, "--seed", "7", "--rounds", "2", *games)[1] == text


def test_a_wrong_line_turns_a_record_red(tmp_path):
    _, text = run("demo", "tropicana", "--seed", "5", "--spots", "2")
    assert "  - call insurance" in text
    file = tmp_path / "round.yaml"
    file.write_text(text.replace("  - call insurance", "  - peek\n  - call insurance", 1))
    code, said = run("replay", str(file))
    assert code == 1
    assert "look-under-ace" in said
    assert "tropicana-009" in said
    code, said = run("replay", "--format", "json", str(file))
    assert code == 1
    faults = [one for one in json.loads(said)[0]["entries"] if one.get("severity") == "fault"]
    assert [one["act"] for one in faults] == ["peek"]
    assert faults[0]["cites"] == ["tropicana-009"]


def test_a_file_that_cannot_be_read_ends_with_2_and_all_its_problems(tmp_path):
    file = tmp_path / "bad.yaml"
    file.write_text("house: tropicana\nlines:\n  - peak\n  - {do: pay 3 5, expct: right}\n  - deal 3 9x\n")
    done = process("replay", str(file))
    assert done.returncode == 2
    assert f"{file}:3:5" in done.stderr
    assert "did you mean peek" in done.stderr
    assert f"{file}:4:" in done.stderr


@pytest.mark.parametrize("name", ["look-under-ace", "tropicana-009", "D-07", "pay", "soft-17", "perfect-pairs", "aces"])
def test_everything_that_has_a_name_is_explained(name):
    code, text = run("explain", name)
    assert code == 0
    assert name in text


def test_an_unknown_name_is_refused_with_a_suggestion():
    done = process("explain", "look-under-acce")
    assert done.returncode == 2
    assert "did you mean look-under-ace" in done.stderr


def test_each_statement_of_each_house_is_explained(shipped: Procedures):
    from trainer.commands.explain import explained

    count = 0
    for slug in shipped.names():
        for name in shipped.house(slug).statements:
            page = "\n".join(explained(shipped, name, slug))
            assert "steers" in page
            assert "steers nothing: \n" not in page + "\n"
            count += 1
    assert count == 355


@pytest.mark.parametrize("house", HOUSES)
def test_a_house_fits_a_page_or_two(house):
    code, text = run("houses", house)
    assert code == 0
    assert text.count("\n") < 170
    assert "Defaults" in text


@pytest.mark.slow
def test_the_shipped_files_are_in_order():
    code, text = run("check")
    assert code == 0, text


# -- dealing at the prompt ------------------------------------------------------------------------------------------


def perfect_lines(shipped: Procedures, house: str, seed: str) -> str:
    """The dealer's side of a perfect round, as it is typed."""
    from trainer.rounds.deal import deal_rounds, without_card
    from trainer.rounds.script import options_for

    machine = machine_of(shipped, house)
    session = deal_rounds(machine, options_for(machine.house), seed=seed, spots=(1, 2))
    return "".join(f"{without_card(entry.act)}\n" for entry in session.entries if entry.act.role == "dealer")


@pytest.mark.parametrize("house", HOUSES)
def test_a_perfect_round_is_dealt_through_a_pipe(house, shipped, tmp_path):
    record = tmp_path / "session.yaml"
    done = process(
        "deal", house, "--plain", "--seed", "11", "--spots", "2", "--record", str(record),
        stdin=perfect_lines(shipped, house, "11"),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "accuracy 100.0%" in done.stdout
    assert "1 round finished" in done.stdout
    session = replay(read_script(record, shipped), machine_of(shipped, house))
    assert not session.findings
    assert session.position.state == "over"


def test_coached_a_wrong_act_is_blocked_and_assessed_it_takes_effect(shipped, tmp_path):
    lines = "deal 1\ndeal up\ndeal 1\ndeal hole\npeek\nturn hole\n"
    common = ("deal", "tropicana", "--plain", "--seed", "3", "--spots", "1")
    coached = process(*common, "--record", str(tmp_path / "a.yaml"), stdin=lines)
    assert coached.stdout.count("(blocked: the table is as it was)") == 2
    assessed = process(*common, "--assessed", "--record", str(tmp_path / "b.yaml"), stdin=lines)
    assert "blocked" not in assessed.stdout
    assert "fault: peek" in assessed.stdout.split("dealer> turn hole")[1]
    blocked = replay(read_script(tmp_path / "a.yaml", shipped), machine_of(shipped, "tropicana"))
    assert not blocked.table.dealer.turned
    assert len(blocked.faults) == 2
    taken = replay(read_script(tmp_path / "b.yaml", shipped), machine_of(shipped, "tropicana"))
    assert taken.table.dealer.turned


def test_what_is_no_act_is_not_committed(tmp_path, shipped):
    record = tmp_path / "s.yaml"
    done = process(
        "deal", "aces", "--plain", "--seed", "1", "--spots", "1", "--record", str(record),
        stdin="dael 1\nsignal 1 hit\ndeal 1 As\ndeal 9\npush 1\nhint\nwhy\nlegal\nhelp\nhelp pay\nfelt\n\n# a note\nquit\ndeal 1\n",
    )  # fmt: skip
    assert "did you mean deal" in done.stdout
    assert "players act for themselves" in done.stdout
    assert "the shoe supplies the card" in done.stdout
    assert "there is no spot 9" in done.stdout
    assert "hint: deal 1" in done.stdout
    script = read_script(record, shipped)
    assert [str(line.act) for line in script.lines if not line.blocked and line.act.role == "dealer"] in (
        [],
        ["push 1"],
    )


def test_a_killed_session_keeps_every_committed_act_and_goes_on(tmp_path, shipped):
    record = tmp_path / "killed.yaml"
    command = [sys.executable, "-m", "trainer", "deal", "tropicana", "--plain", "--seed", "11", "--spots", "2"]
    lines = perfect_lines(shipped, "tropicana", "11").splitlines()
    running = subprocess.Popen(
        [*command, "--record", str(record)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    )
    assert running.stdin and running.stdout
    for line in lines[:6]:
        running.stdin.write(line + "\n")
        running.stdin.flush()
    seen = 0
    deadline = time.monotonic() + 20
    while seen < 6 and time.monotonic() < deadline:
        seen += running.stdout.readline().startswith("dealer> ")
    time.sleep(0.3)
    os.kill(running.pid, signal.SIGKILL)
    running.wait()
    kept = [line for line in read_script(record, shipped).lines if line.act.role == "dealer"]
    assert len(kept) >= 6
    rest = "".join(line + "\n" for line in lines[len(kept) :])
    done = subprocess.run(
        [*command, "--resume", str(record)], input=rest, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    session = replay(read_script(record, shipped), machine_of(shipped, "tropicana"))
    assert not session.findings
    assert session.position.state == "over"


def test_a_session_is_printed_and_read_back_the_same(shipped, tmp_path):
    _, text = run("demo", "greektown", "--seed", "9", "--game", "perfect-pairs", "--no-cite")
    script = read_script("demo.yaml", shipped, text=text)
    again = read_script("demo.yaml", shipped, text=print_script(script))
    assert [line.act for line in again.lines] == [line.act for line in script.lines]
    assert again.options == script.options


def test_it_works_from_any_folder(tmp_path: Path):
    done = process("replay", "--quiet", "/nonexistent.yaml", cwd=tmp_path)
    assert done.returncode == 2
    assert "nonexistent" in done.stderr
    assert process("houses", cwd=tmp_path).returncode == 0


def test_a_record_as_json_lines_is_judged_the_same(tmp_path):
    _, text = run("demo", "aces", "--seed", "4", "--spots", "2", "--no-cite")
    file = tmp_path / "round.yaml"
    file.write_text(text.replace("  - peek\n", "", 1).replace("  - turn hole\n", "  - peek\n  - turn hole\n", 1))
    lines = tmp_path / "round.jsonl"
    assert run("import", "--to", "jsonl", str(file), "-o", str(lines))[0] == 0
    as_yaml = json.loads(run("replay", "--format", "json", str(file))[1])[0]
    as_lines = json.loads(run("replay", "--format", "json", str(lines))[1])[0]
    without = [{**one, "line": 0} for one in as_yaml["entries"]]
    assert [{**one, "line": 0} for one in as_lines["entries"]] == without
