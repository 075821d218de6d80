"""Which of a photo's detections are tiles, and which tiles: a small network that looks at all of them together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
import numpy.typing as npt

from vision.arrays import BoolArray, FloatArray
from vision.classify.classifier import Classifier
from vision.errors import ModelError
from vision.models.zoo import Model
from vision.scene.detections import Detections
from vision.scene.features import DetectionMeasures, scene_inputs

EVIDENCE: Final = (
    "one",
    "odds",
    "located",
    "spread",
    "printed",
    "others",
    "mean of others",
    "best of others",
    "spread and others",
    "spread and printed",
)
"""The columns of :func:`tile_evidence`."""
LEAST_SPREAD: Final = 1e-3
"""Smaller disagreement of the detector's cells says no more."""


class SceneClassifier:
    """Weighs every detection of a photo against the others: neighbours, sizes, colours, how many are alike."""

    def __init__(self, model: Model, classifier: Classifier) -> None:
        """Take the loaded network and the classifier whose answers it weighs.

        Raises:
            ModelError: the network was made for another classifier, or lacks the values that decide what is a tile.
        """
        self._model, self._columns, self._backend = model, classifier.columns, classifier.backend
        self._blank = [self._columns.none, self._columns.white, self._columns.back]
        self._least = float(model.value("least"))
        self._company = np.array(model.value("company"), np.float32)
        if self._company.shape != (len(EVIDENCE),):
            weighs = f"weighs company by {self._company.size} numbers, this hupai gives {len(EVIDENCE)}"
            raise _unsuitable_error(weighs)
        taken = (model.widths.get("logp"), model.widths.get("emb"))
        given = (len(classifier.labels), classifier.model.widths.get("emb"))
        if taken != given:
            takes = f"takes {taken[0]} classes and embeddings of {taken[1]} numbers"
            raise _unsuitable_error(f"{takes}, the classifier gives {given[0]} and {given[1]}")

    def __call__(self, seen: Detections) -> tuple[Detections, BoolArray]:
        """The detections of :meth:`rescore`, and (n,) bool: which are tiles."""
        rescored, tile = self.rescore(seen)
        return rescored, self.threshold(tile)

    def pick_view(self, views: Sequence[Detections]) -> Detections:
        """Of one or two views of a photo the one that is likely to name more printed faces right, else the first."""
        return max(views, key=self._count_right) if len(views) > 1 else views[0]

    def _count_right(self, seen: Detections) -> float:
        """How many detections are printed tiles and named correctly, by their probabilities.

        Blank faces, which look like backs in the other view, do not count.
        """
        rescored, keep = self(seen)
        return float(np.delete(rescored.probabilities, self._blank, axis=1)[keep].max(axis=1, initial=0).sum())

    def count_printed(self, seen: Detections) -> float:
        """How many printed tiles detector and classifier expect among the detections, each looked at by itself."""
        return float(seen.located @ np.delete(seen.probabilities, self._blank, axis=1).sum(axis=1))

    def threshold(self, tile: FloatArray) -> BoolArray:
        """(n,) which detections are tiles, by their probabilities from :meth:`rescore`: ``least`` or more."""
        return np.asarray(tile >= self._least)

    def rescore(self, seen: Detections) -> tuple[Detections, FloatArray]:
        """Weigh each detection against the others.

        Returns:
            The detections with probabilities that take the whole photo into account (the column ``none`` holds those
            of no tile and of faces that no mahjong set has), and (n,) float32 probabilities of being a tile.
        """
        if not len(seen):
            return seen, np.zeros(0, np.float32)
        given, names = self.evidence_of(seen)
        tile = tile_chances(given, self._company)
        chances = names * tile[:, None]
        chances = np.insert(chances, self._columns.none, 1 - chances.sum(axis=1), axis=1)
        return replace(seen, probabilities=np.asarray(chances, np.float32)), tile

    def evidence_of(self, seen: Detections) -> tuple[FloatArray, FloatArray]:
        """What the network makes of n > 0 detections.

        Returns:
            (n, 10) evidence that each is a tile, see :func:`tile_evidence`, and (n, classes - 1) chances of its names.
        """
        of = self._columns
        measures = DetectionMeasures.from_detections(seen, self._backend)
        tile, names = self._model.run(scene_inputs(measures, of), ["tile", "names"])
        printed = ~np.isin(np.insert(names, of.none, 0, axis=1).argmax(axis=1), [of.white, of.back])
        return tile_evidence(tile, seen.located, seen.spread, printed), names


def _unsuitable_error(what: str) -> ModelError:
    return ModelError(f"The scene model {what}; use models that belong together.", code="model_unsuitable")


def tile_evidence(tile: FloatArray, located: FloatArray, spread: FloatArray, printed: BoolArray) -> FloatArray:
    """The evidence that each of n detections is a tile.

    Args:
        tile: (n,) probabilities by the network.
        located: (n,) scores of the detector.
        spread: (n,) how far its cells disagree, see :class:`vision.detect.nms.ScoredQuad`.
        printed: (n,) whether the likeliest name is that of a printed face.

    Returns:
        (n, 10): 1, log-odds of ``tile`` and ``located``, the logarithm of ``spread``, ``printed``, the logarithm of 1 +
        the expected number of tiles among the other detections, their mean probability, the log-odds of the best of
        them, and the products of the spread's logarithm with the number of others and with ``printed``.
    """
    others, apart = tile.sum() - tile, np.log(np.maximum(spread, LEAST_SPREAD))
    most, second = np.sort(np.append(tile, 0))[-1:-3:-1]
    best = np.where(np.arange(len(tile)) == tile.argmax(), second, most)
    company = [np.log1p(others), others / max(len(tile) - 1, 1), _odds(best)]
    columns = [np.ones_like(tile), _odds(tile), _odds(located), apart, printed, *company]
    return np.asarray(np.column_stack([*columns, apart * company[0], apart * printed]), np.float32)


def tile_chances(given: npt.NDArray[np.floating], weights: npt.NDArray[np.floating]) -> FloatArray:
    """(n,) chances of being a tile by logistic regression, from (n, 10) :func:`tile_evidence` and (10,) weights."""
    return np.asarray(1 / (1 + np.exp(-given @ weights)), np.float32)


def _odds(chance: FloatArray) -> FloatArray:
    within = np.clip(chance, 1e-4, 1 - 1e-4)
    return np.asarray(np.log(within / (1 - within)), np.float32)
