"""Augmentation on the fly, on the device of the batch: it costs the processes that render scenes nothing."""

from __future__ import annotations

from typing import Final

import torch
from torch import Tensor
from torch.nn import functional as F

from datasets.learn.nets import MEAN, MULTIPLE, STD, STRIDE, prepare

OTHER_LIGHT: Final = 0.35
"""Share of the pictures that are under- or overexposed."""
GREY: Final = 0.12
"""Share of the pictures that lose their colour."""
NEGATIVE: Final = 0.15
"""Share of the crops whose lightness is turned over: black tiles with light print, of which there are few photos."""
LUMA: Final = (0.299, 0.587, 0.114)
"""Weights of red, green and blue in the lightness of ITU-R BT.601, which greyscale files keep."""
DetectorBatch = tuple[Tensor, Tensor, Tensor, Tensor]
"""uint8 pictures (n, s, s, 3), kernel (n, h, w) uint8, tile (n, h, w) int16, codes (n, rows, 10)."""


def mirror(batch: DetectorBatch, way: int) -> DetectorBatch:
    """One of the eight mirrorings and quarter turns of a whole batch; a mirrored face does not matter to the detector.

    Each of the three also swaps left and right of the tiles, so the keystone changes its sign.

    Args:
        way: bits: 1 mirrors left to right, 2 swaps the axes, 4 mirrors top to bottom.
    """
    pictures, kernel, tile, codes = batch
    codes = codes.clone()
    side = pictures.shape[1]
    empty = (codes.abs().sum(2, keepdim=True) == 0).expand_as(codes)
    if way & 1:
        pictures, kernel, tile = pictures.flip(2), kernel.flip(2), tile.flip(2)
        codes[..., 0] = side - 1 - codes[..., 0]
        codes[..., [3, 6, 8]] *= -1
        codes[..., 8:] *= -1
    if way & 2:
        pictures, kernel, tile = pictures.transpose(1, 2), kernel.transpose(1, 2), tile.transpose(1, 2)
        codes = codes[..., [1, 0, 4, 3, 2, 7, 6, 5, 9, 8]]
        codes[..., 8:] *= -1
    if way & 4:
        pictures, kernel, tile = pictures.flip(1), kernel.flip(1), tile.flip(1)
        codes[..., 1] = side - 1 - codes[..., 1]
        codes[..., [3, 6, 9]] *= -1
        codes[..., 8:] *= -1
    return pictures, kernel, tile, codes.masked_fill(empty, 0)


def resize(batch: DetectorBatch, side: int) -> DetectorBatch:
    """The batch at another side length, a multiple of 32: tiles of other sizes, and cheaper steps."""
    pictures, kernel, tile, codes = batch
    old = pictures.shape[1]
    if side == old:
        return batch
    if side % MULTIPLE:
        raise ValueError(f"{side} is not a multiple of {MULTIPLE}")
    scale = side / old
    planes = pictures.permute(0, 3, 1, 2).float()
    small = F.interpolate(planes, size=(side, side), mode="bilinear", antialias=scale < 1, align_corners=False)
    cells = side // STRIDE
    maps = torch.stack([kernel.float(), tile.float()], 1)
    maps = F.interpolate(maps, size=(cells, cells), mode="nearest-exact")
    codes = codes * scale
    shift = (scale - 1) / 2  # pixel centres are at integers
    known = codes.abs().sum(2) > 0
    codes = torch.cat([codes[..., :2] + shift * known[..., None], codes[..., 2:]], 2)
    pictures = small.clamp(0, 255).round().to(torch.uint8).permute(0, 2, 3, 1)
    return pictures, maps[:, 0].round().to(torch.uint8), maps[:, 1].round().to(torch.int16), codes


def recolour(x: Tensor, strength: float = 1.0) -> Tensor:
    """Random gain, tint and offset for every prepared picture (n, 3, h, w)."""
    n = len(x)
    gain = 1 + 0.14 * strength * torch.randn(n, 1, 1, 1, device=x.device)
    tint = 0.12 * strength * torch.randn(n, 3, 1, 1, device=x.device)
    shift = 0.25 * strength * torch.randn(n, 1, 1, 1, device=x.device)
    return x * gain + tint + shift


def vary_light(x: Tensor) -> Tensor:
    """Take the colour from some prepared pictures, and under- or overexpose some (cut off at black and white)."""
    n, device = len(x), x.device
    pixels = _to_pixels(x)
    gain = torch.empty(n, 1, 1, 1, device=device).uniform_(-1.0, 0.6).exp()
    offset = torch.empty(n, 1, 1, 1, device=device).uniform_(-0.05, 0.15)
    exposed, colourless = (torch.rand(n, 1, 1, 1, device=device) < share for share in (OTHER_LIGHT, GREY))
    pixels = torch.where(exposed, (pixels * gain + offset).clamp(0, 1), pixels)
    grey = (pixels * torch.tensor(LUMA, device=device).view(1, 3, 1, 1)).sum(1, keepdim=True)
    return _from_pixels(torch.where(colourless, grey.expand_as(pixels), pixels))


def negate(x: Tensor) -> Tensor:
    """Turn over the lightness of some prepared crops, as HSL has it: hue and chroma stay."""
    pixels = _to_pixels(x)
    turned = pixels + 1 - pixels.amax(1, keepdim=True) - pixels.amin(1, keepdim=True)
    chosen = torch.rand(len(x), 1, 1, 1, device=x.device) < NEGATIVE
    return torch.where(chosen, _from_pixels(turned), x)


def _to_pixels(x: Tensor) -> Tensor:
    """Prepared pictures (n, 3, h, w) -> RGB, 0-1."""
    return x * _per_channel(STD, x) + _per_channel(MEAN, x)


def _from_pixels(pixels: Tensor) -> Tensor:
    """The inverse of :func:`_to_pixels`."""
    return (pixels - _per_channel(MEAN, pixels)) / _per_channel(STD, pixels)


def _per_channel(values: tuple[float, ...], like: Tensor) -> Tensor:
    return torch.tensor(values, device=like.device).view(1, 3, 1, 1)


def roughen(x: Tensor) -> Tensor:
    """Prepared crops, some of them blurred, some made noisy."""
    n = len(x)
    blur = torch.rand(n, device=x.device) < 0.3
    soft = F.avg_pool2d(F.pad(x, (1, 1, 1, 1), mode="replicate"), 3, 1)
    x = torch.where(blur[:, None, None, None], soft, x)
    noisy = torch.rand(n, 1, 1, 1, device=x.device) < 0.35
    return x + torch.randn_like(x) * 0.3 * torch.rand(n, 1, 1, 1, device=x.device) * noisy


def imitate_photographs(pictures: Tensor, size: tuple[int, int], margin: float, strength: float = 0.0) -> Tensor:
    """Roomy uint8 crops (n, h, w, 3) of photographs, half as large again as their tiles -> crops for the classifier.

    Args:
        size: height and width wanted. margin: of the classifier.
        strength: how much they are moved, see :func:`wiggle`; at 0 they are cut as the application cuts.

    Returns:
        (n, 3, height, width) prepared.
    """
    return wiggle(prepare(pictures), size, 1.5 / (1 + margin), strength)


def wiggle(x: Tensor, size: tuple[int, int] | None = None, zoom: float = 1.0, strength: float = 1.0) -> Tensor:
    """A small random affine change of every prepared crop.

    Args:
        size: (height, width) of the result; as it was if None.
        zoom: above 1 cuts into the crop: the share of a roomy crop that is kept is 1 / zoom.
    """
    n, dev = len(x), x.device
    angle = 0.05 * strength * torch.randn(n, device=dev)
    scale = (1 + 0.04 * strength * torch.randn(n, 2, device=dev)) / zoom
    shear = 0.03 * strength * torch.randn(n, 2, device=dev)
    move = 0.04 * strength * torch.randn(n, 2, device=dev)
    aspect = 1.5
    c, s = angle.cos(), angle.sin()
    top = torch.stack([scale[:, 0] * c, -s * aspect / zoom + shear[:, 0], move[:, 0]], 1)
    low = torch.stack([s / aspect / zoom + shear[:, 1], scale[:, 1] * c, move[:, 1]], 1)
    shape = [n, x.shape[1], *(size or tuple(x.shape[2:]))]
    grid = F.affine_grid(torch.stack([top, low], 1), shape, align_corners=False)
    return F.grid_sample(x, grid, padding_mode="border", align_corners=False)
