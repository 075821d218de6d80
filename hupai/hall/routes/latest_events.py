"""The latest events, fetched and serialised once for everybody who listens."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from sqlalchemy import Engine

from hupai.hall.events.feed import events_after, last_number
from hupai.store.database import count_write

MAX_EVENTS: Final = 500
"""Serialised events kept in memory; listeners further behind read from the store."""
MAX_AT_ONCE: Final = 200
"""Events that a listener who is behind gets in one part."""
_MAX_TEXTS: Final = 16
"""Texts kept of the same events, for listeners who have reached different numbers or hear of one table each."""


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


@dataclass(frozen=True, slots=True)
class _Window:
    """All events after the number ``start``; and what listeners got of them, by the number and table they asked for."""

    start: int
    events: tuple[ServerSentEvent, ...] = ()
    texts: dict[tuple[int, str | None], tuple[int, bytes]] = field(default_factory=dict)

    @property
    def last(self) -> int:
        """The number of the last one."""
        return self.events[-1].number if self.events else self.start


@dataclass(slots=True)
class LatestEvents:
    """The latest events. :meth:`fetch` is for one thread at a time, :meth:`after` for the event loop.

    Attributes:
        engine: the store.
    """

    engine: Engine
    _latest: _Window = field(default_factory=lambda: _Window(-1))

    def fetch(self) -> int:
        """Fetch new events; return the number of the last one available."""
        last, before = last_number(self.engine), self._latest
        if last == before.last:
            return last
        count_write(self.engine)  # listeners request the table after its event, and must not get its old state
        # Nobody has listened for long, or the store was replaced.
        if before.start < 0 or not before.last < last <= before.last + MAX_EVENTS:
            self._latest = _Window(last)
            return last
        new = map(ServerSentEvent.serialise, events_after(self.engine, before.last, last - before.last))
        events = (*before.events, *new)
        start = events[-MAX_EVENTS - 1].number if len(events) > MAX_EVENTS else before.start
        self._latest = _Window(start, events[-MAX_EVENTS:])
        return self._latest.last

    def after(self, number: int, table: str | None) -> tuple[int, bytes] | None:
        """Return the next events as text, with the number they reach to; None if some are in the store only."""
        latest = self._latest
        if number < latest.start:
            return None
        if (news := latest.texts.get((number, table))) is None:
            found = [e for e in latest.events if e.number > number and table in (None, e.table)][:MAX_AT_ONCE]
            upto = found[-1].number if len(found) == MAX_AT_ONCE else max(number, latest.last)
            news = upto, "".join(e.text for e in found).encode()
            if len(latest.texts) < _MAX_TEXTS:
                latest.texts[number, table] = news
        return news
