"""Answers requested by a whole hall: computed, serialised and compressed once, and not resent to who has them."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from fastapi import Request, Response
from sqlalchemy import Engine

from hupai.store.database import write_count
from hupai.store.ttl_cache import KeyedTtlCache

Answers = KeyedTtlCache[str, "SerialisedAnswer"]
"""Answers to one kind of question, by its key."""
_MIN_COMPRESSED_BYTES: Final = 1000
"""Bytes below which nothing is compressed."""


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


def share_answers(
    engine: Engine,
    ask: Callable[[Engine, str], Mapping[str, Any]],
    stamp: Callable[[Engine, str], Hashable] = lambda engine, _: write_count(engine),
) -> Answers:
    """Return shared answers to a kind of question, to be sent with :meth:`SerialisedAnswer.respond`.

    Args:
        engine, ask, stamp: as for :class:`KeyedTtlCache`.
    """
    return KeyedTtlCache(engine, lambda store, key: SerialisedAnswer.serialise(ask(store, key)), stamp)
