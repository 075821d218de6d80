"""What a reading asks of the machine it runs on: pixels and networks, which stay there; numbers cross.

A server answers by OpenCV and onnxruntime (``onnx_device.py``), a browser by JavaScript, onnxruntime-web and the graphs
of ``models/graphs/``. :mod:`vision.reader` asks the same of both. Numbers cross as flat sequences of
Python floats and ints, row by row (the last dimension runs fastest), so that no array library is needed on this side;
pixels, crops and networks stay behind the objects described here, and are given up when nothing refers to these.

Positions are pixels with their centres at integers: a picture of width w reaches from -0.5 to w - 0.5. Errors of the
machine (a photo that breaks off, memory that is not there) are raised by whatever asks.
"""

from __future__ import annotations

from collections.abc import Coroutine, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

from vision.geometry import Quad
from vision.metadata import Metadata

T = TypeVar("T")


class ScoredQuad(NamedTuple):
    """A tile found in a picture, by whatever detector.

    Attributes:
        quad: corners of the printed face, pixels of the picture searched, clockwise, first edge a short one.
        score: 0-1.
        spread: how far apart the detector's cells place its middle, as a share of its size (the median distance from
            their median). Cells agree on tiles more often than on anything else.
        stretch: how many times wider or higher than the photo the detector saw it: sides of tiles then look like faces.
    """

    quad: Quad
    score: float
    spread: float
    stretch: float = 1.0


class DeviceCrops(Protocol):
    """N upright crops of one photo, (n, height, width, 3) uint8 RGB; of none all answers are empty."""

    async def look(
        self, role: str, outputs: Sequence[str], rows: Sequence[int], quarters: Sequence[int]
    ) -> Sequence[Sequence[float]]:
        """Run a network on some of the crops, in batches as the device likes.

        Args:
            role: ``classifier`` or ``bonus``.
            outputs: the outputs wanted, by name: ``face``, ``turn``, ``emb``.
            rows: which crops, in this order; a crop may be named more than once. For no crops outputs are empty.
            quarters: of each, by how many quarters it is turned first, 0-3: by 1, its second corner, clockwise,
                becomes the first, and it is resized to the same shape; 3 is by 1, then by 2.

        Returns:
            Each output flat: len(rows) x classes of ``face``, x 4 of ``turn``, x D of ``emb``. Nothing where the
            network ``bonus`` is still on its way and nobody wants to wait for it.
        """

    async def colours(self) -> Sequence[float]:
        """N x 23 colour statistics: the graph ``colours``."""

    async def prints(self) -> Sequence[float]:
        """N x 3, the graph ``prints``: how dark the print is, how coloured all is, how red a five's outer dots are.

        In grey levels of 255: the median lightness around the print less the mean lightness of the middle; the mean
        standard deviation of the colour differences; in the least red of four corners the mean of what red exceeds the
        mean of green and blue by, beyond what it does around the print.
        """


class DeviceView(Protocol):
    """A photo at some size, upright RGB; ``width`` and ``height`` in pixels."""

    width: int
    height: int

    async def detect(self, window: tuple[int, int, int, int], width: int, height: int) -> Sequence[ScoredQuad]:
        """The tiles that the detector finds in a window of the view, in any order; one may be found twice.

        Args:
            window: left, top, right, bottom, whole pixels of the view; right and bottom are the first not in it.
            width, height: to which the window is resized before, by area averaging or alike.

        Returns:
            Quads in pixels of the resized window.
        """

    async def crop(self, quads: Sequence[float], size: tuple[int, int], margin: float) -> DeviceCrops:
        """Cut upright crops; what lies beyond the view repeats its border.

        Args:
            quads: n x 4 x 2 corners (x, y), pixels of the view, the crop's top-left corner first, clockwise.
            size: width and height of the crops, pixels.
            margin: how much wider and higher than the quad a crop is, as a share.
        """


class DevicePhoto(Protocol):
    """An open photo; ``width`` and ``height`` of the upright original in pixels."""

    width: int
    height: int

    async def view(self, side: int) -> DeviceView:
        """The photo with its longer side at least ``side`` pixels, or the original if that is smaller.

        It may be larger than asked for, as far as memory allows, and keeps the shape to the pixel.
        """

    async def negative(self, side: int) -> DevicePhoto:
        """A photo of its own: a view of this one with its lightness (CIELAB) inverted, hues kept.

        Its longer side is at least ``side`` pixels and less than twice that, or as it is.
        """


class Device(Protocol):
    """The networks; ``metadata``: what they say of themselves, as :func:`vision.models.describe_models` gives it."""

    metadata: Metadata

    async def scene(self, measured: Mapping[str, Sequence[float]]) -> tuple[Sequence[float], Sequence[float]]:
        """Run the graph ``measures``, and the scene classifier on what it gives and ``embeddings`` as ``emb``.

        Args:
            measured: the inputs of ``measures`` by name, flat, for n > 0 detections: ``quads`` n x 4 x 2, ``inside`` n,
                ``located`` n, ``probabilities`` n x classes, ``embeddings`` n x D, ``colours`` n x 23, ``kinds``
                classes x 5; n is the length of ``located``.

        Returns:
            ``tile``, n, and ``names``, n x (classes - 1).
        """


def rows_of(flat: Sequence[float], count: int) -> list[Sequence[float]]:
    """Numbers that crossed, as ``count`` rows of one length."""
    width = len(flat) // max(count, 1)
    return [flat[row * width : (row + 1) * width] for row in range(count)]


def finish(steps: Coroutine[Any, Any, T]) -> T:
    """The result of a coroutine that waits for nothing, as on a device whose answers are there at once.

    Raises:
        RuntimeError: it does wait.
    """
    try:
        steps.send(None)
    except StopIteration as done:
        result: T = done.value
        return result
    steps.close()
    raise RuntimeError("a device that answers later cannot be waited for here; await the reading instead")
