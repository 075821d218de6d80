"""Crops of what a worker saw in a picture."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from hupai.label.engines.labeller import DecodedImage, Labeller, box_of, cut_crops
from hupai.label.engines.pictures import LabelOptions
from hupai.label.records import Record
from vision.io.photo import Photo
from vision.models.opencv import invert_lightness
from vision.pipeline import TileReader

PHOTO = Path(__file__).resolve().parents[4] / "examples" / "hand-riichi.jpg"


def test_crops_of_black_tiles_are_black() -> None:
    """They are labels' crops, to teach with: as the photo shows them."""
    light, black = dict[str, bytes](), dict[str, bytes]()
    pixels = Photo(PHOTO).pixels
    for crops, shown in ((light, pixels), (black, invert_lightness(pixels))):
        list(Labeller(LabelOptions(), crops.__setitem__).label([DecodedImage("a.jpg", Photo(shown), "", "")]))
    tones = [np.mean([Photo(png).pixels.mean() for png in crops.values()]) for crops in (light, black)]
    assert len(light) == len(black) > 0 and tones[1] < 120 < tones[0]


def test_each_tile_has_its_own_crop_where_others_were_seen_between() -> None:
    photo = Photo(PHOTO)
    seen, sightings = TileReader(threads=1).detect(photo)
    every, some = (
        [png for _, png in cut_crops(Record("a.jpg", 1, 1, tuple(map(box_of, kept))), kept, seen)]
        for kept in (sightings, sightings[1::3])
    )
    assert some == every[1::3] and len(set(every)) == len(every)
