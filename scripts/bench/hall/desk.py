"""The server in the hall, and its callers, which ask again and again until it answers, as phones and boards do."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import httpx

from scripts.bench.host import OPEN, Host

PATIENCE_SECONDS: Final = 600.0
"""Seconds after which a request is given up; the longest fault is far shorter."""
DIRECTOR: Final = "hall-director"
_PAUSE_SECONDS: Final = 0.2


def hall_server(folder: Path, database: str | None = None) -> Host:
    """A server with its data in this folder; ``database`` is a URL, or None for SQLite there."""
    settings = OPEN | {"director_code": DIRECTOR, "threads": 1, "log_level": "critical"}
    return Host(folder, settings | ({"database": database} if database else {}))


class Unexpected(Exception):
    """The server answered what it should not have."""


@dataclass(frozen=True, slots=True)
class CallLog:
    """What all callers saw; from any thread (appending is atomic).

    Attributes:
        again: what was heard instead of an answer, each time a request was sent again.
        answers: method and path of a request that was answered, and how long that took, in seconds.
    """

    again: list[str] = field(default_factory=list)
    answers: list[tuple[str, str, float]] = field(default_factory=list)

    def seconds(self, *, writing: bool) -> list[float]:
        """How long writes took (trying a score writes nothing), or reads."""
        return [s for method, path, s in self.answers if not path.endswith("/score") and (method != "GET") is writing]


class Caller:
    """A phone that gives ``code``, or the director's board without one."""

    def __init__(self, host: Host, tally: CallLog, code: str | None = None) -> None:
        headers = {"X-Hupai-Code": code} if code else {"X-Hupai-Director": DIRECTOR}
        self._client = httpx.Client(base_url=host.api, headers=headers, timeout=20)
        self._tally = tally

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
        end = time.monotonic() + PATIENCE_SECONDS
        while (began := time.monotonic()) < end:
            try:
                reply = self._client.request(method, path, json=body, headers=headers)
                if reply.status_code < 500:
                    self._tally.answers.append((method, path, time.monotonic() - began))
                    return reply
                self._tally.again.append(str(reply.status_code))
            except httpx.TransportError as error:
                self._tally.again.append(type(error).__name__)
            time.sleep(_PAUSE_SECONDS)
            if done is not None and done():
                return httpx.Response(200, json={})
        raise Unexpected(f"{method} {path} was not answered in {PATIENCE_SECONDS:g} s")

    def get(self, path: str) -> dict[str, Any]:
        """The JSON at a path.

        Raises:
            Unexpected: there is none.
        """
        return self._checked_json(self.ask("GET", path))

    def write(
        self,
        path: str,
        body: dict[str, Any],
        key: str | None = None,
        done: Callable[[], bool] | None = None,
        method: str = "POST",
    ) -> dict[str, Any]:
        """As :meth:`ask`, of a write that must succeed.

        Raises:
            Unexpected: it was refused, and not because an earlier try had been written.
        """
        reply = self.ask(method, path, body, key, done)
        if reply.status_code == 409 and done is not None and done():
            return {}
        return self._checked_json(reply)

    @staticmethod
    def _checked_json(reply: httpx.Response) -> dict[str, Any]:
        if reply.is_error:
            raise Unexpected(f"{reply.url.path}: {reply.status_code} {reply.text:.300}")
        return reply.json()
