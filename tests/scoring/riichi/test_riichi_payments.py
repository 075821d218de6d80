"""Riichi: who pays whom: liability, drawn hands, false wins."""

from functools import partial

import pytest

from scoring.errors import InvalidRequest
from scoring.rules.riichi import RiichiOptions, chombo, nagashi_mangan, noten_payments
from scoring.seats import SEATS
from tests.scoring import asking
from tests.scoring.asking import hand

scored = partial(asking.scored, "riichi")
E, S, W, N = SEATS
DRAWN = {"win": "self_draw"}


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
    assert four(chombo(S, RiichiOptions(chombo_points=12_000))) == (4000, -12_000, 4000, 4000, 0)
    assert four(chombo(E, RiichiOptions(chombo_points=10_000))) == (-10_200, 3400, 3400, 3400, 0)
