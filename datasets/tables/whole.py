"""Whole tables: a player's hand among walls, ponds and the hands of the others, or a table on which no hand lies.

Coordinates and angles are those of :mod:`datasets.tables.layouts`. Beside the roles of a hand (concealed, meld,
winning, bonus, dora) a tile may be ``pond``, ``wall``, ``theirs`` (another player's hand or melds) or ``elsewhere`` (in
a heap, a tray, a decoration).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from datasets.tables.hands import RULES, DealtHand, deal
from datasets.tables.layouts import BACK, PlacedTile, TableBuilder, empty_table, lay_hand, random_style
from datasets.tables.views import View, photograph
from scoring.rules import system_named
from scoring.tiles import PLAIN, Tile, tile

ANGLES: Final = (0, 270, 180, 90)
"""The angle at which the tiles of the player, and of those to the right, opposite and to the left, lie, degrees."""
STRAYS: Final = 0.3
"""Share of tables with a hand on which a tile lies by itself."""
HAND_SIZES: Final = (13, 14)
SPACING_WIDTHS: Final = 0.95
"""Tiles whose centres are nearer than this would overlap, tile widths."""
PLAIN_FACES: Final = 42
"""Faces of a set with flowers and seasons."""
HAND_ROLES: Final = ("concealed", "meld", "winning", "bonus")


@dataclass(frozen=True, slots=True)
class SimulatedTable:
    """A table without pixels, and the truth about it.

    Attributes:
        kind: one of :data:`KINDS`.
        rules: one of :data:`datasets.tables.hands.RULES`.
        dealt: the near player's hand; None where none lies open.
        seen: the photo of it; ``seen.placed`` holds the roles.
    """

    kind: str
    rules: str
    dealt: DealtHand | None
    seen: View


class Others:
    """Lays everything but the hand: the tiles of a centre and of four players around it."""

    def __init__(self, table: TableBuilder, centre: tuple[float, float], hand: Sequence[PlacedTile] = ()) -> None:
        """Take the table; ``hand``: the tiles that lie there already, which no others may overlap."""
        self.table, self.centre, self.hand = table, centre, hand
        used = [p.tile for p in hand]
        pool = [t for t in PLAIN[:34] for _ in range(4 - min(4, sum(u.kind == t.kind for u in used)))]
        self.pool = [pool[i] for i in table.rng.permutation(len(pool))]

    def face(self) -> Tile:
        """The next tile of those left."""
        return self.pool.pop() if self.pool else PLAIN[int(self.table.rng.integers(34))]

    def put(self, t: Tile, player: int, u: float, v: float, role: str, group: int, turn: int = 0) -> None:
        """Put a tile ``u`` to the player's right and ``v`` from the centre towards the player."""
        angle = ANGLES[player]
        cos, sin = np.cos(np.radians(angle)), np.sin(np.radians(angle))
        x, y = float(self.centre[0] + u * cos - v * sin), float(self.centre[1] + u * sin + v * cos)
        if all(np.hypot(p.x - x, p.y - y) > SPACING_WIDTHS for p in self.hand):
            self.table.put(t, x, y, angle + turn, role, group)

    def pond(self, player: int, count: int, start: float) -> None:
        """Discards in lines of six, one of them across at times."""
        rng = self.table.rng
        across = int(rng.integers(count)) if rng.random() < 0.3 else -1
        loose = float(rng.choice([0.0, 0.05, 0.2]))
        for n in range(count):
            u = n % 6 - 2.5 + rng.normal(0, loose)
            v = start + n // 6 * (self.table.aspect + 0.05) + rng.normal(0, loose)
            u += 0.17 if n == across else 0.34 if 0 <= across < n and n // 6 == across // 6 else 0
            self.put(self.face(), player, u, v, "pond", 50 + player, 90 if n == across else 0)

    def wall(self, player: int, start: float, shown: tuple[Tile, ...] = ()) -> None:
        """A wall, whole or broken, with the indicators turned up in it."""
        rng = self.table.rng
        length = int(rng.integers(17, 20))
        first, last = (0, length) if rng.random() < 0.5 else sorted(rng.integers(0, length + 1, 2))
        if shown:
            first, last = min(first, 2), max(last, 6 + len(shown))
        at = int(rng.integers(first + 1, max(first + 2, last - len(shown))))
        for n in range(first, last):
            indicator = shown[n - at] if at <= n < at + len(shown) else None
            role = "dora" if indicator else "wall"
            self.put(indicator or BACK, player, n - length / 2 + rng.normal(0, 0.01), start, role, 30)

    def open_hand(self, player: int, start: float, count: int) -> None:
        """Another player's tiles laid open after a win, sorted as people sort them."""
        tiles = sorted((self.face() for _ in range(count)), key=lambda t: (t.kind, t.code))
        for n, t in enumerate(tiles):
            self.put(t, player, n - count / 2 + 0.01 * n, start, "theirs", 60 + player)

    def closed_hand(self, start: float) -> None:
        """The opposite player's tiles, standing with their backs to the camera."""
        rng, count = self.table.rng, int(self.table.rng.choice([13, 10, 7, 4]))
        x, y = self.centre[0] - count / 2 + rng.uniform(-2, 2), self.centre[1] - start
        for n in range(count):
            self.table.put(BACK, x + n, y, 0, "theirs", 62, standing=True)

    def melds(self, player: int, start: float) -> None:
        """Another player's melds, to the right of the hand."""
        rng = self.table.rng
        u = float(rng.uniform(3, 6))
        for n in range(int(rng.integers(1, 4))):
            kind = int(rng.integers(34))
            chow = kind < 27 and kind % 9 < 7 and rng.random() < 0.5
            tiles = [PLAIN[kind + (k if chow else 0)] for k in range(3)]
            across = int(rng.integers(3)) if rng.random() < 0.5 else -1
            for k, t in enumerate(tiles):
                self.put(t, player, u, start, "theirs", 70 + 4 * player + n, 90 if k == across else 0)
                u += 1.2 if k == across else 1.03
            u += float(rng.uniform(0.1, 0.6))


def _lay_others(others: Others, shown: tuple[Tile, ...], *, near: int) -> None:
    """Ponds, walls and the other players' tiles around the centre; ``near``: the first player who has any."""
    rng = others.table.rng
    ponds, walls = rng.random() < 0.8, bool(shown) or rng.random() < 0.55
    over = rng.random() < 0.5  # the hand is over: the others show theirs, or not
    holder = int(rng.choice([1, 2, 2, 3]))
    for player in range(4):
        if ponds and rng.random() < 0.85:
            others.pond(player, int(rng.integers(1, 22)), 3.4)
        if walls and player >= near and (player == holder or rng.random() < 0.7):
            others.wall(player, 9.2, shown if player == holder else ())
        if player == 0:
            continue
        if over and rng.random() < 0.5:
            others.open_hand(player, 11.6, int(rng.choice([13, 13, 13, 14, 10, 7])))
        elif player == 2 and rng.random() < 0.6:
            others.closed_hand(11.8)
        if rng.random() < 0.3:
            others.melds(player, 11.8)


def table_with_hand(rng: np.random.Generator, rules: str, kind: str) -> SimulatedTable:
    """A table with the near player's hand open; ``kind`` as of :func:`datasets.tables.hands.deal`, or ``alone``."""
    dealt = deal(rng, rules, kind="win" if kind == "alone" else kind)
    how = replace(random_style(rng, dealt), wall=False, clutter=0)
    table = empty_table(rng, 0.7)
    table.placed = lay_hand(rng, replace(dealt, dora=()), how, (table.aspect, 0.7))
    hand = list(table.placed)
    if kind != "alone":
        own_wall = rng.random() < 0.25
        far = min(p.y for p in hand) - table.aspect
        depth = (10.0 if own_wall else 3.4 + 1.4 * 4) + float(rng.uniform(0.4, 3.0))
        middle = float(np.mean([p.x for p in hand if p.role == "concealed"]))
        others = Others(table, (middle + float(rng.normal(0, 1.5)), far - depth), hand)
        _lay_others(others, dealt.dora, near=0 if own_wall else 1)
        if rng.random() < STRAYS:
            _lay_stray(others, hand)
    reach = float(rng.choice([0.0, 3.0, 8.0, 30.0]))
    return SimulatedTable(kind, rules, dealt, _photograph(table, _near_hand(table.placed, reach)))


def _photograph(table: TableBuilder, framed: list[bool] | None = None) -> View:
    """The table as a camera shows it, its corners off by 0.01 to 0.05 tile widths (standard deviation)."""
    return photograph(table.rng, table.placed, table.aspect, float(table.rng.uniform(0.01, 0.05)), framed)


def _lay_stray(others: Others, hand: list[PlacedTile]) -> None:
    """A tile that somebody has just discarded, or that was left lying, a few tiles away from the hand."""
    rng = others.table.rng
    for _ in range(20):
        near = hand[int(rng.integers(len(hand)))]
        x, y = near.x + float(rng.uniform(-6, 6)), near.y + float(rng.uniform(-6, 6))
        if min(np.hypot(p.x - x, p.y - y) for p in others.table.placed) > 3:
            others.table.put(others.face(), x, y, float(rng.choice([0, 0, 90, rng.uniform(0, 360)])), "elsewhere", 42)
            return


def _near_hand(placed: list[PlacedTile], reach: float) -> list[bool]:
    """Which tiles lie within ``reach`` tile widths of the box around the hand."""
    own = [(p.x, p.y) for p in placed if p.role in HAND_ROLES]
    (left, top), (right, low) = np.min(own, axis=0) - reach, np.max(own, axis=0) + reach
    return [bool(left <= p.x <= right and top <= p.y <= low) for p in placed]


def _table_without_hand(
    rng: np.random.Generator, rules: str, lay_it: Callable[[TableBuilder], None], kind: str
) -> SimulatedTable:
    table = empty_table(rng, 0.7)
    lay_it(table)
    share = rng.random()
    if kind == "ponds" and share < 0.5:  # only a part of it
        middle = table.placed[int(rng.integers(len(table.placed)))]
        reach = float(rng.uniform(1.5, 7))
        framed = [abs(p.x - middle.x) + abs(p.y - middle.y) <= reach for p in table.placed]
    else:
        framed = [True] * len(table.placed)
    return SimulatedTable(kind, rules, None, _photograph(table, framed))


def _lay_ponds(table: TableBuilder) -> None:
    """The middle of a table in play: ponds and walls, nobody's hand in sight."""
    rng = table.rng
    others = Others(table, (0.0, 0.0))
    while not table.placed:
        walls = rng.random() < 0.6
        for player in range(4):
            if rng.random() < 0.8:
                others.pond(player, int(rng.integers(1, 24)), 3.4)
            if walls and rng.random() < 0.7:
                others.wall(player, 9.2, (others.face(),) if rng.random() < 0.3 else ())
        if rng.random() < 0.3:
            others.closed_hand(11.8)


def _lay_tray(table: TableBuilder) -> None:
    """A set in its case, or sorted on the table: closed lines, or lines of four of a kind."""
    rng, foot = table.rng, 0.0
    lines, width = int(rng.integers(2, 8)), int(rng.integers(6, 18))
    tiles = [t for t in PLAIN[:34] for _ in range(4)]
    if rng.random() < 0.6:
        tiles = [tiles[i] for i in rng.permutation(len(tiles))]
    apart = float(rng.choice([0.0, 0.06, 0.3]))
    for _ in range(lines):
        x = 0.0
        for _ in range(width):
            x = table.line([(tiles.pop() if tiles else BACK, False)], x, foot, "elsewhere", 40) + apart * rng.random()
        foot += table.aspect + apart * rng.random()


def _lay_heap(table: TableBuilder) -> None:
    """Tiles at all angles: being shuffled, decoration, the discards of players who throw them into the middle."""
    rng = table.rng
    count, air = int(rng.integers(5, 70)), float(rng.uniform(1.25, 2.6))
    side, backs = air * np.sqrt(count), float(rng.choice([0.0, 0.0, 0.1, 0.5]))
    spots: list[tuple[float, float]] = []
    pool = [t for t in PLAIN[:34] for _ in range(4)]
    pool = [pool[i] for i in rng.permutation(len(pool))]
    straight = rng.random() < 0.25
    for _ in range(20 * count):
        x, y = rng.uniform(0, side, 2)
        if len(spots) < count and all(np.hypot(x - a, y - b) > 1.3 for a, b in spots):
            spots.append((float(x), float(y)))
            turn = float(rng.normal(0, 12)) if straight else float(rng.uniform(0, 360))
            table.put(BACK if rng.random() < backs else pool.pop(), float(x), float(y), turn, "elsewhere", 41)


def _lay_walls(table: TableBuilder) -> None:
    """Nothing but face-down tiles, and what is turned up among them."""
    rng = table.rng
    others = Others(table, (0.0, 0.0))
    for player in range(4):
        others.wall(
            player, 9.2, tuple(others.face() for _ in range(int(rng.integers(1, 3)))) if rng.random() < 0.5 else ()
        )


def _lay_rows(table: TableBuilder) -> None:
    """Loose tiles in lines that are not a hand: one or two, a suit laid out, a whole set, any tiles in some lines."""
    rng, lines = table.rng, int(table.rng.choice((1, 1, 1, 2, 3, 4)))
    counts = [int(rng.integers(1, 10 if lines == 1 else 13)) for _ in range(lines)]
    while sum(counts) in HAND_SIZES:
        counts[0] += 1 if lines > 1 else -4
    in_order, gap = rng.random() < 0.5, float(rng.choice((0.02, 0.06, 0.2, 0.6)))
    pitch = table.aspect + float(rng.choice((0.02, 0.1, 0.5, 1.5)))
    askew, turned = float(rng.choice((0, 3, 10, 45))), rng.random() < 0.3
    wide = table.aspect if turned or askew > 3 else 1.0
    pool, first = rng.permutation(PLAIN_FACES), int(rng.integers(PLAIN_FACES))
    for n, count in enumerate(counts):
        for k in range(count):
            face = PLAIN[(first + 9 * n + k) % PLAIN_FACES if in_order else pool[(13 * n + k) % PLAIN_FACES]]
            angle = float(rng.normal(0, askew)) + (90 * float(rng.integers(4)) if turned else 0.0)
            table.put(face, k * (wide + gap), n * pitch * wide, angle, "elsewhere", 40 + n)


def _lay_seventeen(rng: np.random.Generator, rules: str) -> SimulatedTable:
    """A hand of five sets and a pair, as in Taiwan's game of sixteen tiles, in one line."""
    count = 17 if rng.random() < 0.7 else 16
    table = empty_table(rng, 0.7)
    while True:
        sets = [deal(rng, "zungjung", melds=0) for _ in range(2)]
        tiles = sorted([*sets[0].concealed, *sets[1].concealed][:count], key=lambda t: t.kind)
        if all(sum(u.kind == t.kind for u in tiles) <= 4 for t in tiles):
            break
    gap = int(rng.integers(1, count)) if rng.random() < 0.4 else -1
    x = 0.0
    for n, t in enumerate(tiles):
        x = table.line([(t, False)], x + (0.5 if n == gap else 0.0), 0.0, "concealed", 0)
    if rng.random() < 0.3 and system_named(rules).bonus_letters:
        table.line([(tile(f"f{n}"), False) for n in (1, 3)], 1.0, -table.aspect - 0.6, "bonus", 20)
    return SimulatedTable(f"tiles {count}", rules, None, _photograph(table))


KINDS: Final = ("alone", "win", "wait", "near", "junk", "ponds", "tray", "heap", "walls", "rows", "long")
"""What a table may be. ``alone``, ``win``, ``wait``, ``near``, ``junk`` show a hand, ``long`` one of 16 or 17 tiles."""
WITH_HAND: Final = KINDS[:5]
WITHOUT: Final = KINDS[5:10]
_CHANCES: Final = (0.1, 0.32, 0.1, 0.03, 0.03, 0.12, 0.07, 0.08, 0.04, 0.06, 0.05)


def simulated_table(seed: int, kind: str | None = None) -> SimulatedTable:
    """The table of a seed, which decides everything; of this kind, or of a random one if None."""
    rng = np.random.default_rng([seed, 24])
    rules = RULES[seed % len(RULES)]
    kind = kind or str(rng.choice(KINDS, p=_CHANCES))
    if kind in WITH_HAND:
        return table_with_hand(rng, rules, kind)
    if kind == "long":
        return _lay_seventeen(rng, rules)
    lays = {"ponds": _lay_ponds, "tray": _lay_tray, "heap": _lay_heap, "walls": _lay_walls, "rows": _lay_rows}
    return _table_without_hand(rng, rules, lays[kind], kind)
