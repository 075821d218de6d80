"""The protocol of a Label Studio ML backend: health, setup, predict, versions, webhook, train.

As spoken by Label Studio 1.23 (label_studio/ml/api_connector.py and webhooks/utils.py there). What a request says about
annotations is not trusted: finished annotations are fetched from the Label Studio named in the settings.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final, cast

from fastapi import APIRouter, Depends, Request
from fastapi.responses import JSONResponse

from hupai.games.terms.shapes import OBJECT, Shape, list_of, maybe, object_of, whole
from hupai.label.studio.backend import Backend
from hupai.label.studio.project import project_of
from hupai.web.errors import BadValue
from hupai.web.requests.shaped import Shaped
from hupai.web.requests.strict import StrictRoute

PREFIX: Final = "/label-studio"
FINISHED: Final = ("ANNOTATION_CREATED", "ANNOTATION_UPDATED")
MAX_TASKS: Final = 1000
"""Tasks one request may name."""

router = APIRouter(prefix=PREFIX, include_in_schema=False, route_class=StrictRoute)


def _backend(request: Request) -> Backend:
    return cast(Backend, request.app.state.label_studio)


Answering = Annotated[Backend, Depends(_backend)]


def _open(needed: Mapping[str, Shape], others: Mapping[str, Shape] | None = None) -> Shape:
    """An object with these fields, and whatever else Label Studio says."""
    return {**object_of(needed, others or {}), "additionalProperties": True}


_TEXT: Final = {"type": "string"}
_NUMBER: Final = whole(0, 10**18 - 1)
_PROJECT: Final = {
    "anyOf": [_NUMBER, {**_TEXT, "pattern": r"[0-9]{1,18}(\.[0-9]+)?"}],
    "description": "a project is a number, perhaps followed by its creation time: 3.1700000000",
}
_NUMBERED: Final = maybe(_open({"id": _NUMBER}))
ProjectBody = Annotated[dict[str, Any], Shaped(_open({"project": _PROJECT}))]
SetupBody = Annotated[dict[str, Any], Shaped(_open({"project": _PROJECT, "schema": _TEXT}))]
_TASKS: Final = list_of(_open({"data": OBJECT}), MAX_TASKS)
PredictBody = Annotated[dict[str, Any], Shaped(_open({"project": _PROJECT, "label_config": _TEXT, "tasks": _TASKS}))]
_ANNOTATION: Final = maybe(_open({}, {"task": maybe(_NUMBER)}))
News = Annotated[
    dict[str, Any],
    Shaped(_open({}, {"action": _TEXT, "project": _NUMBERED, "annotation": _ANNOTATION, "task": _NUMBERED})),
]
"""What has happened; the task of an annotation is told in one place or the other."""


@router.get("/health")
@router.get("/")
def health() -> JSONResponse:
    """That somebody answers."""
    return JSONResponse({"status": "UP", "model_class": "hupai"})


@router.post("/setup")
def setup(backend: Answering, body: SetupBody) -> JSONResponse:
    """Whether the project's labelling set-up can be served, and by which version."""
    project_of(body["schema"])
    return JSONResponse({"model_version": backend.version(_number(body))})


@router.post("/predict")
async def predict(backend: Answering, body: PredictBody) -> JSONResponse:
    """The tiles of every task as a prediction."""
    number = _number(body)
    results = await backend.predict(body["tasks"], project_of(body["label_config"]), number)
    return JSONResponse({"results": results, "model_version": backend.version(number)})


@router.get("/versions")
def versions(backend: Answering) -> JSONResponse:
    """The versions there are: the one in use."""
    return JSONResponse({"versions": [backend.version(0)]})


@router.post("/webhook")
async def webhook(backend: Answering, news: News) -> JSONResponse:
    """A task was finished, or somebody wants everything learned anew; other news is passed over."""
    finished = news.get("action") in FINISHED
    if finished or news.get("action") == "START_TRAINING":
        project, annotated, named = (news.get(name) or {} for name in ("project", "annotation", "task"))
        task = annotated["task"] if annotated.get("task") is not None else named.get("id")
        if "id" not in project or (finished and task is None):
            raise BadValue("The project or its task is missing.")
        backend.learn_later(project["id"], task if finished else None)
    return JSONResponse({}, 202)


@router.post("/train")
async def train(backend: Answering, body: ProjectBody) -> JSONResponse:
    """Everything learned anew, as Label Studio asks where webhooks are off."""
    backend.learn_later(_number(body))
    return JSONResponse({}, 202)


def _number(body: Mapping[str, Any]) -> int:
    return int(str(body["project"]).partition(".")[0])
