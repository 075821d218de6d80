"""A photo -> quads of printed tile faces: the network, the sizes to look at, non-maximum suppression."""

from __future__ import annotations

from vision.detect.detector import QuadDetector, ScoredQuads
from vision.detect.nms import non_maximum_suppression
from vision.detect.scales import search

__all__ = ["QuadDetector", "ScoredQuads", "non_maximum_suppression", "search"]
