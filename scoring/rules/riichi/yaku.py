"""The yaku that one reading of a hand adds."""

from __future__ import annotations

from collections.abc import Sequence

from scoring.arrange import Arrangement, Shape, Unit, UnitType, Wait
from scoring.rules.riichi.elements import yaku, yaku_of
from scoring.rules.riichi.facts import Facts
from scoring.rules.riichi.kinds import HONOURS, IS_ORPHAN
from scoring.system import Line
from scoring.tiles import GREEN, RED, WHITE

_SEVEN_PAIRS, _TWO_SIDED, _CHOW = Shape.SEVEN_PAIRS, Wait.TWO_SIDED, UnitType.CHOW
_TRIPLETS = (UnitType.PUNG, UnitType.KONG)
_NAMES = {WHITE: "haku", GREEN: "hatsu", RED: "chun"}
_OUTER_CHOWS = frozenset((0, 6, 9, 15, 18, 24))


def yaku_of_reading(facts: Facts, a: Arrangement, pinfu: bool) -> list[Line]:
    """The yaku that this reading adds; no dora, no yakuman."""
    if a.shape is _SEVEN_PAIRS:
        return [seven_pairs_line(facts)]
    lines: list[Line] = []
    if pinfu:
        lines.append(yaku("pinfu", False))
    chows = a.chows
    if len(chows) > 1:
        if not facts.opened and len(set(chows)) < len(chows):
            lines.append(_twins(a))
        if len(chows) > 2:
            lines += _three_chows(a, facts.opened)
    if a.triplets:
        lines += _triplet_yaku(facts, a)
    if chows and _OUTER_CHOWS.issuperset(chows) and _outer(a):
        lines.append(yaku("chanta" if facts.kinds & HONOURS else "junchan", facts.opened))
    return lines


def seven_pairs_line(facts: Facts) -> Line:
    """Seven pairs: 2 han, or 1 where they have 50 fu."""
    line = yaku("chiitoitsu", False)
    return line if facts.options.chiitoi == "25fu2han" else Line(line.element, 1)


def is_pinfu(facts: Facts, a: Arrangement) -> bool:
    """Four sequences: concealed, nothing but the win scores fu, and the 2 fu of a self-draw are waived."""
    return (
        a.wait is _TWO_SIDED
        and not facts.opened
        and a.pair < WHITE
        and a.pair not in (facts.seat_wind, facts.round_wind)
        and (facts.claimed or not facts.options.pinfu_tsumo_fu)
    )


def _twins(a: Arrangement) -> Line:
    first, second, *rest = sorted(a.chows)
    if len(rest) == 2 and first == second and rest[0] == rest[1]:
        return yaku_of("ryanpeiko", False, _chows(a, a.chows))
    return yaku_of("iipeiko", False, _chows(a, [k for k in a.chows if a.chows.count(k) > 1])[:2])


def _three_chows(a: Arrangement, opened: bool) -> list[Line]:
    """Three-colour sequences or a straight; four sequences cannot hold both."""
    chows = a.chows
    for k in chows:
        if k < 9 and k + 9 in chows and k + 18 in chows:
            return [yaku_of("sanshoku_doujun", opened, _chows(a, (k, k + 9, k + 18)))]
        if k % 9 == 0 and k + 3 in chows and k + 6 in chows:
            return [yaku_of("ittsuu", opened, _chows(a, (k, k + 3, k + 6)))]
    return []


def _triplet_yaku(facts: Facts, a: Arrangement) -> list[Line]:
    triplets, opened = a.triplets, facts.opened
    lines = []
    if facts.kinds & HONOURS:
        dragons = 0
        for k in triplets:
            if k >= WHITE:
                dragons += 1
                lines.append(yaku(_NAMES[k], opened))
        if dragons == 2 and a.pair >= WHITE:
            lines.append(yaku("shousangen", opened))
        if facts.seat_wind in triplets:
            lines.append(yaku("seat_wind", opened))
        if facts.round_wind in triplets:
            lines.append(yaku("round_wind", opened))
    if len(triplets) > 2:
        if len(triplets) == 4:
            lines.append(yaku("toitoi", opened))
        if len(a.concealed_triplets) == 3:
            lines.append(yaku_of("sanankou", opened, _triplets(a, a.concealed_triplets)))
        for k in triplets:
            if k < 9 and k + 9 in triplets and k + 18 in triplets:
                lines.append(yaku_of("sanshoku_doukou", opened, _triplets(a, (k, k + 9, k + 18))))
        if a.kongs == 3:
            lines.append(yaku("sankantsu", opened))
    return lines


def _outer(a: Arrangement) -> bool:
    """A terminal or honour in the pair and in every triplet."""
    return IS_ORPHAN[a.pair] and all(IS_ORPHAN[k] for k in a.triplets)


def _chows(a: Arrangement, kinds: Sequence[int]) -> tuple[Unit, ...]:
    """The sequences of the reading that start with these kinds."""
    return tuple([u for u in a.units if u.type is _CHOW and u.kind in kinds])


def _triplets(a: Arrangement, kinds: Sequence[int]) -> tuple[Unit, ...]:
    """The triplets and kans of the reading of these kinds."""
    return tuple([u for u in a.units if u.kind in kinds and u.type in _TRIPLETS])
