"""Riichi: who pays whom: liability, several winners, drawn hands, false wins."""

from functools import partial

import pytest

from scoring.errors import InvalidRequest
from scoring.payments import merge_payments
from scoring.request import parse_request
from scoring.rules.riichi import chombo, multiple_ron, nagashi_mangan, noten_payments
from scoring.seats import SEATS
from tests.scoring import asking
from tests.scoring.asking import hand

scored = partial(asking.scored, "riichi")
E, S, W, N = SEATS
DRAWN = {"win": "self_draw"}
PINFU = hand("123m456m789p23s55p", "4s")  # 1 han 30 fu: 1000


def paid(tiles, **how):
    """E, S, W, N, pot."""
    return tuple(scored(tiles, **how)["payments"].values())


# --- liability ---

DRAGONS = ("pung 555z", "pung 666z", "pung 777z")
BOTH = hand("111z2z", "2z", *DRAGONS)  # big dragons and all honours


def pao(tiles, liable, kind, **how):
    return paid(tiles, liable={"seat": liable, "kind": kind}, **how)


@pytest.mark.parametrize(
    ("how", "expected"),
    [
        (DRAWN, (-16000, 64000, -8000, -40000, 0)),  # 32000 for the dragons, and his part of the honours
        ({**DRAWN, "counters": 1}, (-16000, 64300, -8000, -40300, 0)),
        ({"source": "W"}, (0, 64000, -48000, -16000, 0)),  # W: half of the dragons, all of the honours
        ({"source": "N"}, (0, 64000, 0, -64000, 0)),
    ],
)
def test_liable_for_one_of_two_yakuman(how, expected):
    assert pao(BOTH, "N", "daisangen", **how) == expected


# --- several winners on one discard ---


def claim(tiles, seat, **how):
    """Hand and context of a winner on a discard of south."""
    request = parse_request(asking.ask("riichi", tiles, **({"seat": seat, "source": "S"} | how)))
    return request.case.hand, request.case.context


ON_4S = hand("345s66m23s", "4s", "chow 234m", "chow 567p")
OTHER = hand("99m456p35s", "4s", "pung 555z", "chow 789p")


def test_counters_and_sticks_go_to_the_first_winner_after_the_discarder():
    shared = {"counters": 2, "riichi_sticks": 1}
    claims = [claim(PINFU, "E", **shared), claim(OTHER, "N", **shared), claim(PINFU, "W", **shared)]
    scores = multiple_ron(claims)
    assert [s.context.seat for s in scores] == [W, N, E]
    assert [s.payments.net[s.context.seat] for s in scores] == [1000 + 600 + 1000, 1000, 1500]
    net = merge_payments(s.payments for s in scores).net
    assert net == {"E": 1500, "S": -1000 - 600 - 1000 - 1500, "W": 2600, "N": 1000, "pot": -1000}
    assert scores[1].context.counters == scores[2].context.riichi_sticks == 0


def test_a_winner_without_a_yaku_gives_counters_and_sticks_to_the_next():
    shared = {"counters": 1, "riichi_sticks": 2}
    no_yaku = hand("99m456p35s", "4s", "chow 123s", "chow 789p")
    scores = multiple_ron([claim(no_yaku, "W", **shared), claim(PINFU, "N", **shared)])
    assert [s.legal for s in scores] == [False, True]
    assert scores[1].payments.net == {"E": 0, "S": -1300, "W": 0, "N": 3300, "pot": -2000}


def test_several_winners_under_house_rules():
    scores = multiple_ron([claim(ON_4S, "W"), claim(PINFU, "N")], {"kuitan": False})
    assert [s.legal for s in scores] == [False, True]
    riichi = {"riichi": True, "ura_indicators": "1z"}
    assert all(s.legal for s in multiple_ron([claim(PINFU, "W", **riichi), claim(OTHER, "E")]))  # only one sees ura
    robbed = {"win": "robbed_kong"}
    edge = hand("99m456p35s", "4s", "pung 555z", "chow 789p")
    assert all(s.legal for s in multiple_ron([claim(edge, "W", **robbed), claim(PINFU, "E", **robbed)]))


@pytest.mark.parametrize(
    ("claims", "words"),
    [
        ([], "at least one winner"),
        ([claim(PINFU, "W"), claim(OTHER, "W")], "a different seat"),
        ([claim(PINFU, "W"), claim(OTHER, "E", source="N")], "agree on from"),
        ([claim(PINFU, "W"), claim(OTHER, "E", counters=1)], "agree on counters"),
        ([claim(PINFU, "W"), claim(OTHER, "E", riichi_sticks=1)], "agree on riichi_sticks"),
        ([claim(PINFU, "W"), claim(OTHER, "E", wareme="N")], "agree on wareme"),
        ([claim(PINFU, "W"), claim(OTHER, "E", round="S")], "agree on round"),
        ([claim(PINFU, "W"), claim(OTHER, "E", dora_indicators="1m")], "agree on dora_indicators"),
        ([claim(PINFU, "W"), claim(OTHER, "E", last_tile=True)], "agree on last_tile"),
        ([claim(PINFU, "W"), claim(OTHER, "E", win="robbed_kong")], "agree on win"),
        (
            [
                claim(PINFU, "W", riichi=True, ura_indicators="1z"),
                claim(PINFU, "E", double_riichi=True, ura_indicators="2z"),
            ],
            "in riichi agree on ura_indicators",
        ),
        ([claim(PINFU, "W"), claim(hand("99m456p23s", "1s", "pung 555z", "chow 789p"), "E")], "with the same tile"),
        ([claim(PINFU, "W", **DRAWN)], "need a discarder"),
    ],
)
def test_winners_who_contradict_each_other(claims, words):
    with pytest.raises(InvalidRequest, match=words):
        multiple_ron(claims)


def test_contradictions_of_winners_are_named_at_once():
    with pytest.raises(InvalidRequest) as caught:
        multiple_ron([claim(PINFU, "W"), claim(OTHER, "W", counters=1, round="S")])
    assert len(caught.value.faults) == 3


# --- hands without a winner ---


def four(payments):
    return tuple(payments.net.values())


@pytest.mark.parametrize(
    ("tenpai", "expected"),
    [
        ((E, S), (1500, 1500, -1500, -1500, 0)),
        ((N,), (-1000, -1000, -1000, 3000, 0)),
        ((W, E, S), (1000, 1000, 1000, -3000, 0)),
        ((), (0, 0, 0, 0, 0)),
        (SEATS, (0, 0, 0, 0, 0)),
    ],
)
def test_noten_payments(tenpai, expected):
    assert four(noten_payments(tenpai)) == expected


def test_a_seat_is_in_tenpai_once():
    with pytest.raises(InvalidRequest, match="once"):
        noten_payments([E, E])
    assert four(noten_payments(s for s in (E, W))) == (1500, -1500, 1500, -1500, 0)


def test_nagashi_mangan():
    assert four(nagashi_mangan(W)) == (-4000, -2000, 8000, -2000, 0)
    assert four(nagashi_mangan(E)) == (12000, -4000, -4000, -4000, 0)
    assert four(nagashi_mangan(E, W)) == (8000, -6000, 4000, -6000, 0)
    assert four(nagashi_mangan()) == (0, 0, 0, 0, 0)


def test_chombo():
    assert four(chombo(E)) == (-12000, 4000, 4000, 4000, 0)
    assert four(chombo(S)) == (4000, -8000, 2000, 2000, 0)
