"""How finds are told from what is no tile by their company."""

from __future__ import annotations

import numpy as np
import pytest

from datasets.learn.scene.company import (
    AS_IT_IS,
    CHANCES,
    EVIDENCE,
    NONE,
    JudgedDetections,
    counts,
    fit,
    merge,
    tile_chances,
)
from vision.scene.classifier import tile_evidence

pytestmark = pytest.mark.release

TRUE = np.array([-2.0, 0.7, 1.5, -0.5, -0.3, 1.8, 0.6, 0.9, -0.4, 0.3, -0.8])


def drawn(n: int) -> JudgedDetections:
    rng = np.random.default_rng(5)
    x = np.column_stack([np.ones(n), rng.normal(1, 2, (n, 3)), rng.random(n) < 0.5, rng.random((n, 6)) * 2])
    tile = rng.random(n) < tile_chances(x, TRUE)
    return JudgedDetections(x, np.ones(n, bool), tile, tile & (rng.random(n) < 0.9))


def test_the_weights_that_drew_the_finds_are_found_again() -> None:
    np.testing.assert_allclose(fit(drawn(40_000)), TRUE, atol=0.2)


def test_finds_that_are_all_tiles_teach_nothing() -> None:
    x = np.ones((4, len(EVIDENCE)))
    for tile in (np.ones(4, bool), np.zeros(4, bool)):
        with pytest.raises(ValueError, match="cannot be told apart"):
            fit(JudgedDetections(x, np.ones(4, bool), tile, tile))


def test_right_and_false_finds_are_counted_by_their_chance() -> None:
    x = np.zeros((4, len(EVIDENCE)))
    x[:, EVIDENCE.index("odds")] = [-2, -0.1, 0.1, 2]  # chances .12, .48, .52, .88
    known = np.ones(4, bool)
    finds = JudgedDetections(x, known, np.array([True, False, True, True]), np.array([True, False, False, True]))
    told = {least: (right, false) for least, right, false in counts(finds, AS_IT_IS)}
    assert tuple(told) == CHANCES
    assert (told[0.3], told[0.5], told[0.85], told[0.9]) == ((1, 1), (1, 0), (1, 0), (0, 0))


def test_what_nobody_knows_is_weighed_but_neither_teaches_nor_counts() -> None:
    told = drawn(4000)
    strange = JudgedDetections(np.full((1000, len(EVIDENCE)), 3.0), *(np.zeros(1000, bool) for _ in range(3)))
    both = merge([told, strange])
    assert len(both.evidence) == 5000 and fit(both) == fit(told)
    assert counts(both, tuple(TRUE)) == counts(told, tuple(TRUE))
    assert both.chances(tuple(TRUE)).shape == (5000,) and not len(merge([NONE]).evidence)


def test_the_others_of_a_photo_are_the_company_of_each() -> None:
    told = tile_evidence([0.9, 0.6, 0.2], [0.8] * 3, [0.01, 0.02, 0], [1, 2, 3], [True, False, True])
    given = dict(zip(EVIDENCE, np.array(told).T, strict=True))
    np.testing.assert_allclose(given["others"], np.log1p([0.8, 1.1, 1.5]), atol=1e-5)
    np.testing.assert_allclose(given["mean of others"], [0.4, 0.55, 0.75], atol=1e-5)
    np.testing.assert_allclose(1 / (1 + np.exp(-given["best of others"])), [0.6, 0.9, 0.9], atol=1e-4)
    np.testing.assert_allclose(np.exp(given["spread"]), [0.01, 0.02, 0.001], atol=1e-6)
    np.testing.assert_allclose(given["spread and printed"], given["spread"] * [1, 0, 1])
    np.testing.assert_allclose(given["stretched, agreed and blank"], [0, np.log(2) * np.log(0.05 / 0.02), 0])
    (wide,) = tile_evidence([0.9], [0.8], [0.3], [2], [False])
    assert wide[EVIDENCE.index("stretched, agreed and blank")] == 0
    (alone,) = tile_evidence([0.9], [0.8], [0.01], [1], [True])
    assert alone[EVIDENCE.index("others")] == 0 and alone[EVIDENCE.index("best of others")] < -9
