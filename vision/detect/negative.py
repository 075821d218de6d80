"""Black, dark or wooden tiles with light print: in the photo's negative they look like ordinary tiles."""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import ImageArray


def invert_lightness(image: ImageArray) -> ImageArray:
    """An (h, w, 3) uint8 RGB picture with its lightness (CIELAB) inverted; hues are kept."""
    lab = cv2.cvtColor(np.ascontiguousarray(image), cv2.COLOR_RGB2LAB)
    lab[..., 0] = 255 - lab[..., 0]
    return np.asarray(cv2.cvtColor(lab, cv2.COLOR_LAB2RGB), np.uint8)
