"""Orientations of a picture: mirrored or not, turned by quarters."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.reading import FloatArray, ImageArray


@dataclass(frozen=True, slots=True)
class Orientation:
    """How a picture is turned before it is searched.

    Attributes:
        mirrored: left and right are exchanged first.
        quarters: clockwise quarter turns after that, 0 to 3.

    Raises:
        ValueError: other quarter turns.
    """

    mirrored: bool = False
    quarters: int = 0

    def __post_init__(self) -> None:
        if self.quarters not in range(4):
            raise ValueError(f"quarters must be 0 to 3, not {self.quarters}")

    def apply(self, image: ImageArray) -> ImageArray:
        """An (h, w, 3) picture in this orientation."""
        return np.ascontiguousarray(np.rot90(image[:, ::-1] if self.mirrored else image, -self.quarters))

    def undo(self, quads: FloatArray, width: int, height: int) -> FloatArray:
        """(n, 4, 2) quads found in this orientation, in pixels of the picture as it was, of this size; clockwise."""
        x, y = quads[..., 0], quads[..., 1]
        right, down = width - 1, height - 1
        x, y = ((x, y), (y, down - x), (right - x, down - y), (right - y, x))[self.quarters]
        if self.mirrored:
            x, y = (right - x)[:, [1, 0, 3, 2]], y[:, [1, 0, 3, 2]]
        return np.ascontiguousarray(np.stack([x, y], axis=-1), np.float32)


AS_IT_IS = Orientation()
