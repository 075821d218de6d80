"""Connections that wait for a request or follow events: how long they may, and how many at once.

uvicorn waits for ever for an incomplete head, and holds a file descriptor meanwhile: a thousand connections that send
half a line would lock everybody out, before any request limit is checked. So would a thousand streams of events.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from hupai.web.listen.direct_write import allow_direct_writes, is_stream
from hupai.web.middleware.limits import client_of

HEAD_SECONDS: Final = 10.0
"""Seconds from a connection to the end of its first request's head."""
IDLE_SECONDS: Final = 20
"""Seconds that an unused connection is kept after an answer; a head must be complete ``HEAD_SECONDS`` later."""

Client = tuple[str, int]
"""Address and port at the other end of a connection."""


class WaitingConnections:
    """ASGI application that closes connections which wait too long, and the oldest where too many wait.

    Where too many follow events, the oldest stream of the address that has most of them is closed.

    Args:
        app: the application that answers. most: how many may wait at once (a browser opens six); twice as many may
            follow events.
    """

    def __init__(self, app: ASGIApp, most: int) -> None:
        self._app, self._most = app, most
        self._streams: dict[Client, asyncio.Transport] = {}
        """Connections that follow events, the oldest first."""
        self._waiting: dict[Client, tuple[asyncio.Transport, asyncio.TimerHandle]] = {}
        """The one that has waited longest first."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request; its connection waits again when the answer is complete."""
        client: Client | None = scope.get("client")
        if client is None or (transport := self.stop(client)) is None:
            await self._app(scope, receive, send)
            return

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start" and is_stream(message):
                self._stream(client, transport)
                allow_direct_writes(scope, message, transport)
            # Before the last part is sent: the next request may arrive before anything after it is run.
            if message["type"] == "http.response.body" and not message.get("more_body", False):
                self.wait(client, transport, IDLE_SECONDS + HEAD_SECONDS)
            await send(message)

        try:
            await self._app(scope, receive, answer)
        finally:
            self._streams.pop(client, None)

    def _stream(self, client: Client, transport: asyncio.Transport) -> None:
        """Let a connection follow events; where too many do, close the oldest of the address that has most."""
        self._streams[client] = transport
        if len(self._streams) > 2 * self._most:
            addresses = {one: client_of({"client": one}) for one in self._streams}
            ((greediest, _),) = Counter(addresses.values()).most_common(1)
            oldest = next(one for one, address in addresses.items() if address == greediest)
            self._streams.pop(oldest).close()

    def wait(self, client: Client, transport: asyncio.Transport, seconds: float) -> None:
        """Close a connection after some time; where too many wait, close the one that has waited longest."""
        if transport.is_closing():
            return
        # What was answered is still delivered: closing waits for it.
        self._waiting[client] = transport, asyncio.get_running_loop().call_later(seconds, transport.close)
        if len(self._waiting) > self._most:
            oldest = self.stop(next(iter(self._waiting)))
            assert oldest is not None
            oldest.close()

    def stop(self, client: Client) -> asyncio.Transport | None:
        """Return a connection that waited, which may now stay; None if it did not wait."""
        transport, timer = self._waiting.pop(client, (None, None))
        if timer is not None:
            timer.cancel()
        return transport

    def protocol(self) -> type[asyncio.Protocol]:
        """Return uvicorn's HTTP/1.1 protocol, with each connection reported here."""
        connections = self

        class ReportingProtocol(H11Protocol):
            _peer: Client = ("", 0)

            def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
                super().connection_made(transport)
                self._peer = tuple((transport.get_extra_info("peername") or self._peer)[:2])
                connections.wait(self._peer, transport, HEAD_SECONDS)

            def connection_lost(self, exc: Exception | None) -> None:
                connections.stop(self._peer)
                super().connection_lost(exc)

        return ReportingProtocol
