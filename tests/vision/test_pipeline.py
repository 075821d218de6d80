"""The real models on the repository's own rendered photos."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

import vision
from scoring.errors import HupaiError
from scoring.tiles import parse_tiles
from vision.classify.colour import RED_EDGES, without_colour
from vision.errors import PhotoError
from vision.geometry import bounds, overlap_ratios
from vision.hand.correction import no_hand
from vision.hand.read import read_hand
from vision.io.annotate import annotate
from vision.io.photo import Photo
from vision.models.opencv import print_measures
from vision.pipeline import TileReader
from vision.reading import Reading, Role, Sighting
from vision.scene.detections import Detection, Detections, to_sightings

ROOT = Path(__file__).resolve().parent.parent.parent
PHOTOS = sorted((ROOT / "examples").glob("*.jpg"))


def codes(sightings: list[Sighting]) -> list[str]:
    return sorted(s.tile.code for s in sightings)


def truth(photo: Path) -> list[dict[str, object]]:
    given = json.loads(photo.with_suffix(".json").read_text())
    return [t for t in given["tiles"] if t["label"] != "back"]


@pytest.mark.parametrize("photo", PHOTOS, ids=lambda p: p.stem)
def test_the_shipped_photos_are_read_whole_and_in_place(reader: TileReader, photo: Path) -> None:
    seen = [s for s in reader.find_tiles(photo) if s.tile.code != "back"]
    assert codes(seen) == sorted(str(t["label"]) for t in truth(photo))
    for tile in truth(photo):
        corners = np.array(tile["corners"], np.float32)
        best = max(seen, key=lambda s: overlap_ratios(s.corners, corners)[0])
        assert overlap_ratios(best.corners, corners)[0] > 0.7 and best.tile.code == tile["label"]


def test_without_colour_red_fives_and_blank_faces_are_asked_about(reader: TileReader) -> None:
    with Image.open(ROOT / "examples" / "hand-riichi.jpg") as photo:
        grey = np.asarray(photo.convert("L").convert("RGB"))
    asked = reader.read(grey, rules="riichi")
    fives = {i for i, sighting in enumerate(asked.tiles) if sighting.tile.number == 5 and sighting.tile.suit in "mps"}
    doubts = [d for d in asked.doubts if d.code == "low_confidence"]
    assert fives == {d.tile for d in doubts if {answer[0] for answer in d.answers[:2]} == {"0", "5"}}
    assert not [d for d in reader.read(grey, rules="hongkong").doubts if d.code == "low_confidence"]
    assert not [d for d in reader.read(PHOTOS[0], rules="riichi").doubts if d.code == "low_confidence"]


def test_a_photo_left_without_tiles_asks_about_what_looked_like_them(
    reader: TileReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "set_aside" not in {d.code for d in reader.read(np.zeros((480, 640, 3), np.uint8)).doubts}
    monkeypatch.setattr(reader.photos.scene, "part", no_tiles)
    emptied = reader.read(PHOTOS[0])
    (doubt,) = emptied.doubts
    assert doubt.code == "set_aside" and doubt.message in str(no_hand(emptied)) and not emptied.tiles


async def no_tiles(_: Detections) -> tuple[list[Detection], list[Detection]]:
    return [], []


def test_what_only_colour_tells_apart_is_left_open(reader: TileReader) -> None:
    of = reader.device.metadata.classifier
    at = {label: i for i, label in enumerate(of.labels)}
    given = np.zeros((4, len(at)))
    for row, label in enumerate(("5m", "0m", "5z", "back")):
        given[row, [at[label], at["1z"]]] = 0.9, 0.1
    left = np.array([without_colour(row, of.columns) for row in given.tolist()])
    assert left.sum(axis=1) == pytest.approx(1) and left[:, at["1z"]] == pytest.approx(0.1)
    assert left[range(4), [at["5m"], at["0m"], at["5z"], at["back"]]] == pytest.approx(0.675)
    assert left[range(4), [at["0m"], at["5m"], at["back"], at["5z"]]] == pytest.approx(0.225)


def five_of_dots(*rings: tuple[int, int, int], centre: tuple[int, int, int] = (200, 30, 30)) -> np.ndarray:
    """(96, 64, 3) a five on ivory whose outer dots have rings of these colours, the outermost first."""
    crop = np.full((96, 64, 3), (238, 228, 204), np.uint8)
    for x, y, colours in [(32, 48, (centre,)), *((x, y, rings) for x in (20, 44) for y in (30, 66))]:
        for width, colour in zip((9, 6, 3), colours, strict=False):
            cv2.circle(crop, (x, y), width, colour, -1, cv2.LINE_AA)
    return crop


def test_a_plain_five_with_red_in_its_outer_dots_is_asked_about(reader: TileReader) -> None:
    """Not where only the middle one is red, the body is reddish, or a red number stands in a corner."""
    black, red, blue = (20, 20, 24), (205, 40, 40), (30, 60, 150)
    numbered = five_of_dots(black)
    numbered[8:22, 44:54] = red
    amber = np.clip(np.add(five_of_dots(black), (10, -60, -140)), 0, 255).astype(np.uint8)
    plain = [five_of_dots(black), five_of_dots(blue, black), numbered, amber]
    edged = [five_of_dots(red, black), five_of_dots(black, red, black), five_of_dots(red)]
    redder = print_measures(np.stack([*plain, *edged]))[:, 2]
    assert (redder[: len(plain)] < RED_EDGES).all() and (redder[len(plain) :] > RED_EDGES).all()

    of = reader.device.metadata.classifier
    share = np.full(len(of.labels), 0.02 / (len(of.labels) - 1))
    share[of.columns.dots[1]] = 0.98
    found = reader.detect(PHOTOS[0])[0].found[0]
    for amount, sure in ((0.0, 0.98), (RED_EDGES, 0.735)):
        (sighting,) = to_sightings([replace(found, probabilities=share.tolist(), redder=amount)], of)
        assert sighting.tile.code == "5p" and sighting.confidence == pytest.approx(sure, abs=1e-3)
    loose = read_hand([sighting], 1000, 800, "riichi")[0].doubts
    assert [d.answers[:2] for d in loose if d.code == "low_confidence"] == [("5p", "0p")]
    assert {d.code for d in read_hand([sighting], 1000, 800, "hongkong")[0].doubts} == {"no_hand"}
    for beside, code in ((0.5, "0p"), (RED_EDGES, "5p")):  # the redness of another five
        fives = [replace(found, probabilities=share.tolist(), redder=r) for r in (RED_EDGES + 0.5, beside)]
        first, other = to_sightings(fives, of)
        assert (first.tile.code, first.confidence) == (code, pytest.approx(0.735, abs=1e-3))
        assert other.tile.code == "5p"


def test_a_reading_holds_together(reader: TileReader) -> None:
    reading = reader.read(PHOTOS[0])
    assert {"decode", "find", "classify", "read", "total"} == set(reading.timings_ms)
    assert all(ms > 0 for ms in reading.timings_ms.values())
    assert sum(ms for stage, ms in reading.timings_ms.items() if stage != "total") <= reading.timings_ms["total"]
    assert set(reading.models) == {"detector", "classifier", "scene", "bonus"}
    for sighting in reading.tiles:
        assert sighting.confidence == max(sighting.posterior.values()) == sighting.posterior[sighting.tile]
        assert sum(sighting.posterior.values()) <= 1 + 1e-5
        assert sighting.embedding is not None
    json.dumps(reading.to_json("a.jpg"))


def small(photo: Path, side: int = 900) -> np.ndarray:
    pixels = Photo(photo).pixels
    scale = side / max(pixels.shape)
    return cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_turned_photos_are_read_alike_and_corners_turn_along(reader: TileReader, turns: int) -> None:
    pixels = small(PHOTOS[-1])
    upright, turned = reader.find_tiles(pixels), reader.find_tiles(np.rot90(pixels, turns))
    assert codes(upright) == codes(turned)
    height, width = pixels.shape[:2]
    for sighting in upright:
        if sighting.tile.code not in ("3m", "7p", "6p", "7s", "3s", "1s", "6z", "7z"):
            continue  # only faces that cannot be mistaken upside down
        corner = sighting.corners[0]
        for _ in range(turns):
            corner, height, width = (corner[1], width - 1 - corner[0]), width, height
        height, width = pixels.shape[:2]
        nearest = min(turned, key=lambda s: math.dist(s.corners[0], corner))
        assert nearest.tile is sighting.tile and math.dist(nearest.corners[0], corner) < 12


def test_one_reader_serves_several_threads(reader: TileReader) -> None:
    pixels = [small(photo, 640) for photo in PHOTOS] * 2
    alone = [codes(reader.find_tiles(p)) for p in pixels]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda p: codes(reader.find_tiles(p)), pixels)) == alone


def test_nothing_in_sight(reader: TileReader) -> None:
    blank = np.full((300, 400, 3), 128, np.uint8)
    reading = reader.read(blank)
    assert reading.tiles == () and reading.hand is None
    marked = annotate(blank, reading)
    assert marked.shape[0] > 300 * marked.shape[1] / 400, "the strip below says so"


def test_a_single_tile_filling_the_picture_is_seen(reader: TileReader) -> None:
    tile = next(t for t in truth(PHOTOS[-1]) if t["label"] == "7p" or str(t["label"]).endswith("p"))
    corners = np.array(tile["corners"], np.float32)
    (x0, y0), (x1, y1) = corners.min(axis=0).astype(int) - 12, corners.max(axis=0).astype(int) + 12
    close = cv2.resize(Photo(PHOTOS[-1]).pixels[y0:y1, x0:x1], (900, round(900 * (y1 - y0) / (x1 - x0))))
    assert tile["label"] in codes(reader.find_tiles(close))


def test_errors_come_through(reader: TileReader, tmp_path: Path) -> None:
    with pytest.raises(PhotoError, match="no file"):
        reader.read(tmp_path / "none.jpg")
    with pytest.raises(HupaiError):
        reader.read(small(PHOTOS[0], 300), rules="no such rules")


def test_what_a_set_has_taught_is_taken_into_account(reader: TileReader) -> None:
    class Renaming:
        def read(self, sightings: list[Sighting]) -> list[Sighting]:
            return [s for s in sightings if s.tile.suit == "p"]

    reading = reader.read(small(PHOTOS[-1]), tileset=Renaming())  # type: ignore[arg-type]
    assert reading.tiles and all(s.tile.suit == "p" for s in reading.tiles)


@pytest.mark.parametrize("side", [200, 4000])
def test_the_marked_photo_shows_the_tiles_and_the_hand(reader: TileReader, side: int) -> None:
    reading = reader.read(PHOTOS[0])
    pixels = small(PHOTOS[0], side)
    marked = annotate(pixels, reading)
    assert marked.dtype == np.uint8 and marked.shape[2] == 3
    assert max(marked.shape[1], 600) <= 2400
    width = marked.shape[1]
    again = cv2.resize(pixels, (width, round(pixels.shape[0] * width / pixels.shape[1])))
    changed = np.abs(marked[: len(again)].astype(int) - again[: len(marked)]).max(axis=2) > 60
    scale = marked.shape[1] / reading.width
    for sighting in reading.tiles:
        x, y = (max(0, int(v * scale)) for v in sighting.centre)
        x0, _, x1, _ = bounds(sighting.corners)
        reach = int((x1 - x0) * scale)
        assert changed[max(0, y - reach) : y + reach, max(0, x - reach) : x + reach].mean() > 0.02
    assert marked.shape[0] > again.shape[0]  # the strip with words


def test_labels_at_the_edge_of_a_photo_are_shown_whole() -> None:
    def ink(x: int, y: int) -> int:
        corners = ((x, y), (x + 70, y), (x + 70, y + 90), (x, y + 90))
        (white_dragon,) = parse_tiles("5z")
        seen = Sighting(corners, white_dragon, 0.5, {white_dragon: 0.5})
        table = np.full((400, 400, 3), 255, np.uint8)
        marked = annotate(table, Reading(400, 400, (seen,), (Role.MELD,), (0,), None))
        return int((marked[:400] == 20).all(axis=2).sum())

    assert ink(5, 305) == ink(325, 305) == ink(150, 150)


def test_importing_vision_is_cheap() -> None:
    code = "import sys, vision; print([m for m in ('cv2', 'onnxruntime', 'numpy', 'PIL') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == "[]"
    assert vision.TileReader is TileReader
    with pytest.raises(AttributeError):
        _ = vision.nothing
