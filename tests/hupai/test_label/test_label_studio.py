"""hupai as the ML backend of a Label Studio."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from hupai.label.classes import PRESETS
from hupai.label.formats.labelstudio import set_up
from hupai.label.studio.backend import Backend, set_name
from hupai.label.studio.client import LabelStudio
from hupai.store.files.sets import FolderSets
from hupai.web.errors import Busy
from hupai.web.recogniser import Recogniser
from scripts.bench.host import free_port
from tests.hupai.serving import OPEN, ROOT, Server, problem, running
from tests.hupai.test_label.studio import TOKEN, Studio, studio
from tests.waiting import until

CODE = "geheim"
RECTANGLES = (
    '<View><Image name="picture" value="$scan"/><RectangleLabels name="box" toName="picture">'
    + "".join(f'<Label value="{name}"/>' for name in PRESETS["camerash"].names)
    + "</RectangleLabels></View>"
)


@pytest.fixture(scope="module")
def labels() -> Iterator[Studio]:
    with studio() as it:
        it.config = set_up()
        yield it


@pytest.fixture(scope="module")
def backend(labels: Studio, tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    told = {"label_studio": labels.url, "label_studio_token": TOKEN, "access_code": CODE}
    with running(tmp_path_factory.mktemp("hupai"), **OPEN, **told) as server, asking(server) as client:
        yield client


def asking(server: Server) -> httpx.Client:
    """As Label Studio asks: name and password in the address."""
    return httpx.Client(base_url=f"{server.api}/label-studio", auth=("anybody", CODE))


def predict(client: httpx.Client, tasks: list[dict[str, Any]], config: str) -> httpx.Response:
    told = {"tasks": tasks, "project": "1.1700000000", "label_config": config, "params": {"context": None}}
    return client.post("predict", json=told)


def in_the_photo() -> Counter[str]:
    told = json.loads((ROOT / "examples" / "hand-riichi.json").read_text())
    return Counter(t["label"] for t in told["tiles"])


def version(client: httpx.Client) -> str:
    return str(client.post("setup", json={"project": "1.17", "schema": set_up()}).json()["model_version"])


def learned(client: httpx.Client) -> dict[str, Any] | None:
    sets = client.get(str(client.base_url).replace("label-studio/", "sets")).json()["sets"]
    return next((s for s in sets if s["name"] == "label-studio-1"), None)


def test_it_says_that_it_is_there_and_which_version_it_is(backend: httpx.Client) -> None:
    assert backend.get("health").json()["status"] == "UP"
    assert version(backend).startswith("hupai ")


def test_the_access_code_is_asked_of_other_programs_too(backend: httpx.Client) -> None:
    for given in (None, ("anybody", "wrong"), ("anybody", "")):
        reply = httpx.get(f"{backend.base_url}health", auth=given)
        assert (reply.status_code, reply.json()["code"]) == (401, "code_wrong" if given else "code_needed")
    reply = httpx.get(f"{backend.base_url}health", headers={"Authorization": "Basic \N{SNOWMAN}".encode()})
    assert reply.status_code == 401


def test_a_task_that_is_opened_shows_every_tile(backend: httpx.Client, labels: Studio, photo: bytes) -> None:
    reply = predict(backend, [labels.add(1, photo)], labels.config)
    [[prediction]] = reply.json()["results"]
    assert prediction["model_version"] == reply.json()["model_version"] == version(backend)
    assert 0 < prediction["score"] <= 1
    shown = Counter(r["value"]["polygonlabels"][0] for r in prediction["result"])
    assert shown == in_the_photo()
    for region in prediction["result"]:
        assert (region["from_name"], region["to_name"], region["type"]) == ("tile", "image", "polygonlabels")
        assert all(0 <= v <= 100 for p in region["value"]["points"] for v in p)


def test_a_project_draws_and_names_in_its_own_way(backend: httpx.Client, labels: Studio, photo: bytes) -> None:
    task = labels.add(2, photo)
    [[prediction]] = predict(backend, [{**task, "data": {"scan": task["data"]["image"]}}], RECTANGLES).json()["results"]
    shown = Counter(r["value"]["rectanglelabels"][0] for r in prediction["result"])
    names = PRESETS["camerash"]
    wanted = Counter(names.names[names.numbers[code]] for code in in_the_photo().elements() if code in names.numbers)
    assert shown == wanted and "back" not in shown
    assert all((r["from_name"], r["to_name"]) == ("box", "picture") for r in prediction["result"])
    assert all(r["value"]["x"] + r["value"]["width"] <= 100.001 for r in prediction["result"])


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ("<View", "not valid XML"),
        ('<View><Image name="i" value="$image"/></View>', "PolygonLabels"),
        (set_up().replace('Label value="', 'Label value="cat '), "names a tile"),
        ("<!DOCTYPE x><View/>", "DOCTYPE"),
    ],
)
def test_a_project_that_cannot_be_served_is_told_why(backend: httpx.Client, config: str, said: str) -> None:
    refused = problem(backend.post("setup", json={"project": "1.17", "schema": config}), 422, "bad_value")
    assert said in refused["detail"]


def test_what_makes_no_sense_is_refused(backend: httpx.Client) -> None:
    for path, body, code in (
        ("setup", {}, "missing"),
        ("predict", {"tasks": 3, "project": "1.2", "label_config": set_up()}, "bad_value"),
        ("predict", {"tasks": [{"id": 1}], "project": "1.2", "label_config": set_up()}, "missing"),
        ("predict", {"tasks": [], "project": "x", "label_config": set_up()}, "bad_value"),
        ("webhook", {"action": "START_TRAINING"}, "bad_value"),
        (
            "webhook",
            {"action": "ANNOTATION_CREATED", "project": {"id": 1}, "annotation": {"task": "../1"}},
            "bad_value",
        ),
        ("webhook", {"action": "ANNOTATION_CREATED", "project": {"id": 1}}, "bad_value"),
        ("train", [], "bad_request"),
    ):
        problem(backend.post(path, json=body), 422, code)
    problem(backend.post("predict", content=b"{", headers={"Content-Type": "application/json"}), 400, "bad_json")
    assert backend.post("webhook", json={"action": "TASKS_CREATED"}).status_code == 202


@pytest.mark.parametrize(
    ("picture", "status", "said"),
    [
        ("http://169.254.169.254/latest/meta-data", 422, "does not ask"),
        ("file:///etc/passwd", 422, "does not ask"),
        ("http://me:secret@tiles.example:8080/1.jpg", 422, "a picture of http://tiles.example:8080, which"),
        ("/api/projects/1/", 422, "none of Label Studio's"),
        ("/data/../api/projects/1/", 422, "none of Label Studio's"),
        ("/data/%2e%2e/api/projects/1/", 422, "none of Label Studio's"),
        ("/data/upload/1/nowhere.jpg", 502, "answers 404"),
        ("/data/moved.jpg", 502, "answers 302"),
        (7, 422, "no image"),
    ],
)
def test_no_address_is_asked_but_label_studio_s(
    backend: httpx.Client, labels: Studio, picture: object, status: int, said: str
) -> None:
    labels.asked.clear()
    refused = predict(backend, [{"id": 9, "project": 1, "data": {"image": picture}}], labels.config)
    assert refused.status_code == status, refused.text
    assert said in refused.json()["detail"]
    assert set(labels.asked) <= {picture}, "a redirection, or another address, was followed"


def test_one_picture_that_is_none_leaves_the_others(backend: httpx.Client, labels: Studio, photo: bytes) -> None:
    tasks = [labels.add(3, b"no picture"), labels.add(4, photo)]
    none, [prediction] = predict(backend, tasks, labels.config).json()["results"]
    assert none == [] and len(prediction["result"]) == sum(in_the_photo().values())


def test_finished_tasks_are_learned_from(backend: httpx.Client, labels: Studio, photo: bytes) -> None:
    task = labels.add(5, photo)
    [[prediction]] = predict(backend, [task], labels.config).json()["results"]
    told = [{**r, "value": {**r["value"], "polygonlabels": ["9m"]}} for r in prediction["result"]]
    before, news = version(backend), {"action": "ANNOTATION_CREATED", "project": {"id": 1}, "annotation": {"task": 5}}

    # What the request claims is not believed: the task itself has no annotation yet.
    forged = {**news, "annotation": {"task": 5, "result": told}}
    assert backend.post("webhook", json=forged).status_code == 202
    assert until(lambda: "/api/tasks/5/" in labels.asked)
    time.sleep(1)
    assert learned(backend) is None and version(backend) == before

    labels.tasks[5]["annotations"] = [
        {"id": 2, "was_cancelled": True, "result": told, "updated_at": "2026-01-02"},
        {"id": 1, "was_cancelled": False, "result": prediction["result"], "updated_at": "2026-01-01"},
    ]
    assert backend.post("webhook", json=news).status_code == 202
    assert until(lambda: learned(backend) is not None)
    known = learned(backend)
    assert known is not None
    assert known["lessons"] == len(told) and set(known["tiles"]) == set(in_the_photo())
    assert version(backend) != before, "Label Studio asks again only where the version is another"
    [[again]] = predict(backend, [task], labels.config).json()["results"]
    assert again["model_version"] == version(backend)

    # Training begins anew from everything that is finished: what was wrong before is forgotten.
    labels.tasks[5]["annotations"][1]["result"] = told
    start = {"action": "START_TRAINING", "project": {"id": 1, "title": "tiles"}}
    assert backend.post("webhook", json=start).status_code == 202
    assert until(lambda: (learned(backend) or {}).get("tiles") == ["9m"])
    labels.tasks[5]["annotations"][1]["result"] = prediction["result"]
    assert backend.post("train", json={"project": "1.1700000000", "annotations": []}).status_code == 202
    assert until(lambda: set((learned(backend) or {}).get("tiles", ())) == set(in_the_photo()))


def test_what_a_project_taught_is_kept_though_no_photo_place_is_free_then(
    backend: httpx.Client, labels: Studio, photo: bytes, tmp_path: Path
) -> None:
    task = labels.add(6, photo)
    [[prediction]] = predict(backend, [task], labels.config).json()["results"]
    labels.tasks = {6: {**task, "annotations": [{"id": 1, "was_cancelled": False, "result": prediction["result"]}]}}
    recogniser = Recogniser(workers=1, queue=0)
    recogniser.load()
    learner = Backend(LabelStudio(labels.url, TOKEN, (), 20_000_000), recogniser, tmp_path, 50_000_000)

    async def take_the_place_when_the_task_is_read() -> None:
        while not recogniser.pending_photos:
            await asyncio.sleep(0.001)
        while True:
            try:
                return await recogniser.do(lambda: time.sleep(0.5))
            except Busy:
                await asyncio.sleep(0)

    async def learn() -> None:
        learner.learn_later(1)
        await asyncio.wait_for(take_the_place_when_the_task_is_read(), 300)
        assert learner._learning is not None
        await asyncio.wait_for(learner._learning, 300)

    # In a thread of its own: Playwright's loop may still run in this one.
    with ThreadPoolExecutor(1) as aside:
        aside.submit(asyncio.run, learn()).result()
    assert FolderSets(tmp_path).find(set_name(1), recogniser.models["classifier"]).tiles


def test_without_the_setting_nobody_answers(client: httpx.Client) -> None:
    problem(client.get("/label-studio/health"), 404, "not_found")


@pytest.mark.release
def test_with_the_real_label_studio(tmp_path: Path, photo: bytes) -> None:
    program = os.environ.get("HUPAI_LABEL_STUDIO") or shutil.which("label-studio")
    if program is None:
        pytest.skip("needs Label Studio: pip install label-studio in a venv, its command in HUPAI_LABEL_STUDIO")
    port = free_port()
    told = {"USERNAME": "a@b.example", "PASSWORD": "one-of-many", "USER_TOKEN": TOKEN, "BASE_DATA_DIR": str(tmp_path)}
    env = os.environ | {f"LABEL_STUDIO_{k}": v for k, v in told.items()}
    env |= {"LABEL_STUDIO_ENABLE_LEGACY_API_TOKEN": "true", "COLLECT_ANALYTICS": "False"}
    env |= {"ML_BLOCK_LOCAL_IP": "false", "SSRF_PROTECTION_ENABLED": "false"}
    start = [program, "start", "--port", str(port), "--no-browser"]
    url = f"http://localhost:{port}"
    with (tmp_path / "log").open("wb") as log:
        process = subprocess.Popen(start, env=env, stdout=log, stderr=log)
    try:
        assert until(lambda: _is_up(url), 300)
        (tmp_path / "hupai").mkdir()
        served = {"label_studio": url, "label_studio_token": TOKEN, "access_code": CODE}
        with running(tmp_path / "hupai", **OPEN, **served) as server, asking(server) as client:
            _work_in(url, server, client, photo)
    finally:
        process.terminate()
        process.wait(120)


def _is_up(url: str) -> bool:
    try:
        return httpx.get(f"{url}/health").status_code == 200
    except httpx.HTTPError:
        return False


def _work_in(url: str, server: Server, client: httpx.Client, photo: bytes) -> None:
    """What a labeller does: a project, a picture, the backend; open the task, submit it, open another."""
    real = httpx.Client(base_url=url, headers={"Authorization": f"Token {TOKEN}"})
    given = {"title": "tiles", "label_config": set_up(), "evaluate_predictions_automatically": True}
    project = real.post("/api/projects/", json=given).raise_for_status().json()["id"]
    assert project == 1
    for _ in range(2):
        real.post("/api/projects/1/import", files={"file": ("hand.jpg", photo, "image/jpeg")}).raise_for_status()
    address = f"{server.api}/label-studio".replace("://", f"://anybody:{CODE}@")
    wrong = real.post("/api/ml/", json={"url": address.replace(CODE, "wrong"), "project": 1, "title": "hupai"})
    assert wrong.status_code == 400 and "authentication" in wrong.text
    made = real.post("/api/ml/", json={"url": address, "project": 1, "title": "hupai"}).raise_for_status().json()
    assert made["readable_state"] == "Connected" and made["model_version"] == version(client)

    opened = real.get("/api/projects/1/next").raise_for_status().json()
    [prediction] = opened["predictions"]
    assert Counter(r["value"]["polygonlabels"][0] for r in prediction["result"]) == in_the_photo()
    submitted = {"result": prediction["result"]}
    real.post(f"/api/tasks/{opened['id']}/annotations/", json=submitted).raise_for_status()
    assert until(lambda: learned(client) is not None)
    following = real.get("/api/projects/1/next").raise_for_status().json()
    assert following["id"] != opened["id"]
    assert [p["model_version"] for p in following["predictions"]][-1].split()[-2:-1] == ["label-studio-1"]
    before = learned(client)
    real.post(f"/api/ml/{made['id']}/train", json={}).raise_for_status()
    assert until(lambda: "learned" in "\n".join(server.said))
    assert learned(client) == before
