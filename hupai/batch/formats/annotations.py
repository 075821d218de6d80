"""A JSON file beside each image: the project's photo annotations, as stored for corrections; or labelme's.

X-AnyLabeling uses labelme's files with an additional ``score``. A tile is a polygon of its four corners.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from hupai.batch.formats.base import (
    Labels,
    Stems,
    Target,
    bounds,
    clipped,
    four_corners,
    malformed,
    picture_name,
    read_json,
    upright,
)
from hupai.batch.records import Box, Corners, Record


class AnnotationWriter:
    """Writes ``annotations/``: one JSON file per picture, as ``scripts/evaluate.py`` reads them."""

    def __init__(self, target: Target) -> None:
        self._folder = target.folder / "annotations"
        self._stems = Stems()
        self._made = target.made
        self._folder.mkdir()

    def add(self, record: Record) -> None:
        """Write the file of a picture."""
        path = self._folder / f"{self._stems.of(record.image)}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
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
            "version": self._made.version,
            "models": dict(record.models),
            "options": dict(self._made.options),
        }
        path.write_text(json.dumps(out, ensure_ascii=False) + "\n", encoding="utf-8")

    def close(self) -> None:
        """Do nothing."""


def is_annotation(given: Any) -> bool:
    """Whether a JSON value is a photo annotation."""
    return isinstance(given, dict) and "image" in given and isinstance(given.get("tiles"), list)


def read_annotations(folder: Path, labels: Labels) -> list[Record]:
    """Return the records of a folder of annotated photos, or of one annotation.

    Raises:
        LabelError: a faulty file, or labels that are not tiles.
    """
    return _records(folder, labels, is_annotation, "this annotation", _annotated)


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


def _records(
    folder: Path,
    labels: Labels,
    fits: Callable[[Any], bool],
    what: str,
    record_of: Callable[[Any, Path, Labels], Record],
) -> list[Record]:
    """Return the records of the JSON files of a kind; ``what`` is what errors call such a file."""
    records = []
    for path, inner, given in _files(folder, fits):
        try:
            records.append(record_of(given, inner, labels))
        except (KeyError, TypeError, ValueError) as error:
            raise malformed(path, what, error) from None
    labels.check(folder)
    return records


def _files(folder: Path, fits: Callable[[Any], bool]) -> Iterator[tuple[Path, Path, Any]]:
    """Yield the JSON files of a kind in a folder, or the single one: each with its folder and its content."""
    for path in [folder] if folder.is_file() else sorted(folder.rglob("*.json")):
        given = read_json(path)
        if fits(given):
            yield path, Path() if folder.is_file() else path.parent.relative_to(folder), given


def _boxes(given: dict[str, Any], labels: Labels) -> list[Box]:
    found = labels.tile(str(given["label"]))
    if found is None:
        return []
    a, b, c, d = ((float(x), float(y)) for x, y in given["corners"])
    corners: Corners = (a, b, c, d)
    return [Box(found, corners, origin="corrected")]


class LabelmeWriter:
    """Writes ``labelme/``: one JSON file per picture, and the picture beside it if pictures are wanted."""

    def __init__(self, target: Target) -> None:
        self._folder, self._target = target.folder / "labelme", target
        self._stems = Stems()
        self._folder.mkdir()

    def add(self, record: Record) -> None:
        """Write the file of a picture."""
        stem = self._stems.of(record.image)
        path = self._folder / f"{stem}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        name = f"{stem}{Path(record.image).suffix}"
        if self._target.put is not None:
            self._target.put(record.image, self._folder / name)
        out = {
            "version": "5.0.0",  # of labelme's format, unchanged since
            "flags": {},
            "shapes": [_shape(record, label, box) for label, box in self._target.labelled(record)],
            "imagePath": name.rpartition("/")[2],
            "imageData": None,
            "imageHeight": record.height,
            "imageWidth": record.width,
            "name": record.image,
            "made": self._target.made.to_json(),
        }
        path.write_text(json.dumps(out, ensure_ascii=False) + "\n", encoding="utf-8")

    def close(self) -> None:
        """Do nothing."""


def _shape(record: Record, label: str, box: Box) -> dict[str, Any]:
    others = " ".join(f"{t.code} {p:.0%}" for t, p in box.alternatives)
    return {
        "label": label,
        "score": box.confidence,
        "points": [list(p) for p in clipped(box, record.width, record.height)],
        "group_id": None,
        "description": f"or {others}" if others else "",
        "shape_type": "polygon",
        "flags": {},
    }


def is_labelme(given: Any) -> bool:
    """Whether a JSON value is a file of labelme or X-AnyLabeling."""
    return isinstance(given, dict) and "imagePath" in given and isinstance(given.get("shapes"), list)


def read_labelme(folder: Path, labels: Labels) -> list[Record]:
    """Return the records of a folder of labelme's or X-AnyLabeling's files, or of one file.

    Raises:
        LabelError: a faulty file, or labels that are not tiles.
    """
    return _records(folder, labels, is_labelme, "this labelme file", _labelled)


def _labelled(given: Any, inner: Path, labels: Labels) -> Record:
    own = picture_name(str(given["imagePath"]).replace("\\", "/")).rpartition("/")[2]
    name = given["name"] if isinstance(given.get("name"), str) else (inner / own).as_posix()
    boxes = tuple(box for shape in given["shapes"] for box in _drawn(shape, labels))
    return Record(name, int(given["imageWidth"]), int(given["imageHeight"]), boxes)


def _drawn(shape: dict[str, Any], labels: Labels) -> list[Box]:
    found = labels.tile(str(shape["label"]))
    if found is None:
        return []
    points = [(float(x), float(y)) for x, y in shape["points"]]
    kind = shape.get("shape_type") or "polygon"
    if kind not in ("polygon", "rectangle", "rotation"):
        raise ValueError(f"a {kind!r:.20}, where tiles are polygons or rectangles")
    if kind == "rectangle" and len(points) == 2:
        (xs, ys) = zip(*points, strict=True)
        return [Box(found, upright(min(xs), min(ys), max(xs), max(ys)), origin="corrected")]
    return [Box(found, four_corners(points), origin="corrected")]
