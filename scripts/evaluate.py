"""How well annotated photos are read: what ships beside mere thresholds, on every collection kept for measuring.

    python -m scripts.evaluate                                      # those of scripts/accuracy/holdouts.py
    python -m scripts.evaluate --data FOLDER [--data COLLECTION ...]
    python -m scripts.evaluate --empty FOLDER                       # pictures that show no tile, such as wallpapers
    python -m scripts.evaluate --changes                            # cropped, turned, in other light ...

For each collection it prints the figures of both with intervals (``scripts/accuracy/side_by_side.py``), and of what
ships: how each group of tiles is read, which mistakes were made (``scripts/accuracy/mistakes.py``), how hands are that
a person wrote down (``scripts/accuracy/photographed.py``), whether confidence holds for tiles of every size
(``scripts/accuracy/confidence.py``), and the photos with most faults. Folders have ``boxes.jsonl`` or JSON annotations
beside images; ``HUPAI_DATA`` names a folder that holds such folders, so that ``--data scenes-d-validation`` suffices.
With ``--changes`` it prints what each change of ``scripts/accuracy/changes.py`` does to the tiles that are right in the
photos as they are; a ``!`` marks the rows that lose more than they may, and the command then exits with 1. Detections
are kept in ``runs/looks``: a second run takes seconds.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import chain
from pathlib import Path
from typing import Annotated, Final, TypeAlias

import numpy as np
import typer

from scoring.version import version
from scripts.accuracy.changes import CHANGES, row
from scripts.accuracy.confidence import confidence_by_size
from scripts.accuracy.holdouts import COLLECTIONS, collections, pictures_without_tiles
from scripts.accuracy.looks import Looks
from scripts.accuracy.matching import PhotoResult, match
from scripts.accuracy.mistakes import count_mistakes, count_wrong_turns
from scripts.accuracy.photographed import read_photo, shares_over_photos
from scripts.accuracy.side_by_side import Collection, format_table
from scripts.accuracy.truth import TruePhoto, group_of
from vision.pipeline import TileReader
from vision.reading import Sighting
from vision.scene import Detections, to_sightings

Variant: TypeAlias = Callable[[TileReader, Detections], list[Sighting]]
"""What comes after detection: decides which detections are tiles, and which tiles."""


def name_by_threshold(reader: TileReader, seen: Detections) -> list[Sighting]:
    """The plainest variant: thresholds of .65 on the detector's score and .5 on the name."""
    keep = (seen.located >= 0.65) & (seen.probabilities.max(axis=1) >= 0.5)
    keep &= seen.probabilities.argmax(axis=1) != reader.classifier.none
    return to_sightings(seen, np.asarray(keep), reader.classifier)


VARIANTS: Final[dict[str, Variant]] = {"shipped": TileReader.classify, "threshold": name_by_threshold}


def count_by_group(results: Sequence[PhotoResult]) -> dict[str, str]:
    """How many tiles of each group are located and named right."""
    tiles = [(group_of(t.truth.label), t.right) for r in results for t in r.tiles]
    there, right = Counter(group for group, _ in tiles), Counter(group for group, right in tiles if right)
    return {group: f"{right[group] / count:.1%} of {count} right" for group, count in sorted(there.items())}


def print_changes(name: str, photos: Sequence[TruePhoto], read: Callable[[Path], list[Sighting]]) -> bool:
    """Print a collection's rows; whether all are within their limits."""
    print(f"\n{name}", flush=True)
    kept = True
    for change in CHANGES:
        found = row(photos, change, read)
        kept &= found.is_within_limit
        print(f"{found}{''.join(f' {name}' for name in found.lost)}", flush=True)
    return kept


def main(
    data: list[str] | None = None,
    empty: list[Path] | None = None,
    models: Path | None = None,
    changes: Annotated[bool, typer.Option("--changes", help="the photos cropped, turned, darkened ...")] = False,
) -> None:
    reader = TileReader(models=models)
    looks, compared = Looks(reader), list[Collection]()
    print(", ".join([f"hupai {version()}", *(f"{role} {short}" for role, short in reader.models.items())]))
    asked = collections(data or ([] if empty else COLLECTIONS))
    if changes:
        read = functools.cache(lambda path: reader.classify(looks(path)))
        kept = [print_changes(name, photos, read) for name, photos in asked]
        raise typer.Exit(0 if all(kept) else 1)
    for name, photos in chain(asked, ((str(folder), pictures_without_tiles(folder)) for folder in empty or ())):
        if not photos:
            print(f"\n{name}: no photo")
            continue
        results, hands = [list[PhotoResult](), list[PhotoResult]()], []
        for photo in photos:
            seen = looks(photo.path)
            shipped, threshold = (variant(reader, seen) for variant in VARIANTS.values())
            for sightings, into in zip((shipped, threshold), results, strict=True):
                into.append(match(photo, sightings))
            hands.append(read_photo(photo, shipped))
        compared.append(Collection.of(name, *results))
        print(f"\n{format_table(compared[-1], list(VARIANTS))}")
        parts = (
            count_by_group(results[0]), count_mistakes(results[0]), count_wrong_turns(results[0]),
            shares_over_photos(hands), confidence_by_size(results[0]),
        )  # fmt: skip
        for part in parts:
            for key, figures in part.items():
                print(f"  {key:34} {figures}")
        worst = sorted((r for r in results[0] if r.faults), key=lambda r: -r.faults)[:5]
        told = ", ".join(f"{r.photo.path.name} {r.faults}" for r in worst)
        print(f"  most faults: {told or 'none anywhere'}", flush=True)
    if len(compared) > 1:
        print(f"\n{format_table(Collection.together(compared), list(VARIANTS))}")
    raise typer.Exit(0 if compared else 3)


if __name__ == "__main__":
    typer.run(main)
