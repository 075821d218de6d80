"""Photos in, readings out."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Depends, Request
from fastapi.responses import JSONResponse

from hupai.store.files.sets import FolderSets
from hupai.web.answers.reading import ReadRequest
from hupai.web.middleware.limits import client_of
from hupai.web.requests.bodies import ReadBody
from hupai.web.requests.forms import FILE, SWITCH, TEXT, check_picture, form_schema, read_form
from hupai.web.services import Served, open_photo, run_unless_gone, upload_place
from vision.pipeline import TileReader

router = APIRouter(tags=["reading"])

PHOTO_FORM = form_schema(
    ["photo"],
    photo=FILE,
    rules={**TEXT, "description": "rules whose winning shapes help the reading"},
    options={**TEXT, "description": 'house rules of these as a JSON object, such as {"players": 3}'},
    set={**TEXT, "description": "name of a learned tile set"},
    keep={**SWITCH, "description": "keep for a correction"},
    aside={**TEXT, "description": "what was set aside but is tiles: its numbers, such as 0,2, or all (set_aside)"},
    other={**SWITCH, "description": "of two hands that lie open read the other (two_hands)"},
)


@router.post(
    "/read",
    operation_id="read_photo",
    responses={200: {"model": ReadBody}},
    openapi_extra=PHOTO_FORM,
    dependencies=[Depends(upload_place)],
)
async def read_photo(request: Request, serve: Served) -> JSONResponse:
    """Which tiles and which hand are in a photo."""
    form = await read_form(request, texts=("rules", "options", "set", "keep", "other", "aside"), files=("photo",))
    upload = form.file("photo")
    check_picture(upload)
    asked = ReadRequest.from_texts(form.texts)
    client = client_of(request.scope)

    def see(reader: TileReader) -> dict[str, Any]:
        photo = open_photo(upload, serve, client)
        name = asked.set_name
        known = FolderSets(serve.sets_folder).find(name, reader.models["classifier"]) if name else None
        return asked.answer(reader.read(photo, rules=asked.rules, tileset=known), upload.name)

    answer = await run_unless_gone(request, serve.recogniser.run(see, client))
    if asked.keep:
        answer["photo_id"] = serve.photos.keep(upload, answer)
    return JSONResponse(answer)
