"""Riichi: house rules, and what makes no sense."""

from functools import partial

import pytest

from scoring.rules import system_named
from scoring.rules.riichi import SYSTEM, RiichiOptions
from scoring.rules.riichi.payments.ladder import base_of
from tests.scoring import asking
from tests.scoring.asking import elements, hand

scored = partial(asking.scored, "riichi")
faults = partial(asking.faults, "riichi")
DRAWN = {"win": "self_draw"}
SIMPLE = hand("234m567m345p67s88p", "8s")
DRAGONS = ("pung 555z", "pung 666z", "pung 777z")


# --- options ---


def test_options_and_their_defaults():
    assert {o.name: o.default for o in SYSTEM.options} == {
        "double_yakuman": True,
        "multiple_yakuman": True,
        "kazoe": True,
        "kiriage": False,
        "aka": 3,
        "kuitan": True,
        "double_wind_fu": 4,
        "chiitoi": "25fu2han",
        "pinfu_tsumo_fu": False,
        "pao_suukantsu": False,
        "pao_counters": "liable",
        "pao_covers": "yakuman",
        "renhou": "off",
        "min_han": 1,
        "winners": "all",
        "counters_and_sticks": "nearest",
        "chombo": "mangan",
        "nagashi": True,
        "abortive_draws": True,
    }


@pytest.mark.parametrize("name", ["riichi", "Riichi", "japanese", "JP", "立直麻雀", "リーチ", "reach"])
def test_names(name):
    assert system_named(name) is SYSTEM


def test_multiple_yakuman():
    """All honours with big dragons: two yakuman add up, or only the highest counts."""
    tiles = hand("111z2z", "2z", *DRAGONS)
    assert scored(tiles)["total"]["yakuman"] == 2
    one = scored(tiles, options={"multiple_yakuman": False})
    assert elements(one) == {"daisangen": 1}
    assert (one["total"]["value"], one["total"]["uncapped"]) == (13, 26)
    assert "left out: All honours" in " ".join(one["explanation"])
    double = hand("2z", "2z", "pung 111z", "pung 333z", "pung 444z", "kong_open 5555z")
    assert elements(scored(double, options={"multiple_yakuman": False})) == {"shousuushii": 1}
    higher = hand("5z", "5z", "pung 111z", "pung 222z", "pung 333z", "pung 444z")
    assert elements(scored(higher, options={"multiple_yakuman": False})) == {"daisuushii": 2}


def test_kazoe():
    tiles = hand("223344567m67m99m", "8m")
    how = {"riichi": True, "dora_indicators": "1m", "ura_indicators": "2m"}
    assert scored(tiles, **how)["total"]["limit"] == "kazoe yakuman"
    off = scored(tiles, **how, options={"kazoe": False})
    assert (off["total"]["value"], off["total"]["limit"], off["total"]["points"]) == (13, "sanbaiman", 24000)


@pytest.mark.parametrize(("han", "fu"), [(4, 30), (3, 60)])
def test_kiriage(han, fu):
    assert base_of(han, fu, RiichiOptions(kiriage=True)) == (2000, "mangan")
    assert base_of(han, fu, RiichiOptions()) == (1920, None)
    assert base_of(han, fu - 10, RiichiOptions(kiriage=True))[1] is None
    assert base_of(2, 120, RiichiOptions(kiriage=True)) == (1920, None)  # only the two named


def test_kuitan():
    opened = hand("345s66m67s", "8s", "chow 234m", "chow 567p")
    assert elements(scored(opened)) == {"tanyao": 1}
    assert scored(opened, options={"kuitan": False})["reason"]["code"] == "no_yaku"
    assert elements(scored(SIMPLE, options={"kuitan": False})) == {"pinfu": 1, "tanyao": 1}
    with_kan = hand("345p67s88p", "8s", "kong_concealed 4444m", "kong_concealed 2222s")
    assert "tanyao" in elements(scored(with_kan, options={"kuitan": False}))  # still a concealed hand


def test_kansai_seven_pairs():
    """50 fu and 1 han: the same base points."""
    tiles = hand("2244m6688p3355s7z", "7z")
    usual = scored(tiles, **DRAWN, riichi=True)
    kansai = scored(tiles, **DRAWN, riichi=True, options={"chiitoi": "50fu1han"})
    assert (usual["total"]["value"], usual["total"]["fu"]) == (4, 25)
    assert (kansai["total"]["value"], kansai["total"]["fu"]) == (3, 50)
    assert usual["payments"] == kansai["payments"]


def test_self_drawn_pinfu_with_its_fu():
    """Where a self-draw always scores its 2 fu, there is no pinfu by self-draw."""
    option = {"pinfu_tsumo_fu": True}
    response = scored(SIMPLE, **DRAWN, options=option)
    assert elements(response) == {"menzen_tsumo": 1, "tanyao": 1}
    assert response["total"]["fu"] == 30
    assert elements(scored(SIMPLE, options=option)) == {"pinfu": 1, "tanyao": 1}


NO_YAKU = hand("123m567m345p68s88p", "7s")
RENHOU = {"humanly": True}


def test_renhou_is_not_played_unless_the_house_does():
    response = scored(SIMPLE, **RENHOU)
    assert elements(response) == {"pinfu": 1, "tanyao": 1}
    assert "Renhou is not played (option renhou)." in response["explanation"]
    assert scored(NO_YAKU, **RENHOU)["reason"]["code"] == "no_yaku"
    orphans = scored(hand("119m19p19s134567z", "2z"), **RENHOU)
    assert "Renhou is not played (option renhou)." in orphans["explanation"]


@pytest.mark.parametrize("tiles", [SIMPLE, NO_YAKU])
def test_renhou_as_a_mangan_stands_alone(tiles):
    response = scored(tiles, **RENHOU, options={"renhou": "mangan"}, dora_indicators="7p")
    assert elements(response) == {"renhou": 5}
    assert (response["total"]["points"], response["total"]["limit"]) == (8000, "mangan")


def test_renhou_as_a_mangan_gives_way_to_what_is_worth_as_much():
    flush = hand("1223345667899m", "7m")
    assert elements(scored(flush, **RENHOU, options={"renhou": "mangan"})) == {"chinitsu": 6, "pinfu": 1}
    four_han_fifty = hand("222m444m666p88s99s", "9s")
    assert elements(scored(four_han_fifty, **RENHOU, options={"renhou": "mangan"})) == {"toitoi": 2, "sanankou": 2}
    orphans = scored(hand("119m19p19s134567z", "2z"), **RENHOU, options={"renhou": "mangan"})
    assert elements(orphans) == {"kokushi": 1}


def test_renhou_as_a_yakuman():
    response = scored(SIMPLE, **RENHOU, options={"renhou": "yakuman"})
    assert elements(response) == {"renhou": 1}
    assert response["total"]["points"] == 32000
    assert not scored(hand("123m567m345p68s88p", "1z"), **RENHOU, options={"renhou": "yakuman"})["legal"]


def test_minimum_of_han():
    """Dora do not help over the minimum."""
    how = {"dora_indicators": "7p", "options": {"min_han": 3}}
    refused = scored(SIMPLE, **how)
    assert refused["reason"] == {
        "code": "below_minimum",
        "message": "Fewer than 3 han of yaku; dora do not count.",
    }
    assert set(refused["payments"].values()) == {0}
    assert scored(SIMPLE, riichi=True, **how)["legal"]
    assert scored(NO_YAKU, **how)["reason"]["code"] == "no_yaku"
    assert scored(NO_YAKU, **RENHOU, options={"min_han": 4, "renhou": "mangan"})["legal"]


THREE_REDS = hand("340m340p340s6s678m", "6s")  # one of each suit
TWO_DOTS = hand("345m340p067p9s678m", "9s")


@pytest.mark.parametrize(
    ("aka", "tiles", "wrong"),
    [
        (0, hand("234m067m345p67s88p", "8s"), "1 red five, but the set has 0"),
        (1, hand("234m067m340p67s88p", "8s"), "2 red fives, but the set has 1"),
        (2, THREE_REDS, "3 red fives, but the set has 2"),
        (2, TWO_DOTS, "2 of 0p: a set with 2 red fives has 1"),
        (3, TWO_DOTS, "2 of 0p: a set with 3 red fives has 1"),
    ],
)
def test_more_red_fives_than_the_set_has(aka, tiles, wrong):
    assert wrong in faults(tiles, options={"aka": aka}, riichi=True)


def test_red_fives_of_the_set():
    assert elements(scored(THREE_REDS))["aka_dora"] == 3
    assert elements(scored(TWO_DOTS, riichi=True, options={"aka": 4}))["aka_dora"] == 2
    assert elements(scored(hand("234m067m345p67s88p", "8s"), options={"aka": 1}))["aka_dora"] == 1
    red_win = hand("234m567m345p67s88p", "0s")
    assert elements(scored(red_win))["aka_dora"] == 1
    assert "2 of 0m" in faults(hand("234m067m345p67s88p", "8s"), dora_indicators="0m")


@pytest.mark.parametrize(
    ("aka", "kan", "sensible"),
    [
        (0, "5555p", True),
        (1, "5555p", True),  # which suit has the red one is not known
        (3, "5555p", False),
        (3, "0555p", True),
        (4, "0555p", False),  # a set with four has two red fives of dots
        (4, "0055p", True),
        (4, "0555m", True),
        (4, "5555m", False),
    ],
)
def test_a_kan_of_fives_holds_the_red_ones(aka, kan, sensible):
    tiles = hand("234678s99s11z", "9s", f"kong_concealed {kan}")
    if sensible:
        assert scored(tiles, options={"aka": aka}, riichi=True)["legal"]
    else:
        assert "All four fives hold the red one" in faults(tiles, options={"aka": aka}, riichi=True)


# --- refusals: contradictions, one by one ---

OPENED = hand("345s66m67s", "8s", "chow 234m", "chow 567p")
KAN = hand("345p67s88p", "8s", "kong_concealed 4444m", "chow 678m")
CONCEALED_KAN = hand("345p67s678m88p", "8s", "kong_concealed 4444m")
ONCE = hand("345p79s88p", "8s", "chow 234m", "chow 678m")


@pytest.mark.parametrize(
    ("tiles", "how", "words"),
    [
        (SIMPLE, {"ippatsu": True}, "ippatsu needs riichi"),
        (SIMPLE, {"ura_indicators": "1m"}, "Ura dora count after riichi only"),
        (OPENED, {"riichi": True}, "riichi needs a concealed hand"),
        (OPENED, {"double_riichi": True}, "double_riichi needs a concealed hand"),
        (SIMPLE, {**DRAWN, "seat": "E", "heavenly": True, "riichi": True}, "before the first discard has no riichi"),
        (SIMPLE, {**DRAWN, "earthly": True, "double_riichi": True}, "before the first discard has no double_riichi"),
        (SIMPLE, {"humanly": True, "riichi": True}, "before the first discard has no riichi"),
        (SIMPLE, {**DRAWN, "heavenly": True}, "seat must be E"),
        (OPENED, {**DRAWN, "seat": "E", "heavenly": True}, "has no melds"),
        (SIMPLE, {**DRAWN, "seat": "E", "earthly": True}, "chiihou (earthly) is not the dealer's"),
        (SIMPLE, {"earthly": True}, "chiihou (earthly) is self-drawn"),
        (OPENED, {**DRAWN, "earthly": True}, "has no melds"),
        (SIMPLE, {"seat": "E", "humanly": True}, "renhou (humanly) is not the dealer's"),
        (SIMPLE, {**DRAWN, "humanly": True}, "renhou (humanly) is won on a discard"),
        (OPENED, {"humanly": True}, "has no melds"),
        (SIMPLE, {**DRAWN, "replacement": True}, "A replacement tile needs a kan"),
        (OPENED, {**DRAWN, "replacement": True}, "A replacement tile needs a kan"),
        (
            CONCEALED_KAN,
            {**DRAWN, "riichi": True, "ippatsu": True, "replacement": True},
            "The own kan ends ippatsu",
        ),
        (hand("345s66m67s", "8s", "chow 234m S", "chow 567p"), {}, "cannot claim 234m from himself"),
        (hand("345s66m67s", "8s", "chow 234m W", "chow 567p"), {}, "234m is claimed from the player before, E, not W"),
        (hand("234m567m345p67s88s", "8s"), {"win": "robbed_kong"}, "the winner cannot hold another 8s"),
        (ONCE, {"win": "robbed_kong", "dora_indicators": "8s"}, "All four 8s are in the robbed kan"),
        (SIMPLE, {"dora_indicators": "1m2m3m4m5m6m"}, "6 dora_indicators: there are at most 5"),
        (SIMPLE, {"riichi": True, "ura_indicators": "1m2m3m4m5m6m"}, "6 ura_indicators: there are at most 5"),
        (SIMPLE, {"dora_indicators": ["f1"]}, "f1 in dora_indicators cannot be an indicator"),
        (SIMPLE, {"riichi": True, "ura_indicators": ["back"]}, "back in ura_indicators cannot be an indicator"),
        (KAN, {"dora_indicators": "4m"}, "5 of 4m in hand and indicators"),
        (SIMPLE, {"dora_indicators": "8p8p8p"}, "5 of 8p in hand and indicators"),
        (SIMPLE, {"riichi": True, "dora_indicators": "8p8p", "ura_indicators": "8p"}, "5 of 8p in hand and"),
        (SIMPLE, {"bonus": "f1"}, "does not use f1"),
        (hand("345s66m67s", "8s", "chow 2m5z4m", "chow 567p"), {}, "5z is a white dragon only"),
        (hand("234m567m345p67s88p", ""), {}, "winning_tile is missing"),
    ],
)
def test_refusals(tiles, how, words):
    assert words in faults(tiles, **how)


def test_every_fault_is_named_at_once():
    text = faults(OPENED, riichi=True, seat="E", humanly=True, dora_indicators=["f1"], options={"aka": 0}, counters=0)
    for words in ("riichi needs a concealed hand", "has no riichi", "not the dealer's", "has no melds", "f1 in dora"):
        assert words in text


def test_what_is_no_contradiction():
    """A concealed kan keeps the hand concealed; a last tile may be a kan's; sticks may lie there or not."""
    assert scored(CONCEALED_KAN, riichi=True)["legal"]
    assert scored(KAN, **DRAWN, replacement=True, last_tile=True)["legal"]
    assert scored(SIMPLE, riichi=True, riichi_sticks=0)["legal"]
    assert scored(ONCE, win="robbed_kong", dora_indicators="1z")["legal"]


# --- hands that may not win ---


@pytest.mark.parametrize(
    ("tiles", "code"),
    [
        (hand("234m567m345p67s88p", "9s"), "not_a_winning_hand"),
        (hand("1133m5577p99s222z", "4z"), "not_a_winning_hand"),
        (hand("1133m5577p9999s2z", "2z"), "not_a_winning_hand"),  # four equal tiles are no two pairs
        (hand("19m19p19s1123456z", "1m"), "not_a_winning_hand"),
        (hand("456p99s22m", "2m", "chow 789s", "chow 123s"), "no_yaku"),
    ],
)
def test_hands_that_may_not_win(tiles, code):
    response = scored(tiles)
    assert not response["legal"]
    assert response["reason"]["code"] == code
    assert set(response["payments"].values()) == {0}


# --- liability must fit the hand ---

WINDS = ("pung 111z", "pung 222z", "pung 333z", "pung 444z")
KANS = ("kong_open 1111p", "kong_added 4444p", "kong_open 2222m", "kong_concealed 7777s")


@pytest.mark.parametrize(
    ("tiles", "liable", "options", "words"),
    [
        (hand("99p45m", "6m", *DRAGONS), ("N", "nine_piece"), {}, "liable.kind is one of daisangen, daisuushii"),
        (hand("9s", "9s", *KANS), ("N", "suukantsu"), {}, "while the option pao_suukantsu is off"),
        (hand("9s", "9s", *KANS), ("N", "other"), {"pao_suukantsu": True}, "daisangen, daisuushii, suukantsu"),
        (hand("555z99p45m", "6m", *DRAGONS[1:]), ("N", "daisangen"), {}, "sets of 5z 6z 7z must all be melded"),
        (SIMPLE, ("N", "daisangen"), {}, "must all be melded"),
        (hand("444z5p", "5p", *WINDS[:3]), ("N", "daisuushii"), {}, "sets of 1z 2z 3z 4z must all be melded"),
        (
            hand("99p45m", "6m", *(f"kong_concealed {n}{n}{n}{n}z" for n in "567")),
            ("N", "daisangen"),
            {},
            "the last one claimed",
        ),
        (
            hand("99p45m", "6m", *(f"{d} W" for d in DRAGONS)),
            ("N", "daisangen"),
            {},
            "none of the melds was claimed from N",
        ),
        (
            hand("999s1z", "1z", *KANS[:3]),
            ("N", "suukantsu"),
            {"pao_suukantsu": True},
            "four kans must be melded",
        ),
        (
            hand("9s", "9s", KANS[1], KANS[3], "kong_added 1111p", "kong_concealed 2222m"),
            ("N", "suukantsu"),
            {"pao_suukantsu": True},
            "the last an open one",
        ),
        (hand("99p45m", "6m", *DRAGONS), ("S", "daisangen"), {}, "The winner cannot be liable"),
    ],
)
def test_liability_that_does_not_fit(tiles, liable, options, words):
    seat, kind = liable
    assert words in faults(tiles, options=options, **DRAWN, liable={"seat": seat, "kind": kind})


def test_liability_for_a_hand_that_is_not_complete_changes_nothing():
    response = scored(hand("99p45m", "9m", *DRAGONS), **DRAWN, liable={"seat": "N", "kind": "daisangen"})
    assert response["reason"]["code"] == "not_a_winning_hand"
