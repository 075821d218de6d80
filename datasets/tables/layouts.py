"""Hands laid on a table as people do: where every tile lies, which way it is turned, and its role in the hand.

Units are tile widths; x to the player's right, y towards the player, the hand's row at y = 0 (its foot). Angles are
degrees clockwise as the player sees the table, 0 upright to the player.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from datasets.tables.hands import DealtHand, DealtMeld
from scoring.tiles import PLAIN, TILES, Tile

BACK: Final = TILES[-1]
WINNING_PLACES: Final = ("right", "left", "across_end", "across_top", "above", "below", "in_row")
HAND_STYLES: Final = ("row", "arc", "ragged", "two_rows", "sorted", "rack", "block")
"""``sorted``: one line with the sets apart; ``block``: one set a line, the lines close together."""
MELD_PLACES: Final = ("right", "left", "front", "front_rows", "right_rows", "front_line", "near_line")
"""``front_line``, ``near_line``: all melds in one closed line beyond the hand or nearer than it, none across."""
BONUS_PLACES: Final = ("front_right", "front_left", "line_left", "line_right", "front_corner", "meld_line")
"""``meld_line``: at the left end of a closed line of melds; without one, in front to the left."""


@dataclass(frozen=True, slots=True)
class PlacedTile:
    """A tile on the table; ``x, y`` its centre; ``standing``: on its edge, facing the player."""

    tile: Tile
    x: float
    y: float
    angle: float
    role: str
    group: int
    standing: bool = False


@dataclass(frozen=True, slots=True)
class Style:
    """How a hand is laid out; see the module's constants. ``turned``: claimed tiles lie across."""

    hand: str = "row"
    winning: str = "right"
    melds: str = "right"
    bonus: str = "front_right"
    turned: bool = True
    wall: bool = False
    clutter: int = 0


@dataclass(slots=True)
class TableBuilder:
    """A laid table under construction.

    Attributes:
        aspect: height of a tile over its width.
        depth: its thickness, in widths.
    """

    rng: np.random.Generator
    aspect: float
    depth: float
    placed: list[PlacedTile] = field(default_factory=list)

    def put(self, tile: Tile, x: float, y: float, angle: float, role: str, group: int, standing: bool = False) -> None:
        """Lay one tile with the small disorder of real hands."""
        r = self.rng
        x, y = x + r.normal(0, 0.012), y + r.normal(0, 0.02)
        angle = angle + r.normal(0, 1.0) + (180 if r.random() < 0.02 else 0)
        self.placed.append(PlacedTile(tile, x, y, angle, role, group, standing))

    def gap(self) -> float:
        """The small gap between two tiles that touch."""
        return float(abs(self.rng.normal(0, 0.025)))

    def line(
        self, tiles: list[tuple[Tile, bool]], x: float, foot: float, role: str, group: int, standing: bool = False
    ) -> float:
        """Tiles side by side from ``x`` on, standing on the line y = ``foot``; returns where they end."""
        for t, across in tiles:
            wide, high = (self.aspect, 1.0) if across else (1.0, self.aspect)
            angle = float(self.rng.choice([90, -90])) if across else 0.0
            self.put(t, x + wide / 2, foot if standing else foot - high / 2, angle, role, group, standing)
            x += wide + self.gap()
        return x


def empty_table(rng: np.random.Generator, depth: float | None = None) -> TableBuilder:
    """A table for tiles of a random size, and of this depth if one is given."""
    aspect = float(rng.uniform(1.27, 1.42))
    return TableBuilder(rng, aspect, float(rng.uniform(0.6, 0.85)) if depth is None else depth)


def random_style(rng: np.random.Generator, dealt: DealtHand) -> Style:
    """A random layout that suits the hand: one of :func:`random_open_style`, or one of the closed ones."""
    how = random_open_style(rng, dealt)
    if rng.random() < 0.7:
        return how
    if not dealt.melds:
        whole = dealt.winning is not None and set_lines([*dealt.concealed, dealt.winning]) is not None
        return replace(how, hand="block", winning="in_row") if whole else how
    melds = str(rng.choice(["front_line", "near_line"], p=[0.75, 0.25]))
    hand = how.hand if how.hand != "rack" else "row"
    winning = how.winning if how.winning in ("left", "right", "across_end", "in_row") else "in_row"
    bonus = "meld_line" if rng.random() < 0.6 else how.bonus
    return replace(how, hand=hand, winning=winning, melds=melds, bonus=bonus, turned=False)


def random_open_style(rng: np.random.Generator, dealt: DealtHand) -> Style:
    """A random layout that suits the hand, as people lay hands with gaps between the melds."""
    hand = str(rng.choice(HAND_STYLES[:6], p=[0.4, 0.12, 0.12, 0.1, 0.1, 0.16]))
    if hand == "sorted" and dealt.melds:
        hand = "row"
    places = [p for p in WINNING_PLACES if hand != "rack" or p in ("right", "left", "in_row")]
    places = [p for p in places if hand != "two_rows" or p in ("right", "above", "below", "in_row")]
    return Style(
        hand,
        str(rng.choice(places)),
        str(rng.choice(MELD_PLACES[:5])),
        str(rng.choice(BONUS_PLACES[:5])),
        dealt.rules == "riichi" or bool(rng.random() < 0.4),
        bool(dealt.dora) or bool(rng.random() < 0.2),
        int(rng.choice([0, 0, 1, 2, 3])),
    )


def lay_hand(
    rng: np.random.Generator, dealt: DealtHand, how: Style, size: tuple[float, float] | None = None
) -> list[PlacedTile]:
    """Lay out the hand, its wall and its clutter.

    Args:
        size: height and depth of a tile in tile widths; random if None.
    """
    table = empty_table(rng)
    if size:
        table.aspect, table.depth = size
    end, start = _lay_row(table, dealt, how)
    left, right = _lay_melds(table, dealt, how, start, end)
    _lay_bonus(table, dealt, how, left, right)
    if how.wall:
        _lay_wall(table, dealt)
    _lay_clutter(table, how, dealt)
    return table.placed


def lay_no_hand(rng: np.random.Generator) -> list[PlacedTile]:
    """Tiles among which no hand lies: a tray or wall of faces in closed lines, or a pond of discards."""
    table = empty_table(rng, 0.7)
    faces = [t for t in PLAIN[:34] for _ in range(4)]
    faces = [faces[i] for i in rng.permutation(len(faces))]
    pond = rng.random() < 0.4
    lines, width = (int(rng.integers(3, 5)), 6) if pond else (int(rng.integers(3, 6)), int(rng.integers(6, 11)))
    last = int(rng.integers(1, width + 1)) if pond else width
    foot = 0.0
    for n in range(lines):
        count = last if n == lines - 1 else width
        table.line([(faces.pop(), False) for _ in range(count)], 0.0, foot, "other", 40)
        foot += table.aspect + float(rng.uniform(0.0, 0.08))
    return table.placed


def _lay_row(table: TableBuilder, dealt: DealtHand, how: Style) -> tuple[float, float]:
    """The concealed row and the winning tile; returns the right and left ends of both."""
    rng = table.rng
    tiles = list(dealt.concealed)
    if how.winning == "in_row" and dealt.winning is not None:
        tiles = sorted([*tiles, dealt.winning], key=lambda t: (t.kind, t.code))
    first = len(table.placed)
    tiles, breaks = _in_sets(tiles) if how.hand == "sorted" else (tiles, set())
    rows = [tiles]
    if how.hand == "two_rows" and len(tiles) >= 8:
        cut = (len(tiles) + 1) // 2
        rows = [tiles[:cut], tiles[cut:]]
    elif how.hand == "block":
        rows = set_lines(tiles) or [tiles]
    foot, end = 0.0, 0.0
    for at, row in enumerate(reversed(rows)):
        foot -= (table.aspect + abs(rng.normal(0.05, 0.03))) * (at > 0)
        x = 0.0
        for n, t in enumerate(row):
            if how.hand == "sorted" and n in breaks:
                x += rng.uniform(0.2, 0.9)
            x = table.line([(t, False)], x, foot, "concealed", 0, how.hand == "rack")
        end = max(end, x)
    _disarrange(table, first, how.hand, end)
    if dealt.winning is None or how.winning == "in_row":
        return end, 0.0
    return _lay_winning_tile(table, dealt.winning, how, end, foot)


def set_lines(tiles: list[Tile]) -> list[list[Tile]] | None:
    """A winning hand's sets and its pair, or its seven pairs, one a line; None where the tiles are neither."""
    for pair in {t.kind for t in tiles}:
        groups = _sets_beside(sorted(tiles, key=lambda t: t.kind), pair)
        if groups is not None:
            return groups
    kinds = [t.kind for t in sorted(tiles, key=lambda t: t.kind)]
    if len(tiles) == 14 and kinds[::2] == kinds[1::2]:
        ordered = sorted(tiles, key=lambda t: t.kind)
        return [ordered[n : n + 2] for n in range(0, 14, 2)]
    return None


def _sets_beside(tiles: list[Tile], pair: int | None) -> list[list[Tile]] | None:
    """Sets that use up sorted tiles, beside a pair of this kind if one is named."""
    if not tiles:
        return [] if pair is None else None
    first = tiles[0].kind
    wanted = [[first] * 3]
    if first < 27 and first % 9 < 7:
        wanted.append([first, first + 1, first + 2])
    if pair == first:
        wanted.append([first] * 2)
    for kinds in wanted:
        group, rest = _split_off(tiles, kinds)
        if len(group) == len(kinds):
            more = _sets_beside(rest, None if len(kinds) == 2 else pair)
            if more is not None:
                return [group, *more]
    return None


def _split_off(tiles: list[Tile], kinds: list[int]) -> tuple[list[Tile], list[Tile]]:
    """A tile of each kind, as far as there is one, and the tiles that are left."""
    group, rest = [], list(tiles)
    for kind in kinds:
        match = next((t for t in rest if t.kind == kind), None)
        if match is not None:
            rest.remove(match)
            group.append(match)
    return group, rest


def _in_sets(tiles: list[Tile]) -> tuple[list[Tile], set[int]]:
    """Tiles ordered as sets, pairs and what is left; and where each group begins."""
    left: list[Tile] = list(tiles)
    groups: list[list[Tile]] = []
    for size, step in ((3, 1), (3, 0), (2, 0), (2, 1), (2, 2)):
        for t in list(left):
            want = [t.kind + step * n for n in range(size)]
            if step and (t.kind >= 27 or want[0] // 9 != want[-1] // 9):
                continue
            group, rest = _split_off(left, want)
            if len(group) == size:
                left, groups = rest, [*groups, group]
    groups += [left] if left else []
    ordered = [t for group in groups for t in group]
    return ordered, {sum(map(len, groups[:n])) for n in range(1, len(groups))}


def _disarrange(table: TableBuilder, first: int, hand: str, end: float) -> None:
    """Bend or ruffle the tiles from ``first`` on."""
    rng, placed = table.rng, table.placed
    radius = float(rng.choice([-1, 1]) * rng.uniform(9, 25))
    for i in range(first, len(placed)):
        p = placed[i]
        if hand == "arc":
            turn = (p.x - end / 2) / radius
            away = radius - p.y - table.aspect / 2
            x, y = end / 2 + away * np.sin(turn), radius - away * np.cos(turn) - table.aspect / 2
            placed[i] = replace(p, x=x, y=y, angle=p.angle + np.degrees(turn))
        elif hand == "ragged":
            placed[i] = replace(p, y=p.y + rng.normal(0, 0.13), angle=p.angle + rng.normal(0, 2.5))


def _lay_winning_tile(table: TableBuilder, t: Tile, how: Style, end: float, top: float) -> tuple[float, float]:
    rng, high = table.rng, table.aspect
    rack = how.hand == "rack"
    anywhere = float(rng.uniform(1, max(1.5, end - 1)))
    apart = float(rng.uniform(0.5, 1.8))
    if how.winning == "right":
        table.line([(t, False)], end + apart, 0.0, "winning", 9, rack)
        return end + apart + 1, 0.0
    if how.winning == "left":
        table.line([(t, False)], -1 - apart, 0.0, "winning", 9, rack)
        return end, -1 - apart
    if how.winning == "across_end":
        return table.line([(t, True)], end + float(rng.uniform(0, 0.8)), 0.0, "winning", 9), 0.0
    if how.winning == "across_top":
        table.put(t, end - high / 2 - rng.uniform(-0.3, 0.5), top - high - 0.52 - rng.uniform(0, 0.2), 90, "winning", 9)
    elif how.winning == "above":
        table.put(t, anywhere, top - 1.5 * high - rng.uniform(0.25, 1.2), 0, "winning", 9)
    else:
        table.put(t, anywhere, high / 2 + rng.uniform(0.25, 1.0), 0, "winning", 9)
    return end, 0.0


def _meld_pattern(table: TableBuilder, meld: DealtMeld, turned: bool) -> tuple[list[tuple[Tile, bool]], int | None]:
    """A meld's tiles in order with those that lie across, and where a fourth tile is stacked."""
    rng, tiles = table.rng, list(meld.tiles)
    if meld.type == "kong_concealed":
        down = ((0, 3), (1, 2), (1, 2, 3), (0, 1, 2), (0, 1, 2, 3))[int(rng.choice(5, p=[0.55, 0.2, 0.08, 0.07, 0.1]))]
        return [(BACK if i in down else t, False) for i, t in enumerate(tiles)], None
    if not turned or meld.relation is None:
        return [(t, False) for t in tiles], None
    if meld.type == "chow":
        first = int(rng.integers(3))
        tiles = [tiles[first], *tiles[:first], *tiles[first + 1 :]]
    stacked = meld.type == "kong_added"
    count = 3 if stacked else len(tiles)
    at = {"left": 0, "opposite": 1, "right": count - 1}[meld.relation]
    return [(t, i == at) for i, t in enumerate(tiles[:count])], at if stacked else None


def _lay_melds(table: TableBuilder, dealt: DealtHand, how: Style, start: float, end: float) -> tuple[float, float]:
    """The declared sets; returns the left and right ends of everything so far."""
    if not dealt.melds:
        return start, end
    rng = table.rng
    patterns = [_meld_pattern(table, meld, how.turned) for meld in dealt.melds]
    widths = [sum(table.aspect if across else 1.0 for _, across in p) + 0.1 for p, _ in patterns]
    between = [float(rng.uniform(0.15, 0.8)) for _ in patterns]
    closed = how.melds in ("front_line", "near_line")
    touching = how.turned and not closed and rng.random() < 0.3
    if touching or closed:
        between = [table.gap() for _ in patterns]
    apart = float(rng.uniform(0.7, 2.2))
    whole = sum(widths) + sum(between)
    x, foot = end + apart, 0.0
    if how.melds == "left":
        x = start - apart - whole
    elif how.melds in ("front", "front_rows"):
        x = float(rng.uniform(0, max(0.5, end - whole)))
        foot = -table.aspect - float(rng.uniform(0.4, 1.4)) - (1.8 if how.winning in ("above", "across_top") else 0)
        foot -= table.aspect if how.hand in ("two_rows", "arc") else 0
    elif closed:
        x = float(rng.uniform(-2, max(0.5, end - whole + 2)))
        top, low = (f([p.y for p in table.placed if p.role == "concealed"]) for f in (min, max))
        air = float(rng.uniform(0.4, 1.2))
        foot = top - table.aspect / 2 - air if how.melds == "front_line" else low + 1.5 * table.aspect + air
    begin, furthest = x, x
    for n, ((pattern, stacked), gap) in enumerate(zip(patterns, between, strict=True)):
        done = table.line(pattern, x, foot, "meld", n + 1)
        if stacked is not None:
            t, _ = pattern[stacked]
            under = table.placed[len(table.placed) - len(pattern) + stacked]
            table.put(t, under.x, under.y - 1.0 - table.gap(), 90, "meld", n + 1)
        furthest = max(furthest, done)
        x = done + gap
        if how.melds in ("front_rows", "right_rows") and n % 2 == 1:
            x, foot = begin, foot - table.aspect - float(rng.uniform(0.15, 0.5)) - (1 if stacked is not None else 0)
    return min(start, begin), max(end, furthest)


def _lay_bonus(table: TableBuilder, dealt: DealtHand, how: Style, left: float, right: float) -> None:
    if not dealt.bonus:
        return
    rng, tiles = table.rng, [(t, False) for t in dealt.bonus]
    gap, n = float(rng.uniform(0.15, 1.0)), len(dealt.bonus)
    highest = min(p.y for p in table.placed) - table.aspect
    line = [p for p in table.placed if p.role == "meld"] if how.melds in ("front_line", "near_line") else []
    if how.bonus == "meld_line" and line:
        first = min(line, key=lambda p: p.x)
        x, foot = first.x - 0.5 - n - n * 0.03, first.y + table.aspect / 2
    elif how.bonus == "line_left":
        x, foot = left - gap - n * 1.04, 0.0
    elif how.bonus == "line_right":
        x, foot = right + gap, 0.0
    else:
        foot = highest - float(rng.uniform(0.0, 0.8))
        x = {"front_right": right - n, "front_corner": right + gap - n / 2}.get(how.bonus, left)
    table.line(tiles, x, foot, "bonus", 20)


def _lay_wall(table: TableBuilder, dealt: DealtHand) -> None:
    """A stretch of the wall in front, with the indicators face-up."""
    rng = table.rng
    n = int(rng.integers(6, 12))
    foot = min(p.y for p in table.placed) - table.aspect - float(rng.uniform(1.0, 2.5))
    tiles = [BACK] * n
    at = int(rng.integers(1, 3))
    tiles[at : at + len(dealt.dora)] = dealt.dora
    x = float(rng.uniform(0, 4))
    for t in tiles:
        x = table.line([(t, False)], x, foot, "other" if t is BACK else "dora", 30)


def _lay_clutter(table: TableBuilder, how: Style, dealt: DealtHand) -> None:
    """Discards and melds of all the players, further off."""
    rng = table.rng
    used = [p.tile for p in table.placed]
    pool = [t for t in PLAIN[:34] for _ in range(4 - min(4, used.count(t)))]
    pool = [pool[i] for i in rng.permutation(len(pool))]
    far = min(p.y for p in table.placed) - table.aspect - 1.2
    middle = float(rng.uniform(3, 10))
    for n in range(how.clutter):
        angle = (0, 180, 90, 270)[n] if rng.random() < 0.7 else int(rng.integers(4)) * 90
        count = int(rng.integers(5, 19))
        cx, cy = middle + {90: 6.0, 270: -6.0}.get(angle, 0.0), far - {180: 9.5}.get(angle, 4.0)
        if any(abs(cx - a) + abs(cy - b) < 5 for a, b in table_spots(table)):
            continue
        spots = [(i % 6 - 2.5, (i // 6 - 1) * (table.aspect + 0.05)) for i in range(count)]
        turn = np.radians(angle)
        for dx, dy in spots:
            x, y = cx + dx * np.cos(turn) - dy * np.sin(turn), cy + dx * np.sin(turn) + dy * np.cos(turn)
            table.put(pool.pop(), float(x), float(y), angle, "other", 40 + n)


def table_spots(table: TableBuilder) -> list[tuple[float, float]]:
    """The centres of the clutter groups laid so far."""
    groups: dict[int, list[tuple[float, float]]] = {}
    for p in table.placed:
        if p.group >= 40:
            groups.setdefault(p.group, []).append((p.x, p.y))
    return [tuple(np.mean(points, axis=0)) for points in groups.values()]
