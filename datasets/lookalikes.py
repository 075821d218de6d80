"""Pictures of things that fool a tile finder: keyboards, bricks, drawers, bead mats, text, cards, dominoes, dice.

Each comes with the quads of its cells, in pixels of the picture, which teach the classifier what is no tile.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from datasets.noise import clouds, grain
from datasets.surfaces import colour

Picture = npt.NDArray[np.uint8]
Quads = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class LookAlike:
    """A flat picture (h, w, 3) RGB and its cells (n, 4, 2)."""

    picture: Picture
    cells: Quads


def _ink(rng: np.random.Generator, ground: npt.NDArray[np.float32]) -> tuple[float, ...]:
    """A colour that shows on ``ground``."""
    c = 255 - ground if rng.random() < 0.5 else colour(rng, 0.02, 0.5) if ground.mean() > 120 else colour(rng, 0.6, 1)
    return tuple(float(v) for v in np.clip(c, 0, 255))


def _cell(rng: np.random.Generator, h: int, w: int, ground: npt.NDArray[np.float32], mark: str) -> Picture:
    cell = np.empty((h, w, 3), np.float32)
    cell[:] = np.clip(ground * rng.uniform(0.93, 1.07), 0, 255)
    cell *= np.linspace(rng.uniform(0.8, 1), rng.uniform(1, 1.2), h, dtype=np.float32)[:, None, None]
    u = np.ascontiguousarray(np.clip(cell, 0, 255).astype(np.uint8))
    ink = _ink(rng, ground)
    if mark == "letter":
        for _ in range(int(rng.integers(1, 3))):
            at = (int(rng.integers(1, max(2, w // 2))), int(rng.integers(h // 2, h)))
            text = chr(int(rng.integers(33, 91)))
            cv2.putText(u, text, at, int(rng.integers(0, 5)), h * rng.uniform(0.008, 0.022), ink, 1, cv2.LINE_AA)
    elif mark == "lines":
        for _ in range(int(rng.integers(1, 6))):
            p = rng.integers(0, [w, h, w, h])
            cv2.line(u, (int(p[0]), int(p[1])), (int(p[2]), int(p[3])), ink, 1, cv2.LINE_AA)
    elif mark == "panel":
        k = max(2, w // 8)
        cv2.rectangle(u, (k, k), (w - 1 - k, h - 1 - k), ink, max(1, w // 30), cv2.LINE_AA)
    elif mark == "knob":
        cv2.circle(u, (int(w * rng.choice([0.15, 0.5, 0.85])), h // 2), max(2, w // 12), ink, -1, cv2.LINE_AA)
    elif mark == "dots":
        for _ in range(int(rng.integers(1, 10))):
            at = (int(rng.integers(3, w - 3)), int(rng.integers(3, h - 3)))
            cv2.circle(u, at, max(1, int(w * rng.uniform(0.03, 0.14))), ink, -1, cv2.LINE_AA)
    return u


def lattice(rng: np.random.Generator) -> LookAlike:
    """Regular cells: keys, bricks, drawers, floor tiles, windows, beads, buttons."""
    columns, rows = int(rng.integers(2, 15)), int(rng.integers(1, 12))
    w = 40
    h = int(np.clip(w * np.exp(rng.uniform(np.log(0.45), np.log(2.2))), 16, 90))
    gap = int(rng.integers(0, 9))
    ground = colour(rng, 0.05, 0.9)
    tone = (
        colour(rng, 0.1, 1.0) if rng.random() < 0.65 else np.float32(rng.uniform(190, 250)) * np.array([1, 0.98, 0.95])
    )
    mark = str(rng.choice(["none", "letter", "lines", "panel", "dots", "knob"], p=[0.32, 0.28, 0.08, 0.14, 0.1, 0.08]))
    sheet = np.empty((rows * (h + gap) + gap, columns * (w + gap) + gap, 3), np.uint8)
    sheet[:] = ground.astype(np.uint8)
    kinds = [_cell(rng, h, w, tone.astype(np.float32), mark) for _ in range(6)]
    radius = int(rng.integers(0, max(1, min(w, h) // 2 - 1)))
    mask = _rounded(h, w, radius)
    shifted = bool(rng.random() < 0.25)
    cells = []
    for r in range(rows):
        for c in range(columns):
            x, y = gap + c * (w + gap), gap + r * (h + gap)
            if shifted and r % 2:
                x = min(x + w // 2, sheet.shape[1] - w)
            if rng.random() < 0.03:
                continue
            region = sheet[y : y + h, x : x + w]
            kind = kinds[int(rng.integers(6))]
            region[:] = np.where(mask[..., None] > 127, kind, region)
            cells.append([[x, y], [x + w, y], [x + w, y + h], [x, y + h]])
    return LookAlike(sheet, _short_first(np.array(cells, np.float32)))


def _rounded(h: int, w: int, r: int) -> npt.NDArray[np.uint8]:
    mask = np.zeros((h, w), np.uint8)
    cv2.rectangle(mask, (r, 0), (w - 1 - r, h - 1), 255, -1)
    cv2.rectangle(mask, (0, r), (w - 1, h - 1 - r), 255, -1)
    for x in (r, w - 1 - r):
        for y in (r, h - 1 - r):
            cv2.circle(mask, (x, y), r, 255, -1)
    return mask


def _short_first(cells: Quads) -> Quads:
    """Start every quad at a short edge."""
    cells = cells.reshape(-1, 4, 2)
    wide = np.linalg.norm(cells[:, 1] - cells[:, 0], axis=1) > np.linalg.norm(cells[:, 2] - cells[:, 1], axis=1)
    return np.where(wide[:, None, None], np.roll(cells, 1, axis=1), cells).astype(np.float32)


def page(rng: np.random.Generator) -> LookAlike:
    """Printed matter: lines of text, headings, a picture box."""
    h, w = int(rng.integers(120, 400)), int(rng.integers(100, 300))
    ground = np.float32(rng.uniform(215, 255)) * np.array([1, rng.uniform(0.95, 1), rng.uniform(0.85, 1)], np.float32)
    image = np.empty((h, w, 3), np.uint8)
    image[:] = ground.astype(np.uint8)
    ink = _ink(rng, ground)
    step = int(rng.integers(7, 22))
    cells = []
    for y in range(step, h - step, step):
        if rng.random() < 0.1:
            continue
        text = "".join(chr(int(c)) for c in rng.integers(33, 123, int(w / step * 1.6)))
        cv2.putText(
            image,
            text[: int(rng.integers(3, len(text) + 1))],
            (step, y),
            int(rng.integers(0, 8)),
            step / 32,
            ink,
            1,
            cv2.LINE_AA,
        )
    for _ in range(int(rng.integers(0, 4))):
        x, y = int(rng.integers(0, w - 40)), int(rng.integers(0, h - 50))
        x1, y1 = x + int(rng.integers(20, 60)), y + int(rng.integers(20, 80))
        tone = tuple(float(v) for v in colour(rng))
        cv2.rectangle(image, (x, y), (x1, y1), tone, -1 if rng.random() < 0.6 else 2)
        cells.append([[x, y], [x1, y], [x1, y1], [x, y1]])
    return LookAlike(image, _short_first(np.array(cells, np.float32)))


def card(rng: np.random.Generator) -> LookAlike:
    """A playing card or a bank card, face or back."""
    h, w = 140, 100
    image = np.full((h, w, 3), 245, np.uint8)
    ink = (190, 30, 40) if rng.random() < 0.5 else (20, 20, 24)
    kind = rng.integers(3)
    if kind == 0:
        sign = str(rng.choice(list("A23456789JQK")))
        cv2.putText(image, sign, (5, 24), 0, 0.8, ink, 2, cv2.LINE_AA)
        image[::-1, ::-1][:30, :30] = image[:30, :30].copy()
        n = int(rng.integers(1, 10))
        for k in range(n):
            at = (
                int(w * (0.3 if k % 2 else 0.7)) if n > 1 else w // 2,
                int(h * (0.2 + 0.6 * (k // 2) / max(1, (n - 1) // 2))),
            )
            cv2.circle(image, at, 9, ink, -1, cv2.LINE_AA)
            cv2.fillConvexPoly(
                image, np.array([[at[0] - 9, at[1]], [at[0] + 9, at[1]], [at[0], at[1] + 14]]), ink, cv2.LINE_AA
            )
    elif kind == 1:
        image[:] = colour(rng).astype(np.uint8)
        cv2.rectangle(image, (6, 6), (w - 7, h - 7), (240, 240, 240), 3)
    else:
        image[:] = colour(rng).astype(np.uint8)
        cv2.putText(
            image,
            "".join(chr(int(c)) for c in rng.integers(48, 58, 8)),
            (6, 80),
            0,
            0.6,
            _ink(rng, image[0, 0].astype(np.float32)),
            1,
            cv2.LINE_AA,
        )
        cv2.rectangle(image, (12, 20), (40, 42), (220, 190, 90), -1)
    return LookAlike(image, np.array([[[0, 0], [w, 0], [w, h], [0, h]]], np.float32))


def domino(rng: np.random.Generator) -> LookAlike:
    """A domino: pips like dots, a bar across."""
    h, w = 120, 60
    dark = rng.random() < 0.5
    image = np.full((h, w, 3), 30 if dark else 240, np.uint8)
    ink = (240, 240, 235) if dark else tuple(float(v) for v in colour(rng, 0.0, 0.5))
    cv2.line(image, (6, h // 2), (w - 6, h // 2), ink, 2)
    for y0 in (0, h // 2):
        for k in rng.permutation(7)[: int(rng.integers(0, 7))]:
            x, y = ((15, 15), (45, 15), (15, 30), (45, 30), (15, 45), (45, 45), (30, 30))[int(k)]
            cv2.circle(image, (x, y0 + y), 5, ink, -1, cv2.LINE_AA)
    return LookAlike(image, np.array([[[0, 0], [w, 0], [w, h], [0, h]]], np.float32))


def die(rng: np.random.Generator) -> LookAlike:
    """The top of a die."""
    image = np.empty((60, 60, 3), np.uint8)
    image[:] = np.array([250, 250, 245] if rng.random() < 0.7 else colour(rng), np.float32).astype(np.uint8)
    n = int(rng.integers(1, 7))
    spots = {1: "e", 2: "ai", 3: "aei", 4: "acgi", 5: "acegi", 6: "acdfgi"}[n]
    ink = (200, 30, 30) if n in (1, 4) and rng.random() < 0.6 else _ink(rng, image[0, 0].astype(np.float32))
    for s in spots:
        k = "abcdefghi".index(s)
        cv2.circle(image, (14 + 16 * (k % 3), 14 + 16 * (k // 3)), 8 if n == 1 else 6, ink, -1, cv2.LINE_AA)
    return LookAlike(image, np.array([[[0, 0], [60, 0], [60, 60], [0, 60]]], np.float32))


def screen(rng: np.random.Generator) -> LookAlike:
    """A phone or tablet: icons on a bright ground in a dark frame."""
    h, w = 240, 120
    image = np.full((h, w, 3), 14, np.uint8)
    image[12:-12, 6:-6] = np.clip(colour(rng, 0.2, 1) + clouds(rng, h - 24, w - 12, 3) * 25, 0, 255).astype(np.uint8)
    cells = []
    for r in range(5):
        for c in range(3):
            x, y = 16 + c * 32, 26 + r * 40
            cv2.rectangle(image, (x, y), (x + 22, y + 22), tuple(float(v) for v in colour(rng)), -1)
            cells.append([[x, y], [x + 22, y], [x + 22, y + 22], [x, y + 22]])
    return LookAlike(image, np.array(cells, np.float32))


def plain(rng: np.random.Generator) -> LookAlike:
    """A bare rectangle: eraser, box lid, note, stone, cabinet door; dark ones most of all."""
    h, w = int(rng.integers(60, 200)), 100
    base = colour(rng, 0.03, 0.45) if rng.random() < 0.55 else colour(rng, 0.3, 1)
    image = base + clouds(rng, h, w) * rng.uniform(0, 10) + grain(rng, h, w) * rng.uniform(0, 6)
    image = np.clip(image * np.linspace(rng.uniform(0.8, 1.1), rng.uniform(0.9, 1.2), w)[None, :, None], 0, 255)
    picture = np.ascontiguousarray(image.astype(np.uint8))
    if rng.random() < 0.3:
        cv2.rectangle(picture, (4, 4), (w - 5, h - 5), _ink(rng, base), int(rng.integers(1, 4)))
    return LookAlike(picture, _short_first(np.array([[[0, 0], [w, 0], [w, h], [0, h]]], np.float32)))


KINDS: Final[dict[str, tuple[Callable[[np.random.Generator], LookAlike], float]]] = {
    "lattice": (lattice, 0.34), "plain": (plain, 0.2), "page": (page, 0.14), "card": (card, 0.08),
    "domino": (domino, 0.07), "die": (die, 0.07), "screen": (screen, 0.1),
}  # fmt: skip


def look_alike(rng: np.random.Generator, kind: str | None = None) -> LookAlike:
    """A look-alike of a random or the named kind."""
    kind = kind or str(rng.choice(list(KINDS), p=[share for _, share in KINDS.values()]))
    return KINDS[kind][0](rng)
