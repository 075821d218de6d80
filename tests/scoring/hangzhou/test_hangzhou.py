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


def arranged(response):
    return [(" ".join(u["tiles"]), " ".join(u.get("stands_for", []))) for u in response["arrangement"]]


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
    # the other three 4s are fortunes, 5z is a 4s: 3s 5z 5s is a run, three 5z a pung
    assert factor(drawn(hand("123m456p789p55m3s5z", "5s"))) == 1
    assert factor(drawn(hand("123m456p789p55m55z", "5z"))) == 1


# --- fortunes and stand-ins ---


def test_a_fortune_stands_for_any_tile_and_says_which():
    response = drawn(hand("12m4s456p789p555m6s", "6s"))
    assert arranged(response)[0] == ("1m 2m 4s", "1m 2m 3m")
    assert "Read as 12m4s=123m 555m 456p 789p 66s, won with 6s." in response["explanation"]
    assert "4s is the fortune, 1 in hand; 5z is an ordinary 4s." in response["explanation"]


@pytest.mark.parametrize(
    ("meld", "shown"),
    [
        ("chow 3s5z5s", ("3s 5z 5s", "3s 4s 5s")),
        ("chow 5z6s5s", ("5z 5s 6s", "4s 5s 6s")),
        ("pung 555z", ("5z 5z 5z", "4s 4s 4s")),
        ("kong_open 5555z", ("5z 5z 5z 5z", "4s 4s 4s 4s")),
    ],
)
def test_white_dragons_stand_in_melds(meld, shown):
    assert arranged(drawn(hand("456p789p55m67m", "8m", meld)))[0] == shown


def test_an_honour_as_indicator():
    response = drawn(hand("123m456p789p67m2z5z", "5z"), indicator="2z")
    assert arranged(response)[-1] == ("5z 5z", "2z 2z")
    response = drawn(hand("123m456p789p678m5z", "2z"), indicator="2z")
    assert arranged(response)[-1] == ("5z 2z", "2z 2z")


def test_a_thrown_fortune_without_wild_eye_does_not_count():
    response = drawn(PLAIN, floats=1)
    assert factor(response) == 1
    assert any("does not count" in line for line in response["explanation"])
    assert not any("does not count" in line for line in drawn(EYE, floats=1)["explanation"])


def test_the_lines_tell_how_often_and_about_which_tiles():
    lines = {line["id"]: line for line in drawn(FOUR_KONGS, floats=2, kong_streak=4)["elements"]}
    assert (lines["kong_bloom"]["value"], lines["kong_bloom"]["count"]) == (16, 4)
    assert lines["kong_bloom"]["why"].endswith(": 1111m 2222m 3333p 9999p")
    (part,) = drawn(FOUR_KONGS, kong_streak=2, floats=1)["elements"][2:]
    assert (part["value"], part["count"]) == (4, 2)
    assert part["why"].endswith("every kong of the streak counts")  # which two of the four, nobody said
    assert (lines["fortune_float"]["value"], lines["fortune_float"]["count"]) == (4, 2)
    assert lines["wild_eye"]["why"].endswith(": 4s")


def test_a_refusal_names_every_reason():
    message = claimed(EYE, streak=2, source="W", options={"wall_only": True})["reason"]["message"]
    for part in ("self-drawn tile", "waited for any tile", "hand 3 in a row, not in 2", "must be the banker, E"):
        assert part in message
