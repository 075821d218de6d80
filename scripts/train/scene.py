r"""Train the scene classifier, and write it into a folder of models.

    python -m scripts.train.scene learn work/scene/*.npz --out runs/scene/one.pt --minutes 6
    python -m scripts.train.scene learn work/scene/*.npz --out runs/scene/two.pt --minutes 2.5 \
        --start runs/scene/one.pt --walls 0.2 --sides 0.2 --seed 12
    python -m scripts.train.scene foreign work/scene/*.npz --out runs/scene/foreign.pt
    python -m scripts.train.scene start models/scene.onnx --out runs/scene    # start.pt and foreign.pt of a shipped one
    python -m scripts.train.scene export runs/scene/one.pt runs/scene/two.pt --foreign runs/scene/foreign.pt \
        --models models --version 4
    python -m scripts.train.scene company --models models held-out rendered black unusual

Minutes are processor time. What is exported is the mean of the checkpoints' weights. ``company`` fits the chance from
which a detection counts as a tile, and how far that depends on the photo's other detections, on those collections and
on the teaching half of the pictures without tiles.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnx
import torch

from datasets.learn.listing import listing
from datasets.learn.scene import company, files, foreign
from datasets.learn.scene.learning import Plan, calibrated, counts, learn
from datasets.learn.scene.net import SceneNet
from datasets.learn.scene.samples import Sample, load
from datasets.learn.scene.shipped import from_onnx
from scripts.accuracy.holdouts import COLLECTIONS, WITHOUT_TILES, collection, folder_of, without_tiles
from scripts.accuracy.looks import Looks
from scripts.accuracy.matching import match
from scripts.accuracy.truth import TruePhoto
from vision.models.zoo import Model, entries
from vision.pipeline import Eyes
from vision.scene import Detections, SceneClassifier

Array = npt.NDArray[np.float32]


def learned(given: argparse.Namespace) -> None:
    """Train one checkpoint and print how it does on what is held out."""
    torch.set_num_threads(given.threads)
    samples: list[Sample] = [sample for path in given.samples for sample in load(path)]
    pale = {"walls": given.walls, "sides": given.sides, "gaps": given.gaps, "tilings": given.tilings}
    plan = Plan(given.minutes, given.steps, **pale, faceless=given.faceless, seed=given.seed)
    torch.manual_seed(plan.seed)
    net = files.load(given.start)[0] if given.start else SceneNet()
    mean = learn(net, samples, plan, lambda line: print(line, flush=True))
    held = {kind: [s for s in samples if s.held_out and s.kind == kind] for kind in ("photo", "scene")}
    calibration = calibrated(mean, held["scene"])
    print(calibration)
    for kind, some in held.items():
        print(f"{len(some)} {kind}s held out: {json.dumps(counts(mean, some, calibration))}")
    files.save(given.out, mean, calibration, {"plan": asdict(plan), "samples": len(samples)})


def fitted(given: argparse.Namespace) -> None:
    """Train the head that recognises foreign faces, and print how many it finds."""
    torch.set_num_threads(given.threads)
    samples = [sample for path in given.samples for sample in load(path)]
    head = foreign.fitted(samples, given.steps, given.seed, lambda line: print(line, flush=True))
    foreign.save(given.out, head, {"steps": given.steps, "seed": given.seed, "samples": len(samples)})


def started(given: argparse.Namespace) -> None:
    """Write checkpoints of a shipped network's weights."""
    net, calibration, head = from_onnx(onnx.load(given.model))
    files.save(given.out / "start.pt", net, calibration, {"from": given.model.name})
    if head is not None:
        foreign.save(given.out / "foreign.pt", head, {"from": given.model.name})


def in_company(given: argparse.Namespace) -> None:
    """Fit how tiles are told from other detections by their company, and write it into a folder's ``scene.onnx``."""
    eyes = Eyes(threads=given.threads, models=given.models)
    scene = SceneClassifier(Model(entries(given.models)[files.ROLE], given.threads), eyes.classifier)
    looks, found = Looks(eyes, given.looks), list[tuple[Array, bool, bool]]()
    empty = [photo for photo, teaches in without_tiles(folder_of(WITHOUT_TILES)) if teaches]
    for photo in (*(photo for name in given.collections for photo in collection(name)), *empty):
        found += _judged(photo, looks(photo.path), eyes, scene)
    if not found:
        raise ValueError("Nothing is found in these photos: there is nothing to tell apart.")
    evidence, tile, right = zip(*found, strict=True)
    finds = company.Finds(np.array(evidence, float), np.array(tile), np.array(right))
    weights = company.fitted(finds)
    tried = company.counts(finds, weights)
    for least, good, false in tried:
        print(f"{least:.2f}  right {good}, false {false}, right less false {good - false}")
    least = max(tried, key=lambda line: line[1] - line[2])[0]
    print(f"company {weights}, least {least}")
    data = files.with_metadata(given.models / f"{files.ROLE}.onnx", {"company": weights, "least": least})
    _written(given.models, data)


def _judged(
    photo: TruePhoto, seen: Detections, eyes: Eyes, scene: SceneClassifier
) -> Iterator[tuple[Array, bool, bool]]:
    """For a photo's detections of known truth: the evidence, whether each is a tile, whether it is named right."""
    if not len(seen):
        return
    sightings = eyes.sightings(scene.weighed(seen)[0], np.ones(len(seen), bool))
    matched = match(photo, sightings)
    tiles = {id(t.seen): t.right for t in matched.tiles if t.seen is not None}
    known = tiles | {id(s): False for s in matched.false_alarms}
    for sighting, evidence in zip(sightings, scene.evidence_of(seen)[0], strict=True):
        if id(sighting) in known:
            yield evidence, id(sighting) in tiles, known[id(sighting)]


def exported(given: argparse.Namespace) -> int:
    """Write ``scene.onnx`` and its entry in ``zoo.json``; the card is written by hand."""
    graph = files.SceneGraph(*files.mean_of(given.checkpoints), foreign.load(given.foreign) if given.foreign else None)
    usual = {"company": company.AS_IT_IS, "least": 0.5}
    data = files.to_onnx(graph, {"version": given.version, "origin": given.origin} | usual)
    off = files.largest_difference(graph, data)
    print(f"scene: {len(data) / 2**20:.2f} MiB, largest difference from torch {off:.6f}")
    if off > files.TOLERANCE:
        print("scene answers otherwise than the network: not written", file=sys.stderr)
        return 1
    _written(given.models, data)
    return 0


def _written(models: Path, data: bytes) -> None:
    zoo_file = models / "zoo.json"
    zoo = json.loads(zoo_file.read_text(encoding="utf-8"))
    zoo["models"][files.ROLE] = listing(files.ROLE, data)
    (models / f"{files.ROLE}.onnx").write_bytes(data)
    zoo_file.write_text(json.dumps(zoo, indent=2) + "\n", encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parts = parser.add_subparsers(dest="what", required=True)
    learns = parts.add_parser("learn", help="train a checkpoint")
    learns.add_argument("samples", type=Path, nargs="+", help="files made by scripts.train.gather_scene")
    learns.add_argument("--out", type=Path, required=True, help="checkpoint to write")
    learns.add_argument("--start", type=Path, help="checkpoint to go on from")
    learns.add_argument("--minutes", type=float, default=6.0)
    learns.add_argument("--steps", type=int, default=1_000_000, help="at most")
    learns.add_argument("--walls", type=float, default=0.0, help="chance that a wall's backs look like white dragons")
    learns.add_argument("--sides", type=float, default=0.0, help="chance of pale sides below tiles")
    learns.add_argument("--gaps", type=float, default=0.0, help="chance of pale table between tiles")
    learns.add_argument("--tilings", type=float, default=0.03, help="chance of plain things side by side")
    learns.add_argument("--faceless", type=float, default=0.0, help="chance of a sample without its printed faces")
    learns.add_argument("--seed", type=int, default=0)
    learns.add_argument("--threads", type=int, default=1)
    tells = parts.add_parser("foreign", help="train what tells faces of no mahjong set")
    tells.add_argument("samples", type=Path, nargs="+", help="as above, some of them with such faces")
    tells.add_argument("--out", type=Path, required=True, help="checkpoint to write")
    tells.add_argument("--steps", type=int, default=2000)
    tells.add_argument("--seed", type=int, default=1)
    tells.add_argument("--threads", type=int, default=1)
    starts = parts.add_parser("start", help="write the checkpoints that a shipped network is the end of")
    starts.add_argument("model", type=Path, help="scene.onnx")
    starts.add_argument("--out", type=Path, required=True, help="folder for start.pt and foreign.pt")
    exports = parts.add_parser("export", help="write the mean of checkpoints into a folder of models")
    exports.add_argument("checkpoints", type=Path, nargs="+")
    exports.add_argument("--models", type=Path, required=True, help="folder with zoo.json")
    exports.add_argument("--foreign", type=Path, help="checkpoint of what tells foreign faces")
    exports.add_argument("--version", default="1")
    exports.add_argument("--origin", default="trained by scripts/train/scene.py of this repository")
    fits = parts.add_parser("company", help="fit how finds are told from what is no tile, into a folder of models")
    fits.add_argument("collections", choices=COLLECTIONS, nargs="+", help="none that is to measure it")
    fits.add_argument("--models", type=Path, required=True, help="folder with zoo.json")
    fits.add_argument("--looks", type=Path, default=Path("runs/looks"), help="where detections are kept")
    fits.add_argument("--threads", type=int, default=1)
    given = parser.parse_args()
    try:
        if given.what == "export":
            return exported(given)
        {"learn": learned, "foreign": fitted, "start": started, "company": in_company}[given.what](given)
    except (OSError, ValueError, KeyError) as error:
        parser.error(str(error))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
