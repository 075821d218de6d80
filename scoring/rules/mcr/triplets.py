"""The fan of pungs and kongs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Final

from scoring.arrangements.arrange import Arrangement
from scoring.context import Context
from scoring.options import is_played
from scoring.tiles import EAST, WHITE

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
        name = _fan_of_three(three)
        if name and is_played(values, name):
            yield name
            rest = [k for k in found if k not in three]  # joined once with what is combined already
            alike = name == "triple_pung" or any(k % 9 == other % 9 for k in rest for other in three)
            yield from ["double_pung"] * alike
            return
    alike_numbers = Counter(k % 9 for k in found).values()
    yield from ["double_pung"] * sum(n - 1 for n in alike_numbers)


def _fan_of_three(three: tuple[int, ...]) -> str | None:
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
