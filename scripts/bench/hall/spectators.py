"""Measure whether a crowd slows the tables down: the same play without it and with it, in one run.

    python -m scripts.bench.hall.spectators [--seconds 120] [--tables 5] [--hands 1]

Tables enter and confirm hands, and the director looks at the standings; first alone, then beside many streams
of events, polls of the standings, and sockets that begin a request and never end it. The report says how long
the tables waited for their writes and the director for the standings, and what the crowd saw.
"""

from __future__ import annotations

import asyncio
import random
import resource
import tempfile
import time
import uuid
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import suppress
from multiprocessing import get_context
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import httpx
import numpy as np
import typer

from hupai.store.database import open_store
from hupai.store.events import feed
from scripts.bench.hall.deals import draw_hand_end
from scripts.bench.hall.desk import Caller, CallLog, hall_server
from scripts.bench.host import Host
from scripts.bench.machine import processor_seconds

SPACING_SECONDS: Final = 0.004
"""Seconds between two spectators who come."""
Phase = tuple[CallLog, float]
"""What tables and director saw, and the processor time that the server took, cores."""


def compare_phases(
    host: Host, *, tables: Sequence[str], hands: float, streams: int, half_open: int, polls: float, seconds: float
) -> tuple[Phase, Phase, Counter[str]]:
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
    engine = open_store(host.database)
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


def watch_as_crowd(api: str, path: str, streams: int, half_open: int, polls: float, seconds: float) -> Counter[str]:
    """Watch for ``seconds``, in a process of its own, so that it takes no time from those measured.

    Args:
        api, path: the server, and what is polled. streams, half_open: how many. polls: a second, by the whole crowd.

    Returns:
        opened, lost: streams, and how often one ended before it was meant to and was opened anew. most, least: events
        of a stream. polls, unchanged, refused: all of them, those answered by 304, those answered otherwise than by
        that and by 200. half_open, ended: sockets from another address that sent half a line, those the server closed.
    """
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return asyncio.run(_watch_as_crowd(api, path, streams, half_open, polls, time.monotonic() + seconds))


async def _watch_as_crowd(api: str, path: str, streams: int, half_open: int, polls: float, end: float) -> Counter[str]:
    where = urlsplit(api)
    seen, events = Counter[str](), [0] * streams

    async def stream(i: int) -> None:
        await asyncio.sleep(SPACING_SECONDS * i)
        seen["opened"] += 1
        while time.monotonic() < end:
            with suppress(TimeoutError, ConnectionError):
                reader, writer = await asyncio.open_connection(where.hostname, where.port)
                writer.write(f"GET {where.path}/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
                async with asyncio.timeout(end - time.monotonic()):
                    while line := await reader.readline():
                        events[i] += line.startswith(b"event: ")
                writer.close()
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
        tag = ""
        each_his_own = httpx.Limits(max_keepalive_connections=0)
        async with httpx.AsyncClient(limits=each_his_own) as client:
            while time.monotonic() < end:
                began = time.monotonic()
                reply = await client.get(f"{api}{path}", headers={"If-None-Match": tag})
                tag = reply.headers.get("etag", "")
                seen["polls"] += 1
                seen["unchanged"] += reply.status_code == 304
                seen["refused"] += reply.status_code not in (200, 304)
                await asyncio.sleep(max(0.0, 1 / polls - (time.monotonic() - began)))

    await asyncio.gather(*(stream(i) for i in range(streams)), *(half() for _ in range(half_open)), poll())
    return seen + Counter(most=max(events), least=min(events))


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
    print(f"{'the crowd':<15} {dict(crowd)}, events while all were there: {len(wrote)}")


def in_words(seconds: Sequence[float]) -> str:
    p50, p95 = 1e3 * np.percentile(seconds, [50, 95])
    return f"p50 {p50:.0f} p95 {p95:.0f} ms of {len(seconds)}"


if __name__ == "__main__":
    typer.run(main)
