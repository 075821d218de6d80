"""The parts of an arrangement: chows, pungs, kongs, pairs. There are a few hundred, made once and shared."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import Any, Final, NamedTuple

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


_CHOW, _PUNG, _KONG, _PAIR, _ORPHANS, _KNITTED = UnitType  # looking up a member in its enumeration is slow


@dataclass(frozen=True, slots=True)
class Unit:
    """One set or pair of an arrangement, or all its orphans or knitted tiles.

    Attributes:
        type: chow, pung, kong, pair, orphans or knitted.
        kind: the lowest tile kind; of knitted tiles, a bit for each kind.
        concealed: False for claimed melds and for a unit completed by another player's tile.
        melded: True when it was declared on the table (concealed kongs too).
        won: True for the unit the winning tile completed.
        physical: the kinds of the actual tiles where wild tiles or stand-ins represent ``kinds``; else empty.
        kinds: the tile kinds in it, lowest first (computed).
        text: in notation (computed). shown: the same, in brackets if it is melded (computed).
        written: the entry of a score response's ``arrangement``, with plain tiles (computed); to be copied.
    """

    type: UnitType
    kind: int
    concealed: bool = True
    melded: bool = False
    won: bool = False
    physical: tuple[int, ...] = ()
    kinds: tuple[int, ...] = field(init=False, repr=False, compare=False)
    text: str = field(init=False, repr=False, compare=False)
    shown: str = field(init=False, repr=False, compare=False)
    written: dict[str, Any] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        kinds, text, codes = _notation(self.type, self.kind)
        written: dict[str, Any] = {
            "type": "thirteen_orphans" if self.type is _ORPHANS else self.type.value,
            "tiles": codes,
            "concealed": self.concealed,
            "completed_by_winning_tile": self.won,
        }
        if self.physical:
            written |= {"tiles": [PLAIN[k].code for k in self.physical], "stands_for": codes}
            text = f"{format_tiles(PLAIN[k] for k in self.physical)}={text}"
        shown = f"[{text}]" if self.melded else text
        for name, value in (("kinds", kinds), ("text", text), ("shown", shown), ("written", written)):
            object.__setattr__(self, name, value)

    def __str__(self) -> str:
        return self.text


class FixedMelds(NamedTuple):
    """Melds as they are in every arrangement of their hand.

    Attributes:
        units: the melds. chows: the lowest kinds of chows. triplets: the kinds of pungs and kongs.
        hidden: the kinds of concealed kongs. kongs: how many kongs.
    """

    units: tuple[Unit, ...]
    chows: tuple[int, ...]
    triplets: tuple[int, ...]
    hidden: tuple[int, ...]
    kongs: int


NO_MELDS: Final = FixedMelds((), (), (), (), 0)


@lru_cache(maxsize=512)
def _notation(unit: UnitType, kind: int) -> tuple[tuple[int, ...], str, tuple[str, ...]]:
    """Return the kinds of a unit, its text, and the codes of its plain tiles."""
    kinds = _kinds(unit, kind)
    codes = tuple(PLAIN[k].code for k in kinds)
    text = " ".join(codes) if unit in (_ORPHANS, _KNITTED) else "".join(c[0] for c in codes) + codes[0][1]
    return kinds, text, codes


def _kinds(unit: UnitType, k: int) -> tuple[int, ...]:
    if unit is _CHOW:
        return (k, k + 1, k + 2)
    if unit is _PAIR:
        return (k, k)
    if unit is _ORPHANS:
        return tuple(sorted((*ORPHAN_KINDS, k)))
    if unit is _KNITTED:
        return tuple(kind for kind in range(KINDS) if k >> kind & 1)
    return (k, k, k, k) if unit is _KONG else (k, k, k)


_CHOW_KINDS: Final = tuple(k for k in range(27) if k % 9 < 7)
SETS: Final = {
    **{k: Unit(_PUNG, k) for k in range(KINDS)},
    **{CHOW + k: Unit(_CHOW, k) for k in _CHOW_KINDS},
}
"""Code of a set -> the set, concealed and not completed by the winning tile."""
PAIRS: Final = tuple(Unit(_PAIR, k) for k in range(KINDS))
"""Kind -> the pair."""
WON_SETS: Final = tuple(  # self-drawn, claimed
    {code: Unit(u.type, u.kind, concealed, won=True) for code, u in SETS.items()} for concealed in (True, False)
)
WON_PAIRS: Final = tuple(
    tuple(Unit(_PAIR, k, concealed, won=True) for k in range(KINDS)) for concealed in (True, False)
)
"""The sets completed by the winning tile: [0] self-drawn, [1] claimed from another player."""
