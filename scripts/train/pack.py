"""Gather what training needs, beyond the source, into one folder (by default ``work/pack``), small enough to carry.

    HUPAI_DATA=photos python -m scripts.train.pack --out work/pack

- ``library/``  glyph sheets and outline tiles made by ``build_atlas.py --everything``
- ``faces.npz`` photographed faces for the generator
- ``tiles.npz`` labelled crops for the classifier, ``held.npz`` those of photographs kept from training
- ``photos.npz`` photos with their tiles for the detector
- ``rooms.npz`` views of rooms, from open panoramas
- ``lite0.npz`` the ImageNet weights of the trunk

Every part is optional: what is missing is left out and reported; but where ``HUPAI_DATA`` is set, all photographs that
teach (``scripts/train/teaching.py``) must be there. Tiles are cut by the networks in ``models/`` and
labelled by people; without these networks only upright boxes are used. Photographs held out
(see ``datasets/photographs/real.py``) are only in ``held.npz``.
"""

from __future__ import annotations

import base64
import re
import shutil
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import Annotated

import cv2
import numpy as np
import numpy.typing as npt
import OpenEXR
import torch
import typer

from datasets.labels import LABELS
from datasets.photographs.cutting import Cutter, most_different
from datasets.photographs.packs import make_pack
from datasets.photographs.real import FACE, BoxedPhoto, crop_folder, data_folder, read_rgb, unlabelled_crops
from datasets.photographs.windows import SHAPES, describe_photo
from scripts.accuracy.holdouts import WITHOUT_TILES, folder_of, without_tiles
from scripts.train import run
from scripts.train.teaching import boxed_photos
from vision.models.opencv import rectify

ROOT = Path(__file__).resolve().parents[2]
Picture = npt.NDArray[np.uint8]
Found = dict[tuple[str, str], list[tuple[Picture, dict[str, bool]]]]
"""Source and label of pictures -> the pictures, and more facts about each."""
ROOMY = (84, 126)
"""(width, height) of the classifier's crops: larger than it takes, so that they can be shifted and turned."""
ROOMY_MARGIN = 0.5
TRUSTED = 0.6
"""Where the classifier gives the annotated label less than this, its way up is not trusted either."""
MOST_SIDE = 1280
"""Longer side of the detector's photos, pixels."""
SPECKLED = 0.004
"""Share of pixels far from their neighbourhood above which a face is an exporter's noise, not a photograph."""


# --- photographed tiles ---------------------------------------------------------------------------------------------


def pack_tiles(data: Path, photos: list[BoxedPhoto], cutter: Cutter, out: Path) -> None:
    """Every tile of the photos: faces, labelled crops, and crops held out; the most different ones of each label."""
    cut: dict[str, Found] = {name: defaultdict(list) for name in ("faces", "tiles", "held")}
    lone = (("crops", crop_folder(data)), ("crops-unlabelled", cutter.named(unlabelled_crops(data))))
    for source, crops in lone:
        for label, picture in crops:
            how = cv2.INTER_AREA if picture.shape[1] > FACE[0] else cv2.INTER_CUBIC
            face = np.asarray(cv2.resize(picture, FACE, interpolation=how), np.uint8)
            cut["faces"][source, LABELS[label]].append((face, {}))
    for k, photo in enumerate(photos):
        if k % 100 == 0:
            print(f"cutting photo {k} of {len(photos)}", flush=True)
        image = photo.image()
        for tile in cutter.tiles(photo, image):
            side = float(np.linalg.norm(tile.quad[1:3] - tile.quad[:2], axis=1).min())
            key, sure = (photo.source, LABELS[tile.label]), tile.agreed >= TRUSTED
            if side >= 24:
                crop = rectify(image, tile.quad, ROOMY, ROOMY_MARGIN)
                cut["held" if photo.held_out else "tiles"][key].append((crop, {"turn": sure}))
            if side >= 40 and sure and not photo.held_out and photo.source != "scenes-b":
                face = rectify(image, tile.quad, FACE, 0.0)
                if (np.abs(face.astype(int) - cv2.medianBlur(face, 3)).max(axis=2) > 45).mean() < SPECKLED:
                    cut["faces"][key].append((face, {}))
    for name, each, quality in (("faces", 30, 78), ("tiles", 45, 76), ("held", 45, 76)):
        pictures, facts = list[Picture](), list[dict[str, object]]()
        for (source, named), found in sorted(cut[name].items()):
            for i in most_different([picture for picture, _ in found], each):
                pictures.append(found[i][0])
                facts.append({"source": source, "label": named, **found[i][1]})
        make_pack(pictures, facts, quality).save(out / f"{name}.npz")


def pack_photos(photos: list[BoxedPhoto], without: list[Path], cutter: Cutter, out: Path, count: int) -> None:
    """Photos with their tiles, one export of each photograph, as different from each other as possible.

    Args:
        without: pictures without a tile; ``count``: of each at most so many.
    """
    chosen: dict[str, BoxedPhoto] = {}
    for photo in photos:
        # Many tiles of scenes-b carry no box.
        if not photo.held_out and photo.whole.any() and photo.source != "scenes-b":
            chosen.setdefault(photo.shot, photo)
    shown, facts = list[Picture](), list[dict[str, object]]()
    for photo in chosen.values():
        image = photo.image()
        small, scale = _shrink(image)
        shown.append(small)
        facts.append(describe_photo(photo, cutter.match(photo, image), scale))
    empty = [_shrink(read_rgb(path))[0] for path in without]
    nothing: dict[str, object] = {"source": WITHOUT_TILES, **{name: [] for name in SHAPES}}
    one, other = most_different(shown, count), most_different(empty, count)
    pictures = [*(shown[i] for i in one), *(empty[i] for i in other)]
    make_pack(pictures, [*(facts[i] for i in one), *[nothing] * len(other)], 75).save(out / "photos.npz")


def _shrink(image: Picture) -> tuple[Picture, float]:
    """A picture of at most :data:`MOST_SIDE`, and its scale."""
    scale = min(1.0, MOST_SIDE / max(image.shape[:2]))
    return np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8), scale


# --- rooms ----------------------------------------------------------------------------------------------------------


def panorama(path: Path) -> npt.NDArray[np.float32]:
    """(h, w, 3) linear RGB of an EXR kept as a base64 module."""
    found = re.search(r"base64,([A-Za-z0-9+/=]+)", path.read_text(encoding="ascii"))
    if found is None:
        raise OSError(f"{path} holds no panorama")
    with tempfile.NamedTemporaryFile(suffix=".exr") as file:
        file.write(base64.b64decode(found[1]))
        file.flush()
        pixels = OpenEXR.File(file.name).channels()["RGB"].pixels
    return np.ascontiguousarray(pixels, np.float32)


def view_of(image: npt.NDArray[np.float32], rng: np.random.Generator) -> Picture:
    """A photograph taken inside a panorama."""
    yaw, pitch, reach = rng.uniform(0, 2 * np.pi), rng.normal(-0.15, 0.25), rng.uniform(0.5, 1.1)
    v, u = np.mgrid[1:-1:320j, -1:1:320j] * reach
    y, z = v * np.cos(pitch) + np.sin(pitch), np.cos(pitch) - v * np.sin(pitch)
    across = (np.arctan2(u, z) + yaw) / (2 * np.pi) % 1 * image.shape[1]
    down = (0.5 - np.arctan2(y, np.hypot(u, z)) / np.pi) * image.shape[0]
    places = across.astype(np.float32), down.astype(np.float32)
    seen = np.asarray(cv2.remap(image, *places, cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP), np.float32)
    seen = seen / max(1e-4, float(np.percentile(seen, 85))) * rng.uniform(0.4, 0.9)
    return np.asarray(np.clip(np.clip(seen, 0, 1) ** (1 / 2.2) * 255, 0, 255), np.uint8)


def pack_rooms(art: Path, out: Path) -> None:
    """Five views of every panorama that was collected."""
    rng = np.random.default_rng(0)
    rooms = map(panorama, sorted((art / "photos").glob("*/hdri/*.exr.js")))
    views = [view_of(room, rng) for room in rooms for _ in range(5)]
    if views:
        make_pack(views, [{} for _ in views], 70).save(out / "rooms.npz")
    else:
        print("no panoramas collected: left out")


def pack_trunk(art: Path, out: Path) -> None:
    """The ImageNet weights as half-precision arrays (torch reads the original file)."""
    found = sorted((art / "weights").glob("efficientnet-lite0*.pth"))
    if not found:
        print("no trunk weights collected: left out")
        return
    unused = ("_fc", "_conv_head", "_bn1.", *(f"_blocks.{i}." for i in range(11, 16)))
    state = torch.load(found[0], map_location="cpu", weights_only=True)
    keep = {k: v for k, v in state.items() if v.dtype.is_floating_point and not k.startswith(unused)}
    np.savez(out / "lite0.npz", **{k: v.numpy().astype(np.float16) for k, v in keep.items()})


def main(
    out: Path = ROOT / "work" / "pack",
    photos_each: Annotated[int, typer.Option(help="photos with tiles, and without, for the detector")] = 400,
) -> None:
    art = ROOT / "art"
    out.mkdir(parents=True, exist_ok=True)
    library = art / "library"
    if library.is_dir():
        shutil.copytree(library, out / "library", dirs_exist_ok=True)
    pack_rooms(art, out)
    pack_trunk(art, out)
    data = data_folder()
    if data is None:
        print("no photos (HUPAI_DATA is not set): synthetic training only")
    else:
        photos, cutter = boxed_photos(), Cutter()
        pack_tiles(data, photos, cutter, out)
        without = [photo.path for photo, teaches in without_tiles(folder_of(WITHOUT_TILES)) if teaches]
        pack_photos(photos, without, cutter, out, photos_each)
    for path in sorted(out.iterdir()):
        size = sum(f.stat().st_size for f in (path.rglob("*") if path.is_dir() else [path]))
        print(f"{path.name:12} {size / 2**20:6.1f} MiB")


if __name__ == "__main__":
    run(main)
