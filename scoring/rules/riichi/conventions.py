"""Riichi around the hand: drawn hands, nagashi mangan and false wins, rotation, sticks, the course of a game."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from scoring.errors import InvalidRequest
from scoring.payments import NO_PAYMENTS, Payments, Transfer, merge_payments
from scoring.rulebook.conventions import GameConventions, PlayRules, Rotation
from scoring.rules.riichi.options import RiichiOptions
from scoring.rules.riichi.payments import MANGAN_BASE, round_up_to_hundreds, self_draw_transfers
from scoring.seats import SEATS, Seat

_WINNERS: Final = {"all": 3, "two": 2, "three_draw": 2, "nearest": 1}


def _false_win(offender: Seat, options: RiichiOptions) -> Payments:
    return NO_PAYMENTS if options.chombo == "after_placing" else chombo(offender, options)


def _play(options: RiichiOptions) -> PlayRules:
    after_placing = options.chombo_points or CHOMBO_AFTER_PLACING_POINTS
    three_draw = options.winners == "three_draw" and options.players == 4  # of three only two can win on one tile
    return PlayRules(
        winners=min(_WINNERS[options.winners], options.players - 1),
        three_draw=three_draw,
        each_takes=options.counters_and_sticks == "each",
        nagashi=options.nagashi,
        abortive_draws=options.abortive_draws or three_draw,
        after_placing=after_placing if options.chombo == "after_placing" else 0,
    )


CONVENTIONS: Final = GameConventions(
    rotation=Rotation.RIICHI,
    sticks=True,
    false_win=_false_win,
    play=_play,
    play_options=(
        "players",
        "winners",
        "counters_and_sticks",
        "counter_points",
        "chombo",
        "chombo_points",
        "nagashi",
        "abortive_draws",
        "noten_3000",
    ),
    points=25_000,
    points_of_three=35_000,
    # East and south are played (hanchan); who is below zero ends the game; a last dealer who leads need not go on.
    course={"rounds": 2, "out_of_points": "ends_below_zero", "dealer_ends": "win", "ties": "seat"},
)


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
