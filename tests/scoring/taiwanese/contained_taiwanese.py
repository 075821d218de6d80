"""A hand for every line of what contains what in Taiwanese mahjong. For the test of all such lines."""

from scoring.rules.taiwanese import elements
from tests.scoring.asking import ask, hand

DRAWN = {"win": "self_draw"}
FIRST = {"win": "self_draw", "seat": "E", "heavenly": True}
CLOSED = hand("123m456m789p345p67s99s", "8s")
MIDDLE = hand("123m456m789p345p68s99s", "7s")
OPEN = hand("456m345p67s99s", "8s", "chow 123m", "pung 888p")
PAIRS = hand("1133m5577p224499s66z", "6z")
BEGGED = hand("9s", "9s", "chow 123m", "chow 456m", "chow 789p", "pung 888s", "pung 222p")
FLOWERS = {"bonus": "f1f2f3f4g1g2g3g4", "options": {"every_flower": True, "flower_set_keeps_own": True}}
SEVEN = {**FLOWERS, "bonus": "f1f2f3f4g1g2g3"}
WINDS = ("pung 111z", "pung 222z", "pung 333z")
EVERY = {"options": {"every_wind": True}}
KONGS = ("kong_open 1111m", "kong_open 9999p", "kong_concealed 7777s")
SELDOM = {"values": dict.fromkeys(elements.SELDOM, 1)}
SEASONS = {**FLOWERS, "bonus": "f1f2f3g1g2g3g4"}
_LINES = (
    (
        *("eight_flowers", "self_drawn all_flowers all_seasons own_flower own_season other_flower"),
        ask("taiwanese", hand("", None), flower_win=True, **FLOWERS, **DRAWN),
    ),
    (
        *("seven_flowers", "all_flowers own_flower own_season other_flower"),
        ask("taiwanese", hand("", None), win="robbed_kong", flower_win=True, **SEVEN),
    ),
    (
        *("seven_flowers", "all_seasons"),
        ask("taiwanese", hand("", None), win="robbed_kong", flower_win=True, **SEASONS),
    ),
    ("heavenly_hand", "fully_concealed concealed_hand self_drawn single_wait", ask("taiwanese", MIDDLE, **FIRST)),
    ("earthly_hand", "fully_concealed concealed_hand self_drawn", ask("taiwanese", CLOSED, earthly=True, **DRAWN)),
    ("heavenly_hand", "on_replacement", ask("taiwanese", CLOSED, bonus="f3", replacement=True, **FIRST)),
    ("earthly_hand", "on_replacement", ask("taiwanese", CLOSED, bonus="f3", replacement=True, earthly=True, **DRAWN)),
    *(
        (ready, "declared_ready", ask("taiwanese", CLOSED, declared_ready=True, options=SELDOM, **{ready: True}))
        for ready in ("heavenly_ready", "earthly_ready")
    ),
    ("three_kongs", "concealed_kong melded_kong", ask("taiwanese", hand("678m99s23p", "4p", *KONGS), options=SELDOM)),
    (
        *("four_kongs", "concealed_kong melded_kong"),
        ask("taiwanese", hand("99s23p", "4p", *KONGS, "kong_added 2222s"), options=SELDOM),
    ),
    (
        *("five_kongs", "concealed_kong melded_kong"),
        ask("taiwanese", hand("9s", "9s", *KONGS, "kong_added 2222s", "kong_open 8888m"), options=SELDOM),
    ),
    ("plain_tiles", "no_flowers", ask("taiwanese", CLOSED, options=SELDOM)),
    ("human_hand", "concealed_hand", ask("taiwanese", CLOSED, humanly=True)),
    *(
        (ready, "fully_concealed concealed_hand", ask("taiwanese", CLOSED, **{ready: True}, **DRAWN))
        for ready in ("heavenly_ready", "earthly_ready")
    ),
    (
        *("big_winds", "round_wind seat_wind other_wind"),
        ask("taiwanese", hand("67s99p", "8s", *WINDS, "pung 444z"), **EVERY),
    ),
    (
        *("little_winds", "round_wind seat_wind other_wind"),
        ask("taiwanese", hand("456m67s44z", "8s", *WINDS), **EVERY),
    ),
    (
        *("big_dragons", "dragon_pung"),
        ask("taiwanese", hand("456m67s99s", "8s", "pung 555z", "pung 666z", "pung 777z")),
    ),
    ("little_dragons", "dragon_pung", ask("taiwanese", hand("456m789p67s77z", "8s", "pung 555z", "pung 666z"))),
    ("eight_pairs", "fully_concealed concealed_hand", ask("taiwanese", PAIRS, **DRAWN)),
    ("all_claimed", "single_wait", ask("taiwanese", BEGGED)),
    ("half_claimed", "single_wait", ask("taiwanese", BEGGED, **DRAWN)),
    ("fully_concealed", "concealed_hand self_drawn", ask("taiwanese", CLOSED, **DRAWN)),
    ("all_flowers", "own_flower", ask("taiwanese", OPEN, bonus="f1f2f3f4")),
    ("all_seasons", "own_season", ask("taiwanese", OPEN, bonus="g1g2g3g4")),
)
LINES = [("taiwanese", by, inner, {**asked, "why": True}) for by, inner, asked in _LINES]
