"""Zung Jung: the table of patterns, the limits, the printed examples."""

from collections import Counter
from functools import partial

from scoring.rules.zungjung.table import OFFICIAL, PATTERNS, SEED, SERIES
from tests.scoring import asking
from tests.scoring.asking import hand

scored = partial(asking.scored, "zungjung")
DRAWN = {"win": "self_draw"}


def test_the_table_holds_44_patterns_in_ten_categories():
    patterns = [p for p in PATTERNS if p.id != "chicken_hand"]
    categories = Counter(p.number.split(".")[0] for p in patterns)
    assert [categories[str(n)] for n in range(1, 11)] == [3, 3, 8, 8, 4, 3, 3, 4, 6, 2]
    assert len({p.number for p in patterns}) == len({p.id for p in patterns}) == 44


def test_the_series_of_several_patterns():
    several = {series for series, n in Counter(SERIES.values()).items() if n > 1}
    assert several == {"2.1", "3.2", "3.3", "4.2", "4.3", "5.1", "6.2", "7.2", "8.1", "9.1", "9.4"}


def test_the_printed_points():
    assert list(SEED.values()) == [
        *(5, 5, 5, 40, 100, 480, 10, 40, 130, 30, 120, 320, 400, 320),
        *(30, 5, 30, 125, 5, 20, 120, 480, 10, 55, 120, 480, 35, 30, 120, 40, 100, 200),
        *(40, 50, 100, 400, 10, 10, 10, 10, 155, 155, 200, 30, 1),
    ]
    changed = {"pure_one_suit": 80, "double_two_sequences": 60, "thirteen_terminals": 160}
    assert changed == OFFICIAL


# --- the printed examples ---


def test_four_concealed_triplets_are_160_at_least():
    assert scored(hand("222m444m666p88s99s", "9s"), **DRAWN)["total"]["value"] == 160


def test_a_70_point_hand_on_a_discard():
    response = scored(hand("223344m556677p8s", "8s"), source="N")
    assert response["total"]["value"] == 70
    assert response["payments"] == {"E": -30, "S": 210, "W": -30, "N": -150, "pot": 0}
