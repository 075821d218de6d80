"""Whole tables laid by chance, and how well hands are read on them: the truth is whole, the figures add up and hold."""

from __future__ import annotations

import numpy as np
import pytest

from datasets.tables.hands import RULES, deal
from datasets.tables.neighbours import lay_strays, view_two
from datasets.tables.sets import deal_kongs, lay_behind, lay_kongs, short_kong
from datasets.tables.views import photograph
from datasets.tables.whole import KINDS, WITH_HAND, WITHOUT, SimulatedTable, simulated_table
from scripts.accuracy.tables import UNSEEN, measure_tables, read_table

pytestmark = pytest.mark.slow

ROLES = {"concealed", "meld", "winning", "bonus", "dora", "pond", "wall", "theirs", "elsewhere"}


def test_a_seed_decides_everything() -> None:
    one, other = simulated_table(11), simulated_table(11)
    assert one.kind == other.kind and one.seen.placed == other.seen.placed
    assert np.array_equal(one.seen.quads, other.seen.quads)


@pytest.mark.parametrize("kind", KINDS)
def test_every_tile_of_a_table_has_a_role_that_suits_it(kind: str) -> None:
    for seed in range(6):
        table = simulated_table(seed, kind)
        roles = {p.role for p in table.seen.placed}
        assert roles and roles <= ROLES
        if kind in WITH_HAND:
            assert table.dealt is not None and "concealed" in roles
        else:
            assert table.dealt is None and not roles & {"meld", "winning"}
            assert ("concealed" in roles) == (kind not in WITHOUT)


def test_the_figures_add_up_and_hands_are_read_whole() -> None:
    seeds = range(UNSEEN, UNSEEN + 30)
    found = measure_tables(seeds, "win")
    assert found["by"]["win"]["n"] == found["by"]["with a hand"]["n"] == 30
    assert sum(count for *_, count in found["roles"]) == sum(len(simulated_table(s, "win").seen.placed) for s in seeds)
    assert len(found["wrong"]) == round(30 * (1 - found["by"]["win"]["whole"]))
    assert found["by"]["win"]["whole"] >= 0.8


def _laid_otherwise(way: str, seed: int) -> SimulatedTable:
    rng, rules = np.random.default_rng([seed, 26]), RULES[seed % len(RULES)]
    if way == "short kong":
        return SimulatedTable("alone", rules, *short_kong(rng, rules))
    dealt = deal_kongs(rng, rules) if way == "kongs" else deal(rng, rules, melds=2 if way == "behind" else None)
    if way == "two hands":
        return SimulatedTable("alone", rules, dealt, view_two(rng, rules, dealt))
    lay = {"kongs": lay_kongs, "strays": lay_strays, "behind": lay_behind}[way]
    return SimulatedTable("alone", rules, dealt, photograph(rng, lay(rng, dealt)))


def test_of_two_hands_the_one_in_front_is_the_players() -> None:
    for seed in range(UNSEEN, UNSEEN + 20):
        seen = _laid_otherwise("two hands", seed).seen
        theirs = np.array([p.role == "theirs" for p in seen.placed])
        assert 13 <= theirs.sum() <= 24
        assert seen.quads[~theirs][..., 1].mean() > seen.quads[theirs][..., 1].mean()


@pytest.mark.parametrize("way", ["kongs", "strays", "short kong", "behind", "two hands"])
def test_hands_are_read_whole_however_they_lie(way: str) -> None:
    marks = [read_table(_laid_otherwise(way, seed))[0] for seed in range(UNSEEN, UNSEEN + 30)]
    assert sum(mark["whole"] for mark in marks) >= 24
    assert sum(mark["silent"] for mark in marks) <= 1
