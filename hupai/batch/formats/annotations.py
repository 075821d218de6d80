"""The project's photo annotations, a JSON file beside each image, as stored for corrections."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hupai.batch.formats.base import Labels, bounds, malformed, read_json
from hupai.batch.records import Box, Corners, Record


def is_annotation(given: Any) -> bool:
    """Whether a JSON value is a photo annotation."""
    return isinstance(given, dict) and "image" in given and isinstance(given.get("tiles"), list)


def read_annotations(folder: Path, labels: Labels) -> list[Record]:
    """Return the records of a folder of annotated photos, or of one annotation.

    Raises:
        LabelError: a faulty file, or labels that are not tiles.
    """
    records = []
    for path, inner, given in _files(folder):
        try:
            records.append(_annotated(given, inner, labels))
        except (KeyError, TypeError, ValueError) as error:
            raise malformed(path, "this annotation", error) from None
    labels.check(folder)
    return records


def _files(folder: Path) -> Iterator[tuple[Path, Path, Any]]:
    """Yield the annotations in a folder, or the single one: each with its folder and its content."""
    for path in [folder] if folder.is_file() else sorted(folder.rglob("*.json")):
        given = read_json(path)
        if is_annotation(given):
            yield path, Path() if folder.is_file() else path.parent.relative_to(folder), given


def _annotated(given: Any, inner: Path, labels: Labels) -> Record:
    boxes = tuple(b for t in given["tiles"] for b in _boxes(t, labels))
    name = (inner / str(given["image"])).as_posix()
    models, hand = given.get("models"), given.get("hand")
    return Record(
        name,
        int(given["width"]),
        int(given["height"]),
        boxes,
        models=dict(models) if isinstance(models, dict) else {},
        hand={"hand": hand, "doubts": [], "repairs": []} if isinstance(hand, dict) else None,
        ignored=tuple(
            bounds([(float(x0), float(y0)), (float(x1), float(y1))]) for x0, y0, x1, y1 in given.get("ignore", [])
        ),
    )


def _boxes(given: dict[str, Any], labels: Labels) -> list[Box]:
    found = labels.tile(str(given["label"]))
    if found is None:
        return []
    a, b, c, d = ((float(x), float(y)) for x, y in given["corners"])
    corners: Corners = (a, b, c, d)
    return [Box(found, corners, origin="corrected")]
