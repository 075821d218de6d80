"""Run a tournament of 32 players at 8 tables while things go wrong, and check the standings by a separate computation.

    python -m scripts.bench.hall.tournament --hands 12

Starts a server of its own on SQLite (or on ``--database``, an empty PostgreSQL). Four tables are watched by cameras of
drawn tiles, four enter their hands on two phones at once. Meanwhile the server is killed and started again, and the
database is out of reach for a while. Exit status 1 when anything was lost, doubled or computed differently.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter
from functools import partial
from itertools import cycle
from pathlib import Path

import numpy as np

from scripts.bench.hall.day import Fault, play
from scripts.bench.hall.desk import Caller, hall
from scripts.bench.hall.faults import file_away, file_held, killed
from scripts.bench.hall.verdict import differences


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hands", type=int, default=12, help="hands a table and round")
    parser.add_argument("--database", help="URL of an empty PostgreSQL; SQLite if not given")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="hupai-hall-") as folder, hall(Path(folder), asked.database) as host:
        faults: list[Fault] = [("server killed", partial(killed, host))]
        if asked.database is None:
            faults += [("file away", partial(file_away, host)), ("file held", partial(file_held, host))]
        day = play(host, cycle(faults), hands=asked.hands, pause=15)
        wrong = differences(Caller(host, day.tally), day)
    did = sum((played.did for played in day.tables.values()), Counter[str]())
    print(f"hands     {day.hands} in {day.seconds:.0f} s, {day.laid} of them before cameras")
    print(f"of these  {dict(did)}")
    print(f"faults    {dict(Counter(day.faults))}; heard instead of an answer: {dict(Counter(day.tally.again))}")
    p50, p95 = np.percentile([seconds for method, _, seconds in day.tally.answers if method != "GET"], [50, 95])
    print(f"writes    p50 {1e3 * p50:.0f} ms, p95 {1e3 * p95:.0f} ms for the try that was answered")
    print("\n".join(wrong) if wrong else "standings equal to the reckoning; nothing lost, nothing doubled")
    return int(bool(wrong))


if __name__ == "__main__":
    raise SystemExit(main())
