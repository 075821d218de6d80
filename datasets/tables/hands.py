"""Random hands that win (or wait, or miss) under five rule systems, with their melds, to be laid on a table.

All randomness comes from the generator given, so that a seed identifies a benchmark.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from scoring.arrangements.splits import is_eight_pairs, is_seven_pairs, is_standard, is_thirteen_orphans
from scoring.arrangements.units import ORPHAN_KINDS
from scoring.arrangements.wild import complete_pairs, complete_sets
from scoring.rules import system_named
from scoring.tiles import KINDS, PLAIN, WHITE, Tile, tile

RULES: Final = ("hongkong", "zungjung", "hangzhou", "singapore", "riichi")
RELATIONS: Final = ("left", "opposite", "right")


@dataclass(frozen=True, slots=True)
class DealtMeld:
    """A declared set: its type (as in the contracts), its tiles and whom it was claimed from."""

    type: str
    tiles: tuple[Tile, ...]
    relation: str | None


@dataclass(frozen=True, slots=True)
class DealtHand:
    """A hand before it is laid out.

    Attributes:
        concealed: sorted, without the winning tile.
        winning: None for a hand that still waits.
        wins: the tiles make a winning shape of the rules.
    """

    rules: str
    concealed: tuple[Tile, ...]
    melds: tuple[DealtMeld, ...]
    winning: Tile | None
    bonus: tuple[Tile, ...] = ()
    dora: tuple[Tile, ...] = ()
    wins: bool = True


def deal(rng: np.random.Generator, rules: str, *, melds: int | None = None, kind: str = "win") -> DealtHand:
    """A random hand.

    Args:
        rng: the source of all randomness.
        rules: a rule system.
        melds: how many sets are declared; random if None.
        kind: ``win``; ``wait`` (one tile short of winning); ``near`` (one exchange from winning);
            ``junk`` (as dealt from the wall).
    """
    while True:
        dealt = _try_deal(rng, rules, melds, kind)
        if dealt is not None:
            return dealt


def _try_deal(rng: np.random.Generator, rules: str, melds: int | None, kind: str) -> DealtHand | None:
    shape = rng.random()
    many = system_named(rules).shapes.sets
    declared: list[DealtMeld] = []
    if kind == "junk":
        wall = np.repeat(np.arange(KINDS), 4)
        inside = [int(k) for k in rng.permutation(wall)[: 3 * many + 2]]
    elif many == 4 and not melds and shape < 0.08 and rules != "singapore":
        inside = [int(k) for k in rng.choice(KINDS, 7, replace=False) for _ in range(2)]
    elif many == 4 and not melds and shape < 0.1 and rules != "hangzhou":
        inside = [*ORPHAN_KINDS, int(rng.choice(ORPHAN_KINDS))]
    else:
        sets = [_random_set(rng) for _ in range(many)]
        count = int(rng.choice(5, p=[0.3, 0.22, 0.22, 0.18, 0.08])) if melds is None else melds
        declared = [_declare(rng, s) for s in sets[:count]]
        inside = [k for s in sets[count:] for k in s] + [int(rng.integers(KINDS))] * 2
    wins = kind in ("win", "wait")
    if kind == "near":
        inside[int(rng.integers(len(inside)))] = int(rng.integers(KINDS))
    indicator = int(rng.integers(KINDS)) if rules == "hangzhou" and rng.random() < 0.5 else None
    if indicator is not None and kind == "win" and rng.random() < 0.5:
        inside[int(rng.integers(len(inside)))] = indicator  # wild
    counts = Counter(inside) + Counter(t.kind for m in declared for t in m.tiles)
    if indicator is not None:
        counts[indicator] += 1
    if max(counts.values()) > 4:
        return None
    if kind in ("near", "junk") and _is_win(inside, rules, indicator):
        return None
    last = inside.pop(int(rng.integers(len(inside))))
    reds = {tile(f"0{suit}") for suit in "mps"} if rules == "riichi" else set()
    tiles = [_draw_face(rng, k, reds) for k in sorted(inside)]
    declared = [replace(m, tiles=tuple(_draw_face(rng, t.kind, reds) for t in m.tiles)) for m in declared]
    letters = system_named(rules).bonus_letters
    bonus = [tile(f"{letter}{n}") for letter in letters for n in range(1, 5)]
    held = int(rng.choice([0, 1, 2, 3, 4, 6])) if bonus else 0
    left = [k for k in range(KINDS) for _ in range(4 - counts[k])]
    shown = [left[i] for i in rng.permutation(len(left))[: int(rng.integers(3))]] if rules == "riichi" else []
    shown += [] if indicator is None else [indicator]
    return DealtHand(
        rules,
        tuple(tiles),
        tuple(declared),
        None if kind == "wait" else _draw_face(rng, last, reds),
        tuple(bonus[i] for i in rng.permutation(len(bonus))[:held]),
        tuple(PLAIN[k] for k in shown),
        wins,
    )


def _random_set(rng: np.random.Generator) -> list[int]:
    if rng.random() < 0.62:
        low = 9 * int(rng.integers(3)) + int(rng.integers(7))
        return [low, low + 1, low + 2]
    return [int(rng.integers(KINDS))] * 3


def _declare(rng: np.random.Generator, kinds: list[int]) -> DealtMeld:
    tiles = tuple(PLAIN[k] for k in kinds)
    relation = str(rng.choice(RELATIONS))
    if kinds[0] != kinds[1]:
        return DealtMeld("chow", tiles, "left")
    kind = str(rng.choice(["pung", "kong_open", "kong_added", "kong_concealed"], p=[0.55, 0.15, 0.12, 0.18]))
    if kind == "pung":
        return DealtMeld(kind, tiles, relation)
    return DealtMeld(kind, (*tiles, tiles[0]), None if kind == "kong_concealed" else relation)


def _draw_face(rng: np.random.Generator, kind: int, reds: set[Tile]) -> Tile:
    """The tile of a kind, now and then the red one while there is one left."""
    red = next((t for t in reds if t.kind == kind), None)
    if red is not None and rng.random() < 0.4:
        reds.discard(red)
        return red
    return PLAIN[kind]


def _is_win(inside: list[int], rules: str, indicator: int | None) -> bool:
    counts = [inside.count(k) for k in range(KINDS)]
    if indicator is not None:
        wilds, counts[indicator] = counts[indicator], 0
        if indicator != WHITE:
            counts[indicator], counts[WHITE] = counts[WHITE], 0
        pairs = len(inside) == 14 and complete_pairs(counts, wilds, free=indicator) is not None
        return pairs or complete_sets(counts, wilds, pair=True, free=indicator) is not None
    pairs = rules != "singapore" and is_seven_pairs(counts, distinct=rules == "riichi")
    return (
        is_standard(counts) or is_eight_pairs(counts) or pairs or (rules != "hangzhou" and is_thirteen_orphans(counts))
    )
