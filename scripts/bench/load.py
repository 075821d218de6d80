"""Send photos from many phones to one server: whether answers are lost or wrong, how long they take, memory use.

    python -m scripts.bench.load --phones 50 --seconds 120 [--different 12]

Starts a server of its own with the default settings. Every phone has an address of its own (127.0.1.x), sends photos of
about 1 MB one after the other, waits when asked to (503, 429 with Retry-After), and compares each answer with the one
the same photo got when the server was idle. The time of a photo runs from the first try to the answer. The photos are
those of ``HUPAI_DATA`` or the examples, turned a little.
"""

from __future__ import annotations

import io
import json
import os
import random
import statistics
import time
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import cycle, islice
from pathlib import Path
from typing import Final

import httpx
import numpy as np
import typer
from PIL import Image

from scripts.bench.host import ROOT, server
from scripts.bench.machine import first_and_last, resident, worked

SIZE: Final = 1_000_000
"""Bytes of a photo."""
SIDE: Final = 2400


@dataclass(slots=True)
class PhoneLog:
    """What the phones saw; each list is filled by many threads (appending is atomic)."""

    seconds: list[float] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    refused: list[int] = field(default_factory=list)


def photos_of(folder: Path, count: int) -> Iterator[bytes]:
    """JPEGs of about ``SIZE`` bytes, all different: the folder's photos, turned a little more in each round."""
    sources = sorted(p for p in folder.rglob("*") if p.suffix.lower() in (".jpg", ".jpeg", ".png"))
    for i, source in enumerate(islice(cycle(sources), count)):
        with Image.open(source) as image:
            photo = image.convert("RGB").resize((SIDE, SIDE * image.height // image.width), Image.Resampling.BICUBIC)
        photo = photo.rotate(3 * (i // len(sources)), resample=Image.Resampling.BICUBIC)

        def jpeg(quality: int, photo: Image.Image = photo) -> bytes:
            out = io.BytesIO()
            photo.save(out, "JPEG", quality=quality, subsampling=0)
            return out.getvalue()

        yield jpeg(20 + bisect_right(range(21, 101), SIZE, key=lambda quality: len(jpeg(quality))))


def send(client: httpx.Client, photo: bytes) -> httpx.Response:
    return client.post("/read", files={"photo": ("photo.jpg", photo, "image/jpeg")})


def tiles_of(reply: httpx.Response) -> str:
    """The part of an answer that must be the same whenever a photo is read."""
    answer = reply.raise_for_status().json()
    return json.dumps([answer["tiles"], answer["hand"]], sort_keys=True)


def phone(number: int, api: str, photos: Sequence[bytes], truth: Sequence[str], end: float, tally: PhoneLog) -> None:
    """One phone until the end; it still waits for the answer to a photo it has begun to send, a minute if refused."""
    dice = random.Random(number)
    transport = httpx.HTTPTransport(local_address=f"127.0.1.{number + 1}")
    with httpx.Client(base_url=api, transport=transport, timeout=600) as client:
        time.sleep(dice.random())
        while time.monotonic() < end:
            which = dice.randrange(len(photos))
            began = time.monotonic()
            try:
                reply = send(client, photos[which])
                while reply.status_code in (429, 503) and time.monotonic() < end + 60:
                    tally.refused.append(reply.status_code)
                    time.sleep(int(reply.headers["retry-after"]) * (0.5 + dice.random()))
                    reply = send(client, photos[which])
                answer = tiles_of(reply)
            except httpx.HTTPError as error:
                tally.lost.append(repr(error))
                continue
            tally.seconds.append(time.monotonic() - began)
            if answer != truth[which]:
                tally.wrong.append(f"phone {number}, photo {which}")


def main(phones: int = 50, seconds: float = 120, different: int = 12) -> None:
    photos = list(photos_of(Path(os.environ.get("HUPAI_DATA", ROOT / "examples")), different))
    sizes = [len(p) / 1e6 for p in photos]
    print(f"{len(photos)} photos of {min(sizes):.2f} to {max(sizes):.2f} MB; {phones} phones, {seconds:g} s")
    tally, memory, truth, alone = PhoneLog(), [], [], []
    with server({}) as host, httpx.Client(base_url=host.api, timeout=120) as idle:
        for photo in photos:
            send(idle, photo)  # warms the server up
        for photo in photos:
            began = time.monotonic()
            truth.append(tiles_of(send(idle, photo)))
            alone.append(time.monotonic() - began)
        print(f"alone: median {1e3 * statistics.median(alone):.0f} ms a photo")
        pid = host.process.pid
        spent, began = worked(pid), time.monotonic()
        with ThreadPoolExecutor(phones) as pool:
            end = began + seconds
            crowd = [pool.submit(phone, n, host.api, photos, truth, end, tally) for n in range(phones)]
            while not all(one.done() for one in crowd):
                memory.append(resident(pid))
                time.sleep(1)
        spent, took = worked(pid) - spent, time.monotonic() - began
    answers = len(tally.seconds)
    print(f"answers      {answers} ({answers / took:.2f} photos a second)")
    print(f"processor    {spent / answers:.2f} s a photo, {spent / took:.2f} cores in the mean")
    print(f"lost, wrong  {len(tally.lost)}, {len(tally.wrong)}")
    print(f"told to wait {len(tally.refused)} times (503: {tally.refused.count(503)}, 429: {tally.refused.count(429)})")
    p50, p95, p99, most = np.percentile(tally.seconds, [50, 95, 99, 100])
    print(f"seconds      p50 {p50:.2f}  p95 {p95:.2f}  p99 {p99:.2f}  most {most:.2f}")
    first, last = first_and_last(memory)
    print(f"memory (MB)  first third {first:.0f}, last third {last:.0f}, most {max(memory):.0f}")
    for sample in (*tally.lost[:3], *tally.wrong[:3]):
        print(f"  {sample}")
    raise typer.Exit(bool(tally.lost or tally.wrong))


if __name__ == "__main__":
    typer.run(main)
