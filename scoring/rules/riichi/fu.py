"""Fu: the small points of one reading, part by part."""

from __future__ import annotations

from scoring.arrange import Arrangement, Shape, Unit, UnitType, Wait
from scoring.rules.riichi.facts import Facts
from scoring.rules.riichi.kinds import IS_ORPHAN
from scoring.tiles import WHITE

Part = tuple[int, object]
"""Fu, and what for: words or a unit."""

_BASE: Part = (20, "base")
_CLOSED_RON: Part = (10, "concealed hand won by another's tile")
_SELF_DRAW: Part = (2, "self-draw")
_NOTHING: Part = (10, "open hand with no other fu")
_WAITS: dict[Wait, Part] = {
    Wait.CLOSED: (2, "middle wait"),
    Wait.EDGE: (2, "edge wait"),
    Wait.SINGLE: (2, "pair wait"),
}
_SEVEN_PAIRS = Shape.SEVEN_PAIRS
_TRIPLETS = frozenset((UnitType.PUNG, UnitType.KONG))
_SET_FU = {  # concealed, kind of set, terminal or honour
    (concealed, kind, orphan): 2 * (1 + concealed) * (1 + orphan) * (4 if kind is UnitType.KONG else 1)
    for concealed in (False, True)
    for kind in _TRIPLETS
    for orphan in (False, True)
}


def fu_of(facts: Facts, a: Arrangement, pinfu: bool) -> tuple[int, int, list[Part]]:
    """The fu that count, the same before they are rounded up to tens, and their parts: base, sets, pair, wait, win.

    A pinfu self-draw is 20, an open hand with nothing else 30; seven pairs are 25 (or 50), not rounded.
    """
    if a.shape is _SEVEN_PAIRS:
        flat = 25 if facts.options.chiitoi == "25fu2han" else 50
        return flat, flat, [(flat, "seven pairs")]
    total, parts = 20, [_BASE]
    if facts.claimed:
        if not facts.opened:
            total += 10
            parts.append(_CLOSED_RON)
    elif not pinfu:
        total += 2
        parts.append(_SELF_DRAW)
    if a.triplets:
        for unit in a.units:
            if unit.type in _TRIPLETS:
                fu = _SET_FU[unit.concealed, unit.type, IS_ORPHAN[unit.kind]]
                total += fu
                parts.append((fu, unit))
    if a.pair >= 27:
        fu = pair_fu(facts, a.pair)
        if fu:
            total += fu
            parts.append((fu, a.units[-1]))
    wait = _WAITS.get(a.wait)
    if wait is not None:
        total += 2
        parts.append(wait)
    if total == 20 and facts.opened:
        total = 30
        parts.append(_NOTHING)
    return -(-total // 10) * 10, total, parts


def note(fu: int, parts: list[Part]) -> str:
    """The sum in words."""
    total = sum(part for part, _ in parts)
    text = " + ".join(f"{part} {_words(what)}" for part, what in parts)
    return f"Fu: {text} = {total}" + (f", rounded up to {fu}." if fu != total else ".")


def _words(what: object) -> str:
    if not isinstance(what, Unit):
        return str(what)
    if what.type is UnitType.PAIR:
        return f"pair {what}"
    name = "kan" if what.type is UnitType.KONG else "triplet"
    return f"{'concealed' if what.concealed else 'open'} {name} {what}"


def pair_fu(facts: Facts, kind: int) -> int:
    """2 for a pair of dragons, the seat wind or the round wind; 4 (an option: 2) for both winds at once."""
    if kind >= WHITE:
        return 2
    winds = (facts.seat_wind == kind) + (facts.round_wind == kind)
    return facts.options.double_wind_fu if winds == 2 else 2 * winds
