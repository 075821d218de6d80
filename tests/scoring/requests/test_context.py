"""Circumstances that contradict each other under every system, one by one, and seats."""

from dataclasses import fields

import pytest

from scoring.context import Context, Liable, Win, context_faults
from scoring.errors import InvalidRequest
from scoring.rules.hangzhou.context import HangzhouContext
from scoring.rules.riichi.context import RiichiContext
from scoring.rules.zungjung.context import ZungJungContext
from scoring.seats import DEALER, OTHERS, SEATS, Seat

E, S, W, N = SEATS
DRAWN = {"seat": S, "win": Win.SELF_DRAW}
DISCARD = {"seat": S, "win": Win.DISCARD, "source": W}
KINDS = (Context, HangzhouContext, RiichiContext, ZungJungContext)
ROBBED = {"seat": S, "win": Win.ROBBED_KONG, "source": W}


@pytest.mark.parametrize(
    ("values", "words", "field"),
    [
        (DISCARD | {"source": S}, "cannot come from the winner", "from"),
        (DRAWN | {"source": W}, "no discarder", "from"),
        (DISCARD | {"replacement": True}, "A replacement tile is drawn", "replacement"),
        (DISCARD | {"double_kong": True}, "double_kong is a replacement tile", "double_kong"),
        (DISCARD | {"heavenly": True}, "heavenly is a win on the deal", "heavenly"),
        (DRAWN | {"heavenly": True, "earthly": True}, "Only one of heavenly, earthly and humanly", "heavenly"),
        (DISCARD | {"earthly": True, "humanly": True}, "Only one of", "heavenly"),
        (DRAWN | {"heavenly": True, "last_tile": True}, "no replacement and no last tile", "heavenly"),
        (DRAWN | {"earthly": True, "replacement": True}, "no replacement and no last tile", "heavenly"),
        (DRAWN | {"humanly": True, "double_kong": True}, "no replacement and no last tile", "heavenly"),
        (ROBBED | {"last_tile": True}, "A robbed kong is neither", "win"),
        (ROBBED | {"earthly": True}, "A robbed kong is neither", "win"),
        (ROBBED | {"humanly": True}, "A robbed kong is neither", "win"),
        (DRAWN | {"liable": Liable(S, "other")}, "The winner cannot be liable", "liable"),
        (DRAWN | {"counters": -1}, "counters cannot be negative", "counters"),
        (DRAWN | {"riichi_sticks": -1}, "riichi_sticks cannot be negative", "riichi_sticks"),
        (DRAWN | {"floats": -1}, "floats cannot be negative", "floats"),
        (DRAWN | {"kong_streak": -2}, "kong_streak cannot be negative", "kong_streak"),
        (DRAWN | {"streak": 0}, "streak counts from 1, the dealer's first hand", "streak"),
    ],
)
def test_contradictions(values, words, field):
    kind = next(kind for kind in KINDS if set(values) <= {f.name for f in fields(kind)})
    with pytest.raises(InvalidRequest, match=words) as caught:
        kind(**values)
    assert {f.code for f in caught.value.faults} == {"contradiction"}
    assert f"context.{field}" in {f.field for f in caught.value.faults}
    assert [f.message for f in context_faults(kind.build_unchecked(**values))] == [
        f.message for f in caught.value.faults
    ]


def test_contradictions_are_named_at_once():
    with pytest.raises(InvalidRequest) as caught:
        HangzhouContext(
            seat=S, win=Win.ROBBED_KONG, source=S, heavenly=True, humanly=True, last_tile=True, streak=0, floats=-1
        )
    assert len(caught.value.faults) == 7


def test_defaults_are_the_same_checked_or_not():
    for kind in KINDS:
        assert kind.build_unchecked(**DRAWN) == kind(**DRAWN)
    assert Context(**DRAWN).round is E
    assert HangzhouContext(**DRAWN).fed == {}


def test_rules_see_their_own_fields_of_a_context():
    told = RiichiContext(**DISCARD, riichi=True, last_tile=True)
    assert told.convert_to(RiichiContext) is told
    assert told.convert_to(HangzhouContext) == HangzhouContext(**DISCARD, last_tile=True)
    assert Context(**DISCARD).convert_to(RiichiContext) == RiichiContext(**DISCARD)


def test_seats():
    assert DEALER is E
    assert [s.turn for s in SEATS] == [0, 1, 2, 3]
    assert [s.wind for s in SEATS] == [27, 28, 29, 30]
    assert [E.after(n) for n in (0, 1, 3, 4, -1)] == [E, S, N, E, N]
    assert OTHERS[W] == (N, E, S)
    assert Context(seat=N, win=Win.SELF_DRAW).losers == (E, S, W)
    assert N.nearest([S, E, W]) is E
    assert S.nearest([E, N]) is N
    assert Seat("W") is W
    with pytest.raises(ValueError, match="X"):
        Seat("X")
