"""Live hands on their way to the stream: held back for as long as the event wants, in memory only."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from hupai.hall.live.seat_view import SeatView
from hupai.hall.store.live import Permit, Permits, Place

SILENT_SECONDS: Final = 30.0
"""A place from whose camera nothing was heard for so long shows no hand any more."""


@dataclass(frozen=True, slots=True, eq=False)
class LiveView:
    """What a camera saw: ``view`` at the moment ``at`` (seconds of the clock), and what is told of it."""

    at: float
    view: SeatView
    told: Mapping[str, Any]


@dataclass(slots=True)
class _Line:
    """The views of the permit's player, oldest first; ``heard``: when the camera last said anything."""

    permit: Permit
    heard: float
    views: deque[LiveView] = field(default_factory=deque)


@dataclass(slots=True)
class LiveHands:
    """What waits for its time, and what is shown: nobody hears of a view before its delay is over. Thread-safe.

    One server process holds them: cameras and overlays of a table talk to the same one.

    Attributes:
        clock: seconds that only grow.
    """

    clock: Callable[[], float] = time.monotonic
    _lines: dict[Place, _Line] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def permit(self, permits: Permits) -> None:
        """Take what is permitted now: all of a place that is no more, or has another player, is dropped at once."""
        with self._lock:
            for place, line in list(self._lines.items()):
                now = permits.get(place)
                if now is None or (now.tournament, now.game_id, now.player) != (
                    line.permit.tournament,
                    line.permit.game_id,
                    line.permit.player,
                ):
                    del self._lines[place]
                else:
                    line.permit = now

    def hear(self, place: Place, permit: Permit) -> float:
        """Note that the camera of a permitted place is there; return the time."""
        with self._lock:
            now = self.clock()
            self._lines.setdefault(place, _Line(permit, now)).heard = now
            return now

    def put(self, place: Place, view: LiveView) -> bool:
        """Let a view wait for its time; return False where its place is permitted no more."""
        with self._lock:
            line = self._lines.get(place)
            if line is not None:
                line.views.append(view)
                self._pass(line)
            return line is not None

    def latest(self, table: str) -> dict[Place, SeatView]:
        """Return what the cameras of a table see now, for what is told of it later."""
        with self._lock:
            return {
                place: line.views[-1].view for place, line in self._lines.items() if place.table == table and line.views
            }

    def due(self) -> dict[Place, LiveView]:
        """Return what is to be shown now, by place; a place of which nothing is told is missing."""
        with self._lock:
            found = {}
            for place, line in self._lines.items():
                self._pass(line)
                shown = line.views[0] if line.views else None
                age = self.clock() - line.permit.delay
                if shown is not None and shown.at <= age < line.heard + SILENT_SECONDS:
                    found[place] = shown
            return found

    def wait(self) -> float | None:
        """Return the seconds until the next view is due, None where none waits."""
        with self._lock:
            now = self.clock()
            waits = [
                view.at + line.permit.delay - now
                for line in self._lines.values()
                for view in line.views
                if view.at + line.permit.delay > now
            ]
            return min(waits, default=None)

    def _pass(self, line: _Line) -> None:
        """Forget what was shown before what is shown now."""
        due = self.clock() - line.permit.delay
        while len(line.views) > 1 and line.views[1].at <= due:
            line.views.popleft()
