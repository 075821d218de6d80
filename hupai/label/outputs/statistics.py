"""Statistics of a set of labels: counts by class, confidences, failures."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Final

from hupai.label.classes import CODES
from hupai.label.records import Record

BINS: Final = 20
"""Bars of the confidence histogram."""


@dataclass(slots=True)
class Statistics:
    """Adds up records; equal sets give equal numbers in whatever order they are added."""

    pictures: int = 0
    empty: int = 0
    tiles: int = 0
    duplicates: int = 0
    kept: int = 0
    paged: int = 0
    tiles_left_out: int = 0
    classes: Counter[str] = field(default_factory=Counter)
    failures: Counter[str] = field(default_factory=Counter)
    origins: Counter[str] = field(default_factory=Counter)
    histogram: list[int] = field(default_factory=lambda: [0] * BINS)
    doubt: float = 0.0
    models: set[str] = field(default_factory=set)

    def add(self, record: Record) -> None:
        """Add a record."""
        if record.error is not None:
            self.failures[record.error[0]] += 1
            return
        self.pictures += 1
        self.empty += not record.boxes
        self.paged += record.pages > 1
        self.tiles += len(record.boxes)
        self.models.add(record.model)
        for box in record.boxes:
            self.classes[box.tile.code] += 1
            self.origins[box.origin] += 1
            self.doubt += box.doubt
            if box.confidence is not None:
                self.histogram[min(BINS - 1, int(box.confidence * BINS))] += 1

    def to_json(self) -> dict[str, Any]:
        """All figures, with the classes in their fixed order, including those without a tile."""
        return {
            "pictures": self.pictures,
            "pictures_without_tiles": self.empty,
            "pictures_failed": sum(self.failures.values()),
            "pictures_copied": self.duplicates,
            "pictures_kept": self.kept,
            "pictures_of_many_pages": self.paged,
            "tiles": self.tiles,
            "tiles_left_out": self.tiles_left_out,
            "tiles_probably_wrong": round(self.doubt, 2),
            "models": sorted(m for m in self.models if m),
            "classes": {code: self.classes[code] for code in CODES},
            "confidence_histogram": list(self.histogram),
            "failures": dict(sorted(self.failures.items())),
            "origins": dict(sorted(self.origins.items())),
        }
