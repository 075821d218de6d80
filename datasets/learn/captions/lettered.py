"""Corners with known glyphs set into them, as many kinds of camera would show them; made on the fly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

from datasets.faces.designs import Library
from datasets.faces.glyphs import Mask
from datasets.learn.captions.net import CORNER, GLYPHS

OTHERS: Final = "東南西北中發萬百"
"""Characters that sets for advertisements print in place of names."""
CELL_PX: Final = 32
EMPTY: Final = 0.15
"""Share of corners that get no glyph."""
INKS: Final = ((0.1, 0.1, 0.12), (0.72, 0.12, 0.15), (0.1, 0.4, 0.22), (0.14, 0.24, 0.6))
SMALL: Final = GLYPHS.index("四")
"""Digits and numerals, the first glyphs, are set smaller than names."""
REACH_PX: Final = 4
"""Half the side of a blur's kernel, pixels."""


@dataclass(frozen=True)
class GlyphMasks:
    """(n, 32, 32) masks, 0-1, each filling its square, and (n,) which of ``GLYPHS`` they are."""

    masks: Tensor
    kinds: Tensor

    @staticmethod
    def of(library: Library, each: int, seed: int) -> GlyphMasks:
        """The glyphs of every sheet, as they are, thicker and thinner; ``each`` random ones of every kind."""
        found: dict[int, list[Mask]] = {}
        for sheet in library.sheets.values():
            for kind, glyph in enumerate(GLYPHS[1:], 1):
                for char in OTHERS if glyph == "other" else glyph:
                    if char in sheet:
                        mask = _pad_flat(sheet[char], char)
                        found.setdefault(kind, []).extend(_resize_to_cell(mask, pixels) for pixels in (0, 3, -3))
        rng = np.random.default_rng(seed)
        kinds = sorted(found)
        chosen = [found[kind][i] for kind in kinds for i in rng.integers(len(found[kind]), size=each)]
        masks = torch.from_numpy(np.stack(chosen)).float() / 255
        return GlyphMasks(masks, torch.tensor(kinds).repeat_interleave(each))


def _pad_flat(mask: Mask, char: str) -> Mask:
    """The mask, padded if the glyph is flat or narrow, so that it is not stretched to a square."""
    h, w = mask.shape
    if char == "一":
        return np.pad(mask, ((w // 3, w // 3), (0, 0)))
    if char == "1":
        side = max(0, (h // 2 - w) // 2)
        return np.pad(mask, ((0, 0), (side, side)))
    return mask


def _resize_to_cell(mask: Mask, pixels: int) -> Mask:
    if pixels:
        kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (abs(pixels) + 1, abs(pixels) + 1))
        mask = np.asarray((cv2.dilate if pixels > 0 else cv2.erode)(mask, kernel), np.uint8)
    return np.asarray(cv2.resize(mask, (CELL_PX, CELL_PX), interpolation=cv2.INTER_AREA), np.uint8)


def set_glyphs(bare: Tensor, glyphs: GlyphMasks, chance: torch.Generator) -> tuple[Tensor, Tensor]:
    """Set glyphs into corners.

    Args:
        bare: (n, 3, 36, 32) corners of tiles without captions, 0-1.

    Returns:
        (n, 3, 36, 32) 0-1, and which of ``GLYPHS`` stands in each (n,).
    """
    n = len(bare)

    def uniform(low: float, high: float) -> Tensor:
        return low + (high - low) * torch.rand(n, generator=chance)

    def normal(*shape: int) -> Tensor:
        return torch.randn(n, *shape, generator=chance)

    which = torch.randint(len(glyphs.masks), (n,), generator=chance)
    kinds = torch.where(torch.rand(n, generator=chance) < EMPTY, 0, glyphs.kinds[which])
    small = glyphs.kinds[which] <= SMALL
    high = torch.where(small, uniform(9, 20), uniform(11, 22))
    wide = high * torch.where(small, uniform(0.55, 1.15), uniform(0.8, 1.25))
    place = uniform(2, 11) + wide / 2, uniform(3, 12) + high / 2
    grid = _sampling_grid(wide, high, place, 0.12 * normal(), 0.1 * normal())
    cover = F.grid_sample(glyphs.masks[which][:, None], grid, align_corners=False)
    cover = cover * (uniform(0.6, 1.0) * (kinds > 0))[:, None, None, None]
    body = bare.flatten(2)[:, :, ::3].quantile(0.7, dim=2)  # over all pixels it would take as long as the rest
    ink = torch.tensor(INKS)[torch.randint(len(INKS), (n,), generator=chance)] + 0.08 * normal(3)
    x = bare * (1 - cover) + (ink.clamp(0.02, 0.95) * body)[:, :, None, None] * cover
    x = blur_each(x, chance) * (1 + 0.15 * normal(1, 1, 1)) + 0.05 * normal(3, 1, 1)
    noise = normal(3, *CORNER) * uniform(0, 0.07)[:, None, None, None]
    return (x + noise).clamp(0, 1), kinds


def _sampling_grid(wide: Tensor, high: Tensor, middle: tuple[Tensor, Tensor], angle: Tensor, shear: Tensor) -> Tensor:
    """Where in its mask each pixel of a corner lies, as ``grid_sample`` takes it."""
    h, w = CORNER
    x, y = middle[0] / w * 2 - 1, middle[1] / h * 2 - 1
    across, down, c, s = w / wide, h / high, angle.cos(), angle.sin()
    rows = [across * c, across * (s + shear), -down * s, down * c]
    top = torch.stack([rows[0], rows[1], -rows[0] * x - rows[1] * y], 1)
    low = torch.stack([rows[2], rows[3], -rows[2] * x - rows[3] * y], 1)
    return F.affine_grid(torch.stack([top, low], 1), [len(wide), 1, h, w], align_corners=False)


def blur_each(x: Tensor, chance: torch.Generator) -> Tensor:
    """Each of (n, c, h, w) pictures with a blur of its own, many of them longer one way than the other."""
    n, channels, h, w = x.shape

    def uniform() -> Tensor:
        return torch.rand(n, 1, 1, generator=chance)

    long = 2.0 * uniform() ** 1.5 + 0.25
    short = torch.where(uniform() < 0.6, long, long * uniform() + 0.2)
    angle = torch.pi * uniform()
    at = torch.arange(-REACH_PX, REACH_PX + 1).float()
    down, right = at[:, None], at[None]
    u, v = right * angle.cos() + down * angle.sin(), down * angle.cos() - right * angle.sin()
    kernel = torch.exp(-0.5 * ((u / long) ** 2 + (v / short) ** 2))
    kernel = kernel / kernel.sum((1, 2), keepdim=True)
    weight = kernel.repeat_interleave(channels, 0)[:, None]
    padded = F.pad(x, (REACH_PX,) * 4, mode="replicate").reshape(1, n * channels, h + 2 * REACH_PX, w + 2 * REACH_PX)
    return F.conv2d(padded, weight, groups=n * channels).reshape(n, channels, h, w)
