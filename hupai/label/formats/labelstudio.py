"""Label Studio: tasks with predictions to correct, and its JSON export with what people drew.

``labelstudio.json`` is imported into a project that has ``labelstudio.xml`` as its labelling configuration. Shapes are
polygons of four points, in per cent of the picture's size, in the project's order of corners.
"""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote
from xml.sax.saxutils import quoteattr

from hupai.label.classes import ALL, Classes
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
from hupai.label.formats.coco import rotate_corners
from hupai.label.formats.format import Format, ImportContext, Target
from hupai.label.formats.json_list import entries, is_list
from hupai.label.records import Box, Record
from vision.geometry import Quad, bounds

_LABELS: Final = ("polygonlabels", "rectanglelabels", "labels")
_SHAPES: Final = ("polygon", "rectangle")
_REMARKS: Final = (
    "choices", "datetime", "number", "pairwise", "ranker", "rating", "relation", "taxonomy", "textarea",
)  # fmt: skip
_HUES: Final = {"m": 0, "p": 210, "s": 120, "z": 40, "f": 300, "g": 270, "a": 180, "b": 0}


class LabelStudioWriter:
    """Writes ``labelstudio.json`` and ``labelstudio.xml``."""

    def __init__(self, target: Target) -> None:
        self._file = (target.folder / "labelstudio.json").open("w", encoding="utf-8")
        (target.folder / "labelstudio.xml").write_text(set_up(target.classes, boxes=target.boxes), encoding="utf-8")
        self._url = target.image_url or "/data/local-files/?d="
        self._made = {"version": target.made.version, "options": dict(target.made.options)}
        self._count = 0
        self._target = target

    def add(self, record: Record) -> None:
        """Add a task with its prediction."""
        self._count += 1
        self._file.write("[\n" if self._count == 1 else ",\n")
        self._file.write(json.dumps(self._task(record), ensure_ascii=False, separators=(",", ":")))

    def close(self) -> None:
        """End the list."""
        self._file.write("\n]\n" if self._count else "[]\n")
        self._file.close()

    def _task(self, record: Record) -> dict[str, Any]:
        scores = [b.confidence for b in record.boxes if b.confidence is not None]
        draw = rectangle if self._target.boxes else polygon
        prediction = {
            "model_version": record.model or "hupai",
            # The lowest of them: Label Studio sorts by a task's score, and one bad tile is worth a look.
            "score": min(scores, default=0.0),
            "result": [draw(record, name, b, i) for i, (name, b) in enumerate(self._target.boxes_by_class(record))],
        }
        data = {"image": self._url + quote(record.image), "name": record.image}
        return {"data": data, "meta": self._made, "predictions": [prediction]}


def polygon(record: Record, name: str, box: Box, index: int) -> dict[str, Any]:
    """Return a box as a polygon of a Label Studio prediction."""
    points = [
        [round(100 * x / record.width, 4), round(100 * y / record.height, 4)]
        for x, y in clip_corners(box.corners, record.width, record.height)
    ]
    return _region(record, box, index, "polygonlabels", {"points": points, "polygonlabels": [name], "closed": True})


def rectangle(record: Record, name: str, box: Box, index: int) -> dict[str, Any]:
    """Return a box as a rectangle of a Label Studio prediction: the upright one around its corners."""
    x0, y0, x1, y1 = bounds(clip_corners(box.corners, record.width, record.height))
    place = {
        "x": round(100 * x0 / record.width, 4),
        "y": round(100 * y0 / record.height, 4),
        "width": round(100 * (x1 - x0) / record.width, 4),
        "height": round(100 * (y1 - y0) / record.height, 4),
        "rotation": 0,
    }
    return _region(record, box, index, "rectanglelabels", {**place, "rectanglelabels": [name]})


def _region(record: Record, box: Box, index: int, kind: str, value: Mapping[str, Any]) -> dict[str, Any]:
    checked = " ".join(f"{t.code} {p:.0%}" for t, p in box.alternatives)
    return {
        "id": f"tile{index}",
        "type": kind,
        "from_name": "tile",
        "to_name": "image",
        "origin": "prediction",
        "original_width": record.width,
        "original_height": record.height,
        "image_rotation": 0,
        "value": dict(value),
        **({} if box.confidence is None else {"score": box.confidence}),
        **({"meta": {"text": [f"or {checked}"]}} if checked else {}),
    }


def set_up(classes: Classes = ALL, *, boxes: bool = False) -> str:
    """Return the labelling configuration of a project: every tile as the label of a polygon, or of a rectangle."""
    tool = "RectangleLabels" if boxes else "PolygonLabels"
    lines = []
    for name, t in classes:
        colour = "#555555" if t.suit == "b" else _colour(_HUES[t.suit], t.number)
        lines.append(f'    <Label value={quoteattr(name)} background="{colour}" hint={quoteattr(t.name)}/>')
    return (
        '<View>\n  <Image name="image" value="$image" zoom="true" zoomControl="true"/>\n'
        f'  <{tool} name="tile" toName="image" strokeWidth="2" showInline="true">\n'
        + "\n".join(lines)
        + f"\n  </{tool}>\n</View>\n"
    )


def _colour(hue: int, step: int) -> str:
    import colorsys

    r, g, b = colorsys.hls_to_rgb(((hue + 3 * step) % 360) / 360, 0.35 + 0.03 * step, 0.75)
    return f"#{round(255 * r):02x}{round(255 * g):02x}{round(255 * b):02x}"


def read_labelstudio(path: Path, context: ImportContext) -> Iterator[Record]:
    """Yield the records of an export ("JSON"): the last annotation of each task; skipped tasks are left out.

    Tasks that nobody has finished are left out, too, whatever was predicted for them. A task that has not been in Label
    Studio, as we write it, has no list of annotations: its prediction is what was read. One task at a time is in
    memory. An export has no sizes of pictures without shapes: the context has to know them.

    Raises:
        LabelError: no such export, or a picture of unknown size; nobody has finished any of its tasks.
    """
    with open_text(path) as file:
        if not is_list(file):
            raise LabelError(
                f"{path} is not a Label Studio export: it must be a list of tasks (export as JSON, not JSON-MIN)."
            )
        file.seek(0)
        tasks, finished = entries(file), False
        for number in itertools.count(1):
            try:
                task = next(tasks)
            except StopIteration:
                break
            except (ValueError, RecursionError) as error:
                raise json_error(path, error) from None
            try:
                records = _records(task, context)
            except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
                raise invalid_file_error(path, _task_of_export(task, number), error) from None
            finished = finished or bool(records)
            yield from records
        if not finished:
            raise LabelError(f"{path} has no task that was submitted in Label Studio: submit some, and export again.")


def _task_of_export(task: Any, number: int) -> str:
    """Return what a task is called in messages: its id, or its place in the file, and its picture."""
    try:
        return f"task {task.get('id', number)} ({_name(task)})"
    except (KeyError, TypeError, AttributeError):
        return f"task {number} of this Label Studio export"


def _records(task: Mapping[str, Any], context: ImportContext) -> list[Record]:
    if "data" not in task:
        raise ValueError("its tasks have no data, as in JSON-MIN: export as JSON")
    annotations = task.get("annotations") or []
    if any(not isinstance(a, Mapping) for a in annotations):
        raise ValueError("it names its annotations by number only: export as JSON, with annotations")
    done = _valid_annotations(task)
    if "annotations" in task and not done:
        return []
    checked = bool(done)
    read = (p for p in task.get("predictions") or [] if isinstance(p, Mapping))
    chosen = max(done, key=_weight) if done else next(read, None)
    if chosen is None:
        return []
    shapes = _shapes(chosen)
    sizes = {(int(r["original_width"]), int(r["original_height"])) for r in shapes}
    if len(sizes) > 1:
        raise ValueError("its shapes are of two picture sizes")
    boxes = [b for r in shapes for b in _box(r, context, checked)]
    name = _name(task)
    if not sizes:
        return [Record(name, *context.measure(name, None, None))]
    return [Record(name, *sizes.pop(), tuple(boxes))]


def checked_boxes(task: Mapping[str, Any], context: ImportContext) -> list[Box]:
    """Return the tiles that somebody drew last in a task; empty if nobody did, or all was skipped.

    Raises:
        KeyError, TypeError, ValueError, AttributeError, IndexError: it is not such a task.
    """
    done = _valid_annotations(task)
    if not done:
        return []
    return [b for r in _shapes(max(done, key=_weight)) for b in _box(r, context, checked=True)]


def _valid_annotations(task: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [a for a in task.get("annotations") or [] if not a.get("was_cancelled")]


def _shapes(annotation: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the regions with a label.

    A set-up with ``<Labels>`` gives a shape and its label in two regions of one id, each with the whole place. What
    says something about the picture or a region (``choices``, ``rating``) is not a region.

    Raises:
        ValueError: a region that is neither a polygon nor a rectangle, or has no label.
    """
    labelled = [r for r in annotation["result"] if r.get("type") in _LABELS]
    named = {r.get("id") for r in labelled}
    for region in annotation["result"]:
        kind = str(region.get("type"))
        if kind in _SHAPES and region.get("id") not in named:
            raise ValueError(f"a {kind} without a label")
        if kind not in (*_LABELS, *_SHAPES, *_REMARKS):
            raise ValueError(f"a region of type {kind}, where tiles are polygons or rectangles")
    return labelled


def _weight(annotation: Mapping[str, Any]) -> tuple[bool, str, int]:
    """Sort key: the ground truth first, then the latest change."""
    return (
        bool(annotation.get("ground_truth")),
        str(annotation.get("updated_at") or annotation.get("created_at") or ""),
        int(annotation.get("id") or 0),
    )


def _name(task: Mapping[str, Any]) -> str:
    """Return the picture's name: the task's own if it has one, else the end of its address."""
    data = task["data"]
    if isinstance(data.get("name"), str):
        return str(data["name"])
    return picture_name(str(data["image"]))


def _box(region: Mapping[str, Any], context: ImportContext, checked: bool) -> Iterable[Box]:
    value, kind = region["value"], region["type"]
    names = value.get(kind) or []
    if "points" not in value and "width" not in value:
        raise ValueError("a region that is neither a polygon nor a rectangle")
    if len(names) != 1:
        raise ValueError(f"a shape with {len(names)} labels")
    found = context.tile(str(names[0]))
    if found is None:
        return []
    width, height = float(region["original_width"]), float(region["original_height"])
    confidence = None if checked else region.get("score")
    corners = _polygon(value, width, height) if "points" in value else _rectangle(value, width, height)
    return [Box(found, corners, confidence, origin="corrected" if checked else "read")]


def _polygon(value: Mapping[str, Any], width: float, height: float) -> Quad:
    return four_corners([(float(x) * width / 100, float(y) * height / 100) for x, y in value["points"]])


def _rectangle(value: Mapping[str, Any], width: float, height: float) -> Quad:
    """Return a rectangle turned about its top-left corner, in pixels, by ``rotation`` degrees clockwise."""
    x, w = (float(value[k]) * width / 100 for k in ("x", "width"))
    y, h = (float(value[k]) * height / 100 for k in ("y", "height"))
    return rotate_corners(upright_corners(x, y, x + w, y + h), (x, y), math.radians(float(value.get("rotation") or 0)))


LABELSTUDIO: Final = Format(
    name="labelstudio",
    description="Label Studio tasks with predictions, and the labelling set-up of their project",
    files=("labelstudio.json", "labelstudio.xml"),
    write=LabelStudioWriter,
    read=read_labelstudio,
    sniff=lambda given: isinstance(given.json, list),
    tells_checked=True,
)
