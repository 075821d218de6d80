"""A rendered photo of a hand of three players: three norths set aside, two pungs."""

from __future__ import annotations

import numpy as np

from datasets.scenes.scene import SceneLook, render_hand
from datasets.tables.layouts import Style
from vision.arrays import ImageArray

MELDS = [("pung", "333s", "left"), ("pung", "222z", "left")]


def hand_of_three() -> ImageArray:
    """99m456p77z and 7z won, 333s and 222z claimed from the left, 444z set aside; (720, 960, 3) uint8 RGB."""
    how = Style(hand="row", winning="right", bonus="front_left", melds="right", turned=True)
    look = SceneLook(size=(960, 720), tilt=30, azimuth=5)
    laid = render_hand("99m456p77z", "7z", MELDS, bonus="444z", seed=5, layout=how, look=look, rules="riichi")
    return np.asarray(laid.image, np.uint8)
