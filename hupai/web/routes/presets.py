"""House rules by name."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Path, Response
from pydantic import BaseModel, ConfigDict, Field

from hupai.basics.names import clean_name
from hupai.store.play.presets import delete_preset as forget
from hupai.store.play.presets import list_presets as every
from hupai.store.play.presets import save_preset as keep
from hupai.web.requests.strict import StrictRoute
from hupai.web.roles import KeeperOnly
from hupai.web.services import Served
from scoring.options import options_of
from scoring.rules import system_named

router = APIRouter(route_class=StrictRoute, tags=["presets"])


class PresetBody(BaseModel):
    """House rules under a name."""

    model_config = ConfigDict(extra="forbid")
    name: str = Field(max_length=200)
    rules: str = Field(max_length=100)
    options: dict[str, Any] = Field(default_factory=dict)


class SavedPreset(PresetBody):
    """A preset as it is kept."""

    saved: str
    version: str


class PresetList(BaseModel):
    """Every preset, by name."""

    presets: list[SavedPreset]


@router.get("/presets", operation_id="list_presets")
def list_presets(serve: Served) -> PresetList:
    """Every preset, by name."""
    return PresetList.model_validate({"presets": every(serve.engine)})


@router.post(
    "/presets",
    operation_id="save_preset",
    status_code=201,
    responses={200: {"model": SavedPreset, "description": "Replaced"}},
)
def save_preset(preset: PresetBody, response: Response, serve: Served) -> SavedPreset:
    """Keep house rules under a name; an older preset of that name is replaced."""
    system = system_named(preset.rules)
    options_of(system.option_class, preset.options, system.name)
    saved, new = keep(serve.engine, clean_name(preset.name, "name"), system.id, preset.options)
    response.status_code = 201 if new else 200
    return SavedPreset.model_validate(saved)


@router.delete("/presets/{name:path}", operation_id="delete_preset", status_code=204, dependencies=[KeeperOnly])
def delete_preset(serve: Served, name: str = Path(max_length=200)) -> Response:
    """Forget a preset."""
    forget(serve.engine, clean_name(name, "name"))
    return Response(status_code=204)
