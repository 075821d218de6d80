"""What the holder of a token may request: decided by role, before anything else of a request is looked at."""

from __future__ import annotations

import re
from dataclasses import dataclass
from http import HTTPStatus
from http.cookies import CookieError, SimpleCookie
from typing import Final, cast

from fastapi import Request, Response
from starlette.datastructures import Headers
from starlette.types import Scope

from hupai.store.tournament.tokens import PREFIX, Holder, holder_of
from hupai.store.ttl_cache import TtlCache
from hupai.web.errors import CodeNeeded, WebError

TOKEN_COOKIE: Final = "hupai_token"
CODE_HEADER: Final = "x-hupai-code"
SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
"""Methods that change nothing."""
_ALWAYS_ALLOWED: Final = r"/session|/director"
_TRY: Final = r"/score|/laid/\d+/score|/games/[^/]+/hands/(\d+/)?try"
_ENTER: Final = rf"{_TRY}|/read|/games/[^/]+/.+|/tournaments/[^/]+/rounds/\d+/tables/.+/(sign|object|result)"
_WRITES: Final = {
    "viewer": re.compile(f"/api/v1({_ALWAYS_ALLOWED}|{_TRY})"),
    "overlay": re.compile(f"/api/v1({_ALWAYS_ALLOWED})"),
    "table": re.compile(f"/api/v1({_ALWAYS_ALLOWED}|{_ENTER})"),
    "entrant": re.compile(f"/api/v1({_ALWAYS_ALLOWED}|/registrations)"),
    "scorer": re.compile(rf"/api/v1({_ALWAYS_ALLOWED}|{_ENTER}|/laid/\d+/\w+|/tables/.+/laid)"),
}
"""The paths that each role may write to; a director's token may write to all."""
_HIDDEN: Final = re.compile(r"/api/v1/corrections(/.*)?|/metrics")
"""Paths only for labellers and whoever runs the server: pictures people donated, and metrics of the machine."""
_OWN: Final = re.compile(r"/api/v1/(session|registrations/[^/]+)")
"""All that an entrant's token lets read: whose it is, and the registration that was made with a key."""


class RoleRefused(WebError):
    """A token of this role does not allow the request."""

    code = "role_refused"
    status = HTTPStatus.FORBIDDEN


@dataclass(slots=True)
class TokenRegistry:
    """The valid tokens; a withdrawn one stops working within a second, on every server that shares the database."""

    known: TtlCache[dict[str, Holder]]

    @staticmethod
    def carries_token(scope: Scope) -> bool:
        """Whether a request carries what may be a token."""
        headers = Headers(scope=scope)
        return any(t.startswith(PREFIX) for t in (headers.get(CODE_HEADER, ""), cookie_in(headers, TOKEN_COOKIE)))

    def holder(self, scope: Scope) -> Holder | None:
        """Return the holder of a request's token; None if it carries none, or a cookie that is no longer valid.

        Raises:
            CodeNeeded: its header contains an unknown token. StoreError, SQLAlchemyError: the store is unavailable.
        """
        headers = Headers(scope=scope)
        given = headers.get(CODE_HEADER, "")
        if given.startswith(PREFIX):
            return self.check(given)
        kept = cookie_in(headers, TOKEN_COOKIE)
        return holder_of(self.known.value(), kept) if kept.startswith(PREFIX) else None

    def check(self, token: str) -> Holder:
        """Return the holder of a token. 160 bits cannot be guessed, so tries are unlimited: a hall shares one address.

        Raises:
            CodeNeeded: nobody holds it.
        """
        found = holder_of(self.known.value(), token)
        if found is None:
            raise CodeNeeded("This token is withdrawn, or never was one; ask the director.", code="code_wrong")
        return found


def pass_by_role(holder: Holder, method: str, path: str) -> None:
    """Check that the role allows the request.

    Raises:
        RoleRefused: it does not.
    """
    allowed = _WRITES.get(holder.role)
    if allowed is None:
        return
    if method in SAFE:
        if _OWN.fullmatch(path) if holder.role == "entrant" else not _HIDDEN.fullmatch(path):
            return
    elif allowed.fullmatch(path):
        return
    raise RoleRefused(f"A token of the role {holder.role} does not open this; ask the director for another.")


def holder_in(request: Request) -> Holder | None:
    """Return the holder of the request's token, as found by the gate."""
    return cast("Holder | None", request.scope.get("state", {}).get("holder"))


def cookie_in(headers: Headers, name: str) -> str:
    """Return the cookie of this name; empty if there is no readable one."""
    jar: SimpleCookie = SimpleCookie()
    for line in headers.getlist("cookie"):
        try:
            jar.load(line)
        except CookieError:
            continue
    return jar[name].value if name in jar else ""


def keep_cookie(request: Request, response: Response, name: str, value: str, seconds: int) -> None:
    """Let the browser send this value back to this server for so long; no script and no other site gets at it."""
    secure = request.url.scheme == "https"
    response.set_cookie(name, value, max_age=seconds, path="/", secure=secure, httponly=True, samesite="strict")


def drop_cookies(response: Response, *names: str) -> None:
    """Let the browser forget these cookies."""
    for name in names:
        response.delete_cookie(name, path="/", httponly=True, samesite="strict")
