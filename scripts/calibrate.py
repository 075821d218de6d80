"""Fit the reader's temperature on annotated photos, for ``scripts/adopt_models.py --temperature``.

    python -m scripts.calibrate --data FOLDER [--data FOLDER ...] [--every 4]

Use photos of the training side, never those that measure. Prints the temperature with the least negative log-likelihood
over the located tiles (Guo et al. 2017, "On Calibration of Modern Neural Networks") and the calibration error before
and after.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize_scalar

from scripts.evaluate import folder_of
from scripts.matching import Rule, calibration, match
from scripts.truth import TruePhoto, load
from vision import zoo
from vision.classify import Reader, softmax
from vision.find import Finder
from vision.photo import Photo
from vision.reading import FloatArray, Sighting
from vision.rectify import rectify_all
from vision.scales import search


def logits_and_labels(
    photos: Iterable[TruePhoto], finder: Finder, reader: Reader
) -> tuple[FloatArray, npt.NDArray[np.intp]]:
    """(n, classes) logits of the located tiles and (n,) their true columns."""
    rows, columns = [], []
    fallback = next(t for t in reader.tiles if t is not None)
    for photo in photos:
        opened = Photo(photo.path)
        found = search(opened, finder)
        if not len(found):
            continue
        read = reader(rectify_all(opened.pixels, found.quads, reader.crop, reader.margin))
        # The embedding slot carries the row through the matching; names play no part in it.
        seen = [
            Sighting(quad, fallback, 1.0, {}, float(score), np.log(row + 1e-9) * reader.temperature)
            for quad, score, row in zip(found.quads, found.scores, read.probabilities, strict=True)
        ]
        for outcome in match(photo, seen, rule=Rule.CENTRES).outcomes:
            if outcome.seen is not None and outcome.seen.embedding is not None:
                rows.append(outcome.seen.embedding)
                columns.append(reader.labels.index(outcome.truth.label))
    return np.array(rows, np.float32), np.array(columns, np.intp)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--data", action="append", required=True, help="folder of annotated photos; may be repeated")
    parser.add_argument("--every", type=int, default=1, help="take every n-th photo only")
    given = parser.parse_args()
    listed = zoo.entries()
    finder, reader = (zoo.Model(listed[role], zoo.default_threads()) for role in zoo.ROLES)
    photos = [photo for name in given.data for photo in load(folder_of(name))][:: given.every]
    logits, truth = logits_and_labels(photos, Finder(finder), Reader(reader))

    def loss(temperature: float) -> float:
        chances = softmax(logits / np.float32(temperature))[np.arange(len(truth)), truth]
        return float(-np.log(np.maximum(chances, 1e-9)).mean())

    best = float(minimize_scalar(loss, bounds=(0.2, 4.0), method="bounded").x)
    for name, temperature in (("1", 1.0), ("now", Reader(reader).temperature), ("best", best)):
        p = softmax(logits / np.float32(temperature))
        error = calibration([float(v) for v in p.max(axis=1)], [bool(v) for v in p.argmax(axis=1) == truth])[0]
        print(f"{name:5s} temperature {temperature:.3f}  loss {loss(temperature):.4f}  calibration error {error}")
    print(f"{len(truth)} located tiles of {len(photos)} photos")


if __name__ == "__main__":
    main()
