"""The shipped photos under changes that mean nothing to a person."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from scoring.tiles import tile as tile_of
from scripts.accuracy.changes import CHANGES, apply_change, row
from scripts.accuracy.truth import TruePhoto, TrueTile, load
from scripts.evaluate import print_changes
from vision.arrays import to_quad
from vision.pipeline import TileReader
from vision.reading import Sighting

pytestmark = pytest.mark.slow

EXAMPLES = Path(__file__).resolve().parent.parent.parent / "examples"
CHANGE = {change.name: change for change in CHANGES}


def sighting(truth: TrueTile) -> Sighting:
    tile = tile_of(truth.label)
    return Sighting(to_quad(truth.corners), tile, 0.9, {tile: 0.9})


@pytest.fixture(scope="module")
def photos() -> list[TruePhoto]:
    return load(EXAMPLES)


@pytest.fixture(scope="module")
def read(reader: TileReader) -> Callable[[Path], list[Sighting]]:
    return functools.cache(reader.find_tiles)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("changed")


@pytest.mark.parametrize("name", [name for name, change in CHANGE.items() if change.places])
def test_the_shipped_photos_are_read_as_well_however_they_were_cut_and_turned(
    read: Callable[[Path], list[Sighting]],
    photos: list[TruePhoto],
    name: str,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(folder)
    found = row(photos, CHANGE[name], read)
    assert found.is_within_limit and found.photos == len(photos), found
    assert found.tiles >= found.before >= 14 and str(found).startswith(f"  {name}")
    assert found.hands == found.hands_right == (0 if "strip" in name else len(photos)), found


@pytest.mark.parametrize("name", ["a quarter turn", "turned by 12 degrees", "cropped to the tiles", "half the size"])
def test_the_truth_moves_with_the_picture(photos: list[TruePhoto], name: str, tmp_path: Path) -> None:
    """A tile painted black before the change is where its truth says after it."""
    image = cv2.imread(str(photos[0].path))
    cv2.fillPoly(image, [np.rint(photos[0].tiles[3].corners).astype(np.int32)], (0, 0, 0))
    cv2.imwrite(str(tmp_path / "photo.png"), image)
    after = apply_change(replace(photos[0], path=tmp_path / "photo.png"), CHANGE[name], tmp_path / "out")
    grey = cv2.imread(str(after.photo.path), cv2.IMREAD_GRAYSCALE)
    corners = after.photo.tiles[after.kept.index(3)].corners
    mask = np.zeros_like(grey)
    cv2.fillPoly(mask, [np.rint(corners.mean(axis=0) + 0.9 * (corners - corners.mean(axis=0))).astype(np.int32)], 1)
    assert np.median(grey[mask > 0]) < 12 and mask.sum() > 200


def test_a_strip_keeps_the_tiles_of_one_row(photos: list[TruePhoto], tmp_path: Path) -> None:
    after = apply_change(photos[0], CHANGE["a strip, its longest row"], tmp_path)
    assert 0 < len(after.kept) < len(photos[0].tiles)
    for i, tile in zip(after.kept, after.photo.tiles, strict=True):
        assert tile.label == photos[0].tiles[i].label


def test_the_command_says_which_rows_lose_too_much(
    photos: list[TruePhoto], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("scripts.evaluate.CHANGES", [CHANGE["as it is"], CHANGE["upside down"]])
    assert print_changes("examples", photos[:1], lambda path: [])
    assert "0 of     0 right" in capsys.readouterr().out

    def read(path: Path) -> list[Sighting]:
        return [sighting(tile) for tile in photos[0].tiles] if "as-it-is" in str(path) else []

    assert not print_changes("examples", photos[:1], read)
    _, fine, bad = capsys.readouterr().out.strip().splitlines()
    assert "!" not in fine and bad.endswith(f"! {photos[0].path.name}")
