"""Requests that random hands seldom make: penalties, contradictions, yakuman beside each other, mistakes."""

from tests.scoring.asking import ask, hand

DRAWN = {"win": "self_draw"}
ROBBED = {"win": "robbed_kong"}
CHOWS = hand("123m456m789m23s55p", "4s")


def liable(kind, seat="W"):
    return {"liable": {"seat": seat, "kind": kind}}


def from_anybody(asked):
    return {**asked, "context": {**asked["context"], "from": None}}


def singapore(tiles, kind, **how):
    return ask("singapore", tiles, **liable(kind), **how)


TERMINALS = ("pung 111m", "pung 999p", "pung 999m", "pung 999s W")
FLOWERS = "f1 f2 f3 f4 g1 g2 g3"
PENALTIES = (
    singapore(hand("99p45m", "6m", "pung 555z", "pung 666z", "pung 777z W"), "third_dragon", **DRAWN),
    singapore(hand("2m", "2m", "chow 123m", "pung 555m", "pung 777m", "pung 999m W"), "fourth_suit_set", **DRAWN),
    singapore(hand("1p", "1p", *TERMINALS), "fourth_terminal_set"),
    singapore(hand("", None), "robbed_flower", bonus=FLOWERS, flower_win=True, **ROBBED),
    singapore(hand("99s44p11m", "4p", "pung 555z", "pung 666z"), "third_dragon"),
    singapore(hand("123m44p99s", "4p", "pung 555z", "chow 234p"), "fresh_tile"),
    singapore(hand("345m44p99s5p", "6p", "pung 555z", "chow 234p"), "fresh_tile"),
    singapore(hand("99s5m5m44p2z", "4p", "pung 444p", "chow 234p"), "fresh_tile"),
    singapore(hand("345m99s56p", "4p", "pung 555z", "chow 234p"), "fresh_tile"),
    singapore(CHOWS, "fresh_tile", options={"min": 0}),
    singapore(CHOWS, "fresh_tile", earthly=True),
    *(
        ask("hangzhou", hand("55m67m", "8m", "chow 123m", "chow 456p", "chow 789p"), **how, **tail)
        for tail in ({"indicator": "4s", "options": {"liability_on_claim": True}},)
        for how in (
            {"source": "E", "streak": 3, "fed": {"N>S": 3}},
            {"source": "E", "streak": 3, "fed": {"E>S": 3}},
            {"source": "E", "streak": 3, "fed": {"E>S": 3, "S>E": 3}},
            {"source": "E", "streak": 3, "fed": {"S>N": 3}},
        )
    ),
)
ROBBED_KONG = hand("345s68s99m", "7s", "chow 234m", "pung 888p")
HONG_KONG = (
    ask("hongkong", hand("123m456m888p78s22p", "9s"), options={"min_faan": 3, "min_needs_pattern": True}, **DRAWN),
    ask("hongkong", hand("99s67s", "8s", "chow 123s", "chow 345s", "pung 777s")),
    ask("hongkong", hand("9s", "9s", "chow 123s", "chow 345s", "pung 777s", "chow 456s"), **DRAWN),
    ask("hongkong", ROBBED_KONG, **liable("robbed_kong"), **ROBBED),
    ask("hongkong", ROBBED_KONG, options={"rob_kong_as_self_pick": True}, **ROBBED),
    ask("hongkong", ROBBED_KONG, options={"pays_from": 3}, **ROBBED),
    ask("hongkong", CHOWS, options={"pays_from": 9, "max_faan": 8}, **DRAWN),
)
BY_WHOM = (from_anybody(ask("hangzhou", CHOWS, indicator="9s", streak=3)),)
_OWN_KAN = {"riichi": True, "ippatsu": True, "replacement": True}
CONTRADICTIONS = (
    ask("singapore", CHOWS, bonus=FLOWERS, flower_win=True, **ROBBED),
    ask("singapore", hand("", None), bonus="f1 f2", flower_win=True, **ROBBED),
    ask(
        "riichi",
        hand("123m456m789m2s", "2s", "kong_concealed 5555p"),
        ippatsu=True,
        riichi=True,
        replacement=True,
        **DRAWN,
    ),
    ask("zungjung", CHOWS, source="E", turn_discards=[{"seat": "W", "tile": "4s"}]),
    ask("hangzhou", CHOWS, streak=3, indicator="9s")
    | {"context": {"seat": "S", "win": "discard", "streak": 3, "indicator": "9s"}},
    ask("hongkong", hand("123m456m789m35s55p", "4s"), **liable("robbed_kong"), **ROBBED),
    ask("zungjung", CHOWS, turn_discards=[{"seat": seat, "tile": "4s"} for seat in "WNENW"]),
    ask(
        *("zungjung", CHOWS),
        **{"source": "E", "earthly": True},
        turn_discards=[{"seat": "N", "tile": "1z"}, {"seat": "E", "tile": "4s"}],
    ),
    ask("zungjung", CHOWS, responsible="W", source="E", **ROBBED),
    ask("zungjung", CHOWS, source="E", turn_discards=[{"seat": "W", "tile": "4s"}]),
    ask("zungjung", CHOWS, responsible="N", turn_discards=[{"seat": "W", "tile": "4s"}]),
    ask("zungjung", hand("444s23s456m789m55p", "1s"), responsible="N"),
    ask("zungjung", hand("444s23s456m78m55p", "4s", "chow 123m"), responsible="N"),
    ask("zungjung", hand("444s56s456m789m55p", "4s"), responsible="N"),
    ask("hangzhou", hand("44s456m789m55p", "4m", "chow 123m"), indicator="4s", floats=2, **DRAWN),
    ask("hangzhou", hand("444s456m78m55p", "4s", "chow 123m"), indicator="4s", floats=2, **DRAWN),
    ask("hangzhou", hand("456m789m55p23s", "4s", "pung 335z"), indicator="9s", **DRAWN),
    ask("hangzhou", hand("456m789m55p23s", "4s", "pung 999s"), indicator="9s", **DRAWN),
    ask("hangzhou", hand("789m55p23s", "1s", "chow 123m E", "chow 456m E"), indicator="9s", fed={"E>S": 1}, **DRAWN),
    *(ask("hangzhou", CHOWS, indicator="4s", source="E", streak=streak, **ROBBED) for streak in (3, 2)),
    ask("hangzhou", hand("456m789m55p23s", "1s", "chow 123m N"), indicator="9s", **DRAWN),
    ask("riichi", hand("456m789m55p23s", "4s", "kong_concealed 1111p"), **DRAWN, **_OWN_KAN),
    ask("riichi", CHOWS, dora_indicators=["4s"], **ROBBED),
    ask("riichi", CHOWS, riichi=True, dora_indicators=["4s"], **ROBBED),
    ask("riichi", hand("99p45m", "6m", "pung 555z N", "pung 666z N", "pung 777z N"), **liable("daisangen")),
)
_ONE = {"multiple_yakuman": False, "double_yakuman": False, "renhou": "yakuman"}
_HIGHEST = {"multiple_yakuman": False}
LEFT_OUT = (
    *(
        ask("riichi", tiles, humanly=True, options=_ONE)
        for tiles in (
            hand("19m19p19s1234567z", "1m"),
            hand("119m19p19s123456z", "7z"),
            hand("111m333m555p777s9s", "9s"),
            hand("11122233344z12m", "3m"),
            hand("555666777z23m99p", "1m"),
            hand("111999m111999p1s", "1s"),
            hand("222333444666s6z", "6z"),
            hand("1122345678999m", "1m"),
            hand("1112345678999m", "5m"),
            hand("111222333z555z6z", "6z"),
        )
    ),
    ask("riichi", hand("111222333444z5p", "5p"), humanly=True, options=_HIGHEST | {"renhou": "yakuman"}),
    ask("riichi", hand("11122233344z55p", "4z"), options=_HIGHEST, **DRAWN),
    ask("riichi", hand("111m333m555p77s99s", "7s"), seat="E", heavenly=True, options=_HIGHEST, **DRAWN),
    ask("riichi", hand("111m333m555p77s99s", "7s"), earthly=True, options=_HIGHEST, **DRAWN),
    ask("riichi", hand("5z", "5z", *(f"kong_open {str(n) * 4}z" for n in (1, 2, 3, 4))), options=_HIGHEST),
)
EYE = hand("123m456m789p222z4s", "9m")
KONGS = hand("123m789p4s", "5p", "kong_concealed 9999m", "kong_added 3333p")
FLOATED = {"indicator": "4s", "options": {"float_liability": True}, **liable("float"), **DRAWN}
HONOURS = {"indicator": "4s", "honours": 12, "options": {"ten_honours": "own_tile"}, **DRAWN}
HANGZHOU_VARIATIONS = (
    ask("hangzhou", EYE, floats=2, **FLOATED),
    ask("hangzhou", EYE, floats=1, **FLOATED),
    ask("hangzhou", EYE, floats=2, doubles_after=2, **FLOATED),
    ask("hangzhou", KONGS, floats=2, kong_streak=2, **FLOATED),
    ask("hangzhou", KONGS, floats=2, kong_streak=2, doubles_after=3, **FLOATED),
    ask("hangzhou", EYE, floats=2, doubles_after=1, indicator="4s", **DRAWN),
    *(ask("hangzhou", tiles, **HONOURS) for tiles in (hand("123456789m11p9s", None), EYE, hand("1z", None))),
    ask("hangzhou", hand("111222333444z1p", None), **HONOURS | {"honours": 17}),
    ask("hangzhou", hand("123456789m11p9s", None), **HONOURS | {"honours": 9}, floats=1),
    ask("hangzhou", hand("123456789m11p9s", None), **HONOURS | {"options": {}}),
    ask("hangzhou", hand("123456789m11p9s", None), **HONOURS | {"win": "discard"}),
    *(
        ask("hangzhou", hand("55m67m", "8m", "chow 123m", "chow 456p", "chow 789p"), fed={"N>S": 3}, indicator="4s")
        | {"options": {"liability_between": "banker", "unit": unit}, "context": context}
        for unit in (1, "0.5")
        for context in ({"seat": "S", "win": "self_draw", "indicator": "4s", "fed": {fed: 3}} for fed in ("N>S", "S>W"))
    ),
)
TWICE = {"base": "0.3", "rounding": "up", "discarder": "twice"}
SINGAPORE_VARIATIONS = (
    *(ask("singapore", CHOWS, options={**TWICE, "dealer_doubling": east}, source="E") for east in (False, True)),
    singapore(hand("345s67s99m", "8s", "chow 234m", "pung 555z W"), "limit_honour"),
    singapore(hand("777s99s55z", "5z", "pung 111s", "pung 333s"), "limit_honour", options={"limit": None}),
)
ONE_POINT = hand("567p888m67s33z", "8s", "chow 234m")
OFFICIAL = (
    ask("mcr", ONE_POINT, **DRAWN),
    ask("mcr", ONE_POINT, bonus="f1f2", options={"min_points": 0}, **DRAWN),
    ask("mcr", ONE_POINT, options={"min_points": 0}, **DRAWN),
    ask("mcr", hand("567p888m78s33z", "8s", "chow 234m"), last_of_kind=True),
)
RARE = (
    *(*PENALTIES, *HONG_KONG, *BY_WHOM, *HANGZHOU_VARIATIONS, *SINGAPORE_VARIATIONS),
    *(*CONTRADICTIONS, *LEFT_OUT),
    *OFFICIAL,
)

HAND = {"concealed": "123m456m789m23s55p", "winning_tile": "4s", "melds": [], "bonus": []}
ME = {"seat": "S", "win": "self_draw"}
MISTAKES = (
    {"concealed": "111m1m456m789m23s", "winning_tile": "1m"},
    {"concealed": ["f1", *["1m"] * 3, *["7p"] * 3, *["9s"] * 3, *["3z"] * 3]},
    {"concealed": "12m"},
    {"winning_tile": None},
    {"bonus": ["f1", "f1"]},
    {"bonus": ["f1", "a1"]},
    {"bonus": ["1m"]},
    {"concealed": "120m456m789m23s55p"},
    {"concealed": ["back", *["1m"] * 3, *["7p"] * 3, *["9s"] * 3, *["3z"] * 3]},
    {"winning_tile": "back"},
    {"bonus": ["back"]},
    {"context": {**ME, "dora_indicators": ["back"]}},
    {"context": {**ME, "indicator": "back"}},
    {"context": {**ME, "liable": {"seat": "N"}}},
    {"winning_tile": "f2"},
    {"context": {**ME, "win": "discard", "from": "S"}},
    {"context": {**ME, "win": "discard", "from": None, "earthly": True}},
    {"context": {**ME, "heavenly": True, "earthly": True}},
    {"context": {**ME, "seat": "E", "earthly": True, "replacement": True}},
    {"context": {**ME, "indicator": "4s", "double_kong": True, "kong_streak": 1}},
    {"context": {**ME, "indicator": "4s", "floats": 3}},
    {"context": {**ME, "responsible": "E"}},
    {"context": {**ME, "riichi_sticks": -1}},
    {"options": {"max_faan": 2, "min_faan": 5}},
    {"options": {"table": "simplified", "min_faan": 1}},
    {"options": {"table": "simplified", "max_faan": 2, "min_faan": 0}},
    {"options": {"unit": 0}},
    {"options": {"permanent": True}, "context": {**ME, "indicator": "4s"}},
    {"concealed": "456m789m23s55p", "melds": [{"type": "pung", "tiles": "112m"}]},
    {"concealed": "456m789m23s55p", "melds": [{"type": "pung", "tiles": "11m"}]},
    {"concealed": "456m789m23s55p", "melds": [{"type": "pung", "tiles": []}]},
    {"concealed": "456m789m23s55p", "melds": [{"type": "pung", "tiles": ["f1", "f2", "f3"]}]},
    {"concealed": "456m789m23s55p", "melds": [{"type": "pung", "tiles": ["1m", "1m", "back"]}]},
    {"concealed": "456m789m23s55p", "melds": [{"type": "chow", "tiles": "12m5z"}]},
    {"concealed": "456m789m23s55p", "melds": [{"type": "chow", "tiles": "123m", "from": "S"}]},
    {"concealed": "456m789m23s55p", "melds": [{"type": "chow", "tiles": "123m", "from": "W"}]},
    {"concealed": "456m789m23s55p", "melds": [{"type": "kong_concealed", "tiles": "1111m", "from": "W"}]},
    {"concealed": "456m789m23s55p", "melds": [{"type": "kong_open", "tiles": "5555s"}]},
    {"concealed": "1m", "melds": [{"type": "pung", "tiles": f"{n}{n}{n}p"} for n in range(1, 6)]},
    {"concealed": "234m067m340p67s88p", "winning_tile": "8s", "options": {"aka": 2}},
    {"concealed": "345m340p067p9s678m", "winning_tile": "9s"},
    {"context": {**ME, "flower_win": True, "win": "discard", "from": "E"}},
    {"winning_tile": None, "bonus": "f1 f2", "context": {**ME, "flower_win": True}},
    {"winning_tile": None, "concealed": "1111m2345678999p99s", "context": {**ME, "flower_win": True}},
)
