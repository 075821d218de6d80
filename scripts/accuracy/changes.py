"""Annotated photos under changes that mean nothing to a person: cropped, framed, turned, shrunk, in other light.

The truth is carried along. Changed pictures are saved as JPEGs of quality 92 in ``runs/changed``, those "as it is" too,
so that a row of the table differs from the first one by its change alone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from datasets.photographs.real import box_corners, read_rgb
from datasets.quads import shares_inside, tile_sizes
from scripts.accuracy.matching import PhotoResult, match
from scripts.accuracy.photographed import judge, read_sightings, true_hand
from scripts.accuracy.truth import TruePhoto, TrueTile
from vision.arrays import FloatArray, ImageArray
from vision.io.photo import Photo
from vision.reading import Sighting

FOLDER: Final = Path("runs/changed")
QUALITY: Final = 92
MARGIN: Final = 0.15
"""How far a crop reaches beyond the tiles, in tile sides."""
PHONE: Final = 19.5 / 9
"""Height of a phone's screen, in its widths."""
BAND: Final = 0.7
"""Tiles whose middles are this near in height, in tile sides, stand in one row."""
LEAST_WIDTH_PX: Final = 24
"""Photos whose tiles a change makes narrower than this are left out of its row."""
FOUR: Final = 4
"""Losing so many tiles loses the hand."""

Affine: TypeAlias = tuple[npt.NDArray[np.float64], tuple[int, int]]
"""A (2, 3) matrix from pixels of the picture to those of the changed one, and the latter's width and height."""
Place: TypeAlias = Callable[[TruePhoto, int, int], Affine]
"""Where a change moves the pixels of a photo of this width and height."""
Light: TypeAlias = Callable[[ImageArray], ImageArray]


@dataclass(frozen=True, slots=True)
class Change:
    """One row of the table.

    Attributes:
        name: in the table.
        limit: share of the tiles that are right as the photo is which may be lost.
        places: applied one after the other; ``light`` afterwards.
    """

    name: str
    limit: float = 0.01
    places: tuple[Place, ...] = ()
    light: Light = lambda image: image


@dataclass(frozen=True, slots=True)
class ChangedPhoto:
    """A photo after a change; ``kept`` (k,) are the indices of its tiles that are still to be seen, in order."""

    photo: TruePhoto
    kept: tuple[int, ...]


def _shift(x: float, y: float, width: float, height: float) -> Affine:
    return np.array([[1, 0, -x], [0, 1, -y]], np.float64), (max(1, round(width)), max(1, round(height)))


def _crop(photo: TruePhoto, width: int, height: int) -> Affine:
    """To the tiles."""
    return _around(_corners(photo), width, height)


def _strip(photo: TruePhoto, width: int, height: int) -> Affine:
    """To the row with most tiles, across the picture."""
    corners = _corners(photo)
    if not len(corners):
        return _shift(0, 0, width, height)
    near = np.abs(corners[:, None, :, 1].mean(axis=2) - corners[None, :, :, 1].mean(axis=2))
    rows = near < BAND * np.median(tile_sizes(corners))
    return _around(corners[rows[rows.sum(axis=1).argmax()]], width, height)


def _around(corners: FloatArray, width: int, height: int) -> Affine:
    if not len(corners):
        return _shift(0, 0, width, height)
    margin = MARGIN * float(np.median(tile_sizes(corners)))
    low = np.floor(np.maximum(corners.min(axis=(0, 1)) - margin, 0))
    high = np.ceil(np.minimum(corners.max(axis=(0, 1)) + margin, [width, height]))
    return _shift(*low, *(high - low))


def _screenshot(photo: TruePhoto, width: int, height: int) -> Affine:
    """Black bars above and below, as of a phone's screen held upright."""
    tall = max(height, int(width * PHONE))
    return _shift(0, -((tall - height) // 2), width, tall)


def _scale(by: float) -> Place:
    return lambda photo, width, height: (
        np.array([[by, 0, 0], [0, by, 0]], np.float64),
        (max(1, round(width * by)), max(1, round(height * by))),
    )


def _at_most(side: int) -> Place:
    return lambda photo, width, height: _scale(min(1.0, side / max(width, height)))(photo, width, height)


def _turn(degrees: float) -> Place:
    """Turned clockwise; the canvas grows."""

    def place(photo: TruePhoto, width: int, height: int) -> Affine:
        cos, sin = np.cos(np.deg2rad(degrees)), np.sin(np.deg2rad(degrees))
        turn = np.array([[cos, -sin], [sin, cos]])
        size = np.rint(np.abs(turn) @ [width, height]).astype(int)
        shift = size / 2 - turn @ [width / 2, height / 2]
        return np.column_stack([turn, shift]), (int(size[0]), int(size[1]))

    return place


def _jpeg(quality: int) -> Light:
    def light(image: ImageArray) -> ImageArray:
        data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
        return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)

    return light


def _gain(*gains: float, offset: float = 0) -> Light:
    return lambda image: np.asarray(np.clip(image * np.array(gains, np.float32) + offset, 0, 255), np.uint8)


def _grey(image: ImageArray) -> ImageArray:
    return np.asarray(cv2.cvtColor(cv2.cvtColor(image, cv2.COLOR_RGB2GRAY), cv2.COLOR_GRAY2RGB), np.uint8)


def _blur(image: ImageArray) -> ImageArray:
    return np.asarray(cv2.GaussianBlur(image, (0, 0), 1.2 * max(image.shape[:2]) / 1024), np.uint8)


CHANGES: Final = (
    Change("as it is"),
    Change("cropped to the tiles", places=(_crop,)),
    Change("a strip, its longest row", places=(_strip,)),
    Change("black bars above and below", places=(_screenshot,)),
    Change("a quarter turn", places=(_turn(90),)),
    Change("upside down", places=(_turn(180),)),
    Change("turned by 12 degrees", places=(_turn(12),)),
    Change("half the size", places=(_scale(0.5),)),
    Change("1280 px, JPEG 45", places=(_at_most(1280),), light=_jpeg(45)),
    Change("darker", 0.02, light=_gain(0.45)),
    Change("brighter", 0.02, light=_gain(1.35, offset=25)),
    Change("warm light", 0.02, light=_gain(1.15, 0.97, 0.75)),
    Change("grey", 0.03, light=_grey),
    Change("blurred", 0.02, light=_blur),
    Change("cropped, a quarter turn", places=(_crop, _turn(90))),
    Change("black bars, darker", 0.02, (_screenshot,), _gain(0.45)),
)


def apply_change(photo: TruePhoto, change: Change, folder: Path = FOLDER) -> ChangedPhoto:
    """The photo after the change, saved below the folder unless it already is there.

    Raises:
        OSError: the photo is not an image.
    """
    image = read_rgb(photo.path)
    matrix, size = np.eye(2, 3), (image.shape[1], image.shape[0])
    moved = photo
    for place in change.places:
        step, size = place(moved, *size)
        matrix = step[:, :2] @ matrix + np.column_stack([np.zeros((2, 2)), step[:, 2]])
        moved = _move(moved, step)
    path = folder / change.name.replace(",", "").replace(" ", "-") / f"{_key(photo.path)}-{photo.path.stem}.jpg"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        lit = change.light(_warp(image, matrix, size))
        cv2.imwrite(str(path), cv2.cvtColor(lit, cv2.COLOR_RGB2BGR), [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    share = shares_inside(np.array([t.corners for t in moved.tiles], np.float32).reshape(-1, 4, 2), *size)
    # What is cut off in part counts neither way.
    tiles = [replace(t, aside=t.aside or bool(s < 0.95)) for t, s in zip(moved.tiles, share, strict=True) if s > 0]
    kept = tuple(int(i) for i in np.flatnonzero(share > 0))
    return ChangedPhoto(replace(moved, path=path, tiles=tuple(tiles)), kept)


def _warp(image: ImageArray, matrix: npt.NDArray[np.float64], size: tuple[int, int]) -> ImageArray:
    if size == image.shape[1::-1] and np.array_equal(matrix, np.eye(2, 3)):
        return image
    smaller = abs(np.linalg.det(matrix[:, :2])) < 0.9
    if smaller and not matrix[0, 1]:
        return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
    return np.asarray(cv2.warpAffine(image, matrix, size, flags=cv2.INTER_LINEAR), np.uint8)


def _move(photo: TruePhoto, matrix: npt.NDArray[np.float64]) -> TruePhoto:
    def move(corners: FloatArray) -> FloatArray:
        return np.asarray(corners @ matrix[:, :2].T + matrix[:, 2], np.float32)

    def upright(corners: FloatArray) -> FloatArray:
        return box_corners([*corners.min(axis=0), *corners.max(axis=0)])

    tiles = tuple(
        TrueTile(t.label, move(t.corners) if t.quad else upright(move(t.corners)), t.quad, t.aside) for t in photo.tiles
    )
    boxes = [move(corners) for corners in box_corners(photo.ignore)]
    ignore = np.array([[*box.min(axis=0), *box.max(axis=0)] for box in boxes], np.float32).reshape(-1, 4)
    beside = None if photo.beside is None else tuple((what, move(quad)) for what, quad in photo.beside)
    return replace(photo, tiles=tiles, ignore=ignore, beside=beside)


def _corners(photo: TruePhoto) -> FloatArray:
    return np.array([t.corners for t in photo.tiles], np.float32).reshape(-1, 4, 2)


def _key(path: Path) -> str:
    state = path.stat()
    return hashlib.sha256(f"{path.resolve()} {state.st_size} {state.st_mtime_ns}".encode()).hexdigest()[:12]


@dataclass(frozen=True, slots=True)
class Row:
    """What a change does to a collection.

    Attributes:
        change: the change.
        tiles: how many tiles count in both pictures; ``before``: of these right as the photos are; ``right``: after
            the change.
        false: sightings on no tile after the change.
        exact, photos: photos without a fault after the change, of how many.
        lost: names of the photos that lost :data:`FOUR` tiles or more.
        hands: photographed hands that show all their tiles after the change; ``hands_right``: read right then.
    """

    change: Change
    tiles: int
    before: int
    right: int
    false: int
    exact: int
    photos: int
    lost: tuple[str, ...]
    hands: int
    hands_right: int

    @property
    def is_within_limit(self) -> bool:
        """Whether the row is within its limit and no photo lost a hand."""
        return self.right >= self.before * (1 - self.change.limit) and not self.lost

    def __str__(self) -> str:
        """One line of the table."""
        counts = f"{self.right:5} of {self.before:5} right, {self.false:3} false, {self.exact:3} of {self.photos} whole"
        mark = "" if self.is_within_limit else " !"
        hands = f"; {self.hands_right} of {self.hands} hands" if self.hands else ""
        return f"  {self.change.name:27} {counts}{hands}; lost {FOUR} or more: {len(self.lost)}{mark}"


def row(photos: Sequence[TruePhoto], change: Change, read: Callable[[Path], list[Sighting]]) -> Row:
    """Read a collection as it is and after a change.

    Photos whose tiles the change makes narrower than :data:`LEAST_WIDTH_PX` are left out.
    """
    sums, lost, hands = np.zeros(6, int), list[str](), list[bool]()
    for photo in photos:
        after = apply_change(photo, change)
        corners = _corners(after.photo)
        if change.places and len(corners) and _width(corners) < min(LEAST_WIDTH_PX, _width(_corners(photo))):
            continue
        seen = read(after.photo.path)
        now = match(after.photo, seen)
        was = match(photo, read(apply_change(photo, CHANGES[0]).photo.path))
        were, are = _right(was), _right(now)
        truths = zip((photo.tiles[i] for i in after.kept), after.photo.tiles, strict=True)
        both = [(were[id(t)], are[id(moved)]) for t, moved in truths if id(moved) in are]
        counts = [len(both), sum(b for b, _ in both), sum(r for _, r in both)]
        sums += [*counts, len(now.false_alarms), not now.faults, 1]
        if sum(b and not r for b, r in both) >= FOUR:
            lost.append(photo.path.name)
        hand = true_hand(photo)
        if hand is not None and hand.shows == "hand" and len(after.kept) == len(photo.tiles):
            hands.append(judge(hand, read_sightings(Photo(after.photo.path), seen))["winning"])
    tiles, before, right, false, exact, count = sums.tolist()
    return Row(change, tiles, before, right, false, exact, count, tuple(lost), len(hands), sum(hands))


def _width(corners: FloatArray) -> float:
    return float(np.median(np.linalg.norm(corners[:, 1] - corners[:, 0], axis=1)))


def _right(result: PhotoResult) -> dict[int, bool]:
    """Whether each tile that counts is right, by the ``id`` of its truth."""
    return {id(t.truth): t.right for t in result.tiles}
