"""The yaku that one arrangement of a hand adds."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from scoring.arrangements.arrange import Arrangement, Shape, Wait
from scoring.arrangements.units import Unit, UnitType
from scoring.options import is_played
from scoring.rules.riichi.elements import YAKU_LINES, yaku_line
from scoring.rules.riichi.hand.facts import Facts, norths_count
from scoring.rules.riichi.hand.kinds import HONOURS, IS_ORPHAN
from scoring.system import Line
from scoring.tiles import GREEN, NORTH, RED, WHITE

_NAMES = {WHITE: "haku", GREEN: "hatsu", RED: "chun"}
_OUTER_CHOWS = frozenset((0, 6, 9, 15, 18, 24))
_SEVEN_PAIRS, _TWO_SIDED = Shape.SEVEN_PAIRS, Wait.TWO_SIDED


class _Chows(NamedTuple):
    """What sequences make by themselves: equal ones; three colours or a straight, and its id; only outer ones."""

    twins: tuple[int, ...]
    three: tuple[int, ...]
    id: str
    outer: bool


@lru_cache(maxsize=1 << 12)
def _look_at_chows(chows: tuple[int, ...]) -> _Chows:
    twins, outer = tuple([k for k in chows if chows.count(k) > 1]), _OUTER_CHOWS.issuperset(chows)
    for k in chows:  # four sequences cannot hold both
        if k < 9 and k + 9 in chows and k + 18 in chows:
            return _Chows(twins, (k, k + 9, k + 18), "sanshoku_doujun", outer)
        if k % 9 == 0 and k + 3 in chows and k + 6 in chows:
            return _Chows(twins, (k, k + 3, k + 6), "ittsuu", outer)
    return _Chows(twins, (), "", outer)


def yaku_of_arrangement(facts: Facts, a: Arrangement, pinfu: bool) -> list[Line]:
    """The yaku that this arrangement adds; no dora, no yakuman."""
    if a.shape is _SEVEN_PAIRS:
        return [seven_pairs_line(facts)]
    opened = facts.opened
    lines = [YAKU_LINES["pinfu"][False]] if pinfu else []
    if a.chows:
        twins, three, id_, outer = _look_at_chows(a.chows)
        if twins and not opened:
            lines.append(_twin_line(a, twins))
        if three:
            lines.append(yaku_line(id_, opened, _chows(a, three)))
    else:
        outer = False
    if a.triplets:
        lines += _triplet_yaku(facts, a)
    if outer and _is_outer(a):
        lines.append(YAKU_LINES["chanta" if facts.kinds & HONOURS else "junchan"][opened])
    return lines


def seven_pairs_line(facts: Facts) -> Line:
    """Seven pairs: 2 han, or 1 where they have 50 fu."""
    line = YAKU_LINES["chiitoitsu"][False]
    return line if facts.options.chiitoi == "25fu2han" else Line(line.element, 1)


def is_pinfu(facts: Facts, a: Arrangement) -> bool:
    """Four sequences: concealed, nothing but the win scores fu, and the 2 fu of a self-draw are waived."""
    return (
        a.wait is _TWO_SIDED
        and not facts.opened
        and a.pair < WHITE
        and a.pair not in (facts.seat_wind, facts.round_wind)
        and not (a.pair == NORTH and norths_count(facts))
        and (facts.claimed or not facts.options.pinfu_tsumo_fu)
        and is_played(facts.options.values, "pinfu")
    )


def _twin_line(a: Arrangement, twins: tuple[int, ...]) -> Line:
    if len(twins) == 4:
        return yaku_line("ryanpeiko", False, _chows(a, twins))
    return yaku_line("iipeiko", False, _chows(a, twins)[:2])


def _triplet_yaku(facts: Facts, a: Arrangement) -> list[Line]:
    triplets, opened = a.triplets, facts.opened
    lines = []
    if facts.kinds & HONOURS:
        dragons = 0
        for k in triplets:
            if k >= WHITE:
                dragons += 1
                lines.append(YAKU_LINES[_NAMES[k]][opened])
        if dragons == 2 and a.pair >= WHITE:
            lines.append(YAKU_LINES["shousangen"][opened])
        if facts.seat_wind in triplets:
            lines.append(YAKU_LINES["seat_wind"][opened])
        if facts.round_wind in triplets:
            lines.append(YAKU_LINES["round_wind"][opened])
        if NORTH in triplets and norths_count(facts):
            lines.append(YAKU_LINES["north"][opened])
    if len(triplets) > 2:
        if len(triplets) == 4:
            lines.append(YAKU_LINES["toitoi"][opened])
        if len(a.concealed_triplets) == 3:
            lines.append(yaku_line("sanankou", opened, _triplets(a, a.concealed_triplets)))
        for k in triplets:
            if k < 9 and k + 9 in triplets and k + 18 in triplets:
                lines.append(yaku_line("sanshoku_doukou", opened, _triplets(a, (k, k + 9, k + 18))))
        if a.kongs == 3:
            lines.append(YAKU_LINES["sankantsu"][opened])
    return lines


def _is_outer(a: Arrangement) -> bool:
    """A terminal or honour in the pair and in every triplet."""
    return IS_ORPHAN[a.pair] and all(IS_ORPHAN[k] for k in a.triplets)


def _chows(a: Arrangement, kinds: Sequence[int]) -> tuple[Unit, ...]:
    """The sequences of the arrangement that start with these kinds."""
    return tuple(u for u in a.units if u.type is UnitType.CHOW and u.kind in kinds)


def _triplets(a: Arrangement, kinds: Sequence[int]) -> tuple[Unit, ...]:
    """The triplets and kans of the arrangement of these kinds."""
    return tuple(u for u in a.units if u.kind in kinds and u.type in (UnitType.PUNG, UnitType.KONG))
