"""The likeliest joint reading of a hand's tiles: best first, until one wins.

Concealed tiles and melds are parts with priced options (nats); joint readings come in ascending price, so the first
that is legal and wins is the likeliest winning hand, and the next different one gives the margin.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from scoring.tiles import BACK_KIND, KINDS
from vision.hand.search import Choice, cheapest_first
from vision.layout.melds import MeldReading

ASK_CAP: Final = 6.0
"""Hands and faces more than this many nats dearer than the likeliest are not looked for."""
CLOSE: Final = 1.0
"""A second-best winning hand within this many nats is asked about."""
MAX_TRIES: Final = 700
"""Joint readings looked at before giving up (about 10 us each)."""

Wins = Callable[[Sequence[int], int], bool]
"""(counts of the 34 kinds, number of tiles) -> whether they make a winning shape."""


@dataclass(frozen=True, slots=True)
class Joint:
    """One joint reading: the kind of every concealed tile and the reading of every meld, and its price."""

    cost: float
    kinds: tuple[int, ...]
    melds: tuple[MeldReading, ...]

    def counts(self) -> list[int]:
        """Counts of the 34 kinds among the concealed tiles."""
        counts = [0] * KINDS
        for kind in self.kinds:
            if kind < KINDS:
                counts[kind] += 1
        return counts

    def shown(self) -> list[int]:
        """Counts of the 34 kinds in the melds."""
        counts = [0] * KINDS
        for meld in self.melds:
            for kind in meld.kinds:
                counts[kind] += 1
        return counts


@dataclass(frozen=True, slots=True)
class JointSearch:
    """The outcome of a search.

    Attributes:
        best: the cheapest winning hand up to ``ASK_CAP``, None when there is none.
        second: the next one that is another hand, at most ``CLOSE`` dearer; None when none was met.
        complete: the search was not cut short.
    """

    best: Joint | None
    second: Joint | None
    complete: bool


class Parts:
    """A hand's concealed tiles and melds with their options."""

    def __init__(
        self, tiles: Sequence[Sequence[float]], melds: Sequence[Sequence[MeldReading]], held: Sequence[int]
    ) -> None:
        """Take the options.

        Args:
            tiles: the 47 costs of each concealed tile.
            melds: the readings of each meld, cheapest first, at least one each.
            held: counts of the 34 kinds seen elsewhere, which leave fewer than four for the hand.
        """
        self.melds = melds
        self.held = held
        self.tiles = [self._options(costs) for costs in tiles]
        self.base = sum(o[0][0] for o in self.tiles) + sum(m[0].cost for m in melds)

    @staticmethod
    def _options(costs: Sequence[float]) -> list[tuple[float, int]]:
        found = sorted((c, kind) for kind, c in enumerate(costs[:KINDS]) if c <= ASK_CAP)
        return found or [(ASK_CAP, BACK_KIND)]

    def search(self, wins: Wins) -> JointSearch:
        """The cheapest winning hand, and one that is nearly as cheap."""
        best: Joint | None = None
        if any(o[0][1] == BACK_KIND for o in self.tiles):
            return JointSearch(None, None, True)  # a face-down tile can be anything: no hand
        size = len(self.tiles)
        counts, shown = self._start()
        for tries, (extra, choice) in enumerate(cheapest_first(self._costs())):
            cost = self.base + extra
            if tries >= MAX_TRIES:
                return JointSearch(best, None, False)
            if cost > (ASK_CAP if best is None else best.cost + CLOSE):
                break
            self._apply(choice, counts, shown, 1)
            good = self._is_possible(counts, shown) and wins(counts, size)
            self._apply(choice, counts, shown, -1)
            if good:
                joint = self._joint(cost, choice)
                if best is None:
                    best = joint
                elif sorted(joint.kinds) != sorted(best.kinds) or _sets(joint) != _sets(best):
                    return JointSearch(best, joint, True)
        return JointSearch(best, None, True)

    def legal(self) -> Joint:
        """The cheapest reading with at most four of a kind; the likeliest faces where none is found."""
        counts, shown = self._start()
        for tries, (extra, choice) in enumerate(cheapest_first(self._costs())):
            if tries >= MAX_TRIES:
                break
            self._apply(choice, counts, shown, 1)
            possible = self._is_possible(counts, shown)
            self._apply(choice, counts, shown, -1)
            if possible:
                return self._joint(self.base + extra, choice)
        return self._joint(self.base, ())

    def _costs(self) -> list[list[float]]:
        return [[c for c, _ in o] for o in self.tiles] + [[r.cost for r in m] for m in self.melds]

    def _start(self) -> tuple[list[int], list[int]]:
        """Counts of the concealed tiles, and of everything else, with every part at its first option."""
        joint = self._joint(self.base, ())
        return joint.counts(), [a + b for a, b in zip(joint.shown(), self.held, strict=True)]

    def _apply(self, choice: Choice, counts: list[int], shown: list[int], sign: int) -> None:
        for part, option in choice:
            if part < len(self.tiles):
                options = self.tiles[part]
                counts[options[0][1]] -= sign
                counts[options[option][1]] += sign
            else:
                readings = self.melds[part - len(self.tiles)]
                for old, new in zip(readings[0].kinds, readings[option].kinds, strict=True):
                    shown[old] -= sign
                    shown[new] += sign

    @staticmethod
    def _is_possible(counts: Sequence[int], shown: Sequence[int]) -> bool:
        return max(map(sum, zip(counts, shown, strict=True))) <= 4

    def _joint(self, cost: float, choice: Choice) -> Joint:
        picked = dict(choice)
        n = len(self.tiles)
        return Joint(
            cost,
            tuple(o[picked.get(i, 0)][1] for i, o in enumerate(self.tiles)),
            tuple(m[picked.get(n + i, 0)] for i, m in enumerate(self.melds)),
        )


def _sets(joint: Joint) -> list[list[int]]:
    return [sorted(meld.kinds) for meld in joint.melds]
