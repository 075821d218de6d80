"""The cheapest assignment of rows to columns: the Hungarian method with prices (Kuhn 1955, Munkres 1957)."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf


def assign(costs: Sequence[Sequence[float]]) -> list[int]:
    """The column of each row, no column twice, so that the sum of the costs is least.

    Args:
        costs: finite, a row of numbers each; no more rows than columns.
    """
    width = len(costs[0]) if costs else 0
    row_price, column_price = [0.0] * len(costs), [0.0] * width
    owner = [-1] * width  # the row that a column is assigned to
    for start in range(len(costs)):
        slack, before = [inf] * width, [-1] * width
        tree, left = [(start, -1)], list(range(width))  # rows that may change, and the column of each
        while (row := tree[-1][0]) >= 0:
            column = tree[-1][1]
            for j in left:
                dear = costs[row][j] - row_price[row] - column_price[j]
                if dear < slack[j]:
                    slack[j], before[j] = dear, column
            nearest = min(left, key=slack.__getitem__)
            least = slack[nearest]
            for row, column in tree:
                row_price[row] += least
                if column >= 0:
                    column_price[column] -= least
            for j in left:
                slack[j] -= least
            left.remove(nearest)
            tree.append((owner[nearest], nearest))
        column = tree[-1][1]
        while column >= 0:
            owner[column] = start if before[column] < 0 else owner[before[column]]
            column = before[column]
    columns = {row: column for column, row in enumerate(owner)}
    return [columns[row] for row in range(len(costs))]
