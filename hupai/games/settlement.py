"""The result of a game at its end: places, uma, oka, the pot that is left, money."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_FLOOR, Decimal
from typing import Any, Final

from hupai.games.confirmed import GameRules
from hupai.games.course import Course
from scoring.payments import POT, plain_amount

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


def settlement(house: GameRules, totals: Mapping[str, Decimal], fines: Sequence[int] = ()) -> tuple[PlayerResult, ...]:
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
