"""How the fields of a context are read under a rule system: one table, made once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from enum import StrEnum
from functools import lru_cache
from typing import Any, Final

from scoring.basics.context_field import ContextField, context_fields
from scoring.context import Context, Win
from scoring.fields.reader import FieldReader
from scoring.fields.table import all_context_fields
from scoring.seats import Seat
from scoring.system import RuleSystem

Read = Callable[[FieldReader, Any, str], Any]
Way = tuple[str, str, Read]
"""The context's attribute, empty for a field that only other rules know; the field in messages; what reads it."""


def _member_of(kind: type[StrEnum]) -> Read:
    """Return what reads a member of an enumeration."""
    members = {member.value: member for member in kind}

    def read(reader: FieldReader, value: Any, field: str) -> Any:
        return members[value] if value.__class__ is str and value in members else reader.enum(kind, value, field)

    return read


_KINDS: Final[Mapping[str, Read]] = {
    "switch": FieldReader.flag,
    "number": FieldReader.number,
    "seat": _member_of(Seat),
    "tile": FieldReader.one_tile,
    "tiles": FieldReader.tiles,
    "discards": FieldReader.discards,
    "fed": FieldReader.fed,
}
"""Kind of a context field -> the method that reads it."""


@lru_cache(maxsize=64)
def ways_to_read(system: RuleSystem[Any] | None) -> dict[str, Way]:
    """Return field of a request's context -> how it is read, in the order of faults.

    Fields that only other rules know are checked, too.
    """
    found: dict[str, Way] = {
        "seat": ("seat", "context.seat", _member_of(Seat)),
        "win": ("win", "context.win", _member_of(Win)),
        "from": ("source", "context.from", _member_of(Seat)),
    }
    own = context_fields(system.context_class if system else Context)
    liable_kinds = system.liable_kinds if system else ()
    for name, usual in all_context_fields().items():
        ask = own.get(name, usual)
        read = _way_of(ask, liable_kinds)
        found[name] = (
            (name, f"context.{name}", read) if name in own else ("", f"context.{name}", _checked(name, ask, read))
        )
    return found


def _way_of(ask: ContextField, liable_kinds: Collection[str]) -> Read:
    """Return what reads a field, words that it may be answered with included."""
    if ask.kind == "liable":
        return lambda reader, value, field: reader.liable(value, field, liable_kinds)
    if not ask.words:
        return _KINDS[ask.kind]
    if ask.kind == "responsible":
        return lambda reader, value, field: value if value in ask.words else reader.seat(value, field, ask.values)
    read = _KINDS[ask.kind]
    return lambda reader, value, field: value if value in ask.words else read(reader, value, field)


def _checked(name: str, ask: ContextField, read: Read) -> Read:
    """Return what reads a number of other rules, and records one that is too low for them."""

    def check(reader: FieldReader, value: Any, field: str) -> None:
        reader.faults += ask.too_low(name, read(reader, value, field))

    return check
