"""Hong Kong: every house rule, penalty and contradiction, false wins, explanations, properties."""

from decimal import Decimal
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.request import respond
from scoring.rules.hongkong import LIABLE_KINDS, HongKongOptions, false_win
from scoring.seats import SEATS, Seat
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
TABLES = ("traditional", "simplified", "canton", "traditional4", "parlor", "unlimited", "full_spicy")

# --- house rules ---


@pytest.mark.parametrize(
    ("table", "need"),
    [
        ("traditional", 0),
        ("simplified", 3),
        ("canton", 3),
        ("traditional4", 0),
        ("parlor", 0),
        ("unlimited", 3),
        ("full_spicy", 3),
    ],
)
def test_each_table_has_its_minimum(table, need):
    for n, (tiles, bonus) in enumerate([(PLAIN, "f1"), (PLAIN, ""), (PLAIN, "f2 g2"), (PUNGS, "f1")]):
        response = scored(tiles, bonus=bonus, options={"table": table})
        assert response["total"]["value"] == n
        assert response["legal"] is (n >= need)
        if n < need:
            assert response["reason"]["code"] == "below_minimum"
            assert set(response["payments"].values()) == {0}


def test_minimum_of_the_house():
    assert not scored(PUNGS, bonus="f1", options={"min_faan": 4})["legal"]
    assert scored(PUNGS, options={"min_faan": 4})["legal"]
    assert scored(PLAIN, bonus="f1", options={"table": "canton", "min_faan": 0})["payments"]["W"] == -2
    assert scored(PUNGS, bonus="f1", options={"min_faan": "auto", "table": "simplified"})["legal"]
    refused = scored(PLAIN, bonus="f1", options={"min_faan": 1})
    assert refused["reason"]["message"] == "0 faan; 1 is needed."


@pytest.mark.parametrize("min_faan", range(4))
def test_less_than_the_simplified_table_begins_with_is_no_win(min_faan):
    rules = {"table": "simplified", "min_faan": min_faan}
    refused = scored(PLAIN, bonus="f2 g2", options=rules)
    assert refused["reason"] == {"code": "below_minimum", "message": "2 faan; 3 are needed."}
    assert scored(PUNGS, bonus="f1", options=rules)["payments"]["W"] == -2
    assert not scored(PUNGS, bonus="f1", options=rules | {"min_faan": 4})["legal"]


def test_minimum_that_needs_a_pattern():
    drawn = hand("123m456m888p78s22p", "9s")
    rules = {"min_faan": 3}
    three = scored(drawn, win="self_draw", options=rules)
    assert elements(three) == {"self_pick": 1, "concealed_hand": 1, "no_bonus_tiles": 1}
    assert three["legal"]
    rules["min_needs_pattern"] = True
    refused = scored(drawn, win="self_draw", options=rules)
    assert (refused["legal"], refused["reason"]["code"]) == (False, "below_minimum")
    assert "house asks" in refused["reason"]["message"]
    assert scored(CHOWS, win="self_draw", options=rules)["legal"]  # common hand is a pattern
    dragon = hand("345s67s99m", "8s", "chow 234m", "pung 555z")
    assert scored(dragon, bonus="f2 g2", options=rules)["legal"]  # so is a set held
    assert scored(drawn, win="self_draw", seat="E", heavenly=True, options=rules)["legal"]
    assert scored(drawn, source="E", earthly=True, options=rules)["legal"]
    assert scored(drawn, win="self_draw", options={"min_needs_pattern": True})["legal"]  # no minimum, nothing to need


def test_max_faan():
    thirteen = hand("19m19p19s1234567z", "1m")
    capped = scored(thirteen, bonus="f1", options={"max_faan": 8})
    assert capped["total"] == {"unit": "faan", "value": 8, "uncapped": 13, "limit": "8 faan"}
    assert capped["payments"]["N"] == -32
    assert "13 faan, cut to the limit of 8." in capped["explanation"]
    more = scored(thirteen, options={"max_faan": 20, "table": "canton"})
    assert (more["total"]["value"], more["payments"]["N"]) == (14, -384)
    unlimited = scored(thirteen, options={"max_faan": 8, "table": "unlimited"})
    assert unlimited["total"] == {"unit": "faan", "value": 14, "uncapped": 14, "limit": None}
    assert unlimited["payments"]["N"] == -(2**14)


def test_dealer_doubling():
    on = scored(PLAIN, bonus="f2", seat="E", source="W")["payments"]
    assert on == {"E": 8, "S": -2, "W": -4, "N": -2, "pot": 0}
    off = scored(PLAIN, bonus="f2", seat="E", source="W", options={"dealer_doubling": False})["payments"]
    assert off == {"E": 4, "S": -1, "W": -2, "N": -1, "pot": 0}


def test_robbed_player_pays_for_all():
    on = scored(ROBBED, win="robbed_kong", bonus="f1")["payments"]
    assert on == {"E": 0, "S": 10, "W": -10, "N": 0, "pot": 0}
    off = scored(ROBBED, win="robbed_kong", bonus="f1", options={"rob_kong_pays_all": False})["payments"]
    assert off == {"E": -4, "S": 10, "W": -4, "N": -2, "pot": 0}


def test_seven_pairs_off():
    pairs = hand("112255m3377p66s8s", "8s")
    off = {"seven_pairs": False}
    assert scored(pairs, options=off)["reason"]["code"] == "not_a_winning_hand"
    both = hand("112233m556677p8s", "8s")
    assert elements(scored(both, bonus="f1")) == {"seven_pairs": 4}
    assert elements(scored(both, bonus="f1", options=off)) == {"common_hand": 1, "concealed_hand": 1}


def test_concealed_requires_self_pick():
    rules = {"concealed_requires_self_pick": True}
    assert elements(scored(CHOWS, bonus="f1", options=rules)) == {"common_hand": 1}
    drawn = elements(scored(CHOWS, bonus="f1", win="self_draw", options=rules))
    assert drawn == {"common_hand": 1, "concealed_hand": 1, "self_pick": 1}


def test_flower_set_keeps_own():
    bonus = "f1 f2 f3 f4 g1 g2 g3 g4"
    assert elements(scored(PLAIN, bonus=bonus)) == {"all_flowers": 2, "all_seasons": 2}
    kept = elements(scored(PLAIN, bonus=bonus, options={"flower_set_keeps_own": True}))
    assert kept == {"all_flowers": 2, "all_seasons": 2, "own_flower": 1, "own_season": 1}


@pytest.mark.parametrize("bonus", ["", "f2", "f1 f2 f3 f4 g1 g2 g3 g4"])
def test_bonus_tiles_out_of_play(bonus):
    assert elements(scored(PLAIN, bonus=bonus, options={"bonus_tiles_in_play": False})) == {}


def test_unit_multiplies_everything():
    assert scored(PLAIN, bonus="f1", options={"unit": "0.25"})["payments"] == {
        **{"E": "-0.5", "S": "1.25", "W": "-0.5", "N": "-0.25", "pot": 0}
    }
    whys = {t["from"]: t["why"] for t in scored(PLAIN, bonus="f1", options={"unit": "0.25"})["transfers"]}
    assert whys == {"W": "base 0.25, doubled for his tile", "N": "base 0.25", "E": "base 0.25, doubled for east"}
    limit = scored(hand("19m19p19s1234567z", "1m"), options={"unit": 3})["payments"]
    assert limit == {"E": -384, "S": 960, "W": -384, "N": -192, "pot": 0}


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


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("dealer_doubling", [True, False])
@pytest.mark.parametrize(("kind", "tiles", "how"), LIABLE)
def test_penalty(kind, tiles, how, table, dealer_doubling):
    rules = {"table": table, "dealer_doubling": dealer_doubling}
    if table in ("simplified", "canton", "unlimited", "full_spicy"):
        rules["min_faan"] = 3
        how = {**how, "bonus": "f1 f2 f3 f4 g1 g2 g3 g4"}
    free = scored(tiles, **how, options=rules)["payments"]
    paid = scored(tiles, **how, liable={"seat": "W", "kind": kind}, options=rules)
    assert free["S"] > 0
    assert paid["payments"] == {"E": 0, "S": free["S"], "W": -free["S"], "N": 0, "pot": 0}
    assert any(LIABLE_KINDS[kind] in t["why"] for t in paid["transfers"])


def test_penalties_are_told_with_their_native_names():
    whys = [t["why"] for t in scored(NINE, liable={"seat": "W", "kind": "nine_piece"}, bonus="f1")["transfers"]]
    assert whys == [
        "base 32, doubled for his tile",
        "for N, liable by nine-piece penalty 九張包; base 32",
        "for E, liable by nine-piece penalty 九張包; base 32, doubled for east",
    ]
    native = {kind: words.split()[-1] for kind, words in LIABLE_KINDS.items() if not words.isascii()}
    assert native == {
        **{"nine_piece": "九張包", "twelve_piece": "十二張包自摸", "fifth_tile": "五子包生", "robbed_kong": "搶槓"},
    }


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


# --- contradictions ---


@pytest.mark.parametrize(
    ("tiles", "how", "message"),
    [
        (CHOWS, {"win": "self_draw", "heavenly": True}, "dealer's"),
        (PLAIN, {"win": "self_draw", "seat": "E", "heavenly": True}, "no melds"),
        (CHOWS, {"seat": "E", "source": "N", "earthly": True}, "cannot be E"),
        (CHOWS, {"win": "self_draw", "earthly": True}, "from must be E"),
        (CHOWS, {"source": "N", "earthly": True}, "from must be E"),
        (PLAIN, {"source": "E", "earthly": True}, "no melds"),
        (CHOWS, {"win": "self_draw", "replacement": True}, "a kong or a bonus tile"),
        (
            CHOWS,
            {"win": "self_draw", "replacement": True, "bonus": "f1", "options": {"bonus_tiles_in_play": False}},
            "needs a kong",
        ),
        (CHOWS, {"win": "self_draw", "double_kong": True}, "two kongs"),
        (hand("345s66s99m", "6s", "chow 234m", "pung 888p"), {"win": "robbed_kong"}, "fourth of its kind"),
        (hand("340s67s99m", "8s", "chow 234m", "pung 888p"), {}, "no red fives"),
        (PLAIN, {"bonus": "a1"}, "does not use a1"),
        (hand("345s67s99m", None, "chow 234m", "pung 888p"), {}, "winning_tile is missing"),
    ],
)
def test_contradictions(tiles, how, message):
    assert message in faults(tiles, **how)


def test_all_faults_at_once():
    rules = {"table": "simplified", "max_faan": 2}
    message = faults(
        *(PLAIN,), win="self_draw", bonus="a1", heavenly=True, options=rules, liable={"seat": "W", "kind": "nine_piece"}
    )
    for part in ("does not use a1", "dealer's", "no melds", "raise max_faan", "paid on a discard", "one suit"):
        assert part in message


def test_unknown_discarder_gives_payments_for_each():
    request = ask(PLAIN, bonus="f1")
    request["context"]["from"] = None
    response = respond(request)
    assert response["legal"]
    assert response["payments"] is None
    assert response["payments_if_from"] == {
        "E": {"E": -4, "S": 6, "W": -1, "N": -1, "pot": 0},
        "W": {"E": -2, "S": 5, "W": -2, "N": -1, "pot": 0},
        "N": {"E": -2, "S": 5, "W": -1, "N": -2, "pot": 0},
    }


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


# --- false wins ---


@pytest.mark.parametrize(
    ("rules", "share"),
    [
        ({}, 128),
        ({"table": "simplified"}, 16),
        ({"table": "canton"}, 768),
        ({"table": "traditional4"}, 32),
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


# --- explanations and properties ---


def test_explanation_tells_sum_and_payments():
    response = scored(CHOWS, source="E")
    assert response["explanation"] == [
        "Read as 123m 456m 345p 789s 22p, won with 9s.",
        "Common Hand 平糊: 1 faan - all four sets are chows: 123m 456m 345p 789s.",
        "Win from Wall 門前清: 1 faan - nothing was claimed before the winning tile.",
        "No Flowers or Seasons 無花: 1 faan - no bonus tile.",
        "3 faan in all.",
        "W pays S 8: base 8.",
        "N pays S 8: base 8.",
        "E pays S 32: base 8, doubled for his tile, doubled for east.",
    ]


@given(
    seat=st.sampled_from(SEATS),
    win=st.sampled_from(["self_draw", "discard"]),
    tiles=st.sampled_from([PLAIN, CHOWS, PUNGS, FLUSH]),
    table=st.sampled_from(TABLES),
    settlement=st.sampled_from(["doubling", "columns"]),
    dealer_doubling=st.booleans(),
    unit=st.decimals("0.001", "10", places=3),
    data=st.data(),
)
def test_payments_sum_to_zero_and_penalties_leave_the_income(
    seat, win, tiles, table, settlement, dealer_doubling, unit, data
):
    rules = {"table": table, "canton_settlement": settlement, "dealer_doubling": dealer_doubling, "unit": str(unit)}
    others = [s.value for s in SEATS if s is not seat]
    how = {"seat": seat.value, "win": win, "options": rules, "source": data.draw(st.sampled_from(others))}
    free = scored(tiles, **how)
    liable = scored(tiles, **how, liable={"seat": data.draw(st.sampled_from(others)), "kind": "other"})
    for response in (free, liable):
        assert sum(Decimal(str(amount)) for amount in response["payments"].values()) == 0
    assert free["payments"][seat.value] == liable["payments"][seat.value]
    assert free["elements"] == liable["elements"]
