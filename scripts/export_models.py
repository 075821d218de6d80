"""Checkpoints -> ``models/``: ONNX files with metadata, zoo.json, and a check that they answer as the networks do.

    python scripts/export_models.py --run runs/one --pack work/pack --out work/models --version 2

The reader's temperature is fitted on the photographs held out of training (``held.npz`` of the pack; without it the
temperature is 1 and the report says so). Nothing is written where the check fails.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from datasets.crops import CropShape, scene_crops
from datasets.learn import cards, checkpoint, export
from datasets.learn.augment import wiggled
from datasets.learn.listing import listing
from datasets.learn.nets import Finder, Reader, prepare
from datasets.learn.stream import real_crops
from datasets.packs import open_studio
from datasets.training_scene import Settings, make_scene

ROLES = ("finder", "reader")
UNMEASURED = "Not measured yet: run `scripts/evaluate.py` and export again with `--figures`."


def held_logits(net: Reader, path: Path) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]:
    """Face logits of held-out crops, cut as the application cuts them, both ways up, and their labels."""
    real = real_crops(path)
    width, height = net.shape.crop
    zoom = 1.5 / (1 + net.shape.margin)
    logits = []
    with torch.no_grad():
        for start in range(0, len(real.pictures), 64):
            x = wiggled(prepare(real.pictures[start : start + 64]), (height, width), zoom, strength=0.0)
            logits.append(net(x)[0].numpy())
    return np.concatenate(logits).astype(np.float64), real.faces.numpy()


def check_pictures(net: Finder | Reader) -> npt.NDArray[np.uint8]:
    """Pictures to compare on: rendered scenes, and crops of them."""
    rng, studio = np.random.default_rng(0), open_studio()
    scenes = [make_scene(rng, studio, Settings(size=320)) for _ in range(4)]
    if isinstance(net, Finder):
        return np.stack([scene.image for scene in scenes])
    width, height = net.shape.crop
    shape = CropShape(width, height, net.shape.margin)
    return np.concatenate([scene_crops(rng, scene, shape).images for scene in scenes])


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--run", type=Path, required=True, help="folder of checkpoints")
    parser.add_argument("--pack", type=Path, help="training folder with held.npz")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--version", default="1")
    parser.add_argument("--origin", default="trained by scripts/train_eyes.py of this repository")
    parser.add_argument("--tile-px", default="36,130", help="spans the finder reads well, from scripts/evaluate.py")
    parser.add_argument("--others", type=Path, help="folder whose networks are taken over where the run has none")
    parser.add_argument("--figures", type=Path, help="evaluation.json of scripts/evaluate.py, for the model cards")
    args = parser.parse_args()
    report = cards.figures_of(json.loads(args.figures.read_text(encoding="utf-8"))) if args.figures else UNMEASURED
    low, high = (float(v) for v in args.tile_px.split(","))
    files: dict[str, bytes] = {}
    texts: dict[str, str] = {}
    zoo: dict[str, Any] = {"format": export.FORMAT, "models": {}}
    for role in ROLES:
        path = args.run / f"{role}.pt"
        if not path.is_file() and args.others:
            files[f"{role}.onnx"] = (args.others / f"{role}.onnx").read_bytes()
            if (card := args.others / f"{role}.md").is_file():
                texts[card.name] = card.read_text(encoding="utf-8")
            zoo["models"][role] = listing(role, files[f"{role}.onnx"])
            print(f"{role}: as in {args.others}")
            continue
        if not path.is_file():
            print(f"no {path}: left out", file=sys.stderr)
            continue
        content = checkpoint.load(path)
        net = checkpoint.network(content)
        temperature, told = 1.0, ""
        held = args.pack / "held.npz" if args.pack else None
        if isinstance(net, Reader) and held is not None and held.is_file():
            logits, labels = held_logits(net, held)
            temperature, before, after = export.fit_temperature(logits, labels)
            right = float((logits.argmax(axis=1) == labels).mean())
            told = (
                f"{len(labels)} crops, {right:.2%} right, temperature {temperature:.3f}, expected calibration error "
                f"{before:.4f} before and {after:.4f} after."
            )
            print(f"held-out photographs: {told}")
        elif isinstance(net, Reader):
            print("no held-out photographs: temperature 1, not fitted")
        metadata = export.metadata_of(net, args.version, args.origin, temperature, (low, high))
        data = export.to_onnx(net, metadata | {"progress": content["progress"]})
        off = export.largest_difference(net, data, check_pictures(net))
        print(f"{role}: {len(data) / 2**20:.2f} MiB, largest difference from torch {off:.5f}")
        if off > export.TOLERANCE:
            print(f"{role} answers otherwise than the network: not written", file=sys.stderr)
            return 1
        files[f"{role}.onnx"] = data
        texts[f"{role}.md"] = cards.card(net, metadata, content, told, report)
        zoo["models"][role] = listing(role, data)
    args.out.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        (args.out / name).write_bytes(data)
    for name, text in texts.items():
        (args.out / name).write_text(text, encoding="utf-8")
    if set(zoo["models"]) == set(ROLES):
        (args.out / "zoo.json").write_text(json.dumps(zoo, indent=2) + "\n", encoding="utf-8")
    print(f"written to {args.out}: {', '.join(files)}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
