"""The function for CVAT, called as nuclio calls it: a context with data of its own, an event, a response."""

from __future__ import annotations

import base64
import importlib.util
import json
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml

from hupai.label.classes import CODES
from tests.hupai.test_label.batch_photos import ROOT
from vision.io.photo import Photo
from vision.pipeline import read

PLACE = ROOT / "examples" / "cvat"
PHOTO = ROOT / "examples" / "hand-riichi.jpg"


@pytest.fixture(scope="module")
def function():
    spec = importlib.util.spec_from_file_location("cvat_function", PLACE / "main.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def context(function):
    made = SimpleNamespace(user_data=SimpleNamespace(), Response=SimpleNamespace)
    function.init_context(made)
    return made


def request(photo: Path = PHOTO, **more):
    return {"image": base64.b64encode(photo.read_bytes()).decode(), **more}


@pytest.mark.parametrize("packed", [lambda body: body, lambda body: json.dumps(body).encode()], ids=["parsed", "bytes"])
def test_every_tile_comes_back_as_a_polygon_of_its_corners(function, context, packed):
    told = function.handler(context, SimpleNamespace(body=packed(request())))
    assert (told.status_code, told.content_type) == (200, "application/json")
    seen = [s for s in read(Photo(PHOTO)).tiles if s.confidence >= function.LEAST]
    found = json.loads(told.body)
    assert len(found) > 13 and [f["label"] for f in found] == [s.tile.code for s in seen]
    assert {f["type"] for f in found} == {"polygon"} and {len(f["points"]) for f in found} == {8}
    assert found[0]["points"] == pytest.approx([v for corner in seen[0].corners for v in corner], abs=0.01)
    assert float(found[0]["confidence"]) == pytest.approx(seen[0].confidence, abs=1e-4)


def test_the_threshold_of_a_request_holds(function, context):
    told = function.handler(context, SimpleNamespace(body=request(threshold=1.01)))
    assert json.loads(told.body) == []


@pytest.mark.parametrize("body", [b"{", {}, {"image": "no base64!"}, {"image": base64.b64encode(b"x").decode()}, []])
def test_what_is_no_picture_is_refused_in_words(function, context, body):
    told = function.handler(context, SimpleNamespace(body=body))
    assert told.status_code == 400 and json.loads(told.body)["message"]


def test_the_function_declares_every_tile_under_the_names_it_gives():
    given = yaml.safe_load((PLACE / "function.yaml").read_text())
    declared = json.loads(given["metadata"]["annotations"]["spec"])
    assert [d["name"] for d in declared] == list(CODES) and {d["type"] for d in declared} == {"polygon"}
    assert given["metadata"]["annotations"]["type"] == "detector"
    module, _, name = given["spec"]["handler"].partition(":")
    assert (PLACE / f"{module}.py").is_file() and name == "handler"
