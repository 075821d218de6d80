"""Turns a person's labels of a picture into lessons about the tiles seen in it."""

from __future__ import annotations

from collections.abc import Sequence

from hupai.label.corrections.matching import match_boxes
from hupai.label.engines.labeller import box_of
from hupai.label.records import Box
from vision.learn.lessons import lessons_of_corrections
from vision.learn.tileset import Lesson
from vision.reading import Sighting


def lessons_from_boxes(seen: Sequence[Sighting], boxes: Sequence[Box]) -> list[Lesson]:
    """Return lessons for the sightings where a person drew a tile or left one unchanged; other labels teach nothing."""
    corrected = [b for b in boxes if b.origin != "read"]
    found = match_boxes([box_of(s) for s in seen], corrected)
    return lessons_of_corrections(seen, {i: corrected[j].tile for i, j, _ in found})
