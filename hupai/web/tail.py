"""Follows something in the store, once for all who listen: one small question four times a second."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

from anyio import to_thread
from sqlalchemy.exc import SQLAlchemyError

EVERY: Final = 0.25
log = logging.getLogger("hupai.web")
T = TypeVar("T")


@dataclass(slots=True)
class Tail(Generic[T]):
    """What was told last, and who waits for something else. From the event loop only.

    Attributes:
        ask: asks the store; called in a thread. value: what it said last. listeners: how many follow.
        closed: the server stops, and streams must end by themselves so that it can.
    """

    ask: Callable[[], T]
    value: T
    listeners: int = 0
    closed: bool = False
    _news: asyncio.Event = field(default_factory=asyncio.Event)
    _task: asyncio.Task[None] | None = None

    async def wait(self, awaited: Callable[[T], bool], seconds: float) -> bool:
        """Wait until what is told is awaited; False when it is not after so many seconds."""
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._follow())
        if awaited(self.value):
            return True
        try:
            async with asyncio.timeout(seconds):
                while not awaited(self.value) and not self.closed:
                    await self._news.wait()
        except TimeoutError:
            return False
        return awaited(self.value)

    async def _follow(self) -> None:
        while self.listeners and not self.closed:
            try:
                value = await to_thread.run_sync(self.ask)
            except SQLAlchemyError as error:
                log.warning("the store does not answer: %s", error)
                await asyncio.sleep(4 * EVERY)
                continue
            if value != self.value:
                self.value = value
                self._tell()
            await asyncio.sleep(EVERY)
        self._tell()

    def _tell(self) -> None:
        """Wake those who wait now; later ones wait for the next news."""
        news, self._news = self._news, asyncio.Event()
        news.set()
