"""The time and memory that reading a phone photo takes: stage by stage, after loading.

    python -m scripts.bench.photo [--photo PHOTO] [--megapixels 12 48] [--times 20] [--threads 2]

Without ``--photo`` the repository's example photo is used. It is enlarged with sensor noise to the megapixels asked
for, as a JPEG of phone quality, so that decoding costs what it costs for a real photo of that size. Memory is the peak
of a process of its own that reads the photo once.
"""

from __future__ import annotations

import argparse
import math
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import cv2
import numpy as np

from scripts.bench.machine import memory
from vision.io.photo import Photo
from vision.pipeline import Eyes

ROOT = Path(__file__).resolve().parents[2]
STAGES = ("decode", "find", "classify", "read", "total")


def enlarged(photo: Path, megapixels: float, folder: Path) -> Path:
    """A JPEG of the photo, enlarged to ``megapixels``, with the noise of a phone's sensor."""
    pixels = Photo(photo).pixels
    scale = math.sqrt(megapixels * 1e6 / (pixels.shape[0] * pixels.shape[1]))
    size = (round(pixels.shape[1] * scale), round(pixels.shape[0] * scale))
    large = cv2.resize(pixels, size, interpolation=cv2.INTER_CUBIC)
    rng = np.random.default_rng(0)
    strip = 256
    for top in range(0, size[1], strip):
        part = large[top : top + strip].astype(np.float32)
        noise = rng.normal(0, 4, (len(part) // 2 + 1, size[0] // 2, 3)).astype(np.float32)
        part += cv2.resize(noise, part.shape[1::-1])
        large[top : top + strip] = np.clip(part, 0, 255).astype(np.uint8)
    path = folder / f"{megapixels:g}mp.jpg"
    cv2.imwrite(str(path), large[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 92])
    return path


def timed(photo: Path, eyes: Eyes, times: int) -> dict[str, tuple[float, float]]:
    """Median and 95th percentile of every stage, milliseconds, over fresh readings of the file.

    ``processor`` is the time of all cores together; unlike the rest it hardly grows when the machine is busy.
    """
    spent: dict[str, list[float]] = {stage: [] for stage in (*STAGES, "processor")}
    eyes.see(photo)
    for _ in range(times):
        start = time.process_time()
        stages = eyes.see(photo).timings_ms
        spent["processor"].append(1e3 * (time.process_time() - start))
        for stage, ms in stages.items():
            spent[stage].append(ms)
    return {stage: (float(np.median(ms)), float(np.percentile(ms, 95))) for stage, ms in spent.items()}


def peak_megabytes(photo: Path) -> float:
    """Peak memory of a process that loads the models and reads the photo once."""
    command = [sys.executable, "-m", "scripts.bench.photo", "--once", str(photo)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return float(done.stdout)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--photo", type=Path, default=ROOT / "examples" / "hand-self-draw.jpg")
    parser.add_argument("--megapixels", type=float, nargs="+", default=[12, 48])
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--once", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.once:
        Eyes().see(given.once)
        print(memory("self", "VmHWM") / 1e3)  # getrusage would give the parent's peak where that is higher
        return
    start = time.perf_counter()
    eyes = Eyes(threads=given.threads)
    print(f"loading the models: {1e3 * (time.perf_counter() - start):.0f} ms, {given.threads} threads")
    with tempfile.TemporaryDirectory() as folder:
        for megapixels in given.megapixels:
            photo = enlarged(given.photo, megapixels, Path(folder))
            figures = timed(photo, eyes, given.times)
            stages = "  ".join(f"{stage} {p50:.0f}/{p95:.0f}" for stage, (p50, p95) in figures.items())
            seen = len(eyes.look(photo))
            print(f"{megapixels:g} MP ({photo.stat().st_size / 1e6:.1f} MB), {seen} tiles: p50/p95 ms: {stages}")
            print(f"    peak memory of a process that reads it: {peak_megabytes(photo):.0f} MB")


if __name__ == "__main__":
    main()
