"""A hand -> every way to read it as sets and a pair, with the winning tile assigned."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Final, NamedTuple

from scoring.hand import Hand, Meld, MeldType
from scoring.splits import (
    Split,
    count_tiles,
    decompose,
    is_seven_pairs,
    is_standard,
    is_thirteen_orphans,
    splits_of,
    waits,
    waits_of,
)
from scoring.units import CHOW, ORPHAN_KINDS, PAIRS, WON_PAIRS, WON_SETS, Unit, UnitType


class Shape(StrEnum):
    """The shape of a complete hand."""

    STANDARD = "standard"
    SEVEN_PAIRS = "seven_pairs"
    THIRTEEN_ORPHANS = "thirteen_orphans"
    EIGHT_PAIRS = "eight_pairs"  # seven pairs and a triplet
    KNITTED = "knitted"  # single honours and knitted tiles
    KNITTED_STRAIGHT = "knitted_straight"  # 147, 258, 369 beside a set and a pair
    BONUS = "bonus"  # won by bonus tiles alone
    DISCARDS = "discards"  # won by what was discarded


class Wait(StrEnum):
    """How the last tile completed its unit."""

    TWO_SIDED = "two_sided"  # 23 waiting for 1 4
    CLOSED = "closed"  # 24 waiting for 3
    EDGE = "edge"  # 12 or 89
    DOUBLE_PUNG = "double_pung"  # two pairs, one becomes a pung
    SINGLE = "single"  # a pair


# Looking a member up in its class is slow, and arrangements are made by the thousand.
_STANDARD: Final = Shape.STANDARD
_CHOW, _PUNG, _KONG, _, _ORPHANS, _ = UnitType
_TWO_SIDED, _CLOSED, _EDGE, _DOUBLE_PUNG, _SINGLE = Wait


class Arrangement(NamedTuple):
    """One reading of a complete hand; a named tuple, for many are made and most are dropped.

    Attributes:
        shape: ordinary, seven pairs, thirteen orphans, or a win by bonus tiles.
        units: sets in hand order (melds first), then the pair or pairs.
        chows: kinds of the lowest tile of every chow. triplets: kinds of pungs and kongs.
        concealed_triplets: kinds of the concealed pungs and kongs (one completed by a claimed tile is not).
        pair: kind of the pair of an ordinary hand, the doubled kind of thirteen orphans, else -1.
        kongs: number of kongs. wait: how the winning tile completed its unit.
    """

    shape: Shape
    units: tuple[Unit, ...]
    chows: tuple[int, ...]
    triplets: tuple[int, ...]
    concealed_triplets: tuple[int, ...]
    pair: int
    kongs: int
    wait: Wait

    def __str__(self) -> str:
        return " ".join(f"[{u}]" if u.melded else str(u) for u in self.units)


def arrangements(
    hand: Hand, *, claimed: bool, seven_pairs: bool, distinct_pairs: bool = False, orphans: bool = True
) -> list[Arrangement]:
    """Every reading of a complete hand, in a fixed order; none when the tiles make no winning shape.

    Args:
        hand: a hand with a winning tile.
        claimed: the winning tile was another player's (a discard or a robbed kong).
        seven_pairs: whether seven pairs win. distinct_pairs: four equal tiles are no two pairs.
        orphans: whether thirteen orphans win.
    """
    if hand.winning_tile is None:
        return []
    win = hand.winning_tile.kind
    found = standard(hand.held, hand.melds, win, claimed=claimed)
    if hand.melds:
        return found
    kinds = hand.kinds.bit_count()
    if kinds <= 7 and seven_pairs and is_seven_pairs(hand.held, distinct=distinct_pairs):
        found.append(_pairs_arrangement(hand.held, win, claimed))
    if kinds == 13 and orphans and is_thirteen_orphans(hand.held):
        pair = next(k for k in ORPHAN_KINDS if hand.held[k] == 2)
        unit = Unit(_ORPHANS, pair, concealed=not claimed, won=True)
        found.append(Arrangement(Shape.THIRTEEN_ORPHANS, (unit,), (), (), (), pair, 0, _SINGLE))
    return found


def standard(held: bytes, melds: Sequence[Meld], win: int, *, claimed: bool) -> list[Arrangement]:
    """Every reading of some concealed tiles as sets and a pair beside the melds.

    Args:
        held: 34 numbers, the winning tile among them. win: its kind. claimed: it was another player's.
    """
    table = table_of(melds) if melds else _NO_MELDS
    found: list[Arrangement] = []
    for split in splits_of(held):
        _assign(table, split, win, claimed, found)
    return found


class Table(NamedTuple):
    """The melds of a hand: units; kinds of chows, of triplets, of concealed kongs; number of kongs."""

    units: tuple[Unit, ...]
    chows: tuple[int, ...]
    triplets: tuple[int, ...]
    hidden: tuple[int, ...]
    kongs: int


_NO_MELDS: Final = Table((), (), (), (), 0)


def table_of(melds: Sequence[Meld]) -> Table:
    """The melds as every reading of the hand has them."""
    units, chows, triplets, hidden, kongs = [], [], [], [], 0
    for meld in melds:
        unit, lowest = _meld_unit(meld.type, meld.kind), meld.kind
        units.append(unit)
        if unit.type is _CHOW:
            chows.append(lowest)
            continue
        triplets.append(lowest)
        if unit.concealed:
            hidden.append(lowest)
        kongs += unit.type is _KONG
    return Table(tuple(units), tuple(chows), tuple(triplets), tuple(hidden), kongs)


@lru_cache(maxsize=256)
def _meld_unit(kind: MeldType, lowest: int) -> Unit:
    if kind is MeldType.CHOW:
        return Unit(_CHOW, lowest, concealed=False, melded=True)
    unit_type = _KONG if kind.is_kong else _PUNG
    return Unit(unit_type, lowest, concealed=kind is MeldType.KONG_CONCEALED, melded=True)


def _pairs_arrangement(counts: Sequence[int], win: int, claimed: bool) -> Arrangement:
    kinds = [k for k, n in enumerate(counts) for _ in range(n // 2)]
    units = [PAIRS[k] for k in kinds]
    units[len(kinds) - 1 - kinds[::-1].index(win)] = WON_PAIRS[claimed][win]
    return Arrangement(Shape.SEVEN_PAIRS, tuple(units), (), (), (), -1, 0, _SINGLE)


def _assign(melds: Table, split: Split, win: int, claimed: bool, found: list[Arrangement]) -> None:
    """Append one arrangement for each different unit that the winning tile may have completed."""
    sets, pair, chows, triplets, units = split
    chows, hidden, triplets = melds.chows + chows, melds.hidden + triplets, melds.triplets + triplets
    melded, kongs = melds.units, melds.kongs
    low = CHOW + win - 2
    for i, s in enumerate(sets):
        if s == win or low <= s <= low + 2:
            if i and s in sets[:i]:
                continue
            whole = (*melded, *units[:i], WON_SETS[claimed][s], *units[i + 1 :], PAIRS[pair])
            kept = tuple([k for k in hidden if k != win]) if claimed and s == win else hidden
            found.append(Arrangement(_STANDARD, whole, chows, triplets, kept, pair, kongs, wait_of(s, win)))
    if pair == win:
        whole = (*melded, *units, WON_PAIRS[claimed][pair])
        found.append(Arrangement(_STANDARD, whole, chows, triplets, hidden, pair, kongs, _SINGLE))


def wait_of(s: int, win: int) -> Wait:
    """How a tile of kind ``win`` completed a set: ``s`` is its kind for a pung, ``CHOW`` + lowest kind for a chow."""
    if s < CHOW:
        return _DOUBLE_PUNG
    low = s - CHOW
    if win == low + 1:
        return _CLOSED
    edge = (win == low and low % 9 == 6) or (win == low + 2 and low % 9 == 0)
    return _EDGE if edge else _TWO_SIDED


__all__ = [
    "CHOW",
    "ORPHAN_KINDS",
    "Arrangement",
    "Shape",
    "Unit",
    "UnitType",
    "Wait",
    "arrangements",
    "count_tiles",
    "decompose",
    "is_seven_pairs",
    "is_standard",
    "is_thirteen_orphans",
    "standard",
    "table_of",
    "wait_of",
    "waits",
    "waits_of",
]
