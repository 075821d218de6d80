"""Loaders of the photographed training folders: labelled crops, and photos with upright boxes.

The folders are not part of the project; the variable ``HUPAI_DATA`` says where they are.
"""

from __future__ import annotations

import csv
import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from datasets.labels import INDEX

Picture = npt.NDArray[np.uint8]

SCENES: Final = ("scenes-a", "scenes-b", "scenes-c-red-fives")
"""Folders of photos that may be trained on."""
HELD_OUT: Final = 0.15
"""Share of source photos kept from training, for the temperature and for figures on known sets."""
FACE: Final = (96, 128)
"""(width, height) of photographed faces as the generator uses them."""


def data_folder() -> Path | None:
    """The folder of photos that ``HUPAI_DATA`` names; None where it is not set.

    Raises:
        FileNotFoundError: the folder named does not exist.
    """
    named = os.environ.get("HUPAI_DATA")
    if named and not Path(named).is_dir():
        raise FileNotFoundError(f"There is no folder {named}; HUPAI_DATA must name the photos, or be left out.")
    return Path(named) if named else None


@dataclass(frozen=True, slots=True)
class BoxedPhoto:
    """A photo with upright boxes about its tiles.

    Attributes:
        path: the image; ``source``: its tile set, or the folder's name; ``shot``: the photograph it is an export of.
        labels: (n,) indices into ``LABELS``.
        boxes: (n, 4) float32 x0 y0 x1 y1 pixels.
        whole: (n,) False where the box covers only part of a tile or is stretched.
        quads: (n, 4, 2) float32 pixels, where the corners of tiles are annotated, too.
        ignored: (m, 4) float32 x0 y0 x1 y1 pixels: parts of the photo of which the annotation says nothing.
        held_out: kept from training; all exports of one photograph share it.
    """

    path: Path
    source: str
    shot: str
    labels: npt.NDArray[np.int64]
    boxes: npt.NDArray[np.float32]
    whole: npt.NDArray[np.bool_]
    quads: npt.NDArray[np.float32] | None
    ignored: npt.NDArray[np.float32]
    held_out: bool

    def image(self) -> Picture:
        """(h, w, 3) RGB.

        Raises:
            OSError: not an image.
        """
        return read_rgb(self.path)


def box_corners(boxes: npt.ArrayLike) -> npt.NDArray[np.float32]:
    """(..., 4) boxes x0 y0 x1 y1 -> (..., 4, 2) float32 corners, clockwise from the top left one."""
    found = np.asarray(boxes, np.float32)
    return found[..., [0, 1, 2, 1, 2, 3, 0, 3]].reshape(*found.shape[:-1], 4, 2)


def read_rgb(path: Path) -> Picture:
    """(h, w, 3) RGB uint8 of an image file.

    Raises:
        OSError: not an image.
    """
    found = cv2.imdecode(np.frombuffer(path.read_bytes(), np.uint8), cv2.IMREAD_COLOR)
    if found is None:
        raise OSError(f"{path} is not an image that can be read.")
    return np.asarray(cv2.cvtColor(found, cv2.COLOR_BGR2RGB), np.uint8)


def shot_of(name: str) -> str:
    """The photograph an exported file came from: exporters append a hash, one shot may have several exports."""
    return name.partition(".rf.")[0].removesuffix("_jpg").removesuffix("_png")


def is_held_out(shot: str) -> bool:
    """Whether a photograph is kept from training, decided by its name alone."""
    return int(hashlib.sha256(shot.encode()).hexdigest()[:8], 16) / 2**32 < HELD_OUT


def crop_folder(folder: Path) -> Iterator[tuple[int, Picture]]:
    """(label index, RGB picture) of the single-tile crops."""
    listing = folder / "crops" / "labels.csv"
    if not listing.is_file():
        return
    with listing.open(encoding="utf-8-sig", newline="") as file:
        for row in csv.DictReader(file):
            if row["label"] in INDEX:
                yield INDEX[row["label"]], read_rgb(listing.parent / "images" / row["image"])


def unlabelled_crops(folder: Path) -> list[Picture]:
    """The single-tile crops that nobody labelled, RGB, by name; none where the folder is not there."""
    return [read_rgb(path) for path in sorted((folder / "crops-unlabelled").glob("*.jpg"))]
