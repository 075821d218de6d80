"""Tiles that lie side by side -> the sets they make."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from hupai.hall.live.row.look import Melds
from scoring.tiles import BACK_KIND, Tile, tile

BACK: Final = tile("back")
BLANK: Final = tile("5z")
FITTING: Final = (13, 14, 16, 17)
"""Tiles of a hand, three for each meld, without and with the one that is drawn."""
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
    three = tuple(tiles[:3])
    if BLANK in three:  # none of three lies face down
        three = tuple(BLANK if t is BACK else t for t in three)
    for part in (tuple(tiles[:4]), three):
        if len(part) >= 3 and is_meld(part):
            rest = _split(tiles[len(part) :])
            if rest is not None:
                return (part, *rest)
    return None


def is_meld(tiles: Sequence[Tile]) -> bool:
    """Whether tiles are a pung, a kong, of which two or three tiles may lie face down, or a chow in any order."""
    kinds = Counter(t.kind for t in tiles)
    down = kinds.pop(BACK_KIND, 0)
    if len(kinds) == 1:
        return down == 0 or (down in (2, 3) and len(tiles) == 4)
    low = min(kinds, default=0)
    return len(tiles) == 3 and not down and low < 27 and low % 9 < 7 and sorted(kinds) == [low, low + 1, low + 2]
