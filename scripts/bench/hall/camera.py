"""A camera over a simulated table: drawn pictures, and a reader that knows them; everything else is hupai's own.

The worker, the fusion of reads, the test for stillness and the store are those of ``hupai watch``. How well real tiles
are read is measured elsewhere.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from itertools import count
from types import SimpleNamespace
from typing import Final, cast

import numpy as np
from sqlalchemy import Engine

from hupai.hall.feed.capture.frames import Frame
from hupai.hall.feed.capture.source import VideoSource
from hupai.hall.feed.plan import TablePlan
from hupai.hall.feed.worker import Worker
from scoring.tiles import tile
from vision.arrays import ImageArray
from vision.pipeline import TileReader
from vision.reading import Sighting

SIZE_PX: Final = (640, 360)
_TILE_PX: Final = (30, 40)


class DrawnFilm:
    """What the camera sees, ten times a second, until it is closed."""

    reconnects = 0
    trouble: str | None = None

    def __init__(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        width, height = SIZE_PX
        cloth = np.kron(rng.integers(60, 90, (height // 8, width // 8)), np.ones((8, 8))).astype(np.uint8)
        self._cloth = np.repeat(cloth[..., None], 3, axis=2)
        self._noise = rng.integers(0, 3, (7, height, width, 1)).astype(np.uint8)
        self._laid: list[list[Sighting]] = []
        self._cut, self._closed = threading.Event(), threading.Event()
        self.lay([])

    def __iter__(self) -> Iterator[Frame]:
        """Frames; without a picture while the network is cut."""
        for number in count(1):
            cut = self._cut.is_set()
            if self._closed.wait(0.5 if cut else 0.1):
                return
            picture = self._scene + self._noise[number % len(self._noise)]
            yield Frame(None if cut else picture, time.monotonic(), number)

    def add_read_time(self, seconds: float) -> None:
        """Time passes by itself."""

    def close(self) -> None:
        """The camera is switched off."""
        self._closed.set()

    def lay(self, codes: Sequence[str]) -> None:
        """Lay these tiles down, the last one a little apart; with none, take away what lies there."""
        scene, found = self._cloth.copy(), []
        for i, code in enumerate(codes):
            left, top = 60 + 33 * i + (25 if i == len(codes) - 1 else 0), 160
            right, bottom = left + _TILE_PX[0], top + _TILE_PX[1]
            corners = (left, top), (right, top), (right, bottom), (left, bottom)
            found.append(Sighting(corners, tile(code), 0.99, {tile(code): 0.99}))
            face = np.random.default_rng(list(code.encode())).integers(40, 230, (8, 6))
            scene[top:bottom, left:right] = np.kron(face, np.ones((5, 5)))[..., None]
        number = len(self._laid)
        scene[:4, :4] = (0, number // 32 * 8, number % 32 * 8)  # blue, green, red
        self._laid.append(found)
        self._scene = scene

    def cut(self, seconds: float) -> None:
        """The network is gone for a while."""
        self._cut.set()
        time.sleep(seconds)
        self._cut.clear()

    def look(self, image: ImageArray, *, thorough: bool = True) -> list[Sighting]:
        """What lies there, by the number in the picture's corner."""
        red, green, _ = (int(v) // 8 for v in image[0, 0])
        return self._laid[red + 32 * green]


def camera_worker(table: str, film: DrawnFilm, engine: Engine) -> Worker:
    """What ``hupai watch`` runs for a table."""
    reader = cast(TileReader, SimpleNamespace(find_tiles=film.look, models={"detector": "drawn"}))
    watched = TablePlan(table, VideoSource("0", "drawn"))
    return Worker(watched, engine, reader, f"hall:{table}", threading.Semaphore(1), frames=lambda: film)
