"""What learning a set from one photo gains: each set in the annotated photos is learned from one, tested on the rest.

    python -m scripts.accuracy.sets --data scenes-a --data scenes-c-red-fives

The photo with the most different labels teaches, with its true labels as a person would give them; the other photos of
the set (no other version of the same shot among them) are read with and without what was learned. The collections do
not say which set is in a photo. It can be seen in the pictures and follows runs of file names, so :data:`SETS` goes
by name; photos it does not cover are left out.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import cv2
import numpy as np

from datasets.photographs.real import shot_of
from scoring.tiles import tile
from scripts.accuracy.holdouts import folder_of
from scripts.accuracy.matching import match
from scripts.accuracy.truth import TruePhoto, TrueTile, load
from vision.io.photo import Photo
from vision.learn.lessons import lessons_of_corrections
from vision.learn.tileset import Lesson, TileSet
from vision.pipeline import Eyes
from vision.reading import Sighting

SETS: dict[str, Mapping[str, str]] = {
    "scenes-a": {
        "tray riichi set": r"IMG_2023",
        "red-backed set": r"IMG_27",
        "numbered set": r"\d{6,}_",
        "hand set": r"hand_",
    },
    "scenes-c-red-fives": {
        "automatic table, crane 1s": r"mahjon_image(6[4-9]|7\d|8\d)_",
        "automatic table, red fives": r"mahjon_image9[0-6]_",
        "automatic tables, others": r"mahjon_image(9[7-9]|1[01]\d)_",
    },
    "scenes-d-validation": {
        "green set": r"[0-9A-F]{8}-|logo",
        "white home set": r"(rotated_)?home-mj-IMG_(31|320|321)",
        "yellow home set": r"(rotated_)?home-mj-IMG_(3219|322|323|324)",
        "IMG_17": r"IMG_17",
        "IMG_18": r"IMG_18",
        "IMG_32": r"IMG_32",
        "IMG_60": r"IMG_60",
        "IMG_61 and 62": r"IMG_6[12]",
    },
}
"""Folder -> name of the set -> how its photos' names begin."""


def by_set(photos: Iterable[TruePhoto]) -> dict[str, list[TruePhoto]]:
    """Photos of each set, by name; of those whose set is known."""
    found: dict[str, list[TruePhoto]] = defaultdict(list)
    for photo in photos:
        folder = next((part for part in reversed(photo.path.parts) if part in SETS), "")
        names = [name for name, start in SETS.get(folder, {}).items() if re.match(start, photo.path.name)]
        if names:
            found[f"{folder}: {names[-1]}"].append(photo)
    return dict(found)


def teacher_of(photos: Sequence[TruePhoto]) -> TruePhoto:
    """The photo that teaches most: most different labels, then most tiles, then by name."""
    return max(photos, key=lambda p: (len({t.label for t in p.tiles if not t.aside}), len(p.tiles), p.path.name))


def lessons(photo: TruePhoto, eyes: Eyes) -> list[Lesson]:
    """What an annotated photo teaches, each tile as it lies and upside down."""
    detected = eyes.detect(Photo(photo.path))
    turned = eyes.classifier.embed(np.ascontiguousarray(detected.crops[:, ::-1, ::-1]))
    found: list[Lesson] = []
    for embeddings in (detected.embeddings, turned):
        seen = eyes.name(replace(detected, embeddings=embeddings))
        at = {id(s): i for i, s in enumerate(seen)}
        named = {at[id(o.seen)]: tile(o.truth.label) for o in match(photo, seen, 0.0).outcomes if o.seen is not None}
        for part in photo.tiles:  # a box around the strip at the top of a flower tile names it as well
            inside = [i for i, s in enumerate(seen) if part.aside and _holds(s, part)]
            if len(inside) == 1 and inside[0] not in named:
                named[inside[0]] = tile(part.label)
        found += lessons_of_corrections(seen, named)
    return found


def _holds(sighting: Sighting, part: TrueTile) -> bool:
    """Whether the middle of a part lies within the tile."""
    x, y = (float(v) for v in part.corners.mean(axis=0))
    return cv2.pointPolygonTest(np.asarray(sighting.corners, np.float32), (x, y), False) > 0


def learned(photo: TruePhoto, eyes: Eyes) -> TileSet:
    """The set of a photo, learned from it alone."""
    return TileSet.empty("learned", eyes.models["classifier"]).learned(lessons(photo, eyes))


def benchmark(photos: list[TruePhoto], eyes: Eyes) -> dict[str, object]:
    """Errors among the located tiles of one set, before and after."""
    teacher = teacher_of(photos)
    known = learned(teacher, eyes)
    rest = [p for p in photos if shot_of(p.path.name) != shot_of(teacher.path.name)]
    count: Counter[str] = Counter()
    left: Counter[str] = Counter()
    for photo in rest:
        seen = eyes.look(Photo(photo.path))
        outcomes = [match(photo, sightings, 0.0).outcomes for sightings in (seen, known.read(seen))]
        for before, after in zip(*outcomes, strict=True):
            if before.seen is None or after.seen is None:
                continue
            count.update(tiles=1, before=not before.right, after=not after.right)
            if not after.right:
                left[f"{after.truth.label} read as {after.seen.tile}"] += 1
    tiles = max(1, count["tiles"])
    return {
        "teacher": teacher.path.name,
        "labels_learned": len(known.known),
        "photos": len(rest),
        "tiles": count["tiles"],
        "accuracy_before": round(1 - count["before"] / tiles, 4),
        "accuracy_after": round(1 - count["after"] / tiles, 4),
        "errors_before": count["before"],
        "errors_after": count["after"],
        "errors_left": dict(left.most_common(5)),
    }


def main() -> None:
    """Print one table, or JSON."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", action="append", required=True, help="folder of annotated photos; may be repeated")
    options.add_argument("--threads", type=int, help="cores for one photo")
    given = options.parse_args()
    eyes = Eyes(threads=given.threads)
    photos = [photo for name in given.data for photo in load(folder_of(name))]
    result = {name: benchmark(group, eyes) for name, group in sorted(by_set(photos).items()) if len(group) > 1}
    if not result:
        print("None of these photos show a tile set that scripts/accuracy/sets.py knows twice.")
    for name, row in result.items():
        print(
            f"{name:48s} tiles {row['tiles']:5}  errors {row['errors_before']:4} -> {row['errors_after']:4}  "
            f"accuracy {row['accuracy_before']} -> {row['accuracy_after']}  {row['errors_left']}"
        )


if __name__ == "__main__":
    main()
