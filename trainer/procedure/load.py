"""Read procedures/: the game, its defaults, a house and its side games; check what the library would not."""

from __future__ import annotations

import hashlib
import os
from functools import cache
from pathlib import Path
from typing import NoReturn

from trainer import actions
from trainer.chips import Odds
from trainer.files import BadFile, Node, Place, Problem, did_you_mean, read_yaml
from trainer.procedure import shapes
from trainer.procedure.answers import check_answers, read_answers
from trainer.procedure.guards import BLOCK_VERBS, BLOCKS, DUES, FACTS, GUARDS, RULINGS
from trainer.procedure.lint import WAGER_RULES, Checker, check_game
from trainer.procedure.model import (
    Answer,
    Bearing,
    Default,
    Duty,
    Evidence,
    FreeMove,
    GuardUse,
    House,
    Policy,
    Rule,
    Setting,
    SideWager,
    Statement,
    Step,
)
from trainer.procedure.sides import DECIDED, OUTCOMES
from trainer.structure import structure

IN_PLACE = "act-in-its-place"


def data_folder(name: str) -> Path:
    """Return the folder ``procedures`` or ``scenarios``: beside the checkout, else inside the installed package."""
    here = Path(__file__).resolve().parents[1]
    beside = here.parent / name
    return beside if beside.is_dir() and (here.parent / "pyproject.toml").exists() else here / "_data" / name


def _missing(path: Path, what: str) -> NoReturn:
    raise BadFile((Problem(Place(str(path), 1, 1), what, str(path), "no such file or folder", ""),))


class UnknownHouse(BadFile):
    """A house was named that no folder holds; what was named is told, not where it was looked for."""

    def __str__(self) -> str:
        return "\n".join(str(problem).removeprefix(f"{problem.place}: ") for problem in self.problems)


class Procedures:
    """A folder of procedures, read once; houses are loaded on demand."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or data_folder("procedures")
        if not (self.folder / "blackjack.yaml").is_file():
            _missing(self.folder / "blackjack.yaml", "the game")
        self._game_node = read_yaml(self.folder / "blackjack.yaml")
        self.game = structure(self._game_node, shapes.GameShape)
        parts = self._parts()
        self.rules = {
            slug: Rule(
                slug,
                rule.text,
                rule.why,
                rule.weight,
                rule.question,
                self._game_node.find("rules", slug).place,
                parts[slug],
            )
            for slug, rule in self.game.rules.items()
        }
        self.defaults = self._read_defaults()
        check_game(self._game_node, self.game)
        self._houses: dict[str, House] = {}

    def names(self) -> list[str]:
        """Return the slugs of the houses in the folder."""
        return sorted(path.parent.name for path in self.folder.glob("*/house.yaml"))

    def house(self, slug: str) -> House:
        """Load a house.

        Raises:
            BadFile: a file of the house is missing or has problems; all of them are told.
        """
        if slug not in self._houses:
            self._houses[slug] = self._load(slug)
        return self._houses[slug]

    # -- the game --------------------------------------------------------------------------------------------------

    def _parts(self) -> dict[str, str]:
        """The part of the round each rule belongs to."""
        check = Checker()
        for part, first in self.game.parts.items():
            if first not in self.game.rules:
                check.unknown(self._game_node.find("parts", part).place, "rule", first, self.game.rules)
        check.done()
        begins = {first: part for part, first in self.game.parts.items()}
        found, part = {}, next(iter(self.game.parts), "round")
        for slug in self.game.rules:
            part = begins.get(slug, part)
            found[slug] = part
        return found

    def _read_defaults(self) -> dict[str, Default]:
        path = self.folder / "defaults.yaml"
        if not path.is_file():
            return {}
        shape = structure(read_yaml(path), shapes.DefaultsShape)
        return {
            name: Default(name, d.what, tuple(d.houses), d.gap, d.reading, d.reason, d.policy, d.shown)
            for name, d in shape.defaults.items()
        }

    @property
    def root(self) -> Node:
        """The game file as it was read, with places."""
        return self._game_node

    # -- a house ---------------------------------------------------------------------------------------------------

    def _load(self, slug: str) -> House:
        path = self.folder / slug / "house.yaml"
        if not path.is_file():
            known = self.names()
            near = did_you_mean(slug, known)
            place = Place(str(path), 1, 1)
            raise UnknownHouse((Problem(place, "house", slug, f"known are {', '.join(known)}", near),))
        root = read_yaml(path)
        shape = structure(root, shapes.HouseShape)
        statements = self._read_statements(slug)
        answers, answers_root = read_answers(self.folder / slug / "answers.yaml", self.defaults)
        check = Checker()
        if shape.house != slug:
            check.wrong(root.find("house").place, "house", shape.house, f"its folder is called {slug}")
        evidence = {
            rule: self._evidence(check, root.find("evidence", rule), given, slug, statements, answers)
            for rule, given in shape.evidence.items()
        }
        for rule in shape.evidence:
            if rule not in self.rules:
                check.unknown(root.find("evidence").key_places[rule], "rule", rule, self.rules)
        settings = self._settings(check, root, shape, slug, statements, answers)
        self._check_answers(check, answers, answers_root, shape.settings)
        games = self._games(check, root, slug, shape.games, statements)
        check.done()
        house = House(
            slug=slug,
            title=shape.title,
            version=shape.version,
            effective=shape.effective,
            approver=shape.approver,
            document=shape.document,
            settings=settings,
            evidence=evidence,
            rules=self.rules,
            statements=statements,
            defaults=self.defaults,
            words=shape.words,
            chips=tuple(sorted(int(chip) for chip in shape.chips)),
            decks=shape.decks,
            places=shape.places,
            minimum=int(shape.minimum),
            maximum=int(shape.maximum),
            games=games,
            steps=[],
            duties=[],
            free_moves=[],
            states=dict(self.game.states),
            fingerprint=self._fingerprint(slug),
            kinds=tuple(dict.fromkeys([*actions.KINDS, *(kind for game in games.values() for kind in game)])),
            parts=tuple(self.game.parts) or ("round",),
            answers=answers,
        )
        self._rows(house)
        return house

    def _read_statements(self, slug: str) -> dict[str, Statement]:
        path = self.folder / slug / "statements.yaml"
        if not path.is_file():
            return {}
        shape = structure(read_yaml(path), shapes.StatementsShape)
        return {
            name: Statement(
                name, s.where, s.gist, s.kind, s.binding, s.actor, s.steers, s.reason, s.timing, s.amount, s.notes
            )
            for name, s in shape.statements.items()
        }

    def _evidence(
        self,
        check: Checker,
        node: Node,
        given: shapes.EvidenceShape,
        slug: str,
        statements: dict[str, Statement],
        answers: dict[str, Answer],
    ) -> Evidence:
        for index, cited in enumerate(given.cites):
            if cited not in statements:
                check.unknown(node.find("cites", index).place, "statement", cited, statements)
        if given.default and given.default not in self.defaults:
            check.unknown(node.find("default").place, "default", given.default, self.defaults)
        if given.default and given.cites:
            check.wrong(node.place, "evidence", given.default, "a rule has statements or a default, not both")
        if given.because and not given.cites:
            check.wrong(node.find("because").place, "because", given.because, "it goes with the statements it reads")
        answer = answers.get(given.default)
        if answer is None:
            return Evidence(tuple(given.cites), given.because, given.default)
        # An answer that denies our reading leaves the rule without any; what it lays down instead are settings.
        confirmed = answer.holds or isinstance(given, shapes.ChosenShape)
        return Evidence(default=given.default, memo=str(answer)) if confirmed else Evidence()

    def _settings(
        self,
        check: Checker,
        root: Node,
        shape: shapes.HouseShape,
        slug: str,
        statements: dict[str, Statement],
        answers: dict[str, Answer],
    ) -> dict[str, Setting]:
        settings = {}
        for name, chosen in shape.settings.items():
            node = root.find("settings", name)
            known = self.game.settings.get(name)
            if known is None:
                check.unknown(root.find("settings").key_places[name], "setting", name, self.game.settings)
                continue
            self._check_value(check, node.find("is").place, name, known, chosen.is_)
            answer = answers.get(chosen.default)
            value = answer.settings.get(name, chosen.is_) if answer else chosen.is_
            settings[name] = Setting(
                name, value, self._evidence(check, node, chosen, slug, statements, answers), known.means
            )
        for name, known in self.game.settings.items():
            if name not in shape.settings and not known.optional:
                check.wrong(root.find("settings").place, "settings", name, f"this setting is missing: {known.means}")
        return settings

    def _check_answers(
        self, check: Checker, answers: dict[str, Answer], root: Node | None, chosen: dict[str, shapes.ChosenShape]
    ) -> None:
        if root is None:
            return
        check_answers(check, answers, root, chosen)
        for name, answer in answers.items():
            for slug, value in answer.settings.items():
                if slug in chosen and slug in self.game.settings:
                    place = root.find("answers", name, "settings", slug).place
                    self._check_value(check, place, slug, self.game.settings[slug], value)

    def _check_value(self, check: Checker, place: Place, name: str, known: shapes.SettingShape, value: str) -> None:
        if known.odds:
            try:
                Odds.read(value)
            except ValueError:
                check.wrong(place, name, value, "write odds such as 3:2")
        elif known.hands:
            parts = value.split()
            plain = len(parts) == 1 and parts[0].isdigit() and int(parts[0]) >= 1
            mapped = all(
                len(pair := part.split(":")) == 2 and pair[0].isdigit() and pair[1].isdigit() for part in parts
            )
            if not plain and not (parts and mapped):
                check.wrong(place, name, value, "write a number of hands, or places:hands such as 7:3 6:4")
        elif known.totals:
            low, _, high = value.partition("-")
            if value != "any" and not (low.isdigit() and high.isdigit() and int(low) <= int(high)):
                check.wrong(place, name, value, "write any, or a range such as 9-11")
        elif value not in known.choices:
            check.unknown(place, name, value, known.choices)

    def _games(
        self, check: Checker, root: Node, slug: str, names: list[str], statements: dict[str, Statement]
    ) -> dict[str, dict[str, SideWager]]:
        games: dict[str, dict[str, SideWager]] = {}
        for index, name in enumerate(names):
            path = self.folder / slug / "games" / f"{name}.yaml"
            if not path.is_file():
                known = [one.stem for one in sorted(path.parent.glob("*.yaml"))]
                check.unknown(root.find("games", index).place, "game", name, known)
                continue
            node = read_yaml(path)
            shape = structure(node, shapes.SideGameShape)
            if shape.game != name:
                check.wrong(node.find("game").place, "game", shape.game, f"its file is called {name}.yaml")
            games[name] = {}
            for kind, wager in shape.wagers.items():
                here = node.find("wagers", kind)
                if wager.settles not in DECIDED:
                    check.unknown(here.find("settles").place, "settles", wager.settles, DECIDED)
                for outcome, pay in wager.pays.items():
                    if outcome not in OUTCOMES:
                        check.unknown(here.find("pays").key_places[outcome], "outcome", outcome, OUTCOMES)
                    for number, cited in enumerate(pay.cites):
                        if cited not in statements:
                            check.unknown(
                                here.find("pays", outcome, "cites", number).place, "statement", cited, statements
                            )
                for key, rule in wager.rules.items():
                    place = here.find("rules", key).place
                    if key not in WAGER_RULES:
                        check.unknown(here.find("rules").key_places[key], "rule of a wager", key, WAGER_RULES)
                    if rule not in self.rules:
                        check.unknown(place, "rule", rule, self.rules)
                games[name][kind] = SideWager(
                    kind, name, wager.family, wager.settles, wager.losers_first, int(wager.least), int(wager.most),
                    wager.at_most_main, tuple((o, Odds.read(p.odds)) for o, p in wager.pays.items()), wager.rules,
                    wager.group, {o: tuple(p.cites) for o, p in wager.pays.items()}, shape.title, shape.says,
                )  # fmt: skip
        return games

    def _fingerprint(self, slug: str) -> str:
        digest = hashlib.sha256()
        files = [self.folder / "blackjack.yaml", self.folder / "defaults.yaml"]
        for path in [*files, *sorted((self.folder / slug).rglob("*.yaml"))]:
            if path.is_file():
                digest.update(str(path.relative_to(self.folder)).replace(os.sep, "/").encode() + b"\0")
                digest.update(path.read_bytes().replace(b"\r\n", b"\n") + b"\0")
        return digest.hexdigest()[:16]

    # -- rows with the house's evidence ----------------------------------------------------------------------------

    def _rows(self, house: House) -> None:
        for part in (self.game.events, self.game.steps):
            for name, step in part.items():
                selected_by = next((key for key, value in step.when.items() if house.is_(key) != value), "")
                states = tuple(house.states) if "any" in step.sources else tuple(step.sources)
                house.steps.append(
                    Step(
                        id=name,
                        motion=step.do,
                        sources=states,
                        targets=tuple(step.to),
                        facts=tuple(FACTS[word] for word in step.facts),
                        fact_names=tuple(step.facts),
                        uses=tuple(self._use(house, guard, rule) for guard, rule in step.needs.items()),
                        says=step.says,
                        when=step.when,
                        selected=not selected_by,
                        selected_by=selected_by,
                        also=tuple(step.also),
                        rule=step.rule,
                    )
                )
        for name, duty in self.game.duties.items():
            rule = self.rules[duty.rule]
            evidence = house.evidence.get(duty.rule, Evidence())
            house.duties.append(
                Duty(
                    id=name,
                    due=DUES[duty.due],
                    blocks=tuple(BLOCKS[word] for word in duty.blocks),
                    block_names=tuple(duty.blocks),
                    due_name=duty.due,
                    rule=rule,
                    evidence=evidence,
                    bearing=self.bearing(evidence),
                    topic=duty.topic or name,
                    says=duty.says,
                    verbs=frozenset().union(*(BLOCK_VERBS[word] for word in duty.blocks)),
                )
            )
        for move in self.game.free_moves:
            uses = tuple(self._use(house, guard, rule) for guard, rule in move.needs.items())
            house.free_moves.append(FreeMove(move.source, move.to, uses))

    def _use(self, house: House, guard: str, rule: str) -> GuardUse:
        if rule.startswith("wager:"):
            # The wager itself names the rule; it is looked up when the act is known.
            return GuardUse(GUARDS[guard], guard, None, Evidence(), Bearing.REFUSES, RULINGS[guard], rule[6:])
        evidence = house.evidence.get(rule) or (Evidence(default="D-97") if rule == IN_PLACE else Evidence())
        return GuardUse(GUARDS[guard], guard, self.rules[rule], evidence, self.bearing(evidence), RULINGS[guard])

    def bearing(self, evidence: Evidence) -> Bearing:
        """Tell what evidence makes of a guard use: statements (and answers) refuse, defaults at most comment."""
        if evidence.is_documented:
            return Bearing.REFUSES
        default = self.defaults.get(evidence.default)
        if default and default.policy in (Policy.ADVICE, Policy.FIXED):
            return Bearing.COMMENTS
        return Bearing.SILENT


@cache
def procedures(folder: Path | None = None) -> Procedures:
    """Return the procedures of a folder (the shipped ones by default), read once per process."""
    return Procedures(folder)
