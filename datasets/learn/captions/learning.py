"""How the glyphs in corners are learnt, and then weighed with the whole face."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from datasets.learn.captions.lettered import GlyphMasks, set_glyphs
from datasets.learn.captions.net import CaptionedNet, CornerNet, corners
from datasets.learn.nets import MEAN, STD, prepare

SMOOTHING: Final = 0.03
MIX_STEPS: Final = 2500
"""Steps in which only the weighing learns; they take seconds."""
DOUBT: Final = 0.3
"""Standard deviation of the noise added to a corner's log probabilities meanwhile."""


@dataclass(frozen=True, slots=True)
class BonusCrops:
    """Single bonus tiles: (n, 96, 64, 3) uint8 crops, a classifier's logits (n, answers), the right answers (n,)."""

    crops: Tensor
    whole: Tensor
    answers: Tensor


def learn_glyphs(bare: Tensor, glyphs: GlyphMasks, minutes: float, seed: int, say: Callable[[str], None]) -> CornerNet:
    """Train the network that reads corners.

    Args:
        bare: (n, 96, 64, 3) uint8 crops of bonus tiles without captions.
        minutes: of processor time.
    """
    torch.manual_seed(seed)
    net = CornerNet().to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    chance, step, shown, right = torch.Generator().manual_seed(seed), 0, 0.0, 0.0
    places = corners(bare.permute(0, 3, 1, 2).float() / 255).flatten(0, 1)
    places = torch.cat([places, places.flip(3)])
    mean, deviation = (torch.tensor(v)[:, None, None] for v in (MEAN, STD))
    optimiser = torch.optim.AdamW(net.parameters(), weight_decay=0.02)
    began = time.process_time()
    while (done := (time.process_time() - began) / 60 / minutes) < 1:
        some = places[torch.randint(len(places), (128,), generator=chance)]
        pictures, kinds = set_glyphs(some, glyphs, chance)
        pictures = ((pictures - mean) / deviation).contiguous(memory_format=torch.channels_last)
        with torch.autocast("cpu", torch.bfloat16):
            logits = net(pictures).float()
        _step(optimiser, F.cross_entropy(logits, kinds, label_smoothing=SMOOTHING), _learning_rate(3e-3, step, done))
        step, right = step + 1, 0.98 * right + 0.02 * float((logits.argmax(1) == kinds).float().mean())
        if done - shown > 0.1:
            shown = done
            say(f"{step} steps, {right / (1 - 0.98**step):.1%} of corners right")
    return net.eval()


def learn_weights(net: CaptionedNet, faces: BonusCrops, minutes: float, seed: int) -> None:
    """Teach the weighing, then corners and weighing together for some minutes of processor time."""
    chance = torch.Generator().manual_seed(seed)
    torch.manual_seed(seed)
    for module in net.corner.modules():
        if isinstance(module, nn.BatchNorm2d):
            module.eval()
    glyphs = glyphs_of(net, faces.crops)
    optimiser = torch.optim.AdamW([*net.mix.parameters(), net.trust], weight_decay=0.05)
    for step in range(MIX_STEPS):
        rows = torch.randint(len(glyphs), (256,), generator=chance)
        doubted = glyphs[rows] + DOUBT * torch.randn(256, *glyphs.shape[1:], generator=chance)
        loss = F.cross_entropy(net.weigh(doubted, faces.whole[rows]), faces.answers[rows], label_smoothing=SMOOTHING)
        _step(optimiser, loss, _learning_rate(2e-3, step, step / MIX_STEPS))
    optimiser, step, began = torch.optim.AdamW(net.parameters(), weight_decay=0.05), 0, time.process_time()
    while (done := (time.process_time() - began) / 60 / max(minutes, 1e-9)) < 1:
        rows = torch.randint(len(glyphs), (96,), generator=chance)
        light, tint = torch.randn(96, 1, 1, 1, generator=chance), torch.randn(96, 3, 1, 1, generator=chance)
        x = prepare(faces.crops[rows]) * (1 + 0.1 * light) + 0.1 * tint
        loss = F.cross_entropy(net(x, faces.whole[rows]), faces.answers[rows], label_smoothing=SMOOTHING)
        _step(optimiser, loss, _learning_rate(6e-4, step, done))
        step += 1
    net.eval()


@torch.no_grad()
def glyphs_of(net: CaptionedNet, crops: Tensor) -> Tensor:
    """Log probabilities (n, 4, glyphs) of the glyphs in the corners of uint8 crops."""
    corner = net.corner.training
    net.corner.eval()
    found = torch.cat([net.glyphs(prepare(crops[k : k + 128])) for k in range(0, len(crops), 128)])
    net.corner.train(corner)
    return found


@torch.no_grad()
def logits_of(net: CaptionedNet, faces: BonusCrops) -> Tensor:
    """The joined network's logits (n, answers)."""
    return net.eval().weigh(glyphs_of(net, faces.crops), faces.whole)


def _learning_rate(most: float, step: int, done: float) -> float:
    return most * min(1.0, (step + 1) / 50) * (0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * min(1.0, done))))


def _step(optimiser: torch.optim.Optimizer, loss: Tensor, rate: float) -> None:
    for group in optimiser.param_groups:
        group["lr"] = rate
    optimiser.zero_grad(set_to_none=True)
    loss.backward()  # type: ignore[no-untyped-call]
    optimiser.step()
