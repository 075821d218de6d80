"""What learning a set from one photo gains: each set in the annotated photos is learned from one, tested on the rest.

    python -m scripts.accuracy.sets --data scenes-a --data scenes-c-red-fives

The photo with the most different labels teaches, with its true labels as a person would give them; the other photos of
the set (no other version of the same shot among them) are read with and without what was learned. The collections do
not say which set is in a photo. It can be seen in the pictures and follows runs of file names, so :data:`SETS` goes
by name; photos it does not cover are left out.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

import typer

from datasets.photographs.real import shot_of
from scoring.tiles import tile
from scripts.accuracy.holdouts import folder_of
from scripts.accuracy.matching import holds, match
from scripts.accuracy.truth import TruePhoto, load
from vision.io.photo import Photo
from vision.learn.lessons import lessons_of_corrections
from vision.learn.photos import lessons_of
from vision.learn.tileset import Lesson, TileSet
from vision.pipeline import Eyes
from vision.reading import Sighting

SETS: Final = {
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
}
"""Folder -> name of the set -> how its photos' names begin."""


def teacher_of(photos: Sequence[TruePhoto]) -> TruePhoto:
    """The photo that teaches most: most different labels, then most tiles, then by name."""
    return max(photos, key=lambda p: (len({t.label for t in p.tiles if not t.aside}), len(p.tiles), p.path.name))


def lessons(photo: TruePhoto, eyes: Eyes) -> list[Lesson]:
    """What an annotated photo teaches, as :func:`vision.learn.photos.lessons_of` does."""

    def teach(seen: Sequence[Sighting]) -> list[Lesson]:
        at = {id(s): i for i, s in enumerate(seen)}
        named = {at[key]: tile(label) for key, label in match(photo, seen).labels.items()}
        for part in photo.tiles:  # a box around the strip at the top of a flower tile names it as well
            inside = [i for i, s in enumerate(seen) if part.aside and holds(s.corners, part.corners.mean(axis=0))]
            if len(inside) == 1 and inside[0] not in named:
                named[inside[0]] = tile(part.label)
        return lessons_of_corrections(seen, named)

    return lessons_of(photo.path, teach, eyes)


def benchmark(photos: Sequence[TruePhoto], eyes: Eyes) -> str:
    """Errors among the located tiles of one set, before and after it was learned, and the commonest that are left."""
    teacher = teacher_of(photos)
    known = TileSet.empty("learned", eyes.models["classifier"]).learned(lessons(teacher, eyes))
    tiles, before, after, left = 0, 0, 0, Counter[str]()
    for photo in photos:
        if shot_of(photo.path.name) == shot_of(teacher.path.name):
            continue
        seen = eyes.look(Photo(photo.path))
        for one, other in zip(match(photo, seen).tiles, match(photo, known.read(seen)).tiles, strict=True):
            if one.seen is None or other.seen is None:
                continue
            tiles += 1
            before += not one.right
            after += not other.right
            left.update([] if other.right else [f"{other.truth.label} read as {other.seen.tile}"])
    shares = " -> ".join(f"{1 - errors / max(1, tiles):.4f}" for errors in (before, after))
    return f"tiles {tiles:5}  errors {before:4} -> {after:4}  accuracy {shares}  {dict(left.most_common(5))}"


def main(data: list[str] | None = None) -> None:
    eyes, sets = Eyes(), 0
    for folder in data or SETS:
        photos = load(folder_of(folder))
        for name, start in SETS.get(folder, {}).items():
            group = [photo for photo in photos if re.match(start, photo.path.name)]
            if len(group) > 1:
                sets += 1
                print(f"{f'{folder}: {name}':48} {benchmark(group, eyes)}", flush=True)
    if not sets:
        print("None of these photos show a tile set that scripts/accuracy/sets.py knows twice.")


if __name__ == "__main__":
    typer.run(main)
