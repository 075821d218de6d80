"""Tiles that lie side by side: the rows of a table, each in reading order, with tiles laid across and stacked ones.

Links are made between sides: an upright tile touches its row neighbours with its long sides, a tile laid across with
its short ones. Every side takes one link, the nearest first, so rows may bend, be ragged or run at any angle.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, permutations
from statistics import median
from typing import Final

from scoring.tiles import Tile, parse_tiles
from vision.layout.frames import TURNS, Frames
from vision.reading import Sighting

GAP_WIDTHS: Final = 0.28
"""Narrowest gap that people leave on purpose, tile widths."""
TOUCHING_WIDTHS: Final = 0.42
"""Widest gap between tiles that are taken to touch, tile widths."""
MAX_GAP_WIDTHS: Final = 2.6
"""Widest gap between neighbours of one row, tile widths."""
LONE_LINK_COST: Final = 0.7
"""Added to the cost of linking a single tile to one that lies across beside it, so that other links go first."""
MAX_ACROSS: Final = 3
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

    def gap(self, a: int, b: int) -> float:
        """The gap from its a-th tile to a later one, tile widths, if what lies between them is none."""
        return sum(self.gaps[a + 1 : b + 1]) + b - a - 1

    def reversed(self) -> Row:
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
        starts = [k for k, gap in enumerate(self.gaps) if k == 0 or gap >= GAP_WIDTHS]
        return [range(a, b) for a, b in pairwise([*starts, len(self.tiles)])]


Pair = tuple[int, int]
Side = tuple[int, int]
"""A tile and one of its sides: 0 left, 1 right, 2 top, 3 bottom."""


class _Links:
    """Which sides of tiles are linked: an upright tile to its neighbours by its long sides, a lying one by its short.

    Attributes:
        links: both ways. stacked: as in :class:`Row`.
    """

    def __init__(self, frames: Frames) -> None:
        self.offset = frames.offset
        self.links: dict[Side, Side] = {}
        self.parent = list(range(len(frames.size)))
        self.stacked: dict[int, int] = {}

    def root(self, i: int) -> int:
        while self.parent[i] != i:
            i = self.parent[i]
        return i

    def link(self, i: int, j: int, lying: bool = False) -> bool:
        """Link an upright tile with another, or with a lying one, unless a side is taken or that would close a ring."""
        back = self.offset[j][i]
        one = i, int(self.offset[i][j].real > 0)
        other = (j, 2 + int(back.imag > 0)) if lying else (j, int(back.real > 0))
        if one in self.links or other in self.links or self.root(i) == self.root(j):
            return False
        self.links[one], self.links[other] = other, one
        self.parent[self.root(i)] = self.root(j)
        return True

    def beside(self, i: int) -> list[int]:
        """The tiles at the long sides of a tile."""
        return [self.links[i, side][0] for side in (0, 1) if (i, side) in self.links]

    def run(self, i: int) -> list[int]:
        """The tiles connected with this one through their long sides."""
        found = [i]
        for at in found:
            found += [j for j in self.beside(at) if j not in found]
        return found

    def detach(self, i: int) -> None:
        """Undo the links of a tile's long sides."""
        for side in (0, 1):
            if (i, side) in self.links:
                del self.links[self.links.pop((i, side))]

    def chains(self) -> list[list[int]]:
        """The tiles of each row in order, from either end; stacked ones left out."""
        neighbours: dict[int, list[int]] = {i: [] for i in range(len(self.parent))}
        for (i, _), (j, _) in self.links.items():
            neighbours[i].append(j)
        left = set(neighbours) - set(self.stacked.values())
        chains = []
        while left:
            chain = [min(left, key=lambda i: (len(neighbours[i]), i))]
            for at in chain:
                chain += [j for j in neighbours[at] if j in left and j not in chain][:1]
            left -= set(chain)
            chains.append(chain)
        return chains


def find_rows(sightings: Sequence[Sighting], frames: Frames) -> list[Row]:
    """Every tile's row, single tiles included; longest row first."""
    tiles = [s.tile for s in sightings]
    size = [math.log(max(px, 1e-3)) for px in frames.size]
    near, far, crossed = dict[Pair, float](), dict[Pair, float](), dict[Pair, float]()
    for i, j in permutations(range(len(tiles)), 2):
        gap, y, lying = frames.gap[i][j].real, abs(frames.offset[i][j].imag), frames.quarter[i][j] % 2
        if not -0.5 < gap < MAX_GAP_WIDTHS or abs(size[i] - size[j]) >= 0.5:
            continue
        air, touching = max(gap, 0.0), gap < TOUCHING_WIDTHS
        if y < (0.5 + 0.05 * air if lying else 0.85 if touching else 0.4 + 0.08 * air):
            kind = crossed if lying else near if touching else far
            kind[i, j] = round(air + 1.1 * y + 0.01 * frames.askew[i][j], 6)  # equals stay equal everywhere
    links = _Links(frames)
    for _, i, j in _mutual(near):
        links.link(i, j)
    _link_further(links, _mutual(far), crossed, frames, tiles)
    rows = [_row(c, {i: links.stacked[i] for i in c if i in links.stacked}, frames, tiles) for c in links.chains()]
    return sorted(rows, key=lambda row: (-len(row.tiles), row.tiles))


def _mutual(costs: Mapping[Pair, float]) -> list[tuple[float, int, int]]:
    """Costs and pairs that are there both ways, cheapest first."""
    return sorted((min(cost, costs[j, i]), i, j) for (i, j), cost in costs.items() if i < j and (j, i) in costs)


def _link_further(
    links: _Links,
    far: Sequence[tuple[float, int, int]],
    crossed: Mapping[Pair, float],
    frames: Frames,
    tiles: Sequence[Tile],
) -> None:
    """Link across gaps (``far``), and tiles that lie across to the ends of runs, nearest first."""
    runs = [links.run(i) for i in range(len(tiles))]
    # Tile i is upright, j lies across: j sees i along its own long axis. Of two single tiles either may lie across, so
    # any other link of theirs goes first.
    todo = [(price, i, j, False) for price, i, j in far]
    todo += [(price + (0.1 if len(runs[i]) > 1 else LONE_LINK_COST), i, j, True) for (i, j), price in crossed.items()]
    upright: set[int] = set()
    lying: set[int] = set()
    for _, i, j, across in sorted(todo):
        if not across:
            if i not in lying and j not in lying and links.link(i, j):
                upright |= {i, j, *runs[i], *runs[j]}
            continue
        if i in lying or j in upright:
            continue
        if len(runs[i]) == 1 and i not in upright and frames.gap[i][j].real > TOUCHING_WIDTHS:
            continue  # two single tiles at right angles are not a row
        added = []
        if j not in lying and len(runs[j]) > 1:
            # Tiles across one above the other: an added kong's two, or the first tiles of two lines of melds.
            if len(runs[j]) > MAX_ACROSS or frames.gap[i][j].real > TOUCHING_WIDTHS:
                continue
            added = [k for k in links.beside(j) if tiles[k].kind == tiles[j].kind == tiles[i].kind][:1]
            for k in (j, *added):
                links.detach(k)
        if links.link(i, j, lying=True):
            upright |= {i, *(k for k in runs[i] if k != j)}
            lying |= {j, *added}
            if added:
                links.stacked[j] = added[0]


def _row(chain: list[int], stacked: dict[int, int], frames: Frames, tiles: Sequence[Tile]) -> Row:
    quarters = {chain[0]: 0}
    for a, b in pairwise(chain):
        quarters[b] = (quarters[a] + frames.quarter[a][b]) % 4
    # Which way is up: at least half of a row's tiles lie upright in it, and their faces show their top.
    votes = [0.0] * 4
    for i in chain:
        votes[quarters[i]] += 0.1 if tiles[i].code in LOOK_ALIKE else 1.0 * frames.upright[i]
    step = frames.offset[chain[0]][chain[min(1, len(chain) - 1)]]
    lengthwise = int(abs(step.imag) > abs(step.real))  # the first tile of the chain lies across
    up = max((lengthwise, lengthwise + 2), key=lambda q: (votes[q], -q))
    quarters = {i: (q - up) % 4 for i, q in quarters.items()}
    if to_row_frame(step, quarters[chain[0]]).real < 0:
        chain = chain[::-1]
    gaps = [0.0]
    for a, b in pairwise(chain):
        step = to_row_frame(frames.offset[a][b], quarters[a])
        half = 0.5 * 2 + 0.17 * (quarters[a] % 2 + quarters[b] % 2)
        gaps.append(step.real - half)
    for below, above in stacked.items():
        quarters[above] = (quarters[below] + frames.quarter[below][above]) % 4
    return Row(
        tuple(chain),
        tuple(bool(quarters[i] % 2) for i in chain),
        tuple(gaps),
        stacked,
        quarters,
        median(frames.size[i] for i in chain),
        votes[up] - votes[(up + 2) % 4],
    )


def to_row_frame(step: complex, quarter: int) -> complex:
    """A step in the frame of a tile -> in the row's frame; the tile is turned by ``quarter`` relative to the row."""
    return step * TURNS[quarter]
