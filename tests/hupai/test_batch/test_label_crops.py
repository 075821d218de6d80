"""How often a worker looks at a picture, and crops of what was seen in its negative."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hupai.batch.engines.labeller import DecodedImage, Labeller, LabelOptions
from vision.detect.negative import invert_lightness
from vision.io.photo import Photo
from vision.scene import Detections, detect_augmented

PHOTO = Path(__file__).resolve().parents[3] / "examples" / "hand-riichi.jpg"


def test_crops_of_black_tiles_are_black() -> None:
    """They are labels' crops, to teach with: as the photo shows them."""
    light, black = dict[str, bytes](), dict[str, bytes]()
    pixels = Photo(PHOTO).pixels
    for crops, shown in ((light, pixels), (black, invert_lightness(pixels))):
        list(Labeller(LabelOptions(), crops.__setitem__).label([DecodedImage("a.jpg", Photo(shown), "", "")]))
    tones = [np.mean([Photo(png).pixels.mean() for png in crops.values()]) for crops in (light, black)]
    assert len(light) == len(black) > 0 and tones[1] < 120 < tones[0]


@pytest.mark.parametrize("once", [False, True])
def test_a_picture_in_doubt_is_looked_at_twice_but_with_once(
    once: bool, lone_back: np.ndarray, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[Detections] = []

    def again(photo: Photo, first: Detections, *networks: Any) -> Detections:
        looked.append(first)
        return detect_augmented(photo, first, *networks)

    monkeypatch.setattr("vision.pipeline.detect_augmented", again)
    (record,) = Labeller(LabelOptions(once=once)).label([DecodedImage("a.jpg", Photo(lone_back), "", "")])
    assert record.error is None and len(looked) == (0 if once else 1)
