"""Parts of a stream's body that a crowd gets at once: each is written to the sockets, past all tasks and middleware."""

from __future__ import annotations

import asyncio
from typing import Final

from starlette.types import Message, Scope

_SOCKET: Final = "stream_socket"


def is_stream(start: Message) -> bool:
    """Whether an answer that starts so is a stream of events."""
    return any(name == b"content-type" and value.startswith(b"text/event-stream") for name, value in start["headers"])


def allow_direct_writes(scope: Scope, start: Message, transport: asyncio.Transport) -> None:
    """Let parts of the stream that starts so be written to its socket, if they are sent in chunks and as they are."""
    if scope["http_version"] == "1.1" and all(name != b"content-encoding" for name, _ in start["headers"]):
        scope.setdefault("state", {})[_SOCKET] = transport


def write_directly(scope: Scope, part: bytes) -> bool:
    """Write a part of a stream's body at once; return False where the route has to send it.

    That is so before the stream has started, and while what was sent before waits for the other side to read it.
    """
    transport: asyncio.Transport | None = scope.get("state", {}).get(_SOCKET)
    if transport is None or transport.is_closing() or transport.get_write_buffer_size():
        return False
    if part:  # an empty chunk would end the body
        transport.write(b"%x\r\n%b\r\n" % (len(part), part))
    return True
