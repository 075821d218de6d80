"""Image -> quads of printed tile faces, by the ONNX detector, which does not tell one face from another."""

from __future__ import annotations

import math
from itertools import pairwise

import cv2
import numpy as np

from vision.arrays import FloatArray, ImageArray, decode_quads, median_code, tile_sizes, to_quad
from vision.detect.nms import ScoredQuad, non_maximum_suppression
from vision.detect.scales import VIEW_SIDE_PX, Pass, search
from vision.geometry import rescale_quad
from vision.io.photo import Photo
from vision.models.backend import Backend
from vision.models.opencv import OPENCV
from vision.models.zoo import Model


def resize_image(image: ImageArray, width: int, height: int) -> ImageArray:
    """An (h, w, 3) uint8 image resized; the same array where it already has that size.

    It is halved by area averaging as long as it stays large enough. The rest, less than another halving, needs no
    averaging: bilinear interpolation takes a tenth of the time.
    """
    while image.shape[1] >= 2 * width and image.shape[0] >= 2 * height:
        half = (image.shape[1] // 2, image.shape[0] // 2)
        image = np.asarray(cv2.resize(image, half, interpolation=cv2.INTER_AREA), np.uint8)
    if image.shape[1::-1] == (width, height):
        return image
    return np.asarray(cv2.resize(image, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8)


class QuadDetector:
    """The detector network with its pre- and post-processing."""

    def __init__(self, model: Model, backend: Backend = OPENCV) -> None:
        """Wrap a loaded model.

        Raises:
            ModelError: its metadata lack what a detector needs.
        """
        self.model, self._backend = model, backend
        self._multiple = int(model.value("multiple"))
        self._stride = int(model.value("stride"))
        self._unit = float(model.value("unit"))
        self.tile_px: tuple[float, float] = tuple(model.value("tile_px"))

    def __call__(self, image: ImageArray, scale: float = 1.0) -> list[ScoredQuad]:
        """The tiles found in an (h, w, 3) uint8 RGB image once it is resized by ``scale``, in pixels of the image.

        They are found best when their short edge is within ``tile_px`` afterwards.
        """
        height, width = image.shape[:2]
        w, h = max(1, round(width * scale)), max(1, round(height * scale))
        m = self._multiple
        canvas = np.zeros((1, -(-h // m) * m, -(-w // m) * m, 3), np.uint8)
        canvas[0, :h, :w] = resize_image(image, w, h)
        kernel, geometry = self.model.run(canvas, ["kernel", "geo"])
        found = self._quads(kernel, geometry)
        return [one._replace(quad=rescale_quad(one.quad, (width / w, height / h))) for one in found]

    def _quads(self, kernel: FloatArray, geometry: FloatArray) -> list[ScoredQuad]:
        """The outputs of the network -> the tiles, in network pixels."""
        cells, sure, ends = self._backend.cells(kernel, geometry, self._stride, self._unit)
        codes, scores, spread = [], [], []
        for start, end in pairwise([0, *ends.tolist()]):
            code = median_code(cells[start:end])
            codes.append(code)
            # A kernel of very few cells proves little, however sure they are.
            scores.append(float(sure[start:end].mean()) * min(1.0, (end - start) / 4))
            spread.append(float(np.median(np.abs(cells[start:end, :2] - code[:2]).max(axis=1))))
        quads = decode_quads(np.array(codes, np.float32).reshape(-1, 10))
        shares = np.array(spread) / np.maximum(tile_sizes(quads), 1)
        return non_maximum_suppression(map(ScoredQuad, map(to_quad, quads), scores, shares.tolist()))


def search_photo(photo: Photo, detector: QuadDetector, *, thorough: bool = True) -> list[ScoredQuad]:
    """The tiles of a photo, in pixels of the upright original, the surest first.

    Where the first pass finds nothing, other sizes are tried if ``thorough``.
    """
    passes = search(photo.width, photo.height, *detector.tile_px, thorough=thorough)
    look = next(passes)
    while True:
        try:
            look = passes.send(_run_pass(photo, detector, look))
        except StopIteration as done:
            found: list[ScoredQuad] = done.value
            return found


def _run_pass(photo: Photo, detector: QuadDetector, look: Pass) -> list[ScoredQuad]:
    """One pass; quads in pixels of the upright original."""
    view = photo.view(max(VIEW_SIDE_PX, look.side))
    height, width = view.shape[:2]
    x0, y0, x1, y1 = look.window
    left, top = int(x0 * width), int(y0 * height)
    part = view[top : max(top + 1, math.ceil(y1 * height)), left : max(left + 1, math.ceil(x1 * width))]
    found, by = detector(part, look.side / max(width, height)), (photo.width / width, photo.height / height)
    return [one._replace(quad=rescale_quad(one.quad, by, (left, top))) for one in found]
