"""The protocol of a Label Studio ML backend: health, setup, predict, versions, webhook, train.

As spoken by Label Studio 1.23 (label_studio/ml/api_connector.py and webhooks/utils.py there). What a request says about
annotations is not trusted: finished annotations are fetched from the Label Studio named in the settings.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final, cast

from fastapi import APIRouter, Depends, Request
from fastapi.responses import JSONResponse

from hupai.web.errors import BadValue
from hupai.web.requests.strict import StrictRoute, parse_json
from hupai.web.studio.backend import Backend
from hupai.web.studio.project import project_of

PREFIX: Final = "/label-studio"
FINISHED: Final = ("ANNOTATION_CREATED", "ANNOTATION_UPDATED")
MAX_TASKS: Final = 1000
"""Tasks one request may name."""

router = APIRouter(prefix=PREFIX, include_in_schema=False, route_class=StrictRoute)


def _backend(request: Request) -> Backend:
    return cast(Backend, request.app.state.label_studio)


Answering = Annotated[Backend, Depends(_backend)]


async def _body(request: Request) -> Mapping[str, Any]:
    body = parse_json(await request.body())
    if not isinstance(body, Mapping):
        raise BadValue("The body must be a JSON object.")
    return body


Body = Annotated[Mapping[str, Any], Depends(_body)]


@router.get("/health")
@router.get("/")
def health() -> JSONResponse:
    """That somebody answers."""
    return JSONResponse({"status": "UP", "model_class": "hupai"})


@router.post("/setup")
def setup(backend: Answering, body: Body) -> JSONResponse:
    """Whether the project's labelling set-up can be served, and by which version."""
    project_of(_config(body, "schema"))
    return JSONResponse({"model_version": backend.version(_project(body))})


@router.post("/predict")
async def predict(backend: Answering, body: Body) -> JSONResponse:
    """The tiles of every task as a prediction."""
    tasks = body.get("tasks")
    if not isinstance(tasks, list) or not all(map(_is_task, tasks)):
        raise BadValue("tasks must be a list of tasks with their data.", field="tasks")
    if len(tasks) > MAX_TASKS:
        raise BadValue(f"{len(tasks)} tasks are more than the {MAX_TASKS} taken at once.", field="tasks")
    number = _project(body)
    project = project_of(_config(body, "label_config"))
    results = await backend.predict(tasks, project, number)
    return JSONResponse({"results": results, "model_version": backend.version(number)})


@router.get("/versions")
def versions(backend: Answering) -> JSONResponse:
    """The versions there are: the one in use."""
    return JSONResponse({"versions": [backend.version(0)]})


@router.post("/webhook")
async def webhook(backend: Answering, body: Body) -> JSONResponse:
    """A task was finished, or somebody wants everything learned anew; other news is passed over."""
    action = body.get("action")
    if action == "START_TRAINING":
        backend.learn_later(_number(_within(body, "project"), "project"))
    elif action in FINISHED:
        annotation = _within(body, "annotation")
        task = annotation.get("task", _within(body, "task", {}).get("id"))
        backend.learn_later(_number(_within(body, "project"), "project"), _number({"id": task}, "task"))
    return JSONResponse({}, 202)


@router.post("/train")
async def train(backend: Answering, body: Body) -> JSONResponse:
    """Everything learned anew, as Label Studio asks where webhooks are off."""
    backend.learn_later(_project(body))
    return JSONResponse({}, 202)


def _is_task(given: object) -> bool:
    return isinstance(given, Mapping) and isinstance(given.get("data"), Mapping)


def _config(body: Mapping[str, Any], key: str) -> str:
    config = body.get(key)
    if not isinstance(config, str):
        raise BadValue(f"{key} must be the project's labelling set-up.", field=key)
    return config


def _project(body: Mapping[str, Any]) -> int:
    """Return the number in a project's id, which is followed by its creation time: ``3.1700000000``."""
    return _number({"id": str(body.get("project", "")).partition(".")[0]}, "project")


def _within(body: Mapping[str, Any], key: str, default: Mapping[str, Any] | None = None) -> Mapping[str, Any]:
    found = body.get(key, default)
    if not isinstance(found, Mapping):
        raise BadValue(f"{key} must be an object.", field=key)
    return found


def _number(given: Mapping[str, Any], field: str) -> int:
    number = str(given.get("id", ""))
    if not number.isascii() or not number.isdigit() or len(number) > 18:
        raise BadValue(f"{field} has no number.", field=field)
    return int(number)
