"""One row of tiles cut into concealed tiles, melds, a winning tile, bonus tiles and the rest: every cut with its price.

Prices are in nats, like those of the faces: what a gap, a turn or a face makes likelier is cheaper. A row yields the
cheapest cut for each number of concealed tiles and melds; which of them is right is decided for the whole hand.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from scoring.tiles import KINDS
from vision.layout.cuts import (
    MELD,
    MELDS,
    RUN,
    TILE,
    WINNING,
    WINNINGS,
    Cut,
    Faces,
    Link,
    Part,
    Place,
    most_tiles,
)  # fmt: skip
from vision.layout.melds import UNLIKELY
from vision.layout.rows import Row

AIR: Final = 0.28
"""Narrowest gap that people leave on purpose, tile widths."""
BEAM: Final = 7.0
"""Cuts this many nats dearer than the cheapest are dropped."""
CLOSED_LINE: Final = 0.75
"""Share of the price of touching melds that is waived for a row of nothing but melds and bonus tiles."""
BESIDE: Final = 1.9
"""Tiles that face as the hand does belong to it as a rule if the gap to it is at most this, tile widths."""
LEFT_OUT: Final = 1.2
"""Price of leaving one of them out; a row of more than two costs no more than two."""
AMONG_BONUS: Final = 1.5
"""Price of another face in a closed line of mostly bonus tiles: it is a bonus tile that cannot be read."""


def cuts(row: Row, place: Place, faces: Faces) -> dict[int, Cut]:
    """The cheapest cut of a row for each load's number (see :func:`load_of`)."""
    cutter = _Cutter(row, place, faces)
    return cutter.run()


_State = tuple[float, "Link | None", bool]
"""Price so far, the parts as a linked list, whether concealed tiles have begun."""


class _Cutter:
    """Dynamic programme along one row: cheapest cut up to each tile, by load and last role."""

    def __init__(self, row: Row, place: Place, faces: Faces) -> None:
        self.row, self.place, self.faces = row, place, faces
        self.n = len(row.tiles)
        backs = [faces.is_back(i) for i in row.tiles]
        self.backs = backs
        self.dora = self._indicators()
        off = 0.9 * max(0.0, place.near - 2.2)
        self.meld_off = off + (0 if place.quarter == 0 else 3.5)
        self.single_off = 0.8 * max(0.0, place.near - 1.7)
        bonus_turned = 0.0 if place.quarter == 0 or self.n == 1 else 0.6 if place.quarter == 2 and self.n == 2 else 1.5
        self.bonus_off = 0.3 * max(0.0, place.near - 3) + bonus_turned
        flowers = sum(faces.is_bonus(i) for i in row.tiles)
        self.bonus_line = not place.main and 2 * flowers > self.n > 1 and max(row.gaps) < AIR
        line = 1.2 if place.stacked else 0.6
        self.row_off = 0.0 if place.main else line + off + 3 * (place.quarter != 0)
        beside = place.near < BESIDE and place.quarter == 0 and not (place.pond or any(row.across))
        self.unexplained = LEFT_OUT * min(1.0, 2 / self.n) if beside else 0.0

    def _indicators(self) -> list[bool]:
        """For each tile, whether its face lies in a stretch of face-down tiles as an indicator does in a wall."""
        found = [False] * self.n
        start = 0
        for end in range(1, self.n + 1):
            if end < self.n and self.row.gaps[end] < AIR:
                continue
            stretch, start = range(start, end), end
            down = sum(self.backs[k] for k in stretch)
            if down < 2 or len(stretch) - down > max(2, down) or any(self.row.across[k] for k in stretch):
                continue
            inner = sum(self.backs[k] for k in stretch[1:3])
            if len(stretch) == 4 and inner != 1 and self._is_kong(stretch):
                continue
            for k in stretch:
                near = (j for j in (k - 2, k - 1, k + 1, k + 2) if j in stretch)
                found[k] = self.faces.is_indicator(self.row.tiles[k]) and any(self.backs[j] for j in near)
        return found

    def _is_kong(self, stretch: range) -> bool:
        """Whether the tiles that show a face show the same one."""
        faces = [self.row.tiles[k] for k in stretch if not self.backs[k]]
        return min(sum(self.faces.kinds[i][kind] for i in faces) for kind in range(KINDS)) < UNLIKELY

    def run(self) -> dict[int, Cut]:
        """The cheapest cut for each load."""
        gaps, stacked = self.row.gaps, self.place.stacked
        tiles, melds = most_tiles(self.faces.sets), self.faces.sets * MELD
        table: list[dict[tuple[int, str], _State]] = [{} for _ in range(self.n + 1)]
        table[0][0, ""] = (0.0, None, False)
        for start in range(self.n):
            states = table[start]
            if not states:
                continue
            limit = min(state[0] for state in states.values()) + BEAM
            options = self._options(start)
            for (load, last), (paid, link, begun) in states.items():
                if paid > limit:
                    continue
                for first_role, end, price, more in options:
                    role, total = first_role, load + more
                    if role == "C":
                        if last in ("C", "S"):
                            role = "S" if last == "S" or gaps[start] >= AIR else "C"
                        elif not begun and not stacked:
                            total += RUN
                    if total & 31 > tiles or total & MELDS > melds or total & WINNINGS > WINNING:
                        continue
                    cost = paid + price + (self._seam(link, role, start, end) if link else self._begin(role))
                    if begun and role == "C" and last not in ("C", "B"):
                        # A hand in two pieces with something else between; a kong in a line of sets is no surprise.
                        cost += 0.3 if last == "M" and link is not None and link[3] - link[2] == 4 else 3.0
                    known = table[end].get((total, role))
                    if known is None or cost < known[0]:
                        table[end][total, role] = (cost, (link, role, start, end), begun or role == "C")
        best: dict[int, _State] = {}
        for (load, _), state in table[self.n].items():
            if load not in best or state[0] < best[load][0]:
                best[load] = state
        return {load: Cut(state[0] - self._let_off(load, state[1]), state[1]) for load, state in best.items()}

    def _let_off(self, load: int, link: Link | None) -> float:
        """What is waived for a closed row of nothing but melds and bonus tiles: in such a row touching tells little."""
        if self.place.stacked or load & ~MELDS or load <= MELD:
            return 0.0
        parts = Cut(0.0, link).parts
        if any(part.role not in ("M", "B") for part in parts):
            return 0.0
        return CLOSED_LINE * sum(self._meld_seam(a, b) for a, b in pairwise(parts) if a.role == b.role == "M")

    def _options(self, start: int) -> list[tuple[str, int, float, int]]:
        """The parts that may begin at a tile: role, end, price, load."""
        row, faces, place = self.row, self.faces, self.place
        i = row.tiles[start]
        found = [("O", start + 1, self._other(start), 0)]
        line = 0.0 if place.main or place.stacked else 0.15
        found.append(("C", start + 1, faces.play[i] + (2.5 if row.across[start] else 0.0) + line, TILE))
        apart = self.single_off + (0.4 if self.n > 1 else 0.0) + (0.0 if place.main or self.n == 1 else 1.0)
        found.append(("W", start + 1, faces.play[i] - 0.3 + apart, TILE + WINNING))
        if faces.bonus[i] < UNLIKELY or self.bonus_line:
            unlike = 0.0 if faces.is_bonus(i) else min(faces.bonus[i] + 1.0, AMONG_BONUS if self.bonus_line else 99)
            found.append(("B", start + 1, unlike + self.bonus_off, 0))
        if self.dora[start]:
            found.append(("D", start + 1, 0.0, 0))
        for length in (3, 4):
            price = self._meld(start, length) if start + length <= self.n else None
            if price is not None:
                found.append(("M", start + length, price + self.meld_off, MELD))
        return found

    def _other(self, start: int) -> float:
        i = self.row.tiles[start]
        if self.place.main:
            return 2.5
        if self.faces.is_bonus(i) or self.dora[start]:
            return 1.2
        return 0.0 if self.backs[start] else self.unexplained

    def _meld(self, start: int, length: int) -> float | None:
        """Price of a meld of the ``length`` tiles from ``start`` on; None when they cannot be one."""
        row = self.row
        tiles = row.tiles[start : start + length]
        across = sum(row.across[start : start + length])
        stacked = [row.stacked[i] for i in tiles if i in row.stacked]
        if len(stacked) > 1 or (stacked and length == 4) or across > 1:
            return None
        backs = sum(self.backs[start : start + length])
        if backs and ((length == 3 and backs != 3) or across):
            return None
        if backs and self._is_in_wall(start, length):
            return None
        price = sum(2.0 * row.gaps[k] for k in range(start + 1, start + length) if row.gaps[k] > 0.35)
        if backs == length:
            return price
        reading = self.faces.meld((*tiles, *stacked))
        if reading is None:
            return None
        if stacked:
            return price + reading - 2.0
        if backs == 3 and not (self.backs[start + 1] and self.backs[start + 2]):
            return None  # a face among the backs of a wall
        return price + reading + (-1.0 if backs else -1.2 if across else 0.35)

    def _is_in_wall(self, start: int, length: int) -> bool:
        """Whether a stretch with face-down tiles goes on with more of them, at once or after an indicator."""
        for inside, step in ((start, -1), (start + length - 1, 1)):
            at = inside
            for _ in range(2):
                if not 0 <= at + step < self.n or self.row.gaps[max(at, at + step)] >= AIR:
                    break
                at += step
                if self.backs[at]:
                    return True
        return False

    def _meld_seam(self, a: Part, b: Part) -> float:
        """Price of two melds side by side: people leave a gap between them, or something marks where one ends."""
        marked = any(self.row.across[a.start : b.end]) or any(self.backs[a.start : b.end])
        kong = b.end - a.start > 6
        return max(0.0, 1 - self.row.gaps[b.start] / AIR) * (0.2 if marked else 0.9 if kong else 2.0)

    def _begin(self, role: str) -> float:
        return self.row_off if role == "C" else 0.0

    def _seam(self, link: Link, role: str, start: int, end: int) -> float:
        """Price of one part following another, by the gap between them."""
        row, gap = self.row, self.row.gaps[start]
        last = link[1]
        if role == "S" or last == role == "C":
            if gap < AIR:
                return 0.0
            return (1.6 if last == "C" else 0.15) + 2.0 * max(0.0, gap - 0.5)
        last = "C" if last == "S" else last
        both = {last, role}
        price = self.row_off if role == "C" else 0.0
        if both == {"C", "M"}:
            kong = (end - start if role == "M" else start - link[2]) == 4
            touching = 0.5 if kong else 3.0
            return price + (touching if gap < AIR else min(touching, max(0.0, 3.6 * (1.0 - gap))))
        if last == role == "M":
            return price + self._meld_seam(Part("M", link[2], start), Part("M", start, end))
        if "W" in both:
            apart = gap >= 0.35 or row.across[start if role == "W" else start - 1]
            return price if apart else price + (4.0 if both == {"C", "W"} else 0.3 if "B" in both else 2.0)
        if "O" in both and both & {"C", "M"}:
            return price + (1.5 if self.place.main else 1.0) + (1.5 if gap < AIR else 0.0)
        return price + (1.5 if both == {"B", "O"} and gap < AIR else 0.0)
