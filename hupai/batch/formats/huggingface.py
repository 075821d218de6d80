"""A folder for Hugging Face datasets (``imagefolder``): pictures and ``metadata.jsonl`` per part, and the dataset card.

``datasets.load_dataset("imagefolder", data_dir="huggingface")`` reads it. ``objects`` has, tile by tile, ``bbox`` (x,
y, width, height in pixels), ``categories`` (class numbers), ``labels`` (their names), ``corners`` and ``confidence``.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import yaml

from hupai.batch.formats.base import Stems, Target, bounds, clipped
from hupai.batch.records import Record
from hupai.batch.split import chosen_by_photo

_PARTS: Final = ("train", "validation")
_SIZES: Final = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))


class HuggingFaceWriter:
    """Writes ``huggingface/``."""

    def __init__(self, target: Target) -> None:
        self._folder, self._target = target.folder / "huggingface", target
        self._stems = Stems()
        for part in _PARTS:
            (self._folder / part).mkdir(parents=True)
        self._lists = [(self._folder / part / "metadata.jsonl").open("w", encoding="utf-8") for part in _PARTS]
        self._pictures, self._tiles, self._looked_at = [0, 0], 0, 0

    def add(self, record: Record) -> None:
        """Add one line, and the picture if wanted."""
        number = chosen_by_photo(record.image)
        name = f"{self._stems.of(record.image)}{Path(record.image).suffix}"
        if self._target.put is not None:
            self._target.put(record.image, self._folder / _PARTS[number] / name)
        line = {"file_name": name, "width": record.width, "height": record.height, "objects": self._objects(record)}
        self._lists[number].write(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n")
        self._pictures[number] += 1

    def close(self) -> None:
        """End the lists and write the card; a part without pictures is removed."""
        for file, part, count in zip(self._lists, _PARTS, self._pictures, strict=True):
            file.close()
            if not count:
                (self._folder / part / "metadata.jsonl").unlink()
                (self._folder / part).rmdir()
        (self._folder / "README.md").write_text(self._card(), encoding="utf-8")

    def _objects(self, record: Record) -> dict[str, list[Any]]:
        out: dict[str, list[Any]] = {k: [] for k in ("bbox", "categories", "labels", "corners", "confidence")}
        names = {name: i for i, name in enumerate(self._target.classes.names)}
        for name, box in self._target.labelled(record):
            points = clipped(box, record.width, record.height)
            x0, y0, x1, y1 = bounds(points)
            out["bbox"].append([round(v, 1) for v in (x0, y0, x1 - x0, y1 - y0)])
            out["categories"].append(names[name])
            out["labels"].append(name)
            out["corners"].append([round(v, 1) for p in points for v in p])
            out["confidence"].append(box.confidence)
            self._tiles += 1
            self._looked_at += box.origin != "read"
        return out

    def _card(self) -> str:
        count = sum(self._pictures)
        header = {
            "pretty_name": "Mahjong tiles",
            "task_categories": ["object-detection"],
            "tags": ["mahjong", "hupai"],
            "size_categories": [next((name for most, name in _SIZES if count < most), "n>1M")],
        }
        names = ", ".join(f"{i} {name}" for i, name in enumerate(self._target.classes.names))
        return f"""---
{yaml.safe_dump(header, sort_keys=False, allow_unicode=True)}---
# Mahjong tiles

{count} pictures ({self._pictures[0]} for training, {self._pictures[1]} for validation) with {self._tiles} tiles.

**Labels.** Made with {self._target.made}. People looked at {self._looked_at} of the tiles; the others are as the
networks read them, `confidence` says how surely. The parts share no photo and no version of one, but they may share a
tile set.

**Fields.** `objects`, tile by tile: `bbox` (x, y, width, height, pixels), `corners` (four points, clockwise from the
top-left one of the tile's picture as it is meant to be read), `categories` and `labels` (the class's number and name),
`confidence` (0 to 1; none where a person said so).

**Classes.** {names}

**Before you publish it**: say here whose pictures these are and under which licence, add `license:` to the lines above,
and see that nobody is in them who did not agree.
"""
