"""JSON read strictly: proper UTF-8, no NaN, no endless numbers, no lone surrogates, not too deep; and written."""

from __future__ import annotations

import json
import math
from collections import Counter
from typing import Any, Final

from hupai.web.errors import WebError
from scoring.errors import quote_value
from scoring.words.sentence import labelled, say

MAX_DEPTH: Final = 32
"""Levels of lists and objects; a score request has four."""
_MAX_DIGITS: Final = 30
_NO_JSON: Final = "The JSON is not valid: {a} at character {n}."


def parse_json(data: bytes) -> Any:
    """Return the value of a JSON text.

    Raises:
        WebError: ``bad_json``: not JSON, not UTF-8, too deep, a name twice in one object, numbers or text that JSON
            should not contain.
    """
    try:
        value = json.loads(
            data.decode("utf-8"),
            object_pairs_hook=_unique_names,
            parse_constant=_no_constant,
            parse_int=_whole_number,
            parse_float=_finite_number,
        )
    except UnicodeDecodeError:
        raise WebError("The JSON is not UTF-8 text.", code="bad_json") from None
    except RecursionError:
        raise _too_deep() from None
    except json.JSONDecodeError as error:
        raise WebError(say(_NO_JSON, a=error.msg, n=error.pos), code="bad_json") from None
    _check_values(value)
    return value


def parse_field(text: str, field: str) -> Any:
    """Return the value of a JSON text in a field of a form.

    Raises:
        WebError: as :func:`parse_json`, naming the field.
    """
    try:
        return parse_json(text.encode("utf-8", "replace"))
    except WebError as error:
        raise WebError(labelled(field, error.message), code=error.code, field=field) from None


def write_json(value: object) -> str:
    """Return a JSON text of an answer."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _check_values(value: object) -> None:
    """Check the value without recursion."""
    left = [(value, 1)]
    while left:
        item, depth = left.pop()
        if depth > MAX_DEPTH:
            raise _too_deep()
        if isinstance(item, str):
            try:
                item.encode()
            except UnicodeEncodeError:
                message = "The JSON holds text that is not Unicode (half a surrogate pair)."
                raise WebError(message, code="bad_json") from None
        elif isinstance(item, list):
            left.extend((part, depth + 1) for part in item)
        elif isinstance(item, dict):
            left.extend((part, depth + 1) for pair in item.items() for part in pair)


def _too_deep() -> WebError:
    return WebError(say("The JSON is nested more than {n} levels deep.", n=MAX_DEPTH), code="bad_json")


def _unique_names(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    repeated = [name for name, n in Counter(name for name, _ in pairs).items() if n > 1]
    if repeated:
        raise WebError(
            say("The JSON holds {name} twice in one object.", name=quote_value(repeated[0])), code="bad_json"
        )
    return dict(pairs)


def _no_constant(name: str) -> Any:
    raise WebError(say("The JSON holds {name}, which is not a JSON value.", name=name), code="bad_json")


def _whole_number(text: str) -> int:
    if len(text) > _MAX_DIGITS:
        raise WebError(say("The JSON holds a number of {n} digits.", n=len(text)), code="bad_json")
    return int(text)


def _finite_number(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise WebError("The JSON holds a number that is out of all bounds.", code="bad_json")
    return value
