"""Pictures of things that fool a tile detector: keyboards, bricks, drawers, text, cards, dominoes, dice, lettering.

Each comes with the quads of its tile-like cells, in pixels of the picture. They teach the classifier what is not a
tile.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from datasets.noise import clouds, grain
from datasets.objects.lettering import lay_ink, random_line, strange_character
from datasets.objects.surfaces import random_colour

Picture = npt.NDArray[np.uint8]
Quads = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class LookAlike:
    """A flat picture (h, w, 3) RGB and its cells (n, 4, 2)."""

    picture: Picture
    cells: Quads


def _corners(x0: float, y0: float, x1: float, y1: float) -> list[list[float]]:
    """The corners of an upright cell, clockwise from its top-left."""
    return [[x0, y0], [x1, y0], [x1, y1], [x0, y1]]


def as_one_cell(picture: Picture) -> LookAlike:
    """A picture that is one cell."""
    h, w = picture.shape[:2]
    return LookAlike(picture, np.array([_corners(0, 0, w, h)], np.float32))


def _contrasting_ink(rng: np.random.Generator, ground: npt.NDArray[np.float32]) -> tuple[float, ...]:
    """A colour that shows on ``ground``."""
    low, high = (0.02, 0.5) if ground.mean() > 120 else (0.6, 1)
    c = 255 - ground if rng.random() < 0.5 else random_colour(rng, low, high)
    return tuple(float(v) for v in np.clip(c, 0, 255))


def _draw_cell(rng: np.random.Generator, h: int, w: int, ground: npt.NDArray[np.float32], mark: str) -> Picture:
    cell = np.full((h, w, 3), np.clip(ground * rng.uniform(0.93, 1.07), 0, 255), np.float32)
    cell *= np.linspace(rng.uniform(0.8, 1), rng.uniform(1, 1.2), h, dtype=np.float32)[:, None, None]
    u = np.ascontiguousarray(np.clip(cell, 0, 255).astype(np.uint8))
    ink = _contrasting_ink(rng, ground)
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
    ground = random_colour(rng, 0.05, 0.9)
    tone = (
        random_colour(rng, 0.1, 1.0)
        if rng.random() < 0.65
        else np.float32(rng.uniform(190, 250)) * np.array([1, 0.98, 0.95])
    )
    mark = str(rng.choice(["none", "letter", "lines", "panel", "dots", "knob"], p=[0.32, 0.28, 0.08, 0.14, 0.1, 0.08]))
    sheet = np.full((rows * (h + gap) + gap, columns * (w + gap) + gap, 3), ground.astype(np.uint8))
    kinds = [_draw_cell(rng, h, w, tone.astype(np.float32), mark) for _ in range(6)]
    radius = int(rng.integers(0, max(1, min(w, h) // 2 - 1)))
    mask = _rounded_mask(h, w, radius)
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
            cells.append(_corners(x, y, x + w, y + h))
    return LookAlike(sheet, _short_first(np.array(cells, np.float32)))


def _rounded_mask(h: int, w: int, r: int) -> npt.NDArray[np.uint8]:
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
    image = np.full((h, w, 3), ground.astype(np.uint8))
    ink = _contrasting_ink(rng, ground)
    step = int(rng.integers(7, 22))
    cells = []
    for y in range(step, h - step, step):
        if rng.random() < 0.1:
            continue
        text = "".join(chr(int(c)) for c in rng.integers(33, 123, int(w / step * 1.6)))
        text = text[: int(rng.integers(3, len(text) + 1))]
        cv2.putText(image, text, (step, y), int(rng.integers(0, 8)), step / 32, ink, 1, cv2.LINE_AA)
    for _ in range(int(rng.integers(0, 4))):
        x, y = int(rng.integers(0, w - 40)), int(rng.integers(0, h - 50))
        x1, y1 = x + int(rng.integers(20, 60)), y + int(rng.integers(20, 80))
        tone = tuple(float(v) for v in random_colour(rng))
        cv2.rectangle(image, (x, y), (x1, y1), tone, -1 if rng.random() < 0.6 else 2)
        cells.append(_corners(x, y, x1, y1))
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
        image[:] = random_colour(rng).astype(np.uint8)
        cv2.rectangle(image, (6, 6), (w - 7, h - 7), (240, 240, 240), 3)
    else:
        image[:] = random_colour(rng).astype(np.uint8)
        digits = "".join(chr(int(c)) for c in rng.integers(48, 58, 8))
        shown = _contrasting_ink(rng, image[0, 0].astype(np.float32))
        cv2.putText(image, digits, (6, 80), 0, 0.6, shown, 1, cv2.LINE_AA)
        cv2.rectangle(image, (12, 20), (40, 42), (220, 190, 90), -1)
    return as_one_cell(image)


def domino(rng: np.random.Generator, dark: bool | None = None) -> LookAlike:
    """A domino: pips like dots, a bar across; of any kind, a dark one, or a pale one with dark pips."""
    h, w = 120, 60
    given, dark = dark is not None, rng.random() < 0.5 if dark is None else dark
    image = np.full((h, w, 3), 30 if dark else 240, np.uint8)
    ink = (240, 240, 235) if dark else (24, 24, 28) if given else tuple(map(float, random_colour(rng, 0.0, 0.5)))
    cv2.line(image, (6, h // 2), (w - 6, h // 2), ink, 2)
    for y0 in (0, h // 2):
        for k in rng.permutation(7)[: int(rng.integers(0, 7))]:
            x, y = ((15, 15), (45, 15), (15, 30), (45, 30), (15, 45), (45, 45), (30, 30))[int(k)]
            cv2.circle(image, (x, y0 + y), 5, ink, -1, cv2.LINE_AA)
    return as_one_cell(image)


@dataclass(frozen=True, slots=True)
class DieStyle:
    """What the sides of one die share: RGB ground, inks of the pips and of a lone or four pips, sizes in 60ths."""

    ground: tuple[float, ...]
    ink: tuple[float, ...]
    accent: tuple[float, ...]
    wide: float
    radius: int
    lone: int
    marked: bool


def random_die_style(rng: np.random.Generator) -> DieStyle:
    """How one die is made: mostly white with dark pips and a red one, or marked for the dealer."""
    base = np.array([250, 250, 245], np.float32) * np.float32(rng.uniform(0.8, 1))
    ground = base if rng.random() < 0.8 else random_colour(rng)
    red = (float(rng.uniform(150, 230)), 30.0, 30.0)
    ink = _contrasting_ink(rng, ground)
    return DieStyle(
        ground=tuple(float(v) for v in ground),
        ink=ink,
        accent=red if rng.random() < 0.6 else ink,
        wide=float(rng.uniform(13, 17)),
        radius=int(rng.integers(5, 8)),
        lone=int(rng.integers(6, 14)),
        marked=bool(rng.random() < 0.35),
    )


def die(rng: np.random.Generator, style: DieStyle | None = None) -> LookAlike:
    """A side of a die: pips, or the mark of the dealer."""
    n = 60
    style = style or random_die_style(rng)
    image = np.full((n, n, 3), np.array(style.ground).astype(np.uint8))
    if style.marked and rng.random() < 0.6:
        k = int(rng.integers(5, 16))
        ink = (200.0, 30.0, 30.0) if rng.random() < 0.7 else (24.0, 24.0, 28.0)
        print_mask(image, strange_character(rng), (k, k, n - k, n - k), ink)
    else:
        pips = int(rng.integers(1, 7))
        radius = style.lone if pips == 1 else style.radius
        for spot in {1: "e", 2: "ai", 3: "aei", 4: "acgi", 5: "acegi", 6: "acdfgi"}[pips]:
            k = "abcdefghi".index(spot)
            at = (round(n / 2 + style.wide * (k % 3 - 1)), round(n / 2 + style.wide * (k // 3 - 1)))
            cv2.circle(image, at, radius, style.accent if pips in (1, 4) else style.ink, -1, cv2.LINE_AA)
    return as_one_cell(image)


def print_mask(image: Picture, mask: Picture, at: tuple[int, int, int, int], ink: tuple[float, ...]) -> None:
    """Print a mask in one ink into the box (x0, y0, x1, y1) of an RGB picture."""
    x0, y0, x1, y1 = at
    how = cv2.INTER_AREA if mask.shape[1] > x1 - x0 else cv2.INTER_LINEAR
    lay_ink(image[y0:y1, x0:x1], np.asarray(cv2.resize(mask, (x1 - x0, y1 - y0), interpolation=how), np.uint8), ink)


def mat(rng: np.random.Generator) -> LookAlike:
    """A border or mat with a character in every square, chequered or not, as on table cloths for mahjong."""
    n, rows, columns = 44, int(rng.integers(1, 5)), int(rng.integers(3, 13))
    pale = np.float32(rng.uniform(170, 250)) * np.array([1, rng.uniform(0.95, 1), rng.uniform(0.9, 1)], np.float32)
    dark = random_colour(rng, 0.0, 0.4) if rng.random() < 0.7 else random_colour(rng)
    image = np.full((rows * n, columns * n, 3), dark.astype(np.uint8))
    # Every second square, or squares apart on a plain cloth.
    apart = int(rng.integers(1, 6)) if rng.random() < 0.35 else 0
    cells = []
    for r in range(rows):
        for c in range(columns):
            light = bool(apart) or (r + c) % 2 == 0
            y, x = r * n, c * n
            ground = (pale if light else dark).astype(np.uint8)
            image[y + apart : y + n - apart, x + apart : x + n - apart] = ground
            ink = tuple(float(v) for v in (dark if light else pale))
            print_mask(image, strange_character(rng), (x + 6, y + 6, x + n - 6, y + n - 6), ink)
            cells.append(_corners(x, y, x + n, y + n))
    return LookAlike(image, np.array(cells, np.float32))


def banner(rng: np.random.Generator) -> LookAlike:
    """A line of large characters: on a rack, a sticker, a box, a sign."""
    count, n = int(rng.integers(1, 9)), 48
    white = rng.random() < 0.5
    ground = np.full(3, rng.uniform(200, 252), np.float32) if white else random_colour(rng, 0.05, 0.95)
    image = np.full((n + 16, count * n + 16, 3), ground.astype(np.uint8))
    ink = (float(rng.uniform(120, 220)), 40.0, 50.0) if rng.random() < 0.35 else _contrasting_ink(rng, ground)
    print_mask(image, random_line(rng, count), (8, 8, 8 + count * n, 8 + n), ink)
    cells = [_corners(8 + i * n, 4, 8 + (i + 1) * n, n + 12) for i in range(count)]
    return LookAlike(image, np.array(cells, np.float32))


def plate(rng: np.random.Generator) -> LookAlike:
    """A marker of the dealer or the wind: a character within a frame, on a plate or a disc."""
    w, h = 60, int(rng.integers(60, 84))
    rim = random_colour(rng, 0.1, 0.9)
    inner = np.clip(np.array([235, 235, 230], np.float32) * np.float32(rng.uniform(0.85, 1.05)), 0, 255)
    image = np.full((h, w, 3), rim.astype(np.uint8))
    k = int(rng.integers(8, 15))
    fill = tuple(float(v) for v in inner)
    if rng.random() < 0.3:
        cv2.ellipse(image, (w // 2, h // 2), (w // 2 - k // 2, h // 2 - k // 2), 0, 0, 360, fill, -1, cv2.LINE_AA)
    else:
        cv2.rectangle(image, (k, k), (w - 1 - k, h - 1 - k), fill, -1)
    ink = (float(rng.uniform(140, 220)), 30.0, 40.0) if rng.random() < 0.5 else _contrasting_ink(rng, inner)
    print_mask(image, strange_character(rng), (k + 4, (h - w) // 2 + k + 4, w - k - 4, h - (h - w) // 2 - k - 4), ink)
    return as_one_cell(image)


def screen(rng: np.random.Generator) -> LookAlike:
    """A phone or tablet: icons on a bright ground in a dark frame."""
    h, w = 240, 120
    image = np.full((h, w, 3), 14, np.uint8)
    image[12:-12, 6:-6] = np.clip(random_colour(rng, 0.2, 1) + clouds(rng, h - 24, w - 12, 3) * 25, 0, 255).astype(
        np.uint8
    )
    cells = []
    for r in range(5):
        for c in range(3):
            x, y = 16 + c * 32, 26 + r * 40
            cv2.rectangle(image, (x, y), (x + 22, y + 22), tuple(float(v) for v in random_colour(rng)), -1)
            cells.append(_corners(x, y, x + 22, y + 22))
    return LookAlike(image, np.array(cells, np.float32))


def plain(rng: np.random.Generator) -> LookAlike:
    """A bare rectangle: eraser, box lid, note, stone, cabinet door; dark ones most of all."""
    h, w = int(rng.integers(60, 200)), 100
    base = random_colour(rng, 0.03, 0.45) if rng.random() < 0.55 else random_colour(rng, 0.3, 1)
    image = base + clouds(rng, h, w) * rng.uniform(0, 10) + grain(rng, h, w) * rng.uniform(0, 6)
    image = np.clip(image * np.linspace(rng.uniform(0.8, 1.1), rng.uniform(0.9, 1.2), w)[None, :, None], 0, 255)
    picture = np.ascontiguousarray(image.astype(np.uint8))
    if rng.random() < 0.3:
        cv2.rectangle(picture, (4, 4), (w - 5, h - 5), _contrasting_ink(rng, base), int(rng.integers(1, 4)))
    return LookAlike(picture, _short_first(np.array([_corners(0, 0, w, h)], np.float32)))


KINDS: Final[dict[str, tuple[Callable[[np.random.Generator], LookAlike], float]]] = {
    "lattice": (lattice, 0.26), "plain": (plain, 0.16), "page": (page, 0.12), "card": (card, 0.06),
    "domino": (domino, 0.06), "die": (die, 0.08), "screen": (screen, 0.06), "mat": (mat, 0.08),
    "banner": (banner, 0.08), "plate": (plate, 0.04),
}  # fmt: skip


def look_alike(rng: np.random.Generator, kind: str | None = None) -> LookAlike:
    """A look-alike of a random or the named kind."""
    kind = kind or str(rng.choice(list(KINDS), p=[share for _, share in KINDS.values()]))
    return KINDS[kind][0](rng)
