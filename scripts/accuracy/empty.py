"""Count in how many pictures without a tile the eyes see one all the same.

    python -m scripts.accuracy.empty FOLDER [FOLDER ...]

Takes every picture below the folders that can be opened and is at least 256 pixels wide and high. Wallpapers and the
sample pictures of scikit-image serve well; see that none shows a tile. Nothing here is trained on.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

from vision.errors import PhotoError
from vision.io.photo import Photo
from vision.pipeline import Eyes
from vision.reading import Sighting

SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".webp"})
LEAST_SIDE = 256


def pictures(folders: list[Path]) -> Iterator[Path]:
    """Every picture file below the folders, by name."""
    for folder in folders:
        yield from sorted(p for p in folder.rglob("*") if p.suffix.lower() in SUFFIXES and p.is_file())


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--models", type=Path, help="folder with zoo.json (default: the models of the repository)")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    eyes = Eyes(models=given.models)
    count, unreadable = 0, 0
    seen: dict[str, list[Sighting]] = {}
    for path in pictures(given.folders):
        try:
            photo = Photo(path)
            if min(photo.width, photo.height) < LEAST_SIDE:
                continue
            found = eyes.look(photo)
        except PhotoError:
            unreadable += 1
            continue
        count += 1
        if found:
            seen[str(path)] = found
    quiet = 1 - len(seen) / count if count else None
    names = {path: [s.tile.code for s in found] for path, found in seen.items()}
    if given.json:
        print(json.dumps({"pictures": count, "unreadable": unreadable, "without_a_find": quiet, "finds": names}))
    else:
        for name, codes in names.items():
            print(f"{Path(name).name}: {' '.join(codes)}")
        line = "no picture" if quiet is None else f"{count - len(seen)} of {count} pictures without a find: {quiet:.1%}"
        print(line + (f"; {unreadable} could not be read" if unreadable else ""))
    return 0 if count else 3


if __name__ == "__main__":
    raise SystemExit(main())
