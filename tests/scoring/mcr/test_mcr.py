"""Mahjong Competition Rules: the list of fan, the minimum, flowers, payments, penalties, refusals, house rules.

Every fan and every principle has worked hands in tests/golden/mcr.json.
"""

from functools import partial

import pytest

from scoring.request import respond
from scoring.rules.mcr.elements import ELEMENTS, POINTS
from scoring.rules.mcr.options import McrOptions
from scoring.rules.mcr.payment import false_win
from scoring.rules.mcr.principles import ABSORBS
from scoring.seats import Seat
from tests.scoring import asking
from tests.scoring.asking import elements, hand

scored = partial(asking.scored, "mcr")
faults = partial(asking.faults, "mcr")
DRAWN = {"win": "self_draw"}
NOTHING = hand("567p888m67s33z", "8s", "chow 234m")
SEVEN = hand("234p45s88m777m", "3s", "chow 123m")


def test_a_fan_contains_lesser_ones_only():
    for by, inner in ABSORBS.items():
        assert all(POINTS[id_] <= POINTS[by] for id_ in inner), by
        assert set(inner) < set(ELEMENTS)


def test_flowers_count_after_the_minimum():
    assert scored(NOTHING, bonus="f1f2g3")["total"]["value"] == 11
    refused = scored(SEVEN, bonus="f1f2g3")
    assert refused["reason"] == {"code": "below_minimum", "message": "7 points without flower tiles; 8 are needed."}
    assert scored(NOTHING, bonus="f1f2g3", options={"flowers": False})["total"]["value"] == 8
    assert scored(SEVEN, options={"min_points": 7})["legal"]


def test_a_false_win_pays_each_of_the_others():
    assert false_win(Seat.S).to_json() == {"E": 10, "S": -30, "W": 10, "N": 10, "pot": 0}
    assert set(false_win(Seat.S, McrOptions(false_win=0)).to_json().values()) == {0}


def test_the_editions_differ_in_two_pairs_of_kongs():
    tiles = hand("456s23p99m", "4p", "kong_concealed 3333m", "kong_concealed 7777p")
    asked = asking.ask("mcr", tiles)
    del asked["rules"]
    worth = {preset: elements(respond({**asked, "preset": preset})) for preset in ("mcr-china", "mcr-2006")}
    assert [found["two_concealed_kongs"] for found in worth.values()] == [6, 8]


def test_who_conceals_another_of_the_kind_did_not_win_with_the_last():
    tiles = hand("567p888m78s33z", "8s", "chow 234m")
    assert "the winner cannot conceal another 8s." in faults(tiles, last_of_kind=True)


def why(tiles, **how):
    return respond({**asking.ask("mcr", tiles, **how), "why": True})["why"]


def test_chows_that_are_combined_already_are_told():
    left = {e["id"]: (e["by"], e["why"]) for e in why(hand("456p789s12s55z", "3s", "chow 123m"))["not_counted"]}
    assert left["two_terminal_chows"] == ("mixed_straight", "its chows are combined in another way already")
    cheap = {"values": {"four_pure_shifted_chows": 8}}  # so that three of the chows are worth more
    left = {e["id"]: e["by"] for e in why(hand("12233344455p55s", "6p"), options=cheap)["not_counted"]}
    assert left["four_pure_shifted_chows"] == "pure_shifted_chows"


def test_the_next_step_is_a_point_or_what_is_missing():
    [step] = why(NOTHING)["next_steps"]
    assert (step["more"], step["now"], step["income"]) == (1, 32, 33)
    [step] = why(hand("234p45s88m777m", "3s", "chow 123m"), options={"min_points": 10})["next_steps"]
    assert (step["more"], step["now"], step["income"]) == (3, None, 34)


def points(preset, tiles, **how):
    """Element -> points, and the sum, under a preset."""
    response = respond({**asking.ask("mcr", tiles, options={"min_points": 0}, **how), "preset": preset})
    return elements(response), response["total"]["value"]


@pytest.mark.parametrize(
    ("tiles", "how", "china", "wmo"),
    [
        (hand("1177z66z1199s11m9p", "9p"), {"seat": "W"}, 63, 66),
        (hand("222444s666m88p66s", "8p"), {"seat": "E"}, 89, 92),
        (hand("223344668888s6z", "6z"), {"seat": "E", "round": "N"}, 115, 124),
        (hand("147m25p36s123456z", "7z"), {}, 25, 28),
    ],
)
def test_a_self_drawn_special_hand_is_fully_concealed_by_the_table_of_2006(tiles, how, china, wmo):
    """WMO, Explanation of Mahjong Competition Rules (2006), 1(1)3 and 1(1)5: they contain Concealed Hand alone.

    All Green stands beside Half Flush (Sloper, column 296). The book of 1998 excludes Fully Concealed Hand.
    """
    assert points("mcr-china", tiles, **DRAWN, **how)[1] == china
    found, total = points("mcr-2006", tiles, **DRAWN, **how)
    assert (total, found["fully_concealed_hand"]) == (wmo, 4)
    assert "self_drawn" not in found
    seven_pairs = points("mcr-2006", hand("1177z66z1199s11m9p", "9p"))[0]
    assert "seven_pairs" in seven_pairs and "concealed_hand" not in seven_pairs


def test_nine_gates_are_made_of_one_pung_or_of_all():
    """China: one pung is contained (PyMahjongGB); WMO 2006: none counts (Sloper, column 296)."""
    assert points("mcr-china", hand("1112345678999m", "5m"))[1] == 91
    assert points("mcr-2006", hand("1112345678999m", "5m"))[1] == 90


def test_double_pungs_beside_all_terminals():
    """China: contained (PyMahjongGB); by the table of 2006 they count, in jan-js-lib and in the tests of JMHC."""
    tiles = hand("1m", "1m", "pung 111s", "pung 999s", "pung 111p", "pung 999p")
    assert points("mcr-china", tiles)[0] == {"all_terminals": 64, "melded_hand": 6}
    assert points("mcr-2006", tiles) == ({"all_terminals": 64, "melded_hand": 6, "double_pung": 4}, 74)


def test_a_wait_beside_a_knitted_straight():
    """WMO 2006: a Knitted Straight stands beside no edge and no closed wait (Sloper, column 296); in China it does."""
    tiles = hand("147m258p369s24s77z", "3s")
    assert "closed_wait" in points("mcr-china", tiles)[0]
    assert "closed_wait" not in points("mcr-2006", tiles)[0]


@pytest.mark.parametrize(
    ("tiles", "how", "formal", "drawable"),
    [
        (hand("1234444678m456p", "1m"), {}, 0, 1),
        (hand("33m455m67m", "3m", "pung 666m E", "chow 345p E"), DRAWN, 0, 1),
        (hand("111p3p", "2p", "chow 345m E", "chow 456p E", "pung 333p E"), DRAWN, 0, 1),
        (hand("2s111s", "2s", "chow 678s", "pung 333s", "chow 123s"), {}, 0, 1),
    ],
)
def test_whether_a_wait_for_a_used_up_tile_is_a_wait(tiles, how, formal, drawable):
    """China: it is, wherever the four lie (MIL's rules, PyMahjongGB); it is not for jan-js-lib and GB-Mahjong."""
    waits = {"edge_wait", "closed_wait", "single_wait"}
    for preset, found in (("mcr-china", formal), ("mcr-2006", drawable)):
        assert len(waits & points(preset, tiles, **how)[0].keys()) == found, preset
    eight = asking.ask("mcr", hand("33m455m67m", "3m", "pung 666m E", "chow 345p E"), **DRAWN)
    assert respond(eight)["reason"]["code"] == "below_minimum"
    assert respond({**eight, "options": {"single_wait": "only"}})["legal"]
