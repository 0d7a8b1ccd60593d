"""A station in a process of its own: deals rounds into a store and acknowledges every act that was committed.

Run by the tests, and killed by them at random: ``store_worker.py STORE ACKNOWLEDGED SESSIONS SEED``.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from trainer.procedure.load import procedures
from trainer.records.recorder import StoreRecorder
from trainer.records.store import Store
from trainer.rounds.deal import deal_rounds
from trainer.rounds.play import Entry, machine_of
from trainer.rounds.script import Script, options_for


def main(where: str, acknowledged: str, wanted: int, seed: str) -> None:
    """Deal until as many sessions as wanted were finished, over all starts of this station."""
    house = "tropicana"
    own = procedures()
    machine, options = machine_of(own, house), options_for(own.house(house))
    path = Path(acknowledged)
    done = path.read_text().count("finished") if path.exists() else 0
    out = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    with Store(where) as store:
        for number in range(done, wanted):
            script = Script(house, options=options, seed=f"{seed} {number}")
            recorder = StoreRecorder.start(store, script, own)
            os.write(out, f"begun {recorder.id} 0 {recorder.head}\n".encode())

            def note(entry: Entry, recorder: StoreRecorder = recorder) -> None:
                recorder.note(entry)
                os.write(out, f"act {recorder.id} {recorder.count} {recorder.head}\n".encode())

            deal_rounds(machine, options, seed=script.seed, spots=(1,), emit=note)
            recorder.finish()
            os.write(out, f"finished {recorder.id} {recorder.count} {recorder.head}\n".encode())


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4])
