"""The fan of sets and tiles: pungs and kongs, chows, the tiles of the whole hand.

Three or four chows make at most one fan of their own. Two chows make one fan, and n chows never more than n - 1 such
pairs: a chow that was combined is combined again only with one that was not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, pairwise
from typing import Any, Final

from scoring.arrangements.arrange import Arrangement, Shape
from scoring.arrangements.units import Unit, UnitType
from scoring.basics.counts import kind_bits
from scoring.context import Context
from scoring.options import is_played
from scoring.system import Case
from scoring.tiles import DRAGONS, EAST, GREENS, WHITE, WINDS

_HONORS: Final = "pung_of_terminals_or_honors"
_CONCEALED: Final = ("two_concealed_pungs", "three_concealed_pungs", "four_concealed_pungs")


def triplet_fans(context: Context, a: Arrangement, concealed_kongs: int, values: Mapping[str, int]) -> Iterator[str]:
    """Every fan that pungs, kongs and an honour pair make; a name for each time that it counts."""
    triplets, pair = a.triplets, a.pair
    winds = [k for k in triplets if EAST <= k < WHITE]
    dragons = sum(k >= WHITE for k in triplets)
    yield from _fans_of_winds(len(winds), pair)
    yield from _fans_of_dragons(dragons, pair)
    if dragons and not any(is_played(values, fan) for fan in _fans_of_dragons(dragons, pair)):
        yield from [_HONORS] * dragons
    alone = not any(is_played(values, fan) for fan in _fans_of_winds(len(winds), pair))
    for wind in winds:
        yield from _fans_of_wind(context, wind, values, alone=alone)
    yield from (_HONORS for k in triplets if k < EAST and k % 9 in (0, 8))
    if len(triplets) == 4:
        yield "all_pungs"
        if all(k < EAST and k % 9 % 2 for k in (*triplets, pair)):
            yield "all_even_pungs"
    yield from _fans_of_numbers([k for k in triplets if k < EAST], values)
    yield from _fans_of_kongs(a.kongs, concealed_kongs)
    yield from _CONCEALED[: max(0, len(a.concealed_triplets) - 1)]


def _fans_of_winds(count: int, pair: int) -> Iterator[str]:
    if count == 4:
        yield "big_four_winds"
    if count == 3 and EAST <= pair < WHITE:
        yield "little_four_winds"
    if count >= 3:
        yield "big_three_winds"


def _fans_of_dragons(count: int, pair: int) -> Iterator[str]:
    if count == 3:
        yield "big_three_dragons"
    if count >= 2:
        yield "two_dragon_pungs"
    if count == 2 and pair >= WHITE:
        yield "little_three_dragons"
    yield from ["dragon_pung"] * count


def _fans_of_wind(context: Context, wind: int, values: Mapping[str, int], *, alone: bool) -> Iterator[str]:
    """What one wind scores by itself, in a house with these values; ``alone``: in no fan of several."""
    seat = wind == context.seat.wind and is_played(values, "seat_wind")
    prevalent = wind == context.round.wind and is_played(values, "prevalent_wind")
    if seat:
        yield "seat_wind"
    if prevalent:
        yield "prevalent_wind"
    if alone and not (seat or prevalent):
        yield _HONORS


def _fans_of_numbers(suited: list[int], values: Mapping[str, int]) -> Iterator[str]:
    """Pungs whose numbers are alike or in a row."""
    found = sorted(suited)
    if len(found) == 4 and found[0] // 9 == found[3] // 9 and found[3] - found[0] == 3:
        yield "four_pure_shifted_pungs"
        yield "pure_shifted_pungs"
        return
    for three in combinations(found, 3):
        name = _fan_of_three_pungs(three)
        if name and is_played(values, name):
            yield name
            rest = [k for k in found if k not in three]  # joined once with what is combined already
            alike = name == "triple_pung" or any(k % 9 == other % 9 for k in rest for other in three)
            yield from ["double_pung"] * alike
            return
    alike_numbers = Counter(k % 9 for k in found).values()
    yield from ["double_pung"] * sum(n - 1 for n in alike_numbers)


def _fan_of_three_pungs(three: tuple[int, ...]) -> str | None:
    suits, low = {k // 9 for k in three}, sorted(k % 9 for k in three)
    if low[2] - low[1] == low[1] - low[0] == 1:
        return {1: "pure_shifted_pungs", 3: "mixed_shifted_pungs"}.get(len(suits))
    return "triple_pung" if len(suits) == 3 and low[0] == low[2] else None


def _fans_of_kongs(kongs: int, concealed: int) -> Iterator[str]:
    if kongs == 4:
        yield "four_kongs"
    if kongs >= 3:
        yield "three_kongs"
    if kongs == 2:
        yield ("two_melded_kongs", "mixed_kongs", "two_concealed_kongs")[concealed]
    yield from ["concealed_kong"] * concealed
    yield from ["melded_kong"] * (kongs - concealed)


_TWO_CHOWS: Final = ("pure_double_chow", "mixed_double_chow", "short_straight", "two_terminal_chows")


def chow_fans(chows: Sequence[int], pair: int, values: Mapping[str, int]) -> list[list[str]]:
    """Every choice of fan among the chows of a hand; the other fan of the hand decide which is best.

    Args:
        chows: kinds of the lowest tiles, 2 to 4. pair: the kind of the pair.
        values: points of the house, which may turn the order of the fan upside down, or have it play fewer.
    """
    whole = [[fan] for fan in _fans_of_four_chows(chows, pair)] if len(chows) == 4 else []
    if whole and not values:
        return whole
    choices = []
    for three in combinations(range(len(chows)), 3):
        among = [chows[i] for i in three]
        rest = [k for i, k in enumerate(chows) if i not in three]
        again = sorted(
            (fan for k in rest for other in among if (fan := _fan_of_two_chows(k, other))), key=_rank_of_pairs(values)
        )
        choices += [[fan, *again[:1]] for fan in _fans_of_three_chows(among)]
    if choices and not values:
        return choices
    return [*whole, *choices, _fans_of_pairs(chows, values)]


def _rank_of_pairs(values: Mapping[str, int]) -> Callable[[str], tuple[int, int]]:
    """The order of fan of two chows, the best first."""
    return lambda fan: (-values.get(fan, 1), _TWO_CHOWS.index(fan))


def all_chow_fans(chows: Sequence[int], pair: int) -> Iterator[str]:
    """Every fan that some of the chows make, whatever else they make."""
    if len(chows) == 4:
        yield from _fans_of_four_chows(chows, pair)
    for three in combinations(chows, 3):
        yield from _fans_of_three_chows(three)
    yield from (fan for one, other in combinations(chows, 2) if (fan := _fan_of_two_chows(one, other)))


def _fans_of_pairs(chows: Sequence[int], values: Mapping[str, int]) -> list[str]:
    """Fan of two chows, as many as there can be: no chow is joined to those it is joined to already."""
    group = list(range(len(chows)))
    joined = [(fan, i, j) for i, j in combinations(group, 2) if (fan := _fan_of_two_chows(chows[i], chows[j]))]
    found = []
    rank = _rank_of_pairs(values)
    for fan, i, j in sorted(joined, key=lambda one: rank(one[0])):
        old, new = group[j], group[i]
        if old != new:
            group = [new if g == old else g for g in group]
            found.append(fan)
    return found


def _fans_of_four_chows(chows: Sequence[int], pair: int) -> Iterator[str]:
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


def _fans_of_three_chows(chows: Sequence[int]) -> Iterator[str]:
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


def _fan_of_two_chows(one: int, other: int) -> str | None:
    if one == other:
        return "pure_double_chow"
    if one // 9 != other // 9:
        return "mixed_double_chow" if one % 9 == other % 9 else None
    return {3: "short_straight", 6: "two_terminal_chows"}.get(abs(one - other))


_ALL_GREEN: Final = kind_bits(*GREENS)
_REVERSIBLE: Final = kind_bits(
    *(9 + n - 1 for n in (1, 2, 3, 4, 5, 8, 9)), *(18 + n - 1 for n in (2, 4, 5, 6, 8, 9)), WHITE
)
_WINDS: Final = kind_bits(*WINDS)
_DRAGONS: Final = kind_bits(*DRAGONS)


def _numbers(low: int, high: int) -> int:
    return kind_bits(*(9 * suit + n - 1 for suit in range(3) for n in range(low, high + 1)))


_SPANS: Final = (  # the narrower first: it implies the wider
    ("upper_tiles", _numbers(7, 9)),
    ("middle_tiles", _numbers(4, 6)),
    ("lower_tiles", _numbers(1, 3)),
    ("upper_four", _numbers(6, 9)),
    ("lower_four", _numbers(1, 4)),
)


def tile_fans(case: Case[Any], a: Arrangement) -> Iterator[str]:
    """Every fan of the tiles; a name for each time that it counts."""
    kinds, suits, honours = case.hand.kinds, case.suit_count, case.has_honours
    if not kinds & ~_ALL_GREEN:
        yield "all_green"
    if not case.has_simples:
        yield "all_honors" if not suits else "all_terminals_and_honors" if honours else "all_terminals"
    if suits == 1:
        yield "half_flush" if honours else "full_flush"
    elif suits == 2:
        yield "one_voided_suit"
    elif suits == 3 and kinds & _WINDS and kinds & _DRAGONS:
        yield "all_types"
    if not honours:
        yield "no_honors"
        if not case.has_terminals:
            yield "all_simples"
    yield from (name for name, span in _SPANS if not kinds & ~span)
    if not kinds & ~_REVERSIBLE:
        yield "reversible_tiles"
    if a.shape is Shape.STANDARD:
        yield from _in_every_set(a)
    kongs = {m.kind for m in case.hand.melds if m.type.is_kong}
    yield from ("tile_hog" for k, n in enumerate(case.counts) if n == 4 and k not in kongs)


def _in_every_set(a: Arrangement) -> Iterator[str]:
    if all(_has_outer(unit) for unit in a.units):
        yield "outside_hand"
    if all(any(k < 27 and k % 9 == 4 for k in unit.kinds) for unit in a.units):
        yield "all_fives"


def _has_outer(unit: Unit) -> bool:
    return any(k >= 27 or k % 9 in (0, 8) for k in (unit.kinds if unit.type is UnitType.CHOW else (unit.kind,)))
