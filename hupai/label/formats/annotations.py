"""The project's own photo annotations, as stored for corrections: a JSON file beside each photo."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

from hupai.label.formats.base import four_corners
from hupai.label.formats.format import Format, ImportContext, PictureFileWriter, Target, read_picture_files
from hupai.label.records import Box, Record
from vision.geometry import bounds


def _annotation(target: Target, record: Record, _: str) -> bytes:
    tiles = [
        {
            "label": b.tile.code,
            "corners": [list(p) for p in b.corners],
            "state": "face_down" if b.tile.code == "back" else "face_up",
            "visible": 1.0,
            "row": {"concealed": "main", "winning": "main", None: None, "other": None}.get(b.role, "aside"),
            "sure": b.origin != "read",
        }
        for b in record.boxes
    ]
    out = {
        "image": record.image.rpartition("/")[2],
        "width": record.width,
        "height": record.height,
        "scene": record.image.rpartition("/")[0].replace("/", "-"),
        "tiles": tiles,
        "ignore": [list(place) for place in record.ignored],
        "version": target.made.version,
        "models": dict(record.models),
        "options": dict(target.made.options),
    }
    return json.dumps(out, ensure_ascii=False).encode() + b"\n"


def _is_annotation(given: Any) -> bool:
    """Whether a JSON value is a photo annotation."""
    return isinstance(given, dict) and "image" in given and isinstance(given.get("tiles"), list)


def read_annotations(folder: Path, context: ImportContext) -> Iterator[Record]:
    """Yield the records of a folder of annotated photos, or of one annotation.

    Raises:
        LabelError: a faulty file.
    """
    return read_picture_files(folder, context, what="this annotation", fits=_is_annotation, record=_record)


def _record(given: Any, inner: Path, context: ImportContext) -> Record:
    boxes = tuple(b for t in given["tiles"] for b in _boxes(t, context))
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


def _boxes(given: dict[str, Any], context: ImportContext) -> list[Box]:
    found = context.tile(str(given["label"]))
    if found is None:
        return []
    origin = "corrected" if given.get("sure", True) else "read"
    return [Box(found, four_corners([(float(x), float(y)) for x, y in given["corners"]]), origin=origin)]


ANNOTATIONS: Final = Format(
    name="annotations",
    description="hupai's own photo annotations, one JSON file per picture",
    files=("annotations",),
    write=partial(PictureFileWriter, folder="annotations", suffix=".json", content=_annotation),
    read=read_annotations,
    sniff=lambda given: _is_annotation(given.json),
    picture_suffix=".json",
    holds_ignored=True,
    keeps_notation=True,
    tells_checked=True,
)
