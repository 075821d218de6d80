"""Count anew, slowly, how far hands are and which discards and draws help: ``python -m scripts.recount_coach``.

Hands of all seven systems, dealt from a wall or some tiles from winning, with Hangzhou's wild tiles: every winning hand
is laid beside the tiles, suit by suit, and the one that shares most with them tells the distance.
``vision.hand.shanten`` must give the same for the hand, after each discard, and for each draw after one of the best; in
riichi so must the PyPI package ``mahjong``. ``--hands 10000``, ``--seed 1``. Exit status 1 where one differs.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain, combinations_with_replacement
from typing import Final

import numpy as np
import typer
from mahjong.shanten import Shanten

from datasets.tables.hands import deal
from scoring.arrangements.splits import STRAIGHTS
from scoring.arrangements.units import ORPHAN_KINDS
from scoring.rules import systems
from scoring.tiles import EAST, KINDS, PLAIN, WHITE, format_tiles
from vision.hand.shanten import best_discards, shanten, tiles_nearer
from vision.layout.shapes import HandRules, shapes_of

_SUITS: Final = (slice(0, 9), slice(9, 18), slice(18, 27), slice(27, KINDS))
_WALL: Final = 4


@dataclass(frozen=True, slots=True)
class FullHand:
    """A full hand: the rules, its 34 counts, those of its melds, and the kind of the wild tiles or None."""

    rules: str
    counts: tuple[int, ...]
    shown: tuple[int, ...]
    wild: int | None

    def __str__(self) -> str:
        tiles = format_tiles([PLAIN[kind] for kind, n in enumerate(self.counts) for _ in range(n)])
        return f"{self.rules} {tiles}" + ("" if self.wild is None else f", {PLAIN[self.wild].code} is wild")


@cache
def _wins(kinds: int, sets: int, pair: bool) -> np.ndarray:
    """Every way to have so many sets, and a pair, in a suit (9 kinds) or the honours (7): (kinds, n), how many of each.

    No kind is limited to its four tiles: a hand that waits for a fifth counts as one that waits, as in ``mahjong``.
    """
    one = np.eye(kinds, dtype=np.int8)
    units = [3 * row for row in one]
    if kinds == 9:
        units += [one[low] + one[low + 1] + one[low + 2] for low in range(7)]
    eyes = [2 * row for row in one] if pair else [0 * one[0]]
    made = combinations_with_replacement(units, sets)
    found = {sum(of, start=eye).tobytes() for of in made for eye in eyes}
    return np.ascontiguousarray(np.array([np.frombuffer(row, dtype=np.int8) for row in found]).T)


@lru_cache(maxsize=1 << 16)
def _shared(held: tuple[int, ...], sets: int, pair: bool) -> int:
    """The most tiles that a suit shares with one of its :func:`_wins`."""
    wins = _wins(len(held), sets, pair)
    return int(np.minimum(wins, np.array(held, dtype=np.int8)[:, None]).sum(axis=0, dtype=np.int8).max())


def _shared_with_sets(counts: Sequence[int], sets: int) -> int:
    """The most tiles that a hand shares with so many sets and a pair."""
    best = {(0, False): 0}
    for suit in _SUITS:
        held, before, best = tuple(counts[suit]), best, {}
        for (made, paired), n in before.items():
            for more in range(sets - made + 1):
                for pair in (False, True)[: 1 if paired else 2]:
                    key = made + more, paired or pair
                    best[key] = max(best.get(key, 0), n + _shared(held, more, pair))
    return best[sets, True]


def _most(numbers: Iterator[int], many: int) -> int:
    return sum(sorted(numbers, reverse=True)[:many])


def _shared_with_pairs(counts: Sequence[int], many: int, *, quads: bool) -> int:
    """The most tiles that a hand shares with so many pairs; four of a kind are two where ``quads``."""
    seconds = (max(0, min(2, n - 2)) for n in counts) if quads else iter(())
    return _most(chain((min(2, n) for n in counts), seconds), many)


def recount(counts: Sequence[int], shapes: HandRules, wild: int | None = None) -> int:
    """The shanten of some concealed tiles, as :func:`vision.hand.shanten.shanten` means it."""
    size, natural, wilds = sum(counts), list(counts), 0
    if wild is not None:
        wilds, natural[wild] = natural[wild], 0
        if wild != WHITE:
            natural[wild], natural[WHITE] = natural[WHITE], 0
    sets = size // 3
    shared = [_shared_with_sets(natural, sets)]
    if sets == shapes.size // 3:
        if shapes.seven_pairs:
            shared.append(_shared_with_pairs(natural, 7, quads=shapes.quad_pairs))
        if shapes.eight_pairs:
            without = ([m * (k != kind) for k, m in enumerate(natural)] for kind in range(KINDS))
            beside = (_shared_with_pairs(rest, 7, quads=True) for rest in without)
            shared.append(max(min(3, n) + more for n, more in zip(natural, beside, strict=True)))
        if shapes.orphans:
            orphans = [natural[k] for k in ORPHAN_KINDS]
            shared.append(sum(min(1, n) for n in orphans) + any(n > 1 for n in orphans))
        if shapes.knitted:
            kinds = ({*straight, *range(EAST, KINDS)} for straight in STRAIGHTS)
            shared.append(max(_most((min(1, natural[k]) for k in of), 14) for of in kinds))
    if shapes.straight and sets >= 3:
        for straight in STRAIGHTS:
            rest = [n - (k in straight and n > 0) for k, n in enumerate(natural)]
            shared.append(sum(natural) - sum(rest) + _shared_with_sets(rest, sets - 3))
    return 3 * sets + 1 - min(size, max(shared) + wilds)


def deal_hands(number: int, seed: int) -> Iterator[FullHand]:
    """So many full hands, the same for the same seed."""
    rng = np.random.default_rng(seed)
    names = list(systems())
    for i in range(number):
        rules = names[i % len(names)]
        dealt = deal(rng, rules, melds=None if i % 3 else 0, kind=("near", "junk", "wait", "near")[i // 7 % 4])
        counts = [sum(t.kind == k for t in dealt.concealed) for k in range(KINDS)]
        shown = [sum(t.kind == k for m in dealt.melds for t in m.tiles) for k in range(KINDS)]
        if dealt.winning is not None:
            counts[dealt.winning.kind] += 1
        while sum(counts) % 3 != 2:  # one that waits draws
            kind = int(rng.integers(KINDS))
            counts[kind] += counts[kind] + shown[kind] < _WALL
        for _ in range(int(rng.integers(3))):  # and some tiles are other ones
            old, new = int(rng.choice(np.flatnonzero(counts))), int(rng.integers(KINDS))
            if counts[new] + shown[new] < _WALL:
                counts[old] -= 1
                counts[new] += 1
        held = [k for k in np.flatnonzero(counts) if shown[k] == 0 and counts[k] < _WALL]
        wild = int(rng.choice(held)) if shapes_of(rules).wild and held else None
        yield FullHand(rules, tuple(counts), tuple(shown), wild)


def differences(hand: FullHand, which: int = 0) -> list[str]:
    """What is counted otherwise for a hand; ``which`` of the best discards has its draws counted anew."""
    shapes, counts, wild = shapes_of(hand.rules), list(hand.counts), hand.wild
    far = shanten(counts, shapes, wild)
    found = [f"{hand}: shanten {far}"] if far != recount(counts, shapes, wild) else []
    if hand.rules == "riichi" and not any(hand.shown) and far != Shanten().calculate_shanten(counts):
        found.append(f"{hand}: shanten {far}, in mahjong {Shanten().calculate_shanten(counts)}")
    best = best_discards(counts, shapes, hand.shown, wild)
    again = {kind for kind in range(KINDS) if counts[kind] and recount(_changed(counts, kind, -1), shapes, wild) == far}
    if set(best) != again:
        found.append(f"{hand}: discards {sorted(best)}, not {sorted(again)}")
    if best and not found:
        kind = list(best)[which % len(best)]
        rest, seen = _changed(counts, kind, -1), _changed(hand.shown, kind, 1)
        left = {k: _WALL - rest[k] - seen[k] for k in range(KINDS) if k not in shapes.left_out}
        draws = {k: n for k, n in left.items() if n > 0 and recount(_changed(rest, k, 1), shapes, wild) < far}
        if best[kind] != draws or tiles_nearer(rest, shapes, seen, wild) != draws:
            found.append(f"{hand}: draws {best[kind]} after {PLAIN[kind].code}, not {draws}")
    return found


def _changed(counts: Sequence[int], kind: int, by: int) -> list[int]:
    return [n + by * (k == kind) for k, n in enumerate(counts)]


def main(hands: int = 10_000, seed: int = 1) -> None:
    """Compare so many hands."""
    found = [line for i, hand in enumerate(deal_hands(hands, seed)) for line in differences(hand, i)]
    print(*found, f"{hands} hands, {len(found)} counted otherwise", sep="\n")
    sys.exit(bool(found))


if __name__ == "__main__":
    typer.run(main)
