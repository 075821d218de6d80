"""What detector and classifier report for one photo."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress
from statistics import fmean

from vision.classify.colour import MIN_COLOUR_DEVIATION, RED_EDGES, with_red_edges, without_colour
from vision.device import DeviceCrops
from vision.geometry import Quad
from vision.metadata import ClassifierMetadata
from vision.reading import Sighting


@dataclass(frozen=True, slots=True)
class Detection:
    """What may be a tile.

    Attributes:
        quad: pixels of the upright original, clockwise, first edge a short one.
        located: score of the detector, 0-1.
        spread: how far the detector's cells disagree, see :class:`vision.detect.nms.ScoredQuad`.
        stretch: of the look that found it, see :class:`vision.device.ScoredQuad`.
        probabilities: of the classifier's classes, summing to 1.
        turns: quarter turns that bring the picture's top-left corner to the first place.
        embedding: D numbers of the classifier.
        colours: 23 numbers, see :meth:`vision.device.DeviceCrops.colours`.
        darker: how much darker the print is than the tile around it, grey levels; negative where it is lighter.
        coloured: how far the crop's colours differ, grey levels.
        redder: how much redder than the tile all four outer dots of a five are at least, if it is one, grey levels.
    """

    quad: Quad
    located: float
    spread: float
    stretch: float
    probabilities: Sequence[float]
    turns: int
    embedding: Sequence[float]
    colours: Sequence[float]
    darker: float
    coloured: float
    redder: float


@dataclass(frozen=True, slots=True)
class Detections:
    """What detector and classifier report for one photo, the surest first; which are tiles is decided later.

    Attributes:
        found: the detections.
        crops: on the device, one for each of them, upright or turned by quarters.
        width, height: of the photo, pixels.
        negative: whether they were found in and cut from the photo's negative.
    """

    found: Sequence[Detection]
    crops: DeviceCrops
    width: int
    height: int
    negative: bool = False

    def __len__(self) -> int:
        return len(self.found)


def to_sightings(tiles: Sequence[Detection], classifier: ClassifierMetadata) -> list[Sighting]:
    """The detections of one photo that are tiles; their corners start at the tile picture's top-left one.

    Where the picture has no colour, they are undecided about red fives and blank faces, and about a five of dots that
    is read as a plain one where its outer dots show red: rather a red one where another five shows none.
    """
    of = classifier.columns
    grey = bool(tiles) and fmean(one.coloured for one in tiles) < MIN_COLOUR_DEVIATION
    plain = [max(range(len(one.probabilities)), key=one.probabilities.__getitem__) == of.dots[1] for one in tiles]
    least_red = min((one.redder for one in compress(tiles, plain)), default=0.0)
    sightings = []
    for one, is_plain in zip(tiles, plain, strict=True):
        chances = one.probabilities
        if grey:
            chances = without_colour(chances, of)
        elif is_plain and one.redder >= RED_EDGES:
            chances = with_red_edges(chances, of, likelier_red=one.redder - least_red >= RED_EDGES)
        posterior = {t: p for t, p in zip(classifier.tiles, chances, strict=True) if t is not None}
        best = max(posterior, key=posterior.__getitem__)
        a, b, c, d = *one.quad[one.turns :], *one.quad[: one.turns]
        sightings.append(Sighting((a, b, c, d), best, posterior[best], posterior, one.located, tuple(one.embedding)))
    return sightings
