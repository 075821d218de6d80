"""A photo -> quads of printed tile faces: the network, sizes to look at, non-maximum suppression."""

from __future__ import annotations

from vision.detect.detector import QuadDetector, ScoredQuads
from vision.detect.nms import non_maximum_suppression
from vision.detect.scales import search_photo

__all__ = ["QuadDetector", "ScoredQuads", "non_maximum_suppression", "search_photo"]
