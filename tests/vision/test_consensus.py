"""What several searches of one photo agree on."""

from __future__ import annotations

import numpy as np

from vision.detect import Consensus, ScoredQuads

TILE = np.array([[0, 0], [30, 0], [30, 40], [0, 40]], np.float32)


def search(*finds: tuple[float, float]) -> ScoredQuads:
    """A search that found tiles with their left edge at each first number, with each second number as the score."""
    quads = np.array([TILE + np.array([x, 0]) for x, _ in finds], np.float32).reshape(-1, 4, 2)
    return ScoredQuads(quads, np.array([score for _, score in finds], np.float32))


def test_what_more_searches_found_comes_first_in_the_middle_of_their_finds() -> None:
    searches = [search((100, 0.95), (0, 0.6)), search((2, 0.8)), search((4, 0.7), (131, 0.9))]
    agreed = Consensus.from_searches(searches, 400)
    assert agreed.quads[:, 0, 0].tolist() == [2, 100, 131]
    np.testing.assert_allclose(agreed.scores, [0.7, 0.95, 0.9])
    np.testing.assert_allclose(agreed.support, [1, 1 / 3, 1 / 3])
    assert agreed.found.tolist() == [[True, True, True], [True, False, False], [False, False, True]]
    assert agreed.by_search[0, :, 0, 0].tolist() == [0, 2, 4]
    assert agreed.quads.dtype == agreed.scores.dtype == agreed.support.dtype == np.float32


def test_what_a_single_search_takes_for_one_large_tile_gives_way_to_what_others_find() -> None:
    wide = ScoredQuads(np.array([[[0, 0], [62, 0], [62, 40], [0, 40]]], np.float32), np.array([0.97], np.float32))
    two = search((0, 0.6), (31, 0.6))
    assert Consensus.from_searches([wide, two, two], 400).quads[:, 0, 0].tolist() == [0, 31]


def test_corners_are_brought_into_one_order_before_they_are_averaged() -> None:
    """Which of two short edges comes first is arbitrary, and which edges of a nearly square tile are short."""
    square = np.array([[0, 0], [30, 0], [30, 31], [0, 31]], np.float32)
    turned = [ScoredQuads(np.roll(square, k, axis=0)[None] + k, np.array([0.9], np.float32)) for k in range(4)]
    agreed = Consensus.from_searches(turned, 400)
    np.testing.assert_allclose(agreed.quads[0], square + 1.5)
    np.testing.assert_allclose(agreed.by_search[0], [square + k for k in range(4)])


def test_neighbours_stay_apart_and_no_more_are_kept_than_asked_for() -> None:
    row = [(31.0 * k, 0.9 - 0.01 * k) for k in range(9)]
    agreed = Consensus.from_searches([search(*row), search(*row)], 5)
    assert agreed.quads[:, 0, 0].tolist() == [31.0 * k for k in range(5)] and len(agreed) == 5


def test_where_nothing_is_found_there_is_nothing_to_agree_on() -> None:
    agreed = Consensus.from_searches([search(), search()], 400)
    assert len(agreed) == 0 and agreed.by_search.shape == (0, 2, 4, 2) and agreed.support.shape == (0,)
