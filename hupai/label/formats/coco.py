"""COCO object detection JSON, as pycocotools, CVAT, Roboflow and FiftyOne read and write it.

``segmentation`` holds the four corners in the project's order; ``score``, ``located``, ``alternatives``, ``model`` and
``origin`` are our own keys, which other tools ignore, as they do those in ``info``. In CVAT's exports, the rotation in
``attributes`` is applied.
"""

from __future__ import annotations

import json
import marshal
import math
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import IO, Any, Final

from hupai.label.formats.base import (
    LabelError,
    clip_corners,
    four_corners,
    invalid_file_error,
    json_error,
    open_text,
    picture_name,
    upright_corners,
)
from hupai.label.formats.format import Format, ImportContext, LabelPath, Target
from hupai.label.formats.json_list import members
from hupai.label.records import Box, Record, parse_share
from vision.geometry import Bounds, Quad, bounds, signed_area

_TABLES: Final = """
pragma journal_mode = off;
create table images (image text, given blob);
create table annotations (image text, given blob);
"""
_IMAGE: Final = {"images": "id", "annotations": "image_id"}
"""Where they have the number of the image."""


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
            "area": round((x1 - x0) * (y1 - y0) if self._target.boxes else abs(signed_area(corners)), 2),
            "segmentation": [] if self._target.boxes else [[v for point in box.corners for v in point]],
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


def read_coco(path: Path, context: ImportContext) -> Iterator[Record]:
    """Yield the records of a COCO file; what belongs to an image may be anywhere in it.

    Raises:
        LabelError: it is not a COCO file.
    """
    with closing(sqlite3.connect("")) as db:  # a database on disk that nobody else sees
        try:
            with open_text(path) as file:
                try:
                    names = _store(members(file), db)
                except (ValueError, RecursionError) as error:
                    raise json_error(path, error) from None
            context.listed.update(names.values())
            yield from _records(path, db, names, context)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise invalid_file_error(path, "this COCO file", error) from None


def _store(given: Iterable[tuple[str, Iterable[Any]]], db: sqlite3.Connection) -> dict[Any, str]:
    """Put images and annotations into a database; return the names of the categories."""
    db.executescript(_TABLES)
    names: dict[Any, str] = {}
    missing = {"annotations", "categories", "images"}
    for key, values in given:
        missing.discard(key)
        for value in values:
            if key in ("categories", *_IMAGE) and not isinstance(value, dict):
                raise ValueError(f"{key!r} is not a list of objects")
            if key == "categories":
                names[value["id"]] = str(value["name"])
            elif key in _IMAGE:
                row = _image_key(value[_IMAGE[key]]), marshal.dumps(value)
                db.execute(f"insert into {key} values (?, ?)", row)
    if missing:
        raise KeyError(min(missing))
    db.execute("create index by_image on annotations (image)")
    return names


def _image_key(number: Any) -> str:
    """The number of an image, which need not be one; some tools write 7.0 for 7."""
    return repr(int(number) if isinstance(number, float) and number.is_integer() else number)


def _records(path: Path, db: sqlite3.Connection, names: dict[Any, str], context: ImportContext) -> Iterator[Record]:
    lost = db.execute("select image from annotations where image not in (select image from images)").fetchone()
    if lost is not None:
        raise ValueError(f"an annotation is of image {lost[0]}, which is not there")
    for key, image in db.execute("select image, given from images order by rowid"):
        own = db.execute("select given from annotations where image = ? order by rowid", (key,))
        given = marshal.loads(image)
        try:
            record = _record(given, (marshal.loads(one) for (one,) in own), names, context)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise invalid_file_error(path, f"the image {given.get('file_name', key)}", error) from None
        yield record


def _record(
    image: dict[str, Any], annotations: Iterable[dict[str, Any]], names: dict[Any, str], context: ImportContext
) -> Record:
    name = picture_name(str(image["file_name"]))
    boxes: list[Box] = []
    crowds: list[Bounds] = []
    for annotation in annotations:
        category = annotation["category_id"]
        if category not in names:
            raise ValueError(f"an annotation is of category {category}, which is not there")
        if annotation.get("iscrowd"):
            crowds.append(bounds(_corners(annotation)))
        elif (found := context.tile(names[category])) is not None:
            boxes.append(_box(annotation, found, context))
    size = context.measure(name, image.get("width"), image.get("height"))
    return Record(name, *size, tuple(boxes), ignored=tuple(crowds))


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
    if given.has("images", "annotations"):
        return True
    first = next(iter(given.json), None) if isinstance(given.json, list) else None
    if isinstance(first, dict) and {"image_id", "category_id"} <= first.keys():
        raise LabelError(
            f"{given.path} is a list of COCO results, whose pictures and classes are in another file: put the list "
            "into that file, under annotations."
        )
    return False


COCO: Final = Format(
    name="coco",
    description="COCO object detection JSON",
    files=("coco.json",),
    write=CocoWriter,
    read=read_coco,
    sniff=_is_coco,
    holds_ignored=True,
)
