"""The protocol of a Label Studio ML backend: health, setup, predict, versions, webhook, train.

As spoken by Label Studio 1.23 (label_studio/ml/api_connector.py and webhooks/utils.py there). What a request says about
annotations is not trusted: finished annotations are fetched from the Label Studio named in the settings.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, cast

from fastapi import APIRouter, Depends, Request
from fastapi.responses import JSONResponse
from pydantic import AfterValidator, BaseModel, BeforeValidator, Field

from hupai.label.studio.backend import Backend
from hupai.label.studio.project import project_of
from hupai.web.errors import BadValue
from hupai.web.requests.strict import StrictRoute

PREFIX: Final = "/label-studio"
FINISHED: Final = ("ANNOTATION_CREATED", "ANNOTATION_UPDATED")
MAX_TASKS: Final = 1000
"""Tasks one request may name."""

router = APIRouter(prefix=PREFIX, include_in_schema=False, route_class=StrictRoute)


def _backend(request: Request) -> Backend:
    return cast(Backend, request.app.state.label_studio)


Answering = Annotated[Backend, Depends(_backend)]


def _check_task(task: dict[str, Any]) -> dict[str, Any]:
    if not isinstance(task.get("data"), dict):
        raise ValueError("a task has its data")
    return task


Number = Annotated[int, Field(ge=0, lt=10**18)]
ProjectNumber = Annotated[Number, BeforeValidator(lambda project: str(project).partition(".")[0])]
"""A project's id is followed by its creation time: ``3.1700000000``."""
Task = Annotated[dict[str, Any], AfterValidator(_check_task)]


class ProjectBody(BaseModel):
    """A request about a project."""

    project: ProjectNumber


class SetupBody(ProjectBody):
    """A project's labelling set-up."""

    config: str = Field(alias="schema")


class PredictBody(ProjectBody):
    """Tasks to predict."""

    label_config: str
    tasks: Annotated[list[Task], Field(max_length=MAX_TASKS)]


class Numbered(BaseModel):
    """A project or task."""

    id: Number


class AnnotationOfTask(BaseModel):
    """An annotation."""

    task: Number | None = None


class News(BaseModel):
    """What has happened; the task of an annotation is told in one place or the other."""

    action: str = ""
    project: Numbered | None = None
    annotation: AnnotationOfTask | None = None
    task: Numbered | None = None


@router.get("/health")
@router.get("/")
def health() -> JSONResponse:
    """That somebody answers."""
    return JSONResponse({"status": "UP", "model_class": "hupai"})


@router.post("/setup")
def setup(backend: Answering, body: SetupBody) -> JSONResponse:
    """Whether the project's labelling set-up can be served, and by which version."""
    project_of(body.config)
    return JSONResponse({"model_version": backend.version(body.project)})


@router.post("/predict")
async def predict(backend: Answering, body: PredictBody) -> JSONResponse:
    """The tiles of every task as a prediction."""
    results = await backend.predict(body.tasks, project_of(body.label_config), body.project)
    return JSONResponse({"results": results, "model_version": backend.version(body.project)})


@router.get("/versions")
def versions(backend: Answering) -> JSONResponse:
    """The versions there are: the one in use."""
    return JSONResponse({"versions": [backend.version(0)]})


@router.post("/webhook")
async def webhook(backend: Answering, news: News) -> JSONResponse:
    """A task was finished, or somebody wants everything learned anew; other news is passed over."""
    finished = news.action in FINISHED
    if finished or news.action == "START_TRAINING":
        told = news.annotation.task if news.annotation else None
        task = told if told is not None or news.task is None else news.task.id
        if news.project is None or (finished and task is None):
            raise BadValue("The project or its task is missing.")
        backend.learn_later(news.project.id, task if finished else None)
    return JSONResponse({}, 202)


@router.post("/train")
async def train(backend: Answering, body: ProjectBody) -> JSONResponse:
    """Everything learned anew, as Label Studio asks where webhooks are off."""
    backend.learn_later(body.project)
    return JSONResponse({}, 202)
