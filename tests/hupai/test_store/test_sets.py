"""Tile sets: taught from photos, used for reading, carried from server to server."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
from PIL import Image

from hupai.web.answers.tilesets import LearnRequest
from tests.hupai.serving import OPEN, ROOT, Server, problem, running
from vision.pipeline import TileReader
from vision.scene.detections import Detection, Detections

pytestmark = pytest.mark.slow

Start = Callable[..., Server]


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    with running(tmp_path_factory.mktemp("sets"), **OPEN) as server, server.client() as client:
        client.headers["x-folder"] = str(server.data_folder)
        yield client


@pytest.fixture(scope="module")
def truth() -> list[dict[str, Any]]:
    """Labels of the shipped photo."""
    tiles = json.loads((ROOT / "examples" / "hand-riichi.json").read_text(encoding="utf-8"))["tiles"]
    return [{"label": t["label"], "corners": t["corners"]} for t in tiles if t["state"] == "face_up"]


def teach(shop: httpx.Client, name: str, photo: bytes, labels: Any, **more: Any) -> httpx.Response:
    files = [("name", (None, name)), ("photo", ("a.jpg", photo)), ("labels", (None, json.dumps([labels])))]
    return shop.post("/sets", files=[*files, *more.items()])


def test_a_set_is_taught_used_carried_and_forgotten(
    shop: httpx.Client, start: Start, photo: bytes, truth: list[dict[str, Any]]
) -> None:
    made = teach(shop, " Tante  Emma ", photo, truth)
    assert made.status_code == 201, made.text
    told = made.json()
    assert told["name"] == "Tante Emma"
    assert set(told["tiles"]) == {t["label"] for t in truth}
    assert told["lessons"] == len(truth)
    assert told["usable"]
    assert shop.get("/sets").json()["sets"] == [told]
    # It learns on.
    assert teach(shop, "Tante Emma", photo, truth[:3]).json()["lessons"] == len(truth) + 3
    read = shop.post("/read", files={"photo": ("a.jpg", photo), "set": (None, "Tante Emma")}).json()
    plain = shop.post("/read", files={"photo": ("a.jpg", photo)}).json()
    assert read["set"] == "Tante Emma"
    assert plain["set"] is None
    sure = [t["confidence"] for t in read["tiles"]]
    assert np.mean(sure) != np.mean([t["confidence"] for t in plain["tiles"]]), "the set had its say"
    by_place = {tuple(np.mean(t["corners"], axis=0).round(-2)): t["tile"] for t in read["tiles"]}
    known = {tuple(np.mean(t["corners"], axis=0).round(-2)): t["label"] for t in truth}
    shared = by_place.keys() & known.keys()
    assert len(shared) >= 10
    assert all(by_place[at] == known[at] for at in shared), "what it was taught it reads right"
    exported = shop.get("/sets/Tante Emma/file")
    assert exported.headers["content-disposition"] == "attachment; filename*=UTF-8''Tante%20Emma.npz"
    problem(shop.post("/sets/import", files={"profile": ("x.npz", exported.content)}), 409, "name_taken")
    again = {"profile": ("x.npz", exported.content), "replace": (None, "true")}
    assert shop.post("/sets/import", files=again).status_code == 201
    other = start(**OPEN)
    with other.client() as friend:
        assert friend.post("/sets/import", files={"profile": ("x.npz", exported.content)}).status_code == 201
        assert friend.get("/sets").json() == shop.get("/sets").json()
    assert shop.delete("/sets/Tante Emma").status_code == 204
    assert shop.get("/sets").json() == {"sets": []}
    problem(shop.get("/sets/Tante Emma/file"), 404, "not_found")
    problem(shop.delete("/sets/Tante Emma"), 404, "not_found")
    problem(shop.post("/read", files={"photo": ("a.jpg", photo), "set": (None, "Tante Emma")}), 404, "not_found")


def test_a_kept_photo_teaches(shop: httpx.Client, photo: bytes, truth: list[dict[str, Any]]) -> None:
    photo_id = shop.post("/read", files={"photo": ("a.jpg", photo), "keep": (None, "true")}).json()["photo_id"]
    form = {"name": (None, "kept"), "photo_id": (None, photo_id), "labels": (None, json.dumps([truth[:5]]))}
    assert shop.post("/sets", files=form).json()["lessons"] == 5
    shop.delete("/sets/kept").raise_for_status()


BOX = [[10, 10], [50, 10], [50, 60], [10, 60]]


@pytest.mark.parametrize(
    ("change", "status", "code"),
    [
        ({"name": "../../etc/x"}, 422, "set_bad_name"),
        ({"name": ""}, 422, "bad_name"),
        ({"labels": None}, 422, "set_order_unclear"),
        ({"labels": "[[]]"}, 422, "nothing_learned"),
        ({"labels": '[[{"label": "1m"}]]'}, 422, "missing"),
        ({"labels": json.dumps([[{"label": "1m", "corners": BOX}]])}, 422, "no_tile_there"),
        ({"labels": "[" * 999}, 400, "bad_json"),
        ({"labels": None, "tiles": "12"}, 422, "bad_notation"),
        ({"tiles": "1m"}, 422, "bad_value"),
        ({"photo_id": "x"}, 422, "missing"),
        ({"other": "x"}, 422, "unknown_field"),
    ],
)
def test_sets_that_cannot_be_taught(
    shop: httpx.Client, photo: bytes, truth: list[dict[str, Any]], change: dict[str, str | None], status: int, code: str
) -> None:
    good: dict[str, str | None] = {"name": "n", "labels": json.dumps([truth[:4]])}
    sent: list[Any] = [(k, (None, v)) for k, v in {**good, **change}.items() if v is not None]
    problem(shop.post("/sets", files=[*sent, ("photo", ("a.jpg", photo))]), status, code)
    assert shop.get("/sets").json()["sets"] == []


def test_photos_for_a_set_are_as_carefully_looked_at(shop: httpx.Client, photo: bytes) -> None:
    problem(shop.post("/sets", files={"name": (None, "n"), "photo": ("a.jpg", b"<svg>")}), 415, "image_unreadable")
    many = [("name", (None, "n")), *(("photo", ("a.jpg", b"\xff\xd8\xff")) for _ in range(9))]
    problem(shop.post("/sets", files=many), 400, "bad_form")
    problem(shop.post("/sets", files={"name": (None, "n")}), 422, "missing")
    grey = io.BytesIO()
    Image.new("RGB", (400, 300), "grey").save(grey, "JPEG")
    problem(
        shop.post("/sets", files={"name": (None, "n"), "photo": ("a.jpg", grey.getvalue())}), 422, "set_order_unclear"
    )


def forged(**meta: Any) -> bytes:
    """A set's file with one tile, learned with a classifier that nobody has."""
    out = io.BytesIO()
    about = json.dumps({"format": 1, "name": "f", "model": "0", **meta}).encode()
    prototypes, weights = np.array([[1, 0]], np.float32), np.ones(1, np.int32)
    np.savez(out, meta=np.frombuffer(about, np.uint8), tiles=np.array(["1m"]), prototypes=prototypes, weights=weights)
    return out.getvalue()


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04 not really", forged(name="../../x")])
def test_files_that_are_no_set(shop: httpx.Client, data: bytes) -> None:
    reply = shop.post("/sets/import", files={"profile": ("x.npz", data)})
    assert reply.status_code == 422, reply.text
    assert reply.json()["code"].startswith("set_")
    assert shop.get("/sets").json()["sets"] == []


def test_a_set_of_another_model_is_shown_but_not_used(shop: httpx.Client, photo: bytes) -> None:
    assert shop.post("/sets/import", files={"profile": ("x.npz", forged())}).json()["usable"] is False
    problem(shop.post("/read", files={"photo": ("a.jpg", photo), "set": (None, "f")}), 422, "set_other_model")
    folder = Path(shop.headers["x-folder"]) / "sets"
    (folder / "f.npz").write_bytes(b"damaged")
    told = shop.get("/sets").json()["sets"][0]
    assert (told["name"], told["usable"]) == ("f", False)
    assert "damaged" in told["trouble"]
    assert shop.delete("/sets/f").status_code == 204


def test_a_whole_set_laid_out_is_learned_by_itself(shop: httpx.Client) -> None:
    data = os.environ.get("HUPAI_DATA")
    photos = [p for n in (10, 11) if (p := Path(data or "", "flat-lays", f"raw-{n}.jpg")).is_file()]
    if not data or not photos:
        pytest.skip("HUPAI_DATA does not name a folder with flat-lays/ in it")
    for path in photos:
        told = shop.post("/sets", files={"name": (None, "laid"), "photo": (path.name, path.read_bytes())}).json()
        assert len(told["tiles"]) == 42, "34 kinds, flowers and seasons"
        assert told["lessons"] == 144
        shop.delete("/sets/laid").raise_for_status()


def test_what_was_kept_though_it_was_set_aside_teaches_its_set(
    reader: TileReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    photo = ROOT / "examples" / "hand-riichi.jpg"
    tiles = reader.find_tiles(photo)
    part = reader.photos.scene.part

    async def all_aside(seen: Detections) -> tuple[list[Detection], list[Detection]]:
        return [], (await part(seen))[0]

    monkeypatch.setattr(reader.photos.scene, "part", all_aside)
    labels = [[{"label": one.tile.code, "corners": one.corners} for one in tiles]]
    asked = LearnRequest.from_texts({"name": "painted", "labels": json.dumps(labels)}, 1)
    assert reader.find_tiles(photo) == []
    taught = asked.lessons(0, *reader.part(photo))
    assert sorted(x.tile.code for x in taught) == sorted(one.tile.code for one in tiles) != []
