"""Render annotated photos of hands to measure on: at random, or with one circumstance swept while the rest stays easy.

    python -m scripts.train.render_validation --out work/rendered --count 300
    python -m scripts.train.render_validation --out work/tilt --sweep tilt --count 160
    python -m scripts.evaluate --data work/tilt

Sweeps give the curves over tilt, rotation, blur, darkness, JPEG quality and tile size; every tile's annotation says
how it was taken. Sets and tables differ from photo to photo; seeds start at 900,000, far from those of training.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

from datasets.render.photo import Taken
from datasets.scenes.scene import Look, random_hand_scene, random_look, save_scene

FIRST_SEED = 900_000
EASY = Taken(blur=0.6, noise=2.0, quality=92)


def _tilt(look: Look, share: float) -> Look:
    return replace(look, tilt=70 * share)


def _rotation(look: Look, share: float) -> Look:
    return replace(look, roll=360 * share)


def _blur(look: Look, share: float) -> Look:
    return replace(look, taken=replace(EASY, blur=0.5 + 4.5 * share))


def _light(look: Look, share: float) -> Look:
    return replace(look, taken=replace(EASY, exposure=1.0 - 0.88 * share, noise=2 + 6 * share))


def _jpeg(look: Look, share: float) -> Look:
    return replace(look, taken=replace(EASY, quality=round(95 - 80 * share)))


def _size(look: Look, share: float) -> Look:
    """From hands that fill the picture down to tiles of about 14 pixels."""
    side = round(1400 * (260 / 1400) ** share)
    return replace(look, size=(side, side * 3 // 4))


SWEEPS: dict[str, Callable[[Look, float], Look]] = {
    "tilt": _tilt, "rotation": _rotation, "blur": _blur, "light": _light, "jpeg": _jpeg, "size": _size,
}  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--sweep", choices=sorted(SWEEPS))
    parser.add_argument("--width", type=int, default=1200, help="of the photos, pixels")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    size = (args.width, args.width * 3 // 4)
    for i in range(args.count):
        seed = FIRST_SEED + i
        rng = np.random.default_rng([seed, 4])
        if args.sweep:
            easy = replace(random_look(rng, size, steep=25.0), roll=float(rng.normal(0, 3)), fill=0.9, taken=EASY)
            look = SWEEPS[args.sweep](easy, (i + 0.5) / args.count)
            scene = random_hand_scene(seed, look=look, layout="row")
        else:
            scene = random_hand_scene(seed, size=size)
        save_scene(scene, args.out / f"{args.sweep or 'hand'}-{i:04d}.jpg", 95)
    print(f"{args.count} photos in {args.out}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
