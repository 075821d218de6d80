"""Pictures of one seat's camera -> looks: where the row stands, what its faces are, and what hides them.

Only the strip in which the row stands is cut out of a picture, at the size that the detector likes; the whole picture
is searched where there is no row yet, or no more. What has not changed since the last look is not read again.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from hupai.hall.feed.stillness.glare import blown_out
from hupai.hall.live.row.beside import Beside, Flat, across
from hupai.hall.live.row.faces import BLOWN_MORE, FaceReader, as_face, in_light, name_faces, shows_table
from hupai.hall.live.row.front import Front, runs
from hupai.hall.live.row.look import EDGE, Face, Look, Melds, Span, steps_of
from hupai.hall.live.row.melds import FITTING
from hupai.hall.live.row.strip import (
    Row,
    Strip,
    beside_of,
    find_row,
    is_turned,
    middle,
    standing_of,
    two_for_one,
    width,
)
from vision.arrays import FloatArray, ImageArray
from vision.detect.nms import non_maximum_suppression
from vision.pipeline import TileReader

ROW_PX: Final = (42.0, 60.0, 76.0, 50.0)
"""Narrower span of a standing tile where the strip is searched: the next one if the row does not look whole. Unless the
drawn tile is there, others are tried: after something has been before the row, and in a look every ``RESIZE_SECONDS``.
"""
RESIZE_SECONDS: Final = 1.0
NEW: Final = 7
"""Looks at a row that has been found in which it is searched at all sizes before it may be whole: blank dragons are
overlooked easily, and the first pictures of a stream are blurred."""
CALM: Final = 10
"""Looks since something was before the row from which sets hardly change."""
HOLE: Final = 1.6
"""Step from which a tile may have been overlooked, or two taken for one, in widths of a tile."""
BLOCK_PX: Final = 8
BLOCK_GREY: Final = 7
"""Grey levels by which the mean of no block of so many pixels may change where a strip is not searched again;
``SHARPER``: how many times as sharp as then it may have become."""
SHARPER: Final = 1.2
AROUND: Final = 0.75, 2.0
"""Widths of a tile beside what has changed, from which it is found again, and to which the strip is searched; all of
it is again where something changes after ``WHOLE_SECONDS``."""
WHOLE_SECONDS: Final = 1.0
BLURRED: Final = 0.35
"""Share of the usual sharpness under which only the standing tiles are read; ``BLIND``: under which nothing is."""
BLIND: Final = 0.02
TOO_SMALL_PX: Final = 22.0
TOO_STEEP: Final = 0.42
TOO_DARK_GREY: Final = 18
SEARCH_SECONDS: Final = 2.0
"""Seconds between two searches of the whole picture: where there is no row, has been none for as long, or has for
``UNFIT_SECONDS`` been none that may be a hand."""
UNFIT_SECONDS: Final = 6.0


@dataclass(frozen=True, slots=True)
class _Seen:
    """What is to be seen of a row until its picture changes: the row, means of blocks of grey, and what stands there.

    ``time``: when all of the strip was searched. ``found``: what may stand there. ``sharp``: how sharp the faces are, a
    variance of edges.
    """

    time: float
    where: tuple[object, ...]
    blocks: npt.NDArray[np.int16]
    found: Sequence[FloatArray]
    strip: Strip
    standing: Sequence[FloatArray]
    glare: tuple[Span, ...]
    sharp: float
    reasons: tuple[str, ...]


@dataclass(slots=True)
class SearchSize:
    """At which of :data:`ROW_PX` the strip is searched ``now``; ``usual``: but for single looks that try another."""

    now: int = 0
    usual: int = 0
    _tries: int = 0
    _tried: float = -math.inf

    def follow(self, time: float, *, whole: bool, drawn: bool, stirred: bool) -> None:
        """Choose one for the next look.

        ``whole``: no tile of the row was overlooked in this one. ``drawn``: the drawn tile is there. ``stirred``:
        something has just been before the row.
        """
        if not whole and self.now == self.usual:
            self.now = self.usual = (self.usual + 1) % len(ROW_PX)
        elif whole and drawn:
            self.usual = self.now
        elif whole and (stirred or time - self._tried >= RESIZE_SECONDS):
            self._tries, self._tried = self._tries + 1, time
            self.now = (self.usual + self._tries) % len(ROW_PX)
        else:
            self.now = self.usual


class RowLooker:
    """Looks at the pictures of one camera, which may all share the models."""

    def __init__(self, reader: TileReader) -> None:
        """Take the models."""
        self._reader, self._device = reader, reader.device
        self._row: Row | None = None
        self._faces = FaceReader(self._device)
        self._searched = self._found = self._fitting = -math.inf
        self._sharp = 0.0
        self._size = SearchSize()
        self._clear = 0  # looks since something was before the row; below 0 it has only just been found
        self._front: Front | None = None
        self._beside = Beside(self._find_flat), Beside(self._find_flat)
        self._seen: dict[int, _Seen] = {}  # by the size at which the strip was searched

    def look(self, image: ImageArray, time: float) -> Look:
        """Look at an (h, w, 3) uint8 BGR picture taken at ``time``, seconds."""
        rgb = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2RGB), np.uint8)
        lost = self._row is None or time - self._found > SEARCH_SECONDS
        if (lost or time - self._fitting > UNFIT_SECONDS) and time - self._searched >= SEARCH_SECONDS:
            self._search(rgb, time, lost=lost)
        if self._row is None:
            return Look(time, reasons=("no_row",))
        return self._look_at_row(rgb, time, self._row)

    def _search(self, rgb: ImageArray, time: float, *, lost: bool) -> None:
        """Search the whole picture for the row, or for a better one than is looked at."""
        self._searched, row = time, self._row
        found = find_row(self._reader.find_tiles(rgb, thorough=False), like=row)
        if found is None:
            return
        if row is None or lost or found.is_off(row):
            self._row, self._faces, self._front = found, FaceReader(self._device), Front(rgb, found, time)
            self._sharp, self._clear = 0.0, -NEW
            self._found = self._fitting = time

    def _look_at_row(self, rgb: ImageArray, time: float, row: Row) -> Look:
        seen = self._seen[self._size.now] = self._see(rgb, time, row)
        standing, glare = seen.standing, seen.glare
        assert self._front is not None
        hidden = self._front.look(rgb, time, glare)
        if hidden:  # neither discards nor melds are to be taken for a row that is covered
            self._found = time
        elif not self._clear:
            self._faces.doubt()
        self._clear = min(self._clear, 0) if hidden else self._clear + 1
        look = Look(time, hidden=hidden, glare=glare, reasons=seen.reasons, edges=row.edges(rgb.shape[1]))
        if not standing:
            return look
        self._sharp = max(self._sharp * 0.999, seen.sharp)
        if seen.sharp < BLIND * self._sharp:
            return replace(look, faces=tuple(as_face(q, {}) for q in standing), reasons=("blurred",))
        faces = self._faces.read(rgb, row, seen.strip, standing)
        if faces:
            self._found = time
        if seen.sharp < BLURRED * self._sharp:
            self._faces.doubt()
            return replace(look, faces=faces, reasons=("blurred",))
        melds = None if hidden else self._look_beside(rgb, row, faces)
        tiles = len(faces) + 3 * len(melds or ())
        if hidden or tiles in FITTING:
            self._fitting = time
        if not hidden:
            whole, drawn = is_whole(faces, melds, glare), tiles - 1 in FITTING
            self._size.follow(time, whole=whole, drawn=drawn, stirred=self._clear <= len(ROW_PX))
        self._row = row.follow(standing, faces, hidden=bool(hidden), glare=bool(glare))
        if self._row.anchor != row.anchor:
            self._front = Front(rgb, self._row, time)
        return replace(look, faces=faces, melds=None if self._clear < 0 else melds)

    def _see(self, rgb: ImageArray, time: float, row: Row) -> _Seen:
        """What stands in the strip of the row: what was seen before, but where something has changed since."""
        strip = Strip.cut(rgb, row, row.span, ROW_PX[0] / min(row.wide, row.high))
        grey = np.asarray(cv2.cvtColor(strip.pixels, cv2.COLOR_RGB2GRAY), np.uint8)
        blocks = cv2.resize(grey, None, fx=1 / BLOCK_PX, fy=1 / BLOCK_PX, interpolation=cv2.INTER_AREA).astype(np.int16)
        scale, last = ROW_PX[self._size.now] / min(row.wide, row.high), self._seen.get(self._size.now)
        where = (row.anchor, row.span, row.wide, row.high)
        edges = np.asarray(cv2.Laplacian(grey, cv2.CV_16S), np.int16)
        if last and (last.where != where or _sharpness(strip, edges, last.standing) > SHARPER * last.sharp):
            last = None
        changed = np.flatnonzero(np.abs(blocks - last.blocks).max(axis=0) >= BLOCK_GREY) if last else np.array([0])
        if last and not len(changed):
            return last
        (low, high), span = (-math.inf, math.inf), row.span
        if last and time - last.time < WHOLE_SECONDS:
            ends = strip.left + np.array([changed[0], changed[-1] + 1]) * BLOCK_PX / strip.scale
            (low, high), (left, right) = (ends + np.outer(AROUND, (-row.wide, row.wide))).tolist()
            span = max(left, row.span[0]), min(right, row.span[1])
            columns = strip.left + (np.arange(blocks.shape[1]) + 0.5) * BLOCK_PX / strip.scale
            blocks, time = np.where((low < columns) & (columns < high), blocks, last.blocks), last.time
        found = [q for q in last.found if not low < middle(q) < high] if last else []
        found += [q for q in self._find(Strip.cut(rgb, row, span, scale)) if low < middle(q) < high]
        quads = two_for_one(in_picture(found, row, rgb.shape[1]), row)
        quads = [q for q in quads if not (is_turned(q, row) and shows_table(strip, q, quads))]
        standing = standing_of(quads, row)
        if overlooked := self._faces.overlooked(strip, standing):
            standing = standing_of(quads, row, overlooked)
        sharp = _sharpness(strip, edges, standing)
        reasons = reasons_of(row, strip, grey, standing, rgb.shape[1]) if standing else ("no_row",)
        return _Seen(time, where, blocks, found, strip, standing, _glare(strip), sharp, reasons)

    def _find(self, strip: Strip) -> list[FloatArray]:
        found = non_maximum_suppression(self._device.find_quads(strip.pixels))
        return [strip.to_row(np.array(one.quad, np.float64)) for one in found]

    def _look_beside(self, rgb: ImageArray, row: Row, faces: Sequence[Face]) -> Melds | None:
        """The melds to the left and the right; None where they could not be made out."""
        if not faces:
            return None
        left, right = row.edges(rgb.shape[1])
        spans = (left, faces[0].at - 0.7 * row.wide), (faces[-1].at + 0.7 * row.wide, right)
        melds: Melds = ()
        for beside, span in zip(self._beside, spans, strict=True):
            if span[1] - span[0] >= 2 * row.wide:
                there = beside.look(rgb, row, span, calm=self._clear >= CALM)
                if there is None:
                    return None
                melds += there
        return melds

    def _find_flat(self, rgb: ImageArray, row: Row, span: Span, px: float) -> list[Flat]:
        """The flat tiles in a span beside the row, from the left, searched at this width."""
        strip = Strip.cut(rgb, row, span, px / row.wide, across(row))
        quads = beside_of(self._find(strip), row)
        named = zip(quads, name_faces(self._device, rgb, row, quads), in_light(strip, quads), strict=True)
        return [Flat(q, *max(chances.items(), key=lambda item: item[1]), lit) for q, chances, lit in named if chances]


def is_whole(faces: Sequence[Face], melds: Melds | None, glare: Sequence[Span]) -> bool:
    """Whether the faces may be all of a row, but for those in glare."""
    for (a, b), step in list(zip(pairwise(faces), steps_of(faces), strict=True))[:-1]:  # a drawn tile stands apart
        if step > HOLE and not any(g[0] < b.at and g[1] > a.at for g in glare):
            return False
    return bool(glare) or melds is None or len(faces) + 3 * len(melds) in FITTING


def _glare(strip: Strip) -> tuple[Span, ...]:
    """Spans along the row where light blots out what is there."""
    share = (blown_out(strip.pixels) > 0).mean(axis=0)
    columns = share > float(np.median(share)) + BLOWN_MORE
    wide = [(a, b) for a, b in runs(columns) if b - a > 0.15 * strip.scale * strip.wide]
    return tuple((strip.left + a / strip.scale, strip.left + b / strip.scale) for a, b in wide)


def _sharpness(strip: Strip, edges: npt.NDArray[np.int16], quads: Sequence[FloatArray]) -> float:
    found = [cv2.meanStdDev(part)[1].item() ** 2 for quad in quads if (part := strip.part(quad, edges)).size]
    return float(np.quantile(found, 0.6)) if found else 0.0


def in_picture(quads: Sequence[FloatArray], row: Row, wide: int) -> list[FloatArray]:
    """Those of faces in row coordinates of which hardly more than a corner is outside a picture so wide."""
    (left, right), off = row.edges(wide), EDGE * row.wide
    return [q for q in quads if left - off < middle(q) - width(q) / 2 and middle(q) + width(q) / 2 < right + off]


def reasons_of(row: Row, strip: Strip, grey: ImageArray, quads: Sequence[FloatArray], width: int) -> tuple[str, ...]:
    """What makes a row hard to read in a picture so wide."""
    every, (left, right) = np.concatenate(quads), row.edges(width)
    seen = strip.part(every, grey)
    found = {
        "cut_off": min(every[:, 0].min() - left, right - every[:, 0].max()) < EDGE * row.wide,
        "too_small": min(row.wide, row.high) < TOO_SMALL_PX,
        "too_steep": row.high / row.wide < TOO_STEEP,
        "too_dark": bool(seen.size) and float(seen.mean()) < TOO_DARK_GREY,
    }
    return tuple(reason for reason, true in found.items() if true)
