"""Pixels and cells on a server: by OpenCV and numpy, which take a fraction of the time of the graphs.

A browser has the same in JavaScript (``js/api/python``: ``pixels.js``, ``crops.js``, ``negative.js``), to the bit, or
in ``models/graphs/``, under other names but with the same arguments and answers.
"""

from __future__ import annotations

import functools
from typing import Final, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from vision.arrays import FloatArray, ImageArray
from vision.reading import THRESHOLD

WEAK: Final = 0.3
"""Kernel probability above which cells count where they hold no kernel of surer ones: worn, dark and far tiles, and
much that is not a tile, which later stages tell apart."""
MIN_CELLS: Final = 3
"""Smallest kernel that counts, cells."""
PRINTED: Final = 0.605
"""A crop shows print up to here, its middle being 0 and its edge 1; ``BARE``: where it shows the tile around that."""
BARE: Final = (0.7, 0.84)
DOTS: Final = (0.15, 0.55)
"""Where the outer dots of a five are, likewise: along and across."""
STEP_PX: Final = 4
"""One pixel in so many, along and across, tells whether a crop has colour."""
CellArrays: TypeAlias = tuple[FloatArray, FloatArray, npt.NDArray[np.int64]]


def resize_image(image: ImageArray, width: int, height: int) -> ImageArray:
    """An (h, w, 3) uint8 image resized; the same array where it already has that size.

    Each side is halved by area averaging as long as it stays large enough. The rest, less than another halving, needs
    no averaging: bilinear interpolation takes a tenth of the time.
    """
    while any(halves := (image.shape[1] >= 2 * width, image.shape[0] >= 2 * height)):
        half = (image.shape[1] >> halves[0], image.shape[0] >> halves[1])
        image = np.asarray(cv2.resize(image, half, interpolation=cv2.INTER_AREA), np.uint8)
    if image.shape[1::-1] == (width, height):
        return image
    return np.asarray(cv2.resize(image, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8)


def find_cells(kernel: FloatArray, geo: FloatArray, stride: int, unit: float) -> CellArrays:
    """The cells of each tile in the detector's output.

    Args:
        kernel, geo: (1, 1, h, w) and (1, 10, h, w) float32, as the detector gives them.
        stride, unit: of its metadata.

    Returns:
        (k, 10) code of each, centres in pixels of the network; (k,) how surely each belongs to a tile; (tiles,) where
        each tile's cells end. Cells are in the order of the picture, tiles in that of their first cells.
    """
    labels = _components(kernel[0, 0])
    rows, columns = np.nonzero(labels)
    order = np.argsort(labels[rows, columns], kind="stable")
    rows, columns = rows[order], columns[order]
    codes = geo[0, :, rows, columns] * unit
    codes[:, :2] += np.column_stack([columns, rows]) * stride + (stride - 1) / 2
    sizes = np.unique(labels[rows, columns], return_counts=True)[1]
    return np.asarray(codes, np.float32), kernel[0, 0, rows, columns], sizes.cumsum()


def _components(kernel: FloatArray) -> npt.NDArray[np.int32]:
    """(h, w) probabilities -> the label of each cell, 0 where there is no tile.

    Cells above ``THRESHOLD`` are what tells neighbouring tiles apart; weaker ones count only where they hold no kernel
    of those.
    """
    _, labels, statistics, _ = cv2.connectedComponentsWithStats((kernel > THRESHOLD).astype(np.uint8), connectivity=4)
    large = statistics[:, cv2.CC_STAT_AREA] >= MIN_CELLS
    strong, weak = large[labels] & (labels > 0), kernel > WEAK
    count, around = cv2.connectedComponents(weak.astype(np.uint8), connectivity=4)
    surer = np.zeros(count, bool)
    surer[around[strong]] = True
    alone = weak & ~surer[around]
    _, labels, statistics, _ = cv2.connectedComponentsWithStats((strong | alone).astype(np.uint8), connectivity=4)
    return np.where(statistics[labels, cv2.CC_STAT_AREA] < MIN_CELLS, 0, labels).astype(np.int32)


def rectify(image: ImageArray, quad: FloatArray, size: tuple[int, int], margin: float) -> ImageArray:
    """One upright crop.

    Args:
        image: (h, w, 3) uint8.
        quad: (4, 2) corners in pixels of ``image``, the crop's top-left first, clockwise.
        size: width and height of the crop, pixels.
        margin: how much wider and higher than the quad the crop is, as a share (0.12 = 6 % on each side).

    Returns:
        (height, width, 3) uint8; what lies beyond the image repeats its border.
    """
    width, height = size
    w, h = width / (1 + margin), height / (1 + margin)
    x, y = (width - w) / 2, (height - h) / 2
    target = np.array([[x, y], [x + w, y], [x + w, y + h], [x, y + h]], np.float32)
    matrix = cv2.getPerspectiveTransform(np.asarray(quad, np.float32), target)
    longest = max(float(np.linalg.norm(quad[0] - quad[1])), float(np.linalg.norm(quad[1] - quad[2])) * width / height)
    # A large tile is cut at two or three times the size and averaged down, against aliasing.
    times = min(max(round(longest / width), 1), 3)
    matrix = np.diag([times, times, 1.0]) @ matrix
    large = cv2.warpPerspective(
        image, matrix, (width * times, height * times), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(cv2.resize(large, size, interpolation=cv2.INTER_AREA), np.uint8)


def rectify_all(image: ImageArray, quads: FloatArray, size: tuple[int, int], margin: float) -> ImageArray:
    """(n, height, width, 3) upright crops of (n, 4, 2) quads; see :func:`rectify`."""
    crops = [rectify(image, quad, size, margin) for quad in quads]
    return np.array(crops, np.uint8).reshape(-1, size[1], size[0], 3)


def turn_by_quarter(crops: ImageArray) -> ImageArray:
    """(n, h, w, 3) crops turned so that the second corner, clockwise, becomes the first, resized to the same shape."""
    size = crops.shape[2:0:-1]
    turned = [cv2.resize(np.rot90(crop).copy(), size, interpolation=cv2.INTER_LINEAR) for crop in crops]
    return np.array(turned, np.uint8).reshape(crops.shape)


def invert_lightness(image: ImageArray) -> ImageArray:
    """An (h, w, 3) uint8 RGB picture with its lightness (CIELAB) inverted; hues are kept."""
    lab = cv2.cvtColor(np.ascontiguousarray(image), cv2.COLOR_RGB2LAB)
    lab[..., 0] = 255 - lab[..., 0]
    return np.asarray(cv2.cvtColor(lab, cv2.COLOR_LAB2RGB), np.uint8)


def colour_statistics(crops: ImageArray) -> FloatArray:
    """(n, 23) float32 colour statistics, 8-bit CIELAB, of (n, h, w, 3) uint8 RGB crops.

    Quantiles of the middle (10, 50, 65 and 90 %), medians of rim and margin, standard deviations of the middle, and
    how much the lightness changes from row to row and from column to column.
    """
    n, h, w = crops.shape[:3]
    if not n:
        return np.zeros((0, 23), np.float32)
    flat = cv2.cvtColor(np.ascontiguousarray(crops).reshape(n * h, w, 3), cv2.COLOR_RGB2LAB)
    lab = np.asarray(flat, np.uint8).reshape(n, h, w, 3)
    counts = np.array([_count_values(crop) for crop in lab])
    middle, rim, margin = counts.cumsum(axis=3).swapaxes(0, 1)
    quantiles = [_quantile(middle, q) for q in (0.1, 0.5, 0.65, 0.9)]
    light = lab[..., 0].astype(np.int16)
    edges = [np.abs(np.diff(light, axis=axis)).mean(axis=(1, 2))[:, None] for axis in (1, 2)]
    figures = [*quantiles, _quantile(rim, 0.5), _quantile(margin, 0.5), _deviation(counts[:, 0]), *edges]
    return np.concatenate(figures, axis=1).astype(np.float32)


def _count_values(crop: ImageArray) -> npt.NDArray[np.int64]:
    """(3, 3, 256) how often each value occurs in middle, rim and margin of an (h, w, 3) crop, by channel."""
    bins = crop + _first_bins(*crop.shape[:2])
    return np.bincount(bins.ravel(), minlength=4 * 3 * 256).reshape(4, 3, 256)[:3]


@functools.cache
def _first_bins(h: int, w: int) -> npt.NDArray[np.int64]:
    """(h, w, 3) where the counts of a pixel's part of its crop begin, by channel.

    The parts are the middle of a crop, the rim around the print, the margin beyond the tile, and what is none of these.
    """
    y, x = np.mgrid[0:h, 0:w]
    depth = np.minimum(np.minimum(y + 0.5, h - y - 0.5) / h, np.minimum(x + 0.5, w - x - 0.5) / w)
    part = np.select([depth > 0.17, (depth > 0.075) & (depth < 0.15), depth < 0.04], [0, 1, 2], 3)
    return np.asarray(256 * (3 * part[..., None] + np.arange(3)), np.int64)


def _quantile(reached: npt.NDArray[np.int64], q: float) -> FloatArray:
    """(n, c) the quantile ``q``, interpolated linearly, of values of which so many are at most 0, 1, ... 255."""
    at = q * (int(reached[0, 0, -1]) - 1)
    low, high = ((reached > place).argmax(axis=2) for place in (np.floor(at), np.ceil(at)))
    return np.asarray(low + (high - low) * (at % 1), np.float32)


def _deviation(counts: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """(n, c) the standard deviation of values that occur so often, (n, c, 256)."""
    values, whole = np.arange(256.0), counts.sum(axis=2)
    return np.asarray(np.sqrt(counts @ values**2 / whole - (counts @ values / whole) ** 2), np.float64)


def print_measures(crops: ImageArray) -> FloatArray:
    """(n, 3) float32 of (n, h, w, 3) uint8 RGB crops, see :meth:`vision.device.DeviceCrops.prints`."""
    light = np.add.reduce([crops[..., k] for k in range(3)], dtype=np.float32) / 3
    down, across = (np.linspace(-1, 1, side) for side in light.shape[1:])
    apart = np.maximum(np.abs(down)[:, None], np.abs(across))
    around = (apart > BARE[0]) & (apart < BARE[1])
    darker = np.median(light[:, around], axis=1) - light[:, apart < PRINTED].mean(axis=1)
    some = crops[:, ::STEP_PX, ::STEP_PX].astype(np.float32)
    coloured = (some[..., ::2] - some[..., 1:2]).std(axis=(1, 2)).mean(axis=1)
    body = np.median(_redness(crops[:, around]), axis=1, keepdims=True)
    corners = [(_dots(y * down), _dots(x * across)) for y in (-1, 1) for x in (-1, 1)]
    dots = [_redness(crops[:, rows, columns]) - body[..., None] for rows, columns in corners]
    redder = np.min([np.maximum(0, dot).mean(axis=(1, 2)) for dot in dots], axis=0)
    return np.column_stack([darker, coloured, redder]).astype(np.float32)


def _redness(pixels: ImageArray) -> FloatArray:
    """What red exceeds the mean of green and blue by."""
    red, green, blue = (pixels[..., k].astype(np.int16) for k in range(3))
    return np.asarray(red - np.float32(0.5) * (green + blue), np.float32)


def _dots(at: npt.NDArray[np.float64]) -> slice:
    found = np.flatnonzero((at > DOTS[0]) & (at < DOTS[1]))
    return slice(found[0], found[-1] + 1)
