"""Two sets of labels side by side: where they agree, and which tiles they confuse."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

from hupai.batch.corrections.matching import match_boxes, scale_to
from hupai.batch.corrections.pairing import A, B, Pairing
from hupai.batch.records import Record


@dataclass(slots=True)
class Agreement:
    """The result of comparing A (the labels tested) with B (the labels trusted).

    Attributes:
        pictures: in both sets. only_a, only_b: names in one of them only.
        boxes_a, boxes_b: in the common pictures.
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
        self.boxes_a += len(a.boxes)
        self.boxes_b += len(b.boxes)
        self.matched += len(found)
        wrong = len(a.boxes) + len(b.boxes) - 2 * len(found)
        for i, j, share in found:
            names = a.boxes[i].tile.code, b.boxes[j].tile.code
            self.pairs[names] += 1
            self.overlap += share
            self.same_label += names[0] == names[1]
            wrong += names[0] != names[1]
        taken_a, taken_b = {i for i, _, _ in found}, {j for _, j, _ in found}
        self.extra.update(x.tile.code for i, x in enumerate(a.boxes) if i not in taken_a)
        self.missing.update(x.tile.code for j, x in enumerate(b.boxes) if j not in taken_b)
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


def compare(a: Sequence[Record], b: Sequence[Record]) -> Agreement:
    """Compare two label sets; pictures match by their names, or else by their bytes or the ends of their names."""
    agreement = Agreement()
    partners = find_partners(a, b)
    for record in a:
        other = partners.get(record.image)
        if other is None:
            agreement.only_a.append(record.image)
        else:
            agreement.add(record, other)
    taken = {r.image for r in partners.values()}
    agreement.only_b = [r.image for r in b if r.image not in taken]
    return agreement


def find_partners(a: Sequence[Record], b: Sequence[Record]) -> dict[str, Record]:
    """Return the record of B for each picture of A that has one; see :mod:`hupai.batch.corrections.pairing`."""
    with closing(sqlite3.connect(":memory:")) as db:
        pairing = Pairing(db)
        for side, records in ((A, a), (B, b)):
            for record in records:
                pairing.add(side, record.image, record.sha256)
        pairing.pair()
        by_name = {r.image: r for r in b}
        return {one: by_name[other] for one, other in pairing.pairs()}


def _share(part: float, whole: float) -> float | None:
    return round(part / whole, 4) if whole else None
