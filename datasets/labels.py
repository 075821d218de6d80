"""The classifier's labels, in the order of its outputs."""

from __future__ import annotations

from typing import Final

from scoring.tiles import PLAIN

FACES: Final[tuple[str, ...]] = (
    *(t.code for t in PLAIN[:34]),
    "0m",
    "0p",
    "0s",
    *(t.code for t in PLAIN[34:46]),
    "joker",
)
"""The 50 printed faces: 34 kinds, red fives, flowers, seasons, animals, a joker."""

BONUS: Final = tuple(face for face in FACES if face[0] in "fga")
"""Flowers, seasons and animals."""

BACK: Final = "back"
NONE: Final = "none"
LABELS: Final[tuple[str, ...]] = (*FACES, BACK, NONE)
"""All labels: printed faces, a face-down tile, and "not a clean face"."""

INDEX: Final[dict[str, int]] = {label: i for i, label in enumerate(LABELS)}

TURN_SYMMETRIC: Final[frozenset[str]] = frozenset(
    ["1p", "2p", "4p", "5p", "0p", "8p", "9p", "2s", "4s", "5s", "0s", "6s", "8s", "9s", "5z", "back", "none"]
)
"""Labels whose face (in most sets) looks the same upside down: only whether they lie is taught and scored."""
