"""Measure whether a crowd slows the tables down: the same play without it and with it, in one run.

    python -m scripts.bench.hall.spectators --streams 1000 --half-open 1100 --seconds 120

Five tables enter and confirm hands, and the director looks at the standings; first alone, then beside many streams
of events, polls of the standings, and sockets that begin a request and never end it. The report says how long
the tables waited for their writes and the director for the standings, and what the crowd saw.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
import uuid
from collections import Counter
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import Final

import numpy as np

from hupai.store.database import open_store
from hupai.store.events import feed
from scripts.bench.hall.crowd import APART, attend
from scripts.bench.hall.deals import drawn
from scripts.bench.hall.desk import Caller, Tally, hall
from scripts.bench.host import Host
from scripts.bench.machine import worked

TABLES: Final = ("A", "B", "C", "D", "E")


@dataclass
class Phase:
    """What the tables and the director saw, and the processor time that the server took, cores."""

    tally: Tally = field(default_factory=Tally)
    cores: float = 0.0

    @property
    def writes(self) -> list[float]:
        """Seconds that writes took, each of which causes an event."""
        return [s for method, path, s in self.tally.answers if method == "POST" and not path.endswith("/score")]

    @property
    def reads(self) -> list[float]:
        """Seconds that the director's reads took."""
        return [s for method, _, s in self.tally.answers if method == "GET"]


def compare(
    host: Host, *, streams: int, half_open: int, polls: float, seconds: float, pause: float
) -> tuple[Phase, Phase, Counter[str]]:
    """Play alone, then before a crowd: both phases, and what the crowd saw.

    Args:
        host: a server that runs. streams, half_open, polls: the crowd. seconds: of each phase.
        pause: seconds between two hands of a table.
    """
    path = _seated(host)
    alone = _played(host, path, seconds, pause)
    come = APART * streams + 5
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        crowd = pool.submit(attend, host.api, path, streams, half_open, polls, come + seconds + 2)
        time.sleep(come)
        return alone, _played(host, path, seconds, pause), crowd.result()


def _seated(host: Host) -> str:
    """A tournament at five tables whose hands become events; its address."""
    engine = open_store(host.database)
    for table in TABLES:
        feed.claim(engine, feed.Claim(table, "drawn", "hall", None))
    engine.dispose()
    chief = Caller(host, Tally())
    players = [{"name": f"Player {i}"} for i in range(1, 21)]
    cup = chief.write("/tournaments", {"name": "Hall", "rules": "riichi", "players": players})
    chief.write(f"/tournaments/{cup['id']}/rounds", {"tables": list(TABLES)})
    return f"/tournaments/{cup['id']}"


def _played(host: Host, path: str, seconds: float, pause: float) -> Phase:
    phase, end, before = Phase(), time.monotonic() + seconds, worked(host.process.pid)
    with ThreadPoolExecutor(len(TABLES) + 1) as pool:
        doing = [pool.submit(_table, Caller(host, phase.tally), table, end, pause) for table in TABLES]
        doing.append(pool.submit(_watch, Caller(host, phase.tally), path, end))
    for each in doing:
        each.result()
    phase.cores = (worked(host.process.pid) - before) / seconds
    return phase


def _table(caller: Caller, table: str, end: float, pause: float) -> None:
    """A hand is entered and confirmed, again and again."""
    rng = random.Random(table)
    time.sleep(rng.uniform(0, pause))
    while time.monotonic() < end:
        deal = drawn(rng, last=True)
        entered = {"key": uuid.uuid4().hex, "hand": {**deal.hand, "dora_indicators": []}}
        laid = caller.write(f"/tables/{table}/laid", entered)["laid"]
        answers = {"context": deal.context, "riichi": deal.others}
        tried = caller.write(f"/laid/{laid['id']}/score", answers)
        seen = {"seen": {"revision": tried["revision"]}, "expected_payments": tried["payments"]}
        caller.write(f"/laid/{laid['id']}/confirm", {**answers, "version": laid["version"], **seen})
        time.sleep(max(0.0, min(pause, end - time.monotonic())))


def _watch(caller: Caller, path: str, end: float) -> None:
    """The director's board: the tables and the standings, twice a second."""
    while time.monotonic() < end:
        caller.get("/tables")
        caller.get(path)
        time.sleep(0.5)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--streams", type=int, default=1000)
    parser.add_argument("--half-open", type=int, default=1100)
    parser.add_argument("--polls", type=float, default=50, help="of the standings, a second, by the whole crowd")
    parser.add_argument("--seconds", type=float, default=120, help="of each phase")
    parser.add_argument("--pause", type=float, default=5, help="seconds between two hands of a table")
    with tempfile.TemporaryDirectory(prefix="hupai-hall-") as folder, hall(Path(folder)) as host:
        alone, crowded, crowd = compare(host, **vars(parser.parse_args()))
    for name, phase in (("alone", alone), ("with the crowd", crowded)):
        wrote, read = (1e3 * np.percentile(seconds, [50, 95]) for seconds in (phase.writes, phase.reads))
        print(
            f"{name:<15} {len(phase.writes)} writes p50 {wrote[0]:.0f} p95 {wrote[1]:.0f} ms, "
            f"{len(phase.reads)} reads p50 {read[0]:.0f} p95 {read[1]:.0f} ms, {phase.cores:.2f} cores, "
            f"asked again {dict(Counter(phase.tally.again)) or 'never'}"
        )
    print(f"{'the crowd':<15} {dict(crowd)}, events while all were there: {len(crowded.writes)}")


if __name__ == "__main__":
    main()
