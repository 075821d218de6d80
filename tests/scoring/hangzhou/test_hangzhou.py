"""Hangzhou: fortunes and stand-ins, everything that doubles, when a tile may be claimed."""

from functools import partial

import pytest

from scoring.rules import system_named
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


def won_unit(response):
    (unit,) = [u for u in response["arrangement"] if u["completed_by_winning_tile"]]
    return unit["tiles"]


def test_elements_in_both_scripts():
    system = system_named("hz")
    assert (system.id, system.unit, system.native) == ("hangzhou", "factor", "杭州")
    assert {e.id: (e.native, e.value) for e in system.elements} == {
        "wild_eye": ("暴头", "x2"),
        "fortune_float": ("财飘", "x2 each"),
        "kong_bloom": ("杠开", "x2 each"),
        "robbing_kong": ("拉杠", "x2"),
        "seven_pairs": ("七对", "x2"),
        "seven_pairs_pure": ("清七对", "x2"),
        "deluxe": ("豪华", "x2 each"),
        "ten_honours": ("十风", "x1 or more"),
    }


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


def test_every_tile_is_shown_as_it_lies():
    response = drawn(hand("3s5z4s456p789p55m67m", "4s"))
    shown = sorted(t for unit, _ in arranged(response) for t in unit.split())
    assert shown == ["3s", "4p", "4s", "4s", "5m", "5m", "5p", "5z", "6m", "6p", "7m", "7p", "8p", "9p"]


def test_three_fortunes_are_a_set_of_their_own():
    response = drawn(hand("123m456p789p5555z", "1m"), indicator="permanent")
    assert elements(response) == {"wild_eye": 2}
    assert ("5z 5z 5z", "") in arranged(response)
    assert arranged(response)[-1] == ("1m 5z", "1m 1m")


def test_a_drawn_fortune_completes_the_hand():
    response = drawn(hand("123m456p789p55m67m", "4s"))
    assert ("6m 7m 4s", "6m 7m 8m") in arranged(response)
    assert won_unit(response) == ["6m", "7m", "4s"]


def test_two_fortunes_as_the_eye():
    response = drawn(hand("123m456m789p222z4s", "4s"))
    assert elements(response) == {"wild_eye": 2}
    assert arranged(response)[-1] == ("4s 4s", "")


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


def test_a_white_dragon_as_indicator_leaves_three_plain_fortunes():
    response = drawn(hand("123m456m789p222z5z", "9m"), indicator="5z")
    assert elements(response) == {"wild_eye": 2}
    assert "5z is the fortune, 1 in hand." in response["explanation"]
    assert arranged(response)[-1] == ("9m 5z", "9m 9m")


@pytest.mark.parametrize("how", [{"indicator": "permanent"}, {"indicator": None, "options": {"permanent": True}}])
def test_permanent_fortune(how):
    four = hand("12m45p78p5m555z444s", "5z")
    assert factor(drawn(hand("123m456m789p222z5z", "4s"), **how)) == 2
    assert drawn(four, **how)["legal"]
    assert elements(drawn(hand("123m456m789p222z5z", "4s"), floats=3, **how)) == {"wild_eye": 2, "fortune_float": 8}


def test_no_thirteen_orphans():
    assert drawn(hand("19m19p19s1234567z", "1m"), indicator="2m")["reason"]["code"] == "not_a_winning_hand"


def test_four_equal_tiles_in_hand_are_no_kong():
    response = drawn(hand("1111m23m456p789p5m", "5m"))
    assert ("1m 1m 1m", "") in arranged(response)
    assert elements(response) == {}


# --- wild eye ---


@pytest.mark.parametrize("won", ["1m", "9m", "4s", "5z", "7z", "6s"])
def test_any_tile_wins_and_makes_the_eye(won):
    response = drawn(hand("123m456m789p222z4s", won))
    assert elements(response) == {"wild_eye": 2}
    assert won_unit(response) == [won, "4s"]


def test_other_fortunes_may_sit_in_the_sets():
    assert elements(drawn(hand("12m4s56m4s789p222z4s", "7z"))) == {"wild_eye": 2}


def test_with_six_pairs():
    response = drawn(PAIRS_EYE)
    assert elements(response) == {"seven_pairs": 2, "wild_eye": 2}
    assert won_unit(response) == ["8m", "4s"]


def test_melds_may_be_the_sets():
    assert elements(drawn(hand("4s", "7z", "pung 111m", "chow 123p", "chow 456p", "kong_open 9999s"))) == {
        "wild_eye": 2
    }


def test_a_fortune_in_a_set_with_one_wait_is_no_wild_eye():
    assert elements(drawn(hand("12m4s456p789p555m6s", "6s"))) == {}
    assert elements(drawn(hand("1133m5577p99s2z7z4s", "2z"))) == {"seven_pairs": 2}


def test_wild_eye_is_a_fact_of_the_thirteen_tiles():
    # 111m 444p 112233s and a fortune wait for anything; the fourth 1m makes seven pairs of them
    response = drawn(hand("111m444p112233s4s", "1m"), indicator="4s")
    assert elements(response) == {"seven_pairs": 2, "deluxe": 2, "wild_eye": 2}


def test_a_thrown_fortune_without_wild_eye_does_not_count():
    response = drawn(PLAIN, floats=1)
    assert factor(response) == 1
    assert any("does not count" in line for line in response["explanation"])
    assert not any("does not count" in line for line in drawn(EYE, floats=1)["explanation"])


# --- kongs ---

KONGS = hand("123m78p22z", "9p", "kong_concealed 9999m", "kong_open 7777s")


@pytest.mark.parametrize(
    ("how", "product"),
    [
        ({}, 1),
        ({"kong_streak": 1}, 2),
        ({"kong_streak": 2}, 4),
        ({"replacement": True}, 2),
        ({"replacement": True, "double_kong": True}, 4),
        ({"kong_streak": 2, "replacement": True}, 4),
    ],
)
def test_every_kong_of_the_streak_doubles(how, product):
    response = drawn(KONGS, **how)
    assert factor(response) == product
    assert elements(response).get("kong_bloom", 1) == product


def test_the_lines_tell_how_often_and_about_which_tiles():
    lines = {line["id"]: line for line in drawn(FOUR_KONGS, floats=2, kong_streak=4)["elements"]}
    assert (lines["kong_bloom"]["value"], lines["kong_bloom"]["count"]) == (16, 4)
    assert lines["kong_bloom"]["why"].endswith(": 1111m 2222m 3333p 9999p")
    (part,) = drawn(FOUR_KONGS, kong_streak=2, floats=1)["elements"][2:]
    assert (part["value"], part["count"]) == (4, 2)
    assert part["why"].endswith("every kong of the streak counts")  # which two of the four, nobody said
    assert (lines["fortune_float"]["value"], lines["fortune_float"]["count"]) == (4, 2)
    assert lines["wild_eye"]["why"].endswith(": 4s")


def test_what_doubles_is_explained_as_a_factor():
    told = drawn(FOUR_KONGS, floats=2, kong_streak=4)["explanation"]
    assert "Fortune Float 财飘: x4 - a fortune thrown on a winning hand, then won by Wild Eye on the next turn." in told
    assert "Factor 2 x 4 x 16 = 128." in told


def test_robbing_a_kong_doubles():
    assert elements(claimed(hand("123m456p789p55m79m", "8m"), win="robbed_kong")) == {"robbing_kong": 2}


# --- seven pairs ---


def test_deluxe_needs_four_natural_tiles():
    assert elements(drawn(hand("111133m5577p99s2z", "2z"))) == {"seven_pairs": 2, "seven_pairs_pure": 2, "deluxe": 2}
    three = drawn(hand("11133m4s5577p99s2z", "2z"))
    assert elements(three) == {"seven_pairs": 2}
    whites = drawn(hand("5555z33m5577p99s2z", "2z"))
    assert elements(whites) == {"seven_pairs": 2, "seven_pairs_pure": 2, "deluxe": 2}
    (line,) = [e for e in whites["elements"] if e["id"] == "deluxe"]
    assert line["why"].endswith(": 5z")


def test_a_pair_of_fortunes_is_a_pair_but_not_pure():
    assert elements(drawn(hand("1133m5577p99s44s6z", "6z"))) == {"seven_pairs": 2, "wild_eye": 2}


def test_seven_pairs_have_no_melds():
    response = drawn(hand("1133m5577p99s", "9s", "pung 222z"))
    assert response["reason"]["code"] == "not_a_winning_hand"


def test_pure_on_a_claimed_tile_is_a_house_rule():
    assert elements(claimed(PAIRS)) == {"seven_pairs": 2, "seven_pairs_pure": 2}
    off = {"seven_pairs_pure_on_claim": False}
    assert elements(claimed(PAIRS, options=off)) == {"seven_pairs": 2}
    assert elements(drawn(PAIRS, options=off)) == {"seven_pairs": 2, "seven_pairs_pure": 2}


# --- when a tile may be claimed ---


@pytest.mark.parametrize(
    ("tiles", "how", "code"),
    [
        (PLAIN, {}, None),
        (PLAIN, {"streak": 2}, "claim_needs_streak"),
        (PLAIN, {"streak": 7}, None),
        (PLAIN, {"source": "W"}, "claim_needs_banker"),
        (PLAIN, {"seat": "E", "source": "W"}, None),
        (PLAIN, {"streak": 2, "source": "W"}, "claim_needs_streak"),
        (PLAIN, {"streak": 1, "options": {"immediate_third_banker": True}}, None),
        (PLAIN, {"options": {"wall_only": True}}, "wall_only"),
        (EYE, {}, "wild_eye_claim"),
        (PAIRS_EYE, {}, "wild_eye_claim"),
        (hand("123m456p789p55m67m", "4s"), {}, "fortune_claimed"),
        (hand("123m456m789p222z4s", "4s"), {"streak": 1, "source": "W"}, "fortune_claimed"),
        (hand("123m456p789p55m67m", "5z"), {"indicator": "permanent"}, "fortune_claimed"),
        (hand("123m456m789p55m4s6m", "4s"), {"win": "robbed_kong"}, "fortune_claimed"),
        (hand("123m456p789p55m67m", "1z"), {}, "not_a_winning_hand"),
    ],
)
def test_claims(tiles, how, code):
    response = claimed(tiles, **how)
    assert response["legal"] is (code is None)
    assert (response["reason"] or {}).get("code") == code
    if code:
        assert set(response["payments"].values()) == {0}


ROB = hand("123m456p789p55m79m", "8m")


@pytest.mark.parametrize(
    ("how", "code"),
    [
        ({}, None),
        ({"streak": 2}, "claim_needs_streak"),
        ({"streak": 2, "options": {"rob_min_streak": 2}}, None),
        ({"streak": 1, "options": {"rob_min_streak": 2}}, "claim_needs_streak"),
        ({"streak": 1, "options": {"immediate_third_banker": True}}, None),
        ({"source": "N"}, "claim_needs_banker"),
        ({"options": {"wall_only": True}}, "wall_only"),
    ],
)
def test_robbing(how, code):
    response = claimed(ROB, win="robbed_kong", **how)
    assert (response["reason"] or {}).get("code") == code


def test_the_lower_streak_for_robbing_is_none_for_discards():
    assert claimed(PLAIN, streak=2, options={"rob_min_streak": 2})["reason"]["code"] == "claim_needs_streak"


def test_a_refusal_names_every_reason():
    message = claimed(EYE, streak=2, source="W", options={"wall_only": True})["reason"]["message"]
    for part in ("self-drawn tile", "waited for any tile", "hand 3 in a row, not in 2", "must be the banker, E"):
        assert part in message


def test_a_claimed_tile_may_complete_a_set_that_holds_a_fortune():
    response = claimed(hand("123m456p789p55m6m4s", "8m"))
    assert response["legal"]
    assert ("6m 4s 8m", "6m 7m 8m") in arranged(response)
    (unit,) = [u for u in response["arrangement"] if u["completed_by_winning_tile"]]
    assert unit["concealed"] is False


def test_a_robbed_tile_may_complete_a_set_that_holds_a_fortune():
    response = claimed(hand("123m456p789p55m6m4s", "8m"), win="robbed_kong")
    assert elements(response) == {"robbing_kong": 2}
    assert ("6m 4s 8m", "6m 7m 8m") in arranged(response)


def test_nobody_robs_a_kong_for_seven_pairs():
    # the robbed tile is the fourth of its kind, so its pair would be a fifth; a fortune's eye waits for any tile
    assert "cannot hold another 6z" in asking.faults(
        "hangzhou", PAIRS, indicator="4s", banker="E", streak=3, source="E", win="robbed_kong"
    )
    assert claimed(PAIRS_EYE, win="robbed_kong")["reason"]["code"] == "wild_eye_claim"


def test_a_claimed_white_dragon_is_a_natural_tile():
    response = claimed(hand("123m456p789p55m3s5s", "5z"))
    assert response["legal"]
    assert ("3s 5z 5s", "3s 4s 5s") in arranged(response)
