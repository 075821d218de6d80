"""Spectators of a tournament: streams of events, polls of the standings, and sockets that never finish a request.

    python -m scripts.bench.hall.crowd ADDRESS --streams 1000 --half-open 1100 --seconds 120

It is a process of its own, so that it takes no time from those measured. It prints what it saw as one line of JSON.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import resource
import time
from contextlib import suppress
from dataclasses import asdict, dataclass
from urllib.parse import urlsplit


@dataclass
class Seen:
    """What the crowd saw.

    Attributes:
        opened, lost: streams, and how often one ended before it was meant to and was opened anew. most, least: events
            of a stream. polls, unchanged: of the standings, and those answered by 304.
        refused: polls answered otherwise.
        half_open, ended: sockets from another address that sent half a line, and those the server closed.
    """

    opened: int = 0
    lost: int = 0
    most: int = 0
    least: int = 0
    polls: int = 0
    unchanged: int = 0
    refused: int = 0
    half_open: int = 0
    ended: int = 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("api")
    parser.add_argument("--streams", type=int, default=1000)
    parser.add_argument("--half-open", type=int, default=1100)
    parser.add_argument("--polls", type=float, default=50, help="of the standings, a second")
    parser.add_argument("--path", default="/tournaments", help="what is polled")
    parser.add_argument("--seconds", type=float, default=120)
    asked = parser.parse_args()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    seen = asyncio.run(_attend(asked))
    print(json.dumps(asdict(seen)), flush=True)


async def _attend(asked: argparse.Namespace) -> Seen:
    where = urlsplit(asked.api)
    seen, end = Seen(), time.monotonic() + asked.seconds
    counts = [0] * asked.streams
    doing = [_stream(where.hostname, where.port, where.path, i, counts, seen, end) for i in range(asked.streams)]
    doing += [_half(where.hostname, where.port, seen, end) for _ in range(asked.half_open)]
    doing.append(_poll(where.hostname, where.port, where.path + asked.path, asked.polls, seen, end))
    await asyncio.gather(*doing)
    seen.most, seen.least = max(counts, default=0), min(counts, default=0)
    return seen


def _head(path: str, more: str = "") -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Encoding: gzip\r\n{more}\r\n".encode()


async def _stream(host: str, port: int, path: str, i: int, counts: list[int], seen: Seen, end: float) -> None:
    await asyncio.sleep(0.004 * i)  # people come one after the other
    seen.opened += 1
    while (left := end - time.monotonic()) > 0:
        with suppress(TimeoutError, ConnectionError):
            reader, writer = await asyncio.open_connection(host, port)
            writer.write(_head(f"{path}/events"))
            while (left := end - time.monotonic()) > 0 and (line := await asyncio.wait_for(reader.readline(), left)):
                counts[i] += line.startswith(b"event: ")
            writer.close()
        seen.lost += time.monotonic() < end


async def _half(host: str, port: int, seen: Seen, end: float) -> None:
    """Send half a line; when the server closes the socket, send it again."""
    while time.monotonic() < end:
        with suppress(OSError, TimeoutError):
            reader, writer = await asyncio.open_connection(host, port, local_addr=("127.0.0.2", 0))
            seen.half_open += 1
            writer.write(b"GET /api/v1/tables HT")
            with suppress(ConnectionError):
                await asyncio.wait_for(reader.read(1), max(0.1, end - time.monotonic()))
                seen.ended += 1
            writer.close()
        await asyncio.sleep(5)


async def _poll(host: str, port: int, path: str, rate: float, seen: Seen, end: float) -> None:
    tag = ""
    while time.monotonic() < end and rate:
        began = time.monotonic()
        answer = b""
        with suppress(ConnectionError):
            reader, writer = await asyncio.open_connection(host, port)
            writer.write(_head(path, f"Connection: close\r\n{tag}"))
            answer = await reader.read()
            writer.close()
        head = answer.partition(b"\r\n\r\n")[0].decode("latin-1")
        status = head.split(" ")[1] if " " in head else ""
        found = [line.partition(": ")[2] for line in head.split("\r\n") if line.lower().startswith("etag:")]
        tag = f"If-None-Match: {found[0]}\r\n" if found else ""
        seen.polls += 1
        seen.unchanged += status == "304"
        seen.refused += status not in ("200", "304")
        await asyncio.sleep(max(0.0, 1 / rate - (time.monotonic() - began)))


if __name__ == "__main__":
    main()
