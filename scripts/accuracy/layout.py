"""How well hands are read from tiles: layouts with true labels, decoding with misread ones, false wins, time.

    python -m scripts.accuracy.layout [--hands 400]

Hands of five rule systems are laid out at random and photographed without pixels (``datasets.tables``); misread
labels come from a calibrated simulation at three error rates. Hands that do not win are ``near`` (14 tiles, one
exchange from winning: the hardest), ``wait`` (13 tiles and whatever lies around) and ``junk``. What counts as right is
defined in ``datasets/tables/marks.py``. Times are CPU time. Three times as many hands are laid for labels and wins.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import Any, Final

import numpy as np
import typer

from datasets.tables.hands import RULES, DealtHand, deal
from datasets.tables.layouts import Style, lay_hand, random_style
from datasets.tables.marks import Marks, mark_reading
from datasets.tables.views import View, noisy_sightings, photograph, true_sightings
from scoring.tiles import BACK_KIND
from scripts.accuracy import shares
from vision.hand.decoder import Decoded, decode
from vision.layout.interpretations import lay_out
from vision.reading import Sighting

HARD_CROPS: Final = (0.03, 0.05, 0.08)
"""Shares of hard crops simulated: about 1, 2 and 3 % of tiles misread."""
PLAIN: Final = Style(turned=False)
"""A layout whose geometry cannot be misread, so that only labels are tested."""


def photograph_hand(seed: int, kind: str = "win", how: Style | None = None) -> tuple[DealtHand, Style, View]:
    """A hand laid and photographed; the seed decides everything."""
    rng = np.random.default_rng(seed)
    dealt = deal(rng, RULES[seed % len(RULES)], kind=kind)
    chosen = how or random_style(rng, dealt)
    return dealt, chosen, photograph(rng, lay_hand(rng, dealt, chosen))


def read_and_time(dealt: DealtHand, seen: View, sightings: list[Sighting]) -> tuple[Decoded, float, float]:
    """Lay out and decode; the reading, and CPU milliseconds of both steps."""
    start = time.process_time()
    layout = lay_out(sightings, seen.width, seen.height, dealt.rules)
    middle = time.process_time()
    decoded = decode(layout, sightings, dealt.rules)
    return decoded, 1e3 * (middle - start), 1e3 * (time.process_time() - middle)


def measure_layouts(seeds: Iterable[int]) -> dict[str, Any]:
    """True labels: how often hand and roles are all right, by properties of the layout."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    layout_ms, decode_ms, wrong = [], [], []
    for seed in seeds:
        dealt, how, seen = photograph_hand(seed)
        decoded, first, second = read_and_time(dealt, seen, true_sightings(seen))
        layout_ms.append(first)
        decode_ms.append(second)
        marks = mark_reading(dealt, seen, decoded)
        if not marks.right:
            wrong.append({"seed": seed, "faults": marks.faults[:4]})
        melds = f"melds {how.melds}" if dealt.melds else "melds none"
        for key in ("all", f"rules {dealt.rules}", f"hand {how.hand}", f"winning {how.winning}", melds):
            counts[key].update(n=1, right=marks.right, hand=marks.hand, roles=marks.roles)
    by = {key: shares(count) for key, count in sorted(counts.items())}
    return {"by": by, "layout_ms": _median_and_p95(layout_ms), "decode_ms": _median_and_p95(decode_ms), "wrong": wrong}


def _median_and_p95(ms: list[float]) -> dict[str, float]:
    return {f"p{q}": round(float(np.percentile(ms, q)), 2) for q in (50, 95)}


def _read_with_errors(
    seeds: Iterable[int], hard: float, kind: str, how: Style | None
) -> Iterator[tuple[View, list[Sighting], Decoded, Marks, float]]:
    """Hands with misread labels: what is there, what was seen, how that was decoded, in how many milliseconds."""
    for seed in seeds:
        dealt, _, seen = photograph_hand(seed, kind, how)
        sightings = noisy_sightings(np.random.default_rng([seed, 1]), seen, hard)
        decoded, _, ms = read_and_time(dealt, seen, sightings)
        yield seen, sightings, decoded, mark_reading(dealt, seen, decoded), ms


def measure_labels(seeds: Iterable[int], hard: float) -> dict[str, Any]:
    """Misread labels on winning hands: whole hands right before and after decoding."""
    tiles, before, after, times = [], [], [], []
    for seen, sightings, _, marks, ms in _read_with_errors(seeds, hard, "win", PLAIN):
        own = [p.role in ("concealed", "winning", "meld") and p.tile.kind != BACK_KIND for p in seen.placed]
        right = [s.tile is p.tile for s, p, mine in zip(sightings, seen.placed, own, strict=True) if mine]
        tiles += right
        before.append(all(right))
        after.append(marks.hand)
        times.append(ms)
    exact = float(np.mean(before)), float(np.mean(after))
    return {
        "tile_accuracy": round(float(np.mean(tiles)), 4),
        "hand_exact_before": round(exact[0], 4),
        "hand_exact_after": round(exact[1], 4),
        "errors_lifted": round((exact[1] - exact[0]) / max(1e-9, 1 - exact[0]), 3),
        "decode_ms": _median_and_p95(times),
    }


def measure_false_wins(seeds: Iterable[int], hard: float, kind: str) -> dict[str, float]:
    """Misread labels on hands that do not win: how often the decoder makes them win.

    Hands that wait are laid in every style amid clutter, so that a stray tile may be taken for the winning one.
    """
    found = _read_with_errors(seeds, hard, kind, None if kind == "wait" else PLAIN)
    made = [decoded.wins and (bool(decoded.repairs) or kind == "wait") for _, _, decoded, _, _ in found]
    return {"wins_made": round(float(np.mean(made)), 5)}


def main(hands: int = 400) -> None:
    found = measure_layouts(range(hands))
    result = {"layouts": found.pop("by") | found}
    many = range(3 * hands)  # rare events need more hands
    for hard in HARD_CROPS:
        result[f"labels, {hard:.0%} hard crops"] = measure_labels(many, hard)
        for kind in ("near", "wait", "junk"):
            result[f"false wins, {kind}, {hard:.0%} hard crops"] = measure_false_wins(many, hard, kind)
    for name, figures in result.items():
        print(f"\n{name}")
        for key, value in figures.items():
            print(f"  {key:28} {value}")


if __name__ == "__main__":
    typer.run(main)
