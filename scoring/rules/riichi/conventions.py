"""Riichi around the hand: rotation, sticks, false wins, the course of a game."""

from __future__ import annotations

from typing import Final

from scoring.payments import NO_PAYMENTS, Payments
from scoring.rulebook.conventions import GameConventions, PlayRules, Rotation
from scoring.rules.riichi.options import RiichiOptions
from scoring.rules.riichi.payments.draws import CHOMBO_AFTER_PLACING_POINTS, chombo
from scoring.seats import Seat

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
