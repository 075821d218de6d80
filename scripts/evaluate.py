"""How well annotated photos are read: figures as JSON, and an HTML report with photos, worst first.

    python -m scripts.evaluate                                    # two variants on every collection, side by side
    python -m scripts.evaluate --data FOLDER [--data FOLDER ...] [--out runs/evaluation]

The first way compares what ships with mere thresholds on all photos kept for measuring, with intervals
(``scripts/accuracy/holdouts.py``); detections are kept in ``--looks``, so that the second run takes seconds. For what
ships it also prints how well hands that a person wrote down are read (``scripts/accuracy/photographed.py``), and
whether confidence holds for tiles of every size (``scripts/accuracy/confidence.py``). The second way reports on folders
with ``boxes.jsonl`` or JSON annotations beside images. ``HUPAI_DATA`` names a folder that holds such folders, so that
``--data scenes-d-validation`` suffices. The report itself says how things are matched and counted.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np

from scripts.accuracy.confidence import confidence_by_size
from scripts.accuracy.holdouts import COLLECTIONS, collections, folder_of
from scripts.accuracy.looks import Looks
from scripts.accuracy.matching import (
    Outcome,
    PhotoResult,
    Rule,
    broken_down,
    by_fact,
    by_group,
    by_rotation,
    by_size,
    by_source,
    calibration,
    confusion,
    figures,
    match,
)
from scripts.accuracy.photographed import read_photo, summed
from scripts.accuracy.report import write_report
from scripts.accuracy.side_by_side import Collection, table
from scripts.accuracy.truth import TruePhoto, load
from scripts.bench.provenance import made_by
from vision.io.photo import Photo
from vision.pipeline import Eyes
from vision.reading import Sighting
from vision.scene.detections import Detections

BREAKDOWNS: dict[str, Callable[[TruePhoto, Outcome], str | None]] = {
    "group": by_group,
    "source": by_source,
    "size": by_size,
    "rotation": by_rotation,
    "state": by_fact("state"),
    "row": by_fact("row"),
    "visible": by_fact("visible", (0, 0.5, 0.7, 0.9, 0.98, 1.01)),
    "tilt": by_fact("tilt", (0, 10, 20, 30, 40, 50, 60, 90)),
    "blur": by_fact("blur", (0, 0.5, 1, 1.5, 2, 3, 5, 100)),
    "light": by_fact("light", (0, 0.2, 0.4, 0.6, 0.8, 1.0, 1.5, 10)),
    "jpeg": by_fact("jpeg", (0, 30, 45, 60, 75, 90, 101)),
}
"""Facts to break the figures down by; those from ``tilt`` on are known only for synthetic scenes."""


Variant: TypeAlias = Callable[[Eyes, Detections], list[Sighting]]
"""What comes after detection: decides which detections are tiles, and which tiles."""


def by_threshold(eyes: Eyes, seen: Detections) -> list[Sighting]:
    """The plainest variant: thresholds of .65 on the detector's score and .5 on the name."""
    keep = (seen.located >= 0.65) & (seen.probabilities.max(axis=1) >= 0.5)
    keep &= seen.probabilities.argmax(axis=1) != eyes.classifier.none
    return eyes.sightings(seen, np.asarray(keep))


VARIANTS: Final[dict[str, Variant]] = {"shipped": lambda eyes, seen: eyes.name(seen), "threshold": by_threshold}


def compare(given: argparse.Namespace) -> int:
    """Two variants on every collection that is there."""
    variants = list(VARIANTS)
    eyes = Eyes(threads=given.threads, models=given.models)
    looks = Looks(eyes, given.looks)
    made, hands, sure = [], {}, {}
    for name, photos in collections(given.collection or COLLECTIONS):
        results: list[list[PhotoResult]] = [[], []]
        read = []
        for photo in photos[:: given.every]:
            seen = looks(photo.path)
            both = [variant(eyes, seen) for variant in VARIANTS.values()]
            for sightings, found in zip(both, results, strict=True):
                found.append(match(photo, sightings, rule=Rule.CENTRES))
            read.append(read_photo(photo, both[0]))
        made.append(Collection.of(name, *results))
        hands[name], sure[name] = summed(read), confidence_by_size(results[0])
        if not given.json:
            print(table(made[-1:], variants), flush=True)
            for key, shares in hands[name].items():
                print(f"  {key:24s} {shares}", flush=True)
            for key, figures in sure[name].items():
                print(f"  confidence, {key:12s} {figures}", flush=True)
    if given.json:
        rows = {c.name: c.to_json(variants) for c in [*made, Collection.together(made)]}
        print(
            json.dumps(
                {"made": made_by(given, eyes.models), "collections": rows, "hands": hands, "confidence": sure}, indent=1
            )
        )
    elif len(made) > 1:
        print(table([Collection.together(made)], variants))
    return 0 if made else 3


def run(
    photos: Sequence[TruePhoto], eyes: Eyes, tell: Callable[[str], None], rule: Rule = Rule.OVERLAP
) -> list[PhotoResult]:
    """Read every photo and match what is seen with what is there."""
    results = []
    for count, photo in enumerate(photos, 1):
        start = time.perf_counter()
        sightings = eyes.look(Photo(photo.path))
        results.append(match(photo, sightings, 1e3 * (time.perf_counter() - start), rule))
        if count % 50 == 0:
            tell(f"{count} of {len(photos)} photos")
    return results


def summary(results: Sequence[PhotoResult], rule: Rule = Rule.OVERLAP) -> dict[str, Any]:
    """All figures of a run, ready for JSON."""
    located = [o for r in results for o in r.outcomes if o.seen is not None]
    confidences = [o.seen.confidence for o in located if o.seen is not None]
    tables = {name: broken_down(results, by) for name, by in BREAKDOWNS.items()}
    return {
        "rule": rule.value,
        "figures": figures(results),
        "by": {name: table for name, table in tables.items() if table},
        "confusion": [[*pair, count] for pair, count in confusion(results).items()],
        "reliability": calibration(confidences, [o.right for o in located])[1],
        "photos": [
            {
                "photo": r.photo.path.name,
                "tiles": len(r.outcomes),
                "located": sum(o.seen is not None for o in r.outcomes),
                "right": sum(o.right for o in r.outcomes),
                "false_alarms": [s.tile.code for s in r.false_alarms],
                "milliseconds": round(r.milliseconds, 1),
            }
            for r in results
        ],
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--data", action="append", help="folder of annotated photos; may be repeated")
    parser.add_argument("--collection", action="append", choices=COLLECTIONS, help="compare on this one only")
    parser.add_argument("--looks", type=Path, default=Path("runs/looks"), help="where detections are kept")
    parser.add_argument("--out", type=Path, help="folder for evaluation.json, index.html and the photos")
    parser.add_argument("--models", type=Path, help="folder with zoo.json (default: the models of the repository)")
    parser.add_argument("--threads", type=int, help="cores for one photo")
    parser.add_argument("--every", type=int, default=1, help="take every n-th photo only")
    parser.add_argument("--pictures", type=int, default=60, help="photos in the report, worst first")
    parser.add_argument("--rule", type=Rule, choices=list(Rule), default=Rule.OVERLAP, help="how boxes match")
    parser.add_argument("--json", action="store_true", help="print all figures as JSON")
    given = parser.parse_args()
    if not given.data:
        return compare(given)
    photos = [photo for name in given.data for photo in load(folder_of(name))][:: given.every]
    eyes = Eyes(threads=given.threads, models=given.models)
    results = run(photos, eyes, lambda line: print(line, flush=True), given.rule)
    whole = {"made": made_by(given, eyes.models)} | summary(results, given.rule)
    if given.out:
        given.out.mkdir(parents=True, exist_ok=True)
        (given.out / "evaluation.json").write_text(json.dumps(whole, indent=1, ensure_ascii=False) + "\n")
        write_report(whole, results, given.out, given.pictures)
        print(f"report: {given.out / 'index.html'}")
    if given.json:
        print(json.dumps(whole, indent=1, ensure_ascii=False))
    else:
        for name, value in whole["figures"].items():
            print(f"{name:28s} {value}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
