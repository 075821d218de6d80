"""Render annotated photos to measure on: hands, or any scene.

    python -m scripts.train.render_validation --out work/rendered --count 150
    python -m scripts.train.render_validation --out work/rendered --scenes --count 250   # ponds, walls, ...
    python -m scripts.train.render_validation --out work/black --scenes --black --count 100   # in negative
    python -m scripts.train.render_validation --out work/unusual --scenes --unusual --count 100   # dark, wood, coloured
    python -m scripts.train.render_validation --out work/nothing --scenes --nothing --count 300   # without a tile

Every tile's annotation says how it was taken. Sets and tables differ from photo to photo; seeds start at 900,000, far
from those of training.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from datasets.labels import BACK, LABELS
from datasets.scenes.scene import LEAST_VISIBLE, random_hand_scene, save_scene
from datasets.scenes.studio import Studio
from datasets.scenes.training import Settings, TrainingScene, make_scene
from vision.detect.negative import negative

FIRST_SEED = 900_000
OTHERS = {
    "black": " in negative: black tiles, light print",
    "unusual": " with dark, wooden and coloured sets",
    "nothing": " without a tile, every second in negative",
}
ANY_SCENE = Settings(size=960, smallest=16, largest=150)


def annotation_of(scene: TrainingScene, name: str) -> dict[str, Any]:
    """A scene's truth as a photo annotation; faces that cannot be read are boxes to ignore."""
    side = scene.image.shape[0]
    tiles, ignore = [], []
    for label, quad, visible, unsure in zip(scene.labels, scene.quads, scene.visible, scene.unsure, strict=True):
        if visible < LEAST_VISIBLE or unsure:
            low, high = np.clip(quad.min(axis=0), 0, side - 1), np.clip(quad.max(axis=0), 0, side - 1)
            ignore.append([round(float(v), 1) for v in (*low, *high)])
        else:
            down = LABELS[label] == BACK
            corners = [[round(float(x), 2), round(float(y), 2)] for x, y in quad]
            facts = {"state": "face_down" if down else "face_up", "visible": round(float(visible), 3), "sure": True}
            tiles.append({"label": LABELS[label], "corners": corners, **facts})
    return {"image": name, "width": side, "height": side, "scene": scene.kind, "tiles": tiles, "ignore": ignore}


def save_any(studio: Studio, seed: int, path: Path, sets: str) -> None:
    """Render a scene of any kind and write it with its annotation; ``sets``: ``scene`` or one of OTHERS."""
    settings = replace(ANY_SCENE, unusual=float(sets == "unusual"))
    scene = make_scene(np.random.default_rng([seed, 5]), studio, settings, sets if sets == "nothing" else None)
    in_negative = sets == "black" or (sets == "nothing" and seed % 2)
    image = negative(scene.image) if in_negative else scene.image
    cv2.imwrite(str(path), cv2.cvtColor(image, cv2.COLOR_RGB2BGR), [cv2.IMWRITE_JPEG_QUALITY, 92])
    text = json.dumps(annotation_of(scene, path.name), ensure_ascii=False)
    path.with_suffix(".json").write_text(text + "\n", encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--scenes", action="store_true", help="ponds, walls, heaps, trays and hands, 960 pixels wide")
    sets = parser.add_mutually_exclusive_group()
    for name, meaning in OTHERS.items():
        told = f"such scenes{meaning}"
        sets.add_argument(f"--{name}", dest="sets", action="store_const", const=name, default="scene", help=told)
    parser.add_argument("--width", type=int, default=1200, help="of the photos, pixels")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    size = (args.width, args.width * 3 // 4)
    studio = Studio()
    for i in range(args.count):
        seed = FIRST_SEED + i
        if args.scenes:
            save_any(studio, seed, args.out / f"{args.sets}-{i:04d}.jpg", args.sets)
            continue
        save_scene(random_hand_scene(seed, size=size), args.out / f"hand-{i:04d}.jpg", 95)
    print(f"{args.count} photos in {args.out}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
