"""A reading asks its device, whenever that answers."""

from __future__ import annotations

import asyncio
import inspect
import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from vision.device import ScoredQuad, finish
from vision.geometry import rescale_quad
from vision.io.photo import Photo
from vision.onnx_device import OnnxCrops, OnnxDevice, OnnxPhoto, OnnxView
from vision.pipeline import TileReader
from vision.reader import PhotoReader

PHOTO = Path(__file__).resolve().parents[2] / "examples" / "hand-riichi.jpg"


class Later:
    """A device, or something on it, that answers later, as a browser's does."""

    def __init__(self, real: object) -> None:
        self._real = real

    def __getattr__(self, name: str) -> Any:
        asked = getattr(self._real, name)
        if not inspect.iscoroutinefunction(asked):
            return asked

        async def ask(*given: object) -> object:
            await asyncio.sleep(0)
            answer = await asked(*given)
            return Later(answer) if isinstance(answer, OnnxPhoto | OnnxView | OnnxCrops) else answer

        return ask


def test_a_device_that_answers_later_gives_the_same_reading(reader: TileReader) -> None:
    device: Any = Later(reader.device)
    photo: Any = Later(reader.device.open(Photo(PHOTO)))
    with ThreadPoolExecutor(1) as thread:  # a browser of other tests may have an event loop in this one
        late = thread.submit(asyncio.run, PhotoReader(device).read(photo, "riichi")).result().to_json("a.jpg")
    at_once = reader.read(PHOTO, rules="riichi").to_json("a.jpg")
    assert late | {"timings_ms": {}} == at_once | {"timings_ms": {}}
    with pytest.raises(RuntimeError, match="await the reading"):
        finish(PhotoReader(device).read(photo))


def test_what_a_device_raises_ends_the_reading(reader: TileReader) -> None:
    """As one does that is asked for another photo meanwhile."""

    class Gone(Later):
        async def view(self, _: int) -> object:
            raise InterruptedError

    photo: Any = Gone(reader.device.open(Photo(PHOTO)))
    with pytest.raises(InterruptedError):
        finish(PhotoReader(reader.device).read(photo))


class KnowingView(OnnxView):
    """A detector of another kind, without network and cells: it knows where the tiles of the photo lie."""

    async def detect(self, window: tuple[int, int, int, int], width: int, height: int) -> list[ScoredQuad]:
        truth = json.loads(PHOTO.with_suffix(".json").read_text())
        left, top, right, bottom = window
        found = []
        for tile in truth["tiles"]:
            a, b, c, d = tile["corners"]
            quad = rescale_quad((a, b, c, d), (self.width / truth["width"], self.height / truth["height"]))
            by = width / (right - left), height / (bottom - top)
            found.append(ScoredQuad(rescale_quad(quad, by, (-left, -top)), 0.95, 0.01))
        return found


class KnowingPhoto(OnnxPhoto):
    async def view(self, side: int) -> OnnxView:
        return KnowingView(self.device, (await super().view(side)).pixels)


def test_a_detector_of_another_kind_only_gives_quads(reader: TileReader) -> None:
    device = OnnxDevice()
    del device.models["detector"]
    read = finish(PhotoReader(device).read(KnowingPhoto(device, Photo(PHOTO)), "riichi"))
    shipped = reader.read(PHOTO, rules="riichi")
    assert read.hand == shipped.hand and {s.located for s in read.tiles} == {0.95}
