"""Hands laid set beside set with their kongs, hands with a kong of which a tile was not found, hands of five sets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from datasets.tables.hands import RELATIONS, DealtHand, DealtMeld, deal
from datasets.tables.layouts import BACK, PlacedTile, empty_table, lay_hand, random_open_style, random_style, set_lines
from datasets.tables.views import View, photograph, without_tiles
from scoring.tiles import KINDS, PLAIN, Tile

LINES: Final = (0.6, 0.3, 0.1)
"""Shares of hands in one, two and three lines."""
SHORT: Final = 3
"""How many tiles of a kong that lies wholly face-down are found."""
LACKS_NONE: Final = 0.4
"""Share of hands beside which three face-down tiles lie although no set is missing."""
CLOSED: Final = 0.4
"""Share of hands whose melds lie behind them in a line without gaps."""
TRIES: Final = 40
TileGroup = tuple[Sequence[Tile], str, int]
"""Tiles side by side, their role and group."""


def deal_kongs(rng: np.random.Generator, rules: str) -> DealtHand:
    """A winning hand with one to four kongs, each number as often as the others."""
    kongs = int(rng.integers(1, 5))
    dealt = deal(rng, rules, melds=kongs)
    shown = (*dealt.concealed, *dealt.dora)
    used = {t.kind for t in shown} | {dealt.winning.kind if dealt.winning else -1}
    free = [
        t for t in PLAIN[:KINDS] if t.kind not in used and not (rules == "riichi" and t.number == 5 and t.suit != "z")
    ]
    chosen = (free[i] for i in rng.permutation(len(free))[:kongs])
    return replace(dealt, melds=tuple(_random_kong(rng, t) for t in chosen))


def _random_kong(rng: np.random.Generator, t: Tile) -> DealtMeld:
    kind = str(rng.choice(("kong_open", "kong_added", "kong_concealed")))
    return DealtMeld(kind, (t,) * 4, None if kind == "kong_concealed" else str(rng.choice(RELATIONS)))


def lay_kongs(rng: np.random.Generator, dealt: DealtHand) -> list[PlacedTile]:
    """Sets and kongs with equal gaps between them all, in lines; bonus tiles at an end.

    Of such sets only the kongs show that they were declared: all others count as concealed.
    """
    table = empty_table(rng)
    units = _tile_groups(rng, dealt)
    lines = int(rng.choice(len(LINES), p=LINES)) + 1
    air = float(rng.choice([0.02, rng.uniform(0.1, 0.9)], p=[0.3, 0.7]))
    pitch = table.aspect + float(rng.uniform(0.02, 0.8))
    each = -(-len(units) // lines)
    for n, unit in enumerate(units):
        if n % each == 0:
            x, foot = float(rng.uniform(0, 1)) * (n > 0), n // each * pitch
        tiles, role, group = unit
        x = table.line([(t, False) for t in tiles], x, foot, role, group) + air
    if dealt.bonus:
        table.line([(t, False) for t in dealt.bonus], 0.0, -table.aspect - float(rng.uniform(0.1, 1.0)), "bonus", 20)
    return table.placed


def short_kong(rng: np.random.Generator, rules: str) -> tuple[DealtHand, View]:
    """A hand with a face-down kong of which one tile was not found, or beside three surplus face-down tiles."""
    spare = rng.random() < LACKS_NONE
    dealt = deal(rng, rules)
    for _ in range(TRIES):
        if any(meld.type == "kong_concealed" for meld in dealt.melds) != spare:
            break
        dealt = deal(rng, rules, melds=0 if spare else int(rng.integers(1, 5)))
    table = empty_table(rng, 0.7)
    table.placed = lay_hand(rng, dealt, replace(random_style(rng, dealt), clutter=0), (table.aspect, table.depth))
    if spare:
        end = max(p.x for p in table.placed) + float(rng.uniform(0.7, 2.5))
        table.line([(BACK, False)] * SHORT, end, 0.0, "elsewhere", 44)
    seen = photograph(rng, table.placed, table.aspect)
    group = next((n for n, meld in enumerate(dealt.melds, 1) if meld.type == "kong_concealed"), None)
    kong = [i for i, p in enumerate(seen.placed) if p.role == "meld" and p.group == group]
    placed = tuple(replace(p, tile=BACK) if i in kong else p for i, p in enumerate(seen.placed))
    return dealt, without_tiles(replace(seen, placed=placed), set(kong[SHORT:]))


def five_sets(rng: np.random.Generator) -> DealtHand:
    """A hand of five sets and a pair, as in Taiwan, some of them declared, at times without the winning tile."""
    while True:
        dealt, more = deal(rng, "zungjung"), deal(rng, "zungjung", melds=1)
        tiles = (*dealt.concealed, *more.melds[0].tiles[:3])
        held = [t.kind for t in (*tiles, dealt.winning, *(t for m in dealt.melds for t in m.tiles)) if t]
        if max(map(held.count, held)) <= 4:
            break
    won = dealt.winning if rng.random() < 0.4 else None
    return replace(dealt, concealed=tuple(sorted(tiles, key=lambda t: t.kind)), winning=won)


def lay_behind(rng: np.random.Generator, dealt: DealtHand) -> list[PlacedTile]:
    """The hand in one row, standing in a rack or lying, with its melds in a line right behind it."""
    table = empty_table(rng)
    rack = rng.random() < 0.6
    place = str(rng.choice(["in_row", "right"], p=[0.7, 0.3]))
    how = random_open_style(rng, dealt)
    how = replace(how, hand="rack" if rack else "row", winning=place, melds="front", wall=False, clutter=0)
    if rng.random() < CLOSED:
        how = replace(how, hand="row", melds="front_line", turned=False)
        return lay_hand(rng, dealt, how, (table.aspect, table.depth))
    placed = lay_hand(rng, dealt, how, (table.aspect, table.depth))
    nearest = max((p.y for p in placed if p.role == "meld"), default=0.0)
    air = float(rng.uniform(0.7, 1.6) if rack else rng.uniform(0.0, 0.5) + table.aspect)
    lift = -air - table.aspect / 2 - nearest
    return [replace(p, y=p.y + lift) if p.role in ("meld", "bonus") else p for p in placed]


def _tile_groups(rng: np.random.Generator, dealt: DealtHand) -> list[TileGroup]:
    won = () if dealt.winning is None else (dealt.winning,)
    sets = set_lines([*dealt.concealed, *won]) or [sorted((*dealt.concealed, *won), key=lambda t: t.kind)]
    sets += [list(meld.tiles) for meld in dealt.melds if not _is_kong(meld)]
    units: list[TileGroup] = [(tiles, "concealed", 0) for tiles in sets]
    kongs: list[TileGroup] = [
        (_shown_faces(rng, meld), "meld", n) for n, meld in enumerate(filter(_is_kong, dealt.melds), 1)
    ]
    if rng.random() < 0.5:
        return units + kongs if rng.random() < 0.5 else kongs + units
    mixed = units + kongs
    return [mixed[i] for i in rng.permutation(len(mixed))]


def _shown_faces(rng: np.random.Generator, meld: DealtMeld) -> list[Tile]:
    down = (0, 3) if meld.type == "kong_concealed" and rng.random() < 0.6 else ()
    return [BACK if k in down else t for k, t in enumerate(meld.tiles)]


def _is_kong(meld: DealtMeld) -> bool:
    return len(meld.tiles) == 4
