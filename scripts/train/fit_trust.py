"""Fit how likely a bonus tile is right given its confidence, and write it into ``vision/hand``.

    HUPAI_DATA=photos python -m scripts.train.fit_trust

Logistic regression of "named right" on the log-odds of the confidence, over photos and renders that trained none of the
networks: the held-out photos of the training's own collections, rendered scenes, those of black sets. The validation
photos (scenes-d, scenes-e) take no part.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final

import numpy as np
from scipy.optimize import minimize

from scripts.accuracy.holdouts import RENDERED, collection
from scripts.accuracy.looks import Looks
from scripts.accuracy.matching import match
from scripts.accuracy.truth import TruePhoto
from vision.hand.trust import TRUST, log_odds
from vision.pipeline import TileReader
from vision.reading import Sighting

SOURCES: Final = ("held-out", *RENDERED)
NamedTile = tuple[float, bool]
"""The confidence a bonus tile was named with, and whether the name was right."""


def named_bonus_tiles(photo: TruePhoto, sightings: list[Sighting]) -> list[NamedTile]:
    """What was named a bonus tile among a photo's annotated tiles."""
    return [
        (t.seen.confidence, t.right)
        for t in match(photo, sightings).tiles
        if t.seen and t.seen.tile.is_bonus and t.truth.label != "joker"
    ]


def fit_line(seen: Sequence[NamedTile]) -> tuple[float, float]:
    """Base and slope of the log-odds of being right over those of the confidence."""
    given = np.array([log_odds(confidence) for confidence, _ in seen])
    right = np.array([ok for _, ok in seen], float)

    def loss(weights: np.ndarray[tuple[int], np.dtype[np.float64]]) -> float:
        score = weights[0] + weights[1] * given
        return float(np.mean(np.logaddexp(0, score) - right * score))

    base, slope = minimize(loss, [0.0, 1.0]).x
    return round(float(base), 4), round(float(slope), 4)


def main() -> None:
    """Fit, print, write."""
    reader = TileReader(threads=1)
    looks = Looks(reader)
    photos = [photo for name in SOURCES for photo in collection(name)]
    seen = [s for photo in photos for s in named_bonus_tiles(photo, reader.classify(looks(photo.path)))]
    card = {
        "what": "how the confidence of a bonus tile tells the chance that it is named right; see vision/hand/trust.py",
        "fitted_on": f"{len(seen)} bonus tiles of held-out photos and renders",
        "models": reader.models,
        "bonus": fit_line(seen),
    }
    text = json.dumps(card, indent=1)
    TRUST.write_text(text + "\n", encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
