"""One row of tiles cut into concealed tiles, melds, a winning tile, bonus tiles and the rest, in every likely way.

Costs are in nats, like those of the faces: what a gap, a turn or a face makes likelier is cheaper. A row yields the
cheapest segmentation for each number of concealed tiles and melds; which of them is right is decided for the whole
hand.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Final, NamedTuple

from scoring.tiles import KINDS
from vision.layout.melds import UNLIKELY_NATS, FaceCosts
from vision.layout.rows import GAP_WIDTHS, Row
from vision.layout.table import Place

BEAM_NATS: Final = 7.0
"""Segmentations this much dearer than the cheapest are dropped."""
CLOSED_LINE_SHARE: Final = 0.75
"""Share of the cost of touching melds that is waived for a row of nothing but melds and bonus tiles."""
BESIDE_WIDTHS: Final = 1.9
"""Tiles that face as the hand does belong to it as a rule if the gap to it is at most this, tile widths."""
LEFT_OUT_NATS: Final = 1.2
"""Cost of leaving one of them out; a row of more than two costs no more than two."""
AMONG_BONUS_NATS: Final = 1.5
"""Cost of another face in a closed line of mostly bonus tiles: it is a bonus tile that cannot be read."""

TILE, MELD, WINNING, RUN = 1, 1 << 5, 1 << 8, 1 << 10
"""The units of a load, which packs into one number what segmentations hold, so that the loads of two add up: concealed
tiles (winning tile included), melds, winning tiles set apart, places with a hand."""


def unpack_load(load: int) -> tuple[int, int, int, int]:
    """The numbers of tiles, melds, winning tiles and places in a load."""
    return load % MELD, load % WINNING // MELD, load % RUN // WINNING, load // RUN


@cache
def exceeds_hand(load: int, sets: int) -> bool:
    """Whether it is more than any hand of ``sets`` sets holds, one tile too many allowed."""
    tiles, melds, winning, runs = unpack_load(load)
    return tiles > 3 * sets + 3 or melds > sets or winning > 1 or runs > 2


class Segment(NamedTuple):
    """A stretch of a row.

    ``role`` is one letter: C concealed, S the same after a gap inside the hand, M meld, W winning, B bonus, D dora,
    O other.
    """

    role: str
    start: int
    end: int

    @property
    def is_kong(self) -> bool:
        """Whether it is a meld of four tiles in line."""
        return self.role == "M" and self.end - self.start == 4


class RowSegmentation(NamedTuple):
    """One way to cut a row into segments, and its cost in nats; detections in none of them are taken for no tiles."""

    cost: float
    segments: tuple[Segment, ...] = ()


def segment_each_tile(row: Row, faces: FaceCosts) -> list[Segment]:
    """Each tile of a row as a segment of its own: a bonus tile, or a concealed one."""
    return [Segment("B" if faces.is_bonus(i) else "C", k, k + 1) for k, i in enumerate(row.tiles)]


def segment_row(row: Row, place: Place, faces: FaceCosts) -> dict[int, RowSegmentation]:
    """The cheapest segmentation of a row for each load."""
    return _RowSegmenter(row, place, faces).run()


def _keep_cheaper(states: dict[tuple[int, str], RowSegmentation], key: tuple[int, str], found: RowSegmentation) -> None:
    if key not in states or found.cost < states[key].cost:
        states[key] = found


class _RowSegmenter:
    """Dynamic programme along one row: cheapest segmentation up to each tile, by load and last role."""

    def __init__(self, row: Row, place: Place, faces: FaceCosts) -> None:
        self.row, self.place, self.faces = row, place, faces
        self.n = len(row.tiles)
        self.backs = [faces.is_back(i) for i in row.tiles]
        self.dora = self._indicators()
        off = 0.9 * max(0.0, place.near - 2.2)
        self.meld_off = off + (0 if place.quarter == 0 else 3.5)
        self.single_off = 0.8 * max(0.0, place.near - 1.7)
        bonus_turned = 0.0 if place.quarter == 0 or self.n == 1 else 0.6 if place.quarter == 2 and self.n == 2 else 1.5
        self.bonus_off = 0.3 * max(0.0, place.near - 3) + bonus_turned
        flowers = sum(faces.is_bonus(i) for i in row.tiles)
        self.bonus_line = not place.main and 2 * flowers > self.n > 1 and max(row.gaps) < GAP_WIDTHS
        line = 1.2 if place.stacked else 0.6
        self.row_off = 0.0 if place.main else line + off + 3 * (place.quarter != 0)
        beside = place.near < BESIDE_WIDTHS and place.quarter == 0 and not (place.pond or any(row.across))
        self.unexplained = LEFT_OUT_NATS * min(1.0, 2 / self.n) if beside else 0.0

    def _indicators(self) -> list[bool]:
        """For each tile, whether its face lies in a stretch of face-down tiles as an indicator does in a wall."""
        found = [False] * self.n
        for stretch in self.row.stretches():
            backs = self.backs[stretch.start : stretch.stop]
            down = sum(backs)
            if down < 2 or len(stretch) - down > max(2, down) or any(self.row.across[k] for k in stretch):
                continue
            if self._is_all_kongs(stretch):
                continue
            for at, k in enumerate(stretch):
                found[k] = self.faces.is_indicator(self.row.tiles[k]) and any(backs[max(0, at - 2) : at + 3])
        return found

    def _is_all_kongs(self, stretch: range) -> bool:
        """Whether the face-down tiles of a stretch all lie in kongs that show a face, which no wall goes on beside.

        Four tiles by themselves with the face inside may be a piece of a wall as well.
        """
        if len(stretch) == 4 and self.backs[stretch.start + 1] != self.backs[stretch.start + 2]:
            return False
        kongs = [k for k in stretch[:-3] if self._is_kong(k) and not self._is_in_wall(k, k + 4)]
        return all(any(k <= at < k + 4 for k in kongs) for at in stretch if self.backs[at])

    def _is_kong(self, start: int) -> bool:
        """Whether four tiles lie as a concealed kong: face-down but for one of them, in the middle, or at both ends."""
        places = range(start, start + 4)
        down = sum(self.backs[k] for k in places)
        if down != 3 and (down != 2 or self.backs[start + 1] != self.backs[start + 2]):
            return False
        faces = [self.row.tiles[k] for k in places if not self.backs[k]]
        return min(sum(self.faces.kinds[i][kind] for i in faces) for kind in range(KINDS)) < UNLIKELY_NATS

    def run(self) -> dict[int, RowSegmentation]:
        """The cheapest segmentation for each load."""
        sets, stacked = self.faces.shapes.sets, self.place.stacked
        table: list[dict[tuple[int, str], RowSegmentation]] = [{} for _ in range(self.n + 1)]
        table[0][0, ""] = RowSegmentation(0.0)
        for start, states in enumerate(table[:-1]):
            limit = min((found.cost for found in states.values()), default=0.0) + BEAM_NATS
            options = list(self._options(start))
            following: dict[Segment | None, list[tuple[Segment, float, int]]] = {}
            for (load, last), found in states.items():
                if found.cost > limit:
                    continue
                # The wood of a rack between two tiles may pass for a face-down one.
                without = found._replace(cost=found.cost + self.faces.nothing[self.row.tiles[start]])
                if self.backs[start] and without.cost <= limit:
                    _keep_cheaper(table[start + 1], (load, last), without)
                begun = any(segment.role == "C" for segment in found.segments)
                before = found.segments[-1] if found.segments else None
                if before not in following:
                    following[before] = [self._follow(before, *option) for option in options]
                for segment, more_cost, more in following[before]:
                    total = load + more
                    if segment.role == "C" and not (begun or stacked):
                        total += RUN
                    if exceeds_hand(total, sets):
                        continue
                    cost = found.cost + more_cost
                    if begun and segment.role == "C" and last not in ("C", "B"):
                        # A hand in two pieces with something else between; a kong in a line of sets is to be expected.
                        cost += 0.3 if found.segments[-1].is_kong else 3.0
                    whole = RowSegmentation(cost, (*found.segments, segment))
                    _keep_cheaper(table[segment.end], (total, segment.role), whole)
        best: dict[int, RowSegmentation] = {}
        for (load, _), found in table[self.n].items():
            if load not in best or found.cost < best[load].cost:
                best[load] = found
        return {
            load: RowSegmentation(found.cost - self._let_off(found.segments), found.segments)
            for load, found in best.items()
        }

    def _follow(self, last: Segment | None, option: Segment, cost: float, load: int) -> tuple[Segment, float, int]:
        """A segment that may begin where another ends, as it then is, with the cost of both meeting."""
        after_gap = last and (last.role == "S" or (last.role == "C" and self._gap(last, option) >= GAP_WIDTHS))
        if option.role == "C" and after_gap:
            option = option._replace(role="S")
        return option, cost + self._seam(last, option), load

    def _let_off(self, segments: tuple[Segment, ...]) -> float:
        """What is waived for a closed row of nothing but melds and bonus tiles: in such a row touching tells little."""
        if self.place.stacked or any(segment.role not in ("M", "B") for segment in segments):
            return 0.0
        return CLOSED_LINE_SHARE * sum(self._meld_seam(a, b) for a, b in pairwise(segments) if a.role == b.role == "M")

    def _options(self, start: int) -> Iterator[tuple[Segment, float, int]]:
        """The segments that may begin at a tile, with their costs and loads."""
        row, faces, place = self.row, self.faces, self.place
        i = row.tiles[start]
        yield Segment("O", start, start + 1), self._other(start), 0
        line = 0.0 if place.main or place.stacked else 0.15
        yield Segment("C", start, start + 1), faces.play[i] + (2.5 if row.across[start] else 0.0) + line, TILE
        apart = self.single_off + (0.4 if self.n > 1 else 0.0) + (0.0 if place.main or self.n == 1 else 1.0)
        yield Segment("W", start, start + 1), faces.play[i] - 0.3 + apart, TILE + WINNING
        if self.dora[start]:
            yield Segment("D", start, start + 1), 0.0, 0
        elif faces.bonus[i] < UNLIKELY_NATS or self.bonus_line:
            unlike = (
                0.0 if faces.is_bonus(i) else min(faces.bonus[i] + 1.0, AMONG_BONUS_NATS if self.bonus_line else 99)
            )
            yield Segment("B", start, start + 1), unlike + self.bonus_off, 0
        for end in range(start + 3, min(start + 4, self.n) + 1):
            cost = self._meld(start, end)
            if cost is not None:
                yield Segment("M", start, end), cost + self.meld_off, MELD

    def _other(self, start: int) -> float:
        i = self.row.tiles[start]
        if self.place.main:
            return 2.5
        if self.faces.is_bonus(i) or self.dora[start]:
            return 1.2
        return 0.0 if self.backs[start] else self.unexplained

    def _meld(self, start: int, end: int) -> float | None:
        """Cost of a meld of these tiles; None when they cannot be one."""
        row, size = self.row, end - start
        tiles = row.tiles[start:end]
        across = sum(row.across[start:end])
        stacked = [row.stacked[i] for i in tiles if i in row.stacked]
        if len(stacked) > 1 or (stacked and size == 4) or across > 1:
            return None
        backs = sum(self.backs[start:end])
        if backs and ((size == 3 and backs != 3) or across or self._is_in_wall(start, end)):
            return None
        cost = sum(2.0 * gap for gap in row.gaps[start + 1 : end] if gap > 0.35)
        if backs == size:
            return cost
        reading = self.faces.meld((*tiles, *stacked))
        if reading is None:
            return None
        if stacked:
            return cost + reading - 2.0
        return cost + reading + (-1.0 if backs else -1.2 if across else 0.35)

    def _is_in_wall(self, start: int, end: int) -> bool:
        """Whether a stretch with face-down tiles goes on with more of them, at once or after an indicator.

        Kongs that lie right beside these tiles are none of a wall.
        """
        first, last = (next(s for s in self.row.stretches() if k in s) for k in (start, end - 1))
        while start - 4 >= first.start and self._is_kong(start - 4):
            start -= 4
        while end + 4 <= last.stop and self._is_kong(end):
            end += 4
        before, after = self.backs[max(first.start, start - 2) : start], self.backs[end : min(last.stop, end + 2)]
        return any(before) or any(after)

    def _gap(self, a: Segment, b: Segment) -> float:
        return self.row.gap(a.end - 1, b.start)

    def _meld_seam(self, a: Segment, b: Segment) -> float:
        """Cost of two melds side by side: people leave a gap between them, or something marks where one ends."""
        marked = any(self.row.across[a.start : b.end]) or any(self.backs[a.start : b.end])
        kong = a.is_kong or b.is_kong
        return max(0.0, 1 - self._gap(a, b) / GAP_WIDTHS) * (0.2 if marked else 0.9 if kong else 2.0)

    def _seam(self, last: Segment | None, segment: Segment) -> float:
        """Cost of one segment following another, if any, by the gap between them."""
        cost = self.row_off if segment.role == "C" else 0.0
        if last is None:
            return cost
        gap = self._gap(last, segment)
        if segment.role == "S" or last.role == segment.role == "C":
            if gap < GAP_WIDTHS:
                return 0.0
            return (1.6 if last.role == "C" else 0.15) + 2.0 * max(0.0, gap - 0.5)
        if last.role == segment.role == "M":
            return cost + self._meld_seam(last, segment)
        both = {"C" if last.role == "S" else last.role, segment.role}
        if both == {"C", "M"}:
            touching = 0.5 if last.is_kong or segment.is_kong else 3.0
            return cost + (touching if gap < GAP_WIDTHS else min(touching, max(0.0, 3.6 * (1.0 - gap))))
        if "W" in both:
            single = segment if segment.role == "W" else last
            if gap >= 0.35 or self.row.across[single.start]:
                return cost
            return cost + (4.0 if both == {"C", "W"} else 0.3 if "B" in both else 2.0)
        if "O" in both and both & {"C", "M"}:
            return cost + (1.5 if self.place.main else 1.0) + (1.5 if gap < GAP_WIDTHS else 0.0)
        return cost + (1.5 if both == {"B", "O"} and gap < GAP_WIDTHS else 0.0)
