"""A field of the context: its question, defined once for parser, flags, API, page and documents.

A rule system with a circumstance of its own declares it in a subclass of :class:`scoring.context.Context`::

    @dataclass(frozen=True, slots=True)
    class KitchenContext(Context):
        apron: bool = context_field("switch", False, "the winner wore an apron")
"""

from __future__ import annotations

from dataclasses import MISSING, dataclass, field, fields
from typing import Any, Final

from scoring.errors import Fault
from scoring.seats import SEATS
from scoring.words.sentence import say

_SEATED: Final = ("seat", "responsible")
FACTS: Final = (
    "self_draw",
    "discard",
    "robbed_kong",
    "dealer",
    "closed",
    "unmelded",
    "kong",
    "two_kongs",
    "bonus",
    "seven_bonus",
)
"""What conditions of questions name beside fields and house rules: how the hand was won, the winner is east, nothing
was claimed, nothing was declared, kongs and bonus tiles in the hand."""


@dataclass(frozen=True, slots=True)
class ContextField:
    """The question of a context field.

    Attributes:
        kind: type of the answer: switch, number, seat, tile, tiles, liable, responsible, discards, fed; bonus.
        default: the value if it is left out, as in JSON.
        doc: the question as the beginning of a sentence.
        words: answers besides those of its kind. low: the least number; ``first``: the wording of that number.
        flag: name of the command's flag, if different from the field's.
        place: ``table`` for facts that hold whoever wins, ``rare`` for what few hands need, else empty.
        follows: parts of the hand (``melds`` ...) that it depends on; errors in them may make it seem wrong, too.
        leads_to: fields of the request (``context.liable`` ...) that may seem wrong when this one is.
        when: conditions that must all hold for an answer to matter, each one of :data:`FACTS`, a field that is set,
            or a house rule in force, ``house.permanent``; ``a|b`` holds if one of them does, ``!a`` if it does not.
    """

    kind: str
    default: object
    doc: str
    words: tuple[str, ...] = ()
    low: int = 0
    first: str = ""
    flag: str = ""
    place: str = ""
    follows: tuple[str, ...] = ()
    leads_to: tuple[str, ...] = ()
    when: tuple[str, ...] = ()

    @property
    def values(self) -> tuple[str, ...]:
        """The possible answers, empty if open."""
        return (*self.words, *(s.value for s in SEATS)) if self.kind in _SEATED else self.words

    def too_low(self, name: str, value: object) -> list[Fault]:
        """Return the fault of a number below the minimum."""
        if self.kind != "number" or not isinstance(value, int) or value >= self.low:
            return []
        message = (
            say("{name} counts from {n}, {a}.", name=name, n=self.low, a=self.first)
            if self.low
            else say("{name} cannot be negative.", name=name)
        )
        return [Fault("contradiction", message, f"context.{name}")]


def context_field(kind: str, default: object, doc: str, *, unsaid: object = MISSING, **others: Any) -> Any:
    """Declare a context field, as the default of a dataclass attribute.

    Args:
        kind, default, doc, others: see :class:`ContextField`.
        unsaid: value of the attribute if nobody answered, if that is not the default.
    """
    metadata = {"field": ContextField(kind, default, doc, **others)}
    if isinstance(default, dict):
        return field(default_factory=dict, metadata=metadata)
    held = unsaid if unsaid is not MISSING else () if isinstance(default, list) else default
    return field(default=held, metadata=metadata)


_FIELDS: Final[dict[type[Any], dict[str, ContextField]]] = {}
_NUMBERS: Final[dict[type[Any], tuple[tuple[str, ContextField], ...]]] = {}


def context_fields(context: type[Any]) -> dict[str, ContextField]:
    """Return field -> question for a context class; cached."""
    if context not in _FIELDS:
        _FIELDS[context] = {f.name: f.metadata["field"] for f in fields(context) if "field" in f.metadata}
    return _FIELDS[context]


def number_fields(context: type[Any]) -> tuple[tuple[str, ContextField], ...]:
    """Return the fields of a context class that count something; cached."""
    if context not in _NUMBERS:
        _NUMBERS[context] = tuple((name, ask) for name, ask in context_fields(context).items() if ask.kind == "number")
    return _NUMBERS[context]
