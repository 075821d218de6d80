"""Blank white dragons that the finder overlooked: places in a row where a tile must lie and the picture is bare body.

A finder of printed faces has nothing to go by on a blank face, least of all where light washes the seams out. The rows
have: a gap of whole tiles between two tiles, or the end of a row that goes on in the tiles' own colour for just a tile
and then stops. What is proposed here the reader still has to name.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry import BoolArray, axes, frame, middle, offsets, sides
from vision.reading import FloatArray, ImageArray

MOST: Final = 3
"""Blank tiles side by side; a fourth would be a kong, which lies apart from the row."""
FEWEST_TILES: Final = 3
"""Tiles that a photo must show before rows mean anything."""
NEAR: Final = 0.3
"""A find this near a place, in tile sides, is the tile that lies there."""
LEAST_SIDE: Final = 4.0
"""Smaller tiles, pixels, show neither colour nor direction."""
OFF_LINE: Final = 0.3
"""A tile of the same row lies at most this far beside the line, in tile heights a tile of distance."""
UNEVEN: Final = 0.22
"""A gap may differ from whole tiles by this much of a tile."""
ROUNDS: Final = 2
"""A blank tile may lie next to a blank one: on top of the row, or as the end of it."""
ALIKE: Final = 1.2
"""Neighbours differ at most by this factor in width and height; the ends of a gap by as many such steps."""
PARALLEL: Final = 0.94
"""Least cosine between the directions of two tiles of a row."""
PATCH: Final = (32, 44)
"""Width and height a place is looked at with, pixels."""
AROUND: Final = 9
"""Pixels of its surroundings on every side."""
DARKER: Final = 0.8
"""A body, or a blank face, is at least this share as light as the printed tiles' bodies are on the whole."""
TINTED: Final = 9.0
"""And its colour at most this far from theirs, in a and b of 8-bit CIELAB."""
LIGHT_BESIDE: Final = (0.92, 1.09)
"""A blank face against the body of the tile beside it: the share of its lightness,"""
TINT_BESIDE: Final = 3.2
"""and how far its colour is. The table in a gap of a row mostly differs by more, white as it may be."""
ROUGH: Final = (16.0, 0.08)
"""At most this share of a blank face differs by more than so much from its middle colour."""
EDGE: Final = 9.0
"""Difference in colour at which something else begins."""
SAME: Final = 24.0
"""Difference in colour up to which two tiles of a row lie on the same ground."""
QUARTERS: Final = tuple(
    np.array(m, np.float32) for m in ([[1, 0], [0, 1]], [[0, -1], [1, 0]], [[-1, 0], [0, -1]], [[0, 1], [-1, 0]])
)
"""Offsets in a tile's frame times this are offsets in the frame of the tile turned by so many quarters."""


@dataclass(frozen=True, slots=True)
class _Place:
    """What a place looks like: the colours (CIELAB, 8-bit scaling) of its middle and beyond three of its edges."""

    middle: FloatArray
    rough: float
    above: FloatArray
    below: FloatArray
    beyond: FloatArray

    def blank(self, body: FloatArray) -> bool:
        """Whether it has the colour of the body beside it all over."""
        low, high = LIGHT_BESIDE
        return (
            low <= self.middle[0] / body[0] <= high
            and _tint(self.middle, body) <= TINT_BESIDE
            and self.rough <= ROUGH[1]
        )

    def alone(self) -> bool:
        """Whether something else begins above it and below."""
        return min(_apart(self.above, self.middle), _apart(self.below, self.middle)) > EDGE

    def bounded(self, beside: _Place) -> bool:
        """Whether the ground begins above or below it, and it is the ground of the tile beside it."""
        for own, other in ((self.above, beside.above), (self.below, beside.below)):
            if _apart(own, self.middle) > EDGE and _apart(own, other) < SAME:
                return True
        return False

    def closed(self, quad: FloatArray, middles: FloatArray) -> bool:
        """Whether above and below it the ground begins or another tile or gap lies."""
        at = (middles - quad.mean(axis=0)) @ np.linalg.pinv(frame(quad))
        near = at[np.abs(at[:, 0]) < 0.5, 1]
        above = _apart(self.above, self.middle) > EDGE or bool(((near < -0.7) & (near > -1.3)).any())
        below = _apart(self.below, self.middle) > EDGE or bool(((near > 0.7) & (near < 1.3)).any())
        return above and below


@dataclass(frozen=True, slots=True)
class Looks:
    """The picture, (h, w, 3) uint8 RGB, and what its places look like: each is asked for often, and dear."""

    image: ImageArray
    seen: dict[bytes, _Place] = field(default_factory=dict)

    def __call__(self, quad: FloatArray) -> _Place:
        """What the place of a (4, 2) quad, pixels, looks like."""
        key = np.asarray(quad, np.float32).tobytes()
        if key not in self.seen:
            self.seen[key] = _look(self.image, quad)
        return self.seen[key]


def overlooked(look: Looks, quads: FloatArray, crops: ImageArray) -> FloatArray:
    """Places where a blank tile lies in a row of tiles and none was found.

    Args:
        look: at the picture.
        quads: (n, 4, 2) tiles found, pixels of the picture, clockwise, first edge a short one.
        crops: (n, ch, cw, 3) uint8 RGB crops of them.

    Returns:
        (m, 4, 2) float32 quads of the same kind.
    """
    large = sides(quads) >= LEAST_SIDE
    known = np.asarray(quads[large], np.float32)
    if len(known) < FEWEST_TILES:
        return np.zeros((0, 4, 2), np.float32)
    bodies, count = _bodies(crops[large]), len(known)
    for _ in range(ROUNDS):
        more = _next_to(look, known, bodies)
        if not more:
            break
        known = np.concatenate([known, more])
        bodies = np.concatenate([bodies, [look(place).middle for place in more]])
    return known[count:]


def borne_out(look: Looks, quads: FloatArray, crops: ImageArray, weak: BoolArray) -> BoolArray:
    """(n,) which weakly located finds are blank tiles where the rows of the other finds say that one lies.

    Args:
        look, quads, crops: see :func:`overlooked`.
        weak: (n,) which finds are in doubt.
    """
    if not weak.any():
        return weak
    places = overlooked(look, quads[~weak], crops[~weak])
    apart = np.linalg.norm(quads.mean(axis=1)[:, None] - places.mean(axis=1)[None], axis=2)
    return np.asarray(weak & (apart < NEAR * sides(places)[None]).any(axis=1), np.bool_)


def _next_to(look: Looks, known: FloatArray, bodies: FloatArray) -> list[FloatArray]:
    """Blank tiles next to those known, whose bodies have the given colours, in rows and in the columns of a grid."""
    gaps, found = list[tuple[FloatArray, _Place, _Place]](), list[FloatArray]()
    around = offsets(known)
    for turn, quarter in enumerate(QUARTERS):
        at = around @ quarter
        in_line = np.abs(at[..., 1]) < OFF_LINE * np.maximum(1.0, np.abs(at[..., 0]))
        ahead = np.where(in_line & (at[..., 0] > 0.3), at[..., 0], np.inf)
        behind = np.where(in_line & (at[..., 0] < -0.7), -at[..., 0], np.inf)
        for i in np.flatnonzero(ahead.min(axis=1) >= 1.5):
            turned = np.asarray(np.roll(known[i], -turn, axis=0), np.float32)
            follows = known[ahead[i].argmin()] if np.isfinite(ahead[i].min()) else None
            before = known[behind[i].argmin()] if behind[i].min() < 1.4 else None
            places, bridged = _onward(look, turned, follows, before, bodies[i])
            if any(_held(p.mean(axis=0), known) or _held(p.mean(axis=0), found) for p in places):
                continue
            if bridged:
                beside = look(turned)
                gaps += [(p, look(p), beside) for p in places]
            else:
                found += [_short_first(p) for p in places]
    # In a grid the ground is seen nowhere: there a gap counts when tiles or other gaps close it on both sides.
    middles = np.array([p.mean(axis=0) for p, _, _ in gaps] + [*known.mean(axis=1)])
    for place, seen, beside in gaps:
        if _held(place.mean(axis=0), found):
            continue
        if seen.bounded(beside) or seen.closed(place, middles):
            found.append(_short_first(place))
    return found


def _onward(
    look: Looks, quad: FloatArray, follows: FloatArray | None, before: FloatArray | None, body: FloatArray
) -> tuple[list[FloatArray], bool]:
    """Blank tiles beside a tile, in the direction of its first edge, and whether another tile follows them.

    Args:
        look: at places of the picture.
        quad: (4, 2) the tile.
        follows: the next tile on the same line, further than the tile beside it would be; ``before``: the tile that
            lies beside it on the other side; None where there is none.
        body: CIELAB colour of the tile's body.
    """
    right, down = axes(quad)
    if not _bare(look.image, quad.mean(axis=0) + right, body):
        return [], False
    if follows is not None and (places := _between(quad, follows)):
        return (places if all(look(p).blank(body) for p in places) else []), True
    last = None if before is None else _aligned(before, right)
    step = np.broadcast_to(right, (4, 2)) if last is None else quad - last
    on_top = bool(np.linalg.norm(right) > np.linalg.norm(down))
    return _to_the_end(look, quad, np.asarray(step, np.float32), body, on_top), False


def _between(one: FloatArray, other: FloatArray) -> list[FloatArray]:
    """The quads that fill the gap between two tiles of a row with whole tiles; none when they do not fit."""
    aligned = _aligned(other, axes(one)[0])
    if aligned is None:
        return []
    apart = float(np.linalg.norm(aligned.mean(axis=0) - one.mean(axis=0)))
    own, others = (np.linalg.norm(frame(q), axis=1) for q in (one, aligned))
    steps = 2 * apart / float(own[0] + others[0])
    count = round(steps) - 1
    ratio = np.maximum(own / others, others / own)
    if not 1 <= count <= MOST or abs(steps - count - 1) > UNEVEN or (ratio > ALIKE ** (count + 1)).any():
        return []
    return [np.asarray(one + (aligned - one) * k / (count + 1), np.float32) for k in range(1, count + 1)]


def _to_the_end(look: Looks, quad: FloatArray, step: FloatArray, body: FloatArray, on_top: bool) -> list[FloatArray]:
    """Blank tiles after the last tile of a row: the row must stop after a whole tile, on the ground it lay on.

    A single tile ``on_top`` of another, short side to short side, must have ground on both sides of it instead.
    """
    places = list[FloatArray]()
    height, width = look.image.shape[:2]
    for k in range(1, 2 if on_top else MOST + 1):
        place = np.asarray(quad + k * step, np.float32)
        if place.min() < 0 or (place.max(axis=0) > [width - 1, height - 1]).any():
            return []
        seen = look(place)
        if not (seen.blank(body) and (seen.alone() if on_top else seen.bounded(look(quad)))):
            return []
        places.append(place)
        if _apart(seen.beyond, seen.middle) > EDGE:
            return places
    return []


def _aligned(quad: FloatArray, across: FloatArray) -> FloatArray | None:
    """A tile with its corners in the order of its neighbour's; None when it does not lie alike."""
    for turn in range(4):
        turned = np.asarray(np.roll(quad, -turn, axis=0), np.float32)
        own = axes(turned)[0]
        if float(own @ across) > PARALLEL * float(np.linalg.norm(own) * np.linalg.norm(across)):
            return turned
    return None


def _short_first(quad: FloatArray) -> FloatArray:
    across, down = np.linalg.norm(frame(quad), axis=1)
    return quad if across <= down else np.asarray(np.roll(quad, -1, axis=0), np.float32)


def _bare(image: ImageArray, point: npt.NDArray[np.floating], body: FloatArray) -> bool:
    """Whether the pixels around a point may belong to a blank tile; a cheap sieve."""
    x, y = round(float(point[0])), round(float(point[1]))
    few = image[max(0, y - 1) : y + 2, max(0, x - 1) : x + 2] if min(x, y) >= 0 else image[:0]
    if not few.size:
        return False
    lab = middle(cv2.cvtColor(np.ascontiguousarray(few), cv2.COLOR_RGB2LAB).reshape(-1, 3).astype(np.float32))
    return bool(lab[0] >= DARKER * body[0]) and _tint(lab, body) <= TINTED


def _tint(one: npt.NDArray[np.floating], other: npt.NDArray[np.floating]) -> float:
    return float(np.hypot(*(one[1:] - other[1:])))


def _look(image: ImageArray, quad: FloatArray) -> _Place:
    (w, h), a = PATCH, AROUND
    target = np.array([[a, a], [a + w, a], [a + w, a + h], [a, a + h]], np.float32)
    matrix = cv2.getPerspectiveTransform(np.asarray(quad, np.float32), target)
    size = (w + 2 * a, h + 2 * a)
    patch = cv2.warpPerspective(image, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    lab = cv2.cvtColor(cv2.medianBlur(patch, 3), cv2.COLOR_RGB2LAB).astype(np.float32)
    inner = lab[a + 4 : a + h - 4, a + 3 : a + w - 3].reshape(-1, 3)
    bulk = middle(inner)
    rough = float((np.abs(inner - bulk).max(axis=1) > ROUGH[0]).mean())

    def strip(rows: slice, columns: slice) -> FloatArray:
        return middle(lab[rows, columns].reshape(-1, 3))

    columns, rows = slice(a + 3, a + w - 3), slice(a + 4, a + h - 4)
    return _Place(
        bulk,
        rough,
        strip(slice(2, a - 2), columns),
        strip(slice(a + h + 2, 2 * a + h - 2), columns),
        strip(rows, slice(a + w + 2, 2 * a + w - 2)),
    )


def _bodies(crops: ImageArray) -> FloatArray:
    """(n, 3) the colours of the tiles' bodies: the lighter half of printed faces; for backs that of most tiles."""
    few = crops[:, 8:-8:3, 6:-6:3]
    lab = cv2.cvtColor(np.ascontiguousarray(few.reshape(len(few), -1, 3)), cv2.COLOR_RGB2LAB)
    lighter = np.argsort(lab[..., 0], axis=1)[:, lab.shape[1] // 2 :, None]
    bodies = np.asarray(np.median(np.take_along_axis(lab, lighter, axis=1), axis=1), np.float32)
    usual = np.median(bodies, axis=0)
    apart = np.hypot(*(bodies[:, 1:] - usual[1:]).T)
    other = (apart > TINTED) | (bodies[:, 0] < DARKER * usual[0])
    return np.where(other[:, None], usual, bodies).astype(np.float32)


def _apart(one: FloatArray, other: FloatArray) -> float:
    return float(np.linalg.norm(one - other))


def _held(point: npt.NDArray[np.floating], quads: Sequence[FloatArray] | FloatArray) -> bool:
    """Whether one of the quads holds the point; the boxes around them are a cheap sieve."""
    many = np.asarray(quads, np.float32).reshape(-1, 4, 2)
    near = ((many.min(axis=1) <= point) & (point <= many.max(axis=1))).all(axis=1)
    x, y = float(point[0]), float(point[1])
    return any(cv2.pointPolygonTest(quad, (x, y), False) >= 0 for quad in many[near])
