"""Measure what pictures made to be expensive do to a server with default settings, and to an honest phone beside them.

    python -m scripts.bench.hall.bombs [--times 60] [MORE.heic ...]

For each kind of picture, one address sends as many as the rate allows, all at once, while another address sends a
photo of a hand, again and again. The report says what became of the pictures, how long the photos took, and how much
memory the server has held at most. Each kind has a server of its own; HEIC files, which nothing here writes, are given.
"""

from __future__ import annotations

import io
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Final

import httpx
import numpy as np
import typer
from PIL import Image

from scripts.bench.host import Host
from scripts.bench.machine import memory_kib, processor_seconds
from scripts.bench.photo import EXAMPLE, write_enlarged

HONEST: Final = "127.0.0.1"
HOSTILE: Final = "127.0.0.2"


def plain_picture(width: int, height: int, kind: str, **how: object) -> bytes:
    """A picture of one colour: a few bytes, many pixels."""
    out = io.BytesIO()
    Image.new("RGB", (width, height), (90, 120, 60)).save(out, kind, **how)
    return out.getvalue()


def picture_of_hand(megapixels: float, kind: str, **how: object) -> bytes:
    """The example of a hand with the noise of a sensor, as large as asked for."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "photo.jpg"
        write_enlarged(megapixels, path)
        out = io.BytesIO()
        Image.open(path).save(out, kind, **how)
    return out.getvalue()


def jpeg_of_many_scans(width: int, height: int, scans: int) -> bytes:
    """A progressive JPEG that draws its last scan again and again."""
    data = plain_picture(width, height, "JPEG", progressive=True)
    last = data.rindex(b"\xff\xda")
    return data[:last] + data[last:-2] * scans + data[-2:]


KINDS: Final[dict[str, Callable[[], bytes]]] = {
    "WebP 49 MP": partial(plain_picture, 7000, 7000, "WEBP", lossless=True),
    "WebP 12 MP": partial(plain_picture, 3500, 3500, "WEBP", lossless=True),
    "WebP 12 MP, hand": partial(picture_of_hand, 12, "WEBP", quality=80),
    "PNG 12 MP": partial(plain_picture, 3500, 3500, "PNG"),
    "PNG 7 MP, hand": partial(picture_of_hand, 7, "PNG", compress_level=1),
    "TIFF 12 MP": partial(plain_picture, 3500, 3500, "TIFF", compression="tiff_lzw"),
    "AVIF 12 MP": partial(plain_picture, 3500, 3500, "AVIF", speed=10),
    "JPEG 48 MP, hand": partial(picture_of_hand, 48, "JPEG", quality=80),
    "JPEG 110 MP": partial(plain_picture, 10900, 10000, "JPEG"),
    "progressive 12 MP, hand": partial(picture_of_hand, 12, "JPEG", quality=85, progressive=True),
    "progressive 19 MP, hand": partial(picture_of_hand, 19, "JPEG", quality=85, progressive=True),
    "progressive 12 MP, 30 scans": partial(jpeg_of_many_scans, 4000, 3000, 20),
}


def send(api: str, address: str, data: bytes, *, patient: bool = False) -> tuple[int, float]:
    """Send a picture from an address; the answer's status and how long it took, seconds.

    Args:
        api: of the server. address: which this machine has. data: the picture. patient: ask again when told to wait.
    """
    start = time.monotonic()
    with httpx.Client(transport=httpx.HTTPTransport(local_address=address), timeout=600) as client:
        while True:
            reply = client.post(f"{api}/read", files={"photo": ("photo", data)})
            if not patient or reply.status_code not in (429, 503):
                return reply.status_code, time.monotonic() - start
            time.sleep(int(reply.headers["retry-after"]))


def attack(host: Host, picture: bytes, times: int) -> tuple[Counter[int], list[float]]:
    """The statuses of so many pictures sent at once; the seconds that each of the photos beside them took."""
    photo = EXAMPLE.read_bytes()
    send(host.api, HONEST, photo)
    waits = []
    with ThreadPoolExecutor(times) as pool:
        pictures = [pool.submit(send, host.api, HOSTILE, picture) for _ in range(times)]
        while not all(future.done() for future in pictures):
            waits.append(send(host.api, HONEST, photo, patient=True)[1])
            time.sleep(1)
    return Counter(future.result()[0] for future in pictures), waits


def main(files: list[Path] | None = None, times: int = 60, kind: str = "") -> None:
    made = {name: make for name, make in KINDS.items() if kind in name}
    for name, make in (made | {path.name: path.read_bytes for path in files or ()}).items():
        measure(name, make(), times)


def measure(name: str, picture: bytes, times: int) -> None:
    """Send a picture to a new server, and print what happened."""
    with tempfile.TemporaryDirectory(prefix="hupai-bombs-") as folder, Host(Path(folder)) as host:
        before = processor_seconds(host.process.pid)
        began = time.monotonic()
        statuses, waits = attack(host, picture, times)
        took = time.monotonic() - began
        cores = (processor_seconds(host.process.pid) - before) / took
        peak = memory_kib(host.process.pid, "VmHWM") / 1e3
    answers = ", ".join(f"{n} x {status}" for status, n in sorted(statuses.items()))
    print(
        f"{name} ({len(picture):,} bytes): {answers} in {took:.0f} s at {cores:.1f} cores; "
        f"photos beside it {np.median(waits):.1f} s, at most {max(waits):.1f} s; at most {peak:.0f} MB",
        flush=True,
    )


if __name__ == "__main__":
    typer.run(main)
