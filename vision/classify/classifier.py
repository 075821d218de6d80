"""Upright crops -> calibrated probabilities of every face, quarter turns to add, embeddings.

A quad starts with a short edge. On a tile seen so steeply that it looks wider than high, that edge is one of its sides
and the crop lies sideways, which the network seldom met. Where unsure, it looks at a quarter-turned crop as well.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from scoring.tiles import TILES, Tile
from vision.arrays import FloatArray, ImageArray
from vision.classify.columns import Columns
from vision.errors import ModelError
from vision.models.backend import Backend
from vision.models.opencv import OPENCV
from vision.models.zoo import Model
from vision.reading import SURE

BATCH_CROPS: Final = 32
"""Crops run at once; more would only take memory."""
LYING_NATS: Final = 4.0
"""Nats by which both looks together must favour a crop that lies sideways; for dice and pale things, whose turns mean
nothing, the evidence is weaker."""
SecondLook: TypeAlias = Callable[[ImageArray, FloatArray], FloatArray]
_BY_CODE: Final = {t.code: t for t in TILES}


@dataclass(frozen=True, slots=True)
class Classification:
    """What the classifier makes of n crops.

    Attributes:
        probabilities: (n, classes) float32, each row sums to 1; columns as ``Classifier.labels``.
        turns: (n,) int, quarter turns: which corner of the crop, counted clockwise, is the picture's top-left one.
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
        columns: where white dragon, back, red fives and bonus tiles are; ``none``: that of "not a clean face".
        crop: width and height of the crops it takes.
        margin: see :func:`vision.models.opencv.rectify`.
        backend: cuts and turns crops, and says of what colours they are.
        temperature: logits are divided by it; fitted on labelled photos.
    """

    def __init__(self, model: Model, again: SecondLook | None = None, backend: Backend = OPENCV) -> None:
        """Wrap a loaded model; ``again`` looks again at crops whose probabilities call for it, and gives those of all.

        Raises:
            ModelError: its metadata lack what a classifier needs.
        """
        self.model, self._again, self.backend = model, again, backend
        self.labels: tuple[str, ...] = tuple(model.value("labels"))
        self.tiles: tuple[Tile | None, ...] = tuple(_BY_CODE.get(label) for label in self.labels)
        if model.value("none") not in self.labels:
            message = "The classifier has no class for what is not a clean face; install hupai again."
            raise ModelError(message, code="model_unsuitable")
        self.columns = Columns.from_labels(self.labels, self.labels.index(model.value("none")))
        self.none = self.columns.none
        self.crop: tuple[int, int] = tuple(model.value("crop"))
        self.margin = float(model.value("margin"))
        self.temperature = float(model.value("temperature"))

    def __call__(self, crops: ImageArray) -> Classification:
        """Classify (n, height, width, 3) uint8 RGB crops that are upright or turned by quarters."""
        read, logits = self._run_once(crops)
        doubted = np.flatnonzero(read.probabilities.max(axis=1, initial=0) < SURE)
        if len(doubted):
            across = self.backend.turned(crops[doubted])
            other, other_logits = self._run_once(across)
            lying = _uprightness(other_logits) - _uprightness(logits[doubted]) > LYING_NATS
            rows, crops = doubted[lying], crops.copy()
            crops[rows] = across[lying]
            read.probabilities[rows] = other.probabilities[lying]
            read.turns[rows] = (other.turns[lying] + 1) % 4
            read.embeddings[rows] = other.embeddings[lying]
        if self._again is None:
            return read
        return replace(read, probabilities=self._again(crops, read.probabilities))

    def _run_once(self, crops: ImageArray) -> tuple[Classification, FloatArray]:
        """The network's classification of crops as they are, and (n, 4) logits of their turns."""
        faces, turns, embeddings = self._run(crops, ["face", "turn", "emb"])
        return Classification(softmax(faces / self.temperature), turns.argmax(axis=1), embeddings), turns

    def embed(self, crops: ImageArray) -> FloatArray:
        """(n, D) float32 embeddings alone, of crops as :meth:`__call__` takes them."""
        return self._run(crops, ["emb"])[0]

    def _run(self, crops: ImageArray, outputs: list[str]) -> list[FloatArray]:
        starts = range(0, max(1, len(crops)), BATCH_CROPS)
        parts = [self.model.run(crops[start : start + BATCH_CROPS], outputs) for start in starts]
        return [np.concatenate(part) for part in zip(*parts, strict=True)]


def _uprightness(turns: FloatArray) -> FloatArray:
    """(n,) log-odds, from (n, 4) logits, that a crop is upright or upside down rather than on a side."""
    return np.asarray(np.logaddexp(turns[:, 0], turns[:, 2]) - np.logaddexp(turns[:, 1], turns[:, 3]), np.float32)


def softmax(logits: npt.NDArray[np.floating]) -> FloatArray:
    """Row-wise softmax, float32."""
    shifted = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(shifted / shifted.sum(axis=1, keepdims=True), np.float32)
