"""Full-precision models -> the eight-bit ones that ship, with a check that their answers agree.

    python -m scripts.train.onnx.quantize --models models/float --out work/models --photos scenes-a
    python -m scripts.train.onnx.quantize --models runs/float --out work/models --role classifier --photos scenes-a

Ranges come from some photographs of the folders, which the detector that ships searches, half of them in other light,
or, without any, from rendered scenes (which costs a tenth of a point of tiles); the check uses rendered scenes. Nothing
is written if an eight-bit network disagrees too often.
"""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Annotated

import cv2
import numpy as np
import onnx
import typer

from datasets.labels import LABELS
from datasets.learn.eight_bits.layers import ImageBatch
from datasets.learn.eight_bits.network import agreement, eight_bits
from datasets.learn.listing import put
from datasets.photographs.packs import open_studio
from datasets.scenes.crops import CropShape, scene_crops
from datasets.scenes.training import SceneSettings, make_scene
from scripts.train import SHIPPED, Out, run
from vision.io.photo import Photo
from vision.onnx_device import pixels_of
from vision.pipeline import TileReader

LEAST_AGREED = {"face": 0.98, "kernel": 0.95}
"""Least share of crops named alike, and of cells called tiles alike; half of the scenes' crops are meant to be hard."""
BATCH_CROPS = 16
SEED = 1
SIDES_PX = (512, 640, 800)
"""Longer sides that photographs are resized to, pixels."""


def rendered_batches(role: str, metadata: dict[str, str], seed: int, scenes: int) -> list[ImageBatch]:
    """Batches for a network: whole scenes of several sizes, or crops of them."""
    rng, studio = np.random.default_rng(seed), open_studio()
    if role == "detector":
        sizes = (32 * int(rng.integers(14, 25)) for _ in range(scenes))
        return [make_scene(rng, studio, SceneSettings(size=size)).image[None] for size in sizes]
    width, height = json.loads(metadata["crop"])
    shape, settings = (
        CropShape(width, height, json.loads(metadata["margin"])),
        SceneSettings(bonus=float(role == "bonus")),
    )
    known = json.loads(metadata["labels"])
    cut = [scene_crops(rng, make_scene(rng, studio, settings), shape) for _ in range(scenes)]
    return _split(np.concatenate([c.images[[LABELS[face] in known for face in c.faces]] for c in cut]))


def _split(crops: ImageBatch) -> list[ImageBatch]:
    return [crops[k : k + BATCH_CROPS] for k in range(0, len(crops), BATCH_CROPS)]


def photographed_batches(role: str, reader: TileReader, paths: list[Path]) -> list[ImageBatch]:
    """As :func:`rendered_batches`, from photographs: at the sizes at which they are searched, any way up, and crops."""
    rng = np.random.default_rng(SEED)
    if role != "detector":
        found = [pixels_of(reader.detect(path)[0].crops) for path in paths]
        return _split(np.concatenate([c[rng.permutation(len(c))[:BATCH_CROPS]] for c in found]))
    multiple = reader.device.metadata.detector.multiple
    batches = []
    for path in paths:
        view = np.rot90(Photo(path).pixels, int(rng.integers(4)))
        scale = int(rng.choice(SIDES_PX)) / max(view.shape[:2])
        size = [max(multiple, round(side * scale / multiple) * multiple) for side in view.shape[1::-1]]
        batches.append(np.asarray(cv2.resize(view, size, interpolation=cv2.INTER_AREA), np.uint8)[None])
    return batches


def vary_light(pictures: ImageBatch, rng: np.random.Generator) -> ImageBatch:
    """The pictures as they are, or over- or underexposed, or grey."""
    way = int(rng.integers(4))
    if way == 0:
        return np.repeat(pictures.mean(axis=3, keepdims=True).astype(np.uint8), 3, axis=3)
    if way == 1:
        gain, offset = rng.uniform((0.4, 0), (1.6, 40))
        return np.clip(gain * pictures.astype(np.float32) + offset, 0, 255).astype(np.uint8)
    return pictures


def main(
    models: Annotated[Path, typer.Option(help="folder with networks as they learned")],
    out: Out,
    role: Annotated[list[str] | None, typer.Option(help="of those in the folder only this one, repeatable")] = None,
    photos: Annotated[list[Path] | None, typer.Option(help="folder of photographs, repeatable")] = None,
    scenes: Annotated[int, typer.Option(help="pictures that set the ranges, scenes that check")] = 48,
) -> None:
    files = sorted(path for folder in photos or () for path in folder.rglob("*.jpg"))
    if photos and not files:
        sys.exit(f"no photographs (*.jpg) in {', '.join(map(str, photos))}")
    if unknown := set(role or ()) - set(SHIPPED):
        raise ValueError(f"--role takes {', '.join(SHIPPED)}, not {', '.join(unknown)}")
    roles = role or [each for each in SHIPPED if (models / f"{each}.onnx").is_file()]
    if not roles:
        sys.exit(f"no network in {models}: looked for {', '.join(f'{each}.onnx' for each in SHIPPED)}")
    paths = [files[k] for k in np.random.default_rng(SEED).permutation(len(files))[:scenes]]
    reader = TileReader()
    made: dict[str, bytes] = {}
    for each in roles:
        learned = (models / f"{each}.onnx").read_bytes()
        model = onnx.load_from_string(learned)
        metadata = {p.key: p.value for p in model.metadata_props}
        rng = np.random.default_rng(SEED)
        seen = [vary_light(batch, rng) for batch in photographed_batches(each, reader, paths)] if paths else []
        if not paths or each == "bonus":  # few photographs show bonus tiles
            seen += rendered_batches(each, metadata, SEED, scenes)
        made[each] = eight_bits(model, seen).SerializeToString()
        output = "kernel" if each == "detector" else "face"
        agreed = agreement(learned, made[each], rendered_batches(each, metadata, SEED + 1, scenes), output)
        print(f"{each}: {len(learned) / 2**20:.2f} -> {len(made[each]) / 2**20:.2f} MiB, {agreed:.2%} alike")
        if agreed < LEAST_AGREED[output]:
            sys.exit(f"{each} answers otherwise in eight bits (least: {LEAST_AGREED[output]:.0%})")
    put(out, made)
    for each in made:
        if (card := models / f"{each}.md").is_file():
            shutil.copyfile(card, out / card.name)


if __name__ == "__main__":
    run(main)
