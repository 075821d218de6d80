"""Which annotated photos show the same physical tile set, and lessons from one of them.

The photo collections do not say which set is in a photo. It shows in the pictures and goes with runs of file names, so
the table below is by name; photos it does not cover are left out.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import cv2
import numpy as np

from scoring.tiles import tile
from scripts.accuracy.matching import match
from scripts.accuracy.truth import TruePhoto, TrueTile
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


def set_of(photo: TruePhoto) -> str | None:
    """The set in a photo, None where that is not known."""
    names = SETS.get(_folder(photo), {})
    found = [name for name, start in names.items() if re.match(start, photo.path.name)]
    return found[-1] if found else None


def _folder(photo: TruePhoto) -> str:
    return next((part for part in reversed(photo.path.parts) if part in SETS), "")


def by_set(photos: Iterable[TruePhoto]) -> dict[str, list[TruePhoto]]:
    """Photos of each set, by name."""
    found: dict[str, list[TruePhoto]] = defaultdict(list)
    for photo in photos:
        name = set_of(photo)
        if name is not None:
            found[f"{_folder(photo)}: {name}"].append(photo)
    return dict(found)


def teacher_of(photos: Sequence[TruePhoto]) -> TruePhoto:
    """The photo that teaches most: most different labels, then most tiles, then by name."""
    return max(photos, key=lambda p: (len({t.label for t in p.tiles if not t.aside}), len(p.tiles), p.path.name))


def same_shot(a: TruePhoto, b: TruePhoto) -> bool:
    """True for one photo in several exported versions: names that agree up to the exporter's mark."""
    return a.path.name.split(".rf.")[0] == b.path.name.split(".rf.")[0]


def lessons(photo: TruePhoto, eyes: Eyes) -> list[Lesson]:
    """What an annotated photo teaches, each tile as it lies and turned by half."""
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
    """The middle of a part lies within the tile."""
    x, y = (float(v) for v in part.corners.mean(axis=0))
    return cv2.pointPolygonTest(np.asarray(sighting.corners, np.float32), (x, y), False) > 0


def learned(photo: TruePhoto, eyes: Eyes) -> TileSet:
    """The set of a photo, learned from it alone."""
    return TileSet.empty("learned", eyes.models["classifier"]).learned(lessons(photo, eyes))
