"""Detects whether the table is still by comparing small grey pictures; overall brightness does not count."""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from hupai.hall.feed.stillness.alignment import AlignedFrame, ImageAligner
from hupai.hall.feed.stillness.glare import find_light_changes
from hupai.hall.feed.stillness.homography import TableHomography
from vision.arrays import FloatArray, ImageArray

SMALL_SIZE_PX: Final = (192, 108)
"""Size at which pictures are compared; a tile 40 pixels wide at 1280 is 6 by 8 here."""
_MIN_STEP_SECONDS: Final = 0.045
_MIN_DIFFERENCE_GREY: Final = 7.0
_MIN_CELLS: Final = 12
_DARK_GREY: Final = 14.0
_FLAT_STD_GREY: Final = 10.0
_FLICKER_SHARE: Final = 0.08
_SHAKE_SECONDS: Final = 1.5
"""Seconds over which a shake is averaged."""
_LIGHT_SECONDS: Final = 2.0
"""Time for which nothing but a spot of light must move before that counts as stillness: an arm over overexposed tiles
may look like one for a moment. Pauses of a second do not count."""
_LIGHT_PAUSE_SECONDS: Final = 1.0
_BLUR_PX: Final = 1.1
"""Blur of the small picture, pixels: enough to shift a picture back by a fraction of a pixel."""


@dataclass(frozen=True, slots=True)
class MotionState:
    """What one frame shows.

    Attributes:
        still_for: seconds for which nothing has moved; 0 while something moves.
        moved: share of the table that differs from the previous frame.
        dark: nothing can be made out. frozen_for: seconds for which the same picture has been repeated.
        level: mean brightness, 0-255. shake: how far the camera has recently moved from frame to frame, pixels.
    """

    still_for: float
    moved: float
    dark: bool
    frozen_for: float
    level: float
    shake: float = 0.0


class MotionGate:
    """Decides from frame to frame whether the table is still.

    Two pictures are the same if hardly a cell differs once their overall brightness is made equal. A frame is compared
    with the previous one and with the first of this still period, so that slow changes count too; both comparisons undo
    the camera's own shake. A camera's noise never repeats exactly: identical pictures mean that it is frozen.
    """

    def __init__(self, homography: TableHomography | None = None) -> None:
        self._small: FloatArray | None = None
        self._at = 0.0
        self._aligner: ImageAligner | None = None
        self._edge, self._step, self._shake = 1, 0.0, 0.0
        self._still_since = 0.0
        self._lit_since = self._lit_at = 0.0
        self._digest = b""
        self._same_since = 0.0
        self._moved = 0.0
        self._warp: npt.NDArray[np.float64] | None = None
        self._px_per_cell = 1.0
        self._homography = homography
        self._shape: tuple[int, ...] = ()

    def set_table(self, homography: TableHomography) -> None:
        """Compare only this table, seen from above; without corners, the whole picture."""
        self._homography, self._shape, self._aligner, self._small = homography, (), None, None

    def update(self, image: ImageArray, time: float) -> MotionState:
        """Process one frame.

        Args:
            image: (h, w, 3) uint8; the middle channel is used. time: when it was taken, seconds.
        """
        digest = hashlib.blake2b(image[3::8, 5::8, 1].tobytes(), digest_size=8).digest()
        if digest != self._digest:
            self._digest, self._same_since = digest, time
        frozen_for = time - self._same_since
        if self._small is not None and time - self._at < _MIN_STEP_SECONDS:
            return MotionState(
                self._still(time), self._moved, False, frozen_for, float(self._small.mean()), self._shake
            )
        small = self._shrink(image)
        level = float(small.mean())
        dark = level < _DARK_GREY and float(small.std()) < _FLAT_STD_GREY
        aligned, moving, lit = small, True, False
        if self._aligner is not None and self._small is not None:
            aligned, moving, lit = self._compare(small, self._small, self._aligner)
            share = 1 - math.exp((self._at - time) / _SHAKE_SECONDS)
            self._shake += share * (self._step * self._px_per_cell - self._shake)
        moving = moving and not (lit and self._is_light(time))
        if not lit and (moving or time - self._lit_at > _LIGHT_PAUSE_SECONDS):
            self._lit_since = time
        if moving or dark:
            aligned, self._edge = small, 1
            self._aligner, self._still_since = ImageAligner(small), time
        self._small, self._at = aligned, time
        return MotionState(self._still(time), self._moved, dark, frozen_for, level, self._shake)

    def _is_light(self, time: float) -> bool:
        """Whether nothing but light has moved for long enough, as it does now."""
        self._lit_at = time
        return time - self._lit_since >= _LIGHT_SECONDS

    def _compare(self, small: FloatArray, before: FloatArray, aligner: ImageAligner) -> tuple[FloatArray, bool, bool]:
        """Return the picture without the camera's shake, whether anything moves in it, and whether that is light."""
        found = aligner.apply_last(small)
        self._moved, moving, lit = self._difference(found, before, aligner.anchor)
        if moving:
            found = aligner.align(small, found)
            self._moved, moving, lit = self._difference(found, before, aligner.anchor)
        self._edge, self._step = _edge(found), found.step
        return found.picture, moving, lit

    def _difference(self, found: AlignedFrame, before: FloatArray, anchor: FloatArray) -> tuple[float, bool, bool]:
        """Return the share that differs from the previous picture, and whether either it or the anchor differs.

        The last is whether light explains all differences.
        """
        edge = max(_edge(found), self._edge)
        inside = np.s_[edge:-edge, edge:-edge]
        moved, unlit = _changed_share(found.picture[inside], before[inside])
        since, unlit_since = _changed_share(found.picture[inside], anchor[inside])
        moving = max(moved, since) > 0
        return moved, moving, moving and max(unlit, unlit_since) == 0

    def _still(self, time: float) -> float:
        return max(0.0, time - self._still_since)

    def _shrink(self, image: ImageArray) -> FloatArray:
        height, width = image.shape[:2]
        if self._shape != image.shape:
            self._shape = image.shape
            self._warp, self._px_per_cell = None, width / SMALL_SIZE_PX[0]
            if self._homography is not None and self._homography.corners is not None:
                side = SMALL_SIZE_PX[1]
                square = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32)
                corners = self._homography.corners * (
                    np.array([2 * SMALL_SIZE_PX[0], 2 * SMALL_SIZE_PX[1]]) / [width, height]
                )
                self._warp = np.asarray(cv2.getPerspectiveTransform(corners.astype(np.float32), square), np.float64)
                self._px_per_cell = math.sqrt(cv2.contourArea(self._homography.corners)) / side
        grey = cv2.resize(
            cv2.extractChannel(image, 1), (2 * SMALL_SIZE_PX[0], 2 * SMALL_SIZE_PX[1]), interpolation=cv2.INTER_AREA
        )
        if self._warp is not None:
            grey = cv2.warpPerspective(grey, self._warp, (SMALL_SIZE_PX[1], SMALL_SIZE_PX[1]), flags=cv2.INTER_LINEAR)
        else:
            grey = cv2.resize(grey, SMALL_SIZE_PX, interpolation=cv2.INTER_AREA)
        return np.asarray(cv2.GaussianBlur(grey.astype(np.float32), (0, 0), _BLUR_PX), np.float32)


def _edge(found: AlignedFrame) -> int:
    """Return how many pixels at the border were not in both pictures."""
    return 1 + math.ceil(found.offset)


def _changed_share(one: FloatArray, other: FloatArray) -> tuple[float, float]:
    """Share of cells that differ at equal brightness, and of those that no light explains; 0 if so few are noise."""
    ratio = float(np.median((one[::2, ::2] + 4) / (other[::2, ::2] + 4)))
    gain = ratio if abs(ratio - 1) > 0.004 else 1.0
    apart = np.abs((one + 4) - (other + 4) * gain)
    # Flickering lamps brighten a bright place more than a dark one.
    limit = _MIN_DIFFERENCE_GREY + _FLICKER_SHARE * abs(ratio - 1) * 255
    changed = apart > limit
    count = int(np.count_nonzero(changed))
    if count < _MIN_CELLS:
        return 0.0, 0.0
    unlit = count - int(np.count_nonzero(find_light_changes(one, other, changed)))
    return count / apart.size, unlit / apart.size if unlit >= _MIN_CELLS else 0.0
