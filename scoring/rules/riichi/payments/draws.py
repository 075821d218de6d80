"""Payments without a winning hand: drawn hands, nagashi mangan, chombo."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from scoring.errors import InvalidRequest
from scoring.payments import Payments, Transfer, merge_payments
from scoring.rules.riichi.options import RiichiOptions
from scoring.rules.riichi.payments.ladder import MANGAN_BASE, round_up_to_hundreds
from scoring.rules.riichi.payments.settle import self_draw_transfers
from scoring.seats import SEATS, Seat

_USUAL: Final = RiichiOptions()
CHOMBO_AFTER_PLACING_POINTS: Final = 20_000
"""What a false win costs where it is taken off after the placing."""


def noten_payments(tenpai: Iterable[Seat], options: RiichiOptions = _USUAL) -> Payments:
    """An exhaustive draw: the players not in tenpai pay 3000 in all to those who are; with three, usually 2000.

    If nobody or everybody is in tenpai, nothing is paid.

    Raises:
        InvalidRequest: a seat named twice.
    """
    named = list(tenpai)
    ready = [s for s in SEATS if s in named]
    if len(ready) != len(named):
        raise InvalidRequest("Name each tenpai seat once.", code="bad_value", field="tenpai")
    others = [s for s in SEATS[: options.players] if s not in ready]
    if not ready or not others:
        return Payments()
    total = 3000 if options.players == 4 or options.noten_3000 else 2000
    share = total // (len(ready) * len(others))
    return Payments(tuple(Transfer(payer, payee, share, "noten") for payer in others for payee in ready))


def nagashi_mangan(*winners: Seat, options: RiichiOptions = _USUAL) -> Payments:
    """Nagashi mangan: paid like a self-drawn mangan, in place of the noten payments, without counters and sticks.

    The winners' discards were all terminals and honours and never claimed.
    """
    drawn = (self_draw_transfers(seat, MANGAN_BASE, options) for seat in dict.fromkeys(winners))
    return merge_payments(Payments(tuple(t._replace(why="nagashi mangan") for t in transfers)) for transfers in drawn)


def chombo(offender: Seat, options: RiichiOptions = _USUAL) -> Payments:
    """A penalty for a false win: a self-drawn mangan the other way round, without counters.

    By ``chombo_points`` the offender pays so much in equal parts, each rounded up to hundreds.
    """
    drawn = self_draw_transfers(offender, MANGAN_BASE, options)
    due = {t.payer: t.amount for t in drawn}
    if options.chombo_points is not None:
        due = dict.fromkeys(due, round_up_to_hundreds(-(-options.chombo_points // len(due))))
    return Payments(tuple(Transfer(offender, other, amount, "chombo") for other, amount in due.items()))
