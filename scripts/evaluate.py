"""How well annotated photos are read, on every collection kept for measuring.

    python -m scripts.evaluate                                      # those of scripts/accuracy/holdouts.py
    python -m scripts.evaluate --data FOLDER [--data COLLECTION ...]
    python -m scripts.evaluate --empty FOLDER                       # pictures that show no tile, such as wallpapers
    python -m scripts.evaluate --changes                            # cropped, turned, in other light ...

For each collection it prints the figures with intervals (``scripts/accuracy/figures.py``), how each group of tiles is
read, which mistakes were made (``scripts/accuracy/mistakes.py``), how hands are that a person wrote down
(``scripts/accuracy/photographed.py``), whether confidence holds for tiles of every size
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
from typing import Annotated

import typer

from scoring.version import version
from scripts.accuracy.changes import CHANGES, row
from scripts.accuracy.confidence import confidence_by_size
from scripts.accuracy.figures import Collection
from scripts.accuracy.holdouts import COLLECTIONS, collections, pictures_without_tiles
from scripts.accuracy.looks import Looks
from scripts.accuracy.matching import PhotoResult, match
from scripts.accuracy.mistakes import count_mistakes, count_wrong_turns
from scripts.accuracy.photographed import read_photo, shares_over_photos
from scripts.accuracy.truth import TruePhoto, group_of
from vision.pipeline import TileReader
from vision.reading import Sighting


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
    looks, measured = Looks(reader), list[Collection]()
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
        results, hands = list[PhotoResult](), []
        for photo in photos:
            sightings = reader.classify(looks(photo.path))
            results.append(match(photo, sightings))
            hands.append(read_photo(photo, sightings))
        measured.append(Collection.of(name, results))
        print(f"\n{measured[-1]}")
        parts = (
            count_by_group(results), count_mistakes(results), count_wrong_turns(results),
            shares_over_photos(hands), confidence_by_size(results),
        )  # fmt: skip
        for part in parts:
            for key, figures in part.items():
                print(f"  {key:34} {figures}")
        worst = sorted((r for r in results if r.faults), key=lambda r: -r.faults)[:5]
        told = ", ".join(f"{r.photo.path.name} {r.faults}" for r in worst)
        print(f"  most faults: {told or 'none anywhere'}", flush=True)
    if len(measured) > 1:
        print(f"\n{Collection.together(measured)}")
    raise typer.Exit(0 if measured else 3)


if __name__ == "__main__":
    typer.run(main)
