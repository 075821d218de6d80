"""A JSON file beside each picture, as labelme and X-AnyLabeling (with an additional ``score``) read and write it.

A tile is a polygon of its four corners, or a rectangle, which all versions of both read if it is two corners.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

from hupai.label.formats.base import clip_corners, four_corners, picture_name, upright_corners
from hupai.label.formats.format import Format, ImportContext, PictureFileWriter, Target, read_picture_files
from hupai.label.records import Box, Record
from vision.geometry import bounds


def _labelme_file(target: Target, record: Record, stem: str) -> bytes:
    name = f"{stem}{Path(record.image).suffix}"
    if target.place_picture is not None:
        target.place_picture(record.image, target.folder / "labelme" / name)
    out = {
        "version": "5.0.0",  # of labelme's format, unchanged since
        "flags": {},
        "shapes": [_shape(record, label, box, boxes=target.boxes) for label, box in target.boxes_by_class(record)],
        "imagePath": name.rpartition("/")[2],
        "imageData": None,
        "imageHeight": record.height,
        "imageWidth": record.width,
        "name": record.image,
        "made": target.made.to_json(),
    }
    return json.dumps(out, ensure_ascii=False).encode() + b"\n"


def _shape(record: Record, label: str, box: Box, *, boxes: bool) -> dict[str, Any]:
    points = clip_corners(box.corners, record.width, record.height)
    x0, y0, x1, y1 = bounds(points)
    others = " ".join(f"{t.code} {p:.0%}" for t, p in box.alternatives)
    return {
        "label": label,
        "score": box.confidence,
        "points": [[x0, y0], [x1, y1]] if boxes else [list(p) for p in points],
        "group_id": None,
        "description": f"or {others}" if others else "",
        "shape_type": "rectangle" if boxes else "polygon",
        "flags": {},
    }


def _is_labelme(given: Any) -> bool:
    """Whether a JSON value is a file of labelme or X-AnyLabeling."""
    return isinstance(given, dict) and "imagePath" in given and isinstance(given.get("shapes"), list)


def read_labelme(folder: Path, context: ImportContext) -> Iterator[Record]:
    """Yield the records of a folder of labelme's or X-AnyLabeling's files, or of one file.

    Raises:
        LabelError: a faulty file.
    """
    return read_picture_files(folder, context, what="this labelme file", fits=_is_labelme, record=_record)


def _record(given: Any, inner: Path, context: ImportContext) -> Record:
    own = picture_name(str(given["imagePath"])).rpartition("/")[2]
    name = given["name"] if isinstance(given.get("name"), str) else (inner / own).as_posix()
    boxes = tuple(box for shape in given["shapes"] for box in _boxes(shape, context))
    return Record(name, *context.measure(name, given.get("imageWidth"), given.get("imageHeight")), boxes)


def _boxes(shape: dict[str, Any], context: ImportContext) -> list[Box]:
    found = context.tile(str(shape["label"]))
    if found is None:
        return []
    points = [(float(x), float(y)) for x, y in shape["points"]]
    kind = shape.get("shape_type") or "polygon"
    if kind not in ("polygon", "rectangle", "rotation"):
        raise ValueError(f"a {kind!r:.20}, where tiles are polygons or rectangles")
    if kind == "rectangle" and len(points) == 2:
        return [Box(found, upright_corners(*bounds(points)), origin="corrected")]
    return [Box(found, four_corners(points), origin="corrected")]


LABELME: Final = Format(
    name="labelme",
    description="labelme and X-AnyLabeling, one JSON file per picture",
    files=("labelme",),
    write=partial(PictureFileWriter, folder="labelme", suffix=".json", content=_labelme_file),
    read=read_labelme,
    sniff=lambda given: _is_labelme(given.json),
    picture_suffix=".json",
    takes_pictures=True,
)
