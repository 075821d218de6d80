"""The rule systems: names, options, questions, elements."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Path, Request, Response

from hupai.web.answers import rules
from hupai.web.requests.bodies import Exact
from hupai.web.routes.replies import worded

router = APIRouter(tags=["rules"])


class OptionBody(Exact):
    """A house rule; ``values`` is empty when it is open, ``elements`` are the ids of those that it values."""

    name: str
    default: Any
    values: list[Any]
    doc: str
    elements: list[str]


class ContextFieldBody(Exact):
    """A context field these rules read; ``low`` is the least number, ``place`` is table, rare or empty.

    ``when``: conditions that must all hold for an answer to matter (see ``scoring/basics/context_field.py``).
    """

    name: str
    kind: str
    default: Any
    values: list[str]
    doc: str
    low: int
    place: str
    when: list[str]


class ElementBody(Exact):
    """Something a hand can score."""

    id: str
    name: str
    native: str
    value: str
    condition: str
    group: str


class HousePreset(Exact):
    """House rules that people call by a name, and the text that says so; ``unsettled`` are those it leaves open."""

    id: str
    name: str
    native: str
    source: str
    options: dict[str, Any]
    points: int | None
    course: dict[str, Any]
    unsettled: list[str]


class RulesBody(Exact):
    """A rule system, and its customs at the table: rotation, sticks, winners on one tile, penalties, usual course.

    ``play_options``: the options that are about the play around a hand.
    """

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
    prompts: list[str]
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


class RulesList(Exact):
    """Every rule system."""

    rules: list[RulesBody]


@router.get("/rules", operation_id="list_rules", responses={200: {"model": RulesList}})
def list_rules(request: Request) -> Response:
    """Every rule system, in the order they are listed to people."""
    return worded(rules.list_rules(), request)


@router.get("/rules/{rules_id}", operation_id="get_rules", responses={200: {"model": RulesBody}})
def get_rules(request: Request, rules_id: str = Path(max_length=100)) -> Response:
    """One rule system, by its id or an alias."""
    return worded(rules.get_rules(rules_id), request)
