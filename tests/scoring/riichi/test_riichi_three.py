"""Riichi for three: tiles, seats, norths set aside, payments; worked by hand from the sources that each test names."""

import pytest

from scoring.options import options_of
from scoring.request import respond
from scoring.rules.riichi import RiichiOptions, chombo, nagashi_mangan, noten_payments
from scoring.rules.riichi.conventions import CONVENTIONS
from scoring.seats import Seat
from tests.scoring import asking
from tests.scoring.asking import elements, hand

E, S, W, N = Seat
DRAWN = {"win": "self_draw"}
PINFU = hand("234p567p345s67s88p", "8s")
NORTHS = hand("444z345s67s88p", "8s", "pung 999m W")


def scored(tiles, options=(), **how):
    return asking.scored("riichi", tiles, options={"players": 3, **dict(options)}, **how)


def faults(tiles, options=(), **how):
    return asking.faults("riichi", tiles, options={"players": 3, **dict(options)}, **how)


def paid(payments):
    """E, S, W, pot; north gets and pays nothing."""
    net = payments if isinstance(payments, dict) else payments.net
    assert net["N"] == 0
    return net["E"], net["S"], net["W"], net["pot"]


def three(**options):
    return options_of(RiichiOptions, {"players": 3, **options}, "Riichi")


@pytest.mark.parametrize(
    ("how", "options", "expected"),
    [
        # Tsumo loss: what everybody pays is what it is with four (sanma-senmongakkou, xn--ehqsqk89oqxg.com: tsumoson).
        ({"seat": "S", "value": (5, None)}, {}, (-4000, 6000, -2000, 0)),
        ({"seat": "E", "value": (3, 30)}, {}, (4000, -2000, -2000, 0)),
        ({"seat": "S", "value": (3, 30)}, {}, (-2000, 3000, -1000, 0)),
        # North's share halved: mangan 5000 and 3000 (mahjongcollege.com), 1000/2000 becomes 1500/2500 (marudori).
        ({"seat": "S", "value": (5, None)}, {"tsumo_loss": False}, (-5000, 8000, -3000, 0)),
        ({"seat": "S", "value": (3, 30)}, {"tsumo_loss": False}, (-2500, 4000, -1500, 0)),
        ({"seat": "E", "value": (5, None)}, {"tsumo_loss": False}, (12000, -6000, -6000, 0)),
        ({"seat": "S", "value": (1, 30)}, {"tsumo_loss": False}, (-700, 1200, -500, 0)),  # 650 and 450, rounded up
        # A counter: 100 from each, 200 from a discarder (Akagi, pull request 115, held against a game's record).
        ({"seat": "S", "value": (5, None), "counters": 2}, {}, (-4200, 6400, -2200, 0)),
        ({"seat": "S", "value": (4, 30), "source": "W", "counters": 1}, {}, (0, 7900, -7900, 0)),
        ({"seat": "S", "value": (4, 30), "source": "W", "counters": 1}, {"counter_points": 1500}, (0, 8700, -8700, 0)),
        ({"seat": "W", "value": (5, None), "wareme": "S"}, {}, (-4000, -4000, 8000, 0)),
    ],
)
def test_payments(how, options, expected):
    (value, fu), seat, source = how["value"], how["seat"], how.get("source")
    context = {k: v for k, v in how.items() if k in ("counters", "wareme")}
    context |= {"seat": seat, "win": "discard" if source else "self_draw", "from": source}
    result = {"value": value} | ({"fu": fu} if fu else {})
    request = {"rules": "riichi", "options": {"players": 3, **options}, "result": result, "context": context}
    response = respond(request)
    assert paid(response["payments"]) == expected
    if not context.get("counters") and not context.get("wareme"):
        assert response["total"]["points"] == max(expected)


def test_norths_set_aside():
    """Eight han with two of them (Akagi, issue 116); a west indicator makes each count once more (riichi.wiki)."""
    dora = {"dora_indicators": ["8p"], "riichi": True}
    tiles = hand("340p567p345s67s99p", "8s")
    found = scored(tiles, bonus="44z", **DRAWN, **dora)
    assert elements(found) == {"riichi": 1, "menzen_tsumo": 1, "pinfu": 1, "dora": 2, "aka_dora": 1, "kita": 2}
    assert (found["total"]["value"], found["total"]["limit"]) == (8, "baiman")
    assert elements(scored(PINFU, bonus="444z", dora_indicators=["3z"]))["dora"] == 3
    assert elements(scored(PINFU, bonus="4z"))["tanyao"] == 1  # it is not part of the hand
    assert scored(hand("99m345s67s888p", "8s", "pung 999p W"), bonus="4444z")["reason"]["code"] == "no_yaku"


def test_the_replacement_of_a_north_is_rinshan():
    """riichi.wiki, Sanma; a house rule, as riichi_advanced tells the contrary."""
    assert elements(scored(PINFU, bonus="4z", replacement=True, **DRAWN))["rinshan"] == 1
    assert "not rinshan" in faults(PINFU, {"kita_rinshan": False}, bonus="4z", replacement=True, **DRAWN)
    assert "needs a kan" in faults(PINFU, replacement=True, **DRAWN)


def test_norths_in_the_hand():
    """A guest wind on Mahjong Soul (mahjong-portal.com); a value where the house says so."""
    assert scored(NORTHS)["reason"]["code"] == "no_yaku"
    assert elements(scored(NORTHS, {"north_value": True})) == {"north": 1}
    pair = hand("234p567p345s67s44z", "8s")
    assert "pinfu" in elements(scored(pair))
    fu = scored(pair, {"north_value": True}, riichi=True)["total"]["fu"]
    assert fu == 40  # 20 + 10 + 2
    assert scored(pair, {"north_value": True})["reason"]["code"] == "no_yaku"


def test_the_suit_of_ones_and_nines():
    assert elements(scored(hand("111p99m345s67s888p", "8s"), riichi=True, dora_indicators=["1m"]))["dora"] == 2
    assert elements(scored(hand("111m99p345s67s888p", "8s"), riichi=True, dora_indicators=["9m"]))["dora"] == 3


@pytest.mark.parametrize(
    ("tiles", "how", "wrong"),
    [
        (hand("234m567p345s67s88p", "8s"), {}, "234m: three players play without 2m to 8m"),
        (hand("99m345s67s88p", "8s", "pung 555m W"), {}, "555m: three players"),
        (hand("999m345s678s88p5m", "5m"), {}, "5m: three players"),
        (PINFU, {"dora_indicators": ["5m"]}, "5m: three players"),
        (hand("345s567p67s88p", "8s", "chow 234p W"), {}, "call no chows"),
        (hand("345s567p67s88p", "8s", "pung 111z N"), {}, "there is no N"),
        (PINFU, {"seat": "N"}, "there is no N"),
        (PINFU, {"source": "N"}, "there is no N"),
        (PINFU, {"round": "N"}, "there is no N"),
        (PINFU, {"wareme": "N"}, "there is no N"),
        (PINFU, {"bonus": "44444z"}, "5 of 4z"),
        (PINFU, {"bonus": "4444z", "dora_indicators": ["4z"]}, "5 of 4z"),
        (PINFU, {"bonus": "f1"}, "does not use f1"),
        (PINFU, {"bonus": "3z"}, "3z is not a bonus tile"),
        (PINFU, {"bonus": "4z", "options": {"kita": False}}, "4z is not a bonus tile"),
        (PINFU, {"bonus": "4z", "earthly": True, **DRAWN}, "ends the first turn"),
    ],
)
def test_what_three_players_do_not_have(tiles, how, wrong):
    assert wrong in faults(tiles, **how)


def test_four_players_set_no_norths_aside():
    assert "4z is not a bonus tile" in asking.faults("riichi", PINFU, bonus="4z")
    assert "4z is not a bonus tile" in asking.faults("hongkong", PINFU, bonus="4z")


def test_only_two_can_have_discarded():
    request = asking.ask("riichi", PINFU, options={"players": 3})
    del request["context"]["from"]
    assert respond(request)["payments_if_from"].keys() == {"E", "W"}


@pytest.mark.parametrize(
    ("tenpai", "options", "expected"),
    [
        ((S,), {}, (-1000, 2000, -1000, 0)),  # 2000 in all (mahjong-echoes, majan-queen; RiichiEnv for both platforms)
        ((S, W), {}, (-2000, 1000, 1000, 0)),
        ((E, S, W), {}, (0, 0, 0, 0)),
        ((S,), {"noten_3000": True}, (-1500, 3000, -1500, 0)),  # Konami's Mahjong Fight Club
        ((S, W), {"noten_3000": True}, (-3000, 1500, 1500, 0)),
    ],
)
def test_noten_payments(tenpai, options, expected):
    assert paid(noten_payments(tenpai, three(**options))) == expected


def test_mangans_without_a_hand():
    assert paid(nagashi_mangan(S, options=three())) == (-4000, 6000, -2000, 0)
    assert paid(chombo(E, three())) == (-8000, 4000, 4000, 0)
    assert paid(chombo(S, three())) == (4000, -6000, 2000, 0)
    assert paid(chombo(S, three(tsumo_loss=False))) == (5000, -8000, 3000, 0)


def test_who_robs_a_kan_of_norths_has_set_none_aside():
    """All four are in the kan; one that is itself set aside is no kan's."""
    tiles = hand("119m19p19s123567z", "4z")
    assert "cannot hold another 4z" in faults(tiles, bonus="4z", win="robbed_kong")
    assert scored(tiles, bonus="4z", win="discard")["legal"]


@pytest.mark.parametrize(
    ("options", "how", "points", "expected"),
    [
        ({}, DRAWN, 24_000, (0, 24_000, -24_000, 0)),
        ({}, {**DRAWN, "counters": 2}, 24_000, (0, 24_400, -24_400, 0)),
        ({}, {**DRAWN, "seat": "E"}, 32_000, (32_000, 0, -32_000, 0)),
        ({}, {"source": "E"}, 32_000, (-16_000, 32_000, -16_000, 0)),
        ({"tsumo_loss": False}, DRAWN, 32_000, (0, 32_000, -32_000, 0)),
    ],
)
def test_liability(options, how, points, expected):
    """The liable player pays a self-draw in place of both, without north's share (RiichiEnv, its state of three)."""
    melds = ("pung 555z", "pung 666z", "pung 777z")
    liable = {"liable": {"seat": "W", "kind": "daisangen"}}
    answer = scored(hand("99p45s", "6s", *melds), options, **how, **liable)
    assert (answer["total"]["points"], paid(answer["payments"])) == (points, expected)


def test_liability_beside_another_yakuman():
    """Honours beside it are shared; north is nobody's seat."""
    melds = ("pung 555z", "pung 666z", "pung 777z")
    liable = {"liable": {"seat": "W", "kind": "daisangen"}}
    both = scored(hand("111z2z", "2z", *melds), **DRAWN, **liable)
    assert (both["total"]["points"], paid(both["payments"])) == (48_000, (-16_000, 48_000, -32_000, 0))
    assert "there is no N" in faults(hand("99p45s", "6s", *melds), liable={"seat": "N", "kind": "daisangen"})


def test_of_three_no_three_can_win_on_one_tile():
    """Where three winners draw the hand, that alone allows no early draw to three players."""
    play = CONVENTIONS.play(three(winners="three_draw", abortive_draws=False))
    assert (play.winners, play.three_draw, play.abortive_draws) == (2, False, False)
