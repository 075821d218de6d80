"""Cameras watched by one process, each in its own thread, which begins anew where it crashes."""

from __future__ import annotations

import logging
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from traceback import format_tb
from typing import Final, Protocol

from hupai.hall.feed.plan import TablePlan
from scoring.errors import HupaiError

RESTART_SECONDS: Final = 5.0
"""Seconds before what a live camera sees is watched again after its thread crashed."""
log = logging.getLogger("hupai.watch")


class Watcher(Protocol):
    """Watches one camera."""

    def run(self) -> None:
        """Watch until the source ends, or it is stopped."""

    def stop(self) -> None:
        """Ask it to stop; safe from any thread."""


def watch_each(
    plans: Sequence[TablePlan],
    make: Callable[[TablePlan], Watcher],
    *,
    stop: threading.Event,
    report: Callable[[str], None],
) -> list[HupaiError]:
    """Watch until every source has ended or ``stop`` is set.

    Args:
        plans: what is watched. make: what watches one of them. report: receives messages about what happens.

    Returns:
        The reasons why some could not be watched (any more); the others went on.
    """
    watchers = [make(plan) for plan in plans]
    failed: list[HupaiError] = []

    def run(place: int) -> None:
        plan = plans[place]
        while not stop.is_set():
            try:
                watchers[place].run()
                return
            except HupaiError as error:
                failed.append(error)
                report(f"{plan.label}: {error.message}")
                return
            except Exception as error:
                # A bug must not leave a table unwatched during play; a video file would only repeat the crash.
                if not plan.source.live:
                    raise
                # Of a player's tiles nothing may be told, and a message may name one.
                said = type(error).__name__ if plan.seat else f"{type(error).__name__}: {error}"
                log.warning("%s is watched anew.\n%s%s", plan.label, "".join(format_tb(error.__traceback__)), said)
                report(f"{plan.label}: {said}; watched anew")
                stop.wait(RESTART_SECONDS)
                watchers[place] = make(plan)

    threads = [
        threading.Thread(target=run, args=(place,), name=f"watch {plan.label}", daemon=True)
        for place, plan in enumerate(plans)
    ]
    for thread in threads:
        thread.start()
    while any(t.is_alive() for t in threads) and not stop.wait(0.2):
        pass
    for watcher in watchers:
        watcher.stop()
    for thread in threads:
        thread.join(timeout=15)
    return failed


@contextmanager
def raising_crashes() -> Iterator[None]:
    """Raise at the end what ended a thread unexpectedly meanwhile; it is printed at once."""
    crashed: list[BaseException] = []

    def hook(args: threading.ExceptHookArgs) -> None:
        if args.exc_value is not None:
            crashed.append(args.exc_value)
        sys.__excepthook__(args.exc_type, args.exc_value or args.exc_type(), args.exc_traceback)

    before = threading.excepthook
    threading.excepthook = hook
    try:
        yield
    finally:
        threading.excepthook = before
    if crashed:
        raise crashed[0]
