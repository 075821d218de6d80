"""Crops of what was seen in a photo's negative."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from hupai.batch.engines.labeller import How, Labeller, Opened
from vision.detect.negative import negative
from vision.io.photo import Photo

PHOTO = Path(__file__).resolve().parents[3] / "examples" / "hand-riichi.jpg"


def test_crops_of_black_tiles_are_black() -> None:
    """They are labels' crops, to teach with: as the photo shows them."""
    light, black = dict[str, bytes](), dict[str, bytes]()
    pixels = Photo(PHOTO).pixels
    list(Labeller(How(), light.__setitem__).label([Opened("a.jpg", Photo(pixels), "", "")]))
    list(Labeller(How(), black.__setitem__).label([Opened("a.jpg", Photo(negative(pixels)), "", "")]))
    tones = [np.mean([Photo(png).pixels.mean() for png in crops.values()]) for crops in (light, black)]
    assert len(light) == len(black) > 0 and tones[1] < 120 < tones[0]
