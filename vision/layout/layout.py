"""Quads and labels to the structure of a hand: concealed row, melds, winning tile, bonus tiles, dora, the rest.

Every row of the table is cut in all likely ways (:mod:`vision.layout.parse`); the cheapest combination with as many
tiles as a hand has (:mod:`vision.layout.wholes`) is the layout. The labels are weak evidence here: what the tiles truly
show is for :mod:`vision.hand.decoder`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt

from vision.layout.cuts import Faces
from vision.layout.frames import Frames, frames_of
from vision.layout.melds import kind_costs
from vision.layout.parse import AIR
from vision.layout.places import Block, blocks_of, facing, height_of, quarter_of
from vision.layout.rows import Row, rows_of
from vision.layout.shapes import shapes_of
from vision.layout.stacks import stacked, stacks_of
from vision.layout.wholes import Whole, combined, mains_of
from vision.reading import Relation, Role, Sighting

HOPELESS: Final = 4.0
"""Main rows this much dearer from the start are not tried once a good layout is found."""
ALTERNATIVES: Final = 3.5
"""Ways to take the table this much dearer than the best, in nats, are no alternatives."""
MOST_ALTERNATIVES: Final = 4
NEXT_LINE: Final = 0.35
"""Air between the lines of a block of tiles at most, tile widths."""
CROWD: Final = 3
"""A hand so many tiles of which lie against tiles left out is cut from a tray or a pond where those lie in lines; one
less where they are many."""
MOST_LEFT_OUT: Final = 6
"""So many tiles left out that hang together with the hand are many."""


@dataclass(frozen=True, slots=True)
class SeenMeld:
    """A group that lies like a declared set.

    Attributes:
        tiles: indices of its sightings in reading order, a stacked tile last.
        turned: which of them lies across, None when none does.
        relation: whom the turned tile was claimed from; None when nothing lies across.
        stacked: the tile laid beside the turned one (added kong), None otherwise.
    """

    tiles: tuple[int, ...]
    turned: int | None = None
    relation: Relation | None = None
    stacked: int | None = None


@dataclass(frozen=True, slots=True)
class Layout:
    """What lies where; every sighting is in exactly one of the fields.

    Attributes:
        concealed: the hand's row(s) in reading order, without the winning tile where that is known.
        melds: declared sets, in reading order.
        winning: the tile set apart or laid across, None when none is.
        bonus, dora, others: flowers and animals; indicators in a wall; everything that is not of this hand.
        edges: sides of the picture that tiles of the hand reach, of left, right, top and bottom: it may go on there.
        left_out: of the others, face-up tiles that lie against tiles of the hand.
        alternatives: other ways to take the table that are nearly as likely, each with the nats it is dearer.
    """

    concealed: tuple[int, ...] = ()
    melds: tuple[SeenMeld, ...] = ()
    winning: int | None = None
    bonus: tuple[int, ...] = ()
    dora: tuple[int, ...] = ()
    others: tuple[int, ...] = ()
    edges: tuple[str, ...] = ()
    left_out: tuple[int, ...] = ()
    alternatives: tuple[tuple[float, Layout], ...] = ()

    @property
    def inside(self) -> tuple[int, ...]:
        """The concealed tiles and the winning tile, where that is known last."""
        return self.concealed if self.winning is None else (*self.concealed, self.winning)

    def roles(self, count: int) -> tuple[Role, ...]:
        """The role of each of ``count`` sightings."""
        roles = [Role.OTHER] * count
        for role, tiles in (
            (Role.CONCEALED, self.concealed),
            (Role.MELD, tuple(i for meld in self.melds for i in meld.tiles)),
            (Role.WINNING, () if self.winning is None else (self.winning,)),
            (Role.BONUS, self.bonus),
            (Role.DORA, self.dora),
        ):
            for i in tiles:
                roles[i] = role
        return tuple(roles)

    def groups(self, count: int) -> tuple[int, ...]:
        """A group number for each of ``count`` sightings: 0 the hand's row, then melds, winning, bonus, dora, rest."""
        parts = [self.concealed, *(meld.tiles for meld in self.melds)]
        parts += [() if self.winning is None else (self.winning,), self.bonus, self.dora, self.others]
        groups = [0] * count
        for number, tiles in enumerate(parts):
            for i in tiles:
                groups[i] = number
        return tuple(groups)


def lay_out(sightings: Sequence[Sighting], width: int, height: int, rules: str | None = None) -> Layout:
    """The structure of the hand in a photo of ``width`` x ``height`` pixels.

    Args:
        rules: the rule system played, which says what tiles there are; any of them if None.

    Raises:
        scoring.errors.InvalidRequest: an unknown rule system.
    """
    shapes = shapes_of(rules)
    if not sightings:
        return Layout()
    frames = frames_of(sightings)
    rows = rows_of(sightings, frames)
    faces = Faces.of([kind_costs(s, shapes) for s in sightings], shapes)
    found: list[tuple[float, Layout]] = []
    blocks = blocks_of(rows, frames)
    for main, price in mains_of(rows, blocks, faces):
        if found and price > HOPELESS + max(0.0, min(cost for cost, _ in found)):
            break
        turned = facing(rows, main, frames)
        wholes = combined(turned, main, blocks, frames, faces)
        limit = min([w.cost + price for w in wholes] + [cost for cost, _ in found]) + ALTERNATIVES
        for whole in wholes:
            if whole.cost + price <= limit:
                found.append((whole.cost + price, _layout(turned, main, frames, whole, len(sightings))))
    for main, stack in stacks_of(rows, frames, faces):
        turned = facing(rows, main, frames)
        wholes = stacked(turned, main, stack, blocks, frames, faces)
        found += [(whole.cost, _layout(turned, main, frames, whole, len(sightings))) for whole in wholes]
    if not found:
        return Layout(others=tuple(range(len(sightings))))
    found.sort(key=lambda item: item[0])
    cheapest, best = found[0]
    others: list[tuple[float, Layout]] = []
    for cost, layout in found[1:]:
        known = [best, *(other for _, other in others)]
        if cost <= cheapest + ALTERNATIVES and not any(_same(layout, other) for other in known):
            others.append((cost - cheapest, layout))
    touching = _touching(sightings, frames)
    if _is_cut_from_a_crowd(best, touching, rows, blocks):
        return Layout(others=tuple(range(len(sightings))), left_out=tuple(range(len(sightings))))

    def bounded(layout: Layout) -> Layout:
        return replace(
            layout,
            edges=_edges([sightings[i] for i in layout.inside], width, height),
            left_out=tuple(j for j in layout.others if touching[list(_held(layout)), j].any()),
        )

    alternatives = tuple((price, bounded(layout)) for price, layout in others[:MOST_ALTERNATIVES])
    return replace(bounded(best), alternatives=alternatives)


def _held(layout: Layout) -> tuple[int, ...]:
    """Concealed tiles, winning tile and melds."""
    return (*layout.inside, *(i for meld in layout.melds for i in meld.tiles))


def _touching(sightings: Sequence[Sighting], frames: Frames) -> npt.NDArray[np.bool_]:
    """(N, N) which playable face-up tiles lie side by side or one above the other, facing alike or opposite."""
    gaps, offset = frames.gaps(), np.abs(frames.offset)
    shown = np.array([s.tile.is_playable for s in sightings])
    beside = (gaps[..., 0] > -0.5) & (gaps[..., 0] < AIR) & (offset[..., 1] < 0.5)
    above = (gaps[..., 1] > -0.5) & (gaps[..., 1] < NEXT_LINE) & (offset[..., 0] < 0.6)
    return np.asarray((beside | above) & np.isin(frames.quarter, (0, 2)) & shown[None] & shown[:, None])


def _is_cut_from_a_crowd(
    layout: Layout, touching: npt.NDArray[np.bool_], rows: Sequence[Row], blocks: Sequence[Block]
) -> bool:
    """Many of the hand's tiles lie against tiles left out: these fourteen are any of a tray's or a pond's."""
    others, held = set(layout.others), list(_held(layout))
    left = [j for j in layout.others if touching[held, j].any()]
    contacts = int(touching[np.ix_(held, left)].any(axis=1).sum())
    lines = max((block.lines for row, block in zip(rows, blocks, strict=True) if set(left) & set(row.tiles)), default=0)
    for j in left:  # those that touch them are left out as well
        left += [k for k in np.flatnonzero(touching[j]).tolist() if k in others and k not in left]
    return (lines > 2 and contacts >= CROWD) or (len(left) >= MOST_LEFT_OUT and contacts >= CROWD - 1)


def _edges(tiles: Sequence[Sighting], width: int, height: int) -> tuple[str, ...]:
    """The sides of the picture within half a tile of these tiles."""
    found = []
    for side, at, end in (("left", 0, 0.0), ("right", 0, width - 1.0), ("top", 1, 0.0), ("bottom", 1, height - 1.0)):
        for s in tiles:
            reach = 0.5 * float(np.linalg.norm(s.corners[1] - s.corners[0]))
            if float(np.abs(s.corners[:, at] - end).min()) < reach:
                found.append(side)
                break
    return tuple(found)


def _same(a: Layout, b: Layout) -> bool:
    return (set(a.concealed), a.winning, {m.tiles for m in a.melds}, set(a.bonus)) == (
        set(b.concealed),
        b.winning,
        {m.tiles for m in b.melds},
        set(b.bonus),
    )


def _layout(rows: Sequence[Row], main: int, frames: Frames, whole: Whole, count: int) -> Layout:
    """Collect the parts of all rows, rows from far to near as the player reads them."""
    concealed: list[int] = []
    melds: list[SeenMeld] = []
    single: list[int] = []
    bonus: list[int] = []
    dora: list[int] = []
    order = sorted(range(len(rows)), key=lambda r: height_of(rows[main], rows[r], frames))
    for r in order:
        row = rows[r]
        for part in whole.cuts[r].parts:
            tiles = row.tiles[part.start : part.end]
            if part.role == "M":
                melds.append(_meld(row, part.start, part.end))
            else:
                {"C": concealed, "S": concealed, "W": single, "B": bonus, "D": dora}.get(part.role, []).extend(tiles)
    if whole.mate is not None:
        # Of two equal tiles the one laid across won, else the one in no row with other tiles of the hand.
        other = (concealed + single)[0]
        concealed, single = (
            ([other], [whole.mate]) if _is_apart(whole.mate, other, rows, main, frames) else ([whole.mate], [other])
        )
    taken = {*concealed, *single, *bonus, *dora, *(i for meld in melds for i in meld.tiles)}
    others = tuple(i for i in range(count) if i not in taken)
    winning = single[0] if single else None
    return Layout(tuple(concealed), tuple(melds), winning, tuple(bonus), tuple(dora), others)


def _is_apart(i: int, other: int, rows: Sequence[Row], main: int, frames: Frames) -> bool:
    """True when tile ``i`` is set apart rather than ``other``: across, alone, or further right in the same row."""
    row_i, row_o = (next(row for row in rows if t in row.tiles) for t in (i, other))
    across_i, across_o = (quarter_of(rows[main], (t,), {t: 0}, frames) % 2 for t in (i, other))
    if across_i != across_o:
        return bool(across_i)
    if row_i is row_o:
        return row_i.tiles.index(i) > row_i.tiles.index(other)
    return len(row_i.tiles) < len(row_o.tiles)


def _meld(row: Row, start: int, end: int) -> SeenMeld:
    tiles = row.tiles[start:end]
    turned = next((k for k in range(end - start) if row.across[start + k]), None)
    stacked = next((row.stacked[i] for i in tiles if i in row.stacked), None)
    relation = None
    if turned is not None:
        last = len(tiles) - 1
        relation = Relation.LEFT if turned == 0 else Relation.RIGHT if turned == last else Relation.OPPOSITE
    return SeenMeld(
        tiles if stacked is None else (*tiles, stacked),
        None if turned is None else tiles[turned],
        relation,
        stacked,
    )
