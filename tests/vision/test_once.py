from __future__ import annotations

import numpy as np
import pytest

from vision.once import AGAIN, once_each

PLUM, ORCHID, MUM, EAST = range(4)
BONUS = np.array([PLUM, ORCHID, MUM], np.intp)


def weighed(*rows: list[float], tiles: list[bool] | None = None) -> np.ndarray:
    given = np.array(rows, np.float32)
    found = once_each(given, np.array(tiles or [True] * len(rows)), BONUS)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found.sum(axis=1), 1, atol=1e-5)
    return found


def test_what_another_tile_surely_is_this_one_hardly_is() -> None:
    found = weighed([0.97, 0.01, 0.01, 0.01], [0.5, 0.3, 0.1, 0.1])
    assert found[0].argmax() == PLUM
    assert found[1].argmax() == ORCHID and found[1, PLUM] < 0.12


def test_all_others_being_taken_the_last_one_is_left() -> None:
    found = weighed([0.97, 0.01, 0.01, 0.01], [0.01, 0.97, 0.01, 0.01], [0.5, 0.35, 0.1, 0.05])
    assert found[2].argmax() == MUM


def test_two_sure_ones_are_of_two_sets() -> None:
    found = weighed([0.99, 0.004, 0.003, 0.003], [0.99, 0.004, 0.003, 0.003])
    assert found.argmax(axis=1).tolist() == [PLUM, PLUM]
    assert found[0, PLUM] == pytest.approx(0.99 * AGAIN / (0.99 * AGAIN + 0.01), abs=0.06)


def test_tiles_that_a_set_has_four_times_and_finds_that_are_none_change_nothing() -> None:
    faces = [[0.01, 0.01, 0.01, 0.97], [0.02, 0.02, 0.02, 0.94]]
    np.testing.assert_allclose(weighed(*faces), faces, atol=0.01)
    sure, other = [0.97, 0.01, 0.01, 0.01], [0.5, 0.3, 0.1, 0.1]
    np.testing.assert_allclose(weighed(sure, other, tiles=[False, True]), [sure, other], atol=1e-6)
    np.testing.assert_allclose(weighed(sure, other, tiles=[False, False]), [sure, other], atol=1e-6)


def test_the_order_of_tiles_does_not_matter() -> None:
    rng = np.random.default_rng(5)
    rows = rng.dirichlet(np.full(4, 0.3), 7).astype(np.float32)
    order = rng.permutation(7)
    np.testing.assert_allclose(weighed(*rows)[order], weighed(*rows[order]), atol=1e-5)


def test_it_is_what_counting_every_combination_gives() -> None:
    """Each name given once more counts AGAIN times as much."""
    rng = np.random.default_rng(6)
    for _ in range(20):
        rows = rng.dirichlet([0.5, 0.5, 0.5, 0.2], 4).astype(np.float32)
        exact = np.zeros((4, 4))
        for combination in np.ndindex(4, 4, 4, 4):
            names = [c for c in combination if c != EAST]
            p = np.prod([rows[i, c] for i, c in enumerate(combination)]) * AGAIN ** (len(names) - len(set(names)))
            for i, one in enumerate(combination):
                exact[i, one] += p
        np.testing.assert_allclose(weighed(*rows), exact / exact.sum(axis=1, keepdims=True), atol=1e-4)


def test_many_tiles_of_all_kinds_keep_their_sums() -> None:
    rows = np.random.default_rng(7).dirichlet(np.full(52, 0.1), 60).astype(np.float32)
    found = once_each(rows, np.ones(60, np.bool_), np.arange(12))
    np.testing.assert_allclose(found.sum(axis=1), 1, atol=1e-4)
