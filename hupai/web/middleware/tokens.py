"""What the holder of a token may request: decided by role, before anything else of a request is looked at."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from http.cookies import CookieError, SimpleCookie
from typing import Final, cast

from fastapi import Request, Response
from starlette.datastructures import Headers
from starlette.types import Scope

from hupai.settings import TOKEN_PREFIX
from hupai.store.tokens import Holder, holder_of
from hupai.store.ttl_cache import TtlCache
from hupai.web.errors import CodeNeeded, WebError
from scoring.words.sentence import say

TOKEN_COOKIE: Final = "hupai_token"
CODE_HEADER: Final = "x-hupai-code"
SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
"""Methods that change nothing."""
API: Final = "/api/v1"
_HIDDEN: Final = re.compile(rf"{API}/corrections(/.*)?|/metrics")
"""Paths only for labellers and whoever runs the server: pictures people donated, and metrics of the machine."""


@dataclass(frozen=True, slots=True)
class Role:
    """What the holder of a token may request: paths below the API that these patterns match.

    Attributes:
        writes: paths it may write to. reads: all that it may read; if None, whatever is open to everybody inside.
    """

    writes: str
    reads: str | None = None

    def allows(self, method: str, path: str) -> bool:
        """Whether a request is allowed."""
        if method in SAFE and self.reads is None:
            return not _HIDDEN.fullmatch(path)
        below = self.reads if method in SAFE else self.writes
        return re.fullmatch(f"{API}({below})", path) is not None


_NOTHING: Final = Role(writes="", reads="")


class RoleRefused(WebError):
    """A token of this role does not allow the request."""

    code = "role_refused"
    status = HTTPStatus.FORBIDDEN


@dataclass(slots=True)
class TokenRegistry:
    """The valid tokens; a withdrawn one stops working within a second, on every server that shares the database.

    Attributes:
        known: digest -> holder. roles: by name; None for one that may do everything.
    """

    known: TtlCache[dict[str, Holder]]
    roles: Mapping[str, Role | None]

    @staticmethod
    def carries_token(scope: Scope) -> bool:
        """Whether a request carries what may be a token."""
        headers = Headers(scope=scope)
        return any(t.startswith(TOKEN_PREFIX) for t in (headers.get(CODE_HEADER, ""), cookie_in(headers, TOKEN_COOKIE)))

    def holder(self, scope: Scope) -> Holder | None:
        """Return the holder of a request's token; None if it carries none, or a cookie that is no longer valid.

        Raises:
            CodeNeeded: its header contains an unknown token. StoreError, SQLAlchemyError: the store is unavailable.
        """
        headers = Headers(scope=scope)
        given = headers.get(CODE_HEADER, "")
        if given.startswith(TOKEN_PREFIX):
            return self.check(given)
        kept = cookie_in(headers, TOKEN_COOKIE)
        return holder_of(self.known.value(), kept) if kept.startswith(TOKEN_PREFIX) else None

    def check(self, token: str) -> Holder:
        """Return the holder of a token. 160 bits cannot be guessed, so tries are unlimited: a hall shares one address.

        Raises:
            CodeNeeded: nobody holds it.
        """
        found = holder_of(self.known.value(), token)
        if found is None:
            raise CodeNeeded("This token is withdrawn, or never was one; ask the director.", code="code_wrong")
        return found

    def check_role(self, holder: Holder, method: str, path: str) -> None:
        """Check that the holder's role allows a request.

        Raises:
            RoleRefused: it does not, or no wing here knows it.
        """
        role = self.roles.get(holder.role, _NOTHING)
        if role is not None and not role.allows(method, path):
            raise RoleRefused(
                say("A token of the role {name} does not open this; ask the director for another.", name=holder.role)
            )


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
