"""The rule systems: names, options, questions, elements."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from fastapi import APIRouter, Path, Request
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict

from hupai.basics.errors import NotFound
from hupai.ledger.course import Course
from hupai.web.wording import word_answer
from scoring.errors import InvalidRequest
from scoring.fields.table import questions_of
from scoring.options import OptionInfo, describe_options
from scoring.payments import plain_amount
from scoring.rules import system_named, systems
from scoring.system import RuleSystem
from scoring.tiles import TILES
from scoring.words.sentence import say

router = APIRouter(tags=["rules"])


class OptionBody(BaseModel):
    """A house rule; ``values`` is empty when it is open, ``elements`` are the ids of those that it values."""

    model_config = ConfigDict(extra="forbid")
    name: str
    default: Any
    values: list[Any]
    doc: str
    elements: list[str]


class ContextFieldBody(BaseModel):
    """A context field these rules read; ``low`` is the least number, ``place`` is table, rare or empty.

    ``when``: conditions that must all hold for an answer to matter (see ``scoring/basics/context_field.py``).
    """

    model_config = ConfigDict(extra="forbid")
    name: str
    kind: str
    default: Any
    values: list[str]
    doc: str
    low: int
    place: str
    when: list[str]


class ElementBody(BaseModel):
    """Something a hand can score."""

    model_config = ConfigDict(extra="forbid")
    id: str
    name: str
    native: str
    value: str
    condition: str
    group: str


class HousePreset(BaseModel):
    """House rules that people call by a name, and the text that says so; ``unsettled`` are those it leaves open."""

    model_config = ConfigDict(extra="forbid")
    id: str
    name: str
    native: str
    source: str
    options: dict[str, Any]
    points: int | None
    course: dict[str, Any]
    unsettled: list[str]


class RulesBody(BaseModel):
    """A rule system, and its customs at the table: rotation, sticks, winners on one tile, penalties, usual course.

    ``play_options``: the options that are about the play around a hand.
    """

    model_config = ConfigDict(extra="forbid")
    id: str
    name: str
    native: str
    aliases: list[str]
    unit: str
    bonus_tiles: list[str]
    red_fives: bool
    sets: int
    options: list[OptionBody]
    asks: list[ContextFieldBody]
    elements: list[ElementBody]
    rotation: str
    riichi_sticks: bool
    winners: int
    play_options: list[str]
    false_win: bool
    claimed_back: bool
    instant_events: list[str]
    points: int
    points_of_three: int
    course: list[OptionBody]
    presets: list[HousePreset]


class RulesList(BaseModel):
    """Every rule system."""

    model_config = ConfigDict(extra="forbid")
    rules: list[RulesBody]


@router.get("/rules", operation_id="list_rules", responses={200: {"model": RulesList}})
def list_rules(request: Request) -> JSONResponse:
    """Every rule system, in the order they are listed to people."""
    rules = [rules_body(s).model_dump(mode="json") for s in systems().values()]
    for body, system in zip(rules, systems().values(), strict=True):
        for shown, element in zip(body["elements"], system.elements, strict=True):
            shown["value"] = say(element.value)  # the body has its text only
    return JSONResponse(word_answer({"rules": rules}, request))


@router.get("/rules/{rules_id}", operation_id="get_rules")
def get_rules(rules_id: str = Path(max_length=100)) -> RulesBody:
    """One rule system, by its id or an alias."""
    try:
        return rules_body(system_named(rules_id))
    except InvalidRequest as error:
        raise NotFound(error.message, field="rules_id") from None


def rules_body(system: RuleSystem[Any]) -> RulesBody:
    """Return a system as in the API."""
    conventions = system.conventions
    return RulesBody(
        id=system.id,
        name=system.name,
        native=system.native,
        aliases=list(system.aliases),
        unit=system.unit,
        bonus_tiles=[t.code for t in TILES if t.suit in tuple(system.bonus_letters)],
        red_fives=system.red_fives,
        sets=system.shapes.sets,
        options=[_option_body(o, o.default) for o in system.options],
        asks=[ContextFieldBody.model_validate(a) for a in questions_of(system)],
        elements=[
            ElementBody(id=e.id, name=e.name, native=e.native, value=e.value, condition=e.condition, group=e.group)
            for e in system.elements
        ],
        rotation=conventions.rotation.value,
        riichi_sticks=conventions.sticks,
        winners=conventions.winners,
        play_options=list(conventions.play_options),
        false_win=conventions.false_win is not None,
        claimed_back=conventions.claimed_back is not None,
        instant_events=list(conventions.events),
        points=conventions.points,
        points_of_three=conventions.points_of_three,
        course=[_option_body(o, conventions.course.get(o.name, o.default)) for o in describe_options(Course)],
        presets=[HousePreset.model_validate(preset.to_json()) for preset in system.presets],
    )


def _option_body(option: OptionInfo, default: object) -> OptionBody:
    return OptionBody(
        name=option.name,
        default=json_value(default),
        values=[json_value(v) for v in option.values],
        doc=option.doc,
        elements=list(option.elements),
    )


def json_value(value: object) -> Any:
    """An option's value for JSON: exact amounts as integers or decimal strings, collections as lists and objects."""
    if isinstance(value, Decimal):
        return plain_amount(value)
    if isinstance(value, dict):
        return {str(k): json_value(v) for k, v in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [json_value(v) for v in value]
    return value if value is None or isinstance(value, bool | int | float) else str(value)
