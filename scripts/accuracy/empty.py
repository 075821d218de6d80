"""Count the pictures without a tile in which one is detected all the same.

    python -m scripts.accuracy.empty FOLDER [FOLDER ...]

Takes every picture below the folders that can be opened and is at least 256 pixels wide and high. Wallpapers and the
sample pictures of scikit-image serve well; see that none shows a tile. Nothing here is trained on.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from vision.errors import PhotoError
from vision.io.photo import Photo
from vision.pipeline import Eyes

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
    given = parser.parse_args()
    eyes = Eyes(models=given.models)
    count, empty, unreadable = 0, 0, 0
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
        empty += not found
        if found:
            print(f"{path.name}: {' '.join(s.tile.code for s in found)}", flush=True)
    line = f"{empty} of {count} pictures without a find: {empty / count:.1%}" if count else "no picture"
    print(line + (f"; {unreadable} could not be read" if unreadable else ""))
    return 0 if count else 3


if __name__ == "__main__":
    raise SystemExit(main())
