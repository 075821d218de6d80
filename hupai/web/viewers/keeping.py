"""Keeps a folder of pages up to date with the tournament, with a delay if wanted."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Engine

from hupai.store.clock import now as now_in
from hupai.store.database import reading
from hupai.store.errors import STORE_AWAY
from hupai.store.tournament.tournaments import get_tournament
from hupai.web.viewers.folder import Unwritable, renew
from hupai.web.viewers.pages import Words, files
from hupai.web.viewers.published import published


@dataclass(slots=True)
class Keeper:
    """Keeps the pages of a tournament.

    Attributes:
        engine, tournament_id: which. folder: target. words: of the language. late: delay of everything in seconds.
    """

    engine: Engine
    tournament_id: str
    folder: Path
    words: Words
    late: float = 0
    _seen: deque[tuple[float, dict[str, Any]]] = field(default_factory=deque)
    _written: str | None = None

    def look(self, now: float | None = None) -> bool:
        """Look at the tournament, and write what is old enough to be shown; return whether that was new.

        Args:
            now: seconds of a monotonic clock.

        Raises:
            NotFound: the tournament is gone. Unwritable: see :func:`~hupai.web.viewers.folder.renew`.
        """
        now = time.monotonic() if now is None else now
        said, age = self._ask()
        if not self._seen or self._seen[-1][1]["version"] != said["version"]:
            self._seen.append((now if self._seen else now - age, said))
        while len(self._seen) > 1 and self._seen[1][0] <= now - self.late:
            self._seen.popleft()
        since, due = self._seen[0]
        if since > now - self.late or due["version"] == self._written:
            return False
        renew(self.folder, files(due, self.words))
        self._written = due["version"]
        return True

    def run(self, every: float, stop: threading.Event, report: Callable[[str], None]) -> None:
        """Look every so many seconds until stopped; a temporary failure of the store or disk is reported once.

        Raises:
            NotFound: the tournament is gone.
        """
        trouble = None
        while not stop.is_set():
            try:
                if self.look():
                    report(f"Written to {self.folder}.")
                trouble = None
            except (*STORE_AWAY, Unwritable) as error:
                if trouble != str(error):
                    report(f"Not now, tried again every {every:g} s: {error}")
                trouble = str(error)
            stop.wait(every)

    def _ask(self) -> tuple[dict[str, Any], float]:
        """Return what may be published, and for how many seconds it has been unchanged."""
        cup = get_tournament(self.engine, self.tournament_id)
        with reading(self.engine) as session:
            age = (now_in(session) - datetime.fromisoformat(cup["changed_at"])).total_seconds()
        return published(cup, self.late), max(age, 0)
