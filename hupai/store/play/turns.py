"""Turns at a game: a hand that was refused because the game had moved on goes before those that come after it.

Of two programs that look and write, the refused one would be refused again and again: a refusal takes longer than a
success, so the other one has looked and written before it has looked.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final
from weakref import WeakKeyDictionary

from sqlalchemy import Engine

from hupai.games.commands import MovedOn

TURN_SECONDS: Final = 1.0
"""Seconds that a refused hand is waited for: enough for a program to look again; a person confirms later, unawaited."""


class Turns:
    """The hands that were refused in the last moment, by game and idempotency key. Thread-safe."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._awaited_until: dict[tuple[str, str | None], float] = {}

    @contextmanager
    def take(self, game_id: str, key: str | None) -> Iterator[None]:
        """Run the block, which may raise :class:`MovedOn`, after what was refused before, within ``TURN_SECONDS``.

        A hand without a key waits for others, but is not waited for: nobody could tell that it has come again.
        """
        with self._changed:
            self._wait_for_others(game_id, key)
        moved_on = False
        try:
            yield
        except MovedOn:
            moved_on = True
            raise
        finally:
            with self._changed:
                self._awaited_until.pop((game_id, key), None)
                if moved_on and key is not None:
                    self._awaited_until[game_id, key] = time.monotonic() + TURN_SECONDS
                self._changed.notify_all()

    def _wait_for_others(self, game_id: str, key: str | None) -> None:
        end = time.monotonic() + TURN_SECONDS
        while (now := time.monotonic()) < end and (game_id, key) not in self._awaited_until:
            self._awaited_until = {hand: until for hand, until in self._awaited_until.items() if until > now}
            here = [until for (game, _), until in self._awaited_until.items() if game == game_id]
            if not here:
                return
            self._changed.wait(min(*here, end) - now)


_turns: Final[WeakKeyDictionary[Engine, Turns]] = WeakKeyDictionary()
_making: Final = threading.Lock()


def turns_of(engine: Engine) -> Turns:
    """Return the turns of a store's games in this process."""
    with _making:
        return _turns.setdefault(engine, Turns())
