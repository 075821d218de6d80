"""A stream of scenes as tensors, made by worker processes, each with a studio of its own."""

from __future__ import annotations

import os
import queue
import shutil
import threading
import traceback
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Generic, TypeAlias, TypeVar

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

from datasets.labels import INDEX
from datasets.learn.augment import DetectorBatch
from datasets.photographs.packs import load_pack, open_studio
from datasets.photographs.windows import PhotoWindows
from datasets.scenes.crops import CropShape, scene_crops
from datasets.scenes.studio import Studio
from datasets.scenes.targets import detector_target
from datasets.scenes.training import SceneSettings, make_scene

Arrays: TypeAlias = tuple[npt.NDArray[Any], ...]
T = TypeVar("T")
SHARED_MEMORY_BYTES = 6 << 30
"""Bytes of /dev/shm wanted to hand tensors over; with less, arrays go through pipes."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Scenes for the detector, and crops of them for the classifier (their number varies)."""

    pictures: Tensor
    kernel: Tensor
    tile: Tensor
    codes: Tensor
    crops: Tensor
    faces: Tensor
    turns: Tensor


class Scenes(IterableDataset[Arrays]):
    """Scenes without end; every worker has its own seed, and the same seed gives the same scenes."""

    def __init__(self, settings: SceneSettings, shape: CropShape, crops: int, seed: int, studio: Studio) -> None:
        super().__init__()
        self.settings, self.shape, self.crops, self.seed, self.studio = settings, shape, crops, seed, studio

    def __iter__(self) -> Iterator[Arrays]:
        worker = get_worker_info()
        rng = np.random.default_rng([self.seed, worker.id if worker else 0])
        while True:
            scene = make_scene(rng, self.studio, self.settings)
            target = detector_target(scene)
            cut = scene_crops(rng, scene, self.shape, self.crops)
            yield scene.image, target.kernel, target.tile, target.codes, cut.images, cut.faces, cut.turns


def _stack_scenes(scenes: list[Arrays]) -> list[npt.NDArray[Any]]:
    columns = list(zip(*scenes, strict=True))
    return [np.stack(c) for c in columns[:4]] + [np.concatenate(c) for c in columns[4:]]


def _to_tensors(arrange: Callable[[Any], Iterable[npt.NDArray[Any]]], given: Any) -> list[Tensor]:
    return [torch.from_numpy(a) for a in arrange(given)]


def _lower_priority(_worker: int) -> None:
    """Lower a worker's priority: on few cores a scene can wait, a training step cannot (its threads wait together)."""
    if hasattr(os, "nice"):  # Windows has none
        os.nice(10)


def _start_batches(
    data: IterableDataset[Arrays],
    workers: int,
    arrange: Callable[[Any], Iterable[npt.NDArray[Any]]],
    batch: int | None = None,
) -> Iterator[tuple[Tensor, ...]]:
    """Batches without end; the worker processes, if any, are started before this returns.

    Args:
        data: yields what batches are made of.
        arrange: makes the arrays of a batch of ``batch`` of these, of a single one if that is None.
    """
    # Before the workers are forked: they inherit none of OpenCV's threads and would wait for them for ever.
    cv2.setNumThreads(1)
    shared = Path("/dev/shm")
    roomy = shared.is_dir() and shutil.disk_usage(shared).free > SHARED_MEMORY_BYTES
    loader = DataLoader(
        data,
        batch_size=batch,
        num_workers=workers,
        collate_fn=partial(_to_tensors, arrange) if roomy or not workers else arrange,
        prefetch_factor=3 if workers else None,
        worker_init_fn=_lower_priority if workers else None,
    )
    started = iter(loader)
    return (tuple(torch.as_tensor(x) for x in found) for found in started)


def scene_batches(
    settings: SceneSettings, shape: CropShape, *, batch: int, crops: int, seed: int, workers: int, folder: Path | None,
    kept: int = 40,
) -> Iterator[Batch]:  # fmt: skip
    """Batches without end; the worker processes are started before this returns.

    Args:
        workers: processes that make scenes; 0 makes them here.
        folder: of ``scripts/train/pack.py``, or None for what ships.
        kept: designs and surfaces a worker keeps.
    """
    scenes = Scenes(settings, shape, crops, seed, open_studio(folder, kept=kept))
    return (Batch(*found) for found in _start_batches(scenes, workers, _stack_scenes, batch))


class Windows(IterableDataset[Arrays]):
    """Windows of photos without end, ``count`` in a batch, all of a batch of one of the side lengths."""

    def __init__(self, photos: PhotoWindows, count: int, sides: tuple[int, ...], seed: int) -> None:
        super().__init__()
        self.photos, self.count, self.sides, self.seed = photos, count, sides, seed

    def __iter__(self) -> Iterator[Arrays]:
        worker = get_worker_info()
        rng = np.random.default_rng([self.seed, worker.id if worker else 0])
        while True:
            side = int(rng.choice(self.sides))
            drawn = (self.photos.draw(rng, side) for _ in range(self.count))
            rows = ((w.image, w.target.kernel, w.target.tile, w.target.codes) for w in drawn)
            yield tuple(np.stack(column) for column in zip(*rows, strict=True))


def window_batches(windows: Windows, workers: int) -> Iterator[DetectorBatch]:
    """Batches without end; the worker processes, if any, are started before this returns."""
    started = _start_batches(windows, workers, list)
    return ((pictures, kernel, tile, codes) for pictures, kernel, tile, codes in started)


class Ahead(Generic[T]):
    """Fetches batches in a thread, so that a step need not wait while there is anything to learn from."""

    def __init__(self, batches: Iterator[T], most: int = 12) -> None:
        self._queue: queue.Queue[T | BaseException] = queue.Queue(most)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._pull, args=(batches,), daemon=True)
        self._thread.start()

    def _pull(self, batches: Iterator[T]) -> None:
        try:
            for batch in batches:
                while not self._stop.is_set():
                    try:
                        self._queue.put(batch, timeout=0.5)
                        break
                    except queue.Full:
                        continue
                if self._stop.is_set():
                    return
        except BaseException as error:  # noqa: BLE001  handed to whoever waits for the next batch
            traceback.print_exc()
            self._queue.put(error)

    def get(self, wait: bool) -> T | None:
        """The next batch; None when none is ready and ``wait`` is False.

        Raises:
            RuntimeError: the makers failed.
        """
        try:
            found = self._queue.get(block=wait)
        except queue.Empty:
            return None
        if isinstance(found, BaseException):
            raise RuntimeError("the makers of batches failed") from found
        return found

    def close(self) -> None:
        """Stop pulling."""
        self._stop.set()
        self._thread.join(timeout=5)


@dataclass(frozen=True, slots=True)
class RealCrops:
    """Roomy labelled crops of photographs: (n, h, w, 3) uint8; faces (n,); whether the turn is known (n,)."""

    pictures: Tensor
    faces: Tensor
    upright: Tensor


def real_crops(path: Path) -> RealCrops:
    """Read ``tiles.npz`` or ``held.npz`` of a training folder."""
    pack = load_pack(path)
    pictures = np.stack([pack.picture(i) for i in range(len(pack))])
    faces = np.array([INDEX[f["label"]] for f in pack.facts], np.int64)
    upright = np.array([f["turn"] for f in pack.facts], bool)
    return RealCrops(torch.from_numpy(pictures), torch.from_numpy(faces), torch.from_numpy(upright))
