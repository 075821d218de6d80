"""Zung Jung: the minimum, who pays, same-turn immunity, false wins, refusals."""

from functools import partial

import pytest

from scoring.context import Win
from scoring.errors import InvalidRequest
from scoring.request import parse_request, respond
from scoring.rules.zungjung.context import ZungJungContext
from scoring.rules.zungjung.options import ZungJungOptions
from scoring.rules.zungjung.payment import false_win, responsible_player
from scoring.score import score
from scoring.seats import Seat
from scoring.tiles import tile
from tests.scoring import asking
from tests.scoring.asking import ask, hand

scored = partial(asking.scored, "zungjung")
faults = partial(asking.faults, "zungjung")
DRAWN = {"win": "self_draw"}

CHICKEN = hand("345s67s99m", "8s", "chow 234m", "pung 888p")  # worth nothing by itself
SEVENTY = hand("223344m556677p8s", "8s")


# --- minimum ---


def test_a_hand_without_a_pattern_is_a_false_win():
    response = scored(CHICKEN)
    assert not response["legal"]
    assert response["reason"] == {"code": "below_minimum", "message": "0 points; 5 are needed."}
    assert set(response["payments"].values()) == {0}
    assert response["elements"] == []


# --- who pays ---


def test_an_unknown_discarder_who_can_only_be_one():
    first = hand("123m456m999p22s34s", "5s")
    for tiles, how in [
        (first, {"source": "E", "earthly": True}),
        (SEVENTY, {"source": "W", "turn_discards": [{"seat": "E", "tile": "8s"}, {"seat": "W", "tile": "8s"}]}),
    ]:
        known = ask("zungjung", tiles, **how)
        unknown = {**known, "context": {**known["context"], "from": None}}
        paid = respond(known)["payments"]
        assert paid["E"] < -30  # East is responsible both times
        assert respond(unknown)["payments_if_from"] == {how["source"]: paid}


# --- same-turn immunity ---


def turn(text):
    return [(Seat(part[0]), tile(part[1:])) for part in text.split()]


@pytest.mark.parametrize(
    ("discards", "who"),
    [
        ("S1z W8s N8s", Seat.W),  # the first of the turn
        ("S1z W2z N8s", Seat.N),  # usually the discarder
        ("S8s W2z N8s", None),  # the winner let his own tile pass
        ("S8s S1z W8s N8s", Seat.W),  # only his last discard counts
        ("E8s S1z W2z N8s", Seat.N),  # thrown before the winner's own discard
        ("W8s N8s", Seat.W),  # the winner has not discarded yet
        ("S1z W2z E8s", Seat.E),
    ],
)
def test_the_turns_discards_name_the_responsible_player(discards, who):
    assert responsible_player(Seat.S, tile("8s"), turn(discards)) is who


@pytest.mark.parametrize("discards", ["", "S1z W2z", "W8s S8s"])
def test_discards_that_do_not_end_with_the_winning_tile(discards):
    with pytest.raises(InvalidRequest, match="end with the winning tile"):
        responsible_player(Seat.S, tile("8s"), turn(discards))


def discards(text):
    return [{"seat": part[0], "tile": part[1:]} for part in text.split()]


@pytest.mark.parametrize(
    ("text", "payments"),
    [
        ("S1z E8s W8s", {"E": -150, "S": 210, "W": -30, "N": -30, "pot": 0}),
        ("S8s E1z W8s", {"E": -70, "S": 210, "W": -70, "N": -70, "pot": 0}),
        ("S1z W8s", {"E": -30, "S": 210, "W": -150, "N": -30, "pot": 0}),
    ],
)
def test_a_request_may_give_the_turns_discards(text, payments):
    assert scored(SEVENTY, turn_discards=discards(text))["payments"] == payments


def test_discards_and_a_named_player_must_agree():
    assert scored(SEVENTY, turn_discards=discards("S8s W8s"), responsible="none")["legal"]
    message = faults(SEVENTY, turn_discards=discards("S1z E8s W8s"), responsible="W")
    assert "responsible and turn_discards name different players" in message


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"turn_discards": discards("S1z E8s")}, "The last of turn_discards is E's, but 'from' is W."),
        ({"turn_discards": discards("S1z W2s")}, "end with the winning tile, 8s"),
        ({"turn_discards": discards("W8s"), **DRAWN}, "turn_discards belong to a win on a discard"),
        ({"turn_discards": "W8s"}, "context.turn_discards is a list such as"),
        ({"turn_discards": ["W8s"]}, "context.turn_discards[0] is an object with seat and tile."),
        ({"turn_discards": [{"seat": "X", "tile": "8s"}]}, "context.turn_discards[0].seat is one of E, S, W, N"),
        ({"turn_discards": [{"seat": "W"}]}, "is not a tile"),
        ({"turn_discards": [{"seat": "W", "tile": "8s", "at": 3}]}, "Unknown field context.turn_discards[0].at"),
        ({"responsible": "S"}, "The winner is not responsible for their own win"),
        ({"responsible": "E", **DRAWN}, "Nobody is responsible for a self-drawn tile"),
        ({"responsible": "E", "win": "robbed_kong"}, "Whoever makes the robbed kong is responsible"),
        ({"responsible": "X"}, "context.responsible is one of auto, none, E, S, W, N"),
    ],
)
def test_contradictions_about_the_responsible_player(how, message):
    tiles = hand("123m123p12s789m99m", "3s") if how.get("win") == "robbed_kong" else SEVENTY
    assert message in faults(tiles, **how)


@pytest.mark.parametrize(
    ("tiles", "text", "message"),
    [
        (SEVENTY, "S1z W8s N8s E8s N8s", "5 of 8s in hand and turn_discards: there are only four."),
        (SEVENTY, "S2m W2m N2m E8s", "5 of 2m in hand and turn_discards"),
        (SEVENTY, "S1z W1z N1z E1z W1z N8s", "5 of 1z in hand and turn_discards"),
        (hand("44s678s23p", "1p", "pung 444m", "pung 444p W"), "S1z W4p N4p E1p", "5 of 4p in hand"),
        (hand("44s678s23p", "1p", "pung 444m", "kong_concealed 4444p"), "W4p S1z E1p", "5 of 4p in hand"),
    ],
)
def test_no_discard_is_the_fifth_of_its_kind(tiles, text, message):
    found = faults(tiles, source=text[-3], turn_discards=discards(text))
    assert message in found
    assert found.count("there are only four") == 1


@pytest.mark.parametrize(
    ("tiles", "text"),
    [
        (SEVENTY, "S1z W8s N8s"),
        (SEVENTY, "S2m W2m N8s"),
        # claimed before the winner's own discard, so it lies in the meld
        (hand("44s678s23p", "1p", "pung 444m", "pung 444p W"), "W4p S1z N4p E1p"),
    ],
)
def test_four_of_a_kind_may_be_in_hand_and_discards(tiles, text):
    assert scored(tiles, source=text[-3], turn_discards=discards(text))["legal"]


def test_a_fifth_tile_in_hand_is_named_once():
    five = hand("22222m3444m556677p", "8s")
    assert faults(five, turn_discards=discards("S2m W8s")).count("there are only four") == 1


EARTHLY = hand("123m456m999p22s34s", "5s")


@pytest.mark.parametrize(
    ("text", "source"), [("W5s", "W"), ("S1z E5s", "E"), ("E5s E5s", "E"), ("N5s E5s", "E"), ("W5s", None)]
)
def test_an_earthly_hand_wins_on_the_only_discard(text, source):
    request = ask("zungjung", EARTHLY, earthly=True, turn_discards=discards(text))
    request["context"]["from"] = source
    message = "An earthly hand wins on East's first discard: turn_discards hold that one alone."
    assert message in respond(request)["error"]["faults"]


def test_an_earthly_hand_may_give_that_discard():
    without = scored(EARTHLY, source="E", earthly=True)
    assert scored(EARTHLY, source="E", earthly=True, turn_discards=discards("E5s")) == without


def test_nobody_else_can_have_thrown_a_tile_that_the_winner_holds_four_times():
    four = hand("888s79s22m", "8s", "chow 123m", "chow 456m")
    assert scored(four)["legal"] is False  # no pattern, but no contradiction
    assert "the winner holds 8888s" in faults(four, responsible="E")
    assert "the winner holds 8888s" in faults(four, responsible="none")


def test_east_answers_for_the_first_discard():
    assert "East is responsible" in faults(SEVENTY, source="E", earthly=True, responsible="W")


def test_a_word_that_is_no_player_is_refused_in_code_too():
    context = ZungJungContext(Seat.S, Win.DISCARD, Seat.W, responsible="somebody")
    given = parse_request(ask("zungjung", SEVENTY)).case.hand
    with pytest.raises(InvalidRequest, match="responsible is auto, none or a seat"):
        score(given, context, "zungjung")


# --- false wins ---


@pytest.mark.parametrize(
    ("offender", "house", "paid"),
    [
        ("S", {}, {"E": 30, "S": -90, "W": 30, "N": 30, "pot": 0}),
        ("E", {}, {"E": -90, "S": 30, "W": 30, "N": 30, "pot": 0}),  # East is like everybody
        ("N", {"false_win": 10}, {"E": 10, "S": 10, "W": 10, "N": -30, "pot": 0}),
        ("W", {"false_win": 0}, {"E": 0, "S": 0, "W": 0, "N": 0, "pot": 0}),
    ],
)
def test_a_false_win_pays_everybody_alike(offender, house, paid):
    payments = false_win(Seat(offender), ZungJungOptions(**house))
    assert payments.to_json() == paid
    assert {t.why for t in payments.transfers} <= {"false win"}


def test_a_false_win_by_the_usual_rules():
    assert false_win(Seat.S) == false_win(Seat.S, ZungJungOptions(false_win=30))
