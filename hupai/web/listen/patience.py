"""Silent connections: a request's head must arrive in time, and an address may have only a few incomplete ones.

uvicorn waits for ever for an incomplete head, and holds a file descriptor meanwhile: a thousand connections that
send half a line would lock everybody out, before any request limit is checked.
"""

from __future__ import annotations

import asyncio
from typing import Any, Final, cast

from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_SECONDS: Final = 10.0
"""Seconds from the connection, or from the first byte after an answer, to the end of a request's head."""
WAITING: Final = 64
"""Connections per address that may lack a complete head for longer than ``BURST``; one more closes the oldest."""
BURST: Final = 1.0
"""Seconds without that limit: a hall behind one address arrives all at once, and a busy server reads late."""
MOST: Final = 512
"""Connections per address without a complete head beyond which the oldest is closed, however new it is."""

_waiting: dict[str, dict[PatientProtocol, None]] = {}
"""Address -> its connections without a complete head, oldest first. Only used from the event loop."""


class PatientProtocol(H11Protocol):
    """uvicorn's HTTP/1.1 with time limits."""

    _late: asyncio.TimerHandle | None = None
    _since = 0.0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """See asyncio."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """See asyncio."""
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self._done()
        elif self._late is None:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """See asyncio."""
        self._done()
        super().connection_lost(exc)

    @property
    def _address(self) -> str:
        return self.client[0] if self.client else "unknown"

    def _wait(self) -> None:
        self._late = self.loop.call_later(HEAD_SECONDS, self._end)
        self._since = self.loop.time()
        waiting = _waiting.setdefault(self._address, {})
        waiting[self] = None
        oldest = next(iter(waiting))
        if len(waiting) > MOST or (len(waiting) > WAITING and self._since - oldest._since >= BURST):
            oldest._end()

    def _done(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None
        waiting = _waiting.get(self._address, {})
        waiting.pop(self, None)
        if not waiting:
            _waiting.pop(self._address, None)

    def _end(self) -> None:
        self._done()
        cast(Any, self.transport).abort()
