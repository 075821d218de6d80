"""Hangzhou: the banker's streak, three-set liability, chips left, false wins, refusals."""

from decimal import Decimal
from functools import partial

import pytest

from scoring.context import Win
from scoring.errors import InvalidRequest
from scoring.options import options_of
from scoring.request import respond
from scoring.rules.hangzhou import HangzhouOptions, false_win
from scoring.rules.hangzhou.context import HangzhouContext
from scoring.score import score
from scoring.seats import SEATS
from tests.scoring import asking
from tests.scoring.asking import ask, hand

E, S, W, N = SEATS
scored = partial(asking.scored, "hangzhou", indicator="4s", banker="E", streak=1)
drawn = partial(scored, win="self_draw")
claimed = partial(asking.scored, "hangzhou", indicator="4s", banker="E", streak=3, source="E")
faults = partial(asking.faults, "hangzhou", win="self_draw")

PLAIN = hand("123m456p789p55m67m", "8m")
EYE = hand("123m456m789p222z4s", "9m")
ROB = hand("123m456p789p55m79m", "8m")
THREE = ("chow 123m", "chow 456p", "chow 789p")
OPEN = hand("55m67m", "8m", *THREE)


def money(**amounts):
    return {**dict.fromkeys(("E", "S", "W", "N", "pot"), 0), **amounts}


# --- the banker ---


@pytest.mark.parametrize(("streak", "times"), [(1, 2), (2, 4), (3, 8), (4, 8), (9, 8)])
def test_the_bankers_streak(streak, times):
    assert drawn(PLAIN, seat="E", streak=streak)["payments"] == money(E=3 * times, S=-times, W=-times, N=-times)
    assert drawn(PLAIN, seat="W", streak=streak)["payments"] == money(W=times + 2, E=-times, S=-1, N=-1)
    assert drawn(PLAIN, seat="W", streak=streak, banker="N")["payments"] == money(W=times + 2, E=-1, S=-1, N=-times)


def test_why_each_payment():
    whys = {t["from"]: t["why"] for t in drawn(EYE, streak=3)["transfers"]}
    assert whys == {"W": "factor 2", "N": "factor 2", "E": "factor 2 x 8 with the banker, E"}
    robbed = {t["why"] for t in claimed(ROB, win="robbed_kong")["transfers"]}
    assert "for N, whose kong was robbed; factor 2" in robbed
    dearer = {t["from"]: t["why"] for t in drawn(EYE, streak=3, options={"unit": "0.5"})["transfers"]}
    assert (dearer["W"], dearer["E"]) == ("unit 0.5 x factor 2", "unit 0.5 x factor 2 x 8 with the banker, E")


def test_an_unknown_discarder():
    request = ask("hangzhou", PLAIN, seat="E", indicator="4s", banker="E", streak=3)
    request["context"]["from"] = None
    response = respond(request)
    assert response["payments_if_from"]["N"] == money(E=8, N=-8)
    request["context"]["seat"] = "S"
    assert respond(request)["error"]["code"] == "from_needed"


STREAK_2 = "A discard is claimed only from the banker's hand 3 in a row, not in 2."
EYE_CLAIMED = "The hand waited for any tile (Wild Eye): it wins by self-draw only."


@pytest.mark.parametrize(
    ("tiles", "how", "reason"),
    [
        (PLAIN, {"streak": 2}, STREAK_2),
        (EYE, {"streak": 3}, EYE_CLAIMED),
        (EYE, {"streak": 2}, f"{EYE_CLAIMED} {STREAK_2}"),
        (ROB, {"streak": 2, "win": "robbed_kong"}, STREAK_2.replace("discard is claimed", "kong is robbed")),
        (PLAIN, {"streak": 3, "options": {"wall_only": True}}, "This house lets only a self-drawn tile win."),
    ],
)
def test_a_claim_from_nobody_knows_whom_is_refused_for_what_holds_of_all(tiles, how, reason):
    """East, the banker, may have given it: that neither is the banker is no reason."""
    request = ask("hangzhou", tiles, indicator="4s", banker="E", **how)
    assert " Winner or discarder must be the banker, E: " in respond(request)["reason"]["message"]  # west's
    request["context"]["from"] = None
    response = respond(request)
    assert response["reason"]["message"] == reason
    assert response["explanation"][-1] == f"No win: {reason}"


# --- three-set liability ---


@pytest.mark.parametrize(
    ("fed", "payments"),
    [
        ({}, money(S=4, E=-2, W=-1, N=-1)),
        ({"N>S": 2}, money(S=4, E=-2, W=-1, N=-1)),
        ({"N>S": 3}, money(S=4, N=-4)),
        ({"E>S": 3}, money(S=4, E=-4)),
        ({"S>N": 3}, money(S=8, N=-8)),
        ({"S>N": 4}, money(S=8, N=-8)),
        ({"N>S": 3, "S>N": 3}, money(S=12, N=-12)),
        ({"N>S": 3, "S>W": 3}, money(S=12, N=-4, W=-8)),
        ({"S>W": 3, "S>N": 3, "S>E": 3}, money(S=24, N=-8, W=-8, E=-8)),
        ({"W>N": 3, "N>E": 4}, money(S=4, E=-2, W=-1, N=-1)),
    ],
)
def test_three_set_liability(fed, payments):
    assert drawn(OPEN, fed=fed)["payments"] == payments


def test_melds_say_who_fed_them():
    tiles = hand("55m67m", "8m", "chow 123m E", "pung 666p E", "kong_added 9999p E")
    assert drawn(tiles)["payments"] == money(S=4, E=-4)
    tiles = hand("55m67m", "8m", "chow 123m E", "pung 666p N", "kong_added 9999p E")
    assert drawn(tiles)["payments"] == money(S=4, E=-2, W=-1, N=-1)
    tiles = hand("55m67m", "8m", "chow 123m E", "kong_open 6666p E", "kong_concealed 9999p")
    assert drawn(tiles)["payments"] == money(S=4, E=-2, W=-1, N=-1)


def test_fed_counts_melds_that_do_not_say():
    tiles = hand("55m67m", "8m", "chow 123m E", "pung 666p", "kong_added 9999p E")
    assert drawn(tiles, fed={"E>S": 3})["payments"] == money(S=4, E=-4)


def test_why_the_liable_pay():
    transfers = drawn(OPEN, fed={"N>S": 3, "S>N": 3, "S>W": 4})["transfers"]
    assert {t["from"]: t["why"] for t in transfers} == {
        "W": "was fed 4 sets by S: 2 x 4, what all three owe at factor 1",
        "N": "fed S 3 sets and was fed 3 sets by S: 3 x 4, what all three owe at factor 1",
    }
    on_claim = {"liability_on_claim": True, "unit": "0.5"}
    transfers = claimed(OPEN, fed={"E>S": 3, "S>W": 3}, options=on_claim)["transfers"]
    assert {t["from"]: (t["amount"], t["why"]) for t in transfers} == {
        "E": (8, "their discard, fed S 3 sets: 2 x 4, unit 0.5 x factor 1 x 8 with the banker, E"),
        "W": (8, "was fed 3 sets by S: 2 x 4, unit 0.5 x factor 1 x 8 with the banker, E"),
    }


@pytest.mark.parametrize(
    ("fed", "payments"),
    [
        ({"N>S": 3}, money(S=16, E=-8, N=-8)),
        ({"S>N": 3}, money(S=24, E=-8, N=-16)),
        ({"N>S": 3, "S>N": 3}, money(S=32, E=-8, N=-24)),
        ({"E>S": 3}, money(S=16, E=-16)),
        ({"S>E": 3}, money(S=24, E=-24)),
        ({"E>S": 3, "S>E": 3, "S>W": 3}, money(S=48, E=-32, W=-16)),
        ({}, money(S=8, E=-8)),
    ],
)
def test_liability_on_a_claim_is_a_house_rule(fed, payments):
    assert claimed(OPEN, fed=fed)["payments"] == money(S=8, E=-8)
    response = claimed(OPEN, fed=fed, options={"liability_on_claim": True})
    assert response["payments"] == payments


# --- chips left ---


def test_nobody_pays_more_than_he_has():
    response = drawn(EYE, streak=3, options={"remaining": {"E": 10, "W": "1.5"}})
    assert response["payments"] == money(E=-10, S="13.5", W="-1.5", N=-2)
    assert any("but has only 10 left" in t["why"] for t in response["transfers"])
    assert drawn(EYE, streak=3, options={"remaining": 3})["payments"] == money(E=-3, S=7, W=-2, N=-2)
    assert drawn(EYE, options={"remaining": {"W": 0}})["payments"] == money(E=-4, S=6, N=-2)
    assert drawn(EYE, options={"remaining": None})["payments"] == money(E=-4, S=8, W=-2, N=-2)
    assert drawn(EYE, options={"remaining": "none"})["payments"] == money(E=-4, S=8, W=-2, N=-2)


# --- false wins ---


def test_a_false_win_pays_what_it_meant_to_take():
    context = HangzhouContext(S, Win.SELF_DRAW, banker=E, streak=3)
    assert false_win(context).net == money(S=-10, E=8, W=1, N=1)
    assert false_win(context, factor=4).net == money(S=-40, E=32, W=4, N=4)
    banker = HangzhouContext(E, Win.SELF_DRAW, banker=E)
    assert false_win(banker).net == money(E=-6, S=2, W=2, N=2)
    assert {t.why for t in false_win(banker).transfers} == {"false win: factor 1 x 2 with the banker, E"}


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
        (PLAIN, {}, "Which tile is the fortune indicator?"),
        (PLAIN, {"indicator": "4s", "options": {"permanent": True}}, "leave one of them out"),
        (PLAIN, {"indicator": "f1"}, "f1 cannot be the indicator"),
        (PLAIN, {"indicator": "0s"}, "0s cannot be the indicator"),
        (hand("123m456m789p4444s", "9m"), {"indicator": "4s"}, "4 of 4s: there are only 3 fortunes"),
        (hand("123m456m789p44s22z", "9m"), {"indicator": "4s", "floats": 2}, "2 of 4s and 2 thrown"),
        (EYE, {"indicator": "4s", "floats": 3}, "At most 2 floats"),
        (hand("123m456m789p222z5z", "9m"), {"indicator": "permanent", "floats": 4}, "At most 3 floats"),
        (hand("456p789p55m67m", "8m", "chow 345s"), {"indicator": "4s"}, "a fortune (4s) is never part"),
        (hand("456p789p55m67m", "8m", "pung 555z"), {"indicator": "permanent"}, "a fortune (5z) is never part"),
        (hand("456p789p55m67m", "8m", "kong_concealed 4444s"), {"indicator": "4s"}, "a fortune (4s) is never part"),
        (hand("456p789p55m67m", "8m", "chow 3s5z5s"), {"indicator": "9m"}, "is not a chow: 5z stands for 9m"),
        (hand("456p789p55m67m", "8m", "chow 3s5z5s"), {"indicator": "2z"}, "is not a chow: 5z stands for 2z"),
        (hand("456p789p55m67m", "8m", "pung 5z3s3s"), {"indicator": "4s"}, "is not a pung: 5z stands for 4s"),
        (PLAIN, {"indicator": "4s", "kong_streak": 1}, "but the hand has 0 kong(s)"),
        (PLAIN, {"indicator": "4s", "replacement": True}, "A replacement tile needs a kong"),
        (
            hand("123m78p22z", "9p", "kong_concealed 9999m", "kong_open 7777s"),
            {"indicator": "4s", "kong_streak": 1, "double_kong": True},
            "double_kong is a streak of two kongs, but kong_streak is 1",
        ),
        (PLAIN, {"indicator": "4s", "fed": {"N>S": 1}}, "S has at most 0 open set(s), but was fed 1"),
        (OPEN, {"indicator": "4s", "fed": {"N>S": 2, "E>S": 2}}, "S has at most 3 open set(s), but was fed 4"),
        (OPEN, {"indicator": "4s", "fed": {"N>W": 3, "E>W": 2}}, "W has at most 4 open set(s), but was fed 5"),
        (
            hand("55m67m", "8m", "chow 123m E", "pung 666p E", "chow 789p"),
            {"indicator": "4s", "fed": {"E>S": 1}},
            "By the melds E fed S 2 set(s), by fed only 1",
        ),
        (PLAIN, {"indicator": "4s", "liable": {"seat": "W", "kind": "bao"}}, "liable.kind is float"),
        (
            PLAIN,
            {"indicator": "4s", "liable": {"seat": "W", "kind": "float"}, "options": {"float_liability": True}},
            "needs a float and a self-drawn tile",
        ),
        (PLAIN, {"indicator": "4s", "streak": 0}, "streak counts from 1"),
        (PLAIN, {"indicator": "4s", "bonus": "f1"}, "does not use f1"),
        (hand("123m406p789p55m67m", "8m"), {"indicator": "4s"}, "no red fives"),
        (hand("123m456p789p55m67m", None), {"indicator": "4s"}, "winning_tile is missing"),
    ],
)
def test_contradictions(tiles, how, message):
    assert message in faults(tiles, **how)


def test_contradictions_of_a_claim():
    kong = hand("456p55m67m123m", "8m", "kong_open 9999s")
    message = asking.faults("hangzhou", kong, indicator="4s", kong_streak=1)
    assert "A kong streak ends with a supplement tile" in message
    assert "cannot hold another 5m" in asking.faults(
        "hangzhou", hand("123m456p789p5m678m", "5m"), win="robbed_kong", indicator="4s"
    )


def test_a_word_that_is_no_indicator_is_refused_in_code_too():
    given_hand = score(_hand(), HangzhouContext(S, Win.SELF_DRAW, indicator="permanent"), "hangzhou").hand
    with pytest.raises(InvalidRequest, match="a tile or permanent"):
        score(given_hand, HangzhouContext(S, Win.SELF_DRAW, indicator="sometimes"), "hangzhou")


def _hand():
    from scoring.request import parse_request

    return parse_request(ask("hangzhou", PLAIN, win="self_draw", indicator="4s")).case.hand
