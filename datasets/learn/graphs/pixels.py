"""What OpenCV does to pixels on a server: upright crops, crops turned, a photo's negative."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from datasets.learn.graphs.writer import BOOL, FLOAT, INT64, UINT8, Graph, Value

TO_XYZ: Final = np.array(
    [[0.412453, 0.357580, 0.180423], [0.212671, 0.715160, 0.072169], [0.019334, 0.119193, 0.950227]]
)
"""Linear sRGB to CIE XYZ (D65), as OpenCV has it; ``WHITE`` is the XYZ of white."""
WHITE: Final = np.array([0.950456, 1.0, 1.088754])
MOST_TIMES: Final = 3.0


def crops(graph: Graph) -> None:
    """Upright crops of quads; :func:`vision.models.opencv.rectify` says what is meant.

    Quads are cut one after the other, so that memory does not depend on how many there are.
    """
    image, quads = graph.given("image", UINT8, ["h", "w", 3]), graph.given("quads", FLOAT, ["n", 4, 2])
    size, margin = graph.given("size", INT64, [2]), graph.given("margin", FLOAT, [])
    body = Graph("loop_")
    index = body.given("index", INT64, [])
    body.give("on", body.given("going", BOOL, []), BOOL, [])
    body.give("crop", _crop(body, image, body.Gather(quads, index), size, margin), UINT8, [None, None, 3])
    cut = graph.Loop(quads.size(0), np.bool_(True), body=body.body("crop"))
    shape = graph.numbers(quads.size(0), size.at(1), size.at(0), 3)
    graph.give("crops", graph.Reshape(cut, shape), UINT8, ["n", "height", "width", 3])


def _crop(body: Graph, image: Value, quad: Value, size: Value, margin: Value) -> Value:
    # A large tile is cut at two or three times the size and averaged down, against aliasing.
    width, height = size.at(0), size.at(1)
    edge = [(quad.at(k) - quad.at(k + 1)).norm(0) for k in (0, 1)]
    longest = body.Max(edge[0], edge[1] * width.cast(FLOAT) / height.cast(FLOAT))
    times = body.Round(longest / width.cast(FLOAT)).clip(1.0, MOST_TIMES)
    whole = times.cast(INT64)
    across, down = (
        (body.counted(whole * side).cast(FLOAT) / times * 2.0 / side.cast(FLOAT) - 1.0) * (margin + 1.0) / 2.0 + 0.5
        for side in (width, height)
    )  # shares of the quad's width and height
    v, u = down.reshape(-1, 1), across.reshape(1, -1)
    # The map of the unit square to a quad (Heckbert 1989).
    a, b, c, d = (quad.at(k) for k in range(4))
    right, below, bend = b - c, d - c, a - b + c - d
    area = _cross(right, below)
    g, h = _cross(bend, below) / area, _cross(right, bend) / area
    depth = g * u + h * v + 1.0
    along, across_quad = b - a + g * b, d - a + h * d
    x, y = ((along.at(k) * u + across_quad.at(k) * v + a.at(k)) / depth for k in (0, 1))
    # Bilinear, the border repeated.
    last = [(image.size(axis) - 1).cast(FLOAT) for axis in (1, 0)]
    x, y = (body.Min(body.Max(at, 0.0), most) for at, most in zip((x, y), last, strict=True))
    left, top = body.Floor(x), body.Floor(y)
    pixels, row = image.reshape(-1, 3), image.size(1)

    def seen(from_x: Value, from_y: Value) -> Value:
        return body.Cast(body.Gather(pixels, from_y.cast(INT64) * row + from_x.cast(INT64)), to=FLOAT)

    share_x, share_y = (x - left).expand(2), (y - top).expand(2)
    beside, under = body.Min(left + 1.0, last[0]), body.Min(top + 1.0, last[1])
    upper, lower = (seen(left, at) + (seen(beside, at) - seen(left, at)) * share_x for at in (top, under))
    large = body.Round(upper + (lower - upper) * share_y)
    blocks = large.reshape(height, whole, width, whole, 3)
    return body.Round(body.ReduceMean(blocks, axes=[1, 3], keepdims=0)).cast(UINT8)


def _cross(one: Value, other: Value) -> Value:
    return one.at(0) * other.at(1) - one.at(1) * other.at(0)


def turned(graph: Graph) -> None:
    """Crops turned so that the second corner, clockwise, becomes the first, resized; and turned by 180 degrees."""
    given = graph.given("crops", UINT8, ["n", "h", "w", 3])
    planes = graph.Transpose(given, perm=[0, 3, 2, 1]).cast(FLOAT)
    backwards = graph.Slice(planes, [-1], [-(2**62)], [2], [-1])
    shape = graph.numbers(given.size(0), 3, given.size(1), given.size(2))
    resized = graph.Resize(backwards, "", "", shape, mode="linear", coordinate_transformation_mode="half_pixel")
    across = graph.Transpose(graph.Round(resized), perm=[0, 2, 3, 1]).cast(UINT8)
    graph.give("across", across, UINT8, ["n", "h", "w", 3])
    over = graph.Slice(given, [-1, -1], [-(2**62)] * 2, [1, 2], [-1, -1])
    graph.give("over", over, UINT8, ["n", "h", "w", 3])


def lab(graph: Graph, pixels: Value) -> tuple[Value, Value, Value]:
    """8-bit CIELAB, float32 of the same shape, of uint8 RGB pixels (..., 3).

    In whole numbers, as OpenCV reckons, and with the same answers.
    """
    steps, one = 3072, float(1 << 15)
    linear = graph.value(np.rint(255 * 8 * _linear(np.arange(256) / 255)).astype(np.float32))
    cube = np.arange(steps) / (255 * 8)
    root = np.where(cube < 216 / 24389, cube * 841 / 108 + 16 / 116, np.cbrt(cube))
    table = graph.value(np.rint((one * root).astype(np.float32)).astype(np.uint16)).cast(FLOAT)
    matrix = np.rint(4096 * TO_XYZ / WHITE[:, None]).T.astype(np.float32)
    xyz = graph.Floor((linear.at(pixels.cast(INT64)) @ matrix + 2048.0) / 4096.0)
    x, y, z = (table.at(part.cast(INT64)) for part in (xyz.at(k, axis=-1) for k in range(3)))
    lightness = graph.Floor((y * 296.0 - 1336934.0 + one / 2) / one)
    a, b = (graph.Floor((part + 128.5 * one) / one) for part in ((x - y) * 500.0, (y - z) * 200.0))
    return lightness, a.clip(0.0, 255.0), b.clip(0.0, 255.0)


def _linear(share: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)


def negative(graph: Graph) -> None:
    """A picture with its lightness (CIELAB) inverted; hues are kept."""
    lightness, a, b = lab(graph, graph.given("image", UINT8, ["h", "w", 3]))
    y = ((255.0 - lightness) / 2.55 + 16.0) / 116.0
    roots = graph.stacked(y + (a - 128.0) / 500.0, y, y - (b - 128.0) / 200.0, axis=-1)
    cubes = roots * roots * roots
    xyz = graph.Where(roots > 6 / 29, cubes, (roots - 16 / 116) * (108 / 841))
    rgb = (xyz @ (np.linalg.inv(TO_XYZ) * WHITE).T).clip(0.0, 1.0)
    bright = graph.Pow(rgb, np.float32(1 / 2.4)) * 1.055 - 0.055
    shares = graph.Where(rgb > 0.0031308, bright, rgb * 12.92)
    graph.give("negative", graph.Round(shares * 255.0).cast(UINT8), UINT8, ["h", "w", 3])
