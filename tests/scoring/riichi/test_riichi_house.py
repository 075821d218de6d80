"""Riichi: house rules, and what makes no sense."""

from functools import partial

import pytest

from tests.scoring import asking
from tests.scoring.asking import elements, hand

scored = partial(asking.scored, "riichi")
faults = partial(asking.faults, "riichi")
DRAWN = {"win": "self_draw"}
SIMPLE = hand("234m567m345p67s88p", "8s")
DRAGONS = ("pung 555z", "pung 666z", "pung 777z")


# --- options ---


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
        assert "All four fives include the red one" in faults(tiles, options={"aka": aka}, riichi=True)


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
        (SIMPLE, {**DRAWN, "seat": "E", "earthly": True}, "dealer cannot have chiihou"),
        (SIMPLE, {"earthly": True}, "chiihou (earthly) is self-drawn"),
        (OPENED, {**DRAWN, "earthly": True}, "has no melds"),
        (SIMPLE, {"seat": "E", "humanly": True}, "dealer cannot have renhou"),
        (SIMPLE, {**DRAWN, "humanly": True}, "renhou (humanly) is won on a discard"),
        (OPENED, {"humanly": True}, "has no melds"),
        (SIMPLE, {**DRAWN, "replacement": True}, "A replacement tile needs a kan"),
        (OPENED, {**DRAWN, "replacement": True}, "A replacement tile needs a kan"),
        (
            CONCEALED_KAN,
            {**DRAWN, "riichi": True, "ippatsu": True, "replacement": True},
            "A kan of one's own ends ippatsu",
        ),
        (ONCE, {"win": "robbed_kong", "dora_indicators": "8s"}, "All four 8s are in the robbed kan"),
        (SIMPLE, {"dora_indicators": "1m2m3m4m5m6m"}, "6 dora_indicators: there are at most 5"),
        (SIMPLE, {"riichi": True, "ura_indicators": "1m2m3m4m5m6m"}, "6 ura_indicators: there are at most 5"),
        (SIMPLE, {"riichi": True, "dora_indicators": "1m", "ura_indicators": "2m3m"}, "there are no more of them"),
        (ONCE, {"win": "robbed_kong", "dora_indicators": "1m1m2m2m3m"}, "5 dora_indicators: there are at most 4"),
        (
            SIMPLE,
            {**DRAWN, "double_riichi": True, "ippatsu": True, "last_tile": True},
            "comes in the first turns, not with the last tile",
        ),
        (SIMPLE, {"dora_indicators": ["f1"]}, "f1 in dora_indicators cannot be an indicator"),
        (SIMPLE, {"riichi": True, "ura_indicators": ["back"]}, "back in ura_indicators cannot be an indicator"),
        (KAN, {"dora_indicators": "4m"}, "5 of 4m in hand and indicators"),
        (SIMPLE, {"dora_indicators": "8p8p8p"}, "5 of 8p in hand and indicators"),
        (SIMPLE, {"riichi": True, "dora_indicators": "8p8p", "ura_indicators": "8p"}, "5 of 8p in hand and"),
    ],
)
def test_refusals(tiles, how, words):
    assert words in faults(tiles, **how)


def test_what_is_no_contradiction():
    """A concealed kan keeps the hand concealed; a last tile may be a kan's; sticks may lie there or not."""
    assert scored(CONCEALED_KAN, riichi=True)["legal"]
    assert scored(KAN, **DRAWN, replacement=True, last_tile=True)["legal"]
    assert scored(SIMPLE, riichi=True, riichi_sticks=0)["legal"]
    assert scored(ONCE, win="robbed_kong", dora_indicators="1z")["legal"]


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
        (hand("999s1z", "1z", *KANS[:3]), ("N", "suukantsu"), {"pao_suukantsu": True}, "four kans must be melded"),
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
