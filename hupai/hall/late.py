"""Tokens that see everything late, as the viewers of a delayed broadcast do: what is newer is kept back here."""

from __future__ import annotations

import asyncio
import re
import time
import zlib
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import Any, Final

from fastapi import Request
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from hupai.web.errors import WebError
from hupai.web.middleware.tokens import API, RoleRefused
from hupai.web.problems import problem
from scoring.words.sentence import say

MAX_DELAY: Final = 600
"""The longest delay, in seconds."""
_NOW_ONLY: Final = re.compile(rf"{API}/(tables/.+/preview|.+/try|laid/.+/score)")
"""What tells the present state only: a camera's picture, and what a hand would come to now."""
_TIMES: Final = re.compile(rb'"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?)Z"')
_DATED: Final = re.compile(rf"{API}/(games/[^/]+/hands/\d+|games/[^/]+|tournaments/[^/]+|tables/.+)")
"""Answers that contain when they last changed."""
_DROPPED_HEADERS: Final = (b"accept-encoding", b"if-none-match")
_MAX_PATHS: Final = 500


class NotYet(WebError):
    """Nothing that was asked for is as old as the token's delay."""

    code = "not_yet"
    status = HTTPStatus.SERVICE_UNAVAILABLE
    retry_after = 3


@dataclass(frozen=True, slots=True)
class _Answer:
    """An answer as it was at a moment (in seconds of a steady clock), its body compressed."""

    at: float
    start: Message
    packed: bytes


@dataclass(slots=True)
class LateTokens:
    """ASGI middleware: whoever holds a token with a delay gets answers as old as that, and streams as late.

    Answers are kept as they are asked for, so the first one of something that has just changed is there once the delay
    is over (:class:`NotYet` until then); one whose dates are all older is given at once.

    Attributes:
        app: behind it.
    """

    app: ASGIApp
    _kept: OrderedDict[tuple[Any, ...], list[_Answer]] = field(default_factory=OrderedDict)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        holder = scope.get("state", {}).get("holder")
        delay = holder.granted.get("delay") if holder is not None else 0
        if not delay:
            await self.app(scope, receive, send)
            return
        if _NOW_ONLY.fullmatch(scope["path"]):
            refused = RoleRefused(
                say("This token sees everything {n} seconds late, and this is there now only.", n=delay)
            )
            await problem(refused, Request(scope))(scope, receive, send)
            return
        # Plain and whole, and with no way past this to the socket.
        headers = [(name, value) for name, value in scope["headers"] if name not in _DROPPED_HEADERS]
        inner = {**scope, "headers": headers, "state": dict(scope["state"])}
        late = _LateSend(send, delay)
        try:
            await self.app(inner, receive, late)
        finally:
            late.stop()
        if late.start is None:
            return
        if late.start["status"] != HTTPStatus.OK or scope["method"] != "GET":
            found: _Answer | None = _Answer(0, late.start, zlib.compress(late.body, 1))
        else:
            found = self._answer(scope, late, delay)
        if found is None:
            refusal = NotYet(say("Nothing here is {n} seconds old yet; ask again in a moment.", n=delay))
            await problem(refusal, Request(scope))(scope, receive, send)
            return
        # What is kept goes out again: whoever compresses it on its way writes into the headers.
        await send({**found.start, "headers": list(found.start["headers"])})
        await send({"type": "http.response.body", "body": zlib.decompress(found.packed)})

    def _answer(self, scope: Scope, late: _LateSend, delay: int) -> _Answer | None:
        """Keep what is the answer now, and return the one that is old enough; None if there is none yet."""
        assert late.start is not None
        asked = Headers(scope=scope)
        key = (scope["path"], scope["query_string"], asked.get("accept-language"))
        now = time.monotonic()
        current = _Answer(now, late.start, zlib.compress(late.body, 1))
        kept = self._kept.setdefault(key, [])
        self._kept.move_to_end(key)
        while len(self._kept) > _MAX_PATHS:
            self._kept.popitem(last=False)
        if not kept or (now - kept[-1].at >= 1 and kept[-1].packed != current.packed):
            kept.append(current)
        oldest = max((i for i, one in enumerate(kept) if one.at <= now - MAX_DELAY), default=0)
        del kept[:oldest]
        if _is_old(scope["path"], late, datetime.now(UTC) - timedelta(seconds=delay)):
            return current
        return next((one for one in reversed(kept) if one.at <= now - delay), None)


@dataclass(slots=True)
class _LateSend:
    """Takes an answer apart: a stream's parts are sent on when they are as old as the delay, others are kept.

    Attributes:
        send: to the client. delay: in seconds. start, body: of an answer that is no stream.
    """

    send: Send
    delay: int
    start: Message | None = None
    body: bytes = b""
    _parts: asyncio.Queue[tuple[float, Message]] | None = None
    _sending: asyncio.Task[None] | None = None

    async def __call__(self, message: Message) -> None:
        """Take one message of the application."""
        if message["type"] == "http.response.start":
            if any(n == b"content-type" and v.startswith(b"text/event-stream") for n, v in message["headers"]):
                await self.send(message)
                self._parts = asyncio.Queue()
                self._sending = asyncio.create_task(self._send_late(self._parts))
            else:
                self.start = message
        elif self._parts is None:
            self.body += message.get("body", b"")
        elif message.get("more_body"):
            self._parts.put_nowait((time.monotonic() + self.delay, message))
        else:
            self.stop()
            await self.send(message)

    def stop(self) -> None:
        """Send nothing more."""
        if self._sending is not None:
            self._sending.cancel()

    async def _send_late(self, parts: asyncio.Queue[tuple[float, Message]]) -> None:
        while True:
            due, message = await parts.get()
            await asyncio.sleep(due - time.monotonic())
            await self.send(message)


def _is_old(path: str, late: _LateSend, since: datetime) -> bool:
    """Whether all that an answer tells stood at this time; rules always do, a picture says when it was taken."""
    assert late.start is not None
    modified = [value for name, value in late.start["headers"] if name == b"last-modified"]
    if modified:
        return parsedate_to_datetime(modified[0].decode()) <= since
    times: Sequence[bytes] = _TIMES.findall(late.body)
    dated = _DATED.fullmatch(path) is not None or path.removeprefix(API) in ("/rules", "/session", "/about")
    return dated and all(datetime.fromisoformat(t.decode() + "+00:00") <= since for t in times)
