"""What an application is given by wings: here none, and one that no other code knows."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from fastapi import APIRouter, FastAPI, Request
from fastapi.testclient import TestClient
from prometheus_client.core import GaugeMetricFamily
from sqlalchemy import Engine

from hupai.settings import Settings
from hupai.store.database import writing
from hupai.store.tokens import Holder, add_token
from hupai.web.app import create_app
from hupai.web.middleware.tokens import CODE_HEADER, Role, RoleRefused
from hupai.web.services import build_services
from hupai.web.wing import Guards, WebWing

GAME = {"players": ["Ann", "Bo", "Cy", "Dee"], "rules": "hongkong"}
PAY = {"outcome": "payment", "transfers": [{"from": "E", "to": "S", "amount": 8}], "seen": {"revision": 0}}
router = APIRouter()


@router.get("/garden")
def garden(request: Request) -> str:
    return str(request.app.state.garden)


def plant(app: FastAPI) -> None:
    app.state.garden = "roses"


def refuse(request: Request, *_: object) -> None:
    if "x-gardener" not in request.headers:
        raise RoleRefused("Ask the gardener.")


def refuse_terms(*_: object) -> None:
    raise RoleRefused("It was agreed on.")


def count_roses(engine: Engine) -> Iterator[GaugeMetricFamily]:
    yield GaugeMetricFamily("hupai_roses", "Roses", value=3)


GARDEN = WebWing(
    busiest=(router,),
    roles={"bee": Role("/score", reads="/garden"), "gardener": None},
    guards=Guards(refuse, refuse, refuse_terms),
    metrics=count_roses,
    install=plant,
)


@contextmanager
def served(folder: Path, *wings: WebWing) -> Iterator[tuple[TestClient, Engine]]:
    """An application with these wings, which reads no photos, and its store."""
    settings = Settings(data_folder=folder, access_code="sesame")
    services = build_services(settings, wings)
    headers = {CODE_HEADER: "sesame"}
    client = TestClient(create_app(settings, services), base_url="http://127.0.0.1/api/v1", headers=headers)
    yield client, services.engine
    services.engine.dispose()


def test_the_core_serves_without_wings(tmp_path: Path) -> None:
    with served(tmp_path) as (client, _):
        game = client.post("games", json=GAME).json()
        assert client.post(f"games/{game['id']}/hands", json=PAY).status_code == 201
        assert client.delete(f"games/{game['id']}", params={"revision": 1}).status_code == 204
        assert "hupai_store_up 1.0" in client.get("http://127.0.0.1/metrics").text
        assert client.get("tournaments").status_code == 404
        assert client.post("director", json={"code": "chief"}).status_code == 404


def test_a_wing_adds_routes_state_and_metrics(tmp_path: Path) -> None:
    with served(tmp_path, GARDEN) as (client, _):
        assert client.get("garden").json() == "roses"
        assert "hupai_roses 3.0" in client.get("http://127.0.0.1/metrics").text


def test_what_a_wing_forbids_nobody_does(tmp_path: Path) -> None:
    with served(tmp_path, GARDEN) as (client, _):
        game = client.post("games", json=GAME).json()["id"]
        gardener = {"X-Gardener": "1"}
        end = {"by": "Ann", "reason": "Supper", "seen": {"revision": 1}}
        for method, path, body, status in (
            ("POST", f"games/{game}/hands", PAY, 201),
            ("POST", f"games/{game}/end", end, 200),
            ("DELETE", f"games/{game}?revision=2", None, 204),
            ("DELETE", "presets/Home", None, 404),
        ):
            forbidden = client.request(method, path, json=body)
            assert (forbidden.status_code, forbidden.json()["detail"]) == (403, "Ask the gardener."), path
            if path.endswith("/end"):
                forbidden = client.post(path, json={**end, "course": {"hands": 8}}, headers=gardener)
                assert (forbidden.status_code, forbidden.json()["detail"]) == (403, "It was agreed on.")
            assert client.request(method, path, json=body, headers=gardener).status_code == status, path


def test_a_file_changes_no_game_that_a_wing_forbids_to_write_into(tmp_path: Path) -> None:
    with served(tmp_path, GARDEN) as (client, _):
        game, gardener = client.post("games", json=GAME).json()["id"], {"X-Gardener": "1"}
        older = client.get(f"games/{game}/export.json").content
        assert client.post(f"games/{game}/hands", json=PAY, headers=gardener).status_code == 201
        newer = client.get(f"games/{game}/export.json").content
        assert client.delete(f"games/{game}?revision=1", headers=gardener).status_code == 204
        assert client.post("games/import", files={"game": older}).status_code == 201, "it writes into none"
        forbidden = client.post("games/import", files={"game": newer})
        assert (forbidden.status_code, forbidden.json()["detail"]) == (403, "Ask the gardener.")
        assert client.get(f"games/{game}").json()["revision"] == 0
        brought = client.post("games/import", files={"game": newer}, headers=gardener)
        assert brought.json()["added"] == {"hands": 1, "changes": 1}


@pytest.mark.parametrize(
    ("role", "status"),
    [
        ("bee", {"GET garden": 200, "GET games": 403, "POST games": 403, "POST score": 422}),
        ("gardener", {"GET garden": 200, "GET games": 200, "POST games": 201, "POST score": 422}),
        ("wasp", {"GET garden": 403, "GET games": 403, "POST games": 403, "POST score": 403}),
    ],
)
def test_a_token_opens_what_a_wing_says_of_its_role(tmp_path: Path, role: str, status: dict[str, int]) -> None:
    """A token of a role that no wing here knows opens nothing."""
    with served(tmp_path, GARDEN) as (client, engine):
        with writing(engine) as session:
            token = add_token(session, Holder("Maya", role), "the gardener")["token"]
        headers = {CODE_HEADER: token}
        asked = {
            "GET garden": client.get("garden", headers=headers),
            "GET games": client.get("games", headers=headers),
            "POST games": client.post("games", json=GAME, headers=headers),
            "POST score": client.post("score", json={}, headers=headers),
        }
        assert {what: reply.status_code for what, reply in asked.items()} == status
