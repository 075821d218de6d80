"""What learning a set from one photo is worth: each set of the annotated photos is learned from one, tried on the rest.

    python -m scripts.accuracy.sets --data scenes-a --data scenes-c-red-fives

The photo with the most different labels teaches, with its true labels as a person would give them; the other photos of
the set (no other version of the same shot among them) are read with and without what was learned.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter

from scripts.accuracy.holdouts import folder_of
from scripts.accuracy.matching import match
from scripts.accuracy.set_photos import by_set, learned, same_shot, teacher_of
from scripts.accuracy.truth import TruePhoto, load
from vision.io.photo import Photo
from vision.pipeline import Eyes


def benchmark(photos: list[TruePhoto], eyes: Eyes) -> dict[str, object]:
    """Errors among the located tiles of one set, before and after."""
    teacher = teacher_of(photos)
    known = learned(teacher, eyes)
    rest = [p for p in photos if not same_shot(p, teacher)]
    count: Counter[str] = Counter()
    left: Counter[str] = Counter()
    for photo in rest:
        seen = eyes.look(Photo(photo.path))
        outcomes = [match(photo, sightings, 0.0).outcomes for sightings in (seen, known.read(seen))]
        for before, after in zip(*outcomes, strict=True):
            if before.seen is None or after.seen is None:
                continue
            count.update(tiles=1, before=not before.right, after=not after.right)
            if not after.right:
                left[f"{after.truth.label} read as {after.seen.tile}"] += 1
    tiles = max(1, count["tiles"])
    return {
        "teacher": teacher.path.name,
        "labels_learned": len(known.known),
        "photos": len(rest),
        "tiles": count["tiles"],
        "accuracy_before": round(1 - count["before"] / tiles, 4),
        "accuracy_after": round(1 - count["after"] / tiles, 4),
        "errors_before": count["before"],
        "errors_after": count["after"],
        "errors_left": dict(left.most_common(5)),
    }


def main() -> None:
    """Print one table, or JSON."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", action="append", required=True, help="folder of annotated photos; may be repeated")
    options.add_argument("--threads", type=int, help="cores for one photo")
    options.add_argument("--json", action="store_true")
    given = options.parse_args()
    eyes = Eyes(threads=given.threads)
    photos = [photo for name in given.data for photo in load(folder_of(name))]
    result = {name: benchmark(group, eyes) for name, group in sorted(by_set(photos).items()) if len(group) > 1}
    if given.json:
        print(json.dumps(result, indent=1))
        return
    if not result:
        print("None of these photos show a tile set that scripts/accuracy/set_photos.py knows twice.")
    for name, row in result.items():
        print(
            f"{name:48s} tiles {row['tiles']:5}  errors {row['errors_before']:4} -> {row['errors_after']:4}  "
            f"accuracy {row['accuracy_before']} -> {row['accuracy_after']}  {row['errors_left']}"
        )


if __name__ == "__main__":
    main()
