"""Taiwanese mahjong: the table of tai, five sets, dealer and stakes, refusals, house rules.

Every element and every absorption has worked hands in tests/golden/taiwanese.json.
"""

from functools import partial

import pytest

from scoring.context import Context, Win
from scoring.errors import InvalidRequest
from scoring.request import parse_request, respond
from scoring.rules.taiwanese.elements import ABSORBS, ELEMENTS
from scoring.score import score
from scoring.seats import Seat
from tests.scoring import asking
from tests.scoring.asking import ask, elements, hand

scored = partial(asking.scored, "taiwanese")
faults = partial(asking.faults, "taiwanese")
DRAWN = {"win": "self_draw"}
CLOSED = hand("123m456m789p345p67s99s", "8s")
MIDDLE = hand("123m456m789p345p68s99s", "7s")
FLOWERS = "f1f2f3f4g1g2g3g4"


def test_containing_elements_come_first():
    """What is left is found in the order of the table."""
    order = list(ELEMENTS)
    for by, inner in ABSORBS.items():
        assert all(order.index(by) < order.index(one) for one in inner), by


def test_a_hand_has_five_sets():
    assert "a hand with 0 melds has 16 concealed, not 13" in faults(hand("123m456m789p67s99s", "8s"))
    melds = ("chow 123m", "chow 456m", "chow 789p", "pung 888s", "pung 222p", "pung 444z")
    assert "at most 5 melds, not 6" in faults(hand("9s", "9s", *melds))


KONGS = ("kong_concealed 1111m", "kong_added 2222p", "kong_open 3333s W")


@pytest.mark.parametrize(
    ("kong", "how", "found", "paid"),
    [
        ("kong_concealed 6666z", DRAWN, {"four_kongs": 8, "dragon_pung": 1}, (-130, 370, -120, -120)),
        ("kong_open 9999s W", {}, {"four_kongs": 8}, (0, 110, -110, 0)),
        ("kong_added 9999s", {**DRAWN, "seat": "E"}, {"four_kongs": 8, "dealer": 1}, (360, -120, -120, -120)),
    ],
)
def test_a_fourth_kong_wins_at_once(kong, how, found, paid):
    """Table of 2023: four kongs of one player are counted as a win, and the hand is over; no tile is won with."""
    asked = ask("taiwanese", hand("247m1z", None, *KONGS, kong), **how)
    response = respond({**asked, "preset": "taiwan-2023"})
    assert (response["legal"], elements(response)) == (True, found)
    assert tuple(response["payments"][seat] for seat in "ESWN") == paid
    assert "winning_tile is missing" in respond(asked)["error"]["message"]
    worthless = respond({**asked, "options": {"fourth_kong_wins": True, "values": {"four_kongs": 0}}})
    assert not worthless["legal"]


@pytest.mark.parametrize(
    ("tiles", "how"),
    [
        (hand("247m1z", None, *KONGS, "pung 999s"), DRAWN),
        (hand("247m12z", None, *KONGS, "kong_added 9999s"), DRAWN),
        (hand("247m1z", None, *KONGS, "kong_added 9999s"), {"win": "robbed_kong"}),
        (hand("247m1z", None, "kong_added 4444z", "kong_added 5555z", *KONGS[:2]), {}),
    ],
)
def test_what_no_fourth_kong_won_needs_a_winning_tile(tiles, how):
    assert "winning_tile is missing" in faults(tiles, options={"fourth_kong_wins": True}, **how)


def test_a_hand_made_for_other_rules_is_refused():
    four = parse_request(ask("hongkong", hand("123m456m789p67s99s", "8s"))).case.hand
    with pytest.raises(InvalidRequest, match="Taiwanese is played with 5 sets and a pair: make the Hand with sets=5"):
        score(four, Context(Seat.S, Win.SELF_DRAW), "taiwanese")
    five = parse_request(ask("taiwanese", CLOSED)).case.hand
    assert five.sets == 5
    for rules in ("hongkong", "zungjung", "hangzhou", "singapore", "riichi", "mcr"):
        with pytest.raises(InvalidRequest, match="is played with 4 sets and a pair"):
            score(five, Context(Seat.S, Win.SELF_DRAW), rules)


@pytest.mark.parametrize(
    ("tiles", "how", "message"),
    [
        (CLOSED, {"seat": "E", "earthly": True, **DRAWN}, "The dealer cannot have an earthly hand"),
        (CLOSED, {"source": "E", "earthly": True}, "Here an earthly hand wins on the first tile drawn"),
        (hand("456m789p345p67s99s", "8s", "chow 123m"), {"earthly": True, **DRAWN}, "An earthly hand has no melds."),
        (
            CLOSED,
            {"heavenly_ready": True, "earthly_ready": True},
            "since the deal or since the first discard, not both",
        ),
        (hand("456m789p345p67s99s", "8s", "chow 123m"), {"earthly_ready": True}, "only concealed kongs may be melded"),
        (CLOSED, {"earthly_ready": True, "humanly": True}, "wins before the first discard was never ready"),
        (CLOSED, {"declared_ready": True, "humanly": True}, "wins before the first discard was never ready"),
        (CLOSED, {"declared_ready": True, "earthly": True, **DRAWN}, "wins before the first discard was never ready"),
        (
            hand("", None),
            {"bonus": FLOWERS, "flower_win": True, "earthly_ready": True, **DRAWN},
            "asks for no ready hand",
        ),
        (hand("123456789m123456789p", None), {"bonus": FLOWERS, "flower_win": True, **DRAWN}, "18 concealed tiles"),
    ],
)
def test_what_makes_no_sense(tiles, how, message):
    assert message in faults(tiles, **how)


def test_why_it_is_no_more():
    told = respond({**ask("taiwanese", CLOSED, **DRAWN), "why": True})["why"]
    assert {e["id"] for e in told["not_counted"]} == {"concealed_hand", "self_drawn"}
    assert [(step["more"], step["income"], step["now"]) for step in told["next_steps"]] == [(1, 220, 190)]
    rules = {(rule["option"], rule["value"]): rule["change"] for rule in told["house_rules"]}
    assert rules == {("chows_self_drawn", True): 60}
    short = respond({**ask("taiwanese", MIDDLE, options={"min_tai": 5}), "why": True})["why"]
    assert [step["sentence"] for step in short["next_steps"]] == ["3 more tai: a win."]
    full = respond({**ask("taiwanese", MIDDLE, options={"max_tai": 2}), "why": True})["why"]
    assert full["next_steps"] == []


CHOWS = hand("456m789m123p12p55s", "3p", "chow 123m E")


def by(preset, tiles, **how):
    """Element -> tai under a preset, and the sum."""
    response = respond({**ask("taiwanese", tiles, **how), "preset": preset})
    return elements(response), response["total"]["value"]


def test_four_kongs_of_the_table_of_2023():
    """2023 台灣最新麻將 16 張台數表 (chh.cx): 四槓牌 8 tai."""
    kongs = hand("99s23p", "4p", "kong_open 1111m", "kong_open 9999p", "kong_concealed 7777s", "kong_added 2222s")
    assert by("taiwan-2023", kongs) == ({"four_kongs": 8}, 8)
    assert by("taiwan-overview", kongs)[1] == 0


def test_all_chows_of_the_table_of_2023():
    """2023 台灣最新麻將 16 張台數表 (chh.cx): 平胡 asks for chows and no flower, for nothing else."""
    how = {"source": "E"}
    assert by("taiwan-2023", CHOWS, **how) == ({"all_chows": 2, "single_wait": 1}, 3)
    assert by("taiwan-overview", CHOWS, **how) == ({"single_wait": 1}, 1)
    drawn = by("taiwan-2023", CLOSED, **DRAWN)
    assert drawn == ({"all_chows": 2, "fully_concealed": 3}, 5)
    assert by("taiwan-overview", CLOSED, **DRAWN)[1] == 3
    honours = hand("123m456m789p345p67s22z", "8s")
    assert "all_chows" in by("taiwan-2023", honours)[0]
    assert "all_chows" not in by("taiwan-2023", honours, bonus="f2")[0]


WINDS = ("pung 111z", "pung 222z", "pung 333z")


def test_the_table_of_gamesofa():
    """神來也麻將, 台數表: 花槓 in place of 正花, 字一色 8 without 碰碰胡, 小四喜 beside own winds, 聽牌 1."""
    flowers = by("gamesofa", hand("123m456m789p34p99s", "5p", "pung 888m"), bonus="f1f2f3f4")[0]
    assert flowers == {"all_flowers": 2}
    assert by("gamesofa", hand("456m99p44z", "9p", *WINDS))[0] == {"little_winds": 8, "round_wind": 1, "seat_wind": 1}
    assert by("gamesofa", hand("456m9p", "9p", *WINDS, "pung 444z"))[0] == {"big_winds": 16, "single_wait": 1}
    honours = hand("55z66z", "5z", *WINDS, "pung 777z")
    assert by("gamesofa", honours)[0] == {"all_honours": 8, "little_dragons": 4, "round_wind": 1, "seat_wind": 1}
    last = {"declared_ready": True, "last_tile": True}
    assert by("gamesofa", CLOSED, **last)[0] == {"concealed_hand": 1, "declared_ready": 1, "all_chows": 2}
    assert by("gamesofa", CLOSED, **last, **DRAWN)[0] == {
        "fully_concealed": 3,
        "declared_ready": 1,
        "last_tile_draw": 1,
    }
    pairs = hand("1122m3344p5577s666s", "1z")
    assert respond({**ask("taiwanese", pairs), "preset": "gamesofa"}).get("legal") is not True


def test_the_table_of_star_31():
    """明星3缺1, 台數計算, 見花見字: each flower 1 and a set 2, each wind once, 槓牌 1, 暗槓 2, 無字無花 2."""
    how = {"source": "E"}
    flowers = by("star31", hand("123m456m123p456s9p789s", "9p"), bonus="g1g2g3g4f2", **DRAWN)[0]
    assert sum(flowers.pop(name) for name in ("own_flower", "own_season", "other_flower")) == 5
    assert flowers == {"all_seasons": 2, "fully_concealed": 3, "single_wait": 1}
    honours = by("star31", hand("111222555666777z4z", "4z"), bonus="", round="S", **DRAWN)[0]
    assert {name: honours[name] for name in ("all_honours", "big_dragons", "other_wind")} == {
        **{"all_honours": 8, "big_dragons": 8, "other_wind": 2},
    }
    assert not {"round_wind", "seat_wind"} & honours.keys()
    kongs = ("kong_open 1111p", "kong_concealed 2222s", "pung 555m", "chow 456s", "chow 678p")
    assert by("star31", hand("1m", "1m", *kongs), bonus="f1", **how)[0] == {
        **{"melded_kong": 1, "concealed_kong": 2, "other_flower": 1, "single_wait": 1},
    }
    plain = by("star31", CLOSED, **how)[0]
    assert plain == {"concealed_hand": 1, "all_chows": 2, "plain_tiles": 2}
    begged = ("chow 123m", "chow 456m", "pung 888p", "pung 222s", "pung 777s")
    assert by("star31", hand("9s", "9s", *begged), **DRAWN)[0] == {"self_drawn": 1, "single_wait": 1, "plain_tiles": 2}


@pytest.mark.parametrize("how", [{"win": "self_draw", "earthly": True}, {**DRAWN, "seat": "E", "heavenly": True}])
def test_a_dealt_flower_is_replaced_before_the_first_draw(how):
    """Every table replaces dealt flowers first; the replacement is not an element of a hand won on the deal."""
    with_flag, without = (scored(CLOSED, bonus="f3", **how, **more) for more in ({"replacement": True}, {}))
    assert with_flag["elements"] == without["elements"]
    assert "needs a kong or a bonus tile" in faults(CLOSED, **how, replacement=True)
    assert "no replacement and no last tile" in faults(CLOSED, bonus="f3", **how, last_tile=True)
