"""Hands and arms in the picture: they hide tiles and throw soft shadows."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from datasets.noise import grain

Picture = npt.NDArray[np.uint8]

SKINS = np.array(
    [(255, 224, 196), (240, 200, 168), (224, 172, 138), (198, 140, 104), (150, 100, 72), (96, 62, 46)], np.float32
)


def _hand_capsules(rng: np.random.Generator, reach: float) -> npt.NDArray[np.float64]:
    """(n, 6) capsules x0 y0 x1 y1 r0 r1 of a hand whose fingers point along +x, the palm's middle at the origin."""
    bones = []
    spread, bend = rng.uniform(0.05, 0.2), rng.uniform(0.6, 1.0)
    for k in range(4):
        a = (k - 1.5) * spread
        x, y = 0.42, (k - 1.5) * 0.22
        long = (0.75, 0.9, 0.86, 0.68)[k] * bend
        mid = (x + long * 0.55 * np.cos(a), y + long * 0.55 * np.sin(a))
        a2 = a + rng.normal(0, 0.15)
        tip = (mid[0] + long * 0.5 * np.cos(a2), mid[1] + long * 0.5 * np.sin(a2))
        bones += [(x - 0.2, y * 0.9, *mid, 0.13, 0.115), (*mid, *tip, 0.115, 0.09)]
    side = 1 if rng.random() < 0.5 else -1
    bones += [(-0.3, side * 0.3, 0.15, side * 0.62, 0.17, 0.14), (0.15, side * 0.62, 0.5, side * 0.6, 0.14, 0.11)]
    bones += [(-0.35, k * 0.2, 0.3, k * 0.24, 0.26, 0.22) for k in (-1, 0, 1)]
    bones += [(-0.5, 0, -4.0, rng.normal(0, 0.5), 0.3, 0.46)]
    return np.array(bones) * reach


def draw_hand(image: Picture, rng: np.random.Generator, unit: float) -> npt.NDArray[np.bool_]:
    """Paint a hand with its arm into a picture; returns the mask of what it hides.

    Args:
        image: (h, w, 3) RGB, changed in place.
        unit: size of a tile width in pixels; a palm is about three of them.
    """
    h, w = image.shape[:2]
    q = 2  # computed at half size
    bones = _hand_capsules(rng, 3.4 * unit * rng.uniform(0.8, 1.3) / q)
    angle = rng.uniform(0, 2 * np.pi)
    at = np.array([rng.uniform(0, w), rng.uniform(0, h)]) / q
    c, s = np.cos(angle), np.sin(angle)
    ys, xs = np.mgrid[0 : -(-h // q), 0 : -(-w // q)].astype(np.float32)
    height = np.zeros_like(xs)
    for x0, y0, x1, y1, r0, r1 in bones:
        a = np.array([c * x0 - s * y0, s * x0 + c * y0]) + at
        d = np.array([c * x1 - s * y1, s * x1 + c * y1]) + at - a
        low, high = np.minimum(a, a + d) - max(r0, r1), np.maximum(a, a + d) + max(r0, r1)
        i0, j0 = max(0, int(low[1])), max(0, int(low[0]))
        i1, j1 = min(xs.shape[0], int(high[1]) + 2), min(xs.shape[1], int(high[0]) + 2)
        if i1 <= i0 or j1 <= j0:
            continue
        px, py = xs[i0:i1, j0:j1] - a[0], ys[i0:i1, j0:j1] - a[1]
        t = np.clip((px * d[0] + py * d[1]) / max(1e-6, float(d @ d)), 0, 1)
        r = r0 + (r1 - r0) * t
        far = (px - t * d[0]) ** 2 + (py - t * d[1]) ** 2
        bump = np.sqrt(np.maximum(r * r - far, 0))
        height[i0:i1, j0:j1] = np.maximum(height[i0:i1, j0:j1], bump)
    if not height.any():
        return np.zeros((h, w), bool)
    smooth = cv2.GaussianBlur(height, (0, 0), max(0.6, 0.03 * unit))
    gx, gy = cv2.Sobel(smooth, cv2.CV_32F, 1, 0, scale=0.125), cv2.Sobel(smooth, cv2.CV_32F, 0, 1, scale=0.125)
    lamp = rng.normal(0, 0.5, 2)
    shade = (1.0 - lamp[0] * gx - lamp[1] * gy) / np.sqrt(1 + gx * gx + gy * gy)
    skin = SKINS[int(rng.integers(len(SKINS)))] * rng.uniform(0.85, 1.05)
    if rng.random() < 0.25:  # a sleeve
        along = (xs - at[0]) * c + (ys - at[1]) * s
        cut = along < -1.0 * 3.4 * unit / q
        tone = np.where(cut[..., None], rng.uniform(20, 230, 3).astype(np.float32), skin)
    else:
        tone = np.broadcast_to(skin, (*xs.shape, 3))
    picture = (
        tone * np.clip(0.35 + 0.65 * shade, 0.15, 1.2)[..., None] + grain(rng, xs.shape[0], xs.shape[1], sigma=2) * 3
    )
    large = cv2.resize(np.clip(picture, 0, 255).astype(np.uint8), (xs.shape[1] * q, xs.shape[0] * q))[:h, :w]
    edge = cv2.resize(np.clip(height / 1.2, 0, 1), (xs.shape[1] * q, xs.shape[0] * q))[:h, :w]
    dark = cv2.GaussianBlur((edge > 0.5).astype(np.float32), (0, 0), max(1.0, 0.35 * unit))
    image[:] = cv2.multiply(image, cv2.merge([1 - 0.45 * dark] * 3), dtype=cv2.CV_8U)
    alpha = edge[..., None]
    image[:] = (image * (1 - alpha) + large * alpha).astype(np.uint8)
    return np.asarray(edge > 0.5)
