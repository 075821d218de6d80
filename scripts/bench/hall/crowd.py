"""Spectators of a tournament: streams of events, polls of the standings, and sockets that never finish a request."""

from __future__ import annotations

import asyncio
import resource
import time
from collections import Counter
from contextlib import suppress
from urllib.parse import urlsplit

import httpx

APART = 0.004
"""Seconds between two who come."""


def attend(api: str, path: str, streams: int, half_open: int, polls: float, seconds: float) -> Counter[str]:
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
    return asyncio.run(_attend(api, path, streams, half_open, polls, time.monotonic() + seconds))


async def _attend(api: str, path: str, streams: int, half_open: int, polls: float, end: float) -> Counter[str]:
    where = urlsplit(api)
    seen, events = Counter[str](), [0] * streams

    async def stream(i: int) -> None:
        await asyncio.sleep(APART * i)
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
