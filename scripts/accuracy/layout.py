"""How well hands are read from tiles: layouts with true labels, decoding with misread ones, false wins, no hands, time.

    python -m scripts.accuracy.layout [--hands 400] [--seed 0]

Hands of all five rule systems are laid out at random and photographed without pixels (``datasets.tables``); misread
labels come from a calibrated simulation at three error rates. Hands that do not win are ``near`` (14 tiles, one
exchange from winning: the hardest), ``wait`` (13 tiles and whatever lies around) and ``junk``. What counts as right is
defined in ``datasets/tables/marks.py``. Times are CPU time.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Any, Final

import numpy as np

from datasets.tables.hands import RULES, Dealt, deal
from datasets.tables.layouts import Style, any_style, lay, lay_no_hand
from datasets.tables.marks import Marks, mark
from datasets.tables.views import View, noisy_sightings, true_sightings, view
from scoring.tiles import BACK_KIND
from vision.hand.decoder import Decoded, decode
from vision.layout.layout import lay_out
from vision.reading import Sighting

HARD_CROPS = (0.03, 0.05, 0.08)
"""Shares of hard crops simulated: about 1, 2 and 3 % of tiles misread."""
PLAIN = Style(turned=False)
"""A layout whose geometry cannot be misread, so that only labels are tested."""


UNSETTLED: Final = {"left_out", "too_few_tiles", "too_many_tiles", "one_tile_short"}
"""Doubts which say that a hand may be none."""


def scene(seed: int, kind: str = "win", how: Style | None = None) -> tuple[Dealt, Style, View]:
    """A hand laid and photographed; the seed decides everything."""
    rng = np.random.default_rng(seed)
    dealt = deal(rng, RULES[seed % len(RULES)], kind=kind)
    chosen = how or any_style(rng, dealt)
    return dealt, chosen, view(rng, lay(rng, dealt, chosen))


def read(dealt: Dealt, seen: View, sightings: list[Sighting]) -> tuple[Decoded, float, float]:
    """Lay out and decode; the reading, and CPU milliseconds of both steps."""
    start = time.process_time()
    layout = lay_out(sightings, seen.width, seen.height, dealt.rules)
    middle = time.process_time()
    decoded = decode(layout, sightings, dealt.rules)
    return decoded, 1e3 * (middle - start), 1e3 * (time.process_time() - middle)


def layouts(seeds: Iterable[int]) -> dict[str, Any]:
    """True labels: how often hand and roles are all right, by properties of the layout."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    laid, decoded_ms, asked, wrong = [], [], Counter[str](), []
    for seed in seeds:
        dealt, how, seen = scene(seed)
        decoded, first, second = read(dealt, seen, true_sightings(seen))
        laid.append(first)
        decoded_ms.append(second)
        marks = mark(dealt, seen, decoded)
        asked.update(marks.asked)
        if not marks.right:
            wrong.append({"seed": seed, "faults": marks.faults[:4]})
        for key in _keys(dealt, how):
            _add(counts[key], marks)
    return {
        "by": {key: _shares(counts[key]) for key in sorted(counts)},
        "doubts": dict(asked.most_common()),
        "layout_ms": _spread(laid),
        "decode_ms": _spread(decoded_ms),
        "wrong": wrong,
    }


def _keys(dealt: Dealt, how: Style) -> list[str]:
    melds = f"melds {how.melds}" if dealt.melds else "melds none"
    return ["all", f"rules {dealt.rules}", f"hand {how.hand}", f"winning {how.winning}", melds, f"turned {how.turned}"]


def _add(count: Counter[str], marks: Marks) -> None:
    count.update(n=1, right=marks.right, hand=marks.hand, roles=marks.roles)


def _shares(count: Counter[str]) -> dict[str, float]:
    return {"n": count["n"]} | {k: round(count[k] / count["n"], 4) for k in ("right", "hand", "roles")}


def _spread(ms: list[float]) -> dict[str, float]:
    return {f"p{q}": round(float(np.percentile(ms, q)), 2) for q in (50, 95, 99)} | {"max": round(max(ms), 2)}


def labels(seeds: Iterable[int], hard: float) -> dict[str, Any]:
    """Misread labels on winning hands: whole hands right before and after decoding."""
    count: Counter[str] = Counter()
    times = []
    for seed in seeds:
        dealt, _, seen = scene(seed, how=PLAIN)
        sightings = noisy_sightings(np.random.default_rng([seed, 1]), seen, hard)
        decoded, _, ms = read(dealt, seen, sightings)
        times.append(ms)
        hand = _inside(seen)
        right = [sightings[i].tile is seen.placed[i].tile for i in hand]
        count.update(
            n=1, tiles=len(right), tiles_right=sum(right), before=all(right), after=mark(dealt, seen, decoded).hand
        )
    before, after = count["before"] / count["n"], count["after"] / count["n"]
    return {
        "hands": count["n"],
        "tile_accuracy": round(count["tiles_right"] / count["tiles"], 4),
        "hand_exact_before": round(before, 4),
        "hand_exact_after": round(after, 4),
        "errors_lifted": round((after - before) / max(1e-9, 1 - before), 3),
        "decode_ms": _spread(times),
    }


def false_wins(seeds: Iterable[int], hard: float, kind: str) -> dict[str, Any]:
    """Misread labels on hands that do not win: how often the decoder makes them win.

    Hands that wait are laid in every style amid clutter, so that a stray tile may be taken for the winning one.
    """
    count: Counter[str] = Counter()
    times = []
    for seed in seeds:
        dealt, _, seen = scene(seed, kind, None if kind == "wait" else PLAIN)
        sightings = noisy_sightings(np.random.default_rng([seed, 1]), seen, hard)
        decoded, _, ms = read(dealt, seen, sightings)
        times.append(ms)
        made = decoded.wins and (bool(decoded.repairs) or kind == "wait")
        count.update(n=1, made=made, read=decoded.wins and not made)
    return {
        "hands": count["n"],
        "wins_made": round(count["made"] / count["n"], 5),
        "wins_read_by_the_eyes": round(count["read"] / count["n"], 5),
        "decode_ms": _spread(times),
    }


def no_hands(seeds: Iterable[int]) -> dict[str, Any]:
    """Trays and ponds with true labels: how often they are read as no hand, and how often that is at least asked."""
    count: Counter[str] = Counter()
    for seed in seeds:
        rng = np.random.default_rng([seed, 2])
        seen = view(rng, lay_no_hand(rng))
        sightings = true_sightings(seen)
        decoded = decode(lay_out(sightings, seen.width, seen.height), sightings, None)
        codes = {doubt.code for doubt in decoded.doubts}
        refused = decoded.hand is None
        count.update(n=1, refused=refused, asked=not refused and bool(codes & UNSETTLED))
    return {"scenes": count["n"]} | {key: round(count[key] / count["n"], 4) for key in ("refused", "asked")}


def _inside(seen: View) -> list[int]:
    return [
        i for i, p in enumerate(seen.placed) if p.role in ("concealed", "winning", "meld") and p.tile.kind != BACK_KIND
    ]


def main() -> None:
    """Run everything and print it."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument(
        "--hands", type=int, default=400, help="hands laid out; three times as many for labels (default 400)"
    )
    options.add_argument("--seed", type=int, default=0)
    asked = options.parse_args()
    seeds = range(asked.seed, asked.seed + asked.hands)
    result: dict[str, Any] = {"layouts": layouts(seeds)}
    many = range(asked.seed, asked.seed + 3 * asked.hands)  # rare events need more hands
    result["no hand in sight"] = no_hands(seeds)
    for hard in HARD_CROPS:
        result[f"labels, {hard:.0%} hard crops"] = labels(many, hard)
        for kind in ("near", "wait", "junk"):
            result[f"false wins, {kind}, {hard:.0%} hard crops"] = false_wins(many, hard, kind)
    for name, figures in result.items():
        print(f"\n{name}")
        for key, value in figures.items():
            rows = value.items() if key == "by" else [(key, value)]
            for row, cell in rows:
                print(f"  {row:28s} {cell}")


if __name__ == "__main__":
    main()
