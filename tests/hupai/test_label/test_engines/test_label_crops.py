"""Crops of what a worker saw in a picture's negative."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from hupai.label.engines.labeller import DecodedImage, Labeller
from hupai.label.engines.pictures import LabelOptions
from vision.io.photo import Photo
from vision.models.opencv import invert_lightness

PHOTO = Path(__file__).resolve().parents[4] / "examples" / "hand-riichi.jpg"


def test_crops_of_black_tiles_are_black() -> None:
    """They are labels' crops, to teach with: as the photo shows them."""
    light, black = dict[str, bytes](), dict[str, bytes]()
    pixels = Photo(PHOTO).pixels
    for crops, shown in ((light, pixels), (black, invert_lightness(pixels))):
        list(Labeller(LabelOptions(), crops.__setitem__).label([DecodedImage("a.jpg", Photo(shown), "", "")]))
    tones = [np.mean([Photo(png).pixels.mean() for png in crops.values()]) for crops in (light, black)]
    assert len(light) == len(black) > 0 and tones[1] < 120 < tones[0]
