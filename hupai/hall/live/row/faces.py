"""The faces of standing tiles: named, known while they look the same, and told from holes and from light."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from hupai.hall.feed.stillness.glare import blown_out
from hupai.hall.live.row.look import NARROW, Face, steps_of
from hupai.hall.live.row.melds import BACK, BLANK
from hupai.hall.live.row.strip import Row, Strip, middle, width
from scoring.tiles import Tile
from vision.arrays import FloatArray, ImageArray
from vision.classify.classifier import classify
from vision.device import finish
from vision.onnx_device import OnnxDevice, OnnxView

READS: Final = 3
"""Times that a face which stays as it is gets read."""
SAME_GREY: Final = 16.0
"""Mean difference of two patches in any part of them and any colour, grey levels, up to which they show the same."""
BLOWN_MORE: Final = 0.2
"""Share of a face, or of a column of the strip, that is blown out beyond what is usual in the row, from which it is not
read."""
LEAST_FACE: Final = 0.3
"""Chance of the likeliest tile from which a detection counts: what cloth is read as is spread over many. ``SURE_FACE``:
under which it must not look like the table."""
SURE_FACE: Final = 0.6
BLANK_OFF: Final = 0.11
"""How far the colour of a blank face may be off that of the printed ones, as a logarithm of a channel."""
SHADES: Final = 0.05, 0.7, 0.85
"""Quantiles of a face's colours: its darkest, most of it, and what is between all that is printed on it, of which there
is little where much is printed, or a picture is blurred."""
INKED: Final = 1.4
"""From the darkest to most of a face, as a logarithm, from which something is printed on it: cloth is not so dark."""
WHOLE: Final = 0.84
"""Share of the usual width that the whole of a blank face has at least."""
Patch: TypeAlias = npt.NDArray[np.int16]


@dataclass(slots=True)
class _Known:
    """A face: its quad in row coordinates, how it looked first, and the mean of what it was read as so often."""

    quad: FloatArray
    patch: Patch
    chances: dict[Tile, float]
    reads: int

    @property
    def is_done(self) -> bool:
        """Whether it need not be read again while nothing changes; what is hardly a face may be cloth."""
        return self.reads >= READS and max(self.chances.values(), default=0.0) >= SURE_FACE

    @property
    def is_blank(self) -> bool:
        """Whether it was read as a white dragon: it may be a hole, or light."""
        return _likeliest(self.chances) is BLANK


class FaceReader:
    """Reads the faces of one row again and again; only what has changed is read."""

    def __init__(self, device: OnnxDevice) -> None:
        """Take the models."""
        self._device = device
        self._known: list[_Known] = []
        self._last: tuple[Sequence[FloatArray], tuple[Face, ...]] = (), ()

    def doubt(self) -> None:
        """Read every face again: one that looks much alike may have come to stand where another was."""
        for known in self._known:
            known.reads = 0

    def overlooked(self, strip: Strip, quads: Sequence[FloatArray]) -> list[FloatArray]:
        """The quads of known faces that are not among those that were found, and look as they did."""
        found = []
        for known in self._known:
            at, wide = middle(known.quad), width(known.quad)
            if all(abs(middle(q) - at) >= NARROW * wide for q in quads):
                patch = _patch(strip, known.quad)
                if patch is not None and _differ(patch, known.patch) < SAME_GREY:
                    found.append(known.quad)
        return found

    def read(self, rgb: ImageArray, row: Row, strip: Strip, quads: Sequence[FloatArray]) -> tuple[Face, ...]:
        """The faces among quads, from the left; without chances those that light blots out.

        Given the very sequence of the last look, nothing has changed since.
        """
        if quads is self._last[0] and all(known.is_done for known in self._known):
            return self._last[1]
        blotted = in_light(strip, quads)
        readable = [
            (q, patch)
            for q, out in zip(quads, blotted, strict=True)
            if not out and (patch := _patch(strip, q)) is not None
        ]
        now = []
        for quad, patch in readable:
            known = self._nearest(quad)
            same = known is not None and _differ(patch, known.patch) < SAME_GREY
            now.append(replace(known, quad=quad) if known and same else _Known(quad, patch, {}, 0))
        unsure = [known for known in now if not known.is_done or known.is_blank]
        others = [known for known in now if known.is_done]
        for known, chances in zip(unsure, self._name(rgb, row, strip, unsure, others), strict=True):
            known.chances = {
                t: (known.chances.get(t, 0.0) * known.reads + chances.get(t, 0.0)) / (known.reads + 1)
                for t in {*known.chances, *chances}
            }
            known.reads = min(known.reads + 1, READS)
        self._known = [known for known in now if max(known.chances.values(), default=0.0) >= LEAST_FACE]
        faces = [as_face(known.quad, known.chances) for known in self._known]
        faces += [as_face(q, {}) for q, out in zip(quads, blotted, strict=True) if out]
        self._last = quads, without_doubles(sorted(faces, key=lambda face: face.at))
        return self._last[1]

    def _nearest(self, quad: FloatArray) -> _Known | None:
        at = middle(quad)
        near = min(self._known, key=lambda known: abs(middle(known.quad) - at), default=None)
        return near if near is not None and abs(middle(near.quad) - at) < 0.3 * width(quad) else None

    def _name(
        self, rgb: ImageArray, row: Row, strip: Strip, faces: Sequence[_Known], others: Sequence[_Known]
    ) -> list[dict[Tile, float]]:
        """The chances of standing tiles, none of which turns its back: what is blank is a white dragon, or a hole."""
        named = name_faces(self._device, rgb, row, [face.quad for face in faces])
        for chances in named:
            if BACK in chances:
                chances[BLANK] = chances.get(BLANK, 0.0) + chances.pop(BACK)
        printed = [known.quad for known in others if _is_printed(known.chances)]
        printed += [face.quad for face, chances in zip(faces, named, strict=True) if _is_printed(chances)]
        for face, chances in zip(faces, named, strict=True):
            if not _is_printed(chances) and shows_table(strip, face.quad, printed):
                chances.clear()
        return named


def _is_printed(chances: dict[Tile, float]) -> bool:
    """Whether a face is surely neither blank nor a picture: holes are read as the one, patterned cloth as the other."""
    best = _likeliest(chances)
    return not (best is BLANK or best.is_bonus) and chances[best] >= SURE_FACE


def _likeliest(chances: dict[Tile, float]) -> Tile:
    """The likeliest tile; a white dragon where there is none."""
    return max(chances, key=chances.__getitem__, default=BLANK)


def name_faces(device: OnnxDevice, rgb: ImageArray, row: Row, quads: Sequence[FloatArray]) -> list[dict[Tile, float]]:
    """The chances of each tile of faces in row coordinates; ``back`` is one."""
    if not quads:
        return []
    of = device.metadata.classifier
    corners = [float(v) for q in quads for point in row.to_picture(q) for v in point]
    crops = finish(OnnxView(device, rgb).crop(corners, of.crop, of.margin))
    read = finish(classify(crops, len(quads), device.metadata))
    return [{t: p for t, p in zip(of.tiles, one.probabilities, strict=True) if t and p > 1e-3} for one in read]


def without_doubles(faces: Sequence[Face]) -> tuple[Face, ...]:
    """The faces without those that stand where another does: the surer one stays."""
    kept = list(faces[:1])
    for face in faces[1:]:
        if steps_of((kept[-1], face))[0] < NARROW:
            kept[-1] = max(kept[-1], face, key=lambda one: max(one.chances.values(), default=0.0))
        else:
            kept.append(face)
    return tuple(kept)


def shows_table(strip: Strip, quad: FloatArray, quads: Sequence[FloatArray]) -> bool:
    """Whether what is hardly a face is narrower than the nearest of them, or has another colour: a hole, or cloth."""
    others = sorted((q for q in quads if q is not quad), key=lambda q: abs(middle(q) - middle(quad)))[:4]
    if others and width(quad) < WHOLE * np.median([width(q) for q in others]):
        return True
    own, *near = [_shades(strip, q) for q in (quad, *others)]
    grounds = [shades[2] for shades in near if shades is not None]
    if own is None or len(grounds) < 2:
        return False
    inked = np.log(own[1].sum() / own[0].sum()) > INKED  # a white dragon with a frame
    return bool(not inked and np.abs(np.log(own[2] / np.median(grounds, axis=0))).max() > BLANK_OFF)


def as_face(quad: FloatArray, chances: dict[Tile, float]) -> Face:
    """The face of a quad in row coordinates."""
    return Face(middle(quad), width(quad), chances)


def in_light(strip: Strip, quads: Sequence[FloatArray]) -> list[bool]:
    """Of each face, whether light blots it out more than is usual."""
    blown = [blown_share(strip.part(q)) for q in quads]
    return [share > np.median([0.0, *blown]) + BLOWN_MORE for share in blown]


def blown_share(part: npt.NDArray[Any]) -> float:
    """The share of (h, w, 3) colours that is blown out."""
    return cv2.countNonZero(blown_out(part)) / (part.size / 3) if part.size else 0.0


def _shades(strip: Strip, quad: FloatArray) -> npt.NDArray[np.float64] | None:
    """The (3, 3) colours of a face at :data:`SHADES`."""
    part = strip.part(quad)
    dy, dx = (round(0.15 * n) for n in part.shape[:2])
    part = part[dy : len(part) - dy, dx : part.shape[1] - dx]
    return np.quantile(part.reshape(-1, 3), SHADES, axis=0) + 1.0 if part.size else None


def _patch(strip: Strip, quad: FloatArray) -> Patch | None:
    """A face as (16, 12, 3) colours; None where it is not in the strip."""
    part = strip.part(quad)
    if min(part.shape[:2]) < 4:
        return None
    return np.asarray(cv2.resize(part, (12, 16), interpolation=cv2.INTER_AREA), np.int16)


def _differ(one: Patch, other: Patch) -> float:
    """How much two patches differ, grey levels, in the twelfth of the face and the colour where they do most."""
    return float(np.abs(one - other).reshape(4, 4, 3, 4, 3).mean(axis=(1, 3)).max())
