"""Tiles that lie side by side: the rows of a table, each in reading order, with tiles laid across and stacked ones.

Links are made between sides: an upright tile touches its row neighbours with its long sides, a tile laid across with
its short ones. Every side takes one link, the nearest first, so rows may bend, be ragged or run at any angle.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Final

import numpy as np
import numpy.typing as npt

from scoring.tiles import Tile, parse_tiles
from vision.layout.frames import Frames
from vision.reading import Sighting

AIR: Final = 0.28
"""Narrowest gap that people leave on purpose, tile widths."""
TOUCHING: Final = 0.42
"""Widest gap between tiles that are taken to touch, tile widths."""
REACH: Final = 2.6
"""Widest gap between neighbours of one row, tile widths."""
LONE: Final = 0.7
"""Added to the cost of linking a single tile to one that lies across beside it, so that other links go first."""
MOST_ACROSS: Final = 3
"""Most tiles that lie across, one above the other: the first of as many lines of melds."""
LOOK_ALIKE: Final = frozenset(str(t) for t in parse_tiles("12345089p 2450689s 5z back"))
"""Faces that look (nearly) the same upside-down and say little about which way is up."""


@dataclass(frozen=True, slots=True)
class Row:
    """Tiles along one line, left to right for a reader who sees most of the faces upright.

    Attributes:
        tiles: sighting indices in reading order, stacked tiles left out.
        across: for each, whether it lies across the row.
        gaps: gap before each tile, tile widths; 0 for the first.
        stacked: tile of the row -> the tile laid beside it, both across (added kong).
        quarters: sighting -> quarter turns clockwise from the row's upright to the tile.
        size: median size of its tiles, pixels.
        upright: how many faces show that the row is the right way up, minus those that show it is not.
    """

    tiles: tuple[int, ...]
    across: tuple[bool, ...]
    gaps: tuple[float, ...]
    stacked: dict[int, int]
    quarters: dict[int, int]
    size: float
    upright: float

    def turned(self) -> Row:
        """The same row read from its other end, upside-down."""
        return replace(
            self,
            tiles=self.tiles[::-1],
            across=self.across[::-1],
            gaps=(0.0, *self.gaps[:0:-1]),
            quarters={i: (quarter + 2) % 4 for i, quarter in self.quarters.items()},
            upright=-self.upright,
        )

    @property
    def members(self) -> tuple[int, ...]:
        """All tiles, stacked ones included."""
        return self.tiles + tuple(self.stacked.values())

    def stretches(self) -> list[range]:
        """The places of tiles between which no gap was left on purpose."""
        starts = [k for k, gap in enumerate(self.gaps) if k == 0 or gap >= AIR]
        return [range(a, b) for a, b in pairwise([*starts, len(self.tiles)])]


@dataclass(slots=True)
class _Sides:
    """Which tile each side of each tile is linked to; sides 0 left, 1 right, 2 top, 3 bottom."""

    links: dict[tuple[int, int], int] = field(default_factory=dict)
    parent: dict[int, int] = field(default_factory=dict)
    stacked: dict[int, int] = field(default_factory=dict)

    def root(self, i: int) -> int:
        while self.parent.get(i, i) != i:
            i = self.parent[i]
        return i

    def link(self, i: int, side_i: int, j: int, side_j: int) -> bool:
        """Link two free sides unless that would close a ring."""
        if (i, side_i) in self.links or (j, side_j) in self.links or self.root(i) == self.root(j):
            return False
        self.links[i, side_i] = j
        self.links[j, side_j] = i
        self.parent[self.root(i)] = self.root(j)
        return True

    def run(self, i: int) -> list[int]:
        """The tiles connected with this one through their long sides."""
        found = [i]
        for at in found:
            found += [j for side in (0, 1) if (j := self.links.get((at, side), at)) not in found]
        return found

    def detach(self, i: int) -> None:
        """Undo the links of a tile's long sides."""
        for side in (0, 1):
            j = self.links.pop((i, side), None)
            if j is not None:
                self.links = {key: k for key, k in self.links.items() if (key[0], k) != (j, i)}


def rows_of(sightings: Sequence[Sighting], frames: Frames) -> list[Row]:
    """Every tile's row, single tiles included; longest row first."""
    n = len(frames)
    tiles = [s.tile for s in sightings]
    gaps, offset, quarter = frames.gaps(), frames.offset, frames.quarter
    alike = np.abs(np.log(np.maximum(frames.size, 1e-3)[None] / np.maximum(frames.size, 1e-3)[:, None])) < 0.5
    x, y, gap = offset[..., 0], np.abs(offset[..., 1]), gaps[..., 0]
    beside = alike & (gap > -0.5) & (gap < REACH) & ~np.eye(n, dtype=bool)
    level = y < np.where(gap < TOUCHING, 0.85, 0.4 + 0.08 * np.maximum(gap, 0))
    upright = beside & level & (quarter % 2 == 0) & (quarter >= 0)
    crossed = beside & (y < 0.5 + 0.05 * np.maximum(gap, 0)) & (quarter % 2 == 1)
    cost = np.maximum(gap, 0) + 1.1 * y + 0.01 * frames.askew
    sides = _Sides()
    near, far = upright & (gap < TOUCHING), upright & (gap >= TOUCHING)
    for i, j in _ascending(near & near.T, cost):
        sides.link(i, int(x[i, j] > 0), j, int(x[j, i] > 0))
    _link_further(far & far.T, crossed, cost, frames, sides, tiles)
    return _walk(sides, frames, tiles)


def _ascending(mask: npt.NDArray[np.bool_], cost: npt.NDArray[np.float32]) -> list[tuple[int, int]]:
    """Pairs of a symmetric mask, cheapest first."""
    i, j = np.nonzero(np.triu(mask))
    order = np.argsort(np.minimum(cost[i, j], cost[j, i]), kind="stable")
    return [(int(i[k]), int(j[k])) for k in order]


def _link_further(
    far: npt.NDArray[np.bool_],
    crossed: npt.NDArray[np.bool_],
    cost: npt.NDArray[np.float32],
    frames: Frames,
    sides: _Sides,
    tiles: Sequence[Tile],
) -> None:
    """Link across gaps, and tiles that lie across to the ends of runs, nearest first."""
    x, y = frames.offset[..., 0], frames.offset[..., 1]
    gap = frames.gaps()[..., 0]
    todo = [(float(min(cost[i, j], cost[j, i])), i, j, False) for i, j in _ascending(far, cost)]
    runs = [sides.run(i) for i in range(len(frames))]
    # Tile i is upright, j lies across: j sees i along its own long axis. Of two single tiles either may lie across, so
    # any other link of theirs goes first.
    todo += [
        (float(cost[i, j]) + (0.1 if len(runs[i]) > 1 else LONE), int(i), int(j), True)
        for i, j in zip(*np.nonzero(crossed), strict=True)
    ]
    upright: set[int] = set()
    lying: set[int] = set()
    for _, i, j, turned in sorted(todo):
        if not turned:
            if i not in lying and j not in lying and sides.link(i, int(x[i, j] > 0), j, int(x[j, i] > 0)):
                upright |= {i, j, *runs[i], *runs[j]}
            continue
        if i in lying or j in upright:
            continue
        if len(runs[i]) == 1 and i not in upright and gap[i, j] > TOUCHING:
            continue  # two single tiles at right angles are no row
        added = None
        if j not in lying and len(runs[j]) > 1:
            # Tiles across one above the other: an added kong's two, or the first tiles of two lines of melds.
            if len(runs[j]) > MOST_ACROSS or gap[i, j] > TOUCHING:
                continue
            beside = [sides.links[j, side] for side in (0, 1) if (j, side) in sides.links]
            added = next((k for k in beside if tiles[k].kind == tiles[j].kind == tiles[i].kind), None)
            sides.detach(j)
            if added is not None:
                sides.detach(added)
        if sides.link(i, int(x[i, j] > 0), j, 2 + int(y[j, i] > 0)):
            upright |= {i, *(k for k in runs[i] if k != j)}
            lying.add(j)
            if added is not None:
                lying.add(added)
                sides.stacked[j] = added


def _walk(sides: _Sides, frames: Frames, tiles: Sequence[Tile]) -> list[Row]:
    """Follow the links from end to end."""
    neighbours: dict[int, list[int]] = {i: [] for i in range(len(frames))}
    for (i, _), j in sides.links.items():
        neighbours[i].append(j)
    left = set(neighbours) - set(sides.stacked.values())
    rows = []
    while left:
        chain = [min(left, key=lambda i: (len(neighbours[i]), i))]
        for at in chain:
            chain += [j for j in neighbours[at] if j in left and j not in chain][:1]
        left -= set(chain)
        rows.append(_row(chain, {i: sides.stacked[i] for i in chain if i in sides.stacked}, frames, tiles))
    return sorted(rows, key=lambda row: (-len(row.tiles), row.tiles))


def _row(chain: list[int], stacked: dict[int, int], frames: Frames, tiles: Sequence[Tile]) -> Row:
    quarters = {chain[0]: 0}
    for a, b in pairwise(chain):
        quarters[b] = int(quarters[a] + frames.quarter[a, b]) % 4
    # Which way is up: at least half of a row's tiles lie upright in it, and their faces show their top.
    votes = [0.0] * 4
    for i in chain:
        votes[quarters[i]] += 0.1 if tiles[i].code in LOOK_ALIKE else 1.0 * frames.upright[i]
    lengthwise = 0
    if len(chain) > 1:
        step = frames.offset[chain[0], chain[1]]
        lengthwise = int(abs(step[1]) > abs(step[0]))  # the first tile of the chain lies across
    up = max((lengthwise, lengthwise + 2), key=lambda q: (votes[q], -q))
    quarters = {i: (q - up) % 4 for i, q in quarters.items()}
    if len(chain) > 1:
        ahead = in_row(frames.offset[chain[0], chain[1]], quarters[chain[0]])
        if ahead[0] < 0:
            chain = chain[::-1]
    gaps = [0.0]
    for a, b in pairwise(chain):
        step = in_row(frames.offset[a, b], quarters[a])
        half = 0.5 * 2 + 0.17 * (quarters[a] % 2 + quarters[b] % 2)
        gaps.append(float(step[0]) - half)
    for below, above in stacked.items():
        quarters[above] = int(quarters[below] + frames.quarter[below, above]) % 4
    return Row(
        tuple(chain),
        tuple(bool(quarters[i] % 2) for i in chain),
        tuple(gaps),
        stacked,
        quarters,
        float(np.median(frames.size[chain])),
        votes[up] - votes[(up + 2) % 4],
    )


def in_row(step: npt.NDArray[np.float32], quarter: int) -> tuple[float, float]:
    """A step in the frame of a tile -> in the row's frame; the tile is turned by ``quarter`` relative to the row."""
    x, y = float(step[0]), float(step[1])
    return ((x, y), (-y, x), (-x, -y), (y, -x))[quarter]
