"""Annotated photos -> their ground truth, from either of two formats.

- ``boxes.jsonl`` in a folder: one line an image, axis-aligned boxes with labels. A box with ``part`` (only a strip of
  the tile) or ``stretched`` stands aside: finding it or not counts neither way.
- one JSON beside each image: quads with state, row and ignore boxes (the project's annotation format), and perhaps the
  ``hand`` it shows: ``concealed``, ``melds`` (lists of ``tiles``), and ``winning_tile``.

Annotators of boxes left tiles out. What was detected beside their boxes was looked at by people and is written down in
``beside.jsonl``: one line a photo, known by the first 16 hex digits of its file's SHA-256, and for each detection what
it is and the eight pixel coordinates of its quad. Where they named a tile wrongly (red fives as plain ones),
``relabelled.jsonl`` has what people saw: photo, known likewise, and label by the box's place in its line, from 0.
"""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np

from datasets.photographs.real import box_corners
from vision.arrays import FloatArray

BESIDE: Final = Path(__file__).with_name("beside.jsonl")
RELABELLED: Final = Path(__file__).with_name("relabelled.jsonl")
SIDE, NO_TILE, UNTOLD = "side", "none", "?"
"""Part of a tile that is not a face; not a tile; a tile whose face cannot be made out, being blurred or covered."""
GROUPS: Final = {
    "5z": "white dragon",
    "0": "red fives",
    "f": "flowers",
    "g": "seasons",
    "a": "animals",
    "m": "characters",
    "p": "dots",
    "s": "bamboo",
    "z": "other honours",
}
"""A label, or its first or last letter -> its group; face-down tiles and jokers are groups of their own."""
Beside: TypeAlias = tuple[str, FloatArray]
"""What lies beside the annotated tiles: a tile's label or one of the three above, and (4, 2) float32 pixels."""


@dataclass(frozen=True, slots=True)
class TrueTile:
    """One annotated tile.

    Attributes:
        label: its notation.
        corners: (4, 2) float32 pixels; of a box its four corners, of a quad the picture's top-left one first.
        quad: whether the corners are the tile's own; else they are an upright box around it.
        aside: counts neither way.
    """

    label: str
    corners: FloatArray
    quad: bool
    aside: bool


@dataclass(frozen=True, slots=True)
class TruePhoto:
    """An annotated photo.

    Attributes:
        path: the image.
        tiles: everything annotated.
        ignore: (n, 4) float32 x0 y0 x1 y1: unmatched sightings with their centre in one count neither way.
        beside: what else was found and judged by eye; None where everything is annotated, or nobody has looked.
        hand: the hand that its annotation names, if it does.
    """

    path: Path
    tiles: tuple[TrueTile, ...]
    ignore: FloatArray
    beside: tuple[Beside, ...] | None = None
    hand: Mapping[str, Any] | None = None


def load(folder: Path) -> list[TruePhoto]:
    """The annotated photos of a folder, by name.

    Raises:
        FileNotFoundError: the folder holds neither format.
    """
    boxes = folder / "boxes.jsonl"
    if boxes.is_file():
        lines = [json.loads(line) for line in boxes.read_text(encoding="utf-8").splitlines() if line.strip()]
        return sorted((_photo_of_boxes(line, folder) for line in lines), key=lambda photo: photo.path.name)
    found = [photo for path in sorted(folder.rglob("*.json")) if (photo := _photo_of_quads(path)) is not None]
    if not found:
        raise FileNotFoundError(f"{folder} holds neither boxes.jsonl nor JSON annotations beside images")
    return found


def _photo_of_boxes(line: dict[str, Any], folder: Path) -> TruePhoto:
    tiles, path = [], folder / line["image"]
    seen = _load_lines(RELABELLED, "labels").get(key_of(path), {}) if path.is_file() else {}
    for place, box in enumerate(line["boxes"]):
        label = seen.get(str(place), box["label"])
        aside = bool(box.get("part") or box.get("stretched") or label == UNTOLD)
        tiles.append(TrueTile(label, box_corners(box["box"]), False, aside))
    return TruePhoto(path, tuple(tiles), np.zeros((0, 4), np.float32), beside(path))


def beside(path: Path, judgements: Path | None = None) -> tuple[Beside, ...] | None:
    """What was found beside the annotated tiles of a photo; None if nobody has checked it or there is no such file."""
    if not path.is_file():
        return None
    found = _load_lines(judgements or BESIDE, "beside").get(key_of(path))
    return None if found is None else tuple((what, np.array(at, np.float32).reshape(4, 2)) for what, *at in found)


@functools.cache
def key_of(path: Path) -> str:
    """How files written by eye name a photo: the first 16 hex digits of its file's SHA-256."""
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]


@functools.cache
def _load_lines(file: Path, key: str) -> dict[str, Any]:
    """What the lines of such a file say under a key, by photo."""
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    return {line["photo"]: line[key] for line in lines}


def _photo_of_quads(path: Path) -> TruePhoto | None:
    given = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(given, dict) or not {"tiles", "image"} <= given.keys():
        return None
    tiles = tuple(
        TrueTile(t["label"], np.array(t["corners"], np.float32), True, not t.get("sure", True)) for t in given["tiles"]
    )
    ignore = np.array(given.get("ignore", []), np.float32).reshape(-1, 4)
    return TruePhoto(path.parent / given["image"], tiles, ignore, hand=given.get("hand"))


def group_of(label: str) -> str:
    """What a label's class is counted with."""
    return next((GROUPS[key] for key in (label, label[0], label[-1]) if key in GROUPS), label)
