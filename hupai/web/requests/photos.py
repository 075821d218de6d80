"""Photos kept in memory for a while, so that a correction need not upload them again; by an unguessable id."""

from __future__ import annotations

import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

from hupai.web.errors import Gone
from hupai.web.requests.forms import Upload


@dataclass(frozen=True, slots=True)
class KeptPhoto:
    """A photo and what was read in it (the read response)."""

    upload: Upload
    reading: dict[str, object]
    at: float


@dataclass(slots=True)
class KeptPhotos:
    """The photos of the last ``seconds``, at most ``max_bytes`` of them; the oldest are dropped first."""

    seconds: float
    max_bytes: int
    clock: Callable[[], float] = time.monotonic
    _photos: OrderedDict[str, KeptPhoto] = field(default_factory=OrderedDict)
    _bytes: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def keep(self, upload: Upload, reading: dict[str, object]) -> str:
        """Store a photo; return its id."""
        photo_id = secrets.token_urlsafe(18)
        with self._lock:
            self._photos[photo_id] = KeptPhoto(upload, reading, self.clock())
            self._bytes += len(upload.data)
            self._forget()
        return photo_id

    def get(self, photo_id: str) -> KeptPhoto:
        """Return the photo with this id.

        Raises:
            Gone: it does not exist, or no longer.
        """
        with self._lock:
            self._forget()
            found = self._photos.get(photo_id)
        if found is None:
            raise Gone("This photo is not kept any more; send it again.", field="photo_id")
        return found

    def _forget(self) -> None:
        now = self.clock()
        while self._photos:
            first_id, first = next(iter(self._photos.items()))
            if now - first.at <= self.seconds and self._bytes <= self.max_bytes:
                return
            del self._photos[first_id]
            self._bytes -= len(first.upload.data)
