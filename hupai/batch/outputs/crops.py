"""Every tile as a picture of its own, upright, as the classifier saw it; of black tiles not the negative it saw."""

from __future__ import annotations

import shutil
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from hupai.batch.records import Record
from scoring.errors import HupaiError
from vision.detect.negative import negative
from vision.reading import ImageArray, Sighting
from vision.scene.detections import Detections


def crop_path(record: Record, index: int) -> str:
    """Where the crop of a tile lies below the folder of crops: ``5m/table/IMG_1.jpg-03.png``."""
    return f"{record.boxes[index].tile.code}/{record.image}-{index:02d}.png"


def crops_of(record: Record, sightings: Sequence[Sighting], seen: Detections) -> Iterator[tuple[str, bytes]]:
    """Path and PNG of every tile of a record.

    Args:
        record: of the picture.
        sightings: what its boxes were made of, in the same order.
        seen: what those were made of; finds that turned out to be no tiles are passed over.
    """
    candidate = 0
    for index, sighting in enumerate(sightings):
        while (turns := _turns(seen.quads[candidate], sighting.corners)) is None:
            candidate += 1
        crop = negative(seen.crops[candidate]) if seen.negative else seen.crops[candidate]
        yield crop_path(record, index), _png(np.rot90(crop, turns))
        candidate += 1


def _turns(quad: np.ndarray[tuple[int, ...], np.dtype[np.float32]], corners: object) -> int | None:
    """By how many quarters a candidate was turned to become a sighting; None when it did not."""
    return next((k for k in range(4) if np.array_equal(np.roll(quad, -k, axis=0), corners)), None)  # type: ignore[arg-type]


def _png(crop: ImageArray) -> bytes:
    done, data = cv2.imencode(".png", cv2.cvtColor(np.ascontiguousarray(crop), cv2.COLOR_RGB2BGR))
    if not done:
        raise AssertionError("a crop can always be written as PNG")
    return data.tobytes()


class CropFolder:
    """Writes crops below a folder, each whole or not at all."""

    def __init__(self, folder: Path, drafts: Path) -> None:
        """Take the folders.

        Args:
            folder: of the crops.
            drafts: on the same file system; takes crops while they are written.
        """
        self.folder, self.drafts = folder, drafts

    def __call__(self, path: str, png: bytes) -> None:
        """Write one.

        Raises:
            HupaiError: it cannot be written.
        """
        target, draft = self.folder / path, self.drafts / uuid.uuid4().hex
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            self.drafts.mkdir(parents=True, exist_ok=True)
            draft.write_bytes(png)
            draft.replace(target)
        except OSError as error:
            raise HupaiError(f"{target} cannot be written ({error.strerror}).", code="cannot_write") from error

    def sweep(self) -> None:
        """Take away what a run that was killed left half written; nobody may be writing now."""
        shutil.rmtree(self.drafts, ignore_errors=True)

    def copy(self, record: Record, name: str) -> bool:
        """Give the crops of a record to the same picture under another name; False when they are not all there."""
        for index in range(len(record.boxes)):
            place = self.folder / crop_path(record, index)
            if not place.is_file():
                return False
            if name != record.image:
                self(crop_path(replace(record, image=name), index), place.read_bytes())
        return True

    def remove(self, old: Record, now: Record | None) -> int:
        """Take away the crops of a record that gave way to another one or to none; returns how many there were."""
        held = set() if now is None else {crop_path(now, i) for i in range(len(now.boxes))}
        count = 0
        for path in {crop_path(old, i) for i in range(len(old.boxes))} - held:
            place = self.folder / path
            if place.is_file():
                place.unlink()
                count += 1
        return count
