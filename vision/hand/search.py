"""The cheapest joint choices, in order: one option of every part, parts independent, cost the sum.

Lawler's successor rule without duplicates: parts ordered by the cost of their first alternative, each state has at
most three successors, and all of them cost at least as much as it does.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence


def cheapest_first(costs: Sequence[Sequence[float]]) -> Iterator[tuple[float, list[int]]]:
    """All joint choices in ascending cost above the cheapest one.

    Args:
        costs: for each part the costs of its options, ascending; every part has at least one.

    Yields:
        The extra cost, and which option each part takes; first 0, and the first option of every part.
    """
    parts = sorted((i for i, c in enumerate(costs) if len(c) > 1), key=lambda i: costs[i][1] - costs[i][0])
    yield 0.0, [0] * len(costs)
    if not parts:
        return
    gaps = [costs[i][1] - costs[i][0] for i in parts]
    # Cost, the last part changed, its option, and what the parts changed before it take.
    heap: list[tuple[float, int, int, tuple[tuple[int, int], ...]]] = [(gaps[0], 0, 1, ())]
    while heap:
        cost, at, option, rest = heapq.heappop(heap)
        part = parts[at]
        choice = [0] * len(costs)
        for changed, to in (*rest, (part, option)):
            choice[changed] = to
        yield cost, choice
        if option + 1 < len(costs[part]):
            step = costs[part][option + 1] - costs[part][option]
            heapq.heappush(heap, (cost + step, at, option + 1, rest))
        if at + 1 < len(parts):
            heapq.heappush(heap, (cost + gaps[at + 1], at + 1, 1, (*rest, (part, option))))
            if option == 1:
                heapq.heappush(heap, (cost - gaps[at] + gaps[at + 1], at + 1, 1, rest))
