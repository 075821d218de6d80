"""ONNX models in full precision -> checkpoints of narrower networks that answer nearly the same, for training on.

    python scripts/slim_models.py --models models/float --pack work/pack --out runs/slim --finder 0.01 --reader 0.005

Channels inside the layers go as long as their layer loses less than the given share of its power (``slim.py``),
measured on rendered scenes and on the pack's photographs. What comes out answers a little otherwise: measure it
before it ships, or train it on with the wide network as its teacher.
"""

from __future__ import annotations

import argparse
import copy
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import onnx
import torch
from torch import Tensor

from datasets.crops import CropShape
from datasets.labels import BONUS, INDEX, LABELS
from datasets.learn.augment import photographed
from datasets.learn.nets import Finder, Reader, count_parameters, prepare
from datasets.learn.slim import Slimmed, slim
from datasets.learn.stream import boxed_photos, real_crops
from scripts.start_from_models import keep, network_of, pictures, unfold

SIDE: Final = 448
"""Photographs are brought to this side for the finder, pixels, as scenes are."""
BATCH: Final = 24
"""Photographed crops at once."""


def photographs(pack: Path | None, net: Finder | Reader, count: int, labels: Sequence[str]) -> list[Tensor]:
    """Some prepared photographs of the training side, as the network sees them, the same ones every time.

    Crops are only those of some labels.
    """
    path = pack / ("photos.npz" if isinstance(net, Finder) else "tiles.npz") if pack else None
    if path is None or not path.is_file():
        return []
    generator = torch.Generator().manual_seed(0)
    if isinstance(net, Finder):
        photos = boxed_photos(path, SIDE).pictures
        return [prepare(photos[k, None]) for k in torch.randperm(len(photos), generator=generator)[:count]]
    real = real_crops(path)
    crops = real.pictures[torch.isin(real.faces, torch.tensor([INDEX[label] for label in labels]))]
    width, height = net.shape.crop
    chosen = crops[torch.randperm(len(crops), generator=generator)[: count * BATCH]]
    x = photographed(chosen, (height, width), net.shape.margin)
    return [x[k : k + BATCH] for k in range(0, len(x), BATCH)]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--models", type=Path, required=True, help="folder with networks in full precision")
    parser.add_argument("--out", type=Path, required=True, help="folder for the checkpoints")
    parser.add_argument("--pack", type=Path, help="folder made by pack_training.py; without it, what ships")
    parser.add_argument("--scenes", type=int, default=40, help="rendered scenes, and as many photographs")
    for role in ("finder", "reader", "bonus"):
        parser.add_argument(
            f"--{role}", type=float, default=0.0, help="largest share a layer may lose; 0 leaves it out"
        )
    args = parser.parse_args()
    limits = {role: getattr(args, role) for role in ("finder", "reader", "bonus") if getattr(args, role) > 0}
    if not limits:
        parser.error("nothing to do: give --finder, --reader or --bonus")
    for role, limit in limits.items():
        net = network_of(role, onnx.load(args.models / f"{role}.onnx")).eval().requires_grad_(False)
        crop = CropShape(*net.shape.crop, net.shape.margin) if isinstance(net, Reader) else CropShape()
        labels = BONUS if role == "bonus" else LABELS
        scenes, crops = pictures(args.pack, crop, args.scenes, labels)
        given = scenes if role == "finder" else crops
        batches = [prepare(batch) for batch in given] + photographs(args.pack, net, args.scenes, labels)
        whole = copy.deepcopy(net)

        def tell(unit: Slimmed, role: str = role) -> None:
            print(f"{role}, {unit.name}: {unit.before} -> {unit.after} channels, {unit.lost:.2%} lost", flush=True)

        slim(net, whole, batches, limit, tell)
        unfold(net, given)
        print(f"{role}: {count_parameters(whole) / 1e6:.2f} -> {count_parameters(net) / 1e6:.2f} M parameters")
        keep(args.out / f"{role}.pt", net, {"slimmed": {"limit": limit, "hidden": list(net.shape.hidden)}})
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
