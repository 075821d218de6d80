"""Whole tables laid by chance, and how well hands are read on them: the truth is whole, the figures add up and hold."""

from __future__ import annotations

import numpy as np
import pytest

from datasets.tables.whole import KINDS, WITH_HAND, WITHOUT, scene
from scripts.accuracy.tables import UNSEEN, read, tables

ROLES = {"concealed", "meld", "winning", "bonus", "dora", "pond", "wall", "theirs", "elsewhere"}


def test_a_seed_decides_everything() -> None:
    one, other = scene(11), scene(11)
    assert one.kind == other.kind and one.seen.placed == other.seen.placed
    assert np.array_equal(one.seen.quads, other.seen.quads)


@pytest.mark.parametrize("kind", KINDS)
def test_every_tile_of_a_table_has_a_role_that_suits_it(kind: str) -> None:
    for seed in range(6):
        table = scene(seed, kind)
        roles = {p.role for p in table.seen.placed}
        assert roles and roles <= ROLES
        if kind in WITH_HAND:
            assert table.dealt is not None and "concealed" in roles
        else:
            assert table.dealt is None and not roles & {"meld", "winning"}
            assert ("concealed" in roles) == (kind not in WITHOUT)


def test_the_figures_add_up_and_hands_are_read_whole() -> None:
    seeds = range(UNSEEN, UNSEEN + 30)
    found = tables(seeds, "win")
    assert found["by"]["win"]["n"] == found["by"]["with a hand"]["n"] == 30
    assert sum(count for *_, count in found["roles"]) == sum(len(scene(s, "win").seen.placed) for s in seeds)
    assert len(found["wrong"]) == round(30 * (1 - found["by"]["win"]["whole"]))
    assert found["by"]["win"]["whole"] >= 0.8


def test_an_invented_hand_is_told() -> None:
    right, _, _ = read(scene(UNSEEN + 16, "tray"))
    assert right["whole"] != right["invented"]
