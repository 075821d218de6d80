"""The field table: every context field of every rule system, its question, and the systems that read it."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from scoring.basics.context_field import ContextField, context_fields
from scoring.context import Context
from scoring.rules import systems
from scoring.system import RuleSystem

BONUS: Final = ContextField(
    "bonus", [], "flowers, seasons, animals of the winner; having none can count, too (field bonus)"
)
"""The bonus tiles, which are part of the hand and not of its context, but are asked as well."""


def all_context_fields() -> dict[str, ContextField]:
    """Return context field -> question: those that systems share, then each system's own."""
    return _table(tuple(systems().values()))


@lru_cache(maxsize=4)
def _table(known: tuple[RuleSystem[Any], ...]) -> dict[str, ContextField]:
    found = dict(context_fields(Context))
    for system in known:
        for name, ask in context_fields(system.context_class).items():
            if found.setdefault(name, ask).kind != ask.kind:
                raise ValueError(f"{system.id}: the field {name} is a {found[name].kind} elsewhere")
    return found


def context_field_of(system: RuleSystem[Any], name: str) -> ContextField:
    """Return the question of a field under these rules."""
    return BONUS if name == "bonus" else context_fields(system.context_class)[name]


def systems_reading(field: str) -> tuple[RuleSystem[Any], ...]:
    """Return the systems that read a context field."""
    return tuple(system for system in systems().values() if field in system.reads)


def questions_of(system: RuleSystem[Any]) -> list[dict[str, Any]]:
    """Return the questions of a system, in its order."""
    return [_question(system, name) for name in system.asks]


def _question(system: RuleSystem[Any], name: str) -> dict[str, Any]:
    ask = context_field_of(system, name)
    values = list(system.liable_kinds) if name == "liable" else list(ask.values)
    return {
        "name": name,
        "kind": ask.kind,
        "default": ask.default,
        "values": values,
        "doc": ask.doc,
        "low": ask.low,
        "place": ask.place,
        "when": list(ask.when),
    }
