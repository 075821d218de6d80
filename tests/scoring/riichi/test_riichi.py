"""Riichi: dora, the ladder, the examples of the specification, how the hand is laid out."""

from functools import partial

import pytest

from scoring.rules.riichi import RiichiOptions
from scoring.rules.riichi.hand.kinds import DORA_OF
from scoring.rules.riichi.payments.ladder import base_of, win_points
from scoring.tiles import PLAIN, parse_tiles, tile
from tests.scoring import asking
from tests.scoring.asking import hand

scored = partial(asking.scored, "riichi")
points = partial(win_points, options=RiichiOptions())
DRAWN = {"win": "self_draw"}
SIMPLE = hand("234m567m345p67s88p", "8s")


# --- dora ---


def test_what_an_indicator_shows():
    pairs = ["1m2m", "9m1m", "9p1p", "9s1s", "4p5p", "1z2z", "2z3z", "3z4z", "4z1z", "5z6z", "6z7z", "7z5z"]
    for pair in pairs:
        assert PLAIN[DORA_OF[tile(pair[:2]).kind]] is tile(pair[2:])
    assert sorted(DORA_OF) == list(range(34))


# --- the ladder of section 5 ---


@pytest.mark.parametrize(
    ("han", "limit", "others", "dealer"),
    [
        (5, "mangan", 8000, 12000),
        (6, "haneman", 12000, 18000),
        (7, "haneman", 12000, 18000),
        (8, "baiman", 16000, 24000),
        (10, "baiman", 16000, 24000),
        (11, "sanbaiman", 24000, 36000),
        (12, "sanbaiman", 24000, 36000),
        (13, "kazoe yakuman", 32000, 48000),
        (30, "kazoe yakuman", 32000, 48000),
    ],
)
def test_ladder(han, limit, others, dealer):
    base, name = base_of(han, 30, RiichiOptions())
    assert name == limit
    assert points(base, dealer=False, self_drawn=False) == points(base, dealer=False, self_drawn=True) == others
    assert points(base, dealer=True, self_drawn=False) == points(base, dealer=True, self_drawn=True) == dealer


def test_every_payment_below_the_limit():
    """The whole table of fu and han, each payment rounded by itself (decision 10)."""
    for han in range(1, 5):
        for fu in (20, 25, *range(30, 120, 10)):
            base = min(2000, fu * 2 ** (2 + han))
            assert base_of(han, fu, RiichiOptions())[0] == base
            for dealer in (False, True):
                parts = [base * 2] * 3 if dealer else [base * 2, base, base]
                assert points(base, dealer=dealer, self_drawn=True) == sum(-(-p // 100) * 100 for p in parts)


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
