"""The photos that measure, by collection; none of them teaches the networks, but for :data:`TAUGHT_HANDS`.

``scenes-d-sets.jsonl`` names the physical tile set of each photo of ``scenes-d-validation``, grouped by eye; photos
that may show the same set are together. A photo is known by the first 16 hex digits of its file's SHA-256.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

import numpy as np

from datasets.photographs.real import SCENES, is_held_out, shot_of
from scripts.accuracy.photographed import true_hands
from scripts.accuracy.truth import TruePhoto, key_of, load
from vision.errors import PhotoError
from vision.io.photo import Photo

WITHOUT_TILES = "no-tiles"
RENDERED = ("rendered", "black", "unusual", "nothing", "accessories", "low")
"""Made by ``scripts/train/render_validation.py`` into ``runs/``."""
SPLIT = ("scenes-f", "scenes-i")
"""Of these collections one half, by source, is ``-deciding`` and for decisions, the other ``-measured``, once, at the
end; together they are ``-validation``."""
MORE_BOXES, MORE_QUADS = "scenes-g-train", "scenes-h-train"
"""Beside ``datasets.photographs.real.SCENES``, folders of photos that teach; the first one holds such folders."""
TAUGHT_HANDS = "taught-hands"
"""The photos that teach of which a person wrote down what hand they show: the networks know their tiles nearly without
a mistake, and nothing that makes hands of tiles was fitted on photos."""
COLLECTIONS = (
    "held-out", "scenes-d-validation", "scenes-e-validation", *(f"{name}-deciding" for name in SPLIT), *RENDERED,
    WITHOUT_TILES,
)  # fmt: skip
D_SETS = Path(__file__).with_name("scenes-d-sets.jsonl")
LARGE_SET = 10
"""Photos from which on a tile set is drawn among the large ones."""
LEAST_SIDE = 256
SUFFIXES = (".jpg", ".jpeg", ".png", ".webp")
NO_IGNORE = np.zeros((0, 4), np.float32)


def folder_of(name: str) -> Path:
    """A folder by path, or by its name below ``HUPAI_DATA`` or ``runs``."""
    places = [Path(name), Path(os.environ.get("HUPAI_DATA", ".")) / name, Path("runs") / name]
    return next((path for path in places if path.exists()), places[0])


def more_boxes() -> list[Path]:
    """The folders in :data:`MORE_BOXES`, by name."""
    return sorted(path for path in folder_of(MORE_BOXES).iterdir() if path.is_dir())


def collection(name: str) -> list[TruePhoto]:
    """The photos of a collection: one of all those named here, or a folder.

    ``held-out`` are the photos that training keeps back from its own collections; ``no-tiles`` is cut to the half,
    by source, that teaches nothing; ``scenes-d-held-out`` are the photos of one tile set in five.

    Raises:
        FileNotFoundError: the collection is not there.
    """
    if name == "held-out":
        photos = [photo for source in SCENES for photo in load(folder_of(source))]
        return [photo for photo in photos if is_held_out(shot_of(photo.path.name))]
    if name == TAUGHT_HANDS:
        folders = [*map(folder_of, SCENES), *more_boxes(), folder_of(MORE_QUADS)]
        return [photo for folder in folders for photo in load(folder) if key_of(photo.path) in true_hands()]
    if name == "scenes-d-held-out":
        return [photo for photo, teaches in scenes_d() if not teaches]
    whole, _, half = name.rpartition("-")
    if whole in SPLIT and half in ("deciding", "measured"):
        folder = folder_of(f"{whole}-validation")
        source_of = {line["file"]: line["source"].split("/")[0] for line in _listed(folder / "SOURCES.json")}
        deciding = half == "deciding"
        return [photo for photo in load(folder) if _in_upper_half(source_of[photo.path.name]) == deciding]
    if name == WITHOUT_TILES:
        return [photo for photo, teaches in without_tiles(folder_of(name)) if not teaches]
    return load(folder_of(name))


def collections(names: Iterable[str] = COLLECTIONS) -> Iterator[tuple[str, list[TruePhoto]]]:
    """The collections that are there, with their photos; for the others, how to get them is printed."""
    for name in names:
        try:
            photos = collection(name)
        except FileNotFoundError as error:
            how = "python -m scripts.train.render_validation makes it" if name in RENDERED else "set HUPAI_DATA"
            print(f"without {name}: {error}; {how}", file=sys.stderr)
            continue
        yield name, photos


def pictures_without_tiles(folder: Path) -> list[TruePhoto]:
    """Every picture below a folder that can be read and is at least :data:`LEAST_SIDE` pixels wide and high."""
    found = []
    for path in sorted(path for path in folder.rglob("*") if path.suffix.lower() in SUFFIXES):
        with suppress(PhotoError):
            if min(Photo(path).pixels.shape[:2]) >= LEAST_SIDE:
                found.append(TruePhoto(path, (), NO_IGNORE))
    return found


def scenes_d() -> list[tuple[TruePhoto, bool]]:
    """The photos of ``scenes-d-validation``, and whether each one's tile set is among those that may teach.

    Raises:
        FileNotFoundError: the collection is not there.
    """
    of = sets_of_scenes_d()
    held_out = sets_held_out(Counter(of.values()))
    return [(photo, of[key_of(photo.path)] not in held_out) for photo in load(folder_of("scenes-d-validation"))]


def sets_of_scenes_d() -> dict[str, str]:
    """Photo of ``scenes-d-validation``, by the key that files written by eye name it by -> its tile set."""
    lines = map(json.loads, D_SETS.read_text(encoding="utf-8").splitlines())
    return {line["photo"]: line["set"] for line in lines}


def sets_held_out(photos: Mapping[str, int]) -> set[str]:
    """The tile sets that only measure, of those with so many photos each.

    One in five: every fifth in the order of the SHA-256 of its name, among the large sets and among the small ones. The
    rule was fixed before anything was measured.
    """
    in_order = sorted(photos, key=lambda name: hashlib.sha256(name.encode()).hexdigest())
    strata = [[name for name in in_order if (photos[name] >= LARGE_SET) == large] for large in (True, False)]
    return {name for names in strata for name in names[::5]}


def without_tiles(folder: Path) -> list[tuple[TruePhoto, bool]]:
    """The pictures of a folder with ``sources.json``, and whether each one's source is of the half that teaches."""
    return [
        (TruePhoto(folder / line["file"], (), NO_IGNORE), teaches(line["origin"]))
        for line in sorted(_listed(folder / "sources.json"), key=lambda line: str(line["file"]))
    ]


def teaches(origin: str) -> bool:
    """Whether pictures of an origin ("github owner/name/path") teach: decided by the repository's name alone."""
    return _in_upper_half("/".join(origin.split()[1].split("/")[:2]))


def _listed(path: Path) -> list[dict[str, str]]:
    listed: list[dict[str, str]] = json.loads(path.read_text(encoding="utf-8"))
    return listed


def _in_upper_half(source: str) -> bool:
    return int(hashlib.sha256(source.encode()).hexdigest()[:8], 16) / 2**32 >= 0.5
