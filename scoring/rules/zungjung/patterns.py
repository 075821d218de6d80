"""An arrangement -> every pattern it holds, and the best of each series.

Each function yields all patterns that are met; the series rule picks afterwards, as the printed rules do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import Final

from scoring.arrangements.arrange import Arrangement, Shape
from scoring.arrangements.units import Unit, UnitType
from scoring.context import Win
from scoring.options import is_played
from scoring.rules.zungjung.options import ZungJungOptions
from scoring.rules.zungjung.table import ELEMENTS, OFFICIAL, SEED, SERIES
from scoring.system import Case, Line
from scoring.tiles import DRAGONS, EAST, WINDS, kind_name

_CONCEALED: Final = ("two_concealed_triplets", "three_concealed_triplets", "four_concealed_triplets")
_KONGS: Final = ("one_kong", "two_kongs", "three_kongs", "four_kongs")
_IDENTICAL: Final = ("two_identical_sequences", "three_identical_sequences", "four_identical_sequences")

Found = tuple[str, tuple[object, ...]]
"""A pattern's id and the tiles that meet it."""


def scored_lines(case: Case[ZungJungOptions], a: Arrangement) -> list[Line]:
    """The patterns that count: the best of each series; Value Honour counts for every set that is one."""
    points = case.options.points
    best: dict[str, Line] = {}
    for id_, about in matched_patterns(case, a):
        series, times = SERIES[id_], len(about) if id_ == "value_honour" else 1
        if series not in best or points[id_] > best[series].value:
            # The published system's values are listed ones, too.
            listed = points[id_] if points[id_] == OFFICIAL.get(id_) else SEED[id_]
            best[series] = Line(ELEMENTS[id_], times * listed, times, about).valued(times * points[id_])
    return list(best.values())


def matched_patterns(case: Case[ZungJungOptions], a: Arrangement) -> list[Found]:
    """Every pattern that is met and played, several of a series too."""
    found = _met_patterns(case, a)
    return [one for one in found if is_played(case.options.values, one[0])] if case.options.values else found


def _met_patterns(case: Case[ZungJungOptions], a: Arrangement) -> list[Found]:
    found: list[Found] = list(case.compute_once(_WHOLE_HAND[a.shape]))
    if a.shape is Shape.STANDARD:
        found += _honour_sets(case, a)
        found += _equal_sets(case, a)
        found += _related_sets(a)
        found += _terminal_sets(case, a)
    return found


def _standard_hand(case: Case[ZungJungOptions]) -> list[Found]:
    """What an ordinary hand meets however it is arranged."""
    found: list[Found] = []
    if case.is_concealed:
        found.append(("concealed_hand", ()))
    if case.nine_gates_wait and case.suit_count == 1 and not case.has_honours:
        found.append(("nine_gates", (case.hand.winning_tile,)))
    return found + _tiles(case) + _incidental(case)


def _pairs_hand(case: Case[ZungJungOptions]) -> list[Found]:
    """Seven pairs take what asks for tiles only; never Concealed Hand."""
    return [("seven_pairs", ()), *_tiles(case), *_incidental(case)]


def _orphans_hand(case: Case[ZungJungOptions]) -> list[Found]:
    """Thirteen terminals take the incidental bonuses only, and 8.1.3 by a house rule."""
    mixed: list[Found] = [("mixed_greater_terminals", ())] if case.options.thirteen_terminals_mixed else []
    return [("thirteen_terminals", ()), *mixed, *_incidental(case)]


_WHOLE_HAND: Final = {
    Shape.STANDARD: _standard_hand,
    Shape.SEVEN_PAIRS: _pairs_hand,
    Shape.THIRTEEN_ORPHANS: _orphans_hand,
}


def _tiles(case: Case[ZungJungOptions]) -> list[Found]:
    """1.3, 2.1, 3.4, 8.1.3 and 8.1.4: patterns about the tiles, not the sets."""
    found: list[Found] = []
    if not case.has_honours and not case.has_terminals:
        found.append(("no_terminals", ()))
    if case.suit_count == 1:
        found.append(("mixed_one_suit" if case.has_honours else "pure_one_suit", ()))
    if case.suit_count == 0:
        found.append(("all_honours", ()))
    if not case.has_simples:
        greater = ("mixed_greater_terminals", "pure_greater_terminals")
        found += _rising(case, greater[:1] if case.has_honours else greater, ())
    return found


def _incidental(case: Case[ZungJungOptions]) -> list[Found]:
    """Category 9, which every hand may have."""
    c = case.context
    flags = (
        (c.last_tile and c.self_drawn, "last_card"),
        (c.last_tile and c.win is Win.DISCARD, "final_discard"),
        (c.replacement or c.double_kong, "win_on_kong"),
        (c.win is Win.ROBBED_KONG, "rob_a_kong"),
        (c.heavenly, "blessing_of_heaven"),
        (c.earthly, "blessing_of_earth"),
    )
    return [(id_, ()) for on, id_ in flags if on]


def _honour_sets(case: Case[ZungJungOptions], a: Arrangement) -> Iterator[Found]:
    """3.1 to 3.3. The round wind is not used."""
    honours = [k for k in a.triplets if k >= EAST]
    if not honours:
        return
    dragons = [k for k in honours if k in DRAGONS]
    winds = [k for k in honours if k in WINDS]
    valued = [k for k in honours if k in DRAGONS or k == case.context.seat.wind]
    if valued:
        yield "value_honour", _triplets(a, valued)
    if len(dragons) == 3:
        yield "big_three_dragons", _triplets(a, dragons)
    elif len(dragons) == 2 and a.pair in DRAGONS:
        yield "small_three_dragons", (*_triplets(a, dragons), _pair(a))
    if len(winds) == 2 and a.pair in WINDS:
        yield "small_three_winds", (*_triplets(a, winds), _pair(a))
    elif len(winds) == 3:
        yield "big_three_winds", _triplets(a, winds)
        if a.pair in WINDS:
            yield "small_four_winds", (*_triplets(a, winds), _pair(a))
    elif len(winds) == 4:
        yield from _rising(case, ("big_three_winds", "big_four_winds"), _triplets(a, winds))


def _equal_sets(case: Case[ZungJungOptions], a: Arrangement) -> Iterator[Found]:
    """1.1, 4.1 to 4.3 and 5.1."""
    if len(a.triplets) == 4:
        yield "all_triplets", _triplets(a, a.triplets)
    concealed = a.concealed_triplets
    if case.options.discard_triplets_concealed:
        concealed += tuple(u.kind for u in a.units if u.type is UnitType.PUNG and u.won and not u.concealed)
    if len(concealed) >= 2:
        yield from _rising(case, _CONCEALED[: len(concealed) - 1], _triplets(a, concealed))
    if a.kongs:
        yield from _rising(case, _KONGS[: a.kongs], tuple(u for u in a.units if u.type is UnitType.KONG))
    if len(a.chows) == 4:
        yield "all_sequences", _chows(a, a.chows)
    if len(a.chows) >= 2 and len(set(a.chows)) < len(a.chows):
        often = Counter(a.chows)
        if sum(n // 2 for n in often.values()) == 2:
            yield "double_two_sequences", _chows(a, [k for k, n in often.items() if n >= 2])
        kind, most = often.most_common(1)[0]
        yield from _rising(case, _IDENTICAL[: most - 1], _chows(a, (kind,)))


def _rising(case: Case[ZungJungOptions], met: Sequence[str], about: tuple[object, ...]) -> Iterator[Found]:
    """The last of these, the greatest, and where the house has a value of its own for one, those below it, too."""
    own = any(id_ in case.options.values for id_ in met)
    yield from ((id_, about) for id_ in (met if own else met[-1:]))


def _related_sets(a: Arrangement) -> Iterator[Found]:
    """6.1, 6.2, 7.1 and 7.2: one number in three suits, numbers in a row in one suit."""
    if len(a.chows) >= 3:
        for k in a.chows:
            if k < 9 and k + 9 in a.chows and k + 18 in a.chows:
                yield "three_similar_sequences", _chows(a, (k, k + 9, k + 18))
            if k % 9 == 0 and k + 3 in a.chows and k + 6 in a.chows:
                yield "pure_dragon", _chows(a, (k, k + 3, k + 6))
    suited = sorted(k for k in a.triplets if k < EAST)
    if len(suited) >= 2:
        for number in range(9):
            same = [k for k in suited if k % 9 == number]
            if len(same) == 3:
                yield "three_similar_triplets", _triplets(a, same)
            elif len(same) == 2 and a.pair < EAST and a.pair % 9 == number:
                yield "small_three_similar_triplets", (*_triplets(a, same), _pair(a))
    for size, id_ in ((3, "three_consecutive_triplets"), (4, "four_consecutive_triplets")):
        for k in suited:
            row = range(k, k + size)
            if k % 9 + size <= 9 and all(x in suited for x in row):
                yield id_, _triplets(a, row)


def _terminal_sets(case: Case[ZungJungOptions], a: Arrangement) -> Iterator[Found]:
    """8.1.1 and 8.1.2."""
    if all(k % 9 in (0, 6) for k in a.chows) and all(k >= 27 or k % 9 in (0, 8) for k in (*a.triplets, a.pair)):
        lesser = ("mixed_lesser_terminals", "pure_lesser_terminals")
        yield from _rising(case, lesser[:1] if case.has_honours else lesser, ())


def _triplets(a: Arrangement, kinds: Collection[int]) -> tuple[Unit, ...]:
    return tuple(u for u in a.units if u.type in (UnitType.PUNG, UnitType.KONG) and u.kind in kinds)


def _chows(a: Arrangement, kinds: Collection[int]) -> tuple[Unit, ...]:
    return tuple(u for u in a.units if u.type is UnitType.CHOW and u.kind in kinds)


def _pair(a: Arrangement) -> str:
    return 2 * kind_name(a.pair)[0] + kind_name(a.pair)[1]
