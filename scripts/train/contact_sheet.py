"""Render a sheet of training scenes, faces or crops that a person can check.

python -m scripts.train.contact_sheet --seed 7 --out sheet.png              # scenes
python -m scripts.train.contact_sheet --seed 7 --truth --kind wall          # with quads and labels drawn in
python -m scripts.train.contact_sheet --what faces --out faces.png          # every face of several sets
python -m scripts.train.contact_sheet --what crops --pack work/pack         # what the classifier sees
"""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from datasets.labels import FACES, LABELS
from datasets.photographs.packs import open_studio
from datasets.scenes.crops import CropShape, scene_crops
from datasets.scenes.heaps import KINDS
from datasets.scenes.studio import Studio
from datasets.scenes.training import Settings, TrainingScene, make_scene

Picture = npt.NDArray[np.uint8]


def with_truth(scene: TrainingScene) -> Picture:
    """The scene with its truth: asked faces green, others orange, the picture's top edge red, look-alikes cyan."""
    image = scene.image.copy()
    cv2.polylines(image, [np.rint(c).astype(np.int32) for c in scene.cells], True, (0, 255, 255), 1)
    for quad, label, seen, unsure in zip(scene.quads, scene.labels, scene.visible, scene.unsure, strict=True):
        if seen < 0.2:
            continue
        points = np.rint(quad).astype(np.int32)
        cv2.polylines(image, [points], True, (255, 160, 0) if unsure or seen < 0.45 else (0, 255, 0), 1)
        cv2.line(image, points[0].tolist(), points[1].tolist(), (255, 0, 0), 2)
        x, y = quad.mean(axis=0)
        cv2.putText(image, LABELS[label], (int(x) - 10, int(y)), 0, 0.45, (255, 0, 255), 1, cv2.LINE_AA)
    cv2.putText(image, scene.kind, (6, 22), 0, 0.7, (255, 0, 0), 2, cv2.LINE_AA)
    return image


def tiled(pictures: list[Picture], columns: int, tone: int = 0) -> Picture:
    """Pictures of one size in a grid; what is left of the last row is filled with a grey tone, 0-255."""
    blank = np.full_like(pictures[0], tone)
    rows = [[*pictures[i : i + columns]] for i in range(0, len(pictures), columns)]
    return np.vstack([np.hstack(row + [blank] * (columns - len(row))) for row in rows])


def scenes(studio: Studio, seed: int, count: int, kind: str | None, truth: bool, settings: Settings) -> Picture:
    found = [make_scene(np.random.default_rng([seed, i]), studio, settings, kind) for i in range(count)]
    return tiled([with_truth(s) if truth else s.image for s in found], 4)


def faces(studio: Studio, seed: int, count: int) -> Picture:
    """Every face of ``count`` sets, one set a block of three rows."""
    rng = np.random.default_rng(seed)
    cells: list[Picture] = []
    for _ in range(count):
        tiles = studio.tiles(rng)
        shown = [tiles.texture(label, 1)[0] for label in (*FACES, "back")]
        cells += [*shown, *[np.zeros_like(shown[0])] * (-len(shown) % 17)]
    return tiled([np.asarray(cv2.resize(c, (81, 108), interpolation=cv2.INTER_AREA), np.uint8) for c in cells], 17)


def crops(studio: Studio, seed: int, count: int, settings: Settings) -> Picture:
    """Crops with their labels and turns."""
    shape, found = CropShape(), []
    for i in range(count):
        rng = np.random.default_rng([seed, i])
        cut = scene_crops(rng, make_scene(rng, studio, settings), shape)
        for image, face, turn in zip(cut.images, cut.faces, cut.turns, strict=True):
            cell = np.full((shape.height + 14, shape.width, 3), 255, np.uint8)
            cell[: shape.height] = image
            text = LABELS[face] + ("" if turn < 0 else f" {turn}")
            cv2.putText(cell, text, (2, shape.height + 11), 0, 0.38, (0, 0, 0), 1, cv2.LINE_AA)
            found.append(cell)
    return tiled(found, 24)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path("sheet.png"))
    parser.add_argument("--what", choices=["scenes", "faces", "crops"], default="scenes")
    parser.add_argument("--kind", choices=[*KINDS, "nothing"], help="of scene; by chance if left out")
    parser.add_argument("--count", type=int, help="scenes or sets")
    parser.add_argument("--size", type=int, default=640, help="side of a scene, pixels")
    parser.add_argument("--truth", action="store_true", help="draw quads and labels in")
    parser.add_argument("--pack", type=Path, help="folder made by scripts.train.pack")
    args = parser.parse_args()
    studio = open_studio(args.pack)
    settings = Settings(size=args.size)
    if args.what == "faces":
        sheet = faces(studio, args.seed, args.count or 6)
    elif args.what == "crops":
        sheet = crops(studio, args.seed, args.count or 12, settings)
    else:
        sheet = scenes(studio, args.seed, args.count or 16, args.kind, args.truth, settings)
    if not cv2.imwrite(str(args.out), cv2.cvtColor(sheet, cv2.COLOR_RGB2BGR)):
        parser.error(f"cannot write {args.out}")
    print(f"{args.out}: {sheet.shape[1]} x {sheet.shape[0]}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
