"""Pictures -> records: the recognition stages for one picture after the other.

The number of workers does not change the records: the classifier returns the same numbers for a crop whatever else is
in the batch, and a single thread adds up in one order.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import cv2
import numpy as np

from hupai.label.engines.pictures import LabelOptions, Readable, Save
from hupai.label.outputs.crops import crop_path
from hupai.label.records import Box, Record
from scoring.errors import HupaiError
from vision.arrays import ImageArray
from vision.detect.scales import VIEW_SIDE_PX
from vision.hand.read import read_hand
from vision.io.photo import Photo
from vision.models.opencv import invert_lightness
from vision.onnx_device import pixels_of
from vision.pipeline import TileReader
from vision.reading import Sighting
from vision.scene.detections import Detections

HASH_SIDE: Final = 16
"""Side of the perceptual hash, bits."""
_WAVES: Final = np.cos(np.pi / 8 / HASH_SIDE * np.outer(np.arange(HASH_SIDE), 2 * np.arange(4 * HASH_SIDE) + 1))
"""The lowest waves of a discrete cosine transform (DCT-II), a row each. SciPy's takes a second to import."""


@dataclass(frozen=True, slots=True)
class DecodedImage:
    """A picture decoded at the size that the search needs."""

    name: str
    photo: Photo
    sha256: str
    phash: str


class Labeller:
    """The recognition models of one worker, on one core."""

    def __init__(self, options: LabelOptions, save: Save | None = None) -> None:
        """Load the models; ``save`` receives the crop of every tile, if there is one.

        Raises:
            ModelError: weights missing, corrupt or unsuitable.
        """
        # One thread per worker: with one worker per core nothing waits, and sums are made in one order.
        cv2.setNumThreads(1)
        self._reader = TileReader(threads=1, models=options.models)
        self._options, self._save = options, save
        self._models = dict(self._reader.models)

    def label(self, pictures: Iterable[DecodedImage | Record]) -> Iterator[Record]:
        """Return a record for every picture, in order; those that could not be opened pass through."""
        for picture in pictures:
            yield picture if isinstance(picture, Record) else self._record(picture)

    def _record(self, picture: DecodedImage) -> Record:
        try:
            seen, sightings = self._reader.detect(picture.photo)
            if self._options.tileset is not None:
                sightings = self._options.tileset.read(sightings)
            record = Record(
                picture.name,
                picture.photo.width,
                picture.photo.height,
                tuple(map(box_of, sightings)),
                picture.sha256,
                picture.phash,
                self._models,
                pages=picture.photo.pages,
            )
            if self._options.hands:
                record = self._with_hand(record, sightings)
        except Exception as error:  # noqa: BLE001 - listed as this picture's failure; the rest is done
            return failure_record(picture.name, error, picture.sha256)
        if self._save is not None:
            for path, png in cut_crops(record, sightings, seen):
                self._save(path, png)
        return record

    def _with_hand(self, record: Record, sightings: list[Sighting]) -> Record:
        reading, _ = read_hand(sightings, record.width, record.height, self._options.rules)
        answer = reading.to_json(record.image)
        boxes = tuple(
            replace(box, role=role.value, group=group)
            for box, role, group in zip(record.boxes, reading.roles, reading.groups, strict=True)
        )
        hand: dict[str, Any] = {key: answer[key] for key in ("hand", "doubts", "repairs")}
        return replace(record, boxes=boxes, hand=hand)


def decode(picture: Readable) -> DecodedImage | Record:
    """Read a picture and decode it at the size that the search needs; on failure, return its record."""
    sha256 = ""
    try:
        data = picture.read()
        sha256 = hashlib.sha256(data).hexdigest()
        photo = Photo(data, name=picture.name.rpartition("/")[2])
        return DecodedImage(picture.name, photo, sha256, perceptual_hash(photo))
    except Exception as error:  # noqa: BLE001 - listed as this picture's failure; the rest is done
        return failure_record(picture.name, error, sha256)


def perceptual_hash(photo: Photo) -> str:
    """Return 256 bits of the picture's coarse structure as 64 hex digits.

    The lowest 16 x 16 frequencies of its 64 x 64 grey version, each 1 above their median (N. Krawetz, "Looks Like
    It", 2011; the same bits as ImageHash's ``phash``).
    """
    grey = cv2.cvtColor(photo.view(VIEW_SIDE_PX), cv2.COLOR_RGB2GRAY)
    small = cv2.resize(grey, (4 * HASH_SIDE, 4 * HASH_SIDE), interpolation=cv2.INTER_AREA)
    low = (_WAVES @ small @ _WAVES.T).round(6)  # an even picture has zeros, not what rounding left of them
    return np.packbits(low > np.median(low)).tobytes().hex()


def failure_record(name: str, error: Exception, sha256: str = "") -> Record:
    """Return the record of a picture that could not be labelled."""
    if isinstance(error, HupaiError):
        code, message = error.code, error.message
    elif isinstance(error, MemoryError):
        code, message = (
            "out_of_memory",
            "There was not enough memory to read it; make it smaller, or use fewer workers.",
        )
    else:
        short = name.rpartition("/")[2]
        code = "internal"
        message = f"{short} brought the labeller to an error ({type(error).__name__}: {error}); please report it."
    return Record(name, sha256=sha256, error=(code, message))


def box_of(sighting: Sighting) -> Box:
    """Return a sighting as a label, with rounded numbers."""
    a, b, c, d = ((round(x, 1), round(y, 1)) for x, y in sighting.corners)
    return Box(
        sighting.tile,
        (a, b, c, d),
        round(sighting.confidence, 4),
        tuple((t, round(p, 4)) for t, p in sighting.alternatives()),
        round(sighting.located, 4),
    )


def cut_crops(record: Record, sightings: Sequence[Sighting], seen: Detections) -> Iterator[tuple[str, bytes]]:
    """Yield path and PNG of every tile of a record made from these sightings, which were made from some of ``seen``.

    A crop is upright, and as the photo shows the tile: black ones, inverted for the classifier, are not inverted here.
    """
    candidate, crops = 0, pixels_of(seen.crops)
    for index, sighting in enumerate(sightings):
        while set(seen.found[candidate].quad) != set(sighting.corners):
            candidate += 1
        crop = invert_lightness(crops[candidate]) if seen.negative else crops[candidate]
        turns = seen.found[candidate].quad.index(sighting.corners[0])
        yield crop_path(record, index), _png(np.rot90(crop, turns))
        candidate += 1


def _png(crop: ImageArray) -> bytes:
    done, data = cv2.imencode(".png", cv2.cvtColor(np.ascontiguousarray(crop), cv2.COLOR_RGB2BGR))
    if not done:
        raise AssertionError("a crop can always be written as PNG")
    return data.tobytes()
