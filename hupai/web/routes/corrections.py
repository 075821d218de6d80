"""Corrected labels, kept as samples with the player's consent."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Depends, Path, Request
from fastapi.responses import JSONResponse
from pydantic import BaseModel

from hupai.store.files import samples
from hupai.web.errors import BadValue
from hupai.web.guards import KeeperOnly
from hupai.web.middleware.limits import client_of
from hupai.web.requests.annotation import annotation_json, check_inside, parse_annotation
from hupai.web.requests.forms import FILE, TEXT, Upload, check_picture, form_schema, read_form
from hupai.web.services import Served, Services, open_photo, upload_place
from scoring.rules import system_named

router = APIRouter(tags=["corrections"])

_FORM = form_schema(
    ["consent", "annotation"],
    photo=FILE,
    photo_id={**TEXT, "description": "in place of the photo, from read_photo"},
    consent={**TEXT, "enum": ["true"]},
    annotation={**TEXT, "description": "JSON in the annotation format"},
)


class SavedSample(BaseModel):
    """A sample that was kept."""

    id: str
    image: str
    annotation: str
    tiles: int


class SampleSummary(BaseModel):
    """A sample in short."""

    id: str
    tiles: int
    saved: str


class SampleList(BaseModel):
    """The samples, latest first."""

    corrections: list[SampleSummary]


@router.post(
    "/corrections",
    operation_id="keep_correction",
    status_code=201,
    response_model=SavedSample,
    openapi_extra=_FORM,
    dependencies=[Depends(upload_place)],
)
async def keep_correction(request: Request, serve: Served) -> JSONResponse:
    """Keep a photo with corrected labels, for whoever trains the models. Only with consent."""
    form = await read_form(request, texts=("photo_id", "consent", "annotation"), files=("photo",))
    if not form.flag("consent"):
        raise BadValue("A photo is kept only with consent: send consent=true.", code="consent_needed", field="consent")
    annotation = parse_annotation(form.text("annotation"))
    rules = system_named(annotation["rules"]).id if annotation.get("rules") else None
    photo_id = form.text("photo_id")
    if (photo_id is None) == ("photo" not in form.files):
        raise BadValue("Send either the photo or a photo_id.", code="missing", field="photo")
    read: object = None
    if photo_id is None:
        upload = form.file("photo")
        check_picture(upload)
    else:
        kept = serve.photos.get(photo_id)
        upload, read = kept.upload, kept.reading.get("tiles")
    client = client_of(request.scope)
    saved = await serve.recogniser.do(lambda: _save(serve, upload, client, annotation, rules, read), client)
    return JSONResponse(saved, 201)


@router.get("/corrections", operation_id="list_corrections")
def list_corrections(serve: Served) -> SampleList:
    """The samples kept here."""
    return SampleList.model_validate({"corrections": samples.list_samples(serve.samples_folder)})


@router.delete("/corrections/{sample_id}", operation_id="delete_correction", status_code=204, dependencies=[KeeperOnly])
def delete_correction(serve: Served, sample_id: str = Path(max_length=80)) -> None:
    """Take consent back: photo and labels are deleted."""
    samples.delete_sample(serve.samples_folder, sample_id)


def _save(
    serve: Services, upload: Upload, client: str, annotation: dict[str, Any], rules: str | None, read: object
) -> dict[str, Any]:
    photo = open_photo(upload, serve, client)
    photo.view(64)  # decoded small: truncated files, or those without a picture inside, must not be stored
    check_inside(annotation, photo.width, photo.height)
    return samples.save_sample(
        serve.samples_folder,
        upload.data,
        (photo.width, photo.height),
        annotation_json(annotation),
        rules=rules,
        models=serve.recogniser.models if read is not None else {},
        read=read,
        max_bytes=serve.settings.samples_mb * 1_000_000,
    )
