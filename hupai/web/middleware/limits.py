"""Limits of requests: bytes of a body, time for an upload, requests per address."""

from __future__ import annotations

import asyncio
import ipaddress
import math
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Final

from limits import RateLimitItem
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from hupai.settings import Settings
from hupai.web.errors import TooMany, WebError
from hupai.web.problems import Guard, problem

JSON_BYTES: Final = 512_000
"""Largest body of a request without a photo; a score request has about 1,000 bytes."""
FORM_BYTES: Final = 100_000
"""Bytes that a form's fields may add to its photos."""
_LINGER_SECONDS: Final = 10.0
_LINGER_BYTES: Final = 200_000_000
_CLOCK_JUMP_SECONDS: Final = 10.0
_UNCOUNTED_PATHS: Final = ("/healthz", "/readyz", "/at/")
_WRITING_METHODS: Final = frozenset({"POST", "PUT", "PATCH", "DELETE"})


@dataclass(slots=True)
class BodyLimit:
    """ASGI middleware: counts the bytes of every body as they arrive and stops at the limit, and at the clock.

    Attributes:
        app: the application behind it. settings: the limits.
        photos: path -> how many photos a body there may contain; other bodies may have ``JSON_BYTES``.
    """

    app: ASGIApp
    settings: Settings
    photos: Mapping[str, int]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http" or scope["method"] not in _WRITING_METHODS:
            await self.app(scope, receive, send)
            return
        photos = self.photos.get(scope["path"], 0)
        limit = photos * self.settings.max_upload_bytes + FORM_BYTES if photos else JSON_BYTES
        deadline = time.monotonic() + self.settings.upload_seconds
        body = _CountedBody(scope, receive, send, limit, deadline, asks_first=_asks_first(scope))
        announced = _content_length(scope)
        if announced is not None and announced > limit:
            body.refusal = _too_large(limit, announced)
            await body.refuse()
            return
        await self.app(scope, body.receive, body.send)
        if body.refusal is not None:
            await body.refuse()


@dataclass(slots=True)
class _CountedBody:
    """One request's body: ``receive`` and ``send`` as the application sees them."""

    scope: Scope
    upstream: Receive
    downstream: Send
    limit: int
    deadline: float
    asks_first: bool
    taken: int = 0
    whole: bool = False
    started: bool = False
    refusal: WebError | None = None

    async def receive(self) -> Message:
        if self.refusal is not None:
            return {"type": "http.disconnect"}
        if self.whole:
            return await self.upstream()
        try:
            message = await asyncio.wait_for(self.upstream(), max(0.0, self.deadline - time.monotonic()))
        except TimeoutError:
            late = "The upload did not arrive in time; move closer to the router, or send less."
            self.refusal = WebError(late, code="upload_slow", status=HTTPStatus.REQUEST_TIMEOUT)
            return {"type": "http.disconnect"}
        if message["type"] == "http.request":
            self.taken += len(message.get("body", b""))
            self.whole = not message.get("more_body", False)
            if self.taken > self.limit:
                # The application sees the client disconnect; its answer to that is replaced by the refusal.
                self.refusal = _too_large(self.limit)
                return {"type": "http.disconnect"}
        return message

    async def send(self, message: Message) -> None:
        if self.refusal is None or self.started:
            self.started = True
            await self.downstream(message)

    async def refuse(self) -> None:
        """Send the refusal, then read and drop what still arrives for a while.

        A connection closed with bytes unread is reset, and the client would never see the answer.
        """
        if self.refusal is None or self.started:
            return
        response = problem(self.refusal, Request(self.scope), {"Connection": "close"})
        await self.downstream(
            {"type": "http.response.start", "status": response.status_code, "headers": response.raw_headers}
        )
        await self.downstream({"type": "http.response.body", "body": bytes(response.body), "more_body": True})
        if not self.asks_first:
            await self._drop_rest()
        await self.downstream({"type": "http.response.body", "body": b"", "more_body": False})

    async def _drop_rest(self) -> None:
        dropped = 0
        end = time.monotonic() + _LINGER_SECONDS
        while not self.whole and dropped < _LINGER_BYTES:
            try:
                message = await asyncio.wait_for(self.upstream(), max(0.0, end - time.monotonic()))
            except TimeoutError:
                return
            dropped += len(message.get("body", b""))
            if message["type"] != "http.request" or not message.get("more_body", False):
                return


def _too_large(limit: int, announced: int | None = None) -> WebError:
    size = f"{announced / 1e6:.1f} MB are" if announced is not None else "The body is"
    message = f"{size} more than the {limit / 1e6:.1f} MB taken here; make it smaller."
    return WebError(message, code="body_too_large", status=HTTPStatus.REQUEST_ENTITY_TOO_LARGE)


def _content_length(scope: Scope) -> int | None:
    for name, value in scope["headers"]:
        if name == b"content-length":
            return int(value) if value.isdigit() else None
    return None


def _asks_first(scope: Scope) -> bool:
    """Whether the client waits for permission to send the body: a refusal then keeps it from sending at all."""
    return any(name == b"expect" and value.lower() == b"100-continue" for name, value in scope["headers"])


class SteadyWindow(MovingWindowRateLimiter):
    """Counts by the wall clock, like the library, and starts over when that clock is set back.

    Requests counted at a time in the future would otherwise stay in the window until that time comes again.
    """

    def __init__(self) -> None:
        super().__init__(MemoryStorage())
        self._ahead = time.time() - time.monotonic()

    def hit(self, item: RateLimitItem, *identifiers: str, cost: int = 1) -> bool:
        """Count one request; return False if it is one too many."""
        self._reset_if_clock_was_set()
        return super().hit(item, *identifiers, cost=cost)

    def test(self, item: RateLimitItem, *identifiers: str, cost: int = 1) -> bool:
        """Whether one more request is allowed."""
        self._reset_if_clock_was_set()
        return super().test(item, *identifiers, cost=cost)

    def _reset_if_clock_was_set(self) -> None:
        ahead = time.time() - time.monotonic()
        if abs(ahead - self._ahead) > _CLOCK_JUMP_SECONDS:
            self.storage.reset()
            self._ahead = ahead


@dataclass(slots=True)
class RateLimit(Guard):
    """Limits requests per address, by kind of request.

    Health probes are not counted, nor are the page's unchanging files: a first visit asks for a hundred of them, which
    costs the server no more than a hundred refusals, and a whole hall may be behind one address.

    Attributes:
        settings: the limits. reads: paths that count as reading a photo.
    """

    settings: Settings
    reads: frozenset[str]
    rates: dict[str, RateLimitItem | None] = field(init=False)
    window: SteadyWindow = field(init=False)

    def __post_init__(self) -> None:
        self.rates = {name: self.settings.rate(name) for name in ("read", "write", "any")}
        self.window = SteadyWindow()

    async def check(self, scope: Scope) -> None:
        """Count one request."""
        if scope["path"].startswith(_UNCOUNTED_PATHS):
            return
        kinds = ["any"]
        if scope["method"] in _WRITING_METHODS:
            kinds.append("read" if scope["path"] in self.reads else "write")
        client = client_of(scope)
        for kind in kinds:
            rate = self.rates[kind]
            if rate is not None and not self.window.hit(rate, kind, client):
                wait = self.window.get_window_stats(rate, kind, client).reset_time - time.time()
                raise TooMany(f"More than {rate} from your address; wait a little.", retry_after=math.ceil(wait))


def client_of(scope: Scope) -> str:
    """Return the address a request comes from; headers that claim another one are ignored.

    Of IPv6 it is the network of 64 bits, which a provider gives to one customer.
    """
    host: str = (scope.get("client") or ("unknown",))[0]
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    return str(address.ipv4_mapped or ipaddress.ip_network((address, 64), strict=False))
