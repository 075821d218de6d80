"""Loaders of photographed folders, and packs."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.labels import LABELS
from datasets.photographs.packs import load_pack, make_pack, open_studio
from datasets.photographs.real import crop_folder, is_held_out, shot_of

pytestmark = pytest.mark.release


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A crop."""
    (tmp_path / "crops" / "images").mkdir(parents=True)
    cv2.imwrite(str(tmp_path / "crops" / "images" / "1.png"), np.full((80, 60, 3), 200, np.uint8))
    (tmp_path / "crops" / "labels.csv").write_text("image,label\n1.png,1p\n")
    return tmp_path


def test_exports_of_one_photograph_share_their_side_of_the_split() -> None:
    assert shot_of("IMG_1_jpg.rf.0841.jpg") == shot_of("IMG_1_jpg.rf.99ff.jpg") == "IMG_1"
    share = np.mean([is_held_out(f"shot {i}") for i in range(2000)])
    assert 0.12 < share < 0.18


def test_crops_load_with_their_labels(folder: Path) -> None:
    assert [(LABELS[label], picture.shape) for label, picture in crop_folder(folder)] == [("1p", (80, 60, 3))]


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
