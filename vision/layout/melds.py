"""What the faces of a tile or a group cost: in nats against the likeliest reading of every tile by itself."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import permutations
from typing import Final

from scoring.tiles import BACK_KIND, KINDS, NORTH, PLAIN, WHITE
from vision.layout.shapes import ANY, HandRules
from vision.reading import Sighting

MIN_PROBABILITY: Final = 1e-4
"""Least probability any face is given: no classifier is surer than this."""
UNLIKELY_NATS: Final = 6.0
"""Faces more than this many nats dearer than the likeliest are not looked for."""
OUT_OF_PLAY_SHARE: Final = 0.02
"""How likely it is that a tile the rules do not know lies on the table all the same."""
SURELY_SHOWN_NATS: Final = 2.0
"""A tile in a wall is an indicator if reading it as a back costs more than this, nats."""


@dataclass(frozen=True, slots=True)
class MeldReading:
    """One way to read a group as a meld.

    Attributes:
        kinds: the kind of each tile, in the order of the group; face-down tiles have their neighbours' kind.
        cost: nats above reading the likeliest face of every tile.
    """

    kinds: tuple[int, ...]
    cost: float


def kind_costs(sighting: Sighting, shapes: HandRules) -> list[float]:
    """Cost in nats of each of the 47 kinds against the likeliest one (red fives count as their five).

    Kinds of suits and honours that the rules leave out are never chosen; how likely they are counts against others.
    """
    chances = [MIN_PROBABILITY] * (BACK_KIND + 1)
    for t, p in sighting.posterior.items():
        chances[t.kind] += p
    for kind in (*out_of_play(shapes.bonus), *shapes.left_out):
        chances[kind] *= OUT_OF_PLAY_SHARE
    best = math.log(max(chances))
    costs = [best - math.log(p) for p in chances]
    for kind in shapes.left_out:
        costs[kind] = math.inf
    return costs


def _cost_of_nothing(sighting: Sighting) -> float:
    """Cost in nats of there being no tile against its likeliest face."""
    chances = sighting.posterior.values()
    return math.log(max(chances) / max(MIN_PROBABILITY, 1 - sum(chances)))


def likeliest(costs: Sequence[float]) -> int:
    """The kind that costs least."""
    return min(range(len(costs)), key=costs.__getitem__)


@cache
def out_of_play(letters: str) -> tuple[int, ...]:
    """The kinds of bonus tiles other than those of these letters."""
    return tuple(t.kind for t in PLAIN if t.is_bonus and t.suit not in letters)


@cache
def _chows(stand_in: bool) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """Every chow in all six orders; where a white dragon may stand in, also with one tile replaced by it."""
    plain = [(k, k + 1, k + 2) for k in range(27) if k % 9 < 7]
    if stand_in:
        plain += [(a, b, WHITE) for k, m, n in plain for a, b in ((k, m), (k, n), (m, n))]
    return tuple(tuple(permutations(chow)) for chow in plain)


def meld_readings(
    costs: Sequence[Sequence[float]], shapes: HandRules = ANY, limit: float = UNLIKELY_NATS
) -> list[MeldReading]:
    """Every way to read a group as chow, pung or kong that costs at most ``limit`` nats, cheapest first.

    Args:
        costs: from :func:`kind_costs`, one list a tile; three or four tiles.
        shapes: of the rules: three players claim no chows, and a white dragon may be any tile of one (Hangzhou).
    """
    found = []
    shown = [c for c in costs if len(costs) == 3 or c[BACK_KIND] > 0]
    for kind in range(KINDS):
        if shown and shown[0][kind] <= limit and (cost := sum(c[kind] for c in shown)) <= limit:
            found.append(MeldReading((kind,) * len(costs), cost))
    if len(costs) == 3 and shapes.players > 3:
        a, b, c = costs
        for orders in _chows(shapes.wild):
            x, y, z = orders[0]
            if min(a[x], a[y], a[z]) + min(b[x], b[y], b[z]) > limit:
                continue
            cost, kinds = min((a[order[0]] + b[order[1]] + c[order[2]], order) for order in orders)
            if cost <= limit:
                found.append(MeldReading(kinds, cost))
    return sorted(found, key=lambda reading: reading.cost)


class FaceCosts:
    """What the faces of a photo's tiles cost, by sighting: nats against the likeliest face of each.

    Attributes:
        shapes: of the rule system.
        kinds: the 47 costs of each tile.
        play, bonus: the cheapest of those that hands are made of, and of those that may be set aside as bonus tiles. At
            most ``UNLIKELY_NATS``: faces are weak evidence of how a table is laid.
        nothing: the cost of no tile being there at all.
    """

    def __init__(self, sightings: Sequence[Sighting], shapes: HandRules) -> None:
        self.shapes = shapes
        self.kinds = [kind_costs(s, shapes) for s in sightings]
        self.play = [min(*costs[:KINDS], UNLIKELY_NATS) for costs in self.kinds]
        aside = [*([NORTH] if shapes.kita else []), *range(KINDS, BACK_KIND)]
        self.bonus: list[float] = [min(UNLIKELY_NATS, *[costs[kind] for kind in aside]) for costs in self.kinds]
        self.nothing = [_cost_of_nothing(s) for s in sightings]
        self._melds: dict[tuple[int, ...], float | None] = {}

    def meld(self, tiles: tuple[int, ...]) -> float | None:
        """Cost of the likeliest meld these tiles make; None beyond ``UNLIKELY_NATS``."""
        if tiles not in self._melds:
            found = meld_readings([self.kinds[i] for i in tiles], self.shapes)
            self._melds[tiles] = found[0].cost if found else None
        return self._melds[tiles]

    def is_back(self, i: int) -> bool:
        """Whether it is likeliest a face-down tile."""
        return self.kinds[i][BACK_KIND] == 0

    def is_bonus(self, i: int) -> bool:
        """Whether it is likeliest a bonus tile, or a north where these may be set aside."""
        return self.bonus[i] == 0

    def is_indicator(self, i: int) -> bool:
        """Whether it is surely not a back: in a wall of backs, a face that is not read surely is one of them."""
        costs = self.kinds[i]
        return self.shapes.indicators and costs[BACK_KIND] > SURELY_SHOWN_NATS and min(costs[KINDS:BACK_KIND]) > 0
