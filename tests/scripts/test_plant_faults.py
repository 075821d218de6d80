"""Faults are planted where they were thought of, or are said to be gone."""

from __future__ import annotations

import pytest

from scripts.plant_faults import Fault

SOURCE = """
class Game:
    def ends(self, points: int) -> bool:
        return any(
            points <= 0 and self.hands > 1
            for points in self.totals
        )

def ends(points: int) -> bool:
    return points <= 0 or points <= 0
"""


@pytest.mark.parametrize(
    ("function", "old", "where"),
    [
        ("Game.ends", "points <= 0", 0),
        ("Game.ends", "any(points <= 0 and self.hands > 1 for", 0),  # as it stood before it was wrapped
        ("ends", "points <= 0 or", 1),
        (None, "points <= 0 or", 1),
        ("ends", "points <= 0", None),  # twice
        ("Game.ends", "points < 0", None),
        ("Game.begins", "points <= 0", None),
        (None, "points <= 0", None),
    ],
)
def test_a_fault_is_planted_where_its_text_is_once(function: str | None, old: str, where: int | None) -> None:
    planted = Fault("games", "game.py", old, "FAULT", "tests", function).planted(SOURCE)
    assert (planted is None) == (where is None)
    if planted is not None:
        assert ["FAULT" in part for part in planted.split("def ends(points")] == [where == 0, where == 1]
