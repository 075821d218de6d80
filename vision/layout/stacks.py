"""A hand laid with one set to a line, the lines close together: a block of rows with exactly as many tiles as a hand.

The block does not show whether its sets were declared or only sorted: it can be taken either way.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from vision.layout.melds import FaceCosts
from vision.layout.row_segmentations import TILE, WINNING, RowSegmentation, Segment, segment_each_tile, segment_row
from vision.layout.rows import Row
from vision.layout.table import Table, are_same_size, group_rows, is_block, step_to
from vision.layout.table_segmentations import TableSegmentation

LINE_STEP_WIDTHS: Final = 2.1
"""Furthest from line to line, tile widths; a tile is 1.34 high."""


def find_stacks(table: Table) -> list[tuple[int, tuple[int, ...]]]:
    """Stacks of lines that lie close above one another, each short enough for one set.

    Returns:
        For each stack the line whose faces show best which way is up, and all its lines.
    """
    rows = table.rows

    def is_next_line(a: int, b: int) -> bool:
        down = abs(step_to(rows[a], rows[b], table.frames).imag)
        return are_same_size(rows[a], rows[b]) and 1.0 < down < LINE_STEP_WIDTHS

    lines = [r for r, row in enumerate(rows) if _line(row, table.faces, declared=False) is not None]
    stacks = [stack for stack in group_rows(lines, is_next_line) if is_block(len(stack))]
    return sorted(
        (max(stack, key=lambda r: (rows[r].upright, len(rows[r].tiles))), tuple(sorted(stack))) for stack in stacks
    )


def segment_stack(table: Table, main: int, stack: Sequence[int]) -> list[TableSegmentation]:
    """A stack as a hand, once with its sets concealed, once declared; empty if its number of tiles is not a hand's.

    Args:
        table: turned to face as the main row does.
        main: a line of the stack.
    """
    lines_by_role = [
        {r: cut for r in stack if (cut := _line(table.rows[r], table.faces, declared)) is not None}
        for declared in (False, True)
    ]
    roles = [[segment.role for cut in lines.values() for segment in cut.segments] for lines in lines_by_role]
    shapes, kongs, melds = table.faces.shapes, roles[0].count("M"), roles[1].count("M")
    rest = _segment_rest(table, main, stack, shapes.size - 3 * kongs - roles[0].count("C"))
    if rest is None:
        return []
    if not kongs < melds <= shapes.sets:
        lines_by_role.pop()
    cost = sum(cut.cost for cut in rest.values())
    return [
        TableSegmentation(cost, tuple((lines | rest)[r] for r in range(len(table.rows)))) for lines in lines_by_role
    ]


def _line(row: Row, faces: FaceCosts, declared: bool) -> RowSegmentation | None:
    """The line of a block as bonus tiles and a pair or a set, declared or not; a kong always is.

    None where it can be none: too long, turned, or with something in between.
    """
    segments = segment_each_tile(row, faces)
    shown = [segment.start for segment in segments if segment.role == "C"]
    if len(shown) > 4 or len(shown) == 1 or any(row.across) or row.stacked:
        return None
    if shown and shown[-1] - shown[0] >= len(shown):
        return None
    kong = len(shown) == 4
    if kong and faces.meld(tuple(row.tiles[k] for k in shown)) is None:
        return None
    if kong or (declared and len(shown) == 3):
        segments[shown[0] : shown[-1] + 1] = [Segment("M", shown[0], shown[-1] + 1)]
    return RowSegmentation(0.0, tuple(segments))


def _segment_rest(table: Table, main: int, stack: Sequence[int], missing: int) -> dict[int, RowSegmentation] | None:
    """Segmentations of the rows outside the block, with the winning tile in one of them if the block lacks one tile.

    None where more tiles are missing, too many are there, or none lies where a winning tile may.
    """
    if missing not in (0, 1):
        return None
    options = {
        r: {0: RowSegmentation(0.0)} if place is None else segment_row(table.rows[r], place, table.faces)
        for r, place in enumerate(table.places(main))
        if r not in stack
    }
    found = {r: some[0] for r, some in options.items()}
    apart = {r: some[TILE + WINNING] for r, some in options.items() if TILE + WINNING in some}
    if missing and not apart:
        return None
    if missing:
        at = min(apart, key=lambda r: apart[r].cost - found[r].cost)
        found[at] = apart[at]
    return found
