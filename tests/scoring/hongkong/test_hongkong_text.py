"""Hong Kong: what the source text leaves open or names as a variation, and sentences that no table speaks of."""

from functools import partial

import pytest

from tests.scoring import asking
from tests.scoring.asking import elements, hand

scored = partial(asking.scored, "hongkong")
faults = partial(asking.faults, "hongkong")

PLAIN = hand("345s67s99m", "8s", "chow 234m", "pung 888p")  # worth nothing by itself
PUNGS = hand("777p99s55s", "5s", "pung 111m", "pung 333s")
FLUSH = hand("123s67s99s", "8s", "chow 345s", "pung 777s")
ROBBED = hand("345s68s99m", "7s", "chow 234m", "pung 888p")
SMALL_WINDS = hand("44z23m", "1m", "pung 111z", "pung 222z", "pung 333z")  # north is the pair
FOUR_CONCEALED = hand("222m444m666p88s99s", "9s")
ORPHANS = "19m19p19s1234567z"
NOBODY = {"E": 0, "S": 0, "W": 0, "N": 0, "pot": 0}


# --- small winds and their pair ---


@pytest.mark.parametrize(
    ("allowed", "seat", "round_", "counts"),
    [
        *(("any", seat, round_, True) for seat, round_ in ("NN", "NE", "EN", "SE")),
        *(("not_round", seat, round_, round_ != "N") for seat, round_ in ("NN", "NE", "EN", "SE")),
        *(("not_seat", seat, round_, seat != "N") for seat, round_ in ("NN", "NE", "EN", "SE")),
        *(("neither", seat, round_, "N" not in seat + round_) for seat, round_ in ("NN", "NE", "EN", "SE")),
    ],
)
def test_the_pair_of_small_winds(allowed, seat, round_, counts):
    rules = {"small_winds_pair": allowed}
    bonus = f"f{'SWNE'.index(seat) + 1}"  # a foreign flower
    found = elements(scored(SMALL_WINDS, seat=seat, round=round_, bonus=bonus, options=rules))
    own = {"seat_wind": 1} if seat != "N" else {}
    prevailing = {"prevailing_wind": 1} if round_ != "N" else {}
    assert found == {"mixed_one_suit": 3, **own, **prevailing, **({"small_winds": 6} if counts else {})}


# --- wins that pay nothing ---


def test_one_faan_or_less_may_win_for_nothing():
    rules = {"pays_from": 2}
    for bonus, faan in (("f1", 0), ("", 1)):
        response = scored(PLAIN, bonus=bonus, options=rules)
        assert (response["legal"], response["total"]["value"]) == (True, faan)
        assert response["payments"] == NOBODY
        assert response["transfers"] == []
        assert "A win of fewer than 2 faan pays nothing here." in response["explanation"]
    two = scored(PLAIN, bonus="f2 g2", options=rules)
    assert two["payments"] == {"E": -8, "S": 20, "W": -8, "N": -4, "pot": 0}
    assert not any("pays nothing" in line for line in two["explanation"])


def test_nobody_is_liable_for_a_win_that_pays_nothing():
    rules = {"pays_from": 2}
    assert scored(PLAIN, options=rules, liable={"seat": "N", "kind": "other"})["payments"] == NOBODY
    assert scored(ROBBED, win="robbed_kong", bonus="f1", options=rules)["payments"] == NOBODY


def test_every_win_pays_unless_the_house_says_otherwise():
    assert scored(PLAIN, bonus="f1")["payments"] == {"E": -2, "S": 5, "W": -2, "N": -1, "pot": 0}


def test_a_house_where_no_win_could_pay():
    told = faults(PUNGS, options={"pays_from": 9, "max_faan": 8})
    assert told == "Faan are cut to 8 but a win pays from 9: lower pays_from."
    assert scored(FLUSH, options={"pays_from": 9, "max_faan": 8, "table": "unlimited"})["payments"] == NOBODY


# --- styles of the table ---


def test_the_unlimited_style_has_a_minimum_of_three():
    rules = {"table": "unlimited"}
    refused = scored(PLAIN, bonus="f2 g2", options=rules)
    assert refused["reason"]["message"] == "2 faan; 3 are needed."
    three = scored(PUNGS, bonus="f1", options=rules)
    assert three["payments"] == {"E": -16, "S": 40, "W": -16, "N": -8, "pot": 0}
    assert scored(PLAIN, bonus="f2 g2", options={**rules, "min_faan": 2})["legal"]


def test_the_traditional_limit_is_sixteen_times_a_scoreless_hand():
    rules = {"table": "traditional4"}
    scoreless = scored(PLAIN, bonus="f1", options=rules)["payments"]
    limit = scored(hand(ORPHANS, "1m"), options=rules)["payments"]
    assert limit == {seat: 16 * amount for seat, amount in scoreless.items()}


def test_the_modern_style_may_do_without_its_third_limit():
    ten = scored(FLUSH, bonus="f1 f2 f3 f4", last_tile=True, options={"max_faan": 9})
    assert (ten["total"]["uncapped"], ten["total"]["value"]) == (10, 9)
    assert ten["payments"]["N"] == -32
    assert scored(FLUSH, bonus="f1 f2 f3 f4", last_tile=True)["payments"]["N"] == -64


@pytest.mark.parametrize(("need", "legal"), [(1, True), (2, False)])
def test_usual_minimums(need, legal):
    assert scored(PLAIN, options={"min_faan": need})["legal"] is legal  # no bonus tile: 1 faan


@pytest.mark.parametrize("ceiling", [7, 8])
def test_usual_ceilings(ceiling):
    thirteen = scored(hand(ORPHANS, "1m"), bonus="f1", options={"max_faan": ceiling})
    assert thirteen["total"] == {"unit": "faan", "value": ceiling, "uncapped": 13, "limit": f"{ceiling} faan"}


# --- the robbed kong as a twelve-piece penalty ---


def test_a_robbed_kong_paid_as_a_self_pick():
    rules = {"rob_kong_as_self_pick": True}
    paid = scored(ROBBED, win="robbed_kong", bonus="f1", options=rules)
    assert elements(paid) == {"robbing_kong": 1}  # no faan for a self-pick
    assert paid["payments"] == {"E": 0, "S": 16, "W": -16, "N": 0, "pot": 0}  # east 2 x 2 x 2, the others 2 x 2
    assert [t["why"] for t in paid["transfers"]] == [
        "base 2, doubled for a robbed kong",
        "for N, whose kong was robbed; base 2, doubled for a robbed kong",
        "for E, whose kong was robbed; base 2, doubled for a robbed kong, doubled for east",
    ]
    each = scored(ROBBED, win="robbed_kong", bonus="f1", options={**rules, "rob_kong_pays_all": False})
    assert each["payments"] == {"E": -8, "S": 16, "W": -4, "N": -4, "pot": 0}


def test_a_robbed_kong_in_the_self_draw_column():
    rules = {"table": "canton", "canton_settlement": "columns", "min_faan": 0, "rob_kong_as_self_pick": True}
    paid = scored(ROBBED, win="robbed_kong", bonus="f1", options=rules)["payments"]
    assert paid == {"E": 0, "S": 3, "W": -3, "N": 0, "pot": 0}


def test_only_robbed_kongs_are_paid_as_self_picks():
    plain, changed = scored(PLAIN, bonus="f1"), scored(PLAIN, bonus="f1", options={"rob_kong_as_self_pick": True})
    assert changed["payments"] == plain["payments"]


# --- penalties that the hand calls for ---

NINE = hand("99s67s", "8s", "chow 123s", "chow 345s", "pung 777s")
TWELVE = hand("9s", "9s", "chow 123s", "chow 345s", "pung 777s", "pung 666s W")
CALLED = (
    "3 sets of the suit were exposed: by the nine-piece penalty 九張包 the discarder pays for all. Name him as liable.",
    "4 sets of the suit were exposed: by the nine-piece penalty 九張包 the discarder pays for all. Name him as liable.",
    "All four sets of the suit were exposed: by the twelve-piece penalty 十二張包自摸 the giver of the fourth pays for "
    "all. Name him as liable.",
)


@pytest.mark.parametrize(
    ("tiles", "how", "told"),
    [
        (NINE, {}, CALLED[0]),
        (TWELVE, {}, CALLED[1]),
        (TWELVE, {"win": "self_draw"}, CALLED[2]),
        (NINE, {"win": "self_draw"}, None),  # only three sets
        (FLUSH, {}, None),  # only two
        (NINE, {"liable": {"seat": "W", "kind": "nine_piece"}}, None),  # was named
        (hand("99s67s", "8s", "chow 123s", "chow 234s", "kong_concealed 5555s"), {}, None),  # one was not exposed
        (hand("44z67s", "8s", "chow 123s", "chow 345s", "pung 777s"), {}, None),  # honours
    ],
)
def test_a_penalty_that_nobody_was_named_for_is_told(tiles, how, told):
    explanation = scored(tiles, bonus="f1", **how)["explanation"]
    assert [line for line in explanation if "Name him as liable" in line] == ([told] if told else [])


def test_the_hint_changes_no_payment():
    assert scored(NINE, bonus="f1")["payments"] == {"E": -64, "S": 160, "W": -64, "N": -32, "pot": 0}


# --- rows that can be read two ways ---


def test_mixed_orphans_beside_seven_pairs():
    pairs = hand("1199m1199p11s22z3z", "3z")
    on = {"seven_pairs_mixed_orphans": True}
    assert elements(scored(pairs, bonus="f1")) == {"seven_pairs": 4}
    assert elements(scored(pairs, bonus="f1", options=on)) == {"seven_pairs": 4, "mixed_orphans": 1}
    honours = elements(scored(hand("1122334455667z", "7z"), bonus="f1", options=on))
    assert honours == {"seven_pairs": 4, "all_honors": 10}  # no one or nine
    other = elements(scored(hand("112255m3377p66s8s", "8s"), bonus="f1", options=on))
    assert other == {"seven_pairs": 4}
    thirteen = elements(scored(hand(ORPHANS, "1m"), bonus="f1", options=on))
    assert thirteen == {"thirteen_orphans": 13}


def test_all_in_triplets_beside_self_triplets():
    on = {"self_triplets_keep_all_triplets": True}
    found = scored(FOUR_CONCEALED, win="self_draw", bonus="f1", options=on)
    assert elements(found) == {"self_triplets": 10, "all_triplets": 3, "self_pick": 1}
    assert (found["total"]["value"], found["total"]["uncapped"]) == (13, 14)
    kongs = hand("5s", "5s", *(f"kong_concealed {kong}" for kong in ("1111m", "3333s", "7777p", "9999s")))
    both = elements(scored(kongs, win="self_draw", bonus="f1", options=on))
    assert both == {"self_triplets": 10, "all_kongs": 13, "self_pick": 1}  # the row of All Kongs leaves them out


def test_concealed_kongs_in_self_triplets():
    kong = hand("222m666p88s99s", "9s", "kong_concealed 4444m")
    with_kongs = elements(scored(kong, win="self_draw", bonus="f1"))
    assert with_kongs == {"self_triplets": 10, "self_pick": 1}
    strict = {"self_triplets_kongs": False}
    without = elements(scored(kong, win="self_draw", bonus="f1", options=strict))
    assert without == {"all_triplets": 3, "concealed_hand": 1, "self_pick": 1}
    assert "self_triplets" in elements(scored(FOUR_CONCEALED, win="self_draw", options=strict))


def test_nine_gates_drawn_with_fewer_waits():
    on = {"nine_gates_self_drawn": True}
    narrow = hand("1112344678999p", "5p")
    assert "nine_gates" not in elements(scored(narrow, win="self_draw", bonus="f1"))
    drawn = elements(scored(narrow, win="self_draw", bonus="f1", options=on))
    assert drawn == {"nine_gates": 10, "self_pick": 1}
    claimed = elements(scored(narrow, bonus="f1", options=on))
    assert claimed == {"all_one_suit": 7, "concealed_hand": 1}


@pytest.mark.parametrize(
    "tiles",
    [
        hand("1122345678999p", "2p"),  # two ones
        hand("1112344567899p", "4p"),  # two nines
        hand("1112233457899p", "9p"),  # no six
        hand("1112345678p", "9p", "pung 999p"),  # claimed
        hand("111234567p99p55z", "9p"),  # honours
    ],
)
def test_what_is_no_nine_gates_however_it_was_drawn(tiles):
    response = scored(tiles, win="self_draw", options={"nine_gates_self_drawn": True})
    assert "nine_gates" not in {line["id"] for line in response["elements"]}


# --- special hands, tile by tile ---


@pytest.mark.parametrize("last", [f"{n}{suit}" for suit in "mps" for n in "19"] + [f"{n}z" for n in range(1, 8)])
def test_thirteen_orphans_take_any_of_the_thirteen(last):
    assert elements(scored(hand(ORPHANS, last), bonus="f1")) == {"thirteen_orphans": 13}


def test_thirteen_orphans_have_no_melds():
    tiles = hand("19m19p19s1234z", "6z", "pung 555z")
    assert scored(tiles)["reason"]["code"] == "not_a_winning_hand"


@pytest.mark.parametrize("number", range(1, 10))
@pytest.mark.parametrize("win", ["self_draw", "discard"])
def test_nine_gates_win_on_any_tile_of_the_suit(number, win):
    found = elements(scored(hand("1112345678999s", f"{number}s"), win=win, bonus="f1"))
    assert found == {"nine_gates": 10} | ({"self_pick": 1} if win == "self_draw" else {})


# --- bonus tiles of every seat, and winning conditions together ---


@pytest.mark.parametrize(("number", "seat"), list(enumerate("ESWN", 1)))
def test_the_own_flower_and_season_of_every_seat(number, seat):
    own = elements(scored(PLAIN, seat=seat, bonus=f"f{number} g{number}"))
    assert own == {"own_flower": 1, "own_season": 1}
    others = " ".join(f"f{n} g{n}" for n in range(1, 5) if n != number)
    assert elements(scored(PLAIN, seat=seat, bonus=others)) == {}


def test_the_replacement_tile_may_be_the_last_of_the_wall():
    kong = hand("345s67s99m", "8s", "chow 234m", "kong_concealed 8888p")
    found = elements(scored(kong, win="self_draw", bonus="f1", replacement=True, last_tile=True))
    assert found == {"self_pick": 1, "win_by_kong": 1, "last_catch": 1}


def test_the_wait_is_worth_nothing():
    one_tile = scored(hand("345s68s99m", "7s", "chow 234m", "pung 888p"), bonus="f1")
    assert one_tile["total"]["value"] == scored(PLAIN, bonus="f1")["total"]["value"] == 0
