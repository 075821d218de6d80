"""One picture, one hand: a photo, a folder of them, a camera and the page come to the same reading, under all rules."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import httpx
import numpy as np
import pytest
from typer.testing import CliRunner

from hupai.cli import build_app
from hupai.hall.feed.session.session_events import EventKind
from hupai.hall.feed.session.table_session import TableSession
from vision import TileReader
from vision.io.photo import Photo
from vision.layout.shapes import shapes_of
from vision.reading import Sighting

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
PHOTOS = sorted(EXAMPLES.glob("*.jpg"))
CAMERA = 1280
"""Pixels across a camera's picture."""
TOLD = ("hand", "doubts", "repairs")


def run(*arguments: str) -> str:
    done = CliRunner().invoke(build_app(), arguments)
    assert done.exit_code == 0, done.output
    return done.stdout


def said(answer: dict[str, Any]) -> dict[str, Any]:
    return {key: answer[key] for key in TOLD} | {"roles": [(t["role"], t["group"]) for t in answer["tiles"]]}


@pytest.fixture(scope="module")
def looks() -> dict[str, tuple[np.ndarray, list[Sighting]]]:
    """What a camera over each photo would take (h, w, 3 BGR), and what the reader finds in it."""
    reader, found = TileReader(), {}
    for path in PHOTOS:
        pixels = Photo(path).pixels
        shape = (CAMERA, round(CAMERA * pixels.shape[0] / pixels.shape[1]))
        frame = np.asarray(cv2.resize(pixels, shape, interpolation=cv2.INTER_AREA), np.uint8)
        found[path.name] = frame[..., ::-1].copy(), reader.find_tiles(frame)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("rules", [None, "riichi", "taiwanese"], ids=str)
def test_photo_folder_page_and_camera_give_the_same_hand(
    rules: str | None,
    client: httpx.Client,
    tmp_path: Path,
    looks: dict[str, tuple[np.ndarray, list[Sighting]]],
) -> None:
    named = ["--rules", rules] if rules else []
    lines = run("read", *map(str, PHOTOS), *named, "--json").splitlines()
    read = {Path(answer["image"]).name: said(answer) for answer in map(json.loads, lines)}

    run("label", str(EXAMPLES), "--out", str(tmp_path), "--hands", *named, "--workers", "1", "--json")
    labels = map(json.loads, (tmp_path / "labels.jsonl").read_text().splitlines())
    assert {Path(answer["image"]).name: said(answer) for answer in labels} == read

    for path in PHOTOS:
        page = client.post("/read", files={"photo": path.read_bytes()}, data={"rules": rules} if rules else {})
        assert said(page.json()) == read[path.name]

    seen = {path.name: watched(*looks[path.name], rules) for path in PHOTOS}
    settled = {name: told["hand"] for name, told in seen.items() if told is not None}
    # One of the photos shows a hand of seventeen tiles, the others have fourteen.
    least = 2 if shapes_of(rules).size == 14 else 1
    assert len(settled) >= least, "hands that win are settled"
    assert settled == {name: read[name]["hand"] for name in settled}


def watched(frame: np.ndarray, seen: list[Sighting], rules: str | None) -> dict[str, Any] | None:
    """What a camera says that takes nothing but this picture for a second and a half."""
    table = TableSession(lambda _: seen, rules=rules)
    events = [event for n in range(15) for event in table.process_frame(frame, n / 10)]
    readings = [event.reading for event in events if event.kind is EventKind.SETTLED and event.reading is not None]
    return said(readings[-1].to_json("")) if readings else None
