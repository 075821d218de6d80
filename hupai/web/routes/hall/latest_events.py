"""The latest events, fetched and serialised once for everybody who listens."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from sqlalchemy import Engine

from hupai.store.database import count_write
from hupai.store.events.feed import events_after, last_number

MAX_EVENTS: Final = 500
"""Serialised events kept in memory; listeners further behind read from the store."""


@dataclass(frozen=True, slots=True)
class ServerSentEvent:
    """An event as it is sent."""

    number: int
    table: str
    text: str

    @classmethod
    def serialise(cls, event: Mapping[str, Any]) -> ServerSentEvent:
        """Serialise an event for a stream."""
        data = json.dumps(event, ensure_ascii=False)
        return cls(event["number"], event["table"], f"id: {event['number']}\nevent: {event['event']}\ndata: {data}\n\n")


@dataclass(slots=True)
class LatestEvents:
    """The latest events. :meth:`fetch` is for one thread at a time, the rest is thread-safe.

    Attributes:
        engine: the store.
    """

    engine: Engine
    _from: int = -1
    _kept: deque[ServerSentEvent] = field(default_factory=lambda: deque(maxlen=MAX_EVENTS))

    def fetch(self) -> int:
        """Fetch new events; return the number of the last one available."""
        last = last_number(self.engine)
        upto = self._kept[-1].number if self._kept else self._from
        if last == upto:
            return last
        count_write(self.engine)  # listeners request the table after its event, and must not get its old state
        if upto < 0 or not upto < last <= upto + MAX_EVENTS:  # nobody has listened for long, or the store was replaced
            self._kept, self._from = deque(maxlen=MAX_EVENTS), last
            return last
        kept = self._kept.copy()
        kept.extend(ServerSentEvent.serialise(e) for e in events_after(self.engine, upto, last - upto))
        self._kept = kept
        return kept[-1].number if kept else upto

    def after(self, number: int, most: int, table: str | None = None) -> list[ServerSentEvent]:
        """Return at most so many lines after this number; from the store if they are no longer in memory."""
        kept = self._kept
        if not self._covers(kept, number):
            return [ServerSentEvent.serialise(e) for e in events_after(self.engine, number, most, table)]
        return [line for line in kept if line.number > number and table in (None, line.table)][:most]

    def has_after(self, number: int) -> bool:
        """Whether :meth:`after` needs no store for what comes after this number."""
        return self._covers(self._kept, number)

    def _covers(self, kept: deque[ServerSentEvent], number: int) -> bool:
        return bool(kept) and number >= (kept[0].number - 1 if len(kept) == MAX_EVENTS else self._from)
