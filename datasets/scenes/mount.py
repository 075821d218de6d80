"""How a camera over a table stands: firm, on a desk arm that trembles, swaying, hunting for focus."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from datasets.render.photo import Picture
from scoring.errors import HupaiError

REFERENCE_WIDTH_PX: Final = 1280
"""Picture width, in pixels, that a mount's moves refer to; other pictures are moved in proportion."""
SWING_SECONDS: Final = 1.7
"""Period of the slow swing."""


@dataclass(frozen=True, slots=True)
class Mount:
    """The motion of a camera by itself, each kind 0 by default.

    Attributes:
        jitter: standard deviation of a shake that is new in every frame, pixels each way; turned by as much at the
            picture's edge. sway: amplitude of a slow swing, pixels.
        breathing: share by which a focus that hunts makes the picture grow and shrink. drift: share by which the
            exposure wanders. rolling: standard deviation of the shift that grows from the first row read to the last.
    """

    jitter: float = 0.0
    sway: float = 0.0
    breathing: float = 0.0
    drift: float = 0.0
    rolling: float = 0.0

    def __post_init__(self) -> None:
        if min(self.jitter, self.sway, self.breathing, self.drift, self.rolling) < 0:
            raise HupaiError("a mount moves by 0 or more")

    @property
    def firm(self) -> bool:
        """Whether nothing moves at all."""
        return not any((self.jitter, self.sway, self.breathing, self.drift, self.rolling))

    def move(self, frame: Picture, time: float, rng: np.random.Generator) -> Picture:
        """The frame, (h, w, 3) uint8, as this camera takes it at ``time`` seconds."""
        h, w = frame.shape[:2]
        pixel = w / REFERENCE_WIDTH_PX
        turn, dx, dy, bend = rng.normal(0, 1, 4)
        swing = 2 * np.pi * time / SWING_SECONDS
        scale = 1 + self.breathing * np.sin(2.3 * swing + 1)
        move = cv2.getRotationMatrix2D((w / 2, h / 2), np.degrees(self.jitter * pixel * turn / (w / 2)), scale)
        move[0, 2] += pixel * (self.jitter * dx + self.sway * np.sin(swing))
        move[1, 2] += pixel * (self.jitter * dy + self.sway / 2 * np.cos(1.3 * swing))
        move[0, 1] += self.rolling * pixel * bend / h
        moved = cv2.warpAffine(frame, move, (w, h), borderMode=cv2.BORDER_REFLECT)
        return np.asarray(cv2.convertScaleAbs(moved, alpha=1 + self.drift * np.sin(0.7 * swing)), np.uint8)


FIRM: Final = Mount()
"""A camera that does not move."""
