"""Payments without a winning hand: drawn hands, nagashi mangan, chombo."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from scoring.errors import InvalidRequest
from scoring.payments import Payments, Transfer, merge_payments
from scoring.rules.riichi.payments.ladder import MANGAN_BASE, round_up_to_hundreds
from scoring.seats import SEATS, Seat

NOTEN_POINTS: Final = 3000
"""What the players who wait for nothing pay together at an exhaustive draw."""
CHOMBO_AFTER_PLACING_POINTS: Final = 20_000
"""What a false win costs where it is taken off after the placing."""


def noten_payments(tenpai: Iterable[Seat]) -> Payments:
    """An exhaustive draw: the players not in tenpai pay 3000 in all to those who are.

    Args:
        tenpai: the seats one tile away from a win; none or all four: nothing is paid.

    Raises:
        InvalidRequest: a seat named twice.
    """
    named = list(tenpai)
    ready = [s for s in SEATS if s in named]
    if len(ready) != len(named):
        raise InvalidRequest("Name each tenpai seat once.", code="bad_value", field="tenpai")
    others = [s for s in SEATS if s not in ready]
    if not ready or not others:
        return Payments()
    share = NOTEN_POINTS // (len(ready) * len(others))
    return Payments(tuple(Transfer(payer, payee, share, "noten") for payer in others for payee in ready))


def nagashi_mangan(*winners: Seat) -> Payments:
    """Nagashi mangan: paid like a self-drawn mangan, in place of the noten payments, without counters and sticks.

    Args:
        winners: the seats whose discards were all terminals and honours and never claimed.
    """
    return merge_payments(_mangan_payments(seat, winning=True) for seat in dict.fromkeys(winners))


def chombo(offender: Seat, points: int | None = None) -> Payments:
    """A penalty for a false win: a self-drawn mangan the other way round, without counters.

    Args:
        offender: who pays. points: what he pays instead, in equal parts, each rounded up to hundreds.
    """
    if points is None:
        return _mangan_payments(offender, winning=False)
    others = [s for s in SEATS if s is not offender]
    share = round_up_to_hundreds(-(-points // len(others)))
    return Payments(tuple(Transfer(offender, other, share, "chombo") for other in others))


def _mangan_payments(seat: Seat, *, winning: bool) -> Payments:
    why = "nagashi mangan" if winning else "chombo"
    transfers = []
    for other in (s for s in SEATS if s is not seat):
        amount = MANGAN_BASE * (2 if Seat.E in (seat, other) else 1)
        payer, payee = (other, seat) if winning else (seat, other)
        transfers.append(Transfer(payer, payee, amount, why))
    return Payments(tuple(transfers))
