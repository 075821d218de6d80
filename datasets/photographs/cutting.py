"""Cut tiles out of box-labelled photos: corners come from the existing detector, labels from people.

Boxes fit only tiles that stand upright in the picture; quads fit all of them, so that crops of every set and pose can
teach the classifier. The labels stay those of the annotators; the networks only give the corners and which way is up.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
from scipy.optimize import linear_sum_assignment

from datasets.labels import INDEX, LABELS
from datasets.photographs.real import BoxedPhoto, Picture
from vision.classify.classifier import Classification, classify
from vision.detect.detector import detect_quads
from vision.device import finish
from vision.onnx_device import OnnxDevice, OnnxView

LEAST_OVERLAP = 0.5
LEAST_SCORE = 0.6
LEAST_DOUBTED = 0.3
"""Score from which a detection beside all boxes may be a tile that nobody boxed."""
SELF_LABELLED = 0.9
"""Probability from which the classifier's own name for a crop is taken as its label."""
NO_QUADS = np.zeros((0, 4, 2), np.float32)


@dataclass(frozen=True, slots=True)
class CutTile:
    """A labelled tile with corners.

    Attributes:
        label: index into ``LABELS``, as annotated.
        quad: (4, 2) float32 pixels of the photo, clockwise from the picture's top-left.
        agreed: probability that the classifier gives the annotated label.
    """

    label: int
    quad: npt.NDArray[np.float32]
    agreed: float


@dataclass(frozen=True, slots=True)
class MatchedPhoto:
    """The tiles of a photo as annotators and detector see them.

    Attributes:
        rows: (n,) the photo's tiles that have corners; ``quads``: (n, 4, 2) float32 pixels.
        beside: (m, 4, 2) float32 pixels: detections that match no annotated tile.
    """

    rows: npt.NDArray[np.int64]
    quads: npt.NDArray[np.float32]
    beside: npt.NDArray[np.float32]


class Cutter:
    """The detector and classifier of a models folder, at work on training photos."""

    def __init__(self) -> None:
        self.device = OnnxDevice(1)
        self.networks = replace(self.device.metadata, bonus=None)
        self._matched: dict[Path, MatchedPhoto] = {}

    def tiles(self, photo: BoxedPhoto, image: Picture) -> Iterator[CutTile]:
        """The tiles of a photo that both the annotators and the detector saw."""
        matched = self.match(photo, image)
        if len(matched.rows):
            yield from self._cut(image, matched.quads, photo.labels[matched.rows], turned=photo.quads is None)

    def match(self, photo: BoxedPhoto, image: Picture) -> MatchedPhoto:
        """The corners of a photo's whole tiles: those annotated, or those of the detections that fit their boxes."""
        if photo.path not in self._matched:
            self._matched[photo.path] = self._match(photo, image)
        return self._matched[photo.path]

    def _match(self, photo: BoxedPhoto, image: Picture) -> MatchedPhoto:
        whole = np.nonzero(photo.whole)[0]
        if photo.quads is not None:
            return MatchedPhoto(whole, photo.quads[whole], NO_QUADS)
        if not len(whole):
            return MatchedPhoto(whole, NO_QUADS, NO_QUADS)
        boxes = photo.boxes[whole]
        sides = np.sqrt(np.prod(boxes[:, 2:] - boxes[:, :2], axis=1))
        window = 0, 0, image.shape[1], image.shape[0]
        scale = float(np.clip(64 / np.median(sides), 0.5, 3))
        found = finish(detect_quads(OnnxView(self.device, image), window, (scale, scale)))
        doubted = [one for one in found if one.score > LEAST_DOUBTED]
        quads = np.array([one.quad for one in doubted], np.float32).reshape(-1, 4, 2)
        overlap = _box_overlap(boxes, np.concatenate([quads.min(axis=1), quads.max(axis=1)], axis=1))
        overlap[:, [one.score <= LEAST_SCORE for one in doubted]] = 0
        rows, columns = linear_sum_assignment(-overlap)
        good = overlap[rows, columns] >= LEAST_OVERLAP
        rows, columns = rows[good], columns[good]
        return MatchedPhoto(whole[rows], quads[columns], np.delete(quads, columns, axis=0))

    def _cut(
        self, image: Picture, quads: npt.NDArray[np.float32], labels: npt.NDArray[np.int64], *, turned: bool
    ) -> Iterator[CutTile]:
        """The tiles at these quads; ``turned``: the classifier says which corner of a quad is the picture's first."""
        names = self.networks.classifier.labels
        for label, quad, read in zip(labels.tolist(), quads, self._classify(image, quads), strict=True):
            agreed = read.probabilities[names.index(LABELS[label])] if LABELS[label] in names else 0.0
            first = read.turns if turned else 0
            yield CutTile(label, np.roll(quad, -first, axis=0).astype(np.float32), agreed)

    def named(self, crops: list[Picture]) -> Iterator[tuple[int, Picture]]:
        """(label index, picture) of the upright crops, filled by one tile each, that the classifier is sure of."""
        for crop in crops:
            h, w = crop.shape[:2]
            quad = np.array([[0, 0], [w - 1, 0], [w - 1, h - 1], [0, h - 1]], np.float32)
            chances, of = self._classify(crop, quad[None])[0].probabilities, self.networks.classifier
            best = chances.index(max(chances))
            if chances[best] >= SELF_LABELLED and of.tiles[best] is not None:
                yield INDEX[of.labels[best]], crop

    def _classify(self, image: Picture, quads: npt.NDArray[np.float32]) -> list[Classification]:
        of = self.networks.classifier
        crops = finish(OnnxView(self.device, image).crop(quads.ravel().tolist(), of.crop, of.margin))
        return finish(classify(crops, len(quads), self.networks))


def _box_overlap(a: npt.NDArray[np.float32], b: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """(n, m) intersection over union of upright boxes."""
    low = np.maximum(a[:, None, :2], b[None, :, :2])
    high = np.minimum(a[:, None, 2:], b[None, :, 2:])
    common = np.prod(np.clip(high - low, 0, None), axis=2)
    area_a, area_b = np.prod(a[:, 2:] - a[:, :2], axis=1), np.prod(b[:, 2:] - b[:, :2], axis=1)
    return np.asarray(common / np.maximum(area_a[:, None] + area_b[None] - common, 1e-6), np.float32)


def most_different(pictures: list[Picture], count: int) -> list[int]:
    """Indices of up to ``count`` pictures that differ most from each other (farthest point first, on thumbnails)."""
    if len(pictures) <= count:
        return list(range(len(pictures)))
    small = np.array(
        [cv2.resize(p, (12, 16), interpolation=cv2.INTER_AREA).astype(np.float32).ravel() for p in pictures]
    )
    small -= small.mean(axis=1, keepdims=True)
    small /= small.std(axis=1, keepdims=True) + 6
    chosen = [0]
    nearest = np.linalg.norm(small - small[0], axis=1)
    while len(chosen) < count:
        chosen.append(int(nearest.argmax()))
        nearest = np.minimum(nearest, np.linalg.norm(small - small[chosen[-1]], axis=1))
    return chosen
