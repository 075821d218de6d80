"""The values that a house gives elements (``values``): of every system, and what each has of its own."""

import pytest

from scoring.options import options_of
from scoring.request import respond
from scoring.rules import system_named, systems
from tests.scoring.asking import ask, elements, faults, fitting, hand, scored

DRAWN = {"win": "self_draw"}
PAIRS = hand("1133m2255p4477s5z", "5z")
ORPHANS = hand("19m19p19s1234567z", "1z")
EIGHT_PAIRS = hand("113355m224466p111z2z", "2z")
EIGHT_FLOWERS = {"flower_win": True, "bonus": "f1 f2 f3 f4 g1 g2 g3 g4", **DRAWN}
KNITTED = hand("147m258p369s1234z", "5z")
KNITTED_STRAIGHT = hand("147m258p369s23m55p", "4m")


@pytest.mark.parametrize("system", systems().values(), ids=systems())
def test_every_element_that_an_option_values_is_one_of_the_system(system):
    [option] = [option for option in system.options if option.elements]
    assert option.name == "values"
    assert set(option.elements) <= {element.id for element in system.elements}
    for id_ in option.elements:
        assert options_of(system.option_class, {"values": f"{id_}=1"}, system.name).values == {id_: 1}


@pytest.mark.parametrize(
    ("rules", "tiles", "how", "id_", "own"),
    [
        ("hongkong", PAIRS, {}, "seven_pairs", 5),
        ("zungjung", PAIRS, {}, "seven_pairs", 45),
        ("hangzhou", PAIRS, {"indicator": "9s", **DRAWN}, "seven_pairs", 4),
        ("singapore", hand("22m99p", "2m", "pung 111m", "pung 333m", "pung 777p"), {}, "all_pungs", 3),
        ("riichi", PAIRS, {}, "chiitoitsu", 3),
        ("mcr", PAIRS, {}, "seven_pairs", 30),
        ("taiwanese", EIGHT_PAIRS, {}, "eight_pairs", 10),
    ],
)
def test_a_line_says_that_it_follows_the_house(rules, tiles, how, id_, own):
    listed = elements(scored(rules, tiles, **how))[id_]
    answer = scored(rules, tiles, **how, options={"values": {id_: own}})
    [line] = [line for line in answer["elements"] if line["id"] == id_]
    assert (line["value"], line["listed"]) == (own, listed)
    assert all(other["listed"] is None for other in answer["elements"] if other["id"] != id_)
    assert sum("(house rule; listed:" in sentence for sentence in answer["explanation"]) == 1
    assert "house rule" not in " ".join(scored(rules, tiles, **how, options={"values": {id_: listed}})["explanation"])


@pytest.mark.parametrize(
    ("rules", "tiles", "how", "off"),
    [
        ("hongkong", PAIRS, {}, "seven_pairs"),
        ("hongkong", ORPHANS, {}, "thirteen_orphans"),
        ("zungjung", PAIRS, {}, "seven_pairs"),
        ("zungjung", ORPHANS, {}, "thirteen_terminals"),
        ("hangzhou", PAIRS, {"indicator": "9s", **DRAWN}, "seven_pairs"),
        ("riichi", PAIRS, {}, "chiitoitsu"),
        ("riichi", ORPHANS, {}, "kokushi"),
        ("mcr", PAIRS, {}, "seven_pairs"),
        ("mcr", ORPHANS, {}, "thirteen_orphans"),
        ("mcr", KNITTED, {}, "lesser_honors_and_knitted_tiles"),
        ("mcr", KNITTED_STRAIGHT, {}, "knitted_straight"),
        ("taiwanese", EIGHT_PAIRS, {}, "eight_pairs"),
        ("taiwanese", hand("", None), EIGHT_FLOWERS, "eight_flowers"),
        ("singapore", ORPHANS, {}, "thirteen_orphans"),
        ("singapore", PAIRS, {"options": {"seven_pairs": True}}, "seven_pairs"),
        ("singapore", hand("", None), EIGHT_FLOWERS, "flower_win"),
    ],
)
def test_a_shape_that_is_not_played_does_not_win(rules, tiles, how, off):
    assert scored(rules, tiles, **how)["total"] is not None
    refused = scored(rules, tiles, **how | {"options": how.get("options", {}) | {"values": {off: 0}}})
    assert refused["reason"]["code"] == "not_a_winning_hand"


@pytest.mark.parametrize("rules", ["hongkong", "taiwanese"])
def test_own_flowers_count_where_their_set_is_not_played(rules):
    tiles, how = hand(fitting(rules, "123m456p789s12s55p"), "3s"), {"bonus": "f1 f2 f3 f4", **DRAWN}
    assert "own_flower" not in elements(scored(rules, tiles, **how))
    assert elements(scored(rules, tiles, **how, options={"values": {"all_flowers": 0}}))["own_flower"] == 1


def test_an_element_that_is_named_twice_is_refused():
    twice = faults("riichi", PAIRS, options={"values": "tanyao=2,chiitoitsu=3,tanyao=1"})
    assert "must name each element only once (tanyao is there twice)" in twice


# --- riichi: open hands, dora, yakuman, and what is left where the greater is not played ---

FOUR_CONCEALED = hand("111m333p555s777p9s", "9s")
NINE_GATES = hand("1112345678999m", "5m")
OPEN_FLUSH = hand("34m99m", "5m", "chow 345m", "pung 111m", "chow 678m")


@pytest.mark.parametrize(
    ("tiles", "how", "values", "expected"),
    [
        (OPEN_FLUSH, {}, {"chinitsu": 4}, {"chinitsu": 3}),
        (OPEN_FLUSH, {}, {"chinitsu": 1}, {"chinitsu": 1}),
        (OPEN_FLUSH, {}, {"chinitsu": 0}, {"honitsu": 2}),
        (OPEN_FLUSH, {"dora_indicators": ["2m"]}, {"dora": 2}, {"chinitsu": 5, "dora": 4}),
        (FOUR_CONCEALED, DRAWN, {"suuankou_tanki": 3}, {"suuankou_tanki": 3}),
        (FOUR_CONCEALED, DRAWN, {"suuankou_tanki": 0}, {"suuankou": 1}),
        (
            *(FOUR_CONCEALED, DRAWN, {"suuankou_tanki": 0, "suuankou": 0}),
            {"menzen_tsumo": 1, "toitoi": 2, "sanankou": 2},
        ),
        (NINE_GATES, {}, {"junsei_chuuren": 0, "chuuren": 0, "ittsuu": 0}, {"chinitsu": 6}),
        (hand("223344m567p678s9s", "9s"), {"double_riichi": True}, {"double_riichi": 0}, {"riichi": 1, "iipeiko": 1}),
    ],
)
def test_riichi_counts_by_the_house(tiles, how, values, expected):
    assert elements(scored("riichi", tiles, **how, options={"values": values})) == expected


def test_what_is_not_played_is_not_named_as_uncounted():
    asked = ask("riichi", OPEN_FLUSH, options={"values": {"honitsu": 0}})
    assert respond({**asked, "why": True})["why"]["not_counted"] == []


def test_pao_is_for_the_yakuman_at_the_value_of_the_house():
    dragons = hand("44m55p", "4m", "pung 555z E", "pung 666z W", "pung 777z N")
    liable = {"liable": {"seat": "N", "kind": "daisangen"}}
    paid = scored("riichi", dragons, **liable, options={"values": {"daisangen": 2}})["payments"]
    assert paid == {"E": 0, "S": 64_000, "W": -32_000, "N": -32_000, "pot": 0}
    told = ask("riichi", hand("", None), **liable, options={"values": {"daisangen": 2}})
    paid = respond({**told, "result": {"yakuman": 2}})["payments"]
    assert paid == {"E": 0, "S": 64_000, "W": -32_000, "N": -32_000, "pot": 0}


@pytest.mark.parametrize(
    ("values", "win", "result", "right"),
    [
        ({"chiitoitsu": 1}, "discard", {"value": 1, "fu": 25}, True),
        ({"chiitoitsu": 3}, "discard", {"value": 2, "fu": 25}, False),
        ({"chiitoitsu": 0}, "discard", {"value": 4, "fu": 25}, False),
        ({"menzen_tsumo": 0}, "self_draw", {"value": 2, "fu": 25}, True),
        ({"menzen_tsumo": 0}, "self_draw", {"value": 1, "fu": 20}, True),
        ({"pinfu": 0}, "self_draw", {"value": 2, "fu": 20}, False),
        ({"daisangen": 13}, "discard", {"yakuman": 13}, True),
        ({}, "discard", {"yakuman": 9}, False),
    ],
)
def test_what_is_told_without_tiles_is_measured_by_the_house(values, win, result, right):
    told = ask("riichi", hand("", None), win=win, options={"values": values})
    assert ("error" not in respond({**told, "result": result})) is right


# --- Chinese Official: the best choice among chows and pungs is another one ---

PURE = hand("123123123123m5p", "5p")
STRAIGHT = hand("123m456m789m456p9s", "9s")
THREE_LIKE = hand("111m111p111s234m5p", "5p")


@pytest.mark.parametrize(
    ("tiles", "values", "expected"),
    [
        (PURE, {"quadruple_chow": 0, "pure_shifted_pungs": 0}, {"pure_triple_chow": 24, "pure_double_chow": 1}),
        (STRAIGHT, {"mixed_double_chow": 9}, {"pure_straight": 16, "mixed_double_chow": 9}),
        (STRAIGHT, {"pure_straight": 0}, {"mixed_double_chow": 1, "short_straight": 2}),
        (THREE_LIKE, {"triple_pung": 0}, {"double_pung": 4}),
    ],
)
def test_fan_are_chosen_by_the_values_of_the_house(tiles, values, expected):
    found = elements(scored("mcr", tiles, options={"values": values}))
    assert expected.items() <= found.items(), found


def test_a_wind_without_a_value_of_its_own_is_a_pung_of_honours():
    winds = hand("234m678p55s4s6s", "5s", "pung 444z E")
    house = {"values": {"seat_wind": 0}, "min_points": 0}
    found = elements(scored("mcr", winds, seat="N", options=house))
    assert "seat_wind" not in found
    assert found["pung_of_terminals_or_honors"] == 1


@pytest.mark.parametrize(
    ("melds", "off", "count"),
    [
        (("pung 555z E", "pung 666z W"), {"dragon_pung": 0}, 0),
        (("pung 555z E", "pung 666z W"), {"dragon_pung": 0, "two_dragon_pungs": 0}, 2),
        (("pung 555z E", "pung 999m W"), {"dragon_pung": 0}, 2),
        (("pung 111z E", "pung 222z W", "pung 333z W"), {"big_three_winds": 0}, 1),
    ],
)
def test_honours_that_no_other_fan_counts_are_pungs_of_honours(melds, off, count):
    tiles = hand("55m12p" if len(melds) > 2 else "55m12p456s", "3p", *melds)
    found = elements(scored("mcr", tiles, options={"values": off, "min_points": 0}))
    assert found.get("pung_of_terminals_or_honors", 0) == count


def test_flowers_and_chicken_hands_have_values_too():
    chicken = hand("234m678p55s4s6s", "5s", "pung 888s E")
    flowers = {"values": {"flower_tiles": 2}, "min_points": 0}
    found = scored("mcr", hand("23m678p456s99p", "1m", "chow 345s E"), options=flowers, bonus="f1 g1")
    assert elements(found)["flower_tiles"] == 4
    nothing = dict.fromkeys([element.id for element in system_named("mcr").elements], 0)
    assert scored("mcr", chicken, options={"values": nothing, "min_points": 0})["elements"] == []
    left = scored("mcr", chicken, options={"values": nothing | {"chicken_hand": 9}, "min_points": 0})
    assert elements(left) == {"chicken_hand": 9}


# --- Hangzhou, Taiwanese, Zung Jung ---


def test_factors_of_the_house_multiply():
    deluxe = hand("1111m2255p4477s5z", "5z")
    how = {"indicator": "9s", **DRAWN}
    found = scored("hangzhou", deluxe, **how, options={"values": {"deluxe": 3, "seven_pairs_pure": 0}})
    assert found["total"]["value"] == 6
    told = ask("hangzhou", hand("", None), **how, options={"values": {"deluxe": 3}})
    assert respond({**told, "result": {"value": 6}})["legal"]
    assert "error" in respond({**told, "options": {}, "result": {"value": 6}})
    robbed = {**told, "result": {"value": 2}, "options": {"values": {"robbing_kong": 3}}}
    robbed["context"] = {"seat": "S", "win": "robbed_kong", "from": "E", "streak": 3, "indicator": "9s"}
    assert "The least there is is 3" in respond(robbed)["error"]["message"]
    assert "fortune_float" in faults("hangzhou", deluxe, **how, options={"values": {"fortune_float": 3}})


def test_the_dealers_tai_of_the_house_are_paid_by_a_losing_dealer_too():
    tiles = hand("1122m", "2m", "pung 111p W", "pung 333p W", "pung 555p W", "pung 777p W")
    house = {"values": {"dealer": 3, "streak": 1, "all_claimed": 0}}
    won = scored("taiwanese", tiles, seat="E", source="W", streak=2, options=house)
    assert {"dealer": 3, "streak": 1}.items() <= elements(won).items()
    lost = scored("taiwanese", tiles, seat="S", source="E", streak=2, options=house)
    assert lost["payments"]["E"] == won["payments"]["W"]


def test_zung_jung_takes_the_best_of_a_series_by_the_values_of_the_house():
    four = hand("2m444p555s666m888s", "2m")
    off = {"values": {"four_concealed_triplets": 0, "three_concealed_triplets": 0}}
    assert elements(scored("zungjung", four, **DRAWN, options=off))["two_concealed_triplets"] == 5
    more = {"values": {"two_concealed_triplets": 130}}
    assert elements(scored("zungjung", four, **DRAWN, options=more))["two_concealed_triplets"] == 130
    chicken = hand("12m55z345p678p345s", "3m")
    house = {"values": {"chicken_hand": 3, "concealed_hand": 0, "all_sequences": 0}, "minimum": 0}
    assert elements(scored("zungjung", chicken, options=house)) == {"chicken_hand": 3}
    enough = {"values": house["values"] | {"chicken_hand": 5}}
    assert scored("zungjung", chicken, options=enough)["legal"]


def test_the_published_values_of_zung_jung_have_a_name():
    pure = hand("123345m5m", "5m", "chow 678m", "chow 789m")
    found = scored("zungjung", pure, options={"values": "official"})
    assert elements(found)["pure_one_suit"] == 80
    assert {line["listed"] for line in found["elements"]} == {None}
