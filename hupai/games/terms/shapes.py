"""What JSON from outside must look like before anything is taken from it: a small part of JSON Schema, checked."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Any, Final

from hupai.basics.ids import is_id
from hupai.basics.timestamps import parse_time
from scoring.errors import Fault, InvalidRequest, choice_message, quote_name
from scoring.seats import Seat
from scoring.words.sentence import say

Shape = Mapping[str, Any]
"""A JSON Schema of the words that are read here."""

MOST: Final = 10**9
_MOST_FAULTS: Final = 20
_FORMATS: Final[Mapping[str, Callable[[str], object]]] = {"id": is_id, "date-time": parse_time}
_TYPES: Final[Mapping[str, tuple[type, ...]]] = {
    **{"string": (str,), "integer": (int,), "number": (int, float), "boolean": (bool,)},
    **{"array": (list,), "object": (dict,), "null": (type(None),)},
}
_WANTED: Final = {
    "string": "input should be text",
    "integer": "input should be a whole number",
    "number": "input should be a number",
    "boolean": "input should be true or false",
    "array": "input should be a list",
    "object": "input should be a JSON object",
    "null": "input should be null",
}


def whole(low: int = 0, high: int = MOST) -> Shape:
    """A whole number from ``low`` to ``high``."""
    return {"type": "integer", "minimum": low, "maximum": high}


def number(low: float, high: float) -> Shape:
    """A number from ``low`` to ``high``."""
    return {"type": "number", "minimum": low, "maximum": high}


def text(most: int) -> Shape:
    """A text of so many characters at most."""
    return {"type": "string", "maxLength": most}


def one_of(*values: object) -> Shape:
    """One of these values."""
    return {"enum": list(values)}


def maybe(shape: Shape) -> Shape:
    """A value of this shape, or null."""
    return {"anyOf": [shape, {"type": "null"}]}


def list_of(shape: Shape, most: int | None = None, least: int = 0) -> Shape:
    """A list of values of this shape."""
    return {"type": "array", "items": shape, "minItems": least, **({} if most is None else {"maxItems": most})}


def object_of(needed: Mapping[str, Shape], others: Mapping[str, Shape] | None = None, **more: object) -> Shape:
    """An object with these fields, perhaps ``others``, and no more; with any more if ``others`` is None."""
    return {
        "type": "object",
        "required": list(needed),
        "properties": {**needed, **(others or {})},
        "additionalProperties": others is None,
        **more,
    }


def amount_shape(digits: int, decimals: int) -> Shape:
    """An exact number: whole, or as text with decimals."""
    said = rf"^-?[0-9]{{1,{digits}}}(\.[0-9]{{1,{decimals}}})?$"
    return {
        "anyOf": [whole(-(10**digits), 10**digits), {"type": "string", "maxLength": 22, "pattern": said}],
        "description": "an amount is a whole number, or a decimal string such as 0.5",
    }


SEAT: Final = one_of(*(seat.value for seat in Seat))
FLAG: Final[Shape] = {"type": "boolean"}
OBJECT: Final[Shape] = {"type": "object"}
AMOUNT: Final = amount_shape(9, 4)
"""An amount that people enter."""


def check(shape: Shape, value: Any, where: str = "") -> Any:
    """Return a value of this shape; ``where``: its place in the request.

    Raises:
        InvalidRequest: with the faults, the first twenty of many.
    """
    if faults := list(islice(misfits(shape, value, where), _MOST_FAULTS)):
        raise InvalidRequest.of(faults)
    return value


def misfits(shape: Shape, value: Any, where: str = "") -> Iterator[Fault]:
    """Yield what does not fit, each with its place."""
    if "anyOf" in shape:
        found = [list(misfits(one, value, where)) for one in shape["anyOf"]]
        if [] not in found:
            yield from [_bad(where, say(shape["description"]))] if "description" in shape else found[0]
    elif "enum" in shape:
        if not any(type(value) is type(one) and value == one for one in shape["enum"]):
            yield Fault("bad_value", choice_message(where, map(str, shape["enum"]), value), where)
    elif type(value) not in _TYPES[shape["type"]]:
        yield _bad(where, say(_WANTED[shape["type"]]))
    else:
        yield from (_bad(where, said) for said in _limits(shape, value))
        if isinstance(value, list):
            for number, one in enumerate(value if len(value) <= shape.get("maxItems", MOST) else ()):
                yield from misfits(shape["items"], one, f"{where}[{number}]")
        elif isinstance(value, dict):
            yield from _fields(shape, value, f"{where}." if where else "")


def _limits(shape: Shape, value: Any) -> Iterator[str]:
    if "minimum" in shape and value < shape["minimum"]:
        yield say("input should be greater than or equal to {n}", n=shape["minimum"])
    if "maximum" in shape and value > shape["maximum"]:
        yield say("input should be less than or equal to {n}", n=shape["maximum"])
    if isinstance(value, str) and len(value) > shape.get("maxLength", MOST):
        yield say("string should have at most {n} characters", n=shape["maxLength"])
    if isinstance(value, str) and not _fits(shape, value):
        yield say("it is not written as it should be")
    size = len(value) if isinstance(value, list | dict) else 0
    if size > (most := shape.get("maxItems", shape.get("maxProperties", MOST))):
        yield say("there are {n} at most, not {m}", n=most, m=size)
    if size < (least := shape.get("minItems", 0)):
        yield say("there are {n} at least, not {m}", n=least, m=size)


def _fits(shape: Shape, value: str) -> bool:
    if "pattern" in shape and not re.fullmatch(shape["pattern"], value):
        return False
    try:
        return "format" not in shape or bool(_FORMATS[shape["format"]](value))
    except (ValueError, OverflowError):
        return False


def _fields(shape: Shape, value: Mapping[str, Any], inside: str) -> Iterator[Fault]:
    known, more = shape.get("properties", {}), shape.get("additionalProperties", True)
    for name in shape.get("required", ()):
        if name not in value:
            yield Fault("missing", say("{field}: {a}.", field=inside + name, a=say("it is missing")), inside + name)
    for name, one in value.items():
        place = inside + quote_name(name)
        if name in known or isinstance(more, Mapping):
            yield from misfits(known.get(name, more), one, place)
        elif not more:
            message = say("Unknown field {field}; there are {names}.", field=place, names=", ".join(known))
            yield Fault("unknown_field", message, place)


def _bad(where: str, said: str) -> Fault:
    return Fault("bad_value", say("{field}: {a}.", field=where, a=said), where)
