"""Answers requested by a whole hall: computed, serialised and compressed once, and not resent to who has them."""

from __future__ import annotations

import gzip
import hashlib
import json
import threading
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from fastapi import Request, Response
from sqlalchemy import Engine

from hupai.store.database import write_count
from hupai.store.ttl_cache import TtlCache

_MIN_COMPRESSED_BYTES: Final = 1000
"""Bytes below which nothing is compressed."""
_MAX_CACHED: Final = 256
"""Answers kept at once; beyond that the oldest is dropped."""


@dataclass(frozen=True, slots=True)
class SerialisedAnswer:
    """A serialised answer.

    Attributes:
        plain, packed: JSON, and the same compressed by gzip (unless it is small). tag: identifies the content.
    """

    plain: bytes
    packed: bytes | None
    tag: str

    @classmethod
    def serialise(cls, said: Mapping[str, Any]) -> SerialisedAnswer:
        """Serialise an answer."""
        plain = json.dumps(said, ensure_ascii=False, separators=(",", ":")).encode()
        packed = gzip.compress(plain, 5, mtime=0) if len(plain) >= _MIN_COMPRESSED_BYTES else None
        return cls(plain, packed, f'W/"{hashlib.blake2b(plain, digest_size=12).hexdigest()}"')

    def respond(self, request: Request) -> Response:
        """Return the response to this request: 304 without a body if its ``If-None-Match`` names this content."""
        headers = {"ETag": self.tag, "Cache-Control": "private, no-cache", "Vary": "Accept-Encoding, Accept-Language"}
        known = request.headers.get("if-none-match", "")
        if self.tag in (tag.strip() for tag in known.split(",")):
            return Response(status_code=304, headers=headers)
        if self.packed is not None and "gzip" in request.headers.get("accept-encoding", ""):
            return Response(self.packed, media_type="application/json", headers={**headers, "Content-Encoding": "gzip"})
        return Response(self.plain, media_type="application/json", headers=headers)


class SharedAnswers:
    """Answers to questions of one kind, by key: each is computed once for all who are asking at the time.

    Args:
        engine: the store. ask: answers a question; an error it raises only reaches the caller who asked.
        stamp: as for :class:`TtlCache`.
    """

    def __init__(
        self,
        engine: Engine,
        ask: Callable[[Engine, str], Mapping[str, Any]],
        stamp: Callable[[Engine, str], Hashable] = lambda engine, _: write_count(engine),
    ) -> None:
        self._engine, self._ask, self._stamp = engine, ask, stamp
        self._kept: dict[str, TtlCache[SerialisedAnswer]] = {}
        self._lock = threading.Lock()

    def value(self, key: str) -> SerialisedAnswer:
        """Return the answer to this question, at most ``TTL_SECONDS`` old."""
        with self._lock:
            kept = self._kept.get(key)
            if kept is None:
                while len(self._kept) >= _MAX_CACHED:
                    del self._kept[next(iter(self._kept))]
                kept = self._kept[key] = TtlCache(
                    self._engine,
                    lambda engine: SerialisedAnswer.serialise(self._ask(engine, key)),
                    lambda engine: self._stamp(engine, key),
                )
        return kept.value()
