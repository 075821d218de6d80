"""Games, their hands and house rules by name: the routes of :data:`~hupai.web.answers.operations.OPERATIONS`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from inspect import Parameter, Signature
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, Header, Path, Query, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict

from hupai.games import requests
from hupai.games.figures import PlayerFigures
from hupai.games.terms.shapes import MOST
from hupai.store.play.games import SqlGames
from hupai.store.play.presets import SqlPresets
from hupai.web.answers.json_text import write_json
from hupai.web.answers.operations import OPERATIONS, PARTED, Asked, Operation, take_over
from hupai.web.guards import GameId, KeeperOnly, check_course, check_writing, guard_game, holder_name, need_keeper
from hupai.web.requests.forms import FILE, TEXT, form_schema, read_form
from hupai.web.requests.shaped import Shaped
from hupai.web.requests.strict import StrictRoute
from hupai.web.routes.replies import attachment
from hupai.web.services import Served, Services

router = APIRouter(route_class=StrictRoute, tags=["games"], dependencies=[Depends(guard_game)])
presets = APIRouter(route_class=StrictRoute, tags=["presets"])

Key = Annotated[str | None, Header(alias="Idempotency-Key", min_length=1, max_length=200)]
CSV: Final[dict[int | str, dict[str, Any]]] = {200: {"content": {"text/csv": {"schema": {"type": "string"}}}}}
_PARTS: Final[dict[str, Any]] = {"game_id": GameId, "name": Annotated[str, Path(max_length=200)]}
_OF_PARTED: Final = [Query(ge=one.low, le=one.high, description=one.about) for one in PARTED]
Replaces = Annotated[int | None, _OF_PARTED[0]]
Beside = Annotated[int, _OF_PARTED[1]]
_NUMBER: Final = Annotated[int, Path(ge=1, le=MOST)]


@dataclass(frozen=True, slots=True)
class FigureList:
    """The figures of everybody under every rule system that they played."""

    figures: list[PlayerFigures]


class SavedPreset(BaseModel):
    """House rules as they are kept under a name."""

    model_config = ConfigDict(extra="forbid", from_attributes=True)
    name: str
    rules: str
    options: dict[str, Any]
    saved: str
    version: str


class PresetList(BaseModel):
    """Every preset, by name."""

    presets: list[SavedPreset]


_MODELS: Final[dict[str, Any]] = {
    **{"list_figures": FigureList, "list_presets": PresetList, "save_preset": SavedPreset},
    **dict.fromkeys(("record_hand", "try_hand", "try_correction", "export_game_json"), None),
    **dict.fromkeys(("delete_game", "delete_preset", "export_game_csv", "export_figures_csv"), None),
}
"""Operation -> what its answers are described as, None for nothing; objects are all others."""


async def import_game(request: Request, serve: Served, replaces: Replaces = None, beside: Beside = 0) -> JSONResponse:
    """Take over a game from a form."""
    if replaces is not None:
        need_keeper(request, serve)
    form = await read_form(request, texts=("preset",), files=("game",))
    data, preset = form.file("game").data, form.text("preset")
    games = SqlGames(serve.engine, partial(check_writing, request, serve))
    game = await run_in_threadpool(partial(take_over, games, data, preset, replaces=replaces, beside=beside))
    return JSONResponse(game, 200 if "added" in game else 201)


def _endpoint(operation: Operation) -> Callable[..., Response]:
    """Return what answers an operation, with the parameters from which FastAPI reads and describes its requests."""

    def answer(
        request: Request, serve: Services, body: Any = None, idempotency_key: str | None = None, **given: Any
    ) -> Response:
        if operation.shape is requests.AGREED:
            check_course(request, serve, given["game_id"], body)
        games, kept, said = SqlGames(serve.engine), SqlPresets(serve.engine), body or {}
        asked = Asked(games, kept, given, said, request.headers, idempotency_key, holder_name(request))
        status, found = operation.answer(asked)
        headers = {}
        if operation.name == "create_game":
            headers["Location"] = f"{request.url.path}/{found['id']}"
        if operation.keyed and status is HTTPStatus.OK:
            headers["Idempotency-Replayed"] = "true"
        if operation.file:
            headers |= attachment(given.get("game_id", "figures"), operation.file)
        kind = "text/csv; charset=utf-8" if operation.file == "csv" else "application/json"
        return Response(found if isinstance(found, str) else write_json(found), status, headers, kind)

    answer.__signature__ = Signature(list(_parameters(operation)))  # type: ignore[attr-defined]
    return answer


def _parameters(operation: Operation) -> Iterator[Parameter]:
    named = partial(Parameter, kind=Parameter.KEYWORD_ONLY)
    yield named("request", annotation=Request)
    yield named("serve", annotation=Served)
    for part in re.findall(r"{(\w+)}", operation.path):
        yield named(part, annotation=_PARTS.get(part, _NUMBER))
    if (shape := operation.shape) is not None:
        body: Any = Annotated[dict[str, Any], Shaped(shape)]
        yield (
            named("body", annotation=body) if shape["required"] else named("body", annotation=body | None, default=None)
        )
    for number in operation.query:
        said = Query(ge=number.low, le=number.high, description=number.about)
        kind: Any = int | None if number.default is None else int
        yield named(number.name, annotation=Annotated[kind, said], default=number.default)
    if operation.keyed:
        yield named("idempotency_key", annotation=Key, default=None)


def _add_route(operation: Operation) -> None:
    model = _MODELS.get(operation.name, dict[str, Any])
    found: dict[str, Any] = {"response_model": model}
    if operation.name == "import_game":
        found["openapi_extra"] = form_schema(["game"], game=FILE, preset=TEXT)
    elif operation.name == "delete_preset":
        found["dependencies"] = [KeeperOnly]
    if operation.again:
        found["responses"] = {200: {"model": model or dict[str, Any], "description": operation.again}}
    if operation.file == "csv":
        found |= {"response_class": Response, "responses": CSV}
    about = presets if operation.path.startswith("/presets") else router
    about.add_api_route(
        operation.path.replace("{name}", "{name:path}"),
        import_game if operation.name == "import_game" else _endpoint(operation),
        methods=[operation.asked.split()[0]],
        operation_id=operation.name,
        name=operation.name,
        description=operation.act.__doc__,
        status_code=operation.status,
        **found,
    )


for _one in OPERATIONS:
    _add_route(_one)
