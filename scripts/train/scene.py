"""Train the scene classifier, and write it into a folder of models; docs/training.md has the commands in their order.

Minutes are processor time.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import numpy as np
import numpy.typing as npt
import onnx
import torch
import typer

from datasets.learn.listing import put
from datasets.learn.scene import company as in_company
from datasets.learn.scene import files, learning
from datasets.learn.scene import foreign as foreign_faces
from datasets.learn.scene.net import SceneNet
from datasets.learn.scene.samples import load
from datasets.learn.scene.shipped import from_onnx
from scripts.accuracy.holdouts import WITHOUT_TILES, collection, folder_of, without_tiles
from scripts.accuracy.looks import Looks
from scripts.accuracy.matching import match
from scripts.accuracy.truth import TruePhoto
from scripts.train import Models, Out, run, say
from vision.device import finish
from vision.pipeline import TileReader
from vision.scene.detections import Detections, to_sightings

Array = npt.NDArray[np.float32]
Samples = Annotated[list[Path], typer.Argument(help="files made by scripts.train.gather_scene")]


def learn(
    samples: Samples,
    out: Out,
    start: Annotated[Path | None, typer.Option(help="checkpoint to go on from")] = None,
    minutes: float = 6,
    steps: Annotated[int, typer.Option(help="at most")] = 1_000_000,
    rate: Annotated[float, typer.Option(help="of learning, at its greatest")] = 1.5e-3,
    walls: Annotated[float, typer.Option(help="chance that a wall's backs look like white dragons")] = 0,
    sides: Annotated[float, typer.Option(help="chance of pale sides below tiles")] = 0,
    gaps: Annotated[float, typer.Option(help="chance of pale table between tiles")] = 0,
    seed: int = 0,
) -> None:
    """Train a checkpoint, and print how it does on what is held out."""
    torch.set_num_threads(1)
    given = [sample for path in samples for sample in load(path)]
    plan = learning.Hyperparameters(minutes, steps, rate=rate, walls=walls, sides=sides, gaps=gaps, seed=seed)
    torch.manual_seed(plan.seed)
    mean = learning.learn(files.load(start)[0] if start else SceneNet(), given, plan, say)
    held = {kind: [s for s in given if s.held_out and s.kind == kind] for kind in ("photo", "scene")}
    calibration = learning.calibrate(mean, held["scene"])
    print(calibration)
    for kind, some in held.items():
        print(f"{len(some)} {kind}s held out: {json.dumps(learning.counts(mean, some, calibration))}")
    files.save(out, mean, calibration, {"plan": asdict(plan), "samples": len(given)})


def foreign(samples: Samples, out: Out, steps: int = 2000, seed: int = 1) -> None:
    """Train the head that recognises faces of no mahjong set, and print how many it finds."""
    torch.set_num_threads(1)
    given = [sample for path in samples for sample in load(path)]
    head = foreign_faces.fit(given, steps, seed, say)
    foreign_faces.save(out, head, {"steps": steps, "seed": seed, "samples": len(given)})


def start(model: Annotated[Path, typer.Argument(help="scene.onnx")], out: Out) -> None:
    """Write the checkpoints that a shipped network is the end of: start.pt, foreign.pt."""
    net, calibration, head = from_onnx(onnx.load(model))
    files.save(out / "start.pt", net, calibration, {"from": model.name})
    if head is not None:
        foreign_faces.save(out / "foreign.pt", head, {"from": model.name})


def export(
    checkpoints: list[Path],
    models: Models,
    foreign: Annotated[Path | None, typer.Option(help="checkpoint of what tells foreign faces")] = None,
    version: str = "1",
) -> None:
    """Write the mean of checkpoints' weights, rounded, into a folder of models; the card is written by hand."""
    head = foreign_faces.load(foreign) if foreign else None
    graph = files.SceneGraph(*files.mean_of(checkpoints), head)
    files.round_weights(graph)
    told = {"version": version, "origin": "trained by scripts/train/scene.py of this repository"}
    data = files.to_onnx(graph, {**told, "company": in_company.AS_IT_IS, "least": 0.5})
    off = files.largest_difference(graph, data)
    print(f"scene: {len(data) / 2**20:.2f} MiB, largest difference from torch {off:.6f}")
    if off > files.TOLERANCE:
        raise SystemExit("scene answers otherwise than the network: not written")
    put(models, {files.ROLE: data})


def company(collections: list[str], models: Models) -> None:
    """Fit from which chance a find is a tile, and how far the photo's other finds count, into a folder's network.

    On collections that are not to measure it, and on the teaching half of the pictures without tiles.
    """
    reader = TileReader(threads=1, models=models)
    looks = Looks(reader)
    empty = [photo for photo, teaches in without_tiles(folder_of(WITHOUT_TILES)) if teaches]
    photos = [*(photo for name in collections for photo in collection(name)), *empty]
    finds = in_company.merge([_judge(photo, looks(photo.path), reader) for photo in photos])
    weights = in_company.fit(finds)
    tried = in_company.counts(finds, weights)
    for least, good, false in tried:
        print(f"{least:.2f}  right {good}, false {false}, right less false {good - false}")
    least = max(tried, key=lambda line: (line[1] - line[2], line[0]))[0]  # the strictest of equals
    print(f"company {weights}, least {least}")
    data = files.with_metadata(models / f"{files.ROLE}.onnx", {"company": weights, "least": least})
    put(models, {files.ROLE: data})


def _judge(photo: TruePhoto, seen: Detections, reader: TileReader) -> in_company.JudgedDetections:
    """A photo's detections, and what they are where that is known."""
    if not len(seen):
        return in_company.NONE
    scene = reader.photos.scene
    sightings = to_sightings(finish(scene.rescore(seen))[0], reader.device.metadata.classifier)
    matched = match(photo, sightings)
    tiles = {id(t.seen): t.right for t in matched.tiles if t.seen is not None}
    false = {id(s) for s in matched.false_alarms}
    told = [(id(s) in tiles or id(s) in false, id(s) in tiles, tiles.get(id(s), False)) for s in sightings]
    known, tile, right = np.array(told).T
    return in_company.JudgedDetections(np.array(finish(scene.evidence_of(seen))[0]), known, tile, right)


if __name__ == "__main__":
    run(learn, foreign, start, export, company)
