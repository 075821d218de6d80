"""Information about this server, and signing in with the access code."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from pydantic import Field

from hupai.settings import TOKEN_PREFIX
from hupai.web.answers.respond import about as describe
from hupai.web.errors import WebError
from hupai.web.middleware.limits import client_of
from hupai.web.middleware.security import COOKIE
from hupai.web.middleware.tokens import TOKEN_COOKIE, drop_cookies, keep_cookie
from hupai.web.requests.bodies import Exact
from hupai.web.requests.strict import StrictRoute
from hupai.web.services import Served

router = APIRouter(route_class=StrictRoute, tags=["about"])
_MONTH_SECONDS = 30 * 24 * 3600


class About(Exact):
    """What a page needs to know before anything else."""

    name: str
    version: str
    code_needed: bool
    open: bool
    max_upload_bytes: int
    max_pixels: int
    models: dict[str, str]
    rules: list[str]
    role: str | None


class Code(Exact):
    """The access code."""

    code: str = Field(max_length=200)


@router.get("/about", operation_id="about")
def about(request: Request, serve: Served) -> About:
    """Version, limits, whether a code is needed, and the role of the token you came with."""
    holder = None
    try:
        holder = serve.tokens.holder(request.scope)
        inside = holder is not None or serve.access.open_to(request.scope)
    except WebError:
        inside = False
    said = describe(
        code_needed=serve.access.needed,
        inside=inside,
        max_upload_bytes=serve.settings.max_upload_bytes,
        max_pixels=serve.settings.max_pixels,
        models=serve.recogniser.models if inside else {},
        role=holder.role if holder is not None else None,
    )
    return About.model_validate(said)


@router.get("/session", operation_id="get_session")
def get_session(request: Request, serve: Served) -> dict[str, str | None]:
    """Whose token you came with: its name, role, table and tournament; all null without one."""
    holder = serve.tokens.holder(request.scope)
    known = {} if holder is None else {"name": holder.name, "role": holder.role, **holder.granted}
    return {name: known.get(name) for name in ("name", "role", "table", "tournament")}


@router.post("/session", operation_id="open_session", status_code=204)
def open_session(code: Code, request: Request, serve: Served) -> Response:
    """Give the access code or a token once; a cookie remembers it."""
    response = Response(status_code=204)
    if code.code.startswith(TOKEN_PREFIX):
        serve.tokens.check(code.code)
        drop_cookies(response, *(cookie for wing in serve.wings for cookie in wing.cookies))
        keep_cookie(request, response, TOKEN_COOKIE, code.code, _MONTH_SECONDS)
    elif serve.access.needed:
        serve.access.check(code.code, client_of(request.scope))
        keep_cookie(request, response, COOKIE, serve.access.cookie_value, _MONTH_SECONDS)
    return response


@router.delete("/session", operation_id="close_session", status_code=204)
def close_session() -> Response:
    """Forget the code on this phone."""
    response = Response(status_code=204)
    drop_cookies(response, COOKIE, TOKEN_COOKIE)
    return response
