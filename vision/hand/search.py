"""The cheapest joint choices, in order: one option of every part, parts independent, cost the sum.

Lawler's successor rule without duplicates: parts ordered by the price of their first alternative, each state has at
most three successors, and all of them cost at least as much as it does.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence

Choice = tuple[tuple[int, int], ...]
"""Which parts take which option, for the parts that do not take their first."""


def cheapest_first(costs: Sequence[Sequence[float]]) -> Iterator[tuple[float, Choice]]:
    """All joint choices in ascending cost above the cheapest one.

    Args:
        costs: for each part the costs of its options, ascending; every part has at least one.

    Yields:
        ``(extra cost, choice)``, first ``(0, ())``.
    """
    parts = sorted((i for i, c in enumerate(costs) if len(c) > 1), key=lambda i: costs[i][1] - costs[i][0])
    yield 0.0, ()
    if not parts:
        return
    gaps = [costs[i][1] - costs[i][0] for i in parts]
    heap: list[tuple[float, int, int, Choice]] = [(gaps[0], 0, 1, ())]  # cost, last part changed, its option, the rest
    while heap:
        cost, at, option, rest = heapq.heappop(heap)
        part = parts[at]
        yield cost, (*rest, (part, option))
        if option + 1 < len(costs[part]):
            step = costs[part][option + 1] - costs[part][option]
            heapq.heappush(heap, (cost + step, at, option + 1, rest))
        if at + 1 < len(parts):
            heapq.heappush(heap, (cost + gaps[at + 1], at + 1, 1, (*rest, (part, option))))
            if option == 1:
                heapq.heappush(heap, (cost - gaps[at] + gaps[at + 1], at + 1, 1, rest))
