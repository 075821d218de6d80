"""The evidence for and against an interpretation of the table, in numbers, and a small network that scores it.

The geometry is measured in tiles (:mod:`vision.layout.frames`), so a number means the same near and far, in any photo.
The chance of one is the softmax over the scores of all those of a photo, no hand at all being one of them. The
weights were fitted on randomly laid tables with full truth (``scripts/train/fit_layout.py``); ``weights.json`` says on
how many, and how well they do on tables that took no part in the fit.
"""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Sequence, Set
from dataclasses import dataclass, fields
from functools import cache
from itertools import groupby, pairwise, permutations, product
from operator import mul
from pathlib import Path
from statistics import median_high
from typing import Any, Final, TypeAlias

from scoring.tiles import BACK_KIND, KINDS, NORTH
from vision.geometry import Quad, bounds
from vision.layout.layout import Layout
from vision.layout.melds import likeliest
from vision.layout.rows import GAP_WIDTHS
from vision.layout.shapes import is_winning, waiting_kinds
from vision.layout.table import Table
from vision.reading import Sighting

NAMES: Final = (
    "hand", "cost", "full", "short", "few", "over", "long", "wins", "wins_alone", "waits", "spoilt", "sorted",
    "touch", "crowd", "lines", "beside", "askew", "spread", "pieces", "smaller", "nearer", "upside_down", "share",
    "winning", "winning_air", "winning_between", "winning_touches", "winning_in_row", "winning_turned",
    "winning_size", "winning_at_edge", "winning_of_kong", "winning_in_line", "winning_gap", "gaps", "widest",
    "melds", "melds_in_line", "meld_seam", "meld_narrower", "melds_unmarked", "meld_air", "meld_between",
    "meld_turned", "meld_touches", "meld_down", "meld_in_wall", "down", "flowers", "bonus", "bonus_left",
    "winning_by_hand", "winning_by_meld", "meld_against", "left_sets", "left_in_line", "fours", "sixteen",
    "five_sets",
)  # fmt: skip
"""The names of the numbers that :meth:`Evidence.measure` returns."""
WEIGHTS: Final = Path(__file__).with_name("weights.json")
NEXT_LINE_WIDTHS: Final = 0.35
"""Widest gap between the lines of a block of tiles, tile widths."""
MAX_DISTANCE_WIDTHS: Final = 8.0
"""Distances are capped at this, tile widths."""
SIDES: Final = ("left", "right", "top", "bottom")
NEAR_WIDTHS: Final = 1.5
"""Widest gap between the hand and what lies right beside it, tile widths."""
Pair: TypeAlias = tuple[int, int, float]
"""Two tiles of a row, and the gap between them, tile widths."""
Numbers = dict[str, Any]
"""Evidence by name, numbers or truth values; what is not named is 0."""


class Evidence:
    """One photo's N tiles, measured to weigh interpretations.

    Attributes:
        kinds: the likeliest kinds. play, back, bonus: the tiles that are likeliest ones that hands are made of,
            face-down, or bonus tiles. kita: norths, where these may be set aside.
        row: number of a tile's row. sizes: middle size of the tiles of each row, pixels.
        pairs: tiles that follow one another in a row, if all detections are tiles.
        edges: the sides of the picture within half a tile. up: cosine of its turn from upright there.
        near: for each tile those that are at most :data:`NEAR_WIDTHS` away, itself included.
        touching: for each playable face-up tile those that lie beside, above or below it, facing alike or opposite.
        alone: the playable face-up tiles in no row with another.
    """

    def __init__(self, table: Table, sightings: Sequence[Sighting], size: tuple[int, int]) -> None:
        """Measure a photo of ``size`` (width, height)."""
        self.table, self.frames, self.shapes = table, table.frames, table.faces.shapes
        self.air, self.kinds = table.air, [likeliest(costs) for costs in table.faces.kinds]
        self.everything = frozenset(range(len(sightings)))
        self.play = {i for i, kind in enumerate(self.kinds) if kind < KINDS}
        self.back = {i for i, kind in enumerate(self.kinds) if kind == BACK_KIND}
        self.bonus = self.everything - self.play - self.back
        self.kita = {i for i, kind in enumerate(self.kinds) if kind == NORTH and self.shapes.kita}
        of_row = {i: r for r, row in enumerate(table.rows) for i in row.members}
        self.row = [of_row.get(i, 0) for i in range(len(sightings))]
        self.sizes = [median_high(self.frames.size[i] for i in row.members) for row in table.rows]
        self.pairs = self._pairs(())
        self.edges = [_edges(s.corners, *size) for s in sightings]
        down = [complex(*s.corners[2]) + complex(*s.corners[3]) - 2 * complex(*s.centre) for s in sightings]
        self.up = [way.imag / max(abs(way), 1e-3) for way in down]
        self.near = [{j for j, air in enumerate(row) if air < NEAR_WIDTHS} for row in self.air]
        shown = {i for i, s in enumerate(sightings) if s.tile.is_playable}
        self.touching = self._touching(shown)
        self.alone = {row.tiles[0] for row in table.rows if len(row.members) == 1 and row.tiles[0] in shown}

    def _touching(self, shown: set[int]) -> list[set[int]]:
        found: list[set[int]] = [set() for _ in self.kinds]
        for i, j in permutations(shown, 2):
            offset, gap = self.frames.offset[i][j], self.frames.gap[i][j]
            beside = -0.5 < gap.real < GAP_WIDTHS and abs(offset.imag) < 0.5
            above = -0.5 < gap.imag < NEXT_LINE_WIDTHS and abs(offset.real) < 0.6
            if (beside or above) and self.frames.quarter[i][j] in (0, 2):
                found[i].add(j)
        return found

    def measure(self, cost: float, layout: Layout) -> list[float]:
        """The numbers of one interpretation, as :data:`NAMES`; ``cost``: that of its segmentation, nats."""
        inside, held, winning = layout.inside, layout.held, layout.winning
        melds = [meld.tiles for meld in layout.melds]
        aside = {*layout.bonus, *layout.dora}
        others = self.everything - aside.union(held, layout.nothing)
        pairs = self._pairs(layout.nothing) if layout.nothing else self.pairs
        over = len(inside) - (self.shapes.size - 3 * len(melds))
        found: Numbers = {
            "hand": 1,
            "cost": min(cost, 30.0),
            "full": over == 0,
            "short": over == -1,
            "few": max(0, -1 - over) / 3,
            "over": over == 1,
            "long": over >= 2,
            "sixteen": over in (2, 3),
            "melds": len(melds),
            "share": len(held) / max(1, len(self.play) - len(self.kita.intersection(layout.bonus))),
            "down": len(self.back.intersection(inside)) / max(1, len(inside)),
            "flowers": len(self.bonus.intersection(inside)) / max(1, len(inside)),
            "bonus": min(4, len(aside & (self.bonus | self.kita))),
            "bonus_left": min(4, len(others & self.bonus)),
            "left_sets": min(4, self._left_sets(held, others)),
            "left_in_line": min(4, _left_in_line(pairs, held, others)),
            "fours": self._fours(layout.concealed),
        }
        found |= self._shape(inside, over, winning) | self._seams(pairs, layout.concealed, melds, winning)
        found["wins_alone"] = found.get("wins", 0) * found["share"]
        if winning is not None:
            found |= self._winning(winning, layout, others)
        if inside:
            found |= self._place(inside, held, others) | self._melds(inside, melds, held, others)
        return [float(found.get(name, 0)) for name in NAMES]

    def _shape(self, inside: Sequence[int], over: int, winning: int | None) -> Numbers:
        """What the faces make: a win, a hand that waits, one whose winning tile is not what it waits for."""
        kinds = [self.kinds[i] for i in inside]
        beside = sum(a == b or (a // 9 == b // 9 < 3 and abs(a - b) <= 2) for a, b in pairwise(kinds))
        found: Numbers = {"sorted": beside / max(1, len(kinds) - 1)}
        counts = [kinds.count(k) for k in range(KINDS)]
        if sum(counts) < len(kinds) or max(counts) > 4:
            return found
        if over == 0:
            found["wins"] = is_winning(counts, self.shapes)
            if winning is not None and not found["wins"]:
                counts[self.kinds[winning]] -= 1
                found["spoilt"] = bool(waiting_kinds(counts, self.shapes))
        elif over == -1:
            found["waits"] = bool(waiting_kinds(counts, self.shapes))
        elif over in (2, 3):  # one more set, as in Taiwan
            is_five_sets = waiting_kinds if over == 2 else is_winning
            found["five_sets"] = bool(is_five_sets(counts, self.shapes))
        return found

    def _place(self, inside: Sequence[int], held: Sequence[int], others: Set[int]) -> Numbers:
        """How the tiles of the hand lie to each other and to tiles outside it."""
        frames = self.frames
        left = crowd = others & {j for i in held for j in self.touching[i]}
        for _ in range(4):
            crowd = crowd | others & {j for i in crowd for j in self.touching[i]}
        middle = min(inside, key=lambda i: sum(self.air[i][j] for j in inside))
        nearest = [min([3.0, *(self.air[i][j] for j in inside if j != i)]) for i in inside]
        faces = others & self.play
        largest = max((self.sizes[self.row[i]] for i in faces), default=0.0)
        return {
            "touch": min(6, sum(not others.isdisjoint(self.touching[i]) for i in held)),
            "crowd": math.log1p(len(crowd)),
            "lines": max((min(4, self.table.lines[self.row[i]]) - 1 for i in left), default=0),
            "beside": min(4, len(faces & {j for i in held for j in self.near[i]})),
            "askew": median_high(frames.askew[middle][i] for i in inside) / 10,
            "spread": sum(nearest) / len(inside) if len(inside) > 1 else 0,
            "pieces": len({self.row[i] for i in inside}) - 1,
            "smaller": max(0.0, math.log(max(largest, 1e-3) / max(median_high(frames.size[i] for i in inside), 1e-3))),
            "nearer": sum(frames.offset[middle][i].imag > 1.2 for i in faces) / max(1, len(faces)),
            "upside_down": sum(self.up[i] for i in inside) / len(inside) < -0.3,
        }

    def _left_sets(self, held: Sequence[int], others: Set[int]) -> int:
        """How many sets the tiles left over right beside the hand make: gapless stretches that are nothing but sets."""
        near = others & {j for i in held for j in self.near[i]} if held else others
        found = 0
        for row in self.table.rows:
            for stretch in row.stretches() if not near.isdisjoint(row.tiles) else ():
                for left, group in groupby(row.tiles[stretch.start : stretch.stop], key=others.__contains__):
                    tiles = list(group)
                    if left and not near.isdisjoint(tiles):
                        found += count_sets([self.kinds[i] for i in tiles])
        return found

    def _pairs(self, nothing: tuple[int, ...]) -> list[Pair]:
        """Tiles that follow one another in a row, and the gap between them, tile widths; some detections are none."""
        found = []
        for row in self.table.rows:
            there = [k for k, i in enumerate(row.tiles) if i not in nothing]
            found += [(row.tiles[a], row.tiles[b], row.gap(a, b)) for a, b in pairwise(there)]
        return found

    def _fours(self, concealed: Sequence[int]) -> int:
        """How often four tiles alike, which may be a kong, follow one another in the concealed row."""
        return sum(len(list(same)) // 4 for kind, same in groupby(self.kinds[i] for i in concealed) if kind < KINDS)

    def _seams(
        self, pairs: Sequence[Pair], concealed: Sequence[int], melds: Sequence[Sequence[int]], winning: int | None
    ) -> Numbers:
        """The gaps between concealed tiles, and those between them and melds or the winning tile in line with them."""
        # The number of each tile's meld, -1 for concealed tiles.
        hand = dict.fromkeys(concealed, -1) | {i: n for n, meld in enumerate(melds) for i in meld}
        lines = {self.row[i] for i in concealed}
        inner, to_meld, to_winning = [0.0], dict.fromkeys(range(len(melds)), math.inf), math.inf
        for a, b, gap in pairs:
            if self.row[a] not in lines:
                continue
            if winning in (a, b):
                if a in hand or b in hand:
                    to_winning = min(to_winning, gap)
            elif a in hand and b in hand:
                if hand[a] == hand[b] == -1:
                    inner.append(gap)
                for n in {hand[a], hand[b]} - {-1} if hand[a] != hand[b] else ():
                    to_meld[n] = min(to_meld[n], gap)
        widest = min(2.0, max(inner))
        near = [min(2.0, gap) for gap in to_meld.values() if gap < math.inf]
        across = self.frames.quarter
        unmarked = [m for m in melds if self.back.isdisjoint(m) and not any(across[i][j] % 2 for i in m for j in m)]
        return {
            "gaps": min(5, sum(gap > GAP_WIDTHS for gap in inner)),
            "widest": widest,
            "winning_in_line": to_winning < math.inf,
            "winning_gap": min(2.0, to_winning) if to_winning < math.inf else 0,
            "melds_in_line": len(near),
            "meld_seam": sum(near),
            "meld_narrower": sum(max(0.0, widest - gap) for gap in near),
            "melds_unmarked": len(unmarked),
        }

    def _winning(self, i: int, layout: Layout, others: Set[int]) -> Numbers:
        """How the winning tile lies to the hand, its melds and tiles outside it."""
        frames, air = self.frames, self.air[i]
        nearest = min((j for j in layout.held if j != i), key=air.__getitem__, default=i)
        near = [meld.tiles for meld in layout.melds if min(air[j] for j in meld.tiles) < GAP_WIDTHS]
        return {
            "winning": 1,
            "winning_air": min(air[nearest], MAX_DISTANCE_WIDTHS),
            "winning_between": min(3, self._between(i, nearest, others)),
            "winning_touches": not others.isdisjoint(self.touching[i]),
            "winning_in_row": min(3, len(others & {*self.table.rows[self.row[i]].members})),
            "winning_turned": frames.quarter[nearest][i] != 0,
            "winning_size": abs(math.log(frames.size[i] / max(frames.size[nearest], 1e-3))),
            "winning_at_edge": bool(self.edges[i]),
            "winning_of_kong": any(len(m) == 3 and all(self.kinds[j] == self.kinds[i] for j in m) for m in near),
            "winning_by_meld": bool(near),
            "winning_by_hand": any(air[j] < GAP_WIDTHS for j in layout.concealed),
        }

    def _melds(
        self, inside: Sequence[int], melds: Sequence[Sequence[int]], held: Sequence[int], others: Set[int]
    ) -> Numbers:
        """How the melds lie to the concealed tiles and to tiles outside the hand: sums over them."""
        found: Numbers = defaultdict(int)
        for meld in melds:
            one, other = min(product(meld, inside), key=lambda pair: self.air[pair[0]][pair[1]])
            touching = {j for i in meld for j in self.touching[i]}
            found["meld_air"] += max(0.0, min(self.air[one][other], MAX_DISTANCE_WIDTHS) - 2)
            found["meld_between"] += min(3, self._between(one, other, self.everything.difference(held)))
            found["meld_turned"] += sum(self.frames.quarter[other][i] == 0 for i in meld) * 2 <= len(meld)
            found["meld_touches"] += not touching.isdisjoint(others)
            found["meld_against"] += not touching.isdisjoint(inside)
            if self.back.issuperset(meld):
                found["meld_down"] += 1
                found["meld_in_wall"] += not {j for i in meld for j in self.near[i]}.isdisjoint(others & self.back)
        return found

    def fourths(self, meld: Sequence[int]) -> set[int]:
        """The tiles near a pung that are like its own: the fourth of a kong may lie at any angle."""
        kinds = {self.kinds[i] for i in meld}
        if len(meld) != 3 or len(kinds) > 1 or min(kinds) >= KINDS:
            return set()
        return {j for i in meld for j in self.near[i] if j not in meld and self.kinds[j] in kinds}

    def _between(self, i: int, j: int, some: Set[int]) -> int:
        """How many of ``some`` tiles lie across the way from tile ``i`` to tile ``j``."""
        way = self.frames.offset[i][j]
        long = abs(way)
        if long < 1.6:
            return 0
        along = way.conjugate() / long
        steps = (self.frames.offset[i][k] * along for k in some)
        return sum(0.5 < step.real < long - 0.5 and abs(step.imag) < 1.0 for step in steps)


@dataclass(frozen=True, slots=True)
class Weights:
    """A small network from N standardised numbers of evidence to the score of an interpretation, nats.

    No hand at all scores 0.

    Attributes:
        mean, spread: (N,) of each number. hidden, bias: (H, N) and (H,) of the hidden units.
        out: (H,) what each of them adds. direct: (N,) what each number adds by itself. base: (1,) added to all.
    """

    mean: Sequence[float]
    spread: Sequence[float]
    hidden: Sequence[Sequence[float]]
    bias: Sequence[float]
    out: Sequence[float]
    direct: Sequence[float]
    base: Sequence[float]

    def score(self, evidence: Sequence[float]) -> float:
        """Of an interpretation with this evidence, nats."""
        given = [(x - mean) / spread for x, mean, spread in zip(evidence, self.mean, self.spread, strict=True)]
        raised = [math.tanh(_dot(given, unit) + bias) for unit, bias in zip(self.hidden, self.bias, strict=True)]
        return _dot(raised, self.out) + _dot(given, self.direct) + self.base[0]


@cache
def load_weights() -> Weights:
    """The fitted weights.

    Raises:
        ValueError: the file holds weights of other numbers.
    """
    stored = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    if stored["numbers"] != list(NAMES):
        raise ValueError(f"{WEIGHTS.name} was fitted to other evidence; run scripts.train.fit_layout")
    return Weights(**{field.name: stored[field.name] for field in fields(Weights)})


def _dot(one: Sequence[float], other: Sequence[float]) -> float:
    return float(sum(map(mul, one, other)))


def _left_in_line(pairs: Sequence[Pair], held: Sequence[int], others: Set[int]) -> int:
    """How many tiles are left over although they touch a tile of the hand in its row."""
    touching = [{a, b} for a, b, gap in pairs if gap < GAP_WIDTHS]
    return len({i for pair in touching if not pair.isdisjoint(held) for i in pair if i in others})


def _edges(quad: Quad, width: int, height: int) -> set[str]:
    """The sides of the picture within half a tile of this one."""
    x0, y0, x1, y1 = bounds(quad)
    away = x0, width - 1 - x1, y0, height - 1 - y1
    return {side for side, px in zip(SIDES, away, strict=True) if px < math.dist(*quad[:2]) / 2}


def count_sets(kinds: Sequence[int]) -> int:
    """How many sets make up a stretch, chows in any order, kongs with face-down tiles; 0 if anything is left over."""
    best = [0] + [-1] * len(kinds)
    for end in range(3, len(kinds) + 1):
        for size in (3, 4):
            if end >= size and best[end - size] >= 0 and _is_set(kinds[end - size : end]):
                best[end] = max(best[end], best[end - size] + 1)
    return max(0, best[-1])


def _is_set(kinds: Sequence[int]) -> bool:
    shown = set(kinds) - ({BACK_KIND} if len(kinds) == 4 else set())
    low = min(shown, default=KINDS)
    chow = len(kinds) == 3 and low < 27 and low % 9 < 7 and shown == {low, low + 1, low + 2}
    return chow or (low < KINDS and shown == {low})
