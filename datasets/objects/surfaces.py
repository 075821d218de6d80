"""The look of tables, mats and cloths: square textures, RGB uint8, to be laid on a plane."""

from __future__ import annotations

import colorsys
from collections.abc import Callable
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from datasets.noise import clouds, grain

Picture = npt.NDArray[np.uint8]
Colour = npt.NDArray[np.float32]


def random_colour(rng: np.random.Generator, low: float = 0.1, high: float = 0.95) -> Colour:
    """A random RGB colour of value ``low`` to ``high``, not too garish."""
    rgb = colorsys.hsv_to_rgb(rng.random(), rng.random() ** 1.4 * 0.9, rng.uniform(low, high))
    return np.array(rgb, np.float32) * 255


def _pick_colour(rng: np.random.Generator, *choices: tuple[int, int, int]) -> Colour:
    base = np.array(choices[int(rng.integers(len(choices)))], np.float32)
    varied = base * rng.uniform(0.75, 1.2) + rng.normal(0, 6, 3)
    return np.asarray(np.clip(varied, 0, 255), np.float32)


def _to_picture(image: npt.NDArray[np.float32]) -> Picture:
    return np.ascontiguousarray(np.clip(image, 0, 255).astype(np.uint8))


def felt(rng: np.random.Generator, n: int) -> Picture:
    """The cloth of an automatic table: fine fibres, slightly blotched."""
    base = _pick_colour(
        rng, (28, 104, 62), (22, 84, 58), (36, 60, 110), (120, 34, 44), (40, 44, 52), (60, 130, 70), (150, 130, 100)
    )
    image = base + clouds(rng, n, n) * rng.uniform(1, 4) + grain(rng, n, n) * rng.uniform(2, 8)
    image = image + grain(rng, n, n, sigma=2) * rng.uniform(0, 5)
    return _to_picture(image)


def mat(rng: np.random.Generator, n: int) -> Picture:
    """A woven rubber or plastic mat: a small regular relief."""
    base = _pick_colour(rng, (40, 140, 60), (180, 90, 90), (50, 70, 60), (70, 80, 120), (30, 30, 34), (196, 120, 112))
    pitch = max(3, n // int(rng.integers(60, 160)))
    y, x = np.mgrid[0:n, 0:n].astype(np.float32)
    weave = np.sin(2 * np.pi * (x + y) / pitch) * np.sin(2 * np.pi * (x - y) / pitch)
    image = base + weave[..., None] * rng.uniform(3, 16) + clouds(rng, n, n) * 4 + grain(rng, n, n) * 3
    return _to_picture(image)


def wood(rng: np.random.Generator, n: int) -> Picture:
    """Boards: growth rings, streaks and pores along the grain."""
    base = _pick_colour(
        rng, (176, 128, 80), (140, 92, 54), (104, 66, 42), (205, 170, 125), (78, 52, 38), (186, 146, 96)
    )
    if rng.random() < 0.15:
        base = base.mean() + (base - base.mean()) * np.float32(0.2)

    def along(rows: int, zoom: float) -> npt.NDArray[np.float32]:
        thin = np.ascontiguousarray(clouds(rng, max(3, rows), n, zoom=zoom))
        return np.asarray(cv2.resize(thin, (n, n), interpolation=cv2.INTER_CUBIC), np.float32)

    x = np.arange(n, dtype=np.float32)[None] / n
    rings = np.sin(2 * np.pi * (x * float(rng.uniform(5, 22)) + 0.55 * along(n // 160, 3.0)))
    streaks = along(n // 64, 1.0)
    white = np.ascontiguousarray(grain(rng, n, n, sigma=0.8)[..., 0])
    pores = np.minimum(np.asarray(cv2.blur(white, (1, max(9, n // 36))), np.float32) * 6, 0)
    shade = 1 + 0.05 * rng.uniform(0.3, 1.4) * rings + 0.05 * streaks + 0.045 * pores
    image = base * shade[..., None].astype(np.float32) + clouds(rng, n, n) * 2
    if rng.random() < 0.6:
        boards = int(rng.integers(2, 6))
        for k in range(boards):
            x0, x1 = k * n // boards, (k + 1) * n // boards
            image[:, x0:x1] = np.roll(image[:, x0:x1], int(rng.integers(n)), axis=0) * np.float32(
                rng.uniform(0.9, 1.08)
            )
            image[:, x0 : x0 + max(1, n // 500)] *= 0.5
    return _to_picture(image.transpose(1, 0, 2) if rng.random() < 0.5 else image)


def cloth(rng: np.random.Generator, n: int) -> Picture:
    """A table cloth or towel: stripes, checks or plain, with folds of light."""
    first, second = random_colour(rng, 0.3, 0.98), random_colour(rng)
    y, x = np.mgrid[0:n, 0:n]
    count = int(rng.integers(3, 30))
    kind = rng.integers(4)
    stripe = (x * count // n) % 2
    if kind == 1:
        stripe = (stripe + (y * count // n) % 2) % 2
    elif kind == 2:
        stripe = ((x * count // n) % 4 == 0).astype(int)
    elif kind == 3:
        stripe = np.zeros_like(stripe)
    image = np.where(stripe[..., None] > 0, second, first).astype(np.float32)
    image = image * (1 + 0.08 * clouds(rng, n, n, zoom=2)) + grain(rng, n, n) * 5
    return _to_picture(image)


def paper(rng: np.random.Generator, n: int) -> Picture:
    """A light desk, paper or plastic board."""
    base = np.full(3, rng.uniform(170, 248), np.float32) + rng.uniform(-14, 12, 3).astype(np.float32)
    return _to_picture(base + clouds(rng, n, n) * rng.uniform(0.5, 4) + grain(rng, n, n) * rng.uniform(0.5, 4))


def stone(rng: np.random.Generator, n: int) -> Picture:
    """Granite, marble or terrazzo."""
    base = random_colour(rng, 0.2, 0.95)
    base = base.mean() + (base - base.mean()) * np.float32(0.35)
    image = np.broadcast_to(base, (n, n, 3)).astype(np.float32)
    for _ in range(int(rng.integers(2, 5))):
        size = float(rng.choice([2.0, 4.0, 12.0, 0.0]))
        f = grain(rng, n, n, sigma=size) if size else clouds(rng, n, n)
        speck = np.clip(base * rng.uniform(0.4, 1.6) + rng.normal(0, 12, 3), 0, 255).astype(np.float32)
        image = image + (speck - image) * np.clip((f - rng.uniform(0.3, 1.5)) * 4, 0, 1)
    return _to_picture(image + grain(rng, n, n) * 4)


def slate(rng: np.random.Generator, n: int) -> Picture:
    """A cutting mat or board with a printed grid."""
    base = _pick_colour(rng, (30, 70, 66), (50, 90, 60), (60, 60, 66), (24, 40, 70))
    image = base + grain(rng, n, n) * 4 + clouds(rng, n, n) * 3
    step = max(8, n // int(rng.integers(10, 40)))
    ink = np.clip(base + rng.uniform(20, 70), 0, 255)
    width = max(1, n // 700)
    for k in range(0, n, step):
        image[k : k + width] = ink
        image[:, k : k + width] = ink
    return _to_picture(image)


def tatami(rng: np.random.Generator, n: int) -> Picture:
    """Straw matting: fine ribs one way, threads the other."""
    base = _pick_colour(rng, (176, 160, 108), (150, 142, 96), (190, 176, 140))
    pitch = max(3, n // int(rng.integers(90, 200)))
    y, x = np.mgrid[0:n, 0:n].astype(np.float32)
    ribs = np.sin(2 * np.pi * y / pitch) + 0.25 * np.sin(2 * np.pi * x / (pitch * 7))
    image = base * (1 + 0.09 * ribs[..., None]) + clouds(rng, n, n) * 4 + grain(rng, n, n) * 6
    return _to_picture(image)


def carpet(rng: np.random.Generator, n: int) -> Picture:
    """A rug: coarse fluff."""
    base = random_colour(rng, 0.15, 0.8)
    fluff = grain(rng, n, n, sigma=4) * 16 + grain(rng, n, n, sigma=2) * 12 + grain(rng, n, n) * 8
    return _to_picture(base + fluff * rng.uniform(0.5, 1.3))


SURFACES: Final[dict[str, tuple[Callable[[np.random.Generator, int], Picture], float]]] = {
    "felt": (felt, 0.28), "mat": (mat, 0.12), "wood": (wood, 0.2), "cloth": (cloth, 0.1), "paper": (paper, 0.1),
    "stone": (stone, 0.06), "slate": (slate, 0.05), "tatami": (tatami, 0.03), "carpet": (carpet, 0.06),
}  # fmt: skip
"""Every surface with how often it is drawn."""


def surface(rng: np.random.Generator, n: int, kind: str | None = None) -> Picture:
    """A texture of ``n`` x ``n`` pixels, of a random or the named kind."""
    if kind is None:
        kind = str(rng.choice(list(SURFACES), p=[share for _, share in SURFACES.values()]))
    return SURFACES[kind][0](rng, n)
