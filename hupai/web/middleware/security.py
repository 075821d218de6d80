"""Access control by host names, origins and the access code; and the security headers of answers."""

from __future__ import annotations

import base64
import hashlib
import hmac
import ipaddress
import math
import socket
import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Final
from urllib.parse import urlsplit

from anyio import to_thread
from limits import parse
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from hupai.basics.errors import NotFound
from hupai.page.policy import POLICY
from hupai.settings import Settings
from hupai.web.answers.problems import NOTHING_HERE
from hupai.web.errors import CodeNeeded, TooMany, WebError
from hupai.web.middleware.limits import SteadyWindow, client_of
from hupai.web.middleware.tokens import API, CODE_HEADER, SAFE, TokenRegistry, cookie_in
from hupai.web.problems import Guard

COOKIE: Final = "hupai_session"
_FIRST_TRIES: Final = parse("3/day")
"""Wrong codes of an address that are checked however many others try; docs/security.md has the arithmetic."""
_GUARDED: Final = ("/api/", "/metrics")
_OPEN: Final = frozenset({f"{API}/about", f"{API}/session"})
HEADERS: Final = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(self), microphone=(), geolocation=(), interest-cohort=()",
}


@dataclass(slots=True)
class SafeHeaders:
    """ASGI middleware: adds security headers to every answer; answers of the API are never cached."""

    app: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                headers.setdefault("Cache-Control", "no-store" if scope["path"].startswith("/api/") else "no-cache")
            await send(message)

        await self.app(scope, receive, with_headers)


class PlainAddress(Guard):
    """Rejects paths with a NUL character, which PostgreSQL cannot even look up."""

    async def check(self, scope: Scope) -> None:
        """Check the path and the query."""
        if "\0" in scope["path"] or b"%00" in scope["query_string"]:
            raise NotFound(NOTHING_HERE)


@dataclass(slots=True)
class KnownHosts(Guard):
    """Accepts only addresses and this machine's names as host, and no writes from other sites.

    A page of another site can make a browser inside the LAN send requests here. Such a page cannot fake ``Host``
    (DNS rebinding), ``Origin`` and ``Sec-Fetch-Site``.
    """

    settings: Settings
    names: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        self.names = frozenset(n.lower() for n in (*own_names(), *self.settings.allowed_hosts))

    async def check(self, scope: Scope) -> None:
        """Check the host, and the origin of what writes."""
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        name = _host_name(host)
        if not self._is_known(name):
            message = f"This server does not answer to the name {name or host!r:.80}"
            advice = "use its address, or start it with --allowed-hosts."
            raise WebError(f"{message}; {advice}", code="wrong_host", status=HTTPStatus.MISDIRECTED_REQUEST)
        if scope["method"] in SAFE:
            return
        origin = headers.get("origin")
        if origin is not None and origin != "null" and origin in self.settings.cors_origins:
            return
        foreign = origin is not None and urlsplit(origin).netloc.lower() != host.lower()
        if foreign or headers.get("sec-fetch-site") in ("cross-site", "same-site"):
            message = "A page of another site may not write here; open the server's own page."
            raise WebError(message, code="cross_site", status=HTTPStatus.FORBIDDEN)

    def _is_known(self, name: str) -> bool:
        if name in self.names:
            return True
        try:
            ipaddress.ip_address(name.partition("%")[0])
        except ValueError:
            return False
        return True


def _host_name(host: str) -> str:
    """Return the name in a Host header, without the port, in small letters; empty if there is none."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def own_names() -> Iterable[str]:
    """Return the names this machine answers to on a LAN."""
    name = socket.gethostname()
    return {"localhost", name, f"{name.partition('.')[0]}.local", name.partition(".")[0]} - {""}


@dataclass(slots=True)
class AccessCode:
    """The code that phones must give once: checked in constant time, wrong tries throttled, kept as a signed cookie.

    All addresses together may try ten times as many wrong codes as one, but that slows repeats only: the first tries of
    an address are always checked, so that nobody who guesses keeps a new phone out. An address that has given the right
    code may try ten times as many by itself, as others behind it must not keep a program out that sends the code with
    every request.

    Attributes:
        code: the code, or None if none is needed. key: secret of this installation, signs the cookie.
        settings: how many wrong codes an address may try.
    """

    settings: Settings
    key: bytes
    code: str | None = field(init=False)
    tries: SteadyWindow = field(init=False)
    _known: set[str] = field(default_factory=set)
    """Addresses that have given the right code."""
    _one_at_a_time: threading.Lock = field(init=False)

    def __post_init__(self) -> None:
        secret = self.settings.access_code
        self.code = secret.get_secret_value() if secret else None
        self.tries = SteadyWindow()
        self._one_at_a_time = threading.Lock()

    @property
    def needed(self) -> bool:
        """True when phones must give a code."""
        return self.code is not None

    @property
    def cookie_value(self) -> str:
        """The content of the cookie; it changes with the code and the installation."""
        return hmac.new(self.key, f"session {self.code}".encode(), hashlib.sha256).hexdigest()

    def check(self, given: str, client: str) -> None:
        """Check a code.

        Raises:
            TooMany: too many wrong ones from this address. CodeNeeded: it is wrong.
        """
        rate = self.settings.rate("code")
        assert rate is not None  # the settings refuse to have none
        tenfold = type(rate)(10 * rate.amount, rate.multiples)
        right = hmac.compare_digest(given.encode("utf-8", "replace"), (self.code or "").encode())
        with self._one_at_a_time:  # otherwise many simultaneous tries would pass before the first is counted
            if client in self._known:
                counted = limiting = [(tenfold, client)]
            else:
                first, common = (_FIRST_TRIES, f"first {client}"), (tenfold, "everybody")
                counted = [(rate, client), common, first]
                limiting = [(rate, client)] if self.tries.test(*first) else [(rate, client), common]
            waits = [self.tries.get_window_stats(*c).reset_time for c in limiting if not self.tries.test(*c)]
            if waits:
                wait = math.ceil(max(waits) - time.time())
                raise TooMany("Too many wrong codes; wait before the next one.", retry_after=wait)
            if right:
                self._known.add(client)
                return
            for each in counted:
                self.tries.hit(*each)
        raise CodeNeeded("That is not the right code.", code="code_wrong")

    def open_to(self, scope: Scope) -> bool:
        """Whether the request carries the code (also as a password, as other programs send it) or the cookie.

        Raises:
            TooMany, CodeNeeded: it carries a wrong code.
        """
        if self.code is None:
            return True
        headers = Headers(scope=scope)
        given = headers.get(CODE_HEADER)
        if given is None:
            given = _password(headers)
        if given is not None:
            self.check(given, client_of(scope))
            return True
        return hmac.compare_digest(cookie_in(headers, COOKIE).encode(), self.cookie_value.encode())


def _password(headers: Headers) -> str | None:
    """Return the password of basic authorisation, for any user name; None without one (RFC 7617)."""
    scheme, _, credentials = headers.get("authorization", "").partition(" ")
    if scheme.lower() != "basic":
        return None
    try:
        return base64.b64decode(credentials, validate=True).decode().partition(":")[2]
    except ValueError:
        return ""


@dataclass(slots=True)
class AccessGate(Guard):
    """The API and metrics need the code or a token; the page, health and sign-in stay open.

    Attributes:
        access, tokens: who may come in. sign_ins: paths of further codes, which are checked where they are posted.
    """

    access: AccessCode
    tokens: TokenRegistry
    sign_ins: frozenset[str] = frozenset()

    async def check(self, scope: Scope) -> None:
        """Check the token or the code."""
        method, path = scope["method"], scope["path"]
        if not path.startswith(_GUARDED) or path in _OPEN or (method == "POST" and path in self.sign_ins):
            return
        # The store is asked outside the event loop, so that a hanging store does not block other requests.
        carried = self.tokens.carries_token(scope)
        holder = await to_thread.run_sync(self.tokens.holder, scope) if carried else None
        scope.setdefault("state", {})["holder"] = holder
        if holder is not None:
            self.tokens.check_role(holder, method, path)
        elif not self.access.open_to(scope):
            raise CodeNeeded("This server asks for an access code; it is shown where hupai was started.")
