"""Teach the bonus classifier what is written on flowers, seasons and animals, beside what they look like.

``make`` renders single tiles, with and without captions; ``learn`` teaches a small network to read their corners and to
weigh them with the output of a folder's ``bonus.onnx``; ``export`` puts both into that file. docs/training.md has the
commands. Minutes are processor time.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import cv2
import numpy as np
import onnx
import onnxruntime as ort
import torch
import typer
from torch import Tensor

from datasets.faces.designs import load_library
from datasets.labels import BONUS, LABELS
from datasets.learn.augment import imitate_photographs
from datasets.learn.calibration import fit_temperature
from datasets.learn.captions.joined import TOLERANCE, join_captions, largest_difference
from datasets.learn.captions.learning import BonusCrops, learn_glyphs, learn_weights, logits_of
from datasets.learn.captions.lettered import GlyphMasks
from datasets.learn.captions.net import CROP, CaptionedNet, CornerNet
from datasets.learn.listing import put
from datasets.learn.nets import MEAN, STD
from datasets.learn.stream import real_crops
from datasets.photographs.packs import open_studio
from datasets.scenes.crops import CropShape
from datasets.scenes.lone import LoneTiles
from datasets.scenes.studio import Studio
from scripts.train import Models, Out, Pack, run, say

SEED = 1
MARGIN = 0.12
"""The margin of the classifier's crops."""
HELD_OUT = 12
"""One in this many rendered crops serves to set the temperature and teaches nothing."""
PHOTOGRAPHS = 3
"""How often a photographed crop is seen for each time a rendered one is."""
WAYS = (0.0, 0.7, 0.7, 0.7)
"""How much a photographed crop is moved (see :func:`imitate_photographs`), each of the times it is taken."""
EACH = 200
"""Masks made of each glyph."""
Shipped = Annotated[bool, typer.Option("--shipped", help="also with the drawings and glyphs that ship")]


def studio_of(pack: Path | None, shipped: bool) -> Studio:
    """What crops are made from: everything, or all but the drawings and glyphs that ship (animals stay)."""
    studio = open_studio(pack, photo_share=0.2)
    if shipped:
        return studio
    kept = load_library().sheets
    sheets = {name: sheet for name, sheet in studio.library.sheets.items() if name not in kept}
    return replace(studio, library=replace(studio.library, atlases=(), sheets=sheets))


def make(out: Out, pack: Pack = None, shipped: Shipped = False, count: int = 28_000, bare: int = 2_000) -> None:
    """Render ``count`` tiles alone, and ``bare`` ones without captions, into a file of crops."""
    cv2.setNumThreads(1)
    studio, shape = studio_of(pack, shipped), CropShape(*CROP, MARGIN)
    made = []
    for without, many in ((True, bare), (False, count)):
        rng, tiles = np.random.default_rng([SEED, many]), LoneTiles(studio, BONUS, shape, bare=without)
        crops, labels = zip(*(tiles.crop(rng) for _ in range(many)), strict=True)
        made.append((np.stack(crops), [BONUS.index(label) for label in labels]))
    out.parent.mkdir(parents=True, exist_ok=True)
    np.savez(out, bare=made[0][0], lone=made[1][0], lone_answers=np.array(made[1][1]))


def photographed_crops(path: Path, margin: float) -> tuple[Tensor, Tensor]:
    """Crops (n, 96, 64, 3) uint8 of a pack's photographed bonus tiles, every other one upside down, and answers."""
    real = real_crops(path)
    answers = torch.tensor([BONUS.index(LABELS[k]) if LABELS[k] in BONUS else -1 for k in real.faces])
    known = (answers >= 0) & real.upright
    mean, deviation = (torch.tensor(v)[:, None, None] * 255 for v in (MEAN, STD))
    ways = [imitate_photographs(real.pictures[known], CROP[::-1], margin, way) for way in WAYS]
    crops = (torch.cat(ways) * deviation + mean).round().clamp(0, 255).byte().permute(0, 2, 3, 1)
    crops[1::2] = crops[1::2].flip(1, 2)
    return crops, answers[known].repeat(len(WAYS))


def classify_crops(model: onnx.ModelProto, crops: Tensor, answers: Tensor) -> BonusCrops:
    """The crops with a model's logits for bonus tiles, and the right answers."""
    session = ort.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    logits = [session.run(["face"], {"crops": some.numpy()})[0] for some in torch.split(crops, 32)]
    return BonusCrops(crops, torch.from_numpy(np.concatenate(logits)), answers)


def learn(
    crops: Annotated[Path, typer.Argument(help="file made by make")],
    models: Annotated[Path, typer.Option(help="folder with bonus.onnx")],
    out: Out,
    pack: Pack = None,
    shipped: Shipped = False,
    minutes: Annotated[float, typer.Option(help="of learning glyphs")] = 16,
    tune: Annotated[float, typer.Option(help="minutes of learning corners and whole faces together")] = 1.5,
) -> None:
    """Train a checkpoint, and fit the temperature on rendered crops held out."""
    torch.set_num_threads(1)
    model = onnx.load(models / "bonus.onnx")
    facts = {p.key: p.value for p in model.metadata_props}
    if tuple(json.loads(facts["labels"])) != BONUS:
        raise ValueError(f"{models / 'bonus.onnx'} knows other tiles")
    with np.load(crops) as file:
        bare, lone, answers = (torch.from_numpy(file[key]) for key in ("bare", "lone", "lone_answers"))
    glyphs = GlyphMasks.of(studio_of(pack, shipped).library, EACH, SEED)
    corner = learn_glyphs(bare, glyphs, minutes, SEED, say)
    net, held = CaptionedNet(corner, len(BONUS)), torch.arange(len(lone)) % HELD_OUT == 0
    taught = [(way[~held], answers[~held]) for way in (lone, lone.flip(1, 2))]
    if pack and (pack / "tiles.npz").is_file():
        taught += PHOTOGRAPHS * [photographed_crops(pack / "tiles.npz", float(facts["margin"]))]
    learn_weights(net, classify_crops(model, *(torch.cat(parts) for parts in zip(*taught, strict=True))), tune, SEED)
    ways = [classify_crops(model, way, answers[held]) for way in (lone[held], lone[held].flip(1, 2))]
    faces, logits = ways[0], torch.stack([logits_of(net, way) for way in ways]).mean(dim=0).double().numpy()
    temperature, before, after = fit_temperature(logits, faces.answers.numpy())
    right = [float((x.argmax(1) == faces.answers).float().mean()) for x in (faces.whole, torch.from_numpy(logits))]
    print(
        f"{len(logits)} held out: {right[0]:.1%} right by one look at the whole face, {right[1]:.1%} by both looks; "
        f"temperature {temperature:.3f}, "
        f"expected calibration error {before:.4f} before and {after:.4f} after"
    )
    out.parent.mkdir(parents=True, exist_ok=True)
    torch.save({"weights": net.state_dict(), "temperature": temperature}, out)


def export(checkpoint: Path, models: Models, version: str = "1") -> None:
    """Put a checkpoint into the ``bonus.onnx`` of a folder; the card is written by hand."""
    content = torch.load(checkpoint, weights_only=True)
    net = CaptionedNet(CornerNet(), len(BONUS))
    net.load_state_dict(content["weights"])
    whole = onnx.load(models / "bonus.onnx")
    data = join_captions(whole, net, {"version": version, "temperature": content["temperature"]})
    crops = np.random.default_rng(0).integers(0, 256, (9, CROP[1], CROP[0], 3), dtype=np.uint8)
    off = largest_difference(whole, net, data, crops)
    print(f"bonus: {len(data) / 2**20:.2f} MiB, largest difference from torch {off:.6f}")
    if off > TOLERANCE:
        raise ValueError("the file answers otherwise than the network: not written")
    put(models, {"bonus": data})


if __name__ == "__main__":
    run(make, learn, export)
