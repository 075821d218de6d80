"""Checkpoints -> ``models/``: ONNX files with metadata, zoo.json, and a check that files and networks give the same.

    python -m scripts.train.onnx.export --run runs/one --pack work/pack --out work/models --version 2

The classifier's temperature is fitted on the photographs held out of training (``held.npz`` of the pack; without it the
temperature is 1 and the report says so). A ``bonus.pt`` beside ``classifier.pt``, trained with ``--only-bonus``,
becomes the classifier of bonus tiles; its temperature comes with the captions (``scripts/train/bonus.py``). Nothing is
written if the check fails. What a model card must say of the training is printed.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import numpy as np
import numpy.typing as npt
import torch
import typer

from datasets.labels import BONUS, LABELS
from datasets.learn import checkpoint, export
from datasets.learn.augment import imitate_photographs
from datasets.learn.calibration import fit_temperature
from datasets.learn.listing import put
from datasets.learn.nets import ClassifierNet, DetectorNet
from datasets.learn.stream import real_crops
from datasets.photographs.packs import open_studio
from datasets.scenes.crops import CropShape, scene_crops
from datasets.scenes.training import SceneSettings, make_scene
from scripts.train import SHIPPED, Out, Pack
from scripts.train import run as start
from vision.models.zoo import NEEDED

TILE_PX = (36.0, 130.0)
"""Spans of tiles that the detector reads well, pixels."""


@torch.no_grad()
def calibrate(net: ClassifierNet, held: Path) -> tuple[float, str]:
    """The temperature of the classifier, and how it was fitted."""
    real = real_crops(held)
    width, height = net.shape.crop
    crops, labels = imitate_photographs(real.pictures, (height, width), net.shape.margin), real.faces.numpy()
    logits = np.concatenate([net(some)[0].double().numpy() for some in torch.split(crops, 64)])
    temperature, before, after = fit_temperature(logits, labels)
    right = float((logits.argmax(axis=1) == labels).mean())
    return temperature, (
        f"{len(labels)} crops, {right:.2%} right, temperature {temperature:.3f}, expected calibration error "
        f"{before:.4f} before and {after:.4f} after."
    )


def check_pictures(net: DetectorNet | ClassifierNet) -> npt.NDArray[np.uint8]:
    """Pictures to compare on: rendered scenes, and crops of them."""
    rng, studio = np.random.default_rng(0), open_studio()
    scenes = [make_scene(rng, studio, SceneSettings(size=320)) for _ in range(4)]
    if isinstance(net, DetectorNet):
        return np.stack([scene.image for scene in scenes])
    shape = CropShape(*net.shape.crop, net.shape.margin)
    return np.concatenate([scene_crops(rng, scene, shape).images for scene in scenes])


def export_role(role: str, run: Path, pack: Path | None, version: str) -> bytes:
    """The file of a role's checkpoint; exits if the file answers otherwise than the network."""
    content = checkpoint.load(run / f"{role}.pt")
    net = checkpoint.network(content)
    temperature, note = 1.0, ""
    if role == "classifier" and isinstance(net, ClassifierNet):
        if pack and (pack / "held.npz").is_file():
            temperature, note = calibrate(net, pack / "held.npz")
        print(f"held-out photographs: {note or 'none, temperature 1, not fitted'}")
    labels = BONUS if role == "bonus" else LABELS
    origin = "trained by scripts/train/run.py of this repository"
    metadata = export.metadata_of(net, version, origin, temperature, TILE_PX, labels)
    data = export.to_onnx(net, metadata | {"progress": content["progress"]})
    off = export.largest_difference(net, data, check_pictures(net), labels)
    print(f"{role}: {len(data) / 2**20:.2f} MiB, largest difference from torch {off:.5f}")
    print(f"  {content['progress']}, {content['facts']}")
    if off > export.TOLERANCE:
        sys.exit(f"{role} answers otherwise than the network: not written")
    return data


def main(
    run: Annotated[Path, typer.Option(help="folder of checkpoints")], out: Out, pack: Pack = None, version: str = "1"
) -> None:
    made = dict[str, bytes]()
    for role in SHIPPED:
        if (run / f"{role}.pt").is_file():
            made[role] = export_role(role, run, pack, version)
        elif role in NEEDED:
            print(f"no {role}.pt in {run}: what lies in {out} stays", file=sys.stderr)
    put(out, made)
    print(f"written to {out}: {', '.join(f'{role}.onnx' for role in made)}")


if __name__ == "__main__":
    start(main)
