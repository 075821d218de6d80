"""Send photos from many phones to one server: whether answers are lost or wrong, how long they take, memory use.

    python -m scripts.bench.load --phones 50 --seconds 120

Starts a server of its own on two cores with the default settings. Every phone has an address of its own (127.0.1.x),
sends photos of about 1 MB one after the other, waits when asked to (503, 429 with Retry-After), and compares each
answer with the one the same photo got when the server was idle. The time of a photo runs from the first try to the
answer.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from PIL import Image

from scripts.bench.machine import resident, worked

ROOT = Path(__file__).resolve().parents[2]
_RUN = """import json, sys
from hupai.settings import load
from hupai.web.listen.serve import run
run(load(**json.loads(sys.argv[1])))"""


@dataclass(slots=True)
class Tally:
    """What the phones saw; each list is filled by many threads (appending is atomic)."""

    seconds: list[float] = field(default_factory=list)
    finished: list[float] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    refused: list[int] = field(default_factory=list)


def photos_of(folder: Path, size: int, count: int) -> list[bytes]:
    """JPEGs of about ``size`` bytes, all different: the folder's photos, turned a little and fitted to that size."""
    sources = sorted(p for p in folder.rglob("*") if p.suffix.lower() in (".jpg", ".jpeg", ".png"))
    if not sources:
        raise SystemExit(f"{folder} holds no photos")
    made = []
    for i in range(count):
        with Image.open(sources[i % len(sources)]) as image:
            photo = image.convert("RGB")
        side = 2400
        photo = photo.resize((side, round(side * photo.height / photo.width)), Image.Resampling.BICUBIC)
        photo = photo.rotate(3 * (i // len(sources)), resample=Image.Resampling.BICUBIC)
        made.append(_jpeg_of_size(photo, size))
    return made


def _jpeg_of_size(photo: Image.Image, size: int) -> bytes:
    low, high = 20, 100
    data = b""
    while low < high:
        quality = (low + high + 1) // 2
        out = io.BytesIO()
        photo.save(out, "JPEG", quality=quality, subsampling=0)
        if len(out.getvalue()) <= size:
            low, data = quality, out.getvalue()
        else:
            high = quality - 1
    return data or out.getvalue()


@contextmanager
def server(settings: dict[str, Any], cores: int | None = None) -> Iterator[tuple[str, int]]:
    """A server process, on ``cores`` cores (all if None); yields its address and process id."""
    with tempfile.TemporaryDirectory(prefix="hupai-load-") as folder:
        given = {"host": "0.0.0.0", "port": 0, "data_folder": folder, "log_level": "warning", **settings}
        process = subprocess.Popen(
            [sys.executable, "-c", _RUN, json.dumps(given)],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"},
        )
        if cores and hasattr(os, "sched_setaffinity"):
            os.sched_setaffinity(process.pid, set(sorted(os.sched_getaffinity(0))[:cores]))
        try:
            line = process.stdout.readline() if process.stdout else ""
            if " is at " not in line:
                raise SystemExit("the server did not start")
            port = line.strip().rstrip("/").rpartition(":")[2]
            yield f"http://127.0.0.1:{port}/api/v1", process.pid
        finally:
            process.terminate()
            process.wait(30)


def tiles_of(answer: dict[str, Any]) -> str:
    """The part of an answer that must be the same whenever a photo is read."""
    return json.dumps([answer["tiles"], answer["hand"]], sort_keys=True)


def phone(number: int, api: str, photos: Sequence[bytes], truth: Sequence[str], end: float, tally: Tally) -> None:
    """One phone until the end; it still waits for the answer to a photo it has begun to send."""
    dice = random.Random(number)
    transport = httpx.HTTPTransport(local_address=f"127.0.1.{number + 1}")
    with httpx.Client(transport=transport, timeout=600) as client:
        time.sleep(dice.random())
        while time.monotonic() < end:
            which = dice.randrange(len(photos))
            began = time.monotonic()
            answer = _read(client, api, photos[which], dice, tally)
            if answer is not None:
                tally.seconds.append(time.monotonic() - began)
                tally.finished.append(time.monotonic())
                if tiles_of(answer) != truth[which]:
                    tally.wrong.append(f"phone {number}, photo {which}")


def _read(client: httpx.Client, api: str, photo: bytes, dice: random.Random, tally: Tally) -> dict[str, Any] | None:
    for _ in range(100):
        try:
            reply = client.post(f"{api}/read", files={"photo": ("photo.jpg", photo, "image/jpeg")})
        except httpx.HTTPError as error:
            tally.lost.append(repr(error))
            return None
        if reply.status_code in (429, 503):
            tally.refused.append(reply.status_code)
            time.sleep(int(reply.headers["retry-after"]) * (0.5 + dice.random()))
            continue
        if reply.status_code != 200:
            tally.lost.append(f"{reply.status_code}: {reply.text[:200]}")
            return None
        answer: dict[str, Any] = reply.json()
        return answer
    tally.lost.append("100 tries")
    return None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--phones", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--photos", type=Path, default=Path(os.environ.get("HUPAI_DATA", ROOT / "examples")))
    parser.add_argument("--different", type=int, default=12, help="different photos")
    asked = parser.parse_args()
    photos = photos_of(asked.photos, 1_000_000, asked.different)
    sizes = [len(p) / 1e6 for p in photos]
    print(
        f"{len(photos)} photos of {min(sizes):.2f} to {max(sizes):.2f} MB; {asked.phones} phones, {asked.seconds:g} s"
    )
    with server({}, cores=2) as (api, pid):
        truth, alone = _truth(api, photos)
        print(f"alone: median {1e3 * statistics.median(alone):.0f} ms a photo")
        before = worked(pid)
        tally, memory = _storm(api, pid, photos, truth, asked.phones, asked.seconds)
        spent = worked(pid) - before
    return _report(tally, memory, spent)


def _truth(api: str, photos: Sequence[bytes]) -> tuple[list[str], list[float]]:
    answers: list[str] = []
    seconds: list[float] = []
    with httpx.Client(timeout=120) as client:
        for _ in range(2):  # the first round warms the server up
            answers, seconds = [], []
            for photo in photos:
                began = time.monotonic()
                reply = client.post(f"{api}/read", files={"photo": ("photo.jpg", photo, "image/jpeg")})
                reply.raise_for_status()
                seconds.append(time.monotonic() - began)
                answers.append(tiles_of(reply.json()))
    return answers, seconds


def _storm(
    api: str, pid: int, photos: Sequence[bytes], truth: Sequence[str], phones: int, seconds: float
) -> tuple[Tally, list[float]]:
    tally = Tally()
    end = time.monotonic() + seconds
    crowd = [
        threading.Thread(target=phone, args=(n, api, photos, truth, end, tally), daemon=True) for n in range(phones)
    ]
    for p in crowd:
        p.start()
    memory = []
    while any(p.is_alive() for p in crowd):
        memory.append(resident(pid))
        time.sleep(1)
    return tally, memory


def _report(tally: Tally, memory: Sequence[float], spent: float) -> int:
    if len(tally.seconds) < 2:
        print(f"too few answers; lost: {tally.lost[:3]}")
        return 1
    cuts = statistics.quantiles(tally.seconds, n=100)
    third = max(1, len(memory) // 3)
    took = max(tally.finished) - min(tally.finished)
    print(f"answers      {len(tally.seconds)} ({len(tally.seconds) / max(took, 1e-9):.2f} photos a second)")
    print(f"processor    {spent / len(tally.seconds):.2f} s a photo, {spent / max(took, 1e-9):.2f} cores in the mean")
    print(f"lost, wrong  {len(tally.lost)}, {len(tally.wrong)}")
    print(f"told to wait {len(tally.refused)} times (503: {tally.refused.count(503)}, 429: {tally.refused.count(429)})")
    print(f"seconds      p50 {cuts[49]:.2f}  p95 {cuts[94]:.2f}  p99 {cuts[98]:.2f}  most {max(tally.seconds):.2f}")
    first, last = statistics.median(memory[:third]), statistics.median(memory[-third:])
    print(f"memory (MB)  first third {first:.0f}, last third {last:.0f}, most {max(memory):.0f}")
    for sample in (*tally.lost[:3], *tally.wrong[:3]):
        print(f"  {sample}")
    return 1 if tally.lost or tally.wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
