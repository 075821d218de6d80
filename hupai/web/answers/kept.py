"""Games and house rules that the page keeps itself: the same requests and answers as over HTTP."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import parse_qsl, unquote

from hupai.games.json_store import JsonGames, JsonPresets, JsonStore
from hupai.games.terms.shapes import MOST, check, object_of, whole
from hupai.web.answers.json_text import parse_json
from hupai.web.answers.operations import OPERATIONS, Asked, Operation
from hupai.web.answers.problems import NOT_AN_OBJECT
from hupai.web.errors import BadValue
from hupai.web.export import games_lines

_PATTERNS: Final = [(re.compile(re.sub(r"{(\w+)}", r"(?P<\1>[^/]+)", one.asked)), one) for one in OPERATIONS]
EVERY_GAME: Final = ("GET", "/games.jsonl")
"""Asked for by a page that keeps its games itself: all of them as a file."""
_TEXTS: Final = ("game_id", "name")
"""Parts of an address that are not numbers."""


def answer_kept(
    method: str, path: str, headers: Mapping[str, str], body: str, store: JsonStore
) -> tuple[HTTPStatus, Any] | None:
    """Return the answer to a request about what is kept; None if it is about something else.

    Args:
        method, path, headers: of the request, as :func:`~hupai.web.answers.respond.respond` has them.
        body: JSON, or a file, a character for each byte; empty without one. store: what is kept.

    Returns:
        The status, and a JSON value, or the text of a file.

    Raises:
        HupaiError: the refusal. NotFetched: more texts are needed.
    """
    place, _, query = path.partition("?")
    if (method, place) == EVERY_GAME:
        return HTTPStatus.OK, games_lines(JsonGames(store, datetime.now(UTC)).read_all())
    for pattern, operation in _PATTERNS:
        if found := pattern.fullmatch(f"{method} {place}"):
            given = _given(operation, found.groupdict(), dict(parse_qsl(query)))
            games, presets = JsonGames(store, datetime.now(UTC)), JsonPresets(store)
            said, key = _read_body(operation, body), headers.get("idempotency-key")
            return operation.answer(Asked(games, presets, given, said, headers, key))
    return None


def _given(operation: Operation, parts: Mapping[str, str], query: Mapping[str, str]) -> dict[str, Any]:
    given: dict[str, Any] = {}
    for name, text in parts.items():
        given[name] = unquote(text) if name in _TEXTS else _whole(unquote(text), name, 1, MOST)
    for asked in operation.query:
        said = query.get(asked.name)
        given[asked.name] = asked.default if said is None else _whole(said, asked.name, asked.low, asked.high)
    return given


def _read_body(operation: Operation, body: str) -> Any:
    """Return a body of the operation's shape; one that may be left out is empty without it."""
    if operation.shape is None:
        return body
    if not body and not operation.shape["required"]:
        return {}
    said = parse_json(body.encode("utf-8", "replace")) if body else None
    if not isinstance(said, dict):
        raise BadValue.of([NOT_AN_OBJECT])
    return check(operation.shape, said)


def _whole(text: str, field: str, low: int, high: int) -> int:
    """Return a whole number of the address."""
    value = int(text) if re.fullmatch(r"-?[0-9]{1,10}", text) else text
    return int(check(object_of({field: whole(low, high)}), {field: value})[field])
