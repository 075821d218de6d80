"""Follows the store for new events, once for all who listen: one small question four times a second."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, field
from typing import Final

from anyio import to_thread
from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from hupai.store.feed import last_number

EVERY: Final = 0.25
log = logging.getLogger("hupai.web")


@dataclass(slots=True)
class Tail:
    """The number of the last event, and who waits for a later one. From the event loop only.

    Attributes:
        engine: the store. number: of the last event seen. listeners: how many follow.
        closed: the server stops, and streams must end by themselves so that it can.
    """

    engine: Engine
    number: int = 0
    listeners: int = 0
    closed: bool = False
    _news: asyncio.Event = field(default_factory=asyncio.Event)
    _task: asyncio.Task[None] | None = None

    async def wait(self, seen: int, seconds: float) -> bool:
        """Wait until there are events after ``seen``; False when there are none after so many seconds."""
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._follow())
        if self.number > seen:
            return True
        try:
            async with asyncio.timeout(seconds):
                while self.number <= seen and not self.closed:
                    await self._news.wait()
        except TimeoutError:
            return False
        return self.number > seen

    async def _follow(self) -> None:
        while self.listeners and not self.closed:
            try:
                number = await to_thread.run_sync(last_number, self.engine)
            except SQLAlchemyError as error:
                log.warning("the store does not answer: %s", error)
                await asyncio.sleep(4 * EVERY)
                continue
            if number != self.number:
                self.number = number
                self._tell()
            await asyncio.sleep(EVERY)
        self._tell()

    def _tell(self) -> None:
        """Wake those who wait now; later ones wait for the next news."""
        news, self._news = self._news, asyncio.Event()
        news.set()
