"""The scripts around training, as a person runs them."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.scenes.tight import LOW
from scripts.accuracy.truth import load
from tests.repository import run_script

pytestmark = pytest.mark.release


@pytest.fixture(scope="module")
def rendered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs")
    done = run_script("train.render_validation", "--out", folder, "--each", 2)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.parametrize("sets", ["black", "unusual"])
def test_scenes_of_dark_sets_differ_from_the_usual_ones_of_the_same_number(sets: str, rendered: Path) -> None:
    usual, dark = load(rendered / "rendered")[2], load(rendered / sets)[0]
    assert (usual.path.name, dark.path.name) == ("scene-0000.jpg", f"{sets}-0000.jpg")
    same = cv2.imread(str(usual.path)), cv2.imread(str(dark.path))
    assert not np.array_equal(*same) and same[0].shape == same[1].shape
    if sets == "black":
        assert [t.label for t in usual.tiles] == [t.label for t in dark.tiles]


def test_a_collection_is_the_same_whether_or_not_others_are_rendered_before_it(rendered: Path, tmp_path: Path) -> None:
    assert run_script("train.render_validation", "unusual", "--out", tmp_path, "--each", 2).returncode == 0
    names = [f"unusual/unusual-000{i}.{suffix}" for i in (0, 1) for suffix in ("jpg", "json")]
    assert [(tmp_path / name).read_bytes() for name in names] == [(rendered / name).read_bytes() for name in names]


@pytest.mark.parametrize("kind", ["nothing", "accessories"])
def test_scenes_without_a_tile_are_rendered(kind: str, rendered: Path) -> None:
    photos = load(rendered / kind)
    assert [photo.path.name for photo in photos] == [f"{kind}-0000.jpg", f"{kind}-0001.jpg"]
    assert not any(photo.tiles for photo in photos)


def test_low_views_are_of_whole_tables_and_rows_that_touch(rendered: Path) -> None:
    told = [json.loads(path.read_text())["scene"] for path in sorted((rendered / "low").glob("*.json"))]
    assert len(told) == 2 and {*told} <= {*LOW}
