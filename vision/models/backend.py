"""What is done to pixels and cells between the networks, on a server and in a browser.

A server does it by OpenCV (``opencv.py``), a browser by the graphs of ``models/graphs/``, which take what the functions
take, under the names of their arguments, and give the same.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from vision.arrays import FloatArray, ImageArray

WEAK: Final = 0.3
"""Kernel probability above which cells count where they hold no kernel of surer ones: worn, dark and far tiles, and
much that is not a tile, which later stages tell apart."""
MIN_CELLS: Final = 3
"""Smallest kernel that counts, cells."""
Cells: TypeAlias = tuple[FloatArray, FloatArray, npt.NDArray[np.int64]]
"""The cells of each tile, tile by tile: (k, 10) code of each, centres in pixels of the network; (k,) how surely each
belongs to a tile; (tiles,) where each tile's cells end. Cells are in the order of the picture, tiles in that of their
first cells."""


@dataclass(frozen=True, slots=True)
class Backend:
    """The operations, each named like its graph.

    Attributes:
        cells: (1, 1, h, w) ``kernel`` and (1, 10, h, w) ``geo`` of the detector, its ``stride`` and ``unit`` -> cells.
        crops: (h, w, 3) uint8 RGB ``image``, (n, 4, 2) ``quads`` in its pixels, ``size`` (width, height) and ``margin``
            of the crops -> (n, height, width, 3) uint8; see :func:`vision.models.opencv.rectify`.
        turned: (n, h, w, 3) uint8 ``crops`` -> the same turned by a quarter, see
            :func:`vision.models.opencv.turn_by_quarter`.
        negative: (h, w, 3) uint8 RGB ``image`` -> the same with its lightness inverted.
        colours: (n, h, w, 3) uint8 RGB ``crops`` -> (n, 23) colour statistics.
    """

    cells: Callable[[FloatArray, FloatArray, int, float], Cells]
    crops: Callable[[ImageArray, FloatArray, tuple[int, int], float], ImageArray]
    turned: Callable[[ImageArray], ImageArray]
    negative: Callable[[ImageArray], ImageArray]
    colours: Callable[[ImageArray], FloatArray]
