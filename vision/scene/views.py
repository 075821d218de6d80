"""A photo -> its detections: quads found, cut out and classified.

Where hardly a face with dark print shows, the photo's negative is searched as well.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Final, TypeAlias

from vision.classify.classifier import classify
from vision.detect.detector import search_photo
from vision.detect.scales import VIEW_SIDE_PX, plan_view
from vision.device import DevicePhoto, rows_of
from vision.geometry import rescale_quad
from vision.metadata import Columns, Metadata
from vision.reading import SURE
from vision.scene.detections import Detection, Detections

Clock: TypeAlias = dict[str, float]
"""Milliseconds by stage of one reading."""
MAX_DETECTIONS: Final = 400
"""Most detections that are classified, the surest first: well above the 152 tiles of the largest set on a table."""


@contextmanager
def time_stage(stage: str, clock: Clock) -> Iterator[None]:
    """Add the time that the block takes to a stage."""
    start = time.perf_counter()
    try:
        yield
    finally:
        clock[stage] = clock.get(stage, 0.0) + 1e3 * (time.perf_counter() - start)


async def detect(photo: DevicePhoto, networks: Metadata, clock: Clock, *, thorough: bool = True) -> list[Detections]:
    """The detections in a photo and, where they show hardly a face with dark print, those in its negative as well.

    Black and dark tiles with light print look like others in the negative. Unless ``thorough``, neither it nor other
    sizes are tried: a picture without a tile takes four times as long otherwise.
    """
    first = await _search_and_classify(photo, networks, clock, thorough=thorough)
    if not thorough or _weigh_print(first, networks.classifier.columns) >= 1:
        return [first]
    with time_stage("decode", clock):
        negative = await photo.negative(VIEW_SIDE_PX)
    second = await _search_and_classify(negative, networks, clock, thorough=False)
    by = photo.width / negative.width, photo.height / negative.height
    found = [replace(one, quad=rescale_quad(one.quad, by)) for one in second.found]
    return [first, Detections(found, second.crops, photo.width, photo.height, negative=True)]


def _weigh_print(seen: Detections, columns: Columns) -> float:
    """How much print the detections show: the number of sure printed faces times their share of what was found.

    Only print that is darker than its tile counts: of light print the negative may tell more.
    """
    dark = 0
    for one in seen.found:
        best = max(one.probabilities)
        dark += best >= SURE and one.probabilities.index(best) not in columns.blank and one.darker >= 0
    return dark * dark / max(len(seen), 1)


async def _search_and_classify(photo: DevicePhoto, networks: Metadata, clock: Clock, *, thorough: bool) -> Detections:
    """What one search finds, and what the classifier makes of it."""
    with time_stage("decode", clock):
        await photo.view(VIEW_SIDE_PX)
    with time_stage("find", clock):
        found = (await search_photo(photo, networks.detector.tile_px, thorough=thorough))[:MAX_DETECTIONS]
    of, quads = networks.classifier, [one.quad for one in found]
    with time_stage("decode", clock):
        view = await photo.view(plan_view(quads, photo.width, photo.height, of.crop[0]))
    with time_stage("classify", clock):
        by = view.width / photo.width, view.height / photo.height
        corners = [side for quad in quads for corner in rescale_quad(quad, by) for side in corner]
        crops = await view.crop(corners, of.crop, of.margin)
        read = await classify(crops, len(quads), networks)
        colours, prints = rows_of(await crops.colours(), len(quads)), rows_of(await crops.prints(), len(quads))
    seen = [
        Detection(*one, *said, colour, *measured)
        for one, said, colour, measured in zip(found, read, colours, prints, strict=True)
    ]
    return Detections(seen, crops, photo.width, photo.height)
