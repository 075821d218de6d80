"""Two sets of labels side by side: where they agree, and which tiles they confuse."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from hupai.label.corrections.matching import is_covered, match_boxes, scale_to
from hupai.label.records import Record


@dataclass(slots=True)
class Agreement:
    """The result of comparing A (the labels tested) with B (the labels trusted).

    Attributes:
        pictures: in both sets. only_a, only_b: names in one of them only.
        boxes_a, boxes_b: in the common pictures, without finds where A or B says that nobody can tell.
        matched: boxes that are the same tile; same_label: those of them that have the same name.
        overlap: sum of the overlaps of matched boxes.
        pairs: (label in A, label in B) -> count over the matched boxes.
        missing, extra: label -> boxes of B that A lacks, of A that B lacks.
        whole: pictures that agree in every box. unlike: the other pictures, with the number of boxes that differ.
    """

    pictures: int = 0
    only_a: list[str] = field(default_factory=list)
    only_b: list[str] = field(default_factory=list)
    boxes_a: int = 0
    boxes_b: int = 0
    matched: int = 0
    same_label: int = 0
    overlap: float = 0.0
    pairs: Counter[tuple[str, str]] = field(default_factory=Counter)
    missing: Counter[str] = field(default_factory=Counter)
    extra: Counter[str] = field(default_factory=Counter)
    whole: int = 0
    unlike: dict[str, int] = field(default_factory=dict)

    def add(self, a: Record, b: Record) -> None:
        """Compare the labels of one picture."""
        a = scale_to(a, b)
        found = match_boxes(a.boxes, b.boxes)
        self.pictures += 1
        self.matched += len(found)
        taken_a, taken_b = {i for i, _, _ in found}, {j for _, j, _ in found}
        places = (*a.ignored, *b.ignored)
        extra, missing = (
            [box.tile.code for i, box in enumerate(boxes) if i not in taken and not is_covered(box.bounds, places)]
            for boxes, taken in ((a.boxes, taken_a), (b.boxes, taken_b))
        )
        self.boxes_a += len(found) + len(extra)
        self.boxes_b += len(found) + len(missing)
        wrong = len(extra) + len(missing)
        for i, j, share in found:
            names = a.boxes[i].tile.code, b.boxes[j].tile.code
            self.pairs[names] += 1
            self.overlap += share
            self.same_label += names[0] == names[1]
            wrong += names[0] != names[1]
        self.extra.update(extra)
        self.missing.update(missing)
        if wrong:
            self.unlike[a.image] = wrong
        else:
            self.whole += 1

    @property
    def kappa(self) -> float | None:
        """Cohen's kappa of the names of matched boxes: agreement beyond chance; None if chance explains all of it."""
        if not self.matched:
            return None
        by_a, by_b = Counter[str](), Counter[str]()
        for (x, y), n in self.pairs.items():
            by_a[x] += n
            by_b[y] += n
        chance = sum(by_a[label] * by_b[label] for label in by_a) / self.matched**2
        return None if chance >= 1 else (self.same_label / self.matched - chance) / (1 - chance)

    def classes(self) -> dict[str, dict[str, float | int | None]]:
        """Precision and recall of A by class, with B as the truth."""
        labels = sorted({x for pair in self.pairs for x in pair} | set(self.missing) | set(self.extra))
        out = {}
        for label in labels:
            right = self.pairs[label, label]
            said = sum(n for (x, _), n in self.pairs.items() if x == label) + self.extra[label]
            true = sum(n for (_, y), n in self.pairs.items() if y == label) + self.missing[label]
            out[label] = {
                "in_a": said,
                "in_b": true,
                "agree": right,
                "precision": _share(right, said),
                "recall": _share(right, true),
            }
        return out

    def to_json(self) -> dict[str, Any]:
        """All figures, with the most frequent confusions first."""
        confused = sorted(((n, x, y) for (x, y), n in self.pairs.items() if x != y), key=lambda c: (-c[0], c[1:]))
        return {
            "pictures": self.pictures,
            "pictures_only_in_a": self.only_a,
            "pictures_only_in_b": self.only_b,
            "pictures_alike": self.whole,
            "boxes_a": self.boxes_a,
            "boxes_b": self.boxes_b,
            "matched": self.matched,
            "same_label": self.same_label,
            "label_agreement": _share(self.same_label, self.matched),
            "agreement": _share(self.same_label, self.boxes_a + self.boxes_b - self.matched),
            "kappa": None if self.kappa is None else round(self.kappa, 4),
            "mean_overlap": _share(self.overlap, self.matched),
            "missing_in_a": dict(self.missing.most_common()),
            "extra_in_a": dict(self.extra.most_common()),
            "confusions": [{"a": x, "b": y, "count": n} for n, x, y in confused],
            "classes": self.classes(),
            "pictures_unlike": dict(sorted(self.unlike.items(), key=lambda e: (-e[1], e[0]))),
        }


def compare(pairs: Iterable[tuple[Record, Record | None]]) -> Agreement:
    """Compare the pictures of A, each with its partner in B if it has one (:meth:`RecordStore.pairs`).

    ``only_b`` is left empty.
    """
    agreement = Agreement()
    for record, other in pairs:
        if other is None:
            agreement.only_a.append(record.image)
        else:
            agreement.add(record, other)
    return agreement


def _share(part: float, whole: float) -> float | None:
    return round(part / whole, 4) if whole else None
