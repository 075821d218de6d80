"""Hangzhou: false wins, and what makes no sense; who pays is counted again in recount_hangzhou.py."""

from decimal import Decimal
from functools import partial

import pytest

from scoring.context import Win
from scoring.errors import InvalidRequest
from scoring.options import options_of
from scoring.request import parse_request, respond
from scoring.rules.hangzhou.context import HangzhouContext
from scoring.rules.hangzhou.options import HangzhouOptions
from scoring.rules.hangzhou.payment import false_win
from scoring.score import score
from scoring.seats import SEATS
from tests.scoring import asking
from tests.scoring.asking import ask, hand

E, S, W, N = SEATS
faults = partial(asking.faults, "hangzhou", win="self_draw")

PLAIN = hand("123m456p789p55m67m", "8m")
EYE = hand("123m456m789p222z4s", "9m")
OPEN = hand("55m67m", "8m", "chow 123m", "chow 456p", "chow 789p")
KONGS = hand("123m789p4s", "5p", "kong_concealed 9999m", "kong_added 3333p")
FLOATED = {"indicator": "4s", "liable": {"seat": "W", "kind": "float"}, "options": {"float_liability": True}}
THIRTEEN = hand("123456789m11p9s", None)
HONOURS = {"indicator": "4s", "options": {"ten_honours": "own_tile"}}


def money(**amounts):
    return {**dict.fromkeys(("E", "S", "W", "N", "pot"), 0), **amounts}


# --- false wins ---


def test_a_false_win_pays_what_it_meant_to_take():
    context = HangzhouContext(S, Win.SELF_DRAW, banker=E, streak=3)
    assert false_win(context).net == money(S=-10, E=8, W=1, N=1)
    assert false_win(context, factor=4).net == money(S=-40, E=32, W=4, N=4)
    banker = HangzhouContext(E, Win.SELF_DRAW, banker=E)
    assert false_win(banker).net == money(E=-6, S=2, W=2, N=2)
    assert {t.why for t in false_win(banker).transfers} == {"false win: factor 1 x 2 with the dealer, E"}


def test_a_false_claim_pays_the_player_it_was_made_from():
    context = HangzhouContext(S, Win.DISCARD, E, banker=E, streak=3)
    assert false_win(context, factor=2).net == money(S=-16, E=16)
    with pytest.raises(InvalidRequest, match="Whose tile was claimed"):
        false_win(HangzhouContext(S, Win.DISCARD, banker=E, streak=3))
    robbed = HangzhouContext(S, Win.ROBBED_KONG, E, banker=E, streak=3)
    assert false_win(robbed, factor=2).net == money(S=-20, E=20)


def test_a_false_win_under_house_rules():
    options = options_of(HangzhouOptions, {"unit": "0.5", "remaining": {"S": 3}}, "Hangzhou")
    assert false_win(HangzhouContext(S, Win.SELF_DRAW, banker=E, streak=3), options=options).net == money(
        S=-3, W=Decimal("0.5"), N=Decimal("0.5"), E=2
    )


# --- refusals ---


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ("many", """such as 40, or an object of seats, such as {"E": 12}, not 'many'."""),
        ({"X": 1}, "must be one amount or an object of seats (E, S, W, N), and X is none, not {'X': 1}."),
        ({"E": None}, "must be a number from 0 up, with at most 9 decimal places, such as 40, for E, not {'E': None}."),
        ({"E": 1, "S": -1, "N": "x"}, "such as 40, for S, N, not "),
    ],
)
def test_chips_left_are_refused_in_both_forms_by_seat(given, says):
    error = respond(ask("hangzhou", PLAIN, win="self_draw", indicator="4s", options={"remaining": given}))["error"]
    assert says in error["message"]


@pytest.mark.parametrize(
    ("tiles", "how", "message"),
    [
        (PLAIN, {}, "Which tile is the wild tile indicator?"),
        (PLAIN, {"indicator": "4s", "options": {"permanent": True}}, "leave one of them out"),
        (PLAIN, {"indicator": "f1"}, "f1 cannot be the indicator"),
        (PLAIN, {"indicator": "0s"}, "0s cannot be the indicator"),
        (hand("123m456m789p4444s", "9m"), {"indicator": "4s"}, "4 of 4s: there are only 3 wild tiles"),
        (hand("123m456m789p44s22z", "9m"), {"indicator": "4s", "floats": 2}, "2 of 4s and 2 thrown"),
        (EYE, {"indicator": "4s", "floats": 3}, "At most 2 floats"),
        (hand("123m456m789p222z5z", "9m"), {"indicator": "permanent", "floats": 4}, "At most 3 floats"),
        (hand("456p789p55m67m", "8m", "chow 345s"), {"indicator": "4s"}, "a wild tile (4s) is never part"),
        (hand("456p789p55m67m", "8m", "pung 555z"), {"indicator": "permanent"}, "a wild tile (5z) is never part"),
        (hand("456p789p55m67m", "8m", "kong_concealed 4444s"), {"indicator": "4s"}, "a wild tile (4s) is never part"),
        (hand("456p789p55m67m", "8m", "chow 3s5z5s"), {"indicator": "9m"}, "is not a chow: 5z stands for 9m"),
        (hand("456p789p55m67m", "8m", "chow 3s5z5s"), {"indicator": "2z"}, "is not a chow: 5z stands for 2z"),
        (hand("456p789p55m67m", "8m", "pung 5z3s3s"), {"indicator": "4s"}, "is not a pung: 5z stands for 4s"),
        (PLAIN, {"indicator": "4s", "kong_streak": 1}, "kong_streak is 1, but the hand has 0 kongs"),
        (
            hand("123m78p22z", "9p", "kong_concealed 9999m", "kong_open 7777s"),
            {"indicator": "4s", "kong_streak": 1, "double_kong": True},
            "double_kong is a streak of two kongs, but kong_streak is 1",
        ),
        (PLAIN, {"indicator": "4s", "fed": {"N>S": 1}}, "S has at most 0 open sets, but was fed 1"),
        (OPEN, {"indicator": "4s", "fed": {"N>S": 2, "E>S": 2}}, "S has at most 3 open sets, but was fed 4"),
        (OPEN, {"indicator": "4s", "fed": {"N>W": 3, "E>W": 2}}, "W has at most 4 open sets, but was fed 5"),
        (
            hand("55m67m", "8m", "chow 123m E", "pung 666p E", "chow 789p"),
            {"indicator": "4s", "fed": {"E>S": 1}},
            "By the melds E fed S 2 sets, by fed only 1",
        ),
        (PLAIN, {"indicator": "4s", "liable": {"seat": "W", "kind": "bao"}}, "liable.kind is float"),
        (PLAIN, FLOATED, "needs a float and a self-drawn tile"),
        (EYE, FLOATED | {"floats": 1}, "so another float or a kong came after it: give floats or kong_streak"),
        (EYE, FLOATED | {"floats": 2, "doubles_after": 2}, "At most 1 float or kong came after the discard"),
        (KONGS, FLOATED | {"floats": 2, "kong_streak": 2}, "How many of the 3 floats and kongs came after"),
        (EYE, FLOATED | {"floats": 2, "doubles_after": -1}, "doubles_after cannot be negative"),
        (EYE, FLOATED | {"floats": 2, "options": {}}, "set float_liability"),
        (EYE, {"indicator": "4s", "floats": 2, "doubles_after": 1}, "belongs to liable, kind float"),
        (THIRTEEN, {"indicator": "4s", "honours": 10}, "Ten honours do not win here: set ten_honours."),
        (THIRTEEN, HONOURS | {"honours": 9}, "Ten honours win, not 9."),
        (THIRTEEN, HONOURS | {"honours": -10}, "honours cannot be negative"),
        (hand("111222333444z1p", None), HONOURS | {"honours": 17}, "17 honours discarded and 12 in hand"),
        (THIRTEEN, HONOURS | {"honours": 10, "floats": 1}, "leave floats and kongs in a row out"),
        (THIRTEEN, HONOURS | {"honours": 10, "replacement": True}, "leave floats and kongs in a row out"),
        (PLAIN, HONOURS | {"honours": 10}, "leave winning_tile out"),
        (hand("123456789m11p999s", None), HONOURS | {"honours": 10}, "are too many beside 0 melds"),
        (THIRTEEN, HONOURS | {"honours": 10, "win": "discard"}, "set win to self_draw"),
        (KONGS, {"indicator": "4s", "kong_streak": 1, "win": "discard"}, "A kong streak ends with a supplement tile"),
    ],
)
def test_contradictions(tiles, how, message):
    assert message in faults(tiles, **how)


def test_a_word_that_is_no_indicator_is_refused_in_code_too():
    given = parse_request(ask("hangzhou", PLAIN, win="self_draw", indicator="4s")).case.hand
    with pytest.raises(InvalidRequest, match="a tile or permanent"):
        score(given, HangzhouContext(S, Win.SELF_DRAW, indicator="sometimes"), "hangzhou")


def test_east_is_the_banker_where_nobody_says_who():
    silent = asking.scored("hangzhou", PLAIN, win="self_draw", indicator="4s", streak=1)
    assert silent["payments"] == money(S=4, E=-2, W=-1, N=-1)
    assert "Nobody said who the dealer is: E is taken to be." in silent["explanation"]
