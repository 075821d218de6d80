"""Lays corrected labels over what was read, and separates what a person changed from what they left unchanged.

Label tools return names and boxes and nothing else. A box that comes back unchanged keeps its corners, confidence
and alternatives; from a tool that only knows upright boxes, a box gets its corners back if it was not moved.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import Final

from hupai.label.classes import ALL, PRESETS, Classes
from hupai.label.corrections.losses import Losses
from hupai.label.corrections.matching import is_covered, is_upright, match_boxes, scale_to
from hupai.label.formats.base import clip_corners
from hupai.label.records import Box, Record
from vision.geometry import Quad, align_corners, bounds

KINDS: Final = ("confirmed", "renamed", "moved", "added", "removed", "unsure")
"""What becomes of a label, as :class:`Changes` counts it."""
UNMOVED_PX: Final = 1.5
"""Pixels by which an edge may be off and still count as unmoved: formats round."""


@dataclass(frozen=True, slots=True)
class Changes:
    """What people did to the labels.

    Attributes:
        confirmed: left unchanged. renamed, moved, added, removed: changed. unsure: made a place where nobody can tell.
        unchecked: as they were read, since the labels say that nobody has saved them.
        pictures: corrected. unknown: names of corrected pictures that had never been read.
    """

    confirmed: int
    renamed: int
    moved: int
    added: int
    removed: int
    unsure: int
    unchecked: int
    pictures: int
    unknown: tuple[str, ...]


class Merging:
    """Lays corrected labels over what had been read, one picture at a time, and counts the changes."""

    def __init__(self, classes: Classes = ALL, *, turns: bool = False, tells_checked: bool = False) -> None:
        """Begin without changes.

        Args:
            classes: those of the labels that the tool was given. What they cannot say is no change: a tile that is
                there under its class's name has kept its own, and a tile in no class stays where none is drawn.
            turns: whether the first corner says how a tile is turned, as in records; label tools begin anywhere.
            tells_checked: whether a tile with the origin ``read`` is one that nobody has saved.
        """
        self._classes, self._turns, self._tells_checked = classes, turns, tells_checked
        self._pictures, self._unchecked, self.losses = 0, 0, Losses()
        self._counts = dict.fromkeys(KINDS, 0)
        self._unknown: list[str] = []
        self._said, self._read = set[str](), Counter[str]()

    @property
    def changes(self) -> Changes:
        """What has been changed so far."""
        return Changes(**self._counts, unchecked=self._unchecked, pictures=self._pictures, unknown=tuple(self._unknown))

    def doubt_classes(self) -> tuple[str, Counter[str]] | None:
        """Return the preset without which the labels can do, and the tiles that were read which it cannot say."""
        for name in ("34", "37", "42") if self._said else ():
            if self._said <= (said := PRESETS[name].said):
                lost = Counter({code: count for code, count in self._read.items() if code not in said})
                return (name, lost) if lost else None
        return None

    def merge_record(self, record: Record, base: Record | None) -> Record:
        """Return the corrected labels of one picture, laid over what had been read of it, if anything.

        Raises:
            LabelError: the labels are of the picture as it lies in its file, not upright.
        """
        self._pictures += 1
        if base is not None:
            return self._lay_over(record, base)
        self._unknown.append(record.image)
        boxes = (b if self._is_unchecked(b) else replace(b, origin="corrected", confidence=None) for b in record.boxes)
        return replace(record, boxes=tuple(boxes))

    def _is_unchecked(self, box: Box) -> bool:
        return self._tells_checked and box.origin == "read"

    def _lay_over(self, record: Record, base: Record) -> Record:
        scaled = scale_to(record, base)
        given = scaled.boxes
        known, counts = self._classes.numbers, self._counts
        if given and all(map(self._is_unchecked, given)) and not scaled.ignored:
            self._unchecked += len(base.boxes)
            self.losses.add(base.image, len(base.boxes))
            return base
        before = dict(counts)
        shown = sorted(base.boxes, key=lambda b: b.tile.code not in known)
        pairs = match_boxes(given, shown, (base.width, base.height))
        partners = {i: shown[j] for i, j, _ in pairs}
        boxes, drawn = [], []
        for lost in sorted(set(range(len(shown))) - {j for _, j, _ in pairs}):
            if shown[lost].tile.code not in known:
                boxes.append(shown[lost])
            else:
                counts["unsure" if is_covered(shown[lost].bounds, scaled.ignored) else "removed"] += 1
        self._said.update(b.tile.code for b in given)
        self._read.update(b.tile.code for b in base.boxes if b.tile.code in self._classes.said)
        for i, box in enumerate(given):
            old = partners.get(i)
            if self._is_unchecked(box):
                self._unchecked += 1
                boxes.append(old or box)
                continue
            if old is None:
                counts["added"] += 1
                drawn.append(box.bounds)
                boxes.append(_new(box))
                continue
            still = self._is_unmoved(box.corners, old, base)
            corners = old.corners if still else box.corners if self._turns else align_corners(box.corners, old.corners)
            if box.tile.code not in (old.tile.code, self._classes.as_read(old.tile.code)):
                counts["renamed"] += 1
                boxes.append(replace(_new(box), corners=corners, role=old.role, group=old.group))
            elif not still:
                counts["moved"] += 1
                boxes.append(replace(_new(box), tile=old.tile, corners=corners, role=old.role, group=old.group))
            else:
                counts["confirmed"] += 1
                boxes.append(replace(old, origin="confirmed"))
        lost, added, renamed = (counts[kind] - before[kind] for kind in ("removed", "added", "renamed"))
        self.losses.add(base.image, sum(b.tile.code in known for b in shown), lost, added, renamed)
        # Most formats have no room for these places: they stay, unless somebody has drawn a tile there.
        unresolved = tuple(place for place in base.ignored if not is_covered(place, drawn))
        return replace(base, boxes=tuple(boxes), ignored=scaled.ignored or unresolved)

    def _is_unmoved(self, corners: Quad, old: Box, base: Record) -> bool:
        """Whether a box has not moved: it has the same corners, or is the upright box around them.

        If the picture's edge cuts off a tile, most formats only hold the part within the picture.
        """
        if corners == old.corners:
            return True
        places = old.corners, clip_corners(old.corners, base.width, base.height)
        return any(_same_place(corners, place, self._turns) for place in places)


def _new(box: Box) -> Box:
    return Box(box.tile, box.corners, origin="corrected")


def _same_place(one: Quad, other: Quad, turns: bool) -> bool:
    if is_upright(one) and not is_upright(other):
        return all(abs(p - q) <= UNMOVED_PX for p, q in zip(bounds(one), bounds(other), strict=True))
    return any(
        all(
            abs(x - u) <= UNMOVED_PX and abs(y - v) <= UNMOVED_PX
            for (x, y), (u, v) in zip(one[k:] + one[:k], other, strict=True)
        )
        for k in range(1 if turns else 4)
    )
