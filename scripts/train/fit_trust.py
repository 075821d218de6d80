"""Fit how likely a bonus tile is right given its confidence, and write it into ``vision/hand``.

    HUPAI_DATA=photos python -m scripts.train.fit_trust [--looks runs/looks] [--out vision/hand/trust.json]

Logistic regression of "named right" on the log-odds of the confidence, over photos and renders that trained none of the
networks: the held-out photos of the training's own collections, rendered scenes, those of black sets. The validation
photos (scenes-d, scenes-e) take no part.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
from scipy.optimize import minimize

from scoring.tiles import tile
from scripts.accuracy.holdouts import RENDERED, collection
from scripts.accuracy.looks import Looks
from scripts.accuracy.matching import Rule, match
from scripts.accuracy.truth import TruePhoto
from vision.hand.trust import TRUST, log_odds
from vision.pipeline import Eyes
from vision.reading import Sighting

SOURCES: Final = ("held-out", *RENDERED)
Seen = tuple[float, bool]
"""The confidence a bonus tile was named with, and whether the name was right."""


def named(photo: TruePhoto, sightings: list[Sighting]) -> list[Seen]:
    """What was named a bonus tile among a photo's annotated tiles."""
    found = []
    for outcome in match(photo, sightings, rule=Rule.CENTRES).outcomes:
        seen, label = outcome.seen, outcome.truth.label
        if seen is not None and seen.tile.is_bonus and label not in (None, "joker"):
            found.append((seen.confidence, seen.tile is tile(str(label))))
    return found


def fitted(seen: Sequence[Seen]) -> tuple[float, float]:
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
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--looks", type=Path, default=Path("runs/looks"), help="folder of kept detections")
    options.add_argument("--out", type=Path, default=TRUST)
    given = options.parse_args()
    eyes = Eyes(threads=1)
    looks = Looks(eyes, given.looks)
    photos = [photo for name in SOURCES for photo in collection(name)]
    seen = [s for photo in photos for s in named(photo, eyes.name(looks(photo.path)))]
    card = {
        "what": "how the confidence of a bonus tile tells the chance that it is named right; see vision/hand/trust.py",
        "fitted_on": f"{len(seen)} bonus tiles of held-out photos and renders",
        "models": eyes.models,
        "bonus": fitted(seen),
    }
    given.out.write_text(json.dumps(card, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(card, indent=1))


if __name__ == "__main__":
    main()
