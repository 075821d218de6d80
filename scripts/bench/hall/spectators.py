"""Measure whether a crowd slows the tables down: the same play without it and with it, in one run.

    python -m scripts.bench.hall.spectators [--seconds 120] [--tables 5] [--hands 1]

Tables enter and confirm hands, and the director looks at the standings; first alone, then beside many streams
of events, polls of the standings, and sockets that begin a request and never end it. The report says how long
the tables waited for their writes and the director for the standings, what the crowd saw, and how late.
"""

from __future__ import annotations

import asyncio
import random
import re
import resource
import tempfile
import time
import uuid
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Final, cast
from urllib.parse import urlsplit

import numpy as np
import typer

from hupai.hall.events import feed
from hupai.store.database import open_store
from hupai.wing import store_wings
from scripts.bench.hall.deals import draw_hand_end
from scripts.bench.hall.desk import Caller, CallLog, hall_server
from scripts.bench.host import Host
from scripts.bench.machine import processor_seconds

SPACING_SECONDS: Final = 0.004
"""Seconds between two spectators who come."""
MEASURED: Final = 20
"""One stream of so many is also asked how late its events are."""
_MARK: Final = b"\nevent: "
_AT: Final = re.compile(rb'"at": "([^"]+)"')
_ETAG: Final = re.compile(rb"(?i)\r\netag: ([^\r]+)")
Crowd = tuple[Counter[str], list[float]]
"""What the crowd saw, and the delays of events at the streams measured, seconds since their ``at``.

opened, lost: streams, and how often one ended before it was meant to and was opened anew. most, least: events of a
stream. polls, unchanged, refused: all of them, those answered by 304, those answered otherwise than by that and by 200.
half_open, ended: sockets from another address that sent half a line, those the server closed.
"""
Phase = tuple[CallLog, float]
"""What tables and director saw, and the processor time that the server took, cores."""


def compare_phases(
    host: Host, *, tables: Sequence[str], hands: float, streams: int, half_open: int, polls: float, seconds: float
) -> tuple[Phase, Phase, Crowd]:
    """Play alone, then before a crowd; and what the crowd saw.

    Args:
        host: a server that runs. tables: their names. hands: a second, at all tables together.
        streams, half_open, polls: the crowd. seconds: of each phase.
    """
    path = _seat_players(host, tables)
    pause = len(tables) / hands
    alone = _play_phase(host, path, tables, pause, seconds)
    come = SPACING_SECONDS * streams + 5
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        pool.submit(in_words, [0.0]).result()  # the process has started, and loaded this module
        crowd = pool.submit(watch_as_crowd, host.api, path, streams, half_open, polls, come + seconds + 5)
        time.sleep(come)
        return alone, _play_phase(host, path, tables, pause, seconds), crowd.result()


def _seat_players(host: Host, tables: Sequence[str]) -> str:
    """A tournament at tables whose hands become events; its address."""
    engine = open_store(host.database, store_wings())
    for table in tables:
        feed.claim(engine, feed.Claim(table, "drawn", "hall", None))
    engine.dispose()
    chief = Caller(host, CallLog())
    players = [{"name": f"Player {i}"} for i in range(1, 4 * len(tables) + 1)]
    cup = chief.write("/tournaments", {"name": "Hall", "rules": "riichi", "players": players})
    chief.write(f"/tournaments/{cup['id']}/rounds", {"tables": list(tables)})
    return f"/tournaments/{cup['id']}"


def _play_phase(host: Host, path: str, tables: Sequence[str], pause: float, seconds: float) -> Phase:
    tally, end, before = CallLog(), time.monotonic() + seconds, processor_seconds(host.process.pid)
    with ThreadPoolExecutor(len(tables) + 1) as pool:
        doing = [pool.submit(_play_table, Caller(host, tally), table, end, pause) for table in tables]
        doing.append(pool.submit(_watch_standings, Caller(host, tally), path, end))
    for each in doing:
        each.result()
    return tally, (processor_seconds(host.process.pid) - before) / seconds


def _play_table(caller: Caller, table: str, end: float, pause: float) -> None:
    """A hand is entered and confirmed, again and again."""
    rng = random.Random(table)
    time.sleep(rng.uniform(0, pause))
    while time.monotonic() < end:
        deal = draw_hand_end(rng, last=True)
        entered = {"key": uuid.uuid4().hex, "hand": {**deal.hand, "dora_indicators": []}}
        laid = caller.write(f"/tables/{table}/laid", entered)["laid"]
        answers = {"context": deal.context, "riichi": deal.others}
        tried = caller.write(f"/laid/{laid['id']}/score", answers)
        seen = {"seen": {"revision": tried["revision"]}, "expected_payments": tried["payments"]}
        caller.write(f"/laid/{laid['id']}/confirm", {**answers, "version": laid["version"], **seen})
        time.sleep(max(0.0, min(pause, end - time.monotonic())))


def _watch_standings(caller: Caller, path: str, end: float) -> None:
    """The director's board: the tables and the standings, twice a second."""
    while time.monotonic() < end:
        caller.get("/tables")
        caller.get(path)
        time.sleep(0.5)


class _Spectator(asyncio.Protocol):
    """A stream of events: counts them; of one in ``MEASURED`` also how late they come.

    Without a task of its own, and without parsing: a thousand must not take the server's cores.
    """

    def __init__(self, request: bytes, *, measured: bool) -> None:
        self._request, self._measured = request, measured
        self._tail = b""
        self.events, self.delays, self.lost = 0, list[float](), asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """See asyncio."""
        cast(asyncio.Transport, transport).write(self._request)

    def data_received(self, data: bytes) -> None:
        """See asyncio."""
        if self._measured:
            *lines, self._tail = (self._tail + data).split(b"\n")
            now = datetime.now(UTC)
            found = [_AT.search(line) for line in lines if line.startswith(b"data: ")]
            self.delays += ((now - datetime.fromisoformat(at[1].decode())).total_seconds() for at in found if at)
            self.events += len(found)
        else:
            data = self._tail + data
            self.events += data.count(_MARK)
            self._tail = data[1 - len(_MARK) :]

    def connection_lost(self, exc: Exception | None) -> None:
        """See asyncio."""
        if not self.lost.done():
            self.lost.set_result(None)


def watch_as_crowd(api: str, path: str, streams: int, half_open: int, polls: float, seconds: float) -> Crowd:
    """Watch for ``seconds``, in a process of its own, so that it takes no time from those measured.

    Args:
        api, path: the server, and what is polled. streams, half_open: how many. polls: a second, by the whole crowd.
    """
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return asyncio.run(_watch_as_crowd(api, path, streams, half_open, polls, time.monotonic() + seconds))


async def _watch_as_crowd(api: str, path: str, streams: int, half_open: int, polls: float, end: float) -> Crowd:
    where, loop = urlsplit(api), asyncio.get_running_loop()
    seen, events, delays = Counter[str](), [0] * streams, list[float]()

    def asked(what: str, more: str = "") -> bytes:
        return f"GET {where.path}{what} HTTP/1.1\r\nHost: 127.0.0.1\r\n{more}\r\n".encode()

    async def stream(i: int) -> None:
        await asyncio.sleep(SPACING_SECONDS * i)
        seen["opened"] += 1
        while time.monotonic() < end:
            with suppress(TimeoutError, ConnectionError):
                one = partial(_Spectator, asked("/events"), measured=i % MEASURED == 0)
                transport, spectator = await loop.create_connection(one, str(where.hostname), where.port or 80)
                with suppress(TimeoutError):
                    await asyncio.wait_for(spectator.lost, end - time.monotonic())
                transport.close()
                events[i] += spectator.events
                delays.extend(spectator.delays)
            seen["lost"] += time.monotonic() < end

    async def half() -> None:
        """Send half a line; when the server closes the socket, send it again."""
        while time.monotonic() < end:
            with suppress(OSError, TimeoutError):
                reader, writer = await asyncio.open_connection(where.hostname, where.port, local_addr=("127.0.0.2", 0))
                seen["half_open"] += 1
                writer.write(b"GET /api/v1/tables HT")
                with suppress(ConnectionError):
                    await asyncio.wait_for(reader.read(1), max(0.1, end - time.monotonic()))
                    seen["ended"] += 1
                writer.close()
            await asyncio.sleep(5)

    async def poll() -> None:
        """Ask again and again, each time over another connection, as different people do."""
        tag = ""
        while time.monotonic() < end:
            began = time.monotonic()
            reader, writer = await asyncio.open_connection(where.hostname, where.port)
            writer.write(asked(path, f"If-None-Match: {tag}\r\nAccept-Encoding: gzip\r\nConnection: close\r\n"))
            head, _, _ = (await reader.read(-1)).partition(b"\r\n\r\n")
            writer.close()
            status, found = int(head.split()[1]), _ETAG.search(head)
            tag = found[1].decode() if found else ""
            seen["polls"] += 1
            seen["unchanged"] += status == 304
            seen["refused"] += status not in (200, 304)
            await asyncio.sleep(max(0.0, 1 / polls - (time.monotonic() - began)))

    await asyncio.gather(*(stream(i) for i in range(streams)), *(half() for _ in range(half_open)), poll())
    return seen + Counter(most=max(events), least=min(events)), delays


def main(seconds: float = 120, tables: int = 5, hands: float = 1, database: str | None = None) -> None:
    names = [f"Table {i}" for i in range(1, tables + 1)]
    with tempfile.TemporaryDirectory(prefix="hupai-hall-") as folder, hall_server(Path(folder), database) as host:
        alone, crowded, crowd = compare_phases(
            host, tables=names, hands=hands, streams=1000, half_open=1100, polls=50, seconds=seconds
        )
    for name, (tally, cores) in (("alone", alone), ("with the crowd", crowded)):
        wrote, read = (tally.seconds(writing=writing) for writing in (True, False))
        print(
            f"{name:<15} {in_words(wrote)} writes, {in_words(read)} reads, {cores:.2f} cores, "
            f"asked again {dict(Counter(tally.again)) or 'never'}"
        )
    seen, delays = crowd
    print(f"{'the crowd':<15} {dict(seen)}, events while all were there: {len(wrote)}, late by {in_words(delays)}")


def in_words(seconds: Sequence[float]) -> str:
    p50, p95 = 1e3 * np.percentile(seconds, [50, 95])
    return f"p50 {p50:.0f} p95 {p95:.0f} ms of {len(seconds)}"


if __name__ == "__main__":
    typer.run(main)
