"""Streams of server-sent events, which end when the token they were asked for with is withdrawn."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Final, cast

from fastapi import Request
from fastapi.responses import StreamingResponse
from sqlalchemy import Engine
from starlette.types import Send

from hupai.store.tokens import withdrawn_among
from hupai.web.change_notifier import ChangeNotifier
from hupai.web.middleware.tokens import holder_in

_HEADERS: Final = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


@dataclass(slots=True)
class StreamingTokens:
    """The tokens with open streams, looked up for all of them at once. From the event loop, except for :meth:`fetch`.

    Attributes:
        engine: the store. tokens: id -> number of its streams. notifier: follows which of them are withdrawn.
    """

    engine: Engine
    tokens: Counter[str] = field(default_factory=Counter)
    notifier: ChangeNotifier[frozenset[str]] = field(init=False)

    def __post_init__(self) -> None:
        self.notifier = ChangeNotifier(self.fetch, frozenset())

    def fetch(self) -> frozenset[str]:
        """Return the ids of those that are withdrawn."""
        return withdrawn_among(self.engine, list(self.tokens))

    async def wait_until_withdrawn(self, token: str) -> bool:
        """Wait until a token is withdrawn; return False if the server stops first."""
        self.tokens[token] += 1
        self.notifier.listeners += 1
        try:
            return await self.notifier.wait_until(lambda withdrawn: token in withdrawn, None)
        finally:
            self.notifier.listeners -= 1
            self.tokens[token] -= 1
            self.tokens += Counter()  # tokens without streams are dropped


class EventStream(StreamingResponse):
    """The answer of every route with server-sent events.

    Args:
        request: what asks for them. parts: of the stream.
    """

    def __init__(self, request: Request, parts: AsyncIterator[str | bytes]) -> None:
        super().__init__(parts, media_type="text/event-stream", headers=_HEADERS)
        self._holder = holder_in(request)
        self._tokens = cast(StreamingTokens, request.app.state.streaming_tokens)

    async def stream_response(self, send: Send) -> None:
        """Send the parts until they end, or the token is withdrawn."""
        if self._holder is None:
            await super().stream_response(send)
            return
        sending = asyncio.ensure_future(super().stream_response(send))
        withdrawal = asyncio.ensure_future(self._tokens.wait_until_withdrawn(self._holder.id))
        try:
            await asyncio.wait({sending, withdrawal}, return_when=asyncio.FIRST_COMPLETED)
            if not sending.done() and withdrawal.result():
                sending.cancel()
                await asyncio.wait({sending})
                await send({"type": "http.response.body", "body": b"", "more_body": False})
                return
            await sending
        finally:
            sending.cancel()
            withdrawal.cancel()
