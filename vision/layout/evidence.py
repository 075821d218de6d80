"""The evidence for and against a way to interpret the table, in numbers, and a small network that scores it.

The geometry is measured in tiles (:mod:`vision.layout.frames`), so a number means the same near and far, in any photo.
The chance of a way is the softmax over the scores of all ways of a photo, no hand at all being one of them. The
weights were fitted on randomly laid tables with full truth (``scripts/train/fit_layout.py``); ``weights.json`` says on
how many, and how well they do on tables that took no part in the fit.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from scoring.tiles import BACK_KIND, KINDS
from vision.layout.cuts import Faces
from vision.layout.frames import Frames
from vision.layout.rows import Row
from vision.layout.shapes import Shapes, wins
from vision.reading import FloatArray, Sighting

NAMES: Final = (
    *("hand", "cost", "full", "short", "few", "over", "long", "wins", "wins_alone", "waits", "spoilt", "sorted"),
    *("touch", "crowd", "lines", "beside", "askew", "spread", "pieces", "smaller", "nearer", "upside_down", "share"),
    *("winning", "winning_air", "winning_between", "winning_touches", "winning_in_row", "winning_turned"),
    *("winning_size", "winning_at_edge", "winning_of_kong", "winning_in_line", "winning_gap", "gaps", "widest"),
    *("melds", "melds_in_line", "meld_seam", "meld_narrower", "melds_unmarked", "meld_air", "meld_between"),
    *("meld_turned", "meld_touches", "meld_down", "meld_in_wall", "down", "flowers", "bonus", "bonus_left"),
    *("winning_by_hand", "winning_by_meld", "meld_against", "left_sets", "left_in_line", "fours"),
    *("sixteen", "five_sets"),
)
"""The names of the numbers that :meth:`Evidence.of` returns."""
WEIGHTS: Final = Path(__file__).with_name("weights.json")
NEXT_LINE: Final = 0.35
"""Widest gap between the lines of a block of tiles, tile widths."""
TOUCHING: Final = 0.28
"""Widest gap between tiles side by side, tile widths."""
FURTHEST: Final = 8.0
"""Distances are capped at this, tile widths."""
NEAR: Final = 1.5
"""Widest gap between the hand and what lies right beside it, tile widths."""
_MELD_SUMS: Final = ("meld_between", "meld_turned", "meld_touches", "meld_against", "meld_down", "meld_in_wall")


class Taken(NamedTuple):
    """The parts of a way to interpret the table, by sighting; ``beside``: bonus tiles and indicators."""

    concealed: tuple[int, ...]
    melds: tuple[tuple[int, ...], ...]
    winning: int | None
    beside: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Evidence:
    """One photo's tiles, measured to weigh ways to interpret them.

    Attributes:
        air: (N, N) gap between two tiles, tile widths. touching: (N, N) which faces lie against each other.
        lines: (N,) lines of the block of rows that a tile lies in. row: (N,) number of its row.
        at: (N,) place in its row. gap: (N,) gap before it there, tile widths.
        play: (N,) whether it is likeliest a tile that hands are made of. back: (N,) whether it lies face-down.
        edge: (N,) whether it lies at the edge of the picture.
    """

    frames: Frames
    shapes: Shapes
    kinds: npt.NDArray[np.int64]
    air: FloatArray
    touching: npt.NDArray[np.bool_]
    lines: npt.NDArray[np.int64]
    row: npt.NDArray[np.int64]
    at: npt.NDArray[np.int64]
    gap: FloatArray
    play: npt.NDArray[np.bool_]
    back: npt.NDArray[np.bool_]
    edge: npt.NDArray[np.bool_]
    up: FloatArray

    @classmethod
    def gathered(
        cls,
        sightings: Sequence[Sighting],
        frames: Frames,
        rows: Sequence[Row],
        lines: Sequence[int],
        faces: Faces,
        shapes: Shapes,
        size: tuple[int, int],
    ) -> Evidence:
        """Measure a photo of ``size`` (width, height); ``lines``: how many the block of each row has."""
        gaps = frames.gaps()
        apart = np.hypot(*np.moveaxis(np.maximum(gaps, 0), 2, 0))
        kinds = np.array([int(np.argmin(costs)) for costs in faces.kinds], np.int64)
        row, block = np.zeros(len(frames), np.int64), np.ones(len(frames), np.int64)
        at, gap = np.full(len(frames), -9, np.int64), np.zeros(len(frames), np.float32)
        for r, line in enumerate(rows):
            row[list(line.members)], block[list(line.members)] = r, lines[r]
            at[list(line.tiles)], gap[list(line.tiles)] = range(len(line.tiles)), line.gaps
        quads = np.array([s.corners for s in sightings], np.float32)
        reach = 0.5 * np.linalg.norm(quads[:, 1] - quads[:, 0], axis=1)[:, None]
        low, high = quads.min(axis=1), np.array(size) - quads.max(axis=1)
        down = quads[:, 2] + quads[:, 3] - quads[:, 0] - quads[:, 1]
        return cls(
            frames,
            shapes,
            kinds,
            np.minimum(apart, apart.T),
            _touching(sightings, frames, gaps),
            block,
            row,
            at,
            gap,
            kinds < KINDS,
            kinds == BACK_KIND,
            np.asarray((np.minimum(low, high) < reach).any(axis=1)),
            np.asarray(down[:, 1] / np.maximum(np.linalg.norm(down, axis=1), 1e-3), np.float32),
        )

    def of(self, cost: float, taken: Taken) -> npt.NDArray[np.float64]:
        """The numbers of one way to take the table, as :data:`NAMES`; ``cost``: that of its cuts, nats."""
        inside = [*taken.concealed, *(() if taken.winning is None else (taken.winning,))]
        melds = [list(meld) for meld in taken.melds]
        held = inside + [i for m in melds for i in m]
        own = held + list(taken.beside)
        others = np.ones(len(self.kinds), bool)
        others[own] = False
        want = self.shapes.size - 3 * len(melds)
        over = len(inside) - want
        found = dict.fromkeys(NAMES, 0.0)
        found |= {
            "hand": 1.0,
            "cost": min(cost, 30.0),
            "full": over == 0,
            "short": over == -1,
            "few": max(0, -1 - over) / 3,
            "over": over == 1,
            "long": over >= 2,
            "sixteen": over in (2, 3),
            "melds": len(melds),
            "share": len(held) / max(1, int(self.play.sum())),
        }
        found |= self._faces(inside, taken.beside, others)
        found |= self._shape(inside, over, taken.winning) | self._place(inside, held, others)
        found["wins_alone"] = found["wins"] * found["share"]
        found |= self._seams(taken, melds)
        found["left_sets"] = float(min(4, self._left_sets(held, others)))
        found["left_in_line"] = float(min(4, self._left_in_line(held, others)))
        found["fours"] = float(self._fours(taken.concealed))
        if taken.winning is not None:
            found |= self._winning(taken.winning, [i for i in held if i != taken.winning], own, others)
            near = [m for m in melds if self.air[taken.winning, m].min() < TOUCHING]
            kongs = [m for m in near if len(m) == 3 and (self.kinds[m] == self.kinds[taken.winning]).all()]
            hand = self.air[taken.winning, list(taken.concealed)]
            found["winning_of_kong"], found["winning_by_meld"] = float(bool(kongs)), float(bool(near))
            found["winning_by_hand"] = float((hand < TOUCHING).any())
        if inside:
            found |= self._melds(inside, melds, others)
        return np.array([found[name] for name in NAMES], np.float64)

    def _faces(self, inside: list[int], beside: Sequence[int], others: npt.NDArray[np.bool_]) -> dict[str, float]:
        """The shares of the hand that are face-down and bonus tiles; how many bonus tiles lie beside it or are left."""
        bonus = ~self.play & ~self.back
        of_hand = max(1, len(inside))
        return {
            "down": float(self.back[inside].sum()) / of_hand,
            "flowers": float(bonus[inside].sum()) / of_hand,
            "bonus": float(min(4, bonus[list(beside)].sum())),
            "bonus_left": float(min(4, (bonus & others).sum())),
        }

    def _shape(self, inside: list[int], over: int, winning: int | None) -> dict[str, float]:
        """What the faces make: a win, a hand that waits, one whose winning tile is not what it waits for."""
        kinds = [int(self.kinds[i]) for i in inside]
        plain = [k for k in kinds if k < KINDS]
        counts = [plain.count(k) for k in range(KINDS)]
        beside = sum(a == b or (a // 9 == b // 9 < 3 and abs(a - b) <= 2) for a, b in pairwise(kinds))
        found = {"sorted": beside / max(1, len(kinds) - 1)}
        if len(plain) < len(kinds) or max(counts, default=0) > 4:
            return found
        if over == 0:
            found["wins"] = float(wins(counts, self.shapes))
            if winning is not None and not found["wins"]:
                counts[int(self.kinds[winning])] -= 1
                found["spoilt"] = float(self._waits(counts))
        elif over == -1:
            found["waits"] = float(self._waits(counts))
        elif over in (2, 3):  # one more set, as in Taiwan
            found["five_sets"] = float(self._waits(counts) if over == 2 else wins(counts, self.shapes))
        return found

    def _waits(self, counts: list[int]) -> bool:
        more = ([*counts[:k], counts[k] + 1, *counts[k + 1 :]] for k in range(KINDS) if _helps(counts, k))
        return any(wins(m, self.shapes) for m in more)

    def _place(self, inside: list[int], held: list[int], others: npt.NDArray[np.bool_]) -> dict[str, float]:
        """How the tiles of the hand lie to each other and to tiles outside it."""
        if not inside:
            return {}
        frames = self.frames
        against = self.touching[held] & others
        left = against.any(axis=0)
        crowd = left.copy()
        for _ in range(4):
            crowd |= self.touching[crowd].any(axis=0) & others
        middle = inside[int(self.air[np.ix_(inside, inside)].sum(axis=1).argmin())]
        between = self.air[np.ix_(inside, inside)] + 99 * np.eye(len(inside), dtype=np.float32)
        faces = others & self.play
        alone = [_middle(frames.size[self.row == r]) for r in set(self.row[faces].tolist())]
        largest = max(alone, default=0.0)
        mine = _middle(frames.size[inside])
        nearer = faces & (frames.offset[middle, :, 1] > 1.2)
        return {
            "touch": float(min(6, against.any(axis=1).sum())),
            "crowd": float(np.log1p(crowd.sum())),
            "lines": float(min(4, self.lines[left].max())) - 1 if left.any() else 0.0,
            "beside": float(min(4, (self.air[held][:, faces] < NEAR).any(axis=0).sum())) if faces.any() else 0.0,
            "askew": _middle(frames.askew[middle, inside]) / 10,
            "spread": float(between.min(axis=1).clip(0, 3).mean()) if len(inside) > 1 else 0.0,
            "pieces": float(len(set(self.row[inside].tolist())) - 1),
            "smaller": max(0.0, float(np.log(max(largest, 1e-3) / max(mine, 1e-3)))),
            "nearer": float(nearer.sum() / max(1, faces.sum())),
            "upside_down": float(self.up[inside].mean() < -0.3),
        }

    def _left_sets(self, held: list[int], others: npt.NDArray[np.bool_]) -> int:
        """How many sets the tiles left over right beside the hand make: gapless stretches that are nothing but sets."""
        near = others & (self.air[held].min(axis=0) < NEAR) if held else others
        found = 0
        for row in set(self.row[near].tolist()):
            line = np.flatnonzero((self.row == row) & others & (self.at >= 0))
            line = line[self.at[line].argsort()]
            starts = np.flatnonzero((np.diff(self.at[line]) > 1) | (self.gap[line[1:]] > TOUCHING)) + 1
            for stretch in np.split(line, starts):
                found += sets_in(self.kinds[stretch].tolist()) if near[stretch].any() else 0
        return found

    def _left_in_line(self, held: list[int], others: npt.NDArray[np.bool_]) -> int:
        """How many tiles are left over although they touch a tile of the hand in its row."""
        own = {(int(self.row[i]), int(self.at[i])): i for i in held if self.at[i] >= 0}
        found = 0
        for i in np.flatnonzero(others & (self.at >= 0)).tolist():
            row, at = int(self.row[i]), int(self.at[i])
            after = own.get((row, at + 1))
            before = (row, at - 1) in own and self.gap[i] < TOUCHING
            found += before or (after is not None and self.gap[after] < TOUCHING)
        return found

    def _fours(self, concealed: Sequence[int]) -> int:
        """How often four tiles alike, which may be a kong, follow one another in the concealed row."""
        kinds, at, found = self.kinds[list(concealed)].tolist(), 0, 0
        while at + 4 <= len(kinds):
            four = kinds[at] < KINDS and kinds[at : at + 4] == kinds[at : at + 1] * 4
            found, at = found + four, at + (4 if four else 1)
        return found

    def _seams(self, taken: Taken, melds: list[list[int]]) -> dict[str, float]:
        """The gaps between concealed tiles, and those between them and melds or the winning tile in line with them."""
        concealed = set(taken.concealed)
        part = dict.fromkeys(concealed, 0) | {i: n for n, meld in enumerate(melds, 1) for i in meld}
        if taken.winning is not None:
            part[taken.winning] = -1
        inner, seams, winning = [0.0], dict.fromkeys(range(1, len(melds) + 1), FURTHEST), FURTHEST
        lines = {int(self.row[i]) for i in concealed}
        after = {(int(self.row[i]), int(self.at[i])): i for i in part}
        for (row, at), i in after.items():
            before = after.get((row, at - 1))
            if row not in lines or before is None:
                continue
            air, both = float(self.gap[i]), {part[i], part[before]}
            if both == {0}:
                inner.append(air)
            elif -1 in both:
                winning = min(winning, air)
            elif len(both) == 2:
                for n in both - {0}:
                    seams[n] = min(seams[n], air)
        widest = min(2.0, max(inner))
        near = [min(2.0, air) for air in seams.values() if air < FURTHEST]
        unmarked = [m for m in melds if not (self.frames.quarter[np.ix_(m, m)] % 2).any() and not self.back[m].any()]
        return {
            "gaps": float(min(5, sum(air > TOUCHING for air in inner))),
            "widest": widest,
            "winning_in_line": float(winning < FURTHEST),
            "winning_gap": min(2.0, winning) if winning < FURTHEST else 0.0,
            "melds_in_line": float(len(near)),
            "meld_seam": sum(near),
            "meld_narrower": sum(max(0.0, widest - air) for air in near),
            "melds_unmarked": float(len(unmarked)),
        }

    def _winning(self, i: int, rest: list[int], own: list[int], others: npt.NDArray[np.bool_]) -> dict[str, float]:
        frames = self.frames
        nearest = rest[int(self.air[i, rest].argmin())] if rest else i
        row = (self.row == self.row[i]) & others
        return {
            "winning": 1.0,
            "winning_air": float(min(self.air[i, nearest], FURTHEST)),
            "winning_between": float(min(3, self._between(i, nearest, own))),
            "winning_touches": float((self.touching[i] & others).any()),
            "winning_in_row": float(min(3, row.sum())),
            "winning_turned": float(frames.quarter[nearest, i] != 0),
            "winning_size": abs(float(np.log(frames.size[i] / max(float(frames.size[nearest]), 1e-3)))),
            "winning_at_edge": float(self.edge[i]),
        }

    def _melds(self, inside: list[int], melds: list[list[int]], others: npt.NDArray[np.bool_]) -> dict[str, float]:
        if not melds:
            return {}
        found = dict.fromkeys(_MELD_SUMS, 0.0)
        airs = []
        own = [*inside, *(i for m in melds for i in m)]
        for meld in melds:
            pairs = self.air[np.ix_(meld, inside)]
            a, b = np.unravel_index(int(pairs.argmin()), pairs.shape)
            airs.append(float(min(pairs.min(), FURTHEST)))
            found["meld_between"] += min(3, self._between(meld[int(a)], inside[int(b)], own))
            turns = self.frames.quarter[inside[int(b)], meld]
            found["meld_turned"] += float((turns == 0).sum() * 2 <= len(meld))
            found["meld_touches"] += float((self.touching[meld] & others).any())
            found["meld_against"] += float(self.touching[np.ix_(meld, inside)].any())
            if self.back[meld].all():
                found["meld_down"] += 1.0
                near = self.air[meld][:, others & self.back]
                found["meld_in_wall"] += float(near.size > 0 and near.min() < NEAR)
        return found | {"meld_air": float(np.maximum(np.array(airs) - 2, 0).sum())}

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
    """A small network from N numbers of evidence, standardised, to the score of a way in nats; no hand at all has 0.

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

    def scores(self, ways: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """(ways, N) evidence -> (ways,) nats."""
        given = (ways - self.mean) / self.spread
        return np.asarray(np.tanh(given @ self.hidden + self.bias) @ self.out + given @ self.direct + self.base)


@cache
def weights() -> Weights:
    """The fitted weights.

    Raises:
        ValueError: the file holds weights of other numbers.
    """
    stored = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    if stored["numbers"] != list(NAMES):
        raise ValueError(f"{WEIGHTS.name} was fitted to other evidence; run scripts.train.fit_layout")
    return Weights(**{field.name: np.array(stored[field.name], np.float64) for field in fields(Weights)})


def prices(ways: Sequence[npt.NDArray[np.float64]]) -> npt.NDArray[np.float64]:
    """What each way costs against no hand at all, nats: below 0 where it is likelier."""
    return -weights().scores(np.asarray(ways, np.float64).reshape(-1, len(NAMES)))


def _middle(values: FloatArray) -> float:
    """The upper median; ``np.median`` takes five times as long for so few."""
    return float(np.sort(values)[len(values) // 2])


def sets_in(kinds: Sequence[int]) -> int:
    """How many sets make up a stretch, chows in any order, kongs with face-down tiles; 0 if anything is left over."""
    best = [0] + [-1] * len(kinds)
    for end in range(3, len(kinds) + 1):
        for size in (3, 4):
            if end >= size and best[end - size] >= 0 and _is_set(kinds[end - size : end]):
                best[end] = max(best[end], best[end - size] + 1)
    return max(0, best[-1])


def _is_set(kinds: Sequence[int]) -> bool:
    shown = sorted(k for k in kinds if k < KINDS or len(kinds) == 3)
    if not shown or shown[-1] >= KINDS or len(shown) + list(kinds).count(BACK_KIND) * (len(kinds) == 4) < len(kinds):
        return False
    low = shown[0]
    return shown[-1] == low or (len(kinds) == 3 and low < 27 and low % 9 < 7 and shown == [low, low + 1, low + 2])


def _helps(counts: Sequence[int], kind: int) -> bool:
    """Whether one more of a kind can be of any use: it is held, or a neighbour is, or it is an orphan."""
    if counts[kind] >= 4:
        return False
    suit, number = divmod(kind, 9)
    near = [kind] if suit == 3 else [k for k in range(kind - 2, kind + 3) if 0 <= k < 27 and k // 9 == suit]
    return any(counts[k] for k in near) or number in (0, 8) or suit == 3


def _touching(sightings: Sequence[Sighting], frames: Frames, gaps: FloatArray) -> npt.NDArray[np.bool_]:
    """(N, N) which playable face-up tiles lie side by side or one above the other, facing alike or opposite."""
    offset = np.abs(frames.offset)
    shown = np.array([s.tile.is_playable for s in sightings])
    beside = (gaps[..., 0] > -0.5) & (gaps[..., 0] < TOUCHING) & (offset[..., 1] < 0.5)
    above = (gaps[..., 1] > -0.5) & (gaps[..., 1] < NEXT_LINE) & (offset[..., 0] < 0.6)
    return np.asarray((beside | above) & np.isin(frames.quarter, (0, 2)) & shown[None] & shown[:, None])
