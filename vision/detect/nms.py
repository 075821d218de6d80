"""Non-maximum suppression of quads."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from vision.device import ScoredQuad
from vision.geometry import Bounds, bounds, overlap_ratios, signed_area

MAX_COVERED_SHARE: Final = 0.5
"""The NMS threshold: a quad is suppressed when it and a better one share at least this much of the smaller of the two.
IoU would miss a cut-off quad inside a whole one, where it is small; tiles side by side hardly overlap at all."""


def non_maximum_suppression(found: Iterable[ScoredQuad]) -> list[ScoredQuad]:
    """Those to keep: greedily the best first, none that covers a better one; the first of equals counts as better."""
    kept: list[tuple[Bounds, float, ScoredQuad]] = []
    for one in sorted(found, key=lambda one: -one.score):
        x0, y0, x1, y1 = box = bounds(one.quad)
        area = abs(signed_area(one.quad))
        # Two quads share no more than the boxes around them: most neighbours need no exact look.
        near = [
            k.quad
            for (a0, b0, a1, b1), size, k in kept
            if (across := min(x1, a1) - max(x0, a0)) > 0
            and (down := min(y1, b1) - max(y0, b0)) > 0
            and across * down >= MAX_COVERED_SHARE * min(area, size)
        ]
        if all(overlap_ratios(one.quad, quad)[1] < MAX_COVERED_SHARE for quad in near):
            kept.append((box, area, one))
    return [one for _, _, one in kept]
