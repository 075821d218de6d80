"""The parts of an arrangement: chows, pungs, kongs, pairs. They are made once and shared: there are a few hundred."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final

from scoring.tiles import KINDS, PLAIN, format_tiles

ORPHAN_KINDS: Final = (0, 8, 9, 17, 18, 26, 27, 28, 29, 30, 31, 32, 33)
CHOW: Final = 64
"""A set as a small integer: ``kind`` is a pung, ``CHOW`` + lowest kind a chow."""


class UnitType(StrEnum):
    """What one part of an arrangement is."""

    CHOW = "chow"
    PUNG = "pung"
    KONG = "kong"
    PAIR = "pair"
    ORPHANS = "orphans"
    KNITTED = "knitted"


_CHOW, _PUNG, _KONG, _PAIR, _ORPHANS, _KNITTED = UnitType  # looking a member up in its class is slow


@dataclass(frozen=True, slots=True)
class Unit:
    """One set, pair or whole of orphans or knitted tiles in an arrangement.

    Attributes:
        type: chow, pung, kong, pair, orphans or knitted.
        kind: the lowest tile kind; of knitted tiles, a bit for each kind.
        concealed: False for claimed melds and for a unit completed by another player's tile.
        melded: True when it was declared on the table (concealed kongs too).
        won: True for the unit the winning tile completed.
        physical: the kinds that lie there in place of ``kinds`` where wild tiles or stand-ins do; else empty.
    """

    type: UnitType
    kind: int
    concealed: bool = True
    melded: bool = False
    won: bool = False
    physical: tuple[int, ...] = ()

    @property
    def kinds(self) -> tuple[int, ...]:
        """The tile kinds in it, lowest first."""
        k = self.kind
        if self.type is _CHOW:
            return (k, k + 1, k + 2)
        if self.type is _PAIR:
            return (k, k)
        if self.type is _ORPHANS:
            return tuple(sorted((*ORPHAN_KINDS, k)))
        if self.type is _KNITTED:
            return tuple(kind for kind in range(KINDS) if k >> kind & 1)
        return (k, k, k, k) if self.type is _KONG else (k, k, k)

    def __str__(self) -> str:
        text = _text(self.type, self.kind)
        return f"{format_tiles(PLAIN[k] for k in self.physical)}={text}" if self.physical else text


@lru_cache(maxsize=512)
def _text(unit: UnitType, kind: int) -> str:
    codes = [PLAIN[k].code for k in Unit(unit, kind).kinds]
    return " ".join(codes) if unit in (_ORPHANS, _KNITTED) else "".join(c[0] for c in codes) + codes[0][1]


_CHOW_KINDS: Final = tuple(k for k in range(27) if k % 9 < 7)
SETS: Final = {
    **{k: Unit(_PUNG, k) for k in range(KINDS)},
    **{CHOW + k: Unit(_CHOW, k) for k in _CHOW_KINDS},
}
"""Code of a set -> the set, in hand and not won with."""
PAIRS: Final = tuple(Unit(_PAIR, k) for k in range(KINDS))
"""Kind -> the pair."""
WON_SETS: Final = tuple(  # self-drawn, claimed
    {code: Unit(u.type, u.kind, concealed, won=True) for code, u in SETS.items()} for concealed in (True, False)
)
WON_PAIRS: Final = tuple(
    tuple(Unit(_PAIR, k, concealed, won=True) for k in range(KINDS)) for concealed in (True, False)
)
"""The same, completed by the winning tile: [0] drawn, [1] another player's."""
