"""A photo's detections -> the inputs of the scene classifier: a row for each detection, a vector for each pair."""

from __future__ import annotations

import functools
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.arrays import FloatArray, ImageArray, quad_axes, shares_inside, tile_sizes
from vision.classify.columns import Columns
from vision.scene.detections import Detections


@dataclass(frozen=True, slots=True)
class DetectionMeasures:
    """What the inputs are computed from: a photo's detections, with the crops reduced to their colours.

    All attributes are as in :class:`Detections` but ``colours``, (n, 23) float32: see :func:`colour_statistics`.
    """

    quads: FloatArray
    located: FloatArray
    probabilities: FloatArray
    embeddings: FloatArray
    colours: FloatArray
    size: FloatArray

    @classmethod
    def from_detections(cls, seen: Detections) -> DetectionMeasures:
        """Measure a photo's detections."""
        colours = colour_statistics(seen.crops)
        return cls(seen.quads, seen.located, seen.probabilities, seen.embeddings, colours, seen.size)

    def __len__(self) -> int:
        return len(self.quads)


def scene_inputs(seen: DetectionMeasures, columns: Columns) -> dict[str, FloatArray]:
    """The inputs of ``scene.onnx`` by name, for n > 0 detections of one photo; its card lists their columns."""
    p = seen.probabilities
    with np.errstate(divide="ignore"):
        log = np.log(p).clip(-9)
    doubt = (1 - p[:, columns.none]) * (1 - 0.7 * p[:, columns.back])
    weight = np.clip(seen.located * doubt, 1e-3, None)
    given = {
        "say": _report_columns(p, log, seen.located, columns),
        "logp": log,
        "emb": seen.embeddings,
        "geo": _geometry(seen.quads, seen.size, weight),
        "col": _against_usual(seen.colours, weight),
        "pair": _pairs(seen.quads, np.delete(p, columns.none, axis=1), seen.embeddings, seen.colours),
    }
    return {name: np.ascontiguousarray(value, np.float32) for name, value in given.items()}


def colour_statistics(crops: ImageArray) -> FloatArray:
    """(n, 23) float32 colour statistics, 8-bit CIELAB, of (n, h, w, 3) uint8 RGB crops.

    Quantiles of the middle (10, 50, 65 and 90 %), medians of rim and margin, standard deviations of the middle, and
    how much the lightness changes from row to row and from column to column.
    """
    n, h, w = crops.shape[:3]
    if not n:
        return np.zeros((0, 23), np.float32)
    lab = cv2.cvtColor(np.ascontiguousarray(crops).reshape(n * h, w, 3), cv2.COLOR_RGB2LAB)
    pixels = np.ascontiguousarray(np.moveaxis(np.asarray(lab, np.uint8).reshape(n, h * w, 3), 2, 1))
    parts = _parts(h, w)
    middle, rim, margin = (_cumulative_counts(pixels[..., part]) for part in parts)
    quantiles = [_quantile(middle, q) for q in (0.1, 0.5, 0.65, 0.9)]
    light = pixels[:, 0].reshape(n, h, w).astype(np.int16)
    edges = [np.abs(np.diff(light, axis=axis)).mean(axis=(1, 2))[:, None] for axis in (1, 2)]
    deviations = pixels[..., parts[0]].std(axis=2)
    figures = [*quantiles, _quantile(rim, 0.5), _quantile(margin, 0.5), deviations, *edges]
    return np.concatenate(figures, axis=1).astype(np.float32)


@functools.cache
def _parts(h: int, w: int) -> tuple[npt.NDArray[np.intp], ...]:
    """Flat indices of a crop's middle, of the rim around the print, and of the margin beyond the tile."""
    y, x = np.mgrid[0:h, 0:w]
    depth = np.minimum(np.minimum(y + 0.5, h - y - 0.5) / h, np.minimum(x + 0.5, w - x - 0.5) / w)
    return tuple(np.flatnonzero(part) for part in (depth > 0.17, (depth > 0.075) & (depth < 0.15), depth < 0.04))


def _cumulative_counts(values: ImageArray) -> npt.NDArray[np.int64]:
    """(n, c, 256) how many of (n, c, k) values are at most 0, 1, ... 255."""
    n, c, _ = values.shape
    bins = values.reshape(n * c, -1) + np.arange(0, 256 * n * c, 256)[:, None]
    return np.bincount(bins.ravel(), minlength=256 * n * c).reshape(n, c, 256).cumsum(axis=2)


def _quantile(reached: npt.NDArray[np.int64], q: float) -> FloatArray:
    """(n, c) the quantile ``q`` of values counted by :func:`_cumulative_counts`, interpolated linearly."""
    at = q * (int(reached[0, 0, -1]) - 1)
    low, high = ((reached > place).argmax(axis=2) for place in (np.floor(at), np.ceil(at)))
    return np.asarray(low + (high - low) * (at % 1), np.float32)


def _report_columns(p: FloatArray, log: FloatArray, located: FloatArray, columns: Columns) -> FloatArray:
    """(n, 12) what detector and classifier report: scores, the two best, plain faces, bonus tiles, red fives."""
    odds = np.log((located + 1e-3) / (1.001 - located)).clip(-4, 6)
    best = np.sort(p, axis=1)[:, ::-1]
    plain = [columns.none, columns.back, columns.white]
    chances = [p[:, k] for k in plain] + [log[:, k] / 3 for k in plain]
    groups = [p[:, list(group)].sum(axis=1) for group in (columns.bonus, columns.red)]
    return np.column_stack([odds, located, best[:, 0], best[:, 0] - best[:, 1], *chances, *groups])


def _geometry(quads: FloatArray, size: FloatArray, weight: FloatArray) -> FloatArray:
    """(n, 11) size against the other detections, shape, distance to the nearest, share cut off by the edge."""
    n, centre, side = len(quads), quads.mean(axis=1), np.maximum(tile_sizes(quads), 1)
    right, down = quad_axes(quads)
    short, long = (np.linalg.norm(axis, axis=1) + 1e-3 for axis in (right, down))
    log = np.log(side)
    order = np.argsort(log)
    reached = np.cumsum(weight[order])
    usual = log[order][min(n - 1, int(np.searchsorted(reached, reached[-1] / 2)))]
    spread = np.abs(log - usual) @ weight / weight.sum()
    keystone = np.linalg.norm(quads[:, 0] + quads[:, 2] - quads[:, 1] - quads[:, 3], axis=1) / 4 / side
    cross = np.abs(right[:, 0] * down[:, 1] - right[:, 1] * down[:, 0]) / (short * long)
    apart = np.linalg.norm(centre[:, None] - centre[None], axis=2) + 1e6 * np.eye(n)
    near = np.sort(apart, axis=1)[:, :3] if n > 3 else np.full((n, 3), 1e6)
    cut = 1 - shares_inside(quads, *size)
    of_all = [np.full(n, v) for v in (spread, np.log(n) - 2.5, np.log(weight.sum() + 0.1) - 2)]
    gaps = np.clip(near / side[:, None], 0, 8) / 2
    return np.column_stack([log - usual, np.log(long / short), keystone, cross, gaps, cut, *of_all])


def _against_usual(colour: FloatArray, weight: FloatArray) -> FloatArray:
    """(n, 46) the colours as they are, and relative to the photo's weighted medians."""
    order = np.argsort(colour, axis=0)
    reached = np.cumsum(weight[order], axis=0)
    at = (reached < reached[-1:] / 2).sum(axis=0)
    usual = np.take_along_axis(colour, np.take_along_axis(order, at[None], 0), 0)
    scale = np.array([40.0, 15, 15] * 6 + [30, 10, 10, 10, 10], np.float32)
    base = np.array([130.0, 128, 128] * 6 + [20, 5, 5, 5, 5], np.float32)
    return np.asarray(
        np.concatenate([(colour - base) / scale, (colour - usual) / scale], axis=1).clip(-4, 4), np.float32
    )


def _pairs(quads: FloatArray, p: FloatArray, embeddings: FloatArray, colour: FloatArray) -> FloatArray:
    """(n, n, 13) the second detection as seen from the first: place in its frame, size, turn, likeness, itself."""
    n = len(quads)
    right, down = quad_axes(quads)
    centre, side = quads.mean(axis=1), np.maximum(tile_sizes(quads), 1)
    away = centre[None] - centre[:, None]
    distance = np.linalg.norm(away, axis=2) / side[:, None]
    angle = np.arctan2(down[:, 1], down[:, 0])
    turn = angle[None] - angle[:, None]
    unit = embeddings / (np.linalg.norm(embeddings, axis=1, keepdims=True) + 1e-6)
    shade = np.abs(colour[:, None, 6:9] - colour[None, :, 6:9]) / np.array([40, 12, 12], np.float32)
    out = np.empty((n, n, 13), np.float32)
    in_frames = away @ np.linalg.pinv(np.stack([right, down], axis=1))
    out[..., 0:2] = np.minimum(np.abs(in_frames), 6) / 2
    out[..., 2], out[..., 3] = np.minimum(distance, 12) / 4, np.exp(-distance)
    out[..., 4] = np.log(side[None] / side[:, None]).clip(-2, 2)
    out[..., 5], out[..., 6] = np.cos(2 * turn), np.abs(np.sin(2 * turn))
    out[..., 7], out[..., 8] = p @ p.T, unit @ unit.T
    out[..., 9:12], out[..., 12] = shade.clip(0, 4), np.eye(n)
    return out
