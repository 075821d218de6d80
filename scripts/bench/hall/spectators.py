"""Measure whether a crowd slows the tables down: the same play without it and with it, in one run.

    python -m scripts.bench.hall.spectators --streams 1000 --half-open 1100 --seconds 120

Five tables enter and confirm hands, and the director looks at the standings; first alone, then beside many streams
of events, polls of the standings, and sockets that begin a request and never end it. The report says how long
the tables waited for their writes and the director for the standings, and what the crowd saw.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from hupai.store.database import open_store
from hupai.store.events import feed
from scripts.bench.hall.deals import drawn
from scripts.bench.hall.desk import Caller, Tally
from scripts.bench.hall.host import DIRECTOR, ROOT, Host
from scripts.bench.machine import worked

TABLES: Final = ("A", "B", "C", "D", "E")


@dataclass
class Phase:
    """Seconds that the tables' writes and the director's reads took, and the events that the writes caused."""

    writes: list[float] = field(default_factory=list)
    reads: list[float] = field(default_factory=list)
    events: int = 0
    again: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Compared:
    """Both phases, the processor time the server took in each (cores), and what the crowd saw."""

    alone: Phase
    crowded: Phase
    cores: tuple[float, float]
    crowd: dict[str, int]


def compare(host: Host, *, streams: int, half_open: int, polls: float, seconds: float, pause: float) -> Compared:
    """Play alone, then before a crowd.

    Args:
        host: a server that runs. streams, half_open, polls: the crowd. seconds: of each phase.
        pause: seconds between two hands of a table.
    """
    path = _seated(host)
    before = _worked(host)
    alone = _played(host, path, seconds, pause)
    between = _worked(host)
    command = [sys.executable, "-m", "scripts.bench.hall.crowd", host.api, "--path", path]
    command += ["--streams", str(streams), "--half-open", str(half_open), "--polls", str(polls)]
    come = 0.004 * streams + 5
    command += ["--seconds", str(come + seconds + 2)]
    crowd = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    time.sleep(come)
    crowded_from = _worked(host)
    crowded = _played(host, path, seconds, pause)
    after = _worked(host)
    heard = crowd.communicate(timeout=120)[0]
    return Compared(alone, crowded, ((between - before) / seconds, (after - crowded_from) / seconds), json.loads(heard))


def _seated(host: Host) -> str:
    """A tournament at five tables whose hands become events; its address."""
    engine = open_store(host.database_url)
    for table in TABLES:
        feed.claim(engine, feed.Claim(table, "drawn", "hall", None))
    engine.dispose()
    with closing(_director(host)) as chief:
        players = [{"name": f"Player {i}"} for i in range(1, 21)]
        cup = chief.write("POST", "/tournaments", {"name": "Hall", "rules": "riichi", "players": players})
        path = f"/tournaments/{cup['id']}"
        chief.write("POST", f"{path}/rounds", {"tables": list(TABLES)})
        return path


def _director(host: Host) -> Caller:
    return Caller(host.api, {"X-Hupai-Director": DIRECTOR}, Tally())


def _played(host: Host, path: str, seconds: float, pause: float) -> Phase:
    phase, end = Phase(), time.monotonic() + seconds
    lock = threading.Lock()
    with ExitStack() as stack:
        callers = [stack.enter_context(closing(_director(host))) for _ in (*TABLES, "director")]
        pool = stack.enter_context(ThreadPoolExecutor(len(callers)))
        doing = [pool.submit(_table, callers[i], t, end, pause, phase, lock) for i, t in enumerate(TABLES)]
        doing.append(pool.submit(_watch, callers[-1], path, end, phase))
        for each in doing:
            each.result()
        for caller in callers:
            for what, count in caller.tally.again.items():
                phase.again[what] = phase.again.get(what, 0) + count
    return phase


def _table(caller: Caller, table: str, end: float, pause: float, phase: Phase, lock: threading.Lock) -> None:
    """A hand is entered and confirmed, again and again."""
    rng = random.Random(table)
    time.sleep(rng.uniform(0, pause))
    while time.monotonic() < end:
        deal = drawn(rng, last=True)
        began = time.monotonic()
        entered = {"key": uuid.uuid4().hex, "hand": {**deal.hand, "dora_indicators": []}}
        laid = caller.write("POST", f"/tables/{table}/laid", entered)["laid"]
        heard = time.monotonic()
        answers = {"context": deal.context, "riichi": deal.others}
        tried = caller.write("POST", f"/laid/{laid['id']}/score", answers)
        seen = {"seen": {"revision": tried["revision"]}, "expected_payments": tried["payments"]}
        asked = time.monotonic()
        caller.write("POST", f"/laid/{laid['id']}/confirm", {**answers, "version": laid["version"], **seen})
        with lock:
            phase.writes += [heard - began, time.monotonic() - asked]
            phase.events += 2
        time.sleep(max(0.0, min(pause, end - time.monotonic())))


def _watch(caller: Caller, path: str, end: float, phase: Phase) -> None:
    """The director's board: the tables and the standings, twice a second."""
    while time.monotonic() < end:
        for what in ("/tables", path):
            began = time.monotonic()
            caller.get(what)
            phase.reads.append(time.monotonic() - began)
        time.sleep(0.5)


def _worked(host: Host) -> float:
    assert host.process is not None
    return worked(host.process.pid)


def cuts(seconds: Sequence[float]) -> tuple[float, float]:
    """Median and 95th percentile, milliseconds."""
    found = statistics.quantiles(seconds, n=20)
    return 1e3 * found[9], 1e3 * found[18]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--streams", type=int, default=1000)
    parser.add_argument("--half-open", type=int, default=1100)
    parser.add_argument("--polls", type=float, default=50, help="of the standings, a second, by the whole crowd")
    parser.add_argument("--seconds", type=float, default=120, help="of each phase")
    parser.add_argument("--pause", type=float, default=5, help="seconds between two hands of a table")
    asked: dict[str, Any] = vars(parser.parse_args())
    with tempfile.TemporaryDirectory(prefix="hupai-hall-") as folder:
        host = Host(Path(folder))
        host.start()
        try:
            found = compare(host, **asked)
        finally:
            host.stop()
    for name, phase, cores in zip(("alone", "with the crowd"), (found.alone, found.crowded), found.cores, strict=True):
        wrote, read = cuts(phase.writes), cuts(phase.reads)
        print(
            f"{name:<15} {len(phase.writes)} writes p50 {wrote[0]:.0f} p95 {wrote[1]:.0f} ms, "
            f"{len(phase.reads)} reads p50 {read[0]:.0f} p95 {read[1]:.0f} ms, {cores:.2f} cores, "
            f"asked again {phase.again or 'never'}"
        )
    print(f"{'the crowd':<15} {found.crowd}, events while all were there: {found.crowded.events}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
