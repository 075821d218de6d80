"""Hangzhou: the printed examples, fortunes and stand-ins as they are shown."""

from functools import partial

import pytest

from tests.scoring import asking
from tests.scoring.asking import elements, hand

scored = partial(asking.scored, "hangzhou", indicator="4s", banker="E", streak=1)
drawn = partial(scored, win="self_draw")
claimed = partial(asking.scored, "hangzhou", indicator="4s", banker="E", streak=3, source="E")

PLAIN = hand("123m456p789p55m67m", "8m")
EYE = hand("123m456m789p222z4s", "9m")  # four sets and a fortune
PAIRS = hand("1133m5577p99s22z6z", "6z")
PAIRS_EYE = hand("1133m5577p99s22z4s", "8m")


def factor(response):
    assert response["legal"]
    assert response["total"]["uncapped"] == response["total"]["value"]
    return response["total"]["value"]


# --- the printed examples ---

FOUR_KONGS = hand("4s", "7p", "kong_concealed 1111m", "kong_concealed 2222m", "kong_added 3333p", "kong_open 9999p")


def test_four_kongs_and_a_double_float_of_a_third_time_banker_are_1024_a_pair():
    response = drawn(FOUR_KONGS, seat="E", streak=3, floats=2, kong_streak=4)
    assert elements(response) == {"wild_eye": 2, "fortune_float": 4, "kong_bloom": 16}
    assert response["payments"] == {"E": 3072, "S": -1024, "W": -1024, "N": -1024, "pot": 0}


@pytest.mark.parametrize(("floats", "product"), [(0, 2), (1, 4), (2, 8)])
def test_a_float_is_4_and_a_double_float_8_with_the_wild_eye(floats, product):
    assert factor(drawn(EYE, floats=floats)) == product
    pairs = drawn(PAIRS_EYE, floats=floats)  # six pairs float, too
    assert factor(pairs) == 2 * product
    assert f"Factor {' x '.join(['2', '2', *[str(2**floats)] * bool(floats)])} = {2 * product}." in pairs["explanation"]


def test_triple_deluxe_seven_pairs_with_a_double_float_reach_the_same_maximum():
    triple = hand("1111m9999p7777s4s", "2z")
    response = drawn(triple, floats=2)
    assert elements(response) == {"seven_pairs": 2, "deluxe": 8, "wild_eye": 2, "fortune_float": 4}
    assert factor(response) == 128


def test_seven_pairs_without_fortune_are_4():
    assert elements(drawn(PAIRS)) == {"seven_pairs": 2, "seven_pairs_pure": 2}
    assert factor(drawn(PAIRS)) == 4


def test_indicator_4_bams():
    # the other three 4s are wild tiles, 5z is a 4s: 3s 5z 5s is a run, three 5z a pung
    assert factor(drawn(hand("123m456p789p55m3s5z", "5s"))) == 1
    assert factor(drawn(hand("123m456p789p55m55z", "5z"))) == 1


# --- fortunes and stand-ins ---


def test_a_thrown_fortune_without_wild_eye_does_not_count():
    response = drawn(PLAIN, floats=1)
    assert factor(response) == 1
    assert any("does not count" in line for line in response["explanation"])
    assert not any("does not count" in line for line in drawn(EYE, floats=1)["explanation"])


def test_a_refusal_names_every_reason():
    message = claimed(EYE, streak=2, source="W", options={"wall_only": True})["reason"]["message"]
    for part in ("self-drawn tile", "waited for any tile", "hand 3 in a row, not in 2", "must be the dealer, E"):
        assert part in message
