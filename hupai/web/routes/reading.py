"""Photos in, readings out."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Depends, Request
from fastapi.responses import JSONResponse

from hupai.store.files.sets import find_set
from hupai.web.answers.json_text import parse_field
from hupai.web.errors import BadValue
from hupai.web.middleware.limits import client_of
from hupai.web.requests.bodies import ReadBody
from hupai.web.requests.forms import FILE, SWITCH, TEXT, check_picture, form_schema, read_form
from hupai.web.services import Served, open_photo, run_unless_gone, upload_place
from scoring.fields.reader import OBJECT, type_message
from vision.hand.correction import other_hand
from vision.layout.shapes import checked_shapes
from vision.pipeline import TileReader

router = APIRouter(tags=["reading"])

PHOTO_FORM = form_schema(
    ["photo"],
    photo=FILE,
    rules={**TEXT, "description": "rules whose winning shapes help the reading"},
    options={**TEXT, "description": 'house rules of these as a JSON object, such as {"players": 3}'},
    set={**TEXT, "description": "name of a learned tile set"},
    keep={**SWITCH, "description": "keep for a correction"},
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
    form = await read_form(request, texts=("rules", "options", "set", "keep", "other"), files=("photo",))
    upload = form.file("photo")
    check_picture(upload)
    keep, other = form.flag("keep"), form.flag("other")
    options = parse_field(form.text("options") or "{}", "options")
    if not isinstance(options, dict):
        raise BadValue(type_message(OBJECT, "options", '{"players": 3}'), field="options")
    rules = checked_shapes(form.text("rules"), options)
    set_name = form.text("set")

    client = client_of(request.scope)

    def see(reader: TileReader) -> dict[str, Any]:
        photo = open_photo(upload, serve, client)
        known = find_set(serve.sets_folder, set_name, reader.models["classifier"]) if set_name else None
        reading = reader.read(photo, rules=rules, tileset=known)
        return (other_hand(reading, rules=rules) if other else reading).to_json(upload.name)

    answer = {**await run_unless_gone(request, serve.recogniser.run(see, client)), "set": set_name}
    if keep:
        answer["photo_id"] = serve.photos.keep(upload, answer)
    return JSONResponse(answer)
