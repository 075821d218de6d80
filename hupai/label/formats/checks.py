"""What the labels of every format are checked for: boxes that cannot be true, pictures that were not turned upright."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from hupai.label.formats.base import LabelError, list_faults, without_suffix
from hupai.label.formats.format import ImportContext
from hupai.label.records import Box, Record
from scoring.errors import Fault
from scoring.tiles import Tile
from vision.geometry import Bounds, signed_area

MIN_AREA_PX: Final = 1.0
"""Area of a box in square pixels; tools write less for a click that drew nothing."""
MAX_SIDES: Final = 1.5
"""Sides of the picture that a box may have in one direction; a tile that the edge cuts off may reach beyond it."""


def check_records(records: Iterable[Record], path: Path, context: ImportContext) -> Iterator[Record]:
    """Yield the records of a file or folder of labels.

    Raises:
        LabelError: a picture as it lies in its file instead of upright; at the end, all labels that
            are not tiles, or all boxes that cannot be true.
    """
    faults: list[Fault] = []
    for record in records:
        known = context.size(without_suffix(record.image))
        if known is not None:
            check_upright(record, known[1:])
        faults += (Fault("bad_labels", f"{record.image}: {why}", record.image) for why in _box_faults(record))
        yield record
    context.check(path)
    if faults:
        message = f"{path}: {list_faults(faults)}. Correct these boxes in the tool, and export again."
        raise LabelError(message, faults=tuple(faults))


def check_upright(record: Record, upright: tuple[int, int]) -> None:
    """Check that a record is of the upright picture, whose width and height are known.

    Raises:
        LabelError: it is of the picture as it lies in its file.
    """
    width, height = upright
    # A tool may have made it smaller, too: within a pixel of rounding it has the proportions of the turned picture.
    off = abs(record.width * width - record.height * height)
    if off <= max(width, height) and off < abs(record.width * height - record.height * width):
        raise LabelError(
            f"{record.image} is {record.width} x {record.height} in these labels, but {width} x {height} upright: the "
            "tool that made them passes over the rotation in the photo's EXIF data. Label such photos in another tool, "
            "or turned for good and under new names."
        )


def _box_faults(record: Record) -> Iterator[str]:
    """Yield what is wrong with boxes of a picture; a model may give one place two classes, but not one class twice."""
    known: set[tuple[Tile, Bounds]] = set()
    for box in record.boxes:
        bounds = x0, y0, x1, y1 = box.bounds
        why = _box_fault(box, bounds, record)
        same = box.tile, (round(x0, 1), round(y0, 1), round(x1, 1), round(y1, 1))
        if why is None and same in known:
            why = "is there twice"
        known.add(same)
        if why is not None:
            yield f"{box.tile.code} at {x0:.0f}, {y0:.0f} {why}"


def _box_fault(box: Box, bounds: Bounds, record: Record) -> str | None:
    x0, y0, x1, y1 = bounds
    if x1 <= 0 or y1 <= 0 or x0 >= record.width or y0 >= record.height:
        return "lies outside the picture"
    if abs(signed_area(box.corners)) < MIN_AREA_PX:
        return "has no area"
    across, down = (x1 - x0) / record.width, (y1 - y0) / record.height
    if max(across, down) > MAX_SIDES or min(across, down) > 1:
        return "is larger than the picture"
    return None
