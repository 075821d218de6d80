"""Riichi around the hand: rotation, sticks, false wins, the course of a game."""

from __future__ import annotations

from typing import Final

from scoring.payments import NO_PAYMENTS, Payments
from scoring.rulebook.conventions import GameConventions, PlayRules, Rotation
from scoring.rules.riichi.options import RiichiOptions
from scoring.rules.riichi.payments.draws import CHOMBO_AFTER_PLACING_POINTS, chombo
from scoring.seats import Seat


def _false_win(offender: Seat, options: RiichiOptions) -> Payments:
    return chombo(offender) if options.chombo == "mangan" else NO_PAYMENTS


def _play(options: RiichiOptions) -> PlayRules:
    return PlayRules(
        winners=1 if options.winners == "nearest" else 3,
        each_takes=options.counters_and_sticks == "each",
        nagashi=options.nagashi,
        abortive_draws=options.abortive_draws,
        after_placing=CHOMBO_AFTER_PLACING_POINTS if options.chombo == "after_placing" else 0,
    )


CONVENTIONS: Final = GameConventions(
    rotation=Rotation.RIICHI,
    sticks=True,
    false_win=_false_win,
    play=_play,
    points=25_000,
    # East and south are played (hanchan); who is below zero ends the game; a last dealer who leads need not go on.
    course={"rounds": 2, "out_of_points": "ends_below_zero", "dealer_ends": "win", "ties": "seat"},
)
