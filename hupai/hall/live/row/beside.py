"""What lies at one side of a row: read at several sizes until it makes sets, which are known again from then on."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from hupai.hall.live.row.faces import blown_share
from hupai.hall.live.row.look import Melds, Span
from hupai.hall.live.row.melds import SURE, split_melds
from hupai.hall.live.row.strip import Row, Strip, middle
from scoring.tiles import Tile
from vision.arrays import FloatArray, ImageArray

MELD_PX: Final = (84.0, 130.0, 60.0, 100.0)
"""Widths of a standing tile where melds are searched, in turn, pixels."""
TRIES: Final = 12
"""Looks in a row that try to make sense of the same tiles; ``PAUSE``: looks between two tries from then on, and where
something changes though no hand was near."""
PAUSE: Final = 10
SAME_SET: Final = 0.75
"""Correlation from which a remembered set is seen again; ``SET_PX``: width of a standing tile in its picture, pixels;
``SET_SHIFT``: widths by which it may have moved."""
SET_PX: Final = 30.0
SET_SHIFT: Final = 0.4
IN_LIGHT: Final = 0.05
"""Share of a set's picture that is blown out from which it may look otherwise for light."""
_Grey: TypeAlias = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Flat:
    """A tile that lies flat: its quad in row coordinates, what it is read as, the chance of that; whether in light."""

    quad: FloatArray
    tile: Tile
    chance: float
    lit: bool = False

    @property
    def at(self) -> float:
        """Its middle along the row, pixels of the picture."""
        return middle(self.quad)


@dataclass(frozen=True, slots=True)
class _Set:
    """A set that was read: its place in row coordinates, middle of its first tile to that of its last, and its look."""

    tiles: tuple[Tile, ...]
    along: Span
    corner: tuple[float, float]
    scale: float
    picture: _Grey

    @classmethod
    def of(cls, tiles: tuple[Tile, ...], rgb: ImageArray, row: Row, flats: Sequence[Flat]) -> _Set:
        points, scale = np.concatenate([f.quad for f in flats]), SET_PX / row.wide
        (u0, v0), (u1, v1) = points.min(axis=0), points.max(axis=0)
        picture = _grey(Strip.cut(rgb, row, (u0, u1), scale, (v0, v1)))
        return cls(tiles, (flats[0].at, flats[-1].at), (float(u0), float(v0)), scale, picture)

    def find_again(self, rgb: ImageArray, row: Row) -> _Set | None:
        """The set where it lies now; None where it is not seen."""
        (u, v), reach = self.corner, SET_SHIFT * row.wide
        h, w = (n / self.scale for n in self.picture.shape)
        around = Strip.cut(rgb, row, (u - reach, u + w + reach), self.scale, (v - reach, v + h + reach))
        _, best, _, (x, y) = cv2.minMaxLoc(cv2.matchTemplate(_grey(around), self.picture, cv2.TM_CCOEFF_NORMED))
        if best < SAME_SET:  # light that lies on it takes nothing away
            return self if blown_share(around.pixels) > IN_LIGHT else None
        du, dv = x / self.scale - reach, y / self.scale - reach
        return replace(self, along=(self.along[0] + du, self.along[1] + du), corner=(u + du, v + dv))

    def holds(self, at: float, wide: float) -> bool:
        """Whether a tile whose middle is there belongs to it, given the width of a standing one."""
        return self.along[0] - 0.3 * wide < at < self.along[1] + 0.3 * wide

    def agrees(self, flats: Sequence[Flat], wide: float) -> bool:
        """Whether tiles that were found may be those of the set, of which some are misread or overlooked."""
        own = [f for f in flats if self.holds(f.at, wide)]
        others = [f for f in own if f.chance >= SURE and f.tile not in self.tiles]
        # With a tile more a kong was made of it; two others are another set that looks much alike.
        return len(own) <= len(self.tiles) and len(others) < 2


Search: TypeAlias = Callable[[ImageArray, Row, Span, float], Sequence[Flat]]
"""Flat tiles from the left: (picture, row, span along it, width in pixels at which a standing tile is searched)."""


class Beside:
    """The melds at one side, read again when something changes; what was read is known while it looks the same."""

    def __init__(self, search: Search) -> None:
        """Take what finds flat tiles."""
        self._search = search
        self._patch: _Grey | None = None
        self._span: Span = (0.0, 0.0)
        self._melds: Melds | None = None
        self._sets: list[_Set] = []
        self._tries = self._size = self._rested = 0
        self._bare = False

    def look(self, rgb: ImageArray, row: Row, span: Span, *, calm: bool) -> Melds | None:
        """The melds in a span; None where they make no sense. ``calm``: no hand has been near for a while."""
        if abs(span[0] - self._span[0]) > 0.5 * row.wide or abs(span[1] - self._span[1]) > 0.5 * row.wide:
            self._span, self._patch = span, None
        span = self._span
        patch = _grey(Strip.cut(rgb, row, span, 10 / row.wide, across(row)))
        if self._patch is not None and self._patch.shape == patch.shape and not _changed(patch, self._patch):
            if self._melds is not None:
                return self._melds
        elif calm and self._melds is not None and self._rested < PAUSE:  # light, most likely
            self._rested += 1
            return self._melds
        else:
            self._patch, self._tries, self._melds = patch, 0, None
        self._tries += 1
        self._rested = 0
        if self._tries > TRIES and self._tries % PAUSE:
            return None
        found = self._read(rgb, row, span, MELD_PX[self._size])
        # One more look, at another size, before nothing is said to lie there.
        self._melds = None if found == () and not self._bare else found
        self._bare = found == ()
        self._size = (self._size + 1) % len(MELD_PX) if self._melds is None else 0
        return self._melds

    def _read(self, rgb: ImageArray, row: Row, span: Span, px: float) -> Melds | None:
        flats = [f for f in self._search(rgb, row, span, px) if f.chance >= SURE or not f.lit]
        again = [s for one in self._sets if (s := one.find_again(rgb, row)) is not None]
        known = [s for s in again if s.agrees(flats, row.wide)]
        known.sort(key=lambda s: s.along)
        kept = [*known]
        for low, high in pairwise([-math.inf, *(s.along[0] for s in known), math.inf]):
            part = [f for f in flats if low < f.at < high and not any(s.holds(f.at, row.wide) for s in known)]
            part = [f for f in part if not f.tile.is_bonus]
            melds = split_melds([(f.tile, f.chance) for f in part])
            if melds is None:
                return None
            for meld in melds:
                own, part = part[: len(meld)], part[len(meld) :]
                kept.append(_Set.of(meld, rgb, row, own))
        # Those out of sight just now may only be covered.
        self._sets = [*kept, *(s for s in self._sets if not any(_overlap(s, k, row.wide) for k in kept))]
        return tuple(s.tiles for s in sorted(kept, key=lambda s: s.along))


def across(row: Row) -> Span:
    """From where to where flat tiles may lie beside a row, across it."""
    return -1.3 * row.wide - row.high / 2, 0.9 * row.wide


def _overlap(one: _Set, other: _Set, wide: float) -> bool:
    return one.along[0] < other.along[1] + 0.3 * wide and other.along[0] < one.along[1] + 0.3 * wide


def _changed(patch: _Grey, before: _Grey) -> bool:
    apart = cv2.absdiff(cv2.blur(patch, (3, 3)), cv2.blur(before, (3, 3)))
    return float((apart > 18).mean()) >= 0.01


def _grey(strip: Strip) -> _Grey:
    return np.asarray(cv2.cvtColor(strip.pixels, cv2.COLOR_RGB2GRAY), np.uint8)
