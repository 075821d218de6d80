"""The evidence for and against an interpretation of the table, in numbers, and a small network that scores it.

The geometry is measured in tiles (:mod:`vision.layout.frames`), so a number means the same near and far, in any photo.
The chance of one is the softmax over the scores of all those of a photo, no hand at all being one of them. The
weights were fitted on randomly laid tables with full truth (``scripts/train/fit_layout.py``); ``weights.json`` says on
how many, and how well they do on tables that took no part in the fit.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cache
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from scoring.tiles import BACK_KIND, KINDS, NORTH
from vision.arrays import BoolArray, FloatArray
from vision.layout.layout import Layout
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
NEAR_WIDTHS: Final = 1.5
"""Widest gap between the hand and what lies right beside it, tile widths."""
Numbers = dict[str, Any]
"""Evidence by name, numbers or truth values; what is not named is 0."""


class Evidence:
    """One photo's N tiles, measured to weigh interpretations.

    Attributes:
        kinds: (N,) the likeliest kinds. play, back, bonus: (N,) whether that is one that hands are made of, face-down,
            or a bonus tile. kita: (N,) whether it is a north where these may be set aside.
        row: (N,) number of a tile's row. lines: (N,) how many lines the block of that row has.
        pairs: tiles that follow one another in a row, and the gap between them, tile widths.
        edge: (N,) whether a tile lies at the edge of the picture. up: (N,) cosine of its turn from upright there.
        touching: (N, N) which playable face-up tiles lie side by side or one above the other, facing alike or opposite.
    """

    def __init__(self, table: Table, sightings: Sequence[Sighting], size: tuple[int, int]) -> None:
        """Measure a photo of ``size`` (width, height)."""
        self.table, self.frames, self.shapes = table, table.frames, table.faces.shapes
        self.air, n = table.air, len(sightings)
        self.kinds = np.array([int(np.argmin(costs)) for costs in table.faces.kinds], np.int64)
        self.play, self.back = self.kinds < KINDS, self.kinds == BACK_KIND
        self.bonus = ~self.play & ~self.back
        self.kita = (self.kinds == NORTH) & self.shapes.kita
        self.row, self.lines = np.zeros(n, np.int64), np.ones(n, np.int64)
        for r, (row, lines) in enumerate(zip(table.rows, table.lines, strict=True)):
            self.row[list(row.members)], self.lines[list(row.members)] = r, lines
        self.pairs = [
            (a, b, gap) for row in table.rows for (a, b), gap in zip(pairwise(row.tiles), row.gaps[1:], strict=True)
        ]
        quads = np.array([s.corners for s in sightings], np.float32)
        reach = 0.5 * np.linalg.norm(quads[:, 1] - quads[:, 0], axis=1)[:, None]
        low, high = quads.min(axis=1), np.array(size) - quads.max(axis=1)
        self.edge = (np.minimum(low, high) < reach).any(axis=1)
        down = quads[:, 2] + quads[:, 3] - quads[:, 0] - quads[:, 1]
        self.up = down[:, 1] / np.maximum(np.linalg.norm(down, axis=1), 1e-3)
        self.touching = self._touching(np.array([s.tile.is_playable for s in sightings]))

    def _touching(self, shown: BoolArray) -> BoolArray:
        offset, gaps = np.abs(self.frames.offset), self.frames.gaps()
        beside = (gaps[..., 0] > -0.5) & (gaps[..., 0] < GAP_WIDTHS) & (offset[..., 1] < 0.5)
        above = (gaps[..., 1] > -0.5) & (gaps[..., 1] < NEXT_LINE_WIDTHS) & (offset[..., 0] < 0.6)
        return np.asarray((beside | above) & np.isin(self.frames.quarter, (0, 2)) & shown[None] & shown[:, None])

    def measure(self, cost: float, layout: Layout) -> npt.NDArray[np.float64]:
        """The numbers of one interpretation, as :data:`NAMES`; ``cost``: that of its segmentation, nats."""
        inside, held, winning = list(layout.inside), list(layout.held), layout.winning
        melds = [list(meld.tiles) for meld in layout.melds]
        own = [*held, *layout.bonus, *layout.dora]
        others = np.ones(len(self.kinds), bool)
        others[own] = False
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
            "share": len(held) / max(1, int(self.play.sum() - self.kita[list(layout.bonus)].sum())),
            "down": self.back[inside].sum() / max(1, len(inside)),
            "flowers": self.bonus[inside].sum() / max(1, len(inside)),
            "bonus": min(4, (self.bonus | self.kita)[[*layout.bonus, *layout.dora]].sum()),
            "bonus_left": min(4, (self.bonus & others).sum()),
            "left_sets": min(4, self._left_sets(held, others)),
            "left_in_line": min(4, self._left_in_line(held, others)),
            "fours": self._fours(layout.concealed),
        }
        found |= self._shape(inside, over, winning) | self._seams(layout.concealed, melds, winning)
        found["wins_alone"] = found.get("wins", 0) * found["share"]
        if winning is not None:
            found |= self._winning(winning, layout, own, others)
        if inside:
            found |= self._place(inside, held, others) | self._melds(inside, melds, held, others)
        return np.array([found.get(name, 0) for name in NAMES], np.float64)

    def _shape(self, inside: list[int], over: int, winning: int | None) -> Numbers:
        """What the faces make: a win, a hand that waits, one whose winning tile is not what it waits for."""
        kinds = self.kinds[inside].tolist()
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

    def _place(self, inside: list[int], held: list[int], others: BoolArray) -> Numbers:
        """How the tiles of the hand lie to each other and to tiles outside it."""
        frames = self.frames
        against = self.touching[held] & others
        left = against.any(axis=0)
        crowd = left.copy()
        for _ in range(4):
            crowd |= self.touching[crowd].any(axis=0) & others
        between = self.air[np.ix_(inside, inside)]
        middle = inside[int(between.sum(axis=1).argmin())]
        nearest = np.where(np.eye(len(inside), dtype=bool), 3, between.clip(0, 3)).min(axis=1)
        faces = others & self.play
        largest = max((_middle(frames.size[self.row == r]) for r in set(self.row[faces].tolist())), default=0.0)
        return {
            "touch": min(6, against.any(axis=1).sum()),
            "crowd": np.log1p(crowd.sum()),
            "lines": min(4, self.lines[left].max()) - 1 if left.any() else 0,
            "beside": min(4, ((self.air[held] < NEAR_WIDTHS).any(axis=0) & faces).sum()),
            "askew": _middle(frames.askew[middle, inside]) / 10,
            "spread": nearest.mean() if len(inside) > 1 else 0,
            "pieces": len(set(self.row[inside].tolist())) - 1,
            "smaller": max(0.0, np.log(max(largest, 1e-3) / max(_middle(frames.size[inside]), 1e-3))),
            "nearer": (faces & (frames.offset[middle, :, 1] > 1.2)).sum() / max(1, faces.sum()),
            "upside_down": self.up[inside].mean() < -0.3,
        }

    def _left_sets(self, held: list[int], others: BoolArray) -> int:
        """How many sets the tiles left over right beside the hand make: gapless stretches that are nothing but sets."""
        near = others & (self.air[held] < NEAR_WIDTHS).any(axis=0) if held else others
        found = 0
        for row in self.table.rows:
            for stretch in row.stretches():
                for left, group in groupby(row.tiles[stretch.start : stretch.stop], key=lambda i: bool(others[i])):
                    tiles = list(group)
                    if left and near[tiles].any():
                        found += count_sets(self.kinds[tiles].tolist())
        return found

    def _left_in_line(self, held: list[int], others: BoolArray) -> int:
        """How many tiles are left over although they touch a tile of the hand in its row."""
        touching = [{a, b} for a, b, gap in self.pairs if gap < GAP_WIDTHS]
        return len({i for pair in touching if not pair.isdisjoint(held) for i in pair if others[i]})

    def _fours(self, concealed: Sequence[int]) -> int:
        """How often four tiles alike, which may be a kong, follow one another in the concealed row."""
        return sum(len(list(same)) // 4 for kind, same in groupby(self.kinds[list(concealed)]) if kind < KINDS)

    def _seams(self, concealed: Sequence[int], melds: list[list[int]], winning: int | None) -> Numbers:
        """The gaps between concealed tiles, and those between them and melds or the winning tile in line with them."""
        # The number of each tile's meld, -1 for concealed tiles.
        hand = dict.fromkeys(concealed, -1) | {i: n for n, meld in enumerate(melds) for i in meld}
        lines = {self.row[i] for i in concealed}
        inner, to_meld, to_winning = [0.0], dict.fromkeys(range(len(melds)), np.inf), np.inf
        for a, b, gap in self.pairs:
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
        near = [min(2.0, gap) for gap in to_meld.values() if gap < np.inf]
        unmarked = [m for m in melds if not (self.frames.quarter[np.ix_(m, m)] % 2).any() and not self.back[m].any()]
        return {
            "gaps": min(5, sum(gap > GAP_WIDTHS for gap in inner)),
            "widest": widest,
            "winning_in_line": to_winning < np.inf,
            "winning_gap": min(2.0, to_winning) if to_winning < np.inf else 0,
            "melds_in_line": len(near),
            "meld_seam": sum(near),
            "meld_narrower": sum(max(0.0, widest - gap) for gap in near),
            "melds_unmarked": len(unmarked),
        }

    def _winning(self, i: int, layout: Layout, own: list[int], others: BoolArray) -> Numbers:
        """How the winning tile lies to the hand, its melds and tiles outside it."""
        frames = self.frames
        nearest = min((j for j in layout.held if j != i), key=lambda j: self.air[i, j], default=i)
        near = [list(meld.tiles) for meld in layout.melds if self.air[i, list(meld.tiles)].min() < GAP_WIDTHS]
        return {
            "winning": 1,
            "winning_air": min(self.air[i, nearest], MAX_DISTANCE_WIDTHS),
            "winning_between": min(3, self._between(i, nearest, own)),
            "winning_touches": (self.touching[i] & others).any(),
            "winning_in_row": min(3, ((self.row == self.row[i]) & others).sum()),
            "winning_turned": frames.quarter[nearest, i] != 0,
            "winning_size": abs(np.log(frames.size[i] / max(frames.size[nearest], 1e-3))),
            "winning_at_edge": self.edge[i],
            "winning_of_kong": any(len(m) == 3 and (self.kinds[m] == self.kinds[i]).all() for m in near),
            "winning_by_meld": bool(near),
            "winning_by_hand": (self.air[i, list(layout.concealed)] < GAP_WIDTHS).any(),
        }

    def _melds(self, inside: list[int], melds: list[list[int]], held: list[int], others: BoolArray) -> Numbers:
        """How the melds lie to the concealed tiles and to tiles outside the hand: sums over them."""
        found: Numbers = defaultdict(int)
        for meld in melds:
            apart = self.air[np.ix_(meld, inside)]
            a, b = np.unravel_index(int(apart.argmin()), apart.shape)
            one, other = meld[int(a)], inside[int(b)]
            found["meld_air"] += max(0.0, min(float(apart.min()), MAX_DISTANCE_WIDTHS) - 2)
            found["meld_between"] += min(3, self._between(one, other, held))
            found["meld_turned"] += (self.frames.quarter[other, meld] == 0).sum() * 2 <= len(meld)
            found["meld_touches"] += (self.touching[meld] & others).any()
            found["meld_against"] += self.touching[np.ix_(meld, inside)].any()
            if self.back[meld].all():
                found["meld_down"] += 1
                found["meld_in_wall"] += (self.air[meld][:, others & self.back] < NEAR_WIDTHS).any()
        return found

    def _between(self, i: int, j: int, own: list[int]) -> int:
        """How many tiles that are not ``own`` lie across the way from tile ``i`` to tile ``j``."""
        way = self.frames.offset[i, j]
        long = float(np.hypot(*way))
        if long < 1.6:
            return 0
        at = self.frames.offset[i]
        along = at @ way / long
        off = np.abs(at[:, 0] * way[1] - at[:, 1] * way[0]) / long
        crossed = (along > 0.5) & (along < long - 0.5) & (off < 1.0)
        crossed[own] = False
        return int(crossed.sum())


@dataclass(frozen=True, slots=True)
class Weights:
    """A small network from N standardised numbers of evidence to the score of an interpretation, nats.

    No hand at all scores 0.

    Attributes:
        mean, spread: (N,) of each number. hidden, bias: (N, H) and (H,) of the hidden units.
        out: (H,) what each of them adds. direct: (N,) what each number adds by itself. base: (1,) added to all.
    """

    mean: npt.NDArray[np.float64]
    spread: npt.NDArray[np.float64]
    hidden: npt.NDArray[np.float64]
    bias: npt.NDArray[np.float64]
    out: npt.NDArray[np.float64]
    direct: npt.NDArray[np.float64]
    base: npt.NDArray[np.float64]

    def scores(self, evidence: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """(n, N) evidence -> (n,) nats."""
        given = (evidence - self.mean) / self.spread
        return np.asarray(np.tanh(given @ self.hidden + self.bias) @ self.out + given @ self.direct + self.base)


@cache
def load_weights() -> Weights:
    """The fitted weights.

    Raises:
        ValueError: the file holds weights of other numbers.
    """
    stored = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    if stored["numbers"] != list(NAMES):
        raise ValueError(f"{WEIGHTS.name} was fitted to other evidence; run scripts.train.fit_layout")
    return Weights(**{field.name: np.array(stored[field.name], np.float64) for field in fields(Weights)})


def _middle(values: FloatArray) -> float:
    """The upper median; ``np.median`` takes five times as long for so few."""
    return float(np.sort(values)[len(values) // 2])


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
