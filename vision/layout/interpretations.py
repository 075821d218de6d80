"""From quads and labels to the structure of a hand: all likely interpretations of a table, and the likeliest.

Every row of the table is cut into segments in all likely ways (:mod:`vision.layout.row_segmentations`), and those of
all rows are combined (:mod:`vision.layout.table_segmentations`). The likeliest interpretation, no hand being one, is
the layout, by fitted weights (:mod:`vision.layout.evidence`). The labels are weak evidence here: what the tiles truly
show is left to :mod:`vision.hand.decoder`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Final

from vision.layout.evidence import SIDES, Evidence, load_weights
from vision.layout.frames import Frames
from vision.layout.layout import Layout, SeenMeld
from vision.layout.rows import Row
from vision.layout.shapes import Rules, shapes_of
from vision.layout.stacks import find_stacks, segment_stack
from vision.layout.table import Table, vote_quarter_turns
from vision.layout.table_segmentations import TableSegmentation, main_rows, segment_long_rows, segment_table
from vision.reading import Relation, Sighting

MAX_ALTERNATIVES: Final = 4
MAX_INTERPRETATIONS: Final = 24
SAME_LINE_HEIGHT: Final = 1.0
"""Sets whose tiles are less far off upwards or downwards, in tile widths, lie in one line."""
MIN_SURE: Final = 0.8
"""A set that is less likely than this to be a meld, or to be none, is unclear."""


@dataclass(frozen=True, slots=True)
class Interpretation:
    """One way to read a table, and the evidence for and against it (:data:`vision.layout.evidence.NAMES`)."""

    layout: Layout
    evidence: list[float]


def lay_out(sightings: Sequence[Sighting], width: int, height: int, rules: Rules = None) -> Layout:
    """The structure of the hand in a photo of ``width`` x ``height`` pixels.

    Args:
        rules: the rule system played, which says what tiles there are; any of them if None.

    Raises:
        scoring.errors.InvalidRequest: an unknown rule system.
    """
    if not sightings:
        return Layout()
    likely, evidence = interpret_table(sightings, width, height, rules)
    everything = tuple(range(len(sightings)))
    if not likely:
        return Layout(others=everything)
    costs = [-load_weights().score(one.evidence) for one in likely]  # no hand at all has 0
    best, *others = sorted(range(len(costs)), key=costs.__getitem__)
    cheapest = costs[best]
    if cheapest > 0:
        return Layout(others=everything, left_out=everything)

    def bounded(layout: Layout) -> Layout:
        against = {j for i in layout.held for j in evidence.touching[i]}
        near = {side for i in layout.inside for side in evidence.edges[i]}
        fourths = {j for meld in layout.melds for j in evidence.fourths(meld.tiles)}
        left_out = tuple(sorted((against | fourths).intersection(layout.others)))
        alone = tuple(i for i in layout.others if i in evidence.alone)
        return replace(layout, edges=tuple(side for side in SIDES if side in near), left_out=left_out, alone=alone)

    shares = [math.exp(cheapest - cost) for cost in costs]
    total = sum(shares) + math.exp(cheapest)  # and no hand at all
    chances, taken = [share / total for share in shares], likely[best].layout
    return replace(
        bounded(taken),
        alternatives=tuple((costs[at] - cheapest, bounded(likely[at].layout)) for at in others[:MAX_ALTERNATIVES]),
        won=_chance_of_winning_tile(taken, likely, chances),
        unclear=_unclear_sets(taken, likely, chances, evidence.frames),
    )


def _chance_of_winning_tile(best: Layout, likely: Sequence[Interpretation], chances: Sequence[float]) -> float:
    same = [
        (chance, one.layout.winning)
        for one, chance in zip(likely, chances, strict=True)
        if set(one.layout.inside) == set(best.inside) and _melds(one.layout) == _melds(best)
    ]
    return sum(chance for chance, winning in same if winning == best.winning) / sum(chance for chance, _ in same)


def _unclear_sets(
    best: Layout, likely: Sequence[Interpretation], chances: Sequence[float], frames: Frames
) -> tuple[tuple[int, ...], ...]:
    """The sets that are neither surely melds nor surely none, those of the best layout first.

    What is true of them may be true of every set in line with them that has no tile across.
    """
    declared: dict[tuple[int, ...], float] = {meld.tiles: 0.0 for meld in best.melds}
    for one, chance in zip(likely, chances, strict=True):
        for meld in one.layout.melds:
            declared[meld.tiles] = declared.get(meld.tiles, 0.0) + chance
    unclear = [tiles for tiles, chance in declared.items() if 1 - MIN_SURE < chance < MIN_SURE]
    beside = [i for tiles in unclear for i in tiles]
    for meld in best.melds:
        if (
            meld.turned is None
            and len(meld.tiles) == 3
            and any(abs(frames.offset[i][j].imag) < SAME_LINE_HEIGHT for i, j in product(meld.tiles, beside))
        ):
            unclear.append(meld.tiles)
    found: list[tuple[int, ...]] = []
    for tiles in sorted(unclear, key=list(declared).index):
        if not any(set(tiles) & set(other) for other in found):
            found.append(tiles)
    return tuple(found)


def interpret_table(
    sightings: Sequence[Sighting], width: int, height: int, rules: Rules = None
) -> tuple[list[Interpretation], Evidence]:
    """All likely interpretations of the N tiles of a photo, those with the cheapest segmentations first.

    Returns:
        The interpretations, and what their evidence is made of.
    """
    table = Table.from_sightings(sightings, shapes_of(rules))
    evidence = Evidence(table, sightings, (width, height))
    found = [(0.0, table, main, line) for main, line in segment_long_rows(table)]
    for row_cost, main in main_rows(table):
        turned = table.facing(main)
        found += [(whole.cost + row_cost, turned, main, whole) for whole in segment_table(turned, main)]
    for main, stack in find_stacks(table):
        turned = table.facing(main)
        found += [(whole.cost, turned, main, whole) for whole in segment_stack(turned, main, stack)]
    kept: dict[object, Interpretation] = {}
    for cost, turned, main, segmentation in sorted(found, key=lambda item: item[0]):
        layout = _layout(turned, main, segmentation)
        # Ways that differ in bonus tiles and indicators only count as one, with those of the cheapest.
        key = frozenset(layout.concealed), layout.winning, _melds(layout)
        if key not in kept:
            kept[key] = Interpretation(layout, evidence.measure(cost, layout))
        if len(kept) == MAX_INTERPRETATIONS:
            break
    return list(kept.values()), evidence


def _melds(layout: Layout) -> frozenset[tuple[int, ...]]:
    return frozenset(meld.tiles for meld in layout.melds)


def _layout(table: Table, main: int, segmentation: TableSegmentation) -> Layout:
    """Collect the segments of all rows, read from far to near; ``table``: turned to face as the main row does."""
    melds: list[SeenMeld] = []
    found: dict[str, list[int]] = {role: [] for role in "CWBDO"}
    nothing: list[int] = []
    for r in table.far_to_near(main):
        row = table.rows[r]
        segments = segmentation.rows[r].segments
        if segments:
            covered = {k for segment in segments for k in range(segment.start, segment.end)}
            nothing += [i for k, i in enumerate(row.tiles) if k not in covered]
        for segment in segments:
            if segment.role == "M":
                melds.append(_meld(row, segment.start, segment.end))
            else:
                found["C" if segment.role == "S" else segment.role] += row.tiles[segment.start : segment.end]
    concealed, single, mate = found["C"], found["W"], segmentation.mate
    if mate is not None:
        # Of two equal tiles the one laid across won, else the one in no row with other tiles of the hand.
        other = (concealed + single)[0]
        concealed, single = ([other], [mate]) if _is_apart(mate, other, table, main) else ([mate], [other])
    winning = single[0] if single else None
    layout = Layout(tuple(concealed), tuple(melds), winning, tuple(found["B"]), tuple(found["D"]))
    taken = {*layout.held, *layout.bonus, *layout.dora}
    others = tuple(i for i in range(len(table.frames.size)) if i not in taken)
    return replace(layout, others=others, nothing=tuple(nothing))


def _is_apart(i: int, other: int, table: Table, main: int) -> bool:
    """True when tile ``i`` is set apart rather than ``other``: across, alone, or further right in the same row."""
    row_i, row_o = (next(row for row in table.rows if t in row.tiles) for t in (i, other))
    across_i, across_o = (vote_quarter_turns(table.rows[main], {t: 0}, table.frames) % 2 for t in (i, other))
    if across_i != across_o:
        return bool(across_i)
    if row_i is row_o:
        return row_i.tiles.index(i) > row_i.tiles.index(other)
    return len(row_i.tiles) < len(row_o.tiles)


def _meld(row: Row, start: int, end: int) -> SeenMeld:
    tiles = row.tiles[start:end]
    stacked = next((row.stacked[i] for i in tiles if i in row.stacked), None)
    members = tiles if stacked is None else (*tiles, stacked)
    turned = next((i for i, across in zip(tiles, row.across[start:end], strict=True) if across), None)
    if turned is None:
        return SeenMeld(members, stacked=stacked)
    relation = {tiles[0]: Relation.LEFT, tiles[-1]: Relation.RIGHT}.get(turned, Relation.OPPOSITE)
    return SeenMeld(members, turned, relation, stacked)
