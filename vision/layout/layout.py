"""From quads and labels to the structure of a hand: concealed row, melds, winning tile, bonus tiles, dora, the rest.

Every row of the table is cut in all likely ways (:mod:`vision.layout.parse`), and the cuts of all rows are combined
(:mod:`vision.layout.wholes`). The likeliest of these ways to interpret the table, no hand being one, is the layout, by
fitted weights (:mod:`vision.layout.evidence`). The labels are weak evidence here: what the tiles truly show is left
to :mod:`vision.hand.decoder`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import numpy as np
import numpy.typing as npt

from vision.layout.cuts import Faces
from vision.layout.evidence import Evidence, Taken, prices
from vision.layout.frames import Frames, frames_of
from vision.layout.melds import kind_costs
from vision.layout.places import facing, height_of, lines_of, quarter_of
from vision.layout.rows import Row, rows_of
from vision.layout.shapes import shapes_of
from vision.layout.stacks import stacked, stacks_of
from vision.layout.wholes import Whole, combined, mains_of
from vision.reading import Relation, Role, Sighting

MOST_ALTERNATIVES: Final = 4
MOST_WAYS: Final = 24
SIXTEEN_TILES: Final = (16, 17)
"""Tiles of a hand in Taiwan, kongs counted as three, before and after it wins."""


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
        edges: which sides of the picture (left, right, top, bottom) the hand reaches: it may go on beyond them.
        left_out: of the others, face-up tiles that lie against tiles of the hand.
        alternatives: the next likely ways to interpret the table, each with its extra cost in nats.
        sure: the probability of its melds, summed over all ways to interpret the table.
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
    sure: float = 1.0

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
    if not sightings:
        return Layout()
    ways, touching = ways_of(sightings, width, height, rules)
    everything = tuple(range(len(sightings)))
    if not ways:
        return Layout(others=everything)
    priced = prices([way.evidence for way in ways])
    ranked = sorted(zip(priced.tolist(), range(len(ways)), strict=True))
    cheapest, first = ranked[0]
    if cheapest > 0:
        return Layout(others=everything, left_out=everything)

    def bounded(layout: Layout) -> Layout:
        return replace(
            layout,
            edges=_edges([sightings[i] for i in layout.inside], width, height),
            left_out=tuple(j for j in layout.others if touching[list(_held(layout)), j].any()),
        )

    next_best = ranked[1 : MOST_ALTERNATIVES + 1]
    alternatives = tuple((price - cheapest, bounded(ways[at].layout)) for price, at in next_best)
    best = ways[first].layout
    chances = np.exp(cheapest - priced)
    alike = np.array([_melds(way.layout) == _melds(best) for way in ways])
    sure = float(chances[alike].sum() / (chances.sum() + np.exp(cheapest)))
    return replace(bounded(best), alternatives=alternatives, sure=sure)


@dataclass(frozen=True, slots=True)
class Way:
    """One way to interpret a table, and the evidence for and against it (:data:`vision.layout.evidence.NAMES`)."""

    layout: Layout
    evidence: npt.NDArray[np.float64]


def ways_of(
    sightings: Sequence[Sighting], width: int, height: int, rules: str | None = None
) -> tuple[list[Way], npt.NDArray[np.bool_]]:
    """All likely ways to interpret the N tiles of a photo, those with the cheapest cuts first.

    Returns:
        The ways, and (N, N) which playable faces lie against each other.
    """
    shapes = shapes_of(rules)
    frames = frames_of(sightings)
    rows = rows_of(sightings, frames)
    faces = Faces.of([kind_costs(s, shapes) for s in sightings], shapes)
    lines = lines_of(rows, frames)
    evidence = Evidence.gathered(sightings, frames, rows, lines, faces, shapes, (width, height))
    count = len(sightings)
    found = [(0.0, partial(_long_line, line, faces, count)) for line in rows if _is_long(line, faces)]
    for main, price in mains_of(rows, lines, faces):
        turned = facing(rows, main, frames)
        order = _from_afar(turned, main, frames)
        wholes = combined(turned, main, lines, frames, faces)
        found += [(w.cost + price, partial(_layout, turned, order, frames, w, count)) for w in wholes]
    for main, stack in stacks_of(rows, frames, faces):
        turned = facing(rows, main, frames)
        order = _from_afar(turned, main, frames)
        wholes = stacked(turned, main, stack, lines, frames, faces)
        found += [(whole.cost, partial(_layout, turned, order, frames, whole, count)) for whole in wholes]
    ways: dict[object, Way] = {}
    for cost, lay in sorted(found, key=lambda item: item[0]):
        layout = lay()
        if (key := _key(layout)) not in ways:
            ways[key] = Way(layout, evidence.of(cost, _taken(layout)))
        if len(ways) == MOST_WAYS:
            break
    return list(ways.values()), evidence.touching


def _taken(layout: Layout) -> Taken:
    melds = tuple(meld.tiles for meld in layout.melds)
    return Taken(layout.concealed, melds, layout.winning, (*layout.bonus, *layout.dora))


def _is_long(row: Row, faces: Faces) -> bool:
    """Whether a row is a line of 16 or 17 tiles, bonus tiles aside: a hand of a game that is played with so many."""
    tiles = sum(not faces.is_bonus(i) for i in row.tiles)
    return tiles in SIXTEEN_TILES and not any(row.across)


def _long_line(row: Row, faces: Faces, count: int) -> Layout:
    bonus = tuple(i for i in row.tiles if faces.is_bonus(i))
    hand = tuple(i for i in row.tiles if i not in bonus)
    return Layout(hand, bonus=bonus, others=tuple(i for i in range(count) if i not in row.tiles))


def _from_afar(rows: Sequence[Row], main: int, frames: Frames) -> list[int]:
    """The main row first, as the hand faces its way, then all rows from far to near, as the player reads them."""
    return [main, *sorted(range(len(rows)), key=lambda r: height_of(rows[main], rows[r], frames))]


def _held(layout: Layout) -> tuple[int, ...]:
    """Concealed tiles, winning tile and melds."""
    return (*layout.inside, *(i for meld in layout.melds for i in meld.tiles))


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


def _key(layout: Layout) -> object:
    """What two ways must share to count as one; bonus tiles and indicators are then those of the cheapest."""
    return frozenset(layout.concealed), layout.winning, _melds(layout)


def _melds(layout: Layout) -> frozenset[tuple[int, ...]]:
    return frozenset(meld.tiles for meld in layout.melds)


def _layout(rows: Sequence[Row], order: Sequence[int], frames: Frames, whole: Whole, count: int) -> Layout:
    """Collect the parts of all rows; ``order``: the result of :func:`_from_afar`."""
    concealed: list[int] = []
    melds: list[SeenMeld] = []
    single: list[int] = []
    bonus: list[int] = []
    dora: list[int] = []
    main = order[0]
    for r in order[1:]:
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
