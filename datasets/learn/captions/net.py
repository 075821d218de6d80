"""What is written in the corners of a flower, season or animal, read by itself and weighed with the whole face.

A caption takes up a fiftieth of a crop, and a network for whole faces learns it last. The network for corners sees
nothing else.
"""

from __future__ import annotations

from typing import Final

import torch
from torch import Tensor, nn
from torch.nn import functional as F

CROP: Final = (64, 96)
"""Width and height of the crops whose corners are read."""
CORNER: Final = (36, 32)
"""Rows and columns of a corner."""
GLYPHS: Final = ("", *"1234", *"一二三四", *"春夏秋冬", *"梅蘭菊竹", *"貓鼠雞蜈", "other")
"""What stands in a corner: nothing, a digit, a numeral, a season, a flower, an animal, another character."""


def corners(x: Tensor) -> Tensor:
    """(n, c, 96, 64) -> (n, 4, c, 36, 32): the upper corners, then the lower ones rotated by 180 degrees to be read."""
    h, w = CORNER
    parts = [y[:, :, :h, left : left + w] for y in (x, x.flip(2, 3)) for left in (0, CROP[0] - w)]
    return torch.stack(parts, 1)


def _layer(inputs: int, outputs: int, stride: int) -> nn.Sequential:
    conv = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
    return nn.Sequential(conv, nn.BatchNorm2d(outputs), nn.ReLU())


class CornerNet(nn.Module):
    """Corners -> glyph logits."""

    def __init__(self) -> None:
        super().__init__()
        a, b, c = 20, 40, 80
        layers = (_layer(3, a, 2), _layer(a, b, 1), _layer(b, b, 2), _layer(b, c, 1), _layer(c, c, 1))
        self.features = nn.Sequential(*layers, nn.MaxPool2d(2, ceil_mode=True))
        self.hidden = nn.Linear(c * 5 * 4, 96)
        self.glyph = nn.Linear(96, len(GLYPHS))

    def forward(self, x: Tensor) -> Tensor:
        """(n, 3, 36, 32) prepared -> (n, glyphs)."""
        y = F.relu(self.hidden(self.features(x).flatten(1)))
        logits: Tensor = self.glyph(F.dropout(y, 0.1, self.training))
        return logits


class CaptionedNet(nn.Module):
    """The logits of a classifier of whole faces for bonus tiles, corrected by what stands in the corners."""

    def __init__(self, corner: CornerNet, answers: int) -> None:
        super().__init__()
        self.corner = corner
        last = nn.Linear(128, answers)
        self.mix = nn.Sequential(nn.Linear(answers + 4 * len(GLYPHS), 128), nn.ReLU(), last)
        self.trust = nn.Parameter(torch.ones(1))
        nn.init.zeros_(last.weight)
        nn.init.zeros_(last.bias)

    def glyphs(self, x: Tensor) -> Tensor:
        """Prepared crops (n, 3, 96, 64) -> log probabilities (n, 4, glyphs)."""
        each = self.corner(corners(x).flatten(0, 1))
        return each.reshape(-1, 4, len(GLYPHS)).log_softmax(2)

    def weigh(self, glyphs: Tensor, whole: Tensor) -> Tensor:
        """Log probabilities of glyphs (n, 4, glyphs) and the classifier's logits (n, answers) -> (n, answers)."""
        centred = whole - whole.mean(1, keepdim=True)
        answer: Tensor = self.trust * centred + self.mix(torch.cat([centred, glyphs.flatten(1)], 1))
        return answer

    def forward(self, x: Tensor, whole: Tensor) -> Tensor:
        """Prepared crops (n, 3, 96, 64) and the classifier's logits (n, answers) -> logits (n, answers)."""
        return self.weigh(self.glyphs(x), whole)
