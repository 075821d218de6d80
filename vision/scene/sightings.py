"""The detections of a photo that are tiles, as sightings."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from vision.classify.colour import MIN_COLOUR_DEVIATION, RED_EDGES, with_red_edges, without_colour
from vision.metadata import ClassifierMetadata
from vision.reading import Sighting
from vision.scene.detections import Detection


def to_sightings(tiles: Sequence[Detection], classifier: ClassifierMetadata) -> list[Sighting]:
    """The detections of one photo that are tiles; their corners start at the tile picture's top-left one.

    Where the picture has no colour, they are undecided about red fives and blank faces, and about a five of dots that
    is read as a plain one where its outer dots show red.
    """
    grey = bool(tiles) and fmean(one.coloured for one in tiles) < MIN_COLOUR_DEVIATION
    sightings = []
    for one in tiles:
        chances, of = one.probabilities, classifier.columns
        if grey:
            chances = without_colour(chances, of)
        elif one.redder >= RED_EDGES and max(range(len(chances)), key=chances.__getitem__) == of.dots[1]:
            chances = with_red_edges(chances, of)
        posterior = {t: p for t, p in zip(classifier.tiles, chances, strict=True) if t is not None}
        best = max(posterior, key=posterior.__getitem__)
        a, b, c, d = *one.quad[one.turns :], *one.quad[: one.turns]
        sightings.append(Sighting((a, b, c, d), best, posterior[best], posterior, one.located, tuple(one.embedding)))
    return sightings
