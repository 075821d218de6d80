"""Decides whether a game is over after a hand, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Final

from hupai.games.confirmed import Confirmed, GameRules, GameState
from hupai.games.state import TableState
from scoring.seats import SEATS, Seat

ENDINGS: Final[Mapping[str, str]] = {
    "points": "a player has run out of points",
    "hands": "all the hands agreed on are played",
    "minutes": "the time agreed on is over",
    "rounds": "the last round is played",
    "extension": "the extension is played: somebody has the points for it, or its round is over",
    "dealer": "the last dealer leads and has ended it",
    "agreed": "the players have ended it",
}
"""Reason why a game is over -> description."""


def ending_reason(
    house: GameRules, standing: GameState, confirmed: Confirmed, after: TableState, points: Sequence[Decimal]
) -> str | None:
    """Return one of :data:`ENDINGS`, or None while the game goes on.

    Args:
        house: the game. standing: its state when the hand was dealt. confirmed: how the hand ended.
        after: the table after the hand. points: the players' totals after it, by number.
    """
    course = house.course
    low = min(points)
    if (course.out_of_points == "ends_below_zero" and low < 0) or (course.out_of_points == "ends_at_zero" and low <= 0):
        return "points"
    if not confirmed.dealt_out:
        return None
    if course.hands is not None and standing.hands + 1 >= course.hands:
        return "hands"
    if course.minutes is not None and standing.seconds >= 60 * course.minutes:
        return "minutes"
    if course.rounds is None or {"round", "dealer"} & confirmed.next_state.keys():
        return None  # whoever sets the next round or dealer thereby says that the game goes on
    return _end_after_rounds(house, course.rounds, standing.state, confirmed, after, points)


def _end_after_rounds(
    house: GameRules,
    rounds: int,
    before: TableState,
    confirmed: Confirmed,
    after: TableState,
    points: Sequence[Decimal],
) -> str | None:
    target = house.course.extension
    reached = target is None or max(points) >= target
    over = after.round is not before.round
    if before.round.turn >= rounds:
        return "extension" if over or reached else None
    if before.round is not SEATS[rounds - 1] or not reached:
        return None
    if over:
        return "rounds"
    return "dealer" if _dealer_ends(house, before, confirmed, after, points) else None


def _dealer_ends(
    house: GameRules, before: TableState, confirmed: Confirmed, after: TableState, points: Sequence[Decimal]
) -> bool:
    last = (before.dealer + 1) % before.players == house.first_dealer and after.dealer == before.dealer
    ready = confirmed.outcome == "draw" and Seat.E in confirmed.ready
    may = {"off": False, "win": confirmed.outcome == "win", "win_or_ready": confirmed.outcome == "win" or ready}
    return last and may[house.course.dealer_ends] and leads(house, before.dealer, points)


def leads(house: GameRules, player: int, points: Sequence[Decimal]) -> bool:
    """Whether nobody has more points; among equals, only if seats decide ties and this player comes first."""
    ahead = [n for n in range(len(points)) if n != player and points[n] >= points[player]]
    if house.course.ties == "share" or any(points[n] > points[player] for n in ahead):
        return not ahead
    turn = (player - house.first_dealer) % len(points)
    return all((n - house.first_dealer) % len(points) > turn for n in ahead)
