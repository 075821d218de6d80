"""The fan that chows make together, under the principles of free choice and of accounting once.

Three or four chows make at most one fan of their own. Two chows make one fan, and n chows never more than n - 1 such
pairs: a chow that was combined is combined again only with one that was not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, pairwise
from typing import Final

_TWO: Final = ("pure_double_chow", "mixed_double_chow", "short_straight", "two_terminal_chows")


def chow_fans(chows: Sequence[int], pair: int, values: Mapping[str, int]) -> list[list[str]]:
    """Every choice of fan among the chows of a hand; the other fan of the hand decide which is best.

    Args:
        chows: kinds of the lowest tiles, 2 to 4. pair: the kind of the pair.
        values: points of the house, which may turn the order of the fan upside down, or have it play fewer.
    """
    whole = [[fan] for fan in _fans_of_four(chows, pair)] if len(chows) == 4 else []
    if whole and not values:
        return whole
    choices = []
    for three in combinations(range(len(chows)), 3):
        among = [chows[i] for i in three]
        rest = [k for i, k in enumerate(chows) if i not in three]
        again = sorted((fan for k in rest for other in among if (fan := _fan_of_two(k, other))), key=_rank(values))
        choices += [[fan, *again[:1]] for fan in _fans_of_three(among)]
    if choices and not values:
        return choices
    return [*whole, *choices, _pairs(chows, values)]


def _rank(values: Mapping[str, int]) -> Callable[[str], tuple[int, int]]:
    """The order of fan of two chows, the best first."""
    return lambda fan: (-values.get(fan, 1), _TWO.index(fan))


def all_chow_fans(chows: Sequence[int], pair: int) -> Iterator[str]:
    """Every fan that some of the chows make, whatever else they make."""
    if len(chows) == 4:
        yield from _fans_of_four(chows, pair)
    for three in combinations(chows, 3):
        yield from _fans_of_three(three)
    yield from (fan for one, other in combinations(chows, 2) if (fan := _fan_of_two(one, other)))


def _pairs(chows: Sequence[int], values: Mapping[str, int]) -> list[str]:
    """Fan of two chows, as many as there can be: no chow is joined to those it is joined to already."""
    group = list(range(len(chows)))
    joined = [(fan, i, j) for i, j in combinations(group, 2) if (fan := _fan_of_two(chows[i], chows[j]))]
    found = []
    rank = _rank(values)
    for fan, i, j in sorted(joined, key=lambda one: rank(one[0])):
        old, new = group[j], group[i]
        if old != new:
            group = [new if g == old else g for g in group]
            found.append(fan)
    return found


def _fans_of_four(chows: Sequence[int], pair: int) -> Iterator[str]:
    found = tuple(sorted(chows))
    suits, low = {k // 9 for k in found}, [k % 9 for k in found]
    if len(set(found)) == 1:
        yield "quadruple_chow"
    steps = {b - a for a, b in pairwise(found)}
    if len(suits) == 1 and len(steps) == 1 and steps <= {1, 2}:
        yield "four_pure_shifted_chows"
    if sorted(low) == [0, 0, 6, 6] and pair < 27 and pair % 9 == 4:
        if len(suits) == 1 and pair // 9 in suits:
            yield "pure_terminal_chows"
        if len(suits) == 2 and len(set(found)) == 4 and pair // 9 not in suits:
            yield "three_suited_terminal_chows"


def _fans_of_three(chows: Sequence[int]) -> Iterator[str]:
    a, b, c = sorted(chows)
    if a // 9 == c // 9:
        if a == c:
            yield "pure_triple_chow"
        elif b - a == c - b and b - a in (1, 2):
            yield "pure_shifted_chows"
        elif (a % 9, b % 9, c % 9) == (0, 3, 6):
            yield "pure_straight"
        return
    low = sorted(k % 9 for k in chows)
    if len({k // 9 for k in chows}) == 3:
        if low[0] == low[2]:
            yield "mixed_triple_chow"
        elif low == [0, 3, 6]:
            yield "mixed_straight"
        elif low[1] == low[0] + 1 and low[2] == low[0] + 2:
            yield "mixed_shifted_chows"


def _fan_of_two(one: int, other: int) -> str | None:
    if one == other:
        return "pure_double_chow"
    if one // 9 != other // 9:
        return "mixed_double_chow" if one % 9 == other % 9 else None
    return {3: "short_straight", 6: "two_terminal_chows"}.get(abs(one - other))
