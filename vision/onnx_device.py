"""A server as the device that :mod:`vision.device` describes: OpenCV for pixels, onnxruntime for the networks.

Nothing here waits: what a coroutine gives is there at once, and :func:`vision.device.finish` takes it.
"""

from __future__ import annotations

import contextlib
import ctypes
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from vision.arrays import FloatArray, ImageArray
from vision.detect.codes import Cells, read_cells
from vision.device import DeviceCrops, ScoredQuad
from vision.io.photo import Photo
from vision.metadata import Metadata
from vision.models.network import Model, default_threads, load_graph
from vision.models.opencv import (
    colour_statistics,
    find_cells,
    invert_lightness,
    print_measures,
    rectify_all,
    resize_image,
    turn_by_quarter,
)
from vision.models.zoo import list_models

BATCH_CROPS: Final = 32
"""Crops run at once; more would only take memory."""


class OnnxDevice:
    """The networks of a folder of models, loaded once. Several threads may use it.

    Attributes:
        metadata: what the networks say of themselves.
        models: the loaded networks by role.
    """

    def __init__(self, threads: int | None = None, models: Path | None = None) -> None:
        """Load and check the models (about 0.1 s); arguments and errors are those of the tile reader.

        Raises:
            ModelError: weights missing, corrupt or unsuitable.
        """
        listed = list_models(models)
        self.models = {role: Model(entry, threads or default_threads()) for role, entry in listed.items()}
        self.metadata = Metadata.from_json({role: model.describe() for role, model in self.models.items()})

    def open(self, photo: Photo) -> OnnxPhoto:
        """A photo to be read on this device, by one thread at a time."""
        return OnnxPhoto(self, photo)

    def find_quads(self, image: ImageArray) -> list[ScoredQuad]:
        """The printed faces in an (h, w, 3) uint8 RGB picture, in its pixels: all that a detector has to give."""
        of, (height, width, _) = self.metadata.detector, image.shape
        canvas = np.zeros((1, *(-(-side // of.multiple) * of.multiple for side in (height, width)), 3), np.uint8)
        canvas[0, :height, :width] = image
        kernel, geometry = self.models["detector"].run(canvas, ["kernel", "geo"])
        codes, sure, ends = find_cells(kernel, geometry, of.stride, of.unit)
        return read_cells(Cells(codes.ravel().tolist(), sure.tolist(), ends.tolist()))

    async def scene(self, measured: Mapping[str, Sequence[float]]) -> tuple[list[float], list[float]]:
        """See :meth:`vision.device.Device.scene`."""
        n = len(measured["located"])
        shapes = {"quads": (n, 4, 2), "inside": (n,), "located": (n,), "kinds": (-1, 5)}
        arrays = {
            name: np.array(flat, np.float32).reshape(shapes.get(name, (n, -1))) for name, flat in measured.items()
        }
        tile, names = self.models["scene"].run(scene_inputs(arrays), ["tile", "names"])
        return tile.tolist(), names.ravel().tolist()

    def release_memory(self) -> None:
        """Return what readings have left behind to the system, some 80 MB (20 ms); the next one takes it again."""
        self.models["detector"].run_and_release(np.zeros((1, 64, 64, 3), np.uint8))
        with contextlib.suppress(OSError, AttributeError, TypeError):  # only glibc has it; Windows takes no None
            ctypes.CDLL(None).malloc_trim(0)


def scene_inputs(measured: Mapping[str, FloatArray]) -> dict[str, FloatArray]:
    """The inputs of ``scene.onnx`` by name, from float32 inputs of the graph ``measures``; its card lists them."""
    graph = load_graph("measures")
    given = graph.run(None, dict(measured))
    outputs = {end.name: value for end, value in zip(graph.get_outputs(), given, strict=True)}
    return {"emb": measured["embeddings"], **outputs}


class OnnxPhoto:
    """See :class:`vision.device.DevicePhoto`."""

    def __init__(self, device: OnnxDevice, photo: Photo) -> None:
        self.device, self.photo, self.width, self.height = device, photo, photo.width, photo.height

    async def view(self, side: int) -> OnnxView:
        """See :meth:`vision.device.DevicePhoto.view`."""
        return OnnxView(self.device, self.photo.view(side))

    async def negative(self, side: int) -> OnnxPhoto:
        """See :meth:`vision.device.DevicePhoto.negative`."""
        view = self.photo.view(side)
        factor = max(1, max(view.shape) // side)  # only a JPEG is decoded smaller
        small = resize_image(view, view.shape[1] // factor, view.shape[0] // factor)
        return OnnxPhoto(self.device, Photo(invert_lightness(small), name=self.photo.name))


class OnnxView:
    """See :class:`vision.device.DeviceView`; ``pixels``: (height, width, 3) uint8 RGB."""

    def __init__(self, device: OnnxDevice, pixels: ImageArray) -> None:
        self.device, self.pixels, (self.height, self.width, _) = device, pixels, pixels.shape

    async def detect(self, window: tuple[int, int, int, int], width: int, height: int) -> list[ScoredQuad]:
        """See :meth:`vision.device.DeviceView.detect`."""
        left, top, right, bottom = window
        return self.device.find_quads(resize_image(self.pixels[top:bottom, left:right], width, height))

    async def crop(self, quads: Sequence[float], size: tuple[int, int], margin: float) -> OnnxCrops:
        """See :meth:`vision.device.DeviceView.crop`."""
        corners = np.array(quads, np.float32).reshape(-1, 4, 2)
        return OnnxCrops(self.device, rectify_all(self.pixels, corners, size, margin))


@dataclass(frozen=True, slots=True)
class OnnxCrops:
    """See :class:`vision.device.DeviceCrops`; ``pixels``: (n, height, width, 3) uint8 RGB."""

    device: OnnxDevice
    pixels: ImageArray

    async def look(
        self, role: str, outputs: Sequence[str], rows: Sequence[int], quarters: Sequence[int]
    ) -> list[list[float]]:
        """See :meth:`vision.device.DeviceCrops.look`."""
        turned, by = self.pixels[np.array(rows, np.intp)], np.array(quarters, np.intp)
        turned[by % 2 == 1] = turn_by_quarter(turned[by % 2 == 1])
        turned[by >= 2] = turned[by >= 2, ::-1, ::-1]
        starts = range(0, max(1, len(turned)), BATCH_CROPS)
        parts = [self.device.models[role].run(turned[k : k + BATCH_CROPS], list(outputs)) for k in starts]
        return [np.concatenate(part).ravel().tolist() for part in zip(*parts, strict=True)]

    async def colours(self) -> list[float]:
        """See :meth:`vision.device.DeviceCrops.colours`."""
        return colour_statistics(self.pixels).ravel().tolist()

    async def prints(self) -> list[float]:
        """See :meth:`vision.device.DeviceCrops.prints`."""
        return print_measures(self.pixels).ravel().tolist()


def pixels_of(crops: DeviceCrops) -> ImageArray:
    """(n, height, width, 3) uint8 RGB crops of this device.

    Raises:
        TypeError: they are on another one.
    """
    if not isinstance(crops, OnnxCrops):
        raise TypeError("the pixels of these crops are on another device")
    return crops.pixels
