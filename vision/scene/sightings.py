"""The detections of a photo that are tiles, as sightings."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vision.arrays import BoolArray, to_quad
from vision.classify.classifier import Classifier
from vision.classify.colour import shows_colour, without_colour
from vision.reading import Sighting
from vision.scene.detections import Detections


def to_sightings(seen: Detections, keep: BoolArray, classifier: Classifier) -> list[Sighting]:
    """The detections that the (n,) mask ``keep`` selects; their corners start at the tile picture's top-left one.

    Where the picture has no colour, they are undecided about red fives and blank faces.
    """
    if not shows_colour(seen.crops[keep]):
        seen = replace(seen, probabilities=without_colour(seen.probabilities, classifier.columns))
    return [_to_sighting(seen, i, classifier) for i in np.flatnonzero(keep).tolist()]


def _to_sighting(seen: Detections, i: int, classifier: Classifier) -> Sighting:
    chances = zip(classifier.tiles, seen.probabilities[i].tolist(), strict=True)
    posterior = {t: p for t, p in chances if t is not None}
    best = max(posterior, key=posterior.__getitem__)
    corners = to_quad(np.roll(seen.quads[i], -int(seen.turns[i]), axis=0))
    return Sighting(
        corners, best, posterior[best], posterior, float(seen.located[i]), tuple(seen.embeddings[i].tolist())
    )
