"""A camera over a simulated table: drawn pictures, and eyes that know what was drawn; everything else is hupai's own.

The worker, the fusion of reads, the test for stillness and the store are those of ``hupai watch``. How well real tiles
are read is measured elsewhere.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, Final, cast

import numpy as np
from sqlalchemy import Engine

from hupai.feed.frames import Frame
from hupai.feed.plan import Watched
from hupai.feed.source import Source
from hupai.feed.worker import Worker
from scoring.tiles import tile
from vision.pipeline import Eyes
from vision.reading import ImageArray, Sighting

SIZE: Final = (640, 360)
_TILE: Final = (30, 40)
_EVERY: Final = 0.1
_NOISES: Final = 7


class Film:
    """What the camera sees, ten times a second, until it is closed."""

    trouble: str | None = None
    reconnects = 0

    def __init__(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        width, height = SIZE
        cloth = np.kron(rng.integers(60, 90, (height // 8, width // 8)), np.ones((8, 8))).astype(np.uint8)
        self._cloth = np.repeat(cloth[..., None], 3, axis=2)
        self._noise = [rng.integers(0, 3, (height, width, 1)).astype(np.uint8) for _ in range(_NOISES)]
        self._laid: list[list[Sighting]] = [[]]
        self._scene, self._number = self._drawn(0), 0
        self._cut, self._closed = threading.Event(), threading.Event()

    def __iter__(self) -> Iterator[Frame]:
        """Frames; without a picture while the network is cut."""
        while not self._closed.wait(0.5 if self._cut.is_set() else _EVERY):
            if self._cut.is_set():
                self._number += 1
                yield Frame(None, time.monotonic(), self._number)
                continue
            self._number += 1
            noise = self._noise[self._number % _NOISES]
            yield Frame(self._scene + noise, time.monotonic(), self._number)

    def spent(self, seconds: float) -> None:
        """Time passes by itself."""

    def close(self) -> None:
        """The camera is switched off."""
        self._closed.set()

    def lay(self, codes: list[str]) -> None:
        """Lay these tiles down, the last one a little apart; with none, take away what lies there."""
        found = []
        for i, code in enumerate(codes):
            left, top = 60 + 33 * i + (25 if i == len(codes) - 1 else 0), 160
            right, bottom = left + _TILE[0], top + _TILE[1]
            corners = np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float32)
            face = tile(code)
            found.append(Sighting(corners, face, 0.99, {face: 0.99}))
        self._laid.append(found)
        self._scene = self._drawn(len(self._laid) - 1)

    def cut(self, seconds: float) -> None:
        """The network is gone for a while."""
        self._cut.set()
        self.trouble, self.reconnects = "the network is cut", self.reconnects + 1
        time.sleep(seconds)
        self.trouble = None
        self._cut.clear()

    def look(self, image: ImageArray) -> list[Sighting]:
        """What lies there, by the number in the picture's corner."""
        red, green, _ = (int(v) // 8 for v in image[0, 0])
        return self._laid[red + 32 * green]

    def _drawn(self, number: int) -> ImageArray:
        scene = self._cloth.copy()
        for seen in self._laid[number]:
            left, top = seen.corners[0].astype(int)
            face = np.random.default_rng(ord(seen.tile.code[0]) * 256 + ord(seen.tile.code[1]))
            print_ = np.kron(face.integers(40, 230, (8, 6)), np.ones((5, 5))).astype(np.uint8)
            scene[top : top + _TILE[1], left : left + _TILE[0]] = print_[..., None]
        scene[:4, :4] = (0, number // 32 * 8, number % 32 * 8)  # blue, green, red
        return np.asarray(scene, np.uint8)


class Camera:
    """A table's camera and the worker that watches through it.

    Attributes:
        table: its name. film: what it sees. failed: what ended the worker, or None.
    """

    def __init__(self, table: str, engine: Engine, seed: int) -> None:
        self.table, self.film = table, Film(seed)
        self.failed: BaseException | None = None
        eyes = cast(Eyes, SimpleNamespace(look=self.film.look, models={"detector": "drawn"}))
        watched = Watched(table, Source("0", "drawn"))
        self._worker = Worker(watched, engine, eyes, f"hall:{table}", threading.Semaphore(1), frames=lambda: self.film)
        self._thread = threading.Thread(target=self._run, name=f"camera {table}", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Switch it off."""
        self._worker.stop()
        self._thread.join(20)

    def health(self) -> dict[str, Any]:
        """What the worker measures."""
        return self._worker.health()

    def _run(self) -> None:
        try:
            self._worker.run()
        except BaseException as error:  # noqa: BLE001 - reported at the end, whatever it is
            self.failed = error
