"""Ranks the pictures that a person should look at first."""

from __future__ import annotations

from typing import Any, Final

from hupai.label.records import Record
from vision.reading import SURE

MAX_PICTURES: Final = 10_000
"""Pictures in the list of the worst."""
MIN_LOCATED: Final = 0.75
"""Below this score of the detector, a find may not be a tile at all."""
COPIES: Final = 4
_BONUS_COPIES: Final = {"f": 1, "g": 1, "a": 1}


class WorstRanking:
    """Keeps the pictures whose labels are most probably wrong."""

    def __init__(self, max_pictures: int = MAX_PICTURES) -> None:
        self._max_pictures = max_pictures
        self._pictures: list[tuple[float, str, dict[str, Any]]] = []

    def add(self, record: Record) -> None:
        """Add a picture."""
        row = {
            "image": record.image,
            "doubt": round(record.doubt, 4),
            "tiles": len(record.boxes),
            "unsure": sum(b.confidence is not None and b.confidence < SURE for b in record.boxes),
            "least": min((b.confidence for b in record.boxes if b.confidence is not None), default=None),
            "why": "; ".join(reasons(record)),
        }
        self._pictures.append((-record.doubt, record.image, row))
        if len(self._pictures) >= 2 * self._max_pictures:
            self._drop_others()

    def pictures(self) -> list[dict[str, Any]]:
        """The worst first; equally bad ones by name."""
        self._drop_others()
        return [row for _, _, row in self._pictures]

    def _drop_others(self) -> None:
        self._pictures.sort(key=lambda entry: entry[:2])
        del self._pictures[self._max_pictures :]


def reasons(record: Record) -> list[str]:
    """Return what is wrong or doubtful about a picture's labels, in words."""
    if not record.boxes:
        return ["no tile found"]
    found = []
    unsure = [b for b in record.boxes if b.confidence is not None and b.confidence < SURE]
    if unsure:
        found.append(f"{len(unsure)} of {len(record.boxes)} below {SURE:.0%}")
    faint = sum(b.located is not None and b.located < MIN_LOCATED for b in record.boxes)
    if faint:
        found.append(f"{faint} perhaps no tile")
    counts: dict[str, int] = {}
    for box in record.boxes:
        # Red fives count as fives.
        code = f"5{box.tile.suit}" if box.tile.red else box.tile.code
        counts[code] = counts.get(code, 0) + 1
    many = [f"{n} x {code}" for code, n in counts.items() if code != "back" and n > _BONUS_COPIES.get(code[0], COPIES)]
    if many:
        found.append(f"more than a set has: {', '.join(many)}")
    return found
