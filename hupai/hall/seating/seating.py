"""Random seating of the next round with few repeat meetings and evenly shared winds."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from itertools import combinations, permutations
from typing import Final

from scoring.errors import Fault, InvalidRequest
from scoring.words.sentence import say

EMPTY_CHAIR: Final = 0
"""Sits, among the players of a round, at the table that has only three: no player has this number."""
CHAIR_WEIGHT: Final = 100
"""That somebody rests or sits with the empty chair again costs as much as so many repeat meetings."""
RANDOM_STARTS: Final = 12
"""Number of random starts; the best arrangement of all is taken."""
_MAX_SWEEPS: Final = 40


@dataclass(frozen=True, slots=True)
class Seating:
    """One round.

    Attributes:
        tables: player numbers by table, in seat order (the first deals first). resting: those without a table.
        repeats: meetings of pairs that have met before, each counted as often as the pair had met.
    """

    tables: tuple[tuple[int, ...], ...]
    resting: tuple[int, ...]
    repeats: int


@dataclass(slots=True)
class Meetings:
    """Who has met whom, and how often each player had each wind.

    Attributes:
        met: pairs of player numbers, the smaller first. winds: (player, wind from 0).
    """

    met: Counter[tuple[int, int]] = field(default_factory=Counter)
    winds: Counter[tuple[int, int]] = field(default_factory=Counter)

    @classmethod
    def of(cls, rounds: Sequence[Seating], mates: Collection[tuple[int, int]] = (), table_size: int = 0) -> Meetings:
        """Count the meetings of these rounds; ``mates`` count as if they had met twice, so that others meet first.

        With a ``table_size``, whoever rested or sat at a smaller table has met the empty chair.
        """
        found = cls()
        for played in rounds:
            found.add(played.tables)
        found.met.update(dict.fromkeys(mates, 2))
        found.met.update({pair(EMPTY_CHAIR, p): n for p, n in count_short(rounds, table_size).items()})
        return found

    def add(self, tables: Sequence[Sequence[int]]) -> None:
        """Add another round."""
        for table in tables:
            self.met.update(pair(a, b) for a, b in combinations(table, 2))
            self.winds.update((player, wind) for wind, player in enumerate(table))

    def repeats(self, tables: Sequence[Sequence[int]]) -> int:
        """Count meetings at these tables of players who have met, each as often as they had met."""
        return sum(self.met[pair(a, b)] for t in tables for a, b in combinations(t, 2))


def count_short(rounds: Sequence[Seating], table_size: int) -> Counter[int]:
    """Count how often each player rested or sat at a table of fewer players."""
    short = Counter(p for played in rounds for p in played.resting)
    short.update(p for played in rounds for t in played.tables if len(t) < table_size for p in t)
    return short


def without_chair(table: Sequence[int]) -> list[int]:
    """Return the players of a table."""
    return [p for p in table if p != EMPTY_CHAIR]


def seat(players: Sequence[int], rounds: Sequence[Seating], seed: int, table_size: int) -> Seating:
    """Seat a round; with the empty chair among the players, one table has three.

    If the players do not fill the last table, those who have rested least rest. Tables are made by swapping players
    between tables as long as that lowers the sum of squared meetings (so that three meetings cost more than three times
    one), from several random starts; then each table is turned so that winds are shared out. Equal seeds give equal
    seatings.

    Raises:
        InvalidRequest: too few players for a table, or a player who is listed twice.
    """
    refuse_too_few(players, table_size)
    chance = random.Random(seed)
    before = Meetings.of(rounds, table_size=table_size)
    met = before.met
    rested = count_short(rounds, table_size)
    order = list(players)
    chance.shuffle(order)
    order.sort(key=lambda p: -rested[p])
    playing = order[: len(order) // table_size * table_size]
    resting = tuple(sorted(order[len(playing) :]))
    best: list[list[int]] = []
    least: int | None = None
    for _ in range(RANDOM_STARTS):
        chance.shuffle(playing)
        tables = [playing[i : i + table_size] for i in range(0, len(playing), table_size)]
        cost = _improve(tables, met)
        if least is None or cost < least:
            best, least = [list(t) for t in tables], cost
        if least == 0:
            break
    turned = [share_winds(without_chair(table), before.winds, chance) for table in best]
    chance.shuffle(turned)
    return Seating(tuple(tuple(t) for t in turned), resting, before.repeats(turned))


def refuse_too_few(players: Sequence[int], table_size: int) -> None:
    """Refuse players who do not fill a table.

    Raises:
        InvalidRequest: they are too few, or one is listed twice.
    """
    if len(set(players)) != len(players) or len(players) < table_size:
        message = say("A round needs at least {n} players.", n=table_size)
        raise InvalidRequest.of([Fault("too_few_players", message, "players")])


def pair(a: int, b: int) -> tuple[int, int]:
    """Return two players as a pair, the smaller number first."""
    return (a, b) if a < b else (b, a)


def _meeting_cost(table: Sequence[int], met: Counter[tuple[int, int]]) -> int:
    return sum(weight_of(a, b) * met[pair(a, b)] ** 2 for a, b in combinations(table, 2))


def weight_of(a: int, b: int) -> int:
    """Return what a meeting weighs."""
    return 1 if a and b else CHAIR_WEIGHT


def _improve(tables: list[list[int]], met: Counter[tuple[int, int]]) -> int:
    """Swap players between tables while that helps; return the cost at the end."""
    costs = [_meeting_cost(t, met) for t in tables]
    for _ in range(_MAX_SWEEPS):
        moved = False
        for i, j in combinations(range(len(tables)), 2):
            if costs[i] + costs[j] == 0:
                continue
            for a in range(len(tables[i])):
                for b in range(len(tables[j])):
                    one, other = tables[i], tables[j]
                    one[a], other[b] = other[b], one[a]
                    new = _meeting_cost(one, met), _meeting_cost(other, met)
                    if sum(new) < costs[i] + costs[j]:
                        costs[i], costs[j] = new
                        moved = True
                    else:
                        one[a], other[b] = other[b], one[a]
        if not moved:
            break
    return sum(costs)


def share_winds(table: Sequence[int], winds: Counter[tuple[int, int]], chance: random.Random) -> list[int]:
    """Return the table's players in the order that gives everybody the winds they have had least."""
    orders = list(permutations(table))
    chance.shuffle(orders)
    return list(min(orders, key=lambda order: sum(winds[p, w] ** 2 + winds[p, w] for w, p in enumerate(order))))
