"""Turn a file of real cases into scenarios: one file a case and house, with the verdicts the case expects.

usage: convert_cases.py CASES OUT

CASES is YAML: a list of cases with a stream of actions and one verdict a house. Files go to OUT/<house>/cases/. A case
names a ruling word; where the order of rulings gives the act another word, that word is written and the case's is noted.
A statement that proves the verdict has to be cited by a finding of the record; what is not is told, and the exit is 1.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path
from typing import Any

import yaml

from trainer.actions import Act
from trainer.cards import card
from trainer.chips import cents, dollars
from trainer.files import Place
from trainer.procedure.load import Procedures, procedures
from trainer.procedure.model import House
from trainer.procedure.verdicts import Severity
from trainer.records.foreign import Stream
from trainer.rounds.play import Session, machine_of, replay
from trainer.rounds.script import Line, Script, options_for, print_line, quoted

Json = dict[str, Any]

# The register of defaults ranks above a case: a card to a spot without a wager is commented where only D-89 speaks of it.
REGISTER_WINS = {"C67": (3, "D-89", ("greektown", "house-h17", "tropicana", "trump-marina"))}


def main(arguments: list[str]) -> int:
    """Convert every case for every house it names; return 1 when a proof is cited nowhere."""
    if len(arguments) != 2:
        print("usage: convert_cases.py CASES OUT", file=sys.stderr)
        return 2
    cases = yaml.load(Path(arguments[0]).read_text("utf-8"), Loader=yaml.CSafeLoader)
    known, missed = procedures(), 0
    for case in cases:
        for verdict in case["verdicts"]:
            text, uncited = convert(case, verdict, known)
            folder = Path(arguments[1]) / verdict["house"] / "cases"
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{case['id'].lower()}-{case['kind']}.yaml").write_text(text, "utf-8")
            if uncited:
                missed += 1
                print(f"{case['id']} {verdict['house']}: not cited by any finding: {', '.join(uncited)}")
    return 1 if missed else 0


def convert(case: Json, verdict: Json, known: Procedures) -> tuple[str, list[str]]:
    """Return a scenario's text, and the proofs that no finding of its record cites."""
    house = known.house(verdict["house"])
    bare = _script(case, verdict, house)
    session = replay(bare, machine_of(known, house.slug))
    lines, uncited = _expected(case, verdict, session)
    script = replace(bare, lines=tuple(lines), net=_net(verdict, session), money=_money(verdict))
    return scenario_text(script, house), uncited


def _script(case: Json, verdict: Json, house: House) -> Script:
    table = case["round"]
    options = replace(
        options_for(house),
        places=table["seats"],
        minimum=cents(table["minimum"]),
        games=frozenset(game for game in table["side_games"] if game in house.games),
    )
    source = case["source"]
    deviates = verdict["severity"] != "none"
    title = verdict["deviation"] if deviates else case["situation"].split(". ")[0]
    return Script(
        house.slug,
        lines=tuple(_lines(case, house.slug)),
        title=f"{case['id']}: {_sentence(title)}",
        tags=(case["kind"], *([verdict["mistake"].lower()] if verdict["mistake"] else [])),
        note=f"{_flat(case['situation'])} Source: {source['type']}, {_flat(source['title'])}, {source['ref']}.",
        options=options,
        players=tuple((int(one["spot"][4:]), f"player {one['player']}") for one in table["spots"]),
    )


def _flat(text: str) -> str:
    return " ".join(text.split())


def _sentence(text: str) -> str:
    flat = _flat(text).rstrip(".")
    return flat[:1].upper() + flat[1:]


# -- acts ---------------------------------------------------------------------------------------------------------


def _lines(case: Json, house: str) -> Iterator[Line]:
    stream, actions = Stream(), (case.get("streams") or {}).get(house) or case["actions"]
    for given, following in zip_longest(actions, actions[1:], fillvalue={}):
        act = act_of(given, stream)
        if _is_followed_by_the_rest(given, following):
            act = replace(act, kind="split" if act.hand > 1 else "main")
        stream.note(act)
        yield Line(act, Place(case["id"], given["n"], 1), note=_flat(given.get("note", "")))


def _is_followed_by_the_rest(given: Json, following: Json) -> bool:
    """Whether what was added is settled by itself next, so that ``main`` is not everything on the hand."""
    return (given.get("what"), following.get("what")) == ("main", "added") and all(
        given.get(name) == following.get(name) for name in ("do", "at")
    )


def act_of(given: Json, stream: Stream) -> Act:
    """Return the act an action of a case stands for.

    Raises:
        KeyError: the case uses a word that no act has.
    """
    spot, hand = _place(given.get("at", ""))
    amount = cents(given["amount"]) if "amount" in given else None
    what, does = given.get("what", ""), given["do"]
    if does == "deal_card":
        return _dealt(given, stream, spot, hand)
    if does == "announce":
        return _announced(given, spot, hand)
    if does == "expose_hole":
        return Act("turn hole")
    if does in _MOVES_CHIPS:
        kind = what
        if what == "main":
            kind = ""
        elif what == "added":
            kind = stream.added(spot, hand, amount)
        return Act(_MOVES_CHIPS[does], spot, hand, kind=kind, amount=amount)
    if does in ("refuse_wager", "refuse_decision"):
        return Act("refuse", spot, hand, what=what)
    if does == "signal":
        return Act("signal", spot, hand, what=what)
    return Act(_PLAIN[does], spot, hand, amount=amount)


_MOVES_CHIPS = {"place_wager": "wager", "pay": "pay", "collect": "take", "return_wager": "return"}
_PLAIN = {
    "buy_insurance": "insure", "decline_insurance": "decline", "take_even_money": "even money", "double": "double",
    "split": "split", "surrender": "surrender", "ask_decision": "ask", "close_insurance": "close insurance",
    "peek_hole": "peek", "stop_drawing": "stop", "separate_cards": "separate", "push": "push",
    "place_wager_on_cards": "lay", "remove_cards": "clear", "remove_dealer_cards": "clear dealer",
    "start_round": "start",
}  # fmt: skip


def _place(at: str) -> tuple[int, int]:
    match = re.fullmatch(r"spot(\d)([a-h]?)", at)
    if not match:
        return 0, 0
    return int(match[1]), "abcdefgh".index(match[2]) + 1 if match[2] else 0


def _dealt(given: Json, stream: Stream, spot: int, hand: int) -> Act:
    one, down = card(given["card"]), given.get("face") == "down"
    if spot:
        return Act("deal", spot, hand, card=one, flag="down" if down else "")
    return Act(stream.own_card(down), card=one)


def _announced(given: Json, spot: int, hand: int) -> Act:
    what = given["what"]
    if what == "total":
        verb = "call total" if spot else "call total dealer"
        return Act(verb, spot, hand, total=given["total"])
    if what == "blackjack":
        return Act("call blackjack", spot, hand)
    return Act({"insurance": "call insurance", "even_money": "call even money"}[what], spot)


# -- expectations -------------------------------------------------------------------------------------------------


def _expected(case: Json, verdict: Json, session: Session) -> tuple[list[Line], list[str]]:
    """Put the case's verdict on the lines; return them and the proofs nothing cites."""
    wanted = _severities(case, verdict)
    number = verdict["deviates_at"]
    proofs = list(verdict["proves"]) if verdict["severity"] == "fault" else []
    left = list(proofs)
    lines = []
    for given, entry in zip(_numbers(case, verdict["house"]), session.entries, strict=True):
        assert entry.line is not None
        line = entry.line
        if given in wanted:
            severity, default = wanted[given]
            cites = tuple(one for one in left if one in entry.verdict.cites) if severity is Severity.FAULT else ()
            left = [one for one in left if one not in cites]
            line = replace(line, expect=severity.value, cites=cites, default=default)
            if given == number:
                line = _with_ruling(line, verdict["ruling"], entry.verdict.ruling.value)
        lines.append(line)
    return lines, left


def _numbers(case: Json, house: str) -> list[int]:
    return [given["n"] for given in (case.get("streams") or {}).get(house) or case["actions"]]


def _severities(case: Json, verdict: Json) -> dict[int, tuple[Severity, str]]:
    """The numbers of the actions that draw a finding, with its severity and the default it has to name."""
    wanted = dict.fromkeys(verdict["also_at"], (Severity.FAULT, ""))
    wanted |= dict.fromkeys(verdict["advice_at"], (Severity.ADVICE, ""))
    if isinstance(verdict["deviates_at"], int):
        fault = verdict["severity"] == "fault"
        severity = Severity.FAULT if fault else Severity.ADVICE
        wanted[verdict["deviates_at"]] = (severity, "" if fault else verdict["default"] or "")
    number, default, houses = REGISTER_WINS.get(case["id"], (0, "", ()))
    if verdict["house"] in houses:
        wanted[number] = (Severity.ADVICE, default)
    return wanted


def _with_ruling(line: Line, said: str, ours: str) -> Line:
    if ours == said or ours == "right":
        return replace(line, expect=said) if line.cites or line.default else line
    note = f"The case says {said}. {line.note}".strip()
    return replace(line, expect=ours if line.cites or line.default else line.expect, note=note)


def _signed(text: str | None) -> int | None:
    return None if text is None else (-1 if text.startswith("-") else 1) * cents(text.lstrip("-"))


def _money(verdict: Json) -> int | None:
    return None if verdict["severity"] == "none" else _signed(verdict["money_effect"]) or 0


def _net(verdict: Json, session: Session) -> tuple[tuple[str, int], ...]:
    """The results, where the record itself is dealt out rightly to its end."""
    wrong = verdict["severity"] == "fault" or verdict["money_effect"] is not None
    if wrong or session.position.state not in ("clear", "over"):
        return ()
    return tuple((name.removeprefix("spot"), _signed(amount) or 0) for name, amount in verdict["right_net"].items())


# -- text ---------------------------------------------------------------------------------------------------------


def scenario_text(script: Script, house: House) -> str:
    """Print a scenario with only as much of a header as differs from the house's own table."""
    options, plain = script.options, options_for(house)
    out = [f"house: {script.house}", f"title: {quoted(script.title)}"]
    if script.note:
        out.append(f"note: {quoted(script.note)}")
    if script.tags:
        out.append(f"tags: [{', '.join(script.tags)}]")
    if options.places != plain.places:
        out.append(f"places: {options.places}")
    if options.minimum != plain.minimum:
        out.append(f'minimum: "{dollars(options.minimum)}"')
    if options.games:
        out.append(f"games: [{', '.join(sorted(options.games))}]")
    if options.variations:
        out.append(
            "variations: {" + ", ".join(f"{name}: {'on' if on else 'off'}" for name, on in options.variations) + "}"
        )
    if script.players and len({name for _, name in script.players}) < len(script.players):
        out.append("players: {" + ", ".join(f"{spot}: {quoted(name)}" for spot, name in script.players) + "}")
    if script.net:
        out.append("net: {" + ", ".join(f'{name}: "{dollars(amount)}"' for name, amount in script.net) + "}")
    if script.money is not None:
        out.append(f'money: "{dollars(script.money)}"')
    return "\n".join(out) + "\nlines:\n" + "".join(print_line(line) for line in script.lines)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
