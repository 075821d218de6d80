"""The time and memory that reading a phone photo takes: stage by stage, after loading.

    python -m scripts.bench.photo [--megapixels 12] [--times 20]

The repository's example photo is enlarged with sensor noise to the megapixels asked for (12 and 48 if none are), as a
JPEG of phone quality, so that decoding costs what it costs for a real photo of that size. Memory is the peak of a
process of its own that loads the models and reads the photo once.
"""

from __future__ import annotations

import math
import tempfile
import time
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import cv2
import numpy as np
import typer

from scripts.bench.machine import memory_kib
from vision.io.photo import Photo
from vision.pipeline import TileReader

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "hand-self-draw.jpg"
THREADS = 2


def write_enlarged(megapixels: float, path: Path) -> None:
    """Write the example as a JPEG, enlarged to ``megapixels``, with the noise of a phone's sensor."""
    pixels = Photo(EXAMPLE).pixels
    scale = math.sqrt(megapixels * 1e6 / (pixels.shape[0] * pixels.shape[1]))
    large = cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
    height, width = large.shape[:2]
    noise = np.random.default_rng(0).normal(0, 4, (height // 2, width // 2, 3)).round().astype(np.int16)
    large = cv2.add(large, cv2.resize(noise, (width, height)), dtype=cv2.CV_8U)
    cv2.imwrite(str(path), large[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 92])


def time_stages(photo: Path, reader: TileReader, times: int) -> dict[str, list[float]]:
    """Milliseconds of every stage, over fresh readings of the file.

    ``processor`` is the time of all cores together; unlike the rest it hardly grows when the machine is busy.
    """
    spent = defaultdict(list)
    reader.read(photo)
    for _ in range(times):
        start = time.process_time()
        stages = reader.read(photo).timings_ms
        for stage, ms in {**stages, "processor": 1e3 * (time.process_time() - start)}.items():
            spent[stage].append(ms)
    return spent


def peak_megabytes(photo: Path) -> float:
    """Peak memory of this process, which reads the photo once."""
    TileReader().read(photo)
    return memory_kib("self", "VmHWM") / 1e3  # getrusage would give the parent's peak where that is higher


def main(megapixels: list[float] | None = None, times: int = 20) -> None:
    start = time.perf_counter()
    reader = TileReader(threads=THREADS)
    print(f"loading the models: {1e3 * (time.perf_counter() - start):.0f} ms, {THREADS} threads")
    with tempfile.TemporaryDirectory() as folder:
        photo = Path(folder) / "photo.jpg"
        for size in megapixels or (12, 48):
            write_enlarged(size, photo)
            cuts = {stage: np.percentile(ms, [50, 95]) for stage, ms in time_stages(photo, reader, times).items()}
            stages = "  ".join(f"{stage} {p50:.0f}/{p95:.0f}" for stage, (p50, p95) in cuts.items())
            seen = len(reader.find_tiles(photo))
            print(f"{size:g} MP ({photo.stat().st_size / 1e6:.1f} MB), {seen} tiles: p50/p95 ms: {stages}")
            with ProcessPoolExecutor(1, get_context("spawn")) as pool:
                peak = pool.submit(peak_megabytes, photo).result()
            print(f"    peak memory of a process that reads it: {peak:.0f} MB")


if __name__ == "__main__":
    typer.run(main)
