"""Every error as the JSON of a problem (RFC 9457)."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final

from hupai.basics.errors import Conflict, NotFound
from hupai.games.commands import MovedOn
from hupai.games.game_json import changes_after, history_json
from hupai.games.parting import Parted
from hupai.web.answers.wording import word_answer
from hupai.web.errors import WebError
from scoring.errors import Fault, HupaiError

NOTHING_HERE: Final = "There is nothing at this address."
NOT_AN_OBJECT: Final = Fault("bad_request", "The body must be a JSON object.")
# Names as in RFC 9110; which ones Python knows depends on its version.
_TITLES: Final = {
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "Content Too Large",
    HTTPStatus.UNPROCESSABLE_ENTITY: "Unprocessable Content",
}


def usual_status(error: HupaiError) -> HTTPStatus:
    """Return the HTTP status of an error that needs no server to happen; for invalid content it is 422."""
    if isinstance(error, WebError):
        return error.status
    if isinstance(error, NotFound):
        return HTTPStatus.NOT_FOUND
    return HTTPStatus.CONFLICT if isinstance(error, Conflict) else HTTPStatus.UNPROCESSABLE_ENTITY


def hands_asked(query: Mapping[str, str]) -> int | None:
    """Return how many of a game's hands an answer shows by the query of its request, None for all."""
    said = query.get("last", "")
    return int(said) if re.fullmatch("[0-9]{1,6}", said) else None


def write_problem(
    error: HupaiError, status: HTTPStatus, headers: Mapping[str, str], last_hands: int | None = None
) -> str:
    """Return the JSON text for an error.

    Args:
        error, status: what is wrong. headers: of the request (:func:`word_answer`). last_hands: how many hands it shows
            of a game that has moved on, None for all.
    """
    body = {
        "type": f"urn:hupai:error:{error.code}",
        "title": _TITLES.get(status, status.phrase),
        "status": status.value,
        "detail": error.message,
        "code": error.code,
        "field": error.field,
        "faults": [{"code": f.code, "message": f.message, "field": f.field} for f in error.faults],
        **({"changed": _changed(error, last_hands)} if isinstance(error, MovedOn) else {}),
        **({"parted": error.to_json()} if isinstance(error, Parted) else {}),
    }
    # Messages may quote what was sent, including lone surrogates, which have no UTF-8: they are escaped.
    return json.dumps(word_answer(body, headers))


def _changed(error: MovedOn, last_hands: int | None) -> dict[str, Any]:
    """Return what has happened in a game since it was seen, and the game, for programs."""
    history = error.history
    return {
        "seen": error.seen,
        "revision": history.revision,
        "changes": changes_after(history, error.since),
        "players": history.sitting,
        "game": history_json(history, last_hands),
    }
