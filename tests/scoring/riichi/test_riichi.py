"""Riichi: every yaku and yakuman, fu, dora, the ladder: the tables and examples of the specification."""

from functools import partial

import pytest

from scoring.rules.riichi import RiichiOptions
from scoring.rules.riichi.elements import ALL, HAN, UNITS
from scoring.rules.riichi.hand.kinds import SHOWN
from scoring.rules.riichi.hand.yaku import Sequences
from scoring.rules.riichi.payments.ladder import base_of, worth
from scoring.tiles import PLAIN, parse_tiles, tile
from tests.scoring import asking
from tests.scoring.asking import elements, hand

scored = partial(asking.scored, "riichi")
DRAWN = {"win": "self_draw"}


def yaku(tiles, **how):
    """Element ids and their han, of a hand that wins."""
    response = scored(tiles, **how)
    assert response["legal"], response["reason"]
    return elements(response)


# --- yaku: an example of each, concealed and open, and what comes near ---

SIMPLE = hand("234m567m345p67s88p", "8s")
OPEN = ("chow 789s", "chow 123s")
YAKU = [
    (SIMPLE, {"riichi": True}, {"riichi": 1, "pinfu": 1, "tanyao": 1}),
    (SIMPLE, {"double_riichi": True}, {"double_riichi": 2, "pinfu": 1, "tanyao": 1}),
    (SIMPLE, {"riichi": True, "double_riichi": True}, {"double_riichi": 2, "pinfu": 1, "tanyao": 1}),
    (SIMPLE, {"riichi": True, "ippatsu": True}, {"riichi": 1, "ippatsu": 1, "pinfu": 1, "tanyao": 1}),
    (SIMPLE, DRAWN, {"menzen_tsumo": 1, "pinfu": 1, "tanyao": 1}),
    (hand("345s66m67s", "8s", "chow 234m", "chow 567p"), DRAWN, {"tanyao": 1}),  # open: no menzen_tsumo, no pinfu
    (hand("234m567m345p68s88p", "7s"), {}, {"tanyao": 1}),  # middle wait: no pinfu
    (hand("123m567m345p89s88p", "7s"), {"riichi": True}, {"riichi": 1}),  # edge wait: no pinfu
    (hand("234m567m345p67s55z", "8s"), {"riichi": True}, {"riichi": 1}),  # dragon pair: no pinfu
    (hand("234m567m345p67s22z", "8s"), {"riichi": True}, {"riichi": 1}),  # seat wind pair: no pinfu
    (hand("234m567m345p67s33z", "8s"), {"round": "W", "riichi": True}, {"riichi": 1}),  # round wind pair
    (hand("234m567m345p67s33z", "8s"), {}, {"pinfu": 1}),  # a wind that is worth nothing
    (hand("112233m456p78s99p", "9s"), {}, {"iipeiko": 1, "pinfu": 1}),
    (hand("456p78s99p", "9s", "chow 123m", "chow 123m"), {"last_tile": True}, {"houtei": 1}),  # open: no iipeiko
    (hand("456p99s22m", "2m", "pung 555z", "chow 789s"), {}, {"haku": 1}),
    (hand("456p99s22m", "2m", "pung 666z", "chow 789s"), {}, {"hatsu": 1}),
    (hand("456p99s22m", "2m", "kong_open 7777z", "chow 789s"), {}, {"chun": 1}),
    (hand("456p99s22m", "2m", "pung 222z", "chow 789s"), {}, {"seat_wind": 1}),
    (hand("456p99s22m", "2m", "pung 111z", "chow 789s"), {}, {"round_wind": 1}),
    (hand("456p99s22m", "2m", "pung 222z", "chow 789s"), {"round": "S"}, {"seat_wind": 1, "round_wind": 1}),
    (hand("456p99s22m", "2m", *OPEN), {**DRAWN, "last_tile": True}, {"haitei": 1}),
    (hand("456p99s22m", "2m", *OPEN), {"last_tile": True}, {"houtei": 1}),
    (hand("456p99s22m", "2m", "kong_open 1111s", "chow 789s"), {**DRAWN, "replacement": True}, {"rinshan": 1}),
    (
        hand("456p99s22m", "2m", "kong_open 1111s", "chow 789s"),
        {**DRAWN, "replacement": True, "last_tile": True},  # a kan replacement is no haitei
        {"rinshan": 1},
    ),
    (hand("456p99s13m", "2m", *OPEN), {"win": "robbed_kong"}, {"chankan": 1}),
    (hand("1133m5577p99s22z4z", "4z"), {}, {"chiitoitsu": 2}),
    (hand("2244m6688p3355s7p", "7p"), {}, {"chiitoitsu": 2, "tanyao": 1}),
    (hand("234m345p234p34s99m", "2s"), {}, {"sanshoku_doujun": 2, "pinfu": 1}),
    (hand("345p34s99m", "2s", "chow 234m", "chow 234p"), {}, {"sanshoku_doujun": 1}),
    (hand("123456m78m345p11s", "9m"), {}, {"ittsuu": 2, "pinfu": 1}),
    (hand("78m345p11s", "9m", "chow 123m", "chow 456m"), {}, {"ittsuu": 1}),
    (hand("123m789p12s99s444z", "3s"), {}, {"chanta": 2}),
    (hand("12s99s444z", "3s", "chow 123m", "chow 789p"), {}, {"chanta": 1}),
    (hand("555p777s33m99p", "3m", "pung 222m"), {}, {"toitoi": 2}),
    (hand("222m555p777s345s9p", "9p"), {}, {"sanankou": 2}),
    (hand("222m555p77s345s99p", "7s"), {"riichi": True}, {"riichi": 1}),  # the third triplet is another's tile
    (hand("222m555p345s9p", "9p", "kong_concealed 7777s"), {}, {"sanankou": 2}),
    (hand("222m555p777s9p", "9p", "chow 345s"), {}, {"sanankou": 2}),
    (hand("222333444m78s99p", "9s"), {}, {"sanankou": 2}),  # two han either way, but more fu
    (hand("111222333m78s99p", "9s"), {}, {"junchan": 3, "iipeiko": 1, "pinfu": 1}),  # more han as sequences
    (hand("33s567m88m", "3s", "pung 333m", "pung 333p"), {}, {"sanshoku_doukou": 2, "tanyao": 1}),
    (hand("78m99s", "9m", "kong_open 1111p", "kong_added 4444p", "kong_concealed 2222m"), {}, {"sankantsu": 2}),
    (hand("111s77z99s", "7z", "pung 111m", "pung 999p"), {}, {"honroutou": 2, "toitoi": 2, "chun": 1}),
    (hand("1199m1199p11s22z4z", "4z"), {}, {"honroutou": 2, "chiitoitsu": 2}),
    (hand("77z234m67p", "5p", "pung 555z", "pung 666z"), {}, {"shousangen": 2, "haku": 1, "hatsu": 1}),
    (hand("123567m789m44z99m", "9m"), {"seat": "E"}, {"honitsu": 3}),
    (hand("44z22m", "4z", "chow 123m", "chow 567m", "chow 789m"), {"seat": "N"}, {"honitsu": 2, "seat_wind": 1}),
    (hand("123m789p12s99s789m", "3s"), {}, {"junchan": 3}),
    (hand("12s99s789m", "3s", "chow 123m", "chow 789p"), {}, {"junchan": 2}),
    (hand("112233m778899s1p", "1p"), {}, {"ryanpeiko": 3, "junchan": 3}),
    (hand("11133355578m99m", "9m"), {}, {"chinitsu": 6, "sanankou": 2}),
    (hand("44m56m", "7m", "chow 123m", "pung 999m", "chow 678m"), {}, {"chinitsu": 5}),
]


@pytest.mark.parametrize(("tiles", "how", "expected"), YAKU)
def test_yaku(tiles, how, expected):
    assert yaku(tiles, **how) == expected


def test_every_yaku_and_its_han_has_an_example():
    """Each row of the table, in each of its two columns where they differ."""
    shown = set()
    for tiles, _, expected in YAKU:
        opened = any(not meld.startswith("kong_concealed") for meld in tiles[2])
        shown |= {(id_, opened, han) for id_, han in expected.items()}
    for id_, (concealed, opened) in HAN.items():
        if concealed == opened:
            assert (id_, True, opened) in shown or (id_, False, concealed) in shown, id_
        else:
            assert (id_, False, concealed) in shown, id_
            assert not opened or (id_, True, opened) in shown, id_


# --- yakuman ---

DRAGONS = ("pung 555z", "pung 666z", "pung 777z")
YAKUMAN = [
    (hand("119m19p19s134567z", "2z"), {}, {"kokushi": 1}),
    (hand("19m19p19s1234567z", "1m"), {}, {"kokushi_13": 2}),
    (hand("222m444m666p88s99s", "9s"), DRAWN, {"suuankou": 1}),
    (hand("222m444m666p888s9s", "9s"), {}, {"suuankou_tanki": 2}),
    (hand("222m444m888s9s", "9s", "kong_concealed 6666p"), DRAWN, {"suuankou_tanki": 2}),
    (hand("99p45m", "6m", *DRAGONS), {}, {"daisangen": 1}),
    (hand("44z23m", "1m", "pung 111z", "pung 222z", "pung 333z"), {}, {"shousuushii": 1}),
    (hand("5p", "5p", "pung 111z", "pung 222z", "pung 333z", "pung 444z"), {}, {"daisuushii": 2}),
    (hand("11z77z", "1z", "pung 222z", "pung 444z", "pung 555z"), {}, {"tsuuiisou": 1}),
    (hand("1122334455667z", "7z"), {}, {"tsuuiisou": 1}),  # as seven pairs
    (hand("11m99s", "1m", "pung 999m", "pung 111p", "pung 999p"), {}, {"chinroutou": 1}),
    (hand("234s666s88s66z", "6z", "pung 333s"), {}, {"ryuuiisou": 1}),
    (hand("234s666s88s44s", "4s", "pung 333s"), {}, {"ryuuiisou": 1}),  # green dragons are not needed
    (hand("1112344678999p", "5p"), {}, {"chuuren": 1}),
    (hand("1112345678999p", "5p"), {}, {"junsei_chuuren": 2}),
    (
        hand("9s", "9s", "kong_open 1111p", "kong_added 4444p", "kong_open 2222m", "kong_concealed 7777s"),
        {},
        {"suukantsu": 1},
    ),
    (hand("123m456p789s111z5z", "5z"), {**DRAWN, "seat": "E", "heavenly": True}, {"tenhou": 1}),
    (hand("123m456p789s111z5z", "5z"), {**DRAWN, "earthly": True}, {"chiihou": 1}),
    (hand("111z2z", "2z", *DRAGONS), {}, {"daisangen": 1, "tsuuiisou": 1}),
    (
        hand("2z", "2z", "kong_concealed 1111z", *(f"kong_concealed {n}{n}{n}{n}z" for n in (3, 4, 5))),
        {},
        {"suuankou_tanki": 2, "shousuushii": 1, "tsuuiisou": 1, "suukantsu": 1},
    ),
]


@pytest.mark.parametrize(("tiles", "how", "expected"), YAKUMAN)
def test_yakuman(tiles, how, expected):
    response = scored(tiles, **how, dora_indicators="1m")
    assert elements(response) == expected  # no yaku, no dora beside them
    units = sum(expected.values())
    assert response["total"] == {
        "unit": "han",
        "value": 13 * units,
        "uncapped": 13 * units,
        "limit": "yakuman",
        "fu": None,
        "points": (48000 if how.get("seat") == "E" else 32000) * units,
        "yakuman": units,
    }
    assert f"{units} yakuman" in " ".join(response["explanation"])


@pytest.mark.parametrize(("tiles", "how", "expected"), YAKUMAN)
def test_no_yakuman_counts_twice_without_doubles(tiles, how, expected):
    assert elements(scored(tiles, **how, options={"double_yakuman": False})) == dict.fromkeys(expected, 1)


def test_every_yakuman_and_its_units_has_an_example():
    shown = {item for _, _, expected in YAKUMAN for item in expected.items()}
    assert shown == set(UNITS.items())


def test_what_is_nearly_a_yakuman():
    by_ron = scored(hand("222m444m666p88s99s", "9s"))
    assert elements(by_ron) == {"toitoi": 2, "sanankou": 2}  # the fourth triplet is another's tile
    assert "yakuman" not in by_ron["total"]
    assert "daisangen" not in yaku(hand("77z234m67p", "5p", *DRAGONS[:2]))
    assert yaku(hand("1112344678999p", "5p")) == {"chuuren": 1}
    melded = scored(hand("2345678999p", "5p", "kong_concealed 1111p"))
    assert "chuuren" not in elements(melded)  # a concealed kan is a meld
    assert yaku(hand("1133557799s44z8m", "8m")) == {"chiitoitsu": 2}


# --- dora ---


def test_what_an_indicator_shows():
    pairs = ["1m2m", "9m1m", "9p1p", "9s1s", "4p5p", "1z2z", "2z3z", "3z4z", "4z1z", "5z6z", "6z7z", "7z5z"]
    for pair in pairs:
        assert PLAIN[SHOWN[tile(pair[:2]).kind]] is tile(pair[2:])
    assert sorted(SHOWN) == list(range(34))


@pytest.mark.parametrize(
    ("tiles", "how", "expected"),
    [
        (SIMPLE, {"dora_indicators": "1m7p"}, {"dora": 3}),  # 2m once, 8p twice
        (SIMPLE, {"dora_indicators": "7p7p"}, {"dora": 4}),  # two indicators show the same tile
        (SIMPLE, {"dora_indicators": "1z"}, {}),
        (SIMPLE, {"riichi": True, "dora_indicators": "1z", "ura_indicators": "7s7p"}, {"riichi": 1, "ura_dora": 3}),
        (SIMPLE, {"riichi": True, "ura_indicators": "9m"}, {"riichi": 1}),
        (hand("234m067m340p67s88p", "8s"), {"dora_indicators": "4m"}, {"dora": 1, "aka_dora": 2}),  # a red five is a 5
        (hand("234m067m340p67s88p", "8s"), {"dora_indicators": "0s"}, {"dora": 1, "aka_dora": 2}),
        (hand("345p67s88p", "8s", "kong_concealed 4444m", "chow 678m"), {"dora_indicators": "3m"}, {"dora": 4}),
    ],
)
def test_dora(tiles, how, expected):
    found = yaku(tiles, **how)
    assert {k: v for k, v in found.items() if k not in ("pinfu", "tanyao")} == expected


def test_dora_lines_say_what_shows_what():
    lines = scored(hand("234m067m345p67s88p", "8s"), dora_indicators="1m9s4m")["elements"]
    why = {line["id"]: (line["count"], line["why"]) for line in lines}
    assert why["dora"] == (2, "tiles that a dora indicator points to: 1 x 2m (shown by 1m) 1 x 5m (shown by 4m)")
    assert why["aka_dora"] == (1, "red fives: 0m")


def test_dora_is_no_yaku():
    refused = scored(hand("345s99m67s", "8s", "chow 234m", "chow 067p"), dora_indicators="2m")
    assert refused["reason"]["code"] == "no_yaku"
    assert refused["elements"] == []
    assert refused["total"]["points"] == 0


# --- fu: the table of sets, pairs and waits ---


@pytest.mark.parametrize(
    ("meld", "simple", "other"),
    [("pung", 2, 4), ("concealed", 4, 8), ("kong_open", 8, 16), ("kong_added", 8, 16), ("kong_concealed", 16, 32)],
)
def test_fu_of_sets(meld, simple, other):
    """Beside a shape worth 22 fu (open, self-drawn): the set brings it over the tens."""
    for code, expected in (("4p", simple), ("9p", other), ("3z", other)):
        size = 4 if meld.startswith("kong") else 3
        tiles = (code[0] * size) + code[1]
        if meld == "concealed":
            shape = hand(f"{tiles}67s55m", "8s", "chow 234m", "pung 777z")
        else:
            shape = hand("67s55m", "8s", "chow 234m", "pung 777z", f"{meld} {tiles}")
        response = scored(shape, **DRAWN, options={"aka": 0})
        total = 20 + 2 + 4 + expected  # base, self-draw, the open dragons
        assert response["total"]["fu"] == -(-total // 10) * 10
        words = {"concealed": "concealed triplet", "pung": "open triplet", "kong_concealed": "concealed kan"}
        assert f"{expected} {words.get(meld, 'open kan')} {tiles}" in " ".join(response["explanation"])


@pytest.mark.parametrize(
    ("pair", "how", "fu"),
    [
        ("99m", {}, 0),
        ("44z", {}, 0),
        ("55z", {}, 2),
        ("66z", {}, 2),
        ("77z", {}, 2),
        ("22z", {}, 2),  # seat wind
        ("11z", {}, 2),  # round wind
        ("22z", {"round": "S"}, 4),
        ("22z", {"round": "S", "options": {"double_wind_fu": 2}}, 2),
        ("22z", {"options": {"double_wind_fu": 2}}, 2),
    ],
)
def test_fu_of_pairs(pair, how, fu):
    response = scored(hand(f"234567m345p67s{pair}", "8s"), riichi=True, **how)
    assert response["total"]["fu"] == (40 if fu else 30)
    words = " ".join(response["explanation"])
    assert (f"{fu} pair {pair}" in words) is bool(fu)
    assert f"= {30 + fu}" in words


@pytest.mark.parametrize(
    ("shape", "winning", "fu", "words"),
    [
        ("23s", "4s", 0, ""),
        ("23s", "1s", 0, ""),
        ("78s", "9s", 0, ""),
        ("24s", "3s", 2, "middle wait"),
        ("79s", "8s", 2, "middle wait"),
        ("12s", "3s", 2, "edge wait"),
        ("89s", "7s", 2, "edge wait"),
    ],
)
def test_fu_of_waits(shape, winning, fu, words):
    """The two-sided shapes are 23 to 78 (decision 3); middle waits hold terminals too (decision 2)."""
    response = scored(hand(f"234567m345p99p{shape}", winning), riichi=True)
    assert response["total"]["fu"] == (40 if fu else 30)
    assert words in response["explanation"][-3]
    assert ("pinfu" in elements(response)) is not bool(fu)


def test_fu_of_pair_and_triplet_waits():
    assert scored(hand("234567m345p678s9p", "9p"), riichi=True)["total"]["fu"] == 40  # 30 + 2
    shanpon = scored(hand("234567m345p44s99p", "4s"), riichi=True)
    assert "= 32, rounded" in " ".join(shanpon["explanation"])  # 2 for the triplet won by ron, 0 for the wait


def test_the_better_wait_is_taken():
    """45666: the 6 completes 456, or the pair of a pair wait: two-sided for pinfu, else the wait that scores."""
    two_sided = hand("234567m345p45s66s", "6s")
    assert yaku(two_sided, riichi=True) == {"riichi": 1, "pinfu": 1, "tanyao": 1}
    assert scored(hand("12344m678p678s55z", "4m"))["reason"]["code"] == "no_yaku"
    edge = scored(hand("1233m678p678s555z", "3m"))  # 12 waiting for 3 scores two fu, as does the pair
    assert edge["total"]["fu"] == 40


# --- SEED-1 to SEED-7 and the check values of section 6 ---


def test_seed_1_ryanpeiko_prevails_over_seven_pairs():
    assert yaku(hand("223344m556677p8s", "8s")) == {"ryanpeiko": 3, "tanyao": 1}


@pytest.mark.parametrize(("han", "fu"), [(3, 70), (4, 40), (2, 130), (3, 110), (1, 260)])
def test_seed_2_huge_fu_is_a_mangan(han, fu):
    assert base_of(han, fu, RiichiOptions()) == (2000, "mangan")


def test_seed_3_pinfu_self_draw_is_20_fu():
    response = scored(SIMPLE, **DRAWN)
    assert response["total"]["fu"] == 20
    assert "Fu: 20 base = 20." in response["explanation"]


def test_seed_4_seven_pairs_are_25_fu():
    response = scored(hand("1133m5577p99s22z4z", "4z"))
    assert (response["total"]["fu"], response["total"]["points"]) == (25, 1600)
    assert "Fu: 25 seven pairs = 25." in response["explanation"]


def test_seed_5_an_open_hand_without_fu_is_30():
    shape = hand("345s66m67s", "8s", "chow 234m", "chow 567p")
    assert scored(shape)["total"]["fu"] == 30
    assert "10 open hand with no other fu" in " ".join(scored(shape)["explanation"])
    assert scored(shape, **DRAWN)["total"]["fu"] == 30  # 20 + 2, decision 7


def test_seed_7_payments():
    non_dealer = scored(SIMPLE, **DRAWN)["payments"]  # base 640
    assert non_dealer == {"E": -1300, "S": 2700, "W": -700, "N": -700, "pot": 0}
    dealer = scored(SIMPLE, **DRAWN, seat="E")["payments"]
    assert dealer == {"E": 3900, "S": -1300, "W": -1300, "N": -1300, "pot": 0}
    assert scored(SIMPLE)["payments"] == {"E": 0, "S": 2000, "W": -2000, "N": 0, "pot": 0}
    assert scored(SIMPLE, seat="E")["payments"] == {"E": 2900, "S": 0, "W": -2900, "N": 0, "pot": 0}


@pytest.mark.parametrize(
    ("han", "fu", "others", "dealer"),
    [(1, 30, 1000, 1500), (4, 30, 7700, 11600), (2, 25, 1600, 2400), (3, 60, 7700, 11600), (4, 25, 6400, 9600)],
)
def test_check_values(han, fu, others, dealer):
    base, limit = base_of(han, fu, RiichiOptions())
    assert limit is None
    assert worth(base, dealer=False, self_drawn=False) == others
    assert worth(base, dealer=True, self_drawn=False) == dealer


# --- the ladder of section 5 ---


@pytest.mark.parametrize(
    ("han", "limit", "others", "dealer"),
    [
        (5, "mangan", 8000, 12000),
        (6, "haneman", 12000, 18000),
        (7, "haneman", 12000, 18000),
        (8, "baiman", 16000, 24000),
        (10, "baiman", 16000, 24000),
        (11, "sanbaiman", 24000, 36000),
        (12, "sanbaiman", 24000, 36000),
        (13, "kazoe yakuman", 32000, 48000),
        (30, "kazoe yakuman", 32000, 48000),
    ],
)
def test_ladder(han, limit, others, dealer):
    base, name = base_of(han, 30, RiichiOptions())
    assert name == limit
    assert worth(base, dealer=False, self_drawn=False) == worth(base, dealer=False, self_drawn=True) == others
    assert worth(base, dealer=True, self_drawn=False) == worth(base, dealer=True, self_drawn=True) == dealer


def test_every_payment_below_the_limit():
    """The whole table of fu and han, each payment rounded by itself (decision 10)."""
    for han in range(1, 5):
        for fu in (20, 25, *range(30, 120, 10)):
            base = min(2000, fu * 2 ** (2 + han))
            assert base_of(han, fu, RiichiOptions())[0] == base
            for dealer in (False, True):
                parts = [base * 2] * 3 if dealer else [base * 2, base, base]
                assert worth(base, dealer=dealer, self_drawn=True) == sum(-(-p // 100) * 100 for p in parts)


def test_the_highest_payment_is_taken_then_han_then_fu():
    """Seven pairs of 2 han 25 fu pay less than the same tiles as iipeiko would at 40 fu: ranked by base."""
    sevens = hand("112233m99p55s77z8s", "8s")
    assert yaku(sevens) == {"chiitoitsu": 2}  # no other reading
    both = hand("112233m445566p9s", "9s")
    assert yaku(both) == {"ryanpeiko": 3}
    response = scored(hand("111222333m456p9s", "9s"), **DRAWN)
    assert elements(response) == {"sanankou": 2, "menzen_tsumo": 1}
    assert response["total"]["fu"] == 40


@pytest.mark.parametrize(
    ("tiles", "won"),
    [
        (hand("123456789m444z1m", "1m"), ["1m", "1m"]),  # 40 fu as pair wait is 20+10+8+2, as two-sided wait 20+10+8
        (hand("123456789m444z9m", "9m"), ["9m", "9m"]),
    ],
)
def test_of_readings_with_equal_fu_the_one_with_more_before_rounding_is_told(tiles, won):
    response = scored(tiles, riichi=True)
    assert [u["tiles"] for u in response["arrangement"] if u["completed_by_winning_tile"]] == [won]
    assert "2 pair wait = 40." in " ".join(response["explanation"])


@pytest.mark.parametrize(
    ("tiles", "won", "others"),
    [
        (hand("34534m456p456s77z", "0m"), ["3m", "4m", "0m"], ["3m", "4m", "5m"]),
        (hand("34034m456p456s77z", "5m"), ["3m", "4m", "5m"], ["3m", "4m", "0m"]),
        (hand("067m234p234s34m55m", "5m"), ["3m", "4m", "5m"], ["0m", "6m", "7m"]),
        (hand("05m678m234p234s88s", "5m"), ["5m", "0m", "5m"], ["6m", "7m", "8m"]),
    ],
)
def test_the_winning_tile_lies_in_the_set_it_completed_and_red_fives_where_they_were(tiles, won, others):
    units = scored(tiles, riichi=True, options={"aka": 4})["arrangement"]
    assert [u["tiles"] for u in units if u["completed_by_winning_tile"]] == [won]
    assert others in [u["tiles"] for u in units if not u["completed_by_winning_tile"]]
    laid = sorted(t for u in units for t in u["tiles"])
    assert laid == sorted(t.code for t in parse_tiles(f"{tiles[0]} {tiles[1]}"))


def test_the_answer_in_full():
    response = scored(SIMPLE, riichi=True, source="E", dora_indicators="1m", counters=1, riichi_sticks=1)
    assert response["total"] == {
        "unit": "han",
        "value": 4,
        "uncapped": 4,
        "limit": None,
        "fu": 30,
        "points": 7700,  # neither the counter nor the stick
    }
    assert response["payments"] == {"E": -8000, "S": 9000, "W": 0, "N": 0, "pot": -1000}
    assert response["explanation"] == [
        "Read as 234m 567m 345p 678s 88p, won with 8s.",
        "Riichi 立直: 1 han - riichi was declared.",
        "All simples 断么九: 1 han - only 2 to 8.",
        "No-points hand 平和: 1 han - four sequences, a worthless pair, a two-sided wait.",
        "Dora ドラ: 1 han - tiles that a dora indicator points to: 1 x 2m (shown by 1m).",
        "Fu: 20 base + 10 concealed hand won by another's tile = 30.",
        "4 han 30 fu: base 30 x 2^(2 + 4) = 1920.",
        "E pays S 7700: 4 x base 1920 = 7680, rounded up.",
        "E pays S 300: counters: 1.",
        "pot pays S 1000: riichi sticks: 1.",
    ]


def test_elements_are_listed_once_with_both_names():
    ids = [e.id for e in ALL]
    assert len(ids) == len(set(ids)) == 30 + 3 + 2 + 15
    assert all(e.name and e.native and e.value and e.condition and e.group for e in ALL)


def test_the_sequences_that_are_remembered_are_bounded(monkeypatch):
    monkeypatch.setattr(Sequences, "most", 3)
    table = Sequences()
    for low in range(7):
        made = table[0, 9 + low, 18 + low, low]
        assert made.three == (low, 9 + low, 18 + low) and made.three_id == "sanshoku_doujun"
        assert made.twins == ((0, 0) if not low else ()) and made.outer is (low in (0, 6))
        assert table[1, 12] is None
        assert len(table) <= 3
