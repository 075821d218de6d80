"""JSON bodies read strictly (:func:`~hupai.web.answers.json_text.parse_json`)."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request, Response
from fastapi.routing import APIRoute

from hupai.web.answers.json_text import parse_json
from hupai.web.errors import WebError, WrongType
from hupai.web.problems import HupaiHTTPException


class _StrictRequest(Request):
    """Parses its JSON body with :func:`parse_json`."""

    async def json(self) -> Any:
        try:
            return parse_json(await self.body())
        except WebError as error:
            raise HupaiHTTPException(error) from None


class StrictRoute(APIRoute):
    """A route whose JSON body is read strictly, and refused if its content type is not JSON."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return the handler FastAPI makes, given a strict request."""
        handler = super().get_route_handler()
        takes_json = self.body_field is not None

        async def handle(request: Request) -> Response:
            if takes_json and _has_body(request) and not _is_json(request):
                raise WrongType("The body must be JSON: send Content-Type: application/json.")
            return await handler(_StrictRequest(request.scope, request.receive))

        return handle


def _has_body(request: Request) -> bool:
    return request.headers.get("content-length", "0") != "0" or "transfer-encoding" in request.headers


def _is_json(request: Request) -> bool:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    return kind == "application/json" or (kind.startswith("application/") and kind.endswith("+json"))
