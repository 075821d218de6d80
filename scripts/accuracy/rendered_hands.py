"""Rendered hands read by the installed models: what the whole chain gets right, before and after decoding.

Used by ``scripts/accuracy/layout.py --rendered N``. Each hand is read twice: with its true quads and labels (layout
alone, through another camera than the benchmark's own), and from the pixels.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment

from datasets.scenes.scene import LEAST_FACING, Scene, random_look, render_table, tiles_of
from datasets.tables.hands import RULES, Dealt, deal
from datasets.tables.layouts import Placed, any_style, lay
from datasets.tables.marks import mark
from datasets.tables.views import View, true_sightings
from scoring.tiles import BACK_KIND, TILES
from vision.hand import read_hand
from vision.pipeline import Eyes
from vision.reading import FloatArray, SeenHand, Sighting

NEAR = 0.5
"""A sighting is of the tile whose centre is nearest, if within this share of the tile's size."""


def rendered_hand(seed: int) -> tuple[Dealt, Scene]:
    """A random hand, laid, rendered; the seed decides everything."""
    rng = np.random.default_rng([seed, 9])
    dealt = deal(rng, RULES[seed % len(RULES)])
    how = any_style(rng, dealt)
    look = random_look(rng)
    look = replace(look, tiles=tiles_of(look, seed))
    assert look.tiles is not None
    placed = lay(rng, dealt, how, (look.tiles.height, look.tiles.depth))
    if any(p.standing for p in placed):  # standing faces are seen from low down
        look = replace(look, tilt=float(rng.uniform(42, 70)), azimuth=look.azimuth * 0.6)
    return dealt, render_table(placed, look, seed, rules=dealt.rules)


def true_view(scene: Scene) -> View:
    """The tiles of a scene that can be read, with their true quads."""
    height, width = scene.image.shape[:2]
    painted = scene.painted
    centre = painted.quads.mean(axis=1)
    shown = (painted.facing >= LEAST_FACING) & (painted.visible >= 0.5) & np.isfinite(painted.quads).all(axis=(1, 2))
    inside = ((centre > 0) & (centre < [width, height])).all(axis=1)
    kept = np.flatnonzero(shown & inside)
    placed = [scene.placed[i] for i in kept]
    down = [replace(p, tile=TILES[-1]) if painted.backs[i] else p for i, p in zip(kept, placed, strict=True)]
    return View(width, height, painted.quads[kept], tuple(down))


def matched(seen: View, sightings: list[Sighting]) -> View:
    """The truth of each sighting: the tile it is of, or an "other" tile where it is of none."""
    none = Placed(TILES[-1], 0.0, 0.0, 0.0, "other", 99)
    truth = [none] * len(sightings)
    if len(seen.placed) and sightings:
        size = np.sqrt(np.abs(_area(seen.quads)))
        apart = np.linalg.norm(seen.quads.mean(axis=1)[:, None] - np.array([s.centre for s in sightings])[None], axis=2)
        for i, j in zip(*linear_sum_assignment(apart), strict=True):
            if apart[i, j] < NEAR * size[i]:
                truth[int(j)] = seen.placed[int(i)]
    quads = np.array([s.corners for s in sightings], np.float32).reshape(-1, 4, 2)
    return View(seen.width, seen.height, quads, tuple(truth))


def _area(quads: FloatArray) -> FloatArray:
    a, b = quads[:, 2] - quads[:, 0], quads[:, 3] - quads[:, 1]
    return np.asarray((a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]) / 2, np.float32)


def _codes(hand: SeenHand) -> list[str]:
    """Every tile of a hand."""
    won = (hand.winning_tile,) if hand.winning_tile else ()
    return sorted(t.code for t in (*hand.concealed, *won, *(t for m in hand.melds for t in m.tiles)))


def _dealt_codes(dealt: Dealt, truth: View) -> list[str]:
    """Every tile of a dealt hand but for kongs that lie wholly face-down."""
    won = (dealt.winning,) if dealt.winning else ()
    hidden = {
        n
        for n in range(1, len(dealt.melds) + 1)
        if all(p.tile.kind == BACK_KIND for p in truth.placed if p.role == "meld" and p.group == n)
    }
    shown = (t for n, m in enumerate(dealt.melds, 1) if n not in hidden for t in m.tiles)
    return sorted(t.code for t in (*dealt.concealed, *won, *shown))


def rendered(seeds: Iterable[int]) -> dict[str, Any]:
    """Figures over the rendered hands of these seeds."""
    eyes = Eyes()
    count: Counter[str] = Counter()
    wrong = []
    for seed in seeds:
        dealt, scene = rendered_hand(seed)
        truth = true_view(scene)
        given = true_sightings(truth)
        marks = mark(dealt, truth, read_hand(given, truth.width, truth.height, dealt.rules)[1])
        count.update(n=1, layout=marks.right)
        sightings = eyes.look(scene.image)
        seen = matched(truth, sightings)
        of_hand = [p for p in truth.placed if p.role in ("concealed", "winning", "meld") and p.tile.kind != BACK_KIND]
        found = Counter(id(p) for p in seen.placed)
        named = sum(s.tile is p.tile for s, p in zip(sightings, seen.placed, strict=True) if p.role != "other")
        complete = all(found[id(p)] for p in of_hand)
        right = complete and all(
            s.tile is p.tile
            for s, p in zip(sightings, seen.placed, strict=True)
            if p.role in ("concealed", "winning", "meld") and p.tile.kind != BACK_KIND
        )
        _, decoded = read_hand(sightings, truth.width, truth.height, dealt.rules)
        read = mark(dealt, seen, decoded)
        count.update(tiles=len(of_hand), located=sum(found[id(p)] > 0 for p in of_hand), named=named)
        after = decoded.hand is not None and _codes(decoded.hand) == _dealt_codes(dealt, truth)
        count.update(complete=complete, before=right, after=after, roles=read.roles, right=read.right)
        if not read.right:
            wrong.append({"seed": seed, "complete": complete, "labels": right, "faults": read.faults[:3]})
    n = count["n"]
    return {
        "hands": n,
        "layout_right_with_true_labels": round(count["layout"] / n, 4),
        "tiles_of_hands_located": round(count["located"] / count["tiles"], 4),
        "hands_located_whole": round(count["complete"] / n, 4),
        "hand_exact_before": round(count["before"] / n, 4),
        "hand_exact_after": round(count["after"] / n, 4),
        "roles_right": round(count["roles"] / n, 4),
        "all_right_bonus_and_indicators_too": round(count["right"] / n, 4),
        "errors_lifted": round((count["after"] - count["before"]) / max(1, n - count["before"]), 3),
        "wrong": wrong,
    }
