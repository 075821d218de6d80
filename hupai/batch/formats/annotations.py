"""The project's photo annotations, a JSON file beside each image: what the server keeps of corrections."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hupai.batch.formats.base import Labels, Stems, Target, malformed, read_json
from hupai.batch.records import Box, Corners, Record


class AnnotationWriter:
    """Writes ``annotations/``: a JSON file a picture, as ``scripts/evaluate.py`` reads them."""

    def __init__(self, target: Target) -> None:
        self._folder = target.folder / "annotations"
        self._stems = Stems()
        self._made = target.made
        self._folder.mkdir()

    def add(self, record: Record) -> None:
        """The file of a picture."""
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
            "ignore": [],
            "version": self._made.version,
            "models": dict(record.models),
            "options": dict(self._made.options),
        }
        path.write_text(json.dumps(out, ensure_ascii=False) + "\n", encoding="utf-8")

    def close(self) -> None:
        """Nothing is left to do."""


def is_annotation(given: Any) -> bool:
    """Whether a JSON value is a photo annotation."""
    return isinstance(given, dict) and "image" in given and isinstance(given.get("tiles"), list)


def read_annotations(folder: Path, labels: Labels) -> list[Record]:
    """The records of a folder of annotated photos, or of one annotation.

    Raises:
        LabelError: a file that makes no sense, or labels that are no tiles.
    """
    records = []
    paths = [folder] if folder.is_file() else sorted(folder.rglob("*.json"))
    for path in paths:
        given = read_json(path)
        if not is_annotation(given):
            continue
        inner = "" if folder.is_file() else path.parent.relative_to(folder).as_posix()
        try:
            boxes = tuple(b for t in given["tiles"] for b in _boxes(t, labels))
            name = str(given["image"]) if inner in ("", ".") else f"{inner}/{given['image']}"
            models = given.get("models")
            records.append(
                Record(
                    name,
                    int(given["width"]),
                    int(given["height"]),
                    boxes,
                    models=dict(models) if isinstance(models, dict) else {},
                )
            )
        except (KeyError, TypeError, ValueError) as error:
            raise malformed(path, "this annotation", error) from None
    labels.check(folder)
    return records


def _boxes(given: dict[str, Any], labels: Labels) -> list[Box]:
    found = labels.tile(str(given["label"]))
    if found is None:
        return []
    a, b, c, d = ((float(x), float(y)) for x, y in given["corners"])
    corners: Corners = (a, b, c, d)
    return [Box(found, corners, origin="corrected")]
