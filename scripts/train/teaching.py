"""The photographs with labelled tiles that teach; what measures is in ``scripts/accuracy/holdouts.py``."""

from __future__ import annotations

from datasets.photographs.real import SCENES, is_held_out, shot_of
from scripts.accuracy.holdouts import folder_of, scenes_d
from scripts.accuracy.truth import TruePhoto, load

MORE_BOXES = "scenes-g-train"
MORE_QUADS = "scenes-h-train"


def teaching_photos() -> list[TruePhoto]:
    """All of them, those included that are held out by their name (:func:`is_held_out`) to calibrate and to check.

    ``scenes-g-train`` shows some photos of ``scenes-b`` again, in colour and under a shorter name; those that are held
    out there are left out.

    Raises:
        FileNotFoundError: a collection is not there.
    """
    photos = [photo for source in SCENES for photo in load(folder_of(source))]
    held_out = {shot.partition("_")[0] for photo in photos if is_held_out(shot := shot_of(photo.path.name))}
    for folder in sorted(path for path in folder_of(MORE_BOXES).iterdir() if path.is_dir()):
        photos += [photo for photo in load(folder) if photo.path.stem not in held_out]
    return [*photos, *load(folder_of(MORE_QUADS)), *(photo for photo, teaches in scenes_d() if teaches)]
