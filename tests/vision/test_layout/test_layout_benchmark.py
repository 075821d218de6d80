"""A small seeded piece of scripts/accuracy/layout.py: the figures it reports may not fall."""

from __future__ import annotations

import pytest

from scripts.accuracy.layout import false_wins, labels, layouts, no_hands

pytestmark = pytest.mark.slow


def test_hand_and_roles_with_true_labels() -> None:
    figures = layouts(range(5000, 5120))
    assert figures["by"]["all"]["right"] >= 0.97, figures["wrong"]
    assert {key.split()[1] for key in figures["by"] if key.startswith("rules")} == {
        "hongkong",
        "zungjung",
        "hangzhou",
        "singapore",
        "riichi",
    }


def test_decoding_mends_at_least_half_of_the_misread_hands() -> None:
    figures = labels(range(6000, 6250), 0.05)
    assert figures["hand_exact_before"] < 0.85
    assert figures["errors_lifted"] >= 0.5


def test_closed_layouts_are_among_them_and_right() -> None:
    by = layouts(range(8000, 8100))["by"]
    for key in ("hand block", "melds front_line"):
        assert by[key]["n"] >= 5 and by[key]["right"] >= 0.9, by[key]


def test_trays_and_ponds_are_refused_or_asked_about() -> None:
    figures = no_hands(range(9000, 9080))
    assert figures["refused"] >= 0.8 and figures["refused"] + figures["asked"] >= 0.95


def test_a_hand_that_waits_is_not_completed_by_what_lies_around() -> None:
    assert false_wins(range(7000, 7120), 0.03, "wait")["wins_made"] <= 0.01


def test_hands_that_do_not_win_are_not_made_to() -> None:
    made = [false_wins(range(7000, 7250), 0.05, kind)["wins_made"] for kind in ("near", "junk")]
    assert sum(made) / 2 <= 0.005
