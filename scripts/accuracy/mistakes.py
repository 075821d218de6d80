"""What is read wrong, by kind: tiles that are taken for others, not detected, seen where there is none, or turned."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

import numpy as np

from datasets.labels import TURN_SYMMETRIC
from scripts.accuracy.matching import PhotoResult
from scripts.accuracy.truth import group_of
from vision.arrays import FloatArray, to_quad
from vision.geometry import Quad, extent

MOST_MISTAKES: Final = 12
"""Kinds of mistakes that are printed, the most frequent ones."""
MOST_TURNED: Final = 4
"""Labels whose turns are printed by themselves."""


def count_mistakes(results: Sequence[PhotoResult]) -> dict[str, str]:
    """How often each kind of mistake was made: "backs read as dots" -> "15", the most frequent first."""
    found = Counter[str]()
    for result in results:
        found.update(_mistake(t.truth.label, t.seen.tile.code if t.seen else None) for t in result.tiles if not t.right)
        found.update(f"{group_of(s.tile.code)} where there is none" for s in result.false_alarms)
    return {kind: str(count) for kind, count in found.most_common(MOST_MISTAKES)}


def _mistake(true: str, read: str | None) -> str:
    if read is None:
        return f"{group_of(true)} not detected"
    if group_of(true) == group_of(read):
        return f"{group_of(true)} read as another"
    return f"{group_of(true)} read as {group_of(read)}"


def count_wrong_turns(results: Sequence[PhotoResult]) -> dict[str, str]:
    """How many of the tiles that are right are said to lie another way than they do: by label, and all the others.

    Only annotations by quads tell the way. Of a face that looks the same upside down only quarter turns count, and only
    if it was annotated taller than wide, as tiles are: many a six of bamboo was annotated sideways.
    """
    there, wrong = Counter[str](), Counter[str]()
    for tile in (t for r in results for t in r.tiles if t.right and t.truth.quad):
        assert tile.seen is not None
        label, alike = tile.truth.label, tile.truth.label in TURN_SYMMETRIC
        width, height = extent(to_quad(tile.truth.corners))
        if alike and width > height:
            continue
        turns = quarter_turns(tile.seen.corners, tile.truth.corners)
        there[label] += 1
        wrong[label] += bool(turns % 2 if alike else turns)
    often = [label for label, count in wrong.most_common(MOST_TURNED) if count]
    counts = {f"turn of {label}": f"wrong in {wrong[label]} of {there[label]}" for label in often}
    total, rest = there.total(), [label for label in there if label not in often]
    others = {"turn of all others": f"wrong in {sum(wrong[x] for x in rest)} of {sum(there[x] for x in rest)}"}
    return counts | others if total else {}


def quarter_turns(corners: Quad, true: FloatArray) -> int:
    """How many quarter turns (0-3) lie between two (4, 2) quads on one tile."""
    apart = [float(np.linalg.norm(np.roll(corners, -k, axis=0) - true, axis=1).sum()) for k in range(4)]
    return int(np.argmin(apart))
