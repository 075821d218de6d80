"""Every error as ``application/problem+json`` (RFC 9457)."""

from __future__ import annotations

import logging
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from sqlalchemy.exc import DatabaseError, DataError, IntegrityError, InterfaceError, ProgrammingError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Match
from starlette.types import ASGIApp, Receive, Scope, Send

from hupai.store.errors import STORE_AWAY, StoreError
from hupai.web.answers.problems import NOT_AN_OBJECT, NOTHING_HERE, hands_asked, usual_status, write_problem
from hupai.web.errors import BadValue, WebError
from scoring.errors import Fault, HupaiError
from scoring.words.sentence import say
from vision.errors import ModelError, PhotoError

log = logging.getLogger("hupai.web")

MEDIA_TYPE: Final = "application/problem+json"
_PHOTO_STATUS: Final = {
    "image_too_large": HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    "image_unreadable": HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
}
_HTTP_CODES: Final = {
    HTTPStatus.BAD_REQUEST: ("bad_form", "The body cannot be read as what its Content-Type says."),
    HTTPStatus.NOT_FOUND: ("not_found", NOTHING_HERE),
    HTTPStatus.METHOD_NOT_ALLOWED: ("method_not_allowed", "This address does not take this method."),
}

_FULL: Final = re.compile("disk is full|No space left on device")
"""What SQLite and PostgreSQL say when the disk is full."""
_METHODS: Final = ("DELETE", "GET", "HEAD", "PATCH", "POST", "PUT")
_LIMITS: Final = {
    "string_too_long": ("string should have at most {n} characters", "max_length"),
    "string_too_short": ("string should have at least {n} characters", "min_length"),
    "greater_than_equal": ("input should be greater than or equal to {n}", "ge"),
    "less_than_equal": ("input should be less than or equal to {n}", "le"),
    "greater_than": ("input should be greater than {n}", "gt"),
    "less_than": ("input should be less than {n}", "lt"),
}
"""Type of a pydantic error -> its text as in the catalogues, and pydantic's name of the limit in it."""
_NOT_AN_OBJECT: Final = frozenset({"dict_type", "mapping_type", "model_type", "model_attributes_type"})
"""Types of a pydantic error about something that should be a JSON object."""


class HupaiHTTPException(HTTPException):
    """One of our errors raised where only HTTP exceptions are passed on, such as while a body is parsed."""

    def __init__(self, error: HupaiError) -> None:
        super().__init__(status_of(error), error.message)
        self.error = error


def status_of(error: HupaiError) -> HTTPStatus:
    """Return the HTTP status of an error; for invalid content it is 422."""
    if isinstance(error, PhotoError):
        return _PHOTO_STATUS.get(error.code, HTTPStatus.UNPROCESSABLE_ENTITY)
    if error.code == "store_full":
        return HTTPStatus.INSUFFICIENT_STORAGE
    if isinstance(error, StoreError | ModelError):
        return HTTPStatus.SERVICE_UNAVAILABLE
    return usual_status(error)


def problem(error: HupaiError, request: Request, headers: Mapping[str, str] | None = None) -> Response:
    """Return the response for this error, worded in the language of the request."""
    status = status_of(error)
    extra = dict(headers or {})
    retry_after = getattr(error, "retry_after", None)
    if retry_after is None and status is HTTPStatus.SERVICE_UNAVAILABLE:
        retry_after = 5
    if retry_after is not None:
        extra["Retry-After"] = str(retry_after)
    if status is HTTPStatus.UNAUTHORIZED:
        extra["WWW-Authenticate"] = 'HupaiCode realm="hupai"'
    # What is asked about a table shows its game without hands.
    last_hands = hands_asked(request.query_params) if "game_id" in request.path_params else 0
    return Response(write_problem(error, status, request.headers, last_hands), status.value, extra, MEDIA_TYPE)


@dataclass(slots=True)
class Guard(ABC):
    """ASGI middleware: answers what it refuses, before the body is read, and lets everything else through."""

    app: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request, or refuse it."""
        answer = self.app
        if scope["type"] == "http":
            try:
                await self.check(scope)
            except STORE_AWAY as error:
                answer = problem(store_error(error), Request(scope))
            except HupaiError as error:
                answer = problem(error, Request(scope))
        await answer(scope, receive, send)

    @abstractmethod
    async def check(self, scope: Scope) -> None:
        """Check a request.

        Raises:
            HupaiError: the refusal. SQLAlchemyError: the store is unavailable.
        """


def install_handlers(app: FastAPI) -> None:
    """Make every error of this application a problem response."""
    app.add_exception_handler(HupaiError, _answer_hupai_error)
    app.add_exception_handler(HTTPException, _answer_http_exception)
    app.add_exception_handler(RequestValidationError, _answer_invalid_request)
    for kind in (DatabaseError, InterfaceError, PoolTimeout):
        app.add_exception_handler(kind, _answer_store_error)
    app.add_exception_handler(Exception, _answer_unexpected)


def _answer_hupai_error(request: Request, error: Exception) -> Response:
    if not isinstance(error, HupaiError):
        raise error
    return problem(error, request)


def _answer_http_exception(request: Request, error: Exception) -> Response:
    if isinstance(error, HupaiHTTPException):
        return problem(error.error, request)
    if not isinstance(error, HTTPException):
        raise error
    status = HTTPStatus(error.status_code)
    code, message = _HTTP_CODES.get(status, (status.name.lower(), str(error.detail)))
    if status is HTTPStatus.BAD_REQUEST and error.detail:
        message = f"{message} {error.detail}"
    headers = error.headers
    if status is HTTPStatus.METHOD_NOT_ALLOWED and (methods := _allowed_methods(request)):
        headers = {"Allow": ", ".join(methods)}
    return problem(WebError(message, code=code, status=status), request, headers)


def _allowed_methods(request: Request) -> list[str]:
    """Return the methods that the routes of an address take; files of the page have no route."""
    scope = request.scope
    routes = request.app.router.routes
    return [m for m in _METHODS if any(r.matches({**scope, "method": m})[0] is Match.FULL for r in routes)]


def _answer_invalid_request(request: Request, error: Exception) -> Response:
    if not isinstance(error, RequestValidationError):
        raise error
    return problem(BadValue.of([_fault_of(entry) for entry in error.errors()]), request)


def _fault_of(entry: Mapping[str, Any]) -> Fault:
    """Convert an error of pydantic; what was sent is not echoed (it may be large, secret or not text)."""
    place = [str(part)[:40] for part in entry["loc"] if part not in ("body", "query", "path", "header")]
    field = ".".join(place) or None
    if tuple(entry["loc"]) == ("body",) and entry["type"] in {"missing", *_NOT_AN_OBJECT}:
        return NOT_AN_OBJECT
    code = {"missing": "missing", "extra_forbidden": "unknown_field"}.get(entry["type"], "bad_value")
    return Fault(code, _message_of(entry, field), field)


def _message_of(entry: Mapping[str, Any], field: str | None) -> str:
    """Return pydantic's message, as a translatable sentence if a catalogue has it; Python's words are JSON's."""
    said = str(entry["msg"]).removeprefix("Value error, ").removesuffix(".")
    if entry["type"] in _NOT_AN_OBJECT:
        said = "input should be a JSON object"
    if field is None:
        return f"{said[:1].upper()}{said[1:]}."
    said = f"{said[:1].lower()}{said[1:]}"
    template, limit = _LIMITS.get(entry["type"], ("", ""))
    known = say(template, n=str(entry["ctx"][limit])) if template else said
    return say("{field}: {a}.", field=field, a=known if known == said else say(said))


def _answer_store_error(request: Request, error: Exception) -> Response:
    if isinstance(error, IntegrityError | DataError | ProgrammingError):
        return _answer_unexpected(request, error)  # these are bugs of ours, not problems of the database
    return problem(store_error(error), request)


def store_error(error: Exception) -> StoreError:
    """Return the error to report for an unavailable store (:data:`~hupai.store.errors.STORE_AWAY`).

    The database's own words go to the log only: they name its host, and spectators read the answer.
    """
    if isinstance(error, StoreError):
        return error
    log.error("store: %s", error)
    if _FULL.search(str(getattr(error, "orig", None))):
        return StoreError("The store's disk is full. Nothing was changed; make room and try again.", code="store_full")
    return StoreError("The store cannot be used just now; the server's log says why. Nothing was changed; try again.")


def _answer_unexpected(request: Request, error: Exception) -> Response:
    log.exception("unexpected error", exc_info=error)
    message = "Something went wrong that should not; the server's log says more."
    return problem(WebError(message, code="unexpected", status=HTTPStatus.INTERNAL_SERVER_ERROR), request)
