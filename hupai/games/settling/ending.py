"""The end of a game: whether it is over, and what it comes to: places, uma, oka, the pot that is left, money."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_FLOOR, Decimal
from typing import Any, Final

from hupai.games.terms.confirmed import Confirmed, GameRules, GameState
from hupai.games.terms.course import Course
from hupai.games.terms.state import TableState
from scoring.payments import POT, plain_amount
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


_LEAST: Final = Decimal("0.01")


@dataclass(frozen=True, slots=True)
class PlayerResult:
    """One player's share in the result of a game.

    Attributes:
        player: the number. place: from 1, the same for equal totals that share. points: the total, without ``sticks``.
        sticks, uma, oka, penalty: added at the end; the sticks, or the jackpot, that are left; a penalty, below zero,
            after the placing.
        score: everything above the return points. money: score times the rate.
    """

    player: int
    place: int
    points: Decimal
    sticks: Decimal
    uma: Decimal
    oka: Decimal
    penalty: Decimal
    score: Decimal
    money: Decimal

    def to_json(self) -> dict[str, Any]:
        """For the API; amounts are exact."""
        amounts = ("points", "sticks", "uma", "oka", "penalty", "score", "money")
        return {"player": self.player, "place": self.place, **{n: plain_amount(getattr(self, n)) for n in amounts}}


def final_result(
    house: GameRules, totals: Mapping[str, Decimal], fines: Sequence[int] = ()
) -> tuple[PlayerResult, ...]:
    """Return each player's share if the game ends now, by player number.

    The scores sum to zero, except for penalties and for sticks that lay there before the first hand or belong to
    nobody at the end.
    Shares are exact to the hundredth; an indivisible rest goes to the first of the sharers after the first dealer.

    Args:
        house: the game. totals: by account, at present. fines: what each loses after the placing, by
            number; empty: nothing.
    """
    course, start = house.course, house.starting_points
    zero = start if course.return_points is None else course.return_points
    sticks = totals[POT] if course.sticks_left == "first" else Decimal(0)
    points = [totals[str(n)] for n in range(house.players)]
    prizes: Mapping[str, Sequence[Decimal]] = {
        "sticks": (sticks,),
        "uma": _uma_of(course, [amount >= zero for amount in points]),
        "oka": (len(points) * (zero - start),),
    }
    found: dict[int, PlayerResult] = {}
    first = 0
    for tied in _tied_groups(house, points):
        last = first + len(tied)
        cut = {name: _share(sum(prize[first:last], Decimal(0)), len(tied)) for name, prize in prizes.items()}
        for i, player in enumerate(tied):
            extra = {name: amounts[i] for name, amounts in cut.items()}
            extra["penalty"] = Decimal(-fines[player]) if fines else Decimal(0)
            score = points[player] - zero + sum(extra.values())
            found[player] = PlayerResult(
                player, first + 1, points[player], **extra, score=score, money=score * course.rate
            )
        first = last
    return tuple(found[n] for n in range(len(points)))


def _uma_of(course: Course, floats: Sequence[bool]) -> Sequence[Decimal]:
    """The uma by place, where some of the players float."""
    if course.floating_uma is None:
        return course.uma
    rows = ((Decimal(0),) * len(floats), *course.floating_uma)
    return rows[sum(floats) % len(floats)]


def _tied_groups(house: GameRules, points: Sequence[Decimal]) -> list[list[int]]:
    """Return the players from first to last; those who share a place together, in turn order from the first dealer."""
    players = len(points)
    order = sorted(range(players), key=lambda n: (-points[n], (n - house.first_dealer) % players))
    groups: list[list[int]] = []
    for player in order:
        if groups and house.course.ties == "share" and points[groups[-1][0]] == points[player]:
            groups[-1].append(player)
        else:
            groups.append([player])
    return groups


def _share(amount: Decimal, among: int) -> list[Decimal]:
    """Divide the amount into equal shares."""
    each = amount if among == 1 else (amount / among).quantize(_LEAST, ROUND_FLOOR)
    return [each + amount - each * among, *[each] * (among - 1)]
