"""Riichi: how the hand is laid out, and the answer in full."""

from functools import partial

import pytest

from scoring.tiles import parse_tiles
from tests.scoring import asking
from tests.scoring.asking import hand

scored = partial(asking.scored, "riichi")
SIMPLE = hand("234m567m345p67s88p", "8s")


@pytest.mark.parametrize(
    ("tiles", "won"),
    [
        (hand("123456789m444z1m", "1m"), ["1m", "1m"]),  # 40 fu as pair wait is 20+10+8+2, as two-sided wait 20+10+8
        (hand("123456789m444z9m", "9m"), ["9m", "9m"]),
    ],
)
def test_of_readings_with_equal_fu_the_one_with_more_before_rounding_is_told(tiles, won):
    response = scored(tiles, riichi=True)
    assert [u["tiles"] for u in response["arrangement"] if u["completed_by_winning_tile"]] == [won]
    assert "2 pair wait = 40." in " ".join(response["explanation"])


@pytest.mark.parametrize(
    ("tiles", "won", "others"),
    [
        (hand("34534m456p456s77z", "0m"), ["3m", "4m", "0m"], ["3m", "4m", "5m"]),
        (hand("34034m456p456s77z", "5m"), ["3m", "4m", "5m"], ["3m", "4m", "0m"]),
        (hand("067m234p234s34m55m", "5m"), ["3m", "4m", "5m"], ["0m", "6m", "7m"]),
        (hand("05m678m234p234s88s", "5m"), ["5m", "0m", "5m"], ["6m", "7m", "8m"]),
    ],
)
def test_the_winning_tile_lies_in_the_set_it_completed_and_red_fives_where_they_were(tiles, won, others):
    units = scored(tiles, riichi=True, options={"aka": 4})["arrangement"]
    assert [u["tiles"] for u in units if u["completed_by_winning_tile"]] == [won]
    assert others in [u["tiles"] for u in units if not u["completed_by_winning_tile"]]
    laid = sorted(t for u in units for t in u["tiles"])
    assert laid == sorted(t.code for t in parse_tiles(f"{tiles[0]} {tiles[1]}"))


@pytest.mark.parametrize(("pair", "fu"), [("5z", 40), ("6z", 40), ("7z", 40), ("1z", 40), ("2z", 40), ("3z", 30)])
def test_a_pair_of_dragons_or_of_a_wind_of_ones_own_has_fu(pair, fu):
    """South in the east round: 20 + 10 for the closed hand, and 2 for the pair, rounded up."""
    assert scored(hand(f"234m567m345p67s{2 * pair}", "8s"), riichi=True)["total"]["fu"] == fu


def test_the_answer_in_full():
    response = scored(SIMPLE, riichi=True, source="E", dora_indicators="1m", counters=1, riichi_sticks=1)
    assert response["total"] == {
        "unit": "han",
        "value": 4,
        "uncapped": 4,
        "limit": None,
        "fu": 30,
        "points": 7700,  # neither the counter nor the stick
    }
    assert response["payments"] == {"E": -8000, "S": 9000, "W": 0, "N": 0, "pot": -1000}
    assert response["explanation"] == [
        "Read as 234m 567m 345p 678s 88p, won with 8s.",
        "Riichi 立直: 1 han - riichi was declared.",
        "Tanyao 断么九: 1 han - only 2 to 8.",
        "Pinfu 平和: 1 han - four sequences, a worthless pair, a two-sided wait.",
        "Dora ドラ: 1 han - tiles that a dora indicator points to: 1 x 2m (shown by 1m).",
        "Fu: 20 base + 10 concealed hand won by another's tile = 30.",
        "4 han 30 fu: base 30 x 2^(2 + 4) = 1920.",
        "E pays S 7700: 4 x base 1920 = 7680, rounded up.",
        "E pays S 300: counters: 1.",
        "pot pays S 1000: riichi sticks: 1.",
    ]


def test_yakuman_that_do_not_count_beside_another_are_named():
    dragons = ("pung 555z", "pung 666z", "pung 777z")
    told = [scored(hand("1122z", "2z", *dragons), options={"multiple_yakuman": each}) for each in (True, False)]
    assert [one["total"]["points"] for one in told] == [64000, 32000]
    assert ["left out" in " ".join(one["explanation"]) for one in told] == [False, True]
