"""Which of a photo's detections are tiles, and which tiles: a small network that looks at all of them together."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from vision.classify.classifier import Classifier
from vision.errors import ModelError
from vision.geometry import BoolArray
from vision.models.zoo import Model
from vision.reading import FloatArray
from vision.scene.classes import Classes
from vision.scene.detections import Detections
from vision.scene.features import Measured, features

SPEAKS: Final = 0.8
"""Probability from which a printed face says something about the photo."""
VOUCHED: Final = 0.85
"""Detector score from which one sure printed face vouches that a photo shows tiles at all."""
VOUCHERS: Final = 4
"""Sure printed faces that vouch for it together, whatever their detector scores."""


class SceneClassifier:
    """Weighs every detection of a photo against the others: neighbours, sizes, colours, how many are alike."""

    def __init__(self, model: Model, classifier: Classifier) -> None:
        """Take the loaded network and the classifier whose answers it weighs.

        Raises:
            ModelError: the network was made for another classifier, or lacks the chance from which a find is a tile.
        """
        self._model, self._classes = model, Classes.of(classifier.labels, classifier.none)
        self._least = float(model.value("least"))
        taken = (model.widths.get("logp"), model.widths.get("emb"))
        given = (len(classifier.labels), classifier.model.widths.get("emb"))
        if taken != given:
            raise ModelError(
                f"The scene model takes {taken[0]} classes and embeddings of {taken[1]} numbers, the classifier gives "
                f"{given[0]} and {given[1]}; use models that belong together.",
                code="model_unsuitable",
            )

    def __call__(self, seen: Detections) -> tuple[Detections, BoolArray]:
        """Name the detections anew.

        Returns:
            The detections of :meth:`weighed`, and (n,) which are tiles: whose chance reaches the network's ``least``.
        """
        named, tile = self.weighed(seen)
        return named, np.asarray(tile >= self._least)

    def weighed(self, seen: Detections) -> tuple[Detections, FloatArray]:
        """Weigh each detection against the others.

        Returns:
            The same with the photo weighed in: the column ``none`` holds the chance of what is no tile, and of faces
            that no mahjong set has; and (n,) float32 chances of being a tile. Where no printed face vouches that the
            photo shows tiles, these are 0 and the detections as they were.
        """
        if not self._vouched(seen):
            return seen, np.zeros(len(seen), np.float32)
        tile, names = self._model.answer(features(Measured.of(seen), self._classes), ["tile", "names"])
        chances = names * tile[:, None]
        chances = np.insert(chances, self._classes.none, 1 - chances.sum(axis=1), axis=1)
        return replace(seen, probabilities=np.asarray(chances, np.float32)), np.asarray(tile, np.float32)

    def _vouched(self, seen: Detections) -> bool:
        best, chance = seen.probabilities.argmax(axis=1), seen.probabilities.max(axis=1, initial=0)
        of = self._classes
        sure = (chance > SPEAKS) & ~np.isin(best, [of.white, of.back, of.none])
        return bool(sure.sum() >= VOUCHERS or (sure & (seen.located >= VOUCHED)).any())
