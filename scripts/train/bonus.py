"""Teach the bonus classifier what is written on flowers, seasons and animals, beside what they look like.

    python -m scripts.train.bonus make --pack work/pack --out work/bonus.npz
    python -m scripts.train.bonus learn work/bonus.npz --pack work/pack --models models/float --out runs/captions.pt
    python -m scripts.train.bonus export runs/captions.pt --models models/float --version 3

``make`` renders single tiles, with and without captions; ``learn`` teaches a small network to read their corners and to
weigh them with the output of a folder's ``bonus.onnx``; ``export`` puts both into that file. Minutes are processor
time.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import onnx
import onnxruntime as ort
import torch
from torch import Tensor

from datasets.faces.designs import load_library
from datasets.labels import BONUS, LABELS
from datasets.learn.augment import photographed
from datasets.learn.captions.joined import TOLERANCE, joined, largest_difference
from datasets.learn.captions.learning import Faces, learn_glyphs, logits_of, weigh
from datasets.learn.captions.lettered import GlyphMasks
from datasets.learn.captions.net import CROP, CaptionedNet, CornerNet
from datasets.learn.export import fit_temperature
from datasets.learn.listing import put
from datasets.learn.nets import MEAN, STD
from datasets.learn.stream import real_crops
from datasets.photographs.packs import open_studio
from datasets.scenes.crops import CropShape
from datasets.scenes.lone import LoneTiles
from datasets.scenes.studio import Studio

SEED = 1
MARGIN = 0.12
"""The margin of the classifier's crops."""
HELD_OUT = 12
"""One in this many rendered crops serves to set the temperature and teaches nothing."""
PHOTOGRAPHS = 3
"""How often a photographed crop is seen for each time a rendered one is."""
WAYS = (0.0, 0.7, 0.7, 0.7)
"""How much a photographed crop is moved (see :func:`photographed`), each of the times it is taken."""
EACH = 200
"""Masks made of each glyph."""


def studio_of(given: argparse.Namespace) -> Studio:
    """What crops are made from: everything, or all but the drawings and glyphs that ship (animals stay)."""
    studio = open_studio(given.pack, photo_share=0.2)
    if given.shipped:
        return studio
    kept = load_library().sheets
    sheets = {name: sheet for name, sheet in studio.library.sheets.items() if name not in kept}
    return replace(studio, library=replace(studio.library, atlases=(), sheets=sheets))


def make(given: argparse.Namespace) -> None:
    """Render crops into a file."""
    cv2.setNumThreads(1)
    studio, shape = studio_of(given), CropShape(*CROP, MARGIN)
    made = []
    for bare, count in ((True, given.bare), (False, given.count)):
        rng, tiles = np.random.default_rng([SEED, count]), LoneTiles(studio, BONUS, shape, bare=bare)
        crops, labels = zip(*(tiles.crop(rng) for _ in range(count)), strict=True)
        made.append((np.stack(crops), [BONUS.index(label) for label in labels]))
    given.out.parent.mkdir(parents=True, exist_ok=True)
    np.savez(given.out, bare=made[0][0], lone=made[1][0], lone_answers=np.array(made[1][1]))


def photographs(path: Path, margin: float) -> tuple[Tensor, Tensor]:
    """Crops (n, 96, 64, 3) uint8 of a pack's photographed bonus tiles, every other one upside down, and answers."""
    real = real_crops(path)
    answers = torch.tensor([BONUS.index(LABELS[k]) if LABELS[k] in BONUS else -1 for k in real.faces])
    known = (answers >= 0) & real.upright
    mean, deviation = (torch.tensor(v)[:, None, None] * 255 for v in (MEAN, STD))
    ways = [photographed(real.pictures[known], CROP[::-1], margin, way) for way in WAYS]
    crops = (torch.cat(ways) * deviation + mean).round().clamp(0, 255).byte().permute(0, 2, 3, 1)
    crops[1::2] = crops[1::2].flip(1, 2)
    return crops, answers[known].repeat(len(WAYS))


def faces_of(model: onnx.ModelProto, crops: Tensor, answers: Tensor) -> Faces:
    """The crops with a model's logits for bonus tiles, and the right answers."""
    session = ort.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    logits = [session.run(["face"], {"crops": some.numpy()})[0] for some in torch.split(crops, 32)]
    return Faces(crops, torch.from_numpy(np.concatenate(logits)), answers)


def learn(given: argparse.Namespace) -> None:
    """Train a checkpoint, and fit the temperature on rendered crops held out."""
    torch.set_num_threads(1)
    model = onnx.load(given.models / "bonus.onnx")
    facts = {p.key: p.value for p in model.metadata_props}
    if tuple(json.loads(facts["labels"])) != BONUS:
        raise ValueError(f"{given.models / 'bonus.onnx'} knows other tiles")
    with np.load(given.crops) as file:
        bare, crops, answers = (torch.from_numpy(file[key]) for key in ("bare", "lone", "lone_answers"))
    glyphs = GlyphMasks.of(studio_of(given).library, EACH, SEED)
    corner = learn_glyphs(bare, glyphs, given.minutes, SEED, lambda line: print(line, flush=True))
    net, held = CaptionedNet(corner, len(BONUS)), torch.arange(len(crops)) % HELD_OUT == 0
    taught = [(way[~held], answers[~held]) for way in (crops, crops.flip(1, 2))]
    if given.pack and (given.pack / "tiles.npz").is_file():
        taught += PHOTOGRAPHS * [photographs(given.pack / "tiles.npz", float(facts["margin"]))]
    weigh(net, faces_of(model, *(torch.cat(parts) for parts in zip(*taught, strict=True))), given.tune, SEED)
    ways = [faces_of(model, way, answers[held]) for way in (crops[held], crops[held].flip(1, 2))]
    faces, logits = ways[0], torch.stack([logits_of(net, way) for way in ways]).mean(dim=0).double().numpy()
    temperature, before, after = fit_temperature(logits, faces.answers.numpy())
    right = [float((x.argmax(1) == faces.answers).float().mean()) for x in (faces.whole, torch.from_numpy(logits))]
    print(
        f"{len(logits)} held out: {right[0]:.1%} right by one look at the whole face, {right[1]:.1%} by both looks; "
        f"temperature {temperature:.3f}, "
        f"expected calibration error {before:.4f} before and {after:.4f} after"
    )
    given.out.parent.mkdir(parents=True, exist_ok=True)
    torch.save({"weights": net.state_dict(), "temperature": temperature}, given.out)


def export(given: argparse.Namespace) -> None:
    """Write ``bonus.onnx`` and its entry in ``zoo.json``; the card is written by hand."""
    content = torch.load(given.checkpoint, weights_only=True)
    net = CaptionedNet(CornerNet(), len(BONUS))
    net.load_state_dict(content["weights"])
    whole = onnx.load(given.models / "bonus.onnx")
    data = joined(whole, net, {"version": given.version, "temperature": content["temperature"]})
    crops = np.random.default_rng(0).integers(0, 256, (9, CROP[1], CROP[0], 3), dtype=np.uint8)
    off = largest_difference(whole, net, data, crops)
    print(f"bonus: {len(data) / 2**20:.2f} MiB, largest difference from torch {off:.6f}")
    if off > TOLERANCE:
        raise ValueError("the file answers otherwise than the network: not written")
    put(given.models, {"bonus": data})


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parts = parser.add_subparsers(required=True)
    makes, learns = parts.add_parser("make", help="render tiles alone"), parts.add_parser("learn", help="train")
    makes.add_argument("--count", type=int, default=28_000, help="crops with captions")
    makes.add_argument("--bare", type=int, default=2_000, help="crops without")
    learns.add_argument("crops", type=Path, help="file made by make")
    learns.add_argument("--models", type=Path, required=True, help="folder with bonus.onnx")
    learns.add_argument("--minutes", type=float, default=16.0, help="of learning glyphs")
    learns.add_argument("--tune", type=float, default=1.5, help="minutes of learning corners and whole faces together")
    for part in (makes, learns):
        part.add_argument("--out", type=Path, required=True, help="file to write")
        part.add_argument("--pack", type=Path, help="folder made by scripts.train.pack; without it, what ships")
        part.add_argument("--shipped", action="store_true", help="also with the drawings and glyphs that ship")
    exports = parts.add_parser("export", help="put a checkpoint into the bonus.onnx of a folder")
    exports.add_argument("checkpoint", type=Path)
    exports.add_argument("--models", type=Path, required=True, help="folder with zoo.json")
    exports.add_argument("--version", default="1")
    for part, does in ((makes, make), (learns, learn), (exports, export)):
        part.set_defaults(does=does)
    given = parser.parse_args()
    try:
        given.does(given)
    except (OSError, ValueError, KeyError) as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
