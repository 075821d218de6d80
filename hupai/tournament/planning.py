"""Seating plans: all rounds at once with the fewest repeat meetings, a round by the standings, or a final."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final

from hupai.tournament.seating import SEATS, Meetings, Seating, pair, seat, share_winds
from scoring.errors import Fault, InvalidRequest
from scoring.words.sentence import say

MAX_ROUNDS: Final = 30
_ANNEALING_MOVES: Final = 120_000
"""Swaps that the search tries; this takes some seconds at most."""
_START_TEMPERATURE: Final = 1.2
_END_TEMPERATURE: Final = 0.08
NEW_FACES: Final = 10
"""In rounds by the standings, a repeat meeting weighs as much as so many ranks between two players."""
_SWISS_MOVES: Final = 20_000
_SWISS_REACH: Final = 6
"""Tables down from its own that a player may move in one swap."""
_POLYNOMIALS: Final = {4: (2, 0b111), 8: (3, 0b1011), 16: (4, 0b10011), 32: (5, 0b100101)}


def plan_balanced(
    players: Sequence[int],
    rounds: int,
    before: Sequence[Seating],
    seed: int,
    mates: Collection[tuple[int, int]] = (),
) -> list[Seating]:
    """Plan the next rounds so that as few players as possible meet again.

    If nothing was played yet and the number of tables is a prime or a power of two, at least 4, the plan is made
    from a finite field, and nobody meets twice for as many rounds as there are tables (for four tables one more): the
    transversal designs of Bose's complete sets of orthogonal Latin squares (1938). Otherwise rounds are seated one
    after the other, and the whole is then improved by simulated annealing over swaps within a round.

    Args:
        players: who plays. rounds: how many to plan. before: the rounds already seated. seed: equal seeds give equal
            plans. mates: pairs that should not meet at all, the smaller number first (players of one team).

    Raises:
        InvalidRequest: fewer than four players, or an impossible number of rounds.
    """
    if not 1 <= rounds <= MAX_ROUNDS:
        raise InvalidRequest.of([Fault("bad_value", say("A plan has 1 to {n} rounds.", n=MAX_ROUNDS), "rounds")])
    made: list[Seating] = []
    chance = random.Random(seed)
    designed = None if before else _affine_plan(players, rounds, mates, chance)
    if designed is not None:
        made = _assign_seats(designed, [()] * rounds, before, mates, chance)
        if not any(r.repeats for r in made):
            return made
    searched: list[Seating] = []
    for number in range(rounds):
        searched.append(seat(players, [*before, *searched], seed + number))
    tables = [[list(t) for t in r.tables] for r in searched]
    _anneal(tables, Meetings.of(before, mates), chance)
    searched = _assign_seats(tables, [r.resting for r in searched], before, mates, chance)
    return min((plan for plan in (made, searched) if plan), key=lambda plan: sum(r.repeats for r in plan))


def seat_by_standing(order: Sequence[int], before: Sequence[Seating], seed: int, new_faces: int = NEW_FACES) -> Seating:
    """Seat a Swiss round: the leaders meet, and so on down, but players who have met are moved to a table near by.

    Found by simulated annealing over swaps. The first table is the leaders'.

    Args:
        order: the players, the leader first; if their number does not divide by four, those who have rested least rest,
            from the end of the standings. before: the rounds already seated. seed: equal seeds give equal seatings.
        new_faces: ranks between two players that a repeat meeting weighs as much as.

    Raises:
        InvalidRequest: fewer than four players.
    """
    playing, resting = _resting(order, before)
    meetings = Meetings.of(before)
    chance = random.Random(seed)
    rank = {player: place for place, player in enumerate(playing)}
    tables = [playing[i : i + SEATS] for i in range(0, len(playing), SEATS)]

    def cost(table: Sequence[int]) -> int:
        pairs = combinations(table, 2)
        return sum((new_faces * meetings.met[pair(a, b)]) ** 2 + (rank[a] - rank[b]) ** 2 for a, b in pairs)

    costs = [cost(t) for t in tables]
    best, total = [list(t) for t in tables], sum(costs)
    least = total
    moves = _SWISS_MOVES if len(tables) > 1 and meetings.repeats(tables) else 0
    for step in range(moves):
        i = chance.randrange(len(tables))
        j = (i + chance.randint(1, min(_SWISS_REACH, len(tables) - 1))) % len(tables)
        a, b = chance.randrange(SEATS), chance.randrange(SEATS)
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
    best.sort(key=lambda table: sum(rank[p] for p in table))
    return _assign_seats([best], [resting], before, (), chance, shuffled=False)[0]


def rank_spread(made: Seating, order: Sequence[int]) -> float:
    """Return how many ranks lie between the best and the last player of a table, the mean of all tables; 3 at least.

    Args:
        made: the round. order: the players, the leader first; only those who sit at a table are counted.
    """
    seated = {p for t in made.tables for p in t}
    rank = {player: place for place, player in enumerate(p for p in order if p in seated)}
    return sum(max(rank[p] for p in t) - min(rank[p] for p in t) for t in made.tables) / len(made.tables)


def seat_final(order: Sequence[int], size: int, before: Sequence[Seating], seed: int) -> Seating:
    """Seat the first four at one table, the next four at another, and so on for the final's size; the others rest.

    Raises:
        InvalidRequest: the size is not a multiple of four, or there are fewer players.
    """
    if size < SEATS or size % SEATS or size > len(order):
        message = say("A final has 4, 8, 12 … of the {n} players.", n=len(order))
        raise InvalidRequest.of([Fault("bad_value", message, "size")])
    tables = [list(order[i : i + SEATS]) for i in range(0, size, SEATS)]
    return _assign_seats([tables], [tuple(sorted(order[size:]))], before, (), random.Random(seed), shuffled=False)[0]


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


def find_ties(ranks: Mapping[int, int], size: int, first: Sequence[int]) -> list[Tie]:
    """Return who is equal at the cuts of a final, as long as nobody has decided between them.

    Args:
        ranks: of all who may be in it. size: of the final. first: of equals, those who are put first, in order.
    """
    order = order_finalists(ranks, first)
    found: dict[int, Tie] = {}
    for cut in range(SEATS, min(size, len(order) - 1) + 1, SEATS):
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


def _resting(order: Sequence[int], before: Sequence[Seating]) -> tuple[list[int], tuple[int, ...]]:
    """Return who plays, in order, and who rests: those who have rested least, from the end of the standings."""
    if len(set(order)) != len(order) or len(order) < SEATS:
        raise InvalidRequest.of([Fault("too_few_players", "A round needs at least four players.", "players")])
    rested = Counter(p for r in before for p in r.resting)
    place = {p: i for i, p in enumerate(order)}
    resting = sorted(order, key=lambda p: (rested[p], -place[p]))[: len(order) % SEATS]
    return [p for p in order if p not in resting], tuple(sorted(resting))


def _assign_seats(
    rounds: Sequence[Sequence[Sequence[int]]],
    resting: Sequence[Sequence[int]],
    before: Sequence[Seating],
    mates: Collection[tuple[int, int]],
    chance: random.Random,
    *,
    shuffled: bool = True,
) -> list[Seating]:
    """Return the rounds with winds and tables shared out and the repeat meetings counted."""
    met, team = Meetings.of(before), set(mates)
    found = []
    for tables, idle in zip(rounds, resting, strict=True):
        turned = [share_winds(t, met.winds, chance) for t in tables]
        if shuffled:
            chance.shuffle(turned)
        together = sum(pair(a, b) in team for t in turned for a, b in combinations(t, 2))
        found.append(Seating(tuple(tuple(t) for t in turned), tuple(idle), met.repeats(turned) + together))
        met.add(turned)
    return found


def _affine_plan(
    players: Sequence[int], rounds: int, mates: Collection[tuple[int, int]], chance: random.Random
) -> list[list[list[int]]] | None:
    """Return the plan of a finite field, or None if there is none of this length.

    Players stand in four columns of ``n``; those of one column never meet but in the extra round of four tables. At
    table ``t`` of round ``r`` sit the players ``t + r * column`` of each column, computed in the field of n elements:
    two of different columns meet in exactly one round.
    """
    n, rest = divmod(len(players), SEATS)
    extra = n == SEATS
    if rest or n < SEATS or rounds > n + extra or not (n in _POLYNOMIALS or _is_prime(n)):
        return None
    columns = _columns(players, n, mates, chance)
    plan = [
        [[columns[c][_sum(n, t, _product(n, r, c))] for c in range(SEATS)] for t in range(n)]
        for r in range(min(rounds, n))
    ]
    return [*plan, columns] if rounds > n else plan


def _columns(
    players: Sequence[int], n: int, mates: Collection[tuple[int, int]], chance: random.Random
) -> list[list[int]]:
    """Return four random columns of n players; players of one team follow each other, so that they share a column."""
    order = list(players)
    chance.shuffle(order)
    team = {p: p for p in order}
    for a, b in sorted(mates):
        team[b] = min(team.get(a, a), team.get(b, b))
    size = Counter(team.values())
    order.sort(key=lambda p: (-size[team[p]], team[p] if size[team[p]] > 1 else 0))
    return [order[i * n : (i + 1) * n] for i in range(SEATS)]


def _is_prime(n: int) -> bool:
    return n > 1 and all(n % d for d in range(2, math.isqrt(n) + 1))


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
    cost = sum(n * (n - 1) // 2 for n in met.values())
    if len(rounds[0]) < 2:
        return
    best, least = _copy(rounds), cost
    for heat in _heats():
        if least == 0:
            break
        tables = chance.choice(rounds)
        one, other = chance.sample(tables, 2)
        a, b = chance.randrange(SEATS), chance.randrange(SEATS)
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
    for i in range(SEATS):
        if i != a:
            change += _part(met, x, one[i]) + _meet(met, y, one[i])
    for i in range(SEATS):
        if i != b:
            change += _part(met, y, other[i]) + _meet(met, x, other[i])
    one[a], other[b] = y, x
    return change


def _part(met: Counter[tuple[int, int]], a: int, b: int) -> int:
    key = pair(a, b)
    met[key] -= 1
    return -met[key]


def _meet(met: Counter[tuple[int, int]], a: int, b: int) -> int:
    key = pair(a, b)
    met[key] += 1
    return met[key] - 1


def team_mates(teams: Mapping[int, str]) -> list[tuple[int, int]]:
    """Return the pairs of players in one team; players without a team ("") are in no pair."""
    return [pair(a, b) for a, b in combinations(sorted(teams), 2) if teams[a] and teams[a] == teams[b]]
