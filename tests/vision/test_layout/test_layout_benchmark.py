"""A small seeded piece of scripts/accuracy/layout.py: the figures it reports may not fall."""

from __future__ import annotations

from typing import Any

import pytest

from scripts.accuracy.layout import measure_false_wins, measure_labels, measure_layouts

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def figures() -> dict[str, Any]:
    """Of 120 hands with their true labels."""
    return measure_layouts(range(5000, 5120))


def test_hand_and_roles_with_true_labels(figures: dict[str, Any]) -> None:
    assert figures["by"]["all"]["right"] >= 0.97, figures["wrong"]
    assert {key.split()[1] for key in figures["by"] if key.startswith("rules")} == {
        "hongkong",
        "zungjung",
        "hangzhou",
        "singapore",
        "riichi",
    }


def test_decoding_mends_at_least_half_of_the_misread_hands() -> None:
    figures = measure_labels(range(6000, 6250), 0.05)
    assert figures["hand_exact_before"] < 0.85
    assert figures["errors_lifted"] >= 0.5


def test_closed_layouts_are_among_them_and_right(figures: dict[str, Any]) -> None:
    for key in ("hand block", "melds front_line"):
        by = figures["by"][key]
        assert by["n"] >= 5 and by["right"] >= 0.9, by


def test_a_hand_that_waits_is_not_completed_by_what_lies_around() -> None:
    assert measure_false_wins(range(7000, 7120), 0.03, "wait")["wins_made"] <= 0.01


def test_hands_that_do_not_win_are_not_made_to() -> None:
    made = [measure_false_wins(range(7000, 7250), 0.05, kind)["wins_made"] for kind in ("near", "junk")]
    assert sum(made) / 2 <= 0.005
