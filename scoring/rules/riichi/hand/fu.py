"""Fu: the small points of one arrangement, part by part."""

from __future__ import annotations

from functools import lru_cache
from operator import itemgetter

from scoring.arrangements.arrange import Arrangement, Shape, Wait
from scoring.arrangements.units import UnitType
from scoring.rules.riichi.hand.kinds import IS_ORPHAN
from scoring.rules.riichi.hand.whole import Facts, norths_count
from scoring.tiles import KINDS, NORTH, WHITE, kind_name
from scoring.words.sentence import joined, say

Part = tuple[int, str]
"""Fu, and what for: so many for what."""

_BASE: Part = (20, say("{n} base", n=20))
_CLOSED_RON: Part = (10, say("{n} concealed hand won by another's tile", n=10))
_SELF_DRAW: Part = (2, say("{n} self-draw", n=2))
_NOTHING: Part = (10, say("{n} open hand with no other fu", n=10))
_WAITS: dict[Wait, Part] = {
    Wait.CLOSED: (2, say("{n} middle wait", n=2)),
    Wait.EDGE: (2, say("{n} edge wait", n=2)),
    Wait.SINGLE: (2, say("{n} pair wait", n=2)),
}
_SEVEN_PAIRS = Shape.SEVEN_PAIRS
_KONG = UnitType.KONG


def fu_of(facts: Facts, a: Arrangement, pinfu: bool) -> tuple[int, int, list[Part]]:
    """The fu that count, the same before they are rounded up to tens, and their parts: base, win, sets, pair, wait.

    A pinfu self-draw is 20, an open hand with nothing else 30; seven pairs are 25 (or 50), not rounded.
    """
    shape, units, _, triplets, hidden, pair, kongs, wait = a  # quicker than one by one
    if shape is _SEVEN_PAIRS:
        flat = 25 if facts.options.chiitoi == "25fu2han" else 50
        return flat, flat, [(flat, say("{n} seven pairs", n=flat))]
    parts = [_BASE]
    if facts.claimed:
        if not facts.opened:
            parts.append(_CLOSED_RON)
    elif not pinfu:
        parts.append(_SELF_DRAW)
    kans = [u.kind for u in units if u.type is _KONG] if kongs else ()
    for k in triplets:
        parts.append(_SETS[k in kans][k in hidden][k])
    if pair >= 27 and (fu := pair_fu(facts, pair)):
        parts.append(_pair_part(fu, pair))
    if wait in _WAITS:
        parts.append(_WAITS[wait])
    if len(parts) == 1 and facts.opened:
        parts.append(_NOTHING)
    total = sum(map(_fu_of_part, parts))
    return -(-total // 10) * 10, total, parts


_fu_of_part = itemgetter(0)


def _set_parts(template: str, each: int, tiles: int) -> tuple[Part, ...]:
    """Kind -> the fu of a triplet or kan, and its name; terminals and honours double it."""
    names = [kind_name(kind)[0] * tiles + kind_name(kind)[1] for kind in range(KINDS)]
    fu = [each * (1 + orphan) for orphan in IS_ORPHAN]
    return tuple([(n, say(template, n=n, t=name)) for n, name in zip(fu, names, strict=True)])


_SETS = (
    (_set_parts("{n} open triplet {t}", 2, 3), _set_parts("{n} concealed triplet {t}", 4, 3)),
    (_set_parts("{n} open kan {t}", 8, 4), _set_parts("{n} concealed kan {t}", 16, 4)),
)
"""Kan or not, concealed or not, kind -> the part of the fu."""


@lru_cache(maxsize=64)
def _pair_part(fu: int, kind: int) -> Part:
    return fu, say("{n} pair {t}", n=fu, t=kind_name(kind)[0] * 2 + kind_name(kind)[1])


def fu_sentence(fu: int, parts: tuple[Part, ...]) -> str:
    """The fu as they count, and the sum behind them, in words."""
    total = sum([part for part, _ in parts])
    text = joined([what for _, what in parts], " + ")
    if fu != total:
        return say("Fu: {a} = {n}, rounded up to {m}.", a=text, n=total, m=fu)
    return say("Fu: {a} = {n}.", a=text, n=total)


def pair_fu(facts: Facts, kind: int) -> int:
    """2 for a pair of dragons, the seat wind or the round wind; 4 (an option: 2) for both winds at once."""
    if kind >= WHITE or (kind == NORTH and norths_count(facts)):
        return 2
    winds = (facts.seat_wind == kind) + (facts.round_wind == kind)
    return facts.options.double_wind_fu if winds == 2 else 2 * winds
