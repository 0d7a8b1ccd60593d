"""What each stored session adds to the progress of its trainee."""

from __future__ import annotations

from trainer.records.frozen import overruled_in, rounds_dealt
from trainer.records.people import Person
from trainer.records.progress import Sat
from trainer.records.store import Store, Stored
from trainer.rounds.play import Session


def sat(stored: Stored, replayed: Session) -> Sat:
    """Reckon one session up; overruled findings count as right, advice never counts."""
    overruled = overruled_in(stored)
    faults = [entry for entry in replayed.faults if entry.number not in overruled]
    rules: dict[str, int] = {}
    for entry in faults:
        leading = entry.verdict.leading
        if leading:
            rules[leading.rule.slug] = rules.get(leading.rule.slug, 0) + 1
    counted = tuple(sorted(rules.items()))
    return Sat(stored.started, stored.id, rounds_dealt(replayed), len(replayed.judged), len(faults), counted)


def sat_of(store: Store, person: Person, *, kind: str = "practice", house: str = "") -> list[Sat]:
    """Reckon a trainee's sessions of one kind up, oldest first; each is judged by its own procedure."""
    out = []
    for one in store.sessions(person=person.id, kind=kind, house=house):
        stored = store.session(one.id)
        out.append(sat(stored, store.replayed(stored)))
    return out
