"""Several searches of one photo -> the tiles found, and how many of the searches found each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from vision.detect.detector import ScoredQuads
from vision.detect.nms import non_maximum_suppression
from vision.geometry import BoolArray, align_corners, boxes_overlap, overlap_ratios, tile_sizes
from vision.reading import FloatArray

MIN_OVERLAP: Final = 0.5
"""IoU from which two searches have found the same tile."""


@dataclass(frozen=True, slots=True)
class Consensus:
    """The tiles that several searches found, those first for which the sum of scores is highest.

    Attributes:
        quads: (n, 4, 2) float32 pixels, clockwise, first edge a short one: the means of the quads found.
        scores: (n,) float32 mean score of the searches that found the tile, 0-1.
        found: (n, searches) bool, which searches found it.
        by_search: (n, searches, 4, 2) float32 what each of them found, with corners in the order of ``quads``; of no
            meaning where it found nothing.
    """

    quads: FloatArray
    scores: FloatArray
    found: BoolArray
    by_search: FloatArray

    @classmethod
    def from_searches(cls, searches: Sequence[ScoredQuads], most: int) -> Consensus:
        """What one or more searches found, at most ``most`` tiles; quads that IoU calls the same count as one."""
        quads = np.concatenate([search.quads for search in searches])
        same = np.where(_same(quads), np.concatenate([search.scores for search in searches]), 0)
        scores, members = (np.zeros((len(quads), len(searches)), dtype) for dtype in (np.float64, np.intp))
        start = 0
        for k, search in enumerate(searches):
            if len(search):
                mine = same[:, start : start + len(search)]
                scores[:, k], members[:, k] = mine.max(axis=1), start + mine.argmax(axis=1)
            start += len(search)
        keep = non_maximum_suppression(quads, scores.sum(axis=1))[:most]
        found = scores[keep] > 0
        by_search = align_corners(quads[members[keep]], quads[keep][:, None])
        count = found.sum(axis=1)
        mean = (by_search * found[..., None, None]).sum(axis=1) / count[:, None, None]
        score = scores[keep].sum(axis=1) / count
        return cls(np.asarray(mean, np.float32), np.asarray(score, np.float32), found, by_search)

    def __len__(self) -> int:
        return len(self.quads)

    @property
    def support(self) -> FloatArray:
        """(n,) float32 share of the searches that found each tile."""
        return np.asarray(self.found.mean(axis=1), np.float32)


def _same(quads: FloatArray) -> BoolArray:
    """(n, n) whether two quads show the same tile."""
    middles, side = quads.mean(axis=1), tile_sizes(quads)
    apart = np.linalg.norm(middles[:, None] - middles[None], axis=2)
    same = np.eye(len(quads), dtype=bool)
    # The middles of quads that share so much are less than a side apart: most neighbours need no polygons.
    for i, j in np.argwhere(np.triu(boxes_overlap(quads, quads) & (apart < side[:, None]), 1)):
        same[i, j] = same[j, i] = overlap_ratios(quads[i], quads[j])[0] >= MIN_OVERLAP
    return same
