"""Learned tile sets."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from fastapi import APIRouter, Depends, Path, Request, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel

from hupai.basics.names import clean_name
from hupai.store.files.sets import FolderSets
from hupai.tilesets import set_json
from hupai.web.answers.tilesets import LearnRequest
from hupai.web.errors import BadValue
from hupai.web.guards import KeeperOnly
from hupai.web.middleware.limits import client_of
from hupai.web.requests.bodies import Exact
from hupai.web.requests.forms import FILE, SWITCH, TEXT, Form, Upload, check_picture, form_schema, read_form
from hupai.web.services import Served, Services, open_photo, upload_place
from vision.learn.tileset import Lesson
from vision.pipeline import TileReader

router = APIRouter(tags=["sets"])

MAX_PHOTOS = 8


class SetBody(Exact):
    """A learned set; ``usable`` unless its file is damaged or it was learned with another classifier."""

    name: str
    tiles: list[str]
    lessons: int
    model: str
    usable: bool
    trouble: str | None


class SetList(BaseModel):
    """Every learned set, by name."""

    sets: list[SetBody]


@router.get("/sets", operation_id="list_sets")
def list_sets(serve: Served) -> SetList:
    """Every learned set, by name."""
    return SetList.model_validate({"sets": _sets(serve).list_sets(_model(serve))})


@router.post(
    "/sets",
    operation_id="learn_set",
    status_code=201,
    response_model=SetBody,
    dependencies=[Depends(upload_place)],
    openapi_extra=form_schema(
        ["name"],
        name=TEXT,
        photo={"type": "array", "items": FILE, "maxItems": MAX_PHOTOS},
        photo_id=TEXT,
        tiles={**TEXT, "description": "the tiles of the photo, line by line, such as 123456789m"},
        labels={**TEXT, "description": "JSON: for each photo a list of {label, corners}"},
    ),
)
async def learn_set(request: Request, serve: Served) -> JSONResponse:
    """Teach a set from photos; one that is known learns more.

    A photo shows a whole set (one or four of each), or ``tiles`` tells what lies in it line by line, or ``labels``
    tells what is where, as after a correction.
    """
    form = await read_form(
        request, texts=("name", "photo_id", "tiles", "labels"), files=("photo",), max_files=MAX_PHOTOS
    )
    photos = _sent_photos(form, serve)
    asked = LearnRequest.from_texts(form.texts, len(photos))
    client = client_of(request.scope)

    def learn(reader: TileReader) -> dict[str, Any]:
        lessons: list[Lesson] = []
        for i, upload in enumerate(photos):
            lessons += asked.lessons(i, *reader.part(open_photo(upload, serve, client)))
        model = reader.models["classifier"]
        return set_json(_sets(serve).teach(asked.name, model, lessons), model)

    return JSONResponse(await serve.recogniser.run(learn, client), 201)


@router.delete("/sets/{name}", operation_id="delete_set", status_code=204, dependencies=[KeeperOnly])
def delete_set(serve: Served, name: str = Path(max_length=200)) -> None:
    """Forget a set."""
    _sets(serve).delete_set(clean_name(name, "name"))


@router.get(
    "/sets/{name}/file",
    operation_id="export_set",
    response_class=Response,
    responses={200: {"content": {"application/octet-stream": {"schema": FILE}}}},
)
def export_set(serve: Served, name: str = Path(max_length=200)) -> Response:
    """The set as a file, for another table's server."""
    name = clean_name(name, "name")
    data = _sets(serve).export_set(name)
    headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(name, safe='')}.npz"}
    return Response(data, media_type="application/octet-stream", headers=headers)


@router.post(
    "/sets/import",
    operation_id="import_set",
    status_code=201,
    response_model=SetBody,
    dependencies=[Depends(upload_place)],
    openapi_extra=form_schema(["profile"], profile=FILE, replace=SWITCH),
)
async def import_set(request: Request, serve: Served) -> JSONResponse:
    """Keep a set from a file that was exported."""
    form = await read_form(request, texts=("replace",), files=("profile",))
    upload, replace = form.file("profile"), form.flag("replace")
    kept = await serve.recogniser.do(
        lambda: _sets(serve).import_set(upload.data, upload.name, replace=replace),
        client_of(request.scope),
    )
    return JSONResponse(set_json(kept, _model(serve)), 201)


def _sets(serve: Services) -> FolderSets:
    return FolderSets(serve.sets_folder)


def _model(serve: Services) -> str | None:
    return serve.recogniser.models.get("classifier")


def _sent_photos(form: Form, serve: Services) -> list[Upload]:
    """Return the photos sent, or the one stored under ``photo_id``."""
    photos = form.files.get("photo", [])
    photo_id = form.text("photo_id")
    if (photo_id is None) == (not photos):
        raise BadValue("Send one to eight photos, or a photo_id.", code="missing", field="photo")
    for upload in photos:
        check_picture(upload)
    return photos if photo_id is None else [serve.photos.get(photo_id).upload]
