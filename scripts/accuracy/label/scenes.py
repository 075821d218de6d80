"""Render mahjong-scenes-500, photos with their truth that anybody may use to compare programs that read tiles.

    python -m scripts.accuracy.label.scenes --out runs/mahjong-scenes-500

The folder gets photos, an annotation beside each, ``coco.json`` and a card; the archive beside it is what a release
carries. Every photo follows from its number, and shows only art that ships with this project, so both are free to pass
on. No network and no number of this project was ever fitted on these photos: keep it so.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
from pathlib import Path
from typing import Annotated, Final

import typer

from datasets.scenes.studio import Studio
from hupai.label.formats import Target, read_labels
from hupai.label.formats.coco import COCO
from scripts.train.render_validation import render_photo

NAME: Final = "mahjong-scenes-500"
PARTS: Final = {"hand": 160, "scene": 180, "black": 50, "unusual": 60, "nothing": 50}
"""Photos of each kind; ``scene`` is any table, the others are as ``scripts/train/render_validation.py`` has them."""
FIRST_SEED: Final = 970_000
"""Far from the seeds of training (below 100,000) and of validation (900,000 on)."""
CARD: Final = Path(__file__).with_name("scenes-card.md")


def ignore_jokers(path: Path) -> None:
    """Make the jokers of an annotation ``ignore`` boxes: sets differ in what they look like and stand for."""
    annotation = json.loads(path.read_text(encoding="utf-8"))
    jokers = [tile["corners"] for tile in annotation["tiles"] if tile["label"] == "joker"]
    annotation["tiles"] = [tile for tile in annotation["tiles"] if tile["label"] != "joker"]
    for xs, ys in (zip(*corners, strict=True) for corners in jokers):
        annotation["ignore"].append([min(xs), min(ys), max(xs), max(ys)])
    path.write_text(json.dumps(annotation, ensure_ascii=False) + "\n", encoding="utf-8")


def write_archive(folder: Path) -> Path:
    """Put a folder's files into an archive beside it, which is the same for the same files."""
    archive = folder.with_name(f"{folder.name}.zip")
    with zipfile.ZipFile(archive, "w") as packed:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            packed.writestr(zipfile.ZipInfo(path.relative_to(folder.parent).as_posix()), path.read_bytes())
    return archive


def main(out: Annotated[Path, typer.Option()], each: int | None = None) -> None:
    if out.exists() and any(out.iterdir()):
        raise typer.BadParameter(f"{out} is not empty; name a new folder")
    photos, studio = out / "photos", Studio()
    photos.mkdir(parents=True)
    parts = {part: each or count for part, count in PARTS.items()}
    for number, (part, count) in enumerate(parts.items()):
        for i in range(count):
            path = photos / f"{part}-{i:03d}.jpg"
            render_photo(studio, part, FIRST_SEED + 1000 * number + i, path, hand_quality=92)
            if part != "hand":
                ignore_jokers(path.with_suffix(".json"))
        print(f"{part}: {count} photos", flush=True)
    writer = COCO.write(Target(out))
    for record in read_labels(photos):
        writer.add(record)
    writer.close()
    card = CARD.read_text(encoding="utf-8").format(name=NAME, count=sum(parts.values()), **parts)
    (out / "README.md").write_text(card, encoding="utf-8")
    archive = write_archive(out)
    print(f"{archive}: sha256 {hashlib.sha256(archive.read_bytes()).hexdigest()}")


if __name__ == "__main__":
    typer.run(main)
