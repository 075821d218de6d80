"""Files with several pages or frames: the first is read, and everybody is told so."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

from tests.hupai.test_label.batch_photos import hupai, write_photos
from vision.errors import PhotoError
from vision.io.photo import Photo


def pages(folder: Path, name: str, count: int) -> Path:
    """A file of so many different pictures."""
    shown = [Image.open(p).convert("RGB") for p in write_photos(folder / "single", count)]
    path = folder / name
    shown[0].save(path, save_all=True, append_images=shown[1:])
    for p in (folder / "single").iterdir():
        p.unlink()
    (folder / "single").rmdir()
    return path


@pytest.mark.parametrize("name", ["scan.tif", "film.gif", "film.webp", "film.png", "film.avif"])
def test_the_pictures_of_a_file_are_counted_and_the_first_is_seen(tmp_path: Path, name: str) -> None:
    path = pages(tmp_path, name, 3)
    photo = Photo(path)
    assert photo.pages == 3
    with Image.open(path) as first:
        assert np.array_equal(photo.pixels, np.asarray(first.convert("RGB")))


@pytest.mark.parametrize("name", ["scan.tif", "film.gif"])
def test_a_file_that_breaks_off_within_a_later_page_never_ends_in_a_traceback(tmp_path: Path, name: str) -> None:
    path = pages(tmp_path, name, 3)
    data = path.read_bytes()
    for size in range(len(data) // 2, len(data), len(data) // 40):
        try:
            assert Photo(data[:size], name=name).pages in (1, 2, 3)
        except PhotoError as error:
            assert error.message.startswith(name), size


def test_pixels_that_no_decoder_knows_are_not_called_a_file_that_breaks_off(tmp_path: Path) -> None:
    path = tmp_path / "float.tif"
    cv2.imwrite(str(path), np.ones((40, 60, 3), np.float32))
    with pytest.raises(PhotoError, match="8 or 16 bits") as told:
        Photo(path)
    assert told.value.code != "image_truncated"


@pytest.mark.slow
def test_labelling_says_which_files_hold_more(tmp_path: Path) -> None:
    photos = tmp_path / "photos"
    write_photos(photos, 1, start=7)
    pages(photos, "scan.tif", 3)
    status, said, _ = hupai("label", photos, "--out", tmp_path / "labels", "--format", "parquet,coco", "--workers", 1)
    assert status == 0
    assert "Several pages or frames: 1 file, of which the first was labelled" in said and "pages.csv" in said
    with (tmp_path / "labels" / "pages.csv").open() as file:
        assert list(csv.reader(file)) == [["image", "pages"], ["scan.tif", "3"]]
    assert json.loads((tmp_path / "labels" / "summary.json").read_text())["pictures_of_many_pages"] == 1
    lines = [json.loads(line) for line in (tmp_path / "labels" / "labels.jsonl").read_text().splitlines()]
    assert {r["image"]: r.get("pages") for r in lines} == {"0007.jpg": None, "scan.tif": 3}
    again = tmp_path / "again"
    assert hupai("labels", "import", tmp_path / "labels" / "labels.parquet", "--out", again)[0] == 0
    assert [json.loads(line) for line in (again / "labels.jsonl").read_text().splitlines()][1]["pages"] == 3


@pytest.mark.slow
def test_reading_says_so_beside_the_answer(tmp_path: Path) -> None:
    status, said, told = hupai("read", pages(tmp_path, "scan.tif", 2), "--json")
    assert status == 0 and json.loads(said)["tiles"]
    assert told.strip() == "hupai: scan.tif holds 2 pages or frames; only the first was read."
