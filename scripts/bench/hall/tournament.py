"""Run a tournament of 32 players at 8 tables while things go wrong, and check the standings by a separate computation.

    python -m scripts.bench.hall.tournament --hands 12

Starts a server of its own on SQLite (or on ``--database``, an empty PostgreSQL). Four tables are watched by cameras of
drawn tiles, four enter their hands on two phones at once. Meanwhile the server is killed and started again, and the
database is out of reach for a while. Exit status 1 when anything was lost, doubled or computed differently.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
from collections import Counter
from contextlib import closing
from functools import partial
from itertools import cycle
from pathlib import Path

from scripts.bench.hall.day import Day, Fault, play
from scripts.bench.hall.desk import Caller
from scripts.bench.hall.host import DIRECTOR, Host, file_away, file_held, killed
from scripts.bench.hall.verdict import differences


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hands", type=int, default=12, help="hands a table and round")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--pause", type=float, default=15, help="seconds between two faults")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--database", help="URL of an empty PostgreSQL; SQLite if not given")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="hupai-hall-") as folder:
        host = Host(Path(folder), asked.database)
        host.start()
        try:
            faults: list[Fault] = [("server killed", partial(killed, host))]
            if asked.database is None:
                faults += [("file away", partial(file_away, host)), ("file held", partial(file_held, host))]
            again = cycle(faults)
            day = play(host, again, hands=asked.hands, rounds=asked.rounds, pause=asked.pause, seed=asked.seed)
            with closing(Caller(host.api, {"X-Hupai-Director": DIRECTOR}, day.tally)) as caller:
                wrong = differences(caller, day)
        finally:
            host.stop()
    tell(day, wrong)
    return 1 if wrong else 0


def tell(day: Day, wrong: list[str]) -> None:
    played = day.tables.values()
    print(f"hands        {day.hands} in {day.seconds:.0f} s, {day.laid} of them before cameras")
    print(f"raced        {sum(p.raced for p in played)} by two phones, sent again {sum(p.sent_again for p in played)}")
    print(f"mended       {sum(p.corrected for p in played)} corrected, {sum(p.taken_back for p in played)} taken back")
    struck = ", ".join(f"{name} {n} times" for name, n in Counter(day.faults).items())
    print(f"faults       {struck or 'none'}; heard instead of an answer: {day.tally.again or 'nothing'}")
    if len(day.tally.seconds) > 1:
        cuts = statistics.quantiles(day.tally.seconds, n=20)
        print(f"writes       p50 {1e3 * cuts[9]:.0f} ms, p95 {1e3 * cuts[18]:.0f} ms where answered at once")
    print("\n".join(wrong) if wrong else "standings    equal to the reckoning; nothing lost, nothing doubled")


if __name__ == "__main__":
    raise SystemExit(main())
