"""House rules by name."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from fastapi import APIRouter, Path, Response
from pydantic import BaseModel, ConfigDict

from hupai.basics.names import clean_name
from hupai.basics.timestamps import format_time
from hupai.games.presets import read_preset
from hupai.store.play.presets import SqlPresets
from hupai.web.guards import KeeperOnly
from hupai.web.requests.game_bodies import PresetBody
from hupai.web.requests.strict import StrictRoute
from hupai.web.services import Served

router = APIRouter(route_class=StrictRoute, tags=["presets"])


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


@router.get("/presets", operation_id="list_presets")
def list_presets(serve: Served) -> PresetList:
    """Every preset, by name."""
    return PresetList(presets=list(map(SavedPreset.model_validate, SqlPresets(serve.engine).list_presets())))


@router.post(
    "/presets",
    operation_id="save_preset",
    status_code=201,
    responses={200: {"model": SavedPreset, "description": "Replaced"}},
)
def save_preset(body: PresetBody, response: Response, serve: Served) -> SavedPreset:
    """Keep house rules under a name; an older preset of that name is replaced."""
    saved = read_preset(body, format_time(datetime.now(UTC)))
    new = SqlPresets(serve.engine).save_preset(saved)
    response.status_code = 201 if new else 200
    return SavedPreset.model_validate(saved)


@router.delete("/presets/{name:path}", operation_id="delete_preset", status_code=204, dependencies=[KeeperOnly])
def delete_preset(serve: Served, name: str = Path(max_length=200)) -> None:
    """Forget a preset."""
    SqlPresets(serve.engine).delete_preset(clean_name(name, "name"))
