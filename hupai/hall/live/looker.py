"""Pictures of one seat's camera -> looks: where the row stands, what its faces are, and what hides them.

Only the strip in which the row stands is cut out of a picture, at the size that the detector likes; the whole picture
is searched where there is no row yet, or no more. What has not changed since the last look is not read again.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from hupai.hall.feed.stillness.glare import BLOWN_GREY
from hupai.hall.live.look import Face, Look, Melds, Span
from hupai.hall.live.melds import split_melds
from hupai.hall.live.strip import Row, Strip, find_row, is_flat
from scoring.tiles import Tile
from vision.arrays import FloatArray, ImageArray
from vision.classify.classifier import classify
from vision.detect.nms import non_maximum_suppression
from vision.device import finish
from vision.onnx_device import OnnxView
from vision.pipeline import TileReader

Patch: TypeAlias = npt.NDArray[np.int16]
ROW_PX: Final = 42.0
"""Narrower span of a standing tile where the strip is searched; ``MELD_PX``: of its width, where melds are, in turn."""
MELD_PX: Final = (84.0, 130.0, 60.0)
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
"""Share of the usual sharpness under which a picture tells nothing."""
LEAST_FACE: Final = 0.5
"""Chance of being a printed face from which a detection counts."""
TOO_SMALL_PX: Final = 22.0
TOO_STEEP: Final = 0.42
TOO_DARK_GREY: Final = 18
SEARCH_SECONDS: Final = 1.0
LOST_SECONDS: Final = 2.0
FRONT_PX: Final = 8
"""Pixels for a tile width of the picture of what lies before the row; ``FRONT_GREY``: a change that counts."""
FRONT_GREY: Final = 26
FRONT_SHARE: Final = 0.3
LEARN_SECONDS: Final = 4.0


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
        self._searched, self._found = -math.inf, -math.inf
        self._sharp = 0.0
        self._front: _Front | None = None
        self._beside: dict[int, _Beside] = {}
        self._last: tuple[tuple[object, ...], Patch, list[FloatArray]] | None = None

    def look(self, image: ImageArray, time: float) -> Look:
        """Look at an (h, w, 3) uint8 BGR picture taken at ``time``, seconds."""
        rgb = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2RGB), np.uint8)
        if self._row is None or time - self._found > LOST_SECONDS:
            if time - self._searched < SEARCH_SECONDS:
                return Look(time, reasons=("no_row",))
            self._searched = time
            found = find_row(self._reader.find_tiles(rgb, thorough=False), like=self._row)
            if found is None:
                return Look(time, reasons=("no_row",))
            self._row, self._known, self._front, self._beside, self._sharp = found, [], None, {}, 0.0
            self._found = time
        return self._look_at_row(rgb, time, self._row)

    def _look_at_row(self, rgb: ImageArray, time: float, row: Row) -> Look:
        strip = Strip.cut(rgb, row, row.span, ROW_PX / min(row.wide, row.high))
        grey = np.asarray(cv2.cvtColor(strip.pixels, cv2.COLOR_RGB2GRAY), np.uint8)
        quads = self._find_again(row, strip, grey)
        standing = [q for q in quads if not is_flat(q, row)]
        standing += [k.quad for k in self._known if self._still_there(k, strip, quads)]
        standing.sort(key=lambda q: float(q[:, 0].mean()))
        glare = _glare(strip)
        hidden = self._hidden(rgb, row, time, glare)
        if not standing:
            return Look(time, hidden=hidden, glare=glare, reasons=("no_row",))
        sharp = _sharpness(strip, grey, standing)
        self._sharp = max(self._sharp * 0.999, sharp)
        if sharp < BLURRED * self._sharp:
            faces = tuple(_face(q, {}) for q in standing)
            return Look(time, faces, None, hidden, glare, ("blurred",))
        faces = self._read(rgb, row, strip, standing)
        if faces:
            self._found = time
        melds = None if hidden else self._look_beside(rgb, row, faces)
        self._row = row.follow(standing, faces)
        return Look(time, faces, melds, hidden, glare, _reasons(row, strip, grey, standing))

    def _find_again(self, row: Row, strip: Strip, grey: ImageArray) -> list[FloatArray]:
        """The quads in a strip of the row; those found before if nothing has changed since."""
        blocks = cv2.resize(grey, None, fx=1 / BLOCK_PX, fy=1 / BLOCK_PX, interpolation=cv2.INTER_AREA).astype(np.int16)
        where = (row.anchor, row.span, row.wide, row.high)
        if self._last is not None and self._last[0] == where and np.abs(blocks - self._last[1]).max() < BLOCK_GREY:
            return self._last[2]
        quads = self._find(strip)
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
        for (n, patch), chances in zip(todo, self._name(rgb, row, [quads[n] for n, _ in todo]), strict=True):
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
        return tuple(face for face in faces if face is not None)

    def _nearest(self, quad: FloatArray) -> _Known | None:
        at, wide = float(quad[:, 0].mean()), float(np.ptp(quad[:, 0]))
        near = min(self._known, key=lambda k: abs(float(k.quad[:, 0].mean()) - at), default=None)
        return near if near is not None and abs(float(near.quad[:, 0].mean()) - at) < 0.3 * wide else None

    def _name(self, rgb: ImageArray, row: Row, quads: Sequence[FloatArray]) -> list[dict[Tile, float]]:
        """The chances of each tile of faces; backs are none, and what is blank is a white dragon."""
        if not quads:
            return []
        of = self._device.metadata.classifier
        corners = [float(v) for q in quads for point in row.to_picture(q) for v in point]
        crops = finish(OnnxView(self._device, rgb).crop(corners, of.crop, of.margin))
        named = []
        for one in finish(classify(crops, len(quads), self._device.metadata)):
            chances = dict(enumerate(one.probabilities))
            if of.columns.white >= 0 <= of.columns.back:
                chances[of.columns.white] += chances.pop(of.columns.back)
            named.append({t: p for k, p in chances.items() if (t := of.tiles[k]) is not None and p > 1e-3})
        return named

    # --- what lies beside the row -----------------------------------------------------------------------------------

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
            beside = self._beside.setdefault(side, _Beside())
            there = beside.look(rgb, row, span, self)
            if there is None:
                return None
            melds += there
        return tuple(melds)

    def find_flat(self, rgb: ImageArray, row: Row, span: Span, px: float) -> list[tuple[Tile, float]] | None:
        """The flat tiles in a span beside the row, from the left, each with its chance, searched at this width."""
        strip = Strip.cut(rgb, row, span, px / row.wide, (-1.3 * row.wide - row.high / 2, 0.9 * row.wide))
        quads = sorted((q for q in self._find(strip) if is_flat(q, row)), key=lambda q: float(q[:, 0].mean()))
        of, found = self._device.metadata.classifier, []
        if not quads:
            return []
        corners = [float(v) for q in quads for point in row.to_picture(q) for v in point]
        crops = finish(OnnxView(self._device, rgb).crop(corners, of.crop, of.margin))
        for one in finish(classify(crops, len(quads), self._device.metadata)):
            best = max(range(len(one.probabilities)), key=one.probabilities.__getitem__)
            t = of.tiles[best]
            if t is not None:
                found.append((t, one.probabilities[best]))
        return found

    # --- what is in front of the row --------------------------------------------------------------------------------

    def _hidden(self, rgb: ImageArray, row: Row, time: float, glare: Sequence[Span]) -> tuple[Span, ...]:
        if self._front is None or self._front.row_changed(row):
            self._front = _Front(row)
        return self._front.look(rgb, time, glare)


class _Beside:
    """The melds at one side, read again at another size until they make sense, and whenever something changes."""

    def __init__(self) -> None:
        self._patch: npt.NDArray[np.uint8] | None = None
        self._span: Span = (0.0, 0.0)
        self._melds: Melds | None = None
        self._tries = 0

    def look(self, rgb: ImageArray, row: Row, span: Span, looker: RowLooker) -> Melds | None:
        whole = (min(span[0], self._span[0]), self._span[1]) if self._span[1] else span
        if abs(span[0] - self._span[0]) > 0.5 * row.wide or abs(span[1] - self._span[1]) > 0.5 * row.wide:
            self._span, self._patch = span, None
        span = self._span
        del whole
        small = Strip.cut(rgb, row, span, 10 / row.wide, (-1.3 * row.wide - row.high / 2, 0.9 * row.wide)).pixels
        patch = np.asarray(cv2.cvtColor(small, cv2.COLOR_RGB2GRAY), np.uint8)
        if self._patch is not None and self._patch.shape == patch.shape:
            apart = cv2.absdiff(cv2.blur(patch, (3, 3)), cv2.blur(self._patch, (3, 3)))
            if float((apart > 18).mean()) < 0.01:
                if self._melds is not None or self._tries >= 12:
                    return self._melds
            else:
                self._patch = None
        if self._patch is None or self._patch.shape != patch.shape:
            self._patch, self._tries, self._melds = patch, 0, None
        px = MELD_PX[self._tries % len(MELD_PX)]
        self._tries += 1
        found = looker.find_flat(rgb, row, span, px)
        self._melds = split_melds(found) if found is not None else None
        if self._melds == () and self._tries < 2:
            return None  # one more look, at another size, before nothing is said to lie there
        return self._melds


class _Front:
    """The table before the row, in a small picture, and what has come between."""

    def __init__(self, row: Row) -> None:
        self._row = row
        self._usual: npt.NDArray[np.float32] | None = None
        self._last: npt.NDArray[np.float32] | None = None
        self._still: npt.NDArray[np.float32] | None = None
        self._time = 0.0

    def row_changed(self, row: Row) -> bool:
        return row.anchor != self._row.anchor

    def look(self, rgb: ImageArray, time: float, glare: Sequence[Span]) -> tuple[Span, ...]:
        row = self._row
        scale = FRONT_PX / row.wide
        low, high = row.whole
        strip = Strip.cut(rgb, row, (low, high), scale, (0.66 * row.high, 0.66 * row.high + 1.1 * row.wide))
        now = cv2.blur(strip.pixels, (3, 3)).astype(np.float32)
        if self._usual is None or self._last is None or self._still is None:
            self._usual, self._last, self._still, self._time = now, now, np.zeros(now.shape[:2], np.float32), time
            return ()
        moved = np.abs(now - self._last).max(axis=2) > 10
        self._still = np.where(moved, 0, self._still + (time - self._time)).astype(np.float32)
        self._last, self._time = now, time
        off = now - self._usual
        off -= np.clip(np.median(off.reshape(-1, 3), axis=0), -40, 40)
        front = np.abs(off).max(axis=2) > FRONT_GREY
        if glare:  # light brightens all colours alike
            light = (off.min(axis=2) > 0) & (np.ptp(off, axis=2) < 0.4 * off.max(axis=2) + 8)
            front &= ~light
        learn = (self._still > LEARN_SECONDS) | ((np.abs(off).max(axis=2) <= FRONT_GREY) & ~moved)
        self._usual = np.where(learn[..., None], 0.9 * self._usual + 0.1 * now, self._usual).astype(np.float32)
        columns = front.mean(axis=0) > FRONT_SHARE
        return tuple((low + a / scale, low + b / scale) for a, b in _runs(columns) if b - a >= 2)


def _runs(columns: npt.NDArray[np.bool_]) -> list[tuple[int, int]]:
    edges = np.flatnonzero(np.diff(np.concatenate([[0], columns.astype(np.int8), [0]])))
    return [(int(a), int(b)) for a, b in edges.reshape(-1, 2)]


def _glare(strip: Strip) -> tuple[Span, ...]:
    """Spans along the row where light blots out what is there."""
    blown = cv2.inRange(strip.pixels, (BLOWN_GREY,) * 3, (255,) * 3)
    share = (blown > 0).mean(axis=0)
    columns = share > float(np.median(share)) + 0.2
    runs = [(a, b) for a, b in _runs(columns) if b - a > 0.15 * strip.scale * strip.wide]
    return tuple((strip.left + a / strip.scale, strip.left + b / strip.scale) for a, b in runs)


def _blown_share(strip: Strip, quad: FloatArray) -> float:
    x0, y0, x1, y1 = strip.box(quad)
    part = strip.pixels[y0:y1, x0:x1]
    return float((part.min(axis=2) >= BLOWN_GREY).mean()) if part.size else 0.0


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
