"""Pictures of one seat's camera -> looks: where the row stands, what its faces are, and what hides them.

Only the strip in which the row stands is cut out of a picture, at the size that the detector likes; the whole picture
is searched where there is no row yet, or no more. What has not changed since the last look is not read again.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import Final, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from hupai.hall.feed.stillness.glare import BLOWN_GREY
from hupai.hall.live.beside import Beside, Flat, across
from hupai.hall.live.front import Front, runs
from hupai.hall.live.look import Face, Look, Melds, Span
from hupai.hall.live.strip import Row, Strip, find_row, is_flat
from scoring.tiles import Tile, tile
from vision.arrays import FloatArray, ImageArray
from vision.classify.classifier import classify
from vision.detect.nms import non_maximum_suppression
from vision.device import finish
from vision.onnx_device import OnnxView
from vision.pipeline import TileReader

BACK: Final = tile("back")
BLANK: Final = tile("5z")
Patch: TypeAlias = npt.NDArray[np.int16]
ROW_PX: Final = (42.0, 60.0, 50.0)
"""Narrower span of a standing tile where the strip is searched: the first, the others in turn while the row does not
look whole."""
HOLE: Final = 1.6
"""Steps between neighbours from which one may have been overlooked, or two taken for one. ``NARROW``: under which two
cannot stand."""
NARROW: Final = 0.82
READS: Final = 3
"""Times that a face which stays as it is gets read."""
BLOCK_PX: Final = 8
BLOCK_GREY: Final = 7
"""Grey levels by which the mean of no block of so many pixels may change where a strip is not searched again."""
SAME_GREY: Final = 16.0
"""Mean difference of two patches in any part of them and any colour, grey levels, up to which they show the same."""
BLOWN_MORE: Final = 0.1
"""Share of a face that is blown out, beyond what is usual in the row, from which it is not read."""
BLURRED: Final = 0.35
"""Share of the usual sharpness under which only the standing tiles are read; ``BLIND``: under which nothing is."""
BLIND: Final = 0.02
LEAST_FACE: Final = 0.5
"""Chance of being a printed face from which a detection counts."""
BLANK_OFF: Final = 0.11
"""How far the colour of a blank face may be off that of the printed ones, as a logarithm of a channel."""
TOO_SMALL_PX: Final = 22.0
TOO_STEEP: Final = 0.42
TOO_DARK_GREY: Final = 18
SEARCH_SECONDS: Final = 2.0
"""Seconds between two searches of the whole picture: where there is no row, has been none for ``LOST_SECONDS``, or has
for ``UNFIT_SECONDS`` been none that may be a hand. ``SMALLER``: widths of tiles that are further off, as a share."""
LOST_SECONDS: Final = 2.0
UNFIT_SECONDS: Final = 6.0
SMALLER: Final = 0.85
FITTING: Final = frozenset({13, 14, 16, 17})


@dataclass(slots=True)
class _Known:
    """A face that was read: its quad in the strip's coordinates, how it looked, and the mean of what it was read as."""

    quad: FloatArray
    patch: Patch
    chances: dict[Tile, float]
    reads: int


class RowLooker:
    """Looks at the pictures of one camera, which may all share the models."""

    def __init__(self, reader: TileReader) -> None:
        """Take the models."""
        self._reader, self._device = reader, reader.device
        self._row: Row | None = None
        self._known: list[_Known] = []
        self._searched = self._found = self._fitting = -math.inf
        self._sharp, self._hidden, self._size = 0.0, False, 0
        self._front: Front | None = None
        self._beside: dict[int, Beside] = {}
        self._last: tuple[tuple[object, ...], Patch, list[FloatArray]] | None = None

    def look(self, image: ImageArray, time: float) -> Look:
        """Look at an (h, w, 3) uint8 BGR picture taken at ``time``, seconds."""
        rgb = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2RGB), np.uint8)
        lost = self._row is None or time - self._found > LOST_SECONDS
        if (lost or time - self._fitting > UNFIT_SECONDS) and time - self._searched >= SEARCH_SECONDS:
            self._search(rgb, time, lost=lost)
        if self._row is None:
            return Look(time, reasons=("no_row",))
        return self._look_at_row(rgb, time, self._row)

    def _search(self, rgb: ImageArray, time: float, *, lost: bool) -> None:
        """Search the whole picture for the row, or for a better one than is looked at."""
        self._searched, row = time, self._row
        found = find_row(self._reader.find_tiles(rgb, thorough=False), like=row)
        # While hands cover the row, the discards beyond it must not be taken for it: they are further off.
        if found is None or (lost and row is not None and found.wide < SMALLER * row.wide):
            return
        if row is None or lost or found.is_off(row):
            self._row, self._known, self._front, self._sharp = found, [], None, 0.0
            self._found = self._fitting = time

    def _look_at_row(self, rgb: ImageArray, time: float, row: Row) -> Look:
        strip = Strip.cut(rgb, row, row.span, ROW_PX[0] / min(row.wide, row.high))
        grey = np.asarray(cv2.cvtColor(strip.pixels, cv2.COLOR_RGB2GRAY), np.uint8)
        quads = self._find_again(rgb, row, strip, grey)
        standing = [q for q in quads if not is_flat(q, row)]
        standing += [k.quad for k in self._known if self._still_there(k, strip, quads)]
        standing.sort(key=lambda q: float(q[:, 0].mean()))
        glare = _glare(strip)
        if self._front is None:
            self._front = Front(rgb, row, time)
        hidden = self._front.look(rgb, time, glare)
        if hidden or self._hidden:
            self._doubt()
        self._hidden = bool(hidden)
        if not standing:
            return Look(time, hidden=hidden, glare=glare, reasons=("no_row",))
        sharp = _sharpness(strip, grey, standing)
        self._sharp = max(self._sharp * 0.999, sharp)
        if sharp < BLIND * self._sharp:
            return Look(time, tuple(_face(q, {}) for q in standing), None, hidden, glare, ("blurred",))
        faces = self._read(rgb, row, strip, standing)
        if faces:
            self._found = time
        if sharp < BLURRED * self._sharp:
            return Look(time, faces, None, hidden, glare, ("blurred",))
        melds = None if hidden else self._look_beside(rgb, row, faces)
        if not hidden and not is_whole(faces, melds, glare):
            self._size = (self._size + 1) % len(ROW_PX)
        if hidden or len(faces) + 3 * len(melds or ()) in FITTING:
            self._fitting = time
        self._row = row.follow(standing, faces, hidden=bool(hidden), glare=bool(glare))
        if self._row.anchor != row.anchor:
            self._front = Front(rgb, self._row, time)
        return Look(time, faces, melds, hidden, glare, _reasons(row, strip, grey, standing))

    def _find_again(self, rgb: ImageArray, row: Row, strip: Strip, grey: ImageArray) -> list[FloatArray]:
        """The quads in a strip of the row; those found before if nothing has changed since."""
        blocks = cv2.resize(grey, None, fx=1 / BLOCK_PX, fy=1 / BLOCK_PX, interpolation=cv2.INTER_AREA).astype(np.int16)
        px = ROW_PX[self._size]
        where = (row.anchor, row.span, row.wide, row.high, px)
        if self._last is not None and self._last[0] == where and np.abs(blocks - self._last[1]).max() < BLOCK_GREY:
            return self._last[2]
        quads = self._find(Strip.cut(rgb, row, row.span, px / min(row.wide, row.high)) if self._size else strip)
        self._last = where, blocks, quads
        return quads

    def _find(self, strip: Strip) -> list[FloatArray]:
        found = non_maximum_suppression(self._device.find_quads(strip.pixels))
        return [strip.to_row(np.array(one.quad, np.float64)) for one in found]

    def _still_there(self, known: _Known, strip: Strip, quads: Sequence[FloatArray]) -> bool:
        """Whether a face that the detector has overlooked this time looks as it did."""
        at, wide = float(known.quad[:, 0].mean()), float(np.ptp(known.quad[:, 0]))
        if any(abs(float(q[:, 0].mean()) - at) < 0.6 * wide for q in quads):
            return False
        patch = _patch(strip, known.quad)
        return patch is not None and _differ(patch, known.patch) < SAME_GREY

    def _read(self, rgb: ImageArray, row: Row, strip: Strip, quads: Sequence[FloatArray]) -> tuple[Face, ...]:
        """The faces among quads; only what has changed is read."""
        blown = np.array([_blown_share(strip, q) for q in quads])
        usual = float(np.median(blown))
        if any(self._nearest(q) is None for q, share in zip(quads, blown, strict=True) if share <= usual + BLOWN_MORE):
            self._doubt()
        kept: list[_Known] = []
        todo: list[tuple[int, Patch]] = []
        faces: list[Face | None] = []
        for n, quad in enumerate(quads):
            if blown[n] > usual + BLOWN_MORE:
                faces.append(_face(quad, {}))
                continue
            patch, known = _patch(strip, quad), self._nearest(quad)
            faces.append(None)
            if patch is None:
                continue
            if known is not None and _differ(patch, known.patch) < SAME_GREY:
                known = _Known(quad, known.patch, known.chances, known.reads)
                kept.append(known)
                faces[n] = _face(quad, known.chances)
                if known.reads >= READS:
                    continue
            todo.append((n, patch))
        for (n, patch), chances in zip(
            todo, self._name_standing(rgb, row, strip, [quads[n] for n, _ in todo], quads), strict=True
        ):
            before = next((k for k in kept if k.quad is quads[n]), None)
            if before is None:
                before = _Known(quads[n], patch, chances, 1)
                kept.append(before)
            else:
                before.chances = {
                    t: (before.chances.get(t, 0.0) * before.reads + chances.get(t, 0.0)) / (before.reads + 1)
                    for t in {*before.chances, *chances}
                }
                before.reads += 1
            faces[n] = _face(quads[n], chances) if sum(chances.values()) >= LEAST_FACE else None
        self._known = [k for k in kept if sum(k.chances.values()) >= LEAST_FACE]
        return without_doubles([face for face in faces if face is not None])

    def _doubt(self) -> None:
        """Read every face again: one that looks much alike may have come to stand where another was."""
        for known in self._known:
            known.reads = 0

    def _nearest(self, quad: FloatArray) -> _Known | None:
        at, wide = float(quad[:, 0].mean()), float(np.ptp(quad[:, 0]))
        near = min(self._known, key=lambda k: abs(float(k.quad[:, 0].mean()) - at), default=None)
        return near if near is not None and abs(float(near.quad[:, 0].mean()) - at) < 0.3 * wide else None

    def _name_standing(
        self, rgb: ImageArray, row: Row, strip: Strip, quads: Sequence[FloatArray], all_quads: Sequence[FloatArray]
    ) -> list[dict[Tile, float]]:
        """The chances of standing tiles, none of which turns its back: what is blank is a white dragon, or a hole."""
        named = self._name(rgb, row, quads)
        for quad, chances in zip(quads, named, strict=True):
            if BACK in chances:
                chances[BLANK] = chances.get(BLANK, 0.0) + chances.pop(BACK)
            if chances.get(BLANK, 0.0) > 0.5 * sum(chances.values()) and shows_table(strip, quad, all_quads):
                chances.clear()
        return named

    def _name(self, rgb: ImageArray, row: Row, quads: Sequence[FloatArray]) -> list[dict[Tile, float]]:
        """The chances of each tile of faces; ``back`` is one."""
        if not quads:
            return []
        of = self._device.metadata.classifier
        corners = [float(v) for q in quads for point in row.to_picture(q) for v in point]
        crops = finish(OnnxView(self._device, rgb).crop(corners, of.crop, of.margin))
        read = finish(classify(crops, len(quads), self._device.metadata))
        return [{t: p for t, p in zip(of.tiles, one.probabilities, strict=True) if t and p > 1e-3} for one in read]

    def _look_beside(self, rgb: ImageArray, row: Row, faces: Sequence[Face]) -> Melds | None:
        """The melds to the left and the right; None where they could not be made out."""
        if not faces:
            return None
        first, last = faces[0], faces[-1]
        left, right = row.edges(rgb.shape[1])
        sides = [(0, (left, first.at - 0.7 * first.wide)), (1, (last.at + 0.7 * last.wide, right))]
        melds: list[tuple[Tile, ...]] = []
        for side, span in sides:
            if span[1] - span[0] < 2 * row.wide:
                continue
            beside = self._beside.setdefault(side, Beside(self._find_flat))
            there = beside.look(rgb, row, span)
            if there is None:
                return None
            melds += there
        return tuple(melds)

    def _find_flat(self, rgb: ImageArray, row: Row, span: Span, px: float) -> list[Flat]:
        """The flat tiles in a span beside the row, from the left, searched at this width."""
        strip = Strip.cut(rgb, row, span, px / row.wide, across(row))
        # What lies beyond the row, a wall or discards, is no meld of the player's.
        found = [q for q in self._find(strip) if is_flat(q, row) and q[:, 1].max() > -row.high / 2]
        quads = sorted(found, key=lambda q: float(q[:, 0].mean()))
        named = zip(quads, self._name(rgb, row, quads), strict=True)
        return [Flat(q, *max(chances.items(), key=lambda item: item[1])) for q, chances in named if chances]


def without_doubles(faces: Sequence[Face]) -> tuple[Face, ...]:
    """The faces without those that stand where another does: the surer one stays."""
    steps = [b.at - a.at for a, b in pairwise(faces)]
    kept = list(faces[:1])
    for n, face in enumerate(faces[1:]):
        # Seen from the side, a row's steps are wider at one end than at the other; some are wide where one is covered.
        near = max(0, min(n - 3, len(steps) - 7))
        if face.at - kept[-1].at < NARROW * median(steps[near : near + 7]):
            kept[-1] = max(kept[-1], face, key=lambda one: max(one.chances.values(), default=0.0))
        else:
            kept.append(face)
    return tuple(kept)


def is_whole(faces: Sequence[Face], melds: Melds | None, glare: Sequence[Span]) -> bool:
    """Whether the faces may be all of a row, but for those in glare."""
    pairs = list(pairwise(faces))
    usual = median(b.at - a.at for a, b in pairs) if pairs else 0.0
    for a, b in pairs[:-1]:  # the last may be drawn, and stand apart
        if b.at - a.at > HOLE * usual and not any(g[0] < b.at and g[1] > a.at for g in glare):
            return False
    return bool(glare) or melds is None or len(faces) + 3 * len(melds) in FITTING


def _glare(strip: Strip) -> tuple[Span, ...]:
    """Spans along the row where light blots out what is there."""
    blown = cv2.inRange(strip.pixels, (BLOWN_GREY,) * 3, (255,) * 3)
    share = (blown > 0).mean(axis=0)
    columns = share > float(np.median(share)) + 0.2
    wide = [(a, b) for a, b in runs(columns) if b - a > 0.15 * strip.scale * strip.wide]
    return tuple((strip.left + a / strip.scale, strip.left + b / strip.scale) for a, b in wide)


def _blown_share(strip: Strip, quad: FloatArray) -> float:
    x0, y0, x1, y1 = strip.box(quad)
    part = strip.pixels[y0:y1, x0:x1]
    return float((part.min(axis=2) >= BLOWN_GREY).mean()) if part.size else 0.0


def shows_table(strip: Strip, quad: FloatArray, quads: Sequence[FloatArray]) -> bool:
    """Whether what looks blank has another colour than the nearest of the faces: what is behind a hole."""
    own, at = _ground(strip, quad), float(quad[:, 0].mean())
    others = sorted((q for q in quads if q is not quad), key=lambda q: abs(float(q[:, 0].mean()) - at))[:4]
    grounds = [g for q in others if (g := _ground(strip, q)) is not None]
    if own is None or len(grounds) < 2:
        return False
    off = np.log(own / np.median(grounds, axis=0))
    return bool(np.abs(off).max() > BLANK_OFF)


def _ground(strip: Strip, quad: FloatArray) -> npt.NDArray[np.float64] | None:
    """The (3,) colour of a face between what is printed on it."""
    x0, y0, x1, y1 = strip.box(quad)
    dx, dy = round(0.15 * (x1 - x0)), round(0.15 * (y1 - y0))
    part = strip.pixels[y0 + dy : y1 - dy, x0 + dx : x1 - dx]
    return np.quantile(part.reshape(-1, 3), 0.7, axis=0) + 1.0 if part.size else None


def _patch(strip: Strip, quad: FloatArray) -> Patch | None:
    """A face as (16, 12, 3) colours; None where it is not in the strip."""
    x0, y0, x1, y1 = strip.box(quad)
    part = strip.pixels[y0:y1, x0:x1]
    if min(part.shape[:2]) < 4:
        return None
    return np.asarray(cv2.resize(part, (12, 16), interpolation=cv2.INTER_AREA), np.int16)


def _differ(one: Patch, other: Patch) -> float:
    """How much two patches differ, grey levels, in the twelfth of the face and the colour where they do most."""
    return float(np.abs(one - other).reshape(4, 4, 3, 4, 3).mean(axis=(1, 3)).max())


def _sharpness(strip: Strip, grey: ImageArray, quads: Sequence[FloatArray]) -> float:
    edges = cv2.Laplacian(grey, cv2.CV_16S)
    found = []
    for quad in quads:
        x0, y0, x1, y1 = strip.box(quad)
        part = edges[y0:y1, x0:x1]
        if part.size:
            found.append(float(part.var()))
    return float(np.quantile(found, 0.6)) if found else 0.0


def _reasons(row: Row, strip: Strip, grey: ImageArray, quads: Sequence[FloatArray]) -> tuple[str, ...]:
    """What makes a row hard to read."""
    found = []
    if min(row.wide, row.high) < TOO_SMALL_PX:
        found.append("too_small")
    if row.high / row.wide < TOO_STEEP:
        found.append("too_steep")
    x0, y0, x1, y1 = strip.box(np.concatenate(quads))
    if grey[y0:y1, x0:x1].size and float(grey[y0:y1, x0:x1].mean()) < TOO_DARK_GREY:
        found.append("too_dark")
    return tuple(found)


def _face(quad: FloatArray, chances: dict[Tile, float]) -> Face:
    return Face(float(quad[:, 0].mean()), float(np.ptp(quad[:, 0])), chances)
