"""COCO object detection JSON, as pycocotools, CVAT, Roboflow and FiftyOne read and write it.

``segmentation`` holds the four corners in the project's order; ``score``, ``located``, ``alternatives``, ``model`` and
``origin`` are our own keys, which other tools ignore, as they do those in ``info``. In CVAT's exports, the rotation in
``attributes`` is applied.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import IO, Any, Final

from hupai.batch.formats.base import (
    LabelError,
    clip_corners,
    four_corners,
    invalid_file_error,
    picture_name,
    read_json,
    upright_corners,
)
from hupai.batch.formats.format import Format, ImportContext, LabelPath, Target
from hupai.batch.records import Box, Record, parse_share
from vision.geometry import Bounds, Quad, bounds, signed_area


class CocoWriter:
    """Writes ``coco.json``."""

    def __init__(self, target: Target) -> None:
        self._path = target.folder / "coco.json"
        # Images come first in the file and annotations second, but both become known picture by picture.
        self._rest = target.folder / "coco.json.rest"
        self._images = self._path.open("w", encoding="utf-8")
        self._boxes = self._rest.open("w", encoding="utf-8")
        self._image_count = self._box_count = 0
        self._target, self._numbers = target, target.classes.numbers
        categories = [
            {"id": i, "name": code, "supercategory": "tile"} for i, code in enumerate(target.classes.names, 1)
        ]
        info = {"description": "Mahjong tiles", **target.made.to_json()}
        self._images.write(f'{{"info":{_text(info)},\n"categories":{_text(categories)},\n"images":[')
        self._boxes.write('],\n"annotations":[')

    def add(self, record: Record) -> None:
        """Add one image and its annotations."""
        self._image_count += 1
        image = {"id": self._image_count, "file_name": record.image, "width": record.width, "height": record.height}
        _item(self._images, image, self._image_count)
        for _, box in self._target.boxes_by_class(record):
            self._box_count += 1
            _item(self._boxes, self._annotation(record, box), self._box_count)
        for place in record.ignored:
            self._box_count += 1
            _item(self._boxes, self._crowd(place), self._box_count)

    def close(self) -> None:
        """Join the two parts."""
        self._boxes.write("\n]}\n")
        self._boxes.close()
        self._images.write("\n")
        with self._images, self._rest.open(encoding="utf-8") as rest:
            while part := rest.read(1 << 20):
                self._images.write(part)
        self._rest.unlink()

    def _annotation(self, record: Record, box: Box) -> dict[str, Any]:
        corners = clip_corners(box.corners, record.width, record.height)
        x0, y0, x1, y1 = bounds(corners)
        out = {
            "id": self._box_count,
            "image_id": self._image_count,
            "category_id": self._numbers[box.tile.code] + 1,
            "bbox": [round(v, 2) for v in (x0, y0, x1 - x0, y1 - y0)],
            "area": round(abs(signed_area(corners)), 2),
            "segmentation": [[v for point in box.corners for v in point]],
            "iscrowd": 0,
            "alternatives": [[t.code, p] for t, p in box.alternatives],
            "origin": box.origin,
            "model": record.model,
        }
        return out | {k: v for k, v in (("score", box.confidence), ("located", box.located)) if v is not None}

    def _crowd(self, place: Bounds) -> dict[str, Any]:
        """What COCO calls a crowd: finds there are not judged. It must have a class and gets the first."""
        x0, y0, x1, y1 = place
        return {
            "id": self._box_count,
            "image_id": self._image_count,
            "category_id": 1,
            "bbox": [round(v, 2) for v in (x0, y0, x1 - x0, y1 - y0)],
            "area": round((x1 - x0) * (y1 - y0), 2),
            "segmentation": [[v for point in upright_corners(x0, y0, x1, y1) for v in point]],
            "iscrowd": 1,
        }


def _item(file: IO[str], value: object, count: int) -> None:
    file.write(("\n" if count == 1 else ",\n") + _text(value))


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def read_coco(path: Path, context: ImportContext) -> list[Record]:
    """Return the records of a COCO file.

    Raises:
        LabelError: it is not a COCO file.
    """
    given = read_json(path)
    try:
        records = _records(given, context)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise invalid_file_error(path, "this COCO file", error) from None
    return records


def _records(given: Any, context: ImportContext) -> list[Record]:
    names = {c["id"]: str(c["name"]) for c in given["categories"]}
    boxes: dict[Any, list[Box]] = {image["id"]: [] for image in given["images"]}
    crowds: dict[Any, list[Bounds]] = {image: [] for image in boxes}
    for annotation in given["annotations"]:
        image, category = annotation["image_id"], annotation["category_id"]
        if image not in boxes:
            raise ValueError(f"an annotation is of image {image}, which is not there")
        if category not in names:
            raise ValueError(f"an annotation is of category {category}, which is not there")
        if annotation.get("iscrowd"):
            crowds[image].append(bounds(_corners(annotation)))
        elif (found := context.tile(names[category])) is not None:
            boxes[image].append(_box(annotation, found, context))
    return [
        Record(
            name,
            *context.measure(name, i.get("width"), i.get("height")),
            tuple(boxes[i["id"]]),
            ignored=tuple(crowds[i["id"]]),
        )
        for i, name in ((i, picture_name(str(i["file_name"]))) for i in given["images"])
    ]


def _box(annotation: dict[str, Any], found: Any, context: ImportContext) -> Box:
    alternatives = tuple((t, float(p)) for code, p in annotation.get("alternatives", ()) if (t := context.tile(code)))
    return Box(
        found,
        _corners(annotation),
        parse_share(annotation.get("score")),
        alternatives,
        parse_share(annotation.get("located")),
        origin=annotation.get("origin", "corrected"),
    )


def _corners(annotation: dict[str, Any]) -> Quad:
    polygons = annotation.get("segmentation")
    if isinstance(polygons, list) and polygons and len(polygons[0]) >= 6:
        # Something that lies over a tile may cut it into several polygons.
        for polygon in polygons:
            if len(polygon) % 2 or len(polygon) < 6:
                raise ValueError(f"a polygon of {len(polygon)} numbers in a segmentation")
        flat = [float(v) for polygon in polygons for v in polygon]
        return four_corners(list(zip(flat[::2], flat[1::2], strict=True)))
    if len(annotation["bbox"]) != 4:
        raise ValueError(f"a bbox of {len(annotation['bbox'])} numbers")
    x, y, w, h = (float(v) for v in annotation["bbox"])
    angle = math.radians(float((annotation.get("attributes") or {}).get("rotation", 0.0)))
    if not angle:
        return upright_corners(x, y, x + w, y + h)
    return rotate_corners(upright_corners(x, y, x + w, y + h), (x + w / 2, y + h / 2), angle)


def rotate_corners(corners: Quad, centre: tuple[float, float], angle: float) -> Quad:
    """Return corners turned clockwise on the screen by ``angle`` (radians) about a point."""
    cx, cy = centre
    cos, sin = math.cos(angle), math.sin(angle)
    a, b, c, d = ((cx + (x - cx) * cos - (y - cy) * sin, cy + (x - cx) * sin + (y - cy) * cos) for x, y in corners)
    return a, b, c, d


def _is_coco(given: LabelPath) -> bool:
    """Whether it is a COCO file.

    Raises:
        LabelError: it is a list of COCO results, which means nothing without the file it was made for.
    """
    value = given.json
    first = value[0] if isinstance(value, list) and value else None
    if isinstance(first, dict) and {"image_id", "category_id"} <= first.keys():
        raise LabelError(
            f"{given.path} is a list of COCO results, whose pictures and classes are in another file: put the list "
            "into that file, under annotations."
        )
    return isinstance(value, dict) and {"annotations", "images"} <= value.keys()


COCO: Final = Format(
    name="coco",
    description="COCO object detection JSON",
    files=("coco.json",),
    write=CocoWriter,
    read=read_coco,
    sniff=_is_coco,
    holds_ignored=True,
)
