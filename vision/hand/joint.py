"""The likeliest joint reading of a hand's tiles: best first, until one wins.

Concealed tiles and melds are parts whose options have costs (nats); joint readings come in ascending cost, so the first
that is legal and wins is the likeliest winning hand, and the next different one gives the margin.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from scoring.tiles import BACK_KIND, KINDS
from vision.layout.melds import UNLIKELY_NATS, MeldReading

NEARLY_AS_LIKELY_NATS: Final = 1.0
"""Another reading at most this many nats dearer than the likeliest one is weighed against it: another winning hand is
asked about, and a hand that waits is taken for won where another layout has a tile set apart that completes it. By
chance one tile in twelve would; with 2.0 twice as many hands that wait are taken for won."""
MAX_TRIES: Final = 700
"""Joint readings looked at before giving up (about 10 us each)."""


def cheapest_first(costs: Sequence[Sequence[float]]) -> Iterator[tuple[float, list[int]]]:
    """All joint choices in ascending cost above the cheapest one: one option of every part, cost the sum.

    Lawler's successor rule without duplicates: parts ordered by the cost of their first alternative, each state has at
    most three successors, and all of them cost at least as much as it does.

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


@dataclass(frozen=True, slots=True)
class JointReading:
    """One joint reading: the kind of every concealed tile and the reading of every meld, and its cost in nats."""

    cost: float
    kinds: tuple[int, ...]
    melds: tuple[MeldReading, ...]

    def counts(self) -> list[int]:
        """Counts of the 34 kinds among the concealed tiles."""
        return _counts(self.kinds)

    def shown(self) -> list[int]:
        """Counts of the 34 kinds in the melds."""
        return _counts(kind for meld in self.melds for kind in meld.kinds)

    def is_legal(self, elsewhere: Sequence[int]) -> bool:
        """Whether there are at most four tiles of a kind; ``elsewhere``: counts of those outside the hand."""
        return max(map(sum, zip(self.counts(), self.shown(), elsewhere, strict=True))) <= 4

    def sets(self) -> tuple[list[int], list[list[int]]]:
        """What two readings share that are the same hand."""
        return sorted(self.kinds), [sorted(meld.kinds) for meld in self.melds]


def _counts(kinds: Iterable[int]) -> list[int]:
    counts = [0] * KINDS
    for kind in kinds:
        if kind < KINDS:
            counts[kind] += 1
    return counts


def joint_readings(tiles: Sequence[Sequence[float]], melds: Sequence[Sequence[MeldReading]]) -> Iterator[JointReading]:
    """At most :data:`MAX_TRIES` joint readings, cheapest first.

    Args:
        tiles: the 47 costs of each concealed tile; one that looks like no kind that hands are made of is face-down.
        melds: the readings of each meld, cheapest first, at least one each.
    """
    options = [
        sorted((cost, kind) for kind, cost in enumerate(costs[:KINDS]) if cost <= UNLIKELY_NATS)
        or [(UNLIKELY_NATS, BACK_KIND)]
        for costs in tiles
    ]
    costs = [[cost for cost, _ in option] for option in options] + [[r.cost for r in readings] for readings in melds]
    base = sum(c[0] for c in costs)
    for extra, choice in islice(cheapest_first(costs), MAX_TRIES):
        of_tiles, of_melds = choice[: len(tiles)], choice[len(tiles) :]
        kinds = tuple(option[at][1] for option, at in zip(options, of_tiles, strict=True))
        yield JointReading(base + extra, kinds, tuple(some[at] for some, at in zip(melds, of_melds, strict=True)))


def winning_hands(
    readings: Iterable[JointReading], elsewhere: Sequence[int], wins: Callable[[list[int]], bool]
) -> list[JointReading]:
    """The cheapest winning hand, and the next other one if it is hardly dearer.

    The first may cost up to ``UNLIKELY_NATS``, the second ``NEARLY_AS_LIKELY_NATS`` more.

    Args:
        readings: of :func:`joint_readings`. elsewhere: counts of the 34 kinds outside the hand.
        wins: whether counts of the 34 kinds make a winning shape.
    """
    found: list[JointReading] = []
    for joint in readings:
        # A face-down tile can be anything: no hand.
        if joint.cost > (found[0].cost + NEARLY_AS_LIKELY_NATS if found else UNLIKELY_NATS) or BACK_KIND in joint.kinds:
            break
        if joint.is_legal(elsewhere) and wins(joint.counts()) and all(joint.sets() != f.sets() for f in found):
            found.append(joint)
            if len(found) == 2:
                break
    return found
