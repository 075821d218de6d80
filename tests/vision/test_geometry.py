from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets.quads import encode_quads
from vision.arrays import to_quad
from vision.detect.codes import decode_quad, median_code
from vision.detect.nms import non_maximum_suppression
from vision.device import ScoredQuad
from vision.geometry import overlap_ratios


def moved(quad: np.ndarray, x: float, y: float) -> np.ndarray:
    return quad + np.array([x, y], np.float32)


def a_quad(degrees: float, tilt: float = 1.0, width: float = 20, height: float = 27, at: float = 100) -> np.ndarray:
    a = np.radians(degrees)
    turn = np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])
    corners = np.array([[-width, -height], [width, -height], [width, height], [-width, height]]) / 2 @ turn
    corners[:, 1] *= tilt
    return (corners + at).astype(np.float32)


def same_up_to_half_turn(one: np.ndarray, other: np.ndarray) -> bool:
    return min(np.abs(one - other).max(), np.abs(np.roll(one, 2, axis=0) - other).max()) < 0.02


@settings(deadline=None)
@given(st.floats(0, 360), st.floats(0.5, 1), st.lists(st.floats(-0.8, 0.8), min_size=8, max_size=8))
def test_any_quad_comes_back_from_its_code(degrees: float, tilt: float, shifts: list[float]) -> None:
    quad = a_quad(degrees, tilt) + np.array(shifts, np.float32).reshape(4, 2)
    assert same_up_to_half_turn(np.array(decode_quad(encode_quads(quad[None])[0].tolist())), quad)


@given(st.floats(0, 360))
def test_a_half_turn_does_not_change_the_code(degrees: float) -> None:
    quad = a_quad(degrees)
    codes = encode_quads(np.stack([quad, np.roll(quad, 2, axis=0)]))
    assert np.allclose(codes[0], codes[1], atol=1e-3)


@pytest.mark.parametrize("degrees", range(0, 180, 15))
@pytest.mark.parametrize(("width", "height"), [(20, 27), (24, 25), (20, 40)])
def test_axes_are_told_apart_where_the_cells_waver(degrees: float, width: float, height: float) -> None:
    rng = np.random.default_rng(int(degrees))
    quad = a_quad(degrees, 0.7, width, height)
    code = encode_quads(quad[None])[0]
    cells = np.repeat(code[None], 60, axis=0)
    share = rng.uniform(0.2, 0.9, (60, 1))
    cells[:, 2:5] = share * code[2:5] + (1 - share) * code[5:8]
    cells[:, 5:8] = (1 - share) * code[2:5] + share * code[5:8]
    cells += rng.normal(0, 0.1, cells.shape)
    assert overlap_ratios(decode_quad(median_code(cells.T.tolist())), quad)[0] > 0.93


def test_clear_cells_and_hopeless_ones_keep_their_median() -> None:
    code = encode_quads(a_quad(30)[None])[0]
    cells = code + np.random.default_rng(0).normal(0, 0.2, (40, 10)).astype(np.float32)
    assert np.allclose(median_code(cells.T.tolist()), np.median(cells, axis=0))
    even = np.repeat(code[None], 40, axis=0)
    even[:, 2:5] = even[:, 5:8] = (code[2:5] + code[5:8]) / 2
    assert np.allclose(median_code(even.T.tolist()), even[0], atol=1e-4)


def test_overlap_of_polygons() -> None:
    square = np.array([[0, 0], [10, 0], [10, 10], [0, 10]], np.float32)
    assert overlap_ratios(square, moved(square, 5, 0)) == pytest.approx((1 / 3, 0.5))
    assert overlap_ratios(square, square * 0.5) == pytest.approx((0.25, 1.0))
    assert overlap_ratios(square, square + 20) == (0.0, 0.0)
    assert overlap_ratios(square, moved(square[::-1], 5, 0)) == pytest.approx((1 / 3, 0.5))


def test_of_doubles_the_best_stays_and_neighbours_stay() -> None:
    quads = np.stack([a_quad(0), a_quad(5) + 2, moved(a_quad(0), 20, 0), a_quad(0) * 0.5 + 50])
    scored = [ScoredQuad(to_quad(quad), score, 0) for quad, score in zip(quads, [0.8, 0.9, 0.7, 0.6], strict=True)]
    assert non_maximum_suppression(scored) == scored[1:3]
    assert non_maximum_suppression([]) == []
