"""The server's callers, which ask again and again until it answers, as phones and boards do."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

import httpx

PATIENCE: Final = 90.0
"""Seconds after which a request is given up; the longest fault is far shorter."""
_PAUSE: Final = 0.2


class Unexpected(Exception):
    """The server answered what it should not have."""


@dataclass(slots=True)
class Tally:
    """What all callers saw; from any thread.

    Attributes:
        asked: answers so far. again: by what was heard instead of an answer, how often a request was sent again.
        doubled: answers reporting that the same had been written before. seconds: how long writes took that were
            answered at once.
    """

    asked: int = 0
    again: dict[str, int] = field(default_factory=dict)
    doubled: int = 0
    seconds: list[float] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def heard(self, instead: str) -> None:
        """Count what came instead of an answer."""
        with self._lock:
            self.again[instead] = self.again.get(instead, 0) + 1

    def answered(self, reply: httpx.Response, seconds: float | None) -> None:
        """Count an answer, and how long it took if it came at once."""
        with self._lock:
            self.asked += 1
            self.doubled += reply.headers.get("idempotency-replayed") == "true"
            if seconds is not None and reply.request.method != "GET":
                self.seconds.append(seconds)


class Caller:
    """A phone, or the director's board."""

    def __init__(self, api: str, headers: dict[str, str], tally: Tally) -> None:
        self._client = httpx.Client(base_url=api, headers=headers, timeout=20)
        self.tally = tally

    def close(self) -> None:
        """Close the connection."""
        self._client.close()

    def ask(
        self,
        method: str,
        path: str,
        body: dict[str, Any] | None = None,
        key: str | None = None,
        done: Callable[[], bool] | None = None,
    ) -> httpx.Response:
        """An answer with a status below 500; until one comes, the same request is sent again.

        Args:
            method, path, body: the request. key: idempotency key, with which it may be sent twice. done: for a write
                without a key, whether a request whose answer was lost has done it.

        Raises:
            Unexpected: no answer came in time.
        """
        headers = {"Idempotency-Key": key} if key else {}
        end, tries = time.monotonic() + PATIENCE, 0
        while time.monotonic() < end:
            began = time.monotonic()
            try:
                reply = self._client.request(method, path, json=body, headers=headers)
            except httpx.TransportError as error:
                self.tally.heard(type(error).__name__)
            else:
                if reply.status_code < 500:
                    self.tally.answered(reply, time.monotonic() - began if tries == 0 else None)
                    return reply
                self.tally.heard(str(reply.status_code))
            tries += 1
            time.sleep(_PAUSE)
            if done is not None and done():
                return httpx.Response(200, json={})
        raise Unexpected(f"{method} {path} was not answered in {PATIENCE:g} s")

    def get(self, path: str) -> dict[str, Any]:
        """The JSON at a path.

        Raises:
            Unexpected: there is none.
        """
        return self._good(self.ask("GET", path))

    def write(
        self,
        method: str,
        path: str,
        body: dict[str, Any] | None = None,
        key: str | None = None,
        done: Callable[[], bool] | None = None,
    ) -> dict[str, Any]:
        """As :meth:`ask`, of a write that must succeed.

        Raises:
            Unexpected: it was refused, and not because an earlier try had been written.
        """
        reply = self.ask(method, path, body, key, done)
        if reply.status_code == 409 and done is not None and done():
            return {}
        return self._good(reply)

    @staticmethod
    def _good(reply: httpx.Response) -> dict[str, Any]:
        if reply.status_code >= 400:
            raise Unexpected(f"{reply.request.method} {reply.request.url.path}: {reply.status_code} {reply.text:.300}")
        said: dict[str, Any] = reply.json()
        return said
