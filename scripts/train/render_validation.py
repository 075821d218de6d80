"""Render the annotated photos that are measured on: hands, any scene, negatives, unusual sets, no tiles, low views.

    python -m scripts.train.render_validation                  # every collection, into folders of runs/
    python -m scripts.train.render_validation black unusual    # these

Every tile's annotation says how it was taken. Sets and tables differ from photo to photo; seeds start at 900,000, far
from those of training.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Final

import numpy as np
import typer

from datasets.labels import BACK, LABELS
from datasets.scenes.scene import LEAST_VISIBLE, random_hand_scene, save_photo
from datasets.scenes.studio import Studio
from datasets.scenes.training import SceneSettings, TrainingScene, make_scene
from vision.models.opencv import invert_lightness

FIRST_SEED: Final = 900_000
PHOTOS: Final = {
    "rendered": {"scene": 250, "hand": 100},
    "black": {"black": 100},
    "unusual": {"unusual": 150},
    "nothing": {"nothing": 300},
    "accessories": {"accessories": 200},
    "low": {"low": 120},
}
"""Collection -> kind of photo -> how many: a hand; any scene (ponds, walls, heaps, trays, hands); such scenes in
negative (black tiles, light print); with dark, wooden and coloured sets; without a tile, every second in negative;
without a tile, with score sticks and what else belongs to games; rows that touch and whole tables, seen from low
down."""
ANY_SCENE: Final = SceneSettings(size=960, smallest=16, largest=150)


def annotation_of(scene: TrainingScene) -> dict[str, Any]:
    """A scene's truth as a photo annotation without the photo's name; faces that cannot be read are boxes to ignore."""
    side = scene.image.shape[0]
    tiles, ignore = [], []
    for label, quad, visible, unsure in zip(scene.labels, scene.quads, scene.visible, scene.unsure, strict=True):
        if visible < LEAST_VISIBLE or unsure:
            low, high = np.clip(quad.min(axis=0), 0, side - 1), np.clip(quad.max(axis=0), 0, side - 1)
            ignore.append([round(float(v), 1) for v in (*low, *high)])
        else:
            down = LABELS[label] == BACK
            corners = [[round(float(x), 2), round(float(y), 2)] for x, y in quad]
            facts = {"state": "face_down" if down else "face_up", "visible": round(float(visible), 3), "sure": True}
            tiles.append({"label": LABELS[label], "corners": corners, **facts})
    return {"image": "", "width": side, "height": side, "scene": scene.kind, "tiles": tiles, "ignore": ignore}


def render_photo(studio: Studio, kind: str, seed: int, path: Path, hand_quality: int) -> None:
    """Write a photo of a kind with its annotation; a hand in its own JPEG quality."""
    if kind == "hand":
        hand = random_hand_scene(seed, size=(1200, 900))
        save_photo(hand.image, hand.annotation, path, hand_quality)
        return
    unusual, accessories, low = (float(kind == name) for name in ("unusual", "accessories", "low"))
    settings = replace(ANY_SCENE, unusual=unusual, accessories=accessories, low=low)
    bare = "nothing" if kind in ("nothing", "accessories") else None
    scene = make_scene(np.random.default_rng([seed, 5]), studio, settings, bare)
    in_negative = kind == "black" or (kind == "nothing" and seed % 2)
    image = invert_lightness(scene.image) if in_negative else scene.image
    save_photo(image, annotation_of(scene), path, 92)


def main(
    collections: Annotated[list[str] | None, typer.Argument(help=f"of {', '.join(PHOTOS)}; else all")] = None,
    out: Path = Path("runs"),
    each: Annotated[int | None, typer.Option(help="photos of each kind, to try it out")] = None,
) -> None:
    if unknown := set(collections or ()) - PHOTOS.keys():
        raise typer.BadParameter(f"no such collection: {', '.join(unknown)}")
    for collection in collections or PHOTOS:
        folder, studio = out / collection, Studio()  # a studio reuses what it drew for earlier photos
        folder.mkdir(parents=True, exist_ok=True)
        for kind, count in PHOTOS[collection].items():
            for i in range(each or count):
                render_photo(studio, kind, FIRST_SEED + i, folder / f"{kind}-{i:04d}.jpg", hand_quality=95)
        print(f"{len(list(folder.glob('*.jpg')))} photos in {folder}", flush=True)


if __name__ == "__main__":
    typer.run(main)
