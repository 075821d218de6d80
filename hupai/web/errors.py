"""Refusals that only occur in a server, each with its HTTP status."""

from __future__ import annotations

from http import HTTPStatus

from scoring.errors import Fault, HupaiError


class WebError(HupaiError):
    """A request that is refused.

    Attributes:
        status: the HTTP status. retry_after: seconds after which another try makes sense, or None.
    """

    code = "bad_request"
    status: HTTPStatus = HTTPStatus.BAD_REQUEST
    retry_after: int | None = None

    def __init__(
        self,
        message: str,
        *,
        code: str | None = None,
        status: HTTPStatus | None = None,
        field: str | None = None,
        faults: tuple[Fault, ...] = (),
        retry_after: int | None = None,
    ) -> None:
        super().__init__(message, code=code, field=field, faults=faults)
        if status is not None:
            self.status = status
        if retry_after is not None:
            self.retry_after = max(1, retry_after)


class CodeNeeded(WebError):
    """No access code was given, or a wrong one. Codes: ``code_needed``, ``code_wrong``."""

    code = "code_needed"
    status = HTTPStatus.UNAUTHORIZED


class Gone(WebError):
    """Something that was stored temporarily is no longer there."""

    code = "photo_gone"
    status = HTTPStatus.NOT_FOUND


class WrongType(WebError):
    """A body of a kind that is not accepted here."""

    code = "wrong_type"
    status = HTTPStatus.UNSUPPORTED_MEDIA_TYPE


class BadValue(WebError):
    """A field with an invalid value."""

    code = "bad_value"
    status = HTTPStatus.UNPROCESSABLE_ENTITY


class TooMany(WebError):
    """More requests than an address may send."""

    code = "too_many_requests"
    status = HTTPStatus.TOO_MANY_REQUESTS


class Busy(WebError):
    """All places are taken."""

    code = "busy"
    status = HTTPStatus.SERVICE_UNAVAILABLE
    retry_after = 1
