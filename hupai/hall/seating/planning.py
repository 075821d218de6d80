"""Seating plans: all rounds at once with the fewest repeat meetings, a round by the standings, or a final."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final

from hupai.hall.seating.seating import (
    EMPTY_CHAIR,
    Meetings,
    Seating,
    count_short,
    pair,
    refuse_too_few,
    seat,
    share_winds,
    weight_of,
    without_chair,
)
from scoring.errors import Fault, InvalidRequest
from scoring.words.sentence import say

MAX_ROUNDS: Final = 30
_ANNEALING_MOVES: Final = 120_000
"""Swaps that the search tries; this takes some seconds at most."""
_START_TEMPERATURE: Final = 1.2
_END_TEMPERATURE: Final = 0.08
"""A swap that adds a repeat meeting is kept with a chance of exp(-1 / temperature): at first 43 %, so that the search
leaves a plan that cannot be improved; at the end 4 in a million, so that it keeps what it has found."""
NEW_FACES: Final = 10
"""In rounds by the standings, a repeat meeting weighs as much as so many ranks between two players: two tables and a
half of four."""
_SWISS_MOVES: Final = 20_000
_SWISS_REACH: Final = 6
"""Tables down from its own that a player may move in one swap."""
_KIRKMAN: Final = {
    15: (7, (((14, 0, 7), (1, 2, 4), (3, 8, 12), (5, 11, 13), (6, 9, 10)),)),
    18: (
        4,
        (
            ((5, 6, 14), (7, 3, 17), (2, 10, 4), (13, 0, 12), (16, 15, 9), (11, 1, 8)),
            ((9, 17, 12), (11, 15, 4), (1, 10, 6), (16, 2, 5), (13, 7, 8), (3, 0, 14)),
        ),
    ),
}
"""Schoolgirls who walk in threes, no two twice: Kirkman's fifteen for seven days (1850), eighteen for eight. How many
stand in a circle, and the first days: on those that follow the circles turn, and who stands in none stays."""
_POLYNOMIALS: Final = {4: (2, 0b111), 8: (3, 0b1011), 16: (4, 0b10011), 32: (5, 0b100101)}


def plan_balanced(
    players: Sequence[int],
    rounds: int,
    before: Sequence[Seating],
    seed: int,
    table_size: int,
    mates: Collection[tuple[int, int]] = (),
) -> list[Seating]:
    """Plan the next rounds so that as few players as possible meet again.

    If nothing was played yet and :func:`_design` knows a plan for so many tables, nobody meets twice for at least as
    many rounds as there are tables. Otherwise rounds are seated one after the other, and the whole is then improved by
    simulated annealing over swaps within a round.

    Args:
        players: who plays, perhaps the empty chair. rounds: how many to plan. before: the rounds already seated.
        seed: equal seeds give equal plans. table_size: players at a table. mates: pairs that should not meet at all,
            the smaller number first (players of one team).

    Raises:
        InvalidRequest: too few players for a table, or an impossible number of rounds.
    """
    if not 1 <= rounds <= MAX_ROUNDS:
        raise InvalidRequest.of([Fault("bad_value", say("A plan has 1 to {n} rounds.", n=MAX_ROUNDS), "rounds")])
    made: list[Seating] = []
    chance = random.Random(seed)
    designed = [] if before else _design(_shuffle_by_team(players, mates, chance), table_size)[:rounds]
    if len(designed) == rounds:
        made = _assign_seats(designed, [()] * rounds, before, chance)
        if not _unwanted(made, mates):
            return made
    searched: list[Seating] = []
    for number in range(rounds):
        searched.append(seat(players, [*before, *searched], seed + number, table_size))
    rested = [Seating((), r.resting, 0) for r in searched]
    chair = [EMPTY_CHAIR] if EMPTY_CHAIR in players else []
    tables = [[[*t, *chair[: table_size - len(t)]] for t in r.tables] for r in searched]
    _anneal(tables, Meetings.of([*before, *rested], mates, table_size), chance)
    searched = _assign_seats(tables, [r.resting for r in searched], before, chance)
    return min((plan for plan in (made, searched) if plan), key=lambda plan: _unwanted(plan, mates))


def _unwanted(plan: Sequence[Seating], mates: Collection[tuple[int, int]]) -> int:
    """Count repeat meetings, and meetings of players of one team."""
    team = set(mates)
    together = sum(pair(a, b) in team for r in plan for t in r.tables for a, b in combinations(t, 2))
    return together + sum(r.repeats for r in plan)


def seat_by_standing(
    order: Sequence[int], before: Sequence[Seating], seed: int, table_size: int, new_faces: int = NEW_FACES
) -> Seating:
    """Seat a Swiss round: the leaders meet, and so on down, but players who have met are moved to a table near by.

    Found by simulated annealing over swaps. Tables are in the order of their best players: the first is the leader's.

    Args:
        order: the players, the leader first, perhaps the empty chair at the end; if they do not fill the last table,
            those who have rested least rest, from the end of the standings. before: the rounds already seated.
        seed: equal seeds give equal seatings. table_size: players at a table.
        new_faces: ranks between two players that a repeat meeting weighs as much as.

    Raises:
        InvalidRequest: too few players for a table.
    """
    playing, resting = _resting(order, before, table_size)
    meetings = Meetings.of(before, table_size=table_size)
    chance = random.Random(seed)
    rank = {player: place for place, player in enumerate(playing)}
    tables = [playing[i : i + table_size] for i in range(0, len(playing), table_size)]

    def cost(table: Sequence[int]) -> int:
        pairs = combinations(table, 2)
        return sum(
            weight_of(a, b) * ((new_faces if a and b else NEW_FACES) * meetings.met[pair(a, b)]) ** 2
            + ((rank[a] - rank[b]) ** 2 if a and b else 0)
            for a, b in pairs
        )

    costs = [cost(t) for t in tables]
    best, total = [list(t) for t in tables], sum(costs)
    least = total
    moves = _SWISS_MOVES if len(tables) > 1 and meetings.repeats(tables) else 0
    for step in range(moves):
        i = chance.randrange(len(tables))
        j = (i + chance.randint(1, min(_SWISS_REACH, len(tables) - 1))) % len(tables)
        a, b = chance.randrange(table_size), chance.randrange(table_size)
        one, other = tables[i], tables[j]
        one[a], other[b] = other[b], one[a]
        now = cost(one), cost(other)
        change = sum(now) - costs[i] - costs[j]
        heat = (new_faces**2 + 1) * (1 - step / moves) ** 2
        if change > 0 and chance.random() >= math.exp(-change / heat):
            one[a], other[b] = other[b], one[a]
            continue
        costs[i], costs[j] = now
        total += change
        if total < least:
            best, least = [list(t) for t in tables], total
    best.sort(key=lambda table: min(rank[p] for p in table))
    return _assign_seats([best], [resting], before, chance, shuffled=False)[0]


def rank_spread(made: Seating, order: Sequence[int]) -> float:
    """Return the mean distance, in ranks of those seated, of a table's best and last; the leader is first in order."""
    seated = {p for t in made.tables for p in t}
    rank = {player: place for place, player in enumerate(p for p in order if p in seated)}
    return sum(max(rank[p] for p in t) - min(rank[p] for p in t) for t in made.tables) / len(made.tables)


def seat_final(order: Sequence[int], size: int, before: Sequence[Seating], seed: int, table_size: int) -> Seating:
    """Seat the first at one table, the next at another, and so on for the final's size; the others rest.

    Raises:
        InvalidRequest: the final does not fill its tables, or there are fewer players.
    """
    if size < table_size or size % table_size or size > len(order):
        sizes = ", ".join(str(table_size * tables) for tables in (1, 2, 3))
        message = say("A final has {sizes} … of the {n} players.", sizes=sizes, n=len(order))
        raise InvalidRequest.of([Fault("bad_value", message, "size")])
    tables = [list(order[i : i + table_size]) for i in range(0, size, table_size)]
    return _assign_seats([tables], [tuple(sorted(order[size:]))], before, random.Random(seed), shuffled=False)[0]


@dataclass(frozen=True, slots=True)
class Tie:
    """Players of equal rank on both sides of a cut of the final: of its last place, or between two of its tables.

    Attributes:
        players: all who are equal, but for those who were put first. places: how many of them sit above the cut.
    """

    players: tuple[int, ...]
    places: int


def order_finalists(ranks: Mapping[int, int], first: Sequence[int]) -> list[int]:
    """Return the players by rank; of equals those in ``first`` come first, in its order."""
    before = {player: place for place, player in enumerate(first)}
    return sorted(ranks, key=lambda player: (ranks[player], before.get(player, len(before))))


def find_ties(ranks: Mapping[int, int], size: int, first: Sequence[int], table_size: int) -> list[Tie]:
    """Return who is equal at the cuts of a final, as long as nobody has decided between them.

    Args:
        ranks: of all who may be in it. size: of the final. first: of equals, those who are put first, in order.
        table_size: players at a table.
    """
    order = order_finalists(ranks, first)
    found: dict[int, Tie] = {}
    for cut in range(table_size, min(size, len(order) - 1) + 1, table_size):
        above, below = order[cut - 1 : cut + 1]
        rank = ranks[above]
        if rank == ranks[below] and above not in first:
            equal = tuple(p for p in order if ranks[p] == rank and p not in first)
            found[rank] = Tie(equal, cut - order.index(equal[0]))
    return list(found.values())


def count_repeats(plan: Sequence[Seating], before: Sequence[Seating] = ()) -> list[Seating]:
    """Return a plan from elsewhere with the repeat meetings of each round counted."""
    met = Meetings.of(before)
    found = []
    for made in plan:
        found.append(replace(made, repeats=met.repeats(made.tables)))
        met.add(made.tables)
    return found


def _resting(order: Sequence[int], before: Sequence[Seating], table_size: int) -> tuple[list[int], tuple[int, ...]]:
    """Return who plays, in order, and who rests: those who have rested least, from the end of the standings."""
    refuse_too_few(order, table_size)
    rested = count_short(before, table_size)
    place = {p: i for i, p in enumerate(order)}
    resting = sorted(order, key=lambda p: (rested[p], -place[p]))[: len(order) % table_size]
    return [p for p in order if p not in resting], tuple(sorted(resting))


def _assign_seats(
    rounds: Sequence[Sequence[Sequence[int]]],
    resting: Sequence[Sequence[int]],
    before: Sequence[Seating],
    chance: random.Random,
    *,
    shuffled: bool = True,
) -> list[Seating]:
    """Return the rounds with winds and tables shared out and the repeat meetings counted."""
    met = Meetings.of(before)
    found = []
    for tables, idle in zip(rounds, resting, strict=True):
        turned = [share_winds(without_chair(t), met.winds, chance) for t in tables]
        if shuffled:
            chance.shuffle(turned)
        found.append(Seating(tuple(tuple(t) for t in turned), tuple(idle), met.repeats(turned)))
        met.add(turned)
    return found


def _design(players: Sequence[int], table_size: int) -> list[list[list[int]]]:
    """Return rounds in which nobody meets twice; none if this construction has no plan for so many players.

    Players stand in as many columns as a table has seats, ``n`` in each. At table ``t`` of round ``r`` sit the players
    ``t + r * column`` of each column, so that two of different columns meet in exactly one of ``n`` rounds: the
    transversal designs of Bose's complete sets of orthogonal Latin squares (1938). Numbers are those of the field with
    4, 8, 16 or 32 elements, or those modulo n, where no difference between columns shares a divisor with n.
    Then the players of each column meet, if there is a plan for them: for 9 or 16 players that is an affine plane.
    Fifteen and eighteen at tables of three are Kirkman's schoolgirls.
    """
    n, rest = divmod(len(players), table_size)
    if n == 1 and not rest:
        return [[list(players)]]
    if table_size == 3 and len(players) in _KIRKMAN:
        circle, first_days = _KIRKMAN[len(players)]
        turning = len(players) // circle * circle
        on_day = [[g // circle * circle + (g + day) % circle for g in range(turning)] for day in range(circle)]
        found = [[*turned, *range(turning, len(players))] for turned in on_day]
        return [[[players[girls[g]] for g in row] for row in first] for first in first_days for girls in found]
    if rest or n < table_size or not (n in _POLYNOMIALS or all(math.gcd(n, d) == 1 for d in range(1, table_size))):
        return []
    columns = [players[i * n : (i + 1) * n] for i in range(table_size)]
    across = [
        [[column[_sum(n, t, _product(n, r, c))] for c, column in enumerate(columns)] for t in range(n)]
        for r in range(n)
    ]
    within = zip(*(_design(column, table_size) for column in columns), strict=True)
    return [*across, *([table for tables in made for table in tables] for made in within)]


def _shuffle_by_team(players: Sequence[int], mates: Collection[tuple[int, int]], chance: random.Random) -> list[int]:
    """Return the players in random order, those of one team next to each other: they share a column."""
    order = list(players)
    chance.shuffle(order)
    team = {p: p for p in order}
    for a, b in sorted(mates):
        team[b] = min(team.get(a, a), team.get(b, b))
    size = Counter(team.values())
    order.sort(key=lambda p: (-size[team[p]], team[p] if size[team[p]] > 1 else 0))
    return order


def _sum(n: int, a: int, b: int) -> int:
    return a ^ b if n in _POLYNOMIALS else (a + b) % n


def _product(n: int, a: int, b: int) -> int:
    """Multiply in the field of n elements; those of 2^k are polynomials over bits, reduced by an irreducible one."""
    if n not in _POLYNOMIALS:
        return a * b % n
    degree, modulus = _POLYNOMIALS[n]
    found = 0
    while b:
        if b & 1:
            found ^= a
        a, b = a << 1, b >> 1
        if a >> degree:
            a ^= modulus
    return found


def _anneal(rounds: list[list[list[int]]], before: Meetings, chance: random.Random) -> None:
    """Swap players within rounds, in place, until nobody meets twice or the moves are used up; the best is kept."""
    met = before.met.copy()
    for tables in rounds:
        for table in tables:
            met.update(pair(a, b) for a, b in combinations(table, 2))
    cost = sum(weight_of(*both) * n * (n - 1) // 2 for both, n in met.items())
    if len(rounds[0]) < 2:
        return
    best, least = _copy(rounds), cost
    for heat in _heats():
        if least == 0:
            break
        tables = chance.choice(rounds)
        one, other = chance.sample(tables, 2)
        a, b = chance.randrange(len(one)), chance.randrange(len(other))
        change = _swap(one, a, other, b, met)
        if change > 0 and chance.random() >= math.exp(-change / heat):
            _swap(one, a, other, b, met)
            continue
        cost += change
        if cost < least:
            best, least = _copy(rounds), cost
    rounds[:] = best


def _heats() -> Iterator[float]:
    for step in range(_ANNEALING_MOVES):
        yield _START_TEMPERATURE * (_END_TEMPERATURE / _START_TEMPERATURE) ** (step / _ANNEALING_MOVES)


def _copy(rounds: Sequence[Sequence[Sequence[int]]]) -> list[list[list[int]]]:
    return [[list(t) for t in tables] for tables in rounds]


def _swap(one: list[int], a: int, other: list[int], b: int, met: Counter[tuple[int, int]]) -> int:
    """Swap two players between tables, in place; return by how much the number of repeat meetings grows."""
    x, y = one[a], other[b]
    change = 0
    for i in range(len(one)):
        if i != a:
            change += _count_parting(met, x, one[i]) + _count_meeting(met, y, one[i])
    for i in range(len(other)):
        if i != b:
            change += _count_parting(met, y, other[i]) + _count_meeting(met, x, other[i])
    one[a], other[b] = y, x
    return change


def _count_parting(met: Counter[tuple[int, int]], a: int, b: int) -> int:
    key = pair(a, b)
    met[key] -= 1
    return -met[key] * weight_of(a, b)


def _count_meeting(met: Counter[tuple[int, int]], a: int, b: int) -> int:
    key = pair(a, b)
    met[key] += 1
    return (met[key] - 1) * weight_of(a, b)


def team_mates(teams: Mapping[int, str]) -> list[tuple[int, int]]:
    """Return the pairs of players in one team; players without a team ("") are in no pair."""
    return [pair(a, b) for a, b in combinations(sorted(teams), 2) if teams[a] and teams[a] == teams[b]]
