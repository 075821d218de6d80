"""Hands of three players of riichi: no 2m to 8m, norths set aside, no chows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

import hupai
from hupai.api import ReadPhoto
from scoring.errors import InvalidRequest
from scoring.seats import Seat
from scoring.tiles import parse_tiles
from tests.hupai.three_photo import hand_of_three
from tests.vision.laid import across, row, seen
from vision.hand.correction import DropTile, SetKita, SetTile, SetWinningTile, apply_corrections
from vision.hand.read import read_hand
from vision.io.photo import Photo
from vision.layout.shapes import HandRules, shapes_of
from vision.pipeline import TileReader
from vision.reading import Reading, Role, SeenHand, Sighting

THREE = shapes_of("riichi", {"players": 3})
FOUR = shapes_of("riichi")
WHOLE = row("111m456p789s11z88p8p", gaps={13: 0.9})
KITA = row("44z", x=760, y=520)


def read(sightings: Sequence[Sighting], rules: HandRules = THREE) -> Reading:
    return read_hand(sightings, 1200, 900, rules)[0]


def hand_of(reading: Reading) -> SeenHand:
    assert reading.hand is not None
    return reading.hand


def codes(reading: Reading) -> set[str]:
    return {doubt.code for doubt in reading.doubts if not doubt.open}


def test_house_rules_say_which_tiles_there_are() -> None:
    assert (FOUR.left_out, FOUR.kita, FOUR.players) == (frozenset(), False, 4)
    assert (THREE.left_out, THREE.kita, THREE.players) == (frozenset(range(1, 8)), True, 3)
    assert not shapes_of("riichi", {"players": 3, "kita": False}).kita
    assert shapes_of("jp", {"players": "many", "unknown": 1}) == FOUR


@pytest.mark.parametrize(
    "place", [row("44z", x=760, y=520), row("44z", x=100, y=520), row("44z", x=760, y=520, gaps={1: 0.5})]
)
def test_norths_apart_are_set_aside(place: list[Sighting]) -> None:
    reading = read([*WHOLE, *place])
    hand = hand_of(reading)
    assert hand.bonus == parse_tiles("44z") and str(hand.winning_tile) == "8p" and hand.complete
    assert [reading.roles[i] for i in (14, 15)] == [Role.BONUS] * 2
    assert not codes(reading)
    assert hand_of(read([*WHOLE, *place], FOUR)).bonus == ()


def test_norths_of_the_hand_stay_in_it() -> None:
    assert hand_of(read(row("111m456p789s44z88p8p", gaps={13: 0.9}))).bonus == ()
    hand = hand_of(read([*row("111m456p789s444z8p8p", gaps={13: 0.9}), *row("4z", x=760, y=520)]))
    assert (len(hand.concealed), hand.bonus) == (13, parse_tiles("4z"))
    waits = [*row("111m456p789s88p44z"), *row("4z", x=760)]
    assert str(hand_of(read(waits)).winning_tile) == "4z"


def test_norths_beside_melds_and_as_an_indicator() -> None:
    melded = [
        *row("111m456p11z7p7p", gaps={10: 0.0}),
        *across("555z", 1, 560),
        *row("4z", x=720),
        *row("7p", x=540, y=300),
    ]
    hand = hand_of(read(melded))
    assert [str(m.type) for m in hand.melds] == ["pung"] and hand.bonus == parse_tiles("4z")
    shown = row("back back 4z back back", x=200, y=100)
    hand = hand_of(read([*WHOLE, *KITA, *shown]))
    assert (hand.bonus, hand.dora_indicators) == (parse_tiles("44z"), parse_tiles("4z"))


def test_a_tile_that_three_players_leave_out_is_another_or_asked_about() -> None:
    likely = [seen("2m", 140, 400, 0, 0.7, _1m=0.28), *row("11m456p789s11z88p8p", x=180, gaps={12: 0.9})]
    first, *rest = sorted(likely, key=lambda s: float(s.centre[0]))
    reading = read([first, *rest])
    assert hand_of(reading).concealed[:3] == parse_tiles("111m")
    assert [(str(r.read), str(r.used)) for r in reading.repairs] == [("2m", "1m")]
    sure = [seen("5m", 140, 400, 0, 0.99, _1m=0.005), *rest]
    reading = read(sure)
    assert str(hand_of(reading)).startswith("511m") and not reading.repairs
    asked = [d for d in reading.doubts if d.code == "not_in_play"]
    assert [d.tile for d in asked] == [0]
    assert "1m" in asked[0].answers and not {"5m", "2m"} & set(asked[0].answers)
    told = apply_corrections(reading, [SetTile(0, parse_tiles("1m")[0])], rules=THREE)
    assert hand_of(told).concealed[:3] == parse_tiles("111m") and not codes(told)
    assert str(hand_of(read(sure, FOUR))).startswith("511m")


def test_an_indicator_that_three_players_leave_out_is_asked_about() -> None:
    reading = read([*WHOLE, *row("back back 5m back back", x=200, y=100)])
    assert "not_in_play" in codes(reading)


def test_no_chow_is_claimed() -> None:
    laid = [*row("111m456p11z77p"), *row("7p", x=540), *across("456s", 0, 640)]
    assert [str(m.type) for m in hand_of(read(laid, FOUR)).melds] == ["chow"]
    assert hand_of(read(laid)).melds == ()


def test_a_person_moves_a_north_to_those_set_aside_and_back() -> None:
    reading = read([*WHOLE, *KITA])
    back = apply_corrections(reading, [SetKita(15, aside=False)], rules=THREE)
    assert hand_of(back).bonus == parse_tiles("4z") and back.roles[15] is not Role.BONUS
    again = apply_corrections(back, [SetKita(15)], rules=THREE)
    assert (again.hand, again.roles) == (reading.hand, reading.roles)
    misread = read([*WHOLE, KITA[0], seen("3z", 800, 520)])
    told = apply_corrections(misread, [SetKita(14), SetKita(15)], rules=THREE)
    assert hand_of(told).bonus == parse_tiles("44z") and hand_of(told).complete
    assert [(r.tile, str(r.used)) for r in told.repairs] == [(15, "4z")]
    fewer = apply_corrections(reading, [DropTile(14), SetKita(15)], rules=THREE)
    assert hand_of(fewer).bonus == parse_tiles("4z")
    flower = read([*WHOLE, *KITA, seen("f1", 840, 520)])
    told = apply_corrections(flower, [SetKita(14)], rules=THREE)
    assert (told.hand, told.doubts) == (flower.hand, flower.doubts), "nothing was said of the flower"
    whole = read([*row("111m456p789s11z88p"), *row("4z", x=760, y=520)])
    won = apply_corrections(whole, [SetKita(13, aside=False), SetWinningTile(parse_tiles("1z")[0])], rules=THREE)
    assert hand_of(won).bonus == ()


def test_what_is_said_of_norths_has_to_fit() -> None:
    reading = read([*WHOLE, *KITA])
    for given, rules in (
        ([SetKita(14)], FOUR),
        ([SetKita(14)], shapes_of("riichi", {"players": 3, "kita": False})),
        ([SetKita(14), DropTile(14)], THREE),
        ([SetKita(14), SetKita(14, aside=False)], THREE),
        ([SetKita(99)], THREE),
    ):
        with pytest.raises(InvalidRequest):
            apply_corrections(reading, given, rules=rules)


@pytest.mark.parametrize(("lying", "sources"), [(0, "WES"), (1, None), (2, "SWE")])
def test_left_and_right_are_who_plays_before_and_after(lying: int, sources: str | None) -> None:
    """Whatever the wind of the empty side, which stays where it is while the deal passes; opposite is either."""
    hand = hand_of(read([*row("111m456p11z77p"), *row("7p", x=540), *across("555z", lying, 640)]))
    seats = [hand.seated(Seat(s), 3).melds[0].source for s in "ESW"]
    assert seats == [Seat(s) for s in sources] if sources else seats == [None] * 3
    assert hand.seated(Seat.E).melds[0].source is Seat("NWS"[lying])


def test_a_photo_is_scored_by_the_house_rules_it_is_scored_under() -> None:
    photo = ReadPhoto(Photo(np.zeros((900, 1200, 3), np.uint8)), read([*WHOLE, *KITA], FOUR), FOUR)
    scored = photo.score("riichi", seat="S", win="self_draw", options={"players": 3}, riichi=True)
    assert scored.read.hand is not None and scored.read.hand.bonus == parse_tiles("44z")
    assert {e["id"]: e["value"] for e in scored.to_json()["elements"]}["kita"] == 2
    assert scored.payments == {"E": -4000, "S": 6000, "W": -2000, "N": 0, "pot": 0}
    said = photo.score("riichi", seat="S", win="self_draw", options={"players": 3}, corrections=[DropTile(14)])
    assert said.request["bonus"] == ["4z"]
    with pytest.raises(InvalidRequest):
        hupai.read("none.jpg", "riichi", options={"players": 5})
    with pytest.raises(InvalidRequest):
        hupai.read("none.jpg", options={"players": 3})


@pytest.mark.slow
def test_a_photo_of_a_hand_of_three() -> None:
    hand = hand_of(TileReader(threads=1).read(hand_of_three(), rules=THREE))
    assert hand.bonus == parse_tiles("444z")
    assert {*hand.concealed, hand.winning_tile} == {*parse_tiles("99m456p7z")} and hand.complete
    assert [str(m.type) for m in hand.melds] == ["pung", "pung"]
