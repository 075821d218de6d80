"""What the holder of a token may ask for: by role, before anything else of a request is looked at."""

from __future__ import annotations

import re
from dataclasses import dataclass
from http import HTTPStatus
from http.cookies import CookieError, SimpleCookie
from typing import Final, cast

from fastapi import Request
from starlette.datastructures import Headers
from starlette.types import Scope

from hupai.store.lately import Lately
from hupai.store.tournament.tokens import PREFIX, Holder, holder_of
from hupai.web.errors import CodeNeeded, WebError

TOKEN_COOKIE: Final = "hupai_token"
CODE_HEADER: Final = "x-hupai-code"
SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
"""Methods that change nothing."""
_ALWAYS: Final = r"/session|/director"
_TRY: Final = r"/score|/laid/\d+/score|/games/[^/]+/hands/(\d+/)?try"
_ENTER: Final = rf"{_TRY}|/read|/games/[^/]+/.+|/tournaments/[^/]+/rounds/\d+/tables/[^/]+/sign"
_WRITES: Final = {
    "viewer": re.compile(f"/api/v1({_ALWAYS}|{_TRY})"),
    "overlay": re.compile(f"/api/v1({_ALWAYS})"),
    "table": re.compile(f"/api/v1({_ALWAYS}|{_ENTER})"),
    "scorer": re.compile(rf"/api/v1({_ALWAYS}|{_ENTER}|/laid/\d+/\w+|/tables/[^/]+/laid)"),
}
"""Which addresses each role may write to; a director's token writes to all."""
_HIDDEN: Final = re.compile(r"/api/v1/corrections(/.*)?|/metrics")
"""What only who labels and who runs the server look at: pictures people gave, and figures of the machine."""


class RoleRefused(WebError):
    """A token of this role does not open this."""

    code = "role_refused"
    status = HTTPStatus.FORBIDDEN


@dataclass(slots=True)
class Keys:
    """The tokens that stand; one that is withdrawn opens nothing within a second, on every server of the database."""

    known: Lately[dict[str, Holder]]

    @staticmethod
    def carried(scope: Scope) -> bool:
        """Whether a request carries what may be a token."""
        headers = Headers(scope=scope)
        return any(t.startswith(PREFIX) for t in (headers.get(CODE_HEADER, ""), cookie_in(headers, TOKEN_COOKIE)))

    def holder(self, scope: Scope) -> Holder | None:
        """Whose token a request carries; None where it carries none, or a cookie that opens nothing any more.

        Raises:
            CodeNeeded: its header names a token that nobody holds. StoreError, SQLAlchemyError: the store is away.
        """
        headers = Headers(scope=scope)
        given = headers.get(CODE_HEADER, "")
        if given.startswith(PREFIX):
            return self.check(given)
        kept = cookie_in(headers, TOKEN_COOKIE)
        return holder_of(self.known.value(), kept) if kept.startswith(PREFIX) else None

    def check(self, token: str) -> Holder:
        """Who holds a token. Nobody guesses 160 bits, so tries are not counted: a hall behind one address stays in.

        Raises:
            CodeNeeded: nobody does.
        """
        found = holder_of(self.known.value(), token)
        if found is None:
            raise CodeNeeded("This token is withdrawn, or never was one; ask the director.", code="code_wrong")
        return found


def pass_by_role(holder: Holder, method: str, path: str) -> None:
    """Pass what a role may do.

    Raises:
        RoleRefused: it may not.
    """
    allowed = _WRITES.get(holder.role)
    if allowed is None:
        return
    if method in SAFE:
        if not _HIDDEN.fullmatch(path):
            return
    elif (method != "DELETE" and allowed.fullmatch(path)) or re.fullmatch(f"/api/v1({_ALWAYS})", path):
        return
    raise RoleRefused(f"A token of the role {holder.role} does not open this; ask the director for another.")


def holder_in(request: Request) -> Holder | None:
    """Whose token the request carries, as the gate found it."""
    return cast("Holder | None", request.scope.get("state", {}).get("holder"))


def cookie_in(headers: Headers, name: str) -> str:
    """The cookie of this name; empty where there is none that can be read."""
    jar: SimpleCookie = SimpleCookie()
    for line in headers.getlist("cookie"):
        try:
            jar.load(line)
        except CookieError:
            continue
    return jar[name].value if name in jar else ""
