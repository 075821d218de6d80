"""Tiles that lie side by side -> the sets they make."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from hupai.hall.live.look import Melds
from scoring.tiles import BACK_KIND, Tile

SURE: Final = 0.55
"""Chance of a tile from which a set that holds it is believed."""


def split_melds(found: Sequence[tuple[Tile, float]]) -> Melds | None:
    """Split flat tiles, from the left, each with its chance, into sets; None where they make none.

    Bonus tiles beside them are left out.
    """
    tiles = [(t, p) for t, p in found if not t.is_bonus]
    if any(p < SURE for _, p in tiles):
        return None
    return _split(tuple(t for t, _ in tiles))


def _split(tiles: Sequence[Tile]) -> Melds | None:
    if not tiles:
        return ()
    for size in (4, 3):
        if len(tiles) >= size and is_meld(tiles[:size]):
            rest = _split(tiles[size:])
            if rest is not None:
                return (tuple(tiles[:size]), *rest)
    return None


def is_meld(tiles: Sequence[Tile]) -> bool:
    """Whether tiles are a pung, a kong, of which two or three tiles may lie face down, or a chow in any order."""
    kinds = Counter(t.kind for t in tiles)
    down = kinds.pop(BACK_KIND, 0)
    if len(kinds) == 1:
        return down == 0 or (down in (2, 3) and len(tiles) == 4)
    low = min(kinds, default=0)
    return len(tiles) == 3 and not down and low < 27 and low % 9 < 7 and sorted(kinds) == [low, low + 1, low + 2]
