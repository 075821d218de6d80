"""Loaders of photographed folders, on made-up folders, and on the real ones where they are."""

import json
import os
from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.labels import INDEX, LABELS
from datasets.photographs.packs import load_pack, make_pack, open_studio
from datasets.photographs.real import (
    boxed_photos,
    crop_folder,
    data_folder,
    is_held_out,
    shot_of,
)

pytestmark = pytest.mark.release


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two photos of one shot with a tile each way up, and a crop."""
    for source in ("scenes-a", "scenes-d-validation"):
        (tmp_path / source / "images").mkdir(parents=True)
        image = np.full((200, 300, 3), 60, np.uint8)
        cv2.rectangle(image, (40, 40), (99, 119), (240, 240, 240), -1)
        cv2.circle(image, (70, 80), 14, (30, 30, 200), -1)
        lines = []
        for k in range(2):
            name = f"images/table one_jpg.rf.{k}aa.jpg"
            cv2.imwrite(str(tmp_path / source / name), image)
            whole, stretched = {"label": "1p", "box": [40, 40, 100, 120]}, {"label": "1p", "box": [150, 40, 250, 60]}
            boxes = [whole, stretched | {"stretched": True}, {"label": "xx", "box": [0, 0, 9, 9]}]
            lines.append(json.dumps({"image": name, "width": 300, "height": 200, "boxes": boxes}))
        (tmp_path / source / "boxes.jsonl").write_text("\n".join(lines))
    (tmp_path / "crops" / "images").mkdir(parents=True)
    cv2.imwrite(str(tmp_path / "crops" / "images" / "1.png"), image[40:120, 40:100])
    (tmp_path / "crops" / "labels.csv").write_text("image,label\n1.png,1p\n")
    return tmp_path


def test_photos_load_with_known_labels_and_never_from_the_validation_folder(folder: Path) -> None:
    photos = boxed_photos(folder)
    assert {p.source for p in photos} == {"scenes-a"}
    assert len(photos) == 2
    assert photos[0].labels.tolist() == [INDEX["1p"]] * 2
    assert photos[0].whole.tolist() == [True, False]
    assert photos[0].image().shape == (200, 300, 3)
    assert photos[0].image()[80, 70].tolist()[0] > 150  # red first
    assert len({p.shot for p in photos}) == 1
    assert len({p.held_out for p in photos}) == 1


def test_exports_of_one_photograph_share_their_side_of_the_split() -> None:
    assert shot_of("IMG_1_jpg.rf.0841.jpg") == shot_of("IMG_1_jpg.rf.99ff.jpg") == "IMG_1"
    share = np.mean([is_held_out(f"shot {i}") for i in range(2000)])
    assert 0.12 < share < 0.18


def test_crops_load_with_their_labels(folder: Path) -> None:
    assert [(LABELS[label], picture.shape) for label, picture in crop_folder(folder)] == [("1p", (80, 60, 3))]


def test_the_folder_named_must_exist(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HUPAI_DATA", raising=False)
    assert data_folder() is None
    monkeypatch.setenv("HUPAI_DATA", str(tmp_path / "missing"))
    with pytest.raises(FileNotFoundError, match="HUPAI_DATA"):
        data_folder()


def test_a_pack_gives_back_its_pictures_and_facts(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    pictures = [cv2.GaussianBlur(rng.integers(0, 255, (40, 30, 3)).astype(np.uint8), (0, 0), 3) for _ in range(3)]
    facts = [{"source": "here", "label": label} for label in ("1m", "0p", "f3")]
    make_pack(pictures, facts, 95).save(tmp_path / "faces.npz")
    pack = load_pack(tmp_path / "faces.npz")
    assert pack.facts == tuple(facts)
    for i, picture in enumerate(pictures):
        assert np.abs(pack.picture(i).astype(int) - picture).mean() < 4
    studio = open_studio(tmp_path, kept=2)
    assert set(studio.photos["here"]) == {"1m", "0p", "f3"}


@pytest.mark.skipif(not os.environ.get("HUPAI_DATA"), reason="HUPAI_DATA does not name the real photos")
def test_the_real_folders_load() -> None:
    data = data_folder()
    assert data is not None
    photos = boxed_photos(data)
    assert len(photos) > 900
    assert not any("scenes-d" in p.source for p in photos)
    held = {p.shot for p in photos if p.held_out}
    assert len(held) > 50
    assert not held & {p.shot for p in photos if not p.held_out}
    assert sum(1 for _ in crop_folder(data)) > 600
