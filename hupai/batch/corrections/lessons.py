"""What a person said of a picture's tiles, as lessons of what the eyes see there."""

from __future__ import annotations

from collections.abc import Sequence

from hupai.batch.corrections.matching import matches
from hupai.batch.engines.labeller import box_of
from hupai.batch.records import Box
from vision.learn.lessons import lessons_of_corrections
from vision.learn.tileset import Lesson
from vision.reading import Sighting


def lessons_of_boxes(seen: Sequence[Sighting], boxes: Sequence[Box]) -> list[Lesson]:
    """Lessons of the sightings that lie where a person drew, or let stand, a tile.

    Args:
        seen: what the eyes see in the picture.
        boxes: its labels; those that nobody looked at teach nothing.
    """
    corrected = [b for b in boxes if b.origin != "read"]
    found = matches([box_of(s) for s in seen], corrected)
    return lessons_of_corrections(seen, {i: corrected[j].tile for i, j, _ in found})
