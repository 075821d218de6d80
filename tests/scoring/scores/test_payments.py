"""Transfers: zero in all, exact amounts, and one player who pays for all."""

import pickle
from decimal import Decimal, Inexact

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.context import Context, Win
from scoring.payments import (
    NO_PAYMENTS,
    POT,
    Payments,
    Transfer,
    cap_payments,
    losers_pay,
    merge_payments,
    plain_amount,
)
from scoring.seats import SEATS, Seat

E, S, W, N = SEATS
ACCOUNTS = st.sampled_from([*SEATS, POT])
AMOUNTS = st.integers(0, 10**12) | st.decimals(0, 10**6, places=3)


def test_net_amounts():
    paid = Payments((Transfer(E, S, 300, "a"), Transfer(W, S, 200, "b"), Transfer(POT, S, 1000, "sticks")))
    assert paid.net == {"E": -300, "S": 1500, "W": -200, "N": 0, "pot": -1000}
    assert list(paid.to_json()) == ["E", "S", "W", "N", "pot"]
    assert all(type(account) is str for account in paid.net)
    assert str(paid.transfers[0]) == "E pays S 300: a"
    assert NO_PAYMENTS.net == dict.fromkeys(("E", "S", "W", "N", "pot"), 0)
    assert pickle.loads(pickle.dumps(paid)) == paid


@pytest.mark.parametrize(
    "transfer", [Transfer(E, E, 100, ""), Transfer(E, "E", 100, ""), Transfer(E, S, -1, ""), Transfer(POT, POT, 0, "")]
)
def test_what_is_no_transfer(transfer):
    with pytest.raises(ValueError, match="no transfer"):
        Payments((Transfer(E, S, 100, ""), transfer))


@given(st.lists(st.tuples(ACCOUNTS, ACCOUNTS, AMOUNTS), max_size=12))
def test_payments_sum_to_zero(moves):
    paid = Payments(tuple(Transfer(a, b, amount, "") for a, b, amount in moves if a != b))
    assert sum(paid.net.values()) == 0
    assert merge_payments([paid, paid]).net == {account: 2 * amount for account, amount in paid.net.items()}


def test_fractions_stay_exact():
    tenth = Payments((Transfer(E, S, Decimal("0.1"), ""),))
    assert merge_payments([tenth] * 3).to_json() == {"E": "-0.3", "S": "0.3", "W": 0, "N": 0, "pot": 0}
    large = Payments((Transfer(E, S, 10**40, ""), Transfer(W, S, Decimal("0.001"), "")))
    assert large.net["S"] == Decimal("1" + "0" * 40 + ".001")


@pytest.mark.parametrize(
    ("amount", "shown"),
    [
        (5, 5),
        (-5, -5),
        (Decimal("5.00"), 5),
        (Decimal("0.50"), "0.5"),
        (Decimal("-1.25"), "-1.25"),
        (Decimal("1e3"), 1000),
        (Decimal("1e-7"), "0.0000001"),
    ],
)
def test_amounts_for_json(amount, shown):
    assert plain_amount(amount) == shown
    assert type(plain_amount(amount)) is type(shown)


def test_what_is_due_first_is_paid_first_with_what_is_left():
    due = Payments((Transfer(E, S, 5, "a"), Transfer(E, W, 5, "b"), Transfer(E, N, 5, "c"), Transfer(N, S, 5, "d")))
    paid = cap_payments(due, {E: 7})
    assert [(t.payee, t.amount) for t in paid.transfers] == [(S, 5), (W, 2), (S, 5)]


def test_dues_may_not_be_rounded():
    third = Decimal(1)
    with pytest.raises(Inexact):
        losers_pay(Context(seat=Seat.S, win=Win.SELF_DRAW), lambda loser: (third / 3, ""))
