"""Hangzhou's variations: restricted liability, the second half of a float, ten honours; an unnamed banker."""

from functools import partial

import pytest

from tests.scoring import asking
from tests.scoring.asking import elements, hand

drawn = partial(asking.scored, "hangzhou", win="self_draw", indicator="4s", banker="E", streak=1)
faults = partial(asking.faults, "hangzhou", win="self_draw", indicator="4s")

PLAIN = hand("123m456p789p55m67m", "8m")
EYE = hand("123m456m789p222z4s", "9m")
THREE = ("chow 123m", "chow 456p", "chow 789p")
OPEN = hand("55m67m", "8m", *THREE)
WITH_A_PUNG = hand("55m67m", "8m", "chow 123m", "chow 456p", "pung 999p")


def money(**amounts):
    return {**dict.fromkeys(("E", "S", "W", "N", "pot"), 0), **amounts}


DEFAULT_RULES = money(S=4, E=-2, W=-1, N=-1)
BANKER, NOT_CHOWS, NOBODY = ({"liability_between": value} for value in ("banker", "not_chows", "nobody"))

# --- between whom three open sets make liable ---


@pytest.mark.parametrize(
    ("tiles", "fed", "rules", "payments"),
    [
        (OPEN, {"N>S": 3}, BANKER, DEFAULT_RULES),  # neither is the banker
        (OPEN, {"S>N": 3}, BANKER, DEFAULT_RULES),
        (OPEN, {"E>S": 3}, BANKER, money(S=4, E=-4)),
        (OPEN, {"S>E": 3}, BANKER, money(S=8, E=-8)),
        (OPEN, {"E>S": 3, "S>N": 3}, BANKER, money(S=4, E=-4)),  # north no longer pays twice the whole
        (WITH_A_PUNG, {"N>S": 3}, BANKER, DEFAULT_RULES),
        (OPEN, {"N>S": 3}, NOT_CHOWS, DEFAULT_RULES),  # three chows
        (OPEN, {"E>S": 3}, NOT_CHOWS, money(S=4, E=-4)),
        (WITH_A_PUNG, {"N>S": 3}, NOT_CHOWS, money(S=4, N=-4)),
        (OPEN, {"S>N": 3}, NOT_CHOWS, money(S=8, N=-8)),  # north's sets do not lie here: they are as they may be
        (OPEN, {"N>S": 3}, NOBODY, DEFAULT_RULES),
        (OPEN, {"E>S": 3, "S>E": 3}, NOBODY, DEFAULT_RULES),
    ],
)
def test_liability_between_some_players_only(tiles, fed, rules, payments):
    assert drawn(tiles, fed=fed, options=rules)["payments"] == payments


@pytest.mark.parametrize(
    ("melds", "payments"),
    [
        (("chow 123m E", "chow 456p E", "chow 789p E"), money(S=4, N=-2, E=-1, W=-1)),
        (("chow 123m E", "chow 456p E", "pung 999p E"), money(S=4, E=-4)),
        (("chow 123m E", "chow 456p E", "kong_added 9999p E"), money(S=4, E=-4)),
    ],
)
def test_melds_tell_chows_from_pungs_and_kongs(melds, payments):
    """North is the banker, east fed south."""
    assert drawn(hand("55m67m", "8m", *melds), banker="N", options=NOT_CHOWS)["payments"] == payments


def test_why_nobody_is_liable():
    whys = {t["from"]: t["why"] for t in drawn(OPEN, fed={"N>S": 3}, options=BANKER)["transfers"]}
    assert whys["N"] == "factor 1; three sets between N and S make nobody liable in this house"
    assert whys["W"] == "factor 1"


# --- the second half of a float ---

LIABLE = {"liable": {"seat": "W", "kind": "float"}, "options": {"float_liability": True}}
KONGS = hand("123m789p4s", "5p", "kong_concealed 9999m", "kong_added 3333p")


@pytest.mark.parametrize(
    ("tiles", "how", "payments"),
    [
        # wild eye and one float, x4, of all three: 8 + 4 + 4; the second float makes it 32, and west pays the rest
        (EYE, {"floats": 2}, money(S=32, E=-8, W=-20, N=-4)),
        # a kong with the claimed tile, then its supplement: x4 before, x8 after
        (KONGS, {"floats": 1, "kong_streak": 1}, money(S=32, E=-8, W=-20, N=-4)),
        # x4 before, a kong and a float after: x16
        (KONGS, {"floats": 2, "kong_streak": 1, "doubles_after": 2}, money(S=64, E=-8, W=-52, N=-4)),
        # the kong was there before: x8, then x16
        (KONGS, {"floats": 2, "kong_streak": 1, "doubles_after": 1}, money(S=64, E=-16, W=-40, N=-8)),
        (EYE, {"floats": 2, "seat": "E"}, money(E=48, S=-8, W=-32, N=-8)),
    ],
)
def test_who_keeps_a_float_going_pays_the_doubles_after_it(tiles, how, payments):
    response = drawn(tiles, **LIABLE, **how)
    assert response["payments"] == payments
    alone = drawn(tiles, **{k: v for k, v in how.items() if k != "doubles_after"})
    assert alone["payments"][how.get("seat", "S")] == payments[how.get("seat", "S")]


def test_why_who_kept_a_float_going_pays():
    whys = [t["why"] for t in drawn(EYE, floats=2, **LIABLE)["transfers"] if t["from"] == "W"]
    assert whys == ["factor 4", "for 1 double made after their discard, of all three: factor 8 in place of 4"]


def test_three_sets_make_liable_for_what_was_there_before():
    tiles = hand("222z4s", "9m", *THREE)
    payments = drawn(tiles, floats=2, fed={"N>S": 3}, **LIABLE)["payments"]
    assert payments == money(S=32, N=-16, W=-16)


def test_a_float_that_does_not_count_makes_nobody_liable():
    assert drawn(PLAIN, floats=2, **LIABLE)["payments"] == DEFAULT_RULES


@pytest.mark.parametrize(
    ("tiles", "how", "message"),
    [
        (EYE, {"floats": 1}, "so another float or a kong came after it: give floats or kong_streak"),
        (EYE, {"floats": 2, "doubles_after": 2}, "At most 1 float(s) and kong(s) came after the discard, not 2."),
        (KONGS, {"floats": 2, "kong_streak": 2}, "How many of the 3 floats and kongs came after the discard?"),
        (EYE, {"floats": 2, "doubles_after": -1}, "doubles_after cannot be negative"),
    ],
)
def test_what_came_after_the_discard_must_be_told(tiles, how, message):
    assert message in faults(tiles, **LIABLE, **how)


def test_doubles_after_a_discard_need_somebody_who_is_liable():
    assert "belongs to liable, kind float" in faults(EYE, floats=2, doubles_after=1)


def test_liability_after_a_float_is_a_house_rule():
    assert "set float_liability" in faults(EYE, floats=2, liable=LIABLE["liable"])


# --- ten honours ---

THIRTEEN = hand("123456789m11p9s", None)
OWN_TILE, AS_WILD_EYE = ({"ten_honours": value} for value in ("own_tile", "wild_eye"))


@pytest.mark.parametrize(
    ("honours", "rules", "factor"),
    [
        *((n, OWN_TILE, 2 ** (n - 10)) for n in (10, 11, 12, 13)),
        *((n, AS_WILD_EYE, 2 ** (n - 9)) for n in (10, 11, 12)),
    ],
)
def test_ten_honours(honours, rules, factor):
    response = drawn(THIRTEEN, honours=honours, options=rules)
    assert elements(response) == {"ten_honours": factor}
    assert response["payments"] == money(S=4 * factor, E=-2 * factor, W=-factor, N=-factor)
    assert "Won by discards alone." in response["explanation"]
    assert response["arrangement"] == []


def test_ten_honours_of_a_banker_and_with_melds():
    tiles = hand("123456m1p", None, "pung 999p", "chow 678s")
    payments = drawn(tiles, seat="E", streak=3, honours=11, options=OWN_TILE)["payments"]
    assert payments == money(E=48, S=-16, W=-16, N=-16)


@pytest.mark.parametrize(
    ("tiles", "how", "message"),
    [
        (THIRTEEN, {"honours": 10}, "Ten honours do not win here: set ten_honours."),
        (THIRTEEN, {"honours": 9, "options": OWN_TILE}, "Ten honours win, not 9."),
        (THIRTEEN, {"honours": -10, "options": OWN_TILE}, "honours cannot be negative"),
        (hand("111222333444z1p", None), {"honours": 17, "options": OWN_TILE}, "17 honours discarded and 12 in hand"),
        (THIRTEEN, {"honours": 10, "floats": 1, "options": OWN_TILE}, "leave floats and kongs in a row out"),
        (PLAIN, {"honours": 10, "options": OWN_TILE}, "leave winning_tile out"),
        (hand("123456789m11p999s", None), {"honours": 10, "options": OWN_TILE}, "are too many beside 0 meld(s)"),
    ],
)
def test_ten_honours_are_checked(tiles, how, message):
    assert message in faults(tiles, **how)


def test_ten_honours_are_no_claim():
    message = asking.faults("hangzhou", THIRTEEN, indicator="4s", source="E", honours=10, options=OWN_TILE)
    assert "set win to self_draw" in message


# --- who chows, who is the banker ---


def test_east_is_the_banker_where_nobody_says_who_and_the_answer_tells():
    silent = asking.scored("hangzhou", PLAIN, win="self_draw", indicator="4s")
    told = drawn(PLAIN)
    assert silent["payments"] == told["payments"] == DEFAULT_RULES
    assumed = "Nobody said who the banker is: E is taken to be."
    assert assumed in silent["explanation"]
    assert assumed not in told["explanation"]
