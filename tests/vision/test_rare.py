"""Animals and red fives are believed where they are sure, or where another one is."""

from __future__ import annotations

import numpy as np
import pytest

from vision.classes import Classes
from vision.rare import seldom

LABELS = ("1s", "5m", "0m", "0p", "5p", "a3", "a4", "none")
CLASSES = Classes.of(LABELS, 7)


def find(**chances: float) -> list[float]:
    """Probabilities by label, the digit last (``s1`` for 1s); what is left goes to none."""
    by_label = {(key if key[0] == "a" else key[::-1]): p for key, p in chances.items() if key != "none"}
    row = [by_label.get(label, 0.0) for label in LABELS]
    row[7] += 1 - sum(row)
    return row


def named(*finds: list[float], tiles: list[bool] | None = None) -> list[str]:
    given = np.array(finds, np.float32)
    changed = seldom(given, np.array(tiles or [True] * len(finds)), CLASSES)
    np.testing.assert_allclose(changed.sum(axis=1), 1, atol=1e-5)
    return [LABELS[i] for i in changed.argmax(axis=1)]


@pytest.mark.parametrize(
    ("chances", "label"),
    [
        (find(a4=0.7, s1=0.3), "1s"),  # a bird
        (find(a4=0.9, s1=0.1), "a4"),
        (find(m0=0.9, m5=0.02), "none"),  # a dealer's die
        (find(m0=0.99, m5=0.01), "0m"),
        (find(m0=0.8, m5=0.19), "0m"),  # a tile in any case
        (find(m0=0.3, m5=0.7), "5m"),
    ],
)
def test_one_alone_must_be_surer_than_others(chances: list[float], label: str) -> None:
    assert named(chances) == [label]


def test_another_sure_one_vouches_for_it() -> None:
    assert named(find(a4=0.7, s1=0.3), find(a3=0.98)) == ["a4", "a3"]
    assert named(find(m0=0.9), find(p0=0.98)) == ["0m", "0p"]


def test_one_kind_does_not_vouch_for_the_other() -> None:
    assert named(find(a4=0.7, s1=0.3), find(p0=0.98)) == ["1s", "0p"]
    assert named(find(m0=0.9), find(a3=0.98)) == ["none", "a3"]


def test_what_is_hardly_a_tile_vouches_for_nothing() -> None:
    assert named(find(a4=0.7, s1=0.3), find(a3=0.98), tiles=[True, False])[0] == "1s"


def test_a_reader_without_such_classes_is_left_alone() -> None:
    given = np.array([[0.2, 0.8]], np.float32)
    np.testing.assert_allclose(seldom(given, np.array([True]), Classes.of(("1m", "none"), 1)), given)
