"""Fu: the small points of one arrangement, part by part."""

from __future__ import annotations

from functools import lru_cache

from scoring.arrangements.arrange import Arrangement, Shape, Wait
from scoring.arrangements.units import UnitType
from scoring.rules.riichi.hand.facts import Facts, norths_count
from scoring.rules.riichi.hand.kinds import IS_ORPHAN
from scoring.tiles import NORTH, WHITE, kind_name
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
_KONG, _TWO_SIDED, _DOUBLE_PUNG = UnitType.KONG, Wait.TWO_SIDED, Wait.DOUBLE_PUNG
_TRIPLETS = frozenset((UnitType.PUNG, _KONG))
_TRIPLET_FU = tuple(4 if orphan else 2 for orphan in IS_ORPHAN)
"""Kind -> fu of an open triplet; a concealed one has twice, a kan four times as many."""
_SETS = {
    (False, False): "{n} open triplet {t}",
    (False, True): "{n} open kan {t}",
    (True, False): "{n} concealed triplet {t}",
    (True, True): "{n} concealed kan {t}",
}


def fu_of(facts: Facts, a: Arrangement, pinfu: bool) -> tuple[int, int]:
    """The fu that count, and the same before they are rounded up to tens: the sum of :func:`parts_of`, without them.

    A pinfu self-draw is 20, an open hand with nothing else 30; seven pairs are 25 (or 50), not rounded.
    """
    shape, units, _, triplets, concealed, pair, kongs, wait = a
    if shape is _SEVEN_PAIRS:
        flat = _seven_pairs_fu(facts)
        return flat, flat
    total = 20
    if facts.claimed:
        if not facts.opened:
            total += 10
    elif not pinfu:
        total += 2
    for kind in triplets:
        total += _TRIPLET_FU[kind]
    for kind in concealed:  # these count double
        total += _TRIPLET_FU[kind]
    if kongs:
        total += sum([3 * (1 + u.concealed) * _TRIPLET_FU[u.kind] for u in units if u.type is _KONG])
    if pair >= 27:
        total += pair_fu(facts, pair)
    if wait is not _TWO_SIDED and wait is not _DOUBLE_PUNG:
        total += 2
    if total == 20 and facts.opened:
        total = 30
    return -(-total // 10) * 10, total


def parts_of(facts: Facts, a: Arrangement, pinfu: bool) -> list[Part]:
    """The fu part by part: base, win, sets, pair, wait."""
    if a.shape is _SEVEN_PAIRS:
        flat = _seven_pairs_fu(facts)
        return [(flat, say("{n} seven pairs", n=flat))]
    parts = [_BASE]
    if facts.claimed:
        if not facts.opened:
            parts.append(_CLOSED_RON)
    elif not pinfu:
        parts.append(_SELF_DRAW)
    if a.triplets:
        parts += [_set_part(u.kind, u.type is _KONG, u.concealed) for u in a.units if u.type in _TRIPLETS]
    if a.pair >= 27 and (fu := pair_fu(facts, a.pair)):
        parts.append((fu, say("{n} pair {t}", n=fu, t=a.units[-1].text)))
    if a.wait in _WAITS:
        parts.append(_WAITS[a.wait])
    return [*parts, _NOTHING] if parts == [_BASE] and facts.opened else parts


@lru_cache(maxsize=256)
def _set_part(kind: int, kan: bool, concealed: bool) -> Part:
    """The fu of a triplet or kan, and its name."""
    fu = _TRIPLET_FU[kind] * (1 + concealed) * (4 if kan else 1)
    tiles = f"{kind_name(kind)[0] * (4 if kan else 3)}{kind_name(kind)[1]}"
    return fu, say(_SETS[concealed, kan], n=fu, t=tiles)


def _seven_pairs_fu(facts: Facts) -> int:
    return 25 if facts.options.chiitoi == "25fu2han" else 50


@lru_cache(maxsize=1 << 12)
def fu_sentence(fu: int, parts: tuple[Part, ...]) -> str:
    """The fu as they count, and the sum of :func:`parts_of` behind them, in words."""
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
