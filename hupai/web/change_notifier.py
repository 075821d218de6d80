"""Follows a value in the store, once for all listeners: one small query four times a second."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

from anyio import to_thread

from hupai.store.errors import STORE_AWAY

POLL_SECONDS: Final = 0.25
_WOKEN_AT_ONCE: Final = 32
_PAUSE_SECONDS: Final = 0.004
log = logging.getLogger("hupai.web")
T = TypeVar("T")


@dataclass(slots=True)
class ChangeNotifier(Generic[T]):
    """The latest value, and those who wait for another one. From the event loop only.

    News comes to a few listeners at a time with a pause after them: a crowd of spectators that all write to their
    sockets in one turn of the loop would make everybody else wait, including tables and the director.

    Attributes:
        ask: queries the store; called in a thread. value: its latest result. listeners: number of followers.
        closed: the server is stopping, and streams must end by themselves so that it can.
    """

    ask: Callable[[], T]
    value: T
    listeners: int = 0
    closed: bool = False
    _waiting: dict[asyncio.Future[None], Callable[[T], bool]] = field(default_factory=dict)
    _task: asyncio.Task[None] | None = None

    async def wait_until(self, is_awaited: Callable[[T], bool], seconds: float | None) -> bool:
        """Wait until the value is one that is awaited; return False if none comes in time.

        Args:
            is_awaited: asked for every new value; it may also deal with one itself and wait for the next.
            seconds: to wait; None until the server stops.
        """
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._poll())
        try:
            async with asyncio.timeout(seconds):
                while not (found := is_awaited(self.value)) and not self.closed:
                    await self._wait_for_change(is_awaited)
        except TimeoutError:
            return False
        return found

    async def _poll(self) -> None:
        while self.listeners and not self.closed:
            try:
                value = await to_thread.run_sync(self.ask)
            except STORE_AWAY as error:
                log.warning("the store does not answer: %s", error)
                await asyncio.sleep(4 * POLL_SECONDS)
                continue
            if value != self.value:
                self.value = value
                await self._wake()
            await asyncio.sleep(POLL_SECONDS)
        await self._wake()

    async def _wait_for_change(self, is_awaited: Callable[[T], bool]) -> None:
        news = asyncio.get_running_loop().create_future()
        self._waiting[news] = is_awaited
        try:
            await news
        finally:
            del self._waiting[news]

    async def _wake(self) -> None:
        """Wake those who wait now for this value, a few at a time; later ones wait for the next change."""
        waiting = tuple(self._waiting.items())
        for first in range(0, len(waiting), _WOKEN_AT_ONCE):
            for news, is_awaited in waiting[first : first + _WOKEN_AT_ONCE]:
                if not news.done() and (self.closed or is_awaited(self.value)):
                    news.set_result(None)
            await asyncio.sleep(0 if self.closed else _PAUSE_SECONDS)
