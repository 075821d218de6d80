"""The rule systems as JSON: names, options, questions, elements, customs at the table, presets."""

from __future__ import annotations

from dataclasses import asdict
from decimal import Decimal
from typing import Any

from hupai.basics.errors import NotFound
from hupai.games.terms.course import Course
from scoring.errors import InvalidRequest
from scoring.fields.table import questions_of
from scoring.options import OptionInfo, describe_options
from scoring.payments import plain_amount
from scoring.rules import system_named, systems
from scoring.system import RuleSystem
from scoring.tiles import TILES
from scoring.words.sentence import say


def list_rules() -> dict[str, Any]:
    """Return every rule system, in the order they are listed to people."""
    return {"rules": [rules_json(system) for system in systems().values()]}


def get_rules(rules_id: str) -> dict[str, Any]:
    """Return one rule system, by its id or an alias.

    Raises:
        NotFound: there is no such system.
    """
    try:
        return rules_json(system_named(rules_id))
    except InvalidRequest as error:
        raise NotFound(error.message, field="rules_id") from None


def rules_json(system: RuleSystem[Any]) -> dict[str, Any]:
    """Return a system as in the API."""
    conventions = system.conventions
    return {
        "id": system.id,
        "name": system.name,
        "native": system.native,
        "aliases": list(system.aliases),
        "unit": system.unit,
        "bonus_tiles": [t.code for t in TILES if t.suit in tuple(system.bonus_letters)],
        "red_fives": system.red_fives,
        "sets": system.shapes.sets,
        "options": [_option_json(o, o.default) for o in system.options],
        "asks": questions_of(system),
        "prompts": list(system.prompts),
        "elements": [{**asdict(e), "value": say(e.value)} for e in system.elements],
        "rotation": conventions.rotation.value,
        "riichi_sticks": conventions.sticks,
        "winners": conventions.winners,
        "play_options": list(conventions.play_options),
        "false_win": conventions.false_win is not None,
        "claimed_back": conventions.claimed_back is not None,
        "instant_events": list(conventions.events),
        "points": conventions.points,
        "points_of_three": conventions.points_of_three,
        "course": [_option_json(o, conventions.course.get(o.name, o.default)) for o in describe_options(Course)],
        "presets": [preset.to_json() for preset in system.presets],
    }


def _option_json(option: OptionInfo, default: object) -> dict[str, Any]:
    return {
        "name": option.name,
        "default": _json_value(default),
        "values": [_json_value(v) for v in option.values],
        "doc": option.doc,
        "elements": list(option.elements),
    }


def _json_value(value: object) -> Any:
    """Return a value for JSON: exact amounts as integers or decimal strings, collections as lists and objects."""
    if isinstance(value, Decimal):
        return plain_amount(value)
    if isinstance(value, dict):
        return {str(k): _json_value(v) for k, v in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_json_value(v) for v in value]
    return value if value is None or isinstance(value, bool | int | float) else str(value)
