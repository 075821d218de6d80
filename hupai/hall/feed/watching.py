"""Several tables watched by one process, each in its own thread, with one set of models."""

from __future__ import annotations

import logging
import os
import socket
import sys
import threading
import uuid
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import Final

from sqlalchemy import Engine

from hupai.hall.feed.forward import Forwarder
from hupai.hall.feed.plan import FeedPlan, TablePlan
from hupai.hall.feed.threads import run_until
from hupai.hall.feed.worker import Worker
from scoring.errors import HupaiError
from vision.pipeline import TileReader

RESTART_SECONDS: Final = 5.0
"""Seconds before a table in front of a live camera is watched again after its thread crashed."""
log = logging.getLogger("hupai.watch")


def worker_name() -> str:
    """Return a name for this process that no other has: host, process number, random part."""
    return f"{socket.gethostname()}:{os.getpid()}:{uuid.uuid4().hex[:8]}"[:120]


def watch_tables(
    plan: FeedPlan,
    engine: Engine,
    *,
    forwarders: Sequence[Forwarder] = (),
    stop: threading.Event | None = None,
    keep_frames: int = 1000,
    report: Callable[[str], None] = lambda _: None,
) -> list[HupaiError]:
    """Watch until every source has ended or ``stop`` is set.

    Args:
        plan: which tables. engine: the store. forwarders: forward events meanwhile, and what is left at the end.
        stop: set it to end. keep_frames: audit pictures kept per table. report: receives messages about what happens.

    Returns:
        The reasons why tables could not be watched (any more); the others went on. Crashed threads are restarted.

    Raises:
        ModelError: the models cannot be used.
    """
    stop = stop or threading.Event()
    name = worker_name()
    cores = os.cpu_count() or 1
    # One thread per read: the tables share the cores, and many small reads are faster than a few wide ones.
    reader = TileReader(threads=1 if len(plan.tables) > 1 else None)
    limit = threading.Semaphore(cores)

    def make_worker(table: TablePlan) -> Worker:
        return Worker(table, engine, reader, name, limit, keep_frames=keep_frames, report=report)

    workers = [make_worker(table) for table in plan.tables]
    failed: list[HupaiError] = []

    def run(place: int) -> None:
        table = plan.tables[place]
        while not stop.is_set():
            try:
                workers[place].run()
                return
            except HupaiError as error:
                failed.append(error)
                report(f"{table.name}: {error.message}")
                return
            except Exception as error:
                # A bug must not leave a table unwatched during play; a video file would only repeat the crash.
                if not table.source.live:
                    raise
                log.exception("Table %s is watched anew.", table.name)
                report(f"{table.name}: {type(error).__name__}: {error}; watched anew")
                stop.wait(RESTART_SECONDS)
                workers[place] = make_worker(table)

    threads = [
        threading.Thread(target=run, args=(place,), name=f"watch {table.name}", daemon=True)
        for place, table in enumerate(plan.tables)
    ]
    crashed: list[BaseException] = []

    def hook(args: threading.ExceptHookArgs) -> None:
        if args.exc_value is not None:
            crashed.append(args.exc_value)
        sys.__excepthook__(args.exc_type, args.exc_value or args.exc_type(), args.exc_traceback)

    with ExitStack() as stack:
        before = threading.excepthook
        threading.excepthook = hook
        stack.callback(setattr, threading, "excepthook", before)
        for forwarder in forwarders:
            stack.enter_context(forwarder.running(name))
        run_until(stop, threads, workers)
    if crashed:
        raise crashed[0]
    return failed
