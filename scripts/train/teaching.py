"""The photographs with labelled tiles that teach; what measures is in ``scripts/accuracy/holdouts.py``."""

from __future__ import annotations

import numpy as np

from datasets.labels import INDEX
from datasets.photographs.real import SCENES, BoxedPhoto, is_held_out, shot_of
from scripts.accuracy.holdouts import MORE_QUADS, folder_of, more_boxes, scenes_d, sets_of_scenes_d
from scripts.accuracy.truth import TruePhoto, key_of, load


def teaching_photos() -> list[TruePhoto]:
    """All of them, those included that are held out by their name (:func:`is_held_out`) to calibrate and to check.

    ``scenes-g-train`` shows some photos of ``scenes-b`` again, in colour and under a shorter name; those that are held
    out there are left out.

    Raises:
        FileNotFoundError: a collection is not there.
    """
    photos = [photo for source in SCENES for photo in load(folder_of(source))]
    held_out = {shot.partition("_")[0] for photo in photos if is_held_out(shot := shot_of(photo.path.name))}
    for folder in more_boxes():
        photos += [photo for photo in load(folder) if photo.path.stem not in held_out]
    return [*photos, *load(folder_of(MORE_QUADS)), *(photo for photo, teaches in scenes_d() if teaches)]


def boxed_photos() -> list[BoxedPhoto]:
    """The same photos with upright boxes about their tiles; their source is the tile set where that is known.

    Raises:
        FileNotFoundError: a collection is not there.
    """
    sets = sets_of_scenes_d()
    return [to_boxed(photo, sets.get(key_of(photo.path))) for photo in teaching_photos()]


def to_boxed(photo: TruePhoto, tile_set: str | None) -> BoxedPhoto:
    """A photo as tiles are cut out of it; ``tile_set``: the one that it shows, where that is known."""
    tiles = [tile for tile in photo.tiles if tile.label in INDEX]
    corners = np.array([tile.corners for tile in tiles], np.float32).reshape(-1, 4, 2)
    boxes = np.concatenate([corners.min(axis=1), corners.max(axis=1)], axis=1)
    labels = np.array([INDEX[tile.label] for tile in tiles], np.int64)
    whole = np.array([not tile.aside for tile in tiles], bool)
    quads = corners if tiles and all(tile.quad for tile in tiles) else None
    folder = photo.path.parent.parent if photo.path.parent.name == "images" else photo.path.parent
    shot = shot_of(photo.path.name)
    return BoxedPhoto(
        photo.path, tile_set or folder.name, shot, labels, boxes, whole, quads, photo.ignore, is_held_out(shot)
    )
