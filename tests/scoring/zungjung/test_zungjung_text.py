"""Zung Jung: what the source text leaves open, and sentences of it that no table speaks of."""

from functools import partial

import pytest

from scoring.rules.zungjung import ZungJungOptions, false_win
from scoring.seats import Seat
from tests.scoring import asking
from tests.scoring.asking import elements, hand

scored = partial(asking.scored, "zungjung")
faults = partial(asking.faults, "zungjung")
DRAWN = {"win": "self_draw"}
ORPHANS = hand("19m19p19s1234567z", "1m")


# --- thirteen terminals and 8.1.3 ---


def test_thirteen_terminals_are_worth_what_is_listed_unless_the_house_adds_8_1_3():
    listed = scored(ORPHANS)
    assert elements(listed) == {"thirteen_terminals": 200}
    assert listed["payments"] == {"E": -30, "S": 600, "W": -540, "N": -30, "pot": 0}
    both = scored(ORPHANS, options={"thirteen_terminals_mixed": True})
    assert elements(both) == {"thirteen_terminals": 200, "mixed_greater_terminals": 100}
    assert both["payments"] == {"E": -30, "S": 900, "W": -840, "N": -30, "pot": 0}
    last = scored(ORPHANS, **DRAWN, last_tile=True, options={"thirteen_terminals_mixed": True})
    assert last["total"]["value"] == 310  # 200 + 100 + 10 for the last card


def test_the_house_rule_changes_no_other_hand():
    pairs = hand("1199m1199p1199s1z", "1z")
    found = elements(scored(pairs, options={"thirteen_terminals_mixed": True}))
    assert found == {"seven_pairs": 30, "mixed_greater_terminals": 100}


# --- triplets that a discard completes ---


def test_a_triplet_that_a_discard_completes():
    tiles = hand("222m444m666p88s99s", "9s")
    assert elements(scored(tiles)) == {"three_concealed_triplets": 30, "concealed_hand": 5, "all_triplets": 30}
    on = {"discard_triplets_concealed": True}
    assert elements(scored(tiles, options=on)) == {
        **{"four_concealed_triplets": 125, "concealed_hand": 5, "all_triplets": 30},
    }
    claimed = hand("444m666p88s99s", "9s", "pung 222m")  # what was claimed to be melded stays exposed
    assert elements(scored(claimed, options=on)) == {"three_concealed_triplets": 30, "all_triplets": 30}
    pair = hand("222m444m666p888s9s", "9s")
    assert elements(scored(pair, options=on)) == elements(scored(pair))


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


# --- irregular hands, dealt hands, the income ---


def test_a_declared_kong_is_not_two_pairs():
    tiles = hand("1133m4499p22s", "6s", "kong_concealed 7777s")
    assert scored(tiles)["reason"]["code"] == "not_a_winning_hand"


@pytest.mark.parametrize(
    ("tiles", "how"),
    [
        (hand("123m456m22s34s", "5s", "kong_concealed 9999p"), {**DRAWN, "seat": "E", "heavenly": True}),
        (hand("123m456m22s34s", "5s", "kong_concealed 9999p"), {"source": "E", "earthly": True}),
    ],
)
def test_no_blessing_with_a_kong(tiles, how):
    assert "has no melds" in faults(tiles, **how)


def test_a_robbed_kong_is_no_final_discard():
    found = elements(scored(hand("345s67s99m", "8s", "chow 234m", "pung 888p"), win="robbed_kong"))
    assert found == {"rob_a_kong": 10}


@pytest.mark.parametrize("how", [DRAWN, {}, {"responsible": "N"}, {"responsible": "none"}])
def test_luck_does_not_change_the_income(how):
    seventy = hand("223344m556677p8s", "8s")
    response = scored(seventy, **how)
    assert response["total"]["value"] == 70
    assert response["payments"]["S"] == 210


def test_two_suits_make_no_similar_sets():
    sequences = elements(scored(hand("34s666m99m", "2s", "chow 234m", "chow 567p")))
    assert "three_similar_sequences" not in sequences
    triplets = elements(scored(hand("78m22z", "9m", "pung 444m", "pung 444p", "pung 333s")))
    assert not {"three_similar_triplets", "small_three_similar_triplets"} & triplets.keys()
