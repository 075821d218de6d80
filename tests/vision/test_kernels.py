"""Cells of the detector's output -> tiles."""

from __future__ import annotations

import numpy as np
import pytest

from datasets.quads import encode_quads
from vision.detect.codes import Cells, read_cells
from vision.device import ScoredQuad
from vision.models.opencv import find_cells

STRIDE, UNIT = 4, 8.0
QUAD = np.array([[60, 40], [100, 40], [100, 96], [60, 96]], np.float32)
"""10 by 14 cells."""


def detect(kernel: np.ndarray, noise: float = 0.0) -> list[ScoredQuad]:
    """What is found where every cell speaks of ``QUAD``, with ``noise``, in pixels, on the centre it gives."""
    codes = np.tile(encode_quads(QUAD[None])[0], (*kernel.shape, 1))
    codes[..., :2] += np.random.default_rng(0).normal(0, noise, codes[..., :2].shape)
    h, w = kernel.shape
    codes[..., 0] -= np.arange(w) * STRIDE + (STRIDE - 1) / 2
    codes[..., 1] -= np.arange(h)[:, None] * STRIDE + (STRIDE - 1) / 2
    outputs = kernel.astype(np.float32)[None, None], np.moveaxis(codes / UNIT, 2, 0)[None].astype(np.float32)
    cells, sure, ends = find_cells(*outputs, STRIDE, UNIT)
    return read_cells(Cells(cells.ravel().tolist(), sure.tolist(), ends.tolist()))


def kernel_of(strong: float, weak: float = 0.0) -> np.ndarray:
    """A kernel of 6 by 8 cells with a rim of one cell around it."""
    kernel = np.zeros((32, 48))
    kernel[12:22, 16:24] = weak
    kernel[13:21, 17:23] = strong
    return kernel


def test_cells_that_agree_give_their_tile() -> None:
    (found,) = detect(kernel_of(0.9))
    np.testing.assert_allclose(found.quad, QUAD, atol=0.1)
    assert found.score == pytest.approx(0.9) and found.spread == pytest.approx(0, abs=1e-3)


def test_cells_that_disagree_say_so() -> None:
    calm, wild = (detect(kernel_of(0.9), noise)[0].spread for noise in (1.0, 10.0))
    assert 0.5 < calm * (40 * 56) ** 0.5 < 2
    assert wild == pytest.approx(10 * calm, rel=0.2)


@pytest.mark.parametrize(
    ("strong", "weak", "score"), [(0.9, 0.4, [0.9]), (0.4, 0.35, [0.38]), (0.2, 0.2, []), (0.6, 0.51, [0.564])]
)
def test_faint_cells_count_only_where_no_sure_ones_are(strong: float, weak: float, score: list[float]) -> None:
    assert [one.score for one in detect(kernel_of(strong, weak))] == pytest.approx(score)


def test_very_small_kernels_do_not_count() -> None:
    kernel = np.zeros((32, 48))
    kernel[10, 10:12] = 0.9
    assert len(detect(kernel)) == 0
    kernel[11, 10] = 0.9
    assert [one.score for one in detect(kernel)] == pytest.approx([0.9 * 3 / 4])
