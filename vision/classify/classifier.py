"""Upright crops -> calibrated probabilities of every face, quarter turns to add, embeddings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from scoring.tiles import TILES, Tile
from vision.errors import ModelError
from vision.models.zoo import Model
from vision.reading import FloatArray, ImageArray

BATCH: Final = 32
"""Crops run at once; more only takes memory."""
Again: TypeAlias = Callable[[ImageArray, FloatArray], FloatArray]
_BY_CODE: Final = {t.code: t for t in TILES}


@dataclass(frozen=True, slots=True)
class Classification:
    """What the classifier makes of n crops.

    Attributes:
        probabilities: (n, classes) float32, each row sums to 1; columns as ``Classifier.labels``.
        turns: (n,) int, quarter turns: the crop's corner that is the picture's top-left one, counted clockwise.
        embeddings: (n, D) float32.
    """

    probabilities: FloatArray
    turns: npt.NDArray[np.intp]
    embeddings: FloatArray


class Classifier:
    """The classifier network with its pre- and post-processing.

    Attributes:
        labels: the class of each column, a tile's notation or the name for "not a clean face".
        tiles: the tile of each column, None for "not a clean face" and classes without a notation.
        none: column of "not a clean face".
        crop: width and height of the crops it takes.
        margin: see :func:`vision.classify.crops.rectify`.
        temperature: logits are divided by it; fitted on labelled photos.
    """

    def __init__(self, model: Model, again: Again | None = None) -> None:
        """Wrap a loaded model.

        Args:
            model: the network.
            again: looks again at crops whose probabilities want it, and gives them all back.

        Raises:
            ModelError: its metadata lack what a classifier needs.
        """
        self.model, self._again = model, again
        self.labels: tuple[str, ...] = tuple(model.value("labels"))
        self.tiles: tuple[Tile | None, ...] = tuple(_BY_CODE.get(label) for label in self.labels)
        if model.value("none") not in self.labels:
            raise ModelError(
                "The classifier has no class for what is not a clean face; install hupai again.",
                code="model_unsuitable",
            )
        self.none = self.labels.index(model.value("none"))
        width, height = model.value("crop")
        self.crop = (int(width), int(height))
        self.margin = float(model.value("margin"))
        self.temperature = float(model.value("temperature"))

    def __call__(self, crops: ImageArray) -> Classification:
        """Read (n, height, width, 3) uint8 RGB crops that are upright or turned by quarters."""
        faces, turns, embeddings = self._run(crops, ["face", "turn", "emb"])
        probabilities = softmax(faces / self.temperature)
        if self._again is not None:
            probabilities = self._again(crops, probabilities)
        return Classification(probabilities, turns.argmax(axis=1), embeddings)

    def embed(self, crops: ImageArray) -> FloatArray:
        """(n, D) float32 embeddings alone, of crops as for reading them."""
        return self._run(crops, ["emb"])[0]

    def _run(self, crops: ImageArray, outputs: list[str]) -> list[FloatArray]:
        starts = range(0, max(1, len(crops)), BATCH)
        parts = [self.model.run(crops[start : start + BATCH], outputs) for start in starts]
        return [np.concatenate(part) for part in zip(*parts, strict=True)]


def softmax(logits: npt.NDArray[np.floating]) -> FloatArray:
    """Row-wise softmax, float32."""
    shifted = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(shifted / shifted.sum(axis=1, keepdims=True), np.float32)
