"""How accurate the labels of any model are compared with labels that people made: the same figures for every model.

- mAP: mean over the classes in the truth of the area under the precision envelope (all points, as PASCAL VOC counts
  since 2010); a detection is right if it has the class and at least half overlap with a tile that no surer one has
  taken.
- mAP by centres: the same, but a detection is right if its centre lies on the tile, for models with other kinds of
  boxes.
- photo exact: the share of photos in which the detections of at least ``least`` confidence are exactly the tiles.
- hand exact: of the photos whose hand the truth contains, the share in which it comes out (:mod:`exact_hand`); if the
  labels contain no hands, like a detector's, it is made out from the detections of at least ``least`` confidence.
- calibration error: see :func:`datasets.learn.calibration.calibration_error`, over ten bins.

A detection on no tile of the truth whose centre lies where the truth says that it does not count is left out: in an
``ignore`` box of photo annotations, or a COCO annotation that is a crowd.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Final

import cv2
import numpy as np
import typer

from datasets.learn.calibration import calibration_error
from hupai.label.classes import ALL, Classes, parse_classes
from hupai.label.corrections.matching import box_overlaps, match_boxes, scale_to
from hupai.label.corrections.record_store import A, B, RecordStore
from hupai.label.formats import read_labels
from hupai.label.records import Box, Record
from scoring.errors import Fault, InvalidRequest
from scripts.accuracy.label.exact_hand import hand_comes_out

BINS: Final = 10
"""Bins of confidence for the calibration error."""

PairBoxes = Callable[[Sequence[Box], Sequence[Box]], list[tuple[float, int, int]]]


def measure(truth: Sequence[Record], labels: Sequence[Record], classes: Classes, least: float = 0.5) -> dict[str, Any]:
    """Return the figures of labels compared with the truth; None where the truth has no tile, or they no confidence.

    Args:
        truth: labels that people made. labels: those to be judged; pictures are matched as in ``hupai labels compare``,
            and one that is missing counts as a photo without a detection.
        classes: tiles of the same class count as equal, tiles in no class do not count.
        least: confidence from which a detection counts for the exact photos.

    Raises:
        InvalidRequest: they have no picture in common.
    """
    with RecordStore() as store:
        store.add(A, labels, "the labels")
        store.add(B, truth, "the truth")
        own = {true.image: scale_to(r, true) for r, true in store.pairs() if true is not None}
    missing = len(truth) - len(own)
    if missing == len(truth):
        raise InvalidRequest.of([Fault("usage", "There is no picture in common, by name or bytes.", "labels")])
    none = Record("none", 1, 1)
    kept = [
        (_drop_ignored(_in_classes(own.get(r.image, none).boxes, classes), r), _in_classes(r.boxes, classes))
        for r in truth
    ]
    hands = [r for r in truth if r.hand is not None and r.hand["hand"] is not None]
    exact = sum(_exact([b for b in mine if _sure(b) >= least], right, classes) for mine, right in kept)
    hands_exact = sum(hand_comes_out(own.get(r.image), r, classes, least) for r in hands)
    return {
        "pictures": len(truth),
        "pictures_missing": missing,
        "tiles": sum(len(right) for _, right in kept),
        "finds": sum(len(mine) for mine, _ in kept),
        "map_50": _mean_precision(kept, classes, box_overlaps),
        "map_centres": _mean_precision(kept, classes, centres),
        "photos_exact": exact,
        "photos_exact_interval": interval(exact, len(truth)),
        "hands": len(hands),
        "hands_exact": hands_exact,
        "hands_exact_interval": interval(hands_exact, len(hands)),
        "calibration_error": _calibration(kept, classes),
        "least_confidence": least,
    }


def interval(count: int, of: int) -> list[float]:
    """Return the 95 % interval of a share (Wilson, 1927)."""
    if not of:
        return [0.0, 1.0]
    z, p = 1.96, count / of
    middle, half = p + z * z / (2 * of), z * float(np.sqrt(p * (1 - p) / of + z * z / (4 * of * of)))
    ends = max(0.0, (middle - half) / (1 + z * z / of)), min(1.0, (middle + half) / (1 + z * z / of))
    return [round(end, 4) for end in ends]


def centres(one: Sequence[Box], other: Sequence[Box]) -> list[tuple[float, int, int]]:
    """Return (nearness, index, index) of every box of ``one`` with its centre on a box of ``other``, nearest first."""
    found = []
    for i, a in enumerate(one):
        x, y = np.mean(a.corners, axis=0)
        for j, b in enumerate(other):
            if cv2.pointPolygonTest(np.array(b.corners, np.float32), (float(x), float(y)), measureDist=False) >= 0:
                away = float(np.hypot(*(np.mean(b.corners, axis=0) - [x, y])))
                found.append((1 / (1 + away), i, j))
    return sorted(found, key=lambda s: (-s[0], s[1], s[2]))


def _in_classes(boxes: Sequence[Box], classes: Classes) -> list[Box]:
    return [b for b in boxes if b.tile.code in classes.numbers]


def _drop_ignored(mine: list[Box], truth: Record) -> list[Box]:
    """Return the detections that count: those on a tile, and those elsewhere but where the truth says nothing."""
    if not truth.ignored:
        return mine
    on_tiles = {i for i, _, _ in match_boxes(mine, truth.boxes)}
    middles = [np.mean(box.corners, axis=0) for box in mine]
    return [
        box
        for i, (box, (x, y)) in enumerate(zip(mine, middles, strict=True))
        if i in on_tiles or not any(x0 <= x <= x1 and y0 <= y <= y1 for x0, y0, x1, y1 in truth.ignored)
    ]


def _sure(box: Box) -> float:
    return 1.0 if box.confidence is None else box.confidence


def _exact(mine: Sequence[Box], right: Sequence[Box], classes: Classes) -> bool:
    found = match_boxes(mine, right)
    same = all(classes.same_class(mine[i].tile, right[j].tile) for i, j, _ in found)
    return same and len(found) == len(mine) == len(right)


def _mean_precision(kept: Sequence[tuple[list[Box], list[Box]]], classes: Classes, pair: PairBoxes) -> float | None:
    numbers: Mapping[str, int] = classes.numbers
    hits: dict[int, list[tuple[float, bool]]] = defaultdict(list)
    there: Counter[int] = Counter()
    for mine, right in kept:
        for number in {numbers[b.tile.code] for b in (*mine, *right)}:
            own = [b for b in mine if numbers[b.tile.code] == number]
            real = [b for b in right if numbers[b.tile.code] == number]
            there[number] += len(real)
            hits[number] += _hits(own, real, pair)
    areas = [_area(hits[number], count) for number, count in sorted(there.items()) if count]
    return round(sum(areas) / len(areas), 4) if areas else None


def _hits(own: Sequence[Box], real: Sequence[Box], pair: PairBoxes) -> list[tuple[float, bool]]:
    """Return each detection's confidence and whether it is right; the surest one chooses its tile first."""
    fits: dict[int, list[int]] = defaultdict(list)
    for _, i, j in pair(own, real):
        fits[i].append(j)
    taken: set[int] = set()
    judged = []
    for i in sorted(range(len(own)), key=lambda i: (-_sure(own[i]), i)):
        free = next((j for j in fits[i] if j not in taken), None)
        if free is not None:
            taken.add(free)
        judged.append((_sure(own[i]), free is not None))
    return judged


def _area(hits: Sequence[tuple[float, bool]], count: int) -> float:
    """Return the area under the precision envelope over recall; detections of equal confidence count together."""
    if not hits:
        return 0.0
    confidence = np.array([c for c, _ in hits])
    order = np.argsort(-confidence, kind="stable")
    right = np.cumsum(np.array([h for _, h in hits], float)[order])
    ends = np.flatnonzero(np.append(np.diff(confidence[order]) != 0, True))
    recall, precision = right[ends] / count, right[ends] / (ends + 1)
    envelope = np.maximum.accumulate(precision[::-1])[::-1]
    return float(np.sum(np.diff(np.append(0.0, recall)) * envelope))


def _calibration(kept: Sequence[tuple[list[Box], list[Box]]], classes: Classes) -> float | None:
    judged: list[tuple[float, bool]] = []
    for mine, right in kept:
        found = {i: j for i, j, _ in match_boxes(mine, right)}
        for i, box in enumerate(mine):
            if box.confidence is not None:
                same = i in found and classes.same_class(box.tile, right[found[i]].tile)
                judged.append((min(1.0, max(0.0, box.confidence)), same))
    if not judged:
        return None
    confidence, hit = np.array([c for c, _ in judged]), np.array([h for _, h in judged], float)
    return round(calibration_error(confidence, hit, BINS), 4)


def main(
    truth: Annotated[Path, typer.Argument(help="Labels that people made, or that were rendered.")],
    labels: Annotated[list[str], typer.Argument(metavar="NAME=LABELS ...", help="Labels to measure, with confidence.")],
    least: Annotated[float, typer.Option(min=0, max=1, help="Confidence needed in exact photos.")] = 0.5,
    classes: Annotated[str | None, typer.Option(help="Which tiles count as the same: 34, 37, 42 ...")] = None,
) -> None:
    """Print the figures of each model's labels as JSON."""
    counted = parse_classes(classes) if classes else ALL
    right = read_labels(truth)
    sizes = {r.image.rpartition(".")[0] or r.image: (r.image, r.width, r.height) for r in right}
    found = {}
    for given in labels:
        name, sign, place = given.partition("=")
        if not sign or name in found:
            raise typer.BadParameter(f"{given}: write NAME=LABELS, each name once.")
        found[name] = measure(right, read_labels(Path(place), sizes=sizes), counted, least)
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    typer.run(main)
