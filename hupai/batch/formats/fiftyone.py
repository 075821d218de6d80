"""FiftyOne's own layout (``FiftyOneImageDetectionDataset``): ``data/`` with the pictures, ``labels.json``.

``fiftyone.Dataset.from_dir("fiftyone", dataset_type=fiftyone.types.FiftyOneImageDetectionDataset)`` reads it. Boxes are
upright there; the corners of the tile are an attribute of each.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hupai.batch.formats.base import Stems, Target, bounds, clipped
from hupai.batch.records import Record


class FiftyOneWriter:
    """Writes ``fiftyone/``."""

    def __init__(self, target: Target) -> None:
        self._folder, self._target = target.folder / "fiftyone", target
        self._stems = Stems()
        self._folder.mkdir()
        self._file = (self._folder / "labels.json").open("w", encoding="utf-8")
        # Without "classes" the labels are names; with it they would have to be numbers.
        self._file.write(f'{{"info": {json.dumps(target.made.to_json(), ensure_ascii=False)},\n"labels": {{')
        self._count = 0

    def add(self, record: Record) -> None:
        """Add the detections of a picture under its name without suffix."""
        stem = self._stems.of(record.image)
        if self._target.put is not None:
            self._target.put(record.image, self._folder / "data" / f"{stem}{Path(record.image).suffix}")
        text = json.dumps(self._detections(record), ensure_ascii=False, separators=(",", ":"))
        self._file.write(f"{',' if self._count else ''}\n{json.dumps(stem, ensure_ascii=False)}: {text}")
        self._count += 1

    def close(self) -> None:
        """End the file."""
        self._file.write("\n}}\n")
        self._file.close()

    def _detections(self, record: Record) -> list[dict[str, Any]]:
        w, h = record.width, record.height
        found = []
        for name, box in self._target.labelled(record):
            points = clipped(box, w, h)
            x0, y0, x1, y1 = bounds(points)
            place = [round(v, 6) for v in (x0 / w, y0 / h, (x1 - x0) / w, (y1 - y0) / h)]
            corners = [[round(x / w, 6), round(y / h, 6)] for x, y in points]
            found.append({"label": name, "bounding_box": place, "confidence": box.confidence,
                          "attributes": {"corners": corners, "origin": box.origin}})  # fmt: skip
        return found
