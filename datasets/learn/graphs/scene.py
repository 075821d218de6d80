"""Crops and detections -> the inputs of the scene classifier."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from datasets.learn.graphs.writer import FLOAT, INT64, UINT8, Graph, Value
from vision.models.opencv import BARE, DOTS, PRINTED, STEP_PX

TO_XYZ: Final = np.array([[1777, 1541, 778], [871, 2929, 296], [73, 448, 3575]])
"""Linear sRGB to CIE XYZ (D65) as OpenCV has it: shares of those of white, in parts of 4096."""
QUANTILES: Final = (0.1, 0.5, 0.65, 0.9)


def colours(graph: Graph) -> None:
    """Colour statistics (8-bit CIELAB) of crops.

    Quantiles of the middle (10, 50, 65 and 90 %), medians of rim and margin, standard deviations of the middle, and
    how much the lightness changes from row to row and from column to column.
    """
    crops = graph.given("crops", UINT8, ["n", "h", "w", 3])
    n, h, w = (crops.size(axis) for axis in range(3))
    planes = _lab(graph, crops)
    pixels = graph.stacked(*(plane.reshape(n, h * w) for plane in planes), axis=1)  # (n, 3, h * w)
    down, across = (_depths(graph, side) for side in (h, w))
    depth = graph.Min(down.reshape(-1, 1), across.reshape(1, -1)).reshape(-1)
    middle, rim, margin = (
        graph.Gather(pixels, graph.found(part), axis=2)
        for part in (depth > 0.17, (depth > 0.075) & (depth < 0.15), depth < 0.04)
    )
    counts = _cumulative_counts(graph, middle, n)
    quantiles = [_quantile(graph, counts, q) for q in QUANTILES]
    quantiles += [_quantile(graph, _cumulative_counts(graph, part, n), 0.5) for part in (rim, margin)]
    off = middle - graph.ReduceMean(middle, axes=[2], keepdims=1)
    deviation = graph.Sqrt(graph.ReduceMean(off * off, axes=[2], keepdims=0))
    light = planes[0]
    edges = [
        graph.ReduceMean(graph.Abs(_but_first(graph, light, k) - _but_last(graph, light, k)), axes=[1, 2], keepdims=0)
        for k in (1, 2)
    ]
    found = graph.joined(*quantiles, deviation, *(edge.expand(1) for edge in edges), axis=1)
    graph.give("colours", found, FLOAT, ["n", 23])


def _lab(graph: Graph, pixels: Value) -> tuple[Value, Value, Value]:
    """8-bit CIELAB, float32 of the same shape, of uint8 RGB pixels (..., 3).

    In whole numbers, as OpenCV reckons, and with the same answers.
    """
    steps, one = 3072, float(1 << 15)
    linear = graph.value(np.rint(255 * 8 * _linear(np.arange(256) / 255)).astype(np.float32))
    cube = np.arange(steps) / (255 * 8)
    root = np.where(cube < 216 / 24389, cube * 841 / 108 + 16 / 116, np.cbrt(cube))
    table = graph.value(np.rint((one * root).astype(np.float32)).astype(np.uint16)).cast(FLOAT)
    xyz = graph.Floor((linear.at(pixels.cast(INT64)) @ TO_XYZ.T.astype(np.float32) + 2048.0) / 4096.0)
    x, y, z = (table.at(part.cast(INT64)) for part in (xyz.at(k, axis=-1) for k in range(3)))
    lightness = graph.Floor((y * 296.0 - 1336934.0 + one / 2) / one)
    a, b = (graph.Floor((part + 128.5 * one) / one) for part in ((x - y) * 500.0, (y - z) * 200.0))
    return lightness, a.clip(0.0, 255.0), b.clip(0.0, 255.0)


def _linear(share: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)


def prints(graph: Graph) -> None:
    """Of each crop how much darker its print is than the tile around it, how far its colours differ, of 255.

    And how much redder than that tile the least red of its four corners is, where the outer dots of a five are.
    """
    crops = graph.given("crops", UINT8, ["n", "h", "w", 3]).cast(FLOAT)
    n, h, w = (crops.size(axis) for axis in range(3))
    light = graph.ReduceMean(crops, axes=[3], keepdims=0).reshape(n, h * w)
    red = (crops * np.array([1, -0.5, -0.5], np.float32)).sum(3).reshape(n, h * w)
    down, across = _offsets(graph, h).reshape(-1, 1), _offsets(graph, w).reshape(1, -1)
    apart = graph.Max(graph.Abs(down), graph.Abs(across)).reshape(-1)
    around = graph.found((apart > BARE[0]) & (apart < BARE[1]))
    printed = graph.ReduceMean(light.at(graph.found(apart < PRINTED), axis=1), axes=[1], keepdims=0)
    some = graph.Slice(crops, [0, 0], [2**62] * 2, [1, 2], [STEP_PX] * 2)
    differences = some.at([0, 2], axis=3) - some.at([1], axis=3)
    off = differences - graph.ReduceMean(differences, axes=[1, 2], keepdims=1)
    deviations = graph.Sqrt(graph.ReduceMean(off * off, axes=[1, 2], keepdims=0))
    coloured = graph.ReduceMean(deviations, axes=[1], keepdims=0)
    more = red - _median(graph, red.at(around, axis=1)).expand(1)
    corners = (_dots(down * y) & _dots(across * x) for y in (-1.0, 1.0) for x in (-1.0, 1.0))
    means = [
        graph.ReduceMean(graph.Relu(more.at(graph.found(corner.reshape(-1)), axis=1)), axes=[1], keepdims=0)
        for corner in corners
    ]
    darker = _median(graph, light.at(around, axis=1)) - printed
    graph.give("prints", graph.stacked(darker, coloured, graph.Min(*means), axis=1), FLOAT, ["n", 3])


def _median(graph: Graph, values: Value) -> Value:
    """(n,) the medians of (n, k) values."""
    count = values.size(1)
    ordered, _ = graph.TopK(values, count.reshape(1), axis=1, outputs=2)
    middles = graph.stacked(graph.Div(count - 1, np.int64(2)), graph.Div(count, np.int64(2)), axis=0)
    return graph.ReduceMean(ordered.at(middles, axis=1), axes=[1], keepdims=0)


def _dots(at: Value) -> Value:
    return (at > DOTS[0]) & (at < DOTS[1])


def _offsets(graph: Graph, side: Value) -> Value:
    """(side,) where pixels are, from -1 at the first to 1 at the last."""
    return graph.counted(side).cast(FLOAT) * 2.0 / (side - 1).cast(FLOAT) - 1.0


def _depths(graph: Graph, side: Value) -> Value:
    """(side,) how far pixels are from the nearer end, as a share of the side."""
    at = (graph.counted(side).cast(FLOAT) + 0.5) / side.cast(FLOAT)
    return graph.Min(at, 1.0 - at)


def _but_first(graph: Graph, values: Value, axis: int) -> Value:
    return graph.Slice(values, [1], [2**62], [axis])


def _but_last(graph: Graph, values: Value, axis: int) -> Value:
    return graph.Slice(values, [0], [-1], [axis])


def _cumulative_counts(graph: Graph, values: Value, n: Value) -> Value:
    """(n, 3, 256) how many of (n, 3, k) whole numbers are at most 0, 1, ... 255, float32."""
    bins = values.reshape(n * 3, values.size(2)).cast(INT64) + graph.counted(n * 3).reshape(-1, 1) * 256
    ones = graph.full(1.0, graph.Size(bins))
    counts = graph.ScatterElements(graph.full(0.0, n * 768), bins.reshape(-1), ones, reduction="add")
    return graph.CumSum(counts.reshape(n, 3, 256), np.int64(2))


def _quantile(graph: Graph, reached: Value, q: float) -> Value:
    """(n, 3) the quantile ``q`` of values counted by :func:`_cumulative_counts`, interpolated linearly."""
    place = (reached.at(255, axis=2) - 1.0) * q
    low, high = ((~(reached > at.expand(2))).cast(FLOAT).sum(2) for at in (graph.Floor(place), graph.Ceil(place)))
    return low + (high - low) * (place - graph.Floor(place))


def measures(graph: Graph) -> None:
    """The inputs of ``scene.onnx`` for n > 0 detections of one photo; its card lists their columns.

    ``kinds`` says which columns of the probabilities are none, back, white dragon, bonus tiles and red fives;
    ``inside`` is the share of each quad that lies within the photo.
    """
    quads, inside = graph.given("quads", FLOAT, ["n", 4, 2]), graph.given("inside", FLOAT, ["n"])
    located = graph.given("located", FLOAT, ["n"])
    p, kinds = graph.given("probabilities", FLOAT, ["n", "classes"]), graph.given("kinds", FLOAT, ["classes", 5])
    emb, shown = graph.given("embeddings", FLOAT, ["n", "width"]), graph.given("colours", FLOAT, ["n", 23])
    log, of = graph.Log(p).clip(-9.0), p @ kinds
    weight = (located * (1.0 - of.at(0, 1)) * (1.0 - of.at(1, 1) * 0.7)).clip(1e-3)
    graph.give("say", _report(graph, p, log @ kinds.at([0, 1, 2], 1), of, located), FLOAT, ["n", 12])
    graph.give("logp", log, FLOAT, ["n", "classes"])
    graph.give("geo", _geometry(graph, quads, inside, weight), FLOAT, ["n", 11])
    graph.give("col", _against_usual(graph, shown, weight), FLOAT, ["n", 46])
    names = p * (1.0 - kinds.at(0, 1))
    graph.give("pair", _pairs(graph, quads, names, emb, shown), FLOAT, ["n", "n", 13])


def _report(graph: Graph, p: Value, log: Value, of: Value, located: Value) -> Value:
    """(n, 12) what detector and classifier report: scores, the two best, plain faces, bonus tiles, red fives."""
    odds = graph.Log((located + 1e-3) / (1.001 - located)).clip(-4.0, 6.0)
    best, _ = graph.TopK(p, [2], axis=1, outputs=2)
    lead = best.at(0, 1) - best.at(1, 1)
    scores = graph.stacked(odds, located, best.at(0, 1), lead, axis=1)
    return graph.joined(scores, of.at([0, 1, 2], 1), log / 3.0, of.at([3, 4], 1), axis=1)


def _sizes(graph: Graph, quads: Value) -> Value:
    """(n,) square root of the area, at least 1."""
    after = quads.at([1, 2, 3, 0], 1)
    twice = quads.at(0, 2) * after.at(1, 2) - after.at(0, 2) * quads.at(1, 2)
    return graph.Sqrt(graph.Abs(twice.sum(1)) / 2.0).clip(1.0)


def _axes(quads: Value) -> tuple[Value, Value]:
    """(n, 2) right and down."""
    a, b, c, d = (quads.at(k, 1) for k in range(4))
    return (b + c - a - d) / 2.0, (d + c - a - b) / 2.0


def _weighted_median(graph: Graph, values: Value, weight: Value) -> Value:
    """(k,) of each column of (n, k) values the least one up to which half of the (n,) weights lie."""
    ordered, order = graph.TopK(values, graph.Shape(weight), axis=0, largest=0, outputs=2)
    reached = graph.CumSum(weight.at(order), np.int64(0))
    whole = reached.at(graph.Size(weight) - 1)
    at = (reached < whole / 2.0).cast(INT64).sum(0)
    return graph.GatherElements(ordered, at.expand(0), axis=0).reshape(-1)


def _geometry(graph: Graph, quads: Value, inside: Value, weight: Value) -> Value:
    """(n, 11) size against the other detections, shape, distance to the nearest, share cut off by the edge."""
    n, side, middle = weight.size(0), _sizes(graph, quads), graph.ReduceMean(quads, axes=[1], keepdims=0)
    right, down = _axes(quads)
    short, long = right.norm(1) + 1e-3, down.norm(1) + 1e-3
    log = graph.Log(side)
    against = log - _weighted_median(graph, log.expand(1), weight)
    spread = (graph.Abs(against) * weight).sum(0) / weight.sum(0)
    bend = (quads.at(0, 1) + quads.at(2, 1) - quads.at(1, 1) - quads.at(3, 1)).norm(1) / 4.0 / side
    skew = graph.Abs(right.at(0, 1) * down.at(1, 1) - right.at(1, 1) * down.at(0, 1)) / (short * long)
    away = (middle.expand(0) - middle.expand(1)).norm(2) + graph.EyeLike(_square(graph, n), dtype=FLOAT) * 1e6
    padded = graph.Pad(away, [0, 0, 0, 3], np.float32(1e6))
    near, _ = graph.TopK(padded, [3], axis=1, largest=0, outputs=2)
    near = graph.Where(n > 3, near, np.float32(1e6))  # fewer than three others count as far away
    gaps = (near / side.expand(1)).clip(0.0, 8.0) / 2.0
    count = graph.Log(n.cast(FLOAT)) - 2.5
    likely = graph.Log(weight.sum(0) + 0.1) - 2.0
    own = graph.stacked(against, graph.Log(long / short), bend, skew, axis=1)
    of_all = graph.Expand(graph.stacked(spread, count, likely, axis=0), graph.numbers(n, 3))
    return graph.joined(own, gaps, (1.0 - inside).expand(1), of_all, axis=1)


def _square(graph: Graph, n: Value) -> Value:
    return graph.full(0.0, n, n)


def _against_usual(graph: Graph, colour: Value, weight: Value) -> Value:
    """(n, 46) the colours as they are, and relative to the photo's weighted medians."""
    usual = _weighted_median(graph, colour, weight)
    scale = np.array([40.0, 15, 15] * 6 + [30, 10, 10, 10, 10])
    base = np.array([130.0, 128, 128] * 6 + [20, 5, 5, 5, 5])
    return graph.joined((colour - base) / scale, (colour - usual) / scale, axis=1).clip(-4.0, 4.0)


def _pairs(graph: Graph, quads: Value, p: Value, embeddings: Value, colour: Value) -> Value:
    """(n, n, 13) the second detection as seen from the first: place in its frame, size, turn, likeness, itself."""
    n, side, middle = quads.size(0), _sizes(graph, quads), graph.ReduceMean(quads, axes=[1], keepdims=0)
    right, down = _axes(quads)
    away = middle.expand(0) - middle.expand(1)
    distance = away.norm(2) / side.expand(1)
    x, y = away.at(0, 2), away.at(1, 2)
    (a, b), (c, d) = (tuple(axis.at(k, 1).expand(1) for k in (0, 1)) for axis in (right, down))
    area = a * d - b * c
    area = graph.Where(graph.Abs(area) < 1e-3, np.float32(1e-3), area)  # of a quad that has none
    place = [graph.Abs(part / area).clip(None, 6.0) / 2.0 for part in (x * d - y * c, y * a - x * b)]
    log = graph.Log(side)
    length = down.norm(1).clip(1e-6)
    cos, sin = (down.at(k, 1) / length for k in (0, 1))
    along = cos.expand(0) * cos.expand(1) + sin.expand(0) * sin.expand(1)
    across = sin.expand(0) * cos.expand(1) - cos.expand(0) * sin.expand(1)
    unit = embeddings / (embeddings.norm(1).expand(1) + 1e-6)
    shade = colour.at([6, 7, 8], 1) / np.array([40.0, 12, 12])
    figures = [
        *place,
        distance.clip(None, 12.0) / 4.0,
        graph.Exp(graph.Neg(distance)),
        (log.expand(0) - log.expand(1)).clip(-2.0, 2.0),
        along * along * 2.0 - 1.0,  # cosine and sine of twice the turn
        graph.Abs(along * across * 2.0),
        p @ graph.Transpose(p, perm=[1, 0]),
        unit @ graph.Transpose(unit, perm=[1, 0]),
    ]
    apart = graph.Abs(shade.expand(1) - shade.expand(0)).clip(0.0, 4.0)
    same = graph.EyeLike(_square(graph, n), dtype=FLOAT).expand(2)
    return graph.joined(graph.stacked(*figures, axis=2), apart, same, axis=2)
