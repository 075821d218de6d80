"""Count the pictures without a tile in which one is detected all the same.

    python -m scripts.accuracy.empty FOLDER [FOLDER ...]

Takes every picture below the folders that can be opened and is at least 256 pixels wide and high. Wallpapers and the
sample pictures of scikit-image serve well; see that none shows a tile. Nothing here is trained on.
"""

from __future__ import annotations

from pathlib import Path

import typer

from vision.errors import PhotoError
from vision.io.photo import Photo
from vision.pipeline import Eyes

SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".webp"})
LEAST_SIDE = 256


def main(folders: list[Path]) -> None:
    eyes = Eyes()
    count, empty, unreadable = 0, 0, 0
    for path in (p for folder in folders for p in sorted(folder.rglob("*")) if p.suffix.lower() in SUFFIXES):
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
    raise typer.Exit(0 if count else 3)


if __name__ == "__main__":
    typer.run(main)
