"""Hong Kong: house rules at odds, penalties, contradictions, false wins."""

from decimal import Decimal
from functools import partial

import pytest

from scoring.request import respond
from scoring.rules.hongkong.liability import LIABLE_KINDS
from scoring.rules.hongkong.options import HongKongOptions, base_of
from scoring.rules.hongkong.payment import false_win
from scoring.seats import Seat
from tests.scoring import asking
from tests.scoring.asking import elements, hand

ask = partial(asking.ask, "hongkong")
scored = partial(asking.scored, "hongkong")
faults = partial(asking.faults, "hongkong")

PLAIN = hand("345s67s99m", "8s", "chow 234m", "pung 888p")
CHOWS = hand("123m456m345p78s22p", "9s")
PUNGS = hand("777p99s55s", "5s", "pung 111m", "pung 333s")
FLUSH = hand("123s67s99s", "8s", "chow 345s", "pung 777s")
ROBBED = hand("345s68s99m", "7s", "chow 234m", "pung 888p")
NO_PAYMENTS = {"E": 0, "S": 0, "W": 0, "N": 0, "pot": 0}

# --- house rules ---


@pytest.mark.parametrize("min_faan", range(4))
def test_less_than_the_simplified_table_begins_with_is_no_win(min_faan):
    rules = {"table": "simplified", "min_faan": min_faan}
    refused = scored(PLAIN, bonus="f2 g2", options=rules)
    assert refused["reason"] == {"code": "below_minimum", "message": "2 faan; 3 are needed."}
    assert scored(PUNGS, bonus="f1", options=rules)["payments"]["W"] == -2
    assert not scored(PUNGS, bonus="f1", options=rules | {"min_faan": 4})["legal"]


def test_house_rules_at_odds():
    assert "raise max_faan or lower min_faan." in faults(PUNGS, options={"table": "canton", "max_faan": 2})
    assert "raise max_faan" in faults(PUNGS, options={"min_faan": 8, "max_faan": 7})
    assert scored(PUNGS, options={"min_faan": 3, "max_faan": 1, "table": "unlimited"})["legal"]  # nothing is cut
    assert scored(PUNGS, options={"min_faan": 3, "max_faan": 3})["legal"]


@pytest.mark.parametrize(("least", "needed"), [(0, 3), ("auto", 3), (3, 3), (5, 5)])
def test_no_lower_minimum_helps_below_the_first_cell_of_the_simplified_table(least, needed):
    house = {"table": "simplified", "min_faan": least, "max_faan": 2}
    told = f"Faan are cut to 2 but the simplified table pays nothing below 3: raise max_faan to {needed} or more."
    assert faults(PUNGS, options=house) == told
    scored(PUNGS, options={**house, "max_faan": needed})  # is no mistake any longer
    assert "raise max_faan or lower min_faan." in faults(PUNGS, options={**house, "min_faan": 5, "max_faan": 4})


# --- penalties: the liable player pays the sum of what all losers would have paid ---

NINE = hand("99s67s", "8s", "chow 123s", "chow 345s", "pung 777s")
TWELVE = hand("9s", "9s", "chow 123s", "chow 345s", "pung 777s", "pung 666s W")
LIABLE = [
    ("nine_piece", NINE, {}),
    ("twelve_piece", TWELVE, {"win": "self_draw"}),
    ("twelve_piece", hand("9s", "9s", *TWELVE[2][:3], "kong_open 6666s"), {"win": "self_draw"}),
    ("fifth_tile", CHOWS, {}),
    ("robbed_kong", ROBBED, {"win": "robbed_kong"}),
    ("other", PLAIN, {"win": "self_draw"}),
    ("other", PLAIN, {"source": "N"}),
]


@pytest.mark.parametrize(("kind", "tiles", "how"), LIABLE)
def test_penalty(kind, tiles, how):
    free = scored(tiles, **how)["payments"]
    paid = scored(tiles, **how, liable={"seat": "W", "kind": kind})
    assert free["S"] > 0
    assert paid["payments"] == {"E": 0, "S": free["S"], "W": -free["S"], "N": 0, "pot": 0}
    assert any(LIABLE_KINDS[kind] in t["why"] for t in paid["transfers"])


def test_every_penalty_is_tried():
    assert {kind for kind, _, _ in LIABLE} == LIABLE_KINDS.keys()


@pytest.mark.parametrize(
    ("kind", "tiles", "how", "message"),
    [
        ("maximum", PLAIN, {}, "liable.kind is one of nine_piece, twelve_piece, fifth_tile, robbed_kong, other"),
        ("nine_piece", NINE, {"win": "self_draw"}, "paid on a discard"),
        ("nine_piece", NINE, {"source": "N"}, "seat must be the same as from"),
        ("nine_piece", PLAIN, {}, "all of one suit"),
        ("nine_piece", hand("123p44p78p", "9p", "chow 345p", "pung 777z"), {}, "all of one suit"),
        ("nine_piece", hand("123s345s67s99s", "8s", "pung 777s"), {}, "3 exposed sets of the suit, not 1"),
        ("twelve_piece", FLUSH, {"win": "self_draw"}, "4 exposed sets of the suit, not 2"),
        ("twelve_piece", TWELVE, {}, "self-drawn win only"),
        (
            "twelve_piece",
            hand("9s", "9s", *(f"{meld} N" for meld in ("chow 123s", "chow 345s", "pung 777s", "chow 456s"))),
            {"win": "self_draw"},
            "no set was claimed from W",
        ),
        ("fifth_tile", CHOWS, {"win": "self_draw"}, "paid on a discard"),
        ("fifth_tile", CHOWS, {"source": "E"}, "seat must be the same as from"),
        ("fifth_tile", ROBBED, {"win": "robbed_kong"}, "had been seen"),
        ("fifth_tile", hand("345s67s99m", "8s", "chow 678s", "pung 888p"), {}, "had been seen"),
        ("robbed_kong", PLAIN, {}, "win must be robbed_kong"),
        ("robbed_kong", ROBBED, {"win": "robbed_kong", "source": "N"}, "seat must be the same as from"),
    ],
)
def test_penalty_that_the_hand_contradicts(kind, tiles, how, message):
    assert message in faults(tiles, **how, liable={"seat": "W", "kind": kind})


# --- wins that pay nothing ---


def test_a_house_where_no_win_could_pay():
    told = faults(PUNGS, options={"pays_from": 9, "max_faan": 8})
    assert told == "Faan are cut to 8 but a win pays from 9: lower pays_from."
    assert scored(FLUSH, options={"pays_from": 9, "max_faan": 8, "table": "unlimited"})["payments"] == NO_PAYMENTS


# --- penalties that the hand calls for ---


@pytest.mark.parametrize(
    ("tiles", "how", "told"),
    [
        (NINE, {}, "3 sets of the suit were exposed: by the nine-piece"),
        (TWELVE, {}, "4 sets of the suit were exposed: by the nine-piece"),
        (TWELVE, {"win": "self_draw"}, "All four sets of the suit were exposed: by the twelve-piece"),
        (NINE, {"win": "self_draw"}, None),  # only three sets
        (FLUSH, {}, None),  # only two
        (NINE, {"liable": {"seat": "W", "kind": "nine_piece"}}, None),  # was named
        (hand("99s67s", "8s", "chow 123s", "chow 234s", "kong_concealed 5555s"), {}, None),  # one was not exposed
        (hand("44z67s", "8s", "chow 123s", "chow 345s", "pung 777s"), {}, None),  # honours
    ],
)
def test_a_penalty_that_nobody_was_named_for_is_told(tiles, how, told):
    explanation = scored(tiles, bonus="f1", **how)["explanation"]
    lines = [line for line in explanation if "Name them as liable" in line]
    assert [told] == [line[: len(told)] for line in lines] if told else not lines


# --- contradictions ---


@pytest.mark.parametrize(
    ("tiles", "how"),
    [
        (CHOWS, {"source": "E", "earthly": True}),
        (NINE, {"liable": {"seat": "W", "kind": "nine_piece"}}),
        (ROBBED, {"win": "robbed_kong", "liable": {"seat": "N", "kind": "robbed_kong"}, "source": "N"}),
    ],
)
def test_an_unknown_discarder_who_can_only_be_one(tiles, how):
    known = ask(tiles, bonus="f1", **how)
    unknown = {**known, "context": {**known["context"], "from": None}}
    paid = respond(known)["payments"]
    assert paid["S"] > 0
    assert respond(unknown)["payments_if_from"] == {known["context"]["from"]: paid}


# --- tables ---


@pytest.mark.parametrize(
    ("table", "figures"),
    [
        ("4-6-8", [1, 2, 4, 8, 16, 16, 32, 32, 64, 64, 64]),
        ("5-7-9", [1, 2, 4, 8, 16, 32, 32, 64, 64, 128, 128]),
        ("traditional", [1, 2, 4, 8, 16, 16, 16, 32, 32, 32, 64, 64, 64, 64]),
        ("canton", [1, 2, 4, 8, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384]),
        ("simplified", [1, 1, 1, 1, 2, 2, 2, 4, 4, 4, 8, 8, 8, 8]),
    ],
)
def test_tables_cell_by_cell(table, figures):
    """As the text prints them; 4-6-8 and 5-7-9 are kin of its 4-7-10 (EpicOrange/riichi_advanced, issue 180)."""
    assert [base_of(faan, HongKongOptions(table=table)) for faan in range(len(figures))] == figures


def test_two_faan_for_triplets_and_half_flush():
    """EpicOrange/riichi_advanced, issue 180: Half Flush and All Triplets 2 faan each, Full Flush 4 or 5."""
    house = {"options": {"values": {"all_triplets": 2, "mixed_one_suit": 2, "all_one_suit": 4}}, "bonus": "f1"}
    both = hand("99m22z", "9m", "pung 111m", "pung 333m", "pung 777m")
    assert elements(scored(both, **house)) == {"all_triplets": 2, "mixed_one_suit": 2}
    assert elements(scored(both, bonus="f1")) == {"all_triplets": 3, "mixed_one_suit": 3}
    flush = hand("99m22m", "9m", "pung 111m", "pung 333m", "pung 777m")
    assert elements(scored(flush, **house)) == {"all_triplets": 2, "all_one_suit": 4}


def test_an_element_that_is_not_played_contains_nothing():
    dragons = hand("99m11p", "9m", "pung 555z", "pung 666z", "pung 777z")
    left = elements(scored(dragons, bonus="f1", options={"values": {"great_dragons": 0}}))
    assert {"red_dragon", "green_dragon", "white_dragon"} <= left.keys()
    told = {**ask(dragons, win="self_draw", options={"values": {"self_pick": 0}}), "result": {"value": 0}}
    for field in ("concealed", "melds", "winning_tile", "bonus"):
        del told[field]
    assert respond(told)["legal"]


# --- false wins ---


@pytest.mark.parametrize(
    ("rules", "share"),
    [
        ({}, 128),
        ({"table": "simplified"}, 16),
        ({"table": "canton"}, 768),
        ({"table": "traditional4"}, 32),
        ({"table": "4-6-8"}, 128),
        ({"table": "5-7-9"}, 256),
        ({"table": "parlor"}, 2),
        ({"table": "unlimited"}, 2**14),
        ({"table": "full_spicy", "max_faan": 10}, 2**11),
        ({"max_faan": 8}, 64),
        ({"unit": Decimal("0.5")}, 64),
    ],
)
def test_false_win_pays_a_limit_hand_to_everybody(rules, share):
    south = false_win(Seat.S, HongKongOptions(**rules)).to_json()
    assert south == {"E": 2 * share, "S": -4 * share, "W": share, "N": share, "pot": 0}
    east = false_win(Seat.E, HongKongOptions(**rules)).to_json()
    assert east == {"E": -6 * share, "S": 2 * share, "W": 2 * share, "N": 2 * share, "pot": 0}
    plain = false_win(Seat.E, HongKongOptions(**rules, dealer_doubling=False)).to_json()
    assert plain == {"E": -3 * share, "S": share, "W": share, "N": share, "pot": 0}


def test_false_win_with_usual_rules_and_with_columns():
    assert false_win(Seat.W) == false_win(Seat.W, HongKongOptions())
    columns = HongKongOptions(table="canton", canton_settlement="columns")
    assert false_win(Seat.W, columns).to_json() == {"E": 192, "S": 192, "W": -576, "N": 192, "pot": 0}
