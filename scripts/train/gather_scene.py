"""Gather what the scene classifier learns from: what detector and classifier make of photos whose truth is known.

Of rendered scenes every detection's truth is known. Annotators of photos left tiles out: what lies beside their boxes
was judged by eye where the networks are in doubt (``taught.jsonl``, in the form of ``scripts/accuracy/beside.jsonl``),
and is otherwise taken for what contact sheets showed it to be nearly always. docs/training.md has the commands.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Final

import numpy as np
import typer

from datasets.labels import INDEX, LABELS
from datasets.learn.scene.measures import DetectionMeasures
from datasets.learn.scene.samples import DOWN, FOREIGN, NO_TILE, NOT_WHITE, UNKNOWN, WHITE, Indices, Sample, save
from datasets.objects.foreign import KINDS as FOREIGN_KINDS
from datasets.photographs.packs import open_studio
from datasets.photographs.real import is_held_out, read_rgb, shot_of
from datasets.scenes.heaps import KINDS
from datasets.scenes.training import SceneSettings, TrainingScene, make_scene
from scripts.accuracy.changes import CHANGES, apply_change
from scripts.accuracy.holdouts import NO_IGNORE, WITHOUT_TILES, folder_of, without_tiles
from scripts.accuracy.matching import boxes_overlap, overlaps, pairs, said_beside
from scripts.accuracy.truth import TruePhoto, TrueTile, beside
from scripts.train import Accessories, Low, Out, Pack, run, say
from scripts.train.teaching import teaching_photos
from vision.geometry import overlap_ratios
from vision.models.opencv import invert_lightness
from vision.pipeline import TileReader

TAUGHT: Final = Path(__file__).with_name("taught.jsonl")
JUDGED: Final = {"none": (NO_TILE, 0), "back": (DOWN, 1), "5z": (WHITE, 1), "not 5z": (NOT_WHITE, UNKNOWN)}
"""What its lines say -> the label, and whether it is a tile."""
KNOWN: Final = INDEX | {"foreign": FOREIGN}
"""Name of a tile -> its label."""
LEAST_VISIBLE: Final = 0.45
"""A rendered face of which a smaller share is visible need not be named."""
NEAR: Final = {True: 0.2, False: 0.05}
"""Overlap with a tile, by whether all are annotated, from which a detection that is not on it is left out."""
COVERED: Final = 0.3
"""Share of a tile or of a detection that the other covers, likewise."""
CHANGE_WEIGHTS: Final = {
    "grey": 4,
    "brighter": 3,
    "a strip, its longest row": 3,
    "cropped to the tiles": 2,
    "black bars above and below": 2,
    "a quarter turn": 1,
    "darker": 1,
    "warm light": 1,
    "blurred": 1,
    "black bars, darker": 1,
    "cropped, a quarter turn": 1,
}
"""How often photos teach under each change: most often where the networks' scores differ most from usual."""
HELD_OUT: Final = 8
"""One scene in this many is held out."""


def match_detections(
    photo: TruePhoto, seen: DetectionMeasures, asked: list[bool], *, complete: bool
) -> tuple[Indices, Indices, Indices]:
    """For a photo's detections: their labels, whether they are tiles, and which of them nothing is known about.

    Args:
        asked: for each of the photo's tiles, whether to match it; others only exclude detections that lie on them.
        complete: every tile is annotated, so that a detection on none of them is not a tile.
    """
    labels, tiles = (np.full(len(seen), UNKNOWN, np.int64) for _ in range(2))
    shares = overlaps(photo, seen.quads)
    on_tile = pairs(shares)
    for j, i in on_tile.items():
        if asked[j]:
            labels[i], tiles[i] = KNOWN.get(photo.tiles[j].label, UNKNOWN), 1
    free = shares.max(axis=1, initial=0) <= NEAR[complete]
    free[list(on_tile.values())] = False
    true = np.array([t.corners for t in photo.tiles], np.float32).reshape(-1, 4, 2)
    for i, j in np.argwhere(boxes_overlap(seen.quads, true)):
        free[i] &= overlap_ratios(seen.quads[i], true[j])[1] <= COVERED
    if complete:
        labels[free], tiles[free] = NO_TILE, 0
    return labels, tiles, np.flatnonzero(free & ~np.asarray(complete))


def believe_networks(seen: DetectionMeasures, labels: Indices, tiles: Indices, left: Indices) -> None:
    """Label what is beside a photo's boxes as none, a back or a face, where both networks are sure of it. In place."""
    for i in left:
        best, sure = int(seen.probabilities[i].argmax()), seen.probabilities[i].max()
        if best == NO_TILE and sure > 0.5 and seen.located[i] < 0.75:
            labels[i], tiles[i] = NO_TILE, 0
        elif best == DOWN and sure > 0.9 and seen.located[i] >= 0.75:
            labels[i], tiles[i] = DOWN, 1
        elif best not in (NO_TILE, DOWN, WHITE) and sure > 0.9 and seen.located[i] >= 0.8:
            labels[i], tiles[i] = best, 1


def of_scene(reader: TileReader, scene: TrainingScene, held_out: bool, *, other_game: bool = False) -> Sample:
    """A rendered scene's detections; of another game's tiles none is a tile."""
    tiles = tuple(
        TrueTile(LABELS[label] if label >= 0 else "foreign", quad, True, False)
        for label, quad in zip(scene.labels, scene.quads, strict=True)
    )
    photo = TruePhoto(Path(scene.kind), () if other_game else tiles, NO_IGNORE)
    seen = DetectionMeasures.from_detections(reader.detect(np.ascontiguousarray(scene.image))[0])
    asked = ((scene.visible > LEAST_VISIBLE) & ~scene.unsure)[: len(photo.tiles)].tolist()
    return Sample(seen, *match_detections(photo, seen, asked, complete=True)[:2], "scene", held_out)


def of_photo(reader: TileReader, photo: TruePhoto, held_out: bool) -> Sample:
    """A photo's detections, its annotation being incomplete; ``photo.beside`` says what lies beside it."""
    seen = DetectionMeasures.from_detections(reader.detect(photo.path)[0])
    labels, tiles, left = match_detections(photo, seen, [not t.aside for t in photo.tiles], complete=False)
    believe_networks(seen, labels, tiles, left)
    for i in left:
        if what := said_beside(photo.beside, seen.quads[i]):
            labels[i], tiles[i] = JUDGED.get(what) or (KNOWN[what], 1)
    return Sample(seen, labels, tiles, "photo", held_out)


def of_photos(reader: TileReader, photos: Iterable[TruePhoto], seed: int | None) -> Iterator[Sample]:
    """Samples of photos as they are and, with a seed, each under a random one of the changes of the evaluation too.

    What the networks are sure of in the plain photo is known in the changed one, where they may be in doubt.
    """
    chance = random.Random(seed)
    by_name = {change.name: change for change in CHANGES}
    with TemporaryDirectory() as folder:
        for photo in photos:
            judged, held_out = replace(photo, beside=beside(photo.path, TAUGHT)), is_held_out(shot_of(photo.path.name))
            plain = of_photo(reader, judged, held_out)
            yield plain
            if seed is None:
                continue
            (name,) = chance.choices(list(CHANGE_WEIGHTS), list(CHANGE_WEIGHTS.values()))
            told = zip(plain.labels, plain.seen.quads, strict=True)
            believed = tuple((LABELS[label], quad) for label, quad in told if 0 <= label < len(LABELS))
            known = replace(judged, beside=(*(judged.beside or ()), *believed))
            changed = apply_change(known, by_name[name], Path(folder)).photo
            yield of_photo(reader, changed, held_out)
            changed.path.unlink()


def of_empty(reader: TileReader, path: Path) -> Sample:
    """The detections in a picture without tiles."""
    seen = DetectionMeasures.from_detections(reader.detect(path)[0])
    return Sample(seen, np.full(len(seen), NO_TILE, np.int64), np.zeros(len(seen), np.int64), "empty", False)


def render_samples(
    reader: TileReader,
    count: int,
    seed: int,
    pack: Path | None,
    settings: SceneSettings,
    kind: str | None,
    negatives: float,
) -> Iterator[Sample]:
    """Samples of rendered scenes, all of one kind if it is given; a share ``negatives`` of them is seen in negative.

    The pictures that teach what is not a tile, where there are any, serve as backgrounds.
    """
    rng = np.random.default_rng(seed)
    folder = folder_of(WITHOUT_TILES)
    rooms = [read_rgb(p.path) for p, teaches in without_tiles(folder) if teaches] if folder.is_dir() else []
    studio = open_studio(pack, rooms)
    for number in range(count):
        scene = make_scene(rng, studio, replace(settings, clutter=float(rng.choice([1.0, 2.0, 4.0]))), kind)
        if negatives and rng.random() < negatives:
            scene = replace(scene, image=invert_lightness(scene.image))
        yield of_scene(reader, scene, number % HELD_OUT == 0, other_game=settings.other_game)


def main(
    out: Out,
    scenes: Annotated[int | None, typer.Option(help="render so many")] = None,
    photos: Annotated[bool, typer.Option("--photos", help="the photos with boxes that may teach")] = False,
    changes: Annotated[
        bool, typer.Option("--changes", help="those photos, and each cropped, turned or lit otherwise")
    ] = False,
    empty: Annotated[bool, typer.Option("--empty", help="the pictures without tiles that may teach")] = False,
    seed: int = 101,
    pack: Pack = None,
    whites: Annotated[float, typer.Option(help="share of white dragons, most of them bare")] = 0,
    jokers: Annotated[float, typer.Option(help="share of jokers")] = 0,
    unusual: Annotated[float, typer.Option(help="share of dark, wooden and coloured sets")] = 0,
    negatives: Annotated[float, typer.Option(help="share of scenes seen in negative")] = 0,
    accessories: Accessories = 0.5,
    low: Low = 0.15,
    kind: Annotated[str | None, typer.Option(help=f"of the scenes, if not any: {', '.join(KINDS)}, nothing")] = None,
    foreign: Annotated[str, typer.Option(help=f"faces of no set, some of {','.join(FOREIGN_KINDS)}")] = "",
    other_game: Annotated[
        bool, typer.Option("--other-game", help="such faces on every tile, none of which then counts as one")
    ] = False,
    models: Annotated[Path | None, typer.Option(help="folder with zoo.json, if not what ships")] = None,
) -> None:
    reader, made, start = TileReader(threads=1, models=models), list[Sample](), time.monotonic()
    if scenes is not None:
        settings = SceneSettings(
            smallest=16, largest=150, whites=whites, jokers=jokers, unusual=unusual, accessories=accessories, low=low
        )
        if foreign or other_game:
            kinds = tuple(foreign.split(",")) if foreign else FOREIGN_KINDS
            if not set(kinds) <= set(FOREIGN_KINDS):
                raise ValueError(f"--foreign takes {', '.join(FOREIGN_KINDS)}")
            settings = replace(settings, foreign=1.0, foreign_kinds=kinds, other_game=other_game)
        source = render_samples(reader, scenes, seed, pack, settings, kind, negatives)
    elif photos or changes:
        source = of_photos(reader, teaching_photos(), seed if changes else None)
    elif empty:
        source = (of_empty(reader, p.path) for p, teaches in without_tiles(folder_of(WITHOUT_TILES)) if teaches)
    else:
        raise ValueError("say what to gather from: --scenes, --photos, --changes or --empty")
    for sample in source:
        made.append(sample)
        if len(made) % 100 == 0:
            say(f"{len(made)} in {time.monotonic() - start:.0f} s")
    save(out, made)
    print(f"{out}: {len(made)} samples, {sum(map(len, made))} detections")


if __name__ == "__main__":
    run(main)
